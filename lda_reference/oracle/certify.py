"""Makes the vectors: every algorithm a second time, at 50 digits, straight from the printed equations, in plain loops.

    python certify.py OUT_DIR [NAME ...]

writes OUT_DIR/<algorithm>.json, mistakes.json and samplers.json, or those named alone. It imports the standard library
and mpmath, and nothing of the package that it certifies. Inputs are short decimals, read as the float64 numbers that
they print as and taken exactly; answers are rounded once to float64. Distributions of counts are convolved, nothing is
a quadrature. The output is the same to the last byte on every machine.

An answer with a known mistake is the answer of the same evaluator with one switch set, see `MISTAKES`.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import mpmath
from mpmath import mp, mpf

FORMAT = "lda_reference oracle 1"
DIGITS = 50
mp.dps = DIGITS

Row = list[Any]  # of mpf
Case = dict[str, Any]

SAMPLERS = ("gibbs", "cgs")
UNCOLLAPSED = ("ml", "map", "vb", "vem")
COLLAPSED = ("cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
ALGORITHMS = (*UNCOLLAPSED, "gibbs", "cgs", *COLLAPSED)
EXCLUDES = dict.fromkeys(UNCOLLAPSED, "nothing") | {"tcvb0": "type"}  # the others: a token
SCHEDULES = dict.fromkeys(UNCOLLAPSED, ("corpus", "token", "document"))  # of soft assignment, the default first
SCHEDULES |= dict.fromkeys(COLLAPSED, ("token", "document", "corpus"))

UPDATES = {
    "ml": ["AWST09 (4)"],
    "map": ["AWST09 (5)"],
    "vb": ["TNW06 (4)", "TNW06 (5)", "TNW06 (6)", "AWST09 (10)"],
    "vem": ["AWST09 (10)", "AWST09 (4)"],
    "gibbs": ["SOL14 (7)"],
    "cgs": ["TNW06 (8)", "AWST09 (14)", "SOL14 (8)"],
    "cvb_exact": ["TNW06 (15)", "TNW06 App. A"],
    "cvb": ["TNW06 (16)", "TNW06 (17)", "TNW06 (18)", "AWST09 (12)"],
    "cvb0": ["AWST09 (13)", "SN12 (9)"],
    "tcvb0": ["SN12 (55)"],
    "cvb1": ["SN12 (48)"],
    "cvb1s": ["SN12 (49)"],
    "cvb1d": ["SN12 (50)"],
}


# The evaluator -------------------------------------------------------------------------------------------------------


digamma, log_gamma, positive_log = (functools.lru_cache(100_000)(f) for f in (mp.digamma, mp.loggamma, mp.log))


def log(x: Any) -> Any:
    return positive_log(x) if x > 0 else -mp.inf


def exp(x: Any) -> Any:
    if mp.isfinite(x) and abs(x) > 1e8:  # of a mistake that runs away
        raise OverflowError("no number that can be written down")
    return mp.exp(x)


def added(x: Iterable[Any]) -> Any:
    """The sum; not mpmath's fsum, which is exact and so runs out of memory where a gamma is 2 to the power -10^9."""
    return sum(x, mpf(0))


def normalised(x: Row) -> Row:
    total = added(x)
    return [v / total for v in x]


def distribution(parts: list[tuple[Any, int]]) -> Row:
    """The distribution of the number of successes of independent trials: (probability, how many of it)."""
    v = [mpf(1)]
    for g, copies in parts:
        q = 1 - g
        for _ in range(copies):
            v = [v[0] * q, *(v[m] * q + v[m - 1] * g for m in range(1, len(v))), v[-1] * g]
    return v  # by TNW06 App. A


def expectation(f: Callable[[int], Any], v: Row) -> Any:
    return added(q * f(n) for n, q in enumerate(v) if q)


