"""The cases of each algorithm.

`add` is called as `add(operation, note, documents, W, K, alpha, eta, schedule, ...)`, see `plan`.
"""

from __future__ import annotations

from typing import Any

from lda_reference.plain.problem import Case
from lda_reference.plain.updates import COLLAPSED, SAMPLERS

from .larger_cases import larger
from .plan import SCHEDULES, Plan
from .reject_cases import borders, rejects
from .size_cases import sizes
from .small_corpora import ALPHAS, APART, COUNTS, ETAS, FULL, SINGLE, SMALL, TEST, TEXT


def algorithm_cases(name: str) -> list[Case]:
    """All cases of an algorithm, without their answers."""
    plan = Plan(name)
    (samplers if name in SAMPLERS else soft)(plan)
    estimates(plan)
    rejects(plan)
    borders(plan)
    sizes(plan)
    larger(plan)
    return plan.by_operation()


def soft(plan: Plan) -> None:
    """Add the updates and sweeps of an algorithm of soft assignments."""
    name = plan.name
    add: Any = plan.add
    types = name == "tcvb0"
    add("update", "a word that stands twice in its document", TEXT, 6, 3, 0.1, 0.2, row=1)
    add("update", "a word of count 3: what of it is excluded?", COUNTS, 4, 3, 0.1, 0.2, row=0)
    add("update", "both priors vectors", COUNTS, 4, 3, ALPHAS[:3], ETAS[:4], row=5)
    add("update", "alpha a vector, eta a number", TEXT, 6, 3, ALPHAS[:3], 0.3, row=4 if types else 5)
    add("update", "a document of one type, eta a vector", COUNTS, 4, 2, 0.4, ETAS[:4], row=3)
    add("update", "priors of 0.001, where what is excluded matters most", COUNTS, 4, 2, 0.001, 0.001, row=4)
    add("update", "one topic: gamma is 1", COUNTS, 4, 1, 0.1, 0.2, row=2)
    add("update", "one token in all: the sums without it are 0", SINGLE, 2, 2, [0.3, 0.6], 0.2, row=0)
    note = "rows certain of their topics, and a topic without mass"
    add("update", note, FULL, 4, 3, 0.1, 0.2, one_hot=True, row=2)
    add("update", "large priors, five topics", COUNTS, 4, 5, 2.0, 1.5, row=5)
    add("update", "a document of one token", TEXT, 6, 2, 0.6, 0.8, row=5 if types else 7)
    for schedule in SCHEDULES[name]:
        add("sweep", f"counts above 1, sums refreshed by {schedule}", COUNTS, 4, 3, 0.1, 0.2, schedule)
        note = f"an empty document, an unseen word, vectors; by {schedule}"
        add("sweep", note, TEXT, 6, 3, ALPHAS[:3], ETAS, schedule)
        add("sweep", f"every word in two documents; by {schedule}", FULL, 4, 2, 0.5, 0.4, schedule)
    add("sweep", "one topic", TEXT, 6, 1, 0.1, 0.2)
    add("sweep", "one token", SINGLE, 2, 3, 0.1, 0.2)
    add("sweep", "rows certain of their topics, priors of 0.001", FULL, 4, 2, 0.001, 0.001, one_hot=True)
    add("sweep", "large priors, five topics", FULL, 4, 5, 1.5, 2.5)
    for schedule in SCHEDULES[name]:
        add("ten_sweeps", f"counts above 1, sums refreshed by {schedule}", COUNTS, 4, 2, 0.5, 0.3, schedule)
    add("ten_sweeps", "vectors, three topics", FULL, 4, 3, ALPHAS[:3], ETAS[:4])
    for schedule in SCHEDULES[name][:2]:
        if name in ("ml", "vem"):
            note = "documents without a common word go to topics of their own"
            add("converged", f"{note}; by {schedule}", APART, 4, 2, 1.0 if name == "vem" else 0.1, 0.2, schedule)
        else:
            note = "priors so large that every start leads to the same fixed point"
            add("converged", f"{note}; by {schedule}", SMALL, 3, 2, [3.0, 1.5], [1.0, 2.0, 4.0], schedule)


