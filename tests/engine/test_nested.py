"""The schedule `nested`: each document to convergence in turn."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine

from ..helpers import CORPORA, PRIORS, in_plain, start

ALGORITHMS = lda.ALGORITHMS


@pytest.mark.parametrize("prior_name", ["0.1", "vectors", "eta by topic"])
@pytest.mark.parametrize("A_name", ["vb", "vem"])
@pytest.mark.parametrize("row_kind", CORPORA)
def test_nested_schedule_is_algorithm_1(A_name, row_kind, prior_name):
    c, p, A, s = CORPORA[row_kind], PRIORS[prior_name], ALGORITHMS[A_name], start(A_name, CORPORA[row_kind])
    for options in (
        {},
        {"assignment": "hard"},
        {"assignment": lambda x: engine.soft(x)},  # a function of the caller
        {"inner": 1},
        {"inner": 3},
        {"inner": 2, "assignment": "hard"},
    ):
        plain_gamma = in_plain(A, s.gamma, c, p, "nested", **options)
        new_gamma = A.sweep(s, c, p, schedule="nested", **options).gamma
        np.testing.assert_allclose(new_gamma, plain_gamma, rtol=0, atol=1e-12)
