"""The estimator: scikit-learn's own checks, its numbers against `lda.fit`, and what is imported when."""

import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

import lda_reference as lda

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from lda_reference.sklearn import LDA

from .helpers import refusals, refused

X = np.random.default_rng(0).poisson(np.repeat([[3, 3, 0.1, 0.1], [0.1, 0.1, 3, 3]], 6, axis=0)) + np.eye(12, 4, dtype=int)


class OfRoundedData(LDA):
    """LDA that rounds the data of scikit-learn's checks, which are fractions, after scikit-learn has seen them."""

    def _corpus(self, X, reset):
        return lda.Corpus.from_csr(super()._corpus(X, reset).to_csr().rint())


@pytest.mark.parametrize(("estimator_class", "A_name"), [(LDA, "cvb0"), (LDA, "vb"), (OfRoundedData, "cgs")])
def test_all_checks_of_scikit_learn_pass(estimator_class, A_name):
    reports = check_estimator(estimator_class(algorithm=A_name, max_iter=2, start="topics"), on_skip=None)
    assert {report["check_name"] for report in reports if report["status"] == "skipped"} <= {"check_array_api_input"}
    assert sum(report["status"] == "passed" for report in reports) > 40


def test_weights_of_tfidf_are_accepted_and_whole_floats_are_counts():
    tfidf_matrix = TfidfTransformer().fit_transform(X)
    estimator = LDA(2, random_state=0).fit(tfidf_matrix)
    assert estimator.transform(tfidf_matrix).argmax(1).tolist() in ([0] * 6 + [1] * 6, [1] * 6 + [0] * 6)
    assert estimator.bound_ is None
    assert np.isfinite(estimator.score(tfidf_matrix))
    assert LDA(2, random_state=0).fit(X.astype(float)).model_ == LDA(2, random_state=0).fit(X).model_
    with pytest.raises(ValueError, match=r"^cgs needs whole counts, and the corpus has fractions: the model gives a topic"):
        LDA(2, "cgs").fit(tfidf_matrix)


def test_partial_fit_takes_the_steps_of_scikit_learn():
    peer_estimator = LatentDirichletAllocation(
        2, doc_topic_prior=1.0, topic_word_prior=0.1, total_samples=12, max_doc_update_iter=2000, mean_change_tol=1e-13,
        random_state=0,
    )  # fmt: skip
    estimator = LDA(2, "vb", 1.0, max_iter=2000, random_state=0).partial_fit(X[:4])
    peer_estimator.partial_fit(X[:4])
    estimator.components_ = peer_estimator.components_.copy()  # the peer's changes in place
    for X_batch in (X[4:8], X[8:], 0 * X[8:]):  # the last has no word
        peer_estimator.partial_fit(X_batch)
        estimator.partial_fit(X_batch, total_samples=12)
        np.testing.assert_allclose(estimator.components_, peer_estimator.components_, rtol=1e-7)  # its digamma has 8 digits
    assert not hasattr(LDA(2, "cvb0"), "partial_fit")


def test_arguments_that_are_wrong_are_named_and_a_prior_may_be_left_to_scikit_learns_rule():
    with refused("algorithm is '0.1', expected one of ml, "):
        LDA(4, 0.1).fit(np.ones((3, 2)))
    estimator = LDA(4, doc_topic_prior=None, topic_word_prior=None, max_iter=1).fit(np.ones((3, 2)))
    assert (estimator.doc_topic_prior_, estimator.topic_word_prior_) == (0.25, 0.25)


