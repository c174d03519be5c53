"""A port in plain Python in which a hundred faults can be planted. Most are not in the list of known mistakes.

A fault changes the case before it is answered, one method of an algorithm, or the answer. The function of a method gets
the algorithm, the right method and its arguments.
"""

import itertools
import math

import numpy as np

from lda_reference.plain import Algorithm, Floats, class_of
from lda_reference.plain.running import PARTS
from lda_reference.plain.updates import ML

ALGORITHMS = ("ml", "map", "vb", "vem", "cgs", "cvb", "cvb0", "tcvb0", "cvb1d")
OPERATIONS = ("update", "draw", "sweep", "ten_sweeps", "converged", "estimate", "bound", "predict", "hyperparameters")


def float32(x):
    return float(np.float32(x))


def deep(f, x):
    """f of each number of nested lists and dicts."""
    if isinstance(x, dict):
        return {name: deep(f, v) for name, v in x.items()}
    if isinstance(x, list):
        return [deep(f, v) for v in x]
    return f(x) if isinstance(x, float) and math.isfinite(x) else x


class Port(Algorithm):
    """What all faults share: weights that are all 0 give uniform rows, and sweeps to a fixed point always end."""

    def normalised(self, x):
        return super().normalised(x) if sum(x) > 0 else [1 / self.K] * self.K

    def until(self, least, most):
        """gamma when a sweep changes it by less than `least`, after so many sweeps at most."""
        gamma = self.gamma
        for _ in range(most):
            old, gamma = gamma, self.one_sweep(gamma)
            if max(abs(a - b) for x, y in zip(old, gamma, strict=True) for a, b in zip(x, y, strict=True)) < least:
                break
        return gamma

    def converged(self):
        return {"gamma": self.until(1e-15, 300)}


# Changes of the case and of the answer -------------------------------------------------------------------------------


def given(name, f):
    """Another part of the case, if it has it; f gets the part and the case."""
    return lambda case: case | ({name: f(case[name], case)} if name in case else {})


def bound(f):
    return lambda case, a: {"bound": f(a["bound"], sum(case["corpus"]["n"]))} if "bound" in a else a


CASES = {
    **{f"always-{x}": given("schedule", lambda old, case, x=x: x) for x in ("corpus", "token", "document")},
    "row-off-by-one": given("row", lambda row, case: (row + 1) % len(case["corpus"]["n"])),
    "one-uniform-for-all": given("uniforms", lambda u, case: u[:1] * len(u)),
    "first-token-of-row": given("token", lambda token, case: 0 if case["operation"] == "draw" else token),
    "perplexity-by-row": given("test", lambda test, case: test | {"n": [1] * len(test["n"])}),
    "minka-without-gamma-prior": given("gamma_prior", lambda prior, case: {"shape": 1.0, "rate": 0.0}),
    "minka-shape-not-reduced": given("gamma_prior", lambda prior, case: prior | {"shape": prior["shape"] + 1}),
}
ANSWERS = {
    "output-in-float32": lambda case, a: deep(float32, a),
    "output-with-6-digits": lambda case, a: deep(lambda x: float(f"{x:g}"), a),
    "output-to-4-decimals": lambda case, a: deep(lambda x: round(x, 4), a),
    "output-to-8-decimals": lambda case, a: deep(lambda x: round(x, 8), a),
    "output-in-percent": lambda case, a: deep(lambda x: 100 * x, a),
    "phi-transposed": lambda case, a: a | ({"phi_wk": np.transpose(a["phi_wk"]).tolist()} if "phi_wk" in a else {}),
    "bound-per-token": bound(lambda x, N: x / N),
    "bound-negative": bound(lambda x, N: -x),
}

# Changes of methods --------------------------------------------------------------------------------------------------


def instead(method, f):
    """A method that f of its arguments replaces."""
    return {method: lambda self, right, *x: f(*x)}


def then(method, f):
    """A method whose result f changes."""
    return {method: lambda self, right, *x: f(right(*x))}


def after(attributes):
    """An algorithm with other attributes."""
    return {"__init__": lambda self, right, *x: right(*x) or vars(self).update(attributes(self))}


def counted(f):
    """The sums count some rows alone."""

    def kept(self, rows):
        return [i for i in rows if i in f(self)]

    found = {name: lambda self, right, *x: kept(self, right(*x)) for name in ("of_document", "of_word", "rows")}
    found["E_log_gamma"] = lambda self, right, a, rows, k: right(a, kept(self, rows), k)
    return found | {"total": lambda self, right, rows: right(kept(self, rows))}


