"""onlineldavb: the program of Hoffman, Blei and Bach (2010), as build.sh turns it into Python 3."""

import contextlib
import io
import sys
from unittest import mock

import numpy as np

from figures.peers.conformance_cases import counts_of

from . import Case, built, corpus, only_numbers, rows

NAME, VERSION = "onlineldavb", "dee5dcf"
sys.path.append(str(built("onlineldavb")))
import onlineldavb  # noqa: E402  it is found by the line above


def asked(case: Case, method: str, *arguments: object, tau0: float = 0, kappa: float = 1) -> tuple:
    """A model with the topics of the case, and what a method answers to its documents. E steps start from ones."""
    only_numbers(case, "alpha", "eta")
    X, p, W = counts_of(case), case["prior"], case["corpus"]["W"]
    words, D = ["w" * (1 + w) for w in range(W)], case.get("total_D", len(X))
    model = onlineldavb.OnlineLDA(words, case["K"], D, p["alpha"], p["eta"], tau0, kappa)
    model._lambda, model._updatect = np.array(case["eta_wk"]).T, case.get("t", 0)
    model._Elogbeta = onlineldavb.dirichlet_expectation(model._lambda)
    model._expElogbeta = np.exp(model._Elogbeta)
    ones_patch = mock.patch.object(np.random, "gamma", lambda shape, scale, size: np.ones(size))
    batch_lists = [np.flatnonzero(x).tolist() for x in X], [x[x > 0].tolist() for x in X]
    with contextlib.redirect_stdout(io.StringIO()), ones_patch:  # it prints each iteration
        return model, getattr(model, method)(*batch_lists, *arguments)


def expected_log(case: Case) -> Case:
    return {"mean_log": onlineldavb.dirichlet_expectation(np.array(case["parameters"])).tolist()}


def e_step(case: Case) -> Case:
    return {"alpha_jk": asked(case, "do_e_step")[1][0].tolist()}


def step(case: Case) -> Case:
    return {"eta_wk": asked(case, "update_lambda", tau0=case["tau0"] - 1, kappa=case["kappa"])[0]._lambda.T.tolist()}


def bound(case: Case) -> Case:
    return {"bound": float(asked(case, "approx_bound", np.array(case["alpha_jk"]))[1])}


def first_batches():
    X = corpus()
    batch_lists = [np.flatnonzero(x).tolist() for x in X], [x[x > 0].tolist() for x in X]
    model = onlineldavb.OnlineLDA(["w" * (1 + w) for w in range(200)], 5, 60, 0.1, 0.1, 1.0, 1.0)
    with contextlib.redirect_stdout(io.StringIO()):
        rhos = [(model.update_lambda(*batch_lists), model._rhot)[1] for _ in range(20)]
        gammas = [model.do_e_step(*batch_lists)[0] for _ in range(2)]
    theta, theta_again = (x / x.sum(1, keepdims=True) for x in gammas)
    return {"first": rhos[0], "second": rhos[1], "theta": np.abs(theta - theta_again).max()}


ROWS = rows(globals())
