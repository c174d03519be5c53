"""Changes of priors, terms and expectations."""

import itertools
import math
from collections.abc import Iterator
from functools import partial
from statistics import fmean
from typing import Any

from ...plain import Algorithm
from .change import MEANS, TERMS, Change, Function, Method, for_part, of_table, share, under
from .in_answers import TABLE_CHANGES

# What replaces a vector x of the prior, everywhere or in its own term alone
VECTOR_CHANGES: dict[str, Function] = {
    "its mean": lambda x: [fmean(x)] * len(x), "its sum": lambda x: [math.fsum(x)] * len(x),
    "its first number": lambda x: x[:1] * len(x), "the next number": lambda x: x[1:] + x[:1],
    "its reverse": lambda x: x[::-1], "divided by its sum": share,
}  # fmt: skip
# What replaces entry m of a vector x of the prior in its own term of row i
ENTRY_CHANGES: dict[str, Function] = {
    "the number of the document": lambda self, x, m, i: x[self.j[i] % len(x)],
    "the number of the word": lambda self, x, m, i: x[self.w[i] % len(x)],
    "the number of the row": lambda self, x, m, i: x[i % len(x)],
}
ENTRIES_OF_ETA: dict[str, Function] = {  # alpha is in no other term
    **{text: lambda self, x, m, i, f=f: f(list(x))[m] for text, f in VECTOR_CHANGES.items()}, **ENTRY_CHANGES,
    "0": lambda self, x, m, i: 0.0, "1": lambda self, x, m, i: 1.0, "doubled": lambda self, x, m, i: 2 * x[m],
    "1 larger": lambda self, x, m, i: x[m] + 1, "1 smaller": lambda self, x, m, i: x[m] - 1,
}  # fmt: skip

# What replaces W eta, the sum over words, in the topic's term: a size times a number, or a sum
SIZES: dict[str, Function] = {
    "": lambda self: 1, "K ": lambda self: self.K, "W ": lambda self: self.W, "D ": lambda self: self.D,
    "N ": lambda self: sum(self.n), "M ": lambda self: self.M,
}  # fmt: skip
SIZED_NUMBERS: dict[str, Function] = {"eta of the word": Algorithm.eta_of, "alpha": lambda self, i, k: self.alpha[k]}


def _sized_number(self: Any, size: int, k: int) -> float:
    return self.sum_eta[k] if isinstance(self.case["prior"]["eta"], list) else size * self.eta[0][k]


SUMS_OF_ETA: dict[str, Function] = {
    **{size + text: lambda self, i, k, c=c, x=x: c(self) * x(self, i, k)
       for (size, c), (text, x) in itertools.product(SIZES.items(), SIZED_NUMBERS.items())},
    **{f"{size}eta where eta is one number": lambda self, i, k, c=c: _sized_number(self, c(self), k)
       for size, c in SIZES.items() if size != "W "},
    "W": lambda self, i, k: self.W,
    **{f"{size}times the first number of eta": lambda self, i, k, c=c: c(self) * self.eta[0][k]
       for size, c in SIZES.items() if size},
    "K times the mean of eta": lambda self, i, k: self.K * fmean(self.column(self.eta, k)),
    "the sum of alpha": lambda self, i, k: math.fsum(self.alpha),
    "the sum of eta without its last number": lambda self, i, k: math.fsum(self.column(self.eta, k)[:-1]),
    "the sum of eta without its first number": lambda self, i, k: math.fsum(self.column(self.eta, k)[1:]),
    "the sum of eta over the words that occur": lambda self, i, k: math.fsum(self.eta[w][k] for w in {*self.w}),
    "the sum of eta over the document's words": lambda self, i, k: math.fsum(
        self.eta[w][k] for w in {self.w[r] for r in self.of_document(self.j[i])}
    ),
}  # fmt: skip


def _prior(prior_name: str, prior_change: Function, self: Any, right: Method) -> Any:
    """Another alpha or eta, wherever it stands."""
    alpha, eta = right()
    return (prior_change(alpha), eta) if prior_name == "alpha" else (alpha, self.by_columns(prior_change, eta))


