r"""The coherence of topics: whether their most probable words occur in the same documents.

Both measures compare the words v_1, ..., v_T of a topic, the most probable first, in pairs. D(v) is the number of
documents that contain v, D(v, u) of those that contain both, and D of all documents.

- `umass` (Mimno, Wallach, Talley, Leenders and McCallum 2011), a sum of logarithms. That of a pair is largest,
  log(1 + 1 / D(v_l)), if v_m is in all documents of v_l:

        sum_{m=2}^T sum_{l=1}^{m-1} log( (D(v_m, v_l) + 1) / D(v_l) )

- `npmi`, the mean over pairs of the normalised pointwise mutual information (Bouma 2009; for topics Aletras and
  Stevenson 2013), from -1 for words that never meet to 1 for words that only occur together:

        log( P(v, u) / (P(v) P(u)) ) / -log P(v, u),   P(v) = D(v) / D

Here whole documents are counted. C_UCI, C_NPMI and C_V count windows of words, as `windows` does, and their numbers
cannot be compared with these.
"""

import numpy as np

from ..arguments import check_choice, expect, finite, is_whole
from ..corpus import Corpus
from ..model import Array, check_corpus
from ..own_words import first_words
from .matching import top_words

MEASURES = ("umass", "npmi")


def coherence(phi_wk: Array, c: Corpus, words: int = 10, measure: str = "npmi", N_wk: Array | None = None) -> Array:
    """The coherence (K,) of each topic over the documents of a corpus, by its `words` most probable words, from 2 to W.

    The corpus is that of the training, or a larger one of the same vocabulary. With N_wk, the tokens of each word that
    each topic has, only words that a topic owns are compared, see `own_words`; without it also those that it has from
    the prior alone. A topic that owns fewer than two words has nan, which is no coherence. A ValueError says if the
    shapes do not fit, or a word among the most probable occurs in no document.

    >>> c = Corpus.from_documents([[0, 1], [0, 1, 1], [2, 3], [2]], W=4)
    >>> phi_wk = np.array([[0.6, 0.1], [0.4, 0.1], [0.0, 0.5], [0.0, 0.3]])
    >>> coherence(phi_wk, c, words=2, measure="npmi").round(3).tolist()
    [1.0, 0.5]
    >>> coherence(phi_wk, c, words=2, measure="umass").round(3).tolist()
    [0.405, 0.0]
    """
    check_choice(measure, "measure", MEASURES)
    check_corpus(c)
    phi_wk = finite(phi_wk, "phi_wk")
    if phi_wk.ndim != 2 or len(phi_wk) != c.W or not phi_wk.size:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected (W, K) with W = {c.W} as in the corpus")
    expect(is_whole(words) and 2 <= words <= c.W, words, "words", f"a whole number from 2 to W = {c.W}")
    document_has_word = c.to_csr() > 0
    if N_wk is not None and np.shape(N_wk) != phi_wk.shape:
        raise ValueError(f"N_wk has shape {np.shape(N_wk)}, expected that of phi_wk, {phi_wk.shape}")
    topic_words = list(top_words(phi_wk, words).T) if N_wk is None else first_words(phi_wk, finite(N_wk, "N_wk"), words)
    distinct_words = np.unique(np.concatenate(topic_words))
    has_distinct_word = document_has_word[:, distinct_words].astype(np.int64)
    pair_counts = (has_distinct_word.T @ has_distinct_word).toarray()  # D(v, u), and D(v) on the diagonal
    for v in distinct_words[np.diag(pair_counts) == 0]:
        raise ValueError(f"word {v} is among the {words} most probable of a topic and occurs in no document")
    measure_function = {"umass": _umass, "npmi": _npmi}[measure]
    word_rows = [np.searchsorted(distinct_words, words_k) for words_k in topic_words]
    return np.array([measure_function(pair_counts[np.ix_(i, i)], c.D) if len(i) > 1 else np.nan for i in word_rows])


def _umass(pair_counts: Array, D: int) -> float:
    later_i, earlier_i = np.tril_indices(len(pair_counts), -1)
    return float(np.log((pair_counts[later_i, earlier_i] + 1) / np.diag(pair_counts)[earlier_i]).sum())  # MIM11 [umass]


def _npmi(pair_counts: Array, D: int) -> float:
    later_i, earlier_i = np.tril_indices(len(pair_counts), -1)
    p_pair, p_word = pair_counts[later_i, earlier_i] / D, np.diag(pair_counts) / D
    npmi = np.full(len(p_pair), -1.0)  # the limit for words that never meet
    npmi[p_pair == 1] = 1.0  # both occur in every document: the limit of P(v, u) to 1 with P(v) = P(u)
    is_between = (p_pair > 0) & (p_pair < 1)
    p = p_pair[is_between]
    npmi[is_between] = np.log(p / (p_word[later_i] * p_word[earlier_i])[is_between]) / -np.log(p)  # BOU09 [npmi]
    return float(npmi.mean())
