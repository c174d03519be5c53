"""Learning the prior: Minka's fixed point and Newton's method, AWST09 §3.1 and SN12 §10.

Given z, alpha has the log evidence

    L(alpha) = sum_j [log B(alpha + N_j) - log B(alpha)] + sum_k [(c - 1) log alpha_k - d alpha_k]

the first sum being log p(z | alpha), with B(a) = prod_k Gamma(a_k) / Gamma(sum_k a_k), the second a Gamma prior of
shape c and rate d. Given x and z so has eta, with the topics for documents and the words for topics. For one alpha for
all topics, with one Gamma prior,

    alpha  ←  (c - 1 + alpha sum_j sum_k [Ψ(N_jk + alpha) - Ψ(alpha)]) / (d + K sum_j [Ψ(N_j + K alpha) - Ψ(K alpha)])

and for a vector

    alpha_k  ←  (c - 1 + alpha_k sum_j [Ψ(N_jk + alpha_k) - Ψ(alpha_k)]) / (d + sum_j [Ψ(N_j + A) - Ψ(A)])

with A = sum_k alpha_k. Each is the maximum of a lower bound on L that touches it, so that L never falls, where every
count is 0, or 1 or more, as whole numbers are: log Gamma(a + n) - log Gamma(a) is then convex in log a. For an
expected count between 0 and 1 it is concave, and the proof is lost, though no step was found that lowers L. Under a
distribution q(z) there are two ways:

- plug-in: L at the expected counts. VB's bound (2) is this L, up to what does not depend on the prior;
- exact: the expectation of L. CVB's bound (12) is this. E[Ψ(n + a) - Ψ(a)] comes from the generating function of n,
  see `bernoulli`:

      E[Ψ(a + n) - Ψ(a)] = ∫_0^∞ e^(-at) (1 - G(e^-t)) / (1 - e^-t) dt
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from .. import bernoulli
from ..corpus import Corpus
from ..engine import Learner, State, sums
from ..model import Array, Prior

LOW, HIGH = 1e-8, 1e8  # an optimum outside is reported as one at 0 or at infinity


class Gamma(NamedTuple):
    """A Gamma prior on each hyperparameter that is learned; the default is flat.

    Attributes
    ----------
    shape : float, 1 or more
        Below 1 its density is infinite at 0, and so is the best hyperparameter's.
    rate : float, 0 or more
    """

    shape: float = 1.0
    rate: float = 0.0


FLAT = Gamma()


class Known(NamedTuple):
    """Counts n (groups, S) that are known, or taken for known at their expectations."""

    n: Array

    def rise(self, a: Array, order: int) -> Array:
        """log Gamma(a + n) - log Gamma(a) or a derivative of it in a, summed over the groups: (S,)."""
        of = _difference if np.all(a < LARGE) else lambda *x: np.where(a < LARGE, _difference(*x), _series(*x))
        return np.asarray(of(a, self.n, order)).sum(0)


LARGE = 100.0  # above, the differences lose digits that a series keeps


def _difference(a: Array, n: Array, order: int) -> Array:
    f = (gammaln, digamma, partial(polygamma, 1))[order]
    return np.asarray(f(a + n) - f(a))


def _series(a: Array, n: Array, order: int) -> Array:
    """The same by Stirling's series."""
    b = a + n
    x, y = 1 / a, 1 / b
    if order == 0:
        rest = (y - x) / 12 - (y**3 - x**3) / 360 + (y**5 - x**5) / 1260
        return (a - 0.5) * np.log1p(n / a) + n * (np.log(b) - 1) + rest
    if order == 1:
        return np.log1p(n / a) + n * x * y / 2 - (y**2 - x**2) / 12 + (y**4 - x**4) / 120 - (y**6 - x**6) / 252
    return -n * x * y + (y**2 - x**2) / 2 + (y**3 - x**3) / 6 - (y**5 - x**5) / 30 + (y**7 - x**7) / 42


class Expected(NamedTuple):
    """Counts under q(z): their first two moments and E[1 - e^(-nt)] at the nodes t, all summed over the groups."""

    t: Array  # (Q,)
    falls: Array  # (Q, S)
    mean: Array  # (S,)
    square: Array  # (S,)

    def rise(self, a: Array, order: int) -> Array:
        """The expectation of what `Known.rise` is, by the integral for Ψ and, in a, its integral and its derivative."""
        t, m = self.t[:, None], self.mean
        x = np.exp(-a * t) * self.falls / -np.expm1(-t)
        h, (one, two, _) = bernoulli.STEP, bernoulli.LEFT  # and what lies left of the first node
        if order == 0:
            return h * (m * np.exp(-t) - x).sum(0) + one * (a * m + (self.square - 3 * m) / 2)
        if order == 1:
            return h * (t * x).sum(0) + one * m + two * (m * (0.5 - a) - self.square / 2)
        return -h * (t * t * x).sum(0) - two * m


