"""Changes of functions: what stands for Ψ, exp, log and log Gamma."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .change import Change, Method

# Ψ(x) is log x less these times the powers of 1/x
SERIES = {"1/(2x)": (1, 1 / 2), "1/x²": (2, 1 / 12), "1/x⁴": (4, -1 / 120), "1/x⁶": (6, 1 / 252), "1/x⁸": (8, -1 / 240),
          "1/x¹⁰": (10, 1 / 132)}  # fmt: skip


def _asymptotic(least: float, terms: Mapping[str, float]) -> Callable[[float], float]:
    """Ψ by the recurrence up to `least`, and then by the terms of the series, each times a factor."""

    def function(x: float) -> float:
        below = 0.0
        while x < least:
            below, x = below - 1 / x, x + 1
        parts = (factor * SERIES[name][1] / x ** SERIES[name][0] for name, factor in terms.items())
        return below + math.log(x) - sum(parts)

    return function


def _series() -> Iterator[tuple[str, Callable[[float], float]]]:
    """Faults of the usual way to compute Ψ."""
    names = list(SERIES)
    for least in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20):
        above = f", used from x = {least} on" if least else ""
        for n in range(5):
            text = f"its series cut after {names[n - 1]}" if n else "log x"
            yield f"Ψ(x) is {text}{above}", _asymptotic(least, dict.fromkeys(names[:n], 1))
        for name, (factor, what), size in itertools.product(
            names[:4], ((-1, "has the other sign of"), (0, "lacks")), range(2, 7)
        ):
            terms = dict.fromkeys(names[:size], 1) | {name: factor}
            if name in names[: size + factor]:
                cut = f", which ends with {names[size - 1]}" if size < 6 else ""
                yield f"Ψ(x) {what} {name} in its series{above}{cut}", _asymptotic(least, terms)


def _difference(h: float, relative: bool) -> Callable[[float], float]:
    """Ψ as a difference of log Gamma."""

    def function(x: float) -> float:
        step = h * x if relative else h
        return (math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step)

    return function


def _stirling(terms: int) -> Callable[[float], float]:
    rest = (lambda x: 0.5 * math.log(2 * math.pi), lambda x: 1 / (12 * x))
    return lambda x: (x - 0.5) * math.log(x) - x + sum(f(x) for f in rest[:terms])


FUNCTIONS: dict[str, dict[str, Callable[[float], float]]] = {
    "digamma": {
        "Ψ(x) is log(x - 1/2)": lambda x: math.log(x - 0.5),
        "Ψ(x) is log x - 1/x": lambda x: math.log(x) - 1 / x,
        "Ψ(x) is log x + 1/(2x)": lambda x: math.log(x) + 1 / (2 * x),
        "Ψ(x) is log(x + 1)": math.log1p,
        "Ψ(x) is log2 x": math.log2,
        "Ψ(x) is log Gamma(x)": math.lgamma,
        "Ψ(x) is x": lambda x: x,
        "Ψ(x) is the derivative Ψ'(x)": lambda x: 1 / x + 1 / (2 * x * x),
        **{
            f"Ψ(x) is a difference of log Gamma with steps of {h:g}{text}": _difference(h, bool(text))
            for h in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7) for text in ("", " x")
        },
        **dict(_series()),
    },
    "exp": {
        "exp(x) is 2^x": lambda x: 2.0**x,
        "exp(x) is 10^x": lambda x: 10.0**x,
        "exp(x) is x": lambda x: x,
        "exp(x) is 1 + x": lambda x: 1 + x,
        "exp(x) is 1 + x + x²/2": lambda x: 1 + x + x * x / 2,
        "exp(x) is (1 + x/256)^256": lambda x: (1 + x / 256) ** 256,
        "exp(x) is (1 + x/1024)^1024": lambda x: (1 + x / 1024) ** 1024,
        "exp(x) is (2 + x) / (2 - x)": lambda x: (2 + x) / (2 - x),
            "exp(x) is exp(x) - 1": math.expm1,
    },
    "log": {
        "log x is log2 x": math.log2,
        "log x is log10 x": math.log10,
            },
    "log_gamma": {
            "log Gamma(x) is log x": math.log,
        "log Gamma(x) is x log x - x": lambda x: x * math.log(x) - x,
        "log Gamma(x) is (x - 1/2) log x - x": _stirling(0),
        "log Gamma(x) is Stirling's (x - 1/2) log x - x + log(2 pi)/2": _stirling(1),
        "log Gamma(x) is Stirling's formula with the term 1/(12x)": _stirling(2),
    },
}  # fmt: skip


# What exp Ψ(x) is
EXP_DIGAMMA: dict[str, Callable[[Any, float], float]] = {
    "Ψ(x)": lambda self, x: self.digamma(x),
    "x": lambda self, x: x,
    "x - 1": lambda self, x: x - 1,
    "x - 1/2": lambda self, x: x - 0.5,
    "x - 1/2 + 1/(24x)": lambda self, x: x - 0.5 + 1 / (24 * x),
    "the larger of x - 1/2 and 0": lambda self, x: max(x - 0.5, 0.0),
    "exp Ψ(x + 1)": lambda self, x: math.exp(self.digamma(x + 1)),
    "Γ(x)": lambda self, x: math.gamma(x),
}


def _instead(f: Callable[[float], float]) -> Method:
    return lambda self, right, x: f(x)


def _in_term(term: str, name: str, f: Method) -> dict[str, Method]:
    """A change of a function in one of the terms alone."""

    def within(self: Any, right: Method, *given: Any) -> Any:
        self.within = term
        try:
            return right(*given)
        finally:
            self.within = None

    def function(self: Any, right: Method, x: float) -> Any:
        return f(self, right, x) if getattr(self, "within", None) == term else right(x)

    return {term: within, name: function}


def changes() -> Iterator[Change]:
    """All changes of functions, everywhere and in one of the three terms."""
    for text, name, f, alone in _everywhere():
        yield Change(text, name, {name: f}, alone)
        for term in ("document", "word", "topic") if name != "log_gamma" and "used from" not in text else ():
            yield Change(f"{text} in the {term}'s term", f"{name} in {term}", _in_term(term, name, f), alone=True)


def _everywhere() -> Iterator[tuple[str, str, Method, bool]]:
    for name, functions in FUNCTIONS.items():
        for text, h in functions.items():
            yield text, name, _instead(h), any(of in text for of in ("series", "used from", "difference"))
    for text, of in EXP_DIGAMMA.items():
        yield f"exp Ψ(x) is {text}", "exp_digamma", lambda self, right, x, of=of: of(self, x), False
