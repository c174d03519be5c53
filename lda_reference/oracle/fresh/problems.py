"""What fresh cases ask, and the corpora and priors that are drawn for them.

Fresh cases ask what the vectors ask. Of every four kinds that follow one another in `kinds`, one has large counts and
word ids beyond 8 bits, and one has many topics. The steps of an algorithm come first there, so that each has both in
every run. An update, a draw or a sweep with large counts also has word ids beyond 16 bits.
"""

import random
import re
from functools import cache
from typing import Any, NamedTuple

from ...plain.updates import SAMPLERS
from ..cases.loading import OPERATIONS, STARTS, Case, cases
from .inputs import Documents, Inputs

ID = re.compile(r"fresh/(0|[1-9][0-9]*)/([0-9]{4,})")
FIRST = ("update", "sweep", "summary", "draw", "estimate")  # in `kinds`
DIVIDED = ("block", "nested")  # the schedules that are kinds of their own
OF_ONE_STEP = ("update", "draw", "sweep", "summary")
WITH_FAR_WORDS = ("update", "draw", "sweep")
SIZES = ("small", "large counts", "small", "many topics")
BY_DISTRIBUTIONS = ("cvb_exact", "cvb1", "cvb1s")  # algorithms of which a step takes long with many tokens
ONCE = ("update", "draw", "estimate", "predict", "hyperparameters")  # what computes little
OF_TOKENS = ("log_joint", "full_log_joint", "tempered_update", "tempered_sweep", "langevin")  # from z


class Kind(NamedTuple):
    """What a case asks."""

    algorithm: str
    operation: str
    variant: str  # the name of a start, the schedule `block` or `nested`, "legal", "illegal" or ""


@cache
def kinds() -> dict[Kind, Case]:
    """All that the vectors ask, algorithm by algorithm, and the first case of each kind."""
    first: dict[Kind, Case] = {}
    for case in cases():
        schedule = case.get("schedule", "")
        variant = case.get("start") or (schedule if schedule in DIVIDED else "")
        if case["operation"] == "reject":
            variant = "illegal" if "error" in case["expected"] else "legal"
        first.setdefault(Kind(case["algorithm"], case["operation"], variant), case)
    names, order = [kind.algorithm for kind in first], [*FIRST, *OPERATIONS]

    def place(kind: Kind) -> tuple[Any, ...]:
        return names.index(kind.algorithm), kind.variant == "nested", order.index(kind.operation), kind.variant

    return {kind: first[kind] for kind in sorted(first, key=place)}


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


class Problem(NamedTuple):
    """A corpus before an algorithm takes it, the number of topics and the prior."""

    documents: Documents
    W: int
    K: int
    alpha: float | list[float]
    eta: float | list[float]


def numbers(x: Inputs, n: int) -> float | list[float]:
    """A number of a prior, or n of them, of two digits: from 0.001 to 10, the logarithm uniform."""
    is_vector = x.below(2)
    values = [float(f"{10 ** (4 * x.rng.random() - 3):.1e}") for _ in range(n if is_vector else 1)]
    return values if is_vector else values[0]


def problem(kind: Kind, size: str, x: Inputs) -> Problem:
    """The corpus and the prior of a case."""
    if kind.operation == "reject":
        return to_refuse(x)
    if kind.operation.startswith("coherence"):
        return of_meeting_words(size, x)
    if size == "many topics":
        return many_topics(kind, x)
    if size == "large counts":
        return large_counts(kind, x)
    if kind.variant in DIVIDED:
        D, W, K = x.between(3, 8), x.between(2, 8), x.between(2, 5)
    elif kind.operation == "converged":
        D, W, K = x.up_to(3), x.up_to(5), x.between(1, 3)
    else:  # with at most 8 documents, each is a block of the starts
        D, W, K = x.up_to(8 if kind.variant == "growing" else 6), x.up_to(8), x.up_to(5)
    return Problem(documents(D, W, x), W, K, numbers(x, K), numbers(x, W))


def documents(D: int, W: int, x: Inputs, rows: int = 5, largest: int = 4) -> Documents:
    """D documents of up to 5 rows, about one in six of them empty but not all; half of the counts are 1."""

    def row() -> tuple[int, int]:
        return x.below(W), x.up_to(largest) if x.below(2) else 1

    drawn = [[row() for _ in range(x.below(6) and x.up_to(rows))] for _ in range(D)]
    return drawn if any(drawn) else [*drawn[1:], [row()]]


def large_counts(kind: Kind, x: Inputs) -> Problem:
    """Two or three documents with a count and a word id beyond 8 bits and, where this is cheap, one beyond 16 bits."""
    D, W, K = x.between(3, 4) if kind.variant == "block" else x.between(2, 3), x.between(260, 300), 2
    drawn = documents(D, W, x, rows=2, largest=3)
    name, operation = kind.algorithm, kind.operation
    slow = name in BY_DISTRIBUTIONS or name == STARTS
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
        drawn[j].insert(0, row)
    counts = Problem([[(min(w, W - 1), n) for w, n in d] for d in drawn], W, K, numbers(x, K), numbers(x, W))
    if operation in WITH_FAR_WORDS and not kind.variant and name != "gibbs":  # which would be given a row for each word
        return far_words(counts, x)
    return counts


def far_words(counts: Problem, x: Inputs) -> Problem:
    """The same rows with three words of 65,600 or more, two of which 16 bits do not tell apart; eta is a number."""
    W = x.between(65_600, 70_000)
    low = x.below(W - 2**16)
    words = (low, 2**16 + low, x.between(2**15, 2**16 - 1))
    eta = counts.eta[0] if isinstance(counts.eta, list) else counts.eta
    return counts._replace(documents=[[(words[w % 3], n) for w, n in d] for d in counts.documents], W=W, eta=eta)


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
    drawn = [[(x.below(W), x.up_to(2)) for _ in range(x.up_to(2))] for _ in range(D)]
    return Problem(drawn, W, K, numbers(x, K), numbers(x, W))


def to_refuse(x: Inputs) -> Problem:
    """Three documents of two words or three, and two topics: what the changes of illegal cases need."""
    drawn = [[(w, x.up_to(3)) for w in sorted(x.permutation(3)[: x.between(2, 3)])] for _ in range(3)]
    return Problem(drawn, 3, 2, x.between(1, 9) / 10, x.between(1, 9) / 10)


def of_meeting_words(size: str, x: Inputs) -> Problem:
    """Documents in which some words occur together, some never and perhaps some always."""
    D = x.between(257, 300) if size == "large counts" else x.between(5, 25)
    W, K = x.between(2, 10), x.between(9, 40) if size == "many topics" else x.up_to(5)
    shares = [x.one_of((0.1, 0.3, 0.6, 1.0)) for _ in range(W)]
    drawn = [[(w, x.up_to(2)) for w in range(W) if x.rng.random() < shares[w]] for _ in range(D)]
    return Problem([[(0, 1), (1, 2)], *drawn[1:]], W, K, 0.1, 0.1)
