"""The Boojum, the conjugate prior of the Dirichlet, and VB with a prior on its hyperparameters: BOO16.

§3. With B(x) = prod_n Gamma(x_n) / Gamma(sum_n x_n), the Boojum is the distribution over positive vectors

    Boojum(x; m, τ)  =  B(x)^m exp(-τ·x) / Z(m, τ)

    Z(m, τ) < ∞   if and only if   τ_n > 0 for all n, m < 1, and (m >= 0 or sum_n exp(-τ_n / |m|) < 1)         Prop. 1

Proposition 1 is for two dimensions or more. In one B(x) = 1, and the Boojum is Exponential(τ) for every m.

    x ~ Boojum(m, τ),  y_p | x ~ Dirichlet(x), p in P   ⟹   x | y ~ Boojum(m - |P|, τ - sum_p log y_p)         Prop. 2

§4. LDA whose hyperparameters are random; alpha is the prior of the documents, and BOO16's beta is `eta` here:

    log p(alpha, beta, theta, phi, z | w, d)  =  log p(alpha) + log p(beta) - D log B(alpha) - K log B(beta)
        + sum_dk (alpha_k - 1) log theta_dk + sum_kw (beta_w - 1) log phi_kw
        + sum_ik 1(z_i = k) (log theta_dk + log phi_kw)                                                            (1)

§5.1. VB with q = q(alpha) q(beta) prod_d q(theta_d) prod_k q(phi_k) prod_i q(z_i)                                 (2)
minimises KL[q || p(· | w, d)]                                                                                     (3)
one factor at a time, q(x) ∝ exp E_q[log p(x, y)]                                                                  (4)
or, where q(x) is kept to one point, x = argmax_x E_q[log p(x, y)].                                                (5)
Figure 2, restored, with adot = alpha_jk and bdot = eta_wk the Dirichlets of theta and phi:

    adot_dk  ←  E[alpha_k] + sum_w n_dw mu_dwk        abar_dk  =  Ψ(sum_k adot_dk) - Ψ(adot_dk)                    [D]
    bdot_kw  ←  E[beta_w] + sum_d n_dw mu_dwk         bbar_kw  =  Ψ(sum_w bdot_kw) - Ψ(bdot_kw)                    [W]
    mu_dwk   ∝  exp(-(abar_dk + bbar_kw)), a sweep of `vb`                                                        [DW]
    q(alpha) ∝  p(alpha) Boojum(alpha; -D, sum_d abar_d)                                                           [d]
    q(beta)  ∝  p(beta) Boojum(beta; -K, sum_k bbar_k)                                                             [w]

§5.2. Figure 3, restored; either choice may be made on either side. EM type 2 has p(alpha) ∝ 1 and q(alpha) a point,

    alpha  ←  Φ(sum_d abar_d / D),    Φ(u) = argmin_x log B(x) + u·x                                               [d]

Full conjugacy has p(beta) = Boojum(K, ζ), so that q(beta) is Boojum(0, ζdot), a product of Exponentials:

    ζdot_w  ←  ζ_w + sum_k bbar_kw,    E[beta_w] = 1 / ζdot_w                                                      [w]

§5.3. EM type 2 always finds its Φ. exp(-abar_dk) = exp E[log theta_dk] < E[theta_dk], and a geometric mean over d is at
most the arithmetic one, so

    sum_k exp(-sum_d abar_dk / D)  <  sum_k sum_d E[theta_dk] / D  =  1.

**Full conjugacy collapses.** Let n0 topics have no token of word w. Given z, the joint probability of z and beta goes
as beta_w^-n0 near 0: it has no integral, and as the posterior sums over all z, it is improper for K >= 2. VB follows
it down. As Ψ(x) ≈ -1/x near 0, such a topic adds bbar_kw ≈ 1 / E[beta_w] to ζdot_w, so with gamma held

    1 / E[beta_w]  ←  n0 / E[beta_w] + C,    C = ζ_w + sum_k Ψ(bdot_k) + n0 · 0.5772 - sum of Ψ(N_wk) over the others,

bdot_k the sum of bdot_kw over words. For n0 >= 2, E[beta_w] shrinks n0-fold with every update, and the bound rises by
(n0 - 1) log n0 nats each time, without end. For n0 = 1 it shrinks as 1 / (C t) after t updates, and the bound
converges. For n0 = 0 it converges to a positive number. A larger ζ makes E[beta_w] smaller still: it bounds it from
above, by 1 / ζ, not from below. Expected counts that are small but positive do not stop it either. They act as 0 while
they are below E[beta_w], and gamma follows exp(-1 / bdot_kw), which is 0 in floating point once bdot_kw < 1/745. On the
document side n0 counts the documents without topic k, and the shrinking is up to D-fold.

EM type 2 divides the same sum by K: 1 / beta_w ← (n0 / K) / beta_w + C', which converges unless no topic has the word.

So the result of full conjugacy depends on the number of sweeps. Choose it on held-out tokens and report it, with how
words that training has not seen are scored, for their probability goes to 0. Or hold eta, or take `em2`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln
from scipy.special import zeta as hurwitz

from ..corpus import Corpus
from ..engine import Learner, State, entropy, sums
from ..model import Array, Prior, log_joint_of_counts

EULER = float(-digamma(1.0))
KINDS = ("vector", "symmetric")


# §3: the distribution ------------------------------------------------------------------------------------------------


class Boojum(NamedTuple):
    """The parameters of a Boojum.

    Attributes
    ----------
    m : float
    tau : (N,)
    """

    m: float
    tau: Array


def log_beta(x: ArrayLike) -> Any:
    """log B(x) over the last axis, B(x) = prod_n Gamma(x_n) / Gamma(sum_n x_n): BOO16 §3.

    Parameters
    ----------
    x : (..., N), > 0

    Returns
    -------
    (...)

    Examples
    --------
    >>> round(float(np.exp(log_beta([2.0, 3.0]))), 6)  # 1! 2! / 4!
    0.083333
    """
    x = np.asarray(x, np.float64)
    return gammaln(x).sum(-1) - gammaln(x.sum(-1))  # BOO16 §3


def log_density(x: ArrayLike, m: float, tau: ArrayLike) -> Any:
    """log B(x)^m exp(-τ·x), the Boojum's density without 1 / Z(m, τ), which has no formula: BOO16 §3.

    Parameters
    ----------
    x : (..., N), > 0
    m : float
    tau : (N,)

    Returns
    -------
    (...)
        In nats.

    Raises
    ------
    ValueError
        If x is not positive, or its last axis is not tau's.

    Examples
    --------
    >>> round(float(log_density([1.0, 2.0], 0, [3.0, 0.5])), 4), round(float(log_density([1.0, 1.0], -2, [1, 1])), 4)
    (-4.0, -2.0)
    """
    q = _boojum(m, tau)
    x = np.asarray(x, np.float64)
    if x.shape[-1:] != q.tau.shape:
        raise ValueError(f"x has shape {x.shape}, expected a last axis of {len(q.tau)}, as tau has")
    _positive(x, "x")
    return q.m * log_beta(x) - (x * q.tau).sum(-1)  # BOO16 §3


def is_proper(m: float, tau: ArrayLike) -> bool:
    """Whether Z(m, τ) is finite: BOO16 Proposition 1, and for N = 1 whether τ > 0.

    The sum of exp(-τ_n / |m|) is compared with 1 in logarithms, without overflow. Where the two differ by less than
    rounding, the answer can be either.

    Parameters
    ----------
    m : float
    tau : (N,)

    Raises
    ------
    ValueError
        If m or tau is not finite, or tau is not a vector of one entry or more.

    Examples
    --------
    >>> is_proper(-1, [0.7, 0.7]), is_proper(-1, [0.69, 0.69])  # log 2 = 0.693...
    (True, False)
    >>> is_proper(1, [1, 1]), is_proper(1, [1])
    (False, True)
    """
    m, tau = _boojum(m, tau)
    if not np.all(tau > 0):
        return False
    if len(tau) == 1:
        return True
    return m < 1 and (m >= 0 or _log_sum_exp(-_over(tau, abs(m))) < 0)  # BOO16 Prop. 1


def posterior(m: float, tau: ArrayLike, y: ArrayLike) -> Boojum:
    """The posterior of a Dirichlet's parameter, whose prior is Boojum(m, τ), given draws from it: BOO16 Proposition 2.

    Parameters
    ----------
    m : float
    tau : (N,)
    y : (P, N), > 0
        Draws, rows sum to 1.

    Returns
    -------
    Boojum
        m - P and τ - sum_p log y_p; proper where the prior is.

    Raises
    ------
    ValueError
        If y has another shape, or an entry that is not positive.

    Examples
    --------
    >>> q = posterior(0, [1.0, 2.0], [[0.5, 0.5], [0.25, 0.75]])
    >>> q.m, q.tau.round(4)
    (-2.0, array([3.0794, 2.9808]))
    """
    q, y = _boojum(m, tau), np.asarray(y, np.float64)
    if y.ndim != 2 or y.shape[1:] != q.tau.shape:
        raise ValueError(f"y has shape {y.shape}, expected (P, {len(q.tau)}): a row for each draw")
    _positive(y, "y")
    return _updated(q, -np.log(y))  # BOO16 Prop. 2


def _updated(q: Boojum, bar: Array) -> Boojum:
    """Boojum(m - P, τ + sum of the rows of `bar`), minus the logs of the draws or the expectations of these."""
    with np.errstate(over="ignore"):  # infinite where it is larger than the floats: `_mean` says so
        return Boojum(q.m - len(bar), q.tau + bar.sum(0))  # BOO16 Prop. 2


def log_marginal(phi_wk: ArrayLike, zeta: ArrayLike = 0.0) -> float:
    """log p(phi) with beta integrated out, for the prior Boojum(K, ζ) of full conjugacy: BOO16 §5.3.

    For K topics phi_k ~ Dirichlet(beta) the powers of B(beta) cancel, and an Exponential's integral is left:

        ∫ B(beta)^K exp(-ζ·beta) prod_k [prod_w phi_kw^(beta_w - 1) / B(beta)] dbeta
            =  prod_kw phi_kw^-1 prod_w 1 / (ζ_w - sum_k log phi_kw)

    The prior is improper, so there is no normaliser to divide by; the value is of the integral itself. It grows without
    bound towards the borders of the simplex: topics are drawn to be sparse. With Boojum(m, ζ), m other than the number
    of topics, what is left is Z(m - K, ·), which has no formula.

    Parameters
    ----------
    phi_wk : (W, K) or (W,), > 0
        Columns sum to 1; a vector is one topic, m = 1.
    zeta : float or (W,), >= 0

    Returns
    -------
    float
        In nats, unnormalised.

    Raises
    ------
    ValueError
        If phi_wk is not positive or does not sum to 1, zeta is negative or of another length, or W = 1 and zeta = 0.

    Examples
    --------
    >>> round(log_marginal([[0.5, 0.5], [0.5, 0.5]]), 4), round(log_marginal([[0.01, 0.99], [0.99, 0.01]]), 4)
    (2.1193, 6.1717)
    """
    phi = np.asarray(phi_wk, np.float64)
    if phi.ndim not in (1, 2) or phi.size == 0:
        raise ValueError(f"phi_wk has shape {phi.shape}, expected (W, K), or (W,) of one topic")
    phi = phi.reshape(len(phi), -1)
    _positive(phi, "phi_wk")
    for k in np.flatnonzero(np.abs(phi.sum(0) - 1) > 1e-9):
        raise ValueError(f"phi_wk[:, {k}] sums to {phi[:, k].sum()}, expected 1")
    logs = np.log(phi)
    rate = _zeta_of(zeta, len(phi), "W") - logs.sum(1)  # BOO16 §5.3
    for w in np.flatnonzero(rate <= 0):
        raise ValueError(f"phi_wk[{w}] is 1 in every topic and zeta is 0: expected two words or more, or zeta > 0")
    return float(-logs.sum() - np.log(rate).sum())  # BOO16 §5.3


# §5.2: the mode ------------------------------------------------------------------------------------------------------


def Phi(u: ArrayLike) -> Array:
    """Φ(u) = argmin_x log B(x) + u·x, the mode of Boojum(-1, u): BOO16 §5.2.

    The objective is convex, with the gradient Ψ(x_n) - Ψ(s) + u_n, s = sum_n x_n. Its Hessian is diagonal plus rank
    one, so Newton's method comes down to one unknown: x_n = Ψ⁻¹(Ψ(s) - u_n), and s solves

        F(log s)  =  log sum_n Ψ⁻¹(Ψ(s) - u_n) - log s  =  0

    by Newton's method in log s, with bisection where a step leaves the bracket or gains too little. Every step takes
    O(N). The bracket: with δ = 1 - sum_n exp(-u_n) and u the largest u_n,

        (N - 1) / (2 u)  <=  s  <=  N / (2 δ),

    the right from x - 1/2 < exp Ψ(x) < x, the left from Ψ(N x) - Ψ(x) > (N - 1) / (2 N x).

    A minimum exists if and only if N >= 2 and δ > 0. Otherwise the objective falls without end as x grows along
    exp(-u_n), or for N = 1, where it is u x, is least at 0. Near δ = 0, s is determined by δ alone: it has as many
    digits as δ.

    Parameters
    ----------
    u : (N,)
        With sum_n exp(-u_n) < 1.

    Returns
    -------
    (N,), > 0

    Raises
    ------
    ValueError
        If N < 2 or the sum of exp(-u_n) is 1 or more.

    Examples
    --------
    >>> Phi([1.5, 0.5])  # Ψ(1 + 1) - Ψ(1) = 1, Ψ(2 + 1) - Ψ(2) = 1/2, Ψ(3) - Ψ(1) = 3/2
    array([1., 2.])
    """
    u = _vector(u, "u")
    log_sum = _has_minimum(u)
    N = len(u)
    low = np.log((N - 1) / 2) - np.log(np.max(u)) - 1e-3  # the margin is for rounding
    high = np.log(N / 2) - np.log(-np.expm1(log_sum)) + 1e-3
    at, before, last = high, np.inf, np.inf
    for _ in range(500):
        s = np.exp(at)
        x = _inverse_digamma(digamma(s) - u)
        F = np.log(x.sum()) - at  # BOO16 §5.2
        slope = _square_trigamma(s) / s * (x / _square_trigamma(x) * (x / x.sum())).sum() - 1
        low, high = (at, high) if F > 0 else (low, at)
        step = -F / slope if slope < 0 else np.inf
        if not (low <= at + step <= high and abs(step) <= 0.5 * before):
            step = (low + high) / 2 - at
        before, last = last, abs(step)
        if F == 0 or abs(step) <= 1e-15 * max(1.0, abs(at)):
            break
        at += step
    return x


def Phi_symmetric(u: ArrayLike) -> float:
    """The number x of least log B(x 1) + x sum_n u_n, the mode of Boojum(-1, u) among equal entries: BOO16 §6.

    The gradient over N is Ψ(x) - Ψ(N x) + mean u. The difference Ψ(N x) - Ψ(x) falls from infinity at x = 0 to log N
    at infinity, so a minimum exists if and only if N >= 2 and mean u > log N; by Jensen's inequality it does wherever
    sum_n exp(-u_n) < 1. The difference lies between log N + (N - 1) / (2 N x) and log N + (N - 1) / (N x). In
    v = 1 / (N x) it is convex, and Newton's method falls to the solution from the right end of that bracket.

    Parameters
    ----------
    u : (N,)
        With mean above log N.

    Returns
    -------
    float, > 0

    Raises
    ------
    ValueError
        If N < 2 or the mean of u is log N or less.

    Examples
    --------
    >>> round(Phi_symmetric([0.5, 1.5]), 12)  # Ψ(2) - Ψ(1) = 1
    1.0
    """
    u = _vector(u, "u")
    N = len(u)
    _two_or_more(N)
    mean = float(u.mean())
    if not mean > np.log(N):
        raise ValueError(
            f"the mean of u is {mean}, expected more than log N = {np.log(N)}: else log B(x 1) + x sum u has no"
            " minimum, it falls without end as x grows"
        )
    v = 2 * (mean - np.log(N)) / (N - 1)
    for _ in range(100):
        s = 1 / v
        F = digamma(s) - digamma(s / N) - mean  # BOO16 §6
        lower = v - F / (N * _square_trigamma(s / N) - _square_trigamma(s))
        if not 0 < lower < v:
            break
        v = lower
    return float(1 / (N * v))


def mode(m: float, tau: ArrayLike) -> Array:
    """The x of largest density B(x)^m exp(-τ·x): Φ(τ / |m|), for m < 0.

    Parameters
    ----------
    m : float, < 0
        From 0 on the density grows without bound, or for an Exponential to 1, as x goes to 0.
    tau : (N,)

    Returns
    -------
    (N,), > 0

    Raises
    ------
    ValueError
        If m >= 0, or as `Phi`: where the distribution is not proper.

    Examples
    --------
    >>> mode(-4, [6, 2])
    array([1., 2.])
    """
    m, tau = _boojum(m, tau)
    if m >= 0:
        raise ValueError(f"m is {m}, expected a negative number: from 0 on the density is largest at x = 0")
    return Phi(_over(tau, -m))  # BOO16 §5.2


def _has_minimum(u: Array) -> float:
    """log sum_n exp(-u_n), which is negative where log B(x) + u·x has a minimum."""
    _two_or_more(len(u))
    log_sum = _log_sum_exp(-u)
    if log_sum >= 0:
        raise ValueError(
            f"the sum of exp(-u) is 1 + {np.expm1(min(log_sum, 700.0)):.3g}, expected less than 1: else log B(x) + u.x"
            " has no minimum, it falls without end as x grows"
        )
    return log_sum


def _two_or_more(N: int) -> None:
    if N < 2:
        raise ValueError("u has 1 entry, expected 2 or more: log B(x) is 0 in one dimension, and u x has no minimum")


def _inverse_digamma(y: Array) -> Array:
    """The x > 0 of Ψ(x) = y, by Newton's method from the limits exp(y) + 1/2 and -1 / (y + 0.577...)."""
    x = np.where(y > -2.22, np.exp(y) + 0.5, -1 / (np.minimum(y, -2.22) + EULER))
    for _ in range(6):  # five reach float64 from either limit
        x = x - (digamma(x) - y) * x * (x / _square_trigamma(x))
    return x


