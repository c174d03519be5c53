"""The log evidence of counts as a function of the prior, and its gradient: AWST09 §3.1.

Given z, the function of alpha that is maximised is

    L(alpha) = sum_j [log B(alpha + N_j) - log B(alpha)] + sum_k [(c - 1) log alpha_k - d alpha_k]

with B(a) = prod_k Gamma(a_k) / Gamma(sum_k a_k). The first sum is log p(z | alpha). The second is the log density of a
Gamma prior of shape c and rate d, without its constant. For eta there are topics for documents and words for topics.

In a fit z is not known, but its distribution q(z) is. There are two ways to use it:

- plug-in: L at the expected counts, from `plug_in_counts`. VB's bound (2) is this L plus terms without the prior.
- exact: the expectation of L, from `random_counts`. CVB's bound (12) is this expectation plus such terms.

A count n under q(z) is a sum of independent Bernoulli variables. Its generating function G (see `bernoulli`) gives

    E[Ψ(a + n) - Ψ(a)] = ∫_0^∞ e^(-at) (1 - G(e^-t)) / (1 - e^-t) dt

The plug-in value Ψ(a + E[n]) - Ψ(a) is larger, and much larger if a and E[n] are both small. A step that raises L at
the expected counts raises VB's bound, but it can lower CVB's.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma, gammaln

from .. import bernoulli
from ..corpus import Corpus
from ..engine import State, sums_of
from ..engine.groups import sum_statistic
from ..model import Array

SERIES_FROM = 100.0  # from here on the series is used, because differences of log Gamma lose digits


class GammaPrior(NamedTuple):
    """A Gamma prior on each hyperparameter that is learned; the default is flat.

    The shape is 1 or more and the rate 0 or more. A shape above 1 keeps the number above 0, a rate above 0 finite.
    """

    shape: float = 1.0
    rate: float = 0.0


FLAT = GammaPrior()


class FixedCounts(NamedTuple):
    """Counts n (groups, S) that are known, or that are replaced by their expectations.

    A group is a document or a topic; S is the number of components of the prior.
    """

    n: Array

    def log_rising(self, a: Array, order: int) -> Array:
        """The log of the rising factorial Gamma(a + n) / Gamma(a), or its derivative in a (order 1), over the groups.

        >>> FixedCounts(np.array([[2.0]])).log_rising(np.array([3.0]), 0).round(4)  # log (3 * 4)
        array([2.4849])
        """
        log_gamma_or_digamma = (gammaln, digamma)[order]  # or its derivative
        log_ratios = np.asarray(log_gamma_or_digamma(a + self.n) - log_gamma_or_digamma(a))
        if not np.all(a < SERIES_FROM):
            log_ratios = np.where(a < SERIES_FROM, log_ratios, _series(a, self.n, order))
        return log_ratios.sum(0)


def _series(a: Array, n: Array, order: int) -> Array:
    """The same difference by Stirling's series."""
    b = a + n
    x, y = 1 / a, 1 / b
    if order == 0:
        series = (y - x) / 12 - (y**3 - x**3) / 360 + (y**5 - x**5) / 1260
        return (a - 0.5) * np.log1p(n / a) + n * (np.log(b) - 1) + series
    return np.log1p(n / a) + n * x * y / 2 - (y**2 - x**2) / 12 + (y**4 - x**4) / 120 - (y**6 - x**6) / 252


class RandomCounts(NamedTuple):
    """Counts under q(z), as the numbers that the expectations need, summed over the groups.

    `one_minus_G` (Q, S) is E[1 - e^(-nt)] at the nodes of `quadrature`, and `mean` (S,) is E[n].
    """

    one_minus_G: Array
    mean: Array

    def log_rising(self, a: Array, order: int) -> Array:
        """The expectation of `FixedCounts.log_rising`."""
        return bernoulli.log_rising(a, self.mean, self.one_minus_G, order)


class Counts(NamedTuple):
    """The counts from which alpha or eta is learned.

    For alpha `parts` has N_jk, documents by topics, and for eta N_wk transposed, topics by words. `totals` has N_j or
    N_k, with one component.
    """

    parts: FixedCounts | RandomCounts
    totals: FixedCounts | RandomCounts

    @property
    def S(self) -> int:
        """The number of components of the prior."""
        return int(self.parts[-1].shape[-1])  # of the counts, or of their means


def of_one_run(s: State) -> State:
    """The state as it is; one with replicates is refused, because they share one prior."""
    if len(s.shape) != 2:
        raise ValueError(
            f"the state's gamma has shape {s.shape}, expected (M, K): a prior belongs to one run, not to replicates"
        )
    return s


