"""Plain text, and vocabularies: files of one word per line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..corpus import Corpus
from .files import Source, lines_of, read_text, refuse
from .pairs import documents_of


def tokenise(text: str) -> list[str]:
    """The runs of letters of a text, in lower case.

    Examples
    --------
    >>> tokenise("Don't panic: 42 is THE answer.")
    ['don', 't', 'panic', 'is', 'the', 'answer']
    """
    return re.findall(r"[^\W\d_]+", text.lower())


def read_vocab(path: Source) -> tuple[str, ...]:
    """The words of a file of one word per line, gzipped or not.

    Raises
    ------
    ValueError
        If a line is empty or a word is repeated; the message names the line.
    """
    return words_of(path, read_text(path))


def words_of(path: Source, text: str) -> tuple[str, ...]:
    """The words of a text of one word per line; errors name `path`."""
    words = [word.strip() for word in lines_of(text)]
    seen: dict[str, int] = {}
    for line, word in enumerate(words, 1):
        if not word:
            refuse(path, line, "an empty line", "a word")
        if word in seen:
            refuse(path, line, f"{word!r} again, as in line {seen[word]}", "each word once")
        seen[word] = line
    return tuple(words)


def read(
    path: Path, texts: list[str], words: tuple[str, ...] | None, stop: Source | Iterable[str] | None
) -> Corpus:
    """The corpus of types of some texts, one per document; without `words` the vocabulary is the words that occur."""
    if isinstance(stop, (str, os.PathLike)):
        stop = read_vocab(stop)
    stopped = set(stop or ())
    documents = [[word for word in tokenise(text) if word not in stopped] for text in texts]
    if words is None:
        words = tuple(sorted({word for document in documents for word in document}))
    number = {word: i for i, word in enumerate(words)}
    ids = [[number[word] for word in document if word in number] for document in documents]
    if not any(ids):
        raise ValueError(f"{path}: an empty corpus, expected at least one word (of the vocabulary, if one is given)")
    return Corpus.from_documents(ids, vocab=words).types()


def write(c: Corpus) -> bytes:
    """A corpus of types with a vocabulary as text, one document per line, each word as often as it occurs."""
    assert c.vocab is not None
    lines = []
    for document in documents_of(c):
        lines.append(" ".join(c.vocab[w] for w, n in document for _ in range(n)) + "\n")
    return "".join(lines).encode()
