"""CVB, CVB0 and CVB1 as minimisers of alpha-divergences, SN12 §§5-8, by enumeration on tiny corpora.

The order of the divergence, SN12's alpha, is `a` here: `alpha` is the prior of the documents. The formulas of SN12
were lost when it was machine-read; all equations are derived afresh, and their numbers follow its running text.

    D_a[p || q] = ∫ (a p(x) + (1-a) q(x) - p(x)^a q(x)^(1-a)) dx / (a (1-a))                            (12)

At a minimum over one factor of a fully factorised q,

    q(x_i)  ∝  E_q(x\\i)[(p(x) / q(x\\i))^a]^(1/a)                                                       (18)

and, with p(x\\i) in p(x) = p(x_i | x\\i) p(x\\i) replaced by q(x\\i),

    q(x_i)  ∝  E_q(x\\i)[p(x_i | x\\i)^a]^(1/a),                                                         (20)

which minimises D_a[p(x_i | x\\i) q(x\\i) || q(x_i) q(x\\i)], a divergence for each i                   (21)

Every update here is a power mean, E[x^a]^(1/a), over the K^(N-1) assignments of the other tokens; a token sees them
all at the gamma that is given. Powers other than 0 and ±1 have no short form, which is why nobody runs these updates;
they say what the ones that are run minimise.

Theorem 1. If x is a random variable that is not negative, and a_2 > a_1 are real,

    E[x^a_2]^(1/a_2)  >=  E[x^a_1]^(1/a_1)   and   E[x^a]^(1/a) → exp E[log x]  for a → 0               (46)

(where an exponent is negative and x may be 0, its mean is 0, as the limit x → 0 has it). So (20) at a → 0 is exact CVB,
SN12 (5) and (47): the normaliser of the conditional adds E[log of it], the same for every topic. So too each of the
three terms of CVB0 stands on one side of exact CVB's: document and word (a = 1) above, topic (a = -1) below it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from ..corpus import Corpus
from ..model import Array, Prior, log_joint_collapsed
from .exact import _assignments, _tiny

TABLE_1: dict[str, tuple[float, float, float]] = {
    "vb": (0, 0, 0),
    "cvb": (0, 0, 0),
    "cvb0": (1, 1, -1),
    "ep": (1, 1, 1),
    "cvb1": (1, 1, 1),
}
"""SN12 Table 1, restored: the orders of the document, the word and the topic term of each inference.

