"""What all algorithms share: the sums that an update sees, the sweeps and the draws.

`Evaluator` evaluates one case at 50 digits. It recounts every sum from nothing, and keeps no sums. Each algorithm is a
subclass in `updates`, which adds the three factors of its update. The notation is that of the papers:

    N_jk, N_wk, N_k     the expected number of tokens of topic k in document j, of word w, in the corpus
    V_jk, V_wk, V_k     the variances of these numbers
    n_jk, n_wk, n_k     these numbers themselves, which are random
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .arithmetic import Case, Number, Row, added, difference, distribution, expectation, log, mpf, normalised
from .state import State

PARTS = ("document", "word", "topic")  # where N_jk, N_wk and N_k are summed: a document, a word, the corpus


class Evaluator(State):
    """The evaluation of one case."""

    excludes = "token"  # what a row does not see in the sums: one of its tokens, all of them ("type") or "nothing"

    def answer(self) -> dict[str, Any]:
        """The fields that the operation of the case asks for."""
        return dict(getattr(self, self.case["operation"])())

    # The sums that the update of row i sees

    def rows(self, part: str, i: int) -> list[int]:
        """The rows of the document of row i, of its word, or of the corpus."""
        if part == "document":
            return [r for r in range(self.M) if self.j[r] == self.j[i]]
        if part == "word":
            return [r for r in range(self.M) if self.w[r] == self.w[i]]
        return list(range(self.M))

    def excluded(self, part: str, i: int, r: int) -> int:
        """The number of tokens of row r that are left out."""
        if r != i or self.excludes == "nothing":
            return 0
        return 1 if self.excludes == "token" else int(self.n[r])

    def left(self, part: str, i: int) -> list[tuple[int, int]]:
        """Each row and how many of its tokens remain."""
        return [(r, self.n[r] - self.excluded(part, i, r)) for r in self.rows(part, i)]

    def N(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """N_jk, N_wk or N_k."""
        return added(n * gamma[r][k] for r, n in self.left(part, i))  # by TNW06 (16)

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """V_jk, V_wk or V_k."""
        return added(n * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i))  # by TNW06 (16)

    def count(self, part: str, gamma: list[Row], i: int, k: int) -> Row:
        """The distribution of n_jk, n_wk or n_k: each token has topic k with its own probability gamma_k."""
        return distribution([(gamma[r][k], n) for r, n in self.left(part, i)])

    def E_log(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        """E[log(a + n)]."""
        return expectation(lambda n: log(a + n), self.count(part, gamma, i, k))

    def E_inverse(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        """E[1 / (a + n)]."""
        return expectation(lambda n: 1 / (a + n), self.count(part, gamma, i, k))

    def W_eta(self, i: int) -> Number:
        """W eta of the topic factor in the update of row i."""
        return self.sum_eta

    # The update

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        """The factor of row i's document."""
        raise NotImplementedError  # each algorithm has its own

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        """The factor of row i's word."""
        raise NotImplementedError  # each algorithm has its own

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        """The factor of the corpus, by which the other two are divided."""
        raise NotImplementedError  # each algorithm has its own

    def weights(self, gamma: list[Row], i: int) -> Row:
        """The right-hand side of the update of row i, topic by topic."""
        return [self.weight(gamma, i, k) for k in range(self.K)]

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        """The right-hand side of the update of row i for topic k."""
        return self.document(gamma, i, k) * self.word(gamma, i, k) / self.topic(gamma, i, k)

    def update(self) -> dict[str, Any]:
        """The new gamma of one row."""
        return {"gamma_k": normalised(self.weights(self.gamma, self.case["row"]))}

    def drawn(self, x: Row, u: Number) -> int:
        """The topic drawn: how many of the first K-1 partial sums of x are at most u times the last."""
        partial = list(itertools.accumulate(x))
        return sum(s <= u * partial[-1] for s in partial[:-1])

    # Sweeps

    def one_sweep(self, gamma: list[Row]) -> list[Row]:
        """gamma after one update of each row; the schedule says when a row sees the new gamma of the rows before it."""
        new, seen, schedule, document = list(gamma), gamma, self.case["schedule"], None
        for i in self.swept():
            if schedule == "token" or (schedule == "document" and self.j[i] != document):
                seen = list(new)
            new[i], document = self.assigned(self.weights(seen, i), i), self.j[i]
        return new

    def swept(self) -> Sequence[int]:
        """The rows that a sweep updates, in order."""
        return range(self.M)

    def assigned(self, x: Row, i: int) -> Row:
        """The new gamma of row i, from its weights x."""
        return normalised(x)

    def sweep(self) -> dict[str, Any]:
        """gamma after one sweep."""
        return {"gamma": self.one_sweep(self.gamma)}

    def ten_sweeps(self) -> dict[str, Any]:
        """gamma after ten sweeps."""
        gamma = self.gamma
        for _ in range(10):
            gamma = self.one_sweep(gamma)
        return {"gamma": gamma}

    def converged(self) -> dict[str, Any]:
        """gamma at a fixed point; a ValueError when 300 sweeps do not reach one."""
        gamma = self.gamma
        for _ in range(300):
            new = self.one_sweep(gamma)
            change, gamma = difference(new, gamma), new
            if self.settled(change):
                return {"gamma": gamma}
        raise ValueError("300 sweeps do not reach a fixed point")

    def settled(self, change: Number) -> bool:
        """Whether a sweep that changes gamma by this much has reached a fixed point."""
        return bool(change < mpf(10) ** -30)


class Sampler(Evaluator):
    """The evaluation of a case of a sampler: each token is a row of its own, and gamma is 1 at the token's topic."""

    def __init__(self, case: Case) -> None:
        corpus = case["corpus"]
        self.row = [i for i, n in enumerate(corpus["n"]) for _ in range(n)]  # the row of each token
        tokens = {"j": [corpus["j"][i] for i in self.row], "w": [corpus["w"][i] for i in self.row]}
        super().__init__(case | {"corpus": corpus | tokens | {"n": [1] * len(self.row)}})

    def start(self) -> list[Row]:
        """gamma of each token."""
        return self.one_hot(self.case["state"]["z"])

    def one_hot(self, z: list[int]) -> list[Row]:
        """gamma of tokens whose topics are known."""
        return [[mpf(1 if k == topic else 0) for k in range(self.K)] for topic in z]

    def token(self) -> int:
        """The token of an update or a draw."""
        return self.row.index(self.case["row"]) + int(self.case["token"])

    def update(self) -> dict[str, Any]:
        """The probabilities that one token's topic is drawn from."""
        return {"gamma_k": normalised(self.weights(self.gamma, self.token()))}

    def draw(self) -> dict[str, Any]:
        """The topic drawn for one token."""
        return {"topic": self.drawn(self.weights(self.gamma, self.token()), mpf(self.case["uniform"]))}

    def sweep(self) -> dict[str, Any]:
        """The topics after one draw for each token."""
        z = list(self.case["state"]["z"])
        for i in range(self.M):
            z[i] = self.new_topic(z, i)
        return {"z": z}

    def new_topic(self, z: list[int], i: int) -> int:
        """The topic drawn for token i in a sweep that has come to the topics z."""
        seen = self.one_hot(z) if self.case["schedule"] == "token" else self.gamma
        return self.drawn(self.weights(seen, i), mpf(self.case["uniforms"][i]))
