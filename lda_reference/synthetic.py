"""Corpora drawn from the model, and from two models of the literature. Every draw comes from an explicit generator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .corpus import Corpus, Ints
from .model import Array, Prior


class Synthetic(NamedTuple):
    """A corpus and what it was drawn from.

    Attributes
    ----------
    corpus : Corpus, of tokens
    theta_jk : (D, K)
    phi_wk : (W, K)
    z : (N,)
    """

    corpus: Corpus
    theta_jk: Array
    phi_wk: Array
    z: Ints


def draw(rng: np.random.Generator, lengths: ArrayLike, K: int, W: int, p: Prior) -> Synthetic:
    """A corpus from the generative process of LDA: TNW06 §2, AWST09 §2, SOL14 §2.2.

    theta_j ~ Dirichlet(alpha), phi_k ~ Dirichlet(eta), z_i ~ theta_{d_i}, x_i ~ phi_{z_i}.

    Parameters
    ----------
    rng : numpy.random.Generator
    lengths : (D,) integers
        Tokens of each document; 0 is legal.
    K, W : int
    p : Prior

    Examples
    --------
    >>> draw(np.random.default_rng(0), [3, 0, 2], K=2, W=5, p=Prior(1, 1)).corpus
    Corpus(D=3, W=5, N=5, M=5)
    """
    alpha, eta = p.vectors(K, W)
    lengths = np.asarray(lengths)
    theta_jk = rng.dirichlet(alpha, size=len(lengths))  # AWST09 §2
    phi_wk = rng.dirichlet(eta, size=K).T  # AWST09 §2
    return draw_from(rng, lengths, theta_jk, phi_wk)


def draw_from(rng: np.random.Generator, lengths: ArrayLike, theta_jk: Array, phi_wk: Array) -> Synthetic:
    """A corpus of documents of given lengths from given mixtures (D, K) and topics (W, K)."""
    lengths = np.asarray(lengths)
    if theta_jk.shape != (len(lengths), phi_wk.shape[1]):
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape}, expected {(len(lengths), phi_wk.shape[1])}: a row for each length, a"
            " column for each topic of phi_wk"
        )
    j = np.repeat(np.arange(len(lengths)), lengths)
    z = np.zeros(len(j), np.int64)
    w = np.zeros(len(j), np.int64)
    ends = np.append(0, np.cumsum(lengths))
    for d, theta_k in enumerate(theta_jk):
        z[ends[d] : ends[d + 1]] = rng.choice(len(theta_k), size=lengths[d], p=theta_k)  # AWST09 §2
    for k in range(phi_wk.shape[1]):
        mine = z == k
        w[mine] = rng.choice(len(phi_wk), size=mine.sum(), p=phi_wk[:, k])  # AWST09 §2
    corpus = Corpus(j, w, np.ones(len(j), np.int64), len(lengths), len(phi_wk))
    return Synthetic(corpus, theta_jk, phi_wk, z)


def bars(
    rng: np.random.Generator, side: int = 5, D: int = 1000, length: int = 100, alpha: float | ArrayLike = 1.0
) -> Synthetic:
    """Griffiths and Steyvers' bars: words are the pixels of a square, topics its rows and columns.

    Steyvers and Griffiths, Finding scientific topics (PNAS 2004): 1000 images of 100 pixels, 10 bars on a 5 x 5 grid,
    theta ~ Dirichlet(1). The vocabulary names the pixels, `r0c3` for the fourth of the first row.

    Examples
    --------
    >>> bars(np.random.default_rng(0), D=20).phi_wk[:, 0].reshape(5, 5)[0]  # the first topic is the first row
    array([0.2, 0.2, 0.2, 0.2, 0.2])
    """
    K = 2 * side
    squares = np.zeros((K, side, side))
    for i in range(side):
        squares[i, i, :] = squares[side + i, :, i] = 1 / side
    theta_jk = rng.dirichlet(np.broadcast_to(np.asarray(alpha, np.float64), (K,)), size=D)
    drawn = draw_from(rng, np.full(D, length), theta_jk, squares.reshape(K, -1).T)
    c = drawn.corpus
    vocab = tuple(f"r{r}c{col}" for r in range(side) for col in range(side))
    return drawn._replace(corpus=Corpus(c.j, c.w, c.n, c.D, c.W, vocab))


def dominant(
    rng: np.random.Generator, D: int = 2000, W: int = 2000, K: int = 10, length: float = 100.0
) -> tuple[Synthetic, Ints]:
    """The corpus of SOL14 §3.2, and the label of each document: its dominant topic.

    Under each topic 1% of the words, drawn at random, have a weight from Uniform(0.7, 0.8), the others from
    Uniform(0, 0.1), normalised. Each document has one dominant topic, of proportion 50/59 (with K = 10; 50/(49+K) in
    general) against 1/59 for each other, and each topic dominates D/K documents. The lengths, which the paper leaves
    out, are Poisson(100) as in its published code.

    Examples
    --------
    >>> s, label = dominant(np.random.default_rng(0), D=20, W=200)
    >>> np.bincount(label).tolist(), round(float(s.theta_jk.max()) * 59, 6)
    ([2, 2, 2, 2, 2, 2, 2, 2, 2, 2], 50.0)
    """
    phi_wk = rng.uniform(0, 0.1, size=(W, K))
    high = max(1, round(W / 100))
    for k in range(K):
        phi_wk[rng.choice(W, size=high, replace=False), k] = rng.uniform(0.7, 0.8, size=high)
    phi_wk /= phi_wk.sum(0)
    label = np.arange(D) * K // D
    theta_jk = np.full((D, K), 1 / (49 + K))
    theta_jk[np.arange(D), label] = 50 / (49 + K)  # SOL14 §3.2
    return draw_from(rng, rng.poisson(length, size=D), theta_jk, phi_wk), label
