"""Sizes: counts, words, topics and rows beyond 8 bits and beyond a register, and corpora of a few thousand tokens.

Small numbers hide what a port does with a count of 300, word 256, 12 topics or the 65th row. The cases also separate
what occurs together in small corpora.
"""

from __future__ import annotations

from typing import Any, cast

from lda_reference.oracle.fresh.inputs import Documents, Inputs
from lda_reference.plain.updates import COLLAPSED, SAMPLERS

from .plan import Plan, Problem
from .small_corpora import ALPHAS, COUNTS, ETAS

LARGE: Documents = [[(0, 300), (1, 2), (3, 1)], [(1, 700), (2, 3)], [(3, 4)]]  # 4 words
TWO: Documents = [[(0, 300), (1, 1)], [(1, 2)]]  # 4 words, two of which occur
HUNDREDS: Documents = [[(0, 300), (1, 2), (3, 1)], [(1, 4), (2, 3)], [(3, 4)]]  # 4 words
SAMPLED: Documents = [[(0, 1), (1, 1)], [(1, 300), (2, 1)]]  # 3 words
WIDE: Documents = [[(3, 2), (259, 1), (0, 1)], [(256, 3), (3, 1), (299, 1)]]  # 300 words
PAIR: Documents = [[(0, 2), (1, 1)], [(1, 1)]]  # 2 words
HOLES: Documents = [[(0, 1), (1, 2)], [], [(1, 1), (2, 3)], [], []]  # 3 words, which all occur
UNSEEN: Documents = [[(0, 2), (1, 1)], [(1, 1), (3, 2)]]  # 6 words, three of which occur
LONG: Documents = [[(w, 1) for w in range(66)], [(w, 1 + w % 2) for w in range(60, 68)]]  # 70 words
HUGE: Documents = [[(0, 100_000), (1, 1), (3, 2)], [(1, 70_000), (2, 3)], [(0, 1), (2, 40), (3, 1)]]  # 4 words
BARS_W, BARS_K = 100, 5
FEW: Documents = [[(0, 1), (1, 2)], [(1, 1), (2, 1)]]  # 3 words

TESTS = {
    "WIDE": {"j": [0, 1, 1], "w": [259, 3, 256], "n": [1, 2, 1]},
    "PAIR": {"j": [0, 1], "w": [1, 0], "n": [2, 1]},
    "HOLES": {"j": [0, 2, 2, 4], "w": [1, 0, 2, 1], "n": [1, 2, 1, 3]},
    "UNSEEN": {"j": [1, 1], "w": [3, 1], "n": [2, 1]},
}


def bars() -> Documents:
    """Forty documents of words in a square of 10 by 10. Each mixes two of five topics, which are pairs of rows.

    The first document has 400 tokens and more than 64 types; the others have 50 tokens.
    """
    given, documents = Inputs("bars"), []
    for d in range(40):
        topics, counts = (given.below(BARS_K), given.below(BARS_K)), dict[int, int]()
        for t in range(400 if d == 0 else 50):
            noise, topic = given.rng.random() < 0.2, topics[t % 2]
            w = given.below(BARS_W) if noise else 20 * topic + given.below(20)
            counts[w] = counts.get(w, 0) + 1
        documents.append(sorted(counts.items()))
    return documents


HOLES_ALONE: Problem = (
    "empty documents, no unseen word; alpha a vector, eta a number", HOLES, 3, 2, [0.7, 0.2], 0.4,
)  # fmt: skip
UNSEEN_ALONE: Problem = ("unseen words, no empty document; alpha a number, eta a vector", UNSEEN, 6, 2, 0.6, ETAS)


def sizes(plan: Plan) -> None:
    """Add the cases of an algorithm."""
    sweeps(plan)
    if plan.name not in SAMPLERS:
        blocks(plan)
    if plan.name not in COLLAPSED or plan.name == "cvb0":  # the collapsed algorithms share what is no step
        estimates(plan)
    summaries(plan)


def large(name: str) -> Documents:
    """Documents with a count of 300, and of 700 where no distribution of a count is needed and no token has a topic."""
    return SAMPLED if name in SAMPLERS else TWO if name in ("cvb_exact", "cvb1") else LARGE


def sweeps(plan: Plan) -> None:
    """Add sweeps: counts and words beyond 8 bits, twelve topics, and what occurs together in small corpora."""
    name, add = plan.name, cast(Any, plan.add)
    if name in SAMPLERS:  # more than 256 tokens have topic 0
        add("sweep", "a count of 300", SAMPLED, 3, 2, 0.1, 0.2, state={"z": [0, 1, *[0] * 290, *[1] * 11]})
    elif name != "cvb1s":  # whose rows have count 1
        add("sweep", "a count of 300 or more", large(name), 4, 2, 0.1, 0.2)
    if name != "gibbs":  # which would be given 300 rows of phi
        add("sweep", "word 256 and beyond", WIDE, 300, 2, 0.1, 0.2)
    add("sweep", "twelve topics", PAIR, 2, 12, [*ALPHAS, *ALPHAS], 0.2)
    add("sweep", *HOLES_ALONE)
    add("sweep", *UNSEEN_ALONE)


