"""figures/tnw06/runs.py: subsets of the documents."""

import numpy as np

import lda_reference as lda
from figures.tnw06 import runs as tnw06


def test_part_keeps_the_documents_in_the_order_given():
    c = lda.Corpus.from_documents([[0, 1, 1], [2], [], [0, 0]], W=4).types()
    d = tnw06.part(c, np.array([3, 0, 2]))
    assert (d.j.tolist(), d.w.tolist(), d.n.tolist(), d.D, d.W) == ([0, 1, 1], [0, 0, 1], [2, 1, 2], 3, 4)
