"""How far rounding may move a correct answer: the errors of a computation, in units of its roundoff.

The roundoff is 2^-53 in double precision and 2^-24 in single precision. To first order, an error is the roundoff times
a number that depends on the case alone. `errors` gives this number for each field of the answer.

**Steps** (`update`, `sweep`, `ten_sweeps`, `converged`). The certificate measures how errors grow: its evaluator gets
small relative errors of random sign in the start and in the sums (`certificate.noise`). `runs` does the same with the
package. The size of the relative errors follows from the number of operations:

- m + 4 for a sum of m terms, because sums may be added in any order. If a token is excluded, the error is in proportion
  to the whole sum, because the token may have been subtracted from it;
- 1 for a prior number, and W for the sum of eta over W words;
- 8 for a function. If its value x is a logarithm, the error is in proportion to 1 + |x|. An expectation over a count
  of m tokens has m more.

The error of the answer is 4 times the largest change in 4 runs, plus K + 8 for the last normalisation. Errors that grow
from sweep to sweep grow in these runs too.

**What takes a few operations** (estimates, predictions, bounds, hyperparameters, most starts): the errors of all
operations are added, which is the worst case. The start `growing` has runs with errors in its first rows and its prior.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from ..corpus import Corpus
from ..engine import Algorithm, State, Term, Update, starts, sums
from ..model import Array, Prior
from . import package
from .loading import Case

SIZE = 2.0**-44  # the relative size of the errors in `runs`: small enough for the first order
RUNS = 4
SAFETY = 4
FUNCTION = 8  # operations: the error of a logarithm, a digamma function or a log Gamma function
STEPS = {"update": 1, "sweep": 1, "ten_sweeps": 10, "converged": None}  # and their numbers of sweeps


def errors(case: Case) -> dict[str, float]:
    """The absolute error that rounding can cause in each field of an answer, in units of the roundoff.

    Parameters
    ----------
    case : dict
        With its `expected` answer. Fields of whole numbers have error 0: see `margins`.

    Returns
    -------
    dict from str to float
        `inf` if the errors grow beyond all bounds.

    Examples
    --------
    >>> from lda_reference.oracle import cases
    >>> round(errors(cases("cvb0/estimate/001")[0])["phi_wk"])
    20
    """
    if not {"z", "topic", "error"}.isdisjoint(case["expected"]):
        return dict.fromkeys(case["expected"], 0.0)
    of = _START.get(case["start"]) if case["operation"] == "start" else _OF.get(case["operation"])
    return of(case) if of else {"gamma": 0.0}


# Steps ---------------------------------------------------------------------------------------------------------------


def runs(case: Case) -> Array:
    """gamma before and after each sweep, (sweeps + 1, M, 1 + RUNS, K): first without errors, then with them."""
    A, s, c, p = package.read(case)
    rng = np.random.default_rng(0)
    gamma = np.repeat(s.gamma[:, None], 1 + RUNS, 1)
    gamma = np.minimum(gamma * (1 + SIZE * _signs(gamma.shape, rng)), 1)
    A = replace(A, update=_with_errors(A, c, rng))
    u = np.repeat(np.array(case["uniforms"])[:, None], 1 + RUNS, 1) if "uniforms" in case else None
    sweeps = STEPS.get(case["operation"], 10)
    schedule = "corpus" if case["operation"] == "update" else case.get("schedule", "document")
    found = [gamma]
    while len(found) <= (package.MOST if sweeps is None else sweeps):
        found.append(A.sweep(State(found[-1]), c, p, schedule=schedule, uniforms=u).gamma)
        if sweeps is None and np.abs(found[-1][:, 0] - found[-2][:, 0]).max() < 1e-15:
            break
    return np.stack(found)


def _signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """1 or -1 at random, but 0 in the first run."""
    x = _random_signs(shape, rng)
    x[..., 0, :] = 0
    return x


def _random_signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return np.where(rng.integers(0, 2, shape), 1.0, -1.0)


def _with_errors(A: Algorithm, c: Corpus, rng: np.random.Generator) -> Update:
    """The update of an algorithm with errors in its sums, its prior numbers and its functions."""
    rows, tokens = ([int(np.bincount(x, n).max()) for x in (c.j, c.w)] for n in (np.ones(c.M), c.n))
    rows, tokens = [*rows, c.M], [*tokens, c.N]
    terms = []
    for i, term in enumerate(A.update.terms):
        added = c.W if i == 2 else 1  # the numbers of which the prior number is the sum
        of_function = FUNCTION + (tokens[i] if term.count.leaving else 0)
        terms.append(_of_term(term, A, rows[i] + 4, added, of_function, rng))
    return A.update._replace(document=terms[0], word=terms[1], topic=terms[2])


def _of_term(term: Term, A: Algorithm, of_sum: int, of_prior: int, of_function: int, rng: np.random.Generator) -> Term:
    whole: Any = None  # the sum before the exclusion

    def remove(S: Any, part: Any) -> Any:
        nonlocal whole
        whole = S
        return term.count.remove(S, part)

    def value(a: Any, S: Any) -> Any:
        around = S if A.update.excludes == "nothing" else whole
        shape = S.shape if term.count.leaving is None else S.shape[1:]
        a = a + SIZE * of_prior * (a + of_prior * A.prior_offset) * _signs(shape[-2:], rng)
        if term.count.leaving is None:  # S is a mean, or a mean and a variance
            S = S + SIZE * of_sum * around * _signs(shape, rng)
        x = term.value(a, S)
        scale = 1 + np.abs(np.where(np.isfinite(x), x, 0)) if A.update.logs else x
        return x + SIZE * of_function * scale * _signs(np.shape(x), rng)

    return Term(value, term.count._replace(remove=remove))


def growth(case: Case, gamma: Array) -> float:
    """The largest change of gamma in the runs with errors, in units of the roundoff."""
    change = np.abs(gamma[..., 1:, :] - gamma[..., :1, :]).max() / SIZE
    return float(SAFETY * change + case["K"] + 8) if np.isfinite(change) else np.inf


def _of_step(case: Case) -> dict[str, float]:
    if "z" in case["state"]:  # the probabilities of a sampler
        return {"gamma_k": float(of_weights(case))}
    last = runs(case)[-1]
    if case["operation"] == "update":
        return {"gamma_k": growth(case, last[case["row"]])}
    return {"gamma": growth(case, last)}


def of_weights(case: Case) -> int:
    """The error of a sampler's probabilities and their partial sums: W for the sum of eta, K for sums of topics, 10."""
    return int(case["corpus"]["W"]) + int(case["K"]) + 10