class Evaluator:
    """One case, with at most one mistake, and with or without noise.

    Parameters
    ----------
    case : dict
    mistake : str
        A name of `MISTAKES`; "" for none.
    noise : number
        The relative size of what is added to, or taken from, the start and every sum: to measure conditioning.
    seed : int
        Of the signs of the noise.
    """

    def __init__(self, case: Case, mistake: str = "", noise: Any = 0, seed: int = 0) -> None:
        self.case, self.mistake, self.noise, self.rng = case, mistake, noise, random.Random(seed)
        self.name, self.K = case["algorithm"], case["K"]
        self.margin = mpf(1)  # of the draws: the least distance of a uniform from a boundary
        c = case["corpus"]
        self.j, self.w, self.n, self.D, self.W = list(c["j"]), list(c["w"]), list(c["n"]), c["D"], c["W"]
        self.row = list(range(len(self.n)))  # of each token, for samplers
        if self.name in SAMPLERS:
            self.row = [i for i in self.row for _ in range(self.n[i])]
            self.j, self.w = [self.j[i] for i in self.row], [self.w[i] for i in self.row]
            self.n = [1] * len(self.row)
        self.M = len(self.n)
        self.copies = [1] * self.M if mistake == "counts-of-rows" else self.n
        self.excludes = EXCLUDES.get(self.name, "token")
        self._read_prior(case["prior"])
        self.seen: dict[tuple[int, str], list[tuple[int, int]]] = {}
        if "gamma" in case["state"]:
            self.gamma = [[self.fuzz(mpf(g), mpf(g)) for g in row] for row in case["state"]["gamma"]]
        else:
            self.z = list(case["state"]["z"])
            self.gamma = self.one_hot(self.z)

    def _read_prior(self, prior: dict[str, Any]) -> None:
        m, alpha, eta = self.mistake, prior["alpha"], prior["eta"]
        if m == "alpha-and-eta-swapped" and not isinstance(alpha, list) and not isinstance(eta, list):
            alpha, eta = eta, alpha
        self.alpha = [mpf(a) for a in alpha] if isinstance(alpha, list) else [mpf(alpha)] * self.K
        self.eta = [mpf(a) for a in eta] if isinstance(eta, list) else [mpf(eta)] * self.W
        if m == "alpha-averaged":
            self.alpha = [added(self.alpha) / self.K] * self.K
        if m == "eta-averaged":
            self.eta = [added(self.eta) / self.W] * self.W
        if m == "alpha-forgotten":
            self.alpha = [mpf(0)] * self.K
        if m == "eta-forgotten":
            self.eta = [mpf(0)] * self.W
        self.sum_alpha = self.K * self.alpha[0] if m == "K-alpha-for-sum-alpha" else added(self.alpha)
        self.sum_eta = self.W * self.eta[0] if m == "W-eta-for-sum-eta" else added(self.eta)

    def fuzz(self, x: Any, scale: Any) -> Any:
        if not self.noise:
            return x
        return x + self.noise * scale * (1 if self.rng.random() < 0.5 else -1)

    def one_hot(self, z: list[int]) -> list[Row]:
        return [[mpf(1 if k == topic else 0) for k in range(self.K)] for topic in z]

    # The update

    def excluded(self, i: int, row: int, part: str) -> int:
        """How many tokens of row i are left out of the sums that the update of `row` sees."""
        m, excludes = self.mistake, self.excludes
        if m == "nothing-excluded" or (m == "topic-count-not-excluded" and part == "topic"):
            excludes = "nothing"
        elif m in ("token-excluded", "one-token-excluded"):
            excludes = "token"
        elif m == "all-copies-excluded" and excludes == "token":
            same = (self.j[i], self.w[i]) == (self.j[row], self.w[row])
            return self.copies[i] if same else 0
        if i != row or excludes == "nothing":
            return 0
        return 1 if excludes == "token" else self.copies[i]

    def left(self, row: int, part: str) -> list[tuple[int, int]]:
        """(row, how many of its tokens) of the document, the word or the corpus, as the update of `row` sees it."""
        if (row, part) not in self.seen:
            self.seen[row, part] = self._left(row, part)
        return self.seen[row, part]

    def _left(self, row: int, part: str) -> list[tuple[int, int]]:
        out = []
        for i in range(self.M):
            if (part == "document" and self.j[i] != self.j[row]) or (part == "word" and self.w[i] != self.w[row]):
                continue
            copies = 1 if self.mistake == "topics-count-rows" and part != "document" else self.copies[i]
            out.append((i, copies - self.excluded(i, row, part)))
        return out

    def mean(self, gamma: list[Row], row: int, part: str, k: int) -> Any:
        """N_jk, N_wk or N_k without what is excluded."""
        left = self.left(row, part)
        N = added(copies * gamma[i][k] for i, copies in left if copies)
        return self.fuzz(N, added(self.copies[i] * gamma[i][k] for i, _ in left)) if self.noise else N

    def variance(self, gamma: list[Row], row: int, part: str, k: int) -> Any:
        def v(g: Any) -> Any:
            return g if self.mistake == "variance-is-mean" else g * (1 - g)

        left, all_in = self.left(row, part), self.mistake == "variance-not-excluded"
        V = added((self.copies[i] if all_in else copies) * v(gamma[i][k]) for i, copies in left if copies or all_in)
        return self.fuzz(V, added(self.copies[i] * v(gamma[i][k]) for i, _ in left)) if self.noise else V

    def smoothing(self, row: int, k: int) -> tuple[Any, Any, Any]:
        """alpha_k, eta_w and W eta."""
        m, eta, W_eta = self.mistake, self.eta[self.w[row]], self.sum_eta
        if m == "W-for-W-eta":
            W_eta = mpf(self.W)
        elif m == "eta-for-W-eta":
            W_eta = eta
        elif m == "W-eta-for-sum-eta":
            W_eta = self.W * eta
        return self.alpha[k], eta, W_eta

    def weights(self, gamma: list[Row], row: int, gamma_k: list[Row] | None = None) -> Row:
        """The right-hand side of the update of a row, topic by topic; gamma_k is what the corpus' sums are taken of."""
        if self.name == "gibbs":
            theta, phi = self.case["theta_jk"][self.j[row]], self.case["phi_wk"][self.w[row]]
            m = self.mistake
            return [
                (1 if m == "theta-left-out" else mpf(theta[k])) * (1 if m == "phi-left-out" else mpf(phi[k]))
                for k in range(self.K)
            ]  # by SOL14 (7)
        if self.name == "cvb1s":
            self.sampled = self.samples(gamma if gamma_k is None else gamma_k)
        out = [self.weight(gamma, row, k, gamma if gamma_k is None else gamma_k) for k in range(self.K)]
        if any(x < 0 for x in out) or not any(out):
            raise ValueError("no weights")
        return out

    def weight(self, gamma: list[Row], row: int, k: int, gamma_k: list[Row]) -> Any:
        name, m = self.name, self.mistake
        alpha, eta, W_eta = self.smoothing(row, k)
        no_topic = m == "no-topic-term"
        if name == "cvb_exact" and m not in ("gaussian-for-exact", "log-of-mean"):
            parts = []
            for a, part, g in ((alpha, "document", gamma), (eta, "word", gamma), (W_eta, "topic", gamma_k)):
                v = distribution([(g[i][k], copies) for i, copies in self.left(row, part)])

                def log_of(n: int, a: Any = a) -> Any:
                    return log(a + n)

                x = expectation(log_of, v)
                parts.append(self.fuzz(x, 1 + abs(x)))
            return exp(parts[0] + parts[1] - (0 if no_topic else parts[2]))  # by TNW06 (15)
        N_jk, N_wk = (self.mean(gamma, row, part, k) for part in ("document", "word"))
        N_k = self.mean(gamma_k, row, "topic", k)
        if name == "ml" and m == "prior-used":
            return (N_wk + eta) * (N_jk + alpha) / (N_k + W_eta)
        if name == "ml":
            if no_topic:
                return N_wk * N_jk
            return N_wk * N_jk / N_k if N_k > 0 else mpf(0)  # by AWST09 (4)
        if name == "map":
            one = 0 if m == "prior-without-minus-one" else 1
            less = {"minus-one-for-minus-W": 1, "W-not-subtracted": 0}.get(m, one * self.W)
            topic = 1 if no_topic else N_k + W_eta - less
            return (N_wk + eta - one) * (N_jk + alpha - one) / topic  # by AWST09 (5)
        if name in ("vb", "vem"):
            if m == "half-subtracted":
                if min(N_jk + alpha, N_wk + eta, N_k + W_eta) <= 0.5:
                    raise ValueError("no half to subtract")
                document, word, topic = (log(x - 0.5) for x in (N_jk + alpha, N_wk + eta, N_k + W_eta))
            else:
                psi = log if m == "log-for-digamma" else digamma
                document = psi(N_jk + alpha)
                if name == "vb" or m == "vb-for-vem":
                    word, topic = psi(N_wk + eta), psi(N_k + W_eta)
                elif m == "phi-smoothed":
                    word, topic = log(N_wk + eta), log(N_k + W_eta)
                else:
                    word, topic = log(N_wk), log(N_k) if N_k > 0 else mpf(0)  # by AWST09 (4)
            return exp(document + word - (0 if no_topic else topic))  # by TNW06 (4)(5)(6), AWST09 (10)
        first_two = (N_jk + alpha) * (N_wk + eta)
        if name in ("cvb", "cvb_exact"):
            if m in ("variance-left-out", "log-of-mean"):
                return first_two / (1 if no_topic else N_k + W_eta)
            terms = []
            for a, N, part, g in (
                (alpha, N_jk, "document", gamma), (eta, N_wk, "word", gamma), (W_eta, N_k, "topic", gamma_k)
            ):  # fmt: skip
                V = self.variance(g, row, part, k)
                below = (1 if m == "variance-without-half" else 2) * (a + N)
                below *= 1 if m == "variance-over-mean-not-squared" else a + N
                terms.append((-1 if m == "variance-sign" else 1) * V / below)  # by TNW06 (16)(17)
            sign = -1 if m == "topic-variance-not-inverted" else 1
            x = first_two * exp(-terms[0] - terms[1])
            return x if no_topic else x / (N_k + W_eta) * exp(sign * terms[2])  # by TNW06 (18)
        if no_topic:
            return first_two
        if name in ("cgs", "cvb0", "tcvb0") or m == "cvb0-topic-term":
            return first_two / (N_k + W_eta)  # by TNW06 (8), AWST09 (13), SN12 (9), SN12 (55)
        if name == "cvb1" and m != "second-order-for-exact":
            v = distribution([(gamma_k[i][k], copies) for i, copies in self.left(row, "topic")])
            if m == "log-topic-term":
                x = exp(-expectation(lambda n: log(W_eta + n), v))
            else:
                x = expectation(lambda n: 1 / (n + W_eta), v)  # by SN12 (48)
            return first_two * self.fuzz(x, x)
        if name == "cvb1s":
            left = self.left(row, "topic")
            counts = [sum(c for i, c in left if sample[i] == k) for sample in self.sampled]
            if m == "inverse-of-mean":
                return first_two / (mpf(sum(counts)) / len(counts) + W_eta)
            return first_two * added(1 / (n + W_eta) for n in counts) / len(counts)  # by SN12 (49)
        V = self.variance(gamma_k, row, "topic", k)
        ratio = V / (N_k + W_eta) ** (1 if m == "variance-over-mean-not-squared" else 2)
        return first_two / (N_k + W_eta) * (1 - ratio if m == "variance-sign" else 1 + ratio)  # by SN12 (50)

    def samples(self, gamma: list[Row]) -> list[list[int]]:
        """S topics of every token: the draws that SN12 (49) takes the mean of."""
        u = self.case["uniforms"]
        return [[self.draw_from(gamma[i], mpf(u[i][s])) for i in range(self.M)] for s in range(len(u[0]))]

    def draw_from(self, x: Row, u: Any) -> int:
        """The number of the first K-1 partial sums, added in topic order, that are <= u times the last partial sum."""
        m = self.mistake
        if m == "most-probable-drawn" and self.name in SAMPLERS:
            return max(range(len(x)), key=lambda k: (x[k], -k))
        backwards = m == "topics-added-backwards"
        partial = list(itertools.accumulate(x[::-1] if backwards else x))
        bar = u * (1 if m == "draw-unnormalised" else partial[-1])
        if not m:
            self.margin = min([self.margin, *(abs(s - bar) / partial[-1] for s in partial[:-1])])
        some = partial[1:] if m == "draw-off-by-one" else partial[:-1]
        k = sum(s < bar if m == "draw-strict" else s <= bar for s in some)
        k = len(x) - 1 - k if backwards else k
        return k + 1 if m == "topics-from-one" and self.name in SAMPLERS else k

    def token(self) -> int:
        """The token of `row` that is updated or drawn; of algorithms that are no samplers the row."""
        if self.name not in SAMPLERS:
            return int(self.case["row"])
        return self.row.index(self.case["row"]) + int(self.case["token"])

    def update(self) -> dict[str, Any]:
        return {"gamma_k": normalised(self.weights(self.gamma, self.token()))}

    def draw(self) -> dict[str, Any]:
        return {"topic": self.draw_from(self.weights(self.gamma, self.token()), mpf(self.case["uniform"]))}

    # Sweeps

    def one_sweep(self, gamma: list[Row]) -> list[Row]:
        late, early, between = "sums-refreshed-late", "sums-refreshed-early", "sums-refreshed-by-document"
        how = {late: "corpus", early: "token", between: "document"}.get(self.mistake, self.case["schedule"])
        current, start = [list(row) for row in gamma], gamma
        seen = gamma
        for i in range(self.M):
            if how == "token" or (how == "document" and (i == 0 or self.j[i] != self.j[i - 1])):
                seen = [list(row) for row in current]
            topic = start if self.mistake == "topic-count-late" else None
            current[i] = normalised(self.weights(seen, i, topic))
        return current

    def sweep(self) -> dict[str, Any]:
        if self.name not in SAMPLERS:
            return {"gamma": self.laid_out(self.one_sweep(self.gamma))}
        z, m = list(self.z), self.mistake
        for i in range(self.M):
            now = self.gamma if m == "sums-refreshed-late" or self.name == "gibbs" else self.one_hot(z)
            if m == "one-draw-for-row" and i and self.row[i] == self.row[i - 1]:
                z[i] = z[i - 1]
                continue
            topic = self.gamma if m == "topic-count-late" else None
            k = self.draw_from(self.weights(now, i, topic), mpf(self.case["uniforms"][i]))
            z[i] = k - 1 if m == "topics-from-one" else k
        return {"z": [k + 1 for k in z] if m == "topics-from-one" else z}

    def ten_sweeps(self) -> dict[str, Any]:
        gamma = self.gamma
        for _ in range(10):
            gamma = self.one_sweep(gamma)
        return {"gamma": self.laid_out(gamma)}

    def converged(self) -> dict[str, Any]:
        """Sweeps until nothing changes by more than 1e-30; with noise, 60 of them at least."""
        gamma, last, self.rate = self.gamma, mp.inf, mpf(0)
        for t in range(300):
            new = self.one_sweep(gamma)
            change = difference(new, gamma)
            gamma = new
            enough = mpf(10) ** (-4 if self.mistake == "stopped-early" else -30)
            if change < enough or (self.noise and t > 60 and change < 1000 * self.noise):
                return {"gamma": self.laid_out(gamma)}
            self.rate, last = change / last, change
        raise ValueError("no convergence")

    def laid_out(self, x: list[Row]) -> list[Row]:
        """The answer, or the same numbers in the order of memory that has topics first."""
        if self.mistake != "topics-first":
            return x
        flat = [row[k] for k in range(len(x[0])) for row in x]
        return [flat[i : i + len(x[0])] for i in range(0, len(flat), len(x[0]))]

    # Estimates and prediction

    def counts(self) -> tuple[list[Row], list[Row], Row]:
        """N_jk, N_wk and N_k."""
        N_jk = [[mpf(0)] * self.K for _ in range(self.D)]
        N_wk = [[mpf(0)] * self.K for _ in range(self.W)]
        N_k = [mpf(0)] * self.K
        for i in range(self.M):
            topics = 1 if self.mistake == "topics-count-rows" else self.copies[i]
            for k in range(self.K):
                N_jk[self.j[i]][k] += self.copies[i] * self.gamma[i][k]
                N_wk[self.w[i]][k] += topics * self.gamma[i][k]
                N_k[k] += topics * self.gamma[i][k]
        return N_jk, N_wk, N_k

    def estimated(self) -> tuple[list[Row], list[Row]]:
        """theta_jk and phi_wk."""
        name, m = self.name, self.mistake
        N_jk, N_wk, N_k = self.counts()
        if m == "estimates-by-digamma":
            a_jk = [[N_jk[j][k] + self.alpha[k] for k in range(self.K)] for j in range(self.D)]
            e_kw = [[N_wk[w][k] + self.eta[w] for w in range(self.W)] for k in range(self.K)]
            theta, phi_kw = ([normalised([exp(digamma(x)) for x in row]) for row in a] for a in (a_jk, e_kw))
            return theta, [[phi_kw[k][w] for k in range(self.K)] for w in range(self.W)]
        none = m == "estimates-without-prior"
        one = 1 if name == "map" and m != "prior-without-minus-one" else 0
        likelihood = name == "ml" and m != "prior-used"
        a = [mpf(0)] * self.K if likelihood or none else [x - one for x in self.alpha]
        A = 0 if likelihood or none else self.sum_alpha - one * self.K
        theta = []
        for j in range(self.D):
            N_j = added(N_jk[j])
            if likelihood and N_j == 0:
                theta.append([mpf(1) / self.K] * self.K)
                continue
            theta.append([(N_jk[j][k] + a[k]) / (N_j + A) for k in range(self.K)])  # by AWST09 (2)(3)(6)(15)
        likelihood = likelihood or (name == "vem" and m not in ("phi-smoothed", "vb-for-vem"))
        e = [mpf(0)] * self.W if likelihood or none else [x - one for x in self.eta]
        E = 0 if likelihood or none else self.sum_eta - one * self.W
        if m == "W-for-W-eta" and not likelihood:
            E = mpf(self.W)
        if m == "eta-for-W-eta" and not likelihood:
            E = self.eta[0]
        if m == "minus-one-for-minus-W" and name == "map":
            E = self.sum_eta - 1
        if m == "W-not-subtracted" and name == "map":
            E = self.sum_eta
        phi = [[mpf(0)] * self.K for _ in range(self.W)]
        for k in range(self.K):
            for w in range(self.W):
                if likelihood and N_k[k] == 0:
                    phi[w][k] = mpf(1) / self.W
                else:
                    phi[w][k] = (N_wk[w][k] + e[w]) / (N_k[k] + E)  # by AWST09 (2)(3)(6)(15)
        if m == "phi-normalised-over-topics":
            phi = [normalised([N_wk[w][k] + e[w] for k in range(self.K)]) for w in range(self.W)]
        return theta, phi

    def estimate(self) -> dict[str, Any]:
        theta, phi = self.estimated()
        return {"theta_jk": self.laid_out(theta), "phi_wk": self.laid_out(phi)}

    def predict(self) -> dict[str, Any]:
        m, t = self.mistake, self.case["test"]
        theta, phi = self.estimated()
        p = [
            added(theta[j][k] * phi[w][k] for k in range(self.K)) for j, w in zip(t["j"], t["w"], strict=True)
        ]  # by TNW06 (19)
        n = [1] * len(p) if m in ("test-counts-ignored", "counts-of-rows") else t["n"]
        total = added(c * log(x) for c, x in zip(n, p, strict=True))
        mean = total / sum(n)
        value = exp(-mean)  # by AWST09 §4
        if m == "perplexity-base-2":
            value = mpf(2) ** -mean
        elif m == "perplexity-of-mean-probability":
            value = sum(n) / added(c * x for c, x in zip(n, p, strict=True))
        elif m == "perplexity-by-document":
            each = []
            for j in sorted(set(t["j"])):
                rows = [i for i in range(len(p)) if t["j"][i] == j]
                each.append(exp(-added(n[i] * log(p[i]) for i in rows) / sum(n[i] for i in rows)))
            value = added(each) / len(each)
        elif m == "perplexity-without-exp":
            value = -mean
        return {"token_probability": p, "perplexity": value}

    # The bound

    def bound(self) -> dict[str, Any]:
        m, collapsed = self.mistake, self.name != "vb"
        collapsed = {"vb-bound": False, "collapsed-bound": True}.get(m, collapsed)

        def rise(a: Any, rows: list[int], k: int) -> Any:
            """E[log Gamma(a + n)]: under q(z), or at the expected count."""
            if not collapsed:
                return log_gamma(a + added(self.copies[i] * self.gamma[i][k] for i in rows))
            v = distribution([(self.gamma[i][k], self.copies[i]) for i in rows])
            return expectation(lambda n: log_gamma(a + n), v)

        K = 1 if m == "constants-without-K" else self.K
        D = 1 if m == "constants-without-D" else self.D
        total = D * (log_gamma(self.sum_alpha) - added(log_gamma(a) for a in self.alpha))
        total += K * (log_gamma(self.sum_eta) - added(log_gamma(e) for e in self.eta))
        everywhere = list(range(self.M))
        for j in range(self.D):
            rows = [i for i in everywhere if self.j[i] == j]
            total -= log_gamma(self.sum_alpha + sum(self.copies[i] for i in rows))
            total += added(rise(self.alpha[k], rows, k) for k in range(self.K))
        for k in range(self.K):
            total -= rise(self.sum_eta, everywhere, k)
            for w in range(self.W):
                total += rise(self.eta[w], [i for i in everywhere if self.w[i] == w], k)
        if m != "entropy-forgotten":
            for i in everywhere:
                copies = 1 if m == "entropy-without-counts" else self.copies[i]
                total -= copies * added(g * mp.log(g) for g in self.gamma[i] if g > 0)
        if m == "log-base-2":
            total /= mp.log(2)
        if m == "free-energy-sign":
            total = -total
        if m == "divided-by-tokens":
            total /= sum(self.n)
        return {"bound": total}  # by TNW06 (2), TNW06 (12)

    # Minka's fixed point

    def hyperparameters(self) -> dict[str, Any]:
        N_jk, N_wk, N_k = self.counts()
        N_j = [added(row) for row in N_jk]
        N_kw = [[N_wk[w][k] for w in range(self.W)] for k in range(self.K)]
        alpha, eta = self.case["prior"]["alpha"], self.case["prior"]["eta"]
        return {
            "alpha": self.minka(N_jk, N_j, self.alpha, isinstance(alpha, list)),
            "eta": self.minka(N_kw, N_k, self.eta, isinstance(eta, list)),
        }

    def minka(self, parts: list[Row], totals: Row, a: Row, vector: bool) -> Any:
        m, S = self.mistake, len(a)
        psi = log if m == "minka-log-for-digamma" else digamma
        shape, rate = mpf(self.case["gamma_prior"]["shape"]), mpf(self.case["gamma_prior"]["rate"])
        above = shape - (0 if m == "minka-shape" else 1)
        below = mpf(0) if m == "minka-rate-forgotten" else rate
        if m == "minka-prior-for-each" and not vector:
            above, below = S * above, S * below
        A = S * a[0] if m == "minka-K-alpha" else added(a)
        of_totals = added(psi(self.fuzz(N + A, N + A)) - psi(A) for N in totals)
        rises = [added(psi(self.fuzz(row[s] + a[s], row[s] + a[s])) - psi(a[s]) for row in parts) for s in range(S)]
        scale = [mpf(1)] * S if m == "minka-without-factor" else a
        if vector:
            return [(above + scale[s] * rises[s]) / (below + of_totals) for s in range(S)]  # by SN12 §10
        times = 1 if m == "minka-without-K" else S
        return (above + scale[0] * added(rises)) / (below + times * of_totals)  # by AWST09 §3.1


