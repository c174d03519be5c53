"""All K^N assignments of the topics of a tiny corpus, one after the other."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import real, shown
from ..corpus import Corpus, Ints
from ..engine import checked_gamma, checked_topics
from ..model import Array, Prior

LIMIT = 2**22  # the largest number of assignments


def enumerable_tokens(c: Corpus, K: int, p: Prior) -> Corpus:
    """The corpus as tokens; a ValueError if it is empty, K or the prior does not fit, or K^N is above 2^22."""
    K = checked_topics(c, p, K)
    if c.N * math.log2(K) > math.log2(LIMIT):
        raise ValueError(
            f"enumeration is for tiny corpora: K^N = {shown(K)}^{c.N}, about 10^{c.N * math.log10(K):.1f} assignments,"
            f" is more than the {LIMIT:,} that are summed here"
        )
    return c.tokens()


def checked_factors(gamma: ArrayLike, c: Corpus, K: int) -> Array:
    """The factors of q as an array (M, K); a ValueError if they have another shape or a row is no distribution."""
    gamma = real(gamma, "gamma")
    if gamma.ndim != 2:
        raise ValueError(f"gamma has shape {gamma.shape}, expected {(c.M, K)}: rows of the corpus by topics")
    return checked_gamma(gamma, c.M, K, None)


def assignments(t: Corpus, K: int) -> Iterator[tuple[Ints, Array, Array]]:
    """All K^N assignments z of the tokens of t with their counts, in blocks of B: (B, N), (D, B, K) and (W, B, K).

    The assignments are in lexicographic order, the last token's topic changing fastest.

    >>> z, N_jk, N_wk = next(assignments(Corpus.from_documents([[0, 1]]), 2))
    >>> z.tolist(), N_jk[0].tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [[2.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 2.0]])
    """
    block_size = max(1, 2**20 // (K * (t.D + t.W + t.N)))
    for first_number in range(0, K**t.N, block_size):
        assignment_numbers = np.arange(first_number, min(first_number + block_size, K**t.N))
        z = np.stack(np.unravel_index(assignment_numbers, (K,) * t.N), -1)
        N_jk, N_wk = np.zeros((t.D, len(z), K)), np.zeros((t.W, len(z), K))
        one_hot_z = np.eye(K)[z]
        for i, (j, w) in enumerate(zip(t.j, t.w, strict=True)):
            N_jk[j] += one_hot_z[:, i]
            N_wk[w] += one_hot_z[:, i]
        yield z, N_jk, N_wk


def other_assignments(gamma: Array, t: Corpus, K: int, i: int) -> tuple[Array, Array, Array, Array]:
    """The B = K^(N-1) assignments of the tokens other than i: their probabilities under gamma (N, K), and their counts.

    The counts (B, K) are those of the document and of the word of token i, and of all tokens, without token i.

    >>> c = Corpus.from_documents([[0, 1]])
    >>> weights, n_jk, _, _ = other_assignments(np.array([[0.5, 0.5], [0.25, 0.75]]), c, 2, 0)
    >>> weights, n_jk.tolist()
    (array([0.25, 0.75]), [[1.0, 0.0], [0.0, 1.0]])
    """
    other_tokens = np.delete(np.arange(t.N), i)
    if not other_tokens.size:
        return np.ones(1), *np.zeros((3, 1, K))
    blocks = [
        (np.prod(gamma[other_tokens, z], axis=-1), N_jk[t.j[i]], N_wk[t.w[i]], N_wk.sum(0))
        for z, N_jk, N_wk in assignments(t.with_rows(t.j[other_tokens], t.w[other_tokens], t.n[other_tokens]), K)
    ]
    other_probabilities, n_jk, n_wk, n_k = (np.concatenate(block_arrays) for block_arrays in zip(*blocks, strict=True))
    return other_probabilities, n_jk, n_wk, n_k


def log_terms(gamma: ArrayLike, c: Corpus, K: int, p: Prior) -> Iterator[tuple[Array, Array, Array, Array]]:
    """For each token the weights of the others' assignments under gamma (N, K), and the logs of the terms of TNW06 (8).

    The topic term is the denominator, not its inverse.
    """
    tokens = enumerable_tokens(c, K, p)
    gamma = checked_factors(gamma, tokens, K)
    alpha, eta = p.arrays(K, tokens.W)
    for i, w in enumerate(tokens.w):
        p_of_others, n_jk, n_wk, n_k = other_assignments(gamma, tokens, K, i)
        yield p_of_others, np.log(n_jk + alpha), np.log(n_wk + eta[w]), np.log(n_k + eta.sum(0))