# Estimates -----------------------------------------------------------------------------------------------------------


def _estimates(case: Case) -> tuple[Array, Array, Array, Array]:
    """theta_jk and phi_wk, and their errors: those of the numerators and of the denominators."""
    A, s, c, p = package.read(case)
    theta, phi = A.estimate(s, c, p)
    N, (alpha, eta), less = sums(s.gamma, c), p.vectors(case["K"], c.W), A.prior_offset
    smoothed_j, smoothed_w = A.name != "ml", A.name not in ("ml", "vem")
    of = []
    sides = ((N.jk, alpha[None], smoothed_j, 1), (N.wk, eta[:, None], smoothed_w, 0))
    for value, (counts, a, smoothed, axis) in zip((theta, phi), sides, strict=True):
        prior, of_sum = a * smoothed, (c.M + 4) * counts + 4 * a * smoothed
        number = counts + prior - less * smoothed
        with np.errstate(divide="ignore", invalid="ignore"):
            above = np.where(number > 0, of_sum / number, 1.0)
            total = (of_sum + (counts.shape[axis] + 4) * (counts + prior)).sum(axis, keepdims=True)
            below = np.where(number.sum(axis, keepdims=True) > 0, total / number.sum(axis, keepdims=True), 1.0)
        of.append(value * (above + below + 4))
    return theta, phi, of[0], of[1]


def _of_estimate(case: Case) -> dict[str, float]:
    _, _, of_theta, of_phi = _estimates(case)
    return {"theta_jk": float(of_theta.max()), "phi_wk": float(of_phi.max())}


def _of_prediction(case: Case) -> dict[str, float]:
    theta, phi, of_theta, of_phi = _estimates(case)
    j, w, n = (np.array(case["test"][name]) for name in ("j", "w", "n"))
    p = (theta[j] * phi[w]).sum(1)
    of_p = (of_theta[j] * phi[w] + theta[j] * of_phi[w] + (case["K"] + 2) * theta[j] * phi[w]).sum(1)
    found = {"token_probability": float(of_p.max()), "perplexity": 0.0}
    if p.min() > 0:
        logs = np.abs(np.log(p))
        mean = n @ (of_p / p + (FUNCTION + len(n) + 2) * (logs + 1)) / n.sum()
        found["perplexity"] = float(np.exp(-(n @ np.log(p)) / n.sum()) * (mean + FUNCTION * (1 + n @ logs / n.sum())))
    return found


# The bound, hyperparameters ------------------------------------------------------------------------------------------


def _of_log_gamma(x: Array, of_x: Any) -> Any:
    """The error of a sum of log Gamma(x): those of the arguments and of the function, in units of the roundoff."""
    return (of_x * np.abs(x * digamma(x)) + FUNCTION * (1 + np.abs(gammaln(x)))).sum()