def difference(a: Any, b: Any) -> Any:
    """The largest difference of two answers; infinite where their shapes differ."""
    if isinstance(a, dict):
        return max(difference(a[key], b[key]) for key in a) if a.keys() == b.keys() else mp.inf
    if isinstance(a, list):
        if not isinstance(b, list) or len(a) != len(b):
            return mp.inf
        return max((difference(x, y) for x, y in zip(a, b, strict=True)), default=mpf(0))
    if isinstance(b, list):
        return mp.inf
    return mpf(0) if a == b else abs(mpf(a) - mpf(b))


# The mistakes --------------------------------------------------------------------------------------------------------

SWEEPS = ("sweep", "ten_sweeps")
WEIGHTS = ("update", "draw", *SWEEPS)
ESTIMATES = ("estimate", "predict")
TOKENWISE = ("cgs", "cvb_exact", "cvb", "cvb0", "cvb1", "cvb1s", "cvb1d")
SMOOTHED = ("map", "vb", "cgs", "cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
WITH_ALPHA = (*SMOOTHED, "vem")
SOFT = tuple(name for name in ALGORITHMS if name not in SAMPLERS)

# name: (what is wrong, algorithms, operations)
MISTAKES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    # what is excluded
    "all-copies-excluded": (
        "all copies of the word in the document are excluded: TNW06 (8)(15)(18), AWST09 (12)(13)(14) and SN12"
        " (48)-(50) exclude one token",
        TOKENWISE, WEIGHTS),
    "nothing-excluded": (
        "nothing is excluded from the sums: TNW06 (8)(15)(18) and AWST09 (12)(13)(14) exclude the current token,"
        " SN12 (55) all tokens of the type",
        (*TOKENWISE, "tcvb0"), WEIGHTS),
    "token-excluded": (
        "the current token is excluded from the sums: AWST09 (4)(5)(10) and TNW06 (6) exclude nothing",
        ("ml", "map", "vb", "vem"), WEIGHTS),
    "one-token-excluded": (
        "one token is excluded, as in CVB0, AWST09 (13): TCVB0, SN12 (55), excludes all tokens of the type",
        ("tcvb0",), WEIGHTS),
    "topic-count-not-excluded": (
        "the row is excluded from the sums of its document and its word and not from the topic's: all three"
        " exclude it in TNW06 (8)(15)(18), AWST09 (12)(13)(14), SN12 (48)-(50)(55)",
        (*TOKENWISE, "tcvb0"), WEIGHTS),
    "variance-not-excluded": (
        "the token is excluded from the mean and not from the variance: TNW06 (16) excludes it from both",
        ("cvb", "cvb1d"), WEIGHTS),
    # the terms of second order
    "variance-sign": (
        "the variance terms have the wrong sign: TNW06 (17) subtracts V / (2 (a + N)²), SN12 (50) adds V / (N + W"
        " eta)²",
        ("cvb", "cvb1d"), WEIGHTS),
    "topic-variance-not-inverted": (
        "the topic's variance term has the sign of the other two: in TNW06 (18) it is inverted, with the topic"
        " term",
        ("cvb",), WEIGHTS),
    "variance-is-mean": (
        "the variance of a token is taken for gamma: it is gamma (1 - gamma), TNW06 (16)",
        ("cvb", "cvb1d"), WEIGHTS),
    "variance-without-half": ("the variance terms lack the factor 1/2 of TNW06 (17)", ("cvb",), WEIGHTS),
    "variance-over-mean-not-squared": (
        "the variance is divided by a + N: TNW06 (17) and SN12 (50) divide it by the square",
        ("cvb", "cvb1d"), WEIGHTS),
    "variance-left-out": (
        "the variance is left out: CVB0, AWST09 (13), in the place of CVB, TNW06 (18)",
        ("cvb",), WEIGHTS),
    "gaussian-for-exact": (
        "the expectations are taken to second order, TNW06 (18): exact CVB takes them exactly, TNW06 (15)",
        ("cvb_exact",), WEIGHTS),
    "log-of-mean": (
        "the logarithm of the expected count is taken, as in CVB0: TNW06 (15) has the expectation of the"
        " logarithm",
        ("cvb_exact",), WEIGHTS),
    "cvb0-topic-term": (
        "the topic term is that of CVB0, 1 / (E[n] + W eta): SN12 (48)-(50) have E[1 / (n + W eta)]",
        ("cvb1", "cvb1s", "cvb1d"), WEIGHTS),
    "second-order-for-exact": (
        "the topic term is taken to second order, SN12 (50): SN12 (48) has the exact E[1 / (n + W eta)]",
        ("cvb1",), WEIGHTS),
    "log-topic-term": (
        "the topic term is exp(-E[log(n + W eta)]), that of exact CVB: SN12 (48) has E[1 / (n + W eta)]",
        ("cvb1",), WEIGHTS),
    "inverse-of-mean": (
        "the samples' counts are averaged and then inverted: SN12 (49) averages the inverses",
        ("cvb1s",), WEIGHTS),
    # smoothing
    "W-for-W-eta": (
        "the topic term has W where TNW06 (8), AWST09 (13)(15) have W eta",
        SMOOTHED, (*WEIGHTS, *ESTIMATES)),
    "eta-for-W-eta": (
        "the topic term has eta where TNW06 (8), AWST09 (13)(15) have W eta",
        SMOOTHED, (*WEIGHTS, *ESTIMATES)),
    "W-eta-for-sum-eta": (
        "W times one eta stands for the sum of eta over the words, which are not all alike",
        SMOOTHED, (*WEIGHTS, *ESTIMATES, "bound")),
    "K-alpha-for-sum-alpha": (
        "K times the first alpha stands for the sum of alpha over the topics, which are not all alike",
        (*WITH_ALPHA, "gibbs"), (*ESTIMATES, "bound")),
    "no-topic-term": (
        "the topic term is left out, or its normaliser is summed over topics and cancels: TNW06 (6)(8)(15)(18)"
        " and AWST09 (4)(5)(13) divide by a sum over words, which differs from topic to topic",
        (*SMOOTHED, "ml", "vem"), WEIGHTS),
    "alpha-forgotten": ("alpha is left out", (*WITH_ALPHA, "gibbs"), (*WEIGHTS, *ESTIMATES)),
    "eta-forgotten": ("eta is left out", (*SMOOTHED, "gibbs"), (*WEIGHTS, *ESTIMATES)),
    "alpha-and-eta-swapped": (
        "alpha and eta are exchanged: alpha goes with documents, eta with words",
        (*WITH_ALPHA, "gibbs"), (*WEIGHTS, *ESTIMATES, "bound")),
    "alpha-averaged": (
        "every topic has the mean of alpha: topic k has alpha_k",
        (*WITH_ALPHA, "gibbs"), (*WEIGHTS, *ESTIMATES, "bound")),
    "eta-averaged": (
        "every word has the mean of eta: word w has eta_w",
        (*SMOOTHED, "gibbs"), (*WEIGHTS, *ESTIMATES, "bound")),
    "counts-of-rows": (
        "every row counts once: a row of count n is n tokens",
        SOFT, (*WEIGHTS, *ESTIMATES, "bound", "hyperparameters")),
    "topics-count-rows": (
        "rows are counted for words and topics, and tokens for documents: SOL14's published code does so, its (4)"
        " does not",
        ("ml", "map", "vb", "vem"), (*WEIGHTS, *ESTIMATES)),
    "prior-used": (
        "the counts are smoothed by the prior: maximum likelihood, AWST09 (2)-(4), has none",
        ("ml",), (*WEIGHTS, *ESTIMATES)),
    "prior-without-minus-one": (
        "alpha and eta are added where MAP, AWST09 (5)(6), adds alpha - 1 and eta - 1",
        ("map",), (*WEIGHTS, *ESTIMATES)),
    "minus-one-for-minus-W": (
        "the topic term is N_k + W eta - 1: MAP, AWST09 (5)(6), has N_k + W eta - W",
        ("map",), (*WEIGHTS, *ESTIMATES)),
    "W-not-subtracted": (
        "the topic term is N_k + W eta: MAP, AWST09 (5)(6), has N_k + W eta - W",
        ("map",), (*WEIGHTS, *ESTIMATES)),
    "log-for-digamma": ("log stands where TNW06 (6), AWST09 (10) have the digamma function", ("vb", "vem"), WEIGHTS),
    "half-subtracted": (
        "exp Ψ(x) is taken for x - 1/2, the reading AWST09 (11): the update is TNW06 (6), AWST09 (10)",
        ("vb",), WEIGHTS),
    "phi-smoothed": (
        "phi is smoothed by eta: variational EM (AWST09 §2.3) takes its maximum likelihood N_wk / N_k",
        ("vem",), (*WEIGHTS, *ESTIMATES)),
    "vb-for-vem": (
        "phi has a variational posterior, as in VB: variational EM (AWST09 §2.3) takes its maximum likelihood",
        ("vem",), (*WEIGHTS, *ESTIMATES)),
    # the schedule
    "sums-refreshed-late": (
        "all rows are computed from the sums before the sweep: the schedule refreshes them sooner",
        (*SOFT, "cgs"), SWEEPS),
    "sums-refreshed-early": ("the sums are refreshed after every row: the schedule refreshes them later", SOFT, SWEEPS),
    "sums-refreshed-by-document": ("the sums are refreshed after each document, against the schedule", SOFT, SWEEPS),
    "topic-count-late": (
        "the topics' sums are those before the sweep: the schedule refreshes all three kinds together",
        (*SOFT, "cgs"), SWEEPS),
    "stopped-early": (
        "the sweeps stop where gamma changes by less than 1e-4: at a fixed point nothing changes",
        SOFT, ("converged",)),
    # draws
    "draw-off-by-one": (
        "the first partial sum is left out of the count: the topic is the number of the first K-1 partial sums <="
        " u times the last",
        SAMPLERS, ("draw", "sweep")),
    "draw-strict": (
        "partial sums are compared by <: the rule counts those that are <= u times the last",
        SAMPLERS, ("draw", "sweep")),
    "draw-unnormalised": (
        "u is compared with partial sums that do not end at 1: it must be multiplied by the last",
        SAMPLERS, ("draw", "sweep")),
    "topics-added-backwards": (
        "the partial sums are taken from the last topic down: they are added in topic order",
        SAMPLERS, ("draw", "sweep")),
    "most-probable-drawn": ("the most probable topic is taken: a sampler draws", SAMPLERS, ("draw", "sweep")),
    "topics-from-one": ("topics are numbered from 1: they are numbered from 0", SAMPLERS, ("draw", "sweep")),
    "one-draw-for-row": ("one draw moves all tokens of a row: each is drawn for itself", SAMPLERS, ("sweep",)),
    "theta-left-out": ("z is drawn from phi alone: SOL14 (7) has theta phi", ("gibbs",), (*WEIGHTS,)),
    "phi-left-out": ("z is drawn from theta alone: SOL14 (7) has theta phi", ("gibbs",), (*WEIGHTS,)),
    # estimates and prediction
    "estimates-without-prior": (
        "theta and phi are N_jk / N_j and N_wk / N_k, as SOL14 §2.4.1 prints: the posterior means, AWST09 (15),"
        " have the prior, and MAP its mode, AWST09 (6)",
        (*SMOOTHED, "gibbs"), ESTIMATES),
    "estimates-by-digamma": (
        "theta and phi are those of AWST09 (16), by exp Ψ: the posterior means are AWST09 (15)",
        ("vb", "gibbs", "cgs", *COLLAPSED), ESTIMATES),
    "phi-normalised-over-topics": (
        "phi is normalised over topics: each topic is a distribution over words",
        ALGORITHMS, ESTIMATES),
    "topics-first": (
        "the numbers are in the order of an array with topics first: topics are the last axis",
        ALGORITHMS, ("sweep", "ten_sweeps", "estimate")),
    "perplexity-base-2": (
        "2 is raised to minus the mean natural logarithm: perplexity is exp of it",
        ALGORITHMS, ("predict",)),
    "perplexity-of-mean-probability": (
        "the perplexity is one over the mean probability: it is exp of minus the mean logarithm",
        ALGORITHMS, ("predict",)),
    "perplexity-by-document": (
        "perplexities of documents are averaged: all tokens are pooled",
        ALGORITHMS, ("predict",)),
    "perplexity-without-exp": (
        "the perplexity is minus the mean logarithm: it is exp of that",
        ALGORITHMS, ("predict",)),
    "test-counts-ignored": (
        "every row of the test corpus counts once in the perplexity: a row of count n is n tokens",
        ALGORITHMS, ("predict",)),
    # bounds
    "constants-without-K": (
        "the constants of p(phi | eta) are taken once: TNW06 (7) has them for each of K topics",
        ("vb", *COLLAPSED), ("bound",)),
    "constants-without-D": (
        "the constants of p(theta | alpha) are taken once: TNW06 (7) has them for each of D documents",
        ("vb", *COLLAPSED), ("bound",)),
    "log-base-2": ("the bound is in bits: it is in nats", ("vb", *COLLAPSED), ("bound",)),
    "entropy-forgotten": ("the entropy of q(z) is left out of TNW06 (2)(12)", ("vb", *COLLAPSED), ("bound",)),
    "entropy-without-counts": (
        "the entropy of a row is taken once: a row of count n is n tokens",
        ("vb", *COLLAPSED), ("bound",)),
    "free-energy-sign": (
        "the free energy, TNW06 (2)(12), is given: the bound is minus that",
        ("vb", *COLLAPSED), ("bound",)),
    "divided-by-tokens": ("the bound is divided by the number of tokens", ("vb", *COLLAPSED), ("bound",)),
    "vb-bound": (
        "the bound is that of VB, TNW06 (2), the log joint at expected counts: TNW06 (12) is the expected log joint",
        COLLAPSED, ("bound",)),
    "collapsed-bound": ("the bound is the collapsed one, TNW06 (12): that of VB is TNW06 (2)", ("vb",), ("bound",)),
    # Minka's fixed point
    "minka-without-K": (
        "the denominator lacks the number of components (K of alpha, W of eta), by which AWST09 §3.1 multiplies"
        " its sum",
        ALGORITHMS, ("hyperparameters",)),
    "minka-K-alpha": (
        "K times the first alpha (W times the first eta) stands for the sum over components: SN12 §10 has the sum",
        ALGORITHMS, ("hyperparameters",)),
    "minka-shape": (
        "the Gamma prior's shape is added: AWST09 §3.1 adds the shape less 1",
        ALGORITHMS, ("hyperparameters",)),
    "minka-rate-forgotten": (
        "the Gamma prior's rate is left out of the denominator, AWST09 §3.1",
        ALGORITHMS, ("hyperparameters",)),
    "minka-prior-for-each": (
        "the Gamma prior of a single number is counted once for each component: it is one number, with one prior",
        ALGORITHMS, ("hyperparameters",)),
    "minka-without-factor": (
        "the old value does not multiply the sum in the numerator, AWST09 §3.1",
        ALGORITHMS, ("hyperparameters",)),
    "minka-log-for-digamma": (
        "log stands where AWST09 §3.1 has the digamma function",
        ALGORITHMS, ("hyperparameters",)),
}  # fmt: skip


