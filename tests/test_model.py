"""The prior: equality and errors. truth/test_exact.py tests the joint probabilities."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from lda_reference import Prior

from .helpers import refusals, refused


@pytest.mark.parametrize(
    ("prior_a", "prior_b", "is_equal"),
    [
        (Prior(1, 2), Prior(np.float64(1), np.array(2.0)), True),
        (Prior(0.1, 0.1), Prior(0.1, 0.2), False),
        (Prior([0.1], 0.3), Prior(0.1, 0.3), False),
        (Prior(0.1, 0.1), (0.1, 0.1), False),
    ],
)
def test_priors_are_equal_if_their_numbers_are(prior_a, prior_b, is_equal):
    assert (prior_a == prior_b) is is_equal
    assert (prior_b != prior_a) is not is_equal


def test_a_prior_has_no_hash_and_cannot_be_changed():
    p = Prior([0.1, 0.2])
    with pytest.raises(TypeError, match="unhashable"):
        hash(p)
    with pytest.raises(FrozenInstanceError):
        p.eta = 0.2
    with pytest.raises(ValueError, match="read-only"):
        p.alpha[0] = 1


test_a_prior_names_what_is_wrong = refusals(lambda arguments: Prior(*arguments), [
    ((0, 1), "alpha is 0.0, expected a positive finite number"),
    ((1, [1, np.inf]), "eta[1] is inf, expected a positive finite number"),
    ((1, None), "eta is None, expected a number, a vector or a matrix"),
    ((5e-324, 1), "alpha is 5e-324, expected a number from 5.56268e-309 to 1e+200"),  # 1 / 5e-324 is infinite
    (([[1, 2]], 1), "alpha has shape (1, 2), expected a number or a vector"),
])


def test_vectors_have_the_lengths_of_the_model():
    alpha, eta = Prior([1, 2], 0.5).vectors(2, 3)
    assert (alpha.tolist(), eta.tolist()) == ([1.0, 2.0], [0.5, 0.5, 0.5])
    for K, W, message in ((3, 3, "alpha has 2 entries, expected K = 3"), (2, 2, "eta has 3 entries, expected W = 2")):
        with refused(message):
            Prior([1, 2], [1, 2, 3]).vectors(K, W)
