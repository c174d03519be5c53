"""kzhai/PyLDA: collapsed Gibbs sampling and VB in Python 2, by their classes.

The changes: a statement that prints becomes an expression, and xrange and scipy.misc.logsumexp are given. The start of
the chain, which makes the topics floating-point numbers, is not run.
"""

from types import SimpleNamespace

import numpy as np
from scipy import special

from . import (
    Answer,
    Case,
    Checkouts,
    Numpy,
    Row,
    Skip,
    by_token,
    one_row_for_each_word,
    prior_of,
    row_of_tokens,
    small,
    token_documents,
)  # fmt: skip

PRINT = ('print "', '"')


def space(numpy: Numpy) -> dict:
    scipy = SimpleNamespace(special=special, misc=SimpleNamespace(logsumexp=special.logsumexp))

    def expectation(x):
        return special.psi(x) - special.psi(x.sum(1))[:, None]

    found = {"numpy": numpy, "scipy": scipy, "Inferencer": object, "xrange": range}
    return found | {"compute_dirichlet_expectation": expectation}


def class_of(checkouts: Checkouts, file: str, name: str, numpy: Numpy, *changes: tuple[str, str]):
    return getattr(checkouts.names(f"kzhai+PyLDA/{file}", [name], space(numpy), *changes), name)


def make_cgs(checkouts: Checkouts) -> Answer:
    checkouts.path("kzhai+PyLDA/monte_carlo.py")

    def answer(case: Case) -> Case:
        small(case)
        c, K, documents, of = case["corpus"], case["K"], token_documents(case), row_of_tokens(case)
        probabilities, z = [], np.array(case["state"]["z"])
        left = iter([case["uniform"]] if "uniform" in case else case.get("uniforms", []))

        def multinomial(_, p):
            probabilities.append(p)
            partial = np.cumsum(p)
            return np.eye(K)[np.sum(partial[:-1] <= next(left, 0.5) * partial[-1])]

        sampler = class_of(checkouts, "monte_carlo.py", "MonteCarlo", Numpy({"multinomial": multinomial}), PRINT)
        model = sampler.__new__(sampler)
        model._alpha_alpha, model._alpha_beta = prior_of(case)
        model._parsed_corpus = [[c["w"][of[t]] for t in tokens] for tokens in documents]
        model._k_dn = [z[tokens] for tokens in documents]
        model._n_dk, model._n_kv, model._n_k = np.zeros((len(documents), K)), np.zeros((K, c["W"])), np.zeros(K)
        for d, tokens in enumerate(documents):
            np.add.at(model._n_dk, (d, z[tokens]), 1)
            np.add.at(model._n_kv, (z[tokens], model._parsed_corpus[d]), 1)
            np.add.at(model._n_k, z[tokens], 1)
        for d in range(len(documents) if case["operation"] == "sweep" else 1):
            model.sample_document(d)
        if case["operation"] == "update":
            return {"gamma_k": probabilities[0]}
        if case["operation"] == "draw":
            return {"topic": int(model._k_dn[0][0])}
        return {"z": by_token(case, documents, model._k_dn)}

    return answer


def variational(checkouts: Checkouts, case: Case):
    """A model in the state of the case."""
    small(case)
    one_row_for_each_word(case)
    c = case["corpus"]
    numpy = Numpy({"permutation": np.arange})
    found = class_of(checkouts, "variational_bayes.py", "VariationalBayes", numpy, PRINT)
    model = found.__new__(found)
    alpha, eta = prior_of(case)
    model._alpha_alpha, model._alpha_beta = alpha.copy(), eta.copy()
    model._number_of_topics, model._number_of_types, model._number_of_documents = case["K"], c["W"], c["D"]
    of = np.array(c["j"])
    words, counts = ([np.array(c[name])[of == d] for d in range(c["D"])] for name in ("w", "n"))
    model._parsed_corpus = words, [x[None] for x in counts]
    model._eta = np.array(case["eta_wk"]).T.copy()
    return model


def make_vb(checkouts: Checkouts) -> Answer:
    checkouts.path("kzhai+PyLDA/variational_bayes.py")

    def answer(case: Case) -> Case:
        model = variational(checkouts, case)
        model.e_step(local_parameter_iteration=3000, local_parameter_converge_threshold=-1)
        return {"alpha_jk": model._gamma.tolist()}

    return answer


def make_bound(checkouts: Checkouts) -> Answer:
    """What `learning` reports, after one iteration from eta_wk."""
    checkouts.path("kzhai+PyLDA/variational_bayes.py")

    def answer(case: Case) -> Case:
        if "eta_wk" not in case:
            raise Skip("it begins with an E step, and the case does not say from which topics")
        model = variational(checkouts, case)
        of_documents, counts = model.e_step(local_parameter_iteration=1, local_parameter_converge_threshold=-1)
        return {"bound": float(of_documents + model.m_step(counts)[0])}

    return answer


ROWS = [
    Row("pylda-cgs", "cgs/update,cgs/draw,cgs/sweep", make_cgs),
    Row("pylda-vb", "converged_e_step", make_vb),
    Row("pylda-bound", "vb/bound", make_bound),
]
