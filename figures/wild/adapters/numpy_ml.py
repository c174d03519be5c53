"""ddbourgin/numpy-ml: variational EM by its class `LDA`, and the conditional of its Gibbs sampler.

`SmoothedLDA.train` itself stops with an IndexError, because it indexes arrays with floating-point numbers. The package
of PyPI, 0.1.2, has the same files.
"""

import numpy as np
from scipy import special

from figures.peers.conformance_cases import counts_of_topics, tokens_of

from . import Case, Checkouts, Question, Skip

FOLDER = "ddbourgin+numpy-ml/numpy_ml/lda"


def vem(checkouts: Checkouts, q: Question) -> Case:
    namespace = {"np": np, "digamma": special.digamma, "polygamma": special.polygamma, "gammaln": special.gammaln}
    model, lengths = checkouts.names(f"{FOLDER}/lda.py", ["LDA", "dg"], namespace).LDA(q.K), [len(t) for t in q.tokens]
    if q.operation == "sweep" and len(set(lengths)) > 1:
        raise Skip("its M step multiplies arrays of all documents, which NumPy from 1.24 on refuses to make")
    model.D, model.V, model.N, model.alpha = q.D, q.W, np.array(lengths), q.vectors()[0]
    model.corpus = [np.array(words, int) for words in q.words()]
    model.phi = [q.gamma[[q.row[t] for t in tokens]].reshape(-1, q.K) for tokens in q.tokens]
    N_wk = q.counts()[1]
    if (N_wk.sum(0) == 0).any():
        raise Skip("it divides by the tokens of a topic, which are 0 here")
    model.beta, model.gamma = N_wk / N_wk.sum(0), model._maximize_gamma()
    if q.operation == "sweep":
        model.phi = np.array(model.phi)
        model.beta = model._maximize_beta()
    gamma_of_documents = model._maximize_phi()
    if q.operation == "update":
        return {"gamma_k": gamma_of_documents[0][0]}
    return {"gamma": q.in_order([[q.row[t] for t in tokens] for tokens in q.tokens], gamma_of_documents)}


def cgs(checkouts: Checkouts, q: Question) -> Case:
    token, (N_jk, N_wk) = q.tokens[0][0], counts_of_topics(q.case, q.z)
    j, w = (numbers[token] for numbers in tokens_of(q.case))
    N_jk[j, q.z[token]] -= 1
    N_wk[w, q.z[token]] -= 1
    model = checkouts.names(f"{FOLDER}/lda_smoothed.py", ["SmoothedLDA"], {"np": np}).SmoothedLDA(q.K, alpha=q.alpha)
    model.V, model.beta = q.W, np.full(q.W, q.eta)
    return {"gamma_k": model._estimate_topic_prob(w, j, N_wk, N_jk)}
