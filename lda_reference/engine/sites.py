"""Sums of the sites of expectation propagation, in the places of counts."""

import numpy as np

from ..corpus import Corpus
from .counts import Sums, sum_all, sum_rows
from .state import Sites


def sums_of_sites(sites: Sites, c: Corpus) -> Sums:
    """The exponents that all sites together give to theta and phi, in the places of N_jk, N_wk and N_k.

    With held topics the last two are zero.
    """
    n = c.n.astype(np.float64)
    N_jk = sum_rows(sites.jk, n, c.j, c.D)
    N_wk = np.zeros((c.W, *N_jk.shape[1:])) if sites.wk is None else np.tensordot(n, sites.wk, 1)
    return Sums(N_jk, N_wk, sum_all(N_wk))
