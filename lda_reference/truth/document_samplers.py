"""The evidence of a document given the topics by Gibbs sampling: left-to-right, and Chib's estimate.

Given phi, a token's topic has the conditional of collapsed Gibbs sampling, TNW06 (8), with phi held:

    p(z_i = k | z^-i, x, phi)  ∝  (N_jk^-i + alpha_k) phi_{x_i k}

**Left-to-right**, Wallach, Murray, Salakhutdinov and Mimno (2009), Algorithm 3. Each of R particles goes through the
document. At position n it draws the topics of all positions before n again, in turn and from their conditionals given
one another, and then

    p_n^r  =  p(x_n | z^r_<n, phi)  =  sum_k phi_{x_n k} (N_jk + alpha_k) / (n - 1 + sum_k alpha_k),
    z_n^r  ~  p(z_n | x_n, z^r_<n, phi)

The algorithm as printed estimates log p(x) by sum_n log(mean_r p_n^r), `product_of_means`. The mean of the particles'
products, `mean_of_products`, is unbiased for any number of particles: if E[prod_{i<n} p_i h(z_<n)] is the sum over z_<n
of p(x_<n, z_<n) h(z_<n) for every h, then drawing again leaves this as it is, because its law is invariant, and p_n
and the draw of z_n carry it on to n. The product of means mixes particles, for which this does not hold. It has a bias
that more particles do not remove and more sweeps at each position do. See also Buntine (2009).

**Chib's estimate**, Murray and Salakhutdinov (2009). With T(z' <- z) the probability that a sweep in order leads from z
to z', and z* any fixed assignment, p(z* | x) = E[T(z* <- z)] under the posterior. The step s of a chain of S is drawn
uniformly, z^(s) by a sweep in reverse order from z*, later steps by sweeps in order, earlier ones by sweeps in reverse:

    p(x)  ≈  p(x, z*) / (mean over s' of T(z* <- z^(s')))

is unbiased, because the chain so drawn has the stationary chain's probability times mean T(z* <- z^(s')) / p(z* | x).
Here z* has the most probable topic of each token at the pseudo-counts.

Documents and particles are swept together. All documents that are as long as n have their n-th token drawn at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from ..algorithms.cvb0 import smoothed
from ..arguments import check_generator
from ..corpus import Corpus, Ints
from ..engine import draw, hard, whole_number
from ..model import Array, Prior, log_joint_of_documents
from .document import checked_topics, pseudo_counts

BLOCK = 2**16  # numbers in the counts of the documents that are swept together


class Block(NamedTuple):
    """Some documents, the longest first, with R chains each.

    Attributes
    ----------
    rows : (d, n_max)
        The number of each token in the corpus of tokens; 0 after the end of a document.
    longer : (n_max,)
        The number of documents with more than n tokens.
    phi : (d, n_max, K)
        phi_wk of each token.
    """

    rows: Ints
    longer: Ints
    phi: Array


def left_to_right(
    c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, particles: int = 20, sweeps: int = 1
) -> Array:
    """log p_n^r of every token and particle, for `mean_of_products` and `product_of_means`.

    Parameters
    ----------
    c : Corpus
        A row of count n stands for n tokens, in row order. A document of n tokens takes n^2 / 2 draws a particle.
    phi_wk : (W, K), columns sum to 1
    p : Prior
        Its alpha.
    rng : numpy.random.Generator
    particles : int
    sweeps : int
        How often the topics before a position are drawn again. With 0 it is importance sampling in sequence.

    Returns
    -------
    (N, R), in nats
        In row order.

    Raises
    ------
    ValueError
        If phi has another shape or its columns are not distributions, alpha does not fit, a word of the corpus has
        probability 0 under every topic, particles is below 1, or sweeps is below 0.

    Examples
    --------
    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> log_p = left_to_right(c, phi_wk, Prior(alpha=1), np.random.default_rng(0), particles=1000)
    >>> np.exp(mean_of_products(log_p, c)).round(2)  # the exact value: 0.2067
    array([0.21])
    """
    check_generator(rng)
    phi_wk, t = checked_topics(c, phi_wk, p), c.tokens()
    R, K = whole_number(particles, "particles", 1), phi_wk.shape[1]
    whole_number(sweeps, "sweeps", 0)
    alpha, _ = p.arrays(K, c.W)
    log_p = np.zeros((t.N, R))
    for block in _blocks(t, phi_wk, R):
        d, n_max = block.rows.shape
        N_jk, z = np.zeros((d, R, K)), np.zeros((n_max, d, R), np.int64)
        for n in range(n_max):
            a = int(block.longer[n])
            for _ in range(sweeps):
                for i in range(n):
                    _moved(N_jk[:a], z[i, :a], -1)
                    x = conditional(N_jk[:a], block.phi[:a, i], alpha)
                    z[i, :a] = draw(x, rng.random((a, R)))
                    _moved(N_jk[:a], z[i, :a], 1)
            x = conditional(N_jk[:a], block.phi[:a, n], alpha)
            log_p[block.rows[:a, n]] = np.log(x.sum(-1) / (n + alpha.sum()))  # WMSM09 [left_to_right]
            z[n, :a] = draw(x, rng.random((a, R)))
            _moved(N_jk[:a], z[n, :a], 1)
    return log_p


def mean_of_products(log_p: Array, c: Corpus) -> Array:
    """log of the mean over particles of prod_n p_n^r, an unbiased estimate of each document's evidence: (D,), in nats.

    Examples
    --------
    >>> mean_of_products(np.log([[0.5, 0.1], [0.5, 0.3]]), Corpus.from_documents([[0, 1]])).round(4)  # log 0.14
    array([-1.9661])
    """
    return logsumexp(_of_documents(log_p, c), -1) - math.log(log_p.shape[1])


def product_of_means(log_p: Array, c: Corpus) -> Array:
    """sum_n log(mean_r p_n^r) of each document, as printed: Wallach et al. (2009), Algorithm 3. (D,), in nats.

    Examples
    --------
    >>> product_of_means(np.log([[0.5, 0.1], [0.5, 0.3]]), Corpus.from_documents([[0, 1]])).round(4)  # log 0.12
    array([-2.1203])
    """
    return _of_documents(logsumexp(log_p, -1) - math.log(log_p.shape[1]), c)


def chib(c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, steps: int = 100, chains: int = 1) -> Array:
    """Chib's estimate as Murray and Salakhutdinov (2009) make it unbiased.

    Parameters
    ----------
    c, phi_wk, p
        As `left_to_right`.
    rng : numpy.random.Generator
    steps : int
        S, the number of states of a chain.
    chains : int
        Independent estimates, whose mean is taken.

    Returns
    -------
    (D,), in nats
        The logs of unbiased estimates.

    Raises
    ------
    ValueError
        As `left_to_right`, and if steps or chains is below 1.

    Examples
    --------
    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> np.exp(chib(c, phi_wk, Prior(alpha=1), np.random.default_rng(0), steps=1000)).round(2)
    array([0.21])
    """
    check_generator(rng)
    phi_wk, t = checked_topics(c, phi_wk, p), c.tokens()
    S, R, K = whole_number(steps, "steps", 1), whole_number(chains, "chains", 1), phi_wk.shape[1]
    alpha, _ = p.arrays(K, c.W)
    best = hard(pseudo_counts(t, phi_wk, p, 10).gamma).argmax(-1)
    out = np.zeros(t.D)
    for block in _blocks(t, phi_wk, R):
        d, n_max = block.rows.shape
        shape = (n_max, d, R)
        star = np.broadcast_to(best[block.rows].T[..., None], shape)
        N_star = np.zeros((d, R, K))
        for n in range(n_max):
            _moved(N_star[: block.longer[n]], star[n, : block.longer[n]], 1)
        order = range(n_max)
        s = rng.integers(1, S + 1, (d, R))
        z, N_jk = star.copy(), N_star.copy()
        _sweep(block, z, N_jk, alpha, order[::-1], rng)  # z^(s)
        log_T = _log_transition(block, z, N_jk, star, alpha)
        for direction, last in ((order, S - s), (order[::-1], s - 1)):  # the steps after s, and those before it
            z_t, N_t = z.copy(), N_jk.copy()
            for step in range(1, int(last.max()) + 1):
                _sweep(block, z_t, N_t, alpha, direction, rng)
                more = np.logaddexp(log_T, _log_transition(block, z_t, N_t, star, alpha))
                log_T = np.where(step <= last, more, log_T)
        of_words = np.log(np.take_along_axis(block.phi, best[block.rows][..., None], -1)[..., 0])
        inside = np.arange(n_max)[None] < _lengths(block)[:, None]
        log_joint = log_joint_of_documents(N_star, p) + np.where(inside, of_words, 0.0).sum(-1)[:, None]
        estimates = log_joint - (log_T - math.log(S))  # MS09 [Chib]
        out[t.j[block.rows[:, 0]]] = logsumexp(estimates, -1) - math.log(R)
    return out


def conditional(N_jk: Array, phi: Array, alpha: Array) -> Array:
    """(N_jk + alpha_k) phi_wk of one token of each document: (d, R, K) from the counts (d, R, K) and phi (d, K)."""
    return smoothed(alpha, N_jk) * phi[:, None]  # TNW06 (8), with phi known


def _sweep(block: Block, z: Ints, N_jk: Array, alpha: Array, order: range, rng: np.random.Generator) -> None:
    """Draw the topics of all tokens in an order of positions, in place."""
    for n in order:
        a = int(block.longer[n])
        _moved(N_jk[:a], z[n, :a], -1)
        z[n, :a] = draw(conditional(N_jk[:a], block.phi[:a, n], alpha), rng.random(z[n, :a].shape))
        _moved(N_jk[:a], z[n, :a], 1)


def _log_transition(block: Block, z: Ints, N_jk: Array, star: Ints, alpha: Array) -> Array:
    """log T(z* <- z) of a sweep in order: (d, R)."""
    N_jk, out = N_jk.copy(), np.zeros(z.shape[1:])
    for n, a in enumerate(block.longer.tolist()):
        _moved(N_jk[:a], z[n, :a], -1)
        x = conditional(N_jk[:a], block.phi[:a, n], alpha)
        to = np.take_along_axis(x, star[n, :a, :, None], -1)[..., 0]
        out[:a] += np.log(to / x.sum(-1))
        _moved(N_jk[:a], star[n, :a], 1)
    return out


def _moved(N_jk: Array, z: Ints, by: int) -> None:
    """Add `by` to the count of topic z (d, R) in N_jk (d, R, K), in place."""
    flat = N_jk.reshape(-1, N_jk.shape[-1])  # a view: N_jk is the first documents of a whole array
    flat[np.arange(len(flat)), z.ravel()] += by


def _of_documents(x: Array, c: Corpus) -> Array:
    """The sums of x (N, ...) over the tokens of each document: (D, ...)."""
    out = np.zeros((c.D, *x.shape[1:]))
    np.add.at(out, np.repeat(c.j, c.n.astype(np.intp)), x)
    return out


def _blocks(t: Corpus, phi_wk: Array, R: int) -> Iterator[Block]:
    """The documents that have tokens, the longest first, in blocks whose counts fit the cache."""
    lengths, starts = np.bincount(t.j, minlength=t.D), np.searchsorted(t.j, np.arange(t.D))
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    size = max(1, BLOCK // (R * phi_wk.shape[1]))
    for first in range(0, len(order), size):
        mine = order[first : first + size]
        position = np.arange(lengths[mine[0]])
        inside = position < lengths[mine][:, None]
        rows = np.where(inside, starts[mine][:, None] + position, 0)
        yield Block(rows, inside.sum(0), phi_wk[t.w[rows]])


def _lengths(block: Block) -> Ints:
    return (np.arange(len(block.rows))[:, None] < block.longer).sum(-1)
