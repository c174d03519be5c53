"""Adapters that ask public implementations the oracle's questions, one module each.

A module has functions that answer a question with what is in the folder of checkouts; wild.toml names the function of
each row. The folder has OWNER+NAME for each repository, with the files of one commit, whose name is in `.commit`.
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

from figures.peers.adapters import Skip
from figures.peers.conformance_cases import Case, prior_of

__all__ = ["Absent", "Case", "Checkouts", "Numpy", "Question", "Skip", "given", "question"]


class Absent(Exception):
    """An implementation is not here; the message is the sentence that says so."""


class Checkouts(NamedTuple):
    """The folder that --checkouts names, or none."""

    folder: Path | None

    def path(self, name: str) -> Path:
        if self.folder is None:
            raise Absent(f"{name} is not here, because no --checkouts are given")
        if not (self.folder / name).exists():
            raise Absent(f"{self.folder / name} does not exist")
        return self.folder / name

    def text(self, file_name: str, *changes: tuple[str, str]) -> str:
        """The text of a file after the changes, each of which must change something."""
        text = self.path(file_name).read_text("utf-8")
        for old_text, new_text in changes:
            if old_text not in text:
                raise Absent(f"{file_name} of this commit has no {old_text!r}")
            text = text.replace(old_text, new_text)
        return text

    def names(self, name: str, wanted_names: Sequence[str], space: dict[str, Any], *changes: tuple[str, str]) -> Any:
        """Functions and classes of a Python file, run in a namespace."""
        exec(compiled(name, self.text(name, *changes), tuple(wanted_names)), space)
        return SimpleNamespace(**{wanted_name: space[wanted_name] for wanted_name in wanted_names})

    def extension(self, file_name: str, module_name: str) -> ModuleType:
        """An extension module of Python that was compiled by hand."""
        return loaded(self.path(file_name), module_name)


@cache
def loaded(path: Path, module_name: str) -> ModuleType:
    spec: Any = importlib.util.spec_from_file_location(module_name, path)
    extension_module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extension_module)
    return extension_module


@cache
def compiled(file_name: str, code_text: str, wanted_names: tuple[str, ...]) -> CodeType:
    """The functions and classes of a text that are wanted."""
    module_tree = ast.parse(code_text)
    module_tree.body = [node for node in module_tree.body if getattr(node, "name", None) in wanted_names]
    missing_names = set(wanted_names) - {node.name for node in module_tree.body}
    if missing_names:
        raise Absent(f"{file_name} of this commit has no {', '.join(sorted(missing_names))}")
    return compile(module_tree, file_name, "exec")


class Numpy:
    """NumPy, with some names replaced: random numbers by given ones, and aliases that it has lost."""

    def __init__(self, random: dict[str, Any] | None = None, **names: Any) -> None:
        self.__dict__.update(names, random=SimpleNamespace(**(random or {})))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def one_by_one(numbers: Sequence[Any]) -> Callable[..., Any]:
    """A function that gives the numbers one after the other, whatever it is asked."""
    numbers_left: Iterator[Any] = iter(numbers)
    return lambda *_, **__: next(numbers_left)


# Questions -----------------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """A case, as implementations take it.

    The document of the row that is asked comes first, the row comes first in it, and its token first of all tokens. The
    sums do not depend on the order, and what is computed first sees the state as it is given.
    """

    case: Case
    operation: str
    K: int
    D: int
    W: int
    w: list[int]
    n: list[int]
    alpha: Any  # a number or a vector, as the case has it
    eta: Any
    gamma: np.ndarray  # (M, K); empty if the case has none
    z: np.ndarray  # (N,); empty if the case has none
    rows: list[list[int]]  # the rows of each document
    row: list[int]  # the row of each token
    tokens: list[list[int]]  # the tokens of each document

    @property
    def sweeps(self) -> int:
        return 10 if self.operation == "ten_sweeps" else 1

    def vectors(self) -> tuple[np.ndarray, np.ndarray]:
        """alpha (K,) and eta (W,)."""
        return prior_of(self.case)

    def uniforms(self) -> list[float]:
        """The uniform numbers of a draw or of a sweep."""
        return [self.case["uniform"]] if "uniform" in self.case else self.case.get("uniforms", [])

    def of_rows(self, row_values: Sequence[Any]) -> list[list[Any]]:
        """Values of the rows, such as `w` and `n`, by document."""
        return [[row_values[i] for i in rows] for rows in self.rows]

    def words(self) -> list[list[int]]:
        """The words of the tokens of each document."""
        return [[self.w[self.row[t]] for t in tokens] for tokens in self.tokens]

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """N_jk and N_wk of gamma."""
        N_jk, N_wk, n = np.zeros((self.D, self.K)), np.zeros((self.W, self.K)), np.array(self.n)[:, None]
        np.add.at(N_jk, self.case["corpus"]["j"], n * self.gamma)
        np.add.at(N_wk, self.w, n * self.gamma)
        return N_jk, N_wk

    def in_order(self, documents: list[list[int]], values: Any) -> np.ndarray:
        """Values of the rows or the tokens of documents, in the order of the case."""
        value_of_i = {i: x for rows, xs in zip(documents, values, strict=True) for i, x in zip(rows, xs, strict=False)}
        return np.array([value_of_i[i] for i in sorted(value_of_i)])


def question(case: Case) -> Question:
    c, state = case["corpus"], case.get("state", {})
    rows_of_j: list[list[int]] = [[] for _ in range(c["D"])]
    for i, j in enumerate(c["j"]):
        rows_of_j[j].append(i)
    first_token_of_row = np.concatenate([[0], np.cumsum(c["n"])]).astype(int).tolist()
    if "row" in case:
        i, j = case["row"], c["j"][case["row"]]
        rows_of_j.insert(0, first_of(rows_of_j.pop(j), i))
    tokens = [[t for i in rows for t in range(first_token_of_row[i], first_token_of_row[i + 1])] for rows in rows_of_j]
    if "token" in case:
        tokens[0] = first_of(tokens[0], first_token_of_row[case["row"]] + case["token"])
    return Question(
        case, case["operation"], case["K"], c["D"], c["W"], c["w"], c["n"], case["prior"]["alpha"],
        case["prior"]["eta"], np.array(state.get("gamma", ())), np.array(state.get("z", ()), int), rows_of_j,
        np.repeat(np.arange(len(c["n"])), c["n"]).tolist(), tokens,
    )  # fmt: skip


def first_of(members: list[int], first_member: int) -> list[int]:
    """The members with one of them moved to the front."""
    return [first_member, *(x for x in members if x != first_member)]
