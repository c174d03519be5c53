"""Corpora in files: UCI docword, LDA-C, Matrix Market, CSR in npz, and plain text; `.gz` of each."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import scipy.sparse

from .corpus import Corpus, Ints

FORMATS = ("uci", "ldac", "mm", "npz", "text")
Source = str | os.PathLike[str]
LARGEST = 10**18 - 1  # numbers in a file have 18 digits at most
WHOLE = re.compile(rb"[+-]?[0-9]{1,18}")
SIZE = re.compile(rb"[0-9]{1,18}")


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
        Unpacked by the way if gzipped, whatever its name.
    format : {"uci", "ldac", "mm", "npz", "text"}, optional
        - "uci": three lines D, W, NNZ, then a line `document word count` a pair, both from 1 (docword of the UCI
          Machine Learning Repository);
        - "ldac": a line a document, `types word:count word:count ...`, words from 0 (Blei's lda-c);
        - "mm": Matrix Market, coordinate, general; rows are documents, columns words;
        - "npz": a (documents, words) matrix by `scipy.sparse.save_npz`;
        - "text": a file of a document a line, or a folder of a document a file, in the order of their names. The
          tokens are the runs of letters, in lower case, see `tokenise`.

        Default: by the content.
    vocab : path of a word a line, or sequence of words, optional
        For "text": only these words are kept; without it the vocabulary is what occurs, sorted.
    W : int, optional
        The number of words that is expected. Files of "ldac" do not say theirs: by default the length of `vocab`, else
        one more than the largest id.
    stop : path of a word a line, or words, optional
        For "text": left out.

    Raises
    ------
    ValueError
        For anything that is not what the format promises, naming file, line and expectation.
    """
    path = Path(path)
    if format is not None and format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    words = read_vocab(vocab) if isinstance(vocab, (str, os.PathLike)) else None if vocab is None else tuple(vocab)
    if path.is_dir():
        if format not in (None, "text"):
            raise ValueError(f"{path}: a folder, expected a file for format {format!r}")
        names = sorted(x for x in path.iterdir() if x.is_file() and not x.name.startswith("."))
        format, texts = "text", [_text(x) for x in names]
    else:
        data = _bytes(path)
        format = format or _guess(data)
        texts = _lines(_decoded(path, data)) if format == "text" else []
    if format != "text" and stop is not None:
        raise ValueError("stop is for plain text: a corpus of counts has left its stop words in or out already")
    if format == "text":
        c = _from_texts(path, texts, words, stop)
        words = c.vocab
    elif format == "ldac":
        c = _ldac(path, data, W if W is not None else len(words) if words is not None else None)
    else:
        c = {"uci": _uci, "mm": _mm, "npz": _npz}[format](path, data)
    if c.N == 0:
        raise ValueError(f"{path}: an empty corpus, expected at least one token")
    if W is not None and c.W != W:
        raise ValueError(f"{path}: a vocabulary of {c.W} words, expected {W}")
    if words is not None and len(words) != c.W:
        name = vocab if isinstance(vocab, (str, os.PathLike)) else "vocab"
        raise ValueError(f"{name}: {len(words)} words, expected {c.W}, as many as {path} has")
    return c if words == c.vocab else Corpus(c.j, c.w, c.n, c.D, c.W, words)


