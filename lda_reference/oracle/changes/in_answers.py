"""Changes of what is computed from a state: estimates, bounds, predictions and Minka's step."""

import itertools
import math
from collections.abc import Iterator
from functools import partial
from statistics import fmean
from typing import Any

from ..cases.closeness import grouped
from .change import Change, Function, Method, Row, of_result, of_table, share, softmax, under
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


def _pseudo(length_name: str, prior_change: Function, self: Any, right: Method) -> tuple[Any, Any]:
    (a, A), length = right(), getattr(self, length_name)
    numerator = entrywise(lambda self, x: prior_change(x, 0, length)[0], self, a)
    return numerator, entrywise(lambda self, x: prior_change(0, x, length)[1], self, A)


TABLE_CHANGES: dict[str, Function] = {
    "is written row by row and read column by column, at k M + m for m K + k": lambda self, x: [
        list(itertools.chain(*x))[r :: len(x)] for r in range(len(x))
    ],
    "has each row at the place of the one before": lambda self, x: [*x[1:], *x[:1]],
    "is normalised over topics": lambda self, x: [share(row) for row in x],
    "is normalised over its rows": lambda self, x: self.by_columns(share, x),
    "has the topics in the reverse order": lambda self, x: [row[::-1] for row in x],
    "has each row at the place of the next": lambda self, x: [*x[-1:], *x[:-1]],
    "is its softmax": lambda self, x: [softmax(row) for row in x],
    "is uniform": lambda self, x: [[1 / len(row)] * len(row) for row in x],
}


def _counts_of_rows(table_indices: tuple[int, ...], self: Any, right: Method) -> Any:
    """Counts of rows instead of tokens, in some of N_jk, N_wk and N_k."""
    token_counts, row_counts = right(), under(self, right, n=[min(n, 1) for n in self.n])
    return tuple((row_counts if m in table_indices else token_counts)[m] for m in range(3))


def _of_documents(inner: Function, outer: Function, self: Any, right: Method, p: Row, n: list[int]) -> float:
    """The perplexity by a mean over the documents of the test corpus: `outer` of the mean of `inner` of each mean."""
    rows_of_document = grouped(zip(self.case["test"]["j"], p, n, strict=True), lambda row: row[0])
    return outer(fmean(inner(self.mean_log(*list(zip(*rows, strict=True))[1:])) for rows in rows_of_document.values()))


def _of_trained(self: Any, right: Method, p: Row, n: list[int]) -> Any:
    """A perplexity that leaves out the test rows of words without training tokens."""
    is_trained = [w in self.w for w in self.case["test"]["w"]]
    return right([*itertools.compress(p, is_trained)], [*itertools.compress(n, is_trained)])


# fmt: off
# What is changed, its method, and the new one
NEW_METHODS: dict[str, tuple[str, Method]] = {
    "theta_jk counts rows instead of tokens": ("counts", partial(_counts_of_rows, (0,))),
    "phi_wk counts rows instead of tokens": ("counts", partial(_counts_of_rows, (1, 2))),
    "phi_wk has N / K for N_k":
        ("phi", lambda self, right, N_wk, N_k: right(N_wk, [sum(N_k) / self.K] * self.K)),
    "the perplexity is the mean of the documents' perplexities":
        ("perplexity", partial(_of_documents, lambda x: math.exp(-x), lambda x: x)),
    "the perplexity takes the mean over documents of their means of log p":
        ("perplexity", partial(_of_documents, lambda x: x, lambda x: math.exp(-x))),
    "theta_jk has the number of rows of a document for its length":
        ("theta", lambda self, right, N_jk: [[x * (sum(N) + self.pseudo_alpha()[1]) / (
            len(self.of_document(j)) + self.pseudo_alpha()[1]) for x in row]
            for j, (row, N) in enumerate(zip(right(N_jk), N_jk, strict=True))]),
    "C_j is the number of rows of the document in SCVB0":
        ("C", lambda self, right, i: len(self.of_document(self.j[i]))),
    "the tokens of the batch are its rows": ("size", lambda self, right: self.M),
    "the perplexity is 2 to the mean of -log p": ("perplexity", lambda self, right, p, n: 2 ** -self.mean_log(p, n)),
    "the perplexity leaves out words without training tokens": ("perplexity", _of_trained),
    "the sum of log p counts rows and is divided by the number of tokens":
        ("mean_log", lambda self, right, p, n: sum(map(math.log, p)) / sum(n)),
    "the sum of log p is divided by the number of rows":
        ("mean_log", lambda self, right, p, n: right(p, n) * sum(n) / len(n)),
    "the sums log Gamma(alpha) of a document are log Gamma(alpha) once": ("constant_of_theta",
        lambda self, right: self.D * (math.lgamma(self.sum_alpha) - math.lgamma(self.alpha[0]))),
    "the sums log Gamma(eta) of a topic are log Gamma(eta) once": ("constant_of_phi",
        lambda self, right: sum(math.lgamma(self.sum_eta[k]) - math.lgamma(self.eta[0][k]) for k in range(self.K))),
    "log Gamma(A) is added once, not for each document": ("constant_of_theta",
        lambda self, right: right() - (self.D - 1) * math.lgamma(self.sum_alpha)),
    "log Gamma(W eta) is added once, not for each topic": ("constant_of_phi",
        lambda self, right: right() - sum(map(math.lgamma, self.sum_eta[1:]))),
    "Minka's step has the mean of a vector's entries for a number":
        ("new_number", lambda self, right, *arguments: sum(self.new_vector(*arguments)) / len(arguments[2])),
    "Minka's step leaves out Ψ(a)": ("rise", lambda self, right, N, a: self.digamma(N + a)),
    "Minka's step subtracts Ψ of the sum of the prior once":
        ("total_rise", lambda self, right, totals, a: (
            sum(self.digamma(N + sum(a)) for N in totals) - self.digamma(sum(a)))),
    "Minka's step takes the totals without the sum of the prior":
        ("total_rise", lambda self, right, totals, a: sum(self.rise(N, a[0]) for N in totals)),
}
# fmt: on


def changes() -> Iterator[Change]:
    for name, estimate_name, length_name in (("alpha", "theta_jk", "K"), ("eta", "phi_wk", "W")):
        yield from of_table(PSEUDO, f"pseudo {name}", f"pseudo_{name}", f"{name} {{}}", partial(_pseudo, length_name))
        new_methods = {text: of_result(new_method) for text, new_method in TABLE_CHANGES.items()}
        yield from of_table(new_methods, estimate_name, estimate_name[:-3], f"{estimate_name} {{}}")
    for text, (method_name, new_method) in NEW_METHODS.items():
        yield Change(text, method_name, {method_name: new_method})
