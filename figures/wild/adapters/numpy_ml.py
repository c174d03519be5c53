"""ddbourgin/numpy-ml: variational EM by its class `LDA`, and the conditional of its Gibbs sampler.

`SmoothedLDA.train` itself stops with an IndexError, because it indexes arrays with floating-point numbers. The package
of PyPI, 0.1.2, has the same files.
"""

import numpy as np
from scipy import special

from figures.peers.conformance_cases import counts_of_topics, tokens_of

from . import Case, Checkouts, Question, Skip

FOLDER = "ddbourgin+numpy-ml/numpy_ml/lda"


def vem(checkouts: Checkouts, x: Question) -> Case:
    names = {"np": np, "digamma": special.digamma, "polygamma": special.polygamma, "gammaln": special.gammaln}
    model, lengths = checkouts.names(f"{FOLDER}/lda.py", ["LDA", "dg"], names).LDA(x.K), [len(t) for t in x.tokens]
    if x.operation == "sweep" and len(set(lengths)) > 1:
        raise Skip("its M step multiplies arrays of all documents, which NumPy from 1.24 on refuses to make")
    model.D, model.V, model.N, model.alpha = x.D, x.W, np.array(lengths), x.vectors()[0]
    model.corpus = [np.array(words, int) for words in x.words()]
    model.phi = [x.gamma[[x.row[t] for t in tokens]].reshape(-1, x.K) for tokens in x.tokens]
    N_wk = x.counts()[1]
    if (N_wk.sum(0) == 0).any():
        raise Skip("it divides by the tokens of a topic, which are 0 here")
    model.beta, model.gamma = N_wk / N_wk.sum(0), model._maximize_gamma()
    if x.operation == "sweep":
        model.phi = np.array(model.phi)
        model.beta = model._maximize_beta()
    phi = model._maximize_phi()
    if x.operation == "update":
        return {"gamma_k": phi[0][0]}
    return {"gamma": x.in_order([[x.row[t] for t in tokens] for tokens in x.tokens], phi)}


def cgs(checkouts: Checkouts, x: Question) -> Case:
    t, (N_jk, N_wk) = x.tokens[0][0], counts_of_topics(x.case, x.z)
    j, w = (numbers[t] for numbers in tokens_of(x.case))
    N_jk[j, x.z[t]] -= 1
    N_wk[w, x.z[t]] -= 1
    model = checkouts.names(f"{FOLDER}/lda_smoothed.py", ["SmoothedLDA"], {"np": np}).SmoothedLDA(x.K, alpha=x.alpha)
    model.V, model.beta = x.W, np.full(x.W, x.eta)
    return {"gamma_k": model._estimate_topic_prob(w, j, N_wk, N_jk)}