@pytest.mark.parametrize(
    ("A_name", "make_container"),
    [
        ("cvb0", csr_array), ("cgs", csr_matrix), ("vb", np.ndarray.tolist),
        *((A_name, np.asarray) for A_name in ("gibbs", "tcvb0", "cvb1s", "map", "ml")),
    ],
)  # fmt: skip
def test_the_fit_is_that_of_lda_fit(A_name, make_container):
    alpha, eta = [1.5, 1.2], [1.1, 1.3, 1.5, 1.1]
    A, c = lda.ALGORITHMS[A_name], lda.Corpus.from_csr(X)
    f = lda.fit(A.arranged(c), 2, A, lda.Prior(alpha, eta), sweeps=20, seed=3)
    estimator = LDA(2, A_name, alpha, eta, max_iter=20, random_state=3).fit(make_container(X))
    assert estimator.model_ == f
    assert (estimator.n_iter_, estimator.n_features_in_, estimator.components_.shape) == (20, 4, (2, 4))
    np.testing.assert_allclose(estimator.components_.T / estimator.components_.sum(1), f.phi_wk, rtol=1e-12)
    assert estimator.transform(make_container(X)).shape == (12, 2)


@pytest.mark.parametrize("A_name", ["cvb0", "vb"])
def test_components_are_expected_counts_plus_the_prior(A_name):
    estimator = LDA(2, A_name, topic_word_prior=[0.1, 0.2, 0.3, 0.4], random_state=0).fit(X)
    c, N_wk = lda.Corpus.from_csr(X), np.zeros((4, 2))
    np.add.at(N_wk, c.w, c.n[:, None] * estimator.model_.state.gamma)
    np.testing.assert_allclose(estimator.components_, np.add(N_wk.T, [0.1, 0.2, 0.3, 0.4]), rtol=1e-12)


def test_a_matrix_of_priors_has_a_row_for_each_topic():
    eta_kw = [[0.1, 0.1, 20, 0.1], [20, 0.1, 0.1, 0.1]]
    estimator = LDA(2, topic_word_prior=eta_kw, random_state=0).fit(X)
    assert estimator.components_.argmax(1).tolist() == [2, 0]
    assert (estimator.transform(X).argmax(1) == np.repeat([1, 0], 6)).all()
    with pytest.raises(ValueError, match=r"^topic_word_prior has shape \(4, 2\), expected \(n_components, n_features\) = \(2, 4\)$"):
        LDA(2, topic_word_prior=np.transpose(eta_kw)).fit(X)


def test_transform_is_the_fixed_point_of_cvb0():
    alpha = np.array([0.75, 0.25])
    estimator = LDA(2, doc_topic_prior=alpha, random_state=0, max_iter=500).fit(X)
    n, (theta_k, empty_theta_k) = np.array([2, 1, 1, 0]), estimator.transform([[2, 1, 1, 0], [0, 0, 0, 0]])
    assert empty_theta_k.tolist() == [0.75, 0.25]  # the mean of the prior
    gamma = np.full((4, 2), 0.5)
    for _ in range(500):  # (N_jk without the token + alpha) phi_wk, over the tokens
        N_k = n @ gamma
        gamma = (N_k - gamma + alpha) * estimator.model_.phi_wk
        gamma /= gamma.sum(1, keepdims=True)
    np.testing.assert_allclose(theta_k, (n @ gamma + alpha) / 5, rtol=1e-9)


def test_the_loop_on_the_page_repeats_a_run_of_scikit_learn():
    guide_text = (Path(lda.__file__).parents[1] / "chapters" / "pages" / "python.md").read_text("utf-8")
    loop_code = guide_text[guide_text.index("    from lda_reference.algorithms import vb\n") :].partition("\n\nThe estimator")[0]
    rng = np.random.default_rng(5)
    count_matrix = rng.poisson(21 * rng.dirichlet(np.full(30, 0.3), 60))
    peer_estimator = LatentDirichletAllocation(10, doc_topic_prior=0.1, topic_word_prior=0.1, random_state=0, mean_change_tol=0).fit(count_matrix)
    exec(dedent(loop_code), loop_namespace := {"np": np, "lda": lda, "c": lda.Corpus.from_csr(count_matrix)})
    np.testing.assert_allclose(loop_namespace["eta_wk"], peer_estimator.components_.T, rtol=0, atol=1e-5)
    assert loop_namespace["score"] == pytest.approx(peer_estimator.score(count_matrix), rel=1e-8)


