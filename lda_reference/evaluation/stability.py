"""How stable topics are: which topics of a run come back in runs from other starts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..corpus import Corpus
from ..engine import Algorithm, whole_number
from ..fitting import Fit, Monitor, fit, value_to_stop_by
from ..model import Array, Prior, counts_of, log_joint_collapsed
from .matching import match_topics
from .validation import Halves, completion

SAME = 0.5  # two topics are the same if their total variation distance is below this: they share half of their mass


class Stability(NamedTuple):
    """Runs of one algorithm from several starts, compared with the best of them.

    Attributes
    ----------
    phi_wk : (W, K)
        The topics of the best run, the one with the highest training value.
    best : int
    value : (R,)
        The training value of each run, in nats per token: its bound, without one its objective, for a sampler
        log p(x, z) of its last state.
    perplexity : (R,), or None
        Of the held-out halves.
    distance : (R - 1, K)
        The total variation distance between each topic of the best run and its match in each other run.
    """

    phi_wk: Array
    best: int
    value: Array
    perplexity: Array | None
    distance: Array

    @property
    def comes_back(self) -> Array:
        """(K,): the share of the other runs that have each topic, within a distance of 0.5."""
        return np.mean(self.distance < SAME, axis=0)


def stability(
    c: Corpus,
    K: int,
    A: Algorithm,
    p: Prior,
    runs: int = 10,
    sweeps: int = 100,
    seed: int = 0,
    h: Halves | None = None,
    monitor: Monitor | None = None,
) -> Stability:
    """Run an algorithm from several starts in one pass and match the topics of each run with those of the best.

    Parameters
    ----------
    c, K, A, p, sweeps, seed, monitor
        As in `fit`. Runs that have not converged differ more.
    runs : int, 2 or more
    h : Halves, optional
        Validation documents, of which `perplexity` is computed.

    Examples
    --------
    >>> c = Corpus.from_documents([[0, 0, 1, 1, 0, 1]] * 5 + [[2, 3, 3, 2, 3, 2]] * 5)
    >>> from ..algorithms import named
    >>> stability(c, 2, named("cvb0"), Prior(0.1, 0.1), runs=4, sweeps=50).comes_back
    array([1., 1.])
    """
    runs = whole_number(runs, "runs", 2)
    f = fit(c, K, A, p, sweeps, replicates=runs, seed=seed, monitor=monitor)
    value = _value(A, f, c)
    best = int(np.argmax(value))
    others = [r for r in range(runs) if r != best]
    distance = [match_topics(f.phi_wk[:, r], f.phi_wk[:, best])[1] for r in others]
    scores = None if h is None else np.array([completion(A, h, f.phi_wk[:, r], p, seed) for r in range(runs)])
    return Stability(f.phi_wk[:, best], best, value, scores, np.array(distance))


def _value(A: Algorithm, f: Fit, c: Corpus) -> Array:
    """The training value of each run, in nats per token."""
    if f.state.z is None:
        return np.asarray(value_to_stop_by(A)(f.state, c, f.prior)) / c.N
    K = f.phi_wk.shape[-1]
    return np.array([log_joint_collapsed(*counts_of(z, c, K), f.prior) for z in f.state.z.T]) / c.N
