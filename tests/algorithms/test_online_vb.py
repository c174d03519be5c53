"""Online VB: the plain text, the batch algorithm, the natural gradient of the bound, and the mean over batches."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import polygamma

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import online_vb, scvb0, vb
from lda_reference.algorithms.online_vb import Topics

from ..helpers import refusals, slopes

DOCS = lda.Corpus([0, 0, 1, 3, 3, 4], [0, 2, 1, 3, 0, 2], [2, 1, 3, 1, 4, 2], D=5, W=4)  # document 2 is empty
PRIOR = lda.Prior([0.5, 0.3], [0.2, 1.0, 0.4, 0.7])
PRIORS = [PRIOR, lda.Prior(0.1, 0.2), lda.Prior(0.1, [[0.1, 2], [0.3, 0.2], [1, 1], [0.5, 0.1]])]


def parameters(seed):
    rng = np.random.default_rng(seed)
    return rng.gamma(2, size=(DOCS.D, 2)), rng.gamma(2, size=(DOCS.W, 2))


@pytest.mark.parametrize("p", PRIORS)
@pytest.mark.parametrize("iterations", [0, 3])
def test_a_step_is_that_of_the_plain_text(p, iterations):
    alpha_jk, eta_wk = parameters(0)
    options = {"iterations": iterations, "total_D": 13, "t": 5, "tau0": 2.0, "kappa": 0.6}
    case = plain.case_of("vb", "online_step", [], DOCS, p, K=2, alpha_jk=alpha_jk, eta_wk=eta_wk, **options)
    plain_step = plain.answer(case)
    s, new_alpha_jk = online_vb.step(Topics(eta_wk, 5), DOCS, p, 13, 2.0, 0.6, iterations, alpha_jk)
    assert_allclose(new_alpha_jk, plain_step["alpha_jk"], rtol=1e-13)
    assert_allclose(s.eta_wk, plain_step["eta_wk"], rtol=1e-13)
    assert s.t == 6


def test_with_all_documents_and_a_step_of_1_it_is_vb_by_nested_from_uniform_gamma():
    A = lda.ALGORITHMS["vb"]
    s = A.init(DOCS, 2, PRIOR, np.random.default_rng(1))
    eta_wk = vb.m_step(s.gamma, DOCS, PRIOR)
    new_topics, _ = online_vb.step(Topics(eta_wk, 0), DOCS, PRIOR, DOCS.D, iterations=3)
    swept_state = A.sweep(s, DOCS, PRIOR, schedule="nested", inner=4)
    assert_allclose(new_topics.eta_wk, vb.m_step(swept_state.gamma, DOCS, PRIOR), rtol=1e-13)


def test_the_step_follows_the_natural_gradient_of_the_bound():
    """The derivative of the bound of D/B copies of the batch, by differences, over the Fisher information of q(phi)."""
    alpha_jk, eta_wk = parameters(3)
    n_copies, rho = 3, 2.0**-0.7
    copied_corpus = lda.Corpus.from_csr(np.tile(DOCS.to_csr().toarray(), (n_copies, 1)))
    new_topics, _ = online_vb.step(Topics(eta_wk, 1), DOCS, PRIOR, n_copies * DOCS.D, 1.0, 0.7, 0, alpha_jk)

    def bound(x):
        return vb.bound_of_parameters(np.tile(alpha_jk, (n_copies, 1)), x, copied_corpus, PRIOR)

    gradient = slopes(bound, eta_wk)
    for k in range(2):
        fisher_information = np.diag(polygamma(1, eta_wk[:, k])) - polygamma(1, eta_wk[:, k].sum())
        natural_gradient = np.linalg.solve(fisher_information, gradient[:, k])
        assert_allclose(new_topics.eta_wk[:, k] - eta_wk[:, k], rho * natural_gradient, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("batch_size", [1, 2, 4])
def test_the_mean_estimate_of_all_batches_is_that_of_the_corpus(batch_size):
    alpha_jk, eta_wk = parameters(4)

    def estimate(documents):
        is_in_batch = np.isin(DOCS.j, documents)
        j = np.searchsorted(documents, DOCS.j[is_in_batch])
        batch = lda.Corpus(j, DOCS.w[is_in_batch], DOCS.n[is_in_batch], D=len(documents), W=4)
        return online_vb.step(Topics(eta_wk), batch, PRIOR, DOCS.D, iterations=2, alpha_jk=alpha_jk[documents])[0].eta_wk

    document_tuples = [document_tuple for document_tuple in combinations(range(5), batch_size) if document_tuple != (2,)]  # a batch without tokens is refused; it estimates eta
    eta_estimates = [estimate(list(document_tuple)) for document_tuple in document_tuples] + [np.repeat(PRIOR.eta[:, None], 2, 1)] * (batch_size == 1)
    assert_allclose(np.mean(eta_estimates, 0), estimate(list(range(5))), rtol=1e-13)


def test_step_sizes():
    step_numbers = np.arange(1, 1_000_001)
    step_sizes = [online_vb.step_size(step_number, 64, 0.7) for step_number in (0, 1, 10**6)]
    assert_allclose(step_sizes, [64**-0.7, 65**-0.7, (64 + 10**6) ** -0.7])
    assert ((64.0 + step_numbers) ** -0.7).sum() > 190 > 1 > ((64.0 + step_numbers) ** -1.4).sum()
    assert online_vb.step_size(5, 10, 1, s=3) == 3 / 15


ARGUMENTS = {"s": Topics(np.ones((4, 2))), "batch": DOCS, "p": PRIOR, "D": 5}

test_what_is_refused = refusals(lambda change: online_vb.step(**ARGUMENTS | change), [
    ({"s": Topics(np.ones((3, 2)))}, "eta_wk has 3 rows, expected W = 4"),
    ({"s": Topics(np.zeros((4, 2)))}, "eta_wk[0, 0] is 0.0, expected a positive finite number"),
    ({"tau0": 0.5}, "(tau0 + t)^-kappa is 1.6245, expected a number above 0, and at most 1"),
    ({"alpha_jk": np.ones((4, 2))}, "alpha_jk has shape (4, 2), expected (5, 2)"),
])


@pytest.mark.parametrize("algorithm_name", ["online_vb", "scvb0"])
def test_a_stream_of_batches_finds_the_topics(algorithm_name):
    rng, p, true_phi = np.random.default_rng(0), lda.Prior(0.2, 0.1), np.repeat([[0.5, 0], [0, 0.5]], 2, 0)
    s = online_vb.init(4, 2, rng) if algorithm_name == "online_vb" else scvb0.init(4, 2, 30_000, rng)
    for batch_number in range(60):
        theta_jk = rng.dirichlet([0.2, 0.2], size=10)
        batch = lda.Corpus.from_csr(np.array([rng.multinomial(30, true_phi @ theta_j) for theta_j in theta_jk]))
        if algorithm_name == "online_vb":
            s, _ = online_vb.step(s, batch, p, 1000, iterations=20)
        else:
            s, _ = scvb0.step(s, batch, p, 30_000, 0.05, (1 + batch_number) ** -0.7, 3)
    phi_wk = online_vb.topics(s) if algorithm_name == "online_vb" else scvb0.topics(s, p)
    assert min(np.abs(phi_wk - expected_phi).max() for expected_phi in (true_phi, true_phi[:, ::-1])) < 0.05
