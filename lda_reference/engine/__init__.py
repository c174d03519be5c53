"""The engine: one update for all algorithms.

    algorithm   Algorithm: init, sweep, estimate, bound, objective
    update      a count, a term, an update of three terms; the prior numbers; how a row is assigned; a sweep row by row
    counts      N_jk, N_wk and N_k; posterior means, entropy
    groups      the rows of a corpus in groups of documents, and the sums over them
    state       what the next sweep needs
    starts      where gamma begins
    arguments   checks

    in_place    the sweep by groups of documents, which can overwrite gamma
    products    updates that exclude nothing: sweeps that make no gamma, in `corpus` and `nested` order
    sampling    the sweep of a sampler, with draws in turn made many at a time
    sweepers    what `fit` sweeps, many times
    parallel    sweeps over more than one machine, by dask

The first seven have an update and its sweep row by row. The others make sweeps fast. Arrays may carry a replicate axis
before the topic axis, (M, R, K): R independent runs at once.
"""

from .algorithm import Algorithm, Learner
from .arguments import checked_gamma, checked_topics
from .counts import entropy, mean_one_hot, posterior_mean, sums, sums_of
from .state import State, mean_change, moved
from .update import MEAN, Term, Update, draw, hard, pseudocounts, soft, weights

__all__ = [
    "MEAN", "Algorithm", "Learner", "State", "Term", "Update", "checked_gamma", "checked_topics", "draw", "entropy",
    "hard", "mean_change", "mean_one_hot", "moved", "posterior_mean", "pseudocounts", "soft", "sums", "sums_of",
    "weights",
]  # fmt: skip
