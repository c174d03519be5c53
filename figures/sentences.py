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
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("|", ">>>", "!["))]
    text = re.sub(r"\n\s*(?:[-*]|\d+\.|#+)\s+", "\n\n", "\n" + "\n".join(lines))
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        line = re.sub(r"\s+", " ", paragraph).strip()
        parts += [part.strip() for part in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`(\"*])", line)]
    return [part for part in parts if part]


def compares(sentence: str) -> bool:
    names = [key for key, pattern in NAME_PATTERNS.items() if re.search(pattern, sentence)]
    return len(names) > 1 and re.search(COMPARATIVE, sentence) is not None


def texts() -> list[tuple[str, str]]:
    """(place, text) of everything that a reader reads, except the ledger, which is made from the CSV files."""
    pages = [ROOT / "README.md", *sorted((ROOT / "chapters" / "pages").glob("*.md")), HERE / "BENCHMARK.md"]
    pages += sorted((ROOT / "lda_reference").rglob("*.md"))
    place_texts = [(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in pages]
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        place_texts.append((f"chapters/{path.name}", "\n\n".join(prose)))
    for path in sorted((ROOT / "lda_reference").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        node_types = (ast.Module, ast.FunctionDef, ast.ClassDef)
        docs = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, node_types)]
        place_texts.append((path.relative_to(ROOT).as_posix(), "\n\n".join(docs)))
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
        cells = json.loads((ROOT / entry["place"]).read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        if not any(entry["cell"] in source for source in code):
            raise ValueError(f"{entry['place']} has no cell with {entry['cell']!r}")
        return f"cell: {entry['cell']}"
    if "test" in entry:
        path, test_name = entry["test"].split("::")
        if f"def {test_name}(" not in (ROOT / path).read_text("utf-8"):
            raise ValueError(f"{path} has no test {test_name}")
        return f"test: {entry['test']}"
    return f"reason: {entry['reason']}"


def entries() -> list[dict[str, Any]]:
    return list(tomllib.loads((HERE / "sentences.toml").read_text("utf-8")).get("sentence", []))


def main() -> None:
    entry_list = entries()
    entered_keys = {(entry["place"], entry["text"]) for entry in entry_list}
    all_comparisons = comparisons()
    for place, text in all_comparisons:
        if (place, text) not in entered_keys:
            print(f"MISSING {place}: {text}")
    if "--missing" in sys.argv:
        return
    for entry in entry_list:
        prefix = "" if (entry["place"], entry["text"]) in all_comparisons else "GONE "
        print(f"{prefix}{entry['place']}: {entry['text']}\n    {evidence(entry)}")


if __name__ == "__main__":
    main()
