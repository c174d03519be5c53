"""The Monte Carlo error of a chain by batch means, and the rule for stopping of SOL14 §2.4.

Average quantities that do not depend on how the topics are numbered: whether two tokens share a topic,
`log_joint_collapsed`, the probability of held-out tokens. Averages of the topics' numbers, which SOL14's published code
computes, mean nothing: if alpha is symmetric, the posterior mean of an indicator of a topic is 1/K.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import finite, positive


class Batches(NamedTuple):
    """The sums over the draws so far; `Batches()` before the first draw.

    The length of a batch should be well above the number of draws over which the chain is correlated; otherwise the
    standard error is too small, even for a long chain.
    """

    draws: int = 0
    batch: Any = 0.0  # the mean of the draws of the current batch
    mean: Any = 0.0  # of the means of the complete batches
    squares: Any = 0.0  # the sum of the squared differences of these means from their mean
    length: int = 50  # the number of draws in a batch, SOL14 §2.4


def add_draw(s: Batches, x: ArrayLike) -> Batches:
    """The batches after one more draw, SOL14 §2.4.

    x holds finite numbers, in the same shape for all draws; booleans count as 0 and 1. Else there is a ValueError.

    >>> s = Batches(length=2)
    >>> for x in ([1, 0], [0, 1], [1, 0], [1, 0], [0, 1]):
    ...     s = add_draw(s, x)
    >>> mean_of_draws(s), standard_error(s)
    (array([0.6, 0.4]), array([0.25, 0.25]))
    """
    x = np.array(x, np.float64)  # a copy: the caller may change its array later
    if s.draws and x.shape != np.shape(s.batch):
        raise ValueError(f"x has shape {x.shape}, expected that of the draws before, {np.shape(s.batch)}")
    if x.size == 0:
        raise ValueError(f"x has shape {x.shape}, expected at least one entry")
    finite(x, "x")
    if s.length < 1:
        raise ValueError(f"length is {s.length}, expected 1 or more")
    draws_in_batch = s.draws % s.length
    batch_mean = x if draws_in_batch == 0 else s.batch + (x - s.batch) / (draws_in_batch + 1)  # SOL14 §2.4
    s = s._replace(draws=s.draws + 1, batch=batch_mean)
    if draws_in_batch + 1 < s.length:
        return s
    # a plain sum of squares would lose all digits if the mean is far from 0
    mean_difference = batch_mean - s.mean
    new_mean = s.mean + mean_difference / (s.draws // s.length)  # SOL14 §2.4
    return s._replace(mean=new_mean, squares=s.squares + mean_difference * (batch_mean - new_mean))  # SOL14 §2.4


def mean_of_draws(s: Batches) -> Any:
    """The mean of all draws, including those of an incomplete batch; a ValueError if there is none. SOL14 §2.4.

    >>> mean_of_draws(add_draw(add_draw(Batches(), [0, 1]), [1, 1]))
    array([0.5, 1. ])
    """
    if s.draws == 0:
        raise ValueError("draws is 0, expected at least one draw")
    draws_in_batch = s.draws % s.length
    return (draws_in_batch * s.batch + (s.draws - draws_in_batch) * s.mean) / s.draws  # SOL14 §2.4


def standard_error(s: Batches) -> Any:
    """The Monte Carlo standard error of the mean of the complete batches, for each entry. SOL14 §2.4.

    If V is the sample variance of the means of a batches of b draws, then b V estimates the variance of the chain
    (Jones and Haran 2006), and sqrt(b V / (a b)) the standard error.

    It is nan if fewer than two batches are complete, and 0 where all batches have the same mean.

    >>> s = Batches(length=1)
    >>> for x in (1.0, 3.0):
    ...     s = add_draw(s, x)
    >>> float(standard_error(s))
    1.0
    """
    n_batches = s.draws // s.length
    if n_batches < 2:
        return np.full(np.shape(s.batch), np.nan)
    return np.sqrt(s.squares / (n_batches - 1) / n_batches)  # SOL14 §2.4


def converged(s: Batches, tolerance: float = 0.03) -> bool:
    """Whether the largest standard error of all entries is below the tolerance: SOL14's rule for stopping, §2.4.

    False if fewer than two batches are complete. Two batches give a poor estimate of a variance; SOL14's published code
    waits for five. If several arrays are averaged, stop when all have converged.

    >>> s = Batches(length=2)
    >>> for x in (0, 1, 0, 1):
    ...     s = add_draw(s, x)
    >>> converged(s), converged(add_draw(Batches(), 0.5))
    (True, False)
    """
    positive(tolerance, "tolerance")
    return bool(np.max(standard_error(s)) < tolerance)  # SOL14 §2.4
