"""Repeating an experiment on new corpora, and how often to repeat it: SOL14 §§3.2, 3.3."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..arguments import check_generator
from ..corpus import Corpus
from ..model import Array
from ..synthetic import Synthetic, draw_from
from .checks import checked_estimates


def bootstrap(c: Corpus, theta_jk: Array, phi_wk: Array, rng: np.random.Generator) -> Synthetic:
    """A corpus of tokens drawn from estimates, with documents as long as those of `c`: SOL14 §3.3.

    Draw a training corpus from the fitted theta and a test corpus from the theta folded in. Document j keeps its label.

    Parameters
    ----------
    c : Corpus
    theta_jk : (D, K), rows sum to 1
    phi_wk : (W, K), columns sum to 1
    rng : numpy.random.Generator

    Returns
    -------
    Synthetic
        With the vocabulary of `c`; some of its words may not occur.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a row of theta or a column of phi is not a distribution.

    Examples
    --------
    >>> c = Corpus([0, 2], [1, 0], [2, 1], D=3, W=2)
    >>> bootstrap(c, np.ones((3, 1)), np.array([[0.0], [1.0]]), np.random.default_rng(0)).corpus.j
    array([0, 0, 2])
    """
    check_generator(rng)
    theta_jk, phi_wk = checked_estimates(c, theta_jk, phi_wk)
    lengths = np.bincount(np.repeat(c.j.astype(np.intp), c.n.astype(np.intp)), minlength=c.D)
    s = draw_from(rng, lengths, theta_jk, phi_wk)  # SOL14 §3.3
    return s._replace(corpus=c.with_rows(s.corpus.j, s.corpus.w, s.corpus.n))


def until_standard_error(values: Iterable[float], below: float = 0.05, least: int = 2) -> tuple[float, float, int]:
    """Take values until the standard error of their mean is below a bound: SOL14 §§3.2-3.3, for accuracies.

    The number of repetitions T depends on the unit. SOL14's published code takes accuracy in percent and T from 52 to
    500. If accuracies are fractions and the bound is 0.05, two that differ by less than 0.1 suffice.

    Parameters
    ----------
    values : iterable of floats
        For example a generator that draws, fits and measures. No more values are taken than needed; limit their number
        by `itertools.islice`.
    below : float
        The bound.
    least : int
        The smallest T. A single value has no standard error.

    Returns
    -------
    mean : float
    standard error : float
        nan for a single value.
    T : int
        Number of values taken: all of them if the bound is not reached.

    Raises
    ------
    ValueError
        If there is no value.

    Examples
    --------
    >>> until_standard_error([1.0, 3.0, 2.0, 2.0, 9.0], below=0.5)
    (2.0, 0.408248290463863, 4)
    """
    seen, error = [], np.nan
    for x in values:
        seen.append(x)
        if len(seen) > 1:
            error = float(np.std(seen, ddof=1) / np.sqrt(len(seen)))  # SOL14 §3.2
        if len(seen) >= least and error < below:
            break
    if not seen:
        raise ValueError("values is empty, expected at least one")
    return float(np.mean(seen)), error, len(seen)
