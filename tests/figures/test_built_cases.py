"""What `figures/peers/built_cases.py` says is right, where another way leads to it."""

import numpy as np
import pytest
from scipy.special import gammaln

from figures.peers import built_cases as built
from figures.peers import conformance_cases as own
from figures.peers.conformance import largest_error


@pytest.mark.parametrize("i", built.SETTLED_CASES)
def test_the_fixed_points_of_vem_do_not_depend_on_the_start(i):
    case, rng = own.case_of("vem_e_step", i), np.random.default_rng(i)
    alpha_jk, (alpha, _) = built.alpha_of(case), own.prior_of(case)
    starts = rng.gamma(0.3, 5.0, alpha_jk.shape) + 1e-3
    documents = zip(own.counts_of(case), starts, strict=True)
    again = [own.iterated(n, np.log(case["phi_wk"]), alpha, x) for n, x in documents]
    assert largest_error({"alpha_jk": alpha_jk}, {"alpha_jk": again}) < 1e-11


def test_with_one_topic_the_words_have_the_whole_probability():
    case = own.case_of("log_words", 3)
    phi_wk = np.array(case["phi_wk"])
    assert built.bound(case, {})["bound"] == pytest.approx((own.counts_of(case) @ np.log(phi_wk)).sum(), rel=1e-13)
    assert built.log_words(case, {})["log_words"] == pytest.approx(own.log_joint(case, {})["log_joint"], rel=1e-13)


@pytest.mark.parametrize("i", built.SETTLED_CASES)
def test_the_bound_term_by_term(i):
    """Blei, Ng and Jordan (2003), equation 15."""
    case = own.case_of("vem_bound", i)
    log_phi_wk, (alpha, _), total = np.log(case["phi_wk"]), own.prior_of(case), 0.0
    for n, x in zip(own.counts_of(case), built.alpha_of(case), strict=True):
        r, log_theta = own.responsibilities(x, log_phi_wk), own.mean_log(x, 0)
        total += (n[:, None] * r * (log_theta + log_phi_wk - np.log(r))).sum()
        total += gammaln(alpha.sum()) - gammaln(alpha).sum() + ((alpha - 1) * log_theta).sum()
        total -= gammaln(x.sum()) - gammaln(x).sum() + ((x - 1) * log_theta).sum()
    assert built.bound(case, {})["bound"] == pytest.approx(total, rel=1e-13)


def is_maximum(value, x):
    """Whether a function is larger at x than a percent below and above it."""
    return value(x) > max(value(0.99 * x), value(1.01 * x))


@pytest.mark.parametrize("i", built.SETTLED_CASES)
def test_alpha_is_a_maximum(i):
    case = own.case_of("vem_alpha", i)
    logs = own.mean_log(built.alpha_of(case), 1)
    D, K = logs.shape
    assert is_maximum(lambda x: D * (gammaln(K * x) - K * gammaln(x)) + (x - 1) * logs.sum(), built.best_alpha(case, {})["alpha"])


@pytest.mark.parametrize("i", built.CASES_OF["best_eta"])
def test_eta_is_a_maximum(i):
    case = own.case_of("best_eta", i)
    assert is_maximum(
        lambda x: built.log_words(case | {"prior": {"alpha": 1, "eta": x}}, {})["log_words"],
        built.best_eta(case, {})["eta"],
    )


def test_the_mean_theta_of_a_document_of_one_word():
    case = own.case_of("mean_theta", 10)
    weight = np.array(case["prior"]["alpha"]) * own.estimate(case, {})["phi_wk"][case["corpus"]["w"][0]]
    alpha = own.prior_of(case)[0]
    expected = (alpha + weight / weight.sum()) / (alpha.sum() + 1)
    theta_jk = built.mean_theta(case, {})["theta_jk"]
    assert theta_jk[0] == pytest.approx(expected, rel=1e-12)
    assert theta_jk.sum(1) == pytest.approx(np.ones(len(theta_jk)), rel=1e-12)
