"""The runs behind "How many runs?" in chapter 16: figures/search/restarts.py and the file that is kept."""

from pathlib import Path

import pytest

from figures.common import read
from figures.search import restarts

ROWS = read(Path(restarts.__file__).with_name("restarts.csv"))


def test_every_corpus_has_forty_runs_of_each_algorithm():
    kept_runs = [(row["corpus"], row["algorithm"], row["schedule"], row["start"], int(row["seed"])) for row in ROWS]
    planned_runs = [(corpus_name, *pair, "dirichlet", seed) for corpus_name in restarts.CORPORA for pair in restarts.PAIRS for seed in range(40)]
    assert sorted(kept_runs) == sorted(planned_runs)
    assert all((row["period"] == "0") == (row["sweeps"] == "1000") for row in ROWS)


@pytest.mark.parametrize("algorithm_and_schedule", restarts.PAIRS)
def test_a_run_is_repeated(algorithm_and_schedule):
    for new_line in restarts.runs("bars 11", *algorithm_and_schedule, "dirichlet", 1, size=2):
        (kept_row,) = (kept_row for kept_row in ROWS if [kept_row[column] for column in restarts.COLUMNS[:6]] == [str(field) for field in new_line[:6]])
        assert [int(kept_row["sweeps"]), int(kept_row["period"])] == new_line[6:8]
        assert [float(kept_row["value"]), float(kept_row["perplexity"])] == pytest.approx(new_line[8:], rel=1e-6)
