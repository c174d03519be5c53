"""Collapsed Gibbs sampling, TNW06 §2.2; AWST09 §2.5; SOL14 §2.4.1, Algorithm 3.

With theta and phi integrated out, the topic of a token given all others, TNW06 (8), AWST09 (14), SOL14 (8):

    P(z_ij = k | z^-ij, x_ij = w)  ∝  (N_wk^-ij + eta) / (N_k^-ij + W eta) (N_kj^-ij + alpha)

The weights are those of CVB0, AWST09 (13), at counts of drawn topics: the equation stands there. A sweep draws every
token in turn, the counts refreshed after each draw; a row of count n draws its n tokens one after the other.
"""

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import Algorithm, State, posterior_mean, soft, sweep_tokens
from ..model import Array, Prior
from .cvb0 import ALGORITHM as CVB0
from .cvb0 import document, topic, word  # TNW06 (8), AWST09 (14), SOL14 (8)(28)(29)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("cgs is a sampler and has no bound: its draws estimate the posterior, not log p(x | alpha, eta)")


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("cgs is a sampler and climbs nothing: it draws from the posterior")


ALGORITHM = Algorithm(
    name="cgs",
    schedules=("token",),
    assignment="sample",
    excludes="token",
    document=document,
    word=word,
    topic=topic,
    rest=np.subtract,  # counts of draws are whole numbers, and nothing is rounded
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
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

    def fractions(x: Array) -> Array:
        return rng.multinomial(R, soft(x)) / R  # AWST09 §2.6

    gamma = np.array(s.gamma)
    sweep_tokens(CVB0, gamma, c, p, fractions)
    return State(gamma)
