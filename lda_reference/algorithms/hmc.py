"""Hamiltonian Monte Carlo as an algorithm: TNW06 Table 1, "marginalize out" z and "sample" the parameters.

The paper's cell is "any MCMC". Here a sweep is one trajectory of hamiltonian.py, in the coordinates u of theta and phi,
with z summed out. The state is u, and its gamma is the distribution of z given theta and phi, SOL14 (7), as in Gibbs
sampling:

    gamma_jwk  ∝  theta_jk phi_wk

With one leapfrog it is the Metropolis-adjusted Langevin algorithm (MALA): `with_steps(step, 1)`.

*Choosing the step.* `acceptance` gives the mean acceptance probability. Halve the step if it is far below 0.65, double
it if it is near 1, with step times leapfrogs about constant (Neal 2011: 0.65 is best in high dimensions; for MALA 0.57,
Roberts and Rosenthal 1998). Choose before the run: a step that is changed by the draws changes their distribution.

The plain text of a trajectory is `plain.gradients.Leapfrog`.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..arguments import positive, whole_number
from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import posterior_mean
from ..engine.state import Keeps, State
from ..model import Array, Prior
from . import hamiltonian
from .gibbs import ALGORITHM as GIBBS
from .hamiltonian import Coordinates


def coordinates(s: State) -> Coordinates:
    """The coordinates u of theta and phi that the state keeps."""
    if s.own is None:
        raise ValueError("the state has no u, theta and phi: start from init")
    return s.own


def parameters(s: State, c: Corpus, p: Prior, rng: np.random.Generator | None) -> tuple[Array, Array]:
    """log theta_jk and log phi_wk of the state; nothing is drawn."""
    return hamiltonian.logs(coordinates(s))


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The mean of theta after a Gibbs step from the state, AWST09 (15) at the counts of gamma, and the state's phi.

    Averages of the estimates, and of their products theta_jk phi_wk, have the limits of the draws, with less variance:
    after the step theta and phi still have the posterior distribution. A state without u gets the mean of phi at its
    gamma as well.
    """
    theta_jk, phi_wk = posterior_mean(s, c, p)
    return theta_jk, phi_wk if s.own is None else np.exp(hamiltonian.logs(s.own)[1])


def state_at(u: Coordinates, s: State, c: Corpus, p: Prior) -> State:
    return ALGORITHM.conditional(s._replace(own=u), c, p)


def first_state(s: State, c: Corpus, p: Prior) -> State:
    """The state at the posterior means of theta and phi, AWST09 (15), and at the prior means of the sums of x."""
    theta_jk, phi_wk = posterior_mean(s, c, p)
    alpha, eta = p.vectors(s.shape[-1], c.W, "hmc")
    u = Coordinates(np.log(theta_jk) + np.log(alpha.sum()), np.log(phi_wk) + np.log(eta.sum()))
    return state_at(u, s, c, p)


def sweep(
    s: State,
    c: Corpus,
    p: Prior,
    rng: np.random.Generator | None,
    held_wk: Array | None,
    step: float,
    leapfrogs: int,
) -> State:
    """A transition; the engine then computes gamma from `parameters`. If it is rejected, the state stays."""
    u = coordinates(s)
    if rng is None:
        raise ValueError("rng is missing: hmc draws with it")
    move = hamiltonian.transition(u, c, p, step, leapfrogs, *hamiltonian.randomness(u, rng), held_wk)
    return s._replace(own=move.u)


def with_steps(step: float, leapfrogs: int) -> Algorithm:
    """Hamiltonian Monte Carlo with a step size and a number of leapfrogs; MALA if there is one leapfrog.

    >>> with_steps(0.5, 1)
    Algorithm('hmc, step 0.5, leapfrogs 1')
    """
    positive(step, "step")
    leapfrogs = whole_number(leapfrogs, "leapfrogs", 1)
    algorithm_name = f"{ALGORITHM.name}, step {float(step)!r}, leapfrogs {leapfrogs}"
    return replace(ALGORITHM, name=algorithm_name, sweep_of=partial(sweep, step=float(step), leapfrogs=leapfrogs))


def acceptance(
    s: State, c: Corpus, p: Prior, rng: np.random.Generator, step: float, leapfrogs: int, sweeps: int = 100
) -> tuple[State, Any]:
    """The state after some transitions, and their mean acceptance probability, a float or (R,), to choose a step by.

    >>> c, p, rng = Corpus.from_documents([[0, 0, 1], [1, 2]]), Prior(1, 1), np.random.default_rng(0)
    >>> s = ALGORITHM.init(c, 2, p, rng)
    >>> [round(float(acceptance(s, c, p, rng, step, leapfrogs=3)[1]), 1) for step in (0.25, 3)]
    [1.0, 0.0]
    """
    sum_of_probabilities, u = 0.0, coordinates(s)
    for _ in range(whole_number(sweeps, "sweeps", 1)):
        move = hamiltonian.transition(u, c, p, step, leapfrogs, *hamiltonian.randomness(u, rng))
        u, sum_of_probabilities = move.u, sum_of_probabilities + np.exp(np.minimum(move.log_ratio, 0))
    return state_at(u, s, c, p), sum_of_probabilities / sweeps


ALGORITHM = replace(  # TNW06 Table 1
    GIBBS,
    name="hmc",
    update=GIBBS.update._replace(logs=True),  # SOL14 (7)(24), as log theta_jk and log phi_wk
    parameters=parameters,
    sweep_of=partial(sweep, step=0.25, leapfrogs=10),
    estimate_of=estimate,
    learns="its state has no counts of z to learn from",
    keeps=Keeps(Coordinates, "u", ("DRK", "WRK"), start=first_state),
)
