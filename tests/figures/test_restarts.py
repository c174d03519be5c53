"""The runs behind "How many runs?" in chapter 16: figures/restarts.py and the file that is kept."""

from pathlib import Path

import numpy as np
import pytest
import restarts
from common import BOUND_STANDS_STILL, read

import lda_reference as lda
from lda_reference.evaluation import search

KEPT = read(Path(restarts.__file__).with_name("restarts.csv"))


def test_every_corpus_has_forty_settled_runs_of_each_algorithm():
    found = {}
    for row in KEPT:
        found.setdefault((row["corpus"], row["algorithm"], row["schedule"], row["start"]), []).append(int(row["seed"]))
    wanted = {(c, *pair, "dirichlet") for c in restarts.CORPORA for pair in restarts.PAIRS}
    assert found.keys() == wanted
    assert all(sorted(seeds) == list(range(40)) for seeds in found.values())
    assert {row["settled"] for row in KEPT} == {"True"}


@pytest.mark.parametrize("pair", restarts.PAIRS)
def test_a_run_is_repeated_and_ends_where_its_bound_first_stood_still(pair):
    A, (train, test) = lda.ALGORITHMS[pair[0]], restarts.parts("bars 11")
    for seed in (10, 11):
        (s,) = search.started(A, train, restarts.K, restarts.PRIOR, "dirichlet", [seed])
        job = dict(zip(restarts.COLUMNS[:6], ["bars 11", *pair, "dirichlet", "1", str(seed)], strict=True))
        (kept,) = (x for x in KEPT if job.items() <= x.items())
        values = []
        for t in range(int(kept["sweeps"])):
            s = A.sweep(s, train, restarts.PRIOR, schedule=pair[1])
            if t % 10 == 9:
                values.append(A.bound(s, train, restarts.PRIOR) / train.N)
        score = lda.perplexity(test, *A.estimate(s, train, restarts.PRIOR))
        assert [values[-1], score] == pytest.approx([float(kept["value"]), float(kept["perplexity"])], rel=1e-6)
        stands_still = np.abs(np.diff(values)) < 10 * BOUND_STANDS_STILL
        assert stands_still[1:].tolist() == [False] * (len(values) - 3) + [True]  # from 30 sweeps on


def test_a_new_run_goes_on_until_gamma_stands_still():
    A, (train, test) = lda.ALGORITHMS["cvb0"], restarts.parts("bars 11")
    (line,) = restarts.runs("bars 11", "cvb0", "corpus", "dirichlet", 1, size=1)
    states = search.started(A, train, restarts.K, restarts.PRIOR, "dirichlet", [10])
    (end,) = search.until_settled(A, states, train, restarts.PRIOR, "corpus")
    assert line[:6] == ["bars 11", "cvb0", "corpus", "dirichlet", 1, 10]
    assert line[6:9] == [end.sweeps, end.settled, end.value]
    assert line[9] == lda.perplexity(test, *A.estimate(end.state, train, restarts.PRIOR))
