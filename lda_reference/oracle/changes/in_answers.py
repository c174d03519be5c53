"""Changes of what is computed from a state: estimates, bounds, predictions and Minka's step."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import Change, Function, Method, Row, of_result, of_table, share, softmax, unchanged, under, with_entry
from .in_values import entrywise

# What replaces the prior that the estimates add, in the numerator and, as a sum, in the denominator
PSEUDO: dict[str, Function] = {
    "is left out of the numerator": lambda a, A, size: (0, A),
    "is left out of the denominator": lambda a, A, size: (a, 0),
    "is left out of the estimates": lambda a, A, size: (0, 0),
    "is not summed in the denominator": lambda a, A, size: (a, A / size),
    "has 1 subtracted": lambda a, A, size: (a - 1, A - size),
    "has 1 subtracted in the numerator": lambda a, A, size: (a - 1, A),
    "has 1 added": lambda a, A, size: (a + 1, A + size),
    "has 1 added for each entry in the denominator": lambda a, A, size: (a, A + size),
    "has 1 subtracted for each entry in the denominator": lambda a, A, size: (a, A - size),
}


def _pseudo(length: str, f: Function, self: Any, right: Method) -> tuple[Any, Any]:
    (a, A), size = right(), getattr(self, length)
    numerator = entrywise(lambda self, x: f(x, 0, size)[0], self, a)
    return numerator, entrywise(lambda self, x: f(0, x, size)[1], self, A)


def _misread(x: list[Row]) -> list[Row]:
    """A table of m rows whose entry k of row r stands at k m + r of a flat array, not at r K + k."""
    flat, m = list(itertools.chain(*x)), len(x)
    return [flat[r::m] for r in range(m)]


TABLES: dict[str, Function] = {
    "is written row by row and read column by column, at k M + m for m K + k": lambda self, x: _misread(x),
    "is divided by the sum of the whole table": lambda self, x: [[v / sum(map(sum, x)) for v in row] for row in x],
    "has each row at the place of the one before": lambda self, x: [*x[1:], *x[:1]],
    "is normalised over topics": lambda self, x: [share(row) for row in x],
    "is normalised over its rows": lambda self, x: self.by_columns(share, x),
    "has the topics in the reverse order": lambda self, x: [row[::-1] for row in x],
    "has its rows in the reverse order": lambda self, x: x[::-1],
    "has each row at the place of the next": lambda self, x: [*x[-1:], *x[:-1]],
    "is its softmax": lambda self, x: [softmax(row) for row in x],
    "has its first row everywhere": lambda self, x: x[:1] * len(x),
    "is uniform": lambda self, x: [[1 / len(row)] * len(row) for row in x],
}


def _in_order(schedule: str, self: Any, right: Method) -> Any:
    self.case = self.case | {"schedule": schedule}
    self.gamma = self.one_sweep(self.gamma)
    return right()


def _minka(which: str, f: Function, self: Any, right: Method, N: Any, totals: Any, a: Row, *x: Any) -> Any:
    """Minka's step with totals f "for alpha", "for eta" or, if `which` is empty, for both."""
    changed = not which or which.endswith("alpha") == (a is self.alpha)
    return right(N, f(self) if changed else totals, a, *x)


def _counts_of_rows(tables: tuple[int, ...], self: Any, right: Method) -> Any:
    """Counts of rows instead of tokens, in some of N_jk, N_wk and N_k."""
    of_tokens, of_rows = right(), under(self, right, n=[min(n, 1) for n in self.n])
    return tuple((of_rows if place in tables else of_tokens)[place] for place in range(3))


def _over_rows(mean: Callable[..., float], predicted: Any, test: Any, rows: list[int]) -> float:
    """A mean over some rows of the test corpus, from their probabilities and counts."""
    return mean([predicted["token_probability"][i] for i in rows], [test["n"][i] for i in rows])


def _of_documents(inner: Function, outer: Function, self: Any, right: Method) -> dict[str, Any]:
    """The perplexity by a mean over the documents of the test corpus: `outer` of the mean of `inner` of each mean."""
    predicted, test = right(), self.case["test"]
    rows = [[i for i, row_j in enumerate(test["j"]) if row_j == j] for j in sorted({*test["j"]})]
    means = [inner(_over_rows(self.mean_log, predicted, test, of_document)) for of_document in rows]
    return predicted | {"perplexity": outer(sum(means) / len(means))}


def _of_trained(axis: str, self: Any, right: Method) -> dict[str, Any]:
    """A perplexity that leaves out the test rows of words, or of documents, without training tokens."""
    predicted, test = right(), self.case["test"]
    rows = [i for i, x in enumerate(test[axis]) if x in getattr(self, axis)]
    return predicted | {"perplexity": _over_rows(self.perplexity, predicted, test, rows)}