The table has two columns, whether the parameters are marginalised and the order. CVB and CVB0 marginalise
(`MARGINALISED`): their row is the `a` of `three_parameter_projection`. VB and EP do not; theirs is the one order of a
projection of z, theta and phi. CVB1 is not in the table but in (48). CVB0's order is lost; (43) gives it.
"""

MARGINALISED = frozenset({"cvb", "cvb0", "cvb1"})
"""The rows of `TABLE_1` that are projections of z alone, with theta and phi integrated out."""

OF = ("conditional", "joint")


# §5: the divergence and its means -----------------------------------------------------------------------------------


def divergence(log_p: ArrayLike, log_q: ArrayLike, a: float) -> float:
    """The alpha-divergence D_a[p || q] of two measures on a finite set, SN12 (12).

        D_a[p || q] = sum_x (a p + (1-a) q - p^a q^(1-a)) / (a (1-a))

    Neither need be normalised. It is never negative, and 0 only at p = q. D_a[p || q] = D_(1-a)[q || p], and

    ====  =======================================  =================
    a     D_a[p || q]
    ====  =======================================  =================
    -1    1/2 sum (q - p)² / p                     inverse chi²
    0     KL[q || p] = sum q log(q/p) - q + p      a limit
    1/2   2 sum (√p - √q)²                         Hellinger
    1     KL[p || q] = sum p log(p/q) - p + q      a limit
    2     1/2 sum (p - q)² / q                     chi²
    ====  =======================================  =================

    Near a = 0 and 1, and near p = q, (12) is a small difference divided by a small number. With u = log(p/q) and
    f(v) = e^v - 1 - v it is q (f(u) - f(a u)/a) / (1-a), which has digits there and holds at a = 0 too.

    Parameters
    ----------
    log_p, log_q : arrays of one shape
        Natural logarithms; -inf where p or q is 0.
    a : float
        Any finite number.

    Returns
    -------
    float
        In nats at a = 0 and 1. Infinite where p = 0 < q and a <= 0 ("zero-forcing"), and where q = 0 < p and a >= 1.

    Raises
    ------
    ValueError
        If the shapes differ, a logarithm is NaN or +inf, or a is not finite.

    Examples
    --------
    >>> p, q = np.log([0.5, 0.5]), np.log([0.2, 0.8])
    >>> [round(divergence(p, q, a), 4) for a in (-1, 0, 0.5, 1, 2)]
    [0.18, 0.1927, 0.2053, 0.2231, 0.2812]
    >>> divergence([0, -np.inf], [0, 0], 0.5), divergence([0, -np.inf], [0, 0], 0)
    (2.0, inf)
    """
    log_p, log_q = _logs(log_p, "log_p"), _logs(log_q, "log_q")
    if log_p.shape != log_q.shape:
        raise ValueError(f"log_q has shape {log_q.shape}, expected that of log_p, {log_p.shape}")
    a = _order(a, "a")
    if a > 0.5:
        log_p, log_q, a = log_q, log_p, 1 - a
    top = max(np.max(log_p, initial=-np.inf), np.max(log_q, initial=-np.inf))
    if top == -np.inf:
        return 0.0
    in_p, in_q = log_p > -np.inf, log_q > -np.inf
    u = log_p[in_p & in_q] - log_q[in_p & in_q]
    log_p, log_q = log_p - top, log_q - top  # D_a[s p || s q] = s D_a[p || q]
    with np.errstate(over="ignore"):  # what is larger than the floats is infinite
        total = np.sum(_divergences(log_p[in_p & in_q], log_q[in_p & in_q], u, a))
        total += np.sum(np.exp(log_p[~in_q])) / (1 - a)  # SN12 (12), restored
        if np.any(in_q & ~in_p):
            total += np.sum(np.exp(log_q[~in_p])) / a if a > 0 else np.inf  # SN12 (12), restored
        return float(np.exp(top / 2) * total * np.exp(top / 2)) if 0 < total < np.inf else float(total)


def power_mean(x: ArrayLike, weights: ArrayLike, a: float) -> Any:
    """E[x^a]^(1/a), at a = 0 its limit exp E[log x]: SN12 Theorem 1.

    It grows with a, from the least x at a = -inf to the largest at inf: Liapunov's inequality (46).

    Parameters
    ----------
    x : (B, ...), not negative
    weights : (B,), not negative
        Probabilities of the outcomes, up to a common factor. Outcomes of weight 0 do not count, whatever their x.
    a : float
        Any finite number. At a <= 0 an x of 0 makes the mean 0.

    Returns
    -------
    (...)

    Raises
    ------
    ValueError
        If x is negative or not finite, weights are not as many or not weights, or a is not finite.

    Examples
    --------
    >>> [round(float(power_mean([1, 4], [0.5, 0.5], a)), 4) for a in (-1, 0, 0.5, 1, 2)]
    [1.6, 2.0, 2.25, 2.5, 2.9155]
    """
    x = np.asarray(x, np.float64)
    if not np.all((x >= 0) & np.isfinite(x)):
        raise ValueError(f"x holds {x[~((x >= 0) & np.isfinite(x))][0]}, expected finite numbers from 0")
    with np.errstate(divide="ignore"):
        return np.exp(log_power_mean(np.log(x), weights, a))


def log_power_mean(log_x: ArrayLike, weights: ArrayLike, a: float) -> Any:
    """log E[x^a] / a of log x, at a = 0 its limit E[log x]: `power_mean` in logs.

    With d = log x - E[log x] it is E[log x] + log(1 + E[f(a d)]) / a, f(v) = e^v - 1 - v, which has digits near a = 0.

    Parameters
    ----------
    log_x : (B, ...)
        -inf where x is 0.
    weights : (B,)
    a : float

    Returns
    -------
    (...)

    Examples
    --------
    >>> log_power_mean([-1000.0, -1002.0], [1, 1], 0), log_power_mean([-1000.0, -1002.0], [1, 1], 1e-9).round(10)
    (np.float64(-1001.0), np.float64(-1000.9999999995))
    """
    log_x, a = _logs(log_x, "log_x"), _order(a, "a")
    w = _weights(weights, log_x)
    log_x, w = log_x[w > 0], w[w > 0]
    if np.any(log_x == -np.inf):
        return _with_zeros(log_x, w, a)
    w = w.reshape(-1, *(1,) * (log_x.ndim - 1))
    mean = (w * log_x).sum(0)
    if a == 0:
        return mean  # SN12 (46), restored
    v = a * (log_x - mean)
    near = np.abs(v).max(0) <= 1
    small = np.log1p((w * _excess(np.where(near, v, 0.0))).sum(0))
    return mean + np.where(near, small, logsumexp(v + np.log(w), axis=0)) / a  # SN12 (46), restored


# §6: local projections ----------------------------------------------------------------------------------------------


def global_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: float) -> Array:
    """The minimum of D_a[p(x, z) || q(z)] over one token's factor of q, SN12 (18), for every token.

        q(z_i = k)  ∝  E_q(z^-i)[(p(x, z) / q(z^-i))^a]^(1/a)

    At a = 0 it is exact CVB. At a = 1 it is the exact posterior p(z_i = k | x), whatever the gamma: this is the
    "intractable" from which (20) departs.

    Parameters
    ----------
    gamma : (N, K)
        Of the tokens: q of the others.
    c : Corpus
        Of N tokens, K^N at most 2^22.
    K : int
    p : Prior
    a : float

    Returns
    -------
    (N, K), rows sum to 1

    Raises
    ------
    ValueError
        As `local_projection`; and where a >= 1 and a gamma is 0: D_a is then infinite, as p(x, z) is never 0.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0]], W=2), lda.Prior([2, 1], 1)
    >>> global_projection([[0.5, 0.5], [0.1, 0.9]], c, 2, p, 1).round(4), lda.exact.posterior(c, 2, p).gamma.round(4)
    (array([[0.6818, 0.3182],
           [0.6818, 0.3182]]), array([[0.6818, 0.3182],
           [0.6818, 0.3182]]))
    """
    t, gamma = _problem(gamma, c, K, p)
    a = _order(a, "a")
    if a >= 1 and np.any(gamma == 0):
        i, k = np.argwhere(gamma == 0)[0]
        raise ValueError(f"gamma[{i}, {k}] is 0, expected a positive number: D_a of order {a} >= 1 is infinite there")
    log_p = np.concatenate([log_joint_collapsed(N_jk, N_wk, p) for _, N_jk, N_wk in _assignments(t, K)])
    log_q = np.empty((t.N, K))
    for i in range(t.N):
        weights = _others(gamma, t, K, i)[0]
        log_p_i = np.moveaxis(log_p.reshape((K,) * t.N), i, -1).reshape(-1, K)  # the others' assignments by topics
        seen = weights > 0
        log_q[i] = log_power_mean(
            log_p_i[seen] - np.log(weights[seen])[:, None], weights[seen], a
        )  # SN12 (18), restored
    return _normalised(log_q)


def local_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: float, of: str = "conditional") -> Array:
    """The minimum of D_a[p(z_i | z^-i, x) q(z^-i) || q(z_i) q(z^-i)], SN12 (20) and (21), for every token.

        q(z_i = k)  ∝  E_q(z^-i)[p(z_i = k | z^-i, x)^a]^(1/a)

    with the conditional of collapsed Gibbs sampling, TNW06 (8). At a = 0 it is exact CVB, and at a = 1 EP.

    Parameters
    ----------
    gamma : (N, K)
        Of the tokens: q of the others.
    c : Corpus
        Of N tokens, K^N at most 2^22; a row of count n stands for n tokens, in row order.
    K : int
    p : Prior
    a : float
    of : {"conditional", "joint"}
        What is projected, p(z_i = k | z^-i, x), or p(z_i = k, x_i | z^-i, x^-i) ∝ TNW06 (8) before it is normalised:
        see `expectation_propagation`.

    Returns
    -------
    (N, K), rows sum to 1

    Raises
    ------
    ValueError
        If gamma is not (N, K) or its rows are not probabilities, a is not finite, `of` is neither, or K^N is too large.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, gamma = lda.Corpus.from_documents([[0, 0, 0]], W=2), [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]]
    >>> for a in (-1, 0, 1):
    ...     print(local_projection(gamma, c, 2, lda.Prior(0.5, 0.5), a)[0].round(4).tolist())
    [0.3674, 0.6326]
    [0.3955, 0.6045]
    [0.4214, 0.5786]
    """
    t, gamma = _problem(gamma, c, K, p)
    if of not in OF:
        raise ValueError(f'of is {of!r}, expected "conditional" or "joint"')
    log_q = np.empty((t.N, K))
    for i in range(t.N):
        weights, *counts = _others(gamma, t, K, i)
        document, word, topic = _log_terms(p, t, i, *counts)
        log_x = document + word - topic  # TNW06 (8)
        if of == "conditional":
            log_x -= logsumexp(log_x, axis=-1, keepdims=True)  # TNW06 (8)
        log_q[i] = log_power_mean(log_x, weights, a)  # SN12 (20), restored
    return _normalised(log_q)


# §7: CVB0 -----------------------------------------------------------------------------------------------------------


def expectation_propagation(gamma: ArrayLike, c: Corpus, K: int, p: Prior, of: str = "conditional") -> Array:
    """The projection with a = 1, or EP, for every token: SN12 (22) and (23), in both readings.

        of="conditional"    q(z_i = k)  ∝  E[p(z_i = k | z^-i, x)]
        of="joint"          q(z_i = k)  ∝  E[(n_jk^-i + alpha_k) (n_wk^-i + eta) / (n_k^-i + W eta)]

    (21) speaks of the conditional; SN12 derives (23) a second way, from the bound of CVB with its logarithm moved out
    of the expectation, which gives the joint. The joint is p(z_i = k, x_i | z^-i, x^-i), up to the length of the
    document. So it is the conditional under a q(z^-i) reweighted by p(x_i | z^-i, x^-i): assignments that
    explain the word count for more. As a → 0 the normaliser of the conditional becomes a factor of all topics alike,
    and the readings agree. The exact posterior obeys the first, Callen's equation TNW06 (9), not the second.

    Parameters
    ----------
    As `local_projection`.

    Returns
    -------
    (N, K), rows sum to 1

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, gamma = lda.Corpus.from_documents([[0, 0, 0]], W=2), [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]]
    >>> for of in OF:
    ...     print(expectation_propagation(gamma, c, 2, lda.Prior(0.5, 0.5), of)[0].round(4).tolist())
    [0.4214, 0.5786]
    [0.4195, 0.5805]
    """
    return local_projection(gamma, c, K, p, 1, of)  # SN12 (22), restored; SN12 (23), restored


def three_parameters(
    gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: tuple[float, float, float]
) -> tuple[Array, Array, Array]:
    """The logs of a_t, b_t and c_t of q(z_i = k) ∝ a_t b_t c_t, SN12 (24)-(42).

        a_t = E[(n_jk^-i + alpha_k)^a]^(1/a)       b_t = E[(n_wk^-i + eta)^a]^(1/a)
        c_t = E[(n_k^-i + W eta)^-a]^(1/a)

    each with an order of its own. They are minima of divergences that are not normalised over the topics, the two
    factors that rest being numbers, the same on both sides:

        a_t  of  D_a[(n_jk^-i + alpha_k) b_t c_t q(z^-i)  ||  a_t b_t c_t q(z^-i)],

    summed over k and z^-i; likewise b_t and c_t. The minimum does not depend on b_t and c_t, so updating the three in
    order is updating them at once. It would depend on them if they were the counts' own terms, functions of z^-i.

    Parameters
    ----------
    gamma : (N, K)
        Of the tokens: q of the others.
    c : Corpus
    K : int
    p : Prior
    a : three floats
        For the document, the word and the topic: any finite numbers.

    Returns
    -------
    log_a_t, log_b_t, log_c_t : (N, K)

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0]], W=2), lda.Prior(1, 1)
    >>> for x in three_parameters([[0.5, 0.5], [0.1, 0.9]], c, 2, p, (1, 1, -1)):
    ...     print(np.exp(x[0]).round(4))  # the neighbour adds 0.1 and 0.9: 1 + E[n_jk], 1 + E[n_wk], 1 / (2 + E[n_k])
    [1.1 1.9]
    [1.1 1.9]
    [0.4762 0.3448]
    """
    t, gamma = _problem(gamma, c, K, p)
    if len(a) != 3:
        raise ValueError(f"a has {len(a)} entries, expected 3: of the document, the word and the topic")
    orders = [_order(x, f"a[{i}]") for i, x in enumerate(a)]
    log_a_t, log_b_t, log_c_t = np.empty((3, t.N, K))
    for i in range(t.N):
        weights, *counts = _others(gamma, t, K, i)
        document, word, topic = _log_terms(p, t, i, *counts)
        log_a_t[i] = log_power_mean(document, weights, orders[0])  # SN12 (24)-(42), restored
        log_b_t[i] = log_power_mean(word, weights, orders[1])  # SN12 (24)-(42), restored
        log_c_t[i] = log_power_mean(-topic, weights, orders[2])  # SN12 (24)-(42), restored
    return log_a_t, log_b_t, log_c_t


def three_parameter_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: tuple[float, float, float]) -> Array:
    """q(z_i = k) ∝ a_t b_t c_t of `three_parameters`, SN12 (24)-(42), for every token.

    The counts are without the token. (1, 1, -1) is CVB0, SN12 (9) and (43): a mean of the count each time, 1 / E[n] of
    the topic. (0, 0, 0) is exact CVB, SN12 (5); (1, 1, 1) is CVB1, SN12 (48). See `TABLE_1`.

    Parameters
    ----------
    As `three_parameters`.

    Returns
    -------
    (N, K), rows sum to 1

    Raises
    ------
    ValueError
        If gamma is not (N, K) or its rows are not probabilities, a is not three finite numbers, or K^N is too large.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, gamma = lda.Corpus.from_documents([[0, 0, 0]], W=2), [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]]
    >>> for name in ("cvb", "cvb0", "cvb1"):  # cvb0, expected counts 0.8 and 1.2: 1.3 · 1.3 / 1.8 to 1.7 · 1.7 / 2.2
    ...     print(name, three_parameter_projection(gamma, c, 2, lda.Prior(0.5, 0.5), TABLE_1[name])[0].round(4))
    cvb [0.3955 0.6045]
    cvb0 [0.4168 0.5832]
    cvb1 [0.4266 0.5734]
    """
    log_a_t, log_b_t, log_c_t = three_parameters(gamma, c, K, p, a)
    return _normalised(log_a_t + log_b_t + log_c_t)  # SN12 (24)-(42), restored


# Parts --------------------------------------------------------------------------------------------------------------


def _divergences(log_p: Array, log_q: Array, u: Array, a: float) -> Array:
    """D_a of single positive p and q, u = log(p/q), a <= 1/2."""
    p, q = np.exp(log_p), np.exp(log_q)
    kl = _scaled_excess(p, q, u)  # q log(q/p) - q + p
    if a == 0:
        return kl
    p_a = np.exp(a * log_p + (1 - a) * log_q)  # p^a q^(1-a)
    direct = (a * p + (1 - a) * q - p_a) / (a * (1 - a))  # SN12 (12), restored
    stable = (kl - _scaled_excess(p_a, q, a * u) / a) / (1 - a)  # the same
    return np.where((a > 0) & (a * u < -1), direct, stable)  # there f(u) and f(a u)/a would be large and alike


def _scaled_excess(p: Array, q: Array, u: Array) -> Array:
    """q f(u) = p - q - q u, for p = q e^u."""
    small = np.abs(u) <= 1
    return np.where(small, q * _excess(np.where(small, u, 0.0)), p - q - q * u)


def _excess(v: Array) -> Array:
    """f(v) = e^v - 1 - v for |v| <= 1, by its series: full relative accuracy near 0, where the difference has none."""
    out = np.zeros_like(v)
    for m in range(20, 2, -1):
        out = (out + 1) * v / m
    return (out + 1) * v**2 / 2


def _with_zeros(log_x: Array, w: Array, a: float) -> Any:
    """`log_power_mean` with zeros among the x: 0^a adds nothing to E[x^a] if a > 0, and makes the mean 0 if a <= 0."""
    if log_x.ndim > 1:
        return np.stack([log_power_mean(log_x[:, k], w, a) for k in range(log_x.shape[1])])
    here = log_x > -np.inf
    if a <= 0 or not here.any():
        return np.float64(-np.inf)  # SN12 (46), restored
    return np.log1p(-w[~here].sum()) / a + log_power_mean(log_x[here], w[here], a)  # SN12 (46), restored


def _weights(weights: ArrayLike, log_x: Array) -> Array:
    w = np.asarray(weights, np.float64)
    if w.shape != log_x.shape[:1]:
        raise ValueError(f"weights has shape {w.shape}, expected {log_x.shape[:1]}: one an outcome")
    for b in np.flatnonzero(~((w >= 0) & np.isfinite(w))):
        raise ValueError(f"weights[{b}] is {w[b]}, expected a finite number from 0")
    if not w.any():
        raise ValueError("weights are all 0, expected one above it")
    return w / w.sum()


def _others(gamma: Array, t: Corpus, K: int, i: int) -> tuple[Array, Array, Array, Array]:
    """All assignments of the tokens but i: their probabilities (B,), and n_jk, n_wk, n_k of the token, (B, K) each."""
    rest = np.delete(np.arange(t.N), i)
    if not rest.size:
        return np.ones(1), *np.zeros((3, 1, K))
    blocks = [
        (np.prod(gamma[rest, z], axis=-1), N_jk[t.j[i]], N_wk[t.w[i]], N_wk.sum(0))
        for z, N_jk, N_wk in _assignments(t.with_rows(t.j[rest], t.w[rest], t.n[rest]), K)
    ]
    weights, n_jk, n_wk, n_k = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return weights, n_jk, n_wk, n_k


def _log_terms(p: Prior, t: Corpus, i: int, n_jk: Array, n_wk: Array, n_k: Array) -> tuple[Array, Array, Array]:
    """The logs of the three terms of TNW06 (8) of token i, the topic's not inverted."""
    alpha, eta = p.vectors(n_k.shape[-1], t.W)
    return np.log(n_jk + alpha), np.log(n_wk + eta[t.w[i]]), np.log(n_k + eta.sum())  # TNW06 (8)


def _normalised(log_q: Array) -> Array:
    return np.exp(log_q - logsumexp(log_q, axis=-1, keepdims=True))


def _problem(gamma: ArrayLike, c: Corpus, K: int, p: Prior) -> tuple[Corpus, Array]:
    t = _tiny(c, K, p)
    g = np.array(gamma, np.float64)
    if g.shape != (t.N, K):
        raise ValueError(f"gamma has shape {g.shape}, expected {(t.N, K)}: tokens by topics")
    for i in np.flatnonzero(~((g >= 0).all(-1) & (np.abs(g.sum(-1) - 1) <= 1e-9))):
        raise ValueError(f"gamma[{i}] is {g[i]}, expected probabilities that sum to 1")
    return t, g


def _logs(x: ArrayLike, name: str) -> Array:
    x = np.asarray(x, np.float64)
    bad = ~(x < np.inf)
    if bad.any():
        raise ValueError(f"{name} holds {x[bad][0]}, expected logarithms: finite numbers or -inf")
    return x


def _order(a: float, name: str) -> float:
    if not np.isfinite(a):
        raise ValueError(f"{name} is {a}, expected a finite number: the order of the divergence")
    return float(a)
