"""Changes of single quantities: each of them is doubled, inverted, rounded, and so on."""

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, TERMS, VARIANCES, Change, for_part, in_single, of_result, with_entry

NumberChange = Callable[[Any, float], float]

# What replaces a number x
NUMBER_CHANGES: dict[str, Callable[[float], float]] = {
    "is left out": lambda x: 0.0, "is 1": lambda x: 1, "has the other sign": operator.neg,
    "is doubled": lambda x: 2 * x, "is halved": lambda x: x / 2, "is squared": lambda x: x * x,
    "is its square root": math.sqrt, "is inverted": lambda x: 1 / x, "is its logarithm": math.log,
    "is its exponential": math.exp, "is 1 larger": lambda x: x + 1, "is 1 smaller": lambda x: x - 1,
    "is 1/2 smaller": lambda x: x - 0.5, "is its positive part": lambda x: max(x, 0.0),
    "is at least 1": lambda x: max(x, 1.0),
    "is rounded down": lambda x: float(math.floor(x)), "is rounded": lambda x: float(round(x)),
    "is rounded to single precision": in_single, "is rounded to half precision": lambda x: in_single(x, "e"),
    "is in bits": lambda x: x / math.log(2),
}  # fmt: skip
SIZES: dict[str, Callable[[Any], float]] = {
    "K": lambda self: self.K,
    "W": lambda self: self.W,
    "D": lambda self: self.D,
    "the number of rows": lambda self: self.M,
    "the number of tokens": lambda self: sum(self.n),
}
SMALL_NUMBERS = tuple(10.0**-m for m in (16, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1))
SIZE_OPS: dict[str, Callable[[float, float], float]] = {
    "is multiplied by": operator.mul,
    "is divided by": operator.truediv,
    "is larger by": operator.add,
    "is smaller by": operator.sub,
}
SMALL_OPS: dict[str, Callable[[float, float], float]] = {"is larger by": operator.add, "is at least": max}
ALL_CHANGES: dict[str, Any] = {
    **{text: lambda self, x, f=f: f(x) for text, f in NUMBER_CHANGES.items()},
    **{f"{text} {name}": lambda self, x, f=f, size=size: f(x, size(self))
       for name, size in SIZES.items() for text, f in SIZE_OPS.items()},
    **{f"{text} {c:.3g}": lambda self, x, f=f, c=c: f(x, c) for c in SMALL_NUMBERS for text, f in SMALL_OPS.items()},
}  # fmt: skip
# The ends of the texts that are composed, by methods; those of other methods are "left out" and "other sign"
COMPOSED_ENDS = {
    **dict.fromkeys(TERMS, ("left out", "squared", "inverted")),
    "N": ("left out", "rounded down"),
    **dict.fromkeys(("V", "correction"), ("left out", "other sign", "halved", "doubled")),
    "prior": ("left out", "is 1", "doubled", "1 larger", "1 smaller", "single precision"),
    "W_eta": ("left out", "is 1"),
    "bound": (),
}

