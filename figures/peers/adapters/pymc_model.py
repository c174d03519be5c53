"""pymc's densities, from which a model of LDA is made."""

import numpy as np
import pymc

from figures.peers.conformance_cases import counts_of, prior_of, tokens_of

from . import Case, rows

NAME, PACKAGE = "pymc", "pymc"


def tables(case: Case) -> tuple[np.ndarray, np.ndarray]:
    return np.array(case["theta_jk"]), np.transpose(case["phi_wk"])


def log_p(*laws_and_values: tuple[object, np.ndarray]) -> float:
    return float(sum(pymc.logp(law, value).sum() for law, value in laws_and_values).eval())


def full_log_joint(case: Case) -> Case:
    (alpha, eta), (theta_jk, phi_kw), (j, w) = prior_of(case), tables(case), tokens_of(case)
    z = np.array(case["state"]["z"])
    prior_parts = (pymc.Dirichlet.dist(alpha), theta_jk), (pymc.Dirichlet.dist(eta), phi_kw)
    token_parts = (pymc.Categorical.dist(theta_jk[j]), z), (pymc.Categorical.dist(phi_kw[z]), np.array(w))
    return {"log_joint": log_p(*prior_parts, *token_parts)}


def counted(case: Case) -> Case:
    (theta_jk, phi_kw), X = tables(case), counts_of(case)
    return {"log_likelihood": log_p((pymc.Multinomial.dist(X.sum(1), theta_jk @ phi_kw), X))}


def two_words():
    phi = np.array([0.5, 0.5])
    log_p_counts = pymc.logp(pymc.Multinomial.dist(2, phi), np.array([1, 1])).eval()
    return {"counts": log_p_counts, "sequence": pymc.logp(pymc.Categorical.dist(phi), np.array([0, 1])).eval().sum()}


ROWS = rows(globals())
