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
