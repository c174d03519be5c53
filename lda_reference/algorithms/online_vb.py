"""Online variational Bayes: VB whose topics take a step after each batch of documents.

Hoffman, Blei and Bach (2010), Online learning for latent Dirichlet allocation, is the source of what gensim, Spark, and
`partial_fit` of scikit-learn compute; SN12 §11 and BOO16 §2 name it. The step is derived again here: the paper was not
at hand, and its equations have names of ours.

A batch has B of the D documents of a corpus, or of a stream that is as long. With the parameters eta_wk of q(phi) held,
TNW06 (6) and (4) are iterated for its documents, and gamma is computed once more from the last alpha_jk. Then

    estimate_wk = eta_w + D/B sum_i n_i gamma_ik,  i: the rows of word w              HBB10 [estimate]
    rho_t       = (tau0 + t)^-kappa                                                   HBB10 [rate]
    eta_wk      ← (1 - rho_t) eta_wk + rho_t estimate_wk                              HBB10 [step]

The estimate is TNW06 (5) for a corpus of D/B copies of the batch. The difference estimate_wk - eta_wk is the natural
gradient of the bound, TNW06 (2), for the same copies. With all documents in the batch and rho = 1 the step is VB's.

The sum of all rho_t is infinite and that of their squares finite if kappa is in (1/2, 1]. Libraries count t and tau0 in
different ways: Hoffman's program adds 1 to tau0, and scikit-learn and Spark begin with t = 1.

The plain text is `plain.online.OnlineVB`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_generator, finite, positive
from ..corpus import Corpus
from ..engine.arguments import checked_topics, whole_number
from ..engine.counts import sums
from ..model import Array, Prior, column, normalised
from .vb import e_step, responsibilities


class Topics(NamedTuple):
    """What the next batch needs: eta_wk, the parameters of q(phi), and t, the number of batches so far.

    eta_wk is (W, K) and positive. The paper calls it lambda.
    """

    eta_wk: Array
    t: int = 0


def init(W: int, K: int, rng: np.random.Generator) -> Topics:
    """The first topics, Gamma(100, 1/100) variables, as in libraries.

    >>> init(3, 2, np.random.default_rng(0)).eta_wk.shape
    (3, 2)
    """
    check_generator(rng)
    return Topics(rng.gamma(100, 0.01, (whole_number(W, "W", 1), whole_number(K, "K", 1))))


def topics(s: Topics) -> Array:
    """phi_wk (W, K), the mean of q(phi).

    >>> topics(Topics(np.array([[3.0, 1], [1, 1]])))
    array([[0.75, 0.5 ],
           [0.25, 0.5 ]])
    """
    return normalised(s.eta_wk, 0)


def step_size(t: float, tau0: float, kappa: float, s: float = 1.0) -> float:
    """rho_t = s (tau0 + t)^-kappa, of online VB with s = 1, and of SCVB0.

    >>> step_size(3, 1, 0.5)
    0.5
    """
    if not tau0 + t > 0:
        raise ValueError(f"tau0 + t is {tau0 + t:g}, expected more than 0")
    return float(s * (tau0 + t) ** -kappa)  # HBB10 [rate], FBDSW13 [rate]


def step(
    s: Topics,
    batch: Corpus,
    p: Prior,
    D: float,
    tau0: float = 1.0,
    kappa: float = 0.7,
    iterations: int = 100,
    alpha_jk: Array | None = None,
) -> tuple[Topics, Array]:
    """The topics after one batch, and the parameters alpha_jk (B, K) of its documents.

    The batch has one token at least; its words are those of the vocabulary. D is the number of documents of the whole
    corpus. `step_size` of tau0 and kappa must not be above 1. The iterations of TNW06 (6) and (4) begin at alpha_jk,
    all positive, by default at alpha_k + N_j / K, the parameters for uniform gamma.

    >>> batch, p = Corpus.from_documents([[0, 0], [1]]), Prior(0.5, 0.5)
    >>> s, _ = step(Topics(np.array([[2.0], [1.0]]), t=3), batch, p, D=20, kappa=0.5)
    >>> s.eta_wk.ravel(), s.t  # half of the way from 2 and 1 to 0.5 + 10 (2) and 0.5 + 10 (1)
    (array([11.25,  5.75]), 4)
    """
    eta_wk = positive(finite(s.eta_wk, "eta_wk", (2,), "(W, K)"), "eta_wk")
    K = checked_topics(batch, p, eta_wk.shape[1])
    if len(eta_wk) != batch.W:
        raise ValueError(f"eta_wk has {len(eta_wk)} rows, expected W = {batch.W}")
    rho = checked_rate(step_size(s.t, tau0, kappa), "(tau0 + t)^-kappa")
    if alpha_jk is None:
        alpha_jk = sums(np.full((batch.M, K), 1 / K), batch).jk + p.arrays(K, batch.W)[0]
    alpha_jk = positive(checked_jk(alpha_jk, "alpha_jk", batch, K), "alpha_jk")
    alpha_jk = e_step(alpha_jk, eta_wk, batch, p, whole_number(iterations, "iterations", 0))
    N_wk = sums(responsibilities(alpha_jk, eta_wk, batch), batch).wk
    estimate_wk = column(p.eta, N_wk) + float(positive(D, "D")) / batch.D * N_wk  # HBB10 [estimate]
    return Topics(moved(eta_wk, estimate_wk, rho), s.t + 1), alpha_jk


def moved(old_numbers: Array, new_numbers: Array, rho: float) -> Array:
    """The weighted mean of old and new numbers."""
    return (1 - rho) * old_numbers + rho * new_numbers  # HBB10 [step], FBDSW13 [step]


def checked_rate(rho: float, rate_name: str) -> float:
    """A step size, if it is above 0 and at most 1."""
    if not 0 < rho <= 1:
        raise ValueError(f"{rate_name} is {rho:g}, expected a number above 0, and at most 1")
    return rho


def checked_jk(x: ArrayLike, table_name: str, batch: Corpus, K: int) -> Array:
    """A copy of x, if it is a finite number for each document and topic."""
    table_jk = np.array(finite(x, table_name, (2,), "(B, K)"), np.float64)
    if table_jk.shape != (batch.D, K):
        raise ValueError(f"{table_name} has shape {table_jk.shape}, expected ({batch.D}, {K})")
    return table_jk
