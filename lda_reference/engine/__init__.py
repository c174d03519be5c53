"""The engine: one update for all algorithms.

    update      a count, a term, the three terms of an update; how a new row is assigned
    counts      sums over documents, words and the corpus; the prior numbers; posterior means, entropy
    schedules   when the sums are refreshed; the sweep row by row
    groups      the rows of a corpus in groups of documents
    in_place    the sweep by groups of documents, which can overwrite gamma
    products    sweeps in `corpus` and `nested` order that make no gamma
    nested      the steps of the schedule that takes each document to convergence
    speculation  draws in turn, many at a time
    sampling    the sweep of a sampler
    starts      where gamma begins
    state       what the next sweep needs
    arguments   checks
    algorithm   Algorithm: init, sweep, estimate, bound, objective
    parallel    sweeps over more than one machine, by dask
    sweepers    what `fit` sweeps, many times
    explain     the update of one row as text

Arrays may carry a replicate axis before the topic axis, (M, R, K): R independent runs at once.
"""

from ..arguments import check_distributions, whole_number
from .algorithm import Algorithm, Learner
from .arguments import checked_gamma, checked_topics
from .counts import column, entropy, mean_of_counts, normalised, posterior_mean, pseudocounts, sums, sums_of
from .explain import explain
from .sampling import mean_one_hot
from .state import State, mean_change, moved, numbers_of
from .update import MEAN, Term, Update, dirichlet, draw, hard, log_gammas, soft, weights

__all__ = [
    "MEAN", "Algorithm", "Learner", "State", "Term", "Update", "check_distributions", "checked_gamma",
    "checked_topics", "column", "dirichlet", "draw", "entropy", "explain", "hard", "log_gammas", "mean_change",
    "mean_of_counts", "mean_one_hot", "moved", "normalised", "numbers_of", "posterior_mean", "pseudocounts", "soft",
    "sums", "sums_of", "weights", "whole_number",
]  # fmt: skip
