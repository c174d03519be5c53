"""The starts: where gamma begins, from the random numbers of a case.

- `one-hot`: gamma_k of a row is the fraction of its tokens with topic k. The case gives z.
- `topics`: gamma_k of a row is proportional to phi_wk of its word. phi_wk is proportional to `weights_wk`, over words.
- `documents`: the same, and phi_wk is proportional to 1 plus the number of tokens of word w in `documents[k]`.
- `incremental`: no row has a topic at first. Each row in order gets a topic, drawn with its uniform from the weights of
  CVB0 with nothing excluded. They see the rows of the documents before its own.
- `collapsed`: ten sweeps of CVB0 from the gamma of the case, the sums refreshed after each document.

The last two refresh the sums after each of 32 blocks of whole documents. With at most 32 documents, each is a block.
"""

from __future__ import annotations

from typing import Any

from .arithmetic import Case, Number, Row, added, mpf, normalised
from .evaluator import Evaluator
from .updates import CVB0, Smoothed


class Start(Evaluator):
    """The gamma of a start."""

    def __init__(self, case: Case) -> None:
        super().__init__({"schedule": "document"} | case)

    def start(self) -> list[Row]:
        """Before a start there is no gamma: no row has a topic."""
        return [[mpf(0)] * self.K for _ in range(self.M)]

    def answer(self) -> dict[str, Any]:
        return {"gamma": self.begun()}

    def begun(self) -> list[Row]:
        """gamma of each row."""
        raise NotImplementedError  # each start has its own

    def row(self, x: Row) -> Row:
        """gamma of a row, which is proportional to x."""
        return normalised(x)


class OneHot(Start):
    """The fraction of a row's tokens in each topic."""

    def begun(self) -> list[Row]:
        gamma, first = [], 0
        for n in self.n:
            topics = self.topics(self.case["state"]["z"][first : first + n])
            gamma.append(self.row([mpf(topics.count(k)) for k in range(self.K)]))
            first += n
        return gamma

    def topics(self, z: list[int]) -> list[int]:
        """The topics of a row's tokens."""
        return z


class Topics(Start):
    """gamma proportional to phi_wk, the given weights divided by their sum over words."""

    def weights_wk(self) -> list[Row]:
        """Numbers that phi_wk is proportional to."""
        return [[mpf(x) for x in row] for row in self.case["weights_wk"]]

    def pseudo_eta(self) -> tuple[Row, Number]:
        return [mpf(0)] * self.W, mpf(0)

    def begun(self) -> list[Row]:
        x = self.weights_wk()
        phi = self.phi(x, [added(x[w][k] for w in range(self.W)) for k in range(self.K)])
        return [self.row(phi[w]) for w in self.w]


class Documents(Topics):
    """gamma proportional to phi_wk, the counts of the document of topic k plus 1."""

    def weights_wk(self) -> list[Row]:
        N_wk = [[mpf(0)] * self.K for _ in range(self.W)]
        for k, document in enumerate(self.case["documents"]):
            for i in range(self.M):
                if self.j[i] == document:
                    N_wk[self.w[i]][k] += self.n[i]
        return N_wk

    def pseudo_eta(self) -> tuple[Row, Number]:
        """What is added to each count, and its sum over words."""
        return [mpf(1)] * self.W, mpf(self.W)


class Incremental(Start, Smoothed):
    """A topic drawn for each row, from the sums of the documents before its own."""

    excludes = "nothing"

    def begun(self) -> list[Row]:
        return self.one_sweep(self.gamma)

    def assigned(self, x: Row, i: int) -> Row:
        topic = self.drawn(x, mpf(self.case["uniforms"][i]))
        return [mpf(1 if k == topic else 0) for k in range(self.K)]


class Collapsed(Start, CVB0):
    """Ten sweeps of CVB0."""

    def start(self) -> list[Row]:
        return CVB0.start(self)

    def begun(self) -> list[Row]:
        return list(self.ten_sweeps()["gamma"])


STARTS: dict[str, type[Start]] = {
    "one-hot": OneHot, "topics": Topics, "documents": Documents, "incremental": Incremental, "collapsed": Collapsed,
}  # fmt: skip
