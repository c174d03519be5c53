"""Checks of theta and phi: they name the argument, the position and what was expected."""

import math
import re

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.prediction import checked_estimates

from ..helpers import refusals, refused

C = lda.Corpus([0, 0, 2], [1, 3, 0], [2, 1, 4], 3, 4)
THETA, PHI = np.full((3, 2), 0.5), np.full((4, 2), 0.25)


def test_estimates_may_be_rounded_as_in_a_file():
    rounding_factors = np.array([1 + 9e-7, 1 - 9e-7])
    checked_estimates(C, THETA * rounding_factors[[0, 1, 0], None], PHI * rounding_factors)


test_shapes_must_fit = refusals(lambda shapes: checked_estimates(C, *map(np.ones, shapes)), [
    ((theta_shape, phi_shape), f"theta_jk has shape {theta_shape} and phi_wk {phi_shape}, expected 3 documents, 4 words and the same")
    for theta_shape, phi_shape in [((2, 2), (4, 2)), ((3, 5, 2), (4, 6, 2)), ((3,), (4,))]
])


@pytest.mark.parametrize(
    ("array_name", "index", "wrong_entry", "message"),
    [
        ("theta_jk", (1, 0), -1e-12, "theta_jk[1, 0] is -1e-12, expected a probability"),
        ("theta_jk", (2, 1), math.nan, "theta_jk[2, 1] is nan, expected a probability"),
        ("theta_jk", (2, 1), 0.500002, "theta_jk[2] adds up to 1.000002, expected 1"),
        ("phi_wk", (0, 1), 0.5, "phi_wk[:, 1] adds up to 1.25, expected 1"),
    ],
)
def test_rows_of_theta_and_columns_of_phi_must_be_distributions(array_name, index, wrong_entry, message):
    arrays = {"theta_jk": THETA, "phi_wk": PHI}
    wrong_arrays = arrays | {array_name: arrays[array_name].copy()}
    wrong_arrays[array_name][index] = wrong_entry
    with refused(message):
        checked_estimates(C, **wrong_arrays)
    sample_arrays = {name: np.stack([arrays[name], wrong_arrays[name]], 1) for name in arrays}  # the second sample is wrong
    with refused(re.sub(r"\[([^],]+)", r"[\1, 1", message, count=1)):
        checked_estimates(C, **sample_arrays)


def test_single_precision_over_many_words_loosens_no_check():
    """Sums of 100,000 floats are added up in double precision: a tenth of a percent is still refused."""
    phi_wk = np.random.default_rng(0).dirichlet(np.ones(100_000), 2).T.astype(np.float32)
    c = lda.Corpus(C.j, C.w, C.n, 3, 100_000)
    checked_estimates(c, THETA, phi_wk)
    with refused("phi_wk[:, 0] adds up to 1.001"):
        checked_estimates(c, THETA, phi_wk * np.float32(1.001))
