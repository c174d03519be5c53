"""Collapsed variational Bayes, exactly: TNW06 §3 and Appendix A.

theta and phi are treated exactly and the z are independent, q(z) = prod_ij q(z_ij | gamma_ij). The bound to minimise
is

    F(q(z)) = E_q(z)[-log p(x, z | alpha, beta)] - H(q(z))                                        (12)

and its minimum over one gamma_ij, the others held,

    gamma_ijk  ∝  exp(E_q(z^-ij)[log(alpha + n_jk^-ij) + log(beta + n_kx_ij^-ij) - log(W beta + n_k^-ij)])      (15)

Under q every count is a sum of independent Bernoulli variables. Two ways to its expectations, which agree to rounding:

- `ALGORITHM`, `cvb_exact`: through the generating function of n (see `bernoulli`), at a price for a row that does not
  depend on the corpus;
- `CONVOLUTION`: Appendix A to the letter. The distribution of n_jk is the convolution of all v_ijk = [1 - gamma_ijk,
  gamma_ijk]; a token is taken out of it by deconvolution; E[log(alpha + n)] is then a sum over n. Its price for a row
  grows with the counts, and counts above 20,000 are refused. In the `token` schedule, where a distribution would have
  to be kept up through a sweep and deconvolution loses its digits, the distributions of the other tokens are made anew
  for each row, at the square of that price. `sparsified(threshold)` sets small entries to zero, as the appendix
  mentions.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import gammaln

from .. import bernoulli
from ..corpus import Corpus, Ints
from ..engine import Algorithm, Smoothing, State, Sums, Three, entropy, posterior_mean, sums
from ..model import Array, Prior, collapsed


def bound(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the collapsed free energy (12) at gamma, in nats: exact to about 1e-13 relative.

    Holds for any gamma, so for every algorithm with independent z: VB's bound (2) <= this <= log p(x | alpha, eta),
    TNW06 (13).
    """
    gamma = s.gamma
    N = sums(gamma, c)
    V = sums(gamma * (1 - gamma), c)
    alpha, eta = p.vectors(gamma.shape[-1], c.W)
    a_jk, a_wk, a_k = alpha, eta.reshape(-1, *(1,) * (gamma.ndim - 1)), eta.sum()

    t = bernoulli.nodes(min(np.min(alpha), np.min(eta)))
    jk, wk, k = (bernoulli.left_tail(x) for x in V)
    for t_q in t:
        log_G = sums(bernoulli.log_generating_function(gamma, t_q[None])[0], c)
        jk += bernoulli.STEP * bernoulli.log_gamma_integrand(a_jk, N.jk, log_G.jk, t_q)
        wk += bernoulli.STEP * bernoulli.log_gamma_integrand(a_wk, N.wk, log_G.wk, t_q)
        k += bernoulli.STEP * bernoulli.log_gamma_integrand(a_k, N.k, log_G.k, t_q)

    log_gamma_j = gammaln(alpha.sum() + np.bincount(c.j, c.n, c.D))  # N_j is observed, whatever z
    expected = collapsed(
        gammaln(a_jk + N.jk) + jk,
        log_gamma_j.reshape(-1, *(1,) * (gamma.ndim - 2)),
        gammaln(a_wk + N.wk) + wk,
        gammaln(a_k + N.k) + k,
        p,
    )
    return expected + entropy(gamma, c)  # TNW06 (12), SN12 (4), restored


# By the generating function: the statistic of a row is its mean and the log generating function at the nodes t


def prepare(A: Algorithm, s: State, c: Corpus, p: Prior, rng: Any) -> Algorithm:
    """The algorithm with its nodes, which depend on the smallest prior."""
    t = bernoulli.nodes(min(np.min(p.alpha), np.min(p.eta)))
    prepared = replace(
        A,
        statistic=lambda gamma: bernoulli.statistic(gamma, t),
        document=lambda q, S_jk: bernoulli.expected_log(q.alpha, S_jk, t),  # TNW06 (15), SN12 (5), restored
        word=lambda q, S_wk: bernoulli.expected_log(q.eta, S_wk, t),  # TNW06 (15), SN12 (5), restored
        topic=lambda q, S_k: bernoulli.expected_log(q.W_eta, S_k, t),  # TNW06 (15), SN12 (5), restored
    )
    if A.topics is not None:  # see hold_topics
        return replace(prepared, word=A.word, topic=A.topic)
    safe = min(np.min(p.alpha), np.min(p.eta)) >= bernoulli.SAFE
    return replace(prepared, leave_one_out=partial(leave_one_out, t)) if safe else prepared


def leave_one_out(t: Array, q: Smoothing, S: Sums, gamma: Array, c: Corpus, u: Any) -> Callable[[slice], Three]:
    """The factors of rows in `corpus` order, faster: TNW06 (15) by division in the place of differences of logs."""
    eta = q.eta.reshape(-1, *(1,) * (gamma.ndim - 1)) if q.eta.ndim else q.eta
    at_jk, at_wk = bernoulli.terms(q.alpha, S.jk, t), bernoulli.terms(eta, S.wk, t)
    at_k = bernoulli.terms(q.W_eta, S.k[None], t)
    a_jk, a_wk, a_k = S.jk[:, 0] + q.alpha, S.wk[:, 0] + eta, S.k[0] + q.W_eta

    def of(rows: slice) -> Three:
        j, w, g = c.j[rows], c.w[rows], gamma[rows]
        y = bernoulli.tokens(g, t)
        return (
            bernoulli.log_of_laplace(a_jk[j] - g, bernoulli.laplace_without(at_jk[j], y), t),  # TNW06 (15)
            bernoulli.log_of_laplace(a_wk[w] - g, bernoulli.laplace_without(at_wk[w], y), t),  # TNW06 (15)
            bernoulli.log_of_laplace(a_k - g, bernoulli.laplace_without(at_k, y), t),
        )

    return of


