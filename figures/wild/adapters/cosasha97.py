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
    space = {"np": numpy, "sc": sc, "time": time, "jit": lambda **_: lambda f: f}
    changes = () if file == "Gibbs.py" else (("< 0.001:", "< -1:"),)
    return checkouts.names(f"{FOLDER}/{file}", names, space | dict.fromkeys(silent, lambda *_: 0.0), *changes)


def vb(checkouts: Checkouts, x: Question) -> Case:
    documents = iter(np.array(x.case["alpha_jk"]))

    def ones(shape):
        return np.ones(shape) if isinstance(shape, tuple) else next(documents).copy()

    numpy = Numpy({"rand": lambda *_: np.array(x.case["eta_wk"]).T.copy()}, ones=ones)
    f, X = functions(checkouts, "vb.py", ["LDA_VB"], numpy).LDA_VB, counts_of(x.case)
    return {"alpha_jk": f(X, X, 1, x.case["iterations"], x.K, x.alpha, x.eta)[4]}


def bound(checkouts: Checkouts, x: Question) -> Case:
    """The bound of gamma, with the best parameters of theta and phi for it."""
    f = functions(checkouts, "vb.py", ["compute_variational_bound"], np, ()).compute_variational_bound
    phi = np.ones((x.D, x.W, x.K))
    phi[x.case["corpus"]["j"], x.w] = x.gamma
    N_jk, N_wk = x.counts()
    sizes = x.K, x.W, x.D, np.arange(x.W) + 1
    number = f(counts_of(x.case), phi, np.log(phi), N_jk + x.alpha, (N_wk + x.eta).T, x.alpha, x.eta, *sizes)
    return {"bound": float(number)}


def cvb(checkouts: Checkouts, x: Question) -> Case:
    phi, X = np.full((x.D, x.W, x.K), 1 / x.K), np.zeros((x.D, x.W), int)
    for d, rows in enumerate(x.rows):
        for i in rows:
            phi[d, x.w[i]], X[d, x.w[i]] = x.gamma[i], x.n[i]
    numpy = Numpy({"rand": one_by_one([phi, np.ones((x.K, x.W))]), "seed": lambda _: None})
    f = functions(checkouts, "collapsed_VB.py", ["LDA_collapsed"], numpy).LDA_collapsed
    gamma = f(X, X, x.sweeps, 1, x.K, x.alpha, x.eta)[2]
    if x.operation == "update":
        return {"gamma_k": gamma[0, x.w[x.case["row"]]]}
    return {"gamma": gamma[x.case["corpus"]["j"], x.w]}


def gibbs(checkouts: Checkouts, x: Question) -> Case:
    z = dict(zip(x.row, x.z.tolist(), strict=True))
    if [z[i] for i in x.row] != x.z.tolist():
        raise Skip("all tokens of a row have one topic")
    X, starts, seen = np.zeros((x.D, x.W), int), np.zeros((x.W, x.D), int), []
    for d, rows in enumerate(x.rows):
        for i in rows:
            X[d, x.w[i]], starts[x.w[i], d] = x.n[i], z[i]
    order = [i for rows in x.rows for i in sorted(rows, key=lambda i: x.w[i])]
    if order[0] != x.case["row"] if x.operation == "update" else order != list(range(len(x.w))):
        raise Skip("it takes the words of a document in rising order, and these are in another")
    numpy = Numpy({"randint": one_by_one(starts.ravel().tolist())}, float64=float)
    numpy.random.random = one_by_one(x.uniforms() or [0.5] * len(order))
    program = functions(checkouts, "Gibbs.py", ["choice_jit", "collapsed_gibbs_sampling_jit"], numpy)

    def choice(a, p):
        seen.append(p)
        return program.choice_jit(a, p)

    program.collapsed_gibbs_sampling_jit.__globals__["choice_jit"] = choice
    try:
        topics = program.collapsed_gibbs_sampling_jit(X, 1, x.K, x.alpha, x.eta)[1]
    except (TypeError, ValueError):  # no topic has a weight: its number is None
        topics = np.full((x.W, x.D), -1)
    if x.operation == "update":
        return {"gamma_k": np.diff(seen[0], prepend=0.0)}
    return {"z": [int(topics[w, j]) for j, w in zip(x.case["corpus"]["j"], x.w, strict=True)]}
