"""shuyo/iir: CVB0 in Python, lda/lda_cvb0.py, by its class, run as it is."""

import numpy as np

from . import Case, Checkouts, Question

FILE = "shuyo+iir/lda/lda_cvb0.py"


def answer(checkouts: Checkouts, x: Question) -> Case:
    of_file = checkouts.names(FILE, ["LDA_CVB0"], {"numpy": np}).LDA_CVB0
    model = of_file.__new__(of_file)
    n = np.array(x.n)[:, None]
    model.K, model.V, model.alpha, model.beta = x.K, x.W, x.alpha, x.eta
    model.docs = [[(x.w[i], x.n[i]) for i in rows] for rows in x.rows]
    model.gamma_jik = [[x.gamma[i].copy() for i in rows] for rows in x.rows]
    model.n_jk = np.array([x.alpha + (n * x.gamma)[rows].sum(0) for rows in x.rows])
    model.n_wk = x.eta + x.counts()[1]
    model.n_k = model.n_wk.sum(0)
    if x.operation == "estimate":
        return {"theta_jk": model.n_jk / model.n_jk.sum(1, keepdims=True), "phi_wk": model.worddist().T}
    for _ in range(x.sweeps):
        model.inference()
    if x.operation == "update":
        return {"gamma_k": model.gamma_jik[0][0]}
    return {"gamma": x.in_order(x.rows, model.gamma_jik)}
