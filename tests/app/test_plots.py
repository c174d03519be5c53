"""The figure of the tour, drawn from the numbers of the README's tour."""

from itertools import groupby
from types import SimpleNamespace

import numpy as np
from matplotlib.figure import Figure

import lda_reference as lda
from lda_reference.app import plots
from lda_reference.app.where import ROOT

from .helpers import rows_of


def fits_of(csv_path):
    """The runs in a file that the tour wrote, with what the figure uses of them."""
    for algorithm, sweep_rows in groupby(rows_of(csv_path.read_text("utf-8")), lambda row: row["algorithm"]):
        history = [{column: float(row[column]) for column in ("sweep", "perplexity")} for row in sweep_rows]
        yield SimpleNamespace(algorithm=lda.ALGORITHMS[algorithm], history=history)


TOUR_FITS = list(fits_of(ROOT / "figures/pages/tour.csv"))


def test_every_run_is_a_line_that_is_named_in_the_order_of_the_ends(tmp_path, monkeypatch):
    figures = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    plots.tour_figure(TOUR_FITS, tmp_path / "t.png", "a tour")
    for axes, family in zip(figures[0].axes, plots.FAMILIES, strict=True):
        family_fits = [f for f in TOUR_FITS if plots.family(f.algorithm) == family]
        for curve, f in zip(axes.get_lines(), family_fits, strict=True):
            np.testing.assert_array_equal(curve.get_ydata(), [row["perplexity"] for row in f.history])
        perplexity_of_label = {f"{f.algorithm.name} {f.history[-1]['perplexity']:.1f}": f.history[-1]["perplexity"] for f in family_fits}
        assert [legend_text.get_text() for legend_text in axes.get_legend().get_texts()] == sorted(perplexity_of_label, key=lambda label: -perplexity_of_label[label])
        end_perplexities = sorted(perplexity_of_label.values())
        assert axes.get_title(loc="left").endswith(f"perplexity at the end {end_perplexities[0]:.1f} to {end_perplexities[-1]:.1f}")
