"""UCI's docword and Matrix Market: a header, then a line `document word count` for each pair, numbered from 1."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from ..corpus import Corpus, Ints
from .files import LARGEST, SIZE, refuse, shown, whole_number


def read_uci(path: Path, data: bytes) -> Corpus:
    """UCI's docword: three lines with the numbers of documents, words and pairs, then the pairs."""
    lines = data.split(b"\n", 3)
    sizes = []
    for i, what in enumerate(("documents D", "words W", "pairs NNZ")):
        if i >= len(lines) or not SIZE.fullmatch(lines[i].strip()):
            found = shown(lines[i] if i < len(lines) else b"")
            refuse(path, i + 1, found, f"a line with the number of {what} and nothing else")
        sizes.append(int(lines[i]))
    return _read_pairs(path, lines[3] if len(lines) > 3 else b"", 4, *sizes)


def read_matrix_market(path: Path, data: bytes) -> Corpus:
    """Matrix Market, coordinate and general: rows are documents, columns are words."""
    head, _, rest = data.partition(b"\n")
    words = head.lower().split()
    if len(words) != 5 or words[:3] != [b"%%matrixmarket", b"matrix", b"coordinate"] or words[4] != b"general":
        refuse(path, 1, shown(head), "%%MatrixMarket matrix coordinate integer general")
    if words[3] not in (b"integer", b"real"):
        refuse(path, 1, shown(words[3]), "integer or real entries")
    line = 2
    while rest[:1] in (b"%", b"\n", b"\r"):
        rest = rest.partition(b"\n")[2]
        line += 1
    size, _, rest = rest.partition(b"\n")
    sizes = size.split()
    if len(sizes) != 3 or not all(SIZE.fullmatch(x) for x in sizes):
        refuse(path, line, shown(size), "three numbers: documents, words, entries")
    return _read_pairs(path, rest, line + 1, *map(int, sizes))


def write_uci(c: Corpus) -> bytes:
    """A corpus of types as UCI's docword."""
    return f"{c.D}\n{c.W}\n{c.M}\n".encode() + _written_pairs(c)


def write_matrix_market(c: Corpus) -> bytes:
    """A corpus of types as Matrix Market."""
    return f"%%MatrixMarket matrix coordinate integer general\n{c.D} {c.W} {c.M}\n".encode() + _written_pairs(c)


def corpus_of(path: Path, rows: Ints, D: int, W: int) -> Corpus:
    """The corpus of rows (document, word, count) from 0, in any order; an error names the file."""
    try:
        j, w, n = _in_order(rows).T
        return Corpus(j, w, n, D, W)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def documents_of(c: Corpus) -> list[list[tuple[int, int]]]:
    """The pairs (word, count) of each document."""
    starts = np.searchsorted(c.j, np.arange(c.D + 1)).tolist()
    return [list(zip(c.w[a:b].tolist(), c.n[a:b].tolist(), strict=True)) for a, b in pairwise(starts)]


def rows_at_once(body: bytes, D: int, W: int, pairs: int) -> Ints | None:
    """The sorted rows of a body whose lines are three numbers and two blanks; None for a body in any other form."""
    body = body.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    between = body.translate(None, b"0123456789")
    if len(between) != 3 * pairs or between != b"  \n" * pairs:
        return None
    numbers = np.fromstring(body, np.int64, sep=" ")  # it reads a line feed as a blank
    if len(numbers) != 3 * pairs:  # there was nothing between two blanks
        return None
    rows = numbers.reshape(pairs, 3)
    if np.min(rows) < 1 or np.any(np.max(rows, 0) > (D, W, LARGEST)):
        return None
    rows = _in_order(rows)
    return rows if _ascending(rows) else None


def rows_by_line(path: Path, body: bytes, D: int, W: int, pairs: int, first_line: int) -> Ints:
    """The rows of a body in any legal form, in the order of the file; a ValueError names the first bad line."""
    rows: list[tuple[int, int, int]] = []
    seen: dict[tuple[int, int], int] = {}
    line = first_line - 1
    for line, text in enumerate(body.split(b"\n"), first_line):
        parts = text.split()
        if not parts:
            continue
        if len(parts) != 3:
            refuse(path, line, shown(text), "document, word and count")
        j, w, n = (whole_number(path, line, x) for x in parts)
        if not 1 <= j <= D:
            refuse(path, line, f"document {j}", f"1 to {D}")
        if not 1 <= w <= W:
            refuse(path, line, f"word {w}", f"1 to {W}")
        if n < 1:
            refuse(path, line, f"count {n}", "1 or more")
        if (j, w) in seen:
            refuse(path, line, f"document {j}, word {w} again, as in line {seen[j, w]}", "each pair once")
        if len(rows) == pairs:
            refuse(path, line, "another pair", f"{pairs} pairs, as the header says")
        seen[j, w] = line
        rows.append((j, w, n))
    if len(rows) < pairs:
        refuse(path, line, f"the end of the file after {len(rows)} pairs", f"{pairs}, as the header says")
    return np.array(rows, np.int64).reshape(-1, 3)


def _read_pairs(path: Path, body: bytes, first_line: int, D: int, W: int, pairs: int) -> Corpus:
    rows = rows_at_once(body, D, W, pairs)
    if rows is None:
        rows = rows_by_line(path, body, D, W, pairs, first_line)
    return corpus_of(path, rows - (1, 1, 0), D, W)


def _written_pairs(c: Corpus) -> bytes:
    rows = zip((c.j + 1).tolist(), (c.w + 1).tolist(), c.n.tolist(), strict=True)
    return "".join(f"{j} {w} {n}\n" for j, w, n in rows).encode()


def _in_order(rows: Ints) -> Ints:
    """Rows sorted by document and word. Most files are in this order, and checking costs much less than sorting."""
    return rows if _ascending(rows) else rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def _ascending(rows: Ints) -> bool:
    j, w, _ = rows.T
    return bool(np.all((j[1:] > j[:-1]) | ((j[1:] == j[:-1]) & (w[1:] > w[:-1]))))
