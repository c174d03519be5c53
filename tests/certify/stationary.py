"""The laws of z that mistaken samplers keep.

A collapsed Gibbs sampler with a mistake is a Markov chain on all assignments of topics, and its stationary law is found
by power iteration. For the uncollapsed sampler, some mistakes amount to another model, whose posterior is enumerated.
"""

import itertools
from fractions import Fraction

import numpy as np

from lda_reference.oracle.changes.change import changed
from lda_reference.oracle.changes.named import catalogue

from .posterior import assignments, posterior
from .rounding import Midpoints

OF_PRIOR = (
    "alpha-reversed", "alpha-shifted", "alpha-first", "alpha-divided-by-K", "alpha-times-K", "eta-reversed",
    "eta-shifted", "eta-first", "eta-divided-by-W",
)  # fmt: skip
CHAINS = (
    "nothing-excluded", "topic-count-not-excluded", "all-copies-excluded", "W-for-W-eta", "eta-for-W-eta",
    "no-topic-term", "alpha-averaged", "eta-averaged", "alpha-and-eta-swapped", "sums-refreshed-late",
    "draw-off-by-one", "draw-unnormalised", "one-draw-for-row",
    "document-count-not-excluded", "word-count-not-excluded", "excluded-from-document-only", "excluded-from-word-only",
    *OF_PRIOR,
)  # fmt: skip
ONE_THETA = "one-theta"  # a mistake that only samplers show


def mistaken_laws(case):
    """The mistakes of a sampler, and the law of z under each."""
    return collapsed_laws(case) if case["algorithm"] == "cgs" else uncollapsed_laws(case)


def collapsed_laws(case):
    """The stationary laws of mistaken collapsed Gibbs samplers."""
    for name in CHAINS:
        if can_be_made(case, name):
            yield name, stationary(case, name)


def uncollapsed_laws(case):
    """The posteriors of the models that mistaken Gibbs samplers draw from."""
    c = case["corpus"]
    one_word = {**c, "w": [0] * len(c["w"]), "W": 1}
    yield "phi-left-out", posterior(case | {"corpus": one_word, "prior": case["prior"] | {"eta": 1.0}})
    for name in ("alpha-averaged", "eta-averaged", "alpha-and-eta-swapped", *OF_PRIOR):
        if not can_be_made(case, name):
            continue
        alpha_k, eta_wk = mistaken(case, name, (0,) * sum(c["n"])).prior()
        prior = {"alpha": [float(a) for a in alpha_k], "eta": [float(row[0]) for row in eta_wk]}
        yield name, posterior(case | {"prior": prior})
    one_document = {**c, "j": [0] * len(c["j"]), "D": 1}
    yield ONE_THETA, posterior(case | {"corpus": one_document})


def stationary(case, mistake):
    """The law that a sweep of the mistaken sampler keeps, by power iteration in float64 from the uniform law."""
    n = case["corpus"]["n"]
    z = np.array(list(assignments(case["K"], sum(n))))
    p = np.array([probabilities(case, mistake, tuple(state)) for state in z.tolist()])
    if mistake == "sums-refreshed-late":  # every topic is drawn from the assignments before the sweep
        steps = [p[:, np.arange(sum(n)), z].prod(-1)]
    else:
        ends = np.cumsum(n) if mistake == "one-draw-for-row" else np.arange(1, sum(n) + 1)
        steps = [step_of_group(z, p, group) for group in np.split(np.arange(sum(n)), ends[:-1])]
    law = np.full(len(z), 1 / len(z))
    for _ in range(3000):
        before = law
        for step in steps:
            law = (law[:, None] * step).sum(0)  # in the same order on every machine
        if np.abs(law - before).max() < 1e-15:
            return {tuple(state): Fraction(q) for state, q in zip(z.tolist(), law.tolist(), strict=True)}
    raise ValueError(f"{case['id']}: 3000 sweeps do not reach a stationary law of {mistake}")


def step_of_group(z, p, group):
    """The transition matrix of a step that moves a group of tokens to a topic drawn for its first token."""
    K, N = p.shape[2], z.shape[1]
    step = np.zeros((len(z), len(z)))
    for k in range(K):
        moved = z.copy()
        moved[:, group] = k
        step[np.arange(len(z)), moved @ K ** np.arange(N)[::-1]] += p[:, group[0], k]
    return step


def probabilities(case, mistake, z):
    """The probabilities of the topics that the sampler draws for each token, from assignments z."""
    with Midpoints().precision():
        e = mistaken(case, mistake, z)
        drawn = DRAWN.get(mistake, e.normalised)
        return [[float(v) for v in drawn(e.weights(e.gamma, i))] for i in range(len(z))]


def mistaken(case, mistake, z):
    """The sampler of a case with a mistake, at the assignment z; a ValueError if its prior does not allow the mistake."""
    return changed(case | {"state": {"z": list(z)}}, Midpoints(), catalogue()[mistake].changes)


def can_be_made(case, mistake):
    """Whether a mistake can be made with the prior of a case: some change single numbers alone."""
    try:
        mistaken(case, mistake, (0,) * sum(case["corpus"]["n"]))
    except ValueError:
        return False
    return True


def first_two_as_one(x):
    """The probabilities of topics with weights x: the first topic has those of two, and the last none."""
    p = [v / sum(x) for v in x]
    return [p[0] + p[1], *p[2:], 0]


def shares_of_one(x):
    """What each weight covers of the numbers from 0 to 1; the last topic has what is left."""
    ends = [s if s <= 1 else 1 for s in itertools.accumulate(x[:-1])]
    return [b - a for a, b in itertools.pairwise([0, *ends, 1])]


DRAWN = {"draw-off-by-one": first_two_as_one, "draw-unnormalised": shares_of_one}
