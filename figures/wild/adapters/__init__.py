"""Adapters that ask public implementations the oracle's questions, one module each.

A module has `ROWS`, a list of `Row`. A row makes its answer, a function from a case to an answer, from the folder of
checkouts. The folder has OWNER+NAME for each repository, with the files of one commit, whose name is in `.commit`.
Programs and libraries that were compiled by hand lie in it under the names that the adapters give.

No code of an implementation is in this repository. A function is read from its file, by its name, when it is asked. A
change that old code needs in order to start is listed in its adapter as a pair of texts, and made in memory.
"""

import ast
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from figures.peers.adapters import Case, Skip, only_numbers
from figures.peers.conformance_cases import counts_of, prior_of, tokens_of

__all__ = ["Absent", "Case", "Checkouts", "Row", "Skip", "counts_of", "only_numbers", "prior_of", "tokens_of"]

Answer = Callable[[Case], Case]


class Absent(Exception):
    """An implementation is not here; the message is the sentence that says so."""


class Row(NamedTuple):
    """A row of the table. `asks` are beginnings of ids of the oracle, or one operation of `conformance_cases`."""

    key: str  # of wild.toml
    asks: str
    make: "Callable[[Checkouts], Answer]"
    precision: str = "double"
    cases: Callable[[], list[Case]] | None = None  # other cases than those of `asks`, with what is expected


class Checkouts(NamedTuple):
    """The folder that --checkouts names, or none."""

    folder: Path | None

    def path(self, name: str) -> Path:
        if self.folder is None:
            raise Absent(f"{name} is not here, because no --checkouts are given")
        if not (self.folder / name).exists():
            raise Absent(f"{self.folder / name} does not exist")
        return self.folder / name

    def text(self, name: str, *changes: tuple[str, str]) -> str:
        """The text of a file after the changes, each of which must change something."""
        text = self.path(name).read_text("utf-8")
        for old, new in changes:
            if old not in text:
                raise Absent(f"{name} of this commit has no {old!r}")
            text = text.replace(old, new)
        return text

    def names(self, name: str, wanted: Sequence[str], space: dict[str, Any], *changes: tuple[str, str]) -> Any:
        """Functions and classes of a Python file, run in a namespace."""
        exec(compiled(name, self.text(name, *changes), tuple(wanted)), space)
        return SimpleNamespace(**{x: space[x] for x in wanted})

    def extension(self, name: str, module: str) -> ModuleType:
        """An extension module of Python that was compiled by hand."""
        spec: Any = importlib.util.spec_from_file_location(module, self.path(name))
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found


@cache
def compiled(name: str, text: str, wanted: tuple[str, ...]) -> CodeType:
    """The functions and classes of a text that are wanted."""
    tree = ast.parse(text)
    tree.body = [x for x in tree.body if getattr(x, "name", None) in wanted]
    missing = set(wanted) - {x.name for x in tree.body}  # type: ignore[attr-defined]
    if missing:
        raise Absent(f"{name} of this commit has no {', '.join(sorted(missing))}")
    return compile(tree, name, "exec")


class Numpy:
    """NumPy, with some names replaced: random numbers by given ones, and aliases that it has lost."""

    def __init__(self, random: dict[str, Any] | None = None, **names: Any) -> None:
        self.__dict__.update(names, random=SimpleNamespace(**(random or {})))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def given(numbers: Sequence[Any]) -> Callable[..., Any]:
    """A function that gives the numbers one after the other, whatever it is asked."""
    left: Iterator[Any] = iter(numbers)
    return lambda *_, **__: next(left)


# Cases ---------------------------------------------------------------------------------------------------------------


def scalars(case: Case) -> tuple[float, float]:
    """alpha and eta, for an implementation that takes numbers."""
    only_numbers(case, "alpha", "eta")
    return case["prior"]["alpha"], case["prior"]["eta"]


def rows_of(case: Case) -> list[list[int]]:
    """The rows of each document; for `update` and `draw` the document of the row comes first, and the row first in it.

    The sums do not depend on the order, and what is computed first sees the state as it is given.
    """
    c = case["corpus"]
    documents: list[list[int]] = [[] for _ in range(c["D"])]
    for i, j in enumerate(c["j"]):
        documents[j].append(i)
    if "row" in case:
        j, i = c["j"][case["row"]], case["row"]
        of_row = [i, *(r for r in documents[j] if r != i)]
        documents = [of_row, *documents[:j], *documents[j + 1 :]]
    return documents


def token_documents(case: Case) -> list[list[int]]:
    """The numbers of the tokens of each document, in row order; the one of `row` and `token` comes first, as above."""
    first = np.concatenate([[0], np.cumsum(case["corpus"]["n"])]).astype(int).tolist()
    documents = [[t for i in rows for t in range(first[i], first[i + 1])] for rows in rows_of(case)]
    if "token" in case:
        t = first[case["row"]] + case["token"]
        documents[0] = [t, *(x for x in documents[0] if x != t)]
    return documents


def row_of_tokens(case: Case) -> list[int]:
    """The row of each token."""
    return np.repeat(np.arange(len(case["corpus"]["n"])), case["corpus"]["n"]).tolist()


def counts(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """N_jk and N_wk of the gamma of a state."""
    c, n = case["corpus"], np.array(case["corpus"]["n"])[:, None] * np.array(case["state"]["gamma"])
    N_jk, N_wk = np.zeros((c["D"], case["K"])), np.zeros((c["W"], case["K"]))
    np.add.at(N_jk, c["j"], n)
    np.add.at(N_wk, c["w"], n)
    return N_jk, N_wk


def by_token(case: Case, documents: list[list[int]], values: Any) -> np.ndarray:
    """Values of the tokens of documents, in row order."""
    out = {t: x for tokens, of in zip(documents, values, strict=True) for t, x in zip(tokens, of, strict=False)}
    return np.array([out[t] for t in sorted(out)])


def order_matters(case: Case, schedule: str) -> None:
    """Skip sweeps in another schedule."""
    if case["operation"] not in ("update", "draw", "estimate") and case.get("schedule") != schedule:
        raise Skip(f"its schedule is {schedule}")


def single_tokens(case: Case) -> None:
    """Skip a sweep with counts above 1, for an implementation whose tokens each have a gamma."""
    if case["operation"] != "update" and max(case["corpus"]["n"], default=1) > 1:
        raise Skip("each token has a gamma of its own")


def small(case: Case, most: int = 2_000_000) -> None:
    """Skip a corpus that is too large for dense arrays."""
    c = case["corpus"]
    if c["D"] * c["W"] * case["K"] > most:
        raise Skip("its arrays are dense")


def one_row_for_each_word(case: Case) -> None:
    """Skip a corpus in which a word has two rows in a document."""
    c = case["corpus"]
    if len(set(zip(c["j"], c["w"], strict=True))) < len(c["j"]):
        raise Skip("it has one row for each document and word")