def of_prepared(q: Smoothing, S: Array) -> Array:
    raise ValueError("the factors depend on the nodes: see prepare")


ALGORITHM = Algorithm(
    name="cvb_exact",
    schedules=("token", "document", "corpus"),
    excludes="token",
    rest=bernoulli.rest,
    prepare=prepare,
    document=of_prepared,
    word=of_prepared,
    topic=of_prepared,
    logs=True,
    estimate=posterior_mean,
    bound=bound,
    objective=bound,
)

# By convolution: the statistic of a row is the distribution [1 - gamma, gamma] of one token


def distribution(gamma: Array) -> Array:
    return np.stack((1 - gamma, gamma))  # TNW06 App. A


Convolve = Callable[[Array, Array, Array], None]


def of_count(convolve: Convolve, stat: Callable[[Any], Array], c: Corpus, rows: Ints, left_out: int = -1) -> Array:
    """The distribution of the count of some rows, (n + 1, K), a token of one of them left out."""
    n = c.n[rows] - (rows == left_out)
    v = np.zeros((int(n.sum()) + 1, *stat(0).shape[1:]))
    v[0], filled = 1.0, 1
    for i in np.repeat(rows, n).tolist():
        filled += 1
        convolve(v[:filled], stat(i), v[:filled])  # TNW06 App. A
    return v


def convolved(convolve: Convolve, stat: Callable[[Any], Array], c: Corpus) -> Sums:
    """The distributions of all counts: (D, n + 1, K), (W, n + 1, K), (n + 1, K), n the largest count of each kind."""
    totals = []
    for name, index, size in (("a document", c.j, c.D), ("a word", c.w, c.W), ("the corpus", np.zeros_like(c.j), 1)):
        n = np.bincount(index, c.n, size).astype(int)
        if n.max() > bernoulli.LARGEST:
            raise ValueError(
                f"convolution is for counts up to {bernoulli.LARGEST:,} and {name} has {n.max():,} tokens: cvb_exact"
                " does the same by the generating function"
            )
        total = np.zeros((size, n.max() + 1, *stat(0).shape[1:]))
        for x in range(size):
            total[x, : n[x] + 1] = of_count(convolve, stat, c, np.flatnonzero(index == x))
        totals.append(total)
    return Sums(totals[0], totals[1], totals[2][0])


def without(convolve: Convolve, stat: Callable[[Any], Array], c: Corpus, i: int) -> Three:
    """The three distributions that row i sees, in the `token` schedule: of the other tokens, convolved anew."""
    groups = np.flatnonzero(c.j == c.j[i]), np.flatnonzero(c.w == c.w[i]), np.arange(c.M)
    v_jk, v_wk, v_k = (of_count(convolve, stat, c, rows, i) for rows in groups)
    return v_jk, v_wk, v_k


def document(q: Smoothing, v_jk: Array) -> Array:
    return bernoulli.expected_log_of(q.alpha, v_jk)  # TNW06 (15), SN12 (5), restored


def word(q: Smoothing, v_wk: Array) -> Array:
    return bernoulli.expected_log_of(q.eta, v_wk)  # TNW06 (15), SN12 (5), restored


def topic(q: Smoothing, v_k: Array) -> Array:
    return bernoulli.expected_log_of(q.W_eta, v_k)  # TNW06 (15), SN12 (5), restored


CONVOLUTION = Algorithm(
    name="cvb_exact, convolution",
    schedules=("token", "corpus"),
    excludes="token",
    statistic=distribution,
    total=partial(convolved, bernoulli.convolve),
    rest=bernoulli.deconvolve,
    without=partial(without, bernoulli.convolve),
    document=document,
    word=word,
    topic=topic,
    logs=True,
    estimate=posterior_mean,
    bound=bound,
    objective=bound,
)


def sparsified(threshold: float) -> Algorithm:
    """Appendix A with entries of the distributions below a threshold set to zero."""

    convolve = partial(sparse_convolve, threshold)
    return replace(
        CONVOLUTION,
        name=f"cvb_exact, convolution sparsified at {threshold:g}",
        total=partial(convolved, convolve),
        rest=partial(sparse_deconvolve, threshold),
        without=partial(without, convolve),
    )


def sparse_convolve(threshold: float, v: Array, u: Any, out: Array) -> None:
    bernoulli.convolve(v, u, out)
    out[out < threshold] = 0.0  # TNW06 App. A


def sparse_deconvolve(threshold: float, v: Array, u: Any) -> Array:
    r = bernoulli.deconvolve(v, u)
    return np.where(r < threshold, 0.0, r)  # TNW06 App. A
