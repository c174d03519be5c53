"""Corpora in files: the formats by name, reading with a guess at the format, and writing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..corpus import Corpus
from . import lda_c, npz, pairs, text
from .files import SIZE, Source, decoded, lines_of, read_bytes, read_text, write_bytes

FORMATS = ("uci", "ldac", "mm", "npz", "text")


def read_corpus(
    path: Source,
    format: str | None = None,
    vocab: Source | Sequence[str] | None = None,
    W: int | None = None,
    stop: Source | Iterable[str] | None = None,
) -> Corpus:
    """A corpus of types from a file, or from a folder of texts.

    Parameters
    ----------
    path : path
        A gzipped file is decompressed, whatever its name.
    format : {"uci", "ldac", "mm", "npz", "text"}, optional
        - "uci": three lines D, W and NNZ, then a line `document word count` for each pair, both numbered from 1 (the
          docword files of the UCI Machine Learning Repository);
        - "ldac": one line per document, `types word:count word:count ...`, words from 0 (Blei's lda-c);
        - "mm": Matrix Market, coordinate and general; rows are documents, columns are words;
        - "npz": a (documents, words) matrix written by `scipy.sparse.save_npz`;
        - "text": a file with one document per line, or a folder with one document per file, in the order of their
          names. The tokens are the runs of letters, in lower case.

        By default the format is guessed from the content.
    vocab : path of a file of one word per line, or sequence of words, optional
        For "text", only these words are kept; by default the vocabulary is the words that occur, sorted.
    W : int, optional
        The expected number of words. A file of "ldac" does not state it; there the default is the length of `vocab` or,
        without one, the largest id plus 1.
    stop : path of a file of one word per line, or words, optional
        For "text" only: words to leave out.

    Raises
    ------
    ValueError
        If the file is not what its format promises; the message names the file, the line and what was expected.
    """
    path = Path(path)
    if format is not None and format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    words = text.read_vocab(vocab) if isinstance(vocab, (str, os.PathLike)) else None if vocab is None else tuple(vocab)
    if path.is_dir():
        if format not in (None, "text"):
            raise ValueError(f"{path}: a folder, expected a file for format {format!r}")
        names = sorted(x for x in path.iterdir() if x.is_file() and not x.name.startswith("."))
        format, texts = "text", [read_text(x) for x in names]
    else:
        data = read_bytes(path)
        format = format or _guess(data)
        texts = lines_of(decoded(path, data)) if format == "text" else []
    if format != "text" and stop is not None:
        raise ValueError(f"stop is given for format {format!r}, expected it for plain text only")
    if format == "text":
        c = text.read(path, texts, words, stop)
        words = c.vocab
    elif format == "ldac":
        c = lda_c.read(path, data, W if W is not None else len(words) if words is not None else None)
    else:
        c = {"uci": pairs.read_uci, "mm": pairs.read_matrix_market, "npz": npz.read}[format](path, data)
    if c.N == 0:
        raise ValueError(f"{path}: an empty corpus, expected at least one token")
    if W is not None and c.W != W:
        raise ValueError(f"{path}: a vocabulary of {c.W} words, expected {W}")
    if words is not None and len(words) != c.W:
        name = vocab if isinstance(vocab, (str, os.PathLike)) else "vocab"
        raise ValueError(f"{name}: {len(words)} words, expected {c.W}, as many as {path} has")
    return c if words == c.vocab else Corpus(c.j, c.w, c.n, c.D, c.W, words)


def write_corpus(c: Corpus, path: Source, format: str, vocab: Source | None = None) -> None:
    """Write the types of a corpus, gzipped if the name ends in `.gz`.

    A write that is interrupted leaves the old file as it was.

    Parameters
    ----------
    c : Corpus
    path : path
    format : {"uci", "ldac", "mm", "npz", "text"}
        As in `read_corpus`. "text" writes each word as often as it occurs, and needs `c.vocab`.
    vocab : path, optional
        Where to write the vocabulary, one word per line.

    Raises
    ------
    ValueError
        If the corpus cannot be written so that `read_corpus` would read the same corpus.
    """
    if format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    if c.vocab is None and (format == "text" or vocab is not None):
        raise ValueError("c.vocab is None, expected a vocabulary to write")
    words = None if vocab is None or c.vocab is None else "".join(f"{word}\n" for word in c.vocab)
    if vocab is not None and words is not None and text.words_of(vocab, words) != c.vocab:
        raise ValueError("c.vocab has a word with a line break in it or blanks around it, expected one word per line")
    writers = {
        "uci": pairs.write_uci,
        "ldac": lda_c.write,
        "mm": pairs.write_matrix_market,
        "npz": npz.write,
        "text": text.write,
    }
    write_bytes(path, writers[format](c.types()))
    if vocab is not None and words is not None:
        write_bytes(vocab, words.encode())


def _guess(data: bytes) -> str:
    if data[:2] == b"PK":
        return "npz"
    if data[:14].lower() == b"%%matrixmarket":
        return "mm"
    lines = [line.strip() for line in data[:4096].split(b"\n")]
    # A number alone on its line is a size in UCI's files and a document without words, 0, in LDA-C. UCI's first number
    # is D, which is not 0.
    if len(lines) >= 3 and lines[0].strip(b"0") and all(SIZE.fullmatch(line) for line in lines[:3]):
        return "uci"
    numbers = lines[0].split()[: -1 if len(lines) == 1 and len(data) > 4096 else None]  # the last one may be cut off
    if numbers and SIZE.fullmatch(numbers[0]) and all(re.fullmatch(rb"[^:]+:[^:]+", pair) for pair in numbers[1:]):
        return "ldac"
    return "text"