def samplers(plan: Plan) -> None:
    """Add the updates, draws and sweeps of a sampler."""
    add: Any = plan.add
    add("update", "the probabilities that a token is drawn from", TEXT, 6, 3, 0.1, 0.2, row=1, token=0)
    add("update", "the second of three tokens of a row", COUNTS, 4, 3, 0.1, 0.2, row=0, token=1)
    add("update", "both priors vectors", COUNTS, 4, 3, ALPHAS[:3], ETAS[:4], row=4, token=0)
    add("update", "priors of 0.001", COUNTS, 4, 2, 0.001, 0.001, row=3, token=4)
    add("update", "one topic", FULL, 4, 1, 0.1, 0.2, row=2, token=0)
    add("update", "one token", SINGLE, 2, 3, [0.3, 0.6, 0.1], 0.2, row=0, token=0)
    for i, (documents, W, row, token) in enumerate(
        [(FULL, 4, 2, 0), (COUNTS, 4, 0, 2), (COUNTS, 4, 4, 0), (TEXT, 6, 5, 0), (COUNTS, 4, 3, 1), (FULL, 4, 8, 0),
         (COUNTS, 4, 2, 1), (TEXT, 6, 0, 0), (FULL, 4, 5, 0), (COUNTS, 4, 5, 0)]
    ):  # fmt: skip
        alpha, eta = ((0.5, 0.3), (ALPHAS, 0.8), (1.5, ETAS[:W]))[i % 3]
        add("draw", "one draw from six topics", documents, W, 6, alpha, eta, row=row, token=token)
    add("draw", "one topic: 0 whatever u", FULL, 4, 1, 0.5, 0.3, row=0, token=0)
    add("draw", "u is 0", FULL, 4, 3, 0.5, 0.3, row=1, token=0, uniform=0.0)
    flat: dict[str, Any] = {"theta_jk": [[0.25] * 4], "phi_wk": [[0.5] * 4] * 2} if plan.name == "gibbs" else {}
    for u, k in ((0.25, 1), (0.5, 2), (0.75, 3)):
        note = f"four equal weights and u = {u}, on a partial sum: the topic is {k}"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=u, tie=True, **flat)
    if plan.name == "gibbs":
        zero = {"theta_jk": [[0.0, 0.5, 0.0, 0.5]], "phi_wk": [[0.5] * 4] * 2}
        note = "the first topic has weight 0 and u is 0: a topic of weight 0 is never drawn"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=0.0, tie=True, **zero)
        zero = {"theta_jk": [[0.25, 0.0, 0.25, 0.5]], "phi_wk": [[0.5] * 4] * 2}
        note = "two partial sums are u, as the topic between them has weight 0: both are counted"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=0.25, tie=True, **zero)
    add("sweep", "counts above 1: every token is drawn for itself", COUNTS, 4, 3, 0.1, 0.2)
    add("sweep", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS)
    add("sweep", "every word in two documents", FULL, 4, 4, 0.5, 0.4)
    add("sweep", "one topic", FULL, 4, 1, 0.1, 0.2)
    add("sweep", "one token", SINGLE, 2, 3, 0.1, 0.2)
    add("sweep", "priors of 0.001", COUNTS, 4, 2, 0.001, 0.001)
    add("sweep", "large priors, six topics", COUNTS, 4, 6, 2.0, 1.5)
    add("sweep", "vectors, six topics", COUNTS, 4, 6, ALPHAS, ETAS[:4])
    add("sweep", "tokens, five topics", FULL, 4, 5, 1.0, 0.5)
    add("sweep", "tokens, alpha a vector", FULL, 4, 5, ALPHAS[:5], 0.3)
    if plan.name == "cgs":
        documents = [[(0, 1)], [(1, 1), (2, 1), (3, 1), (4, 1)]]
        tied = {"state": {"z": [0, 0, 1, 2, 3]}, "uniforms": [0.5, 0.4090725, 0.8713945, 0.1652315, 0.6340275]}
        note = "the first token has four equal weights and u = 0.5, on a partial sum: its topic is 2"
        add("sweep", note, documents, 6, 4, 0.5, 0.5, tie=True, **tied)


def estimates(plan: Plan) -> None:
    """Add what is computed from a state without changing it."""
    name = plan.name
    add: Any = plan.add
    add("estimate", "counts above 1", COUNTS, 4, 3, 0.1, 0.2)
    add("estimate", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS)
    add("estimate", "a topic without mass", FULL, 4, 3, 0.5, 0.4, one_hot=True)
    add("estimate", "one topic", FULL, 4, 1, 0.1, 0.2)
    add("estimate", "tokens of three documents", FULL, 4, 2, 0.5, 0.4)
    if name == "vb" or name in COLLAPSED:
        add("bound", "counts above 1", COUNTS, 4, 3, 0.1, 0.2)
        add("bound", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS)
        add("bound", "rows certain of their topics: log p(x, z)", FULL, 4, 2, 0.5, 0.4, one_hot=True)
        add("bound", "one topic: log p(x)", TEXT, 6, 1, 0.1, 0.2)
        add("bound", "one token", SINGLE, 2, 3, 0.1, 0.2)
        add("bound", "tokens of three documents", FULL, 4, 2, 0.5, 0.4)
    add("predict", "test counts above 1", FULL, 4, 2, 0.5, 0.4, test=TEST["FULL"])
    note = "a test word never seen, and a document seen empty"
    if name in ("ml", "vem"):
        note += "; without a prior its probability is 0 and the perplexity infinite"
    add("predict", note, TEXT, 6, 3, ALPHAS[:3], ETAS, test=TEST["TEXT"])
    add("predict", "training counts above 1", COUNTS, 4, 3, 0.1, 0.2, test=TEST["FULL"])
    if name in ("ml", "map", "vem"):
        return
    step = "hyperparameters"
    flat, strong, mild = ({"shape": shape, "rate": rate} for shape, rate in ((1.0, 0.0), (2.0, 0.5), (1.5, 0.3)))
    add(step, "two numbers, a flat prior on them", FULL, 4, 3, 0.5, 0.3, gamma_prior=flat)
    add(step, "two numbers, counts above 1", COUNTS, 4, 2, 0.2, 0.7, gamma_prior=strong)
    add(step, "two vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, gamma_prior=mild)
    vectors = ([0.3, 1.4], [0.5, 0.2, 0.9])
    add(step, "two vectors, a flat prior on them", SMALL, 3, 2, *vectors, gamma_prior=flat)
