"""The package `lda`: collapsed Gibbs sampling."""

import logging
from functools import partial

import numpy as np

# The imports follow these lines (hence E402): without them, lda writes to the console when it is imported.
logging.getLogger("lda").addHandler(logging.NullHandler())
logging.getLogger("lda").setLevel(logging.ERROR)
import lda  # noqa: E402  after the lines that silence lda
import lda._lda  # noqa: E402  after the lines that silence lda

from figures.peers.conformance_cases import counts_of, counts_of_topics, prior_of, tokens_of  # noqa: E402  likewise

from . import Case, Skip, corpus, only_numbers, rows  # noqa: E402  likewise

NAME, PACKAGE = "lda", "lda"
BURN_IN = 100


def model_of(case: Case, n_iter: int = 10) -> lda.LDA:
    p = case["prior"]
    return lda.LDA(case["K"], n_iter=n_iter, alpha=p["alpha"], eta=p["eta"], random_state=case.get("seed", 0))


def sample(case: Case) -> Case:
    """The loop of its `fit`, which keeps only the last topics.

    `fit` shuffles 131,072 uniform numbers for each sweep. A sweep of N tokens uses the first N, so N of them are drawn
    here, without replacement: this has the same law and is much faster.
    """
    only_numbers(case, "alpha", "eta")
    model = model_of(case)
    model._initialize(counts_of(case))
    token_order = np.lexsort(tokens_of(case)[::-1])  # its tokens are sorted by document and word
    rng = np.random.default_rng(case["seed"])
    z_draws = np.empty((case["draws"], len(token_order)), int)
    for t in range(-BURN_IN, case["draws"]):
        model._sample_topics(rng.choice(model._rands, len(token_order), replace=False))
        if t >= 0:
            z_draws[t, token_order] = model.ZS
    return {"z": z_draws.tolist()}


def draw(case: Case) -> Case:
    """One token of the case, or all of them, by its Cython function, with the uniform numbers of the case."""
    if case.get("schedule") == "interleaved":
        raise Skip("the library takes the tokens in the order of the documents")
    z = np.array(case["state"]["z"], np.intc)
    N_jk, N_wk = counts_of_topics(case, case["state"]["z"])
    j, w = (np.array(x, np.intc) for x in tokens_of(case))
    is_draw = case["operation"] == "draw"
    t = sum(case["corpus"]["n"][: case["row"]]) + case["token"] if is_draw else 0
    tokens = slice(t, t + 1) if is_draw else slice(None)
    nzw, ndz = np.asfortranarray(N_wk.T, np.intc), np.ascontiguousarray(N_jk, np.intc)
    uniforms = np.array([case["uniform"]] if is_draw else case["uniforms"], float)
    alpha, eta = (np.array(x) for x in prior_of(case))
    lda._lda._sample_topics(w[tokens], j[tokens], z[tokens], nzw, ndz, nzw.sum(1, dtype=np.intc), alpha, eta, uniforms)
    return {"topic": int(z[t])} if is_draw else {"z": z.tolist()}


def log_joint(case: Case) -> Case:
    only_numbers(case, "alpha", "eta")
    model, (N_jk, N_wk) = model_of(case), counts_of_topics(case, case["state"]["z"])
    model.ndz_, model.nzw_ = np.ascontiguousarray(N_jk, np.intc), np.asfortranarray(N_wk.T, np.intc)
    model.nz_ = model.nzw_.sum(1, dtype=np.intc)
    return {"log_joint": model.loglikelihood()}


def estimate(case: Case) -> Case:
    only_numbers(case, "alpha", "eta")
    model = model_of(case).fit(counts_of(case))
    counts = {"N_jk": model.ndz_.tolist(), "N_wk": model.nzw_.T.tolist()}
    return {"theta_jk": model.doc_topic_.tolist(), "phi_wk": model.topic_word_.T.tolist(), **counts}


def transform(case: Case, max_iter: int) -> Case:
    only_numbers(case, "alpha", "eta")
    if len(set(case["corpus"]["j"])) < case["corpus"]["D"]:
        raise Skip("the library leaves the numbers of an empty document undefined")
    model = model_of(case)
    model.components_ = np.array(case["phi_wk"]).T
    return {"theta_jk": model.transform(counts_of(case), max_iter=max_iter).tolist()}


# Reproductions -------------------------------------------------------------------------------------------------------


def a_uniform_number_on_a_boundary():
    w_of_token = j_of_token = np.zeros(1, np.intc)  # one token, which has topic 0; two topics
    topic, nzw, ndz = np.zeros(1, np.intc), np.array([[1], [0]], np.intc, order="F"), np.array([[1, 0]], np.intc)
    alpha, eta, uniforms = np.full(2, 0.5), np.full(1, 0.5), np.array([0.5])
    lda._lda._sample_topics(w_of_token, j_of_token, topic, nzw, ndz, nzw.sum(1, dtype=np.intc), alpha, eta, uniforms)
    return {"topic": int(topic[0])}


def random_numbers_used_again():
    return {"pool": len(lda.LDA(2, random_state=0)._rands)}  # `fit` shuffles these for each sweep


def twenty_iterations():
    X = corpus()
    model = lda.LDA(5, n_iter=100, alpha=0.1, eta=0.1, random_state=0).fit(X)
    theta, limit_theta = model.transform(X), model.transform(X, max_iter=2000)
    return {"theta": np.abs(theta - limit_theta).max(), "sum": theta[0].sum()}


converged, as_it_is = partial(transform, max_iter=2_000), partial(transform, max_iter=20)
ROWS = rows(globals())
