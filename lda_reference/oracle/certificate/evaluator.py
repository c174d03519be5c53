"""What all algorithms share: the sums that an update sees, the sweeps and the draws.

`Evaluator` evaluates one case at 50 digits. It recounts every sum from nothing, and keeps no sums. Each algorithm is a
subclass in `updates`, which adds the three terms of its update. The notation is that of the papers:

    N_jk, N_wk, N_k     the expected number of tokens of topic k in document j, of word w, in the corpus
    V_jk, V_wk, V_k     the variances of these numbers
    n_jk, n_wk, n_k     these numbers themselves, which are random
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .arithmetic import Case, Number, Row, added, difference, distribution, expectation, log, mp, mpf, normalised
from .state import State

PARTS = ("document", "word", "topic")  # where N_jk, N_wk and N_k are summed: a document, a word, the corpus


class Evaluator(State):
    """The evaluation of one case."""

    excludes = "token"  # what a row does not see in the sums: one of its tokens, all of them ("type") or "nothing"
    held: list[Row] | None = None  # the gamma that the word and topic terms see during a nested sweep

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

    def whole_N(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """N_jk, N_wk or N_k with nothing excluded."""
        return added(self.n[r] * gamma[r][k] for r in self.rows(part, i))  # by TNW06 (16)

    def whole_V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """V_jk, V_wk or V_k with nothing excluded."""
        return added(self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i))  # by TNW06 (16)

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
        """W eta of the topic term in the update of row i."""
        return self.sum_eta

    # The update

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        """The document term of row i."""
        raise NotImplementedError  # each algorithm has its own

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        """The word term of row i."""
        raise NotImplementedError  # each algorithm has its own

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        """The topic term, by which the product of the other two is divided."""
        raise NotImplementedError  # each algorithm has its own

    def weights(self, gamma: list[Row], i: int) -> Row:
        """The right-hand side of the update of row i, topic by topic."""
        return [self.weight(gamma, i, k) for k in range(self.K)]

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        """The right-hand side of the update of row i for topic k."""
        topics = gamma if self.held is None else self.held
        return self.document(gamma, i, k) * self.word(topics, i, k) / self.topic(topics, i, k)

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
        if self.case["schedule"] == "nested":
            return self.nested_sweep(gamma)
        new, seen, schedule, document = list(gamma), gamma, self.case["schedule"], None
        begins = self.blocks() if schedule == "block" else set()
        for i in self.swept():
            if schedule == "token" or (schedule == "document" and self.j[i] != document) or i in begins:
                seen = list(new)
            new[i], document = self.assigned(self.weights(seen, i), i), self.j[i]
        return new

    def blocks(self) -> set[int]:
        """The first row of each of B blocks: for each b, the first row at or after b M / B that begins a document."""
        begins, B = [i for i in range(self.M) if i == 0 or self.j[i] != self.j[i - 1]], self.case["blocks"]
        if B >= self.D:
            return set(begins)
        return {min((i for i in begins if i * B >= b * self.M), default=self.M) for b in range(B)} - {self.M}

    def nested_sweep(self, gamma: list[Row]) -> list[Row]:
        """gamma after `inner` steps of each document from uniform rows. The sums of words and corpus do not change."""
        new, self.held = self.first_of_nested(gamma), gamma
        for _ in range(self.case["inner"]):
            new = [self.assigned(self.weights(new, i), i) for i in range(self.M)]
        self.held = None
        return new

    def first_of_nested(self, gamma: list[Row]) -> list[Row]:
        """Where a nested sweep begins."""
        return [[mpf(1) / self.K] * self.K for _ in range(self.M)]

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

    def summary(self) -> dict[str, Any]:
        """After some sweeps: the sums of all gamma_k, each times the cosine (or sine) of its place, counted from 0."""
        gamma = self.gamma
        for _ in range(self.case["sweeps"]):
            gamma = self.one_sweep(gamma)
        flat = list(itertools.chain(*gamma))
        return {
            "cosine": added(g * mp.cos(place) for place, g in enumerate(flat)),
            "sine": added(g * mp.sin(place) for place, g in enumerate(flat)),
        }

    def reject(self) -> dict[str, Any]:
        """A sweep: the input turns out to be legal."""
        return self.sweep()

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
        self.certain: dict[int, Row] = {}  # gamma of a token whose topic is known
        tokens = {"j": [corpus["j"][i] for i in self.row], "w": [corpus["w"][i] for i in self.row]}
        super().__init__(case | {"corpus": corpus | tokens | {"n": [1] * len(self.row)}})

    def start(self) -> list[Row]:
        """gamma of each token."""
        return self.one_hot(self.case["state"]["z"])

    def one_hot(self, z: list[int]) -> list[Row]:
        """gamma of tokens whose topics are known."""
        for topic in set(z) - self.certain.keys():
            self.certain[topic] = [mpf(1 if k == topic else 0) for k in range(self.K)]
        return [self.certain[topic] for topic in z]

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
        return {"z": self.swept_topics(self.case["state"]["z"])}

    def summary(self) -> dict[str, Any]:
        """The topics after some sweeps, each with the same uniforms."""
        z = self.case["state"]["z"]
        for _ in range(self.case["sweeps"]):
            z = self.swept_topics(z)
        return {"z": z}

    def swept_topics(self, z: list[int]) -> list[int]:
        """The topics after one draw for each token, from the topics z."""
        z = list(z)
        for i in range(self.M):
            z[i] = self.new_topic(z, i)
        return z

    def new_topic(self, z: list[int], i: int) -> int:
        """The topic drawn for token i in a sweep that has come to the topics z."""
        seen = self.one_hot(z) if self.case["schedule"] == "token" else self.gamma
        return self.drawn(self.weights(seen, i), mpf(self.case["uniforms"][i]))