def write_corpus(c: Corpus, path: Source, format: str, vocab: Source | None = None) -> None:
    """Write the types of a corpus, gzipped if the name ends in `.gz`; the file appears when it is whole.

    Parameters
    ----------
    c : Corpus
    path : path
    format : {"uci", "ldac", "mm", "npz", "text"}
        "text" writes each word as often as it occurs, and needs `c.vocab`.
    vocab : path, optional
        Where to write the vocabulary, a word a line.
    """
    if format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    if c.vocab is None and (format == "text" or vocab is not None):
        raise ValueError("the corpus has no vocabulary to write")
    words = None if vocab is None or c.vocab is None else "".join(f"{word}\n" for word in c.vocab)
    if vocab is not None and words is not None and _words(vocab, words) != c.vocab:
        raise ValueError("a word of the vocabulary has a line break in it or blanks around it, expected a line a word")
    c = c.types()
    if format in ("uci", "mm"):
        head = f"{c.D}\n{c.W}\n{c.M}\n"
        if format == "mm":
            head = f"%%MatrixMarket matrix coordinate integer general\n{c.D} {c.W} {c.M}\n"
        rows = zip((c.j + 1).tolist(), (c.w + 1).tolist(), c.n.tolist(), strict=True)
        data = (head + "".join(f"{j} {w} {n}\n" for j, w, n in rows)).encode()
    elif format == "npz":
        buffer = io.BytesIO()
        scipy.sparse.save_npz(buffer, scipy.sparse.csr_matrix(c.to_csr()))
        data = buffer.getvalue()
    else:
        starts = np.searchsorted(c.j, np.arange(c.D + 1)).tolist()
        lines = []
        for a, b in pairwise(starts):
            pairs = list(zip(c.w[a:b].tolist(), c.n[a:b].tolist(), strict=True))
            if format == "ldac":
                lines.append(" ".join([str(b - a), *(f"{w}:{n}" for w, n in pairs)]) + "\n")
            else:
                assert c.vocab is not None
                lines.append(" ".join(c.vocab[w] for w, n in pairs for _ in range(n)) + "\n")
        data = "".join(lines).encode()
    _write(path, data)
    if vocab is not None and words is not None:
        _write(vocab, words.encode())


def read_vocab(path: Source) -> tuple[str, ...]:
    """The words of a file of a word a line.

    Raises
    ------
    ValueError
        For an empty or repeated word, naming its line.
    """
    return _words(path, _text(Path(path)))


def _words(path: Source, text: str) -> tuple[str, ...]:
    words = [word.strip() for word in _lines(text)]
    seen: dict[str, int] = {}
    for line, word in enumerate(words, 1):
        if not word:
            _fail(path, line, "an empty line", "a word")
        if word in seen:
            _fail(path, line, f"{word!r} again, as in line {seen[word]}", "every word once")
        seen[word] = line
    return tuple(words)


def tokenise(text: str) -> list[str]:
    """The runs of letters of a text, in lower case.

    >>> tokenise("Don't panic: 42 is THE answer.")
    ['don', 't', 'panic', 'is', 'the', 'answer']
    """
    return re.findall(r"[^\W\d_]+", text.lower())


# Readers -------------------------------------------------------------------------------------------------------------


def _uci(path: Path, data: bytes) -> Corpus:
    lines = data.split(b"\n", 3)
    sizes = []
    for i, what in enumerate(("documents D", "words W", "pairs NNZ")):
        if i >= len(lines) or not SIZE.fullmatch(lines[i].strip()):
            _fail(path, i + 1, _show(lines[i] if i < len(lines) else b""), f"the number of {what}, alone on its line")
        sizes.append(int(lines[i]))
    return _pairs(path, lines[3] if len(lines) > 3 else b"", 4, *sizes)


def _mm(path: Path, data: bytes) -> Corpus:
    head, _, rest = data.partition(b"\n")
    words = head.lower().split()
    if len(words) != 5 or words[:3] != [b"%%matrixmarket", b"matrix", b"coordinate"] or words[4] != b"general":
        _fail(path, 1, _show(head), "%%MatrixMarket matrix coordinate integer general")
    if words[3] not in (b"integer", b"real"):
        _fail(path, 1, _show(words[3]), "integer (or real) entries: counts")
    line = 2
    while rest[:1] in (b"%", b"\n", b"\r"):
        rest = rest.partition(b"\n")[2]
        line += 1
    size, _, rest = rest.partition(b"\n")
    sizes = size.split()
    if len(sizes) != 3 or not all(SIZE.fullmatch(x) for x in sizes):
        _fail(path, line, _show(size), "three numbers: documents, words, entries")
    return _pairs(path, rest, line + 1, *map(int, sizes))