def _exchanged(self: Any, right: Method) -> Any:
    """eta and alpha; a ValueError if one is not a number."""
    if any(isinstance(x, list) for x in self.case["prior"].values()):
        raise ValueError("vectors are not exchanged")
    alpha, eta = right()
    return eta[0], [alpha] * self.W


def _in_term(new_entry: Function, self: Any, right: Method, gamma: Any, i: int, k: int) -> Any:
    """A term with another alpha or eta, whose sums are those of the right one."""
    alpha, eta = new_entry(self, self.alpha, k, i), new_entry(self, self.column(self.eta, k), self.w[i], i)
    return under(self, right, gamma, i, k, alpha=[alpha] * self.K, eta=[[eta] * self.K] * self.W)


def _rows_are_trials(self: Any, right: Method, trials: Any) -> Any:
    p = [1.0]
    for g, n in trials:
        old_p, p = p, [0.0] * (len(p) + n)
        for count, probability in enumerate(old_p):
            p[count] += probability * (1 - g)
            p[count + n] += probability * g
    return p


def changes() -> Iterator[Change]:
    for prior_name in ("alpha", "eta"):
        yield from of_table(VECTOR_CHANGES, prior_name, "prior", f"{prior_name} is {{}}", partial(_prior, prior_name))
    yield from of_table(ENTRY_CHANGES, "alpha", "document", "alpha is {} in the document's term", _in_term)
    yield from of_table(ENTRIES_OF_ETA, "eta in word", "word", "eta is {} in the word's term", _in_term)
    yield Change("alpha and eta are exchanged", "prior", {"prior": _exchanged})
    yield from of_table(SUMS_OF_ETA, "W eta topic", "W_eta", "W eta in the topic's term is {}",
                        adapter=lambda f, self, right, i, k: f(self, i, k))  # fmt: skip
    for term, prior_text in zip(TERMS, ("alpha", "eta", "W eta"), strict=True):
        text = f"{prior_text} is added to the value of the {term}'s term"
        yield Change(text, f"term {term}", {term: partial(_outside, term)})
        yield from of_table(TERM_FORMS, f"term {term}", term, f"the {term}'s term is {{}}", partial(_form, term))
    for part in TERMS:
        log_of_mean_method = for_part(part, lambda self, right, part, a, *place: math.log(a + self.N(part, *place)))
        text = f"E[log(a + {MEANS[part].lower()})] is log(a + {MEANS[part]})"
        yield Change(text, f"expectation {part}", {"E_log": log_of_mean_method})
    text = "a row of n tokens adds n to a count, or nothing"
    yield Change(text, "distribution", {"distribution": _rows_are_trials})
    new_methods = {"expectation": lambda self, right, f, p: right(lambda n: f(n + 1), p)}
    yield Change("an expectation has each value of a count 1 larger", "distribution", new_methods)
    yield from of_table(TABLE_CHANGES, "term word", "word", "the given phi_wk {}", (
        lambda f, self, right, gamma, i, k: f(self, self.case["phi_wk"])[self.w[i]][k]
    ))  # fmt: skip


def _prior_of(self: Any, term: str, i: int, k: int) -> float:
    return {"document": self.alpha[k], "word": self.eta_of(i, k), "topic": self.W_eta(i, k)}[term]


def _outside(term: str, self: Any, right: Method, gamma: Any, i: int, k: int) -> float:
    """The value of a term with all numbers of the prior at 0, and its number of the prior."""
    zeros = [0.0] * self.K
    term_without_prior = under(self, right, gamma, i, k, alpha=zeros, eta=[zeros] * self.W, sum_eta=zeros)
    return term_without_prior + _prior_of(self, term, i, k)


# A term of second order, of the mean N, the variance V and the number a of the prior
TERM_FORMS: dict[str, Function] = {
    "(N + a) / (1 + V / (N + a)²)": lambda N, V, a: (N + a) / (1 + V / (N + a) ** 2),
    "(N + a) exp(-V / (N + a)²)": lambda N, V, a: (N + a) * math.exp(-V / (N + a) ** 2),
}


def _form(term: str, term_form: Function, self: Any, right: Method, gamma: Any, i: int, k: int) -> float:
    return term_form(self.N(term, gamma, i, k), self.V(term, gamma, i, k), _prior_of(self, term, i, k))
