"""figures/search/speed.py and figures/tnw06/mixing.py: levels, SOL14's rule, parts, and the autocorrelation time."""

import numpy as np
import pytest

from figures.common import corpus, disjoint_part
from figures.search import speed
from figures.tnw06 import mixing

TRAJECTORY = np.array([[1, 2, 5], [0.1, 0.2, 0.5], [-9.0, -8.0, -5.0], [-100.0, -90.0, -89.98]])


def test_arrival_is_the_first_sweep_from_which_on_a_run_remains_at_a_level():
    levels = (-8.5, 0.0), (-9.5, 0.0), (-8.5, -7.0)
    assert [speed.arrival(TRAJECTORY, *level) for level in levels] == [[2.0, 0.2], [1.0, 0.1], ["", ""]]
    assert speed.arrival(TRAJECTORY[:, ::-1], -8.5, 0.0) == ["", ""]


def test_the_rule_of_vb_is_the_change_of_its_bound_in_a_sweep():
    assert speed.stopped(TRAJECTORY) == [5.0, 0.5]
    assert speed.stopped(TRAJECTORY[:, :2]) == ["", ""]


def test_a_sampler_needs_250_sweeps():
    sampler_trajectory = np.array([*TRAJECTORY[:3], [np.nan] * 3])
    assert speed.stopped(sampler_trajectory) == [250, pytest.approx(25.0)]


def test_parts_share_no_document():
    part_corpora = [disjoint_part("bars", 30, part_number) for part_number in range(3)]
    count_tables = [np.bincount(c.j * c.W + c.w, c.n, c.D * c.W).reshape(c.D, c.W) for c in [*part_corpora, corpus("bars")]]
    document_rows = [tuple(document_row) for count_table in count_tables[:3] for document_row in count_table]
    assert len(document_rows) == 90
    assert not set(map(tuple, count_tables[0])) & set(map(tuple, count_tables[1]))
    assert set(document_rows) <= set(map(tuple, count_tables[3]))


def test_the_autocorrelation_time_of_an_autoregression():
    noise, chains = np.random.default_rng(0).normal(size=(4_000, 2)), np.zeros((4_000, 2))
    for step in range(1, len(chains)):
        chains[step] = 0.8 * chains[step - 1] + noise[step]
    assert mixing.autocorrelation_time(chains) == pytest.approx(9, rel=0.3)  # (1 + 0.8) / (1 - 0.8)
    assert mixing.autocorrelation_time(noise) == pytest.approx(1, abs=0.2)
