"""The schedule `nested`: each document to convergence in turn."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine

from ..helpers import CORPORA, PRIORS, in_plain, start

ALGORITHMS = lda.ALGORITHMS


@pytest.mark.parametrize("prior", ["0.1", "vectors", "eta by topic"])
@pytest.mark.parametrize("name", ["vb", "vem"])
@pytest.mark.parametrize("rows", CORPORA)
def test_nested_schedule_is_algorithm_1(name, rows, prior):
    c, p, A, s = CORPORA[rows], PRIORS[prior], ALGORITHMS[name], start(name, CORPORA[rows])
    for options in (
        {},
        {"assignment": "hard"},
        {"assignment": lambda x: engine.soft(x)},  # a function of the caller
        {"inner": 1},
        {"inner": 3},
        {"inner": 2, "assignment": "hard"},
    ):
        expected = in_plain(A, s.gamma, c, p, "nested", **options)
        new = A.sweep(s, c, p, schedule="nested", **options).gamma
        np.testing.assert_allclose(new, expected, rtol=0, atol=1e-12)


def test_tiny_priors_do_not_make_all_weights_of_a_row_vanish():
    c = lda.Corpus.from_documents([[0, 0, 1], [1, 2, 2], [0, 2]])
    p = lda.Prior(1e-3, 1e-3)  # exp(digamma(1e-3)) is 0
    for name in ("vb", "vem"):
        s = ALGORITHMS[name].init(c, 2, p, gamma=np.eye(2)[[0, 0, 1, 1, 1, 0, 0, 1]])
        with np.errstate(all="raise", under="ignore"):
            new = ALGORITHMS[name].sweep(s, c, p, schedule="nested", inner=4).gamma
        np.testing.assert_allclose(new.sum(-1), 1, rtol=0, atol=1e-12)
