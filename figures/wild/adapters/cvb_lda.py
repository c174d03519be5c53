"""davidandrzej/cvbLDA: CVB in C, called from Python.

Built by hand: davidandrzej+cvbLDA/cvbLDA.so, an extension module of Python 3 with the names that Python 2 had.
"""

import ctypes

import numpy as np

from . import Answer, Case, Checkouts, Row, order_matters, prior_of, rows_of

LIBRARY = "davidandrzej+cvbLDA/cvbLDA.so"


def run(module, case: Case, sweeps: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], list[list[int]]]:
    """phi, theta, gamma of each document, and the rows of each document."""
    c, (alpha, eta), documents = case["corpus"], prior_of(case), rows_of(case)
    gamma = np.array(case["state"]["gamma"])
    start = [np.ascontiguousarray(gamma[rows].T.reshape(case["K"], len(rows))) for rows in documents]
    for x in start:  # the function gives them back without counting a reference
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(x))
    words, counts = ([[c[name][i] for i in rows] for rows in documents] for name in ("w", "n"))
    beta = np.tile(eta, (case["K"], 1))
    return *module.cvbLDA(words, counts, alpha[None].copy(), beta, start, sweeps), documents


def make(checkouts: Checkouts) -> Answer:
    module = checkouts.extension(LIBRARY, "cvbLDA")

    def answer(case: Case) -> Case:
        order_matters(case, "token")
        if case["operation"] == "estimate":
            phi, theta, _, _ = run(module, case, 0)
            return {"theta_jk": theta, "phi_wk": phi.T}
        _, _, gamma, documents = run(module, case, 10 if case["operation"] == "ten_sweeps" else 1)
        if case["operation"] == "update":
            return {"gamma_k": gamma[0][:, 0]}
        found = np.array(case["state"]["gamma"])
        for rows, x in zip(documents, gamma, strict=True):
            found[rows] = x.T
        return {"gamma": found}

    return answer


ROWS = [Row("cvbLDA", "cvb/update,cvb/sweep,cvb/ten_sweeps,cvb/estimate", make)]
