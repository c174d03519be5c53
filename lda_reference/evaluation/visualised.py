"""A fit as the arrays from which pyLDAvis draws its map of topics."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import kind, shown
from ..arguments import words as words_of
from ..corpus import as_corpus
from ..engine import normalised
from ..fitting import Fit
from .checks import checked_estimates


def visualised(f: Fit, c: Any, vocab: Any = None) -> dict[str, Any]:
    """The arguments of `pyLDAvis.prepare`: `pyLDAvis.prepare(**visualised(fit, corpus))`.

    Documents without words are left out, because they have no part in the sizes of the topics.

    Parameters
    ----------
    f : Fit, of one run
    c : Corpus, or (D, W) matrix of counts, dense or sparse
        The corpus of the fit.
    vocab : sequence of W strings, optional
        Default: that of the corpus or, without one, the numbers of the words as text.

    Returns
    -------
    dict
        `topic_term_dists` (K, W) and `doc_topic_dists` (D, K), whose rows sum to 1; `doc_lengths` (D,); `vocab` of W
        strings; `term_frequency` (W,), the count of each word in the corpus.

    Raises
    ------
    ValueError
        If the fit has replicates or fewer than 2 topics or is of a corpus of another size, or if a word has probability
        0 under every topic: pyLDAvis would divide by 0.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.Corpus.from_documents([[0, 1, 0], [], [2, 3]])
    >>> arrays = visualised(lda.fit(c, 2, sweeps=5), c)
    >>> {name: np.shape(x) for name, x in arrays.items()}
    {'topic_term_dists': (2, 4), 'doc_topic_dists': (2, 2), 'doc_lengths': (2,), 'vocab': (4,), 'term_frequency': (4,)}
    """
    c = as_corpus(c)
    if not isinstance(f, Fit):
        raise ValueError(f"f is {kind(f)}, expected a Fit")
    if f.phi_wk.ndim != 2:
        raise ValueError(f"phi_wk has shape {f.phi_wk.shape}, expected (W, K): one run, not replicates")
    theta_jk, phi_wk = checked_estimates(c, f.theta_jk, f.phi_wk)
    if phi_wk.shape[1] < 2:
        raise ValueError("the fit has 1 topic, expected 2 or more: pyLDAvis places topics by their distances")
    vocab = c.vocab if vocab is None else words_of(vocab)
    words = [str(w) for w in (range(c.W) if vocab is None else vocab)]
    if len(words) != c.W:
        raise ValueError(f"vocab has {len(words)} words, expected W = {c.W}")
    for w in np.flatnonzero(~phi_wk.any(1)):
        raise ValueError(
            f"word {shown(words[w])} has probability 0 under every topic, expected more: leave it out of the corpus, or"
            " use an algorithm with a prior"
        )
    lengths = np.bincount(c.j.astype(np.intp), c.n, c.D)
    return {
        "topic_term_dists": normalised(phi_wk.T, -1),
        "doc_topic_dists": normalised(theta_jk[lengths > 0], -1),
        "doc_lengths": lengths[lengths > 0].astype(np.int64),
        "vocab": words,
        "term_frequency": np.bincount(c.w.astype(np.intp), c.n, c.W).astype(np.int64),
    }
