"""Expectation propagation: Minka and Lafferty 2002, Expectation-Propagation for the Generative Aspect Model.

The topics z are summed out, so that a token of document j and word w has the probability

    t(theta_j, phi)  =  sum_k theta_jk phi_wk

The product of these factors and the priors is approximated by q = prod_j Dirichlet(theta_j) prod_k Dirichlet(phi_k).
Each factor is replaced by a site of the form of a Dirichlet density, which need not be one:

    s prod_k theta_jk^a_k prod_vk phi_vk^b_vk

so that a parameter of q is the prior's number plus the exponents of all sites. A site is refined in three steps.

    deletion     its exponents a, b are subtracted from q: the cavity, with the parameters g_k and h_vk
    moments      cavity times t is a sum of K products of Dirichlets, one for each topic of the token, with the weights

                     r_k  ∝  g_k h_wk / H_k,   H_k = sum_v h_vk

                 So theta_j is a mixture of K Dirichlets, and phi_k of two: of h_k + 1 at w, with weight r_k, and
                 of h_k. Each is replaced by the Dirichlet with the same mean and the same sum of second moments.
    inclusion    the site becomes the new q over the cavity: it changes as q does. Its scale s makes both integrals
                 equal, see `ep_evidence`

r is CVB0's update, AWST09 (13), with the exponents of sites instead of expected counts. The state's gamma is r at the
row's last visit. Minka and Lafferty hold phi, and then only theta has sites.

The match has a closed form and keeps the means of the mixture, which prediction, TNW06 (19), needs. The Dirichlet
nearest in the divergence KL(p || q) matches E[log theta_k] instead, by an iteration. `damped` takes any such function.

The n tokens of a row have equal sites, which change together by the fraction `damping` of their change; `damped`
sets it. If a parameter of a cavity or of the new q would not be positive, the site is left as it is, and `Sites.left`
counts its tokens. Such sites can remain for ever, mostly where data are few and priors are far below 1.

The first sites are gamma_ik at theta_jk and at phi_wk of the row's own word, so q starts as `posterior_mean`. Equal
topics remain equal for ever, so gamma must differ between topics, as drawn starts do. With few tokens q may make all
topics equal from any start.

The plain text of a row's step is `plain.ep.EPStep`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import posterior_mean, sum_rows
from ..engine.state import Keeps, State
from ..engine.update import soft
from ..model import Array, Prior, column, normalised
from . import cvb0

LIMIT = 10**8  # exponents of free topics, M W K: 0.8 GB


# One site ------------------------------------------------------------------------------------------------------------


def tilted(g: Array, h_wk: Any, H_k: Any) -> Array:
    """The terms (..., K) of cavity times t, times G = sum_k g_k. Their shares are r_k, their sum over G is E[t]."""
    return g * h_wk / H_k  # ML02 [moments], AWST09 (13)


def matched(r: Array, a: Array) -> Array:
    """The Dirichlet with the mean and the sum of second moments of a mixture of Dirichlets.

    With m the mean and s the sum of second moments, its parameters (..., V) are (1 - s) / (s - sum m²) m, all positive.
    Both differences are formed from positive terms. r (C, ...) are the weights, which sum to 1 over the C components,
    and a (C, ..., V) the components' parameters, all positive.

    >>> matched(np.array([1.0, 0.0]), np.array([[2.0, 1.0], [1.0, 2.0]])).round(12)
    array([2., 1.])
    >>> matched(np.array([0.5, 0.5]), np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([1., 1.])
    """
    if a.shape[-1] == 1:  # a vector of one entry, which is 1
        return (r[..., None] * a).sum(0)
    A = a.sum(-1)
    means = a / A[..., None]
    m = (r[..., None] * means).sum(0)
    pair_sum = 2 * (a[..., 1:] * a.cumsum(-1)[..., :-1]).sum(-1)  # A² - sum a², without a difference
    one_less_s_c = pair_sum / (A * (A + 1))  # 1 - sum of second moments, of each component
    one_less_s = (r * one_less_s_c).sum(0)
    variance = (r * one_less_s_c / A).sum(0) + (r[..., None] * (means - m) ** 2).sum((0, -1))
    return (one_less_s / variance)[..., None] * m  # ML02 [moments]


Match = Callable[[Array, Array], Array]


def refined(g: Array, h: Array | None, w: int, phi_k: Array | None, match: Match) -> tuple[Array, Array, Array]:
    """The weights r (K,), and q after the moments of one token's factor are matched, for the cavity g (K,), h (W, K).

    If phi_k (K,) is given, it is phi at word w, and q has no phi.
    """
    K = len(g)
    r = soft(tilted(g, h[w], h.sum(0)) if h is not None else tilted(g, phi_k, 1.0))
    q_k = match(r, g + np.eye(K))
    if h is None:
        return r, q_k, np.empty(0)
    is_w = np.arange(len(h)) == w
    return r, q_k, match(np.stack([1 - r, r]), np.stack([h.T, h.T + is_w])).T


# A sweep -------------------------------------------------------------------------------------------------------------


class Sites(NamedTuple):
    """What is known of each row: the site of one of its n tokens, which all n share."""

    jk: Array  # (M, [R,] K), the exponents of theta_jk, j the row's document
    wk: Array | None = None  # (M, W, [R,] K), the exponents of phi_wk, of all words; None if the topics are held
    left: Any = 0  # () or (R,), the tokens whose site the last sweep left, because a parameter would not be positive


def first_sites(gamma: Array, c: Corpus, has_held_topics: bool) -> Sites:
    """Sites whose exponents are gamma, at theta_jk and, if the topics are not held, at phi_wk of the row's word."""
    if has_held_topics:
        return Sites(gamma)
    site_wk = np.zeros((c.M, c.W, *gamma.shape[1:]))
    site_wk[np.arange(c.M), c.w] = gamma
    return Sites(gamma, site_wk)


def check_held(sites: Sites, has_held_topics: bool) -> None:
    """Raise a ValueError if the sites were made with held topics and there are none now, or the reverse."""
    if has_held_topics != (sites.wk is None):
        old_adjective, new_adjective = ("free", "held") if has_held_topics else ("held", "free")
        raise ValueError(f"the state's sites were made with {old_adjective} topics, and now they are {new_adjective}")


def swept(
    gamma: Array,
    sites: Sites,
    c: Corpus,
    p: Prior,
    held_wk: Array | None,
    damping: float,
    match: Match = matched,
    rows: Iterable[int] | None = None,
) -> tuple[Array, Sites]:
    """One visit of each row, or of some rows, without replicates; phi is held_wk (W, K), if given."""
    q_jk, q_wk = parameters(sites, c, p)
    gamma, site_jk, site_wk, n_left = gamma.copy(), sites.jk.copy(), None if sites.wk is None else sites.wk.copy(), 0
    for i in range(c.M) if rows is None else rows:
        j, w, n = int(c.j[i]), int(c.w[i]), int(c.n[i])
        g = q_jk[j] - site_jk[i]  # ML02 [deletion]
        h = None if site_wk is None else q_wk - site_wk[i]  # ML02 [deletion]
        if not (g.min() > 0 and (h is None or h.min() > 0)):
            n_left += n
            continue
        r, matched_k, matched_wk = refined(g, h, w, None if held_wk is None else held_wk[w], match)
        step_k, step_wk = damping * (matched_k - q_jk[j]), 0.0 if h is None else damping * (matched_wk - q_wk)
        new_k, new_wk = q_jk[j] + n * step_k, q_wk + n * step_wk  # ML02 [inclusion]
        if not (new_k.min() > 0 and new_wk.min() > 0):
            n_left += n
            continue
        gamma[i], q_jk[j], q_wk, site_jk[i] = r, new_k, new_wk, site_jk[i] + step_k
        if site_wk is not None:
            site_wk[i] += step_wk
    return gamma, Sites(site_jk, site_wk, n_left)


def parameters(sites: Sites, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The parameters of q: alpha plus the sites' exponents (D, [R,] K), and eta plus theirs (W, [R,] K)."""
    N_jk, N_wk = sums_of_sites(sites, c)
    alpha, eta = p.vectors(N_jk.shape[-1], c.W, "ep")
    return N_jk + alpha, N_wk + column(eta, N_wk)


def sums_of_sites(sites: Sites, c: Corpus) -> tuple[Array, Array]:
    """The exponents that all sites together give to theta and phi. With held topics those of phi are zero."""
    n = c.n.astype(np.float64)
    N_jk = sum_rows(sites.jk, n, c.j, c.D)
    return N_jk, np.zeros((c.W, *N_jk.shape[1:])) if sites.wk is None else np.tensordot(n, sites.wk, 1)


def sums_of_row(sites: Sites, c: Corpus, i: int) -> tuple[list[Array], list[Array]]:
    """The sums of all sites for the document, the word and the topics of a row, and those of its own site."""
    (N_jk, N_wk), w = sums_of_sites(sites, c), c.w[i]
    site_wk = np.zeros(N_wk.shape) if sites.wk is None else sites.wk[i]
    return [N_jk[c.j[i]], N_wk[w], N_wk.sum(0)], [sites.jk[i], site_wk[w], site_wk.sum(0)]


def sweep(
    s: State,
    c: Corpus,
    p: Prior,
    rng: np.random.Generator | None,
    held_wk: Array | None,
    damping: float,
    match: Match = matched,
) -> State:
    """One visit of each row, in order; nothing is drawn. With held topics only theta has sites.

    A state without sites starts them from its gamma. An error is raised for more exponents than `LIMIT`, and for a
    state that was swept with held topics and is now without, or the reverse.
    """
    gamma, has_held_topics = s.gamma, held_wk is not None
    if not has_held_topics and gamma.size * c.W > LIMIT:
        raise ValueError(f"ep would keep {gamma.size * c.W:,} exponents, expected at most {LIMIT:,}: M W K of them")
    sites = first_sites(gamma, c, has_held_topics) if s.own is None else s.own
    check_held(sites, has_held_topics)
    if gamma.ndim == 2:
        gamma, sites = swept(gamma, sites, c, p, held_wk, damping, match)
        return State(gamma, own=sites)
    swept_runs = []
    for r in range(gamma.shape[1]):
        run_sites = Sites(sites.jk[:, r], None if sites.wk is None else sites.wk[:, :, r])
        phi_wk = held_wk if held_wk is None else held_wk[:, r if held_wk.shape[1] > 1 else 0]
        swept_runs.append(swept(gamma[:, r], run_sites, c, p, phi_wk, damping, match))
    stacked_wk = None if sites.wk is None else np.stack([x.wk for _, x in swept_runs if x.wk is not None], 2)
    all_sites = Sites(np.stack([x.jk for _, x in swept_runs], 1), stacked_wk, np.array([x.left for _, x in swept_runs]))
    return State(np.stack([x for x, _ in swept_runs], 1), own=all_sites)


# The estimate, and the algorithm -------------------------------------------------------------------------------------


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The means of q. If the topics are held, q has no phi, and `posterior_mean` gives it from gamma."""
    if s.own is None:
        return posterior_mean(s, c, p)  # the mean of q with the first sites
    q_jk, q_wk = parameters(s.own, c, p)
    return normalised(q_jk, -1), posterior_mean(s, c, p)[1] if s.own.wk is None else normalised(q_wk, 0)


ALGORITHM = Algorithm(
    name="ep",
    update=cvb0.ALGORITHM.update,  # of gamma with the first sites; `explain` shows it
    sweep_of=partial(sweep, damping=0.5),
    keeps=Keeps(Sites, "sites", ("MRK", "MWRK", "R"), sums_of_row),
    schedules=("token",),
    estimate_of=estimate,
    bound_of="its estimate of log p(x), in `ep_evidence`, may be above it",
    objective_of="its fixed points are not maxima of its approximation of log p(x)",
    learns="a learner takes expected counts, and it has sites",
)


def damped(damping: float, match: Match = matched) -> Algorithm:
    """EP with another damping, in (0, 1]: the fraction of a site's change that is made.

    `match` replaces a mixture of Dirichlets by a Dirichlet, as `matched` does.

    >>> damped(0.1).name
    'ep, damping 0.1'
    """
    if not 0 < damping <= 1:
        raise ValueError(f"damping is {damping}, expected a number above 0, at most 1")
    name = f"ep, damping {float(damping)!r}"
    return replace(ALGORITHM, name=name, sweep_of=partial(sweep, damping=float(damping), match=match))