def _of_bound(case: Case) -> dict[str, float]:
    _, s, c, p = package.read(case)
    N, (alpha, eta) = sums(s.gamma, c), p.vectors(case["K"], c.W)
    N_j, m = N.jk.sum(1), c.M + 4
    terms = [
        (alpha.sum(), c.D, case["K"]), (alpha, c.D, 1), (eta.sum(), case["K"], c.W), (eta, case["K"], 1),
        (alpha.sum() + N_j, 1, m + case["K"]), (eta.sum() + N.k, 1, m + c.W),
        (alpha + N.jk, 1, m), (eta[:, None] + N.wk, 1, m),
    ]  # fmt: skip
    # each row: arguments of log Gamma, how often they occur, and the error of an argument
    size = sum(times * (1 + np.abs(gammaln(x))).sum() for x, times, _ in terms)
    of = sum(times * _of_log_gamma(np.atleast_1d(x), of_x) for x, times, of_x in terms)
    number = sum(times * np.size(x) for x, times, _ in terms) + s.gamma.size
    entropy = -(c.n @ np.where(s.gamma > 0, s.gamma * np.log(np.where(s.gamma > 0, s.gamma, 1)), 0)).sum()
    return {"bound": float(of + number * (size + entropy) + FUNCTION * (entropy + c.N))}


def _of_hyperparameters(case: Case) -> dict[str, float]:
    _, s, c, p = package.read(case)
    N, (alpha, eta) = sums(s.gamma, c), p.vectors(case["K"], c.W)
    rate = case["gamma_prior"]["rate"]
    found = {}
    for name, counts, a in (("alpha", N.jk, alpha), ("eta", N.wk.T, eta)):
        number = 1 if np.ndim(getattr(p, name)) else len(a)  # of the components that share one number
        totals, m = counts.sum(1), c.M + counts.size + 4
        rise = (digamma(counts + a) - digamma(a)).sum(0)
        total = (digamma(totals + a.sum()) - digamma(a.sum())).sum()
        of_rise = _of_rise(counts, a, m).sum(0)
        of_total = _of_rise(totals, a.sum(), m + len(a)).sum()
        if number > 1:
            rise, of_rise = rise.sum(), of_rise.sum()
        below = rate + number * total
        new = np.asarray(case["expected"][name])
        of = a * (of_rise + 4 * rise) / below + new * (number * of_total / below + 8)
        found[name] = float(of.max())
    return found


def _of_rise(N: Array, a: Any, of_sum: int) -> Array:
    """The error of Ψ(N + a) - Ψ(a), in units of the roundoff; 0 where N is 0."""
    x = N + a
    of_functions = FUNCTION * (2 + np.abs(digamma(x)) + np.abs(digamma(a)))
    return np.where(N > 0, of_functions + of_sum * N / x * (1 + 1 / x), 0.0)  # Ψ'(x) is below 1/x + 1/x²


# Starts --------------------------------------------------------------------------------------------------------------


def _of_weights_by_word(case: Case) -> dict[str, float]:
    return {"gamma": float(case["corpus"]["W"] + case["K"] + 10)}


def _of_collapsed(case: Case) -> dict[str, float]:
    return {"gamma": growth(case, runs(case | {"algorithm": "cvb0", "operation": "ten_sweeps"})[-1])}


def _of_growing(case: Case) -> dict[str, float]:
    """The change when the first rows and the prior have errors as large as those of a sum over all rows."""
    c, p, K = *package.problem(case), case["K"]
    order, first, rng = np.array(case["order"]), np.reshape(case["first"], (-1, K)), np.random.default_rng(0)
    size, found = SIZE * (c.M + 4), [starts.after_growth(order, first, c, p)]
    for _ in range(RUNS):
        x = np.minimum(first * (1 + size * _random_signs(first.shape, rng)), 1)
        alpha, eta = (a * (1 + size * _random_signs(a.shape, rng)) for a in p.vectors(K, c.W))
        found.append(starts.after_growth(order, x, c, Prior(alpha, eta)))
    return {"gamma": growth(case, np.stack(found, 1))}


_OF = {
    "update": _of_step,
    "sweep": _of_step,
    "ten_sweeps": _of_step,
    "converged": _of_step,
    "estimate": _of_estimate,
    "predict": _of_prediction,
    "bound": _of_bound,
    "hyperparameters": _of_hyperparameters,
}
_START = {
    "topics": _of_weights_by_word,
    "documents": _of_weights_by_word,
    "one-hot": lambda case: {"gamma": 2.0},
    "collapsed": _of_collapsed,
    "growing": _of_growing,
}
