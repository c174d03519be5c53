"""The checks find the faults that are planted in `planted.py`, and accept the correct algorithms.

A check returns a number; 1 or more means rejection. A fault must be rejected with a margin, so that the result does not
depend on a seed. A faulty algorithm must run and give wrong results: an exception is not a rejection.
"""

import numpy as np
import pytest

import lda_reference as lda

from .. import fuzz, planted
from ..helpers import TINY, K, enumerated_free_energy, in_plain, long_form_bound, prior_for
from ..sampler_checks import geweke_z, posterior_z
from ..test_specification import error_of_expectations, in_engine
from .test_cgs import draws_that_differ

MARGIN = 1.5
DOCUMENTS = lda.Corpus.from_documents([[0, 1, 1, 4], [2, 0, 0], [], [1, 3, 3, 3, 0]], W=6)
PRIOR = lda.Prior([0.3, 0.05, 2.0], [0.5, 0.2, 0.1, 0.9, 0.05, 2.0])

# Checks of samplers --------------------------------------------------------------------------------------------------


ROWS = {"tokens": DOCUMENTS, "types": DOCUMENTS.types()}
SAMPLER_CHECKS = {
    "posterior": posterior_z,
    "geweke": geweke_z,
    "plain": lambda A, rows, share: MARGIN * draws_that_differ(A, ROWS[rows], PRIOR)[0],
}
# Geweke's test is slow: `make test` gives it these faults, and `make test-all` all of those that it must reject.
FOR_GEWEKE = {
    "cgs: the token is not excluded from the topic's count", "cgs: one draw moves all tokens of a row", "cgs: W instead of W eta",
    "cgs: each uniform is used twice", "gibbs: phi without eta", "gibbs: theta is its mean, not drawn",
}  # fmt: skip
CASES = [
    (name, check)
    for name, (_, _, more) in planted.SAMPLERS.items()
    for check in ("posterior", *more)
    if check != "geweke" or name in FOR_GEWEKE or fuzz.ALL
]


def share_of(name):
    """The share of the chains that finds a fault."""
    return 1.0 if name in planted.SMALL else 0.2


# Checks of deterministic algorithms ----------------------------------------------------------------------------------


def equal_to_plain_text(A):
    """The largest difference from the plain text after two sweeps of any schedule, divided by 1e-12."""
    worst, p = 0.0, prior_for(A, PRIOR)
    for c in (DOCUMENTS, DOCUMENTS.types()):
        c = A.arranged(c)
        for schedule in A.schedules:
            s = A.init(c, K, p, rng=np.random.default_rng(0))
            expected = s.gamma.tolist()
            for t in range(2):
                some = {"uniforms": np.random.default_rng(t).random((c.N, A.draws))} if A.draws else {}
                s = A.sweep(s, c, p, schedule=schedule, **some)
                expected = in_plain(A, expected, c, p, schedule, **some)
            worst = np.maximum(worst, np.abs(s.gamma - expected).max())  # unlike max, it keeps NaN
    return worst / 1e-12


DRAWN = lda.synthetic.draw(np.random.default_rng(7), [12] * 10, K, 12, lda.Prior(0.4, 0.3)).corpus


def objective_falls(A):
    """The largest relative fall of the objective in a sweep, over 20 starts, divided by 1e-12 for rounding."""
    p = prior_for(A, lda.Prior([0.5, 0.3, 0.9], 0.4))
    s = A.init(DRAWN, K, p, rng=np.random.default_rng(1), replicates=20)
    fall, last = 0.0, A.objective(s, DRAWN, p)
    for _ in range({"cvb_exact": 12}.get(A.name, 60)):
        s = A.sweep(s, DRAWN, p)
        now = A.objective(s, DRAWN, p)
        fall = np.maximum(fall, ((last - now) / np.abs(last)).max())
        last = now
    return fall / 1e-12


SMALL_PRIOR = lda.Prior([0.5, 0.1, 2.0], [0.2, 1.0, 0.05, 3.0])