def blocks(plan: Plan) -> None:
    """Add the schedules that have a number of their own: `block` and, where the documents are independent, `nested`."""
    add: Any = plan.add
    name, (of_counts, of_holes) = plan.name, ((COUNTS, 4, 2, 0.5, 0.3), (HOLES, 3, 3, ALPHAS[:3], ETAS[:3]))
    add("sweep", "three documents in two blocks", *of_counts, "block", blocks=2)
    if name in ("vb", "vem", "cvb0"):
        add("sweep", "more blocks than documents", *of_counts, "block", blocks=5)
    if name in ("vb", "vem"):
        add("sweep", "three steps for each document", *of_counts, "nested", inner=3)
        add("sweep", "one step for each document; vectors", *of_holes, "nested", inner=1)


def estimates(plan: Plan) -> None:
    """Add what is computed from a state without changing it."""
    name, add = plan.name, cast(Any, plan.add)
    twelve = ("twelve topics", PAIR, 2, 12, [*ALPHAS, *ALPHAS], 0.2)
    add("estimate", *HOLES_ALONE)
    add("predict", "word 256 and beyond", WIDE, 300, 2, 0.1, 0.2, test=TESTS["WIDE"])
    add("predict", *twelve, test=TESTS["PAIR"])
    add("predict", *HOLES_ALONE, test=TESTS["HOLES"])
    add("predict", *UNSEEN_ALONE, test=TESTS["UNSEEN"])
    if name in ("vb", "cvb0"):
        add("bound", "a count of 300", HUNDREDS, 4, 2, 0.1, 0.2)
        for inputs in (twelve, HOLES_ALONE, UNSEEN_ALONE):
            add("bound", *inputs)
    if name not in ("ml", "map", "vem"):
        flat, mild = {"shape": 1.0, "rate": 0.0}, {"shape": 1.5, "rate": 0.3}
        W, step = (3 if name in SAMPLERS else 4), "hyperparameters"
        add(step, "a count of 300 or more", large(name), W, 2, 0.1, 0.2, gamma_prior=flat)
        add(step, *HOLES_ALONE, gamma_prior=mild)
        add(step, *UNSEEN_ALONE, gamma_prior=mild)


def summaries(plan: Plan) -> None:
    """Add many topics, many rows, thousands of tokens and counts of 100,000."""
    name = plan.name

    def add(note: str, *corpus_and_prior: Any, sweeps: int = 1, **more: Any) -> None:
        plan.add("summary", note, *corpus_and_prior, sweeps=sweeps, **more)

    z = Inputs(f"topics of {name}")
    if name not in ("gibbs", "cvb1s"):  # which would be given a thousand columns, or take minutes to certify
        add("a thousand topics, priors of 0.001", FEW, 3, 1000, 0.001, 0.001, state={"z": z.topics(5, 1000)})
    N = tokens(LONG)
    add("more than 64 rows in a document", LONG, 70, 2, 0.5, 0.3, sweeps=2, state={"z": z.topics(N, 2)})
    if name == "vb":
        note = "a thousand topics: the exponentials of all logarithms are 0, unless the largest is subtracted from them"
        gamma = [[round(0.0005 + 0.001 * (k % 2), 4) for k in range(1000)]]
        add(note, [[(1, 1)]], 300, 1000, 0.001, 0.001, state={"gamma": gamma})
    schedules = {"cvb0": ("token", "corpus"), "vb": ("corpus",), "cgs": ("token",)}
    for schedule in schedules.get(name, ()):
        documents = bars()[: 14 if name == "cgs" else 40]
        N = tokens(documents)
        given: dict[str, Any] = {"state": {"z": z.topics(N, BARS_K)}}
        if name == "cgs":
            given["uniforms"] = [(2 * z.below(1000) + 1) / 2000 for _ in range(N)]
        note = f"ten sweeps of {N:,} tokens, by {schedule}"
        add(note, documents, BARS_W, BARS_K, 0.1, 0.05, schedule=schedule, sweeps=10, **given)
    priors = {"cvb": (0.01, 0.01), "cvb0": (0.001, 0.001)}  # in vb and tcvb0 the errors are below the tolerance
    if name in priors:
        note = "counts of 100,000, which leave a topic: sums that are never added up again keep their rounding errors"
        add(note, HUGE, 4, 2, *priors[name], schedule="token", sweeps=10)


def tokens(documents: Documents) -> int:
    """The number of tokens."""
    return sum(n for d in documents for _, n in d)