def _square_trigamma(x: Any) -> Any:
    """x² Ψ'(x) = 1 + x² Ψ'(1 + x), which neither overflows nor vanishes near 0."""
    return 1 + x * (x * hurwitz(2.0, 1 + x))


def _log_sum_exp(a: Array) -> float:
    """log sum exp(a), with digits where the sum is near 1."""
    top = int(np.argmax(a))
    if a[top] == -np.inf:
        return -np.inf
    return float(a[top] + np.log1p(np.exp(np.delete(a, top) - a[top]).sum()))


# §5.1: Figure 2 ------------------------------------------------------------------------------------------------------


def document_side(N_jk: Array, alpha: ArrayLike) -> tuple[Array, Array]:
    """[D]: the Dirichlet of each document's theta, adot, and abar = -E[log theta] under it: BOO16 Figure 2.

    Parameters
    ----------
    N_jk : (D, K)
        Expected counts.
    alpha : () or (K,), > 0
        E[alpha].

    Returns
    -------
    alpha_jk, abar_jk : (D, K)

    Examples
    --------
    >>> document_side(np.array([[1.0, 0.0]]), [1, 1])
    (array([[2., 1.]]), array([[0.5, 1.5]]))
    """
    alpha_jk = N_jk + np.asarray(alpha)  # BOO16 Fig. 2 [D], restored
    return alpha_jk, _minus_expected_log(alpha_jk, -1)  # BOO16 Fig. 2 [D], restored


