"""Changes of priors and terms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from .change import Change, Method, in_half, in_single, of_table
from .in_answers import TABLES
from .in_values import each

Numbers = Sequence[float]


def _mean(x: Numbers) -> float:
    return math.fsum(x) / len(x)


# What replaces entry m of a vector x of the prior
ENTRIES: dict[str, Callable[[Numbers, int], float]] = {
    "its mean": lambda x, m: _mean(x),
    "its sum": lambda x, m: math.fsum(x),
    "its first number": lambda x, m: x[0],
    "its last number": lambda x, m: x[-1],
    "its largest number": lambda x, m: max(x),
    "the next number": lambda x, m: x[(m + 1) % len(x)],
    "the number before": lambda x, m: x[m - 1],
    "its reverse": lambda x, m: x[-1 - m],
    "divided by its sum": lambda x, m: x[m] / math.fsum(x),
    "1 over its length": lambda x, m: 1 / len(x),
    "0": lambda x, m: 0.0,
    "1": lambda x, m: 1.0,
    "doubled": lambda x, m: 2 * x[m],
    "1 larger": lambda x, m: x[m] + 1,
    "1 smaller": lambda x, m: x[m] - 1,
}


def _eta(self: Any, k: int) -> list[float]:
    return [row[k] for row in self.eta]


# What replaces W eta, the sum over words, in the topic's term: a size times a number, or a sum
SIZES: dict[str, Callable[[Any], float]] = {
    "": lambda self: 1, "K ": lambda self: self.K, "W ": lambda self: self.W, "D ": lambda self: self.D,
    "N ": lambda self: sum(self.n), "M ": lambda self: self.M, "(W - 1) ": lambda self: self.W - 1,
    "(W + 1) ": lambda self: self.W + 1,
}  # fmt: skip
SIZED: dict[str, Callable[[Any, int, int], float]] = {
    "eta of the word": lambda self, i, k: self.eta_of(i, k),
    "times the mean of eta": lambda self, i, k: _mean(_eta(self, k)),
    "times the first number of eta": lambda self, i, k: self.eta[0][k],
    "alpha": lambda self, i, k: self.alpha[k],
    "times the sum of alpha": lambda self, i, k: math.fsum(self.alpha),
}
OFTEN = (
    "K eta of the word",
    "eta of the word",
    "W eta of the word",
    "D eta of the word",
    "W alpha",
    "the sum of alpha",
)
SUMS_OF_ETA: dict[str, Callable[[Any, int, int], float]] = {
    "W": lambda self, i, k: self.W,
    "the sum of eta without its last number": lambda self, i, k: math.fsum(_eta(self, k)[:-1]),
    "the sum of eta without its first number": lambda self, i, k: math.fsum(_eta(self, k)[1:]),
    "the sum of eta over the words that occur": lambda self, i, k: math.fsum(self.eta[w][k] for w in {*self.w}),
    "the sum of eta over the rows": lambda self, i, k: math.fsum(self.eta[w][k] for w in self.w),
    "the sum of eta over the document's words": lambda self, i, k: math.fsum(
        self.eta[w][k] for w in {self.w[r] for r in self.of_document(self.j[i])}
    ),
    "eta + W - 1": lambda self, i, k: self.eta_of(i, k) + self.W - 1,
    "W eta + W - 1": lambda self, i, k: self.sum_eta[k] + self.W - 1,
    "W eta + W - K": lambda self, i, k: self.sum_eta[k] + self.W - self.K,
    "W eta + W - D": lambda self, i, k: self.sum_eta[k] + self.W - self.D,
    "W eta and the sum of alpha": lambda self, i, k: self.sum_eta[k] + math.fsum(self.alpha),
    "W eta and the entry of the word once more": lambda self, i, k: self.sum_eta[k] + self.eta_of(i, k),
    "W eta without the entry of the word": lambda self, i, k: self.sum_eta[k] - self.eta_of(i, k),
}


def _sum_of_eta(f: Callable[[Any, int, int], float]) -> Method:
    return lambda self, right, i, k: f(self, i, k)


def _everywhere(name: str, f: Callable[[Numbers, int], float]) -> dict[str, Method]:
    """A change of alpha or of eta wherever it stands."""

    def prior(self: Any, right: Method) -> Any:
        alpha, eta = right()
        if name == "alpha":
            return [f(alpha, m) for m in range(len(alpha))], eta
        columns = [[row[k] for row in eta] for k in range(self.K)]
        return alpha, [[f(columns[k], w) for k in range(self.K)] for w in range(len(eta))]

    return {"prior": prior}


def _exchanged(self: Any, right: Method) -> Any:
    """eta and alpha; a ValueError if one is not a number."""
    if any(isinstance(x, list) for x in self.case["prior"].values()):
        raise ValueError("vectors are not exchanged")
    alpha, eta = right()
    return eta[0], [alpha] * self.W


def _only_in(term: str, f: Callable[[Any, Numbers, int, int], float]) -> dict[str, Method]:
    """A change of alpha or eta in its own term alone; its sums are those of the right one."""

    def with_other(self: Any, right: Method, gamma: Any, i: int, k: int) -> Any:
        kept = self.alpha, self.eta
        if term == "document":
            self.alpha = [f(self, self.alpha, k, i)] * self.K
        else:
            self.eta = [[f(self, _eta(self, k), self.w[i], i)] * self.K] * self.W
        try:
            return right(gamma, i, k)
        finally:
            self.alpha, self.eta = kept

    return {term: with_other}


# A wrong entry of a vector x of the prior
WRONG: dict[str, Callable[[Any, Numbers, int, int], float]] = {
    "the number of the document": lambda self, x, m, i: x[self.j[i] % len(x)],
    "the number of the word": lambda self, x, m, i: x[self.w[i] % len(x)],
    "the number of the row": lambda self, x, m, i: x[i % len(x)],
}


def _entry(f: Callable[[Numbers, int], float]) -> Callable[[Any, Numbers, int, int], float]:
    return lambda self, x, m, i: f(x, m)


USUAL = ("its mean", "its sum", "its first number", "0", "1", "doubled", "1 larger", "1 smaller")  # are composed


def changes() -> Iterator[Change]:
    """All changes of priors and terms."""
    for change in _changes():
        rare = change.of.startswith(("alpha", "eta"))
        yield change._replace(alone=rare and not change.text.partition(" in the")[0].endswith(USUAL))


def _changes() -> Iterator[Change]:
    for text, f in ENTRIES.items():
        for name in ("alpha", "eta") if text not in USUAL[3:] else ():
            yield Change(f"{name} is {text}", name, _everywhere(name, f))
    for text, entry in (WRONG | {text: _entry(f) for text, f in ENTRIES.items()}).items():
        yield Change(f"alpha is {text} in the document's term", "alpha", _only_in("document", entry))
        yield Change(f"eta is {text} in the word's term", "eta in word", _only_in("word", entry))
    yield Change("alpha is eta of the first word", "alpha", {"prior": lambda self, right: (right()[1][0], right()[1])})
    yield Change("eta is alpha", "eta", {"prior": lambda self, right: (right()[0], [right()[0]] * self.W)})
    yield Change("alpha and eta are exchanged", "prior", {"prior": _exchanged})
    for text, rounded in (("single", in_single), ("half", in_half)):
        yield Change(f"alpha and eta are rounded to {text} precision", "prior", {
            "prior": lambda self, right, f=rounded: tuple(each(lambda self, v: f(v), self, x) for x in right())
        })  # fmt: skip
    for (size, c), (text, x) in itertools.product(SIZES.items(), SIZED.items()):
        text = size + text if size else text.removeprefix("times ")
        W_eta = {"W_eta": lambda self, right, i, k, c=c, x=x: c(self) * x(self, i, k)}
        yield Change(f"W eta in the topic's term is {text}", "W eta topic", W_eta, alone=text not in OFTEN)
    yield from of_table(SUMS_OF_ETA, "W eta topic", "W_eta", _sum_of_eta, "W eta in the topic's term is {}")
    for term, what in (("document", "document's"), ("word", "word's"), ("topic", "topic's")):
        prior = "eta" if term == "word" else "alpha" if term == "document" else "W eta"
        yield Change(f"{prior} is added to the value of the {what} term", f"term {term}", {term: _outside(term)})
        yield from of_table(FORMS, f"term {term}", term, partial(_form, term), f"the {what} term is {{}}")
    for text, form in FORMS.items():
        yield Change(f"each of the three terms is {text}", "terms", _second_order(form))
    yield Change("the three terms are added instead of multiplied", "weight", {"weight": _added})
    yield Change("the topic's term is the sum of the terms of all words", "term topic", {"topic": _of_all_words})
    for name, term in (("theta_jk", "document"), ("phi_wk", "word")):
        yield from of_table(TABLES, f"term {term}", term, partial(_given, name), f"the given {name} {{}}")


def _given(name: str, f: Callable[[Any, Any], Any]) -> Method:
    """A term that is an entry of a changed table of the case."""
    return lambda self, right, gamma, i, k: f(self, self.case[name])[(self.j if name[0] == "t" else self.w)[i]][k]


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
    "(N + a) / (1 + V / (N + a)²)": lambda N, V, a: (N + a) / (1 + V / (N + a) ** 2),
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


def _of_all_words(self: Any, right: Method, gamma: Any, i: int, k: int) -> float:
    """The sum of the word's term over all words, for algorithms that exclude nothing."""
    total = 0.0
    for w in range(self.W):
        N = sum(self.n[r] * gamma[r][k] for r in self.of_word(w))
        total += self.exp_digamma(N + self.eta[w][k]) if self.case["algorithm"] == "vb" else N + self.eta[w][k]
    return float(total)


def _added(self: Any, right: Method, *given: Any) -> float:
    return float((self.document(*given) + self.word(*given)) / self.topic(*given))