class Counts(NamedTuple):
    """The counts that one side of the prior is learned from.

    Attributes
    ----------
    parts : Known or Expected
        N_jk of documents by topics, for alpha; N_wk of topics by words, for eta.
    totals : Known or Expected
        N_j or N_k.
    """

    parts: Known | Expected
    totals: Known | Expected


def plug_in(s: State, c: Corpus, side: str) -> Counts:
    """The counts of `alpha` or `eta` at their expectations; of a sampler's state, the counts."""
    N_jk, N_wk, N_k = sums(_single(s).gamma, c)
    n = N_jk if side == "alpha" else N_wk.T
    totals = N_jk.sum(-1) if side == "alpha" else N_k
    return Counts(Known(n), Known(totals[:, None]))


def expected(s: State, c: Corpus, side: str) -> Counts:
    """The counts of `alpha` or `eta` under q(z) = prod gamma: exact expectations of L and of its derivatives.

    The plug-in takes Ψ(E[n] + a) - Ψ(a) for E[Ψ(n + a) - Ψ(a)]. It is larger, and much so where E[n] is below 1 and a
    is small. Its steps raise VB's bound; CVB's they can lower.

    >>> known = Known(np.array([[0.01]])).rise(np.array([0.1]), 1)
    >>> t, m = bernoulli.nodes(LOW), np.array([0.01])  # of one token, so that E[n^2] = E[n]
    >>> exact = Expected(t, -np.expm1(bernoulli.log_generating_function(m, t)), m, m).rise(np.array([0.1]), 1)
    >>> known.round(4), exact.round(4)  # exactly 0.01 / a
    (array([0.9233]), array([0.1]))
    """
    gamma = _single(s).gamma
    t = bernoulli.nodes(LOW)
    N, V = sums(gamma, c), sums(gamma * (1 - gamma), c)
    parts, totals = [], []
    for t_q in t:
        log_G = sums(bernoulli.log_generating_function(gamma, t_q[None])[0], c)
        parts.append((-np.expm1(log_G.jk)).sum(0) if side == "alpha" else (-np.expm1(log_G.wk)).sum(1))
        totals.append((-np.expm1(log_G.k)).sum())
    if side == "alpha":
        of_parts = Expected(t, np.array(parts), N.jk.sum(0), (N.jk**2 + V.jk).sum(0))
        return Counts(of_parts, plug_in(s, c, side).totals)  # N_j is observed
    of_parts = Expected(t, np.array(parts), N.wk.sum(1), (N.wk**2 + V.wk).sum(1))
    of_totals = Expected(t, np.array(totals)[:, None], N.k.sum()[None], (N.k**2 + V.k).sum()[None])
    return Counts(of_parts, of_totals)


def objective(counts: Counts, a: Any, prior: Gamma = FLAT) -> float:
    """L at a hyperparameter, in nats: the log evidence of the counts and the log density of the prior, unnormalised.

    Parameters
    ----------
    counts : Counts
    a : float, or (S,)
        One number for all components, or one each.
    prior : Gamma
        On each number of `a`.
    """
    x, prior = _vector(counts, a, prior)
    value = counts.parts.rise(x, 0).sum() - counts.totals.rise(x.sum(), 0).sum()
    return float(value + ((prior.shape - 1) * np.log(x) - prior.rate * x).sum())  # AWST09 §3.1


def gradient(counts: Counts, a: Any, prior: Gamma = FLAT) -> Any:
    """The gradient of L in log a, of the shape of `a`."""
    g = _derivatives(counts, *_vector(counts, a, prior))[0]
    return g if np.ndim(a) else float(g.sum())


def _derivatives(counts: Counts, x: Array, prior: Gamma) -> tuple[Array, Array, float]:
    """Of L in log x: the gradient, and the Hessian as a diagonal d and a number r, diag(d) + r x x'."""
    A = x.sum()
    inner = x * (counts.parts.rise(x, 1) - counts.totals.rise(A, 1).sum() - prior.rate)
    return prior.shape - 1 + inner, inner + x * x * counts.parts.rise(x, 2), -float(counts.totals.rise(A, 2).sum())


def minka(counts: Counts, a: Any, prior: Gamma = FLAT) -> Any:
    """One step of Minka's fixed point: symmetric from a number, asymmetric from a vector.

    From whole counts L never falls.

    Raises
    ------
    ValueError
        Where the step leads to 0 or to infinity.

    Examples
    --------
    >>> a = 0.5
    >>> for _ in range(4):
    ...     a = minka(Counts(Known(np.array([[3.0, 1], [0, 2]])), Known(np.array([[4.0], [2]]))), a)
    ...     print(round(a, 4))
    0.5395
    0.578
    0.6153
    0.6515
    """
    if _constant(counts, prior):
        return a
    x, prior = _vector(counts, a, prior)
    above = prior.shape - 1 + x * counts.parts.rise(x, 1)
    below = prior.rate + counts.totals.rise(x.sum(), 1).sum() * np.ones_like(x)
    if np.ndim(a) == 0:
        above, below = above.sum(), below.sum()
    with np.errstate(divide="ignore"):
        return _checked(above / below, prior)  # AWST09 §3.1, SN12 §10, restored


