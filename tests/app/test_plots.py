"""The figures of the command line."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Annotation

import lda_reference as lda
from lda_reference.app import plots
from lda_reference.app.where import ROOT

TOUR = plots.tour_runs(ROOT / "figures" / "tour.csv")


def drawn(folder, runs):
    """The axes of the figure of a tour."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plt, "close", lambda figure: None)
        plots.tour_figure(runs, folder / "t.png", "a tour")
    return plt.gcf().axes


@pytest.fixture(scope="module")
def axes(tmp_path_factory):
    """The axes of the figure of the README's tour."""
    yield drawn(tmp_path_factory.mktemp("tour"), TOUR)
    plt.close("all")


def names(axis):
    """The names at the ends of the lines of a panel."""
    return [x for x in axis.texts if isinstance(x, Annotation)]


def test_the_runs_of_a_tour_are_read_from_its_numbers():
    assert [run.algorithm for run in TOUR] == [n for n, A in lda.ALGORITHMS.items() if not A.plain and n != "ep"]
    vb = next(run for run in TOUR if run.algorithm == "vb")
    assert (vb.schedule, vb.start) == ("nested", "topics")
    np.testing.assert_array_equal(vb.sweeps, np.arange(1, len(vb.sweeps) + 1))
    assert len(vb.seconds) == len(vb.perplexity) == len(vb.sweeps)


def test_each_algorithm_of_the_tour_is_named_once_at_the_end_of_its_line_and_once_beside_its_seconds(axes):
    *panels, seconds = axes
    assert [[x.get_text().split()[0] for x in names(axis)] for axis in panels] == [
        sorted([run.algorithm for run in TOUR if plots.family(run.algorithm) == name], key=end_of)
        for name in plots.FAMILIES
    ]
    assert {x.get_text() for x in names(seconds)} == {f"{run.algorithm}, {run.schedule}, {run.start}" for run in TOUR}


def end_of(name):
    return next(run.perplexity[-1] for run in TOUR if run.algorithm == name)


def test_the_names_in_a_panel_do_not_overlap(axes):
    axes[0].figure.draw_without_rendering()
    for axis in axes:
        boxes = [x.get_window_extent() for x in names(axis)]
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


def test_a_title_says_where_the_runs_of_its_panel_end(axes):
    assert axes[0].get_title(loc="left").endswith("perplexity at the end 17.9 to 27.4")


def test_a_run_without_a_finite_perplexity_is_named_in_its_panel_and_other_families_are_empty(tmp_path):
    run = TOUR[0]._replace(perplexity=np.full(len(TOUR[0].sweeps), np.inf))
    axes = drawn(tmp_path, [run])
    assert [x.get_text() for x in axes[0].texts] == ["infinite: ml"]
    assert [axis.get_title(loc="left").split("\n")[1] for axis in axes[:3]] == ["no finite perplexity"] * 3
