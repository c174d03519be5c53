"""davidandrzej/cvbLDA: CVB in C, called from Python.

Built by hand: davidandrzej+cvbLDA/cvbLDA.so, an extension module of Python 3 with the names that Python 2 had.
"""

import ctypes

import numpy as np

from . import Case, Checkouts, Question

LIBRARY = "davidandrzej+cvbLDA/cvbLDA.so"


def answer(checkouts: Checkouts, q: Question) -> Case:
    module, (alpha, eta) = checkouts.extension(LIBRARY, "cvbLDA"), q.vectors()
    start_gamma = [np.ascontiguousarray(q.gamma[rows].T.reshape(q.K, len(rows))) for rows in q.rows]
    for gamma_of_document in start_gamma:  # the function gives them back without counting a reference
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(gamma_of_document))
    beta, sweeps = np.tile(eta, (q.K, 1)), 0 if q.operation == "estimate" else q.sweeps
    phi, theta, gamma = module.cvbLDA(q.of_rows(q.w), q.of_rows(q.n), alpha[None].copy(), beta, start_gamma, sweeps)
    if q.operation == "estimate":
        return {"theta_jk": theta, "phi_wk": phi.T}
    if q.operation == "update":
        return {"gamma_k": gamma[0][:, 0]}
    return {"gamma": q.in_order(q.rows, [gamma_of_document.T for gamma_of_document in gamma])}
