"""What `figures/peers/built_cases.py` says is right, where another way leads to it."""

import numpy as np
import pytest
from scipy.special import gammaln

from figures.peers import built_cases as built
from figures.peers import conformance_cases as refs
from figures.peers.conformance import largest_error


@pytest.mark.parametrize("case_number", built.SETTLED_CASES)
def test_the_fixed_points_of_vem_do_not_depend_on_the_start(case_number):
    case, rng = refs.case_of("vem_e_step", case_number), np.random.default_rng(case_number)
    alpha_jk, (alpha, _) = built.alpha_of(case), refs.prior_of(case)
    start_alpha_jk = rng.gamma(0.3, 5.0, alpha_jk.shape) + 1e-3
    counts_and_starts = zip(refs.counts_of(case), start_alpha_jk, strict=True)
    new_alpha_jk = [refs.iterated(n, np.log(case["phi_wk"]), alpha, start_alpha_j) for n, start_alpha_j in counts_and_starts]
    assert largest_error({"alpha_jk": alpha_jk}, {"alpha_jk": new_alpha_jk}) < 1e-11


def test_with_one_topic_the_words_have_the_whole_probability():
    case = refs.case_of("log_words", 3)
    phi_wk = np.array(case["phi_wk"])
    assert built.bound(case, {})["bound"] == pytest.approx((refs.counts_of(case) @ np.log(phi_wk)).sum(), rel=1e-13)
    assert built.log_words(case, {})["log_words"] == pytest.approx(refs.log_joint(case, {})["log_joint"], rel=1e-13)


@pytest.mark.parametrize("case_number", built.SETTLED_CASES)
def test_the_bound_term_by_term(case_number):
    """Blei, Ng and Jordan (2003), equation 15."""
    case = refs.case_of("vem_bound", case_number)
    log_phi_wk, (alpha, _), bound = np.log(case["phi_wk"]), refs.prior_of(case), 0.0
    for n, alpha_j in zip(refs.counts_of(case), built.alpha_of(case), strict=True):
        responsibility_wk, mean_log_theta = refs.responsibilities(alpha_j, log_phi_wk), refs.mean_log(alpha_j, 0)
        bound += (n[:, None] * responsibility_wk * (mean_log_theta + log_phi_wk - np.log(responsibility_wk))).sum()
        bound += gammaln(alpha.sum()) - gammaln(alpha).sum() + ((alpha - 1) * mean_log_theta).sum()
        bound -= gammaln(alpha_j.sum()) - gammaln(alpha_j).sum() + ((alpha_j - 1) * mean_log_theta).sum()
    assert built.bound(case, {})["bound"] == pytest.approx(bound, rel=1e-13)


def is_maximum(function, x):
    """Whether a function is larger at x than a percent below and above it."""
    return function(x) > max(function(0.99 * x), function(1.01 * x))


@pytest.mark.parametrize("case_number", built.SETTLED_CASES)
def test_alpha_is_a_maximum(case_number):
    case = refs.case_of("vem_alpha", case_number)
    mean_log_theta_jk = refs.mean_log(built.alpha_of(case), 1)
    D, K = mean_log_theta_jk.shape
    assert is_maximum(lambda x: D * (gammaln(K * x) - K * gammaln(x)) + (x - 1) * mean_log_theta_jk.sum(), built.best_alpha(case, {})["alpha"])


@pytest.mark.parametrize("case_number", built.CASES_OF["best_eta"])
def test_eta_is_a_maximum(case_number):
    case = refs.case_of("best_eta", case_number)
    assert is_maximum(
        lambda eta: built.log_words(case | {"prior": {"alpha": 1, "eta": eta}}, {})["log_words"],
        built.best_eta(case, {})["eta"],
    )


def test_the_mean_theta_of_a_document_of_one_word():
    case = refs.case_of("mean_theta", 10)
    topic_weights = np.array(case["prior"]["alpha"]) * refs.estimate(case, {})["phi_wk"][case["corpus"]["w"][0]]
    alpha = refs.prior_of(case)[0]
    theta_0 = (alpha + topic_weights / topic_weights.sum()) / (alpha.sum() + 1)
    theta_jk = built.mean_theta(case, {})["theta_jk"]
    assert theta_jk[0] == pytest.approx(theta_0, rel=1e-12)
    assert theta_jk.sum(1) == pytest.approx(np.ones(len(theta_jk)), rel=1e-12)
