"""Weights of importance sampling: the log of their mean, and bounds of what they estimate.

A weight w is not negative and has the expectation E[w] = Z. By Markov's inequality P(log w > log Z + e) <= exp(-e). A
weight with the expectation 1/Z bounds Z from above. Grosse, Ghahramani and Adams (2015) use the two together.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from ..corpus import Ints
from ..model import Array


class Runs(NamedTuple):
    """The weights of R runs of annealed importance sampling in one direction."""

    log_w: Array  # (R,), in nats
    z: Ints  # (N, R), the last topics: forwards after a sweep at b = 1, backwards after one at b_1
    independent: bool  # backward runs from one z are not


class Interval(NamedTuple):
    """Bounds of log p(x), in nats, which hold together with the stated probability or more."""

    lower: float
    upper: float
    probability: float


def log_mean(log_w: Array) -> tuple[float, float]:
    """The log of the mean of R weights, and the standard error of that mean over the mean.

    For backward runs give -log_w: the result is an estimate of -log p(x). The standard error rests on the spread of the
    weights that were seen, and is too small if large ones are rare.

    >>> value, error = log_mean(np.log([1.0, 3.0]))
    >>> round(value, 6), round(error, 6)
    (0.693147, 0.5)
    """
    R = len(log_w)
    log_of_mean = float(logsumexp(log_w) - math.log(R))
    standard_error = np.std(np.exp(log_w - log_of_mean), ddof=1) / math.sqrt(R) if R > 1 else math.inf
    return log_of_mean, float(standard_error)


def interval(down: Runs, up: Runs, probability: float = 0.95) -> Interval:
    """Bounds of log p(x) that hold together with the given probability or more, for any spread of the weights.

    Each side may fail with probability d = (1 - probability) / 2. Markov's inequality for the mean of forward weights
    and, for independent runs, for their product, each with d / 2, leaves

        log p(x)  >=  max { log mean_r w_r + log(d / 2),   mean_r log w_r + log(d / 2) / R }

    The first is the better one if the weights spread over many nats, the second if they agree. Backwards the same holds
    for 1/w; runs that all begin at one z have only the first, with d in place of d / 2.

    `down` is from `annealed.forwards`, and `up` from `annealed.backwards`.

    >>> one = Runs(np.array([-10.0]), np.zeros((1, 1), np.int64), independent=False)
    >>> found = interval(one, one)  # 10 -+ log 40
    >>> round(found.lower, 4), round(found.upper, 4)
    (-13.6889, -6.3111)
    """
    if not 0 < probability < 1:
        raise ValueError(f"probability is {probability}, expected a number above 0 and below 1")
    d = (1 - probability) / 2
    return Interval(_bound(down.log_w, down.independent, d), -_bound(-up.log_w, up.independent, d), probability)


def _bound(log_w: Array, is_independent: bool, failure_p: float) -> float:
    """A number that is above log E[w] with probability failure_p at most."""
    if not is_independent:
        return log_mean(log_w)[0] + math.log(failure_p)
    return max(log_mean(log_w)[0] + math.log(failure_p / 2), float(log_w.mean()) + math.log(failure_p / 2) / len(log_w))