def enumerated_bound(A):
    """The largest error of the bound, divided by 1e-9; if every z is certain, the bound of VB is log p(x, z) too."""
    c, worst = TINY.types(), 0.0
    rng = np.random.default_rng(2)
    for gamma in (rng.dirichlet(np.ones(K), size=c.M), rng.dirichlet(np.full(K, 0.3), size=c.M), np.eye(K)[[2, 0, 0, 1]]):
        term_by_term = A.name == "vb" and not (gamma == 1).any(-1).all()
        expected = (long_form_bound if term_by_term else enumerated_free_energy)(gamma, c, SMALL_PRIOR)
        worst = np.maximum(worst, abs(A.bound(lda.State(gamma), c, SMALL_PRIOR) - expected))
    return worst / 1e-9


UPDATE_CHECKS = {"plain": equal_to_plain_text, "objective": objective_falls, "enumerated update": lambda A: error_of_expectations(in_engine(A), A.name)}

# The meta-test -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "check"), CASES)
def test_faults_in_samplers_are_found(name, check):
    faulty, rows, _ = planted.SAMPLERS[name]
    assert SAMPLER_CHECKS[check](faulty, rows, share_of(name)) > MARGIN


@pytest.mark.parametrize(
    ("name", "check", "rows", "share"),
    sorted({(name.partition(":")[0], check, planted.SAMPLERS[name][1], share_of(name)) for name, check in CASES}),
)
def test_correct_samplers_pass_the_same_checks(name, check, rows, share):
    assert SAMPLER_CHECKS[check](lda.ALGORITHMS[name], rows, share) < 1


@pytest.mark.parametrize("name", ["cgs: the last token is not drawn", "gibbs: the state never changes", "gibbs: z without phi"])
def test_geweke_alone_is_not_enough(name):
    """A chain that never moves, or draws z from the prior without x, preserves p(z, x), which is all that it tests."""
    faulty, rows, more = planted.SAMPLERS[name]
    assert geweke_z(faulty, rows, 0.2) < 1
    assert "geweke" not in more


@pytest.mark.parametrize("rows", ROWS)
def test_the_sampler_for_faults_is_correct_without_one(rows):
    """This shows that the checks find the planted fault and nothing else."""
    c, rng = ROWS[rows], np.random.default_rng(6)
    s = lda.ALGORITHMS["cgs"].init(c, K, PRIOR, rng=rng, replicates=5)
    correct = planted.cgs()
    for _ in range(5):
        u = rng.random(s.z.shape)
        own, s = correct.sweep(s, c, PRIOR, uniforms=u), lda.ALGORITHMS["cgs"].sweep(s, c, PRIOR, uniforms=u)
        np.testing.assert_array_equal(own.z, s.z)
    assert posterior_z(planted.gibbs(), rows, 0.2) < 1


@pytest.mark.parametrize(
    ("name", "check"), [(name, check) for name, (_, more) in planted.UPDATES.items() for check in ("plain", *more)]
)
def test_faults_in_updates_are_found(name, check):
    """The faults exceed rounding by a factor of ten thousand, so no tolerance near rounding hides them."""
    assert UPDATE_CHECKS[check](planted.UPDATES[name][0]) > 1e4


@pytest.mark.parametrize(
    ("check", "name"), sorted({(check, A.name) for A, more in planted.UPDATES.values() for check in ("plain", *more)})
)
def test_correct_updates_pass_the_same_checks(check, name):
    assert UPDATE_CHECKS[check](lda.ALGORITHMS[name]) < 1


@pytest.mark.parametrize("name", planted.BOUNDS)
def test_faults_in_bounds_are_found(name):
    assert enumerated_bound(planted.BOUNDS[name]) > 1e4


@pytest.mark.parametrize("name", ["vb", "cvb0"])
def test_correct_bounds_pass_the_same_check(name):
    assert enumerated_bound(lda.ALGORITHMS[name]) < 1


def test_every_algorithm_has_faults():
    with_faults = {A.name for A, *_ in [*planted.SAMPLERS.values(), *planted.UPDATES.values()]}
    assert with_faults | {"ep", "hmc"} == set(lda.ALGORITHMS)  # their faults are in test_ep.py and test_hmc.py
