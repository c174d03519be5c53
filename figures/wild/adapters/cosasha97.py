"""cosasha97/collapsed-VB-inference-LDA: VB, CVB and collapsed Gibbs sampling in Python, by their functions.

The changes: a document's iterations go on below a change of 0.001, which is where they stop, and print says nothing.
Random numbers are replaced by the start of the case. The Gibbs sampler runs without numba.
"""

import time
from typing import Any

import numpy as np
import scipy.special as sc

from figures.peers.conformance_cases import counts_of

from . import Case, Checkouts, Numpy, Question, Skip, one_by_one

FOLDER = "cosasha97+collapsed-VB-inference-LDA"
SILENT = ("print", "compute_variational_bound", "log_pba_approx", "compute_log_pba_jit")


def functions(checkouts: Checkouts, file: str, names: list[str], numpy: Any, silent: tuple[str, ...] = SILENT) -> Any:
    namespace = {"np": numpy, "sc": sc, "time": time, "jit": lambda **_: lambda f: f}
    text_changes = () if file == "Gibbs.py" else (("< 0.001:", "< -1:"),)
    return checkouts.names(f"{FOLDER}/{file}", names, namespace | dict.fromkeys(silent, lambda *_: 0.0), *text_changes)


def vb(checkouts: Checkouts, q: Question) -> Case:
    alpha_j_iterator = iter(np.array(q.case["alpha_jk"]))

    def ones(shape):
        return np.ones(shape) if isinstance(shape, tuple) else next(alpha_j_iterator).copy()

    fake_numpy = Numpy({"rand": lambda *_: np.array(q.case["eta_wk"]).T.copy()}, ones=ones)
    their_vb, X = functions(checkouts, "vb.py", ["LDA_VB"], fake_numpy).LDA_VB, counts_of(q.case)
    return {"alpha_jk": their_vb(X, X, 1, q.case["iterations"], q.K, q.alpha, q.eta)[4]}


def bound(checkouts: Checkouts, q: Question) -> Case:
    """The bound of gamma, with the best parameters of theta and phi for it."""
    their_bound = functions(checkouts, "vb.py", ["compute_variational_bound"], np, ()).compute_variational_bound
    phi = np.ones((q.D, q.W, q.K))
    phi[q.case["corpus"]["j"], q.w] = q.gamma
    N_jk, N_wk = q.counts()
    sizes = q.K, q.W, q.D, np.arange(q.W) + 1
    number = their_bound(counts_of(q.case), phi, np.log(phi), N_jk + q.alpha, (N_wk + q.eta).T, q.alpha, q.eta, *sizes)
    return {"bound": float(number)}


def cvb(checkouts: Checkouts, q: Question) -> Case:
    start_gamma, X = np.full((q.D, q.W, q.K), 1 / q.K), np.zeros((q.D, q.W), int)
    for d, rows in enumerate(q.rows):
        for i in rows:
            start_gamma[d, q.w[i]], X[d, q.w[i]] = q.gamma[i], q.n[i]
    fake_numpy = Numpy({"rand": one_by_one([start_gamma, np.ones((q.K, q.W))]), "seed": lambda _: None})
    their_cvb = functions(checkouts, "collapsed_VB.py", ["LDA_collapsed"], fake_numpy).LDA_collapsed
    gamma_jwk = their_cvb(X, X, q.sweeps, 1, q.K, q.alpha, q.eta)[2]
    if q.operation == "update":
        return {"gamma_k": gamma_jwk[0, q.w[q.case["row"]]]}
    return {"gamma": gamma_jwk[q.case["corpus"]["j"], q.w]}


def gibbs(checkouts: Checkouts, q: Question) -> Case:
    topic_of_row = dict(zip(q.row, q.z.tolist(), strict=True))
    if [topic_of_row[i] for i in q.row] != q.z.tolist():
        raise Skip("all tokens of a row have one topic")
    X, start_topics_wj, seen_p = np.zeros((q.D, q.W), int), np.zeros((q.W, q.D), int), []
    for d, rows in enumerate(q.rows):
        for i in rows:
            X[d, q.w[i]], start_topics_wj[q.w[i], d] = q.n[i], topic_of_row[i]
    row_order = [i for rows in q.rows for i in sorted(rows, key=lambda i: q.w[i])]
    if row_order[0] != q.case["row"] if q.operation == "update" else row_order != list(range(len(q.w))):
        raise Skip("it takes the words of a document in rising order, and these are in another")
    fake_numpy = Numpy({"randint": one_by_one(start_topics_wj.ravel().tolist())}, float64=float)
    fake_numpy.random.random = one_by_one(q.uniforms() or [0.5] * len(row_order))
    their_functions = functions(checkouts, "Gibbs.py", ["choice_jit", "collapsed_gibbs_sampling_jit"], fake_numpy)

    def choice(a, p):
        seen_p.append(p)
        return their_functions.choice_jit(a, p)

    their_functions.collapsed_gibbs_sampling_jit.__globals__["choice_jit"] = choice
    try:
        topics_wj = their_functions.collapsed_gibbs_sampling_jit(X, 1, q.K, q.alpha, q.eta)[1]
    except (TypeError, ValueError):  # no topic has a weight: its number is None
        topics_wj = np.full((q.W, q.D), -1)
    if q.operation == "update":
        return {"gamma_k": np.diff(seen_p[0], prepend=0.0)}
    return {"z": [int(topics_wj[w, j]) for j, w in zip(q.case["corpus"]["j"], q.w, strict=True)]}
