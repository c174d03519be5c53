"""numpyro's densities, from which a model of LDA is made. It needs funsor to enumerate topics."""

from functools import partial

import jax
import numpy as np
from numpyro import plate, sample
from numpyro.contrib.funsor import enum, log_density
from numpyro.distributions import Categorical, Dirichlet, Multinomial

from figures.peers.conformance_cases import counts_of, prior_of, tokens_of

from . import Case, rows

NAME, PACKAGE = "numpyro", "numpyro"


def tables(case: Case) -> tuple[np.ndarray, np.ndarray]:
    return np.array(case["theta_jk"]), np.transpose(case["phi_wk"])


def full_log_joint(case: Case, x64: bool = True) -> Case:
    (alpha, eta), (theta_jk, phi_kw), z = prior_of(case), tables(case), np.array(case["state"]["z"])
    j, w = (np.array(x) for x in tokens_of(case))
    with jax.enable_x64(x64):
        laws_and_values = (Dirichlet(alpha), theta_jk), (Dirichlet(eta), phi_kw), (Categorical(theta_jk[j]), z)
        logs = [law.log_prob(value).sum() for law, value in (*laws_and_values, (Categorical(phi_kw[z]), w))]
        return {"log_joint": float(sum(logs))}


def enumerated(case: Case) -> Case:
    (theta_jk, phi_kw), (j, w) = tables(case), (np.array(x) for x in tokens_of(case))

    def model() -> None:
        with plate("tokens", len(j)):
            z = sample("z", Categorical(theta_jk[j]), infer={"enumerate": "parallel"})
            sample("w", Categorical(jax.numpy.asarray(phi_kw)[z]), obs=w)

    with jax.enable_x64(True):
        return {"log_likelihood": float(log_density(enum(model, first_available_dim=-2), (), {}, {})[0])}


def counted(case: Case) -> Case:
    (theta_jk, phi_kw), X = tables(case), counts_of(case)
    with jax.enable_x64(True):
        return {"log_likelihood": float(Multinomial(X.sum(1), theta_jk @ phi_kw).log_prob(X).sum())}


def two_words():
    phi = np.array([0.5, 0.5])
    log_p_counts, sequence = Multinomial(2, phi).log_prob(np.array([1, 1])), Categorical(phi).log_prob(np.array([0, 1]))
    return {"counts": float(log_p_counts), "sequence": float(sequence.sum())}


in_single_precision = partial(full_log_joint, x64=False)
ROWS = rows(globals())
