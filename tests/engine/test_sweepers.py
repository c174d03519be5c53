"""Sweeps in place, as `fit` makes them: they are pure sweeps, to rounding, and a resumed run goes on with the same bits."""

import os
import pickle
import signal

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.engine.in_place import WordSums
from lda_reference.engine.sweepers import InPlace, Pure, sweeper_of
from tests.helpers import assert_equal_fits

K, P = 3, lda.Prior(0.1, 0.2)
TOKENS = lda.synthetic.draw(np.random.default_rng(3), [9] * 37, K, 12, lda.Prior(0.3, 0.3)).corpus
TYPES = TOKENS.types()
SOFT = [name for name, A in lda.ALGORITHMS.items() if not A.is_sampler and A.update.plain is None and A.sweep_of is None]
NAME_ORDERS = [
    (name, schedule)
    for name in SOFT
    for schedule in ("block", "corpus")
    if schedule in lda.ALGORITHMS[name].schedules and (schedule == "block" or lda.ALGORITHMS[name].update.excludes != "nothing")
]  # without an exclusion, sweeps in corpus order make no gamma
PRIOR_NUMBERS = {
    "usual": (0.1, 0.2), "tiny": (1e-8, 1e-8), "large": (30, 7),
    "asymmetric": ([0.1, 2, 0.5], np.linspace(0.01, 3, 12)), "eta by topic": (0.3, np.linspace(0.1, 2, 36).reshape(12, 3)),
}  # fmt: skip


@pytest.mark.parametrize("prior_name", PRIOR_NUMBERS)
@pytest.mark.parametrize(("algorithm_name", "schedule"), NAME_ORDERS)
@pytest.mark.parametrize("replicates", [None, 2])
def test_sweeps_in_place_are_pure_sweeps(algorithm_name, schedule, replicates, prior_name):
    A = lda.ALGORITHMS[algorithm_name]
    p = lda.Prior(*(np.add(a, A.prior_offset) for a in PRIOR_NUMBERS[prior_name]))
    tolerance = 1e-12 if prior_name != "tiny" else 1e-6  # where a rounding error of a sum is not small beside the prior number
    c = TOKENS if A.draws else TYPES
    s, copied_state = (A.init(c, K, p, np.random.default_rng(1), replicates=replicates) for _ in range(2))
    sweeper, pure_sweeper = sweeper_of(A, s, c, schedule, None, False), Pure(A, copied_state, c, schedule, None)
    changes, pure_changes = ([one_sweeper.sweep(p, np.random.default_rng(sweep_number)) for sweep_number in range(4)] for one_sweeper in (sweeper, pure_sweeper))
    assert isinstance(sweeper, InPlace)
    np.testing.assert_allclose(sweeper.state.gamma, pure_sweeper.state.gamma, rtol=0, atol=tolerance)
    np.testing.assert_allclose(changes, pure_changes, rtol=0, atol=tolerance)


def test_which_runs_are_swept_in_place():
    def sweeper_kind(algorithm_name, schedule):
        A = lda.ALGORITHMS[algorithm_name]
        c = TOKENS if A.draws or A.samples_z else TYPES
        return type(sweeper_of(A, A.init(c, K, lda.Prior(1.1, 1.1), np.random.default_rng(0)), c, schedule, None, False))

    kind_of_sweeper = {(name, schedule): sweeper_kind(name, schedule) for name, A in lda.ALGORITHMS.items() for schedule in A.schedules}
    assert {name_and_schedule for name_and_schedule, sweeper_class in kind_of_sweeper.items() if sweeper_class is InPlace} == set(NAME_ORDERS)


def test_a_state_is_overwritten_only_if_nobody_may_keep_it():
    for is_copied in (False, True):
        A = lda.ALGORITHMS["cvb0"]
        s = A.init(TYPES, K, P, np.random.default_rng(0))
        old_gamma, sweeper = s.gamma.copy(), sweeper_of(A, s, TYPES, "block", None, is_copied)
        sweeper.sweep(P, np.random.default_rng(0))
        assert sweeper.overwrites != is_copied
        assert np.array_equal(s.gamma, old_gamma) == is_copied
    kept_fits = []
    f = lda.fit(TYPES, K, sweeps=4, schedule="block", monitor=lambda f: kept_fits.append(f) or {})
    assert len({kept_fit.state.gamma.tobytes() for kept_fit in kept_fits}) == 4
    assert kept_fits[-1].state == f.state


