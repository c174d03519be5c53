"""kzhai/PyLDA: collapsed Gibbs sampling and VB in Python 2, by their classes.

The changes: a statement that prints becomes an expression, and xrange and scipy.misc.logsumexp are given. The start of
the chain, which makes the topics floating-point numbers, is not run.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import special

from . import Case, Checkouts, Numpy, Question


def model_of(checkouts: Checkouts, file: str, name: str, x: Question, **random: Any) -> Any:
    """A model with the prior of the case."""
    scipy = SimpleNamespace(special=special, misc=SimpleNamespace(logsumexp=special.logsumexp))
    space = {
        "numpy": Numpy(random), "scipy": scipy, "Inferencer": object, "xrange": range,
        "compute_dirichlet_expectation": lambda x: special.psi(x) - special.psi(x.sum(1))[:, None],
    }  # fmt: skip
    model_class = getattr(checkouts.names(f"kzhai+PyLDA/{file}", [name], space, ('print "', '"')), name)
    model = model_class.__new__(model_class)
    model._alpha_alpha, model._alpha_beta = (a.copy() for a in x.vectors())
    return model


def cgs(checkouts: Checkouts, x: Question) -> Case:
    probabilities, left = [], iter(x.uniforms())

    def multinomial(_, p):
        probabilities.append(p)
        partial = np.cumsum(p)
        return np.eye(x.K)[np.sum(partial[:-1] <= next(left, 0.5) * partial[-1])]

    model = model_of(checkouts, "monte_carlo.py", "MonteCarlo", x, multinomial=multinomial)
    model._parsed_corpus, model._k_dn = x.words(), [x.z[tokens] for tokens in x.tokens]
    model._n_dk, model._n_kv = np.zeros((x.D, x.K)), np.zeros((x.K, x.W))
    for d, z in enumerate(model._k_dn):
        np.add.at(model._n_dk, (d, z), 1)
        np.add.at(model._n_kv, (z, model._parsed_corpus[d]), 1)
    model._n_k = model._n_kv.sum(1)
    for d in range(x.D if x.operation == "sweep" else 1):
        model.sample_document(d)
    if x.operation == "update":
        return {"gamma_k": probabilities[0]}
    return {"topic": int(model._k_dn[0][0])} if x.operation == "draw" else {"z": x.in_order(x.tokens, model._k_dn)}


def variational(checkouts: Checkouts, x: Question, iterations: int) -> tuple[Any, Any]:
    """A model after an E step from eta_wk, and what the step returns."""
    model = model_of(checkouts, "variational_bayes.py", "VariationalBayes", x, permutation=np.arange)
    model._number_of_topics, model._number_of_types, model._number_of_documents = x.K, x.W, x.D
    words, counts = ([np.array(numbers, int) for numbers in x.of_rows(values)] for values in (x.w, x.n))
    model._parsed_corpus = words, [n[None] for n in counts]
    model._eta = np.array(x.case["eta_wk"]).T.copy()
    return model, model.e_step(local_parameter_iteration=iterations, local_parameter_converge_threshold=-1)


def vb(checkouts: Checkouts, x: Question) -> Case:
    return {"alpha_jk": variational(checkouts, x, 3000)[0]._gamma.tolist()}


def bound(checkouts: Checkouts, x: Question) -> Case:
    """What `learning` reports, after one iteration."""
    model, (of_documents, counts) = variational(checkouts, x, 1)
    return {"bound": float(of_documents + model.m_step(counts)[0])}
