"""Counts that are fractions, such as the weights of TF-IDF: against the plain text, and refused where they mean nothing."""

from operator import call

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import sgrld

from ..helpers import refusals

rng = np.random.default_rng(0)
X = 3 * rng.random((4, 5)) * (rng.random((4, 5)) < 0.7)
C = lda.Corpus.from_csr(X, fractions=True)
P = lda.Prior(1.3, 1.2)
GAMMA = rng.dirichlet(np.ones(3), C.M)
FRACTION_NAMES = [name for name, A in lda.ALGORITHMS.items() if A.takes_fractions]


def test_algorithms_that_need_means_and_variances_alone_take_them():
    assert {"ml", "map", "vb", "vem", "cvb", "cvb0", "tcvb0", "cvb1d"} <= {*FRACTION_NAMES}
    assert not {"gibbs", "hmc", "cgs", "cvb_exact", "convolution", "cvb1", "cvb1s", "ep"} & {*FRACTION_NAMES}


@pytest.mark.parametrize(("algorithm_name", "schedule"), [(name, schedule) for name in FRACTION_NAMES for schedule in lda.ALGORITHMS[name].schedules])
def test_sweeps_are_those_of_the_plain_text(algorithm_name, schedule):
    A = lda.ALGORITHMS[algorithm_name]
    assert (C.n < 1).any()
    assert (C.n > 1).any()
    options = {"nested": {"inner": 3}, "block": {"blocks": 2}}.get(schedule, {})
    corpus_dict = {"D": C.D, "W": C.W, "j": C.j.tolist(), "w": C.w.tolist(), "n": C.n.tolist()}
    plain_gamma = lda.plain.sweep(algorithm_name, GAMMA.tolist(), corpus_dict, {"alpha": 1.3, "eta": 1.2}, schedule, **options)
    gamma = A.sweep(A.init(C, 3, P, gamma=GAMMA), C, P, schedule, **options).gamma
    np.testing.assert_allclose(gamma, plain_gamma, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("algorithm_name", sorted(set(lda.ALGORITHMS) - set(FRACTION_NAMES)))
def test_an_update_of_whole_tokens_refuses_them(algorithm_name):
    with pytest.raises(ValueError, match=f"^{algorithm_name} needs whole counts, and the corpus has fractions"):
        lda.ALGORITHMS[algorithm_name].init(C, 3, P, np.random.default_rng(0))


S = lda.ALGORITHMS["vb"].init(C, 3, P, gamma=GAMMA)
REFUSAL = "the corpus has fractions as counts, expected whole "

test_what_needs_whole_tokens_refuses_them = refusals(call, [
    (lambda: lda.exact.posterior(C, 2, P), f"{REFUSAL}numbers of tokens here"),
    (lambda: lda.split(C, "tokens", 0.5, np.random.default_rng(0)), f"{REFUSAL}numbers of tokens here"),
    (lambda: lda.ALGORITHMS["vb"].bound(S, C, P), f"{REFUSAL}counts"),
    (lambda: lda.explain(lda.ALGORITHMS["vb"], S, C, P, row=0), f"{REFUSAL}counts"),
    (lambda: sgrld.init(C, 2, P, np.random.default_rng(0)), f"{REFUSAL}counts"),
    (lambda: lda.Corpus.from_csr(X), f"X[0, 0] is {X[0, 0]}, expected a count: a whole number from 0"),
    (lambda: lda.Corpus.from_csr([[0, np.nan]], fractions=True), "X[0, 1] is nan, expected a weight from 0"),
])


def test_whole_weights_are_counts():
    c = lda.Corpus.from_csr([[2.0, 1.0]], fractions=True)
    assert c == lda.Corpus.from_csr([[2, 1]])
    assert (c.n.dtype, c.fractions) == (np.int64, False)