# What is changed, and its method
METHOD_OF_NUMBER: dict[str, str] = {
    "the document's term": "document", "the word's term": "word", "the topic's term": "topic", "the weight": "weight",
    "the correction of second order": "correction", "W eta in the topic's term": "W_eta",
    "the entropy of q(z)": "entropy", "the constant of p(theta | alpha)": "constant_of_theta",
    "the constant of p(phi | eta)": "constant_of_phi", "log Gamma(A + n_j) in the bound": "total_of_document",
    "log Gamma(alpha_k + n_jk) in the bound": "entry_of_document",
    "log Gamma(W eta + n_k) in the bound": "total_of_topic", "log Gamma(eta_w + n_wk) in the bound": "entry_of_word",
    "the perplexity": "perplexity", "the mean of log p": "mean_log", "a rise Ψ(N + a) - Ψ(a)": "rise",
    "the sum of the totals' rises": "total_rise", "theta_jk": "theta",
    "phi_wk": "phi", "the vector of Minka's step": "new_vector", "the number of Minka's step": "new_number",
    "the bound": "bound", "C_j, the tokens of a document, in SCVB0": "C",
    "the part of N_jk that stays in SCVB0": "stay", "the step size rho": "rho", "the factor of the batch": "scale",
    "the tokens of the batch": "size",
}  # fmt: skip
METHOD_OF_ARGUMENT: dict[str, tuple[str, int]] = {  # of a method, and which of them
    "N_jk in theta_jk": ("theta", 0), "N_wk in phi_wk": ("phi", 0), "N_k in phi_wk": ("phi", 1),
    "alpha or eta in log Gamma(a + n)": ("E_log_gamma", 0), "x in Ψ(x)": ("digamma", 0),
    "x in log x": ("log", 0), "x in log Gamma(x)": ("log_gamma", 0),
    "a + N in the correction of second order": ("correction", 0),
    "the probability of a test row in the perplexity": ("mean_log", 0),
    "the count of a test row in the perplexity": ("mean_log", 1), "N in Ψ(N + a) - Ψ(a)": ("rise", 0),
    "a in Ψ(N + a) - Ψ(a)": ("rise", 1), "the shape in a vector's step": ("new_vector", 0),
    "the rate in a vector's step": ("new_vector", 1), "the old vector in Minka's step": ("new_vector", 2),
    "the total in a vector's step": ("new_vector", 4), "the shape in a number's step": ("new_number", 0),
    "the rate in a number's step": ("new_number", 1), "the old number in Minka's step": ("new_number", 2),
    "the total in a number's step": ("new_number", 4), "u in a draw": ("drawn", 1),
    "the old number in the step of a batch": ("moved", 0),
    "the estimate in the step of a batch": ("moved", 1),
}  # fmt: skip


def entrywise(f: NumberChange, self: Any, x: Any) -> Any:
    """f of a number, or of each number of a list, a tuple or a dict."""
    if isinstance(x, dict):
        return {field: entrywise(f, self, inner) for field, inner in x.items()}
    return type(x)(entrywise(f, self, inner) for inner in x) if isinstance(x, list | tuple) else f(self, x)


def changes() -> Iterator[Change]:
    for (text, f), (m, prior_name) in itertools.product(ALL_CHANGES.items(), enumerate(("alpha", "eta"))):
        new_methods = {"prior": lambda self, right, f=f, m=m: with_entry(right(), m, partial(entrywise, f, self))}
        yield Change(f"{prior_name} {text}", prior_name, new_methods, not text.endswith(COMPOSED_ENDS["prior"]))
    quantities = [(quantity_name, method_name, "") for quantity_name, method_name in METHOD_OF_NUMBER.items()]
    for method, name_of_part in (("N", MEANS), ("V", VARIANCES)):
        quantities += [(name_of_part[part], method, part) for part in (*TERMS, "all")]
    for (text, f), (name, method, part) in itertools.product(ALL_CHANGES.items(), quantities):
        if method in TERMS and text in ("is left out", "is 1"):  # a factor that is left out is 1
            text = "is left out" if text == "is 1" else "is 0"
        is_alone = not text.endswith(COMPOSED_ENDS.get(method, ("left out", "other sign")))
        new_method = of_result(partial(entrywise, f))
        quantity = f"value {method} {part}".rstrip()
        yield Change(f"{name} {text}", quantity, {method: for_part(part, new_method) if part else new_method}, is_alone)
    for (text, f), (name, (method, m)) in itertools.product(ALL_CHANGES.items(), METHOD_OF_ARGUMENT.items()):
        is_alone = not text.endswith(("left out", "other sign", "is 1"))
        new_methods = {method: lambda self, right, *x, f=f, m=m: right(*with_entry(x, m, partial(entrywise, f, self)))}
        yield Change(f"{name} {text}", f"value of {name}", new_methods, is_alone)