# Inputs --------------------------------------------------------------------------------------------------------------


class Inputs:
    """Short decimals, from `random.random` alone, whose sequence Python guarantees."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def below(self, n: int) -> int:
        return int(self.rng.random() * n)

    def probabilities(self, K: int) -> list[float]:
        """K multiples of 1/10,000 that sum to 1, none of them 0."""
        x = [0.02 + self.rng.random() for _ in range(K)]
        total = math.fsum(x)  # not sum, which differs from one version of Python to another
        parts = [max(1, int(10_000 * v / total)) for v in x]
        parts[parts.index(max(parts))] += 10_000 - sum(parts)
        return [part / 10_000 for part in parts]

    def rows(self, M: int, K: int) -> list[list[float]]:
        return [self.probabilities(K) for _ in range(M)]

    def columns(self, W: int, K: int) -> list[list[float]]:
        x = self.rows(K, W)
        return [[x[k][w] for k in range(K)] for w in range(W)]

    def topics(self, N: int, K: int) -> list[int]:
        return [self.below(K) for _ in range(N)]

    def uniform(self) -> float:
        """An odd multiple of 1/2,000,000: never a sum of multiples of 1/10,000."""
        return (2 * self.below(1_000_000) + 1) / 2_000_000


Documents = list[list[tuple[int, int]]]  # (word, count) of each row

TEXT: Documents = [[(w, 1) for w in d] for d in ([0, 1, 1, 4], [2, 0, 0], [], [3], [1, 3])]  # of 6 words, one unseen
FULL: Documents = [[(w, 1) for w in d] for d in ([0, 1, 0, 2], [2, 2, 1], [1, 3, 3])]  # of 4 words
COUNTS: Documents = [[(0, 3), (1, 1), (3, 2)], [(1, 5)], [(0, 1), (2, 4), (3, 1)]]  # of 4 words
SMALL: Documents = [[(0, 2), (1, 1)], [(1, 1), (2, 3)]]  # of 3 words
APART: Documents = [[(0, 2), (1, 1)], [(2, 1), (3, 2)]]  # of 4 words, none in both
SINGLE: Documents = [[(1, 1)]]  # of 2 words


def corpus(name: str, documents: Documents, W: int) -> dict[str, Any]:
    """The rows that an algorithm takes: tcvb0 types, cvb1s tokens."""
    if name == "tcvb0":
        documents = [sorted({w: sum(n for v, n in d if v == w) for w, _ in d}.items()) for d in documents]
    if name == "cvb1s":
        documents = [[(w, 1) for w, n in d for _ in range(n)] for d in documents]
    rows = [(j, w, n) for j, d in enumerate(documents) for w, n in d]
    return {
        "j": [j for j, _, _ in rows], "w": [w for _, w, _ in rows], "n": [n for _, _, n in rows],
        "D": len(documents), "W": W,
    }  # fmt: skip


ALPHAS, ETAS = [0.3, 0.05, 2.0, 0.7, 0.1, 1.1], [0.5, 0.2, 0.05, 0.9, 0.1, 2.0]


def prior(name: str, alpha: Any, eta: Any) -> dict[str, Any]:
    """For map one higher."""

    def of(x: Any) -> Any:
        if isinstance(x, list):
            return [of(v) for v in x]
        return round(x + 1, 6) if name == "map" else x

    return {"alpha": of(alpha), "eta": of(eta)}


def flags(case: Case) -> list[str]:
    c, p, out = case["corpus"], case["prior"], []
    alpha, eta = (x if isinstance(x, list) else [x] for x in (p["alpha"], p["eta"]))
    rows = [[i for i in range(len(c["j"])) if c["j"][i] == j] for j in range(c["D"])]
    if max(c["n"]) > 1:
        out.append("types")
    if isinstance(p["alpha"], list):
        out.append("asymmetric_alpha")
    if isinstance(p["eta"], list):
        out.append("asymmetric_eta")
    if case["K"] == 1:
        out.append("K1")
    if sum(c["n"]) == 1:
        out.append("one_token")
    if len(set(c["w"])) < c["W"]:
        out.append("unseen_word")
    if any(len({c["w"][i] for i in of}) == 1 and sum(c["n"][i] for i in of) > 1 for of in rows):
        out.append("one_type_document")
    if any(not of for of in rows):
        out.append("empty_document")
    if min(alpha + eta) - (1 if case["algorithm"] == "map" else 0) < 0.0011:
        out.append("tiny_prior")
    return out


TEST = {
    "FULL": {"j": [0, 0, 1, 2, 2], "w": [0, 3, 2, 3, 1], "n": [2, 1, 3, 1, 1]},
    "TEXT": {"j": [0, 1, 2, 3, 4], "w": [4, 5, 0, 3, 1], "n": [1, 1, 2, 1, 3]},
}


class Plan:
    """The cases of one algorithm, in the order of their numbers: new ones go to the end of their operation."""

    def __init__(self, name: str) -> None:
        self.name, self.cases = name, dict[str, list[Case]]()

    def add(
        self, operation: str, note: str, documents: Documents, W: int, K: int, alpha: Any, eta: Any,
        schedule: str | None = None, one_hot: bool = False, tags: list[str] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        some = self.cases.setdefault(operation, [])
        id = f"{self.name}/{operation}/{len(some) + 1:03d}"
        given, c = Inputs(id), corpus(self.name, documents, W)
        M, N = len(c["n"]), sum(c["n"])
        case: Case = {"id": id, "version": 1, "algorithm": self.name, "operation": operation}
        if schedule:
            case["schedule"] = schedule
        case |= {"tags": tags or UPDATES[self.name], "flags": [], "note": note}
        case |= {"corpus": c, "K": K, "prior": prior(self.name, alpha, eta)}
        if self.name in SAMPLERS:
            case["state"] = {"z": given.topics(N, K)}
        elif one_hot:
            topics = given.topics(M, min(K, 2))  # of three topics the last has no mass
            case["state"] = {"gamma": [[1.0 if topics[i] == k else 0.0 for k in range(K)] for i in range(M)]}
        else:
            case["state"] = {"gamma": given.rows(M, K)}
        if self.name == "cvb1s" and operation in (*WEIGHTS, "converged"):
            case["uniforms"] = [[given.uniform() for _ in range(3)] for _ in range(N)]
        if self.name in SAMPLERS and operation == "sweep":
            case["uniforms"] = [given.uniform() for _ in range(N)]
        if self.name == "gibbs" and operation in WEIGHTS:
            case |= {"theta_jk": given.rows(c["D"], K), "phi_wk": given.columns(W, K)}
        if operation == "draw" and "uniform" not in more:
            more["uniform"] = given.uniform()
        case |= {key: value for key, value in more.items() if key != "tie"}
        case["flags"] = flags(case) + (["tie"] if "tie" in more else [])
        some.append(case)

    def reject(self, note: str, change: Callable[[Case], None]) -> None:
        """An input that a port must refuse: a sound sweep, changed in one place."""
        some = self.cases.setdefault("reject", [])
        id = f"{self.name}/reject/{len(some) + 1:03d}"
        given, c, K = Inputs(id), corpus(self.name, FULL, 4), 2
        M, N = len(c["n"]), sum(c["n"])
        schedule = {"gibbs": "corpus", "cgs": "token"}.get(self.name) or SCHEDULES[self.name][0]
        case: Case = {"id": id, "version": 1, "algorithm": self.name, "operation": "reject", "schedule": schedule}
        case |= {"tags": UPDATES[self.name], "flags": [], "note": note}
        case |= {"corpus": c, "K": K, "prior": prior(self.name, 0.1, 0.2)}
        case["state"] = {"z": given.topics(N, K)} if self.name in SAMPLERS else {"gamma": given.rows(M, K)}
        if self.name in SAMPLERS:
            case["uniforms"] = [given.uniform() for _ in range(N)]
        if self.name == "cvb1s":
            case["uniforms"] = [[given.uniform() for _ in range(3)] for _ in range(N)]
        if self.name == "gibbs":
            case |= {"theta_jk": given.rows(c["D"], K), "phi_wk": given.columns(4, K)}
        change(case)
        some.append(case)


def put(*path: Any, value: Any) -> Callable[[Case], None]:
    def change(case: Case) -> None:
        at: Any = case
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


def without_last(*path: Any) -> Callable[[Case], None]:
    def change(case: Case) -> None:
        at: Any = case
        for key in path:
            at = at[key]
        del at[-1]

    return change


def rejects(plan: Plan) -> None:
    name, a = plan.name, 1 + ALGORITHMS.index(plan.name)
    sampler = name in SAMPLERS
    plan.reject("a negative alpha", put("prior", "alpha", value=-0.1))
    plan.reject("K is 0", put("K", value=0))
    plan.reject("a word id that is not below W", put("corpus", "w", 2, value=4))
    if sampler:
        plan.reject("a topic that is not below K", put("state", "z", 1, value=2))
        plan.reject("a negative topic", put("state", "z", 3, value=-1))
        plan.reject("a topic too few: there must be one a token", without_last("state", "z"))
        plan.reject("a uniform of 1: they are in [0, 1)", put("uniforms", 0, value=1.0))
        plan.reject("a negative uniform", put("uniforms", 2, value=-0.25))
        plan.reject("a uniform too few: there must be one a token", without_last("uniforms"))
        halves = {"gamma": [[0.5, 0.5]] * 10}
        plan.reject("a state of gamma: a sampler starts from z", lambda case: case.update(state=halves))
        plan.reject("a schedule that the sampler has not", put("schedule", value="document"))
    else:
        plan.reject("a row of gamma that does not sum to 1", put("state", "gamma", 1, value=[0.5, 0.4]))
        plan.reject("a negative entry of gamma, in a row that sums to 1", put("state", "gamma", 0, value=[1.25, -0.25]))
    if name == "map":
        plan.reject("alpha is 1: MAP takes 1 off it, and needs it larger", put("prior", "alpha", value=1.0))
        plan.reject("eta is below 1: MAP takes 1 off it, and needs it larger", put("prior", "eta", value=0.5))
        plan.reject("one of eta is 1", put("prior", "eta", value=[1.5, 1.0, 1.5, 1.5]))
    if name == "tcvb0":
        def tokens(case: Case) -> None:
            c = corpus("tokens", FULL, 4)
            case.update(corpus=c, state={"gamma": Inputs(case["id"] + "t").rows(len(c["n"]), 2)})

        plan.reject("a word has two rows in a document: SN12 (55) takes types, one row for each", tokens)
    if name == "cvb1s":
        two = put("corpus", "n", 0, value=2)
        plan.reject("a row of count 2: each token has samples of its own, so rows must be tokens", two)
        plan.reject("a token without samples", without_last("uniforms"))
    others: list[tuple[str, Callable[[Case], None]]] = [
        ("eta is 0", put("prior", "eta", value=0.0)),
        ("a negative entry of eta", put("prior", "eta", value=[1.5, 1.5, -1.5, 1.5])),
        ("alpha has three entries for two topics", put("prior", "alpha", value=[1.5, 1.5, 1.5])),
        ("eta has three entries for four words", put("prior", "eta", value=[1.5, 1.5, 1.5])),
        ("a count of 0", put("corpus", "n", 0, value=0)),
        ("a negative count", put("corpus", "n", 1, value=-1)),
        ("a negative word id", put("corpus", "w", 0, value=-1)),
        ("a document that is not below D", put("corpus", "D", value=2)),
        ("documents out of order", put("corpus", "j", 0, value=2)),
        ("fewer words than documents in the rows", without_last("corpus", "w")),
        ("a count that is no whole number", put("corpus", "n", 0, value=1.5)),
        ("K is negative", put("K", value=-2)),
    ]
    for i in range(4):
        plan.reject(*others[(4 * a + i) % len(others)])
    if not sampler:
        plan.reject("a row of gamma too few", without_last("state", "gamma"))


def plan_of(name: str) -> Plan:
    """All cases of an algorithm, their answers not yet computed."""
    plan = Plan(name)
    (samplers if name in SAMPLERS else soft)(plan)
    estimates(plan)
    rejects(plan)
    return plan


def soft(plan: Plan) -> None:
    name = plan.name
    add: Any = plan.add
    of = {"schedule": "corpus"}
    types = name == "tcvb0"
    add("update", "a word that stands twice in its document", TEXT, 6, 3, 0.1, 0.2, row=1, **of)
    add("update", "a word of count 3: what of it is excluded?", COUNTS, 4, 3, 0.1, 0.2, row=0, **of)
    add("update", "both priors vectors", COUNTS, 4, 3, ALPHAS[:3], ETAS[:4], row=5, **of)
    add("update", "alpha a vector, eta a number", TEXT, 6, 3, ALPHAS[:3], 0.3, row=4 if types else 5, **of)
    add("update", "a document of one type, eta a vector", COUNTS, 4, 2, 0.4, ETAS[:4], row=3, **of)
    add("update", "priors of 0.001, where what is excluded matters most", COUNTS, 4, 2, 0.001, 0.001, row=4, **of)
    add("update", "one topic: gamma is 1", COUNTS, 4, 1, 0.1, 0.2, row=2, **of)
    add("update", "one token in all: the sums without it are 0", SINGLE, 2, 2, [0.3, 0.6], 0.2, row=0, **of)
    note = "rows certain of their topics, and a topic without mass"
    add("update", note, FULL, 4, 3, 0.1, 0.2, one_hot=True, row=2, **of)
    add("update", "large priors, five topics", COUNTS, 4, 5, 2.0, 1.5, row=5, **of)
    add("update", "a document of one token", TEXT, 6, 2, 0.6, 0.8, row=5 if types else 7, **of)
    for schedule in SCHEDULES[name]:
        add("sweep", f"counts above 1, sums refreshed by {schedule}", COUNTS, 4, 3, 0.1, 0.2, schedule)
        note = f"an empty document, an unseen word, vectors; by {schedule}"
        add("sweep", note, TEXT, 6, 3, ALPHAS[:3], ETAS, schedule)
        add("sweep", f"every word in two documents; by {schedule}", FULL, 4, 2, 0.5, 0.4, schedule)
    default = SCHEDULES[name][0]
    add("sweep", "one topic", TEXT, 6, 1, 0.1, 0.2, default)
    add("sweep", "one token", SINGLE, 2, 3, 0.1, 0.2, default)
    add("sweep", "rows certain of their topics, priors of 0.001", FULL, 4, 2, 0.001, 0.001, default, one_hot=True)
    add("sweep", "large priors, five topics", FULL, 4, 5, 1.5, 2.5, default)
    for schedule in SCHEDULES[name]:
        add("ten_sweeps", f"counts above 1, sums refreshed by {schedule}", COUNTS, 4, 2, 0.5, 0.3, schedule)
    add("ten_sweeps", "vectors, three topics", FULL, 4, 3, ALPHAS[:3], ETAS[:4], default)
    for schedule in SCHEDULES[name][:2]:
        if name in ("ml", "vem"):
            note = "documents without a common word go to topics of their own"
            add("converged", f"{note}; by {schedule}", APART, 4, 2, 1.0 if name == "vem" else 0.1, 0.2, schedule)
        else:
            note = "priors so large that every start leads to the same fixed point"
            add("converged", f"{note}; by {schedule}", SMALL, 3, 2, [3.0, 1.5], [1.0, 2.0, 4.0], schedule)


def samplers(plan: Plan) -> None:
    add: Any = plan.add
    schedule = {"cgs": "token", "gibbs": "corpus"}[plan.name]
    of = {"schedule": "corpus"}
    add("update", "the probabilities that a token is drawn from", TEXT, 6, 3, 0.1, 0.2, row=1, token=0, **of)
    add("update", "the second of three tokens of a row", COUNTS, 4, 3, 0.1, 0.2, row=0, token=1, **of)
    add("update", "both priors vectors", COUNTS, 4, 3, ALPHAS[:3], ETAS[:4], row=4, token=0, **of)
    add("update", "priors of 0.001", COUNTS, 4, 2, 0.001, 0.001, row=3, token=4, **of)
    add("update", "one topic", FULL, 4, 1, 0.1, 0.2, row=2, token=0, **of)
    add("update", "one token", SINGLE, 2, 3, [0.3, 0.6, 0.1], 0.2, row=0, token=0, **of)
    for i, (documents, W, row, token) in enumerate(
        [(FULL, 4, 2, 0), (COUNTS, 4, 0, 2), (COUNTS, 4, 4, 0), (TEXT, 6, 5, 0), (COUNTS, 4, 3, 1), (FULL, 4, 8, 0),
         (COUNTS, 4, 2, 1), (TEXT, 6, 0, 0), (FULL, 4, 5, 0), (COUNTS, 4, 5, 0)]
    ):  # fmt: skip
        alpha, eta = ((0.5, 0.3), (ALPHAS, 0.8), (1.5, ETAS[:W]))[i % 3]
        add("draw", "one draw from six topics", documents, W, 6, alpha, eta, row=row, token=token, **of)
    add("draw", "one topic: 0 whatever u", FULL, 4, 1, 0.5, 0.3, row=0, token=0, **of)
    add("draw", "u is 0", FULL, 4, 3, 0.5, 0.3, row=1, token=0, uniform=0.0, **of)
    flat: dict[str, Any] = {"theta_jk": [[0.25] * 4], "phi_wk": [[0.5] * 4] * 2} if plan.name == "gibbs" else {}
    for u, k in ((0.25, 1), (0.5, 2), (0.75, 3)):
        note = f"four equal weights and u = {u}, on a partial sum: the topic is {k}"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=u, tie=True, **of, **flat)
    if plan.name == "gibbs":
        zero = {"theta_jk": [[0.0, 0.5, 0.0, 0.5]], "phi_wk": [[0.5] * 4] * 2}
        note = "the first topic has weight 0 and u is 0: a topic of weight 0 is never drawn"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=0.0, tie=True, **of, **zero)
        zero = {"theta_jk": [[0.25, 0.0, 0.25, 0.5]], "phi_wk": [[0.5] * 4] * 2}
        note = "two partial sums are u, as the topic between them has weight 0: both are counted"
        add("draw", note, SINGLE, 2, 4, 0.5, 0.5, row=0, token=0, uniform=0.25, tie=True, **of, **zero)
    add("sweep", "counts above 1: every token is drawn for itself", COUNTS, 4, 3, 0.1, 0.2, schedule)
    add("sweep", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, schedule)
    add("sweep", "every word in two documents", FULL, 4, 4, 0.5, 0.4, schedule)
    add("sweep", "one topic", FULL, 4, 1, 0.1, 0.2, schedule)
    add("sweep", "one token", SINGLE, 2, 3, 0.1, 0.2, schedule)
    add("sweep", "priors of 0.001", COUNTS, 4, 2, 0.001, 0.001, schedule)
    add("sweep", "large priors, six topics", COUNTS, 4, 6, 2.0, 1.5, schedule)
    add("sweep", "vectors, six topics", COUNTS, 4, 6, ALPHAS, ETAS[:4], schedule)
    add("sweep", "tokens, five topics", FULL, 4, 5, 1.0, 0.5, schedule)
    add("sweep", "tokens, alpha a vector", FULL, 4, 5, ALPHAS[:5], 0.3, schedule)
    if plan.name == "cgs":
        documents = [[(0, 1)], [(1, 1), (2, 1), (3, 1), (4, 1)]]
        tied = {"state": {"z": [0, 0, 1, 2, 3]}, "uniforms": [0.5, 0.4090725, 0.8713945, 0.1652315, 0.6340275]}
        note = "the first token has four equal weights and u = 0.5, on a partial sum: its topic is 2"
        add("sweep", note, documents, 6, 4, 0.5, 0.5, schedule, tie=True, **tied)


def estimates(plan: Plan) -> None:
    """What is computed from a state, and does not change it."""
    name = plan.name
    add: Any = plan.add
    tags = {"ml": ["AWST09 (2)", "AWST09 (3)"], "map": ["AWST09 (6)"], "vem": ["AWST09 (15)", "AWST09 (3)"]}
    of: dict[str, Any] = {"tags": tags.get(name, ["AWST09 (15)"])}
    add("estimate", "counts above 1", COUNTS, 4, 3, 0.1, 0.2, **of)
    add("estimate", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, **of)
    add("estimate", "a topic without mass", FULL, 4, 3, 0.5, 0.4, one_hot=True, **of)
    add("estimate", "one topic", FULL, 4, 1, 0.1, 0.2, **of)
    add("estimate", "tokens of three documents", FULL, 4, 2, 0.5, 0.4, **of)
    if name == "vb" or name in COLLAPSED:
        of = {"tags": ["TNW06 (2)"] if name == "vb" else ["TNW06 (12)"]}
        add("bound", "counts above 1", COUNTS, 4, 3, 0.1, 0.2, **of)
        add("bound", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, **of)
        add("bound", "rows certain of their topics: log p(x, z)", FULL, 4, 2, 0.5, 0.4, one_hot=True, **of)
        add("bound", "one topic: log p(x)", TEXT, 6, 1, 0.1, 0.2, **of)
        add("bound", "one token", SINGLE, 2, 3, 0.1, 0.2, **of)
        add("bound", "tokens of three documents", FULL, 4, 2, 0.5, 0.4, **of)
    of = {"tags": [*tags.get(name, ["AWST09 (15)"]), "TNW06 (19)", "AWST09 §4"]}
    add("predict", "test counts above 1", FULL, 4, 2, 0.5, 0.4, test=TEST["FULL"], **of)
    note = "a test word never seen, and a document seen empty"
    if name in ("ml", "vem"):
        note += "; without a prior its probability is 0 and the perplexity infinite"
    add("predict", note, TEXT, 6, 3, ALPHAS[:3], ETAS, test=TEST["TEXT"], **of)
    add("predict", "training counts above 1", COUNTS, 4, 3, 0.1, 0.2, test=TEST["FULL"], **of)
    if name in ("ml", "map", "vem"):
        return
    step, tags_of_step = "hyperparameters", {"tags": ["AWST09 §3.1", "SN12 §10"]}
    flat, strong, mild = ({"shape": shape, "rate": rate} for shape, rate in ((1.0, 0.0), (2.0, 0.5), (1.5, 0.3)))
    add(step, "two numbers, a flat prior on them", FULL, 4, 3, 0.5, 0.3, gamma_prior=flat, **tags_of_step)
    add(step, "two numbers, counts above 1", COUNTS, 4, 2, 0.2, 0.7, gamma_prior=strong, **tags_of_step)
    add(step, "two vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, gamma_prior=mild, **tags_of_step)
    vectors = ([0.3, 1.4], [0.5, 0.2, 0.9])
    add(step, "two vectors, a flat prior on them", SMALL, 3, 2, *vectors, gamma_prior=flat, **tags_of_step)


# Answers -------------------------------------------------------------------------------------------------------------

NOISE = mpf(10) ** -25


def answer(case: Case, mistake: str = "", noise: Any = 0, seed: int = 0) -> dict[str, Any]:
    return dict(getattr(Evaluator(case, mistake, noise, seed), case["operation"])())


def tolerances(case: Case, expected: dict[str, Any]) -> dict[str, Any]:
    """Of each field, with the reason."""
    operation, out = case["operation"], {}
    if operation in ("update", *SWEEPS, "converged", "hyperparameters") and not {"z", "topic"} & expected.keys():
        changes = [difference(answer(case, noise=NOISE, seed=seed), expected) for seed in range(3)]
        growth = float(max(changes) / NOISE)
        x = max(1e-12, round_up(1e-13 * growth))
        if x > 1e-6:
            raise ValueError(f"{case['id']} is badly conditioned: {growth}")
        why = f"1e-13 times {growth:.2g}, by which relative changes of start and sums grow; 1e-12 at least"
        return {field: {"absolute": x, "why": why} for field in expected}
    for field, value in expected.items():
        if field in ("z", "topic"):
            out[field] = {"absolute": 0, "why": "exact"}
        elif field in ("bound", "perplexity"):
            size = float(abs(value)) if mp.isfinite(value) else 1.0
            why = "1e-12 relative: sums of logarithms" if size > 1 else "1e-12"
            out[field] = {"absolute": max(1e-12, round_up(1e-12 * size)), "why": why}
        else:
            out[field] = {"absolute": 1e-12, "why": "probabilities, from sums of at most a few dozen terms"}
    return out


def round_up(x: float) -> float:
    """To 1, 2 or 5 times a power of 10."""
    exponent = -30
    while True:
        for digit in (1, 2, 5):
            y = float(f"{digit}e{exponent}")
            if y >= x:
                return y
        exponent += 1


def distance(case: Case, a: dict[str, Any], b: dict[str, Any]) -> float:
    """In tolerances, of the field that differs most; infinite where a draw differs."""
    worst = 0.0
    for field, tolerance in case["tolerance"].items():
        d = difference(a[field], b[field])
        if d:
            worst = max(worst, float(d / tolerance["absolute"]) if tolerance["absolute"] else float("inf"))
    return worst


def mistaken(case: Case, expected: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of the mistakes that can be told from the right answer and from one another."""
    found = []
    for name, (_, algorithms, operations) in MISTAKES.items():
        if case["algorithm"] not in algorithms or case["operation"] not in operations:
            continue
        try:
            wrong = answer(case, name)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue  # the mistake gives no numbers here
        if finite(wrong) and distance(case, wrong, expected) > 100:
            found.append((name, wrong))
    return [
        {"name": name, "expected": rounded(wrong)}
        for name, wrong in found
        if all(other is wrong or distance(case, wrong, other) > 100 for _, other in found)
    ]