def topic_side(N_wk: Array, eta: ArrayLike) -> tuple[Array, Array]:
    """[W]: the Dirichlet of each topic's phi, bdot, and bbar = -E[log phi] under it: BOO16 Figure 2.

    Parameters
    ----------
    N_wk : (W, K)
        Expected counts.
    eta : () or (W,), > 0
        E[beta].

    Returns
    -------
    eta_wk, bbar_wk : (W, K)

    Examples
    --------
    >>> topic_side(np.array([[1.0], [0.0]]), 1)
    (array([[2.],
           [1.]]), array([[0.5],
           [1.5]]))
    """
    eta_wk = N_wk + np.reshape(np.asarray(eta, np.float64), (-1, 1))  # BOO16 Fig. 2 [W], restored
    return eta_wk, _minus_expected_log(eta_wk, 0)  # BOO16 Fig. 2 [W], restored


def _minus_expected_log(x: Array, axis: int) -> Array:
    return digamma(x.sum(axis, keepdims=True)) - digamma(x)  # BOO16 Fig. 2 [D][W], restored


def alpha_given(abar_jk: Array, prior: Boojum) -> Boojum:
    """[d]: q(alpha) ∝ p(alpha) Boojum(-D, sum_j abar_j), for a prior that is a Boojum: BOO16 Figure 2.

    Proposition 2, with expected logarithms in the place of logarithms.

    Parameters
    ----------
    abar_jk : (D, K)
    prior : Boojum
        (0, 0) is the flat prior.

    Examples
    --------
    >>> alpha_given(np.array([[0.5, 1.5], [1.0, 1.0]]), Boojum(2, np.zeros(2)))
    Boojum(m=0, tau=array([1.5, 2.5]))
    """
    return _updated(prior, abar_jk)  # BOO16 Fig. 2 [d], restored


