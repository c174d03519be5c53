"""Other libraries for LDA, asked the oracle's questions: what conforms, and what is computed instead.

    python -m figures.peers.conformance

`make peers` installs scikit-learn, gensim, tomotopy and lda in the versions of pyproject.toml and runs this. `adapters`
has a module for each library, and `conformance_cases` the cases that the oracle has no vectors for. The script prints
the table, writes conformance.csv and CONFORMANCE.md with the reproductions, and renews the table in chapter 17. If a
library is not installed, the script says so and writes nothing. It takes about two minutes.

A case is passed at double precision if each number is within 1e-12 of the right one, and at single precision if each
is within 1e-5, in proportion to the right number.
"""

import csv
import importlib
import inspect
import json
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from figures.peers import conformance_cases as own
from figures.peers.adapters import Row, Skip, corpus
from lda_reference import oracle

HERE = Path(__file__).parents[1]
CHAPTER = HERE.parent / "chapters" / "17_porters.ipynb"
MODULES = {
    "scikit-learn": "scikit_learn", "gensim": "gensim_model", "tomotopy": "tomotopy_model", "lda": "lda_package",
}  # fmt: skip
DOUBLE, SINGLE = 1e-12, 1e-5
CHOICES = {  # operations whose answers are topics, judged by the oracle
    "sampler": {"only": "sampler/cgs", "operation": "sample", "samplers": True},
    "draw": {"only": "cgs/draw,cgs/sweep"},
}
BEGIN, END = "<!-- figures/peers/conformance.py writes this table -->", "<!-- end of the table -->"
NOTES = """*n* is the number of cases that the library can be asked. A case is passed in double precision if every
number is within 1e-12 of the right one, and in single precision if every number is within 1e-5, in proportion to the
right number. One of the cases of VB has a word that no topic has seen. Topics are right or wrong. Mallet has no
adapter: it is written in Java and is not on PyPI, where the packages that name it call a Mallet that you have
installed."""


class Line(NamedTuple):
    """A row of the table, as in conformance.csv; `double`, `single` and `error` are empty where topics are compared."""

    library: str
    version: str
    operation: str
    call: str
    cases: int
    skipped: int
    double: int | str
    single: int | str
    passed: int | str
    error: float | str
    says: str
    reproduction: str


def largest_error(expected: dict[str, Any], answer: dict[str, Any]) -> float:
    """The largest relative error of an answer; infinite if a shape is wrong or a number is not finite."""
    worst = 0.0
    for name, x in expected.items():
        right, got = np.array(x, float), np.array(answer.get(name, np.nan), float)
        if right.shape != got.shape or not np.isfinite(got).all():
            return np.inf
        size = np.where(right == 0, 1, np.abs(right))
        worst = max(worst, float(np.max(np.abs(got - right) / size, initial=0.0)))
    return worst


def errors_of(row: Row, cases: Iterable[dict[str, Any]]) -> tuple[list[float], int]:
    """The largest relative errors of the answers to cases, and how many cases the library cannot be asked."""
    errors, skipped = [], 0
    for case in cases:
        try:
            answer = row.answer(case)
            errors.append(largest_error(own.expected(case, answer), answer))
        except Skip:
            skipped += 1
    return errors, skipped


def line_of(name: str, number: str, row: Row, numbers: dict[str, Any]) -> Line:
    """A row of the table, from the answers of a library."""
    says, shows = row.says.format(**numbers), row.shows.__name__ if row.shows else ""
    if row.operation in CHOICES:

        def answer(case: dict[str, Any]) -> dict[str, Any]:
            try:
                return {"id": case["id"], **row.answer(case)}
            except Skip as reason:
                return {"id": case["id"], "skip": str(reason)}

        results = oracle.check(answer, **CHOICES[row.operation]).results
        skipped = sum(r.status == "skipped" for r in results)
        counts = (len(results) - skipped, skipped, "", "", sum(r.passed for r in results), "")
    else:
        errors, skipped = errors_of(row, own.cases(row.operation))
        good = [sum(e <= level for e in errors) for level in (DOUBLE, SINGLE)]
        counts = (len(errors), skipped, *good, "", float(f"{max(errors):.0e}"))
    return Line(name, number, row.title, row.call, *counts, says, shows)


# What is written -----------------------------------------------------------------------------------------------------


