"""The grid of hyperparameters as a table and as CSV."""

import csv

import numpy as np

from lda_reference.app import grid
from lda_reference.evaluation.validation import Grid


def test_a_grid_is_a_table_and_a_file(tmp_path):
    found = Grid((0.1, 1.0), (0.2, 0.3), np.array([[4.0, 3.0], [2.5, 6.0]]))
    lines = grid.table(found).splitlines()
    assert lines[0].split() == ["alpha", "\\", "eta", "0.2", "0.3"]
    assert lines[2].split() == ["1", "2.50", "6.00"]
    grid.write_numbers(found, tmp_path / "g.csv")
    with open(tmp_path / "g.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [["alpha", "eta", "perplexity"], ["0.1", "0.2", "4.0"], ["0.1", "0.3", "3.0"], ["1.0", "0.2", "2.5"], ["1.0", "0.3", "6.0"]]


def test_a_grid_of_powers_is_a_column_and_a_file(tmp_path):
    found = Grid((0.5, 1.0), (), np.array([2.0, 1.0]))
    assert "power 1" in grid.table(found)
    grid.write_numbers(found, tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text("utf-8").split() == ["power,perplexity", "0.5,2.0", "1.0,1.0"]
