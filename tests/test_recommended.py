"""The recommended schedule and start of each algorithm, and the runs behind them."""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import recommended
from lda_reference.app import tour
from lda_reference.evaluation import search

SMALL = tour.embedded().corpus.types()
RUNS = Path(__file__).parents[1] / "figures/search/runs.csv"
EXPERIMENT = RUNS.with_name("experiment.csv")
SCHEDULES = {"ml": "corpus", "map": "corpus", "vb": "nested", "vem": "nested"}
OWN = {"gibbs": ("corpus", "one-hot"), "hmc": ("corpus", "one-hot"), "cgs": ("token", "one-hot"),
       "convolution": ("token", "dirichlet"), "ep": ("token", "dirichlet")}  # fmt: skip


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_the_schedule_and_the_start_of_each_algorithm(name, monkeypatch):
    A, schedule = lda.ALGORITHMS[name], SCHEDULES.get(name, "block")
    assert schedule in A.schedules or name in OWN
    collapsed = name in ("vb", "vem", "cvb", "cvb_exact")
    assert recommended.schedule_and_start(A, SMALL) == OWN.get(name, (schedule, "collapsed" if collapsed else "topics"))
    monkeypatch.setattr(recommended, "GROWING", SMALL.N - 1)
    assert recommended.schedule_and_start(A, SMALL) == OWN.get(
        name, (schedule, "collapsed" if collapsed else "growing")
    )


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_an_algorithms_own_are_those_of_a_start_and_a_sweep_that_name_none(name):
    A, c = lda.ALGORITHMS[name], lda.Corpus.from_documents([[0, 1, 1], [2, 0]])
    c, p = A.arranged(c), lda.Prior(0.1 + A.prior_offset, 0.1 + A.prior_offset)
    schedule, start = recommended.own_schedule_and_start(A)
    s = A.init(c, 2, p, np.random.default_rng(0))
    assert s == A.init(c, 2, p, np.random.default_rng(0), start=start)
    assert A.sweep(s, c, p, rng=np.random.default_rng(1)) == A.sweep(s, c, p, schedule, rng=np.random.default_rng(1))


@pytest.mark.parametrize("name", lda.ALGORITHMS)
@pytest.mark.parametrize("documents", [[[0, 1, 1], [2, 0]], [[0] * 12_000], [[], [1]]])
def test_a_fit_of_any_size_takes_the_recommended_ones(name, documents):
    A, c = lda.ALGORITHMS[name], lda.Corpus.from_documents(documents, W=3)
    c = A.arranged(c.types())
    if A.plain is None or c.N < 100:
        f = lda.fit(c, 2, name, sweeps=2)
        assert (f.schedule, f.start) == recommended.schedule_and_start(A, c)


def test_vb_ends_higher_than_from_its_own_start_in_its_own_schedule():
    A, p = lda.ALGORITHMS["vb"], lda.Prior(0.1, 0.1)
    ends = []
    for schedule, start in (recommended.schedule_and_start(A, SMALL), recommended.own_schedule_and_start(A)):
        states = search.started(A, SMALL, 10, p, start, range(3))
        ends.append([end.value for end in search.until_settled(A, states, SMALL, p, schedule)])
    assert min(ends[0]) > max(ends[1])


@pytest.mark.skipif(not RUNS.exists(), reason="figures/search/runs.csv is not there")
@pytest.mark.parametrize(("study", "start"), [("bars", "topics"), ("drawn", "growing"), ("kos", "growing")])
def test_no_other_schedule_and_start_of_the_study_ends_higher(study, start):
    values = defaultdict(list)
    with open(RUNS, newline="") as file:
        for row in csv.DictReader(file):
            if row["study"] == study and row["seed"] != "mean":
                values[row["algorithm"], row["schedule"], row["start"]].append(float(row["value"]))
    for name in {name for name, _, _ in values}:
        mine = (name, SCHEDULES.get(name, "block"), "collapsed" if name in recommended.COLLAPSED else start)
        if mine in values:
            of_three = {key: search.best_of(x, x, 3) for key, x in values.items() if key[0] == name and len(x) > 2}
            assert of_three[mine] > max(of_three.values()) - 0.005, (mine, of_three)  # nats per token


@pytest.mark.parametrize("corpus", ["r8", "kos", "cranfield", "20news-1500", "reuters-2500", "nips"])
@pytest.mark.parametrize("name", ["vb", "cvb"])
def test_no_search_of_the_experiment_ends_much_higher_at_the_same_cost(name, corpus):
    """The recommended search is the arm `cvb0`; among those of the other arms with as many runs, none is 0.02 above it."""
    values = defaultdict(list)
    with open(EXPERIMENT, newline="") as file:
        for row in csv.DictReader(file):
            if (row["corpus"], row["objective"]) == (corpus, name) and row["seed"] != "mean":
                values[row["arm"]].append(float(row["value"]))
    if not values:
        pytest.skip(f"search/experiment.csv has no runs of {name} on {corpus}")
    means = {arm: np.mean(x) for arm, x in values.items()}
    assert means["cvb0"] > max(means.values()) - 0.02, means  # nats per token
