"""shuyo/iir: CVB0 in Python, lda/lda_cvb0.py, by its class, run as it is."""

import numpy as np

from . import Case, Checkouts, Question

FILE = "shuyo+iir/lda/lda_cvb0.py"


def answer(checkouts: Checkouts, q: Question) -> Case:
    their_class = checkouts.names(FILE, ["LDA_CVB0"], {"numpy": np}).LDA_CVB0
    model = their_class.__new__(their_class)
    n = np.array(q.n)[:, None]
    model.K, model.V, model.alpha, model.beta = q.K, q.W, q.alpha, q.eta
    model.docs = [[(q.w[i], q.n[i]) for i in rows] for rows in q.rows]
    model.gamma_jik = [[q.gamma[i].copy() for i in rows] for rows in q.rows]
    model.n_jk = np.array([q.alpha + (n * q.gamma)[rows].sum(0) for rows in q.rows])
    model.n_wk = q.eta + q.counts()[1]
    model.n_k = model.n_wk.sum(0)
    if q.operation == "estimate":
        return {"theta_jk": model.n_jk / model.n_jk.sum(1, keepdims=True), "phi_wk": model.worddist().T}
    for _ in range(q.sweeps):
        model.inference()
    if q.operation == "update":
        return {"gamma_k": model.gamma_jik[0][0]}
    return {"gamma": q.in_order(q.rows, model.gamma_jik)}
