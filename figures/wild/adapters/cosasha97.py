"""cosasha97/collapsed-VB-inference-LDA: VB, CVB and collapsed Gibbs sampling in Python, by their functions.

The changes: a document's iterations go on below a change of 0.001, which is where they stop, and print says nothing.
Random numbers are replaced by the start of the case. The Gibbs sampler runs without numba.
"""

import time

import numpy as np
import scipy.special as sc

from . import (
    Answer,
    Case,
    Checkouts,
    Numpy,
    Row,
    Skip,
    counts,
    counts_of,
    given,
    one_row_for_each_word,
    only_numbers,
    order_matters,
    row_of_tokens,
    rows_of,
    scalars,
    small,
)  # fmt: skip

FOLDER = "cosasha97+collapsed-VB-inference-LDA"
ON = ("< 0.001:", "< -1:")


def space(numpy: Numpy) -> dict:
    def zero(*_):
        return 0.0

    return {
        "np": numpy, "sc": sc, "time": time, "print": zero, "compute_variational_bound": zero, "log_pba_approx": zero,
        "compute_log_pba_jit": zero, "jit": lambda **_: lambda f: f,
    }  # fmt: skip


def make_vb(checkouts: Checkouts) -> Answer:
    text = f"{FOLDER}/vb.py"
    checkouts.path(text)

    def answer(case: Case) -> Case:
        only_numbers(case, "alpha", "eta")
        one_row_for_each_word(case)
        X, K, start = counts_of(case), case["K"], np.array(case["alpha_jk"])
        documents = iter(start)
        ones = lambda shape: np.ones(shape) if isinstance(shape, tuple) else next(documents).copy()  # noqa: E731
        numpy = Numpy({"rand": lambda *_: np.array(case["eta_wk"]).T.copy()}, ones=ones)
        f = checkouts.names(text, ["LDA_VB"], space(numpy), ON).LDA_VB
        gamma = f(X, X, 1, case["iterations"], K, case["prior"]["alpha"], case["prior"]["eta"])[4]
        return {"alpha_jk": gamma}

    return answer


def make_bound(checkouts: Checkouts) -> Answer:
    f = checkouts.names(f"{FOLDER}/vb.py", ["compute_variational_bound"], {"np": np, "sc": sc})

    def answer(case: Case) -> Case:
        """The bound of gamma, with the best parameters of theta and phi for it."""
        (alpha, eta), c, K = scalars(case), case["corpus"], case["K"]
        one_row_for_each_word(case)
        small(case)
        phi = np.full((c["D"], c["W"], K), 1.0)
        gamma = np.array(case["state"]["gamma"])
        if (gamma == 0).any():
            raise Skip("it takes the logarithm of each gamma, which is 0 here")
        phi[c["j"], c["w"]] = gamma
        theta, topics = (x + a for x, a in zip(counts(case), (alpha, eta), strict=True))
        X, words = counts_of(case), np.arange(c["W"]) + 1
        bound = f.compute_variational_bound(X, phi, np.log(phi), theta, topics.T, alpha, eta, K, c["W"], c["D"], words)
        return {"bound": float(bound)}

    return answer


def make_cvb(checkouts: Checkouts) -> Answer:
    checkouts.path(f"{FOLDER}/collapsed_VB.py")

    def answer(case: Case) -> Case:
        order_matters(case, "document")
        one_row_for_each_word(case)
        small(case)
        (alpha, eta), c, K, documents = scalars(case), case["corpus"], case["K"], rows_of(case)
        phi, X = np.full((c["D"], c["W"], K), 1 / K), np.zeros((c["D"], c["W"]), int)
        for d, rows in enumerate(documents):
            for i in rows:
                phi[d, c["w"][i]], X[d, c["w"][i]] = case["state"]["gamma"][i], c["n"][i]
        numpy = Numpy({"rand": given([phi, np.ones((K, c["W"]))]), "seed": lambda _: None})
        f = checkouts.names(f"{FOLDER}/collapsed_VB.py", ["LDA_collapsed"], space(numpy), ON).LDA_collapsed
        found = f(X, X, 10 if case["operation"] == "ten_sweeps" else 1, 1, K, alpha, eta)[2]
        if case["operation"] == "update":
            return {"gamma_k": found[0, c["w"][case["row"]]]}
        return {"gamma": found[c["j"], c["w"]]}

    return answer


def make_gibbs(checkouts: Checkouts) -> Answer:
    checkouts.path(f"{FOLDER}/Gibbs.py")

    def answer(case: Case) -> Case:
        one_row_for_each_word(case)
        small(case, 200_000)
        (alpha, eta), c, K, documents = scalars(case), case["corpus"], case["K"], rows_of(case)
        z = dict(zip(row_of_tokens(case), case["state"]["z"], strict=True))
        one = [z[i] for i in row_of_tokens(case)] == case["state"]["z"]
        if not one or (case["operation"] == "sweep" and max(c["n"]) > 1):
            raise Skip("all tokens of a row have one topic")
        X, starts, seen = np.zeros((c["D"], c["W"]), int), np.zeros((c["W"], c["D"]), int), []
        for d, rows in enumerate(documents):
            for i in rows:
                X[d, c["w"][i]], starts[c["w"][i], d] = c["n"][i], z[i]
        # its words go up: the uniform number of each row, in that order
        order = [i for rows in documents for i in sorted(rows, key=lambda i: c["w"][i])]
        if case["operation"] == "update" and order[0] != case["row"]:
            raise Skip("it takes the words of a document in their order, and another is before this one")
        if case["operation"] == "sweep" and order != list(range(len(c["w"]))):
            raise Skip("it takes the words of a document in their order, and these are in another")
        uniforms = given(case["uniforms"] if case["operation"] == "sweep" else [0.5] * len(order))
        numpy = Numpy({"randint": given(starts.ravel().tolist())}, float64=float)
        found = checkouts.names(f"{FOLDER}/Gibbs.py", ["choice_jit", "collapsed_gibbs_sampling_jit"], space(numpy))
        numpy.random.random = uniforms
        theirs = found.choice_jit

        def choice(a, p):
            seen.append(p)
            return theirs(a, p)

        found.collapsed_gibbs_sampling_jit.__globals__["choice_jit"] = choice
        try:
            _, topics = found.collapsed_gibbs_sampling_jit(X, 1, K, alpha, eta)
        except (TypeError, ValueError):  # no topic has a weight: its number is None
            topics = np.full((c["W"], c["D"]), -1)
        if case["operation"] == "update":
            return {"gamma_k": np.diff(seen[0], prepend=0.0)}
        return {"z": [int(topics[w, j]) for j, w in zip(c["j"], c["w"], strict=True)]}

    return answer


ROWS = [
    Row("cosasha97-vb", "vb/e_step", make_vb),
    Row("cosasha97-bound", "vb/bound", make_bound),
    Row("cosasha97-cvb", "cvb/update,cvb/sweep,cvb/ten_sweeps", make_cvb),
    Row("cosasha97-gibbs", "cgs/update,cgs/sweep", make_gibbs),
]
