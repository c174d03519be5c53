"""Updates and sweeps: what all algorithms share.

An algorithm has three terms and an exclusion. The new gamma of row i is, for each topic k,

    gamma_k  proportional to  document × word / topic

The schedule says when a row sees the new gamma of the rows before it: after each row (`token`), after each document
(`document`), after each of B groups of documents (`block`), or after the sweep (`corpus`). In `nested` order each
document takes a number of steps from uniform rows, while N_wk and N_k are held. In `interleaved` order a sampler
draws first the first token of each document, then the second of each, and so on.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .estimates import Estimates
from .numbers import Floats, Number
from .problem import Case, Row

SWEEP_LIMIT = 300  # the most on the way to a fixed point


class Algorithm(Estimates):
    """An algorithm at work on a case. Each algorithm has its own three terms, see `updates`."""

    held: list[Row] | None = None  # the gamma that the word and topic terms see during a nested sweep

    def answer(self) -> dict[str, Any]:
        """The fields that the operation of the case asks for."""
        return getattr(self, self.case["operation"])()

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
        """The right-hand side of the update of row i for topic k; its share of the sum over topics is gamma."""
        held_gamma = gamma if self.held is None else self.held
        return self.document(gamma, i, k) * self.word(held_gamma, i, k) / self.topic(held_gamma, i, k)

    def update(self) -> dict[str, Any]:
        """The new gamma of one row."""
        return {"gamma_k": self.normalised(self.weights(self.gamma, self.case["row"]))}

    def assigned(self, weights: Row, i: int) -> Row:
        """The new gamma of row i, from its weights: their shares, or the largest alone if the assignment is hard."""
        if self.case.get("assignment") != "hard":
            return self.normalised(weights)
        best_topic = 0
        for k in range(1, self.K):
            best_topic = best_topic if self.numbers.at_most(weights[k], weights[best_topic]) else k
        return self.certain(best_topic)

    def certain(self, topic: int) -> Row:
        """gamma of a token whose topic is known."""
        return [self.number(1 if k == topic else 0) for k in range(self.K)]

    def drawn(self, weights: Row, u: Number) -> int:
        """The topic drawn: how many of the first K-1 partial sums of the weights are at most u times the last."""
        partial_sums = list(itertools.accumulate(weights))
        return sum(self.numbers.at_most(partial_sum, u * partial_sums[-1]) for partial_sum in partial_sums[:-1])

    # Sweeps

    def one_sweep(self, gamma: list[Row]) -> list[Row]:
        """gamma after one update of each row."""
        if self.case["schedule"] == "nested":
            return self.nested_sweep(gamma)
        new_gamma, seen_gamma, schedule, last_document = list(gamma), gamma, self.case["schedule"], None
        block_starts = self.blocks() if schedule == "block" else set()
        for i in self.swept():
            if schedule == "token" or (schedule == "document" and self.j[i] != last_document) or i in block_starts:
                seen_gamma = list(new_gamma)
            new_gamma[i], last_document = self.assigned(self.weights(seen_gamma, i), i), self.j[i]
        return new_gamma

    def blocks(self) -> set[int]:
        """The first row of each of B blocks: for each b, the first row at or after b M / B that begins a document.

        If B is not below the number of documents, each document is a block.
        """
        sweep_order, B = self.swept(), self.case["blocks"]
        start_positions = [m for m, i in enumerate(sweep_order) if m == 0 or self.j[i] != self.j[sweep_order[m - 1]]]
        if B < self.D:
            block_starts = (next((m for m in start_positions if m * B >= b * len(sweep_order)), None) for b in range(B))
            start_positions = [m for m in block_starts if m is not None]
        return {sweep_order[m] for m in start_positions}

    def nested_sweep(self, gamma: list[Row]) -> list[Row]:
        """gamma after `inner` steps of each document. The sums of words and of the corpus do not change."""
        if self.case.get("inner") is None:
            return self.nested_to_rest(gamma)
        rows, self.held = self.first_of_nested(gamma), gamma
        for _ in range(self.case["inner"]):
            rows = [self.assigned(self.weights(rows, i), i) for i in range(self.M)]  # SOL14 Algorithm 1, lines 7 and 8
        self.held = None
        return rows

    def nested_to_rest(self, gamma: list[Row]) -> list[Row]:
        """gamma after steps of each document, until its part of the bound changes by at most 1e-4 of its size."""
        rows, self.held = self.first_of_nested(gamma), gamma
        for j in set(self.j):
            old_bound, new_bound = None, self.part_of_bound(rows, gamma, j)
            while old_bound is None or not self.numbers.at_most(abs(new_bound - old_bound), abs(old_bound) / 10_000):
                new_rows = {i: self.assigned(self.weights(rows, i), i) for i in self.of_document(j)}
                rows = [new_rows.get(i, row) for i, row in enumerate(rows)]  # SOL14 Algorithm 1, lines 7 and 8
                old_bound, new_bound = new_bound, self.part_of_bound(rows, gamma, j)
        self.held = None
        return rows

    def part_of_bound(self, gamma: list[Row], held_gamma: list[Row], j: int) -> Number:
        """The part of document j in the bound of VB, with the topics of `held_gamma`."""
        document_rows, bound_terms = self.of_document(j), [self.log_gamma(self.sum_alpha)]
        bound_terms.append(-self.log_gamma(self.sum_alpha + sum(self.n[i] for i in document_rows)))
        for k in range(self.K):
            N_jk = self.sum(self.n[i] * gamma[i][k] for i in document_rows)
            bound_terms.append(self.log_gamma(self.alpha[k] + N_jk) - self.log_gamma(self.alpha[k]))
            for i in document_rows:
                phi = self.word(held_gamma, i, k) / self.topic(held_gamma, i, k)
                if self.positive(gamma[i][k]) and self.positive(phi):  # 0 log 0 is 0
                    bound_terms.append(self.n[i] * gamma[i][k] * (self.log(phi) - self.log(gamma[i][k])))
        return self.sum(bound_terms)  # TNW06 (2)

    def first_of_nested(self, gamma: list[Row]) -> list[Row]:
        """The uniform rows with which a nested sweep begins."""
        return [[self.number(1) / self.K] * self.K for _ in range(self.M)]  # SOL14 Algorithm 1, line 4

    def swept(self) -> Sequence[int]:
        """The rows that a sweep updates, in order."""
        return range(self.M)

    def swept_often(self, sweeps: int) -> list[Row]:
        gamma = self.gamma
        for _ in range(sweeps):
            gamma = self.one_sweep(gamma)
        return gamma

    def sweep(self) -> dict[str, Any]:
        return {"gamma": self.swept_often(1)}

    def ten_sweeps(self) -> dict[str, Any]:
        return {"gamma": self.swept_often(10)}

    def summary(self) -> dict[str, Any]:
        """After some sweeps: the sums of all gamma_k, each times the cosine (or sine) of its place, counted from 0."""
        flat_gamma, numbers = list(itertools.chain(*self.swept_often(self.case["sweeps"]))), self.numbers
        return {
            "cosine": self.sum(g * numbers.cos(place) for place, g in enumerate(flat_gamma)),
            "sine": self.sum(g * numbers.sin(place) for place, g in enumerate(flat_gamma)),
        }

    def reject(self) -> dict[str, Any]:
        """A sweep. Inputs that are not legal must be refused, and are not answered here."""
        return self.sweep()

    def converged(self) -> dict[str, Any]:
        """gamma at a fixed point; a ValueError if 300 sweeps do not reach one."""
        gamma = self.gamma
        for _ in range(SWEEP_LIMIT):
            old_gamma, gamma = gamma, self.one_sweep(gamma)
            if self.settled(old_gamma, gamma):
                return {"gamma": gamma}
        raise ValueError(f"{SWEEP_LIMIT} sweeps do not reach a fixed point")

    def settled(self, old_gamma: list[Row], new_gamma: list[Row]) -> bool:
        """Whether a sweep changes gamma so little that it has reached a fixed point."""
        changes = [abs(a - b) for rows in zip(old_gamma, new_gamma, strict=True) for a, b in zip(*rows, strict=True)]
        return all(self.numbers.at_most(change, self.numbers.settled) for change in changes)


class Sampler(Algorithm):
    """A sampler at work on a case: each token is a row of its own, and gamma is 1 at the token's topic."""

    def __init__(self, case: Case, numbers: Floats) -> None:
        corpus = case["corpus"]
        self.row = [i for i, n in enumerate(corpus["n"]) for _ in range(n)]  # the row of each token
        token_lists = {"j": [corpus["j"][i] for i in self.row], "w": [corpus["w"][i] for i in self.row]}
        super().__init__(case | {"corpus": {**corpus, **token_lists, "n": [1] * len(self.row)}}, numbers)

    def start(self) -> list[Row]:
        """gamma of each token."""
        self.of_topics = [self.certain(k) for k in range(self.K)]
        return self.one_hot(self.case["state"]["z"])

    def one_hot(self, z: list[int]) -> list[Row]:
        """gamma of tokens whose topics are known."""
        return [self.of_topics[topic] for topic in z]

    def token(self) -> int:
        """The token of an update or a draw."""
        return self.row.index(self.case["row"]) + int(self.case["token"])

    def update(self) -> dict[str, Any]:
        """The probabilities that one token's topic is drawn from."""
        return {"gamma_k": self.normalised(self.weights(self.gamma, self.token()))}

    def draw(self) -> dict[str, Any]:
        """The topic drawn for one token."""
        return {"topic": self.drawn(self.weights(self.gamma, self.token()), self.given("uniform"))}

    def sweep(self) -> dict[str, Any]:
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
        for i in self.turns():
            z[i] = self.new_topic(z, i)  # SOL14 Algorithm 2, SOL14 Algorithm 3; line 4
        return z

    def turns(self) -> Sequence[int]:
        """The tokens in the order in which a sweep draws them."""
        if self.case["schedule"] != "interleaved":
            return range(self.M)
        return sorted(range(self.M), key=lambda i: self.j[:i].count(self.j[i]))  # by the place in the document

    def new_topic(self, z: list[int], i: int) -> int:
        """The topic drawn for token i in a sweep that has come to the topics z."""
        seen_gamma = self.gamma if self.case["schedule"] == "corpus" else self.one_hot(z)
        return self.drawn(self.weights(seen_gamma, i), self.uniform(i))

    def uniform(self, i: int) -> Number:
        """The uniform number by which a sweep draws the topic of token i."""
        return self.number(self.case["uniforms"][i])
