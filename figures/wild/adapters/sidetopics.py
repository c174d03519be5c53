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


def arrays(x: Question, dtype: type = np.float64) -> tuple[Any, Any, Any]:
    """Words of the tokens of each document, padded, the lengths, and gamma."""
    lengths = np.array([len(tokens) for tokens in x.tokens], np.int32)
    words = np.zeros((x.D, max(1, lengths.max())), np.int32)
    z = np.zeros((*words.shape, x.K), dtype)
    for d, (tokens, of_document) in enumerate(zip(x.tokens, x.words(), strict=True)):
        words[d, : len(tokens)] = of_document
        z[d, : len(tokens)] = x.gamma[[x.row[t] for t in tokens]] if len(x.gamma) else 1 / x.K
    return words, lengths, z


def swept(checkouts: Checkouts, x: Question, file: str, dtype: type = np.float64) -> Case:
    """Updates and sweeps by CVB or CVB0; CVB has sums of variances, which `calculateCounts` gives too."""
    module = checkouts.extension(f"{FOLDER}/{file}", file.rsplit("/", 1)[-1].removesuffix(".so"))
    iterate, (words, lengths, z) = module.iterate_f32 if dtype == np.float32 else module.iterate_f64, arrays(x, dtype)
    sums = [np.asarray(counts) for counts in module.calculateCounts(words, lengths, z, x.W)]
    iterate(x.sweeps, x.D, 0, x.K, x.W, words, lengths, *sums, z, x.alpha, x.eta)
    return {"gamma_k": z[0, 0].astype(float)} if x.operation == "update" else {"gamma": x.in_order(x.tokens, z)}


def cvb64(checkouts: Checkouts, x: Question) -> Case:
    return swept(checkouts, x, "lda_cvb_fast.so")


def cvb64_exp(checkouts: Checkouts, x: Question) -> Case:
    return swept(checkouts, x, "exact/lda_cvb_fast.so")


def cvb32(checkouts: Checkouts, x: Question) -> Case:
    return swept(checkouts, x, "lda_cvb_fast.so", np.float32)


def cvb0(checkouts: Checkouts, x: Question) -> Case:
    return swept(checkouts, x, "lda_cvb0_fast.so")


def estimate(checkouts: Checkouts, x: Question) -> Case:
    f, (N_jk, N_wk) = checkouts.names(f"{MODEL}/lda_cvb0.py", ["topicDists", "wordDists"], {"np": np}), x.counts()
    theta, phi = f.topicDists(SimpleNamespace(n_dk=N_jk)), f.wordDists(SimpleNamespace(n_kt=N_wk.T))
    return {"theta_jk": theta, "phi_wk": phi.T}


def bound(checkouts: Checkouts, x: Question) -> Case:
    space = {"np": np, "fns": special, "compiled": checkouts.extension(f"{FOLDER}/lda_cvb_fast.so", "lda_cvb_fast")}
    f = checkouts.names(f"{MODEL}/lda_cvb.py", ["var_bound"], space)
    (N_jk, N_wk), (_, lengths, z) = x.counts(), arrays(x)
    model = {"K": x.K, "n_kt": N_wk.T, "topicPrior": x.vectors()[0], "vocabPrior": x.eta, "dtype": np.float64}
    state = {"n_dk": N_jk, "n_k": N_wk.sum(0), "z_dnk": z, "docLens": lengths}
    data = {"words": np.empty((x.D, x.W))}  # its shape alone is read
    return {"bound": float(f.var_bound(*(SimpleNamespace(**fields) for fields in (data, model, state))))}


def vb(checkouts: Checkouts, x: Question) -> Case:
    module, (words, lengths, z) = checkouts.extension(f"{FOLDER}/lda_vb_fast.so", "lda_vb_fast"), arrays(x)
    alpha, gamma, eta_wk = x.vectors()[0], np.zeros((x.D, x.K)), np.ascontiguousarray(np.array(x.case["eta_wk"]).T)
    module.query_f64(x.D, x.W, x.K, words, lengths, alpha.copy(), np.zeros(z.shape[1:]), gamma, eta_wk)
    return {"alpha_jk": gamma.tolist()}
