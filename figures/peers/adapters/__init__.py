"""Adapters that answer the cases of `conformance` with other programs, one module each.

A module has a `NAME`, the `PACKAGE` that pip installs or the `VERSION` of a program that is built, and `ROWS`, from the
file of the same name with the ending .toml. Each of its tables is a row: `answer` is the function of the adapter that
answers a case, and `shows` the reproduction, which finds the numbers in braces of `says`: what the program computes
instead, and how to get the other number. Importing a module raises an ImportError if its program is not there.
"""

import os
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

Case = dict[str, Any]


class Row(NamedTuple):
    """A row of the table: an operation, as one program computes it."""

    operation: str
    title: str
    call: str
    answer: Callable[[Case], Case]  # it raises `Skip` if the library cannot do it
    says: str = ""
    shows: Callable[[], dict[str, Any]] | None = None  # it needs NumPy, the library and `corpus` alone


def rows(functions: Mapping[str, Any]) -> list[Row]:
    """The rows of an adapter, whose globals are given."""
    toml_rows = tomllib.loads(Path(functions["__file__"]).with_suffix(".toml").read_text("utf-8"))["row"]
    return [Row(**{key: functions[x] if key in ("answer", "shows") else x for key, x in t.items()}) for t in toml_rows]


def built(path: str) -> Path:
    """The path of a program in the folder PEERS, where peers/build.sh builds those that no registry has."""
    program_path = Path(os.environ.get("PEERS", "built")).resolve() / path
    if not program_path.exists():
        raise ImportError(f"{path} is not in the folder PEERS", name=path)
    return program_path


def output(*command: str | Path, text: str = "", **options: Any) -> str:
    """What a program writes to standard output; an error has what it wrote to the other one."""
    options = {"input": text, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    process = subprocess.run([str(x) for x in command], **options)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {process.stderr}")
    return process.stdout


def r(library: str, code: str) -> np.ndarray:
    """The numbers that R code writes with a library in the folder PEERS."""
    start_code = f".libPaths(c('{built('R')}', .libPaths())); library({library}); options(digits = 17)\n"
    return np.array(output("R", "--vanilla", "--slave", text=f"{start_code}{code}\n").split(), float)


class Skip(Exception):
    """The library cannot be asked a case, for the reason that is the message."""


def only_numbers(case: Case, *names: str) -> None:
    """Skip a case that has a vector where the library takes a number."""
    vector_names = [name for name in names if isinstance(case["prior"][name], list)]
    if vector_names:
        raise Skip(f"{' and '.join(vector_names)}: the library takes a number, not a vector")


def generator(start: list) -> SimpleNamespace:
    """A generator whose Gamma variables are given numbers, so that an E step starts where the case says."""
    return SimpleNamespace(gamma=lambda *shape: np.array(start), rand=np.random.RandomState(0).rand)


def corpus():
    """60 documents of 50 words, drawn from 5 topics of 200 words: a table of counts."""
    import numpy as np

    rng = np.random.default_rng(0)
    phi, theta = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    return np.stack([rng.multinomial(50, x @ phi) for x in theta])