def newton(counts: Counts, a: Any, prior: Gamma = FLAT) -> Any:
    """The hyperparameter where the gradient of L in log a is zero, by Newton's method on log a.

    The Hessian is diagonal plus a matrix of rank one, so that a step costs no more than one of Minka's. Where L is not
    concave, or a step would lower it, the diagonal is damped (Levenberg and Marquardt) until the step raises L. The
    scale, which is all that a single number has, is found first, on a grid and then between brackets, so that any start
    will do.

    Raises
    ------
    ValueError
        Where the best is at 0 or at infinity.
    ArithmeticError
        Where a vector has not converged in 1000 steps.

    Examples
    --------
    >>> N_jk = np.array([[3.0, 1], [0, 2], [5, 0]])
    >>> print(round(newton(Counts(Known(N_jk), Known(N_jk.sum(1)[:, None])), 0.5), 6))
    0.337101
    """
    if _constant(counts, prior):
        return a
    x, prior = _vector(counts, a, prior)
    scale = _scale(counts, x, prior)
    if np.ndim(a) == 0:
        return _checked(np.asarray(scale * a), prior)
    x = _checked(x, prior) * (scale if 0 < scale < np.inf else 1.0)
    at, value, damping = _derivatives(counts, x, prior), objective(counts, x, prior), 0.0
    for _ in range(1000):
        g, diagonal, r = at
        step = _uphill(g, diagonal - damping, r, x)
        if np.all(np.abs(step) <= 1e-15):
            break
        better = False
        if np.abs(step).max() <= 5:  # a longer one leaves where the expansion holds
            new = _inside(x * np.exp(step), prior)
            new_at, new_value = _derivatives(counts, new, prior), objective(counts, new, prior)
            flat = abs(new_value - value) <= 1e-13 * (1 + abs(value))  # its digits end before those of the gradient
            better = np.abs(new_at[0]).max() < np.abs(g).max() if flat else new_value > value
        if better:
            x, at, value, damping = new, new_at, new_value, damping / 10
        else:
            damping = max(10 * damping, 1e-9 * max(np.abs(diagonal).max(), np.abs(g).max()))
    if np.any(np.abs(g) > 1e-9 * (1 + x * counts.parts.rise(x, 1))):
        raise ArithmeticError(f"no optimum after 1000 steps: a gradient in log a is {np.abs(g).max():.3g}")
    return x


def _uphill(g: Array, d: Array, r: float, x: Array) -> Array:
    """- Hessian^-1 g by Sherman and Morrison, of the Hessian diag(d) + r x x'; infinite where that is not negative."""
    if not (np.all(d < 0) and 1 + r * (x * x / d).sum() > 0):
        return np.full_like(g, np.inf)
    return (r * x * (x * g / d).sum() / (1 + r * (x * x / d).sum()) - g) / d


def _scale(counts: Counts, m: Array, prior: Gamma) -> float:
    """The number that m must be multiplied by for the best L: Newton's method about its highest summit; or 0, inf."""

    def slopes(u: float) -> tuple[float, float]:
        x = np.exp(u) * m
        g, diagonal, r = _derivatives(counts, x, prior)
        return float(g.sum()), float(diagonal.sum() + r * x.sum() ** 2)

    low, high = np.log(LOW / m.max()), np.log(HIGH / m.min())
    if slopes(low)[0] <= 0:
        return 0.0
    grid = np.append(np.arange(low, high), high)  # L can have more summits than one, and rise to a limit at infinity
    best = int(np.argmax([objective(counts, np.exp(u) * m, prior) for u in grid]))
    if best == len(grid) - 1 and slopes(high)[0] >= 0:
        return np.inf
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    u = min(max(0.0, low), high)
    while True:
        g, curvature = slopes(u)
        low, high = (u, high) if g > 0 else (low, u)
        new = u - g / curvature if curvature < 0 else np.inf
        new = new if low < new < high else (low + high) / 2
        if abs(new - u) <= 1e-15 * max(1.0, abs(u)):
            return float(np.exp(new))
        u = new


STEPS = {"minka": minka, "newton": newton}
COUNTS = {"plug-in": plug_in, "exact": expected}
KINDS = ("symmetric", "asymmetric")


