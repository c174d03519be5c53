"""The figure of the tour, drawn from the numbers of the README's tour."""

from itertools import groupby
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

import lda_reference as lda
from lda_reference.app import plots
from lda_reference.app.where import ROOT

from .helpers import rows_of


def fits_of(path):
    """The runs in a file that the tour wrote, with what the figure uses of them."""
    for (name, schedule, start), run in groupby(rows_of(path.read_text("utf-8")), lambda row: (row["algorithm"], row["schedule"], row["start"])):
        history = [{x: float(row[x]) for x in ("sweep", "seconds", "perplexity")} for row in run]
        yield SimpleNamespace(algorithm=lda.ALGORITHMS[name], schedule=schedule, start=start, history=history)


TOUR = list(fits_of(ROOT / "figures/pages/tour.csv"))


def drawn(folder, fits):
    """The axes of the figure of a tour."""
    saved = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", lambda figure, *_, **__: saved.append(figure))
        plots.tour_figure(fits, folder / "t.png", "a tour")
    return saved[0].axes


def names(axis):
    """The names in the legend of a panel."""
    return [x.get_text() for x in axis.get_legend().get_texts()]


def test_every_run_is_a_line_that_is_named_in_the_order_of_the_ends_and_a_dot(tmp_path):
    *panels, seconds = drawn(tmp_path, TOUR)
    for axis, family in zip(panels, plots.FAMILIES, strict=True):
        fits = [f for f in TOUR if plots.family(f.algorithm) == family]
        for line, f in zip(axis.get_lines(), fits, strict=True):
            np.testing.assert_array_equal(line.get_ydata(), [h["perplexity"] for h in f.history])
        ends = {f"{f.algorithm.name} {f.history[-1]['perplexity']:.1f}": f.history[-1]["perplexity"] for f in fits}
        assert names(axis) == sorted(ends, key=lambda name: -ends[name])
    assert panels[0].get_title(loc="left").endswith("perplexity at the end 17.9 to 27.4")
    order = sorted(TOUR, key=lambda f: -f.history[-1]["seconds"])
    assert [x.get_text() for x in seconds.get_yticklabels()] == [f"{f.algorithm.name}, {f.schedule}, {f.start}" for f in order]
    assert seconds.get_lines()[0].get_xdata().tolist() == [f.history[-1]["seconds"] for f in order]


def test_a_run_without_a_finite_perplexity_is_named_in_its_panel_and_other_families_are_empty(tmp_path):
    history = [h | {"perplexity": np.inf} for h in TOUR[0].history]
    axes = drawn(tmp_path, [SimpleNamespace(**(vars(TOUR[0]) | {"history": history}))])
    assert names(axes[0]) == ["ml: infinite"]
    assert [axis.get_title(loc="left").split("\n")[1] for axis in axes[:3]] == ["no finite perplexity"] * 3
