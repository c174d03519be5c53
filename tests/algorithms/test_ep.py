"""Expectation propagation: its step by quadrature and plain loops, its evidence, and its distance from the truth."""

import itertools
import math
from operator import call

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma, roots_jacobi

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import ep, named
from lda_reference.algorithms.ep import Sites
from lda_reference.algorithms.ep_evidence import log_evidence
from lda_reference.priors.boojum_mode import Phi
from lda_reference.truth import table_posterior

from ..helpers import CORPORA, PRIORS, K, enumerated_document, plain_log_B, quick_fit, refusals, refused, slopes

EP = lda.ALGORITHMS["ep"]
TWELVE = lda.Corpus.from_documents([[0, 0, 0, 1], [2, 2, 3, 2], [0, 1, 0, 0]])
SIX = lda.Corpus.from_documents([[0, 1, 0], [1, 2, 2]], W=4)
HELD_PHI = np.array([[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]])


def beta_rule(a, b):
    """Points x and weights of the expectation under Beta(a, b), exact for polynomials of degree 15."""
    roots, weights = roots_jacobi(8, b - 1, a - 1)
    return (roots + 1) / 2, weights / weights.sum()


@pytest.mark.parametrize("seed", range(3))
def test_moments_by_quadrature(seed):
    """For two topics and two words, q after a step has the mean and the second moments of cavity times factor."""
    rng = default_rng(seed)
    g, h = rng.gamma(1.0, size=2) + 0.01, rng.gamma(1.0, size=(2, 2)) + 0.01
    (x, x_weights), (y, y_weights), (z, z_weights) = beta_rule(*g), beta_rule(*h[:, 0]), beta_rule(*h[:, 1])
    x, y, z = x[:, None, None], y[:, None], z
    weight_xyz = x_weights[:, None, None] * y_weights[:, None] * z_weights * (x * y + (1 - x) * z)  # the token has word 0
    weight_xyz /= weight_xyz.sum()
    r, q_k, q_wk = ep.refined(g, h, 0, None, ep.matched)
    for points, q in ((x, q_k), (y, q_wk[:, 0]), (z, q_wk[:, 1])):
        q_sum = q.sum()
        assert (weight_xyz * points).sum() == pytest.approx(q[0] / q_sum, rel=1e-11)
        second_moment = (weight_xyz * (points**2 + (1 - points) ** 2)).sum()
        assert second_moment == pytest.approx((q * (q + 1)).sum() / (q_sum * (q_sum + 1)), rel=1e-11)
    topic_weights = [g[k] * h[0, k] / h[:, k].sum() for k in range(2)]
    assert_allclose(r, np.array(topic_weights) / sum(topic_weights), rtol=1e-14)


def test_a_certain_topic_adds_a_count():
    r, q_k, _ = ep.refined(np.array([0.3, 1e-20]), None, 0, np.array([0.5, 0.0]), ep.matched)
    assert_array_equal(r, [1, 0])
    assert_allclose(q_k, [1.3, 1e-20], rtol=1e-14)  # no difference of 1.3 and 1.3 + 1e-20 is formed
    parameters = np.array([[[0.4, 1e-20], [0.4, 1.0 + 1e-20]], [[2.0, 3.0], [3.0, 3.0]]])
    assert_allclose(ep.matched(np.array([[1.0, 0.0], [0.0, 1.0]]), parameters), [[0.4, 1e-20], [3.0, 3.0]], rtol=1e-14)


class HeldPhi(plain.Algorithm):
    """A step with phi held: only theta has sites."""

    def proper(self, q):
        return min(q[0]) > 0

    def weights_of(self, cavity, w):
        return self.normalised([g * phi for g, phi in zip(cavity[0], self.case["phi_wk"][w], strict=True)])


