"""CVB0: collapsed variational Bayes to zeroth order, AWST09 §2.4.

    gamma_ijk  ∝  (N_wk^-ij + eta) / (N_k^-ij + W eta) (N_kj^-ij + alpha)                          (13)

The N^-ij are expected counts without the current token ij: a row of n tokens takes one out, and n - 1 remain. SN12
reads the update as a minimiser of alpha-divergences, and numbers it (9). `restored` says that the formula was missing
from the copy of SN12 that was read, and was derived again.

The bound is minus the collapsed free energy, TNW06 (12), at gamma. An update of CVB0 can lower it.

The plain text is `plain.updates.CVB0`.
"""

from typing import Any

from ..engine.algorithm import Algorithm
from ..engine.counts import posterior_mean
from ..engine.in_place import KEPT_SUMS
from ..engine.update import MEAN, Term, Update
from ..model import Array
from .collapsed_bound import bound


def smoothed(a: Any, N: Array) -> Array:
    """N_jk + alpha, N_wk + eta, N_k + W eta."""
    return N + a  # AWST09 (13), SN12 (9), restored


# Additive: a sweep adds the prior once, and takes rows out of the sum. A prior below 1e-3 is added row by row.
TERM = Term(smoothed, MEAN, additive=True)

ALGORITHM = Algorithm(
    name="cvb0",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="token"),
    schedules=("token", "document", "block", "corpus"),
    estimate_of=posterior_mean,
    bound_of=bound,
    keeps=KEPT_SUMS,
    objective_of="its updates can lower its bound, TNW06 (12)",
)