def finite(x: Any) -> bool:
    if isinstance(x, dict):
        return all(finite(v) for v in x.values())
    if isinstance(x, list):
        return all(finite(v) for v in x)
    return isinstance(x, int) or (isinstance(x, mpf) and (bool(mp.isfinite(x)) or x == mp.inf))


def rounded(x: Any) -> Any:
    """Once, to the nearest float64."""
    if isinstance(x, dict):
        return {key: rounded(v) for key, v in x.items()}
    if isinstance(x, list):
        return [rounded(v) for v in x]
    if isinstance(x, int):
        return x
    if not mp.isfinite(x):
        return "inf" if x > 0 else "-inf"
    return float(mp.nstr(x, 40)) if abs(x) > 1e-330 else 0.0


def completed(case: Case) -> Case:
    """The case with its answer, tolerances, and the answers of mistakes."""
    if case["operation"] == "reject":
        return case | {"expected": {"error": True}, "tolerance": {}, "mistakes": []}
    evaluator = Evaluator(case)
    expected = getattr(evaluator, case["operation"])()
    if "tie" not in case["flags"] and evaluator.margin < 1e-9:
        raise ValueError(f"{case['id']}: a uniform lies on a boundary")
    if case["operation"] == "converged" and not evaluator.rate < 0.8:
        raise ValueError(f"{case['id']} contracts by {evaluator.rate} a sweep only")
    case = case | {"expected": rounded(expected), "tolerance": tolerances(case, expected)}
    return case | {"mistakes": mistaken(case, expected)}


