"""The maximum of L over a hyperparameter by Newton's method, in log a; L and its derivatives are in `evidence`.

The Hessian is diagonal plus a matrix of rank one, so a step costs no more than one of Minka's. Where L is not concave,
or where a step would lower it, the diagonal is damped (Levenberg and Marquardt) until the step raises L. The common
scale of the components is found first, on equally spaced scales and then between brackets, so any start will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Array
from .evidence import (
    FLAT,
    HIGH,
    LOW,
    Counts,
    GammaPrior,
    derivatives,
    is_constant,
    objective,
    per_component,
    positive_finite,
)

STEPS = 1000  # the largest number of steps


def maximum(counts: Counts, a: Any, prior: GammaPrior = FLAT) -> Any:
    """The hyperparameter that maximises L.

    The arguments are those of `evidence.objective`; `a` is the start, and the result if L does not depend on it.

    Raises
    ------
    ValueError
        If L is largest at 0 or at infinity.
    ArithmeticError
        If a vector has not converged in 1000 steps.

    Examples
    --------
    >>> from lda_reference.priors.evidence import FixedCounts
    >>> N_jk = np.array([[3.0, 1], [0, 2], [5, 0]])
    >>> print(round(maximum(Counts(FixedCounts(N_jk), FixedCounts(N_jk.sum(1)[:, None])), 0.5), 6))
    0.337101
    """
    if is_constant(counts, prior):
        return a
    x, prior = per_component(counts, a, prior)
    scale = _scale(counts, x, prior)
    if np.ndim(a) == 0:
        return positive_finite(np.asarray(scale * a), prior)
    x = positive_finite(x, prior) * (scale if 0 < scale < np.inf else 1.0)
    now, value, damping = derivatives(counts, x, prior), objective(counts, x, prior), 0.0
    for _ in range(STEPS):
        g, d, r = now
        step = ascent_step(g, d - damping, r, x)
        if np.all(np.abs(step) <= 1e-15):
            break
        better = False
        if np.abs(step).max() <= 5:  # a longer step leaves the region where the expansion holds
            new = _inside(x * np.exp(step), prior)
            new_now, new_value = derivatives(counts, new, prior), objective(counts, new, prior)
            flat = abs(new_value - value) <= 1e-13 * (1 + abs(value))  # L has no more digits, but the gradient has
            better = np.abs(new_now[0]).max() < np.abs(g).max() if flat else new_value > value
        if better:
            x, now, value, damping = new, new_now, new_value, damping / 10
        else:
            damping = max(10 * damping, 1e-9 * max(np.abs(d).max(), np.abs(g).max()))
    if np.any(np.abs(g) > 1e-9 * (1 + x * counts.parts.log_rising(x, 1))):
        raise ArithmeticError(f"no maximum after {STEPS} steps: a gradient in log a is still {np.abs(g).max():.3g}")
    return x


def ascent_step(g: Array, d: Array, r: float, x: Array) -> Array:
    """Newton's step - H^-1 g for the Hessian H = diag(d) + r x x', by the formula of Sherman and Morrison.

    Parameters
    ----------
    g, d, x : (S,)
    r : float

    Returns
    -------
    (S,)
        Infinite if H is not negative definite.

    Examples
    --------
    >>> ascent_step(np.array([3.0, 0.0]), np.array([-2.0, -1.0]), 0.5, np.array([1.0, 1.0]))
    array([3., 3.])
    """
    if not (np.all(d < 0) and 1 + r * (x * x / d).sum() > 0):
        return np.full_like(g, np.inf)
    return (r * x * (x * g / d).sum() / (1 + r * (x * x / d).sum()) - g) / d


def _scale(counts: Counts, m: Array, prior: GammaPrior) -> float:
    """The factor f that maximises L(f m), by Newton's method from the best of some points; it can be 0 or infinity."""

    def slopes(u: float) -> tuple[float, float]:
        """The first and second derivative of L(e^u m) in u."""
        x = np.exp(u) * m
        g, d, r = derivatives(counts, x, prior)
        return float(g.sum()), float(d.sum() + r * x.sum() ** 2)

    low, high = np.log(LOW / m.max()), np.log(HIGH / m.min())
    if slopes(low)[0] <= 0:
        return 0.0
    points = np.append(np.arange(low, high), high)  # L can have several maxima, and can rise to a limit at infinity
    best = int(np.argmax([objective(counts, np.exp(u) * m, prior) for u in points]))
    if best == len(points) - 1 and slopes(high)[0] >= 0:
        return np.inf
    low, high = points[max(best - 1, 0)], points[min(best + 1, len(points) - 1)]
    u = min(max(0.0, low), high)
    while True:
        slope, curvature = slopes(u)
        low, high = (u, high) if slope > 0 else (low, u)
        new = u - slope / curvature if curvature < 0 else np.inf
        new = new if low < new < high else (low + high) / 2
        if abs(new - u) <= 1e-15 * max(1.0, abs(u)):
            return float(np.exp(new))
        u = new


def _inside(x: Array, prior: GammaPrior) -> Any:
    """`x`, if it lies between LOW and HIGH; a component that is a tiny share of the sum counts as 0 too."""
    zero = x < LOW * max(1.0, x.sum())
    return positive_finite(np.where(zero, 0.0, np.where(x > HIGH, np.inf, x)), prior)
