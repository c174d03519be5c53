"""Changes of single quantities: each of them is doubled, inverted, rounded, and so on."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import Change, Method, at, in_single, of_result

Value = Callable[[Any, float], float]

# What replaces a number x
VALUES: dict[str, Value] = {
    "is left out": lambda self, x: 0.0, "is 1": lambda self, x: 1, "has the other sign": lambda self, x: -x,
    "is doubled": lambda self, x: 2 * x, "is halved": lambda self, x: x / 2, "is squared": lambda self, x: x * x,
    "is its square root": lambda self, x: math.sqrt(x), "is inverted": lambda self, x: 1 / x,
    "is its logarithm": lambda self, x: math.log(x), "is its exponential": lambda self, x: math.exp(x),
    "is 1 larger": lambda self, x: x + 1, "is 1 smaller": lambda self, x: x - 1,
    "is 1/2 smaller": lambda self, x: x - 0.5, "is its positive part": lambda self, x: max(x, 0.0),
    "is its absolute value": lambda self, x: abs(x), "is at most 1": lambda self, x: min(x, 1.0),
    "is at least 1": lambda self, x: max(x, 1.0), "is rounded down": lambda self, x: float(math.floor(x)),
    "is rounded": lambda self, x: float(round(x)), "is rounded to single precision": lambda self, x: in_single(x),
    "is rounded to half precision": lambda self, x: in_single(x, "e"), "is in bits": lambda self, x: x / math.log(2),
}  # fmt: skip
SIZES: dict[str, Callable[[Any], float]] = {
    "K": lambda self: self.K,
    "W": lambda self: self.W,
    "D": lambda self: self.D,
    "the number of rows": lambda self: self.M,
    "the number of tokens": lambda self: sum(self.n),
}
SMALL = tuple(10.0**-m for m in (16, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1))


def _sized(name: str, size: Callable[[Any], float]) -> dict[str, Value]:
    return {
        f"is multiplied by {name}": lambda self, x: x * size(self),
        f"is divided by {name}": lambda self, x: x / size(self),
        f"is larger by {name}": lambda self, x: x + size(self),
        f"is smaller by {name}": lambda self, x: x - size(self),
    }


def _small(c: float) -> dict[str, Value]:
    return {f"is larger by {c:.3g}": lambda self, x: x + c, f"is at least {c:.3g}": lambda self, x: max(x, c)}


EVERYTHING = VALUES | dict(pair for name, size in SIZES.items() for pair in _sized(name, size).items())
EVERYTHING |= dict(pair for c in SMALL for pair in _small(c).items())
# The ends of the texts that are composed, by methods; those of other methods are "left out" and "other sign"
COMPOSED = {
    "document": ("left out", "squared", "inverted"),
    "word": ("left out", "squared", "inverted"),
    "topic": ("left out", "squared", "inverted"),
    "N": ("left out", "rounded down"),
    "V": ("left out", "other sign", "halved", "doubled"),
    "correction": ("left out", "other sign", "halved", "doubled"),
    "prior": ("left out", "is 1", "doubled", "1 larger", "1 smaller", "single precision"),
    "W_eta": ("left out", "is 1"),
    "bound": (),
}

# What is changed, its method and, if the method has several, which of them
SUMS = {"document": "N_jk", "word": "N_wk", "topic": "N_k", "all": "each of the three sums"}
VARIANCES = {"document": "V_jk", "word": "V_wk", "topic": "V_k", "all": "each of the three variances"}
NUMBERS: dict[str, str] = {
    "the document's term": "document", "the word's term": "word", "the topic's term": "topic", "the weight": "weight",
    "the correction of second order": "correction", "W eta in the topic's term": "W_eta",
    "the entropy of q(z)": "entropy", "the constant of p(theta | alpha)": "constant_of_theta",
    "the constant of p(phi | eta)": "constant_of_phi", "log Gamma(A + n_j) in the bound": "total_of_document",
    "log Gamma(alpha_k + n_jk) in the bound": "entry_of_document",
    "log Gamma(W eta + n_k) in the bound": "total_of_topic", "log Gamma(eta_w + n_wk) in the bound": "entry_of_word",
    "the perplexity": "perplexity", "the mean of log p": "mean_log", "a rise Ψ(N + a) - Ψ(a)": "rise",
    "the sum of the totals' rises": "total_rise", "the uniform number of a token": "uniform", "theta_jk": "theta",
    "phi_wk": "phi", "the vector of Minka's step": "new_vector", "the number of Minka's step": "new_number",
    "the bound": "bound", "C_j, the tokens of a document, in SCVB0": "C",
    "the part of N_jk that stays in SCVB0": "stay", "the step size rho": "rho", "the factor of the batch": "scale",
    "the tokens of the batch": "size",
}  # fmt: skip
ARGUMENTS: dict[str, tuple[str, int]] = {  # of a method, and which of them
    "N_jk in theta_jk": ("theta", 0), "N_wk in phi_wk": ("phi", 0), "N_k in phi_wk": ("phi", 1),
    "alpha or eta in log Gamma(a + n)": ("E_log_gamma", 0), "x in Ψ(x)": ("digamma", 0), "x in exp(x)": ("exp", 0),
    "x in log x": ("log", 0), "x in log Gamma(x)": ("log_gamma", 0),
    "a + N in the correction of second order": ("correction", 0),
    "the probability of a test row in the perplexity": ("mean_log", 0),
    "the count of a test row in the perplexity": ("mean_log", 1), "N in Minka's step": ("minka", 0),
    "the totals in Minka's step": ("minka", 1), "N in Ψ(N + a) - Ψ(a)": ("rise", 0),
    "a in Ψ(N + a) - Ψ(a)": ("rise", 1), "the shape in a vector's step": ("new_vector", 0),
    "the rate in a vector's step": ("new_vector", 1), "the old vector in Minka's step": ("new_vector", 2),
    "the total in a vector's step": ("new_vector", 4), "the shape in a number's step": ("new_number", 0),
    "the rate in a number's step": ("new_number", 1), "the old number in Minka's step": ("new_number", 2),
    "the total in a number's step": ("new_number", 4), "u in a draw": ("drawn", 1),
    "a weight in a draw": ("drawn", 0), "the old number in the step of a batch": ("moved", 0),
    "the estimate in the step of a batch": ("moved", 1),
}  # fmt: skip
TABLES = {"alpha": 0, "eta": 1}  # of the prior
TERMS = ("document", "word", "topic")


def each(f: Value, self: Any, x: Any) -> Any:
    """f of a number, or of each number of a list, a tuple or a dict."""
    if isinstance(x, dict):
        return {name: each(f, self, v) for name, v in x.items()}
    return type(x)(each(f, self, v) for v in x) if isinstance(x, list | tuple) else f(self, x)


def _of_argument(f: Value, place: int) -> Method:
    return lambda self, right, *given: right(*(each(f, self, x) if m == place else x for m, x in enumerate(given)))


def _length_of(f: Value) -> Method:
    """theta_jk with another N_j in its divisor."""

    def theta(self: Any, right: Method, N_jk: Any) -> Any:
        (_, A), N_j = self.pseudo_alpha(), [sum(row) for row in N_jk]
        return [[x * (N + A) / (f(self, N) + A) for x in row] for row, N in zip(right(N_jk), N_j, strict=True)]

    return theta


def _of_prior(f: Value, place: int) -> Method:
    """A change of alpha or of eta wherever it stands."""
    return lambda self, right: tuple(each(f, self, x) if m == place else x for m, x in enumerate(right()))


def changes() -> Iterator[Change]:
    """All changes of single quantities."""
    for (text, f), (name, place) in itertools.product(EVERYTHING.items(), TABLES.items()):
        yield Change(f"{name} {text}", name, {"prior": _of_prior(f, place)}, not text.endswith(COMPOSED["prior"]))
    places = [(name, method, "", method) for name, method in NUMBERS.items()]
    places += [(name, "N", part, f"N {part}") for part, name in SUMS.items()]
    places += [(name, "V", part, f"V {part}") for part, name in VARIANCES.items()]
    for (text, f), (name, method, part, of) in itertools.product(EVERYTHING.items(), places):
        if method in TERMS and text in ("is left out", "is 1"):  # a factor that is left out is 1
            text = "is left out" if text == "is 1" else "is 0"
        alone = not text.endswith(COMPOSED.get(method, ("left out", "other sign")))
        other = of_result(partial(each, f))
        yield Change(f"{name} {text}", f"value {of}", {method: at(part, other) if part else other}, alone)
    for (text, f), (name, (method, m)) in itertools.product(EVERYTHING.items(), ARGUMENTS.items()):
        alone = not text.endswith(("left out", "other sign", "is 1"))
        yield Change(f"{name} {text}", f"value of {name}", {method: _of_argument(f, m)}, alone)
    for text, f in EVERYTHING.items():
        yield Change(f"N_j in theta_jk {text}", "N_j of theta", {"theta": _length_of(f)}, alone=True)
