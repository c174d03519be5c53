"""The documents of a report: those that are typical of a topic, and one in the colours of its topics."""

from typing import NamedTuple

import numpy as np

from ...corpus import Corpus
from ...fitting import Fit
from ...formats.text import pieces
from ...model import Array
from ..models import name_of

BEGINNING = 200  # characters of a typical document that are shown
WORDS = 6  # of a typical document that are shown, if it has no text
LONGEST_TEXT = 5000  # words of the document in colours that are shown

Texts = dict[int, str] | str  # the texts of documents by their numbers, or why there are none
Piece = tuple[str, int | None, float]  # a part of a text, its topic if the model knows it, and that topic's probability


class Document(NamedTuple):
    """A document that is typical of a topic: its name, theta, its tokens, its words of this topic, how it begins."""

    name: str
    theta: float
    tokens: int
    words: tuple[str, ...]
    beginning: str


class Coloured(NamedTuple):
    """A document word by word: name, theta, and (word, count, topic, its probability) in the order of its rows.

    `text` has the pieces of its text, without a topic for what stands between the words that the model knows, and
    whether the text goes on; or it says why there is none.
    """

    name: str
    theta: Array
    words: tuple[tuple[str, int, int, float], ...]
    text: tuple[tuple[Piece, ...], bool] | str


def _rows(c: Corpus, j: int) -> slice:
    return slice(*np.searchsorted(c.j, [j, j + 1]).tolist())


def median(c: Corpus) -> int:
    """A document of median length among those that are not empty."""
    N_j = c.by_document(c.n)
    nonempty_js = np.flatnonzero(N_j)
    return int(nonempty_js[np.argsort(N_j[nonempty_js], kind="stable")[len(nonempty_js) // 2]])


def most_typical(f: Fit, c: Corpus, k: int) -> list[int]:
    """The documents with the largest theta of a topic, longer ones first among equals, without empty ones."""
    N_j = c.by_document(c.n)
    return [int(j) for j in np.lexsort((-N_j, -f.theta_jk[:, k])) if N_j[j] > 0][:3]


def typical(f: Fit, c: Corpus, names: list[str], k: int, texts: Texts, typical_js: list[int]) -> tuple[Document, ...]:
    """Documents with the words that have most of their tokens of a topic, and the beginnings of their texts."""
    N_j, typical_documents = c.by_document(c.n), []
    for j in typical_js:
        rows_j = _rows(c, j)
        N_w = np.bincount(c.w[rows_j].astype(np.intp), c.n[rows_j] * f.state.gamma[rows_j, k])
        words_in_doc = tuple(name_of(int(w), f.vocab) for w in np.argsort(-N_w, kind="stable")[:WORDS] if N_w[w] > 0)
        beginning_text = "" if isinstance(texts, str) else beginning(texts[j])
        typical_documents.append(Document(names[j], float(f.theta_jk[j, k]), int(N_j[j]), words_in_doc, beginning_text))
    return tuple(typical_documents)


def beginning(text: str, length: int = BEGINNING) -> str:
    """The first characters of a text in one line, up to the end of a word if there is one in the second half.

    >>> beginning("The cat\\n  sat on the mat.", 14)
    'The cat sat on\\xa0…'
    """
    one_line_text = " ".join(text[: 20 * length].split())
    if len(one_line_text) <= length:
        return one_line_text
    whole_words_text = one_line_text[: length + 1].rpartition(" ")[0]
    return f"{whole_words_text if len(whole_words_text) > length // 2 else one_line_text[:length]}\xa0…"


def coloured(f: Fit, c: Corpus, document_name: str, j: int, texts: Texts) -> Coloured:
    """A document in the colours of its topics."""
    rows_j = _rows(c, j)
    gamma = f.state.gamma[rows_j]
    row_words, n_of_row = [name_of(w, f.vocab) for w in c.w[rows_j].tolist()], c.n[rows_j].tolist()
    coloured_words = tuple(zip(row_words, n_of_row, gamma.argmax(1).tolist(), gamma.max(1).tolist(), strict=True))
    if isinstance(texts, str):
        return Coloured(document_name, f.theta_jk[j], coloured_words, texts)
    n_k_of_word: dict[str, Array] = {}
    for word, n, gamma_k in zip(row_words, n_of_row, gamma, strict=True):
        n_k_of_word[word] = n_k_of_word.get(word, 0.0) + n * gamma_k
    topic_of_word: dict[str | None, tuple[int, float]] = {  # by the mean of gamma
        word: (int(n_k.argmax()), float(n_k.max() / n_k.sum())) for word, n_k in n_k_of_word.items()
    }
    return Coloured(document_name, f.theta_jk[j], coloured_words, coloured_text(texts[j], topic_of_word))


def coloured_text(text: str, topic_of_word: dict[str | None, tuple[int, float]]) -> tuple[tuple[Piece, ...], bool]:
    """The pieces of a text, each with the topic of its word and its probability, and whether later words are left out.

    Neighbours without a topic are one piece.

    >>> coloured_text("The CAT, the mat", {"cat": (1, 0.9)})
    ((('The ', None, 0.0), ('CAT', 1, 0.9), (', the mat', None, 0.0)), False)
    """
    coloured_pieces: list[Piece] = []
    n_words = 0
    for piece, word in pieces(text):
        n_words += word is not None
        if n_words > LONGEST_TEXT:
            return tuple(coloured_pieces), True
        grey_text_before = ""
        if word not in topic_of_word and coloured_pieces and coloured_pieces[-1][1] is None:
            grey_text_before = coloured_pieces.pop()[0]
        coloured_pieces.append((grey_text_before + piece, *topic_of_word.get(word, (None, 0.0))))
    return tuple(coloured_pieces), False
