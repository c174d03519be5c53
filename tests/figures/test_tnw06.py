"""figures/tnw06/runs.py: subsets of the documents, and the stopping rule."""

import numpy as np
import pytest

import lda_reference as lda
from figures.tnw06 import runs as tnw06
from lda_reference.evaluation import search


def test_part_keeps_the_documents_in_the_order_given():
    c = lda.Corpus.from_documents([[0, 1, 1], [2], [], [0, 0]], W=4).types()
    part_corpus = tnw06.part(c, np.array([3, 0, 2]))
    assert (part_corpus.j.tolist(), part_corpus.w.tolist(), part_corpus.n.tolist(), part_corpus.D, part_corpus.W) == ([0, 1, 1], [0, 0, 1], [2, 1, 2], 3, 4)


@pytest.mark.parametrize(("A_name", "schedule"), [("vb", "nested"), ("cvb", "token")])
def test_follow_ends_where_until_settled_ends(A_name, schedule):
    rng = np.random.default_rng(0)
    c = lda.Corpus.from_documents([rng.integers(0, 6, 12).tolist() for _ in range(6)], W=6).types()
    A = lda.ALGORITHMS[A_name]
    states = search.started(A, c, 3, tnw06.PRIOR, "dirichlet", [0, 1])
    settled_ends = search.until_settled(A, states, c, tnw06.PRIOR, schedule, every=10)
    end_of_run = {replicate: (sweep, bound, *end_fields) for replicate, sweep, bound, _, end_fields in tnw06.follow(A, states, c, c, schedule, 10) if end_fields}
    for replicate, settled_end in enumerate(settled_ends):
        sweep, bound, is_settled, gamma = end_of_run[replicate]
        assert (sweep, is_settled) == (settled_end.sweeps, settled_end.settled)
        assert bound == pytest.approx(settled_end.value, abs=1e-12)
        np.testing.assert_allclose(gamma, settled_end.state.gamma, atol=1e-12)