@pytest.mark.parametrize("holds_phi", [False, True])
@pytest.mark.parametrize(("prior_name", "damping"), [("0.1", 1.0), ("vectors", 0.5), ("above 1", 1.0)])
@pytest.mark.parametrize("row_kind", CORPORA)
def test_sweeps_equal_the_plain_text(row_kind, prior_name, damping, holds_phi):
    """In the plain text a[i][k] and b[i][w][k] are the exponents of a site."""
    c, p, A = CORPORA[row_kind], PRIORS[prior_name], ep.damped(damping)
    phi = default_rng(1).dirichlet(np.ones(c.W), size=K).T if holds_phi else None
    s = A.init(c, K, p, default_rng(0))
    gamma = s.gamma.tolist()
    a, b = s.gamma.tolist(), [[[gamma_ik * (w == c.w[i]) for gamma_ik in gamma_row] for w in range(c.W)] for i, gamma_row in enumerate(gamma)]
    for _ in range(3):
        s = A.sweep(s, c, p, held_topics=phi)
        unmade_steps = 0
        for i in range(c.M):
            case = plain.case_of("ep", "step", gamma, c, p, row=i, damping=damping, phi_wk=phi)
            case["state"] |= {"sites_jk": a, "sites_wk": b}
            gamma[i], a[i], site_wk, n_unmade = plain.answer(case, float, *[HeldPhi] * holds_phi).values()
            b[i], unmade_steps = b[i] if holds_phi else site_wk, unmade_steps + n_unmade
        assert_allclose(s.gamma, gamma, rtol=0, atol=1e-10)
        assert_allclose(s.own.jk, a, rtol=1e-9, atol=1e-10)
        if not holds_phi:
            assert_allclose(s.own.wk, b, rtol=1e-9, atol=1e-10)
        assert s.own.left == unmade_steps


def test_sites_that_would_be_improper_are_left_and_counted():
    p = lda.Prior(0.1, 0.1)
    f = lda.fit(SIX, 2, ep.damped(1.0), p, sweeps=100)
    assert f.history[-1]["left"] == f.state.own.left == 5
    next_state = EP.sweep(f.state, SIX, p)  # the sixth has come to rest, so the five stay for ever
    assert_allclose(next_state.own.jk, f.state.own.jk, atol=1e-12)
    with pytest.raises(ValueError, match=r"^\d sites have a cavity with a parameter that is not positive"):
        log_evidence(f.state, SIX, p)


def test_a_row_whose_cavity_is_improper_counts_all_its_tokens():
    c, p = lda.Corpus([0, 0], [0, 1], [7, 1], D=1, W=2), lda.Prior(0.2, 0.2)
    s = EP.init(c, 2, p, default_rng(0))
    site_jk = np.array([[1.0, 1.0], [-6.9, -6.9]])  # the cavity of row 0 is 0.2 + 6 - 6.9
    new_state = EP.sweep(s._replace(own=ep.first_sites(s.gamma, c, False)._replace(jk=site_jk)), c, p)
    assert new_state.own.left == 7
    assert_array_equal(new_state.own.jk[0], site_jk[0])


@pytest.mark.parametrize("row_kind", CORPORA)
def test_the_evidence_by_plain_loops(row_kind):
    c, p = CORPORA[row_kind], lda.Prior([0.5, 1.0, 2.0], 0.7)
    s = EP.init(c, K, p, default_rng(3))
    for _ in range(2):
        s = EP.sweep(s, c, p)
    alpha, eta = p.vectors(K, c.W)
    q_jk = [alpha + sum(c.n[i] * s.own.jk[i] for i in range(c.M) if c.j[i] == j) for j in range(c.D)]
    q_wk = eta[:, None] + sum(c.n[i] * s.own.wk[i] for i in range(c.M))
    log_p = sum(plain_log_B(q) - plain_log_B(alpha) for q in q_jk)
    log_p += sum(plain_log_B(q_wk[:, k]) - plain_log_B(eta) for k in range(K))
    for i in range(c.M):
        g, h = q_jk[c.j[i]] - s.own.jk[i], q_wk - s.own.wk[i]
        normaliser = sum(g[k] / g.sum() * h[c.w[i], k] / h[:, k].sum() for k in range(K))
        log_scale = math.log(normaliser) + plain_log_B(g) - plain_log_B(q_jk[c.j[i]])
        log_scale += sum(plain_log_B(h[:, k]) - plain_log_B(q_wk[:, k]) for k in range(K))
        log_p += c.n[i] * log_scale
    assert log_evidence(s, c, p) == pytest.approx(log_p, abs=1e-10)
    replicated_state = lda.State(np.stack([s.gamma] * 2, 1), own=Sites(np.stack([s.own.jk] * 2, 1), np.stack([s.own.wk] * 2, 2), np.zeros(2, int)))
    assert_allclose(log_evidence(replicated_state, c, p), [log_p] * 2, atol=1e-10)


