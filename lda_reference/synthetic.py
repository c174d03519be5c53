"""Corpora drawn from the model and from two generators of the literature. The caller passes the random numbers' rng."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .arguments import (
    check_distributions,
    check_entries,
    check_generator,
    check_memory,
    finite,
    shown,
    whole_number,
    whole_numbers,
)
from .corpus import Corpus, Ints
from .model import Array, Prior, check_prior


class Synthetic(NamedTuple):
    """A corpus of tokens and the parameters and topics from which it was drawn."""

    corpus: Corpus
    theta_jk: Array  # (D, K), rows sum to 1
    phi_wk: Array  # (W, K), columns sum to 1
    z: Ints  # (N,), the topic of each token, from 0 below K


def draw(rng: np.random.Generator, lengths: ArrayLike, K: int, W: int, p: Prior) -> Synthetic:
    """Draw a corpus from the generative process of LDA: TNW06 §2, AWST09 §2, SOL14 §2.2.

    theta_j ~ Dirichlet(alpha), phi_k ~ Dirichlet(eta), z_i ~ theta_{d_i}, x_i ~ phi_{z_i}. There are K topics and W
    words. The lengths, (D,) integers from 0, are the numbers of tokens of the documents.

    >>> draw(np.random.default_rng(0), [3, 0, 2], K=2, W=5, p=Prior(1, 1)).corpus
    Corpus(D=3, W=5, N=5, M=5)
    """
    check_generator(rng)
    check_prior(p)
    lengths = whole_numbers(lengths, "lengths")
    K, W = whole_number(K, "K", 1), whole_number(W, "W", 1)
    check_memory(K * max(W, len(lengths)), f"the tables of K = {shown(K)} topics and W = {shown(W)} words")
    alpha, eta = p.arrays(K, W)
    theta_jk = rng.dirichlet(alpha, size=len(lengths))  # AWST09 §2
    eta_kw = eta.T if eta.ndim == 2 else [eta] * K
    phi_wk = np.stack([rng.dirichlet(eta_w) for eta_w in eta_kw], 1)  # AWST09 §2
    return draw_from(rng, lengths, theta_jk, phi_wk)


def draw_from(rng: np.random.Generator, lengths: ArrayLike, theta_jk: Array, phi_wk: Array) -> Synthetic:
    """Draw a corpus, given the lengths of its documents (D,), their mixtures (D, K) and the topics (W, K).

    A ValueError says if the shapes do not fit one another.
    """
    check_generator(rng)
    lengths = whole_numbers(lengths, "lengths")
    check_entries(lengths >= 0, lengths, "lengths", "a number of tokens from 0")
    check_memory(3 * sum(lengths.tolist()), "the tokens of these lengths")
    theta_jk, phi_wk = finite(theta_jk, "theta_jk", (2,), "(D, K)"), finite(phi_wk, "phi_wk", (2,), "(W, K)")
    if theta_jk.shape != (len(lengths), phi_wk.shape[1]):
        expected_text = f"{(len(lengths), phi_wk.shape[1])}: lengths by topics"
        raise ValueError(f"theta_jk has shape {theta_jk.shape}, expected {expected_text}")
    check_distributions(theta_jk, "theta_jk", -1)
    check_distributions(phi_wk, "phi_wk", 0)
    j = np.repeat(np.arange(len(lengths)), lengths.astype(np.intp))
    z = np.zeros(len(j), np.int64)
    w = np.zeros(len(j), np.int64)
    document_ends = np.append(0, np.cumsum(lengths))
    for d, theta_k in enumerate(theta_jk):
        z[document_ends[d] : document_ends[d + 1]] = rng.choice(len(theta_k), size=lengths[d], p=theta_k)  # AWST09 §2
    for k in range(phi_wk.shape[1]):
        is_of_topic_k = z == k
        w[is_of_topic_k] = rng.choice(len(phi_wk), size=is_of_topic_k.sum(), p=phi_wk[:, k])  # AWST09 §2
    corpus = Corpus(j, w, np.ones(len(j), np.int64), len(lengths), len(phi_wk))
    return Synthetic(corpus, theta_jk, phi_wk, z)


def bars(
    rng: np.random.Generator, side: int = 5, D: int = 1000, length: int = 100, alpha: float | ArrayLike = 1.0
) -> Synthetic:
    """Draw Griffiths and Steyvers' bars: the words are the pixels of a square, the topics its rows and columns.

    The defaults are those of Griffiths and Steyvers, Finding scientific topics (PNAS 2004). The vocabulary names the
    pixels: `r0c3` is the fourth pixel of the first row.

    >>> bars(np.random.default_rng(0), D=20).phi_wk[:, 0].reshape(5, 5)[0]  # the first topic is the first row
    array([0.2, 0.2, 0.2, 0.2, 0.2])
    """
    check_generator(rng)
    K = 2 * side
    topic_squares = np.zeros((K, side, side))
    for line_number in range(side):
        topic_squares[line_number, line_number, :] = topic_squares[side + line_number, :, line_number] = 1 / side
    theta_jk = rng.dirichlet(np.broadcast_to(np.asarray(alpha, np.float64), (K,)), size=D)
    drawn_bars = draw_from(rng, np.full(D, length), theta_jk, topic_squares.reshape(K, -1).T)
    vocab = tuple(f"r{row}c{column}" for row in range(side) for column in range(side))
    return drawn_bars._replace(corpus=replace(drawn_bars.corpus, vocab=vocab))


def dominant(
    rng: np.random.Generator, D: int = 2000, W: int = 2000, K: int = 10, length: float = 100.0
) -> tuple[Synthetic, Ints]:
    """Draw the corpus of SOL14 §3.2 and the label of each document, which is its dominant topic.

    Each topic gives weights from Uniform(0.7, 0.8) to a random 1% of the words and weights from Uniform(0, 0.1) to the
    others; the weights are then normalised. Each document has one dominant topic of proportion 50 / (49 + K), and each
    other topic has proportion 1 / (49 + K). Each topic dominates D / K documents. The paper does not give the lengths
    of the documents; they are Poisson(100), as in its published code.

    >>> s, label = dominant(np.random.default_rng(0), D=20, W=200)
    >>> np.bincount(label).tolist(), round(float(s.theta_jk.max()) * 59, 6)
    ([2, 2, 2, 2, 2, 2, 2, 2, 2, 2], 50.0)
    """
    check_generator(rng)
    phi_wk = rng.uniform(0, 0.1, size=(W, K))
    n_high_words = max(1, round(W / 100))
    for k in range(K):
        phi_wk[rng.choice(W, size=n_high_words, replace=False), k] = rng.uniform(0.7, 0.8, size=n_high_words)
    phi_wk /= phi_wk.sum(0)
    label_of_document = np.arange(D) * K // D
    theta_jk = np.full((D, K), 1 / (49 + K))
    theta_jk[np.arange(D), label_of_document] = 50 / (49 + K)  # SOL14 §3.2
    return draw_from(rng, rng.poisson(length, size=D), theta_jk, phi_wk), label_of_document
