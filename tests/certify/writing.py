"""The files of vectors."""

import json
import subprocess
import sys
from pathlib import Path

from lda_reference.oracle.cases.loading import LARGE, OPERATION_FILES, STARTS
from lda_reference.oracle.cases.noise import errors, single_tolerances
from lda_reference.plain.updates import ALGORITHMS

from . import texts
from .manifest import NAME as MANIFEST
from .manifest import manifest
from .many_rows import large_cases
from .plan import questions
from .proofs import completed
from .released import VECTORS
from .sampler_cases import sampler_cases

FORMAT = "lda_reference oracle 1"
WITH_TOLERANCES = (*ALGORITHMS, *OPERATION_FILES, STARTS)
NAMES = (*WITH_TOLERANCES, LARGE, "samplers", "mistakes", "single")
USAGE = "usage: python -m tests.certify OUT_DIR [NAME ...]"
MADE_BY = {"module": "tests.certify", "numbers": "balls of 400 bits or more"}


def on_one_line(x):
    """JSON without spaces."""
    return json.dumps(x, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def as_file(cases):
    """A file of cases: the header, and one case a line."""
    header = on_one_line({"format": FORMAT, "version": 1, "made_by": MADE_BY})
    return header[:-1] + ',"cases":[\n' + ",\n".join(map(on_one_line, cases)) + "\n]}\n"


def of_single_precision(cases):
    """The tolerances of single precision of completed cases, by the spread of noisy runs: one case a line."""
    header = {"format": f"{FORMAT} single", "version": 1, "made_by": MADE_BY | {"numbers": "noisy floats"}}
    tolerances = {c["id"]: single_tolerances(c, errors(c)) for c in cases if "error" not in c["expected"]}
    lines = (f"{json.dumps(id)}:{on_one_line(fields)}" for id, fields in tolerances.items())
    return on_one_line(header)[:-1] + ',"cases":{\n' + ",\n".join(lines) + "\n}}\n"


def text_of(name, folder):
    """The contents of NAME.json; single.json has tolerances for the cases that are in the folder."""
    if name == "single":
        files = (folder / f"{x}.json" for x in WITH_TOLERANCES)
        return of_single_precision([case for file in files for case in json.loads(file.read_text("utf-8"))["cases"]])
    if name == "mistakes":
        return (VECTORS / "mistakes.json").read_text("utf-8")  # it is written by hand
    if name == "samplers":
        return as_file(sampler_cases())
    if name == LARGE:
        return as_file(large_cases())
    return as_file([completed(case) for case in questions(name)])


def main(arguments):
    """Write to a folder the files of some names, or all, and the manifest: the arguments are those of the command.

    In the folder of the released vectors, the texts about them are written again, too.
    """
    if not arguments:
        sys.exit(USAGE)
    folder, names = Path(arguments[0]), arguments[1:] or NAMES
    unknown = [name for name in names if name not in (*NAMES, MANIFEST)]
    if unknown:
        sys.exit(f"NAME is {unknown[0]!r}, expected one of {', '.join((*NAMES, MANIFEST))}\n{USAGE}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if name != MANIFEST:
            (folder / f"{name}.json").write_text(text_of(name, folder), "utf-8", newline="\n")
    (folder / f"{MANIFEST}.json").write_text(manifest(folder), "utf-8", newline="\n")
    if folder.resolve() == VECTORS.resolve():
        subprocess.run([sys.executable, "-m", texts.__name__], check=True)  # reads the new vectors