def match_logs(r, a):
    """The Dirichlet with the expected logarithms of a mixture."""
    u = -(r[..., None] * (digamma(a) - digamma(a.sum(-1, keepdims=True)))).sum(0)
    return np.stack([Phi(x) for x in u]) if u.ndim == 2 else Phi(u)


def test_the_evidence_is_stationary_if_expected_logarithms_are_matched():
    """Minka's theorem for EP, which needs the nearest Dirichlet: it fails for the match of second moments."""
    p, largest_slope_of = lda.Prior(0.6, 0.8), {}
    for match_name, match_function in (("logs", match_logs), ("moments", ep.matched)):
        A = ep.damped(0.5, match_function)
        s = A.init(SIX, 2, p, default_rng(0))
        for _ in range(60):
            s = A.sweep(s, SIX, p)
        slope_jk = slopes(lambda x, s=s: log_evidence(s._replace(own=s.own._replace(jk=x)), SIX, p), s.own.jk)
        slope_wk = slopes(lambda x, s=s: log_evidence(s._replace(own=s.own._replace(wk=x)), SIX, p), s.own.wk)
        largest_slope_of[match_name] = max(np.abs(slope_jk).max(), np.abs(slope_wk).max())
    assert largest_slope_of["logs"] < 1e-6
    assert largest_slope_of["moments"] > 1e-3


def test_one_topic_and_one_token_are_exact():
    p = lda.Prior([0.3], [0.2, 0.5, 1.0, 2.0, 0.1, 0.4])
    for c in CORPORA.values():
        f = lda.fit(c, 1, "ep", p, sweeps=60)
        assert log_evidence(f.state, c, p) == pytest.approx(lda.exact.log_evidence(c, 1, p), abs=1e-9)
        assert_allclose(f.theta_jk @ f.phi_wk.T, table_posterior.moments(c, 1, p).predictive, rtol=1e-9)
    c, p = lda.Corpus.from_documents([[], [1]], W=3), lda.Prior([0.3, 0.7], [0.2, 0.5, 1.0])
    f = lda.fit(c, 2, "ep", p, sweeps=60)
    assert log_evidence(f.state, c, p) == pytest.approx(lda.exact.log_evidence(c, 2, p), abs=1e-12)
    c = lda.Corpus.from_documents([[0], [1], [2]], W=3)
    s = ep.damped(1.0).sweep(EP.init(c, 2, p, default_rng(0)), c, p, held_topics=HELD_PHI)
    p_and_mean = [enumerated_document([w], p.alpha, HELD_PHI) for w in range(3)]
    assert log_evidence(s, c, p, HELD_PHI) == pytest.approx(sum(math.log(p_of_document) for p_of_document, _ in p_and_mean), abs=1e-13)
    assert_allclose(EP.estimate(s, c, p)[0], [mean_theta for _, mean_theta in p_and_mean], rtol=1e-13)


@pytest.mark.parametrize("alpha", [[0.5, 0.5], [3.0, 0.7]])
def test_documents_given_topics_are_near_their_posteriors(alpha):
    """Minka and Lafferty's own setting, all documents of five tokens: E[theta] to 0.01, log p(x | phi) to 0.01 on average."""
    documents = [list(words) for words in itertools.combinations_with_replacement(range(3), 5)]
    c, p = lda.Corpus.from_documents(documents, W=3).types(), lda.Prior(alpha, 0.1)
    p_and_mean = [enumerated_document(document, np.array(alpha), HELD_PHI) for document in documents]
    theta_error_of = {}
    for algorithm_name in ("ep", "vb"):
        theta_jk = lda.fold_in(lda.ALGORITHMS[algorithm_name], c, HELD_PHI, p, default_rng(0), sweeps=60)
        theta_error_of[algorithm_name] = np.abs(theta_jk - [mean_theta for _, mean_theta in p_and_mean]).max()
    assert theta_error_of["ep"] < min(0.01, theta_error_of["vb"] / 5)
    s = EP.init(c, 2, p, default_rng(0))
    for _ in range(60):
        s = EP.sweep(s, c, p, held_topics=HELD_PHI)
    assert s.own.left == 0
    assert abs(log_evidence(s, c, p, HELD_PHI) - sum(math.log(p_of_document) for p_of_document, _ in p_and_mean)) / c.D < 0.01


