"""Stochastic gradient Riemannian Langevin dynamics: a sampler of phi whose steps take a batch of documents each.

Patterson and Teh (2013), Stochastic gradient Riemannian Langevin dynamics on the probability simplex. theta is
integrated out, and phi_wk = x_wk / sum_w x_wk with x_wk ~ Gamma(eta_w, 1), the expanded mean of hamiltonian.py. A step
takes a batch of B of the D documents, samples their topics given phi and moves x by their counts:

    z_ij  ~  p(z_ij = k | z^-ij, phi)  ∝  (N_jk^-ij + alpha_k) phi_wk,     one or more sweeps of the batch
    x_wk  ←  |x_wk + step/2 (eta_w - x_wk + D/B (N_wk - N_k phi_wk)) + sqrt(step x_wk) normal|,

with N_wk and N_k the counts of the batch, the mean over its sweeps. That is a Langevin step with the metric 1/x: the
gradient of log p(x) + E log p(z, tokens | x) in x_wk is (eta_w - 1)/x_wk - 1 + N_wk/x_wk - N_k/sum_w x_wk; times x_wk,
plus 1 for the derivative of the metric's inverse, it is the bracket. The absolute value keeps x positive.

Nothing is accepted or rejected, so with a constant step the chain has a wrong stationary law. The error falls with the
step, slowly if eta is small, if each document keeps its z from one visit to the next, as here. Patterson and Teh let
the steps fall, so that the averages, weighted by the steps, converge.

The plain text of a step is `plain.gradients.Langevin`.
"""

from typing import Any, NamedTuple

import numpy as np

from ..arguments import check_generator, positive
from ..corpus import Corpus, Ints
from ..engine.arguments import whole_number
from ..engine.counts import mean_one_hot, sums
from ..engine.starts import uniform_topics
from ..engine.state import State
from ..model import Array, Prior, column, normalised
from . import cgs


class Chain(NamedTuple):
    """What the next step needs."""

    z: Ints  # (N, R), the topic of each token in row order
    x_wk: Array  # (W, R, K), phi_wk times a free positive number for each topic


def init(c: Corpus, K: int, p: Prior, rng: np.random.Generator, replicates: int = 1) -> Chain:
    """z uniform, and x from its prior.

    >>> s = init(Corpus.from_documents([[0, 1]]), 3, Prior(1, 1), np.random.default_rng(0), replicates=5)
    >>> s.z.shape, s.x_wk.shape
    ((2, 5), (2, 5, 3))
    """
    check_generator(rng)
    _, eta = p.vectors(whole_number(K, "K", 1), c.W, "sgrld")
    z = np.stack([uniform_topics(c, K, rng) for _ in range(whole_number(replicates, "replicates", 1))], 1)
    return Chain(z, rng.standard_gamma(np.broadcast_to(eta[:, None, None], (c.W, replicates, K))))


def topics(s: Chain) -> Array:
    """phi_wk, (W, R, K)."""
    return normalised(s.x_wk, 0)


def sample_batch(
    s: Chain, c: Corpus, p: Prior, batch: Ints, rng: np.random.Generator, sweeps: int = 1
) -> tuple[Ints, Array]:
    """z (N, R) after sweeps over the tokens of some documents, with phi held, and the mean of their N_wk (W, R, K)."""
    is_in_batch = np.isin(c.j, batch)
    is_batch_token = np.repeat(is_in_batch, c.n.astype(np.intp))
    batch_c, phi_wk, K = c.with_rows(c.j[is_in_batch], c.w[is_in_batch], c.n[is_in_batch]), topics(s), s.x_wk.shape[-1]
    z, sum_of_N_wk = s.z[is_batch_token], np.zeros_like(s.x_wk)
    for _ in range(whole_number(sweeps, "sweeps", 1) if batch_c.N else 0):
        state = cgs.ALGORITHM.sweep(State(mean_one_hot(z, batch_c, K), z), batch_c, p, rng=rng, held_topics=phi_wk)
        assert state.z is not None
        z, sum_of_N_wk = state.z, sum_of_N_wk + sums(state.gamma, batch_c).wk
    new_z = s.z.copy()
    new_z[is_batch_token] = z
    return new_z, sum_of_N_wk / sweeps


def langevin(x_wk: Array, N_wk: Array, p: Prior, step: float, normals: Array) -> Array:
    """The step of x, given the counts of the corpus or an unbiased estimate of them; all (W, R, K).

    >>> x_wk, N_wk = np.ones((2, 1, 1)), np.array([[[3.0]], [[1.0]]])
    >>> langevin(x_wk, N_wk, Prior(1, 1), 0.1, np.zeros((2, 1, 1))).ravel()  # 1 + 0.05 (0 ± 1)
    array([1.05, 0.95])
    """
    eta = column(p.eta, x_wk)
    drift = eta - x_wk + N_wk - N_wk.sum(0) * normalised(x_wk, 0)
    return np.abs(x_wk + step / 2 * drift + np.sqrt(step * x_wk) * normals)  # PT13 [step]


def update(s: Chain, c: Corpus, p: Prior, batch: Ints, step: float, rng: np.random.Generator, sweeps: int = 1) -> Chain:
    """One step with a batch of different documents, integers from 0 below D.

    The step is positive; z takes 1 or more sweeps over the batch's tokens. A ValueError says if the step is not
    positive, or the batch (B,) is empty, has a document twice or one that is not in the corpus.
    """
    check_generator(rng)
    positive(step, "step")
    batch = np.asarray(batch)
    if not (0 < batch.size == np.unique(batch).size and np.isin(batch, np.arange(c.D)).all()):
        raise ValueError(f"batch is {batch.tolist()}, expected different documents from 0 below D = {c.D}")
    z, N_wk = sample_batch(s, c, p, batch, rng, sweeps)
    normals = rng.standard_normal(s.x_wk.shape)
    return Chain(z, langevin(s.x_wk, c.D / batch.size * N_wk, p, step, normals))


def run(
    s: Chain, c: Corpus, p: Prior, batch_size: int, step: float, steps: int, rng: np.random.Generator, sweeps: int = 1
) -> tuple[Chain, Any]:
    """Steps of constant size with random batches, the same for all replicates, and the mean of sum_k phi_wk phi_w'k.

    The moment is (R, W, W). Renumbering the topics does not change it, and `truth.table_posterior.moments` has its
    exact value.

    >>> c, p, rng = Corpus.from_documents([[0, 0], [1]]), Prior(1, 1), np.random.default_rng(0)
    >>> s, mean = run(init(c, 2, p, rng), c, p, batch_size=1, step=0.1, steps=100, rng=rng)
    >>> mean.shape, round(float(mean.sum()), 6)
    ((1, 2, 2), 2.0)
    """
    check_generator(rng)
    whole_number(batch_size, "batch_size", 1)
    sum_of_moments: Any = 0.0
    for _ in range(whole_number(steps, "steps", 1)):
        batch = np.arange(c.D) if batch_size >= c.D else rng.choice(c.D, batch_size, replace=False)
        s = update(s, c, p, batch, step, rng, sweeps)
        phi_wk = topics(s)
        sum_of_moments = sum_of_moments + np.einsum("wrk,vrk->rwv", phi_wk, phi_wk)
    return s, sum_of_moments / steps
