"""budgefeeney/sidetopics: CVB, CVB0 and VB in Cython, and their bounds and estimates in Python.

Built by hand: budgefeeney+sidetopics/lda_cvb_fast.so, lda_cvb0_fast.so and lda_vb_fast.so, with the GNU scientific
library, and exact/lda_cvb_fast.so, which is the first with exp of C in the place of the approximation in fastexp.h.
Its tokens each have a gamma, so the n tokens of a row begin alike.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import special

from . import (
    Answer,
    Case,
    Checkouts,
    Row,
    Skip,
    by_token,
    counts,
    order_matters,
    prior_of,
    row_of_tokens,
    scalars,
    single_tokens,
    small,
    token_documents,
)  # fmt: skip

FOLDER = "budgefeeney+sidetopics"
MODEL = f"{FOLDER}/sidetopics/model"


def arrays(case: Case, dtype: type) -> tuple[Any, Any, Any, list[list[int]]]:
    """Words and gamma of the tokens of each document, padded, the lengths, and the tokens."""
    small(case)
    documents, of, c = token_documents(case), row_of_tokens(case), case["corpus"]
    lengths = np.array([len(x) for x in documents], np.int32)
    words = np.zeros((len(documents), max(1, lengths.max())), np.int32)
    z = np.zeros((*words.shape, case["K"]), dtype)
    for d, tokens in enumerate(documents):
        for n, t in enumerate(tokens):
            words[d, n] = c["w"][of[t]]
            z[d, n] = case["state"]["gamma"][of[t]] if "gamma" in case["state"] else 1 / case["K"]
    return words, lengths, z, documents


def sweeps(file: str, dtype: type):
    """A row's answers by CVB or CVB0; CVB has sums of variances, which `calculateCounts` gives too."""

    def make(checkouts: Checkouts) -> Answer:
        name = file.rsplit("/", 1)[-1].removesuffix(".so")
        module = checkouts.extension(f"{FOLDER}/{file}", name)
        iterate = module.iterate_f32 if dtype == np.float32 else module.iterate_f64

        def answer(case: Case) -> Case:
            order_matters(case, "token")
            single_tokens(case)
            alpha, eta = scalars(case)
            words, lengths, z, documents = arrays(case, dtype)
            D, K, W = len(documents), case["K"], case["corpus"]["W"]
            sums = [np.asarray(x) for x in module.calculateCounts(words, lengths, z, W)]
            n = 10 if case["operation"] == "ten_sweeps" else 1
            iterate(n, D, 0, K, W, words, lengths, *sums, z, alpha, eta)
            if case["operation"] == "update":
                return {"gamma_k": z[0, 0].astype(float)}
            return {"gamma": by_token(case, documents, z)}

        return answer

    return make


def make_estimate(checkouts: Checkouts) -> Answer:
    f = checkouts.names(f"{MODEL}/lda_cvb0.py", ["topicDists", "wordDists"], {"np": np})

    def answer(case: Case) -> Case:
        scalars(case)
        N_jk, N_wk = counts(case)
        return {
            "theta_jk": f.topicDists(SimpleNamespace(n_dk=N_jk)),
            "phi_wk": f.wordDists(SimpleNamespace(n_kt=N_wk.T)).T,
        }

    return answer


def make_bound(checkouts: Checkouts) -> Answer:
    compiled = checkouts.extension(f"{FOLDER}/lda_cvb_fast.so", "lda_cvb_fast")
    space = {"np": np, "fns": special, "compiled": compiled}
    f = checkouts.names(f"{MODEL}/lda_cvb.py", ["var_bound"], space).var_bound

    def answer(case: Case) -> Case:
        (alpha, _), (_, eta) = prior_of(case), scalars(case)
        if (np.array(case["state"]["gamma"]) == 0).any():
            raise Skip("it takes the logarithm of each gamma, which is 0 here")
        _, lengths, z, _ = arrays(case, np.float64)
        N_jk, N_wk = counts(case)
        shape = np.empty((len(N_jk), len(N_wk)))
        model = SimpleNamespace(K=case["K"], n_kt=N_wk.T, topicPrior=alpha, vocabPrior=eta, dtype=np.float64)
        state = SimpleNamespace(n_dk=N_jk, n_k=N_wk.sum(0), z_dnk=z, docLens=lengths)
        return {"bound": float(f(SimpleNamespace(words=shape), model, state))}

    return answer


def make_vb(checkouts: Checkouts) -> Answer:
    module = checkouts.extension(f"{FOLDER}/lda_vb_fast.so", "lda_vb_fast")

    def answer(case: Case) -> Case:
        alpha, _ = prior_of(case)
        words, lengths, z, documents = arrays(case, np.float64)
        D, K, W = len(documents), case["K"], case["corpus"]["W"]
        gamma, eta_wk = np.zeros((D, K)), np.ascontiguousarray(np.array(case["eta_wk"]).T)
        module.query_f64(D, W, K, words, lengths, alpha.copy(), np.zeros(z.shape[1:]), gamma, eta_wk)
        return {"alpha_jk": gamma.tolist()}

    return answer


CVB = "cvb/update,cvb/sweep,cvb/ten_sweeps"
ROWS = [
    Row("sidetopics-cvb64", CVB, sweeps("lda_cvb_fast.so", np.float64), "single"),
    Row("sidetopics-cvb64-exp", CVB, sweeps("exact/lda_cvb_fast.so", np.float64), "single"),
    Row("sidetopics-cvb32", CVB, sweeps("lda_cvb_fast.so", np.float32), "single"),
    Row("sidetopics-cvb0", CVB.replace("cvb", "cvb0"), sweeps("lda_cvb0_fast.so", np.float64)),
    Row("sidetopics-estimate", "cvb0/estimate", make_estimate),
    Row("sidetopics-bound", "vb/bound", make_bound),
    Row("sidetopics-vb", "converged_e_step", make_vb),
]
