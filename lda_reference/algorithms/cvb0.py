"""CVB0: collapsed variational Bayes to zeroth order, AWST09 §2.4.

    gamma_ijk  ∝  (N_wk^-ij + eta) / (N_k^-ij + W eta) (N_kj^-ij + alpha)                          (13)

The N^-ij are expected counts without the current token ij: of a row of n tokens one is taken out, n - 1 remain.
SN12 reads it as a minimiser of alpha-divergences, and numbers it (9).

Its bound is the collapsed free energy, TNW06 (12), at gamma; CVB0 does not climb it.
"""

from typing import Any

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, posterior_mean
from ..model import Array, Prior
from .cvb_exact import bound


def document(q: Smoothing, N_jk: Array) -> Array:
    return N_jk + q.alpha  # AWST09 (13), SN12 (9), restored


def word(q: Smoothing, N_wk: Array) -> Array:
    return N_wk + q.eta  # AWST09 (13), SN12 (9), restored


def topic(q: Smoothing, N_k: Array) -> Array:
    return N_k + q.W_eta  # AWST09 (13), SN12 (9), restored


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("cvb0 climbs no function that is known; `bound` is the collapsed bound TNW06 (12) at its gamma")


ALGORITHM = Algorithm(
    name="cvb0",
    schedules=("token", "document", "corpus"),
    excludes="token",
    document=document,
    word=word,
    topic=topic,
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
)
