"""Sweeps that make no gamma, and states that make it when it is read."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from numpy.random import default_rng

import lda_reference as lda
from lda_reference import engine
from lda_reference.algorithms import ml, vb
from lda_reference.engine import counts
from lda_reference.engine.state import Recipe
from lda_reference.plain.updates import UNCOLLAPSED

from ..helpers import CORPORA, EXTREME, PRIORS, TOKENS, K, prior_for, start

ALGORITHMS = {name: lda.ALGORITHMS[name] for name in UNCOLLAPSED} | {"tempered": ml.tempered(0.7)}
SWEEPS = [(name, schedule) for name, A in ALGORITHMS.items() for schedule in ("corpus", "nested") if schedule in A.schedules]
DRAWN = lda.synthetic.draw(default_rng(0), np.arange(30) % 9, K, 40, lda.Prior(0.5, 0.5)).corpus.types()
FRACTIONS = lda.Corpus(DRAWN.j, DRAWN.w, DRAWN.n * 0.3 + 0.25, DRAWN.D, DRAWN.W + 2, fractions=True)


def assert_same_sweep(A, s, c, p, schedule, **options):
    """A sweep without gamma has the gamma of one that makes it, and the sums of this gamma."""
    new_state = A.sweep(s, c, p, schedule, **options)
    assert new_state.recipe is not None
    assert "gamma" not in vars(new_state.recipe)
    state_with_gamma = A.sweep(s, c, p, schedule, lambda x: engine.soft(x), **options)  # gamma is made for a function
    assert state_with_gamma.recipe is None
    np.testing.assert_allclose(new_state.gamma, state_with_gamma.gamma, rtol=0, atol=1e-12)
    for new_sums, gamma_sums in zip(engine.sums_of(new_state, c), engine.sums(state_with_gamma.gamma, c), strict=True):
        np.testing.assert_allclose(new_sums, gamma_sums, rtol=1e-11, atol=1e-14)
    return new_state


@pytest.mark.parametrize("prior_name", PRIORS)
@pytest.mark.parametrize(("algorithm_name", "schedule"), SWEEPS)
def test_a_sweep_without_gamma_is_one_with_gamma(algorithm_name, schedule, prior_name):
    A, p = ALGORITHMS[algorithm_name], prior_for(ALGORITHMS[algorithm_name], PRIORS[prior_name])
    for c in CORPORA.values():
        s = start("vb", c)
        for _ in range(3):  # the second begins with known sums
            s = assert_same_sweep(A, s, c, p, schedule)


@pytest.mark.parametrize("replicates", [None, 3])
@pytest.mark.parametrize(("algorithm_name", "schedule"), SWEEPS)
def test_fractions_replicates_and_held_topics(algorithm_name, schedule, replicates):
    A, p, c = ALGORITHMS[algorithm_name], prior_for(ALGORITHMS[algorithm_name], lda.Prior(0.1, 0.2)), FRACTIONS
    s = A.init(c, K, p, default_rng(0), replicates=replicates)
    phi_wk = default_rng(1).dirichlet(np.ones(c.W), K).T
    for phi in (None, phi_wk):
        assert_same_sweep(A, assert_same_sweep(A, s, c, p, schedule, held_topics=phi), c, p, schedule, held_topics=phi)


@pytest.mark.parametrize("schedule", ["corpus", "nested"])
def test_tiny_priors_and_one_topic(schedule):
    A = ALGORITHMS["vb"]
    for prior_number in (1e-3, 1e-8):
        p = lda.Prior(prior_number, prior_number)
        s = A.init(DRAWN, K, p, default_rng(0), start="one-hot")
        assert_same_sweep(A, assert_same_sweep(A, s, DRAWN, p, schedule), DRAWN, p, schedule)
    c, phi = lda.Corpus([0, 0, 1], [0, 1, 1], [5.0, 1e-4, 2], 2, 2, fractions=True), np.array([[1, 1e-320], [1e-320, 1]])
    s = A.init(c, 2, p, gamma=[[1, 0], [0, 1], [0, 1]])
    assert_same_sweep(A, s, c, p, schedule, held_topics=phi)  # all products of the second row vanish
    for c, n_topics in EXTREME.values():
        s = A.init(c, n_topics, lda.Prior(0.1, 0.1), default_rng(0))
        assert_same_sweep(A, s, c, lda.Prior(0.1, 0.1), schedule)
    assert_same_sweep(vb.APPROXIMATE, start("vb", DRAWN), DRAWN, lda.Prior(0.7, 0.9), "corpus")


def lazy_state(seed=0, c=TOKENS):
    return ALGORITHMS["vb"].sweep(start("vb", c, seed=seed), c, lda.Prior(0.1, 0.1), "corpus")


def test_a_state_makes_gamma_only_when_it_is_read(monkeypatch):
    s = lazy_state()
    with monkeypatch.context() as patch:
        patch.setattr(Recipe, "gamma", property(lambda self: pytest.fail("gamma is made")))
        assert repr(s) == f"State(gamma ({TOKENS.M}, {K}))"
        copied_states = copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)), s._replace(z=None), lazy_state()
        assert all(copied_state == s for copied_state in copied_states)
        assert s != lazy_state(seed=1)
        with pytest.raises(TypeError, match="a State is not hashable"):
            hash(s)
    assert s == lda.State(s.gamma) == s._replace(gamma=s.gamma)
    assert copied_states[2] == s  # one of them has made it
    assert "gamma" not in vars(pickle.loads(pickle.dumps(s)).recipe)
    with pytest.raises(ValueError, match="read-only"):
        s.gamma[0] = 0  # its sums would not change


def test_known_sums_are_those_of_their_corpus_alone():
    s, doubled_corpus = lazy_state(), lda.Corpus(TOKENS.j, TOKENS.w, 2 * TOKENS.n, TOKENS.D, TOKENS.W)
    worded_corpus = lda.Corpus(TOKENS.j, TOKENS.w, TOKENS.n, TOKENS.D, TOKENS.W, [*"abcdef"])
    assert engine.sums_of(s, TOKENS) is engine.sums_of(s, worded_corpus) is s.recipe.sums
    np.testing.assert_allclose(engine.sums_of(s, doubled_corpus).jk, 2 * s.recipe.sums.jk, rtol=1e-14)


def test_entropy_and_change_are_those_of_gamma():
    c = lda.Corpus.from_documents([[w % 7 for w in range(j)] for j in range(220)]).types()
    assert c.M > 1024  # rows of a block
    state_a, state_b = lazy_state(c=c), lazy_state(seed=1, c=c)
    change, entropy = engine.mean_change(state_a, state_b), counts.entropy(state_a, c)
    assert "gamma" not in vars(state_a.recipe) | vars(state_b.recipe)
    assert change == pytest.approx(np.abs(state_a.gamma - state_b.gamma).mean(), rel=1e-13)
    assert entropy == pytest.approx(-float((c.n[:, None] * state_a.gamma * np.log(state_a.gamma)).sum()), rel=1e-13)


@pytest.mark.parametrize("start_name", ["topics", "documents"])
def test_starts_from_topics_know_their_sums(start_name):
    for replicates in (None, 2):
        s = ALGORITHMS["vb"].init(DRAWN, K, lda.Prior(), default_rng(3), start=start_name, replicates=replicates)
        for known_sums, gamma_sums in zip(engine.sums_of(s, DRAWN), engine.sums(s.gamma, DRAWN), strict=True):
            np.testing.assert_allclose(known_sums, gamma_sums, rtol=1e-13)


@pytest.mark.parametrize("schedule", ["corpus", "nested"])
def test_a_run_that_learns_and_is_saved_makes_no_gamma(schedule, tmp_path, monkeypatch):
    monkeypatch.setattr(Recipe, "gamma", property(lambda self: pytest.fail("gamma is made")))
    options = {"algorithm": "vb", "schedule": schedule, "start": "topics", "learn_after": 2}
    options["learn"] = {"corpus": "alpha:asymmetric,eta", "nested": "alpha:em2,eta"}[schedule]
    options |= {"burn_in": 0, "monitor": lambda f: {"bound": lda.ALGORITHMS["vb"].bound(f.state, DRAWN, f.prior)}}
    unbroken_fit = lda.fit(DRAWN, K, sweeps=23, **options)
    changes = [history_entry["change"] for history_entry in unbroken_fit.history]
    assert [sweep_number for sweep_number, change in enumerate(changes, 1) if change is not None] == [10, 20, 23]
    lda.save(lda.fit(DRAWN, K, sweeps=12, **options), tmp_path)
    loaded_fit = lda.load(tmp_path)
    assert loaded_fit.history[-1]["change"] is not None
    assert lda.fit(DRAWN, K, sweeps=23, resume=loaded_fit, **options) == unbroken_fit  # to the last bit
    np.testing.assert_array_equal(lda.own_words.tokens_of_words(loaded_fit, DRAWN), loaded_fit.state.recipe.sums.wk)
    assert all(history_entry["change"] is not None for history_entry in lda.fit(DRAWN, K, sweeps=3, stop=lambda f: False, **options).history)


@pytest.mark.parametrize("schedule", ["corpus", "nested"])
def test_a_run_without_gamma_holds_few_tables_of_counts(schedule):
    token_corpus = lda.synthetic.draw(default_rng(0), [20] * 1000, 2, 8000, lda.Prior(0.1, 0.1)).corpus
    c, options = token_corpus.types(), {"algorithm": "vb", "start": "topics", "schedule": schedule, "sweeps": 3}
    table_bytes = (c.D + c.W) * 50 * 8  # bytes of N_jk and N_wk
    lda.fit(TOKENS, K, **options)  # the memory of modules that are loaded at their first use
    tracemalloc.start()
    lda.fit(c, 50, **options)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < {"corpus": 5.5, "nested": 6}[schedule] * table_bytes
