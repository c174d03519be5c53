"""Changes of priors, terms and expectations."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...plain import Algorithm
from .change import Change, Method, at, bare, in_single, of_table, share, under
from .in_answers import TABLES
from .in_values import each

Numbers = Sequence[float]


def _mean(x: Numbers) -> float:
    return math.fsum(x) / len(x)


# What replaces a vector x of the prior, everywhere or in its own term alone
VECTORS: dict[str, Callable[[list[float]], list[float]]] = {
    "its mean": lambda x: [_mean(x)] * len(x), "its sum": lambda x: [math.fsum(x)] * len(x),
    "its first number": lambda x: x[:1] * len(x), "its last number": lambda x: x[-1:] * len(x),
    "its largest number": lambda x: [max(x)] * len(x), "the next number": lambda x: x[1:] + x[:1],
    "the number before": lambda x: x[-1:] + x[:-1], "its reverse": lambda x: x[::-1], "divided by its sum": share,
    "1 over its length": lambda x: [1 / len(x)] * len(x),
}  # fmt: skip
# What replaces entry m of a vector x of the prior in its own term of row i
ENTRIES: dict[str, Callable[[Any, Numbers, int, int], float]] = {
    "the number of the document": lambda self, x, m, i: x[self.j[i] % len(x)],
    "the number of the word": lambda self, x, m, i: x[self.w[i] % len(x)],
    "the number of the row": lambda self, x, m, i: x[i % len(x)], "0": lambda self, x, m, i: 0.0,
    "1": lambda self, x, m, i: 1.0, "doubled": lambda self, x, m, i: 2 * x[m],
    "1 larger": lambda self, x, m, i: x[m] + 1, "1 smaller": lambda self, x, m, i: x[m] - 1,
}  # fmt: skip


def _entry(f: Callable[[list[float]], list[float]]) -> Callable[[Any, Numbers, int, int], float]:
    return lambda self, x, m, i: f(list(x))[m]


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
SUMS_OF_ETA: dict[str, Callable[[Any, int, int], float]] = {
    "W": lambda self, i, k: self.W,
    "the sum of eta without its last number": lambda self, i, k: math.fsum(_eta(self, k)[:-1]),
    "the sum of eta without its first number": lambda self, i, k: math.fsum(_eta(self, k)[1:]),
    "the sum of eta over the words that occur": lambda self, i, k: math.fsum(self.eta[w][k] for w in {*self.w}),
    "the sum of eta over the rows": lambda self, i, k: math.fsum(self.eta[w][k] for w in self.w),
    "the sum of eta over the document's words": lambda self, i, k: math.fsum(
        self.eta[w][k] for w in {self.w[r] for r in self.of_document(self.j[i])}
    ),
    "W eta + W - K": lambda self, i, k: self.sum_eta[k] + self.W - self.K,
    "W eta without the entry of the word": lambda self, i, k: self.sum_eta[k] - self.eta_of(i, k),
}


def _everywhere(name: str, f: Callable[[list[float]], list[float]]) -> dict[str, Method]:
    """A change of alpha or of eta wherever it stands."""

    def prior(self: Any, right: Method) -> Any:
        alpha, eta = right()
        return (f(alpha), eta) if name == "alpha" else (alpha, self.by_columns(f, eta))

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
        alpha, eta = f(self, self.alpha, k, i), f(self, _eta(self, k), self.w[i], i)
        return under(self, right, gamma, i, k, alpha=[alpha] * self.K, eta=[[eta] * self.K] * self.W)

    return {term: with_other}


def _binomial(self: Any, right: Method, trials: Any) -> Any:
    """The distribution of as many tokens that all have the mean gamma."""
    n = sum(tokens for _, tokens in trials)
    return right([(sum(g * tokens for g, tokens in trials) / n, n)] if n else [])


def _rows_are_trials(self: Any, right: Method, trials: Any) -> Any:
    p = [1.0]
    for g, n in trials:
        before, p = p, [0.0] * (len(p) + n)
        for m, q in enumerate(before):
            p[m] += q * (1 - g)
            p[m + n] += q * g
    return p


def _in_place(self: Any, right: Method, trials: Any) -> Any:
    p = [1.0]
    for g, n in trials:
        for _ in range(n):
            p.append(0.0)
            for m in range(len(p)):
                p[m] = p[m] * (1 - g) + (p[m - 1] * g if m else 0.0)
    return p


def _log_of_mean(self: Any, right: Method, part: str, a: float, *given: Any) -> float:
    return math.log(a + self.N(part, *given))


def _butat(part: str) -> Method:
    return lambda self, right, here, *given: (
        right(here, *given) if here == part else _log_of_mean(self, right, here, *given)
    )


def _inverse_of_mean(self: Any, right: Method, part: str, a: float, *given: Any) -> float:
    return float(1 / (a + self.N(part, *given)))


DISTRIBUTIONS: dict[str, Method] = {
    "the counts have binomial distributions": _binomial,
    "a row of n tokens adds n to a count, or nothing": _rows_are_trials,
    "the distribution of a count is changed in place, from 0 up": _in_place,
    **{
        f"the distribution of a count ends at {n}": lambda self, right, x, n=n: right(x)[: n + 1]
        for n in (1, 2, 3, 5, 10)
    },
    "the distribution of a count lacks its last value": lambda self, right, x: right(x)[:-1] or [1.0],
}
EXPECTATIONS: dict[str, Method] = {
    "leaves out the largest value of a count": lambda self, right, f, p: right(f, p[:-1]),
    "leaves out the value 0 of a count": lambda self, right, f, p: sum(q * f(n) for n, q in enumerate(p) if n),
    "has each value of a count 1 larger": lambda self, right, f, p: right(lambda n: f(n + 1), p),
    "has the number of tokens less the count for it": lambda self, right, f, p: right(f, p[::-1]),
}


USUAL = ("its mean", "its sum", "its first number", "0", "1", "doubled", "1 larger", "1 smaller")  # are composed


def changes() -> Iterator[Change]:
    """All changes of priors and terms."""
    for change in _changes():
        rare = change.of.startswith(("alpha", "eta"))
        yield replace(change, alone=rare and not change.text.partition(" in the")[0].endswith(USUAL))


def _changes() -> Iterator[Change]:
    for text, vector in VECTORS.items():
        for name in ("alpha", "eta"):
            yield Change(f"{name} is {text}", name, _everywhere(name, vector))
    for text, f in ({text: _entry(vector) for text, vector in VECTORS.items()} | ENTRIES).items():
        yield Change(f"alpha is {text} in the document's term", "alpha", _only_in("document", f))
        yield Change(f"eta is {text} in the word's term", "eta in word", _only_in("word", f))
    yield Change("alpha is eta of the first word", "alpha", {"prior": lambda self, right: (right()[1][0], right()[1])})
    yield Change("eta is alpha", "eta", {"prior": lambda self, right: (right()[0], [right()[0]] * self.W)})
    for term, what, a in (("word", "alpha", lambda self, i, k: self.alpha[k]), ("document", "eta", Algorithm.eta_of)):
        with_other = {term: lambda self, right, gamma, i, k, a=a: right(gamma, i, k) + a(self, i, k)}
        yield Change(f"{what} is added in the {term}'s term, too", f"value {term}", with_other)
    yield Change("alpha and eta are exchanged", "prior", {"prior": _exchanged})
    for text, code in (("single", "f"), ("half", "e")):
        rounded = {"prior": lambda self, right, code=code: each(lambda self, v: in_single(v, code), self, right())}
        yield Change(f"alpha and eta are rounded to {text} precision", "prior", rounded)
    for (size, c), (text, x) in itertools.product(SIZES.items(), SIZED.items()):
        text = size + text if size else text.removeprefix("times ")
        W_eta = {"W_eta": lambda self, right, i, k, c=c, x=x: c(self) * x(self, i, k)}
        yield Change(f"W eta in the topic's term is {text}", "W eta topic", W_eta, alone="times" in text)
    yield from of_table(SUMS_OF_ETA, "W eta topic", "W_eta", bare, "W eta in the topic's term is {}")
    for term, what in (("document", "document's"), ("word", "word's"), ("topic", "topic's")):
        prior = "eta" if term == "word" else "alpha" if term == "document" else "W eta"
        yield Change(f"{prior} is added to the value of the {what} term", f"term {term}", {term: _outside(term)})
        yield from of_table(FORMS, f"term {term}", term, partial(_form, term), f"the {what} term is {{}}")
    for text, form in FORMS.items():
        yield Change(f"each of the three terms is {text}", "terms", _second_order(form))
    for part, n in (("document", "jk"), ("word", "wk"), ("topic", "k")):
        log_of_mean = {"E_log": at(part, _log_of_mean)}
        yield Change(f"E[log(a + n_{n})] is log(a + N_{n})", f"expectation {part}", log_of_mean)
        yield Change(f"E[log(a + n)] is log(a + N) but for n_{n}", "expectation", {"E_log": _butat(part)})
    yield Change("E[1 / (a + n_k)] is 1 / (a + N_k)", "expectation topic", {"E_inverse": _inverse_of_mean})
    yield from of_table(EXPECTATIONS, "distribution", "expectation", text="an expectation {}")
    yield from of_table(DISTRIBUTIONS, "distribution", "distribution")
    yield Change("the topic's term is the sum of the terms of all words", "term topic", {"topic": _of_all_words})
    for name, term in (("theta_jk", "document"), ("phi_wk", "word")):
        yield from of_table(TABLES, f"term {term}", term, partial(_given, name), f"the given {name} {{}}")


def _given(name: str, f: Callable[[Any, Any], Any]) -> Method:
    """A term that is an entry of a changed table of the case."""
    return lambda self, right, gamma, i, k: f(self, self.case[name])[(self.j if name[0] == "t" else self.w)[i]][k]


def _without_prior(self: Any, right: Method, *given: Any) -> float:
    """The value of a term with all numbers of the prior at 0."""
    zeros = [0.0] * self.K
    return float(under(self, right, *given, alpha=zeros, eta=[zeros] * self.W, sum_eta=zeros))


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
