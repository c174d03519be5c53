"""SCVB0: CVB0 whose counts take a step after each token and after each batch of documents.

Foulds, Boyles, DuBois, Smyth and Welling (2013), Stochastic collapsed variational Bayesian inference for latent
Dirichlet allocation, is the source of what MeTA and Turi Create compute. The steps are derived again here: the paper
was not at hand, and its equations have names of ours.

CVB0 keeps gamma of every token; SCVB0 keeps the expected counts alone. It does not know which part of them is a token's
own, so that nothing is excluded:

    gamma_ik  ∝  (N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta)                          FBDSW13 [gamma]

If token i was drawn at random from the C_j tokens of document j, C_j gamma_ik has the mean N_jk, towards which the
document takes a step. The n tokens of a row take n such steps at once, with one gamma:

    N_jk  ←  (1 - rho_theta)^n N_jk + (1 - (1 - rho_theta)^n) C_j gamma_ik                FBDSW13 [document]

`burn_in` passes over the rows of a document do this alone. In the last pass the gamma are added up, too. For a batch
with N_b of the N tokens of the corpus, the step of the topics is

    estimate_wk = N/N_b sum_i n_i gamma_ik,  i: the rows of word w                        FBDSW13 [estimate]
    N_wk  ←  (1 - rho_phi) N_wk + rho_phi estimate_wk                                     FBDSW13 [step]

and N_k, the sum of N_wk over words, takes the same. With all tokens in the batch and rho_phi = 1, N_wk are the sums of
the last gamma.

The plain text is `plain.online.SCVB0`.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import check_generator, checked_counts, positive
from ..corpus import Corpus
from ..engine.arguments import checked_topics, whole_number
from ..engine.counts import sums
from ..engine.update import pseudocounts, soft
from ..model import Array, Prior, column, dirichlet, normalised, plus_prior
from .cvb0 import smoothed
from .online_vb import checked_jk, checked_rate, moved


class Topics(NamedTuple):
    """What the next batch needs: the expected counts N_wk (W, K) and N_k (K,) of the whole corpus."""

    N_wk: Array
    N_k: Array


def init(W: int, K: int, N: float, rng: np.random.Generator) -> Topics:
    """The first counts: N tokens, which each topic shares among the words at random.

    >>> init(3, 2, 100, np.random.default_rng(0)).N_k
    array([50., 50.])
    """
    check_generator(rng)
    shares_wk = dirichlet(np.ones((whole_number(W, "W", 1), whole_number(K, "K", 1))), 0, rng)
    return Topics(float(positive(N, "N")) / K * shares_wk, np.full(K, N / K))


def topics(s: Topics, p: Prior) -> Array:
    """phi_wk (W, K), its posterior mean at the counts.

    >>> topics(Topics(np.array([[2.5, 0.5], [0.5, 0.5]]), np.array([3.0, 1])), Prior(0.1, 0.5))
    array([[0.75, 0.5 ],
           [0.25, 0.5 ]])
    """
    return normalised(plus_prior(column(p.eta, s.N_wk), s.N_wk), 0)


def step(
    s: Topics,
    batch: Corpus,
    p: Prior,
    N: float,
    rho_theta: float,
    rho_phi: float,
    burn_in: int = 1,
    N_jk: Array | None = None,
) -> tuple[Topics, Array]:
    """The counts after one batch: those of the topics, and N_jk (B, K) of its documents.

    The batch has one token at least; its words are those of the vocabulary. N is the number of tokens of the whole
    corpus. The step sizes rho_theta and rho_phi are in (0, 1], see `online_vb.step_size`. `burn_in` is the number of
    passes over a document before the one that counts. The counts of the documents begin at N_jk (B, K), by default at
    equal shares.

    >>> batch, p = Corpus.from_documents([[0, 0, 1]]).types(), Prior(0.5, 0.5)
    >>> s, _ = step(Topics(np.array([[6.0], [4.0]]), np.array([10.0])), batch, p, N=30, rho_theta=0.1, rho_phi=0.5)
    >>> s.N_wk.ravel(), s.N_k  # half of the way from 6 and 4 to 10 (2) and 10 (1)
    (array([13.,  7.]), array([20.]))
    """
    N_wk = checked_counts(s.N_wk, "N_wk", "W")
    K = checked_topics(batch, p, N_wk.shape[-1])
    if len(N_wk) != batch.W:
        raise ValueError(f"N_wk has {len(N_wk)} rows, expected W = {batch.W}")
    for rho, rho_name in ((rho_theta, "rho_theta"), (rho_phi, "rho_phi")):
        checked_rate(rho, rho_name)
    pseudo = pseudocounts(p, batch.W)
    phi_wk = smoothed(column(pseudo.eta, N_wk), N_wk) / smoothed(pseudo.W_eta, s.N_k)
    C_j = batch.by_document(batch.n)
    N_jk = checked_jk(np.repeat(C_j[:, None] / K, K, 1) if N_jk is None else N_jk, "N_jk", batch, K)
    checked_counts(N_jk, "N_jk", "B")
    gamma, row_bounds = np.empty((batch.M, K)), np.searchsorted(batch.j, np.arange(batch.D + 1))
    kept_share_of_row = (1 - rho_theta) ** batch.n.astype(float)
    for j in np.flatnonzero(C_j):
        N_j = N_jk[j]
        for _ in range(whole_number(burn_in, "burn_in", 0) + 1):
            for i in range(row_bounds[j], row_bounds[j + 1]):
                gamma[i] = soft(smoothed(pseudo.alpha, N_j) * phi_wk[batch.w[i]])  # FBDSW13 [gamma]
                N_j = kept_share_of_row[i] * N_j + (1 - kept_share_of_row[i]) * C_j[j] * gamma[i]  # FBDSW13 [document]
        N_jk[j] = N_j
    _, batch_wk, batch_k = sums(gamma, batch)
    batch_scale = float(positive(N, "N")) / batch.N  # FBDSW13 [estimate]
    return Topics(moved(N_wk, batch_scale * batch_wk, rho_phi), moved(s.N_k, batch_scale * batch_k, rho_phi)), N_jk
