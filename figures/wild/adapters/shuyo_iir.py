"""shuyo/iir: CVB0 in Python, lda/lda_cvb0.py, by its class, run as it is."""

import numpy as np

from . import Answer, Case, Checkouts, Row, counts, one_row_for_each_word, order_matters, rows_of, scalars, small

FILE = "shuyo+iir/lda/lda_cvb0.py"


def make(checkouts: Checkouts) -> Answer:
    of_file = checkouts.names(FILE, ["LDA_CVB0"], {"numpy": np}).LDA_CVB0

    def answer(case: Case) -> Case:
        order_matters(case, "corpus")
        one_row_for_each_word(case)
        small(case)
        (alpha, eta), c, documents = scalars(case), case["corpus"], rows_of(case)
        model = of_file.__new__(of_file)
        gamma, n = np.array(case["state"]["gamma"]), np.array(c["n"])[:, None]
        model.K, model.V, model.alpha, model.beta = case["K"], c["W"], alpha, eta
        model.docs = [[(c["w"][i], c["n"][i]) for i in rows] for rows in documents]
        model.gamma_jik = [[gamma[i].copy() for i in rows] for rows in documents]
        model.n_jk = np.array([alpha + (n * gamma)[rows].sum(0) for rows in documents])
        model.n_wk = eta + counts(case)[1]
        model.n_k = model.n_wk.sum(0)
        if case["operation"] == "estimate":
            return {"theta_jk": model.n_jk / model.n_jk.sum(1, keepdims=True), "phi_wk": model.worddist().T}
        for _ in range(10 if case["operation"] == "ten_sweeps" else 1):
            model.inference()
        if case["operation"] == "update":
            return {"gamma_k": model.gamma_jik[0][0]}
        for rows, x in zip(documents, model.gamma_jik, strict=True):
            gamma[rows] = x
        return {"gamma": gamma}

    return answer


ROWS = [Row("shuyo", "cvb0/update,cvb0/sweep,cvb0/ten_sweeps,cvb0/estimate", make)]
