"""davidandrzej/cvbLDA: CVB in C, called from Python.

Built by hand: davidandrzej+cvbLDA/cvbLDA.so, an extension module of Python 3 with the names that Python 2 had.
"""

import ctypes

import numpy as np

from . import Case, Checkouts, Question

LIBRARY = "davidandrzej+cvbLDA/cvbLDA.so"


def answer(checkouts: Checkouts, x: Question) -> Case:
    module, (alpha, eta) = checkouts.extension(LIBRARY, "cvbLDA"), x.vectors()
    start = [np.ascontiguousarray(x.gamma[rows].T.reshape(x.K, len(rows))) for rows in x.rows]
    for of_document in start:  # the function gives them back without counting a reference
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(of_document))
    beta, sweeps = np.tile(eta, (x.K, 1)), 0 if x.operation == "estimate" else x.sweeps
    phi, theta, gamma = module.cvbLDA(x.of_rows(x.w), x.of_rows(x.n), alpha[None].copy(), beta, start, sweeps)
    if x.operation == "estimate":
        return {"theta_jk": theta, "phi_wk": phi.T}
    if x.operation == "update":
        return {"gamma_k": gamma[0][:, 0]}
    return {"gamma": x.in_order(x.rows, [of_document.T for of_document in gamma])}