def learner(
    alpha: str | None = "symmetric",
    eta: str | None = "symmetric",
    step: str = "minka",
    counts: str = "plug-in",
    alpha_prior: Gamma = FLAT,
    eta_prior: Gamma = FLAT,
) -> Learner:
    """A learner for `fit`: a function (state, corpus, prior) -> prior.

    Parameters
    ----------
    alpha, eta : {"symmetric", "asymmetric"} or None
        One number, a vector, or as it is.
    step : {"minka", "newton"}
        One step of the fixed point, as in the papers, or the optimum at once.
    counts : {"plug-in", "exact"}
        The expected counts for the counts, or expectations under q(z); of a sampler's state they are the same.
    alpha_prior, eta_prior : Gamma

    Raises
    ------
    ValueError
        For an unknown name or a Gamma prior with shape below 1 or rate below 0. The learner raises one where the best
        hyperparameter is 0 or infinite, and for a state with replicates.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.synthetic.draw(np.random.default_rng(0), [50] * 40, 3, 20, lda.Prior(0.3, 0.1)).corpus
    >>> f = lda.fit(c, 3, "cvb0", sweeps=40, learn=learner(), learn_after=15)
    >>> print(f"{f.prior.alpha:.2f} {f.prior.eta:.2f}")  # CVB0 learns more smoothing than there was
    0.37 0.25
    """
    names = {"alpha": (alpha, KINDS), "eta": (eta, KINDS), "step": (step, STEPS), "counts": (counts, COUNTS)}
    for name, (x, known) in names.items():
        if x not in known and not (x is None and known is KINDS):
            raise ValueError(f"{name} is {x!r}, expected one of {', '.join(known)}")
    for name, prior in (("alpha_prior", alpha_prior), ("eta_prior", eta_prior)):
        if not (prior.shape >= 1 and prior.rate >= 0 and np.isfinite(prior).all()):
            raise ValueError(f"{name} is {prior}, expected a shape of 1 or more and a rate of 0 or more")
    return partial(_learn, {"alpha": (alpha, alpha_prior), "eta": (eta, eta_prior)}, step, counts)


def _learn(
    sides: dict[str, tuple[str | None, Gamma]], step: str, counts: str, s: State, c: Corpus, p: Prior
) -> Prior:
    new = {}
    for side, (kind, prior) in sides.items():
        a: Any = getattr(p, side)
        if kind is None:
            new[side] = a
            continue
        if kind == "asymmetric" and np.ndim(a) == 0:
            a = np.full(s.gamma.shape[-1] if side == "alpha" else c.W, a)
        if kind == "symmetric" and np.ndim(a):
            raise ValueError(f"{side} is a vector, expected a number to start a symmetric one from")
        try:
            new[side] = STEPS[step](COUNTS[counts](s, c, side), a, prior)
        except ValueError as error:
            raise ValueError(f"{side}: {error}") from error
    return Prior(new["alpha"], new["eta"])


def _vector(counts: Counts, a: Any, prior: Gamma) -> tuple[Array, Gamma]:
    """The hyperparameter of each component, and the prior on each: of a single number the prior is shared out."""
    S = _size(counts)
    x = np.asarray(a, np.float64)
    return (x, prior) if x.ndim else (np.full(S, x), Gamma(1 + (prior.shape - 1) / S, prior.rate / S))


def _constant(counts: Counts, prior: Gamma) -> bool:
    """Whether L does not depend on the hyperparameter: one component, or no token."""
    one = np.ones(1)
    return prior == FLAT and (_size(counts) == 1 or not counts.totals.rise(one, 1).sum() > 0)


def _size(counts: Counts) -> int:
    return counts.parts.n.shape[-1] if isinstance(counts.parts, Known) else len(counts.parts.mean)


def _inside(x: Array, prior: Gamma) -> Any:
    zero = x < LOW * max(1.0, x.sum())  # also where its share of all is: of the others only the ratio may count
    return _checked(np.where(zero, 0.0, np.where(x > HIGH, np.inf, x)), prior)


def _checked(x: Array, prior: Gamma) -> Any:
    """x, where it is positive and finite; else an error that says why it cannot be."""
    for k in np.argwhere(~(x > 0)):
        where = "it" if x.ndim == 0 else f"that of component {k[0]}"
        raise ValueError(
            f"the evidence is largest with {where} at 0, as where every document has one topic, or a topic no token:"
            f" a Gamma prior of shape above 1 keeps it positive, this one has {prior.shape:g}"
        )
    for _ in np.argwhere(~(x < np.inf)):
        raise ValueError(
            "the evidence is largest with it at infinity, as where all documents have the same topics: a Gamma prior of"
            f" rate above 0 keeps it finite, this one has {prior.rate:g}"
        )
    return float(x) if x.ndim == 0 else x


def _single(s: State) -> State:
    if s.gamma.ndim != 2:
        raise ValueError(f"the state's gamma has shape {s.gamma.shape}, expected one run: replicates share one prior")
    return s
