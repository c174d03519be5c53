"""The comparisons of figures/tnw06.py: differences, verdicts, the sweep of arrival, subsets, and the stopping rule."""

import numpy as np
import pytest
import tnw06
import tnw06_compare

import lda_reference as lda
from lda_reference.evaluation import search


def test_difference_is_paired_by_seed_where_starts_are_equal():
    x, y = {0: 3.0, 1: 5.0, 2: 9.0}, {0: 1.0, 1: 2.0}
    assert tnw06_compare.difference(x, y) == (2.5, 0.5, 1)
    d = tnw06_compare.difference({0: 1.0, 1: 3.0}, {0: 0.0, 1: 4.0}, paired=False)  # variances 2 and 8
    assert d == pytest.approx((0.0, np.sqrt(2 / 2 + 8 / 2), 25 / 17))  # Welch: (1 + 4)^2 / (1^2 + 4^2)
    assert np.isnan(tnw06_compare.difference({0: 1.0}, {0: 2.0}).standard_error)


@pytest.mark.parametrize(
    ("mean", "error", "freedom", "expected"),
    [
        (0.28, 0.1, 4, 1),
        (-0.28, 0.1, 4, -1),
        (0.27, 0.1, 4, 0),
        (0.27, 0.1, 19, 1),
        (5.0, np.nan, 0, 0),
        (1.0, 0.0, 2, 1),
    ],
)
def test_sign_is_that_of_a_t_test(mean, error, freedom, expected):
    assert tnw06_compare.sign(tnw06_compare.Compared(mean, error, freedom)) == expected


def test_judged_says_where_the_critical_value_decides():
    far, near = (tnw06_compare.Compared(x, 0.1, 4) for x in (1.0, 0.4))  # t is 10 and 4; critical are 2.78 and 5.55
    assert tnw06_compare.judged([far]) == (
        "reproduced",
        "At half and at twice the critical value of t the status is the same.",
    )
    status, note = tnw06_compare.judged([far, near])
    assert status == "reproduced"
    assert note == "At twice the critical value of t the status would be: depends on search."
    assert tnw06_compare.judged([])[0] == "not tested"


def test_verdict_needs_all_comparisons():
    cases = {(): "not tested", (1, 1): "reproduced", (1, 0): "depends on search", (0, -1): "not reproduced"}
    assert {signs: tnw06_compare.verdict(signs) for signs in cases} == cases
    assert tnw06_compare.verdict((0, -1), complete=False) == "not tested"
    assert tnw06_compare.verdict((1, -1), complete=False) == "depends on search"


def test_over_groups_averages_the_seeds_of_several_groups():
    assert tnw06_compare.over_groups({(0, 0): 1.0, (0, 1): 3.0}) == {(0, 0): 1.0, (0, 1): 3.0}
    assert tnw06_compare.over_groups({(0, 0): 1.0, (0, 1): 3.0, (4, 0): 5.0}) == {0: 2.0, 4: 5.0}
    x, y = {(0, 0): 1.0, (0, 1): 3.0, (4, 0): 5.0}, {(0, 0): 0.5, (0, 1): 1.0}
    assert tnw06_compare.by_group(x, y) == pytest.approx((1.25, 0.75, 1))


def test_passing_is_the_first_sweep_at_the_level():
    assert tnw06_compare.passing([1, 2, 12], [0.0, 0.0, 10.0], 2.5) == 5
    assert tnw06_compare.passing([1, 2], [0.0, 1.0], 2.0) == np.inf


def test_arrival_interpolates_and_ignores_an_early_visit():
    assert tnw06_compare.arrival([1, 2, 12], [0.0, 0.0, 10.0], 2.5) == 10  # 8 at sweep 10 is the first within 2.5
    assert tnw06_compare.arrival([1, 2, 3, 4], [5.0, 0.0, 5.0, 5.0], 0.1) == 3
    assert tnw06_compare.arrival([1, 2, 3], [5.0, 5.0, 5.0], 0.1) == 1
    assert tnw06_compare.arrival([1, 2], [0.0, 1.0], 0.1, end=5.0) == 2  # never: the last sweep


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
