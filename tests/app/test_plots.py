"""The figures of the command line."""

import numpy as np

from lda_reference.app import plots
from lda_reference.evaluation.validation import Grid


def test_a_grid_is_drawn(tmp_path):
    found = Grid((0.1, 1.0), (0.2, 0.3), np.array([[4.0, 3.0], [2.5, 6.0]]))
    plots.grid_figure(found, tmp_path / "g.png", "a grid")
    plots.grid_figure(Grid((0.5, 1.0), (), np.array([2.0, 1.0])), tmp_path / "p.png", "powers")
    assert (tmp_path / "g.png").stat().st_size > 5000 < (tmp_path / "p.png").stat().st_size
