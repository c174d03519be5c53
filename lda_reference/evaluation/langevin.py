"""The bias of stochastic gradient Langevin dynamics with a constant step, against exact moments of the posterior."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..algorithms import sgrld
from ..arguments import check_generator
from ..corpus import Corpus
from ..engine import whole_number
from ..model import Array, Prior
from ..truth import table_posterior


class Bias(NamedTuple):
    """What a constant step does to E[sum_k phi_wk phi_w'k | x].

    Attributes
    ----------
    bias : (W, W)
        The mean over the runs, minus the exact value.
    error : (W, W)
        The standard error of the mean over the runs.
    """

    bias: Array
    error: Array


def bias(
    c: Corpus,
    K: int,
    p: Prior,
    step: float,
    batch: int,
    rng: np.random.Generator,
    runs: int = 8,
    replicates: int = 100,
    time: float = 30.0,
    sweeps: int = 1,
) -> Bias:
    """The bias of `sgrld.run`, and its standard error.

    The first third of the steps is left out. x moves by about sqrt(step) in a step, so runs of the same
    time = step · number of steps are equally long for all steps. The replicates of a run share its batches, so the
    error is that of the means over the runs.

    Parameters
    ----------
    c : Corpus, small: see `truth.tables`
    K : int
    p : Prior
    step : float, > 0
    batch : int, 1 or more
        The number of documents in a batch; D or more for all.
    rng : numpy.random.Generator
    runs : int, 2 or more
    replicates : int, 1 or more
        The number of chains in a run.
    time : float, > 0
        Of the averaged steps.
    sweeps : int, 1 or more
        Over the batch's tokens, in a step.

    Returns
    -------
    Bias

    Raises
    ------
    ValueError
        If the sum over tables is too large, see `truth.tables`, or an argument is out of range.

    Examples
    --------
    >>> c = Corpus.from_documents([[0, 0], [1]], W=2)
    >>> found = bias(c, 2, Prior(1, 1), step=0.5, batch=1, rng=np.random.default_rng(0), runs=2, replicates=5)
    >>> found.bias.shape, found.error.shape
    ((2, 2), (2, 2))
    """
    check_generator(rng)
    whole_number(runs, "runs", 2)
    if not time > 0:
        raise ValueError(f"time is {time}, expected a positive number")
    exact, steps, means = table_posterior.moments(c, K, p).phi, int(np.ceil(time / step)), []
    for _ in range(runs):
        s = sgrld.init(c, K, p, rng, replicates)
        s, _ = sgrld.run(s, c, p, batch, step, steps // 2 + 1, rng, sweeps)
        means.append(sgrld.run(s, c, p, batch, step, steps, rng, sweeps)[1].mean(0))
    return Bias(np.mean(means, 0) - exact, np.std(means, 0, ddof=1) / np.sqrt(runs))
