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


def coherence(topic: Text, texts: Sequence[Text], window: int, measure: str, numbers: Floats) -> Number:
    """The coherence of a topic, given by its words: each is in a text."""
    windows = windows_of(texts, window)
    if measure == "c_v":
        return c_v(topic, windows, numbers)
    of_pair = {"c_uci": pmi, "c_npmi": npmi}[measure]
    return mean([of_pair(windows, v, u, numbers) for v, u in itertools.combinations(topic, 2)], numbers)


def windows_of(texts: Sequence[Text], window: int) -> list[set[Any]]:
    """The windows of all texts.

    >>> [sorted(x) for x in windows_of(["abac", "bc", ""], 3)]
    [['a', 'b'], ['a', 'b', 'c'], ['b', 'c']]
    """
    text_places = [(text, i) for text in texts if len(text) > 0 for i in range(max(len(text) - window + 1, 1))]
    return [set(text[i : i + window]) for text, i in text_places]


def share(windows: list[set[Any]], words: Sequence[Any], numbers: Floats) -> Number:
    """The share of the windows that contain all of some words: P(v) or P(v, u)."""
    return numbers.number(sum(set(words) <= x for x in windows)) / len(windows)


def pmi(windows: list[set[Any]], v: Any, u: Any, numbers: Floats) -> Number:
    p_apart = share(windows, [v], numbers) * share(windows, [u], numbers)
    return numbers.log(share(windows, [v, u], numbers) / p_apart)  # RBH15 [c_uci]


def npmi(windows: list[set[Any]], v: Any, u: Any, numbers: Floats) -> Number:
    """The same, normalised."""
    meetings = sum({v, u} <= x for x in windows)
    if v == u or meetings == len(windows):
        return numbers.number(1)
    if meetings == 0:
        return numbers.number(-1)
    return pmi(windows, v, u, numbers) / -numbers.log(share(windows, [v, u], numbers))  # RBH15 [c_npmi]


def c_v(topic: Text, windows: list[set[Any]], numbers: Floats) -> Number:
    """The mean cosine of the words' vectors and their sum."""
    npmi_rows = [[npmi(windows, v, u, numbers) for u in topic] for v in topic]
    row_sum = [numbers.sum(column) for column in zip(*npmi_rows, strict=True)]
    return mean([cosine(x_i, row_sum, numbers) for x_i in npmi_rows], numbers)  # RBH15 [c_v]


def cosine(x: list[Number], y: list[Number], numbers: Floats) -> Number:
    if not any(x) or not any(y):
        return numbers.number(0)
    norms = numbers.sqrt(dot(x, x, numbers)) * numbers.sqrt(dot(y, y, numbers))
    return dot(x, y, numbers) / norms


def dot(x: list[Number], y: list[Number], numbers: Floats) -> Number:
    return numbers.sum(a * b for a, b in zip(x, y, strict=True))


def mean(x: list[Number], numbers: Floats) -> Number:
    return numbers.sum(x) / len(x)