# Samplers ------------------------------------------------------------------------------------------------------------


def assignments(K: int, N: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(range(K), repeat=N)


def together(law: dict[tuple[int, ...], Any], N: int) -> list[Row]:
    """p(z_i = z_i') under a law of z."""
    return [[added(p for z, p in law.items() if z[a] == z[b]) for b in range(N)] for a in range(N)]


def posterior(case: Case) -> dict[tuple[int, ...], Any]:
    """p(z | x), by enumeration: one token after the other, as from an urn."""
    c, K, N = case["corpus"], case["K"], sum(case["corpus"]["n"])
    j = [a for a, n in zip(c["j"], c["n"], strict=True) for _ in range(n)]
    w = [a for a, n in zip(c["w"], c["n"], strict=True) for _ in range(n)]
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    alpha = [mpf(a) for a in (alpha if isinstance(alpha, list) else [alpha] * K)]
    eta = [mpf(a) for a in (eta if isinstance(eta, list) else [eta] * c["W"])]
    law = {}
    for z in assignments(K, N):
        p = mpf(1)
        for i in range(N):
            N_jk = sum(j[a] == j[i] and z[a] == z[i] for a in range(i))
            N_wk = sum(w[a] == w[i] and z[a] == z[i] for a in range(i))
            N_k = sum(z[a] == z[i] for a in range(i))
            N_j = sum(j[a] == j[i] for a in range(i))
            p *= (alpha[z[i]] + N_jk) / (added(alpha) + N_j)
            p *= (eta[w[i]] + N_wk) / (added(eta) + N_k)  # by TNW06 (7)
        law[z] = p
    total = added(law.values())
    return {z: p / total for z, p in law.items()}


def probabilities_of(case: Case, mistake: str, z: tuple[int, ...], i: int) -> list[float]:
    """Of each topic, for one draw of a collapsed Gibbs sampler from assignments z, with a mistake."""
    e = Evaluator(case | {"state": {"z": list(z)}}, mistake)
    x = e.weights(e.gamma, i)
    if mistake == "draw-unnormalised":
        ends = [*(min(mpf(1), s) for s in itertools.accumulate(x[:-1])), mpf(1)]
        p = [b - a for a, b in zip([mpf(0), *ends], ends, strict=False)]
    else:
        p = normalised(x)
        if mistake == "draw-off-by-one":
            p = [p[0] + p[1], *p[2:], mpf(0)] if len(p) > 1 else p
    return [float(rounded(v)) for v in p]


def stationary(case: Case, mistake: str) -> dict[tuple[int, ...], Any]:
    """The law that a sweep of the mistaken sampler keeps, by power iteration from the uniform law, in float64."""
    K, N = case["K"], sum(case["corpus"]["n"])
    states = list(assignments(K, N))
    p = {z: [probabilities_of(case, mistake, z, i) for i in range(N)] for z in states}
    law = {z: 1 / len(states) for z in states}
    row = Evaluator(case | {"state": {"z": [0] * N}}).row

    def sweep(law: dict[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
        if mistake == "sums-refreshed-late":
            new = dict.fromkeys(states, 0.0)
            for z, q in law.items():
                if q > 1e-18:
                    for y, r in products(p[z], q):
                        new[y] += r
            return new
        for i in range(N):
            if mistake == "one-draw-for-row" and i and row[i] == row[i - 1]:
                continue
            new = dict.fromkeys(states, 0.0)
            for z, q in law.items():
                for k in range(K):
                    same = [a == i or (mistake == "one-draw-for-row" and row[a] == row[i]) for a in range(N)]
                    new[tuple(k if s else v for s, v in zip(same, z, strict=True))] += q * p[z][i][k]
            law = new
        return law

    for _ in range(3000):
        new = sweep(law)
        change = max(abs(new[z] - law[z]) for z in states)
        law = new
        if change < 1e-15:
            return {z: mpf(q) for z, q in law.items()}
    raise ValueError(f"{case['id']}: {mistake} has no stationary law that is found")


def products(p: list[list[float]], q: float) -> Iterator[tuple[tuple[int, ...], float]]:
    """All assignments of independent draws, with their probabilities times q."""
    out = [((), q)] if q else []
    some: list[tuple[tuple[int, ...], float]] = list(out)
    for x in p:
        some = [((*z, k), r * x[k]) for z, r in some for k in range(len(x))]
    return iter(some)


CHAINS = (
    "nothing-excluded", "topic-count-not-excluded", "all-copies-excluded", "W-for-W-eta", "eta-for-W-eta",
    "no-topic-term", "alpha-averaged", "eta-averaged", "alpha-and-eta-swapped", "sums-refreshed-late",
    "draw-off-by-one", "draw-unnormalised", "one-draw-for-row",
)  # fmt: skip


def prior_law(case: Case) -> dict[tuple[int, ...], Any]:
    """p(z | alpha): what a Gibbs sampler keeps that draws z from theta alone."""
    c, prior = case["corpus"], case["prior"]
    blind = {**c, "w": [0] * len(c["w"]), "W": 1}
    return posterior(case | {"corpus": blind, "prior": {"alpha": prior["alpha"], "eta": 1.0}})


def mistaken_laws(case: Case) -> Iterator[tuple[str, dict[tuple[int, ...], Any]]]:
    p, K, W = case["prior"], case["K"], case["corpus"]["W"]
    if case["algorithm"] == "cgs":
        for name in CHAINS:
            yield name, stationary(case, name)
        return
    # of the uncollapsed sampler, where the mistake amounts to another model
    yield "phi-left-out", prior_law(case)
    alpha, eta = p["alpha"], p["eta"]
    if isinstance(alpha, list):
        yield "alpha-averaged", posterior(case | {"prior": {"alpha": math.fsum(alpha) / K, "eta": eta}})
    if isinstance(eta, list):
        yield "eta-averaged", posterior(case | {"prior": {"alpha": alpha, "eta": math.fsum(eta) / W}})
    if not isinstance(alpha, list) and not isinstance(eta, list) and alpha != eta:
        yield "alpha-and-eta-swapped", posterior(case | {"prior": {"alpha": eta, "eta": alpha}})
    one = {**case["corpus"], "j": [0] * len(case["corpus"]["j"]), "D": 1}
    yield "one-theta", posterior(case | {"corpus": one})


def sampler_cases() -> list[Case]:
    out = []
    pairs: list[tuple[Documents, int, int, Any, Any]] = [
        ([[(0, 1), (1, 1), (0, 1)], [(1, 1), (2, 1), (2, 1)]], 3, 2, 0.5, 0.3),
        ([[(0, 2), (1, 1)], [(1, 1), (2, 3)]], 3, 2, 1.0, 0.1),
        ([[(0, 1), (1, 1), (1, 1)], [(0, 1), (2, 1)]], 3, 3, 0.3, 0.8),
        ([[(0, 1), (0, 1), (1, 1)], [(2, 1), (1, 1), (2, 1)]], 3, 2, [0.4, 1.6], [0.2, 0.5, 1.5]),
    ]
    for name in SAMPLERS[::-1]:
        for number, (documents, W, K, alpha, eta) in enumerate(pairs, 1):
            case: dict[str, Any] = {
                "id": f"sampler/{name}/{number}", "algorithm": name, "operation": "sample",
                "corpus": corpus(name, documents, W), "K": K, "prior": {"alpha": alpha, "eta": eta},
            }  # fmt: skip
            N = sum(case["corpus"]["n"])
            law = together(posterior(case), N)
            wrong = {mistake: rounded(together(of, N)) for mistake, of in mistaken_laws(case)}
            seen = {m: x for m, x in wrong.items() if difference(x, rounded(law)) > 1e-6}
            out.append(case | {"together": rounded(law), "mistakes": seen})
    return out


# Writing -------------------------------------------------------------------------------------------------------------


def line(x: Any) -> str:
    return json.dumps(x, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def as_file(cases: list[Case]) -> str:
    """The header, and a case a line."""
    made_by = {"script": "lda_reference/oracle/certify.py", "mpmath": mpmath.__version__, "digits": DIGITS}
    head = f'{{"format":{line(FORMAT)},"version":1,"made_by":{line(made_by)},"cases":[\n'
    return head + ",\n".join(map(line, cases)) + "\n]}\n"


def text_of(name: str) -> str:
    """The contents of NAME.json."""
    if name == "mistakes":
        texts = {mistake: text for mistake, (text, _, _) in MISTAKES.items()} | {
            "one-theta": "all documents share one theta: each has its own",
        }
        return json.dumps(texts, indent=1, ensure_ascii=False) + "\n"
    if name == "samplers":
        return as_file(sampler_cases())
    return as_file([completed(case) for of in plan_of(name).cases.values() for case in of])


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit("usage: python certify.py OUT_DIR [NAME ...]")
    folder, names = Path(arguments[0]), arguments[1:] or [*ALGORITHMS, "mistakes", "samplers"]
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.json").write_text(text_of(name), "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
