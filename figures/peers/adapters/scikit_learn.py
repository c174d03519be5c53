"""scikit-learn's LatentDirichletAllocation: variational Bayes."""

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.decomposition._lda import _update_doc_distribution
from sklearn.decomposition._online_lda_fast import _dirichlet_expectation_2d

from figures.peers.conformance_cases import counts_of

from . import Case, Given, Row, Skip, corpus, only_numbers

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
    X, alpha, start = counts_of(case).astype(float), float(case["prior"]["alpha"]), Given(case["alpha_jk"])
    return {
        "alpha_jk": _update_doc_distribution(X, exp_topics, alpha, case["iterations"], 0.0, False, start)[0].tolist()
    }


def transform(**options):
    def answer(case: Case) -> Case:
        checked(case)
        model = model_of(case, case["eta_wk"], **options)
        return {"alpha_jk": model.transform(counts_of(case), normalize=False).tolist()}

    return answer


def iteration(case: Case) -> Case:
    checked(case)
    model = model_of(case, case["eta_wk"], **CONVERGED)
    return {"eta_wk": model.partial_fit(counts_of(case)).components_.T.tolist()}


def elbo(case: Case) -> Case:
    checked(case)
    model = model_of(case, case["eta_wk"])
    return {"bound": float(model._approx_bound(counts_of(case), np.array(case["alpha_jk"]), False))}


def perplexity(case: Case) -> Case:
    checked(case)
    return {"perplexity": float(model_of(case, case["eta_wk"], **CONVERGED).perplexity(counts_of(case)))}


# Reproductions -------------------------------------------------------------------------------------------------------


def digamma_of_small_numbers():
    from scipy.special import digamma

    x = np.append(np.logspace(-6, 6, 100_000), 9.99e-7)
    theirs = _dirichlet_expectation_2d(np.stack([x, np.ones_like(x)], 1))[:, 0]
    error = np.abs(theirs - (digamma(x) - digamma(x + 1)))
    return {"at": x[-1], "number": theirs[-1], "error": error[-1], "above": error[x > 1e-6].max()}


def a_word_that_no_topic_has_seen():
    counted = {}
    for eta in (0.1, 0.01):
        model = LatentDirichletAllocation(2, doc_topic_prior=0.1, topic_word_prior=eta, random_state=0)
        model.fit(np.array([[4, 3, 0], [0, 5, 0]]))  # nobody uses the third word
        gamma = model.transform(np.array([[1, 0, 2]]), normalize=False)  # 3 words
        counted[f"eta_{eta}".replace(".", "_")] = gamma.sum() - 2 * 0.1
    return counted


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


EPS = "It adds 2.2e-16 to the weight of a token, summed over topics, before it divides by it."
ROWS = (
    Row(
        "expected_log", "E log of a Dirichlet variable", "`_dirichlet_expectation_2d`", expected_log,
        "Its digamma function is off by up to {above:.1e}, and by {error:.1e} at {at:.0e}, where the number is "
        "{number:.0e}: “optimized for speed, not accuracy”, as its comment says. The other numbers inherit "
        "this error.", digamma_of_small_numbers,
    ),
    Row(
        "e_step", "E step, a number of iterations", "`_update_doc_distribution`", e_step,
        f"{EPS} A word that no topic has seen can lose its tokens: of 3 tokens, two of them of such a word, "
        "{eta_0_01:.2f} are counted with eta 0.01, and {eta_0_1:.2f} with eta 0.1.", a_word_that_no_topic_has_seen,
    ),
    Row(
        "converged_e_step", "E step to its fixed point", "`transform`, 5000 iterations", transform(**CONVERGED),
        "As above.", a_word_that_no_topic_has_seen,
    ),
    Row(
        "converged_e_step", "E step to its fixed point", "`transform`, as it is", transform(),
        "It stops when the parameters change by less than 0.001 on average. theta is then off by up to {theta:.0e} on "
        "our corpus; `mean_change_tol=0, max_doc_update_iter=5000` gives the fixed point.", stopping_early,
    ),
    Row(
        "iteration", "iteration of batch VB", "`partial_fit`, `learning_decay=0`, 5000 inner iterations", iteration,
        "As above.", a_word_that_no_topic_has_seen,
    ),
    Row("elbo", "bound of (gamma, lambda)", "`_approx_bound`", elbo),
    Row(
        "perplexity", "perplexity", "`perplexity`, 5000 inner iterations", perplexity,
        "exp(-bound / number of words); the documentation says exp(-log-likelihood per word). The bound contains the "
        "divergence of the topics from their prior, once for any number of documents: {of_60:.0f} for 60 documents, "
        "{of_5:.0f} for the first 5 of them and {of_1:.1e} for one. With `theta = transform(X)` and `phi` the "
        "normalised rows of `components_`, exp(-mean log(theta phi)) is {other_60:.0f}, {other_5:.0f} and "
        "{other_1:.0f}.",
        perplexity_of_few_documents,
    ),
)  # fmt: skip