C, P = TWELVE.types(), lda.Prior(0.5, 0.5)
START_STATE = EP.init(C, 2, P, default_rng(0))
HELD_STATE = EP.sweep(START_STATE, C, P, held_topics=np.full((4, 2), 0.25))
WRONG_STATE = START_STATE._replace(own=ep.first_sites(START_STATE.gamma, C, False)._replace(wk=np.ones((1, 4, 2))))

test_what_it_cannot_do_is_refused = refusals(call, [
    (lambda: EP.sweep(START_STATE, C, P, assignment="hard"), "assignment is 'hard', expected 'soft'"),
    (lambda: EP.sweep(START_STATE, C, P, schedule="corpus"), "ep has no schedule 'corpus', expected one of token"),
    (lambda: EP.sweep(HELD_STATE, C, P), "the state's sites were made with held topics, and now they are free"),
    (lambda: EP.estimate(WRONG_STATE, C, P), f"the state's own.wk has shape (1, 4, 2), expected ({C.M}, 4, 2)"),
    (lambda: ep.damped(0), "damping is 0, expected a number above 0, at most 1"),
    (lambda: named("ep, damping 2"), "algorithm is 'ep, damping 2', expected one of"),
    (lambda: EP.bound(START_STATE, C, P), "ep has no bound on log p(x | alpha, eta)"),
    (lambda: lda.fit(C, 2, "ep", learn="alpha"), "ep cannot learn a prior"),
])


def test_a_large_corpus_is_refused_unless_its_topics_are_held(monkeypatch):
    monkeypatch.setattr(ep, "LIMIT", 63)
    c, p = lda.Corpus.from_documents([[0, 1, 2]]), lda.Prior(0.5, 0.5)
    s = EP.init(c, 8, p, default_rng(0))
    with refused("ep would keep 72 exponents, expected at most 63"):
        EP.sweep(s, c, p)
    assert EP.sweep(s, c, p, held_topics=np.full((3, 8), 1 / 3)).own.wk is None


def test_explain_shows_the_exponents_after_a_sweep():
    c, p = CORPORA["types"], PRIORS["vectors"]
    s = quick_fit(c, algorithm="ep", prior=p).state
    q_jk, q_wk = ep.parameters(s.own, c, p)
    for row in (0, c.M - 1):
        printed_gamma = [float(number_text) for number_text in lda.explain(EP, s, c, p, row).splitlines()[-1].split()[-K:]]
        r, _, _ = ep.refined(q_jk[c.j[row]] - s.own.jk[row], q_wk - s.own.wk[row], c.w[row], None, ep.matched)
        assert_allclose(printed_gamma, r, rtol=1e-6)


def test_rows_of_types_and_of_tokens_have_the_same_fixed_point():
    p, type_corpus = lda.Prior(0.5, 0.5), TWELVE.types()
    s = EP.init(type_corpus, 2, p, default_rng(0))
    row_of_token = [np.flatnonzero((type_corpus.j == j) & (type_corpus.w == w))[0] for j, w in zip(TWELVE.j, TWELVE.w, strict=True)]
    token_state = lda.State(s.gamma[row_of_token])
    for _ in range(80):
        s, token_state = EP.sweep(s, type_corpus, p), EP.sweep(token_state, TWELVE, p)
    assert_allclose(token_state.own.wk, s.own.wk[row_of_token], atol=1e-9)
    assert log_evidence(token_state, TWELVE, p) == pytest.approx(log_evidence(s, type_corpus, p), abs=1e-9)
