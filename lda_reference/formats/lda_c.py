"""LDA-C (Blei's lda-c): a line `types word:count word:count ...` for each document, words from 0."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..corpus import Corpus
from .files import refuse, shown, whole_number
from .pairs import corpus_of, documents_of


def read(path: Path, data: bytes, W: int | None) -> Corpus:
    """The corpus of a file; without W the number of words is the largest id plus 1."""
    lines = data.split(b"\n")
    if lines[-1].strip() == b"":
        lines.pop()
    rows: list[tuple[int, int, int]] = []
    for line, text in enumerate(lines, 1):
        parts = text.split()
        if not parts:
            refuse(path, line, "an empty line", "a document, 0 if it has no words")
        if whole_number(path, line, parts[0]) != len(parts) - 1:
            found = f"{len(parts) - 1} pairs word:count after the number {shown(parts[0])}"
            refuse(path, line, found, "as many pairs as the number")
        seen = set()
        for part in parts[1:]:
            word, colon, count = part.partition(b":")
            if not colon:
                refuse(path, line, shown(part), "word:count")
            w, n = whole_number(path, line, word), whole_number(path, line, count)
            if w < 0 or (W is not None and w >= W):
                refuse(path, line, f"word {w}", "0 or more" if W is None else f"0 to {W - 1}")
            if n < 1:
                refuse(path, line, f"count {n}", "1 or more")
            if w in seen:
                refuse(path, line, f"word {w} again", "each word once per document")
            seen.add(w)
            rows.append((line - 1, w, n))
    if not lines:
        raise ValueError(f"{path}: an empty file, expected one line per document")
    if W is None:
        W = max((w for _, w, _ in rows), default=-1) + 1
    return corpus_of(path, np.array(rows, np.int64).reshape(-1, 3), len(lines), W)


def write(c: Corpus) -> bytes:
    """A corpus of types as LDA-C."""
    lines = []
    for document in documents_of(c):
        lines.append(" ".join([str(len(document)), *(f"{w}:{n}" for w, n in document)]) + "\n")
    return "".join(lines).encode()
