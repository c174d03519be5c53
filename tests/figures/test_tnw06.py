"""figures/tnw06/runs.py and its claims: the sweep of arrival, pairs of runs, subsets, and the stopping rule."""

import numpy as np
import pytest

import lda_reference as lda
from figures.tnw06 import claims as tnw06_claims
from figures.tnw06 import exact as tnw06_exact
from figures.tnw06 import runs as tnw06
from lda_reference.evaluation import search

from .helpers import write


def test_passing_is_the_first_sweep_at_the_level():
    assert tnw06_claims.passing([1, 2, 12], [0.0, 0.0, 10.0], 2.5) == 5
    assert tnw06_claims.passing([1, 2], [0.0, 1.0], 2.0) == np.inf


def test_pairs_have_equal_starts_or_go_on_from_the_other():
    kinds = [("cvb", "corpus", "dirichlet"), ("cvb", "corpus", "growing"), ("vb", "nested", "one-hot"),
             ("vb", "corpus", "growing"), ("vb", "corpus", "end of cvb corpus from growing")]  # fmt: skip
    found = [(kinds.index(a), kinds.index(b)) for a, b in tnw06_claims.pairs(kinds)]
    assert sorted(found) == [(0, 2), (1, 3), (1, 4)]


def test_exact_cvb_is_compared_after_the_last_sweep(tmp_path):
    rows = [{"sweep": t, "seed": i, "bound_exact": -7.5, "bound_cvb": -9 + t / 16, "perplexity_exact": np.exp(7),
             "perplexity_cvb": np.exp(8)} for i in range(3) for t in (1, 20)]  # fmt: skip
    write(tmp_path / "tnw06/exact.csv", tnw06_exact.IN_TURN, rows)
    bound, test = tnw06_claims.exact(tmp_path, {})
    assert (bound.name, bound.values) == ("kos, K = 8, `token`, 20 sweeps, bound (12)", [0.25] * 3)
    assert test.values == pytest.approx([1.0] * 3)
    assert bound.paper


def test_part_keeps_the_documents_in_the_order_given():
    c = lda.Corpus.from_documents([[0, 1, 1], [2], [], [0, 0]], W=4).types()
    d = tnw06.part(c, np.array([3, 0, 2]))
    assert (d.j.tolist(), d.w.tolist(), d.n.tolist(), d.D, d.W) == ([0, 1, 1], [0, 0, 1], [2, 1, 2], 3, 4)


@pytest.mark.parametrize(("name", "schedule"), [("vb", "nested"), ("cvb", "token")])
def test_follow_ends_where_until_settled_ends(name, schedule):
    rng = np.random.default_rng(0)
    c = lda.Corpus.from_documents([rng.integers(0, 6, 12).tolist() for _ in range(6)], W=6).types()
    A = lda.ALGORITHMS[name]
    states = search.started(A, c, 3, tnw06.PRIOR, "dirichlet", [0, 1])
    expected = search.until_settled(A, states, c, tnw06.PRIOR, schedule, every=10)
    found = {r: (t, bound, *end) for r, t, bound, _, end in tnw06.follow(A, states, c, c, schedule, 10) if end}
    for r, end in enumerate(expected):
        t, bound, settled, gamma = found[r]
        assert (t, settled) == (end.sweeps, end.settled)
        assert bound == pytest.approx(end.value, abs=1e-12)
        np.testing.assert_allclose(gamma, end.state.gamma, atol=1e-12)


def test_subsets_are_paired_by_their_order_and_all_documents_are_not():
    x, y = {"0": 3.0, "1": 5.0}, {"1": 4.0, "0": 1.0, "2": 9.0}
    assert tnw06_claims.between("", x, y, 500, False, {})[1:3] == ([2.0, 1.0], None)
    assert tnw06_claims.between("", x, y, tnw06_claims.WHOLE, False, {})[1:3] == ([3.0, 5.0], [4.0, 1.0, 9.0])
