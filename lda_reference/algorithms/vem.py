"""Variational EM: Blei, Ng and Jordan's hybrid, AWST09 end of §2.3.

The original VB algorithm "did estimate variational posteriors q(theta), the phi were treated as parameters and were
estimated through ML": it has the document term of VB, and the word and topic terms of ML.

    gamma_wjk  ∝  exp(ψ(N_kj + alpha)) N_wk / N_k                                 AWST09 (10), (4)

For LDA the cell "variational EM" of TNW06 Table 1 is EM itself; this hybrid lies outside that table.

The plain text is `plain.updates.VEM`.
"""

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import entropy, posterior_mean, sums_of
from ..engine.state import State
from ..engine.update import MEAN, Term, Update
from ..model import Array, Prior, log_joint_of_documents
from . import ml, vb


def log_word(a: Any, N_wk: Array) -> Array:
    """The logarithm of the count of the word; -inf for a topic without the word."""
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant: a topic without the word never explains it
        return np.log(ml.count(a, N_wk))  # AWST09 (4)


def log_topic(a: Any, N_k: Array) -> Array:
    """The logarithm of the count of the topic."""
    return np.log(ml.topic_count(a, N_k))  # AWST09 (4)


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The posterior mean of theta, and the maximum likelihood estimate of phi."""
    return posterior_mean(s, c, p)[0], ml.estimate(s, c, p)[1]


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on log p(x | phi, alpha) at the best phi and q(theta) for gamma, in nats."""
    N_jk, N_wk, _ = sums_of(s, c)
    document_part = log_joint_of_documents(N_jk, p).sum(0)
    return document_part + ml.log_likelihood(N_wk, 0) + entropy(s, c)


ALGORITHM = Algorithm(
    name="vem",
    update=Update(
        document=vb.TERM,  # AWST09 (10)
        word=Term(log_word, MEAN),
        topic=Term(log_topic, MEAN),
        excludes="nothing",
        logs=True,
    ),
    schedules=("corpus", "token", "document", "block", "nested"),
    estimate_of=estimate,
    bound_of="it maximises over phi where the evidence integrates over it; `objective` bounds log p(x | phi, alpha)",
    objective_of=objective,
    learns=("alpha",),
)
