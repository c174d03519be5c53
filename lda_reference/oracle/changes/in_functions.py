"""Changes of functions and draws: Ψ, exp and log, narrow sums, how topics are drawn, and when sweeps end."""

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ...plain.numbers import digamma
from .change import MEANS, Change, Function, Method, in_single, of_table, under
from .in_steps import SWEPT_ROWS

# Ψ(x) is log x less these times the powers of 1/x
SERIES = {"1/(2x)": (1, 1 / 2), "1/x²": (2, 1 / 12), "1/x⁴": (4, -1 / 120), "1/x⁶": (6, 1 / 252), "1/x⁸": (8, -1 / 240),
          "1/x¹⁰": (10, 1 / 132)}  # fmt: skip


def _series(factors: Mapping[str, float], x: float) -> float:
    """log x less some terms of the series of Ψ, each times a factor."""
    return math.log(x) - sum(factor * SERIES[term][1] / x ** SERIES[term][0] for term, factor in factors.items())


def _above(n_steps: int, factors: Mapping[str, float], x: float) -> float:
    """Ψ by its series at x + steps."""
    return _series(factors, x + n_steps) - sum(1 / (x + step) for step in range(n_steps))


def _up_to(start: float, factors: Mapping[str, float], x: float) -> float:
    """Ψ by the recurrence up to `start`, and then by the series."""
    recurrence_sum = 0.0
    while x < start:
        recurrence_sum, x = recurrence_sum - 1 / x, x + 1
    return recurrence_sum + _series(factors, x)


def _faults_of_series() -> Iterator[tuple[str, Function]]:
    """Faults of the usual way to compute Ψ."""
    term_names = list(SERIES)
    for n_terms, end in enumerate(term_names, 1):
        factors = dict.fromkeys(term_names[:n_terms], 1.0)
        for steps in (1, 2, 3, 4, 5, 6, 8, 10):
            yield f"Ψ(x) is its recurrence from x + {steps} on, by the series to {end}", partial(_above, steps, factors)
        for start in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20):
            start_text = f", used from x = {start} on" if start else ""
            yield f"Ψ(x) is its series cut after {end}{start_text}", partial(_up_to, start, factors)
            for term, (verb, sign) in itertools.product(factors, {"has the opposite sign of": -1, "lacks": 0}.items()):
                text = f"Ψ(x) {verb} {term} in its series{start_text}, which ends with {end}"
                if term != end or sign:  # otherwise the series is cut
                    yield text, partial(_up_to, start, factors | {term: sign})


def _significant(n_bits: int, x: float) -> float:
    """The nearest number with some significant bits."""
    mantissa, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(mantissa, n_bits)), exponent - n_bits)


NARROW: dict[str, Function] = {
    "single precision": in_single, "half precision": lambda x: in_single(x, "e"),
    "TF32": partial(_significant, 11), "bfloat16": partial(_significant, 8),
}  # fmt: skip
UNITS = {f"units of 1/{unit}, each summand rounded down": lambda x, unit=unit: math.floor(x * unit) / unit
         for unit in (2**8, 2**10, 2**16, 2**20)}  # fmt: skip


def _difference(half_step: float, x: float) -> float:
    """Ψ as a difference of log Gamma."""
    return (math.lgamma(x + half_step) - math.lgamma(x - half_step)) / (2 * half_step)


def _stirling(n_terms: int, x: float) -> float:
    return (x - 0.5) * math.log(x) - x + sum((0.5 * math.log(2 * math.pi), 1 / (12 * x))[:n_terms])


FUNCTIONS: dict[str, dict[str, Function]] = {
    "digamma": {
        "Ψ(x) is log x": math.log,
        "Ψ(x) is log(x - 1/2)": lambda x: math.log(x - 0.5),
        "Ψ(x) is log x - 1/x": lambda x: math.log(x) - 1 / x,
        "Ψ(x) is log(x + 1)": math.log1p,
        "Ψ(x) is log Gamma(x)": math.lgamma,
        **{f"Ψ(x) is a difference of log Gamma with steps of {h:g}": partial(_difference, h)
           for h in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)},
        **{f"Ψ(x) is rounded to {text}": lambda x, f=f: f(digamma(x)) for text, f in NARROW.items()},
        **{f"Ψ(x) is read from a table at multiples of 1/{size}, at the {rounding} one":
            lambda x, size=size, rounded=rounded: digamma(rounded(x * size) / size)
           for size in (100, 256, 1000, 1024, 4096, 10_000)
           for rounding, rounded in {"nearest": round, "next lower": math.floor}.items()},
        **dict(_faults_of_series()),
    },
    "exp": {
        "exp(x) is 2^x": lambda x: 2.0**x,
        "exp(x) is x": lambda x: x,
        "exp(x) is 1 + x": lambda x: 1 + x,
    },
    "log": {
        "log x is log2 x": math.log2,
        "log x is log10 x": math.log10,
    },
    "log_gamma": {
        "log Gamma(x) is (x - 1/2) log x - x": partial(_stirling, 0),
        "log Gamma(x) is Stirling's (x - 1/2) log x - x + log(2 pi)/2": partial(_stirling, 1),
        "log Gamma(x) is Stirling's formula with the term 1/(12x)": partial(_stirling, 2),
    },
    "exp_digamma": {
        "exp Ψ(x) is Ψ(x)": digamma,
        "exp Ψ(x) is x - 1/2": lambda x: x - 0.5,
        "exp Ψ(x) is the larger of x - 1/2 and 0": lambda x: max(x - 0.5, 0.0),
        "exp Ψ(x) is exp Ψ(x + 1)": lambda x: math.exp(digamma(x + 1)),
    },
}  # fmt: skip


