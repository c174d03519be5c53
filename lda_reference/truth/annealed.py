"""Annealed importance sampling of the evidence: Neal (2001), over collapsed Gibbs sampling, TNW06 (8), or over SOL14's.

A path leads from the prior of z to its posterior by a likelihood f_b(z), and a sweep at b leaves p_b invariant:

    p_b(z)  ∝  p(z) f_b(z)                           f_0 = 1,   f_1 = p(x | z)

    log p(z)      = sum_j [log B(alpha + N_j) - log B(alpha)]        the documents' part of TNW06 (7)
    log p(x | z)  = sum_k [log B(eta + N_k) - log B(eta)]            the topics' part, of the same form

where B is the Beta function of a vector, N_j the counts of document j and N_k those of topic k. There are two paths.

`COLLAPSED` has f_b = p(x | z)^b. The conditional is that of collapsed Gibbs sampling with the word and the topic term
to the power b.

`UNCOLLAPSED` tempers p(x | z, phi) before phi is integrated out, so that a token counts as b tokens of its topic:

    log f_b(z) = sum_k [log B(eta + b N_k) - log B(eta)]

A sweep is SOL14's (5)-(7), with b N_k for N_k and phi_wk^b for phi_wk. It draws all tokens together, which is a hundred
times faster on a large corpus.

Over 0 = b_0 < b_1 < ... < b_T = 1, a forward chain begins at a draw z_0 from the prior, z_t is a sweep of z_t-1 at
b_t, and the weight is

    log w = sum_t [log f_b_t(z_t-1) - log f_b_t-1(z_t-1)]            E[w] = p(x)

Backwards it begins at a draw from the posterior, sweeps at b_T, ..., b_1, and has the same weight of the z after each
sweep, with E[1/w] = 1/p(x). By Markov's inequality

    P(log w > log p(x) + e) <= exp(-e)    forwards,        P(log w < log p(x) - e) <= exp(-e)    backwards,

so that forward runs bound log p(x) from below and backward runs from above (`weights.interval`). The bound from above
is as good as its start: the z of a corpus drawn from the model is a draw from the posterior, but the end of a long
chain is one only so far as the chain has converged.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algorithms.cgs import ALGORITHM as CGS
from ..algorithms.cvb0 import smoothed
from ..algorithms.gibbs import ALGORITHM as GIBBS
from ..arguments import check_generator, shown, whole_number
from ..corpus import Corpus
from ..engine import Algorithm, State, Term, checked_topics, draw, sums
from ..engine.update import DRAWN_COUNT
from ..model import Array, Prior, column, dirichlet, log_joint_of_documents
from .weights import Runs


def log_likelihood(s: State, c: Corpus, p: Prior, b: float = 1.0) -> Any:
    """log p(x | z) if a token counts as b tokens, with phi integrated out, in nats: (), or (R,) with replicates.

    A topic's part of TNW06 (7) is that of a document, with eta for alpha.
    """
    N_wk = b * sums(s.gamma, c).wk
    _, eta = p.vectors(N_wk.shape[-1], c.W)
    return log_joint_of_documents(np.moveaxis(N_wk, 0, -1), Prior(eta)).sum(-1)  # TNW06 (7)


class Path(NamedTuple):
    """From the prior of z to its posterior: a sweep of `sampler(b)` leaves p_b invariant."""

    sampler: Callable[[float], Algorithm]
    log_factor: Callable[[State, Corpus, Prior, float], Any]  # log f_b(z), in nats: () or (R,)


def collapsed(b: float) -> Algorithm:
    """Collapsed Gibbs sampling at the inverse temperature b: the prior of z at 0, TNW06 (8) at 1."""
    if b == 1:
        return CGS

    def tempered(a: Any, N: Array) -> Array:
        return smoothed(a, N) ** b  # NEAL01 [tempered], TNW06 (8)

    term = Term(tempered, DRAWN_COUNT)
    return replace(CGS, name=f"cgs at {b:g}", update=CGS.update._replace(word=term, topic=term))


def uncollapsed(b: float) -> Algorithm:
    """Gibbs sampling of z, theta and phi at the inverse temperature b: the prior of z at 0, SOL14 (5)-(7) at 1."""

    def draw_parameters(s: State, c: Corpus, p: Prior, rng: np.random.Generator) -> tuple[Array, Array]:
        N_jk, N_wk, _ = sums(s.gamma, c)
        alpha, eta = p.vectors(N_jk.shape[-1], c.W)
        phi_wk = dirichlet(column(eta, N_wk) + b * N_wk, 0, rng)  # NEAL01 [tempered], SOL14 (5)
        theta_jk = dirichlet(alpha + N_jk, -1, rng)  # SOL14 (6)
        return theta_jk, phi_wk**b  # NEAL01 [tempered], SOL14 (7)

    return replace(GIBBS, name=f"gibbs at {b:g}", parameters=draw_parameters)


COLLAPSED = Path(collapsed, lambda s, c, p, b: b * log_likelihood(s, c, p))
UNCOLLAPSED = Path(uncollapsed, log_likelihood)


def from_the_prior(c: Corpus, K: int, p: Prior, rng: np.random.Generator, replicates: int) -> State:
    """R draws of z from its prior: theta_j ~ Dirichlet(alpha), z_i ~ theta_j. With theta_j unseen it is a Pólya urn."""
    check_generator(rng)
    alpha, _ = p.vectors(K, c.W)
    theta_jk = dirichlet(np.broadcast_to(alpha, (c.D, replicates, K)), -1, rng)
    return CGS.init(c, K, p, z=draw(theta_jk[c.tokens().j], rng.random((c.N, replicates))))


def forwards(
    c: Corpus,
    K: int,
    p: Prior,
    b: ArrayLike,
    rng: np.random.Generator,
    replicates: int = 16,
    path: Path = COLLAPSED,
) -> Runs:
    """R independent runs from the prior to the posterior. The mean of their weights is p(x) in expectation.

    b (T + 1,) has the inverse temperatures, which increase from 0 to 1, for example `np.linspace(0, 1, 101)`. A run is
    T sweeps. A ValueError says if the corpus is empty, or another argument does not fit.

    >>> from lda_reference.truth.weights import log_mean
    >>> c = Corpus.from_documents([[0, 0], [0, 1]])
    >>> runs = forwards(c, 2, Prior(1, 1), np.linspace(0, 1, 21), np.random.default_rng(0), replicates=1000)
    >>> [round(x, 3) for x in log_mean(runs.log_w)]  # the exact value is log(6.2 / 108) = -2.858
    [-2.857, 0.003]
    """
    temperature_pairs = _b_pairs(b)
    CGS.check(c, p, checked_topics(c, p, K))
    s = from_the_prior(c, K, p, rng, whole_number(replicates, "replicates", 1))
    log_w = np.zeros(replicates)
    for old_b, new_b in temperature_pairs:
        log_w += path.log_factor(s, c, p, new_b) - path.log_factor(s, c, p, old_b)  # NEAL01 [weight]
        s = path.sampler(new_b).sweep(s, c, p, rng=rng)
    return Runs(log_w, np.asarray(s.z), independent=True)


def backwards(
    c: Corpus,
    K: int,
    p: Prior,
    b: ArrayLike,
    rng: np.random.Generator,
    z: ArrayLike,
    replicates: int = 16,
    path: Path = COLLAPSED,
) -> Runs:
    """R runs from the posterior to the prior. The mean of 1/w is 1/p(x) in expectation, if z is from the posterior.

    z has R independent draws from p(z | x), (N, R), or a single one, (N,), at which as many runs begin as `replicates`
    says. The other arguments and the errors are those of `forwards`.

    >>> from lda_reference import synthetic
    >>> from lda_reference.truth.weights import interval
    >>> p, rng = Prior(1, 1), np.random.default_rng(0)
    >>> c, _, _, z = synthetic.draw(rng, [10, 10], K=2, W=3, p=p)
    >>> up = backwards(c, 2, p, np.linspace(0, 1, 21), rng, z)
    >>> down = forwards(c, 2, p, np.linspace(0, 1, 21), rng)
    >>> found = interval(down, up)
    >>> round(found.lower, 1), round(found.upper, 1)  # the exact value is -19.5
    (-19.9, -15.9)
    """
    check_generator(rng)
    temperature_pairs = _b_pairs(b)
    CGS.check(c, p, checked_topics(c, p, K))
    z = np.asarray(z)
    is_independent = z.ndim > 1
    if not is_independent:
        z = np.repeat(z.reshape(-1, 1), whole_number(replicates, "replicates", 1), axis=1)
    s = CGS.init(c, K, p, z=z)
    log_w = np.zeros(z.shape[1])
    for old_b, new_b in reversed(temperature_pairs):
        s = path.sampler(new_b).sweep(s, c, p, rng=rng)
        log_w += path.log_factor(s, c, p, new_b) - path.log_factor(s, c, p, old_b)  # NEAL01 [weight]
    return Runs(log_w, np.asarray(s.z), is_independent)


def _b_pairs(b: ArrayLike) -> Sequence[tuple[float, float]]:
    """The pairs (b_t-1, b_t), after a check."""
    b_t = np.asarray(b, np.float64)
    if b_t.ndim != 1 or len(b_t) < 2 or b_t[0] != 0 or b_t[-1] != 1 or not np.all(np.diff(b_t) > 0):
        raise ValueError(f"b is {shown(b)}, expected inverse temperatures that increase from 0 to 1")
    return list(zip(b_t[:-1].tolist(), b_t[1:].tolist(), strict=True))