def _pairs(path: Path, body: bytes, first_line: int, D: int, W: int, pairs: int) -> Corpus:
    """The lines `document word count`, numbered from 1, that UCI's and Matrix Market's files share."""
    rows = _fast_rows(body, D, W, pairs)
    if rows is None:
        rows = _slow_rows(path, body, D, W, pairs, first_line)
    return _corpus(path, rows - (1, 1, 0), D, W)


def _fast_rows(body: bytes, D: int, W: int, pairs: int) -> Ints | None:
    """The rows in order, where nothing is out of the ordinary: each line three numbers and two blanks, no more."""
    body = body.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    between = body.translate(None, b"0123456789")
    if len(between) != 3 * pairs or between != b"  \n" * pairs:
        return None
    numbers = np.fromstring(body, np.int64, sep=" ")  # a line end is a blank to it
    if len(numbers) != 3 * pairs:  # some place between two blanks was empty
        return None
    rows = numbers.reshape(pairs, 3)
    if np.min(rows) < 1 or np.any(np.max(rows, 0) > (D, W, LARGEST)):
        return None
    rows = _in_order(rows)
    return rows if _ascending(rows) else None


def _in_order(rows: Ints) -> Ints:
    """Rows by document and word; most files have them so, and looking is much cheaper than sorting."""
    return rows if _ascending(rows) else rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def _ascending(rows: Ints) -> bool:
    j, w, _ = rows.T
    return bool(np.all((j[1:] > j[:-1]) | ((j[1:] == j[:-1]) & (w[1:] > w[:-1]))))


def _corpus(path: Path, rows: Ints, D: int, W: int) -> Corpus:
    try:
        j, w, n = _in_order(rows).T
        return Corpus(j, w, n, D, W)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _slow_rows(path: Path, body: bytes, D: int, W: int, pairs: int, first_line: int) -> Ints:
    """The rows, or what is wrong with the first bad one."""
    rows: list[tuple[int, int, int]] = []
    seen: dict[tuple[int, int], int] = {}
    line = first_line - 1
    for line, text in enumerate(body.split(b"\n"), first_line):
        parts = text.split()
        if not parts:
            continue
        if len(parts) != 3:
            _fail(path, line, _show(text), "document, word and count")
        j, w, n = (_whole(path, line, x) for x in parts)
        if not 1 <= j <= D:
            _fail(path, line, f"document {j}", f"1 to {D}")
        if not 1 <= w <= W:
            _fail(path, line, f"word {w}", f"1 to {W}")
        if n < 1:
            _fail(path, line, f"count {n}", "1 or more")
        if (j, w) in seen:
            _fail(path, line, f"document {j}, word {w} again, as in line {seen[j, w]}", "every pair once")
        if len(rows) == pairs:
            _fail(path, line, "another pair", f"{pairs} pairs, as the header says")
        seen[j, w] = line
        rows.append((j, w, n))
    if len(rows) < pairs:
        _fail(path, line, f"the end of the file after {len(rows)} pairs", f"{pairs}, as the header says")
    return np.array(rows, np.int64).reshape(-1, 3)


def _ldac(path: Path, data: bytes, W: int | None) -> Corpus:
    lines = data.split(b"\n")
    if lines[-1].strip() == b"":
        lines.pop()
    rows: list[tuple[int, int, int]] = []
    for line, text in enumerate(lines, 1):
        parts = text.split()
        if not parts:
            _fail(path, line, "an empty line", "a document: 0 for one without words")
        if _whole(path, line, parts[0]) != len(parts) - 1:
            _fail(path, line, f"{_show(parts[0])} types announced and {len(parts) - 1} given", "as many as announced")
        mine = set()
        for part in parts[1:]:
            word, colon, count = part.partition(b":")
            if not colon:
                _fail(path, line, _show(part), "word:count")
            v, m = _whole(path, line, word), _whole(path, line, count)
            if v < 0 or (W is not None and v >= W):
                _fail(path, line, f"word {v}", "0 or more" if W is None else f"0 to {W - 1}")
            if m < 1:
                _fail(path, line, f"count {m}", "1 or more")
            if v in mine:
                _fail(path, line, f"word {v} again", "every word once a document")
            mine.add(v)
            rows.append((line - 1, v, m))
    if not lines:
        raise ValueError(f"{path}: an empty file, expected a document a line")
    if W is None:
        W = max((w for _, w, _ in rows), default=-1) + 1
    return _corpus(path, np.array(rows, np.int64).reshape(-1, 3), len(lines), W)