def alpha(f):
    """Another vector alpha."""
    return {"prior": lambda self, right: (f(right()[0]), right()[1])}


def eta(f):
    """Another vector eta."""
    return {"prior": lambda self, right: (right()[0], [[e] * self.K for e in f([row[0] for row in right()[1]])])}


def where(name, vector, methods):
    """Faults of priors that are vectors, or of those that are single numbers."""

    def prior(self, right):
        return methods["prior"](self, right) if isinstance(self.case["prior"][name], list) == vector else right()

    return {"prior": prior}


def excluded(f):
    """Another number of tokens is excluded, by the algorithms that exclude any."""

    def of_row(self, right, part, i, r):
        return right(part, i, r) if self.excludes == "nothing" else f(self, right(part, i, r), part, i, r)

    return {"excluded": of_row}


def N(f):
    """Other means of counts, from the right ones."""
    return {"N": lambda self, right, *x: f(self, right(*x), *x)}


def in_float32(self, right, part, gamma, i, k):
    total = 0.0
    for r, n in self.left(part, i):
        total = float32(total + n * gamma[r][k])
    return total


def V(f):
    """Other terms of variances, from the count, the count that is left and gamma."""

    def total(self, right, part, gamma, i, k):
        return sum(f(part, self.n[r], n, gamma[r][k]) for r, n in self.left(part, i))

    return {"V": total}


def late(*parts):
    """Some sums see the gamma with which the sweep began."""

    def one_sweep(self, right, gamma):
        self.begun = gamma
        return right(gamma)

    def of_begun(self, right, part, gamma, i, k):
        return right(part, getattr(self, "begun", gamma) if part in parts else gamma, i, k)

    return {"one_sweep": one_sweep, "N": of_begun}


def shifted_to(least, x):
    """The digamma function from the series at `least` or above."""
    if x < least:
        return shifted_to(least, x + 1) - 1 / x
    y = 1 / x**2
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * (691 / 32760 - y / 12))))))
    return math.log(x) - 1 / (2 * x) - series


def of_lda_c(x):
    """log Gamma as lda-c computes it."""
    z, x = 1 / x**2, x + 6
    z = (((-0.000595238095238 * z + 0.000793650793651) * z - 0.002777777777778) * z + 0.083333333333333) / x
    return (x - 0.5) * math.log(x) - x + 0.918938533204673 + z - sum(math.log(x - m) for m in range(1, 7))


def shares(x):
    return [v / sum(x) for v in x]


def swept(key):
    """The rows in another order."""
    return {"swept": lambda self, right: sorted(right(), key=lambda i: key(self, i))}


def ten(sweeps):
    return {"swept_often": lambda self, right, times: right(sweeps if times == 10 else times)}


def document_after_document(self, right, sweeps):
    for j in range(self.D) if sweeps == 10 else ():
        self.swept = lambda j=j: self.of_document(j)
        self.gamma = right(sweeps)
    return self.gamma if sweeps == 10 else right(sweeps)


def without_tokens(f):
    """Estimates for a document or a word without tokens."""

    def changed(self, right, N, *more):
        return [row if sum(of) else [f(self.K)] * self.K for row, of in zip(right(N, *more), N, strict=True)]

    return changed


def per_document(self, right, p, n):
    of = [[i for i, j in enumerate(self.case["test"]["j"]) if j == d] for d in sorted({*self.case["test"]["j"]})]
    return sum(right([p[i] for i in part], [n[i] for i in part]) for part in of) / len(of)