def eta_given(bbar_wk: Array, prior: Boojum) -> Boojum:
    """[w]: q(beta) ∝ p(beta) Boojum(-K, sum_k bbar_k), for a prior that is a Boojum: BOO16 Figure 2.

    Parameters
    ----------
    bbar_wk : (W, K)
    prior : Boojum

    Examples
    --------
    >>> eta_given(np.array([[0.5, 1.0], [1.5, 1.0]]), Boojum(2, np.zeros(2)))
    Boojum(m=0, tau=array([1.5, 2.5]))
    """
    return _updated(prior, bbar_wk.T)  # BOO16 Fig. 2 [w], restored


# §5.2: Figure 3 ------------------------------------------------------------------------------------------------------


def em2(alpha: str | None = None, eta: str | None = None) -> Learner:
    """A learner of EM type 2: [d] and [w] of BOO16 Figure 3, for `fit(..., "vb", learn=...)`.

    A flat prior, and a q that is a point, (5). `vector` takes alpha to Φ of the mean over documents of abar_j, and eta
    to Φ of the mean over topics of bbar_k; `symmetric`, the baseline of §6, to `Phi_symmetric` of the same. The learner
    is one update. With [D] and [W] at its start, the bound of `vb` does not fall: see `bound`. Begin after a dozen
    sweeps (`learn_after`): in the first, all documents look alike, alpha grows to hundreds and they then stay alike.

    Parameters
    ----------
    alpha, eta : {"vector", "symmetric"} or None
        None holds that side.

    Returns
    -------
    function (state, corpus, prior) -> prior
        It raises a ValueError for a state with replicates and for a side of one dimension, and an ArithmeticError if
        the inequality of §5.3 fails: by rounding, where a prior is so large that it leaves nothing to learn.

    Raises
    ------
    ValueError
        For another kind, or None for both.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = Corpus.from_documents([[0, 0, 1], [0, 1, 1], [2, 2]])
    >>> f = lda.fit(c, 2, "vb", Prior(1, 1), sweeps=5, learn=em2(alpha="symmetric", eta="vector"))
    >>> np.ndim(f.prior.alpha), np.shape(f.prior.eta)
    (0, (3,))
    """
    for name, kind in (("alpha", alpha), ("eta", eta)):
        if kind is not None and kind not in KINDS:
            raise ValueError(f'{name} is {kind!r}, expected "vector", "symmetric" or None')
    if alpha is None and eta is None:
        raise ValueError("alpha and eta are both None: there is nothing to learn")
    return partial(_em2, alpha, eta)