@pytest.mark.parametrize("options", [{}, {"learn": "alpha,eta"}, {"dtype": np.float32}, {"replicates": 2}, {"schedule": "corpus"}], ids=str)
@pytest.mark.parametrize("algorithm_name", ["cvb0", "tcvb0", "cvb", "cvb_exact", "vb"])
def test_a_resumed_run_has_the_bits_of_an_uninterrupted_one(algorithm_name, options, tmp_path):
    options = {"schedule": "block", "prior": P, "seed": 3, "learn_after": 2, "burn_in": 0, **options}
    fit_of_7, fit_of_4 = (lda.fit(TYPES, K, algorithm_name, sweeps=sweeps, **options) for sweeps in (7, 4))
    assert isinstance(fit_of_4.state.own, WordSums) == (algorithm_name in ("cvb0", "tcvb0") and options["schedule"] == "block")
    lda.save(fit_of_4, tmp_path)
    gamma = fit_of_4.state.gamma.copy()
    for f in (fit_of_4, lda.load(tmp_path), pickle.loads(pickle.dumps(fit_of_4))):
        assert_equal_fits(lda.fit(TYPES, K, algorithm_name, sweeps=7, resume=f, **options | {"prior": None}), fit_of_7, seconds=False)
    assert np.array_equal(fit_of_4.state.gamma, gamma)  # the run to resume is untouched


def test_single_precision_is_that_of_double_to_its_digits_and_is_kept():
    options = {"sweeps": 20, "schedule": "block", "prior": P}
    fit_32, fit_64 = lda.fit(TYPES, K, dtype=np.float32, **options), lda.fit(TYPES, K, **options)
    assert fit_32.state.gamma.dtype == np.float32
    assert fit_64.state.gamma.dtype == np.float64
    assert 1e-9 < np.abs(fit_32.state.gamma - fit_64.state.gamma).max() < 1e-4
    np.testing.assert_allclose(fit_32.theta_jk, fit_64.theta_jk, rtol=0, atol=1e-4)
    assert lda.fit(TYPES, K, resume=fit_32, **options | {"sweeps": 21}).state.gamma.dtype == np.float32
    with pytest.raises(ValueError, match="dtype is float32, expected float64 for"):
        lda.fit(TOKENS, K, "cgs", sweeps=1, dtype=np.float32)
    with pytest.raises(ValueError, match="dtype"):
        lda.fit(TYPES, K, dtype=np.float32, resume=fit_64, **options | {"sweeps": 21})


def test_the_sum_of_many_topics_may_be_rounded_as_single_precision_rounds_it():
    """A row that CVB0 makes of 3,000 topics adds up to 1 - 1e-5, and one of 200 in the corpus KOS to 1 - 1.01e-6."""
    gamma_rows = np.full((TYPES.M, 3000), (1 + 1e-5) / 3000)
    assert lda.ALGORITHMS["cvb0"].estimate(lda.State(gamma_rows.astype(np.float32)), TYPES, P)[0].shape == (TYPES.D, 3000)
    with pytest.raises(ValueError, match=r"the sum of the state's gamma\[0\] is 1\.0000(1|0999).*, expected 1"):
        lda.ALGORITHMS["cvb0"].estimate(lda.State(gamma_rows), TYPES, P)
    with pytest.raises(ValueError, match=r"the sum of the state's gamma\[0\] is 1\.001.*, expected 1"):
        lda.ALGORITHMS["cvb0"].estimate(lda.State((gamma_rows * 1.001).astype(np.float32)), TYPES, P)


def test_ctrl_c_waits_until_a_sweep_that_overwrites_has_ended():
    def press_ctrl_c(f):
        if f.sweeps == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return {}

    press_ctrl_c.only_looks = True
    with pytest.raises(KeyboardInterrupt) as interrupt_info:
        lda.fit(TYPES, K, sweeps=6, schedule="block", prior=P, monitor=press_ctrl_c)
    assert interrupt_info.value.fit.sweeps == 3
    unbroken_fit = lda.fit(TYPES, K, sweeps=6, schedule="block", prior=P, burn_in=3)
    assert_equal_fits(lda.fit(TYPES, K, sweeps=6, schedule="block", resume=interrupt_info.value.fit), unbroken_fit, seconds=False)


def test_an_error_within_an_overwriting_sweep_carries_no_run(monkeypatch):
    from lda_reference.engine import sweepers

    sweep_calls, sweep_groups = [], sweepers.sweep_groups

    def failing_sweep(*arguments):
        sweep_calls.append(1)
        if len(sweep_calls) == 3:
            raise MemoryError("no room")
        return sweep_groups(*arguments)

    monkeypatch.setattr(sweepers, "sweep_groups", failing_sweep)
    with pytest.raises(MemoryError) as failure_info:
        lda.fit(TYPES, K, sweeps=6, schedule="block", start="dirichlet")
    assert not hasattr(failure_info.value, "fit")
