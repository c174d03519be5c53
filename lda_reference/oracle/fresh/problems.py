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

ID_PATTERN = re.compile(r"fresh/(0|[1-9][0-9]*)/([0-9]{4,})")
FIRST_OPERATIONS = ("update", "sweep", "summary", "draw", "estimate")  # in `kinds`
DIVIDED_SCHEDULES = ("block", "nested")  # the schedules that are kinds of their own
STEP_OPERATIONS = ("update", "draw", "sweep", "summary")
WIDE_OPERATIONS = ("update", "draw", "sweep")
SIZES = ("small", "large counts", "small", "many topics")
SLOW_ALGORITHMS = ("cvb_exact", "cvb1", "cvb1s")  # algorithms of which a step takes long with many tokens
CHEAP_OPERATIONS = ("update", "draw", "estimate", "predict", "hyperparameters")  # what computes little
TOKEN_OPERATIONS = ("log_joint", "full_log_joint", "tempered_update", "tempered_sweep", "langevin")  # from z


class Kind(NamedTuple):
    """What a case asks."""

    algorithm: str
    operation: str
    variant: str  # the name of a start, the schedule `block` or `nested`, "legal", "illegal" or ""


@cache
def kinds() -> dict[Kind, Case]:
    """All that the vectors ask, algorithm by algorithm, and the first case of each kind."""
    first_cases: dict[Kind, Case] = {}
    for case in cases():
        schedule = case.get("schedule", "")
        kind_variant = case.get("start") or (schedule if schedule in DIVIDED_SCHEDULES else "")
        if case["operation"] == "reject":
            kind_variant = "illegal" if "error" in case["expected"] else "legal"
        first_cases.setdefault(Kind(case["algorithm"], case["operation"], kind_variant), case)
    algorithms, sequence = [kind.algorithm for kind in first_cases], [*FIRST_OPERATIONS, *OPERATIONS]

    def rank_of_kind(kind: Kind) -> tuple[Any, ...]:
        return algorithms.index(kind.algorithm), kind.variant == "nested", sequence.index(kind.operation), kind.variant

    return {kind: first_cases[kind] for kind in sorted(first_cases, key=rank_of_kind)}


def kind_of(id: str) -> tuple[Kind, str]:
    """What a case asks, and its size; a ValueError if the id is not that of a fresh case.

    Each run of cases as long as `kinds` asks everything once, in a random order.
    """
    id_match = ID_PATTERN.fullmatch(id)
    if id_match is None or int(id_match[2]) < 1:
        raise ValueError(f"{id!r} is not the id of a fresh case, such as fresh/7/0012")
    run_number, place_in_run = divmod(int(id_match[2]) - 1, len(kinds()))
    rng = random.Random(f"{id_match[1]} {run_number}")
    _, rank, kind = sorted((rng.random(), rank, kind) for rank, kind in enumerate(kinds()))[place_in_run]
    return kind, SIZES[(int(id_match[1]) + run_number + rank) % len(SIZES)]


class Problem(NamedTuple):
    """A corpus before an algorithm takes it, the number of topics and the prior."""

    documents: Documents
    W: int
    K: int
    alpha: float | list[float]
    eta: float | list[float]


def numbers(rng: Inputs, n: int) -> float | list[float]:
    """A number of a prior, or n of them, of two digits: from 0.001 to 10, the logarithm uniform."""
    is_vector = rng.below(2)
    prior_numbers = [float(f"{10 ** (4 * rng.generator.random() - 3):.1e}") for _ in range(n if is_vector else 1)]
    return prior_numbers if is_vector else prior_numbers[0]


def problem(kind: Kind, size_name: str, rng: Inputs) -> Problem:
    """The corpus and the prior of a case."""
    if kind.operation == "reject":
        return to_refuse(rng)
    if kind.operation.startswith("coherence"):
        return of_meeting_words(size_name, rng)
    if size_name == "many topics":
        return many_topics(kind, rng)
    if size_name == "large counts":
        return large_counts(kind, rng)
    if kind.variant in DIVIDED_SCHEDULES:
        D, W, K = rng.between(3, 8), rng.between(2, 8), rng.between(2, 5)
    elif kind.operation == "converged":
        D, W, K = rng.up_to(3), rng.up_to(5), rng.between(1, 3)
    else:  # with at most 8 documents, each is a block of the starts
        D, W, K = rng.up_to(8 if kind.variant == "growing" else 6), rng.up_to(8), rng.up_to(5)
    return Problem(documents(D, W, rng), W, K, numbers(rng, K), numbers(rng, W))


