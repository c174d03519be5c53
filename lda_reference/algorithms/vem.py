"""Variational EM: Blei, Ng and Jordan's hybrid, AWST09 end of §2.3.

The original VB algorithm "did estimate variational posteriors q(theta), the phi were treated as parameters and were
estimated through ML": the document factor of VB, the word and topic factors of ML.

    gamma_wjk  ∝  exp(ψ(N_kj + alpha)) N_wk / N_k                                 AWST09 (10), (4)

For LDA the cell "variational EM" of TNW06 Table 1 is EM itself; this hybrid lies outside that grid.
"""

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, entropy, posterior_mean, sums
from ..model import Array, Prior, log_joint_of_documents
from . import ml, vb


def word(q: Smoothing, N_wk: Array) -> Array:
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant: a word that a topic has not is never of that topic
        return np.log(ml.word(q, N_wk))  # AWST09 (4), with vb's document factor (10)


def topic(q: Smoothing, N_k: Array) -> Array:
    return np.log(ml.topic(q, N_k))  # AWST09 (4)


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The posterior mean of theta, the maximum likelihood of phi."""
    return posterior_mean(s, c, p)[0], ml.estimate(s, c, p)[1]


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on log p(x | phi, alpha) at the best phi and q(theta) for gamma, in nats."""
    N_jk, N_wk, _ = sums(s.gamma, c)
    documents = log_joint_of_documents(p, N_jk).sum(0)
    return documents + ml.log_likelihood(N_wk, 0) + entropy(s.gamma, c)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError(
        "vem has no bound on log p(x | alpha, eta): it maximises over phi where the evidence integrates over it;"
        " `objective` bounds log p(x | phi, alpha)"
    )


ALGORITHM = Algorithm(
    name="vem",
    schedules=("corpus", "token", "document", "nested"),
    excludes="nothing",
    document=vb.document,
    word=word,
    topic=topic,
    logs=True,
    estimate=estimate,
    bound=bound,
    objective=objective,
    inner=log_joint_of_documents,
)