def table(lines: Sequence[Line]) -> str:
    """The lines as Markdown; numbers from a CSV file may be text."""
    head = "| library | operation | called | *n* | double | single | largest error | what it computes instead |"
    out = [head, "|---|---|---|---|---|---|---|---|"]
    for x in lines:
        right = (f"{x.passed} right", "") if x.double == "" else (str(x.double), str(x.single))
        error = "" if x.error == "" else "no number" if np.isinf(float(x.error)) else f"{float(x.error):.0e}"
        cells = f"{x.library} {x.version}", x.operation, x.call, str(x.cases), *right, error, x.says
        out.append(f"| {' | '.join(cells)} |")
    return "\n".join([BEGIN, "", *out, "", NOTES, "", END])


def reproduction(shows: Any, numbers: dict[str, Any]) -> str:
    """A reproduction and its numbers as Markdown."""
    found = "\n".join(f"    {name} = {shown(x)}" for name, x in numbers.items())
    return f"### `{shows.__name__}`\n\n```python\n{inspect.getsource(shows).rstrip()}\n```\n\nIt returns\n\n{found}\n"


def shown(x: Any) -> str:
    return x if isinstance(x, str) else f"{x:.6g}"


def page(lines: Sequence[Line], modules: Sequence[ModuleType], found: dict[str, dict[str, Any]]) -> str:
    """CONFORMANCE.md."""
    out = [
        "# Who conforms\n\n`make peers` writes this file: what other libraries answer to the oracle's questions, and "
        "to those of\n`peers/conformance_cases.py`. The adapters are in `peers/adapters`.\n",
        table(lines),
        "\n## Reproductions\n\nAll of them use this corpus:\n",
        f"```python\n{inspect.getsource(corpus).rstrip()}\n```\n",
    ]
    for module in modules:
        out.append(f"## {module.NAME} {version(module.PACKAGE)}\n")
        out += [reproduction(x, found[key(module, x)]) for x in reproductions(module)]
    return "\n".join(out)


def reproductions(module: ModuleType) -> list[Any]:
    """The reproductions of a library, each once."""
    return list(dict.fromkeys(row.shows for row in module.ROWS if row.shows))


def key(module: ModuleType, shows: Any) -> str:
    return f"{module.NAME}: {shows.__name__}"


def read(path: Path) -> list[Line]:
    with open(path, newline="", encoding="utf-8") as file:
        return [Line(**x) for x in csv.DictReader(file)]


def write(folder: Path, lines: Sequence[Line], text: str) -> None:
    with open(folder / "peers/conformance.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(Line._fields)
        out.writerows(lines)
    (folder / "CONFORMANCE.md").write_text(text, "utf-8")


def block(text: str) -> str:
    """The table in a text, with its markers."""
    return text[text.index(BEGIN) : text.index(END) + len(END)]


def renew(chapter: Path, new: str) -> None:
    """Replace the table of the chapter."""
    book = json.loads(chapter.read_text("utf-8"))
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if BEGIN in source:
            cell["source"] = source.replace(block(source), new).splitlines(keepends=True)
    chapter.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")


def installed() -> tuple[list[ModuleType], list[str]]:
    """The adapters whose libraries are installed, and the names of the other libraries."""
    modules, missing = [], []
    for name, module in MODULES.items():
        try:
            modules.append(importlib.import_module(f"figures.peers.adapters.{module}"))
        except ImportError as error:
            missing.append(name)
            print(f"{name} is left out, because {error.name or error} is not installed: pip install -e '.[peers]'")
    return modules, missing


def asked(module: ModuleType) -> tuple[list[Line], dict[str, dict[str, Any]]]:
    """The lines of a library, and the numbers of its reproductions."""
    print(f"{module.NAME} is asked.", flush=True)
    found = {key(module, shows): shows() for shows in reproductions(module)}
    numbers = [found[key(module, row.shows)] if row.shows else {} for row in module.ROWS]
    pairs = zip(module.ROWS, numbers, strict=True)
    return [line_of(module.NAME, version(module.PACKAGE), row, x) for row, x in pairs], found


def main() -> None:
    modules, missing = installed()
    answers = [asked(module) for module in modules]
    lines = [x for some, _ in answers for x in some]
    if lines:
        print(f"\n{table(lines)}")
    if missing:
        print("Nothing is written, because libraries are missing.")
        return
    write(HERE, lines, page(lines, modules, {k: x for _, found in answers for k, x in found.items()}))
    renew(CHAPTER, table(lines))
    print("\nWritten: peers/conformance.csv, CONFORMANCE.md, and the table in chapter 17.")


if __name__ == "__main__":
    main()
