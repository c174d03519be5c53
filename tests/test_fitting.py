"""Runs that repeat and resume to the last bit, averages of samplers, stopping, and learning of the prior."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse

import lda_reference as lda
from lda_reference import fitting, recommended

from .helpers import CORPORA, ROWS_FOR, SAMPLERS, SOFT, assert_equal_fits, prior_for, refusals, refused
from .helpers import quick_fit as fit

TOKENS, TYPES = CORPORA["tokens"], CORPORA["types"]
SOFT_GIBBS = replace(lda.ALGORITHMS["gibbs"], assignment="soft")  # draws theta and phi, and no topic


def states(A, c, p, sweeps):
    """The states of a run of `fit`, by its sweeps."""
    schedule, start_name = recommended.schedule_and_start(A, c)
    run_states = [A.init(c, 3, p, rng=fitting.sweep_rng(7, 0), start=start_name)]
    for sweep in range(1, sweeps + 1):
        run_states.append(A.sweep(run_states[-1], c, p, schedule, rng=fitting.sweep_rng(7, sweep)))
    return run_states


# test_determinism.py runs and resumes every algorithm in every schedule in processes of their own, and test_storage.py
# resumes runs of samplers that are thinned.

test_a_run_with_other_settings_is_not_resumed = refusals(lambda change: fit(**{"algorithm": "cvb0"} | change, resume=fit(algorithm="cvb0")), [
    ({"c": lda.Corpus(TYPES.j, TYPES.w, TYPES.n + 1, 5, 6)}, "c is another corpus than that of the run to resume: its sizes are the same (5 documents, 6 words)"),
    ({"K": 4}, "K is 4, expected 3 as in the run to resume"),
    ({"algorithm": "ml"}, "algorithm is 'ml', expected 'cvb0' as in the run to resume"),
    ({"prior": lda.Prior([0.1, 0.1, 0.2], 0.1)}, "prior is Prior(alpha=[0.1, 0.1, 0.2], eta=0.1), expected Prior(alpha=0.1, eta=0.1) as in the run to resume"),
    ({"sweeps": 3}, "sweeps is 3, expected 4 or more: the run to resume has as many already"),
])


def test_a_run_with_its_words_in_another_order_is_not_resumed():
    c, turned_c = (lda.Corpus(TYPES.j, TYPES.w, TYPES.n, 5, 6, vocab) for vocab in ([*"abcdef"], [*"fedcba"]))
    first_fit = fit(c, algorithm="cvb0")
    with refused("c has other words than the run to resume, or has them in another order"):
        fit(turned_c, algorithm="cvb0", resume=first_fit)
    assert fit(TYPES, algorithm="cvb0", resume=first_fit).sweeps == first_fit.sweeps  # a corpus without words


def test_history_has_the_change_of_gamma_and_what_the_monitor_adds():
    gammas = [lda.ALGORITHMS["cgs"].init(TYPES, 3, lda.Prior(), rng=fitting.sweep_rng(7, 0)).gamma]

    def monitor(f):
        gammas.append(f.state.gamma)
        return {"samples": f.samples, "sweeps": f.sweeps}

    f = fit(monitor=monitor)
    assert [sweep_entry["change"] for sweep_entry in f.history] == [np.abs(np.subtract(*gamma_pair)).mean() for gamma_pair in pairwise(gammas)]
    assert sum(sweep_entry["change"] for sweep_entry in f.history) > 0
    assert [(sweep_entry["sweeps"], sweep_entry["samples"]) for sweep_entry in f.history] == [(1, 0), (2, 0), (3, 1), (4, 2)]


# Averages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("burn_in", "thin"), [(None, 1), (2, 3), (8, 3), (20, 1)])
@pytest.mark.parametrize("A", [*(lda.ALGORITHMS[A_name] for A_name in (*SAMPLERS, "hmc")), SOFT_GIBBS], ids=lambda A: f"{A.name}-{A.assignment}")
def test_a_sampler_averages_its_estimates_after_burn_in(A, burn_in, thin):
    f, p = fit(TOKENS, algorithm=A, sweeps=10, burn_in=burn_in, thin=thin), lda.Prior()
    run_states, sample_sweeps = states(A, TOKENS, p, 10), range(5 if burn_in is None else burn_in, 11, thin)[1:]
    sample_estimates, s = [A.estimate(run_states[sweep], TOKENS, p) for sweep in sample_sweeps], run_states[-1]
    assert f.samples == len(sample_estimates)
    assert f.state == s
    # if the run ends before its first sample, the estimates are those of the last state
    theta_jk, phi_wk = (np.mean(estimates, axis=0) for estimates in zip(*sample_estimates or [A.estimate(s, TOKENS, p)], strict=True))
    np.testing.assert_allclose(f.theta_jk, theta_jk, rtol=1e-13)
    np.testing.assert_allclose(f.phi_wk, phi_wk, rtol=1e-13)


@pytest.mark.parametrize("sweeps", [0, 3])
@pytest.mark.parametrize("A_name", SOFT)
def test_soft_estimates_are_those_of_the_last_state(A_name, sweeps):
    A, c = lda.ALGORITHMS[A_name], ROWS_FOR[A_name][0]
    f = fit(c, algorithm=A_name, sweeps=sweeps, burn_in=0)
    s = states(A, c, f.prior, sweeps)[-1]
    np.testing.assert_allclose(f.state.gamma, s.gamma, rtol=0, atol=1e-12)
    for fit_estimate, state_estimate in zip((f.theta_jk, f.phi_wk), A.estimate(s, c, f.prior), strict=True):
        np.testing.assert_allclose(fit_estimate, state_estimate, rtol=1e-12)
    assert f.samples == 0


def test_the_generator_of_a_sweep_depends_on_seed_and_number():
    random_bytes = {fitting.sweep_rng(seed, sweep).random(4).tobytes() for seed in range(4) for sweep in range(50)}
    assert len(random_bytes) == 200


# An algorithm, a start, replicates, stopping --------------------------------------------------------------------------


@pytest.mark.parametrize("A_name", ["vb", "cvb0", "cgs", "gibbs"])
def test_replicates_start_differently_and_have_an_axis(A_name):
    f = fit(algorithm=A_name, replicates=4)
    assert f.theta_jk.shape == (5, 4, 3)
    assert f.phi_wk.shape == (6, 4, 3)
    np.testing.assert_allclose(f.phi_wk.sum(0), 1)
    assert len({f.phi_wk[:, replicate].tobytes() for replicate in range(4)}) == 4


def test_the_schedule_and_the_start_are_the_recommended_ones_unless_they_are_named(monkeypatch):
    monkeypatch.setattr(recommended, "GROWING_TOKENS", TYPES.N - 1)
    f = fit(algorithm="cvb0", sweeps=0, schedule="token", start="documents")
    start_state = lda.ALGORITHMS["cvb0"].init(TYPES, 3, f.prior, fitting.sweep_rng(7, 0), start="documents")
    assert (f.schedule, f.start, f.state) == ("token", "documents", start_state)
    assert fit(algorithm="cvb0", sweeps=2, resume=f).schedule == "token"  # a resumed run keeps its own
    f = fit(algorithm="cvb0", sweeps=2)
    assert (f.schedule, f.start) == ("block", "growing")
    monkeypatch.setattr(recommended, "GROWING_TOKENS", TYPES.N)
    assert fit(algorithm="cvb0", sweeps=0).start == "topics"
    assert fit(algorithm="cvb0", sweeps=4, resume=f).start == "growing"


@pytest.mark.parametrize(("A_name", "replicates"), [("vb", None), ("ml", None), ("map", None), ("cvb0", None), ("vb", 5)])
def test_a_run_stops_when_no_bound_changes(A_name, replicates):
    f = fit(algorithm=A_name, sweeps=2000, stop=1e-5, replicates=replicates)
    A = lda.ALGORITHMS[A_name]
    bound_or_objective = A.objective if isinstance(A.bound_of, str) else A.bound
    assert f.sweeps < 2000
    np.testing.assert_array_equal(f.history[-1]["bound"], bound_or_objective(f.state, TYPES, f.prior))
    bounds = np.array([sweep_entry["bound"] for sweep_entry in f.history]).reshape(f.sweeps, -1) / TYPES.N  # (sweeps, R)
    bound_changes = np.abs(np.diff(bounds, axis=0)).max(1)
    assert bound_changes[-1] < 1e-5
    assert (bound_changes[:-1] >= 1e-5).all()


def test_a_run_that_learns_does_not_stop_before_it_has_learned():
    """From where CVB0 ends, CVB hardly moves: without learning the run stops at once."""
    fit_options = {"algorithm": "cvb", "start": "collapsed", "sweeps": 40}
    assert fit(**fit_options, stop=1e-3).sweeps < 10
    for stop_rule in (1e-3, lambda f: True):
        f = fit(**fit_options, stop=stop_rule, learn="alpha,eta", learn_after=10)
        assert f.sweeps > 10
        assert f.prior != lda.Prior(0.5, 0.5)


def test_a_resumed_run_stops_as_an_unbroken_one():
    unbroken_fit = fit(algorithm="vb", sweeps=2000, stop=1e-5)
    short_fit = fit(algorithm="vb", sweeps=unbroken_fit.sweeps - 1, stop=1e-5, burn_in=1000)
    assert_equal_fits(fit(algorithm="vb", sweeps=2000, stop=1e-5, resume=short_fit), unbroken_fit, seconds=False)


def test_the_default_prior_is_the_algorithms():
    for A_name in lda.ALGORITHMS:
        default_prior = prior_for(A_name, lda.Prior(0.1, 0.1))
        assert fit(ROWS_FOR[A_name][0], algorithm=A_name, sweeps=0).prior == default_prior


def test_fits_are_equal_if_all_but_the_seconds_are():
    f = fit()
    slower_fit = f._replace(history=tuple(sweep_entry | {"seconds": sweep_entry["seconds"] + 1} for sweep_entry in f.history))
    assert f == slower_fit
    for new_field in ({"theta_jk": f.theta_jk + 1e-16}, {"seed": 8}, {"state": lda.State(f.state.gamma)}, {"history": f.history[:-1]}):
        assert f != f._replace(**new_field)
    with pytest.raises(TypeError, match="not hashable"):
        hash(f)


@pytest.mark.parametrize("error_type", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("callback", ["learn", "monitor", "stop"])
@pytest.mark.parametrize("A_name", ["gibbs", "vb"])
def test_an_error_in_a_sweep_has_the_run_before_it(A_name, callback, error_type):
    def run(failing_call, **fit_options):
        def function(*arguments):
            if next(call_numbers) == failing_call:
                raise error_type("broken")
            return {"learn": arguments[-1], "monitor": {}, "stop": False}[callback]

        call_numbers = iter(range(1, 9))
        return fit(algorithm=A_name, burn_in=2, sweeps=8, **{"learn_after": 0, callback: function}, **fit_options)

    with pytest.raises(error_type, match="broken") as raised_error:
        run(1)
    assert not hasattr(raised_error.value, "fit")
    with pytest.raises(error_type, match="broken") as raised_error:
        run(6)
    broken_fit = raised_error.value.fit
    assert broken_fit.sweeps == len(broken_fit.history) == 5
    assert_equal_fits(run(None, resume=broken_fit), run(None), seconds=False)


# What may be given instead, and what is refused ----------------------------------------------------------------------


def test_a_matrix_of_counts_and_a_number_are_what_they_mean():
    X = np.array([[2, 0, 1], [0, 3, 1]])
    c, fit_options = lda.Corpus.from_csr(X), {"sweeps": 5, "seed": 3}
    fit_of_c = lda.fit(c, 2, prior=lda.Prior(0.2, 0.2), **fit_options)
    for counts in (X, X.astype(float), scipy.sparse.csr_matrix(X)):
        assert lda.fit(counts, 2, prior=0.2, **fit_options) == fit_of_c
    assert lda.fit(X, 2, prior=(0.2, 0.1), **fit_options) == lda.fit(c, 2, prior=lda.Prior(0.2, 0.1), **fit_options)


test_arguments_of_another_kind_are_named = refusals(lambda arguments: lda.fit(**{"c": lda.Corpus.from_documents([[0, 1, 1]]), "K": 2, **arguments}), [
    ({"c": [[0, 1], [2]]}, "c is of the type list, expected a Corpus or a matrix of counts, documents by words"),
    ({"algorithm": "cgs", "stop": 1e-3}, "cgs has neither a bound nor an objective: it is a sampler"),
    ({"algorithm": "ml", "learn": "alpha"}, "ml cannot learn a prior: it has no prior"),
    ({"algorithm": "vem", "learn": "eta"}, "learn is 'eta': vem does not use eta, expected alpha"),
    ({"algorithm": "vb", "learn": "alpha", "replicates": 2}, "learn is 'alpha' and there are replicates, expected one run"),
])
