"""How far rounding may move a correct answer: the errors of a computation, in units of its roundoff.

The roundoff is 2^-53 in double precision and 2^-24 in single precision. To first order, an error is the roundoff times
a number that depends on the case alone. `errors` gives this number for each field of the answer.

**Steps** (`update`, `sweep`, `ten_sweeps`, `converged`, `summary`, `fold_in`, `e_step`): the package makes the step
with random errors, see `perturbed`. The error of the answer is 4 times the largest change in 4 runs, plus K + 8 for the
last normalisation.

**What takes a few operations**: the errors of all operations are added, which is the worst case. For estimates,
predictions, bounds, hyperparameters and most starts, this module does it; for the operations of operations.json,
`rounded_operations`. The start `growing` has runs with errors in its first rows and its prior.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from ..algorithms import ALGORITHMS
from ..engine import State, starts, sums
from ..model import Array, Prior
from . import package, rounded_operations
from .asking.loading import Case
from .perturbed import FUNCTION, RUNS, SIZE, change, growth, random_signs, runs, runs_of_e_step


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
    case = legal(case)
    if case["operation"] in rounded_operations.OF:
        answer = rounded_operations.OF[case["operation"]](case)
        return {name: float(x.error.max()) for name, x in answer.items()}
    of = _START.get(case["start"]) if case["operation"] == "start" else _OF.get(case["operation"])
    return of(case) if of else {"gamma": 0.0}


# Steps ----------------------------------------------------------------------------------------------------------------


def legal(case: Case) -> Case:
    """The case; if it is a legal input of `reject`, as the sweep or the start that answers it."""
    if case["operation"] != "reject" or "error" in case["expected"]:
        return case
    return case | {"operation": "start" if "start" in case else "sweep"}


def _of_step(case: Case) -> dict[str, float]:
    if ALGORITHMS[case["algorithm"]].assignment == "sample":
        return {"gamma_k": float(of_weights(case))}
    last = runs(case)[-1]
    if case["operation"] == "update":
        return {"gamma_k": growth(case, last[case["row"]])}
    return {"gamma": growth(case, last)}


def _of_summary(case: Case) -> dict[str, float]:
    """The sums are added in pairs. A normalisation changes all gamma of a row by the same factor."""
    gamma, found = runs(case)[-1], {}
    place = np.arange(gamma[:, 0].size).reshape(-1, 1, case["K"])
    of_sum = 10 + np.log2(place.size)
    for field, wave in (("cosine", np.cos), ("sine", np.sin)):
        x = gamma * wave(place)
        rows, sizes = x.sum(-1), np.abs(x[:, 0]).sum()
        found[field] = change(rows.sum(0)[:, None]) + case["K"] * np.abs(rows[:, 0]).sum() + of_sum * sizes
    return {field: float(x) for field, x in found.items()}


def _of_fold_in(case: Case) -> dict[str, float]:
    """The change of theta in the runs, and the errors of its own sums."""
    K, M = case["K"], len(case["corpus"]["n"])
    case = case | {"state": {"gamma": np.full((M, K), 1 / K).tolist()}}
    A, _, c, p = package.read(case)
    theta_jk, _ = A.estimate(State(runs(case)[-1]), c, p)
    return {"theta_jk": change(theta_jk) + 2 * (M + 4) + 2 * (K + 8)}


def _of_e_step(case: Case) -> dict[str, float]:
    alpha_jk = runs_of_e_step(case)
    return {"alpha_jk": change(alpha_jk) + float((case["K"] + 8) * alpha_jk.max())}


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
        x = np.minimum(first * (1 + size * random_signs(first.shape, rng)), 1)
        alpha, eta = (a * (1 + size * random_signs(a.shape, rng)) for a in p.vectors(K, c.W))
        found.append(starts.after_growth(order, x, c, Prior(alpha, eta)))
    return {"gamma": growth(case, np.stack(found, 1))}


_OF = {
    "update": _of_step,
    "sweep": _of_step,
    "ten_sweeps": _of_step,
    "converged": _of_step,
    "summary": _of_summary,
    "fold_in": _of_fold_in,
    "e_step": _of_e_step,
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
