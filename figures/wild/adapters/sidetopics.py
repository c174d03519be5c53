"""budgefeeney/sidetopics: CVB, CVB0 and VB in Cython, and their bounds and estimates in Python.

Built by hand: budgefeeney+sidetopics/lda_cvb_fast.so, lda_cvb0_fast.so and lda_vb_fast.so, with the GNU scientific
library, and exact/lda_cvb_fast.so, which is the first with exp of C instead of the approximation in fastexp.h.
Its tokens each have a gamma, so the n tokens of a row begin alike.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import special

from . import Case, Checkouts, Question

FOLDER = "budgefeeney+sidetopics"
MODEL = f"{FOLDER}/sidetopics/model"


def arrays(q: Question, dtype: type = np.float64) -> tuple[Any, Any, Any]:
    """Words of the tokens of each document, padded, the lengths, and gamma."""
    document_lengths = np.array([len(tokens) for tokens in q.tokens], np.int32)
    padded_words = np.zeros((q.D, max(1, document_lengths.max())), np.int32)
    token_gamma = np.zeros((*padded_words.shape, q.K), dtype)
    for d, (tokens, document_words) in enumerate(zip(q.tokens, q.words(), strict=True)):
        padded_words[d, : len(tokens)] = document_words
        token_gamma[d, : len(tokens)] = q.gamma[[q.row[t] for t in tokens]] if len(q.gamma) else 1 / q.K
    return padded_words, document_lengths, token_gamma


def swept(checkouts: Checkouts, q: Question, file_name: str, dtype: type = np.float64) -> Case:
    """Updates and sweeps by CVB or CVB0; CVB has sums of variances, which `calculateCounts` gives too."""
    module = checkouts.extension(f"{FOLDER}/{file_name}", file_name.rsplit("/", 1)[-1].removesuffix(".so"))
    iterate, (words, lengths_j, z) = module.iterate_f32 if dtype == np.float32 else module.iterate_f64, arrays(q, dtype)
    count_sums = [np.asarray(counts) for counts in module.calculateCounts(words, lengths_j, z, q.W)]
    iterate(q.sweeps, q.D, 0, q.K, q.W, words, lengths_j, *count_sums, z, q.alpha, q.eta)
    return {"gamma_k": z[0, 0].astype(float)} if q.operation == "update" else {"gamma": q.in_order(q.tokens, z)}


def cvb64(checkouts: Checkouts, q: Question) -> Case:
    return swept(checkouts, q, "lda_cvb_fast.so")


def cvb64_exp(checkouts: Checkouts, q: Question) -> Case:
    return swept(checkouts, q, "exact/lda_cvb_fast.so")


def cvb32(checkouts: Checkouts, q: Question) -> Case:
    return swept(checkouts, q, "lda_cvb_fast.so", np.float32)


def cvb0(checkouts: Checkouts, q: Question) -> Case:
    return swept(checkouts, q, "lda_cvb0_fast.so")


def estimate(checkouts: Checkouts, q: Question) -> Case:
    module, (N_jk, N_wk) = checkouts.names(f"{MODEL}/lda_cvb0.py", ["topicDists", "wordDists"], {"np": np}), q.counts()
    theta, phi = module.topicDists(SimpleNamespace(n_dk=N_jk)), module.wordDists(SimpleNamespace(n_kt=N_wk.T))
    return {"theta_jk": theta, "phi_wk": phi.T}


def bound(checkouts: Checkouts, q: Question) -> Case:
    namespace = {"np": np, "fns": special, "compiled": checkouts.extension(f"{FOLDER}/lda_cvb_fast.so", "lda_cvb_fast")}
    their_module = checkouts.names(f"{MODEL}/lda_cvb.py", ["var_bound"], namespace)
    (N_jk, N_wk), (_, lengths, token_gamma) = q.counts(), arrays(q)
    model = {"K": q.K, "n_kt": N_wk.T, "topicPrior": q.vectors()[0], "vocabPrior": q.eta, "dtype": np.float64}
    state = {"n_dk": N_jk, "n_k": N_wk.sum(0), "z_dnk": token_gamma, "docLens": lengths}
    data = {"words": np.empty((q.D, q.W))}  # its shape alone is read
    return {"bound": float(their_module.var_bound(*(SimpleNamespace(**fields) for fields in (data, model, state))))}


def vb(checkouts: Checkouts, q: Question) -> Case:
    their_module, (words, lengths, z) = checkouts.extension(f"{FOLDER}/lda_vb_fast.so", "lda_vb_fast"), arrays(q)
    alpha, alpha_jk, eta_wk = q.vectors()[0], np.zeros((q.D, q.K)), np.ascontiguousarray(np.array(q.case["eta_wk"]).T)
    their_module.query_f64(q.D, q.W, q.K, words, lengths, alpha.copy(), np.zeros(z.shape[1:]), alpha_jk, eta_wk)
    return {"alpha_jk": alpha_jk.tolist()}
