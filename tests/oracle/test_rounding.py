"""How far rounding may move an answer."""

import re

import numpy as np
import pytest

from lda_reference.oracle import cases, package, perturbed, rounding

from .helpers import CERTIFIED, file, leaves


def of_certificate(case):
    """The growth of errors that the certificate measured, which it gives as the reason of a tolerance."""
    why = next(iter(case["tolerance"].values()))["why"]
    return float(re.match(r"1e-13 times (\S+), by which", why)[1])


@pytest.mark.parametrize("name", [name for name in CERTIFIED if name not in ("cgs", "gibbs")])
def test_errors_grow_as_in_the_certificate(name):
    """The errors of `runs` have the size of several operations, those of the certificate the size of one.

    `converged` is left out, because the certificate stops its sweeps where errors still shrink.
    """
    steps = [case for case in file(name)["cases"] if case["operation"] in ("update", "sweep", "ten_sweeps")]
    assert len(steps) >= 20
    for case in steps:
        (errors,) = rounding.errors(case).values()
        growth = of_certificate(case)
        assert growth < errors < 200 * growth + case["K"] + 100, (case["id"], errors, growth)


def test_a_row_of_one_topic_has_only_the_error_of_the_last_normalisation():
    (case,) = [c for c in cases("cvb0/update") if c["note"].startswith("one topic")]
    assert rounding.errors(case) == {"gamma_k": 1 + 8}


def test_the_first_run_has_no_errors():
    for case in cases("cvb_exact/sweep") + cases("map/ten_sweeps"):
        gamma = perturbed.runs(case)[-1]
        np.testing.assert_allclose(gamma[:, 0], case["expected"]["gamma"], rtol=0, atol=1e-12)
        if case["K"] > 1:
            assert (gamma[:, 1:] != gamma[:, :1]).any()


@pytest.mark.parametrize("operation", ["estimate", "predict", "bound", "hyperparameters"])
def test_errors_of_a_few_operations_are_above_those_of_perturbed_inputs(operation):
    """Inputs are rounded to float32, which is one of the errors that are added."""
    found = 0
    for case in cases(operation=operation):
        near = case | {"prior": {name: rounded(x) for name, x in case["prior"].items()}}
        if "gamma" in case["state"]:
            gamma = np.array(rounded(case["state"]["gamma"]))
            near |= {"state": {"gamma": (gamma / gamma.sum(-1, keepdims=True)).tolist()}}
        got, errors = package.answer(near), rounding.errors(case)
        for field, units in errors.items():
            for x, y in zip(leaves(case["expected"][field]), leaves(got[field]), strict=True):
                assert x == y or abs(x - y) <= units * 2.0**-24, (case["id"], field, x, y)
                found += x != y
    assert found > 40


def rounded(x):
    return [rounded(v) for v in x] if isinstance(x, list) else float(np.float32(x))


def test_whole_numbers_have_no_error():
    for case in cases("cgs/draw") + cases("gibbs/sweep") + cases("starts/incremental"):
        assert set(rounding.errors(case).values()) == {0.0}
