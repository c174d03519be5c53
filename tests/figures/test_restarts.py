"""The runs behind "How many runs?" in chapter 16: figures/search/restarts.py and the file that is kept."""

from pathlib import Path

import pytest

from figures.common import read
from figures.search import restarts

ROWS = read(Path(restarts.__file__).with_name("restarts.csv"))


def test_every_corpus_has_forty_runs_of_each_algorithm():
    runs = [(row["corpus"], row["algorithm"], row["schedule"], row["start"], int(row["seed"])) for row in ROWS]
    planned_runs = [(c, *pair, "dirichlet", i) for c in restarts.CORPORA for pair in restarts.PAIRS for i in range(40)]
    assert sorted(runs) == sorted(planned_runs)
    assert all((row["period"] == "0") == (row["sweeps"] == "1000") for row in ROWS)


@pytest.mark.parametrize("pair", restarts.PAIRS)
def test_a_run_is_repeated(pair):
    for line in restarts.runs("bars 11", *pair, "dirichlet", 1, size=2):
        (row,) = (x for x in ROWS if [x[name] for name in restarts.COLUMNS[:6]] == [str(field) for field in line[:6]])
        assert [int(row["sweeps"]), int(row["period"])] == line[6:8]
        assert [float(row["value"]), float(row["perplexity"])] == pytest.approx(line[8:], rel=1e-6)
