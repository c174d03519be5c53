"""What fresh cases ask, and random inputs, of which the vectors are made too.

All inputs are short decimals. They are read as the float64 numbers that they print as, and taken exactly.

Fresh cases ask what the vectors ask. Of every four kinds that follow one another in `kinds`, one has large counts and
word ids beyond 8 bits, and one has many topics. The steps of an algorithm come first there, so that each has both in
every run.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from ...plain.updates import SAMPLERS
from ..cases.loading import OPERATIONS, Case, cases

T = TypeVar("T")
Documents = list[list[tuple[int, int]]]  # (word, count) of each row
MANY = 100  # topics
ID = re.compile(r"fresh/(0|[1-9][0-9]*)/([0-9]{4,})")
FIRST = ("update", "sweep", "summary", "draw", "estimate")  # in `kinds`
OF_ONE_STEP = ("update", "draw", "sweep", "summary")
SIZES = ("small", "large counts", "small", "many topics")
BY_DISTRIBUTIONS = ("cvb_exact", "cvb1", "cvb1s")  # algorithms of which a step takes long with many tokens
ONCE = ("update", "draw", "estimate", "predict", "hyperparameters")  # what computes little
OF_TOKENS = ("log_joint", "full_log_joint", "tempered_update", "tempered_sweep", "langevin")  # from z

# Random numbers ------------------------------------------------------------------------------------------------------


class Inputs:
    """Random short decimals.

    They use nothing of `random` but `random.random`, whose sequence Python guarantees.
    """

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def below(self, n: int) -> int:
        """A whole number from 0 below n."""
        return int(self.rng.random() * n)

    def up_to(self, n: int) -> int:
        """A whole number from 1 to n."""
        return 1 + self.below(n)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        return low + self.below(high - low + 1)

    def one_of(self, found: Sequence[T]) -> T:
        """One of some things."""
        return found[self.below(len(found))]

    def permutation(self, n: int) -> list[int]:
        """The numbers below n in a random order."""
        return [i for _, i in sorted((self.rng.random(), i) for i in range(n))]

    def probabilities(self, K: int) -> list[float]:
        """K multiples of 1/10,000 that sum to 1, none of them 0; of more than `MANY`, none is far above the others."""
        x = [(0.02 if K <= MANY else 1.0) + self.rng.random() for _ in range(K)]
        total = math.fsum(x)  # not sum, which differs from one version of Python to another
        parts = [max(1, int(10_000 * v / total)) for v in x]
        rest = 10_000 - sum(parts)
        if K > MANY:
            parts = [part + (k < rest) for k, part in enumerate(parts)]
        else:
            parts[parts.index(max(parts))] += rest
        return [part / 10_000 for part in parts]

    def rows(self, M: int, K: int) -> list[list[float]]:
        """M rows of K probabilities."""
        return [self.probabilities(K) for _ in range(M)]

    def columns(self, W: int, K: int) -> list[list[float]]:
        """W rows of K numbers; each column sums to 1."""
        x = self.rows(K, W)
        return [[x[k][w] for k in range(K)] for w in range(W)]

    def topics(self, N: int, K: int) -> list[int]:
        """N topics from 0 below K."""
        return [self.below(K) for _ in range(N)]

    def uniform(self) -> float:
        """An odd multiple of 1/2,000,000, which is never a sum of multiples of 1/10,000."""
        return (2 * self.below(1_000_000) + 1) / 2_000_000

    def normal(self, mean: int = 0, precision: int = 1) -> float:
        """A multiple of 1/10,000; its standard deviation is 1 / precision."""
        return round(mean + (math.fsum(self.rng.random() for _ in range(12)) - 6) / precision, 4)


Given = Callable[[Case, Inputs], dict[str, Any]]  # the random numbers of a case


def gamma(case: Case, inputs: Inputs) -> dict[str, Any]:
    """gamma of each row."""
    return {"state": {"gamma": inputs.rows(len(case["corpus"]["n"]), case["K"])}}


def z(case: Case, inputs: Inputs) -> dict[str, Any]:
    """A topic for each token."""
    return {"state": {"z": inputs.topics(sum(case["corpus"]["n"]), case["K"])}}


# Parts of cases ------------------------------------------------------------------------------------------------------


def corpus(name: str, documents: Documents, W: int) -> dict[str, Any]:
    """A corpus of the rows that an algorithm takes: types for tcvb0, tokens for cvb1s."""
    if name == "tcvb0":
        documents = [sorted({w: sum(n for v, n in d if v == w) for w, _ in d}.items()) for d in documents]
    if name == "cvb1s":
        documents = [[(w, 1) for w, n in d for _ in range(n)] for d in documents]
    rows = [(j, w, n) for j, d in enumerate(documents) for w, n in d]
    return {
        "j": [j for j, _, _ in rows], "w": [w for _, w, _ in rows], "n": [n for _, _, n in rows],
        "D": len(documents), "W": W,
    }  # fmt: skip


def prior(name: str, alpha: Any, eta: Any) -> dict[str, Any]:
    """The prior of a case; of map 1 is added to every number."""
    found = {"alpha": alpha, "eta": eta}
    if name != "map":
        return found
    return {of: [round(v + 1, 6) for v in x] if isinstance(x, list) else round(x + 1, 6) for of, x in found.items()}


def flags(case: Case) -> list[str]:
    """What a port must be able to do for this case."""
    c, p = case["corpus"], case["prior"]
    alpha, eta = (x if isinstance(x, list) else [x] for x in (p["alpha"], p["eta"]))
    rows = [[i for i in range(len(c["j"])) if c["j"][i] == j] for j in range(c["D"])]
    found = {
        "types": max(c["n"]) > 1,
        "asymmetric_alpha": isinstance(p["alpha"], list),
        "asymmetric_eta": isinstance(p["eta"], list),
        "K1": case["K"] == 1,
        "one_token": sum(c["n"]) == 1,
        "unseen_word": len(set(c["w"])) < c["W"],
        "one_type_document": any(len({c["w"][i] for i in of}) == 1 < sum(c["n"][i] for i in of) for of in rows),
        "empty_document": not all(rows),
        "tiny_prior": min(alpha + eta) - (case.get("of", case["algorithm"]) == "map") < 0.0011,
    }
    return [name for name, has in found.items() if has]


# What fresh cases ask ------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """What a case asks."""

    algorithm: str
    operation: str
    variant: str  # the name of a start, the schedule `block` or `nested`, "legal", "illegal" or ""


@cache
def kinds() -> dict[Kind, list[str]]:
    """All that the vectors ask, algorithm by algorithm, and the equations of each kind."""
    found: dict[Kind, list[str]] = {}
    for case in cases():
        schedule = case.get("schedule") if case.get("schedule") in ("block", "nested") else ""
        variant = case.get("start") or schedule or ""
        if case["operation"] == "reject":
            variant = "illegal" if "error" in case["expected"] else "legal"
        found.setdefault(Kind(case["algorithm"], case["operation"], variant), case["tags"])
    names, order = [kind.algorithm for kind in found], [*FIRST, *OPERATIONS]

    def place(kind: Kind) -> tuple[Any, ...]:
        return names.index(kind.algorithm), kind.variant == "nested", order.index(kind.operation), kind.variant

    return {kind: found[kind] for kind in sorted(found, key=place)}


def kind_of(id: str) -> tuple[Kind, str]:
    """What a case asks, and its size; a ValueError if the id is not that of a fresh case.

    Each run of cases as long as `kinds` asks everything once, in a random order.
    """
    match = ID.fullmatch(id)
    if match is None or int(match[2]) < 1:
        raise ValueError(f"{id!r} is not the id of a fresh case, such as fresh/7/0012")
    run, place = divmod(int(match[2]) - 1, len(kinds()))
    rng = random.Random(f"{match[1]} {run}")
    _, number, kind = sorted((rng.random(), number, kind) for number, kind in enumerate(kinds()))[place]
    return kind, SIZES[(int(match[1]) + run + number) % len(SIZES)]


# Corpora and priors --------------------------------------------------------------------------------------------------


class Problem(NamedTuple):
    """A corpus before an algorithm takes it, the number of topics and the prior."""

    documents: Documents
    W: int
    K: int
    alpha: float | list[float]
    eta: float | list[float]


def numbers(x: Inputs, n: int) -> float | list[float]:
    """A number of a prior, or n of them, of two digits: from 0.001 to 10, the logarithm uniform."""
    many = x.below(2)
    found = [float(f"{10 ** (4 * x.rng.random() - 3):.1e}") for _ in range(n if many else 1)]
    return found if many else found[0]


def problem(kind: Kind, size: str, x: Inputs) -> Problem:
    """The corpus and the prior of a case."""
    if kind.operation == "reject":
        return to_refuse(3 if kind.variant == "legal" or kind.algorithm == "starts" else x.between(3, 4), x)
    if kind.operation.startswith("coherence"):
        return of_meeting_words(size, x)
    if size == "many topics":
        return many_topics(kind, x)
    if size == "large counts":
        return large_counts(kind, x)
    if kind.variant in ("block", "nested"):
        D, W, K = x.between(3, 8), x.between(2, 8), x.between(2, 5)
    elif kind.operation == "converged":
        D, W, K = x.up_to(3), x.up_to(5), x.between(1, 3)
    else:  # with at most 8 documents, each is a block of the starts
        D, W, K = x.up_to(8 if kind.variant == "growing" else 6), x.up_to(8), x.up_to(5)
    return Problem(documents(D, W, x), W, K, numbers(x, K), numbers(x, W))


def documents(D: int, W: int, x: Inputs, rows: int = 5, most: int = 4) -> Documents:
    """D documents of up to 5 rows, about one in six of them empty but not all; half of the counts are 1."""

    def row() -> tuple[int, int]:
        return x.below(W), x.up_to(most) if x.below(2) else 1

    found = [[row() for _ in range(x.below(6) and x.up_to(rows))] for _ in range(D)]
    return found if any(found) else [*found[1:], [row()]]


def large_counts(kind: Kind, x: Inputs) -> Problem:
    """Two or three documents with a count and a word id beyond 8 bits and, where this is cheap, one beyond 16 bits."""
    D, W, K = x.between(3, 4) if kind.variant == "block" else x.between(2, 3), x.between(260, 300), 2
    found = documents(D, W, x, rows=2, most=3)
    name, operation = kind.algorithm, kind.operation
    slow = name in BY_DISTRIBUTIONS or name == "starts"
    high = x.between(256, W - 1)
    if name in SAMPLERS or operation in OF_TOKENS or kind.variant == "one-hot":
        large = [(high, x.between(512, 560))]  # one of the two topics has 256 tokens or more
    elif (slow and operation not in ONCE) or operation in ("document_evidence", "leapfrog", "step"):
        large = [(high, 3)]
    elif slow or operation == "bound":
        large = [(high, x.between(256, 280))]
    else:
        large = [(high, x.between(256, 999)), (x.below(W), x.between(65_536, 99_999))]
    W = W if operation != "step" else 8  # a site has a number for each word
    for j, row in enumerate(large):
        found[j].insert(0, row)
    return Problem([[(min(w, W - 1), n) for w, n in d] for d in found], W, K, numbers(x, K), numbers(x, W))


def many_topics(kind: Kind, x: Inputs) -> Problem:
    """Short documents: one step is taken with hundreds of topics, and more with tens.

    In VB the priors are so small that all products of weights underflow.
    """
    D = 3 if kind.variant == "block" else x.between(1, 3)
    if kind.operation in OF_ONE_STEP and kind.variant != "nested" and kind.algorithm not in ("cvb1s", "gibbs"):
        if kind.algorithm == "vb":
            W, K = x.between(200, 300), x.between(900, 1000)
            words = x.permutation(W)[:D]
            return Problem([[(w, 1)] for w in words], W, K, *(x.one_of((0.001, 0.0011)) for _ in range(2)))
        K = x.between(300, 400 if kind.algorithm in SAMPLERS else 1000)
    else:
        K = x.between(9, 12 if kind.operation in ("converged", "document_evidence", "step") else 40)
    W = x.between(2, 5)
    found = [[(x.below(W), x.up_to(2)) for _ in range(x.up_to(2))] for _ in range(D)]
    return Problem(found, W, K, numbers(x, K), numbers(x, W))


def to_refuse(W: int, x: Inputs) -> Problem:
    """Three documents of two words or three, and two topics: what the changes of illegal cases need."""
    found = [[(w, x.up_to(3)) for w in sorted(x.permutation(W)[: x.between(2, 3)])] for _ in range(3)]
    return Problem(found, W, 2, x.between(1, 9) / 10, x.between(1, 9) / 10)


def of_meeting_words(size: str, x: Inputs) -> Problem:
    """Documents in which some words occur together, some never and perhaps some always."""
    D = x.between(257, 300) if size == "large counts" else x.between(5, 25)
    W, K = x.between(2, 10), x.between(9, 40) if size == "many topics" else x.up_to(5)
    shares = [x.one_of((0.1, 0.3, 0.6, 1.0)) for _ in range(W)]
    found = [[(w, x.up_to(2)) for w in range(W) if x.rng.random() < shares[w]] for _ in range(D)]
    return Problem([[(0, 1), (1, 2)], *found[1:]], W, K, 0.1, 0.1)