def plug_in_counts(s: State, c: Corpus, side: str) -> Counts:
    """The counts for "alpha" or "eta" at their expectations under q(z). For a sampler's state they are its counts."""
    N_jk, N_wk, N_k = sums_of(of_one_run(s), c)
    part_counts, totals = (N_jk, N_jk.sum(-1)) if side == "alpha" else (N_wk.T, N_k)
    return Counts(FixedCounts(part_counts), FixedCounts(totals[:, None]))


def random_counts(s: State, c: Corpus, side: str) -> Counts:
    """The counts for "alpha" or "eta" as random variables under q(z), for exact expectations of L and its gradient.

    >>> plug_in = FixedCounts(np.array([[0.01]])).log_rising(np.array([0.1]), 1)
    >>> one = bernoulli.statistic(np.array([0.01]))  # a single token
    >>> n = RandomCounts(-np.expm1(bernoulli.log_generating_function(one)), one[0])
    >>> plug_in.round(4), n.log_rising(np.array([0.1]), 1).round(4)  # the expectation is 0.01 / a
    (array([0.9233]), array([0.1]))
    """
    S = sum_statistic(bernoulli.GENERATING_FUNCTION, of_one_run(s).gamma, c)
    if side == "alpha":
        parts = sum(one_minus_G.sum(1) for one_minus_G in _one_minus_G(S.jk))
        return Counts(RandomCounts(parts, S.jk[:, 0].sum(0)), plug_in_counts(s, c, side).totals)  # N_j is observed
    parts = np.concatenate([one_minus_G.sum(2) for one_minus_G in _one_minus_G(S.wk)], 1)
    (totals,) = _one_minus_G(S.k[None])
    return Counts(RandomCounts(parts, S.wk[:, 0].sum(1)), RandomCounts(totals.sum(2), S.k[:1].sum(1)))


def _one_minus_G(S: Array) -> Iterator[Array]:
    """1 - G(e^-t) at the nodes (Q, rows, K), for blocks of rows of the sums S (size, C, K)."""
    return (-np.expm1(bernoulli.log_generating_function(S_rows)) for _, _, S_rows in bernoulli.blocks(0.0, S))


def objective(counts: Counts, a: Any, prior: GammaPrior = FLAT) -> float:
    """L at a hyperparameter, in nats: the log evidence plus the log density of the Gamma prior, unnormalised.

    `a` is one number for all components, or (S,), and the prior is on each number in it.

    >>> n = np.array([[2.0, 0.0]])
    >>> round(objective(Counts(FixedCounts(n), FixedCounts(n.sum(1)[:, None])), 1.0), 4)  # log (1/2 * 2/3)
    -1.0986
    """
    x, prior = per_component(counts, a, prior)
    log_p = counts.parts.log_rising(x, 0).sum() - counts.totals.log_rising(x.sum(), 0).sum()
    return float(log_p + ((prior.shape - 1) * np.log(x) - prior.rate * x).sum())  # AWST09 §3.1


def gradient(counts: Counts, a: Any, prior: GammaPrior = FLAT) -> Any:
    """The gradient of L in log a, of the shape of `a`.

    >>> n = np.array([[2.0, 0.0]])
    >>> round(gradient(Counts(FixedCounts(n), FixedCounts(n.sum(1)[:, None])), 1.0), 4)  # 1 + 1/2 - 2 (1/2 + 1/3)
    -0.1667
    """
    x, prior = per_component(counts, a, prior)
    g = x * (counts.parts.log_rising(x, 1) - counts.totals.log_rising(x.sum(), 1).sum() - prior.rate) + prior.shape - 1
    return g if np.ndim(a) else float(g.sum())


def per_component(counts: Counts, a: Any, prior: GammaPrior) -> tuple[Array, GammaPrior]:
    """The hyperparameter and the Gamma prior of each component.

    If `a` is one number, all components have it, and each gets an equal share of the prior's log density.
    """
    S = counts.S
    x = np.asarray(a, np.float64)
    return (x, prior) if x.ndim else (np.full(S, x), GammaPrior(1 + (prior.shape - 1) / S, prior.rate / S))


def is_constant(counts: Counts, prior: GammaPrior) -> bool:
    """Whether L is constant in the hyperparameter: the prior is flat, and there is one component or no token."""
    return prior == FLAT and (counts.S == 1 or not counts.totals.log_rising(np.ones(1), 1).sum() > 0)
