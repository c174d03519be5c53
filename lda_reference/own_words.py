"""The words that a topic owns, apart from those that it has from the prior alone, and topics that are empty.

The prior gives every topic every word. A topic owns a word if the run gives it half a token of the word or more.
"""

from typing import Any

import numpy as np

from .corpus import Corpus, Ints
from .engine import State, pseudocounts, sums_of
from .model import Array, column

HALF = 0.5  # tokens


def tokens_of_words(f: Any, c: Corpus | None = None) -> Array:
    """N_wk (W, K), how many tokens of each word each topic of a single run has.

    c is the corpus of the run. Without it N_wk is found from phi, the prior, and the tokens of each topic, of which a
    state without z has only lower limits: each row has a token or more, and no word has less than none.

    >>> import lda_reference as lda
    >>> c = lda.Corpus.from_documents([[0, 0, 1, 1, 0, 1]] * 5 + [[2, 3, 3, 2, 3, 2]] * 5)
    >>> f = lda.fit(c, 2, sweeps=50)
    >>> (tokens_of_words(f) > HALF).tolist() == (tokens_of_words(f, c) > HALF).tolist()
    True
    """
    if c is not None:
        return sums_of(f.state, c).wk
    (W, K), z = f.phi_wk.shape, f.state.z
    prior_counts = pseudocounts(f.prior, W, f.algorithm.prior_offset)
    eta_wk = np.broadcast_to(column(prior_counts.eta, f.phi_wk), (W, K))
    if z is None:
        lowest_N_k_sums = np.divide(eta_wk, f.phi_wk, out=np.zeros((W, K)), where=f.phi_wk > 0).max(0)  # of N_k + W eta
        N_k = np.maximum(sum(gamma.sum(0) for _, gamma in f.state.blocks()), lowest_N_k_sums - prior_counts.W_eta)
    else:
        N_k = np.bincount(z, minlength=K)
    return np.asarray(f.phi_wk * (N_k + prior_counts.W_eta) - eta_wk)


def first_words(phi_wk: Array, N_wk: Array, count: int) -> list[Ints]:
    """The most probable words of each topic among those that it owns, at most `count`."""
    words_by_probability = np.argsort(-phi_wk, axis=0, kind="stable")
    return [words_k[N_w[words_k] >= HALF][:count] for words_k, N_w in zip(words_by_probability.T, N_wk.T, strict=True)]


def empty_topics(s: State) -> Ints:
    """The topics that are the most probable one of no row of a corpus, by the state of a single run."""
    return np.flatnonzero(sum(np.bincount(gamma.argmax(1), minlength=s.shape[1]) for _, gamma in s.blocks()) == 0)
