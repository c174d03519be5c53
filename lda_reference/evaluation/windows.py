r"""The coherence of topics in windows of words: C_UCI, C_NPMI and C_V.

A window is `window` words of a text in a row, as a set: a word that repeats in it counts once. A text of n words has
n - window + 1 windows; a shorter text is one window, and an empty one is none. P(v) is the share of all windows that
contain v, and P(v, u) that of the windows that contain both. For the words v_1, ..., v_T of a topic, as Röder, Both and
Hinneburg (2015) put these measures together:

- `c_uci` (Newman, Lau, Grieser and Baldwin 2010), in windows of 10 words, is the mean over pairs of

        log( (P(v, u) + epsilon) / (P(v) P(u)) )

- `c_npmi` (Aletras and Stevenson 2013), in windows of 10 words, is the mean over pairs of NPMI(v, u), which is the same
  divided by -log(P(v, u) + epsilon)
- `c_v`, in windows of 110 words, is the mean over i of the cosine of x_i and x_1 + ... + x_T, where the vector x_i is
  NPMI(v_i, v_1), ..., NPMI(v_i, v_T), with NPMI(v_i, v_i) = 1

With epsilon = 0 a pair that never meets has -infinity in `c_uci`, and so has its topic. Its NPMI is the limit, -1, and
that of two words that are in every window is 1. If the vectors add up to zero, the cosines are 0. A high `c_v` does not
show that the words meet: ten words of which no two ever meet have 0.8.

Libraries count in other ways, which `convention` names. Their epsilon is 1e-12.

- "gensim" (as of 4.4.0): where a word repeats, the window loses it with its first copy, though a second one is inside.
  An empty text is a window. Two words that are in every window have NPMI -1.
- "tomotopy" (as of 0.14.0): each window lacks its first word, unless its text is shorter than `window`. Texts without a
  word of a topic are left out, and so are words that are in no text. Epsilon is also added to P(v) P(u), by which two
  words that are in every window have NPMI 0. The vectors of `c_v` have an entry for each word of any topic, so the
  value of a topic depends on the other topics; the library computes the cosines in single precision.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arguments import check_choice, expect, is_finite, items, whole_number
from ..corpus import Ints
from ..model import Array

WINDOWS = {"c_uci": 10, "c_npmi": 10, "c_v": 110}  # words
SIZE = 2**24  # numbers of a table of words and windows
EPSILON = {"definition": 0.0, "gensim": 1e-12, "tomotopy": 1e-12}


class Windows(NamedTuple):
    """The windows of all texts, numbered in order: an occurrence of a word is in those from `start` to before `end`."""

    total: int
    words: int  # how many words the topics have
    word: Ints
    start: Ints
    end: Ints


def windowed_coherence(
    topics: Iterable[Sequence[Any]],
    texts: Iterable[Sequence[Any]],
    measure: str = "c_v",
    window: int | None = None,
    epsilon: float | None = None,
    convention: str = "definition",
) -> Array:
    """The coherence (K,) of topics, each given by two or more words, in windows of texts.

    Topics and texts are sequences of words, or both of ids. A text has all its words in order. Those outside of the
    vocabulary take up places, so the rows of a `Corpus` are no texts if it has left words out. A ValueError names a
    word that is in no text, unless the convention is tomotopy's, by which a topic without two such words has nan, or 1
    in `c_v` for one.

    >>> texts = ["the cat saw the dog and ran", "a dog ran", "the king saw the queen"]
    >>> words = [text.split() for text in texts]  # or `formats.text.tokenise(text)`, as corpora are read
    >>> windowed_coherence([["dog", "ran"], ["cat", "queen"]], words, "c_npmi", window=4).round(3).tolist()
    [0.447, -1.0]

    For the topics of a fit, `[[c.vocab[w] for w in topic] for topic in lda.top_words(fit.phi_wk, 10).T]`.
    """
    check_choice(measure, "measure", WINDOWS)
    check_choice(convention, "convention", EPSILON)
    window = whole_number(WINDOWS[measure] if window is None else window, "window", 1)
    epsilon = EPSILON[convention] if epsilon is None else epsilon
    is_right = is_finite(epsilon) and 0 <= epsilon < 1 and (epsilon > 0 or convention == "definition")
    expect(is_right, epsilon, "epsilon", "a number from 0 below 1, above 0 in the convention of a library")
    listed = [_words(x, f"topics[{k}]") for k, x in enumerate(items(topics, "topics", "a sequence of topics"))]
    for k, topic in enumerate(listed):
        expect(len(topic) > 1 and len(set(topic)) == len(topic), topic, f"topics[{k}]", "two or more words, each once")
    number = {word: i for i, word in enumerate(dict.fromkeys(word for topic in listed for word in topic))}
    ids = [
        np.array([number.get(word, -1) for word in _words(x, f"texts[{d}]")], np.int64)
        for d, x in enumerate(items(texts, "texts", "a sequence of texts"))
    ]
    x = _windows(ids, len(number), window, convention)
    is_in_text = np.isin(np.arange(x.words), x.word)
    used = [np.array([number[word] for word in topic]) for topic in listed]
    if convention == "tomotopy":
        used = [words[is_in_text[words]] for words in used]
    for k, words in enumerate(used):
        for i in np.flatnonzero(~is_in_text[words]):
            expect(False, listed[k][i], f"topics[{k}][{i}]", "a word that is in a text")
    if convention == "tomotopy" and measure == "c_v":
        npmi, _ = _npmi_and_pmi(x, np.arange(x.words), epsilon, convention)
        return np.array([_c_v(npmi[words]) for words in used])
    of_pairs = [_npmi_and_pmi(x, words, epsilon, convention) for words in used]
    if measure == "c_v":
        return np.array([_c_v(npmi) for npmi, _ in of_pairs])
    matrices = [pmi if measure == "c_uci" else npmi for npmi, pmi in of_pairs]
    return np.array([x[np.tril_indices(len(x), -1)].mean() if len(x) > 1 else np.nan for x in matrices])


def _words(x: Any, name: str) -> list[Any]:
    listed = items(x, name, "a sequence of words or ids")
    for i, word in enumerate(listed):
        expect(isinstance(word, (str, int, np.integer)), word, f"{name}[{i}]", "a word or an id")
    return listed


def _windows(ids: list[Ints], words: int, window: int, convention: str) -> Windows:
    """The windows of texts, which have the numbers of the topics' words, and -1 for other words."""
    length = np.array([len(x) for x in ids], np.intp)
    text, word = np.repeat(np.arange(len(ids)), length), np.concatenate([np.empty(0, np.int64), *ids])
    first = np.cumsum(length) - length
    position = np.flatnonzero(word >= 0)  # in all texts, one after the other
    word, text = word[position], text[position]
    of_text = np.maximum(length - window + 1, 1)
    if convention == "tomotopy":
        of_text[~np.isin(np.arange(len(ids)), text)] = 0
    elif convention == "definition":
        of_text[length == 0] = 0
    start, last = np.maximum(position - window + 1, first[text]), position
    if convention == "gensim":  # the last window of a word is that which begins at its first copy inside
        shift = word * length.sum()  # sorts by word, then by position
        places = np.sort(shift + position)
        last = places[np.searchsorted(places, shift + start)] - shift
    elif convention == "tomotopy":
        last = position - (length >= window)[text]
    last = np.minimum(last - first[text], of_text[text] - 1)
    before = (np.cumsum(of_text) - of_text)[text]
    return Windows(int(of_text.sum()), words, word, before + start - first[text], before + last + 1)