def _em2(of_alpha: str | None, of_eta: str | None, s: State, c: Corpus, p: Prior) -> Prior:
    alpha, eta = p.alpha, p.eta
    N_jk, N_wk = _counts(s, c, p)
    if of_alpha is not None:
        _, abar_jk = document_side(N_jk, alpha)  # BOO16 Fig. 3 [D], restored
        alpha = _point(alpha_given(abar_jk, Boojum(0, np.zeros(abar_jk.shape[1]))), of_alpha, "alpha")
    if of_eta is not None:
        _, bbar_wk = topic_side(N_wk, eta)
        eta = _point(eta_given(bbar_wk, Boojum(0, np.zeros(len(bbar_wk)))), of_eta, "eta")
    return Prior(alpha, eta)


def _point(q: Boojum, kind: str, name: str) -> Any:
    """The best point for q(alpha) or q(beta), where it would be the Boojum q."""
    if len(q.tau) < 2:
        raise ValueError(f"{name} has 1 entry, expected 2 or more: a Dirichlet in one dimension says nothing of it")
    u = q.tau / -q.m  # BOO16 Fig. 3 [d], restored
    if not is_proper(*q):
        raise ArithmeticError(
            f"the sum of exp(-u) is 1 + {np.expm1(_log_sum_exp(-u)):.3g} in the update of {name}, and by BOO16 §5.3"
            f" less than 1: {name} is too large for float64"
        )
    return Phi(u) if kind == "vector" else Phi_symmetric(u)  # BOO16 (5), BOO16 Fig. 3 [d], restored


