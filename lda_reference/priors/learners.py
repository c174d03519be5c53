"""Learners: functions (state, corpus, prior) -> prior that `fit(..., learn=...)` calls after a sweep.

- `evidence`: the prior that maximises the evidence of the counts, for every algorithm with counts
- `em2`, `conjugate`: VB with a prior on its hyperparameters, for `vb` only; see `hyperpriors`
- `in_turn`: several learners, one after the other
- `parse`: the learner that a text such as "alpha:asymmetric,eta" names
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_choice, expect, is_finite
from ..corpus import Corpus
from ..engine import Algorithm, Learner, State, sums_of
from ..model import Array, Prior
from . import minka
from .boojum import Boojum, rates
from .evidence import FLAT, GammaPrior, of_one_run, plug_in_counts, random_counts
from .hyperpriors import exponential_mean, point, q_alpha, q_eta, q_phi, q_theta

EXPECTATIONS = {"plug-in": plug_in_counts, "exact": random_counts}
EVIDENCE_KINDS = ("symmetric", "asymmetric")
EM2_KINDS = ("vector", "symmetric")


def parse(learn_text: str) -> Learner:
    """The learner of a comma-separated list of `side` or `side:kind`, where the sides are alpha and eta.

    The kinds `symmetric`, the default, and `asymmetric` take a step of Minka's fixed point (AWST09 §3.1, SN12 §10). The
    shape, 1 or more, and the rate, 0 or more, of a Gamma prior on each number can follow them:
    "alpha:asymmetric:1.1:1". The kinds `em2`, `em2-symmetric` and `conjugate` are for vb only.

    >>> parse("alpha:asymmetric:1.1:1").args
    ({'alpha': 'asymmetric', 'eta': None}, 'plug-in', GammaPrior(shape=1.1, rate=1.0))
    """
    known_kinds = (*EVIDENCE_KINDS, *HYPERPRIORS)
    learners: dict[str, Learner] = {}
    for spec in learn_text.split(","):
        side, *option_texts = spec.split(":")
        kind, *gamma_texts = option_texts or known_kinds[:1]
        if side not in ("alpha", "eta") or kind not in known_kinds or (gamma_texts and kind in HYPERPRIORS):
            expected_spec = f"alpha or eta, alone or followed by a colon and one of {', '.join(known_kinds)}"
            raise ValueError(f"learn has {spec!r}, expected {expected_spec}")
        if side in learners:
            raise ValueError(f"learn is {learn_text!r}, expected {side} only once")
        try:
            prior = GammaPrior(*map(float, gamma_texts))
        except (ValueError, TypeError):  # no number, or more than two
            raise ValueError(f"learn has {spec!r}, expected a shape and a rate of a Gamma prior at its end") from None
        if kind in HYPERPRIORS:
            learners[side] = HYPERPRIORS[kind](side)
        else:
            learners[side] = evidence(kind if side == "alpha" else None, kind if side == "eta" else None, prior=prior)
    return in_turn(*learners.values()) if len(learners) > 1 else learners[side]


def in_turn(*learners: Learner) -> Learner:
    """One learner that calls several, each with the prior that the one before returned."""
    return partial(_in_turn, learners)


def _in_turn(learners: tuple[Callable[..., Prior], ...], s: State, c: Corpus, p: Prior) -> Prior:
    for learn in learners:
        p = learn(s, c, p)
    return p


# The evidence of the counts ------------------------------------------------------------------------------------------


def evidence(
    alpha: str | None = "symmetric", eta: str | None = "symmetric", expectation: str = "plug-in",
    prior: GammaPrior = FLAT,
) -> Learner:  # fmt: skip
    """A learner that climbs the evidence of the counts, L of the module `evidence`, by a step of Minka's fixed point.

    L is largest with a component at 0 if no document has the topic, or no topic the word. It can be largest at infinity
    if all documents have the same topics. The learner stops at a limit, 1e-6 or 10,000; `minka.at_limits` says where.

    alpha and eta are each "symmetric", to learn one number, "asymmetric", to learn a vector, or None, which holds that
    side fixed. The expectation is "plug-in", L at the expected counts, or "exact", the expectation of L under q(z);
    they are the same for samplers. The Gamma prior is on each number that is learned.

    >>> import lda_reference as lda
    >>> c = lda.synthetic.draw(np.random.default_rng(0), [50] * 40, 3, 20, lda.Prior(0.3, 0.1)).corpus
    >>> f = lda.fit(c, 3, "cvb0", sweeps=40, learn=evidence(), learn_after=15)
    >>> print(f"{f.prior.alpha:.2f} {f.prior.eta:.2f}")  # CVB0 learns a larger prior than the true one
    0.37 0.25
    """
    check_kinds({"alpha": alpha, "eta": eta}, EVIDENCE_KINDS)
    check_choice(expectation, "expectation", EXPECTATIONS)
    expect(is_finite(prior.shape) and prior.shape >= 1, prior.shape, "shape", "a finite number from 1")
    expect(is_finite(prior.rate) and prior.rate >= 0, prior.rate, "rate", "a finite number from 0")
    return partial(_evidence, {"alpha": alpha, "eta": eta}, expectation, prior)


def _evidence(
    kind_by_side: dict[str, str | None], expectation: str, prior: GammaPrior, s: State, c: Corpus, p: Prior
) -> Prior:
    new_sides = {}
    for side, kind in kind_by_side.items():
        alpha_or_eta: Any = getattr(p, side)
        if kind is None:
            new_sides[side] = alpha_or_eta
            continue
        check_learnable(side, p)
        if kind == "asymmetric" and np.ndim(alpha_or_eta) == 0:
            alpha_or_eta = np.full(s.shape[-1] if side == "alpha" else c.W, alpha_or_eta)
        if kind == "symmetric" and np.ndim(alpha_or_eta):
            raise ValueError(f"{side} is a vector, expected a number, because one number is to be learned")
        try:
            new_a = minka.step(EXPECTATIONS[expectation](s, c, side), alpha_or_eta, prior)
        except ValueError as error:
            raise ValueError(f"{side}: {error}") from error
        new_sides[side] = np.clip(new_a, minka.LIMITS["floored"], minka.LIMITS["capped"])  # which `fit.history` says
    return Prior(new_sides["alpha"], new_sides["eta"])


# Hyperpriors ---------------------------------------------------------------------------------------------------------


def em2(alpha: str | None = None, eta: str | None = None) -> Learner:
    """A learner of EM type 2, [d] of BOO16 Figure 3: flat hyperpriors, and points for q(alpha) and q(eta).

    It moves alpha to Φ of the mean of abar_j over documents, and eta to Φ of the mean of bbar_k over topics. With
    "symmetric", the baseline of §6, it moves them to `Phi_symmetric` of the same. The bound of `vb` does not fall.
    Begin after a dozen sweeps (`learn_after`): from some starts all documents look alike in the first sweeps, so that
    alpha can grow to hundreds, and the documents then stay alike.

    Each side is "vector", "symmetric", or None, which holds it fixed. The learner raises an ArithmeticError if the
    prior is so large that rounding leaves nothing to learn.

    >>> import lda_reference as lda
    >>> c = Corpus.from_documents([[0, 0, 1], [0, 1, 1], [2, 2]])
    >>> f = lda.fit(c, 2, "vb", Prior(1, 1), sweeps=5, learn=em2(alpha="symmetric", eta="vector"))
    >>> np.ndim(f.prior.alpha), np.shape(f.prior.eta)
    (0, (3,))
    """
    check_kinds({"alpha": alpha, "eta": eta}, EM2_KINDS)
    if alpha is None and eta is None:
        raise ValueError("alpha and eta are both None: there is nothing to learn")
    return partial(_em2, alpha, eta)


def _em2(alpha_kind: str | None, eta_kind: str | None, s: State, c: Corpus, p: Prior) -> Prior:
    alpha, eta = p.alpha, p.eta
    N_jk, N_wk = _counts(s, c, p)
    if alpha_kind is not None:
        _, abar_jk = q_theta(N_jk, alpha)  # BOO16 Fig. 3 [D], restored
        alpha = point(q_alpha(abar_jk, Boojum(0, np.zeros(abar_jk.shape[1]))), alpha_kind, "alpha")
    if eta_kind is not None:
        check_learnable("eta", p)
        _, bbar_wk = q_phi(N_wk, eta)
        eta = point(q_eta(bbar_wk, Boojum(0, np.zeros(len(bbar_wk)))), eta_kind, "eta")
    return Prior(alpha, eta)


def conjugate(zeta: ArrayLike = 0.0, alpha: bool = False, eta: bool = True) -> Learner:
    """A learner of full conjugacy, [w] of BOO16 Figure 3: the priors are Boojum(K, ζ) of eta and Boojum(D, ζ) of alpha.

    It updates the rates ζdot of their Exponentials and returns the means 1 / ζdot.
    **The means tend to 0 and the bound to infinity**: `hyperpriors` says why, how fast, and what to do.

    zeta is a number or a vector, 0 or more. BOO16 prefers "some small machine value" to 0, against a division by 0. In
    two dimensions or more there is none. A ζ > 0 does not keep E[eta_w] away from 0 either. If both sides are learned,
    zeta must be one number; for two zetas use `in_turn`.

    >>> import lda_reference as lda
    >>> c = Corpus.from_documents([[0, 0, 1], [0, 1, 1], [2, 2]])
    >>> f = lda.fit(c, 3, "vb", Prior(0.5, 0.5), 30, "corpus", "dirichlet", learn=conjugate())
    >>> bool(f.prior.eta.max() < 1e-5)
    True
    """
    if not (alpha or eta):
        raise ValueError("alpha and eta are both False: there is nothing to learn")
    zeta = np.asarray(zeta, np.float64)
    if alpha and eta and zeta.ndim:
        raise ValueError(f"zeta has shape {zeta.shape}, expected a number if alpha and eta are both learned")
    return partial(_conjugate, rates(zeta, zeta.size, "") if zeta.ndim else float(rates(zeta, 1, "")[0]), alpha, eta)


def _conjugate(zeta: Any, learns_alpha: bool, learns_eta: bool, s: State, c: Corpus, p: Prior) -> Prior:
    alpha, eta = p.alpha, p.eta
    N_jk, N_wk = _counts(s, c, p)
    if learns_alpha:
        _, abar_jk = q_theta(N_jk, alpha)
        D, K = abar_jk.shape
        alpha = exponential_mean(q_alpha(abar_jk, Boojum(D, rates(zeta, K, "K"))), "alpha")  # BOO16 §5.2
    if learns_eta:
        check_learnable("eta", p)
        _, bbar_wk = q_phi(N_wk, eta)  # BOO16 Fig. 3 [W], restored
        W, K = bbar_wk.shape
        eta = exponential_mean(q_eta(bbar_wk, Boojum(K, rates(zeta, W, "W"))), "eta")  # BOO16 Fig. 3 [w], restored
    return Prior(alpha, eta)


def check_kinds(kind_by_side: dict[str, Any], allowed_kinds: tuple[str, ...]) -> None:
    for side, kind in kind_by_side.items():
        is_allowed_kind = kind is None or (isinstance(kind, str) and kind in allowed_kinds)
        expect(is_allowed_kind, kind, side, f"one of {', '.join(allowed_kinds)}, or None")


def check_learned(A: Algorithm, learn_text: str) -> None:
    """Raise a ValueError if the algorithm cannot learn what a text such as "alpha,eta" names; "" names a function."""
    if isinstance(A.learns, str):
        raise ValueError(f"{A.name} cannot learn a prior: {A.learns}")
    for spec in learn_text.split(",") if learn_text else ():
        side, _, kind = spec.partition(":")
        if kind in HYPERPRIORS and "hyperprior" not in A.learns:
            raise ValueError(f"learn is {learn_text!r}: only vb can have a hyperprior, not {A.name}")
        if side in ("alpha", "eta") and side not in A.learns:
            raise ValueError(f"learn is {learn_text!r}: {A.name} does not use {side}, expected {' or '.join(A.learns)}")


def check_learnable(learn_text: str, p: Prior) -> None:
    """Raise a ValueError if what a text such as "alpha,eta" names cannot be learned, because eta is a matrix."""
    if np.ndim(p.eta) == 2 and any(spec.partition(":")[0] == "eta" for spec in learn_text.split(",")):
        raise ValueError("eta is a matrix, a prior for each topic, which cannot be learned: learn alpha alone")


def _counts(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    p.check(of_one_run(s).shape[-1], c.W)
    return sums_of(s, c)[:2]


HYPERPRIORS: dict[str, Callable[[str], Learner]] = {  # {kind: the learner of one side}
    "em2": lambda side: em2(**{side: "vector"}),
    "em2-symmetric": lambda side: em2(**{side: "symmetric"}),
    "conjugate": lambda side: conjugate(alpha=side == "alpha", eta=side == "eta"),
}
