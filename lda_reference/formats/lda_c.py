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


def read(path: Path, content: bytes, W: int | None) -> Corpus:
    """The corpus of a file; without W the number of words is the largest id plus 1."""
    document_lines = content.split(b"\n")
    if document_lines[-1].strip() == b"":
        document_lines.pop()
    corpus_rows: list[tuple[int, int, int]] = []
    for line_number, line in enumerate(document_lines, 1):
        n_pairs, *pairs = line.split() or refuse(path, line_number, "an empty line", "a document, 0 if it has no words")
        if not SIZE.fullmatch(n_pairs) or int(n_pairs) != len(pairs):
            problem = f"{len(pairs)} pairs word:count after the number {shown(n_pairs)}"
            refuse(path, line_number, problem, "as many pairs as the number")
        pair_matches = [PAIR.fullmatch(pair) or refuse(path, line_number, shown(pair), "word:count") for pair in pairs]
        document_rows = [(line_number - 1, int(match[1]), int(match[2])) for match in pair_matches]
        for _, word_id, count in document_rows:
            if W is not None and word_id >= W:
                refuse(path, line_number, f"word {word_id}", f"0 to {W - 1}")
            if count < 1:
                refuse(path, line_number, f"count {count}", "1 or more")
        if len({word_id for _, word_id, _ in document_rows}) < len(document_rows):
            refuse(path, line_number, "a word again", "each word once per document")
        corpus_rows += document_rows
    if not document_lines:
        raise ValueError(f"{path}: an empty file, expected one line per document")
    j, w, n = np.array(corpus_rows, np.int64).reshape(-1, 3).T
    return Corpus(j, w, n, len(document_lines), int(w.max(initial=-1)) + 1 if W is None else W).types()


def check_is_no_svmlight(path: Path, content: bytes) -> None:
    """Raise a ValueError if the first lines of a file are SVMlight's: with comments, or labels that count no pairs.

    A file whose labels are the numbers of the pairs in their lines cannot be told from LDA-C.
    """
    line_end = content.find(b"\n", 4096)
    line_parts = [text.partition(b"#") for text in content[: line_end if line_end >= 0 else None].split(b"\n")]
    matches = [(i, SVMLIGHT.fullmatch(text.strip())) for i, (text, _, _) in enumerate(line_parts, 1) if text.strip()]
    labelled_lines = [(i, match[1], len(match[2].split())) for i, match in matches if match and match[2]]
    if not labelled_lines or not all(match for _, match in matches):
        return
    n_counting_labels = sum(line_label == b"%d" % n_pairs for _, line_label, n_pairs in labelled_lines)
    if 2 * n_counting_labels < len(labelled_lines) or any(comment_mark for _, comment_mark, _ in line_parts):
        line_number, problem = labelled_lines[0][0], "a label and pairs as in SVMlight, which is not read"
        remedy = "load_svmlight_file of scikit-learn reads this, by zero_based=True or False"
        hint = "format='ldac' says where a file of LDA-C is damaged"
        shown_line = shown(line_parts[line_number - 1][0])
        refuse(path, line_number, f"{problem}: {shown_line}", f"a matrix by scipy.sparse.save_npz; {remedy}; {hint}")