def conjugate(zeta: ArrayLike = 0.0, alpha: bool = False, eta: bool = True) -> Learner:
    """A learner of full conjugacy: [w] of BOO16 Figure 3, for `fit(..., "vb", learn=...)`.

    The prior of beta is Boojum(K, ζ), of alpha Boojum(D, ζ). The learner updates the rates of their Exponentials and
    puts the means 1 / ζdot in the prior. **The means run to 0 and the bound to infinity**: see the module's docstring
    for why, how fast, and what to do.

    Parameters
    ----------
    zeta : float or vector, >= 0
        Default 0. BOO16 prefers "some small machine value", against a division by 0. There is none in two dimensions
        or more: Ψ grows, so every bbar_kw > 0. Nor does a ζ > 0 keep E[beta_w] from 0.
    alpha, eta : bool
        Which sides. If both, zeta must be a number; else see `in_turn`.

    Returns
    -------
    function (state, corpus, prior) -> prior
        It raises a ValueError for a state with replicates, for a zeta of another length, and where a rate is 0 or has
        grown beyond the floats (in 646 updates at n0 = 3).

    Raises
    ------
    ValueError
        If zeta is negative or not finite, or no side is chosen.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = Corpus.from_documents([[0, 0, 1], [0, 1, 1], [2, 2]])
    >>> f = lda.fit(c, 3, "vb", Prior(0.5, 0.5), sweeps=30, learn=conjugate())
    >>> bool(f.prior.eta.max() < 1e-5)
    True
    """
    if not (alpha or eta):
        raise ValueError("alpha and eta are both False: there is nothing to learn")
    z = np.asarray(zeta, np.float64)
    if alpha and eta and z.ndim:
        raise ValueError(f"zeta has shape {z.shape}, expected a number where alpha and eta are both learnt")
    return partial(_conjugate, _zeta_of(z, z.size, "") if z.ndim else float(_zeta_of(z, 1, "")[0]), alpha, eta)