def documents(D: int, W: int, rng: Inputs, max_rows: int = 5, max_count: int = 4) -> Documents:
    """D documents of up to 5 rows, about one in six of them empty but not all; half of the counts are 1."""

    def random_row() -> tuple[int, int]:
        return rng.below(W), rng.up_to(max_count) if rng.below(2) else 1

    docs = [[random_row() for _ in range(rng.below(6) and rng.up_to(max_rows))] for _ in range(D)]
    return docs if any(docs) else [*docs[1:], [random_row()]]


def large_counts(kind: Kind, rng: Inputs) -> Problem:
    """Two or three documents with a count and a word id beyond 8 bits and, where this is cheap, one beyond 16 bits."""
    D, W, K = rng.between(3, 4) if kind.variant == "block" else rng.between(2, 3), rng.between(260, 300), 2
    docs = documents(D, W, rng, max_rows=2, max_count=3)
    algorithm, operation = kind.algorithm, kind.operation
    is_slow = algorithm in SLOW_ALGORITHMS or algorithm == STARTS
    high_word = rng.between(256, W - 1)
    if algorithm in SAMPLERS or operation in TOKEN_OPERATIONS or kind.variant == "one-hot":
        large_rows = [(high_word, rng.between(512, 560))]  # one of the two topics has 256 tokens or more
    elif (is_slow and operation not in CHEAP_OPERATIONS) or operation in ("document_evidence", "leapfrog", "step"):
        large_rows = [(high_word, 3)]
    elif is_slow or operation == "bound":
        large_rows = [(high_word, rng.between(256, 280))]
    else:
        large_rows = [(high_word, rng.between(256, 999)), (rng.below(W), rng.between(65_536, 99_999))]
    W = W if operation != "step" else 8  # a site has a number for each word
    for j, large_row in enumerate(large_rows):
        docs[j].insert(0, large_row)
    new_problem = Problem([[(min(w, W - 1), n) for w, n in d] for d in docs], W, K, numbers(rng, K), numbers(rng, W))
    if operation in WIDE_OPERATIONS and not kind.variant and algorithm != "gibbs":  # it would have a row for each word
        return far_words(new_problem, rng)
    return new_problem


def far_words(problem: Problem, rng: Inputs) -> Problem:
    """The same rows with three words of 65,600 or more, two of which 16 bits do not tell apart; eta is a number."""
    W = rng.between(65_600, 70_000)
    low_word = rng.below(W - 2**16)
    words = (low_word, 2**16 + low_word, rng.between(2**15, 2**16 - 1))
    eta = problem.eta[0] if isinstance(problem.eta, list) else problem.eta
    return problem._replace(documents=[[(words[w % 3], n) for w, n in d] for d in problem.documents], W=W, eta=eta)


def many_topics(kind: Kind, rng: Inputs) -> Problem:
    """Short documents: one step is taken with hundreds of topics, and more with tens.

    In VB the priors are so small that all products of weights underflow.
    """
    D = 3 if kind.variant == "block" else rng.between(1, 3)
    if kind.operation in STEP_OPERATIONS and kind.variant != "nested" and kind.algorithm not in ("cvb1s", "gibbs"):
        if kind.algorithm == "vb":
            W, K = rng.between(200, 300), rng.between(900, 1000)
            distinct_words = rng.permutation(W)[:D]
            return Problem([[(w, 1)] for w in distinct_words], W, K, *(rng.one_of((0.001, 0.0011)) for _ in range(2)))
        K = rng.between(300, 400 if kind.algorithm in SAMPLERS else 1000)
    else:
        K = rng.between(9, 12 if kind.operation in ("converged", "document_evidence", "step") else 40)
    W = rng.between(2, 5)
    docs = [[(rng.below(W), rng.up_to(2)) for _ in range(rng.up_to(2))] for _ in range(D)]
    return Problem(docs, W, K, numbers(rng, K), numbers(rng, W))


def to_refuse(rng: Inputs) -> Problem:
    """Three documents of two words or three, and two topics: what the changes of illegal cases need."""
    docs = [[(w, rng.up_to(3)) for w in sorted(rng.permutation(3)[: rng.between(2, 3)])] for _ in range(3)]
    return Problem(docs, 3, 2, rng.between(1, 9) / 10, rng.between(1, 9) / 10)


def of_meeting_words(size_name: str, rng: Inputs) -> Problem:
    """Documents in which some words occur together, some never and perhaps some always."""
    D = rng.between(257, 300) if size_name == "large counts" else rng.between(5, 25)
    W, K = rng.between(2, 10), rng.between(9, 40) if size_name == "many topics" else rng.up_to(5)
    document_shares = [rng.one_of((0.1, 0.3, 0.6, 1.0)) for _ in range(W)]
    docs = [[(w, rng.up_to(2)) for w in range(W) if rng.generator.random() < document_shares[w]] for _ in range(D)]
    return Problem([[(0, 1), (1, 2)], *docs[1:]], W, K, 0.1, 0.1)
