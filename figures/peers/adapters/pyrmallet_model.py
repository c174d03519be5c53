"""pyrmallet: MALLET's sampler in Rust. Its theta and phi tell the counts of the topics, which it does not show."""

import numpy as np
from pyrmallet import LatentDirichletAllocation, _rust_mallet

from figures.peers.conformance_cases import counts_of

from . import Case, Skip, only_numbers, rows

NAME, PACKAGE = "pyrmallet", "pyrmallet"
OPTIONS = {"optimize_interval": 0, "num_samples": 1, "sample_interval": 1}  # theta and phi of one state


def checked(case: Case) -> np.ndarray:
    """The counts of a case that it can be asked."""
    only_numbers(case, "alpha", "eta")
    X = counts_of(case)
    if not X.sum(1).all():
        raise Skip("the library leaves out empty documents")
    return X


def answered(case: Case, model: _rust_mallet.TopicModel, words: list[int]) -> Case:
    """theta, phi and the counts of the last state; `words` are the columns of phi."""
    X, beta, W = checked(case), model.beta, case["corpus"]["W"]
    theta_jk, phi_wk = np.array(model.doc_topic_matrix()), np.full((W, case["K"]), np.nan)
    phi_wk[words] = np.transpose(model.topic_word_matrix())
    N_jk = np.rint(theta_jk * (X.sum(1, keepdims=True) + sum(model.alpha)) - model.alpha)
    N_wk = np.rint(phi_wk * (N_jk.sum(0) + W * beta) - beta)
    return {"theta_jk": theta_jk, "phi_wk": phi_wk, "N_jk": N_jk, "N_wk": N_wk}


def trained(case: Case) -> Case:
    """The answers of `train`."""
    X, p = checked(case), case["prior"]
    rust_corpus = _rust_mallet.Corpus.from_dtm(X.tolist(), [str(w) for w in range(X.shape[1])])
    prior_options = {"alpha_sum": case["K"] * p["alpha"], "beta": p["eta"]}
    model = _rust_mallet.train(rust_corpus, case["K"], 100, **prior_options, **OPTIONS)
    return answered(case, model, [int(w) for w in model.vocabulary]) | {"log_joint": model.log_likelihood(rust_corpus)}


def fitted(case: Case) -> Case:
    """The answers of the class that is like scikit-learn's, with the priors of the case."""
    X, p = checked(case), case["prior"]
    word_names = ["w" + chr(97 + w // 26) + chr(97 + w % 26) for w in range(X.shape[1])]
    model = LatentDirichletAllocation(case["K"], p["alpha"], p["eta"], 100, **OPTIONS)
    model.fit([" ".join(np.repeat(word_names, x)) for x in X])
    return answered(case, model._model, [word_names.index(w) for w in model.feature_names_in_])


def log_likelihoods():
    X, other = np.array([[2, 1, 0], [1, 1, 1], [0, 0, 1]]), np.array([[0, 0, 3], [0, 3, 0], [1, 0, 0]])
    documents, others = (_rust_mallet.Corpus.from_dtm(x.tolist(), ["a", "b", "c"]) for x in (X, other))
    model = _rust_mallet.train(documents, 2, 100, optimize_interval=0, alpha_sum=1.0, beta=0.1)
    ten_model = LatentDirichletAllocation(10, doc_topic_prior=0.1, optimize_interval=0).fit(["apple banana", "cherry"])
    same, other = model.log_likelihood(documents), model.log_likelihood(others)
    return {"alpha": ten_model._model.alpha[0], "same": same, "other": other}


ROWS = rows(globals())
