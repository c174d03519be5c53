"""The distance of draws from the boundaries between topics."""

import numpy as np
import pytest

from lda_reference.oracle import cases, margins
from lda_reference.oracle.certificate.answers import Watched
from lda_reference.oracle.certificate.classes import evaluator

DRAWING = [
    *cases("cgs,gibbs", "draw"), *cases("cgs,gibbs", "sweep"), *cases("cvb1s", "update"), *cases("cvb1s", "sweep"),
    *cases("cvb1s", "ten_sweeps"), *cases("starts/incremental"),
]  # fmt: skip


def margin(case):
    """The least distance that `margins` finds; 1 if there is a single topic."""
    found = [1.0]
    for x, u, _ in margins.draws(case):
        partial = x.cumsum(-1)
        found += np.abs(partial[..., :-1] / partial[..., -1:] - u[..., None]).ravel().tolist()
    return min(found)


@pytest.mark.parametrize("case", DRAWING, ids=lambda case: case["id"])
def test_margins_are_those_of_the_certificate(case):
    """For samples, `margins` also looks at the gamma of rows after the last draw, which can only be nearer."""
    e = evaluator(case, Watched)
    e.answer()
    if case["algorithm"] == "cvb1s":
        assert margin(case) <= float(e.margin) + 1e-12
        assert margin(case) > 1e-5
    else:
        assert margin(case) == pytest.approx(float(e.margin), abs=1e-12)


def test_cases_without_draws_are_decided():
    for case in cases("cvb0/sweep") + cases("starts/growing"):
        assert list(margins.draws(case)) == []
        assert margins.undecided(case, 1.0) is None


def test_a_draw_is_decided_by_its_distance_and_a_boundary_that_is_exact_by_itself():
    case = cases("cgs/draw/001")[0]
    ((x, _, units),) = margins.draws(case)
    boundary = x[0].cumsum()[2] / x[0].sum()
    assert units == case["corpus"]["W"] + case["K"] + 10
    for distance, decided in ((0.9, False), (1.1, True), (-0.9, False), (-1.1, True)):
        near = case | {"uniform": boundary + distance * units * 2.0**-24}
        assert (margins.undecided(near, 2.0**-24) is None) == decided
        assert margins.undecided(near, 2.0**-53) is None
        assert margins.undecided(near, 2.0**-53, least=1e-3) is not None
    ties = [case for case in cases() if "tie" in case["flags"]]
    assert len(ties) >= 8
    for case in ties:
        assert margins.undecided(case, 2.0**-24) is None, case["id"]