def _together(x: Windows, used: Ints) -> Ints:
    """The number of windows with each pair of words, and on the diagonal of those with each word."""
    place = np.full(x.words, -1)
    place[used] = np.arange(len(used))
    row = place[x.word]
    row, start, end = row[row >= 0], x.start[row >= 0], x.end[row >= 0]
    together, size = np.zeros((len(used), len(used))), max(SIZE // max(len(used), 1), 1)
    for block in range(0, x.total, size):
        inside = (start < block + size) & (end > block)
        of_row, n = row[inside], int(inside.sum())
        limits = np.concatenate([start[inside], end[inside]]).clip(block, block + size)
        edges, edge = np.unique(limits, return_inverse=True)
        change = np.zeros((len(used), len(edges)), np.int64)
        np.add.at(change, (of_row, edge[:n]), 1)
        np.add.at(change, (of_row, edge[n:]), -1)
        has = np.cumsum(change, 1)[:, :-1] > 0  # from each edge to the next
        together += (has * np.diff(edges).astype(np.float64)) @ has.T
    return together.astype(np.int64)


def _npmi_and_pmi(x: Windows, used: Ints, epsilon: float, convention: str) -> tuple[Array, Array]:
    """Both measures of each pair of some words."""
    together, count = _together(x, used), x.total
    single, share = np.diag(together), together[together < count].max(initial=0) / max(count, 1)
    if convention == "definition" and share + epsilon >= 1:  # log(P(v, u) + epsilon) would be 0 or more
        most = f"less than {1 - share:.3g}, because two words share {share:.0%} of the windows"
        raise ValueError(f"epsilon is {epsilon}, expected {most}")
    product, below = np.outer(single, single), epsilon * count**2 if convention == "tomotopy" else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = _log_of_ratio(together * count, product, epsilon * count**2, below)  # RBH15 [c_uci]
        npmi = pmi / -_log_of_ratio(together, np.array(count), epsilon * count, 0.0)  # RBH15 [c_npmi]
    if epsilon == 0:
        npmi[together == 0] = -1  # the limit
    if convention == "definition":
        npmi[together == count] = 1  # the limit, with epsilon = 0
    if convention != "gensim":
        np.fill_diagonal(npmi, 1)
    return npmi, pmi


def _log_of_ratio(a: Ints, b: Ints, above: float, below: float) -> Array:
    """The logarithm of (a + above) / (b + below), from the exact difference of a and b if the ratio can be near 1."""
    return np.where(2 * a > b, np.log1p((a - b + above - below) / (b + below)), np.log((a + above) / (b + below)))


def _c_v(npmi: Array) -> float:
    """C_V from the vectors of a topic's words, one a row."""
    total = npmi.sum(0)
    sizes = np.linalg.norm(npmi, axis=1) * np.linalg.norm(total)
    cosine = np.divide(npmi @ total, sizes, out=np.zeros(len(npmi)), where=sizes > 0)
    return float(cosine.mean()) if len(npmi) else np.nan  # RBH15 [c_v]
