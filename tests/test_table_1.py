"""The cells of TNW06 Table 1."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import digamma

import lda_reference as lda
from lda_reference import table_1
from lda_reference.algorithms import gibbs
from lda_reference.app.where import read_equations
from lda_reference.engine import sums

from .helpers import TINY, K

OPEN_CELLS = {("assume independent", "sample"), ("sample", "assume independent"), ("maximize", "sample")}


@pytest.mark.parametrize(("latent", "parameters"), table_1.TABLE_1)
def test_every_cell_of_table_1_runs(latent, parameters):
    cell_fit = table_1.run(latent, parameters, TINY, K, lda.Prior(0.4, 0.3))
    if table_1.TABLE_1[latent, parameters].algorithm == "enumeration":
        assert cell_fit.log_evidence < 0
        return
    if latent in ("sample", "maximize"):
        assert np.isin(cell_fit.state.gamma, [0, 1]).all()
    else:
        np.testing.assert_allclose(cell_fit.state.gamma.sum(1), 1)
    assert bool(cell_fit.samples) == (parameters == "sample" or latent == "sample")  # what draws is averaged


def test_the_sixteen_cells_have_equations_in_their_modules_and_the_paper_leaves_three_open():
    assert len(table_1.TABLE_1) == 16
    with pytest.raises(ValueError, match="no cell"):
        table_1.run("guess", "sample", TINY, K, lda.Prior())
    equation_of_tag = read_equations()
    for cell_key, cell in table_1.TABLE_1.items():
        assert (cell.name == "?") == (cell_key in OPEN_CELLS)
        assert cell.why.startswith("open in the paper; here ") == (cell_key in OPEN_CELLS)
        assert cell.worth
        assert "open in the paper" not in cell.worth
        assert cell.equations
        module_path = "truth/exact" if cell.algorithm == "enumeration" else f"algorithms/{cell.algorithm}"
        for tag in cell.equations:
            assert f"lda_reference/{module_path}.py" in equation_of_tag[tag]["place"]


def test_the_printed_table_has_every_cell():
    table_blocks = table_1.printed().split("\n\n")
    for latent, table_block in zip(table_1.LATENT, table_blocks, strict=True):
        assert table_block.startswith(f"z {latent}\n")
        for parameters in table_1.PARAMETERS:
            cell = table_1.TABLE_1[latent, parameters]
            for cell_text in (parameters, cell.name, cell.algorithm, table_1.tags(cell), cell.why or "", cell.worth):
                assert cell_text in table_block


@pytest.mark.parametrize("assignment", ["sample", "hard"])
def test_a_topic_that_leaves_a_document_never_comes_back_if_parameters_are_maximised(assignment):
    A, p = lda.ALGORITHMS["ml"], lda.Prior(1, 1)
    s, is_empty = A.init(TINY, K, p, z=np.random.default_rng(0).integers(K, size=(TINY.N, 50))), np.zeros((TINY.D, 50, K), bool)
    for seed in range(20):
        s = A.sweep(s, TINY, p, assignment=assignment, rng=np.random.default_rng(seed))
        was_empty, is_empty = is_empty, sums(s.gamma, TINY).jk == 0
        assert (is_empty | ~was_empty).all()
    assert is_empty[np.bincount(TINY.j, minlength=TINY.D) > 0].any()


def A_of(cell_key):
    table_cell = table_1.TABLE_1[cell_key]
    return replace(lda.ALGORITHMS[table_cell.algorithm], assignment=table_cell.assignment)


@pytest.mark.parametrize("latent", ["assume independent", "maximize"])
@pytest.mark.parametrize("replicates", [None, 3])
def test_z_is_soft_or_hard_given_parameters_drawn_from_expected_counts(latent, replicates):
    A, p, c = A_of((latent, "sample")), lda.Prior([0.4, 0.2, 0.7], 0.3), TINY.types()
    s = A.init(c, K, p, np.random.default_rng(0), replicates=replicates)
    new_state = A.sweep(s, c, p, rng=np.random.default_rng(1))
    assert new_state.z is None
    theta_jk, phi_wk = gibbs.draw_parameters(s, c, p, np.random.default_rng(1))
    for gamma_index in np.ndindex(new_state.gamma.shape[:-1]):
        weights = [theta_jk[c.j[gamma_index[0]], *gamma_index[1:], k] * phi_wk[c.w[gamma_index[0]], *gamma_index[1:], k] for k in range(K)]
        soft_gamma = [weight / math.fsum(weights) for weight in weights]
        hard_gamma = [float(k == weights.index(max(weights))) for k in range(K)]
        np.testing.assert_allclose(new_state.gamma[gamma_index], hard_gamma if latent == "maximize" else soft_gamma, atol=1e-14)


@pytest.mark.parametrize(("alpha", "n"), [(0.3, 1), (1.0, 1), (1.0, 5)])
def test_with_soft_z_and_drawn_parameters_theta_varies_less_than_in_the_posterior(alpha, n):
    """A single word has probability 1 in both topics, so that the posterior of theta is its prior, Beta(alpha, alpha).

    In the cell theta' ~ Beta(alpha + n theta, alpha + n (1 - theta)). Both sides of this have the same variance V if
    V = m / (4 (m (m + 1) - n^2)), where m = 2 alpha + n: the prior's 1 / (4 (2 alpha + 1)) divided by more than 1.
    """
    A, c, p = A_of(("assume independent", "sample")), lda.Corpus.from_documents([[0] * n] * 20_000, W=1).types(), lda.Prior(alpha, 1)
    s = A.init(c, 2, p, np.random.default_rng(0))
    for sweep in range(60):
        s = A.sweep(s, c, p, rng=np.random.default_rng([1, sweep]))
    theta_0, m, prior_variance = s.gamma[:, 0], 2 * alpha + n, 1 / (4 * (2 * alpha + 1))
    theta_variance, fourth_moment = np.mean((theta_0 - 0.5) ** 2), np.mean((theta_0 - 0.5) ** 4)
    V = m / (4 * (m * (m + 1) - n**2))
    standard_error = math.sqrt((fourth_moment - theta_variance**2) / theta_0.size)
    assert abs(theta_variance - V) < 4 * standard_error
    assert theta_variance < prior_variance - 8 * standard_error


def test_with_the_largest_topic_and_drawn_parameters_copies_of_a_word_share_their_topic():
    A, c, p = A_of(("maximize", "sample")), lda.Corpus.from_documents([[0, 0, 1], [1, 1]]), lda.Prior(1, 1)
    s, n_changes = A.init(c, 2, p, np.random.default_rng(0), replicates=50), 0
    for sweep in range(30):
        old_s, s = s, A.sweep(s, c, p, rng=np.random.default_rng(sweep))
        np.testing.assert_array_equal(s.gamma[0], s.gamma[1])
        np.testing.assert_array_equal(s.gamma[3], s.gamma[4])
        n_changes += np.any(s.gamma != old_s.gamma)
    assert n_changes == 30
    p_same_topic = lda.exact.posterior(c, 2, p).together
    assert max(p_same_topic[0, 1], p_same_topic[3, 4]) < 0.8


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_with_drawn_z_and_independent_parameters_two_tokens_do_not_share_a_topic_as_often_as_in_the_posterior(alpha):
    """A document has a word twice, which has probability 1 in both topics, so that the posterior of z is its prior.

    If both tokens have one topic, each keeps it with probability q = 1 / (1 + exp(psi(alpha) - psi(alpha + 2))). If not,
    both topics have the same weight. So they share a topic with probability 1 / (1 + 4 q (1 - q)) in the end, and with
    (alpha + 1) / (2 alpha + 1) in the posterior.
    """
    A, c, p = A_of(("sample", "assume independent")), lda.Corpus.from_documents([[0, 0]], W=1), lda.Prior(alpha, 1)
    s = A.init(c, 2, p, np.random.default_rng(0), replicates=20_000)
    for sweep in range(40):
        s = A.sweep(s, c, p, rng=np.random.default_rng([1, sweep]))
    q = 1 / (1 + math.exp(digamma(alpha) - digamma(alpha + 2)))
    share_of_equal, p_limit, p_posterior = np.mean(s.z[0] == s.z[1]), 1 / (1 + 4 * q * (1 - q)), (alpha + 1) / (2 * alpha + 1)
    standard_error = math.sqrt(p_limit * (1 - p_limit) / 20_000)
    assert abs(share_of_equal - p_limit) < 4 * standard_error
    assert abs(share_of_equal - p_posterior) > 8 * standard_error
    np.testing.assert_allclose(lda.exact.posterior(c, 2, p).together[0, 1], p_posterior)
