"""Faults that an implementation of these algorithms can easily have, planted into the algorithms of the package.

Each fault replaces one part of an algorithm.
"""

from dataclasses import replace

import numpy as np

import lda_reference as lda

from .helpers import changed

ALL = lda.ALGORITHMS
CGS, GIBBS = ALL["cgs"], ALL["gibbs"]


def with_value(A, **term_functions):
    """The algorithm with other values for some of its terms."""
    return changed(A, **{term_name: replace(getattr(A.update, term_name), value=f, of_rows=None, additive=False) for term_name, f in term_functions.items()})


# Samplers ------------------------------------------------------------------------------------------------------------


def repeated_uniforms(s, c, p, rng, held_topics):
    """The sweep of collapsed Gibbs sampling with the same random numbers every time."""
    return CGS.sweep(s, c, p, uniforms=np.random.default_rng(0).random(s.z.shape))


def mean_parameters(s, c, p, rng):
    """The means of theta and phi, where Gibbs sampling draws them."""
    return GIBBS.estimate(s, c, p)


SAMPLERS = {
    "cgs: a third of W eta": with_value(CGS, topic=lambda a, N_k: N_k + a / 3),
    "cgs: every sweep uses the same uniforms": replace(CGS, sweep_of=repeated_uniforms),
    "gibbs: theta and phi are their means, not drawn": replace(GIBBS, parameters=mean_parameters),
}


# Deterministic algorithms --------------------------------------------------------------------------------------------

UPDATES = {
    "vb: log instead of digamma": with_value(ALL["vb"], document=lambda a, N_jk: np.log(N_jk + a)),
    "cvb0: W instead of W eta": with_value(ALL["cvb0"], topic=lambda a, N_k: N_k + 6),
    "cvb1d: the correction has the wrong sign": with_value(ALL["cvb1d"], topic=lambda a, NV: (NV[0] + a) / (1 - NV[1] / (NV[0] + a) ** 2)),
    "cvb_exact: log of the topic's mean": with_value(ALL["cvb_exact"], topic=lambda a, S: np.log(a + S[0])),  # not E[log(a + n)]
}
