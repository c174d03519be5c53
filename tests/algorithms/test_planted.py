"""The checks of samplers find the faults that are planted in `planted.py`, and accept the correct algorithms.

A check returns a number; 1 or more means rejection. A fault must be rejected with a margin, so that the result does not
depend on a seed. A faulty algorithm must run and give wrong results: an exception is not a rejection.
"""

import numpy as np
import pytest

import lda_reference as lda

from .. import fuzz, planted
from ..helpers import K
from ..sampler_checks import geweke_z, posterior_z
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