TOTALS: dict[str, Function] = {
    "words": lambda self: [sum(row) for row in self.counts()[1]],
    "documents": lambda self: [sum(row) for row in self.counts()[0]],
    "topics": lambda self: list(self.counts()[2]),
    "the documents so far": lambda self: list(itertools.accumulate(sum(row) for row in self.counts()[0])),
    "the topics so far": lambda self: list(itertools.accumulate(self.counts()[2])),
}


def _step_of(prior: str, f: Method, self: Any, right: Method, N: Any, totals: Row, a: Row, vector: bool) -> Any:
    """Minka's step, f for alpha or for eta alone."""
    self.stepping = "alpha" if a is self.alpha else "eta"
    return (f if self.stepping == prior else unchanged)(self, right, N, totals, a, vector)


def _in_step_of(prior: str, f: Method, self: Any, right: Method, *arguments: Any) -> Any:
    """What is called in Minka's step, f in that of alpha or of eta alone."""
    return (f if self.stepping == prior else unchanged)(self, right, *arguments)


def _one_by_one(self: Any, right: Method, N: Any, totals: Row, a: Row, vector: bool) -> Any:
    """A step in which each entry of a vector sees the new ones of the entries before it."""
    new = list(a)
    for s in range(len(a)):
        new[s] = right(N, totals, new, True)[s]
    return new if vector else right(N, totals, a, vector)


def _shape_times_old(self: Any, right: Method, N: Any, totals: Row, a: Row, vector: bool) -> Any:
    """A step in which the old number multiplies shape - 1, too."""

    def step(x: float) -> Any:
        shape = 1 + x * (self.case["gamma_prior"]["shape"] - 1)
        case = self.case | {"gamma_prior": self.case["gamma_prior"] | {"shape": shape}}
        return under(self, right, N, totals, a, vector, case=case)

    return [step(x)[s] for s, x in enumerate(a)] if vector else step(a[0])


