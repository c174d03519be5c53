"""Changes of what is computed from a state: estimates, bounds, predictions and Minka's step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from .change import SMALL, Change, Method, Row, share, softmax

PSEUDO: dict[str, Callable[[Any, Any, Any, int], tuple[Any, Any]]] = {
    "is left out of the numerator": lambda self, a, A, size: (_times(a, 0), A),
    "is left out of the denominator": lambda self, a, A, size: (a, _times(A, 0)),
    "is left out of the estimates": lambda self, a, A, size: (_times(a, 0), _times(A, 0)),
    "is not summed in the denominator": lambda self, a, A, size: (a, _times(A, 1 / size)),
    "is doubled in the numerator": lambda self, a, A, size: (_times(a, 2), A),
    "is twice in the denominator": lambda self, a, A, size: (a, _times(A, 2)),
    "has 1 subtracted": lambda self, a, A, size: (_plus(a, -1), _plus(A, -size)),
    "has 1 subtracted in the numerator": lambda self, a, A, size: (_plus(a, -1), A),
    "has 1 added": lambda self, a, A, size: (_plus(a, 1), _plus(A, size)),
}


def _pseudo(f: Callable[[Any, Any, Any, int], tuple[Any, Any]], length: str) -> Method:
    def pseudo(self: Any, right: Method) -> tuple[Any, Any]:
        a, A = right()
        return f(self, a, A, getattr(self, length))

    return pseudo


def _times(x: Any, c: float) -> Any:
    return [_times(v, c) for v in x] if isinstance(x, list) else x * c


def _plus(x: Any, c: float) -> Any:
    return [_plus(v, c) for v in x] if isinstance(x, list) else x + c


def _table(f: Callable[[Any, list[Row]], list[Row]]) -> Method:
    return lambda self, right, *given: f(self, right(*given))


def _columns(table: list[Row]) -> list[Row]:
    return [list(x) for x in zip(*table, strict=True)]


TABLES: dict[str, Callable[[Any, list[Row]], list[Row]]] = {
    "is divided by the sum of the whole table": lambda self, x: [[v / sum(map(sum, x)) for v in row] for row in x],
    "is normalised over topics": lambda self, x: [share(row) for row in x],
    "is normalised over its rows": lambda self, x: _columns([share(column) for column in _columns(x)]),
    "has the topics in the reverse order": lambda self, x: [row[::-1] for row in x],
    "has its rows in the reverse order": lambda self, x: x[::-1],
    "has each row at the place of the next": lambda self, x: [*x[-1:], *x[:-1]],
    "is its logarithm": lambda self, x: [[math.log(v) for v in row] for row in x],
    "is its softmax": lambda self, x: [softmax(row) for row in x],
    "is uniform": lambda self, x: [[1 / len(row)] * len(row) for row in x],
}


def _plugged_in(self: Any, right: Method, a: float, rows: list[int], k: int) -> float:
    return math.lgamma(a + sum(self.n[i] * self.gamma[i][k] for i in rows))


def _scaled(c: Callable[[Any], float]) -> Method:
    return lambda self, right, *given: c(self) * right(*given)


NAMES = {
    "entropy": "the entropy of q(z)", "constant_of_theta": "the constant of p(theta | alpha)",
    "constant_of_phi": "the constant of p(phi | eta)",
}  # fmt: skip
SCALES: dict[str, Callable[[Any], float]] = {
    "subtracted": lambda self: -1.0,
    "left out": lambda self: 0.0,
    "taken twice": lambda self: 2.0,
    "divided by D": lambda self: 1 / self.D,
    "divided by K": lambda self: 1 / self.K,
    "divided by W": lambda self: 1 / self.W,
    "multiplied by D": lambda self: self.D,
    "multiplied by K": lambda self: self.K,
    "multiplied by W": lambda self: self.W,
}


BOUNDS: dict[str, Callable[[Any, float], float]] = {
    "the bound has the other sign": lambda self, x: -x,
    "the bound is divided by the number of tokens": lambda self, x: x / sum(self.n),
    "the bound is divided by the number of rows": lambda self, x: x / self.M,
    "the bound is divided by the number of documents": lambda self, x: x / self.D,
    "the bound is in bits": lambda self, x: x / math.log(2),
}


def _bound(f: Callable[[Any, float], float]) -> Method:
    return lambda self, right: {"bound": f(self, right()["bound"])}


def _in_order(name: str) -> Method:
    def counts(self: Any, right: Method) -> Any:
        self.case = self.case | {"schedule": name}
        self.gamma = self.one_sweep(self.gamma)
        return right()

    return counts


def _best_topic(self: Any, right: Method) -> Any:
    found, (theta, phi), test = right(), self.estimate().values(), self.case["test"]
    p = [max(a * b for a, b in zip(theta[j], phi[w], strict=True)) for j, w in zip(test["j"], test["w"], strict=True)]
    return found | {"token_probability": p, "perplexity": self.perplexity(p, test["n"])}


def _theta_once(self: Any, right: Method) -> float:
    return float(self.D * (math.lgamma(self.sum_alpha) - math.lgamma(self.alpha[0])))


def _phi_once(self: Any, right: Method) -> float:
    return float(sum(math.lgamma(E) - math.lgamma(e) for E, e in zip(self.sum_eta, self.eta[0], strict=True)))


def _log_of(c: float) -> Method:
    """The entropy with log(gamma + c)."""
    return lambda self, right: (
        -sum(self.n[i] * g * math.log(g + c) for i in range(self.M) for g in self.gamma[i] if g > 0)
    )


def _totals(f: Callable[[Any], Row]) -> Method:
    def minka(self: Any, right: Method, N: Any, totals: Any, a: Any, vector: bool) -> Any:
        return right(N, f(self), a, vector)

    return minka


TOTALS: dict[str, Callable[[Any], Row]] = {
    "words": lambda self: [sum(row) for row in self.counts()[1]],
    "documents": lambda self: [sum(row) for row in self.counts()[0]],
    "topics": lambda self: list(self.counts()[2]),
}


def _minka(text: str, method: str, f: Method) -> Change:
    return Change(f"Minka's step {text}", method, {method: f})


# fmt: off
OTHERS = (
    _minka("leaves out Ψ(a)", "rise", lambda self, right, N, a: self.digamma(N + a)),
    _minka("has Ψ(N) for Ψ(N + a) - Ψ(a)", "rise", lambda self, right, N, a: self.digamma(N)),
    _minka("has N / a for Ψ(N + a) - Ψ(a)", "rise", lambda self, right, N, a: N / a),
    _minka("has the other sign of Ψ(a)", "rise", lambda self, right, N, a: self.digamma(N + a) + self.digamma(a)),
    _minka("leaves out the sum over the totals", "total_rise", lambda self, right, totals, a: 0.0),
    _minka("has the first total alone", "total_rise", lambda self, right, totals, a: right(totals[:1], a)),
    _minka("takes the totals without the sum of the prior", "total_rise",
           lambda self, right, totals, a: sum(self.rise(N, a[0]) for N in totals)),
    Change("the perplexity is exp of the mean log probability, without the minus", "perplexity",
           {"perplexity": lambda self, right, p, n: math.exp(self.mean_log(p, n))}),
    Change("the perplexity is the mean of 1/p", "perplexity",
           {"perplexity": lambda self, right, p, n: sum(c / x for c, x in zip(n, p, strict=True)) / sum(n)}),
    Change("the sum of log p counts rows and is divided by the number of tokens", "perplexity",
           {"mean_log": lambda self, right, p, n: sum(map(math.log, p)) / sum(n)}),
    Change("the sum of log p is divided by the number of rows", "perplexity",
           {"mean_log": lambda self, right, p, n: right(p, n) * sum(n) / len(n)}),
    Change("the sum of log p is divided by the number of training tokens", "perplexity",
           {"mean_log": lambda self, right, p, n: right(p, n) * sum(n) / sum(self.n)}),
    Change("a token's probability is the largest of theta phi and not their sum", "predict", {"predict": _best_topic}),
    Change("log Gamma is taken at the mean count in the bound", "E_log_gamma", {"E_log_gamma": _plugged_in}),
    Change("the sums log Gamma(alpha) of a document are log Gamma(alpha) once", "constant_of_theta",
           {"constant_of_theta": _theta_once}),
    Change("the sums log Gamma(eta) of a topic are log Gamma(eta) once", "constant_of_phi",
           {"constant_of_phi": _phi_once}),
)
# fmt: on


def changes() -> Iterator[Change]:
    """All changes of what is computed from a state."""
    for name, letter, length in (("alpha", "theta_jk", "K"), ("eta", "phi_wk", "W")):
        for text, h in PSEUDO.items():
            yield Change(f"{name} {text}", f"pseudo {name}", {f"pseudo_{name}": _pseudo(h, length)})
        for text, t in TABLES.items():
            yield Change(f"{letter} {text}", letter, {letter[:-3]: _table(t)})
    for name, words in NAMES.items():
        for text, c in SCALES.items():
            yield Change(f"{words} is {text} in the bound", name, {name: _scaled(c)})
    for text, v in BOUNDS.items():
        yield Change(text, "bound", {"bound": _bound(v)})
    for c1 in SMALL:
        yield Change(f"the entropy has log(gamma + {c1:.3g})", "entropy", {"entropy": _log_of(c1)}, alone=True)
    for name in ("token", "document", "corpus"):
        later = {"counts": _in_order(name)}
        yield Change(f"the estimates are those after one more sweep in `{name}` order", "counts", later)
    for text, of_totals in TOTALS.items():
        yield Change(f"Minka's step has the totals of {text}", "totals", {"minka": _totals(of_totals)})
    yield from OTHERS
