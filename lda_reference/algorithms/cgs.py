"""Collapsed Gibbs sampling, TNW06 §2.2; AWST09 §2.5; SOL14 §2.4.1, Algorithm 3.

With theta and phi integrated out, the topic of a token given all others is, TNW06 (8), AWST09 (14), SOL14 (8):

    P(z_ij = k | z^-ij, x_ij = w)  ∝  (N_wk^-ij + eta) / (N_k^-ij + W eta) (N_kj^-ij + alpha)

The weights are those of CVB0, AWST09 (13), at counts of drawn topics. A sweep draws every token in turn, and the counts
are refreshed after each draw; a row of count n draws its n tokens one after the other.

The plain text is `plain.updates.CGS`.
"""

import numpy as np

from ..arguments import check_generator
from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import posterior_mean
from ..engine.state import State
from ..engine.update import Count, Term, Update, expected, soft
from ..model import Array, Prior
from .cvb0 import ALGORITHM as CVB0
from .cvb0 import smoothed

DRAWN = Count(expected, np.subtract)  # counts of draws are whole numbers, and nothing is rounded
TERM = Term(smoothed, DRAWN)  # TNW06 (8), AWST09 (14), SOL14 (8)(28)(29)

ALGORITHM = Algorithm(
    name="cgs",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="token"),
    schedules=("token",),
    assignment="sample",
    estimate_of=posterior_mean,
    bound_of="it is a sampler, and its draws estimate the posterior, not the evidence",
    objective_of="it is a sampler, and draws from the posterior",
)


def sweep_of_fractions(s: State, c: Corpus, p: Prior, R: int, rng: np.random.Generator) -> State:
    """AWST09 §2.6's thought experiment: each topic is drawn R times, and the counts take the fractions.

    "As R -> ∞, this distribution will be exactly (13) and this algorithm will be CVB0." With R = 1 it is collapsed
    Gibbs sampling.

    Parameters
    ----------
    s : State, without replicates
    c : Corpus
    p : Prior
    R : int
    rng : numpy.random.Generator
    """
    check_generator(rng)

    def fractions(x: Array) -> Array:
        return rng.multinomial(R, soft(x)) / R  # AWST09 §2.6

    return CVB0.sweep(s, c, p, schedule="token", assignment=fractions)