def _conjugate(zeta: Any, of_alpha: bool, of_eta: bool, s: State, c: Corpus, p: Prior) -> Prior:
    alpha, eta = p.alpha, p.eta
    N_jk, N_wk = _counts(s, c, p)
    if of_alpha:
        _, abar_jk = document_side(N_jk, alpha)
        D, K = abar_jk.shape
        alpha = _mean(alpha_given(abar_jk, Boojum(D, _zeta_of(zeta, K, "K"))), "alpha")  # BOO16 §5.2
    if of_eta:
        _, bbar_wk = topic_side(N_wk, eta)  # BOO16 Fig. 3 [W], restored
        W, K = bbar_wk.shape
        eta = _mean(eta_given(bbar_wk, Boojum(K, _zeta_of(zeta, W, "W"))), "eta")  # BOO16 Fig. 3 [w], restored
    return Prior(alpha, eta)


def _mean(q: Boojum, name: str) -> Array:
    """The mean of Boojum(0, ζdot), an Exponential in each dimension."""
    if q.m != 0:
        raise ArithmeticError(f"m is {q.m} in the update of {name}, expected 0: no other Boojum has a known mean")
    for i in np.flatnonzero(~((q.tau > 0) & np.isfinite(q.tau))):
        to = "0" if q.tau[i] > 0 else "infinity"
        raise ValueError(
            f"the rate of {name}[{i}] is {q.tau[i]}, expected a positive finite number: E[{name}[{i}]] has run to {to}"
        )
    return 1 / q.tau  # BOO16 Fig. 3 [W], restored


def in_turn(*learners: Learner) -> Learner:
    """One learner that calls several, each with the prior of the one before; BOO16 Figure 3 has two.

    Examples
    --------
    >>> figure_3 = in_turn(em2(alpha="vector"), conjugate())
    """
    return partial(_in_turn, learners)


def _in_turn(learners: tuple[Callable[..., Prior], ...], s: State, c: Corpus, p: Prior) -> Prior:
    for learn in learners:
        p = learn(s, c, p)
    return p


# §§4-5.1: what VB climbs ---------------------------------------------------------------------------------------------


def log_joint(
    N_jk: Array, N_wk: Array, theta_jk: Array, phi_wk: Array, p: Prior, of_alpha: Boojum, of_eta: Boojum
) -> float:
    """log p(alpha, beta, theta, phi, z, w | d) for priors that are Boojums, without their normalisers: BOO16 (1).

    Parameters
    ----------
    N_jk, N_wk : (D, K), (W, K)
        The counts of z.
    theta_jk, phi_wk : (D, K), (W, K)
    p : Prior
        alpha and beta.
    of_alpha, of_eta : Boojum
        Their priors.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> half, one = np.full((2, 1), 0.5), np.ones((1, 1))
    >>> round(log_joint(one, half, one, half, Prior(1, 2), Boojum(0, np.zeros(1)), Boojum(0, np.ones(2))), 4)
    -4.2877
    """
    alpha, eta = p.vectors(theta_jk.shape[-1], len(phi_wk))
    of_priors = log_density(alpha, *of_alpha) + log_density(eta, *of_eta)  # BOO16 (1)
    return float(of_priors + log_joint_of_counts(N_jk, N_wk, theta_jk, phi_wk, p))  # BOO16 (1)


