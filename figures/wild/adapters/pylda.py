"""kzhai/PyLDA: collapsed Gibbs sampling and VB in Python 2, by their classes.

The changes: a statement that prints becomes an expression, and xrange and scipy.misc.logsumexp are given. The start of
the chain, which makes the topics floating-point numbers, is not run.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import special

from . import Case, Checkouts, Numpy, Question


def model_of(checkouts: Checkouts, file_name: str, name: str, q: Question, **random_functions: Any) -> Any:
    """A model with the prior of the case."""
    fake_scipy = SimpleNamespace(special=special, misc=SimpleNamespace(logsumexp=special.logsumexp))
    namespace = {
        "numpy": Numpy(random_functions), "scipy": fake_scipy, "Inferencer": object, "xrange": range,
        "compute_dirichlet_expectation": lambda x: special.psi(x) - special.psi(x.sum(1))[:, None],
    }  # fmt: skip
    model_class = getattr(checkouts.names(f"kzhai+PyLDA/{file_name}", [name], namespace, ('print "', '"')), name)
    model = model_class.__new__(model_class)
    model._alpha_alpha, model._alpha_beta = (a.copy() for a in q.vectors())
    return model


def cgs(checkouts: Checkouts, q: Question) -> Case:
    seen_p, uniforms_left = [], iter(q.uniforms())

    def multinomial(_, p):
        seen_p.append(p)
        cumulative_p = np.cumsum(p)
        return np.eye(q.K)[np.sum(cumulative_p[:-1] <= next(uniforms_left, 0.5) * cumulative_p[-1])]

    model = model_of(checkouts, "monte_carlo.py", "MonteCarlo", q, multinomial=multinomial)
    model._parsed_corpus, model._k_dn = q.words(), [q.z[tokens] for tokens in q.tokens]
    model._n_dk, model._n_kv = np.zeros((q.D, q.K)), np.zeros((q.K, q.W))
    for d, z in enumerate(model._k_dn):
        np.add.at(model._n_dk, (d, z), 1)
        np.add.at(model._n_kv, (z, model._parsed_corpus[d]), 1)
    model._n_k = model._n_kv.sum(1)
    for d in range(q.D if q.operation == "sweep" else 1):
        model.sample_document(d)
    if q.operation == "update":
        return {"gamma_k": seen_p[0]}
    return {"topic": int(model._k_dn[0][0])} if q.operation == "draw" else {"z": q.in_order(q.tokens, model._k_dn)}


def variational(checkouts: Checkouts, q: Question, iterations: int) -> tuple[Any, Any]:
    """A model after an E step from eta_wk, and what the step returns."""
    model = model_of(checkouts, "variational_bayes.py", "VariationalBayes", q, permutation=np.arange)
    model._number_of_topics, model._number_of_types, model._number_of_documents = q.K, q.W, q.D
    words_of_j, counts_of_j = ([np.array(numbers, int) for numbers in q.of_rows(values)] for values in (q.w, q.n))
    model._parsed_corpus = words_of_j, [n[None] for n in counts_of_j]
    model._eta = np.array(q.case["eta_wk"]).T.copy()
    return model, model.e_step(local_parameter_iteration=iterations, local_parameter_converge_threshold=-1)


def vb(checkouts: Checkouts, q: Question) -> Case:
    return {"alpha_jk": variational(checkouts, q, 3000)[0]._gamma.tolist()}


def bound(checkouts: Checkouts, q: Question) -> Case:
    """What `learning` reports, after one iteration."""
    model, (document_bound, topic_counts) = variational(checkouts, q, 1)
    return {"bound": float(document_bound + model.m_step(topic_counts)[0])}