# fmt: off
# What is changed, its method, and the new one
OTHERS: dict[str, tuple[str, Method]] = {
    "theta_jk counts rows instead of tokens": ("counts", partial(_counts_of_rows, (0,))),
    "phi_wk counts rows instead of tokens": ("counts", partial(_counts_of_rows, (1, 2))),
    "the estimates count each token in its row's largest topic": ("counts",
        lambda self, right: under(self, right, gamma=[self.certain(row.index(max(row))) for row in self.gamma])),
    "phi_wk has N / K for N_k":
        ("phi", lambda self, right, N_wk, N_k: right(N_wk, [sum(N_k) / self.K] * self.K)),
    "the length of a document is the number of its rows in the bound":
        ("total_of_document", lambda self, right, j: math.lgamma(self.sum_alpha + len(self.of_document(j)))),
    "the perplexity is the mean of the documents' perplexities":
        ("predict", partial(_of_documents, lambda x: math.exp(-x), lambda x: x)),
    "the perplexity takes the mean over documents of their means of log p":
        ("predict", partial(_of_documents, lambda x: x, lambda x: math.exp(-x))),
    "theta_jk has the number of rows of a document for its length":
        ("theta", lambda self, right, N_jk: [[x * (sum(N) + self.pseudo_alpha()[1]) / (
            len(self.of_document(j)) + self.pseudo_alpha()[1]) for x in row]
            for j, (row, N) in enumerate(zip(right(N_jk), N_jk, strict=True))]),
    **{f"N_{letter}k in the estimates is written row by row and read column by column": ("counts",
        lambda self, right, place=place: with_entry(right(), place, _misread)) for place, letter in enumerate("jw")},
    "C_j is the number of rows of the document in SCVB0":
        ("C", lambda self, right, i: len(self.of_document(self.j[i]))),
    "the tokens of the batch are its rows": ("size", lambda self, right: self.M),
    "the perplexity is 2 to the mean of -log p": ("perplexity", lambda self, right, p, n: 2 ** -self.mean_log(p, n)),
    "the perplexity leaves out words without training tokens": ("predict", partial(_of_trained, "w")),
    "the perplexity leaves out documents without training tokens": ("predict", partial(_of_trained, "j")),
    "the sum of log p counts rows and is divided by the number of tokens":
        ("mean_log", lambda self, right, p, n: sum(map(math.log, p)) / sum(n)),
    "the sum of log p is divided by the number of rows":
        ("mean_log", lambda self, right, p, n: right(p, n) * sum(n) / len(n)),
    "the sum of log p is divided by the number of training tokens":
        ("mean_log", lambda self, right, p, n: right(p, n) * sum(n) / sum(self.n)),
    "log Gamma is taken at the mean count in the bound": ("E_log_gamma",
        lambda self, right, a, rows, k: math.lgamma(a + sum(self.n[i] * self.gamma[i][k] for i in rows))),
    "the sums log Gamma(alpha) of a document are log Gamma(alpha) once": ("constant_of_theta",
        lambda self, right: self.D * (math.lgamma(self.sum_alpha) - math.lgamma(self.alpha[0]))),
    "the sums log Gamma(eta) of a topic are log Gamma(eta) once": ("constant_of_phi",
        lambda self, right: sum(math.lgamma(self.sum_eta[k]) - math.lgamma(self.eta[0][k]) for k in range(self.K))),
    "log Gamma(A) is added once, not for each document": ("constant_of_theta",
        lambda self, right: right() - (self.D - 1) * math.lgamma(self.sum_alpha)),
    "log Gamma(W eta) is added once, not for each topic": ("constant_of_phi",
        lambda self, right: right() - sum(map(math.lgamma, self.sum_eta[1:]))),
    "the sums log Gamma(eta_w) are taken over the words that occur": ("constant_of_phi",
        lambda self, right: right() + sum(math.lgamma(e) for w in {*range(self.W)} - {*self.w} for e in self.eta[w])),
    "Minka's step changes the entries of a vector one after the other": ("minka", _one_by_one),
    "Minka's step has a number whose rate is multiplied by the number of entries, too":
        ("new_number", lambda self, right, shape, rate, a, rises, total: (
            (shape - 1 + a[0] * sum(rises)) / (rate + total) / len(a))),
    "Minka's step has the mean of a vector's entries for a number":
        ("new_number", lambda self, right, *arguments: sum(self.new_vector(*arguments)) / len(arguments[2])),
    "Minka's step has the same number in all entries of a vector":
        ("new_vector", lambda self, right, *arguments: [self.new_number(*arguments)] * len(arguments[2])),
    "Minka's step multiplies shape - 1 by the old number": ("minka", _shape_times_old),
    "Minka's step leaves out Ψ(a)": ("rise", lambda self, right, N, a: self.digamma(N + a)),
    "Minka's step has Ψ(N) for Ψ(N + a) - Ψ(a)": ("rise", lambda self, right, N, a: self.digamma(N)),
    "Minka's step has N / a for Ψ(N + a) - Ψ(a)": ("rise", lambda self, right, N, a: N / a),
    "Minka's step has the other sign of Ψ(a)":
        ("rise", lambda self, right, N, a: self.digamma(N + a) + self.digamma(a)),
    "Minka's step subtracts Ψ of the sum of the prior once":
        ("total_rise", lambda self, right, totals, a: (
            sum(self.digamma(N + sum(a)) for N in totals) - self.digamma(sum(a)))),
    "Minka's step has the first total alone": ("total_rise", lambda self, right, totals, a: right(totals[:1], a)),
    "Minka's step leaves out the last total": ("total_rise", lambda self, right, totals, a: right(totals[:-1], a)),
    "Minka's step takes the totals without the sum of the prior":
        ("total_rise", lambda self, right, totals, a: sum(self.rise(N, a[0]) for N in totals)),
}
# fmt: on


def changes() -> Iterator[Change]:
    for name, letter, length in (("alpha", "theta_jk", "K"), ("eta", "phi_wk", "W")):
        yield from of_table(PSEUDO, f"pseudo {name}", f"pseudo_{name}", f"{name} {{}}", partial(_pseudo, length))
        changed = {text: of_result(f) for text, f in TABLES.items()}
        yield from of_table(changed, letter, letter[:-3], f"{letter} {{}}")
    orders, text = ("token", "document", "corpus"), "the estimates are those after one more sweep in `{}` order"
    yield from of_table(dict(zip(orders, orders, strict=True)), "counts", "counts", text, _in_order)
    for which in ("", " for alpha", " for eta"):
        text = f"Minka's step{which} has the totals of {{}}"
        yield from of_table(TOTALS, "totals", "minka", text, partial(_minka, which))
    for text, (method, f) in OTHERS.items():
        yield Change(text, method, {method: f})
        for prior in ("alpha", "eta") if text.startswith("Minka") else ():
            step = {"minka": partial(_step_of, prior, f if method == "minka" else unchanged)}
            yield Change(f"{text}, for {prior}", method, {method: partial(_in_step_of, prior, f)} | step)
