"""Changes of priors and terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .change import Change, Method

Numbers = Sequence[float]


def _mean(x: Numbers) -> float:
    return math.fsum(x) / len(x)


# What replaces entry m of a vector x of the prior
ENTRIES: dict[str, Callable[[Numbers, int], float]] = {
    "0": lambda x, m: 0.0,
    "1": lambda x, m: 1.0,
    "its mean": lambda x, m: _mean(x),
    "its sum": lambda x, m: math.fsum(x),
    "its first number": lambda x, m: x[0],
    "its last number": lambda x, m: x[-1],
    "its largest number": lambda x, m: max(x),
    "the next number": lambda x, m: x[(m + 1) % len(x)],
    "the number before": lambda x, m: x[m - 1],
    "its reverse": lambda x, m: x[-1 - m],
    "divided by its length": lambda x, m: x[m] / len(x),
    "times its length": lambda x, m: x[m] * len(x),
    "doubled": lambda x, m: 2 * x[m],
    "halved": lambda x, m: x[m] / 2,
    "squared": lambda x, m: x[m] ** 2,
    "inverted": lambda x, m: 1 / x[m],
    "1 larger": lambda x, m: x[m] + 1,
    "1 smaller": lambda x, m: x[m] - 1,
    "1/2 smaller": lambda x, m: x[m] - 0.5,
    "1 over its length": lambda x, m: 1 / len(x),
    "divided by its sum": lambda x, m: x[m] / math.fsum(x),
    "its square root": lambda x, m: math.sqrt(x[m]),
    "0.1": lambda x, m: 0.1,
    "0.01": lambda x, m: 0.01,
}


def _eta(self: Any, k: int) -> list[float]:
    return [row[k] for row in self.eta]


# What replaces W eta, the sum over words, in the topic term
SUMS_OF_ETA: dict[str, Callable[[Any, int, int], float]] = {
    "0": lambda self, i, k: 0.0,
    "1": lambda self, i, k: 1.0,
    "W": lambda self, i, k: self.W,
    "eta": lambda self, i, k: self.eta_of(i, k),
    "K eta": lambda self, i, k: self.K * _mean(_eta(self, k)),
    "K eta of the word": lambda self, i, k: self.K * self.eta_of(i, k),
    "W eta of the word": lambda self, i, k: self.W * self.eta_of(i, k),
    "W times the first number of eta": lambda self, i, k: self.W * self.eta[0][k],
    "D eta of the word": lambda self, i, k: self.D * self.eta_of(i, k),
    "D eta": lambda self, i, k: self.D * _mean(_eta(self, k)),
    "N eta": lambda self, i, k: sum(self.n) * _mean(_eta(self, k)),
    "the mean of eta": lambda self, i, k: _mean(_eta(self, k)),
    "(W - 1) eta": lambda self, i, k: (self.W - 1) * _mean(_eta(self, k)),
    "(W + 1) eta": lambda self, i, k: (self.W + 1) * _mean(_eta(self, k)),
    "the sum of eta without its last number": lambda self, i, k: math.fsum(_eta(self, k)[:-1]),
    "the sum of eta without its first number": lambda self, i, k: math.fsum(_eta(self, k)[1:]),
    "the sum of eta over the words that occur": lambda self, i, k: math.fsum(self.eta[w][k] for w in {*self.w}),
    "the sum of eta over the rows": lambda self, i, k: math.fsum(self.eta[w][k] for w in self.w),
    "the sum of eta over the document's words": lambda self, i, k: math.fsum(
        self.eta[w][k] for w in {self.w[r] for r in self.of_document(self.j[i])}
    ),
    "2 W eta": lambda self, i, k: 2 * self.sum_eta[k],
    "W eta / 2": lambda self, i, k: self.sum_eta[k] / 2,
    "W² eta": lambda self, i, k: self.W * self.sum_eta[k],
    "K W eta": lambda self, i, k: self.K * self.sum_eta[k],
    "alpha": lambda self, i, k: self.alpha[k],
    "the sum of alpha": lambda self, i, k: math.fsum(self.alpha),
    "W alpha": lambda self, i, k: self.W * self.alpha[k],
    "eta + W - 1": lambda self, i, k: self.eta_of(i, k) + self.W - 1,
    "eta - 1 + W": lambda self, i, k: _mean(_eta(self, k)) - 1 + self.W,
    "W eta + 1": lambda self, i, k: self.sum_eta[k] + 1,
    "W eta - 1": lambda self, i, k: self.sum_eta[k] - 1,
    "W eta and the sum of alpha": lambda self, i, k: self.sum_eta[k] + math.fsum(self.alpha),
}


def _everywhere(name: str, f: Callable[[Numbers, int], float]) -> dict[str, Method]:
    """A change of alpha or of eta wherever it stands."""

    def prior(self: Any, right: Method) -> Any:
        alpha, eta = right()
        if name == "alpha":
            return [f(alpha, m) for m in range(len(alpha))], eta
        columns = [[row[k] for row in eta] for k in range(self.K)]
        return alpha, [[f(columns[k], w) for k in range(self.K)] for w in range(len(eta))]

    return {"prior": prior}


def _only_in(term: str, attribute: str, f: Callable[[Numbers, int], float]) -> dict[str, Method]:
    """A change of a prior in one term alone; its sums are those of the right one."""

    def with_other(self: Any, right: Method, gamma: Any, i: int, k: int) -> Any:
        kept = getattr(self, attribute)
        if attribute == "alpha":
            self.alpha = [f(kept, m) for m in range(self.K)]
        else:
            column = [row[k] for row in kept]
            self.eta = [[f(column, w)] * self.K for w in range(self.W)]
        try:
            return right(gamma, i, k)
        finally:
            setattr(self, attribute, kept)

    return {term: with_other}


TERMS: dict[str, Callable[[float], float]] = {
    "is left out": lambda x: 1.0,
    "is squared": lambda x: x * x,
    "is inverted": lambda x: 1 / x,
    "is its square root": math.sqrt,
    "is its logarithm": math.log,
    "is its exponential": math.exp,
    "is 1 larger": lambda x: x + 1,
    "is 1 smaller": lambda x: x - 1,
}


def _of(f: Callable[[float], float]) -> Method:
    return lambda self, right, *given: f(right(*given))


USUAL = (
    " 0", " 1", "its mean", "its sum", "its first number", "divided by its length", "times its length", "doubled",
    "1 larger", "1 smaller", "is left out", "is squared", "is inverted",
)  # fmt: skip # the other entries and terms are not composed


def changes() -> Iterator[Change]:
    """All changes of priors and terms."""
    for change in _changes():
        rare = change.of.startswith(("alpha", "eta", "term"))
        yield change._replace(alone=rare and not change.text.partition(" in the")[0].endswith(USUAL))


def _changes() -> Iterator[Change]:
    for text, f in ENTRIES.items():
        yield Change(f"alpha is {text}", "alpha", _everywhere("alpha", f))
        yield Change(f"eta is {text}", "eta", _everywhere("eta", f))
        yield Change(f"alpha is {text} in the document's term", "alpha", _only_in("document", "alpha", f))
        yield Change(f"eta is {text} in the word's term", "eta in word", _only_in("word", "eta", f))
    yield Change("alpha is eta of the first word", "alpha", {"prior": lambda self, right: (right()[1][0], right()[1])})
    yield Change("eta is alpha", "eta", {"prior": lambda self, right: (right()[0], [right()[0]] * self.W)})
    swapped = {"prior": lambda self, right: (right()[1][0], [right()[0]] * self.W)}
    yield Change("alpha and eta are exchanged", "alpha", swapped)
    for text, g in SUMS_OF_ETA.items():
        yield Change(f"W eta in the topic's term is {text}", "W eta",
                     {"W_eta": lambda self, right, i, k, g=g: g(self, i, k)})  # fmt: skip
    for term, what in (("document", "document's"), ("word", "word's"), ("topic", "topic's")):
        for text, f1 in TERMS.items():
            yield Change(f"the {what} term {text}", f"term {term}", {term: _of(f1)})
        prior = "eta" if term == "word" else "alpha" if term == "document" else "W eta"
        yield Change(f"{prior} is added to the value of the {what} term", f"term {term}", {term: _outside(term)})
        for text, f3 in FORMS.items():
            yield Change(f"the {what} term is {text}", f"term {term}", {term: _form(term, f3)})
    for text, f4 in FORMS.items():
        yield Change(f"each of the three terms is {text}", "terms", _second_order(f4))
    yield Change("the three terms are added instead of multiplied", "weight", {"weight": _added})
    yield Change("the product of the document's and the word's term is not divided by the topic's but multiplied by it",
                 "weight", {"weight": _multiplied})  # fmt: skip
    for text, f2 in CORRECTIONS.items():
        yield Change(f"the correction of second order {text}", "correction", {"correction": f2})


def _without_prior(self: Any, right: Method, *given: Any) -> float:
    """The value of a term with all numbers of the prior at 0."""
    kept = self.alpha, self.eta, self.sum_eta
    self.alpha, self.eta, self.sum_eta = [0.0] * self.K, [[0.0] * self.K] * self.W, [0.0] * self.K
    try:
        return float(right(*given))
    finally:
        self.alpha, self.eta, self.sum_eta = kept


def _prior_of(self: Any, term: str, i: int, k: int) -> float:
    return float({"document": self.alpha[k], "word": self.eta_of(i, k), "topic": self.W_eta(i, k)}[term])


def _outside(term: str) -> Method:
    def changed(self: Any, right: Method, gamma: Any, i: int, k: int) -> float:
        return _without_prior(self, right, gamma, i, k) + _prior_of(self, term, i, k)

    return changed


# A term of second order, of the mean N, the variance V and the number a of the prior
FORMS: dict[str, Callable[[float, float, float], float]] = {
    "(N + a) exp(-V / (2 N²))": lambda N, V, a: (N + a) * math.exp(-V / (2 * N * N)),
    "(N + a) exp(-V / N²)": lambda N, V, a: (N + a) * math.exp(-V / (N * N)),
    "N exp(-V / (2 N²)) + a": lambda N, V, a: N * math.exp(-V / (2 * N * N)) + a,
    "(N + a) (1 - V / (2 (N + a)²))": lambda N, V, a: (N + a) * (1 - V / (2 * (N + a) ** 2)),
    "(N + a) / (1 + V / (2 (N + a)²))": lambda N, V, a: (N + a) / (1 + V / (2 * (N + a) ** 2)),
    "(N + a) / exp(V / (N + a)²)": lambda N, V, a: (N + a) / math.exp(V / (N + a) ** 2),
    "(N + a) - V / (2 (N + a))": lambda N, V, a: (N + a) - V / (2 * (N + a)),
    "(N + a) (1 - V / (N + a)²)": lambda N, V, a: (N + a) * (1 - V / (N + a) ** 2),
    "(N + a) exp(-V / (N + a)²)": lambda N, V, a: (N + a) * math.exp(-V / (N + a) ** 2),
    "(N + a) exp(-V / (2 (N + a)))": lambda N, V, a: (N + a) * math.exp(-V / (2 * (N + a))),
}


def _form(term: str, f: Callable[[float, float, float], float]) -> Method:
    return lambda self, right, *given: f(
        self.N(term, *given), self.V(term, *given), _prior_of(self, term, given[1], given[2])
    )


def _second_order(f: Callable[[float, float, float], float]) -> dict[str, Method]:
    return {term: _form(term, f) for term in ("document", "word", "topic")}


def _terms(self: Any, gamma: Any, i: int, k: int) -> tuple[float, float, float]:
    held = gamma if self.held is None else self.held
    return self.document(gamma, i, k), self.word(held, i, k), self.topic(held, i, k)


def _added(self: Any, right: Method, *given: Any) -> float:
    a, b, c = _terms(self, *given)
    return (a + b) / c


def _multiplied(self: Any, right: Method, *given: Any) -> float:
    a, b, c = _terms(self, *given)
    return a * b * c


CORRECTIONS: dict[str, Method] = {
    "is left out": lambda self, right, x, V: 0.0,
    "has the other sign": lambda self, right, x, V: -right(x, V),
    "is doubled": lambda self, right, x, V: 2 * right(x, V),
    "is halved": lambda self, right, x, V: right(x, V) / 2,
    "is divided once more by a + N": lambda self, right, x, V: right(x, V) / x,
    "is multiplied by a + N": lambda self, right, x, V: right(x, V) * x,
}
