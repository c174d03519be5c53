"""Counts that are fractions, such as the weights of TF-IDF: against the plain text, and refused where they mean nothing."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import sgrld

rng = np.random.default_rng(0)
X = 3 * rng.random((4, 5)) * (rng.random((4, 5)) < 0.7)
C = lda.Corpus.from_csr(X, fractions=True)
P = lda.Prior(1.3, 1.2)
GAMMA = rng.dirichlet(np.ones(3), C.M)

TAKE = ["ml", "map", "vb", "vem", "cvb", "cvb0", "tcvb0", "cvb1d"]


@pytest.mark.parametrize(("name", "schedule"), [(x, y) for x in TAKE for y in lda.ALGORITHMS[x].schedules])
def test_sweeps_are_those_of_the_plain_text(name, schedule):
    A = lda.ALGORITHMS[name]
    assert (C.n < 1).any()
    assert (C.n > 1).any()
    more = {"nested": {"inner": 3}, "block": {"blocks": 2}}.get(schedule, {})
    rows = {"D": C.D, "W": C.W, "j": C.j.tolist(), "w": C.w.tolist(), "n": C.n.tolist()}
    expected = lda.plain.sweep(name, GAMMA.tolist(), rows, {"alpha": 1.3, "eta": 1.2}, schedule, **more)
    found = A.sweep(A.init(C, 3, P, gamma=GAMMA), C, P, schedule, **more).gamma
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", sorted(set(lda.ALGORITHMS) - set(TAKE)))
def test_an_update_of_whole_tokens_refuses_them(name):
    with pytest.raises(ValueError, match=f"^{name} needs whole counts, and the corpus has fractions"):
        lda.ALGORITHMS[name].init(C, 3, P, np.random.default_rng(0))


S = lda.ALGORITHMS["vb"].init(C, 3, P, gamma=GAMMA)


@pytest.mark.parametrize(
    "refuses",
    [
        lambda: lda.exact.posterior(C, 2, P),
        lambda: lda.split(C, "tokens", 0.5, np.random.default_rng(0)),
        lambda: lda.ALGORITHMS["vb"].bound(S, C, P),
        lambda: lda.ALGORITHMS["vb"].objective(S, C, P),
        lambda: lda.explain(lda.ALGORITHMS["vb"], S, C, P, row=0),
        lambda: lda.fit(C, 2, "vb", start="one-hot"),
        lambda: lda.fit(C, 2, "vb", stop=1e-3),
        lambda: sgrld.init(C, 2, P, np.random.default_rng(0)),
        lambda: lda.Corpus.from_csr(X),
        lambda: lda.Corpus(C.j, C.w, C.n, C.D, C.W),
    ],
)
def test_what_needs_whole_tokens_refuses_them(refuses):
    with pytest.raises(ValueError, match=r"fractions as counts, expected whole|expected a count: a whole number|expected a whole"):
        refuses()


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_weights_are_positive_and_finite(bad):
    with pytest.raises(ValueError, match=r"^X\[0, 1\] is .*expected a weight from 0|^n\[0\] is .*positive finite"):
        lda.Corpus.from_csr([[0, bad]], fractions=True)


def test_whole_weights_are_counts():
    whole = lda.Corpus.from_csr([[2.0, 1.0]], fractions=True)
    assert whole == lda.Corpus.from_csr([[2, 1]])
    assert (whole.n.dtype, whole.fractions) == (np.int64, False)
