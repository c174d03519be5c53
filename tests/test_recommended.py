"""The recommended schedule and start of each algorithm, and the runs behind them."""

import numpy as np
import pytest

import lda_reference as lda
from figures.common import HERE
from figures.search import choices
from lda_reference import recommended
from lda_reference.app import tour
from lda_reference.evaluation import search

SMALL = tour.embedded().corpus.types()
SCHEDULES = {"ml": "corpus", "map": "corpus", "vb": "nested", "vem": "nested"}
OWN = {"gibbs": ("corpus", "one-hot"), "hmc": ("corpus", "one-hot"), "cgs": ("token", "one-hot"),
       "convolution": ("token", "dirichlet"), "ep": ("token", "dirichlet")}  # fmt: skip


@pytest.mark.parametrize("A_name", lda.ALGORITHMS)
def test_the_schedule_and_the_start_of_each_algorithm(A_name, monkeypatch):
    A, schedule = lda.ALGORITHMS[A_name], SCHEDULES.get(A_name, "block")
    assert schedule in A.schedules or A_name in OWN
    starts_collapsed = A_name in ("vb", "vem", "cvb", "cvb_exact")
    assert recommended.schedule_and_start(A, SMALL) == OWN.get(A_name, (schedule, "collapsed" if starts_collapsed else "topics"))
    monkeypatch.setattr(recommended, "GROWING_TOKENS", SMALL.N - 1)
    monkeypatch.setattr(recommended, "INTERLEAVED_TOKENS", SMALL.N - 1)
    own_if_large = {**OWN, "cgs": ("interleaved", "one-hot")}
    assert recommended.schedule_and_start(A, SMALL) == own_if_large.get(
        A_name, (schedule, "collapsed" if starts_collapsed else "growing")
    )


@pytest.mark.parametrize("A_name", lda.ALGORITHMS)
def test_an_algorithms_own_are_those_of_a_start_and_a_sweep_that_name_none(A_name):
    A, c = lda.ALGORITHMS[A_name], lda.Corpus.from_documents([[0, 1, 1], [2, 0]])
    c, p = A.arranged(c), lda.Prior(0.1 + A.prior_offset, 0.1 + A.prior_offset)
    schedule, start = recommended.own_schedule_and_start(A)
    s = A.init(c, 2, p, np.random.default_rng(0))
    assert s == A.init(c, 2, p, np.random.default_rng(0), start=start)
    assert A.sweep(s, c, p, rng=np.random.default_rng(1)) == A.sweep(s, c, p, schedule, rng=np.random.default_rng(1))


def test_vb_ends_higher_than_from_its_own_start_in_its_own_schedule():
    A, p = lda.ALGORITHMS["vb"], lda.Prior(0.1, 0.1)
    end_bounds = []
    for schedule, start_name in (recommended.schedule_and_start(A, SMALL), recommended.own_schedule_and_start(A)):
        states = search.started(A, SMALL, 10, p, start_name, range(3))
        end_bounds.append([end.value for end in search.until_settled(A, states, SMALL, p, schedule)])
    assert min(end_bounds[0]) > max(end_bounds[1])


@pytest.mark.parametrize("A_name", choices.ALGORITHMS)
def test_no_other_choice_that_was_tried_ends_much_higher(A_name):
    shortfalls, n_tried = choices.shortfalls(choices.tried(HERE / "search", A_name)), 0
    for choice, losses_of_corpus in shortfalls.items():
        for corpus_name, seed_losses in losses_of_corpus.items():
            start_name = "collapsed" if A_name in recommended.COLLAPSED_STARTS else "topics" if corpus_name == "bars" else "growing"
            if choice == f"{SCHEDULES.get(A_name, 'block')}, {start_name}" and seed_losses:
                n_tried += 1
                assert max(seed_losses) < 0.0065, (corpus_name, choice)  # nats per token
    assert n_tried >= {"vb": 5, "cvb": 3, "cvb_exact": 0}.get(A_name, 2)


@pytest.mark.parametrize("A_name", ["vb", "cvb"])
def test_the_corpora_that_are_not_left_out_choose_the_same_start(A_name):
    choice_of_corpus = choices.left_out(HERE / "search", A_name)
    choice_of_corpus.pop("nips", None)  # there is one choice of vb alone
    assert len(choice_of_corpus) >= 5
    for choice, loss in choice_of_corpus.values():
        assert choice.endswith("collapsed")
        assert loss < 0.0065