OF_ML = {"theta": ML.theta, "phi": ML.phi}
NOT_REDUCED = then("eta_of", lambda x: x + 1) | {"W_eta": lambda self, right, *at: right(*at) + self.W}  # for MAP
METHODS = {
    "last-row-not-counted": counted(lambda self: range(self.M - 1)),
    "first-row-not-counted": counted(lambda self: range(1, self.M)),
    "last-document-not-counted": counted(lambda self: [i for i in range(self.M) if self.j[i] < self.D - 1]),
    "word-once-a-document": counted(lambda self: {(self.j[i], self.w[i]): i for i in range(self.M)}.values()),
    "counts-are-flags": after(lambda self: {"n": [1] * self.M}),
    "counts-are-logged": after(lambda self: {"n": [1 + math.log(n) for n in self.n]}),
    "counts-at-most-4": after(lambda self: {"n": [min(n, 4) for n in self.n]}),
    "alpha-reversed": alpha(lambda a: a[::-1]),
    "alpha-index-from-one": alpha(lambda a: a[1:] + a[:1]),
    "alpha-first-entry": alpha(lambda a: a[:1] * len(a)),
    "alpha-largest-entry": alpha(lambda a: [max(a)] * len(a)),
    "alpha-is-total": where("alpha", False, alpha(lambda a: [x / len(a) for x in a])),
    "alpha-sums-to-one": alpha(lambda a: shares(a)),
    "alpha-at-least-0.01": alpha(lambda a: [max(x, 0.01) for x in a]),
    "alpha-sorted": alpha(lambda a: sorted(a)),
    "eta-first-entry": eta(lambda e: e[:1] * len(e)),
    "eta-of-topic": {"eta_of": lambda self, right, i, k: self.eta[k % self.W][0]},
    "eta-index-from-one": eta(lambda e: e[1:] + e[:1]),
    "eta-is-total": where("eta", False, eta(lambda e: [x / len(e) for x in e])),
    "eta-sums-to-one": eta(lambda e: shares(e)),
    "eta-vector-summed": where("eta", True, eta(lambda e: [sum(e)] * len(e))),
    "token-excluded-in-vb": {"excluded": lambda self, right, part, i, r: int(r == i)},
    "nothing-is-excluded": excluded(lambda self, right, part, i, r: 0),
    "copies-are-excluded": excluded(
        lambda self, right, part, i, r: self.n[r] if (self.j[r], self.w[r]) == (self.j[i], self.w[i]) else right
    ),
    "row-is-excluded": excluded(lambda self, right, part, i, r: self.n[r] * (r == i)),
    "two-tokens-are-excluded": excluded(lambda self, right, part, i, r: min(2, self.n[r]) * (r == i)),
    "token-for-type": excluded(lambda self, right, part, i, r: int(r == i)),
    **{f"not-from-{x}": excluded(lambda self, right, part, i, r, x=x: right * (part != x)) for x in PARTS},
    **{f"from-{x}-only": excluded(lambda self, right, part, i, r, x=x: right * (part == x)) for x in PARTS},
    "words-by-document-index": {
        "rows": lambda self, right, part, i: self.of_word(self.j[i]) if part == "word" else right(part, i)
    },
    "one-kth-excluded": N(lambda self, x, part, g, i, k: x + self.excluded(part, i, i) * (g[i][k] - 1 / self.K)),
    "largest-topic-excluded": N(
        lambda self, x, part, g, i, k: x + self.excluded(part, i, i) * (g[i][k] - (g[i][k] == max(g[i])))
    ),
    "sums-in-float32": {"N": in_float32},
    "counts-at-least-0.05": N(lambda self, x, *at: max(x, 0.05)),
    "variance-of-all-tokens": V(lambda part, n, left, g: n * g * (1 - g)),
    "variance-is-n-squared": V(lambda part, n, left, g: left**2 * g * (1 - g)),
    "variance-is-second-moment": V(lambda part, n, left, g: left * g**2),
    "weights-tempered": then("weights", lambda x: [v**0.9 for v in x]),
    "epsilon-1e-10": then("weights", lambda x: [v + 1e-10 for v in x]),
    "epsilon-1e-6": then("weights", lambda x: [v + 1e-6 for v in x]),
    "last-topic-forgotten": then("weights", lambda x: [*x[:-1], 0.0] if len(x) > 1 else x),
    "topic-term-eta": {"W_eta": lambda self, right, i, k: self.eta_of(i, k)},
    "topic-term-W": {"W_eta": lambda self, right, i, k: self.W},
    "topic-term-without-prior": instead("W_eta", lambda i, k: 0.0),
    "topic-term-K-eta": {"W_eta": lambda self, right, i, k: self.K * self.eta_of(i, k)},
    "word-term-without-prior": instead("eta_of", lambda i, k: 0.0),
    "alpha-added-twice": N(lambda self, x, part, g, i, k: x + self.alpha[k] * (part == "document")),
    "eta-added-twice": then("eta_of", lambda x: 2 * x),
    "prior-of-one": N(lambda self, x, part, g, i, k: x + (1 - self.alpha[k]) * (part == "document"))
    | instead("eta_of", lambda i, k: 1.0)
    | {"W_eta": lambda self, right, i, k: self.W},
    "topic-term-forgotten": N(lambda self, x, part, g, i, k: 2 + self.W - self.W_eta(i, k) if part == "topic" else x),
    "document-term-forgotten": N(lambda self, x, part, g, i, k: 2 - self.alpha[k] if part == "document" else x),
    "map-eta-not-reduced": NOT_REDUCED,
    "map-as-mean": NOT_REDUCED
    | N(lambda self, x, part, *at: x + (part == "document"))
    | {"pseudo_alpha": lambda self, right: (self.alpha, self.sum_alpha)}
    | {"pseudo_eta": lambda self, right: (self.eta, self.sum_eta)},
    "cvb1d-half": instead("correction", lambda x, V: V / (2 * x**2)),
    "cvb1d-cube": instead("correction", lambda x, V: V / x**3),
    "cvb1d-minus": instead("correction", lambda x, V: -V / x**2),
    "topic-correction-only": V(lambda part, n, left, g: left * g * (1 - g) * (part == "topic")),
    "topic-correction-forgotten": V(lambda part, n, left, g: left * g * (1 - g) * (part != "topic")),
    "correction-two-x-squared": instead("correction", lambda x, V: V / (2 * x) ** 2),
    "correction-without-half": instead("correction", lambda x, V: V / x**2),
    "correction-linear": instead("exp", lambda x: 1 + x)
    | {"perplexity": lambda self, right, p, n: math.exp(-self.mean_log(p, n))},
    "correction-by-deviation": instead("correction", lambda x, V: math.sqrt(V) / (2 * x**2)),
    "correction-added": instead("correction", lambda x, V: -V / (2 * x**2)),
    "digamma-is-log": instead("digamma", math.log),
    "digamma-is-log-of-x-minus-half": instead("digamma", lambda x: math.log(x - 0.5) if x > 0.5 else shifted_to(10, x)),
    "digamma-not-shifted": instead("digamma", lambda x: math.log(x) - 1 / (2 * x) - 1 / (12 * x**2)),
    "digamma-shifted-to-3": instead("digamma", lambda x: shifted_to(3, x)),
    "log-gamma-by-stirling": instead(
        "log_gamma", lambda x: (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + 1 / (12 * x)
    ),
    "log-gamma-of-lda-c": instead("log_gamma", of_lda_c),
    "not-normalised": instead("normalised", lambda x: x),
    "normalised-by-largest": instead("normalised", lambda x: [v / max(x) for v in x]),
    "softmax": instead("normalised", lambda x: shares([math.exp(v) for v in x])),
    "hard-assignment": {"normalised": lambda self, right, x: self.certain(x.index(max(x)))},
    "damped": {
        "weights": lambda self, right, g, i: [
            (a + b) / 2 for a, b in zip(self.normalised(right(g, i)), g[i], strict=True)
        ]
    },
    "gamma-at-least-0.01": then("normalised", lambda x: shares([max(v, 0.01) for v in x])),
    "topics-reversed": then("normalised", lambda x: x[::-1]),
    "rows-backwards": swept(lambda self, i: -i),
    "documents-backwards": swept(lambda self, i: -self.j[i]),
    "rows-by-word": swept(lambda self, i: self.w[i]),
    "last-row-not-swept": then("swept", lambda rows: rows[:-1]),
    "topic-sums-late": late("topic"),
    "word-and-topic-sums-late": late("word", "topic"),
    "document-sums-late": late("document"),
    "word-sums-late": late("word"),
    "nine-sweeps-run": ten(9),
    "eleven-sweeps-run": ten(11),
    "one-sweep-run": ten(1),
    "document-after-document": {"swept_often": document_after_document},
    "stops-at-1e-3": {"swept_often": lambda self, right, sweeps: self.until(1e-3, sweeps)},
    "converged-to-1e-4": {"converged": lambda self, right: {"gamma": self.until(1e-4, 1000)}},
    "converged-to-1e-6": {"converged": lambda self, right: {"gamma": self.until(1e-6, 1000)}},
    "twenty-sweeps": {"converged": lambda self, right: {"gamma": self.until(0, 20)}},
    "draw-one-minus-u": {"drawn": lambda self, right, x, u: right(x, 1 - u)},
    "draw-by-less": instead("drawn", lambda x, u: sum(s < u * sum(x) for s in itertools.accumulate(x[:-1]))),
    "draw-shifted": instead("drawn", lambda x, u: sum(s <= u * sum(x) for s in [*itertools.accumulate(x)][1:])),
    "draw-not-scaled": instead("drawn", lambda x, u: sum(s <= u for s in itertools.accumulate(x[:-1]))),
    "draw-argmax": instead("drawn", lambda x, u: x.index(max(x))),
    "draw-from-last": {"drawn": lambda self, right, x, u: len(x) - 1 - right(x[::-1], u)},
    "draw-numbered-from-one": then("drawn", lambda topic: topic + 1)
    | {"one_hot": lambda self, right, z: [*map(self.certain, z)]},
    "draw-u-in-float32": {"drawn": lambda self, right, x, u: right(x, float32(u))},
    "theta-divided-without-K": then("pseudo_alpha", lambda of: (of[0], of[0][0])),
    "phi-divided-without-W": then("pseudo_eta", lambda of: (of[0], of[0][0])),
    "estimates-without-smoothing": {name: lambda self, right, *N, f=f: f(self, *N) for name, f in OF_ML.items()},
    "theta-without-smoothing": {"theta": lambda self, right, N_jk: ML.theta(self, N_jk)},
    "phi-divided-by-row": then("phi", lambda phi: [shares(row) for row in phi]),
    "empty-theta-is-uniform": {"theta": without_tokens(lambda K: 1 / K)},
    "empty-theta-is-zero": {"theta": without_tokens(lambda K: 0.0)},
    "unseen-word-has-phi-zero": {"phi": without_tokens(lambda K: 0.0)},
    "zeros-left-out-of-perplexity": instead(
        "mean_log", lambda p, n: sum(c * math.log(x) for c, x in zip(n, p, strict=True) if x) / sum(n)
    ),
    "perplexity-2-to-nats": {"perplexity": lambda self, right, p, n: 2 ** -self.mean_log(p, n)},
    "perplexity-with-log10": {"perplexity": lambda self, right, *x: right(*x) ** (1 / math.log(10))},
    "perplexity-per-document": {"perplexity": per_document},
    "perplexity-over-training-tokens": {"perplexity": lambda self, right, p, n: right(p, n) ** (sum(n) / sum(self.n))},
    "bound-without-constants": instead("constant_of_theta", lambda: 0.0) | instead("constant_of_phi", lambda: 0.0),
    "bound-W-constant": {
        "constant_of_phi": lambda self, right: (
            self.K * (self.log_gamma(self.sum_eta[0]) - self.log_gamma(self.eta[0][0]))
        )
    },
    "bound-constant-of-one-topic": {"constant_of_phi": lambda self, right: right() / self.K},
    "bound-entropy-subtracted": then("entropy", lambda x: -x),
    "bound-entropy-in-bits": then("entropy", lambda x: x / math.log(2)),
    "minka-old-value-forgotten": {
        name: lambda self, right, shape, rate, a, *of: right(shape, rate, [1.0] * len(a), *of)
        for name in ("new_vector", "new_number")
    },
    "minka-vector-averaged": {
        "new_vector": lambda self, right, shape, rate, a, rises, total: right(
            shape, rate, a, [sum(rises) / len(a)] * len(a), total
        )
    },
    "minka-denominator-once": {
        "new_number": lambda self, right, shape, rate, a, rises, total: right(shape, rate, a[:1], rises, total)
    },
    "W-is-largest-word": after(lambda self: {"sum_eta": np.sum(self.eta[: max(self.w) + 1], 0).tolist()}),
    "W-is-words-seen": after(lambda self: {"sum_eta": np.sum([self.eta[w] for w in {*self.w}], 0).tolist()}),
    "W-is-rows": after(lambda self: {"sum_eta": [e * self.M for e in self.eta[0]]}),
}

FAULTS = [*CASES, *ANSWERS, *METHODS]
# The names of known mistakes that are right for a fault. The others are to be described, or at least not to be named.
NAMES = {
    "counts-are-flags": ("counts-of-rows",),
    "alpha-reversed": ("alpha-reversed",),
    "alpha-index-from-one": ("alpha-shifted",),
    "alpha-first-entry": ("alpha-first", "K-alpha-for-sum-alpha"),
    "alpha-is-total": ("alpha-divided-by-K",),
    "eta-first-entry": ("eta-first",),
    "eta-of-topic": ("eta-of-topic",),
    "eta-index-from-one": ("eta-shifted",),
    "eta-is-total": ("eta-divided-by-W",),
    "token-excluded-in-vb": ("token-excluded",),
    "nothing-is-excluded": ("nothing-excluded",),
    "copies-are-excluded": ("all-copies-excluded",),
    "token-for-type": ("one-token-excluded",),
    "not-from-topic": ("topic-count-not-excluded",),
    "not-from-word": ("word-count-not-excluded",),
    "not-from-document": ("document-count-not-excluded",),
    "from-document-only": ("excluded-from-document-only",),
    "from-word-only": ("excluded-from-word-only",),
    "variance-of-all-tokens": ("variance-not-excluded",),
    "variance-is-n-squared": ("variance-count-squared",),
    "topic-term-eta": ("eta-for-W-eta",),
    "topic-term-W": ("W-for-W-eta",),
    "alpha-added-twice": ("alpha-times-K",),  # the same where K is 2
    "topic-term-forgotten": ("no-topic-term",),
    "map-as-mean": ("prior-without-minus-one",),
    "cvb1d-half": ("variance-halved",),
    "cvb1d-cube": ("variance-over-cube",),
    "cvb1d-minus": ("variance-sign",),
    "correction-two-x-squared": ("variance-over-twice-mean-squared",),
    "correction-without-half": ("variance-without-half",),
    "correction-added": ("variance-sign",),
    "digamma-is-log": ("log-for-digamma", "minka-log-for-digamma"),
    "digamma-is-log-of-x-minus-half": ("half-subtracted",),
    "log-gamma-of-lda-c": ("log-gamma-of-lda-c",),
    "always-corpus": ("sums-refreshed-late",),
    "always-token": ("sums-refreshed-early",),
    "always-document": ("sums-refreshed-by-document",),
    "topic-sums-late": ("topic-count-late",),
    "word-and-topic-sums-late": ("word-and-topic-counts-late",),
    "nine-sweeps-run": ("nine-sweeps",),
    "eleven-sweeps-run": ("eleven-sweeps",),
    "document-after-document": ("document-after-document",),
    "converged-to-1e-4": ("stopped-early",),
    "draw-one-minus-u": ("topics-added-backwards",),
    "draw-by-less": ("draw-strict",),
    "draw-shifted": ("draw-off-by-one",),
    "draw-not-scaled": ("draw-unnormalised",),
    "draw-argmax": ("most-probable-drawn",),
    "draw-from-last": ("topics-added-backwards",),
    "draw-numbered-from-one": ("topics-from-one",),
    "phi-divided-without-W": ("eta-for-W-eta",),
    "estimates-without-smoothing": ("estimates-without-prior", "alpha-forgotten"),
    "theta-without-smoothing": ("alpha-forgotten",),
    "empty-theta-is-uniform": ("empty-theta-uniform",),
    "perplexity-by-row": ("test-counts-ignored",),
    "perplexity-2-to-nats": ("perplexity-base-2",),
    "perplexity-per-document": ("perplexity-by-document",),
    "bound-W-constant": ("constants-without-W",),
    "bound-constant-of-one-topic": ("constants-without-K",),
    "bound-per-token": ("divided-by-tokens",),
    "bound-negative": ("free-energy-sign",),
    "minka-shape-not-reduced": ("minka-shape",),
    "minka-old-value-forgotten": ("minka-without-factor",),
    "minka-denominator-once": ("minka-without-K",),
}


def layer(methods):
    """A class that comes before an algorithm, with some methods."""
    made = type("Faulty", (Port,), {})
    for name, f in methods.items():
        setattr(made, name, lambda self, *x, f=f, name=name: f(self, getattr(super(made, self), name), *x))
    return made


LAYERS = {fault: layer(methods) for fault, methods in METHODS.items()}


def answer(case, fault=None):
    """The answer to a case, with a fault in it."""
    operation = case["operation"]
    unable = case["algorithm"] not in ALGORITHMS or operation not in OPERATIONS
    if unable or case.get("schedule") in ("block", "nested") or (operation == "bound" and case["algorithm"] != "vb"):
        return {"id": case["id"], "skip": "not in this port"}
    asked = CASES[fault](case) if fault in CASES else case
    faulty = type(
        "Faulty", (LAYERS.get(fault, Port), class_of(case)), {}
    )  # sums are counted again in large corpora too
    got = faulty(asked, Floats()).answer()
    return {"id": case["id"], **(ANSWERS[fault](case, got) if fault in ANSWERS else got)}
