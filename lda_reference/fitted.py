"""A fitted model, and its topics and documents as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np

from .arguments import whole_number
from .engine import Algorithm, State
from .model import Array, Prior
from .own_words import first_words, tokens_of_words

SHOWN_ROWS = 50  # rows of a table


class Table(list[dict[str, Any]]):
    """Rows, each a dict from the names of the columns to values; `pandas.DataFrame(table)` makes a data frame of them.

    >>> Table([{"topic": 0, "share": 0.25, "words": ("cat", "dog")}])
    topic  share  words
    0      0.25   cat dog
    """

    def __repr__(self) -> str:
        return aligned(self._cells())

    def _repr_html_(self) -> str:
        """For notebooks."""
        html_rows = ("".join(f"<td>{escape(cell_text)}</td>" for cell_text in cells) for cells in self._cells())
        return f"<table>{''.join(f'<tr>{html_row}</tr>' for html_row in html_rows)}</table>"

    def _cells(self) -> list[list[str]]:
        """The names of the columns and the first rows, as texts."""
        text_rows = [list(row) for row in self[:1]] + [[_text(x) for x in row.values()] for row in self[:SHOWN_ROWS]]
        return text_rows + [["..." for _ in row] for row in text_rows[:1] if len(self) > SHOWN_ROWS]


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Texts as a table, a line for each row."""
    padded_columns = [[cell.ljust(max(map(len, column))) for cell in column] for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(padded_row).rstrip() for padded_row in zip(*padded_columns, strict=True))


def _text(cell: Any) -> str:
    if isinstance(cell, tuple):
        return " ".join(map(_text, cell))
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


class Fit(NamedTuple):
    """A fitted model, and everything that is needed to continue its run.

    Two fits are equal if they agree in everything except the seconds in their histories.

    Attributes
    ----------
    theta_jk : (D, [R,] K), rows sum to 1
    phi_wk : (W, [R,] K), columns sum to 1
        Estimates from the last state; for a sampler, averages over the sweeps after burn-in.
    state : State
    prior : Prior
    history : tuple of dict
        One for each sweep: `sweep`, `seconds` since the start, `change` (the mean absolute change of gamma), `left` (of
        `ep`: the tokens whose site stays), `bound` if the run stops by it, and what the monitor added. Where a sweep
        makes no gamma (`engine.products`) and `stop` is no function, only every tenth sweep and the last have `change`;
        for the others it is None. Where learning has taken components of alpha to a limit, their number is
        `alpha_floored` or `alpha_capped`; so for eta.
    algorithm : Algorithm
    schedule, start : str
    seed, sweeps, burn_in, thin : int
    samples : int
        The number of sweeps that are averaged; 0 if there is no average.
    corpus : str
        A digest of the corpus. A resumed run recognises the corpus by it.
    learn : str
        What is learned of the prior, see `priors.learners.parse`; "" if it is not learned, or by a function.
    learn_after : int
    vocab : tuple of the W words of the corpus, or None
    """

    theta_jk: Array
    phi_wk: Array
    state: State
    prior: Prior
    history: tuple[dict[str, Any], ...]
    algorithm: Algorithm
    schedule: str
    start: str
    seed: int
    sweeps: int
    burn_in: int
    thin: int
    samples: int
    corpus: str
    learn: str
    learn_after: int
    vocab: tuple[str, ...] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fit):
            return NotImplemented

        def untimed_history(f: Fit) -> list[dict[str, Any]]:
            return [{name: x for name, x in sweep_entry.items() if name != "seconds"} for sweep_entry in f.history]

        array_pairs = zip((self.theta_jk, self.phi_wk), (other.theta_jk, other.phi_wk), strict=True)
        return (
            all(np.array_equal(x, y) for x, y in array_pairs)
            and (self.state, self.prior, untimed_history(self)) == (other.state, other.prior, untimed_history(other))
            and self.algorithm.name == other.algorithm.name
            and self[6:] == other[6:]
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a Fit is not hashable: its arrays can change")

    def __repr__(self) -> str:
        return (
            f"Fit({self.algorithm.name}, {self.schedule} order, {self.sweeps} sweeps, seed {self.seed}: theta_jk"
            f" {self.theta_jk.shape}, phi_wk {self.phi_wk.shape}, {self.prior})"
        )

    def topics(self, words: int = 10) -> Table:
        """A row for each topic: its share of the documents, its most probable words, and their probabilities.

        Words that a topic has from the prior alone are left out (see `own_words`). Without names, words are numbers.
        """
        phi_wk, n_words = self._of_one_run().phi_wk, whole_number(words, "words", 1)
        topic_table = Table()
        for k, top_w in enumerate(first_words(phi_wk, tokens_of_words(self), n_words)):
            names, p_w = tuple(self.vocab[w] if self.vocab else int(w) for w in top_w), tuple(phi_wk[top_w, k].tolist())
            topic_share = float(self.theta_jk[:, k].mean())
            topic_table.append({"topic": k, "share": topic_share, "words": names, "probabilities": p_w})
        return topic_table

    def documents(self, names: Iterable[Any] | None = None) -> Table:
        """A row for each document: its name, or its number from 0, and the share of each topic, theta."""
        theta_jk = self._of_one_run().theta_jk.tolist()
        document_names = list(range(len(theta_jk)) if names is None else names)
        if len(document_names) != len(theta_jk):
            raise ValueError(f"names has {len(document_names)} names, expected {len(theta_jk)}, one for each document")
        named_rows = zip(document_names, theta_jk, strict=True)
        return Table({"document": name} | {f"topic_{k}": x for k, x in enumerate(theta)} for name, theta in named_rows)

    def _of_one_run(self) -> Fit:
        if self.phi_wk.ndim == 3:
            raise ValueError(f"the fit holds {self.phi_wk.shape[1]} replicates, expected one run")
        return self

    def _repr_html_(self) -> str:
        """For notebooks."""
        table_html = "" if self.phi_wk.ndim == 3 else self.topics()._repr_html_()
        return f"<p>{escape(repr(self))}</p>{table_html}"
