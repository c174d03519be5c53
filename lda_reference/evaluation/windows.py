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
TABLE_SIZE = 2**24  # numbers of a table of words and windows
EPSILON = {"definition": 0.0, "gensim": 1e-12, "tomotopy": 1e-12}


class Windows(NamedTuple):
    """The windows of all texts, numbered in order: an occurrence of a word is in those from `start` to before `end`."""

    window_count: int
    word_count: int  # how many words the topics have
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
    is_epsilon_right = is_finite(epsilon) and 0 <= epsilon < 1 and (epsilon > 0 or convention == "definition")
    expect(is_epsilon_right, epsilon, "epsilon", "a number from 0 below 1, above 0 in the convention of a library")
    topic_words = [_words(x, f"topics[{k}]") for k, x in enumerate(items(topics, "topics", "a sequence of topics"))]
    for k, topic in enumerate(topic_words):
        expect(len(topic) > 1 and len(set(topic)) == len(topic), topic, f"topics[{k}]", "two or more words, each once")
    number_of_word = {word: i for i, word in enumerate(dict.fromkeys(word for topic in topic_words for word in topic))}
    numbers_of_texts = [
        np.array([number_of_word.get(word, -1) for word in _words(text, f"texts[{i}]")], np.int64)
        for i, text in enumerate(items(texts, "texts", "a sequence of texts"))
    ]
    windows = _windows(numbers_of_texts, len(number_of_word), window, convention)
    is_word_in_text = np.isin(np.arange(windows.word_count), windows.word)
    used_topic_words = [np.array([number_of_word[word] for word in topic]) for topic in topic_words]
    if convention == "tomotopy":
        used_topic_words = [words_k[is_word_in_text[words_k]] for words_k in used_topic_words]
    for k, words_k in enumerate(used_topic_words):
        for i in np.flatnonzero(~is_word_in_text[words_k]):
            expect(False, topic_words[k][i], f"topics[{k}][{i}]", "a word that is in a text")
    if convention == "tomotopy" and measure == "c_v":
        npmi, _ = _npmi_and_pmi(windows, np.arange(windows.word_count), epsilon, convention)
        return np.array([_c_v(npmi[words_k]) for words_k in used_topic_words])
    npmi_and_pmi = [_npmi_and_pmi(windows, words_k, epsilon, convention) for words_k in used_topic_words]
    if measure == "c_v":
        return np.array([_c_v(npmi) for npmi, _ in npmi_and_pmi])
    matrices = [pmi if measure == "c_uci" else npmi for npmi, pmi in npmi_and_pmi]
    return np.array([table[np.tril_indices(len(table), -1)].mean() if len(table) > 1 else np.nan for table in matrices])


def _words(word_sequence: Any, name: str) -> list[Any]:
    word_list = items(word_sequence, name, "a sequence of words or ids")
    for i, word in enumerate(word_list):
        expect(isinstance(word, (str, int, np.integer)), word, f"{name}[{i}]", "a word or an id")
    return word_list


def _windows(text_ids: list[Ints], word_count: int, window_size: int, convention: str) -> Windows:
    """The windows of texts, which have the numbers of the topics' words, and -1 for other words."""
    text_lengths = np.array([len(word_numbers) for word_numbers in text_ids], np.intp)
    text, word = np.repeat(np.arange(len(text_ids)), text_lengths), np.concatenate([np.empty(0, np.int64), *text_ids])
    text_start = np.cumsum(text_lengths) - text_lengths
    positions = np.flatnonzero(word >= 0)  # in all texts, one after the other
    word, text = word[positions], text[positions]
    n_windows = np.maximum(text_lengths - window_size + 1, 1)
    if convention == "tomotopy":
        n_windows[~np.isin(np.arange(len(text_ids)), text)] = 0
    elif convention == "definition":
        n_windows[text_lengths == 0] = 0
    start, last_window = np.maximum(positions - window_size + 1, text_start[text]), positions
    if convention == "gensim":  # the last window of a word is that which begins at its first copy inside
        word_shift = word * text_lengths.sum()  # sorts by word, then by position
        sorted_shifted = np.sort(word_shift + positions)
        last_window = sorted_shifted[np.searchsorted(sorted_shifted, word_shift + start)] - word_shift
    elif convention == "tomotopy":
        last_window = positions - (text_lengths >= window_size)[text]
    last_window = np.minimum(last_window - text_start[text], n_windows[text] - 1)
    offset = (np.cumsum(n_windows) - n_windows)[text]
    return Windows(int(n_windows.sum()), word_count, word, offset + start - text_start[text], offset + last_window + 1)


