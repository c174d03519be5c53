"""figures/tnw06/runs.py: subsets of the documents, and the stopping rule."""

import numpy as np
import pytest

import lda_reference as lda
from figures.tnw06 import runs as tnw06
from lda_reference.evaluation import search


def test_part_keeps_the_documents_in_the_order_given():
    c = lda.Corpus.from_documents([[0, 1, 1], [2], [], [0, 0]], W=4).types()
    d = tnw06.part(c, np.array([3, 0, 2]))
    assert (d.j.tolist(), d.w.tolist(), d.n.tolist(), d.D, d.W) == ([0, 1, 1], [0, 0, 1], [2, 1, 2], 3, 4)


@pytest.mark.parametrize(("A_name", "schedule"), [("vb", "nested"), ("cvb", "token")])
def test_follow_ends_where_until_settled_ends(A_name, schedule):
    rng = np.random.default_rng(0)
    c = lda.Corpus.from_documents([rng.integers(0, 6, 12).tolist() for _ in range(6)], W=6).types()
    A = lda.ALGORITHMS[A_name]
    states = search.started(A, c, 3, tnw06.PRIOR, "dirichlet", [0, 1])
    settled_ends = search.until_settled(A, states, c, tnw06.PRIOR, schedule, every=10)
    end_of_run = {r: (t, bound, *end) for r, t, bound, _, end in tnw06.follow(A, states, c, c, schedule, 10) if end}
    for r, end in enumerate(settled_ends):
        t, bound, is_settled, gamma = end_of_run[r]
        assert (t, is_settled) == (end.sweeps, end.settled)
        assert bound == pytest.approx(end.value, abs=1e-12)
        np.testing.assert_allclose(gamma, end.state.gamma, atol=1e-12)
