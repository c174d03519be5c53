"""The rules by which the grid of figures/awst09.py gives a claim its status, on made-up runs."""

import awst09_grid_claims as grid
import pytest
from awst09_lines import best, of_grid

from .awst09_made import gridded, made, whole_grid


def test_the_grid_needs_nine_points_with_three_seeds():
    lines = gridded("cvb0", 1000) + made("cvb0", 500, 0.5, 1.0)  # a point beyond the grid
    assert grid.grids(lines)["cvb0"][0] == (0.1, 0.1)
    assert grid.beyond(lines)["cvb0"][0] == (0.5, 1.0)
    assert best(lines)[0] == (0.1, 0.1)
    without = [x for x in lines if (x["alpha"], x["eta"], x["seed"]) != ("0.25", "0.25", "2")]
    assert len(of_grid(without)) == 8
    assert grid.grids(without) == {}
    assert grid.beyond(without) == {}
    assert grid.grids(gridded("map", 1000))["map"][0] == (0.1, 0.1)  # without the offset


def test_cvb0_best():
    assert grid.cvb0_best(whole_grid()).status == "reproduced"  # 2.6% better, without CGS
    assert grid.cvb0_best(whole_grid(map=2100)).status == "changed"  # 7.7% is not slightly
    assert grid.cvb0_best(whole_grid(cvb=1900)).status == "depends on search"
    assert grid.cvb0_best(whole_grid(cvb0=2050)).status == "not reproduced"
    for name in ("vb", "nested", "cvb", "cvb0"):
        assert grid.cvb0_best(whole_grid(**{name: None})).status == "not tested"
    without = grid.cvb0_best(whole_grid(map=None))  # MAP is named, and the others decide
    assert without.status == "reproduced"
    assert "not complete for map (0 of 9 points)" in without.evidence
    near = made("cvb", 1940, start="cvb0")  # CVB that begins at CVB0's ends is better than CVB0
    assert grid.cvb0_best(whole_grid() + near).status == "depends on search"
    beyond = made("cvb", 1900, 0.1, 0.01)  # and so it is at a point beyond the grid
    assert grid.cvb0_best(whole_grid() + beyond).status == "depends on search"
    assert grid.cvb0_best([]).status == "not tested"


def test_the_row_of_cgs_is_reported_and_decides_nothing():
    cgs = [x for e in (0.1, 0.25) for x in made("cgs", 1000, 0.5, e, schedule="token", start="one-hot")]
    claim = grid.cvb0_best(whole_grid() + cgs)
    assert claim.status == "reproduced"
    assert "CGS has 2 points of the grid and is left out" in claim.evidence
    assert "CGS has no point of the grid" in grid.cvb0_best(whole_grid()).evidence


def by_digamma(least, here, schedule="corpus"):
    """VB's estimate (16): its best point is 0.5, 0.5, and `here` is its perplexity at 0.1, 0.1."""
    lines = gridded("vb", least, (0.5, 0.5), schedule=schedule, estimator="digamma")
    return [x for x in lines if x["alpha"] + x["eta"] != "0.10.1"] + made(
        "vb", here, schedule=schedule, estimator="digamma"
    )


@pytest.mark.parametrize(
    ("left", "expected"), [(20, "reproduced"), (-20, "reproduced"), (60, "not reproduced"), (-60, "not reproduced")]
)
def test_level_is_of_either_sign(left, expected):
    lines = gridded("vb", 2200) + by_digamma(2000 + left, 4000) + gridded("cvb", 2000)  # the difference was 200
    assert grid.level(lines).status == expected
    assert grid.level(lines[:-3]).status == "not tested"  # CVB lacks a point


def test_sixteen():
    vb = gridded("vb", 2200)
    assert grid.sixteen(vb + by_digamma(2100, 2150)).status == "reproduced"
    assert grid.sixteen(vb + by_digamma(2100, 4000)).status == "changed"  # it does harm at small priors
    assert grid.sixteen(vb + by_digamma(2300, 4000)).status == "not reproduced"
    assert grid.sixteen(made("vb", 2200) + made("vb", 4000, estimator="digamma")).status == "not tested"


def test_gains_are_compared_with_the_range_over_algorithms():
    assert grid.gains(whole_grid(map=2100)).status == "reproduced"  # 100 over each grid, 150 between algorithms
    assert grid.gains(whole_grid(map=2400)).status == "not reproduced"  # 450
    assert grid.gains(whole_grid(map=2250)[9:] + gridded("map", 2250, rise=300)).status == "changed"
    assert grid.gains(whole_grid(cvb=None)).status == "not tested"


def eta_row(name, least_at, **more):
    return [x for e in (0.05, 0.1, 0.25, 0.5, 1.0) for x in made(name, 1000 + 400 * abs(e - least_at), 0.5, e, **more)]


def test_offsets():
    def statuses(vb):
        return [x.status for x in grid.offsets(eta_row("cvb0", 0.1) + eta_row("map", 0.1) + eta_row("vb", vb))]

    assert statuses(0.5)[1] == "reproduced"
    assert statuses(0.25) == ["changed", "reproduced"]
    assert statuses(0.1)[0] == "not reproduced"
    three = eta_row("cvb0", 0.1) + eta_row("vb", 0.25) + eta_row("cvb", 0.5)
    assert [x.status for x in grid.offsets(three)] == ["changed", "depends on search"]  # VB's eta is below CVB's
    assert [x.status for x in grid.offsets(eta_row("cvb0", 0.1) + eta_row("map", 0.5))] == ["not tested"] * 2


def test_spreads():
    point = made("vb", 2500) + made("cvb0", 2000) + made("cvb", 2100)
    learned = [x for name, p in (("vb", 2200), ("cvb0", 2000), ("cvb", 2100))
               for x in made(name, p, 0.5, 0.5, setting="minka")]  # fmt: skip
    assert [x.status for x in grid.spreads(point + learned)] == ["reproduced", "not tested"]
    worse = [x | {"perplexity": str(float(x["perplexity"]) + 900 * (x["algorithm"] == "vb"))} for x in learned]
    assert [x.status for x in grid.spreads(point + worse)] == ["not reproduced", "not tested"]
    full = gridded("vb", 2050, (0.5, 0.5)) + gridded("cvb0", 2000) + gridded("cvb", 2040)
    full = [x | {"perplexity": "2500"} if (x["algorithm"], x["alpha"], x["eta"]) == ("vb", "0.1", "0.1") else x
            for x in full]  # fmt: skip
    assert [x.status for x in grid.spreads(full + learned)] == ["reproduced", "reproduced"]