def _together(windows: Windows, used_words: Ints) -> Ints:
    """The number of windows with each pair of words, and on the diagonal of those with each word."""
    row_of_word = np.full(windows.word_count, -1)
    row_of_word[used_words] = np.arange(len(used_words))
    word_rows = row_of_word[windows.word]
    word_rows, start, end = word_rows[word_rows >= 0], windows.start[word_rows >= 0], windows.end[word_rows >= 0]
    pair_count, block_size = np.zeros((len(used_words), len(used_words))), max(TABLE_SIZE // max(len(used_words), 1), 1)
    for block_start in range(0, windows.window_count, block_size):
        is_in_block = (start < block_start + block_size) & (end > block_start)
        row_in_block, n_in_block = word_rows[is_in_block], int(is_in_block.sum())
        limits = np.concatenate([start[is_in_block], end[is_in_block]]).clip(block_start, block_start + block_size)
        edges, edge_of_limit = np.unique(limits, return_inverse=True)
        change_at_edge = np.zeros((len(used_words), len(edges)), np.int64)
        np.add.at(change_at_edge, (row_in_block, edge_of_limit[:n_in_block]), 1)
        np.add.at(change_at_edge, (row_in_block, edge_of_limit[n_in_block:]), -1)
        has_word = np.cumsum(change_at_edge, 1)[:, :-1] > 0  # from each edge to the next
        pair_count += (has_word * np.diff(edges).astype(np.float64)) @ has_word.T
    return pair_count.astype(np.int64)


def _npmi_and_pmi(windows: Windows, used_words: Ints, epsilon: float, convention: str) -> tuple[Array, Array]:
    """Both measures of each pair of some words."""
    pair_counts, count = _together(windows, used_words), windows.window_count
    word_counts, largest_share = np.diag(pair_counts), pair_counts[pair_counts < count].max(initial=0) / max(count, 1)
    if convention == "definition" and largest_share + epsilon >= 1:  # log(P(v, u) + epsilon) would be 0 or more
        limit_text = f"less than {1 - largest_share:.3g}, because two words share {largest_share:.0%} of the windows"
        raise ValueError(f"epsilon is {epsilon}, expected {limit_text}")
    products, added_below = np.outer(word_counts, word_counts), epsilon * count**2 if convention == "tomotopy" else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = _log_of_ratio(pair_counts * count, products, epsilon * count**2, added_below)  # RBH15 [c_uci]
        npmi = pmi / -_log_of_ratio(pair_counts, np.array(count), epsilon * count, 0.0)  # RBH15 [c_npmi]
    if epsilon == 0:
        npmi[pair_counts == 0] = -1  # the limit
    if convention == "definition":
        npmi[pair_counts == count] = 1  # the limit, with epsilon = 0
    if convention != "gensim":
        np.fill_diagonal(npmi, 1)
    return npmi, pmi


def _log_of_ratio(a: Ints, b: Ints, above: float, below: float) -> Array:
    """The logarithm of (a + above) / (b + below), from the exact difference of a and b if the ratio can be near 1."""
    return np.where(2 * a > b, np.log1p((a - b + above - below) / (b + below)), np.log((a + above) / (b + below)))


def _c_v(npmi: Array) -> float:
    """C_V from the vectors of a topic's words, one a row."""
    vector_sum = npmi.sum(0)
    norm_products = np.linalg.norm(npmi, axis=1) * np.linalg.norm(vector_sum)
    cosines = np.divide(npmi @ vector_sum, norm_products, out=np.zeros(len(npmi)), where=norm_products > 0)
    return float(cosines.mean()) if len(npmi) else np.nan  # RBH15 [c_v]
