"""The documents of a report: those that are typical of a topic, and one in the colours of its topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...corpus import Corpus, Ints
from ...fitting import Fit
from ...formats.text import pieces
from ...model import Array
from ..models import name_of

BEGINNING = 150  # characters of a typical document that are shown
LONGEST_TEXT = 5000  # words of the document in colours that are shown


class Document(NamedTuple):
    """A document that is typical of a topic: its name, theta, its tokens, its words of this topic, how it begins."""

    name: str
    theta: float
    tokens: int
    words: tuple[str, ...]
    beginning: str


class Coloured(NamedTuple):
    """A document word by word: name, theta, and (word, count, topic, its probability) in the order of its rows.

    The pieces are its text, if it is known: (piece, topic, its probability), without a topic for what stands between
    the words that the model knows. `is_cut` says whether the text goes on.
    """

    name: str
    theta: Array
    tokens: int
    words: tuple[tuple[str, int, int, float], ...]
    pieces: tuple[tuple[str, int | None, float], ...]
    is_cut: bool


def lengths(c: Corpus) -> Ints:
    """The number of tokens of each document."""
    return np.bincount(c.j.astype(np.intp), c.n, c.D).astype(np.int64)


def _rows(c: Corpus, j: int) -> slice:
    return slice(*np.searchsorted(c.j, [j, j + 1]).tolist())


def texts_of(texts: Callable[[list[int]], list[str] | None] | None, documents: list[int]) -> dict[int, str]:
    """The texts of documents by their numbers; empty if the corpus has none."""
    found = None if texts is None else texts(documents)
    return {} if found is None else dict(zip(documents, found, strict=True))


def median(c: Corpus) -> int:
    """A document of median length among those that are not empty."""
    N_j = lengths(c)
    used = np.flatnonzero(N_j)
    return int(used[np.argsort(N_j[used], kind="stable")[len(used) // 2]])


def most_typical(f: Fit, c: Corpus, k: int, count: int = 3) -> list[int]:
    """The documents with the largest theta of a topic, longer ones first among equals, without empty ones."""
    N_j = lengths(c)
    return [int(j) for j in np.lexsort((-N_j, -f.theta_jk[:, k])) if N_j[j] > 0][:count]


def typical(
    f: Fit,
    c: Corpus,
    vocab: tuple[str, ...] | None,
    names: list[str],
    k: int,
    text_of: dict[int, str],
    documents: list[int],
    words: int = 6,
) -> tuple[Document, ...]:
    """Documents with their first words by the number of their tokens of a topic."""
    N_j = lengths(c)
    out = []
    for j in documents:
        rows = _rows(c, j)
        tokens = np.bincount(c.w[rows].astype(np.intp), c.n[rows] * f.state.gamma[rows, k])
        first = tuple(name_of(int(w), vocab) for w in np.argsort(-tokens, kind="stable")[:words] if tokens[w] > 0)
        out.append(Document(names[j], float(f.theta_jk[j, k]), int(N_j[j]), first, beginning(text_of.get(j, ""))))
    return tuple(out)


def beginning(text: str, length: int = BEGINNING) -> str:
    """The first characters of a text in one line, up to the end of a word if there is one in the second half.

    Examples
    --------
    >>> beginning("The cat\\n  sat on the mat.", 14)
    'The cat sat on …'
    """
    whole = " ".join(text[: 20 * length].split())
    if len(whole) <= length:
        return whole
    first = whole[: length + 1].rpartition(" ")[0]
    return f"{first if len(first) > length // 2 else whole[:length]} …"


def coloured(
    f: Fit, c: Corpus, vocab: tuple[str, ...] | None, name: str, document: int, text: str | None
) -> Coloured:
    """A document in the colours of its topics."""
    rows = _rows(c, document)
    gamma = f.state.gamma[rows]
    found = zip(c.w[rows], c.n[rows], gamma.argmax(1), gamma.max(1), strict=True)
    words = tuple((name_of(int(w), vocab), int(n), int(k), float(x)) for w, n, k, x in found)
    pieces, is_cut = ((), False) if text is None else coloured_text(text, topics_of_words(c, gamma, rows, vocab))
    return Coloured(name, f.theta_jk[document], int(c.n[rows].sum()), words, pieces, is_cut)


def topics_of_words(
    c: Corpus, gamma: Array, rows: slice, vocab: tuple[str, ...] | None
) -> dict[str, tuple[int, float]]:
    """For each word of a document its most probable topic and that probability: the mean of gamma over its tokens."""
    total: dict[str, Array] = {}
    for w, n, of_row in zip(c.w[rows], c.n[rows], gamma, strict=True):
        word = name_of(int(w), vocab)
        total[word] = total.get(word, 0.0) + n * of_row
    return {word: (int(x.argmax()), float(x.max() / x.sum())) for word, x in total.items()}


def coloured_text(
    text: str, topics: dict[str, tuple[int, float]], longest: int = LONGEST_TEXT
) -> tuple[tuple[tuple[str, int | None, float], ...], bool]:
    """The pieces of a text, each with the topic of its word and its probability, and whether later words are left out.

    Neighbours without a topic are one piece.

    Examples
    --------
    >>> coloured_text("The CAT, the mat", {"cat": (1, 0.9)})
    ((('The ', None, 0.0), ('CAT', 1, 0.9), (', the mat', None, 0.0)), False)
    """
    out: list[tuple[str, int | None, float]] = []
    number = 0
    for piece, word in pieces(text):
        number += word is not None
        if number > longest:
            return tuple(out), True
        known = None if word is None else topics.get(word)
        if known is not None:
            out.append((piece, *known))
        elif out and out[-1][1] is None:
            out[-1] = (out[-1][0] + piece, None, 0.0)
        else:
            out.append((piece, None, 0.0))
    return tuple(out), False
