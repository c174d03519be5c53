"""ddbourgin/numpy-ml: variational EM by its class `LDA`, and the conditional of its Gibbs sampler.

`SmoothedLDA.train` itself stops with an IndexError, because it indexes arrays with floating-point numbers. The package
of PyPI, 0.1.2, has the same files.
"""

import numpy as np
from scipy import special

from figures.peers.conformance_cases import counts_of_topics

from . import (
    Answer,
    Case,
    Checkouts,
    Row,
    Skip,
    counts,
    order_matters,
    prior_of,
    row_of_tokens,
    scalars,
    small,
    token_documents,
    tokens_of,
)  # fmt: skip

FOLDER = "ddbourgin+numpy-ml/numpy_ml/lda"


def make_vem(checkouts: Checkouts) -> Answer:
    names = {"np": np, "digamma": special.digamma, "polygamma": special.polygamma, "gammaln": special.gammaln}
    of_module = checkouts.names(f"{FOLDER}/lda.py", ["LDA", "dg"], names).LDA

    def answer(case: Case) -> Case:
        order_matters(case, "corpus")
        small(case)
        c, K, documents, of = case["corpus"], case["K"], token_documents(case), row_of_tokens(case)
        lengths = [len(x) for x in documents]
        if case["operation"] == "sweep" and len(set(lengths)) > 1:
            raise Skip("its M step multiplies arrays of all documents, which NumPy from 1.24 on refuses to make")
        model, alpha, gamma = of_module(K), prior_of(case)[0], np.array(case["state"]["gamma"])
        model.D, model.V, model.N, model.alpha = len(documents), c["W"], np.array(lengths), alpha
        model.corpus = [np.array([c["w"][of[t]] for t in tokens], int) for tokens in documents]
        model.phi = [gamma[[of[t] for t in tokens]].reshape(-1, K) for tokens in documents]
        if case["operation"] == "sweep":
            model.phi = np.array(model.phi)
        N_wk = counts(case)[1]
        if (N_wk.sum(0) == 0).any():
            raise Skip("it divides by the tokens of a topic, which are 0 here")
        model.beta, model.gamma = N_wk / N_wk.sum(0), model._maximize_gamma()
        if case["operation"] == "sweep":
            model.beta = model._maximize_beta()
        phi = model._maximize_phi()
        if case["operation"] == "update":
            return {"gamma_k": phi[0][0]}
        found = dict(zip((of[t] for tokens in documents for t in tokens), np.concatenate(phi), strict=True))
        return {"gamma": [found[i] for i in range(len(c["w"]))]}

    return answer


def make_cgs(checkouts: Checkouts) -> Answer:
    of_module = checkouts.names(f"{FOLDER}/lda_smoothed.py", ["SmoothedLDA"], {"np": np}).SmoothedLDA

    def answer(case: Case) -> Case:
        small(case)
        (alpha, eta), c, z = scalars(case), case["corpus"], case["state"]["z"]
        t = token_documents(case)[0][0]
        j, w = (x[t] for x in tokens_of(case))
        N_jk, N_wk = counts_of_topics(case, z)
        N_jk[j, z[t]] -= 1
        N_wk[w, z[t]] -= 1
        model = of_module(case["K"], alpha=alpha)
        model.V, model.beta = c["W"], np.full(c["W"], eta)
        return {"gamma_k": model._estimate_topic_prob(w, j, N_wk, N_jk)}

    return answer


ROWS = [Row("numpy-ml-vem", "vem/update,vem/sweep", make_vem), Row("numpy-ml-cgs", "cgs/update", make_cgs)]
