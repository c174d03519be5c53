"""Public implementations of LDA inference, asked the oracle's questions: wild.csv and WILD.md.

    python -m figures.wild.runs --checkouts DIR [--only KEY ...]

DIR has a folder OWNER+NAME for each repository, with the files of the commit that wild.toml names and, in `.commit`,
its name. The package pyspark of PyPI takes part if it is installed, and lda of npm if DIR has it. What is not there is
left out with a sentence: its line of wild.csv is carried over, with the day on which it was run.
"""

import argparse
import datetime
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures import common

from . import asking, pycistopic
from .adapters import Absent, Checkouts
from .asking import TEXTS
from .consequences import MEASURES

HERE = Path(__file__).parent


class Line(NamedTuple):
    """A line of wild.csv: what was measured, and when. `numbers` is the consequence, as JSON."""

    key: str
    version: str
    day: str
    cases: int
    passed: int
    skipped: int
    error: float
    named: str
    numbers: str


def version(toml_row: dict[str, Any], checkouts: Checkouts) -> str:
    """The commit of a checkout, or the version of a package."""
    if "package" in toml_row:
        return str(toml_row["version"])
    return checkouts.path(f"{toml_row['repository'].replace('/', '+')}/.commit").read_text("utf-8").strip()[:7]


def line_of(key: str, checkouts: Checkouts) -> Line:
    """What comes of asking a row; Absent if the implementation is not there."""
    row, numbers = TEXTS[key], {}
    outcome = asking.ask(row, checkouts)
    if key in MEASURES:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            numbers = MEASURES[key](asking.adapter(row, checkouts))
    numbers_json = json.dumps({name: float(f"{number:.4g}") for name, number in numbers.items()})
    count_fields = outcome.cases, outcome.passed, outcome.skipped, float(f"{outcome.error:.1g}")
    return Line(key, version(row, checkouts), str(datetime.date.today()), *count_fields, outcome.named, numbers_json)


def read(path: Path) -> dict[str, Line]:
    return {x["key"]: Line(**x) for x in common.read(path)}


def table(lines: dict[str, Line]) -> str:
    """A row for each text, in its order; those without a line were only read."""
    head = "| implementation | commit or version | computes | cases passed | what it computes instead |"
    table_lines = [head, "|---|---|---|---|---|"]
    for key, text in TEXTS.items():
        line = lines.get(key)
        passed_text = f"{line.passed} of {line.cases}" if line else "*read*"
        number = line.version if line else text["version"]
        program = text.get("package", text.get("repository"))
        table_lines.append(f"| {program} | {number} | {text['computes']} | {passed_text} | {text.get('instead', '')} |")
    return "\n".join(table_lines)


def section(key: str, toml_row: dict[str, Any], line: Line | None) -> str:
    """What is said of one row."""
    section_lines = [f"### {toml_row.get('package', toml_row.get('repository'))}: {toml_row['computes']}\n"]
    if line:
        error_text = f" The largest error is {float(line.error):.0e}." if float(line.error) else ""
        passed_text = f"{line.passed} of {line.cases} cases passed, {line.skipped} cannot be asked"
        section_lines.append(f"Run on {line.day}, at {line.version}: {passed_text}.{error_text}")
        if line.named:
            section_lines.append(f"The oracle says: {line.named}.")
    else:
        section_lines.append(f"Read, not asked, at {toml_row['version']}.")
    for text_name, prefix in (("instead", ""), ("right", ""), ("newer", ""), ("line", "Place: ")):
        if toml_row.get(text_name):
            section_lines.append(f"{prefix}{toml_row[text_name]}{'.' if text_name == 'line' else ''}")
    if line and "consequence" in toml_row:
        section_lines.append(toml_row["consequence"].format(**json.loads(line.numbers)))
    if line:
        section_lines.append(f"\n    python -m figures.wild.runs --checkouts DIR --only {key}")
    return "\n".join(section_lines) + "\n"


def page(lines: dict[str, Line]) -> str:
    intro_text = (HERE / "intro.md").read_text("utf-8")
    choice_rows = pycistopic.choices(pycistopic.read())
    chosen = ["| " + " | ".join(choice_rows[0]) + " |", "|---" * len(choice_rows[0]) + "|"]
    for c in choice_rows:
        chosen.append("| " + " | ".join(x if isinstance(x, str) else ", ".join(map(str, x)) for x in c.values()) + " |")
    section_texts = [section(key, text, lines.get(key)) for key, text in TEXTS.items()]
    measured_text = f"Measured on {' and '.join(sorted({line.day for line in lines.values()}))}."
    head_text = intro_text.format(measured=measured_text, table=table(lines), chosen="\n".join(chosen))
    return head_text + "\n## The rows\n\n" + "\n".join(section_texts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkouts", type=Path, help="the folder of the checkouts")
    keys = [key for key, text in TEXTS.items() if "adapter" in text]
    only_help = "the rows to ask, by their keys in wild.toml; default: all"
    parser.add_argument("--only", nargs="+", choices=keys, metavar="KEY", help=only_help)
    parser.add_argument("--folder", type=Path, default=HERE.parent, help="where wild/wild.csv and WILD.md are")
    args = parser.parse_args(arguments)
    csv_path, run_keys = args.folder / "wild/wild.csv", []
    lines = read(csv_path)
    for key in args.only or keys:
        try:
            lines[key] = line_of(key, Checkouts(args.checkouts))
            run_keys.append(key)
            csv_path.unlink(missing_ok=True)
            common.write(csv_path, Line._fields, [lines[x] for x in TEXTS if x in lines])
            print(f"{key}: {lines[key].passed} of {lines[key].cases} passed", flush=True)
        except Absent as sentence:
            print(f"{key} is carried over: {sentence}.", flush=True)
    rows = {key: Line(*map(str, lines[key])) for key in TEXTS if key in lines}
    print(f"\n{table(rows)}\n\nRun this time: {', '.join(run_keys) or 'nothing'}. The other rows are carried over.")
    (args.folder / "WILD.md").write_text(page(rows), "utf-8")


if __name__ == "__main__":
    main()