def _N(round_to: Function, self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
    """A sum whose summands and partial sums are rounded."""
    rounded_sum = 0.0
    for r, n_tokens in self.left(part, i):
        rounded_sum = round_to(rounded_sum + round_to(n_tokens * gamma[r][k]))
    return rounded_sum


def _in_terms(term_names: tuple[str, ...], method_name: str, f: Function) -> dict[str, Method]:
    """A change of a function in some of the terms alone."""
    term_methods = dict.fromkeys(term_names, lambda self, right, *place: under(self, right, *place, within=True))
    return term_methods | {method_name: lambda self, right, x: f(x) if getattr(self, "within", None) else right(x)}


DRAW_CHANGES: dict[str, Method] = {
    "a draw takes the topic of the largest weight": lambda self, right, x, u: x.index(max(x)),
    "a draw compares partial sums with u, not u times the last": lambda self, right, x, u: sum(
        s <= u for s in itertools.accumulate(x[:-1])
    ),
    "a draw takes the number of partial sums that are less than u times the last": lambda self, right, x, u: sum(
        s < u * sum(x) for s in itertools.accumulate(x[:-1])
    ),
    "a draw takes the topics from the last to the first": lambda self, right, x, u: len(x) - 1 - right(x[::-1], u),
    "a draw has 1 - u for u": lambda self, right, x, u: right(x, 1 - u),
    "a draw is one topic too high": lambda self, right, x, u: min(right(x, u) + 1, len(x) - 1),
    "a draw is one topic too low": lambda self, right, x, u: max(right(x, u) - 1, 0),
}

# The token whose uniform number token i has
TOKEN_OF_UNIFORM: dict[str, Function] = {
    "that of the next token": lambda self, i: (i + 1) % self.M,
    "that of the token before": lambda self, i: i - 1,
    "that of its row": lambda self, i: self.row[i],
    "taken word by word": lambda self, i: sorted(range(self.M), key=lambda t: (self.w[t], t)).index(i),
}


def _new_topic(refresh_unit: str, self: Any, right: Method, z: list[int], i: int) -> int:
    """A draw in a sweep whose sums are refreshed after each document or after the sweep."""
    if i == 0 or (refresh_unit == "document" and self.j[i] != self.j[i - 1]):
        self.before = list(z)
    return right([*self.before[:i], z[i], *self.before[i + 1 :]], i)


def _swept_topics(order_rows: Function, self: Any, right: Method, z: list[int]) -> list[int]:
    z = list(z)
    for i in order_rows(self, list(range(self.M))):
        z[i] = self.new_topic(z, i)
    return z


def _changes(old_gamma: Any, new_gamma: Any) -> list[float]:
    return [abs(x - y) for rows in zip(old_gamma, new_gamma, strict=True) for x, y in zip(*rows, strict=True)]


# What is compared with a limit, of the changes in one sweep
STOPPING_RULES: dict[str, Function] = {
    "no number of gamma changes by more than {}": max,
    "the mean change of gamma is at most {}": lambda x: sum(x) / len(x),
}


TERMS_OF_SIDE = {"the document's term": ("document",), "the terms of the word and of the topic": ("word", "topic")}


def changes() -> Iterator[Change]:
    for function, function_of_text in FUNCTIONS.items():
        for text, h in function_of_text.items():
            is_alone = any(word in text for word in ("series", "difference", "rounded", "table"))
            yield Change(text, function, {function: lambda self, right, x, new_function=h: new_function(x)}, is_alone)
            only_in_all_terms = function == "log_gamma" or any(word in text for word in ("x = ", "recurrence", "table"))
            for side, terms in () if only_in_all_terms else TERMS_OF_SIDE.items():
                yield Change(f"{text} in {side}", f"{function} in {side}", _in_terms(terms, function, h), alone=True)
    for part, name in MEANS.items():
        yield from of_table(NARROW | UNITS, f"value N {part}", "N", f"{name} is added up in {{}}", _N, part, alone=True)
    yield from of_table(DRAW_CHANGES, "drawn", "drawn")
    yield from of_table(TOKEN_OF_UNIFORM, "uniform", "uniform", "the uniform number of a token is {}",
                        adapter=lambda f, self, right, i: right(f(self, i)))  # fmt: skip
    refresh_units = {"after each document": "document", "after the sweep": "sweep"}
    yield from of_table(refresh_units, "seen", "new_topic", "the counts are refreshed {}", _new_topic)
    text = "the tokens of a row are all taken out of the counts before they are drawn"
    new_methods = {
        "new_topic": lambda self, right, z, i: under(
            self, right, z, i, n=[int(token <= i or self.row[token] != self.row[i]) for token in range(self.M)]
        )
    }
    yield Change(text, "seen", new_methods)
    yield from of_table(SWEPT_ROWS, "swept", "swept_topics", "with a row for each token, {}", _swept_topics)
    for text, rule in STOPPING_RULES.items():
        stopping_methods = {f"{c:.3g}": lambda self, right, old, new, rule=rule, c=c: rule(_changes(old, new)) <= c
                  for c in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)}  # fmt: skip
        yield from of_table(stopping_methods, "end", "settled", f"sweeps end when {text}", alone=True)
    endings = {n: lambda self, right, n=n: {"gamma": self.swept_often(n)} for n in (1, 2, 5, 10, 20, 30, 50, 100, 200)}
    yield from of_table(endings, "end", "converged", "sweeps end after {}", alone=True)
