"""Other programs for LDA, asked the oracle's questions: what conforms, and what is computed instead.

    python -m figures.peers.conformance [NAME ...]

It asks the named programs, or all that are there: packages of this Python, and programs in the folder PEERS that
build.sh has built. `make peers` installs scikit-learn, gensim, tomotopy and lda in the versions of pyproject.toml
first. `adapters` has a module for each program, and `conformance_cases` the cases that the oracle has no vectors for.
The script prints the table, and writes conformance.csv and CONFORMANCE.md with the reproductions. What it says of the
other programs is carried over, with its date.

A case is passed at double precision if each number is within 1e-12 of the right one, and at single precision if each
is within 1e-5, in proportion to the right number.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from figures import common
from figures.peers import built_cases
from figures.peers import conformance_cases as own
from figures.peers.adapters import Row, Skip, corpus
from lda_reference import oracle

HERE = Path(__file__).parents[1]
MODULES = {
    "scikit-learn": "scikit_learn", "gensim": "gensim_model", "pyspark": "spark", "tomotopy": "tomotopy_model",
    "lda": "lda_package", "MALLET": "mallet", "pyrmallet": "pyrmallet_model", "topica": "topica_model",
    "R topicmodels": "topicmodels", "R lda": "r_lda", "lda-c": "lda_c", "onlineldavb": "onlineldavb_model",
    "Vowpal Wabbit": "vowpalwabbit_model", "BigARTM": "bigartm_model", "npm lda": "npm_lda",
    "bitermplus": "bitermplus_model", "tmtoolkit": "tmtoolkit_model", "numpyro": "numpyro_model", "pymc": "pymc_model",
}  # fmt: skip
NOTES = """\
*n* is the number of cases that the program can be asked. A case is passed in double precision if every
number is within 1e-12 of the right one, and in single precision if every number is within 1e-5, in proportion to the
right number. One of the cases of VB has a word that no topic has seen. Topics are right or wrong."""
COMMAND = '    python -c "from figures.peers.adapters import gensim_model; print(gensim_model.perplexity_in_the_log())"'
DOUBLE, SINGLE = 1e-12, 1e-5
CHECKS = {  # operations whose answers are topics, judged by the oracle
    "sampler": {"only": "sampler/cgs", "operation": "sample", "samplers": True},
    "draw": {"only": "cgs/draw,cgs/sweep"},
}
BEGIN, END = "<!-- figures/peers/conformance.py writes this table -->", "<!-- end of the table -->"


class Line(NamedTuple):
    """A row of the table, as in conformance.csv; `double`, `single` and `error` are empty where topics are compared."""

    library: str
    version: str
    date: str
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
    worst_error = 0.0
    for quantity, expected_numbers in expected.items():
        right_numbers, answer_numbers = np.array(expected_numbers, float), np.array(answer.get(quantity, np.nan), float)
        if right_numbers.shape != answer_numbers.shape or not np.isfinite(answer_numbers - right_numbers).all():
            return np.inf
        error_scale = np.where(right_numbers == 0, 1, np.abs(right_numbers))
        worst_error = max(worst_error, float(np.max(np.abs(answer_numbers - right_numbers) / error_scale, initial=0.0)))
    return worst_error


def line_of(library: str, version_text: str, row: Row, shown_numbers: dict[str, Any]) -> Line:
    """A row of the table, from the answers of a library."""

    def answer(case: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"id": case["id"], **row.answer(case)}
        except Skip as skip:
            return {"id": case["id"], "skip": str(skip)}

    if row.operation in CHECKS:
        check_results = oracle.check(answer, **CHECKS[row.operation]).results
        n_skipped = sum(check.status == "skipped" for check in check_results)
        counts = (len(check_results) - n_skipped, n_skipped, "", "", sum(check.passed for check in check_results), "")
    else:
        case_module = built_cases if row.operation in built_cases.OPERATIONS else own
        answered_cases = [(case, answer(case)) for case in case_module.cases(row.operation)]
        errors = [largest_error(case_module.expected(case, x), x) for case, x in answered_cases if "skip" not in x]
        n_within = [sum(error <= tolerance for error in errors) for tolerance in (DOUBLE, SINGLE)]
        counts = (len(errors), len(answered_cases) - len(errors), *n_within, "", float(f"{max(errors):.0e}"))
    says_text, function_name = row.says.format(**shown_numbers), row.shows.__name__ if row.shows else ""
    return Line(library, version_text, date.today().isoformat(), row.title, row.call, *counts, says_text, function_name)


# What is written -----------------------------------------------------------------------------------------------------


def table(lines: Sequence[Line]) -> str:
    """The lines as Markdown; numbers from a CSV file may be text."""
    header_line = "| library | operation | called | *n* | double | single | largest error | what it computes instead |"
    table_lines = [header_line, "|---|---|---|---|---|---|---|---|"]
    for line in lines:
        passes = (f"{line.passed} right", "") if line.double == "" else (str(line.double), str(line.single))
        error = "" if line.error == "" else "no number" if np.isinf(float(line.error)) else f"{float(line.error):.0e}"
        cells = f"{line.library} {line.version}", line.operation, line.call, str(line.cases), *passes, error, line.says
        table_lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([BEGIN, "", *table_lines, "", NOTES, "", END])


def reproduction(shows: Any, numbers: dict[str, Any]) -> str:
    """A reproduction and its numbers as Markdown."""
    listing = "\n".join(f"    {name} = {x if isinstance(x, str) else f'{x:.6g}'}" for name, x in numbers.items())
    return f"### `{shows.__name__}`\n\n```python\n{inspect.getsource(shows).rstrip()}\n```\n\nIt returns\n\n{listing}\n"


def page(lines: Sequence[Line], program_sections: Iterable[str]) -> str:
    """CONFORMANCE.md."""
    page_parts = [
        "# Who conforms\n\n`make peers` writes this file: what other programs answer to the oracle's questions, and "
        "to those of\n`peers/conformance_cases.py`. The adapters are in `peers/adapters`. `lda.which_number` "
        "says which definition gives a\nnumber of a model of yours: [chapter 18]"
        "(../chapters/18_your_librarys_number.ipynb).\n",
        table(lines),
        "\n## Reproductions\n\nEach is a function of a module in `peers/adapters`, which has its imports. In the "
        f"folder of the repository, this\ncommand runs one of them:\n\n{COMMAND}\n\nAll of them use this corpus:\n",
        f"```python\n{inspect.getsource(corpus).rstrip()}\n```\n",
    ]
    return "\n".join([*page_parts, *program_sections])


def read(csv_path: Path) -> list[Line]:
    return [Line(**line) for line in common.read(csv_path)]


def write(folder: Path, lines: Sequence[Line], page_text: str) -> None:
    (folder / "peers/conformance.csv").unlink(missing_ok=True)
    common.write(folder / "peers/conformance.csv", Line._fields, lines)
    (folder / "CONFORMANCE.md").write_text(page_text, "utf-8")


def measured(adapter: ModuleType) -> tuple[list[Line], str]:
    """The lines of a library, and its section of CONFORMANCE.md."""
    print(f"{adapter.NAME} is asked.", flush=True)
    version_text = getattr(adapter, "VERSION", None) or version(adapter.PACKAGE)
    numbers_shown = {function: function() for function in dict.fromkeys(row.shows for row in adapter.ROWS) if function}
    lines = [line_of(adapter.NAME, version_text, row, numbers_shown.get(row.shows, {})) for row in adapter.ROWS]
    return lines, "\n".join([heading(lines[0]), *(reproduction(*shown_pair) for shown_pair in numbers_shown.items())])


def heading(line: Line) -> str:
    """The first lines of the section of a program."""
    command_text = f"python -m figures.peers.conformance '{line.library}'"
    return f"## {line.library} {line.version}\n\nMeasured on {line.date} by `{command_text}`.\n"


def asked_or_kept(library: str, chosen_names: Sequence[str]) -> tuple[list[Line], str]:
    """The same of a program that may not be there or not be asked: then what was written before."""
    try:
        if not chosen_names or library in chosen_names:
            return measured(importlib.import_module(f"figures.peers.adapters.{MODULES[library]}"))
    except ImportError as error:
        print(f"{library} is carried over: {error.name or error} is not installed")
    kept_lines = [line for line in read(HERE / "peers/conformance.csv") if line.library == library]
    page_sections = re.split(r"\n(?=## )", (HERE / "CONFORMANCE.md").read_text("utf-8"))
    return kept_lines, next((section for section in page_sections if section.startswith(f"## {library} ")), "")


def main(chosen_names: Sequence[str] = ()) -> None:
    if unknown_names := set(chosen_names) - set(MODULES):
        raise SystemExit(f"{', '.join(sorted(unknown_names))}: expected names among {', '.join(MODULES)}")
    lines_and_sections = [asked_or_kept(library, chosen_names) for library in MODULES]
    lines = [line for library_lines, _ in lines_and_sections for line in library_lines]
    write(HERE, lines, page(lines, [section for _, section in lines_and_sections if section]))
    print(f"\n{table(lines)}\n\nWritten: peers/conformance.csv and CONFORMANCE.md.")


if __name__ == "__main__":
    main(sys.argv[1:])
