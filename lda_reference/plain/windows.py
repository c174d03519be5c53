"""The coherence of topics in windows of words: C_UCI, C_NPMI and C_V, RBH15.

A window is a number of words of a text in a row, as a set. A shorter text is one window, and an empty text is none.
C_UCI and C_NPMI are means over pairs of words, and C_V is one over words v_i, of the cosine of x_i and the sum of all
x_j, where x_ij = NPMI(v_i, v_j). NPMI has two limits: -1 for words that never meet, and 1 for words that are both in
every window. PMI is minus infinity for words that never meet. The cosine with a vector of zeros is 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .numbers import Floats, Number

Text = Sequence[Any]  # of words or ids


def coherence(topic: Text, texts: Sequence[Text], window: int, measure: str, arithmetic: Floats) -> Number:
    """The coherence of a topic, given by its words: each is in a text."""
    windows = windows_of(texts, window)
    if measure == "c_v":
        return c_v(topic, windows, arithmetic)
    measure_of_pair = {"c_uci": pmi, "c_npmi": npmi}[measure]
    return mean([measure_of_pair(windows, v, u, arithmetic) for v, u in itertools.combinations(topic, 2)], arithmetic)


def windows_of(texts: Sequence[Text], window: int) -> list[set[Any]]:
    """The windows of all texts.

    >>> [sorted(x) for x in windows_of(["abac", "bc", ""], 3)]
    [['a', 'b'], ['a', 'b', 'c'], ['b', 'c']]
    """
    texts_and_starts = [(text, i) for text in texts if len(text) > 0 for i in range(max(len(text) - window + 1, 1))]
    return [set(text[i : i + window]) for text, i in texts_and_starts]


def share(windows: list[set[Any]], words: Sequence[Any], arithmetic: Floats) -> Number:
    """The share of the windows that contain all of some words: P(v) or P(v, u)."""
    return arithmetic.number(sum(set(words) <= words_of_window for words_of_window in windows)) / len(windows)


def pmi(windows: list[set[Any]], v: Any, u: Any, arithmetic: Floats) -> Number:
    p_if_independent = share(windows, [v], arithmetic) * share(windows, [u], arithmetic)
    return arithmetic.log(share(windows, [v, u], arithmetic) / p_if_independent)  # RBH15 [c_uci]


def npmi(windows: list[set[Any]], v: Any, u: Any, arithmetic: Floats) -> Number:
    """The same, normalised."""
    n_together = sum({v, u} <= words_of_window for words_of_window in windows)
    if v == u or n_together == len(windows):
        return arithmetic.number(1)
    if n_together == 0:
        return arithmetic.number(-1)
    return pmi(windows, v, u, arithmetic) / -arithmetic.log(share(windows, [v, u], arithmetic))  # RBH15 [c_npmi]


def c_v(topic: Text, windows: list[set[Any]], arithmetic: Floats) -> Number:
    """The mean cosine of the words' vectors and their sum."""
    npmi_rows = [[npmi(windows, v, u, arithmetic) for u in topic] for v in topic]
    sum_of_rows = [arithmetic.sum(column) for column in zip(*npmi_rows, strict=True)]
    return mean([cosine(x_i, sum_of_rows, arithmetic) for x_i in npmi_rows], arithmetic)  # RBH15 [c_v]


def cosine(x: list[Number], y: list[Number], arithmetic: Floats) -> Number:
    if not any(x) or not any(y):
        return arithmetic.number(0)
    norm_product = arithmetic.sqrt(dot(x, x, arithmetic)) * arithmetic.sqrt(dot(y, y, arithmetic))
    return dot(x, y, arithmetic) / norm_product


def dot(x: list[Number], y: list[Number], arithmetic: Floats) -> Number:
    return arithmetic.sum(a * b for a, b in zip(x, y, strict=True))


def mean(x: list[Number], arithmetic: Floats) -> Number:
    return arithmetic.sum(x) / len(x)
