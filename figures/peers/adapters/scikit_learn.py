"""scikit-learn's LatentDirichletAllocation: variational Bayes."""

from functools import partial

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.decomposition._lda import _update_doc_distribution
from sklearn.decomposition._online_lda_fast import _dirichlet_expectation_2d

from figures.peers.conformance_cases import counts_of

from . import Case, Skip, corpus, generator, only_numbers, rows

NAME, PACKAGE = "scikit-learn", "scikit-learn"
CONVERGED = {"max_doc_update_iter": 5_000, "mean_change_tol": 0.0}


def checked(case: Case) -> None:
    """Skip a case whose prior the library does not take."""
    only_numbers(case, "alpha", "eta")
    if max(case["prior"].values()) > 1:
        raise Skip("the library refuses a prior above 1")


def model_of(case: Case, eta_wk: list, **options) -> LatentDirichletAllocation:
    """A fitted model whose topics are those of the case."""
    p = case["prior"]
    model = LatentDirichletAllocation(
        case["K"], doc_topic_prior=p["alpha"], topic_word_prior=p["eta"], learning_decay=0.0, learning_offset=1.0,
        total_samples=case["corpus"]["D"], batch_size=case["corpus"]["D"], random_state=0, n_jobs=1, **options,
    )  # fmt: skip
    model.partial_fit(counts_of(case))
    model.components_ = np.array(eta_wk).T.copy()
    model.exp_dirichlet_component_ = np.exp(_dirichlet_expectation_2d(model.components_))
    return model


def expected_log(case: Case) -> Case:
    return {"mean_log": _dirichlet_expectation_2d(np.array(case["parameters"])).tolist()}


def e_step(case: Case) -> Case:
    only_numbers(case, "alpha")
    exp_topics = np.exp(_dirichlet_expectation_2d(np.array(case["eta_wk"]).T.copy()))
    X, alpha, stop_limits = counts_of(case).astype(float), float(case["prior"]["alpha"]), (case["iterations"], 0.0)
    alpha_jk, _ = _update_doc_distribution(X, exp_topics, alpha, *stop_limits, False, generator(case["alpha_jk"]))
    return {"alpha_jk": alpha_jk.tolist()}


def transform(case: Case, **options) -> Case:
    checked(case)
    return {"alpha_jk": model_of(case, case["eta_wk"], **options).transform(counts_of(case), normalize=False).tolist()}


def iteration(case: Case) -> Case:
    checked(case)
    model = model_of(case, case["eta_wk"], **CONVERGED)
    return {"eta_wk": model.partial_fit(counts_of(case)).components_.T.tolist()}


def online_step(case: Case) -> Case:
    checked(case)
    if case["tau0"] < 1:
        raise Skip("the library refuses an offset below 1")
    model = model_of(case, case["eta_wk"], max_doc_update_iter=case["iterations"], mean_change_tol=0.0)
    model.set_params(learning_offset=case["tau0"], learning_decay=case["kappa"], total_samples=case["total_D"])
    model.n_batch_iter_, model.random_state_ = case["t"], generator(case["alpha_jk"])
    return e_step(case) | {"eta_wk": model.partial_fit(counts_of(case)).components_.T.tolist()}


def elbo(case: Case) -> Case:
    checked(case)
    model = model_of(case, case["eta_wk"])
    return {"bound": float(model._approx_bound(counts_of(case), np.array(case["alpha_jk"]), False))}


def perplexity(case: Case) -> Case:
    checked(case)
    return {"perplexity": float(model_of(case, case["eta_wk"], **CONVERGED).perplexity(counts_of(case)))}


# Reproductions -------------------------------------------------------------------------------------------------------


def the_second_step():
    X = corpus()
    model = LatentDirichletAllocation(1, learning_offset=1.0, learning_decay=1.0, total_samples=60, random_state=0)
    old_topics = model.partial_fit(X).components_.copy()  # one batch; then the next one
    batch_topics = model.topic_word_prior_ + X.sum(0)
    return {"rho": np.mean((model.partial_fit(X).components_ - old_topics) / (batch_topics - old_topics))}


def digamma_of_small_numbers():
    from scipy.special import digamma

    x = np.append(np.logspace(-6, 6, 100_000), 9.99e-7)
    their_digamma = _dirichlet_expectation_2d(np.stack([x, np.ones_like(x)], 1))[:, 0]
    error = np.abs(their_digamma - (digamma(x) - digamma(x + 1)))
    return {"at": x[-1], "number": their_digamma[-1], "error": error[-1], "above": error[x > 1e-6].max()}


def a_word_that_no_topic_has_seen():
    counted_tokens = {}
    for eta in (0.1, 0.01):
        model = LatentDirichletAllocation(2, doc_topic_prior=0.1, topic_word_prior=eta, random_state=0)
        model.fit(np.array([[4, 3, 0], [0, 5, 0]]))  # nobody uses the third word
        gamma = model.transform(np.array([[1, 0, 2]]), normalize=False)  # 3 words
        counted_tokens[f"eta_{eta}".replace(".", "_")] = gamma.sum() - 2 * 0.1
    return counted_tokens


def stopping_early():
    X = corpus()
    model = LatentDirichletAllocation(5, doc_topic_prior=0.1, topic_word_prior=0.1, random_state=0, max_iter=50).fit(X)
    theta = model.transform(X)
    model.set_params(max_doc_update_iter=5_000, mean_change_tol=0.0)
    return {"theta": np.abs(theta - model.transform(X)).max()}


def perplexity_of_few_documents():
    X = corpus()
    model = LatentDirichletAllocation(5, doc_topic_prior=0.1, topic_word_prior=0.1, random_state=0, max_iter=50).fit(X)
    phi = model.components_ / model.components_.sum(1, keepdims=True)

    def other(x):
        return np.exp(-np.sum(x * np.log(model.transform(x) @ phi)) / x.sum())

    theirs = {f"of_{n}": model.perplexity(X[:n]) for n in (60, 5, 1)}
    return {**theirs, **{f"other_{n}": other(X[:n]) for n in (60, 5, 1)}}


converged, as_it_is = partial(transform, **CONVERGED), transform
ROWS = rows(globals())
