"""How far rounding may move an answer."""

import re

import numpy as np
import pytest

from lda_reference.oracle import cases, package, perturbed, rounded_operations, rounding

from .helpers import CERTIFIED, file, leaves


def of_certificate(case):
    """The growth of errors that the certificate measured, which it gives as the reason of a tolerance."""
    why = next(iter(case["tolerance"].values()))["why"]
    return float(re.match(r"1e-13 times (\S+), by which", why)[1])


def operations(case):
    """The largest number of operations that one error of `runs` stands for; 50 is enough for small cases."""
    c, eta = case["corpus"], np.array(case["prior"]["eta"])
    of_prior = c["W"] * (np.max(eta / (eta - 1)) if case["algorithm"] == "map" else 1)
    return max(50, len(c["n"]), sum(c["n"]), of_prior)


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
        assert growth < errors < 4 * operations(case) * growth + case["K"] + 100, (case["id"], errors, growth)


def test_a_row_of_one_topic_has_only_the_error_of_the_last_normalisation():
    (case,) = [c for c in cases("cvb0/update") if c["note"].startswith("one topic")]
    assert rounding.errors(case) == {"gamma_k": 1 + 8}


def test_the_first_run_has_no_errors():
    for case in cases("cvb_exact/sweep") + cases("map/ten_sweeps") + cases("vem/sweep") + cases("vb/sweep"):
        gamma = perturbed.runs(case)[-1]
        np.testing.assert_allclose(gamma[:, 0], case["expected"]["gamma"], rtol=0, atol=1e-12)
        if case["K"] > 1:
            assert (gamma[:, 1:] != gamma[:, :1]).any()


FEW = ["estimate", "predict", "bound", "hyperparameters", *rounded_operations.OF]


@pytest.mark.parametrize("operation", FEW)
def test_errors_of_a_few_operations_are_above_those_of_perturbed_inputs(operation):
    """Inputs are rounded to float32, which is one of the errors that are added."""
    found = 0
    for case in cases(operation=operation):
        near = case | {"prior": {name: rounded(x) for name, x in case["prior"].items()}}
        if "gamma" in case.get("state", ()):
            gamma = np.array(rounded(case["state"]["gamma"]))
            near |= {"state": rounded(case["state"]) | {"gamma": (gamma / gamma.sum(-1, keepdims=True)).tolist()}}
        near |= {
            name: rounded(x) for name, x in case.items() if name.endswith(("_jk", "_wk")) or name in ("step", "damping")
        }
        got, errors = package.answer(near), rounding.errors(case)
        if operation.startswith("coherence"):
            assert got == package.answer(case)  # phi only orders the words
        for field, units in errors.items():
            for x, y in zip(leaves(case["expected"][field]), leaves(got[field]), strict=True):
                assert x == y or abs(x - y) <= units * 2.0**-24, (case["id"], field, x, y)
                found += x != y
    assert found > (3 if operation in rounded_operations.OF else 40)


def rounded(x):
    if isinstance(x, dict):
        return {name: rounded(v) for name, v in x.items()}
    return [rounded(v) for v in x] if isinstance(x, list) else float(np.float32(x)) if isinstance(x, float) else x


@pytest.mark.parametrize("operation", rounded_operations.OF)
def test_numbers_with_errors_are_the_answers(operation):
    for case in cases(operation=operation):
        answer = rounded_operations.OF[operation](case)
        assert answer.keys() == case["expected"].keys()
        for field, x in answer.items():
            expected = np.array(case["expected"][field])
            assert x.x.shape == x.error.shape == expected.shape
            np.testing.assert_allclose(x.x, expected, rtol=1e-10, atol=1e-12)


def test_a_site_near_the_border_is_not_decided():
    """A parameter of the cavity is 1e-9, less than the error of its sum."""
    (case,) = cases("ep/step/001")
    jk, i, c = case["state"]["sites_jk"], case["row"], case["corpus"]
    rows = [r for r in range(len(c["n"])) if c["j"][r] == c["j"][i] and r != i]
    alpha = np.broadcast_to(case["prior"]["alpha"], case["K"])
    cavity = alpha[0] + sum(c["n"][r] * jk[r][0] for r in rows) + (c["n"][i] - 1) * jk[i][0]
    for site, decided in ((1e-9 - cavity, False), (0.01 - cavity, True)):
        sites = [[*row] for row in jk]
        sites[rows[0]][0] += site / c["n"][rows[0]]
        errors = rounding.errors(case | {"state": case["state"] | {"sites_jk": sites}})
        assert np.isfinite(errors["site_k"]) == decided
        assert errors["left"] == 0


def test_whole_numbers_have_no_error():
    for case in cases("cgs/draw") + cases("gibbs/sweep") + cases("starts/incremental"):
        assert set(rounding.errors(case).values()) == {0.0}
