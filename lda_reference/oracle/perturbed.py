"""Steps with small random errors: how far rounding may move gamma.

The certificate measures how errors grow: its evaluator gets small relative errors of random sign in the start and in
the sums (`certificate.noise`). `runs` does the same with the package. The size of the relative errors follows from the
number of operations:

- m + 4 for a sum of m terms, because sums may be added in any order. If a token is excluded, the error is in proportion
  to the whole sum, because the token may have been subtracted from it;
- 1 for a prior number, and W for the sum of eta over W words;
- 8 for a function. If its value x is a logarithm, the error is in proportion to 1 + |x|. An expectation over a count
  of m tokens has m more.

Errors that grow from sweep to sweep grow in these runs too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import digamma

from ..corpus import Corpus
from ..engine import Algorithm, State, Term, Update, soft, sums
from ..model import Array, Prior
from . import package
from .asking.loading import Case

SIZE = 2.0**-44  # the relative size of the errors: small enough for the first order
RUNS = 4
SAFETY = 4  # how much larger an error may be than the largest in the runs
FUNCTION = 8  # operations: the error of a logarithm, a digamma function or a log Gamma function
STEPS = ("update", "sweep", "ten_sweeps", "converged", "summary")

Signs = Callable[[tuple[int, ...], np.random.Generator], Array]


def runs(case: Case) -> Array:
    """gamma before and after each sweep, (sweeps + 1, M, 1 + RUNS, K): first without errors, then with them."""
    A, s, c, p = package.read(case)
    rng = np.random.default_rng(0)
    gamma = np.minimum(perturbed(_repeated(s.gamma), 1, rng), 1)
    swept, sweeps = _sweep(case, A, c, p, rng), _sweeps(case)
    found = [gamma]
    while len(found) <= (package.MOST if sweeps is None else sweeps):
        found.append(swept(found[-1]))
        if sweeps is None and np.abs(found[-1][:, 0] - found[-2][:, 0]).max() < 1e-15:
            break
    return np.stack(found)


def _sweeps(case: Case) -> int | None:
    """The number of sweeps; None if they end at a fixed point."""
    number = {"update": 1, "sweep": 1, "converged": None, "summary": case.get("sweeps"), "fold_in": case.get("sweeps")}
    return number.get(case["operation"], 10)


def _sweep(case: Case, A: Algorithm, c: Corpus, p: Prior, rng: np.random.Generator) -> Callable[[Array], Array]:
    """A sweep of all runs."""
    settings: dict[str, Any] = {name: case[name] for name in ("blocks", "inner") if name in case}
    settings["schedule"] = "corpus" if case["operation"] == "update" else case.get("schedule", "document")
    if settings["schedule"] == "nested":  # it takes one run after the other, so that only the others have errors
        noisy = replace(A, update=_with_errors(A, c, rng, random_signs))
        each = [A] + [noisy] * RUNS
        return lambda gamma: np.stack(
            [each[r].sweep(State(gamma[:, r]), c, p, **settings).gamma for r in range(1 + RUNS)], 1
        )
    if "uniforms" in case:
        settings["uniforms"] = _repeated(np.array(case["uniforms"]))
    if case["operation"] == "fold_in":
        phi_wk = _repeated(np.array(case["phi_wk"], np.float64))
        logs = FUNCTION * (1 + np.abs(np.log(phi_wk))) if A.update.logs else 0
        settings["held_topics"] = perturbed(phi_wk, 1 + logs, rng)
    noisy = replace(A, update=_with_errors(A, c, rng, _signs))
    return lambda gamma: noisy.sweep(State(gamma), c, p, **settings).gamma


def _repeated(x: Array) -> Array:
    """x for each of the runs, on axis 1."""
    return np.repeat(x[:, None], 1 + RUNS, 1)


def perturbed(x: Array, units: Any, rng: np.random.Generator) -> Array:
    """Numbers with relative errors of a size, but without errors in the first run."""
    return x * (1 + SIZE * units * _signs(x.shape, rng))


def _signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """1 or -1 at random, but 0 in the first run."""
    x = random_signs(shape, rng)
    x[..., 0, :] = 0
    return x


def random_signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """An array of a shape with entries 1 and -1 of equal probability."""
    return np.where(rng.integers(0, 2, shape), 1.0, -1.0)


def _with_errors(A: Algorithm, c: Corpus, rng: np.random.Generator, signs: Signs) -> Update:
    """The update of an algorithm with errors in its sums, its prior numbers and its functions."""
    rows, tokens = ([int(np.bincount(x, n).max()) for x in (c.j, c.w)] for n in (np.ones(c.M), c.n))
    rows, tokens = [*rows, c.M], [*tokens, c.N]
    terms = []
    for i, term in enumerate(A.update.terms):
        added = c.W if i == 2 else 1  # the numbers of which the prior number is the sum
        of_function = FUNCTION + (tokens[i] if term.count.leaving else 0)
        terms.append(_of_term(term, A, rows[i] + 4, added, of_function, lambda shape: signs(shape, rng)))
    return A.update._replace(document=terms[0], word=terms[1], topic=terms[2])


def _of_term(term: Term, A: Algorithm, of_sum: int, of_prior: int, of_function: int, signs: Any) -> Term:
    whole: Any = None  # the sum before the exclusion

    def remove(S: Any, part: Any) -> Any:
        nonlocal whole
        whole = S
        return term.count.remove(S, part)

    def value(a: Any, S: Any) -> Any:
        around = S if A.update.excludes == "nothing" else whole
        shape = S.shape if term.count.leaving is None else S.shape[1:]
        a = a + SIZE * of_prior * (a + of_prior * A.prior_offset) * signs(shape[-2:])
        if term.count.leaving is None:  # S is a mean, or a mean and a variance
            S = S + SIZE * of_sum * around * signs(shape)
        x = term.value(a, S)
        scale = 1 + np.abs(np.where(np.isfinite(x), x, 0)) if A.update.logs else x
        return x + SIZE * of_function * scale * signs(np.shape(x))

    return Term(value, term.count._replace(remove=remove))


def change(x: Array) -> float:
    """The largest change of some numbers (..., 1 + RUNS, K) in the runs with errors, in units of the roundoff."""
    found = SAFETY * np.abs(x[..., 1:, :] - x[..., :1, :]).max() / SIZE
    return float(found) if np.isfinite(found) else np.inf


def growth(case: Case, gamma: Array) -> float:
    """The error of gamma, in units of the roundoff: its change in the runs, and that of the last normalisation."""
    return change(gamma) + float(case["K"] + 8)


def runs_of_e_step(case: Case) -> Array:
    """alpha_jk (D, 1 + RUNS, K) after the iterations of an `e_step`: first without errors, then with them."""
    (c, p), rng = package.problem(case), np.random.default_rng(0)
    alpha, _ = p.vectors(case["K"], c.W)
    alpha_jk, eta_wk = (perturbed(_repeated(np.array(case[name])), 1, rng) for name in ("alpha_jk", "eta_wk"))
    rows = int(np.bincount(c.j).max())

    def function(x: Array) -> Array:
        y = digamma(x)
        return y + SIZE * FUNCTION * (1 + np.abs(y)) * _signs(y.shape, rng)

    def expected_log(a: Array, axis: int) -> Array:
        return function(a) - function(perturbed(a.sum(axis, keepdims=True), a.shape[axis], rng))

    log_phi = expected_log(eta_wk, 0)
    for _ in range(case["iterations"]):
        x = expected_log(alpha_jk, -1)[c.j] + log_phi[c.w]
        gamma = soft(np.exp(x - x.max(-1, keepdims=True)))
        alpha_jk = perturbed(sums(gamma, c).jk + alpha, rows + 4, rng)
    return alpha_jk