def test_perplexity_is_that_of_theta_phi():
    estimator = LDA(2, random_state=0).fit(X)
    half_1, half_2 = X // 2, X - X // 2
    phi_kw = estimator.components_ / estimator.components_.sum(1, keepdims=True)
    for scored_X, theta_jk, perplexity in (
        (X, estimator.transform(X), estimator.perplexity(X)),
        (half_2, estimator.transform(half_1), estimator.perplexity(half_1, half_2)),
    ):
        log_p = (scored_X * np.log(theta_jk @ phi_kw)).sum()
        assert perplexity == pytest.approx(np.exp(-log_p / scored_X.sum()), rel=1e-12)


def test_the_perplexity_of_the_estimator_has_a_definition():
    estimator = LDA(2, random_state=0, max_iter=3).fit(X)
    format_definition = "exp of minus log p(x | theta, phi), with theta and phi as given{}, per word".format
    for X_or_corpus in (X, X[:5], lda.Corpus.from_csr(X)):
        (definition,) = lda.which_number(f"{estimator.perplexity(X_or_corpus):.8f}", estimator, X_or_corpus)
        assert definition.says == format_definition(", theta by `transform`")
    fit_definitions = lda.which_number(f"{lda.judge(estimator, X)['perplexity']:.8f}", estimator, X)
    assert fit_definitions[0].says == format_definition("")
    assert not any("transform" in definition.says for definition in fit_definitions)
    assert len(lda.which_number(f"{estimator.bound_:.8f}", estimator, X)) == 1
    assert lda.which_number(f"{estimator.bound_:.8f}", estimator, X[:5]) == []


def test_a_learned_symmetric_prior_is_used():
    estimator = LDA(2, learn="alpha,eta", random_state=0, max_iter=40).fit(X)
    assert estimator.model_ == lda.fit(X, 2, "cvb0", lda.Prior(0.1, 0.1), sweeps=40, seed=0, learn="alpha,eta")  # from its own priors
    np.testing.assert_array_equal(lda.from_model(estimator, X).theta_jk, estimator.model_.theta_jk)
    assert estimator.components_.sum() == pytest.approx(X.sum() + 2 * 4 * estimator.model_.prior.eta, rel=1e-12)


test_an_argument_is_named_as_it_was_given = refusals(lambda options_pair: LDA(2, "vb", **options_pair[0]).fit(X).partial_fit(X, **options_pair[1]), [
    (({"learn": "alpha"}, {}), "learn is 'alpha', expected None: partial_fit learns no prior"),
    (({"random_state": -1}, {}), "random_state is -1, expected a whole number from 0"),
    (({"doc_topic_prior": [1, 1, 1]}, {}), "doc_topic_prior has 3 entries, expected K = 2"),
    (({"topic_word_prior": np.eye(2, X.shape[1])}, {}), "topic_word_prior[0, 1] is 0.0, expected a positive finite number"),
    (({}, {"total_samples": -1}), "total_samples is -1.0, expected a positive finite number"),
    (({}, {"learning_offset": -5}), "learning_offset + t is -4, expected more than 0"),
])  # fmt: skip


def test_the_words_of_a_corpus_are_found_by_name():
    X = np.random.default_rng(0).integers(1, 5, (6, 4))
    c, turned_c = lda.Corpus.from_csr(X, [*"abcd"]), lda.Corpus.from_csr(X[:, ::-1], [*"dcba"])
    estimator = LDA(2, random_state=0).fit(c)
    assert (estimator.model_.vocab, estimator.feature_names_in_.tolist()) == (tuple("abcd"), list("abcd"))
    np.testing.assert_array_equal(estimator.transform(turned_c), LDA(2, random_state=0).fit_transform(X))
    assert (estimator.score(c), estimator.perplexity(turned_c)) == (estimator.score(turned_c), estimator.perplexity(c))
    assert not hasattr(estimator.fit(X), "feature_names_in_")
    with refused("X has words and the estimator has none, expected a matrix of counts in its columns"):
        estimator.score(turned_c)