def bound(
    s: State, c: Corpus, p: Prior, zeta_alpha: ArrayLike | None = None, zeta_eta: ArrayLike | None = None
) -> float:
    """What VB climbs with a prior on its hyperparameters: minus the KL of BOO16 (3), up to a constant, in nats.

    E_q[(1)] + H(q) with q(theta) and q(phi) at their optimum [D], [W] for gamma and the prior. A side whose prior is
    fixed, or flat with a point for q, adds what it adds to the bound of `vb`:

        sum_k [log B(eta + N_k) - log B(eta)]

    A point has an entropy of -∞, whatever the point, which is left out. A side of full conjugacy has p(beta) =
    B(beta)^K exp(-ζ·beta) / Z and q(beta_w) = Exponential(1 / eta_w). There K E[log B(beta)] of the prior cancels
    with -K E[log B(beta)] of the K Dirichlets, and the entropy of q(beta_w) is 1 + log eta_w, so it adds

        sum_w [1 + log eta_w - ζ_w eta_w] + sum_k log B(eta + N_k),

    exact but for -log Z = -∞, which is left out: values compare for one corpus, K and ζ only.

    gamma, q(theta), q(phi) and the hyperparameters are blocks of coordinates. A sweep of `vb` raises the bound over
    gamma, at the q(theta) and q(phi) of the gamma and prior that it starts from. A learner takes [D] and [W] for the
    new gamma and the old prior, then its own block. Here q(theta) and q(phi) are brought up to date in the end, so
    every sweep and every learner's update raises the value, in this order or another.

    Parameters
    ----------
    s : State
    c : Corpus
    p : Prior
    zeta_alpha, zeta_eta : float or vector, optional
        ζ of a side of full conjugacy; None for the others.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For a state with replicates, or a zeta that is negative or of another length.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = Corpus.from_documents([[0, 1]]), Prior(1, 1)
    >>> s = State(np.full((2, 2), 0.5))
    >>> round(bound(s, c, p), 4), round(bound(s, c, p, zeta_eta=0), 4)
    (-2.2749, -0.2749)
    """
    N_jk, N_wk = _counts(s, c, p)
    alpha, eta = p.vectors(N_jk.shape[1], c.W)
    documents = _side_of_bound(N_jk, alpha, zeta_alpha, "K")
    topics = _side_of_bound(N_wk.T, eta, zeta_eta, "W")
    return float(documents + topics + entropy(s.gamma, c))  # BOO16 (3)


def _side_of_bound(N: Array, x: Array, zeta: ArrayLike | None, letter: str) -> float:
    """Of the Dirichlets with prior x and the counts in the rows of N."""
    if zeta is None:
        return float((log_beta(x + N) - log_beta(x)).sum())  # BOO16 (3)
    own = 1 + np.log(x) - _zeta_of(zeta, len(x), letter) * x  # BOO16 (3)
    return float(own.sum() + log_beta(x + N).sum())  # BOO16 (3)


# Arguments -----------------------------------------------------------------------------------------------------------


def _counts(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    if np.ndim(s.gamma) != 2:
        raise ValueError(
            f"the state's gamma has shape {np.shape(s.gamma)}, expected (M, K): a prior belongs to one run, not to"
            " replicates"
        )
    p.check(s.gamma.shape[-1], c.W)
    N_jk, N_wk, _ = sums(s.gamma, c)
    return N_jk, N_wk


def _boojum(m: float, tau: ArrayLike) -> Boojum:
    if not np.isfinite(m):
        raise ValueError(f"m is {m}, expected a finite number")
    return Boojum(float(m), _vector(tau, "tau"))


def _vector(x: ArrayLike, name: str) -> Array:
    a = np.asarray(x, np.float64)
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"{name} has shape {a.shape}, expected a vector of one entry or more")
    for n in np.flatnonzero(~np.isfinite(a)):
        raise ValueError(f"{name}[{n}] is {a[n]}, expected a finite number")
    return a


def _positive(x: Array, name: str) -> None:
    for at in np.argwhere(~((x > 0) & np.isfinite(x))):
        raise ValueError(f"{name}[{', '.join(map(str, at))}] is {x[tuple(at)]}, expected a positive finite number")


def _zeta_of(zeta: ArrayLike, size: int, letter: str) -> Array:
    z = np.asarray(zeta, np.float64)
    if z.ndim > 1 or (z.ndim and z.size != size):
        raise ValueError(f"zeta has shape {z.shape}, expected a number or {letter} = {size} numbers")
    for n in np.flatnonzero(~((z >= 0) & np.isfinite(z))):
        place = f"zeta[{n}]" if z.ndim else "zeta"
        raise ValueError(f"{place} is {z.flat[n]}, expected a finite number from 0")
    return np.broadcast_to(z, (size,))


def _over(tau: Array, m: float) -> Array:
    """τ / |m|, infinite where it is larger than the floats: exp(-τ / |m|) is 0 there."""
    with np.errstate(over="ignore"):
        return tau / m
