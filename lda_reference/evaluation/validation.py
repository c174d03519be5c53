"""The perplexity of validation or test documents by completion: AWST09 §4."""

from typing import NamedTuple

import numpy as np

from ..corpus import Corpus, split
from ..engine import Algorithm
from ..fitting import sweep_rng
from ..model import Array, Prior
from .prediction import fold_in, perplexity, quickest_order, token_probability

GRID = (0.01, 0.1, 0.25, 0.5, 0.75, 1.0)  # values of alpha and of eta, AWST09 §4.1


class Halves(NamedTuple):
    """The two halves of validation or test documents: theta is folded in from the known tokens."""

    known: Corpus
    heldout: Corpus


def halves(c: Corpus, rng: np.random.Generator) -> Halves:
    """Split the tokens of each document into two random halves, the known one with one more if the number is odd.

    AWST09 §4.
    """
    return Halves(*split(c, "halves", rng=rng))


def completion(A: Algorithm, h: Halves, phi_wk: Array, p: Prior, seed: int, sweeps: int = 20) -> float:
    """The perplexity of the held-out halves, with theta folded in from the known halves by the `quickest_order`.

    Words that have probability 0 under every topic are left out of both halves, because any perplexity with them is
    infinite. In `ml` and `vem` these are the words that do not occur in training. The seed is of the draws in folding
    in. A ValueError says if no held-out token is left.

    >>> from ..algorithms import named
    >>> h = Halves(Corpus.from_documents([[0, 2]]), Corpus.from_documents([[1, 2]]))
    >>> completion(named("ml"), h, np.array([[0.5], [0.5], [0.0]]), Prior(), seed=0)
    2.0
    """
    heldout, theta_jk = _folded_in(A, h, phi_wk, p, seed, sweeps)
    return perplexity(heldout, theta_jk, phi_wk)


def completion_of_documents(A: Algorithm, h: Halves, phi_wk: Array, p: Prior, seed: int) -> tuple[Array, Array]:
    """The log probability of the held-out half of each document in `completion`, and its tokens, both (D,)."""
    heldout_corpus, theta_jk = _folded_in(A, h, phi_wk, p, seed, 20)
    log_p = heldout_corpus.n * np.log(token_probability(heldout_corpus, theta_jk, phi_wk))
    return heldout_corpus.by_document(log_p), heldout_corpus.by_document(heldout_corpus.n)


def _folded_in(A: Algorithm, h: Halves, phi_wk: Array, p: Prior, seed: int, sweeps: int) -> tuple[Corpus, Array]:
    """The held-out halves, and theta from the known halves."""
    is_possible_word = phi_wk.max(-1) > 0  # words that some topic can produce
    known_halves, heldout = (c.with_rows(*(column[is_possible_word[c.w]] for column in (c.j, c.w, c.n))) for c in h)
    return heldout, fold_in(A, known_halves, phi_wk, p, sweep_rng(seed, 1), sweeps, schedule=quickest_order(A))