def test_a_pipeline_from_text_to_topics():
    texts = ["cat cat mouse", "mouse cat", "stock bond", "bond stock stock"]
    pipeline = make_pipeline(CountVectorizer(), LDA(2, random_state=1))
    theta_jk = pipeline.fit_transform(texts)
    assert theta_jk[:2].argmax(1).tolist() != theta_jk[2:].argmax(1).tolist()
    assert pipeline.get_feature_names_out().tolist() == ["lda0", "lda1"]


test_what_is_no_matrix_of_counts_is_refused = refusals(LDA(2).fit, [
    ([[-1, 1]], "Negative values in data passed to X in LDA"),
    ([[0, 0]], "the corpus is empty: it has no token"),
])


def test_without_scikit_learn_the_error_names_the_extra(monkeypatch):
    for module_name in [module_name for module_name in sys.modules if module_name.split(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, module_name, None)
    monkeypatch.delitem(sys.modules, "lda_reference.sklearn")
    with pytest.raises(ImportError, match=r"needs scikit-learn 1.6 or later: pip install 'lda_reference\[sklearn\]'"):
        import_module("lda_reference.sklearn")


def test_the_schedule_the_start_and_the_threads_are_those_of_fit(capsys):
    estimator = LDA(2, "vb", max_iter=3, random_state=1, schedule="corpus", start="anneal:3:10", n_jobs=2, verbose=1).fit(X)
    f = lda.fit(X, 2, "vb", lda.Prior(0.1, 0.1), 3, "corpus", "anneal:3:10", seed=1)
    np.testing.assert_allclose(estimator.model_.state.gamma, f.state.gamma, rtol=1e-12)
    assert [printed_line.split(":")[0] for printed_line in capsys.readouterr().out.splitlines()] == [f"sweep {sweep} of 3" for sweep in (1, 2, 3)]
    assert LDA(2, max_iter=1, n_jobs=-1).fit(X).model_.schedule == "block"
    assert LDA(2, "cgs", max_iter=1, n_jobs=2).fit(X).model_.schedule == "token"
    with pytest.raises(ValueError, match=r"n_jobs is 1.5, expected a number of threads, -1 or None"):
        LDA(n_jobs=1.5).fit(X)


@pytest.mark.parametrize("A_name", ["cvb0", "cgs"])
def test_a_learned_prior_is_used_and_attributes_have_the_names_of_scikit_learn(A_name):
    X = np.random.default_rng(0).poisson(0.7, (30, 8))
    estimator = LDA(3, A_name, max_iter=40, learn="alpha:asymmetric,eta", random_state=4).fit(X)
    f, A = estimator.model_, lda.ALGORITHMS[A_name]
    # the prior is learned from the estimator's own
    assert f == lda.fit(X, 3, A_name, lda.Prior(0.1, 0.1), 40, seed=4, learn="alpha:asymmetric,eta")
    np.testing.assert_array_equal(estimator.doc_topic_prior_, f.prior.alpha)
    np.testing.assert_array_equal(estimator.topic_word_prior_, f.prior.eta)
    assert estimator.components_.sum() == pytest.approx(X.sum() + 3 * 8 * f.prior.eta, rel=1e-12)
    assert estimator.random_state_ == f.seed == 4
    assert estimator.bound_ == (A.bound(f.state, lda.Corpus.from_csr(X), f.prior) / X.sum() if A_name == "cvb0" else None)
    assert estimator.get_feature_names_out().tolist() == ["lda0", "lda1", "lda2"]


def test_a_search_without_scoring_takes_the_topics_that_predict_halves_of_documents():
    bars_corpus = lda.synthetic.bars(np.random.default_rng(0), side=3, D=90, length=60, alpha=0.2).corpus
    X = bars_corpus.to_csr()
    grid_search = GridSearchCV(LDA(random_state=0, max_iter=40), {"n_components": [1, 6]}, cv=2).fit(X)
    assert grid_search.best_params_ == {"n_components": 6}
    halves = lda.split(bars_corpus.types(), "tokens", 0.5, np.random.default_rng(0))
    half_1, half_2 = (half.to_csr() for half in halves)
    best_estimator = grid_search.best_estimator_
    assert best_estimator.score(X) == pytest.approx(-np.log(best_estimator.perplexity(half_1, half_2)), rel=1e-12)
