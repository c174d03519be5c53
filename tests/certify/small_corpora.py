"""The corpora, test corpora and priors of which cases are made."""

from __future__ import annotations

from lda_reference.oracle.fresh.inputs import Documents

TEXT: Documents = [[(w, 1) for w in d] for d in ([0, 1, 1, 4], [2, 0, 0], [], [3], [1, 3])]  # 6 words, one unseen
FULL: Documents = [[(w, 1) for w in d] for d in ([0, 1, 0, 2], [2, 2, 1], [1, 3, 3])]  # 4 words
COUNTS: Documents = [[(0, 3), (1, 1), (3, 2)], [(1, 5)], [(0, 1), (2, 4), (3, 1)]]  # 4 words
SMALL: Documents = [[(0, 2), (1, 1)], [(1, 1), (2, 3)]]  # 3 words
APART: Documents = [[(0, 2), (1, 1)], [(2, 1), (3, 2)]]  # 4 words; the documents share none
SINGLE: Documents = [[(1, 1)]]  # 2 words

# Test corpora, for models of the corpora FULL and TEXT
TEST = {
    "FULL": {"j": [0, 0, 1, 2, 2], "w": [0, 3, 2, 3, 1], "n": [2, 1, 3, 1, 1]},
    "TEXT": {"j": [0, 1, 2, 3, 4], "w": [4, 5, 0, 3, 1], "n": [1, 1, 2, 1, 3]},
}

# Priors of up to six topics and six words
ALPHAS, ETAS = [0.3, 0.05, 2.0, 0.7, 0.1, 1.1], [0.5, 0.2, 0.05, 0.9, 0.1, 2.0]
