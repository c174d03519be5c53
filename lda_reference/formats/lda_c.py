"""LDA-C (Blei's lda-c): a line `types word:count word:count ...` for each document, words from 0.

SVMlight has the same pairs after a label. It is refused, since its numbers may begin at 0 or at 1.
"""

import re
from pathlib import Path

import numpy as np

from ..corpus import Corpus
from .files import SIZE, refuse, shown

PAIR = re.compile(rb"([0-9]{1,18}):([0-9]{1,18})")
SVMLIGHT = re.compile(rb"([-+0-9.,eE]+)((?:\s+qid:[0-9]+)?(?:\s+[0-9]+:[-+0-9.eE]+)*)")  # label and pairs


def read(path: Path, data: bytes, W: int | None) -> Corpus:
    """The corpus of a file; without W the number of words is the largest id plus 1."""
    lines = data.split(b"\n")
    if lines[-1].strip() == b"":
        lines.pop()
    rows: list[tuple[int, int, int]] = []
    for line_number, text in enumerate(lines, 1):
        types, *pairs = text.split() or refuse(path, line_number, "an empty line", "a document, 0 if it has no words")
        if not SIZE.fullmatch(types) or int(types) != len(pairs):
            after = f"{len(pairs)} pairs word:count after the number {shown(types)}"
            refuse(path, line_number, after, "as many pairs as the number")
        matches = [PAIR.fullmatch(pair) or refuse(path, line_number, shown(pair), "word:count") for pair in pairs]
        document = [(line_number - 1, int(pair[1]), int(pair[2])) for pair in matches]
        for _, word_id, count in document:
            if W is not None and word_id >= W:
                refuse(path, line_number, f"word {word_id}", f"0 to {W - 1}")
            if count < 1:
                refuse(path, line_number, f"count {count}", "1 or more")
        if len({word_id for _, word_id, _ in document}) < len(document):
            refuse(path, line_number, "a word again", "each word once per document")
        rows += document
    if not lines:
        raise ValueError(f"{path}: an empty file, expected one line per document")
    j, w, n = np.array(rows, np.int64).reshape(-1, 3).T
    return Corpus(j, w, n, len(lines), int(w.max(initial=-1)) + 1 if W is None else W).types()


def check_is_no_svmlight(path: Path, data: bytes) -> None:
    """Raise a ValueError if the first lines of a file are SVMlight's: with comments, or labels that count no pairs.

    A file whose labels are the numbers of the pairs in their lines cannot be told from LDA-C.
    """
    end = data.find(b"\n", 4096)
    lines = [text.partition(b"#") for text in data[: end if end >= 0 else None].split(b"\n")]
    matches = [(i, SVMLIGHT.fullmatch(text.strip())) for i, (text, _, _) in enumerate(lines, 1) if text.strip()]
    documents = [(i, x[1], len(x[2].split())) for i, x in matches if x and x[2]]
    if not documents or not all(x for _, x in matches):
        return
    numbers_of_pairs = sum(label == b"%d" % pairs for _, label, pairs in documents)
    if 2 * numbers_of_pairs < len(documents) or any(mark for _, mark, _ in lines):
        line_number, what = documents[0][0], "a label and pairs as in SVMlight, which is not read"
        way = "load_svmlight_file of scikit-learn reads this, by zero_based=True or False"
        ldac = "format='ldac' says where a file of LDA-C is damaged"
        shown_line = shown(lines[line_number - 1][0])
        refuse(path, line_number, f"{what}: {shown_line}", f"a matrix by scipy.sparse.save_npz; {way}; {ldac}")