def _npz(path: Path, data: bytes) -> Corpus:
    try:
        X = scipy.sparse.load_npz(io.BytesIO(data))
        if hasattr(X, "check_format"):  # before any conversion: SciPy's run into memory where an index is out of range
            X.check_format(full_check=True)
        X = scipy.sparse.csr_array(X)
    except Exception as error:  # whatever a damaged file makes zip, NumPy or SciPy say
        raise ValueError(
            f"{path}: not a sparse matrix by scipy.sparse.save_npz ({type(error).__name__}: {error})"
        ) from error
    try:
        return Corpus.from_csr(X)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _from_texts(
    path: Path, texts: list[str], words: tuple[str, ...] | None, stop: Source | Iterable[str] | None
) -> Corpus:
    if isinstance(stop, (str, os.PathLike)):
        stop = read_vocab(stop)
    stopped = set(stop or ())
    documents = [[word for word in tokenise(text) if word not in stopped] for text in texts]
    if words is None:
        words = tuple(sorted({word for document in documents for word in document}))
    number = {word: i for i, word in enumerate(words)}
    ids = [[number[word] for word in document if word in number] for document in documents]
    if not any(ids):
        raise ValueError(f"{path}: an empty corpus, expected at least one word of the vocabulary")
    return Corpus.from_documents(ids, vocab=words).types()


def _guess(data: bytes) -> str:
    if data[:2] == b"PK":
        return "npz"
    if data[:14].lower() == b"%%matrixmarket":
        return "mm"
    lines = [line.strip() for line in data[:4096].split(b"\n")]
    # a number alone in a line is 0 in LDA-C, a document without words; in UCI's files the first one is D
    if len(lines) >= 3 and lines[0].strip(b"0") and all(SIZE.fullmatch(line) for line in lines[:3]):
        return "uci"
    pairs = lines[0].split()[: -1 if len(lines) == 1 and len(data) > 4096 else None]  # the last one may be cut
    if pairs and SIZE.fullmatch(pairs[0]) and all(re.fullmatch(rb"[^:]+:[^:]+", pair) for pair in pairs[1:]):
        return "ldac"
    return "text"


# Files ---------------------------------------------------------------------------------------------------------------


def _bytes(path: Source) -> bytes:
    data = Path(path).read_bytes()
    if data[:2] != b"\x1f\x8b":
        if str(path).endswith(".gz"):
            raise ValueError(f"{path}: not gzipped, expected what its name says")
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: truncated or damaged gzip ({error}), expected a whole file") from error


def _lines(text: str) -> list[str]:
    """The lines of a text as an editor numbers them: str.splitlines breaks at form feeds and the like as well."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _decoded(path: Source, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}, line {line}: byte {data[error.start]:#04x}, expected text in UTF-8") from None


def _text(path: Path) -> str:
    return _decoded(path, _bytes(path))


def _write(path: Source, data: bytes) -> None:
    path = Path(path)
    if path.name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _whole(path: Source, line: int, text: bytes) -> int:
    if WHOLE.fullmatch(text):
        return int(text)
    try:
        x = np.nan if b"_" in text else float(text)  # Python would read 1_0 as 10
    except ValueError:
        x = np.nan
    if not (x.is_integer() and abs(x) < 2**53):
        _fail(path, line, _show(text), "a whole number")
    return int(x)


def _show(text: bytes) -> str:
    shown = text.strip()[:80].decode("utf-8", "replace")
    return repr(shown)


def _fail(path: Source, line: int, found: Any, expected: str) -> NoReturn:
    raise ValueError(f"{path}, line {line}: {found}, expected {expected}")
