"""Every sentence that compares algorithms, with what stands behind it.

    python -m figures.sentences [--missing]

Sentences of README.md, the pages in chapters/pages, the benchmark, the chapters, the package's docstrings and its
guides that name two algorithms, or one and "the others", and have a comparative are listed in sentences.toml, each with
its evidence:

- `csv`: a file of this folder, with the columns by which its lines are chosen, and the column of the numbers;
- `cell`: a piece of code of the same chapter, the check that fails if the sentence is wrong;
- `test`: a test of the package;
- `reason`: what a paper says, or why the sentence is no comparison of results.

The script prints the list with the numbers. `--missing` prints only sentences without an entry.
"""

import ast
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import numbers, read, select

HERE = Path(__file__).parent
ROOT = HERE.parent
NAME_PATTERNS = {
    "exact": r"[Ee]xact CVB|`cvb_exact`", "cvb0": r"CVB0|`cvb0`", "tcvb0": r"TCVB0|`tcvb0`",
    "cvb1": r"CVB1[sd]?|`cvb1[sd]?`", "cvb": r"(?<![Ee]xact )CVB\b|`cvb`", "vb": r"\bVB\b|`vb`",
    "gibbs": r"\bGibbs\b|`gibbs`|samplers?\b", "cgs": r"\bCGS\b|`cgs`", "map": r"\bMAP\b|`map`",
    "ml": r"\bML\b|`ml`|\bEM\b|`vem`", "others": r"\bothers?\b|all algorithms|each algorithm",
    "ep": r"\bEP(?:'s)?\b|`ep`", "hmc": r"Hamiltonian Monte Carlo|`hmc`|MALA|SGRLD",
    "nested": r"`nested`", "corpus": r"`corpus`", "block": r"`block`", "token": r"`token`",
}  # fmt: skip
COMPARATIVE = (
    r"\b(better|worse|best|worst|higher|lower|highest|lowest|faster|slower|fastest|slowest|quicker|ahead|behind|closer|"
    r"closest|nearer|farther|further|outperforms?|beats?|wins?|loses?|smaller|larger|smallest|largest|most accurate|"
    r"more accurate|less accurate|gains? more|varies more|as good as|the gap|above|"
    r"narrows|widens)\b"
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, on one line each; tables and code are left out."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$", " ", text, flags=re.DOTALL)
    text_lines = [text_line for text_line in text.splitlines() if not text_line.lstrip().startswith(("|", ">>>", "!["))]
    text = re.sub(r"\n\s*(?:[-*]|\d+\.|#+)\s+", "\n\n", "\n" + "\n".join(text_lines))
    split_sentences = []
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph_line = re.sub(r"\s+", " ", paragraph).strip()
        split_sentences += [sentence.strip() for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`(\"*])", paragraph_line)]
    return [sentence for sentence in split_sentences if sentence]


def compares(sentence: str) -> bool:
    algorithm_keys = [algorithm_key for algorithm_key, pattern in NAME_PATTERNS.items() if re.search(pattern, sentence)]
    return len(algorithm_keys) > 1 and re.search(COMPARATIVE, sentence) is not None


def texts() -> list[tuple[str, str]]:
    """(place, text) of everything that a reader reads, except the ledger, which is made from the CSV files."""
    page_paths = [ROOT / "README.md", *sorted((ROOT / "chapters" / "pages").glob("*.md")), HERE / "BENCHMARK.md"]
    page_paths += sorted((ROOT / "lda_reference").rglob("*.md"))
    place_texts = [(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in page_paths]
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        notebook_cells = json.loads(path.read_text("utf-8"))["cells"]
        markdown_cells = ["".join(cell["source"]) for cell in notebook_cells if cell["cell_type"] == "markdown"]
        place_texts.append((f"chapters/{path.name}", "\n\n".join(markdown_cells)))
    for path in sorted((ROOT / "lda_reference").rglob("*.py")):
        module_tree = ast.parse(path.read_text("utf-8"))
        node_types = (ast.Module, ast.FunctionDef, ast.ClassDef)
        docstrings = [ast.get_docstring(node) or "" for node in ast.walk(module_tree) if isinstance(node, node_types)]
        place_texts.append((path.relative_to(ROOT).as_posix(), "\n\n".join(docstrings)))
    return place_texts


def comparisons() -> list[tuple[str, str]]:
    return [(place, sentence) for place, text in texts() for sentence in sentences(text) if compares(sentence)]


def evidence(entry: dict[str, Any]) -> str:
    """What stands behind an entry of sentences.toml. A ValueError if it is not there."""
    if "csv" in entry:
        conditions = entry.get("where", {})
        rows = select(read(HERE / entry["csv"]), **{column: tuple(choices) for column, choices in conditions.items()})
        if not rows:
            raise ValueError(f"{entry['csv']} has no line with {conditions}")
        column_numbers = numbers(rows, entry["column"])
        range_text = f"{min(column_numbers):.6g} to {max(column_numbers):.6g}, median {np.median(column_numbers):.6g}"
        return f"{entry['csv']} {conditions}: {entry['column']} {range_text} in {len(column_numbers)} lines"
    if "cell" in entry:
        notebook_cells = json.loads((ROOT / entry["place"]).read_text("utf-8"))["cells"]
        code_sources = ["".join(cell["source"]) for cell in notebook_cells if cell["cell_type"] == "code"]
        if not any(entry["cell"] in code_source for code_source in code_sources):
            raise ValueError(f"{entry['place']} has no cell with {entry['cell']!r}")
        return f"cell: {entry['cell']}"
    if "test" in entry:
        test_path, test_name = entry["test"].split("::")
        if f"def {test_name}(" not in (ROOT / test_path).read_text("utf-8"):
            raise ValueError(f"{test_path} has no test {test_name}")
        return f"test: {entry['test']}"
    return f"reason: {entry['reason']}"


def entries() -> list[dict[str, Any]]:
    return list(tomllib.loads((HERE / "sentences.toml").read_text("utf-8")).get("sentence", []))


def main() -> None:
    all_entries = entries()
    entered_sentences = {(entry["place"], entry["text"]) for entry in all_entries}
    placed_sentences = comparisons()
    for place, text in placed_sentences:
        if (place, text) not in entered_sentences:
            print(f"MISSING {place}: {text}")
    if "--missing" in sys.argv:
        return
    for entry in all_entries:
        prefix = "" if (entry["place"], entry["text"]) in placed_sentences else "GONE "
        print(f"{prefix}{entry['place']}: {entry['text']}\n    {evidence(entry)}")


if __name__ == "__main__":
    main()
