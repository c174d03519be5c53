"""Random short decimals, and the parts of which all cases are made: corpora, priors, states and flags.

All inputs are short decimals. They are read as the float64 numbers that they print as, and taken exactly.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...plain import class_of
from ...plain.updates import ALGORITHMS, OF_TYPES
from ..cases.loading import Case

T = TypeVar("T")
Documents = list[list[tuple[int, int]]]  # (word, count) of each row
MANY_TOPICS = 100  # topics


class Inputs:
    """Random short decimals.

    They use nothing of `random` but `random.random`, whose sequence Python guarantees.
    """

    def __init__(self, seed: str) -> None:
        self.generator = random.Random(seed)

    def below(self, n: int) -> int:
        return int(self.generator.random() * n)

    def up_to(self, n: int) -> int:
        return 1 + self.below(n)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def permutation(self, n: int) -> list[int]:
        """The numbers below n in a random order."""
        return [i for _, i in sorted((self.generator.random(), i) for i in range(n))]

    def probabilities(self, K: int) -> list[float]:
        """K multiples of 1/10,000 that sum to 1, none of them 0; above `MANY_TOPICS`, none is far above the others."""
        weights = [(0.02 if K <= MANY_TOPICS else 1.0) + self.generator.random() for _ in range(K)]
        total_weight = math.fsum(weights)  # not sum, which differs from one version of Python to another
        share_numerators = [max(1, int(10_000 * weight / total_weight)) for weight in weights]
        remainder = 10_000 - sum(share_numerators)
        if K > MANY_TOPICS:
            share_numerators = [share_numerator + (k < remainder) for k, share_numerator in enumerate(share_numerators)]
        else:
            share_numerators[share_numerators.index(max(share_numerators))] += remainder
        return [share_numerator / 10_000 for share_numerator in share_numerators]

    def rows(self, M: int, K: int) -> list[list[float]]:
        """M rows of K probabilities."""
        return [self.probabilities(K) for _ in range(M)]

    def columns(self, W: int, K: int) -> list[list[float]]:
        """W rows of K numbers; each column sums to 1."""
        topic_rows = self.rows(K, W)
        return [[topic_rows[k][w] for k in range(K)] for w in range(W)]

    def table(self, M: int, K: int, draw_number: Callable[[], float]) -> list[list[float]]:
        return [[draw_number() for _ in range(K)] for _ in range(M)]

    def topics(self, N: int, K: int) -> list[int]:
        return [self.below(K) for _ in range(N)]

    def uniform(self) -> float:
        """An odd multiple of 1/2,000,000, which is never a sum of multiples of 1/10,000."""
        return (2 * self.below(1_000_000) + 1) / 2_000_000

    def uniforms(self, N: int) -> list[float]:
        """N such numbers."""
        return [self.uniform() for _ in range(N)]

    def decimal(self, low: float, high: float) -> float:
        """A multiple of 1/10,000 between two numbers."""
        return round(low + (high - low) * self.generator.random(), 4)

    def normal(self) -> float:
        """A multiple of 1/10,000."""
        return round(math.fsum(self.generator.random() for _ in range(12)) - 6, 4)


def corpus(algorithm: str, documents: Documents, W: int) -> dict[str, Any]:
    """A corpus of the rows that an algorithm takes: types if it excludes them, tokens for cvb1s."""
    if algorithm in OF_TYPES:
        documents = [sorted({w: sum(n for v, n in doc if v == w) for w, _ in doc}.items()) for doc in documents]
    if algorithm == "cvb1s":
        documents = [[(w, 1) for w, n in doc for _ in range(n)] for doc in documents]
    corpus_rows = [(j, w, n) for j, doc in enumerate(documents) for w, n in doc]
    return {
        "j": [j for j, _, _ in corpus_rows], "w": [w for _, w, _ in corpus_rows], "n": [n for _, _, n in corpus_rows],
        "D": len(documents), "W": W,
    }  # fmt: skip


def prior(algorithm: str, alpha: Any, eta: Any) -> dict[str, Any]:
    """The prior of a case; an algorithm that subtracts a number from it is given that much more."""
    prior_numbers = {"alpha": alpha, "eta": eta}
    offset = ALGORITHMS[algorithm].prior_offset if algorithm in ALGORITHMS else 0
    if not offset:
        return prior_numbers
    return {
        param_name: [round(v + offset, 6) for v in numbers] if isinstance(numbers, list) else round(numbers + offset, 6)
        for param_name, numbers in prior_numbers.items()
    }


def flags(case: Case) -> list[str]:
    """What a port must be able to do for this case."""
    corpus, prior = case["corpus"], case["prior"]
    alpha, eta = (numbers if isinstance(numbers, list) else [numbers] for numbers in (prior["alpha"], prior["eta"]))
    rows: list[list[int]] = [[] for _ in range(corpus["D"])]
    for i, j in enumerate(corpus["j"]):
        rows[j].append(i)
    is_flagged = {
        "types": max(corpus["n"]) > 1,
        "asymmetric_alpha": isinstance(prior["alpha"], list),
        "asymmetric_eta": isinstance(prior["eta"], list),
        "K1": case["K"] == 1,
        "one_token": sum(corpus["n"]) == 1,
        "unseen_word": len(set(corpus["w"])) < corpus["W"],
        "one_type_document": any(len({corpus["w"][i] for i in d}) == 1 < sum(corpus["n"][i] for i in d) for d in rows),
        "empty_document": not all(rows),
        "tiny_prior": min(alpha + eta) - class_of(case).prior_offset < 0.0011,
        "many_tokens": max(corpus["n"]) >= 10**8,
    }
    return [flag_name for flag_name, is_needed in is_flagged.items() if is_needed]
