"""A port in plain Python in which one of a hundred faults can be planted.

`answer(case, fault)` recounts every sum from nothing, as the port in the guide does. A fault is a switch: its name is
looked up where it changes something, and `faults.py` lists them all.
"""

import math
import struct

ALGORITHMS = ("ml", "map", "vb", "vem", "cgs", "cvb", "cvb0", "tcvb0", "cvb1d")
SKIP = {"skip": "not in this port"}


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def deep(f, x):
    """f of each number of nested lists and dicts."""
    if isinstance(x, dict):
        return {name: deep(f, v) for name, v in x.items()}
    if isinstance(x, list):
        return [deep(f, v) for v in x]
    return f(x) if isinstance(x, float) and math.isfinite(x) else x


OUTPUT = {
    "output-in-float32": float32,
    "output-with-6-digits": lambda x: float(f"{x:g}"),
    "output-to-4-decimals": lambda x: round(x, 4),
    "output-to-8-decimals": lambda x: round(x, 8),
    "output-in-percent": lambda x: 100 * x,
}


class Port:
    def __init__(self, case, fault):
        self.case, self.f, c = case, fault, case["corpus"]
        self.name, self.K, self.D, self.W = case["algorithm"], case["K"], c["D"], c["W"]
        self.j, self.w, self.n = list(c["j"]), list(c["w"]), list(c["n"])
        self.sampler = self.name == "cgs"
        if self.sampler:
            rows = [i for i in range(len(self.n)) for _ in range(self.n[i])]
            self.first = [rows.index(i) for i in range(len(self.n))]
            self.j, self.w, self.n = [self.j[i] for i in rows], [self.w[i] for i in rows], [1] * len(rows)
            self.g = [self.one_hot(k) for k in case["state"]["z"]]
        else:
            self.g = [list(row) for row in case["state"]["gamma"]]
        self.M = len(self.n)
        self.prior(case["prior"])
        self.counted = range(self.M)  # the rows that the sums count
        if fault == "last-row-not-counted":
            self.counted = range(self.M - 1)
        if fault == "first-row-not-counted":
            self.counted = range(1, self.M)
        if fault == "last-document-not-counted":
            self.counted = [i for i in range(self.M) if self.j[i] < self.D - 1]
        if fault == "word-once-a-document":
            last = {(self.j[i], self.w[i]): i for i in range(self.M)}
            self.counted = sorted(last.values())
        if fault == "counts-are-flags":
            self.n = [1] * self.M
        if fault == "counts-are-logged":
            self.n = [1 + math.log(n) for n in self.n]
        if fault == "counts-at-most-4":
            self.n = [min(n, 4) for n in self.n]

    def one_hot(self, k):
        return [1.0 if k == t else 0.0 for t in range(self.K)]

    def prior(self, p):
        f, K, W = self.f, self.K, self.W
        alpha = list(p["alpha"]) if isinstance(p["alpha"], list) else [p["alpha"]] * K
        eta = list(p["eta"]) if isinstance(p["eta"], list) else [p["eta"]] * W
        if f == "alpha-reversed":
            alpha.reverse()
        if f == "alpha-index-from-one":
            alpha = alpha[1:] + alpha[:1]
        if f == "alpha-first-entry":
            alpha = alpha[:1] * K
        if f == "alpha-largest-entry":
            alpha = [max(alpha)] * K
        if f == "alpha-is-total" and not isinstance(p["alpha"], list):
            alpha = [a / K for a in alpha]
        if f == "alpha-sums-to-one":
            alpha = [a / sum(alpha) for a in alpha]
        if f == "alpha-at-least-0.01":
            alpha = [max(a, 0.01) for a in alpha]
        if f == "alpha-sorted":
            alpha.sort()
        if f == "eta-first-entry":
            eta = eta[:1] * W
        if f == "eta-of-topic":
            self.eta_of_topic = [eta[k % W] for k in range(K)]
        if f == "eta-index-from-one":
            eta = eta[1:] + eta[:1]
        if f == "eta-is-total" and not isinstance(p["eta"], list):
            eta = [e / W for e in eta]
        if f == "eta-sums-to-one":
            eta = [e / sum(eta) for e in eta]
        if f == "eta-vector-summed":
            eta = [sum(eta)] * W if isinstance(p["eta"], list) else eta
        self.alpha, self.eta, self.H, self.A = alpha, eta, sum(eta), sum(alpha)
        if f == "W-is-largest-word":
            self.H = sum(eta[: max(self.w) + 1])
        if f == "W-is-words-seen":
            self.H = sum(eta[v] for v in set(self.w))
        if f == "W-is-rows":
            self.H = eta[0] * len(self.w)

    # The sums

    def left(self, part, i, r):
        """How much of row r is counted in the update of row i."""
        f, same = self.f, (self.j[r], self.w[r]) == (self.j[i], self.w[i])
        if self.name in ("ml", "map", "vb", "vem"):
            if f == "token-excluded-in-vb" and r == i:
                return self.n[r] - 1
            return self.n[r]
        excluded = self.n[r] if self.name == "tcvb0" else 1
        if f == "nothing-is-excluded":
            return self.n[r]
        if f == "copies-are-excluded" and same:
            return 0
        if r != i:
            return self.n[r]
        if f == "row-is-excluded":
            excluded = self.n[r]
        if f == "two-tokens-are-excluded":
            excluded = min(2, self.n[r])
        if f == "token-for-type":
            excluded = 1
        if (f, part) in (
            ("not-from-topic", "topic"), ("not-from-word", "word"), ("not-from-document", "document"),
            ("from-document-only", "word"), ("from-document-only", "topic"),
            ("from-word-only", "document"), ("from-word-only", "topic"),
            ("from-topic-only", "document"), ("from-topic-only", "word"),
        ):  # fmt: skip
            excluded = 0
        return self.n[r] - excluded

    def within(self, part, i, r):
        if part == "document":
            return self.j[r] == self.j[i]
        if part == "word":
            return self.w[r] == (self.w[i] if self.f != "words-by-document-index" else self.j[i])
        return True

    def N(self, part, g, i, k):
        total, f = 0.0, self.f
        for r in self.counted:
            if self.within(part, i, r):
                x = g[r][k]
                if f == "one-kth-excluded" and r == i and self.name in ("cvb0", "cvb", "cvb1d"):
                    total += self.n[r] * x - 1 / self.K
                elif f == "largest-topic-excluded" and r == i and self.name in ("cvb0", "cvb", "cvb1d"):
                    total += self.n[r] * x - (1 if x == max(g[r]) else 0)
                else:
                    total += self.left(part, i, r) * x
                if f == "sums-in-float32":
                    total = float32(total)
        return max(total, 0.05) if f == "counts-at-least-0.05" else total

    def V(self, part, g, i, k):
        if self.f == "variance-of-all-tokens":
            return sum(self.n[r] * g[r][k] * (1 - g[r][k]) for r in self.counted if self.within(part, i, r))
        if self.f == "variance-is-n-squared":
            return sum(self.left(part, i, r) ** 2 * g[r][k] * (1 - g[r][k]) for r in self.counted if self.within(part, i, r))
        if self.f == "variance-is-second-moment":
            return sum(self.left(part, i, r) * g[r][k] ** 2 for r in self.counted if self.within(part, i, r))
        return sum(self.left(part, i, r) * g[r][k] * (1 - g[r][k]) for r in self.counted if self.within(part, i, r))

    # The update

    def weights(self, i, g, gj=None, gw=None, gk=None):
        """The weights of row i; the three sums may see different gamma."""
        x = [self.weight(i, k, gj or g, gw or g, gk or g) for k in range(self.K)]
        if self.f == "weights-tempered":
            x = [v**0.9 for v in x]
        if self.f == "epsilon-1e-10":
            x = [v + 1e-10 for v in x]
        if self.f == "epsilon-1e-6":
            x = [v + 1e-6 for v in x]
        if self.f == "last-topic-forgotten":
            x[-1] = 0.0 if self.K > 1 else x[-1]
        return x

    def weight(self, i, k, gj, gw, gk):
        f, name = self.f, self.name
        N_jk, N_wk, N_k = self.N("document", gj, i, k), self.N("word", gw, i, k), self.N("topic", gk, i, k)
        alpha, eta, H = self.alpha[k], self.eta[self.w[i]], self.H
        if f == "eta-of-topic":
            eta = self.eta_of_topic[k]
        if f == "topic-term-eta":
            H = eta
        if f == "topic-term-W":
            H = self.W
        if f == "topic-term-without-prior":
            H = 0.0
        if f == "topic-term-K-eta":
            H = self.K * eta
        if f == "word-term-without-prior":
            eta = 0.0
        if f == "alpha-added-twice":
            alpha *= 2
        if f == "eta-added-twice":
            eta *= 2
        if f == "prior-of-one":
            alpha = eta = 1.0
            H = self.W
        a, b, c = N_jk + alpha, N_wk + eta, N_k + H
        if f == "topic-term-forgotten":
            c = 2.0 + self.W
        if f == "document-term-forgotten":
            a = 2.0
        if name == "ml":
            return N_jk * N_wk / N_k if N_k > 0 else 0.0
        if name == "map":
            if f == "map-eta-not-reduced":
                return (a - 1) * b / c
            if f == "map-as-mean":
                return a * b / c
            return (a - 1) * (b - 1) / (c - self.W)
        if name == "vb":
            return math.exp(self.digamma(a) + self.digamma(b) - self.digamma(c))
        if name == "vem":
            return math.exp(self.digamma(a)) * N_wk / N_k if N_k > 0 else 0.0
        if name == "cvb":
            V = [self.V(part, g, i, k) for part, g in (("document", gj), ("word", gw), ("topic", gk))]
            return self.corrected(a, V[0], 0) * self.corrected(b, V[1], 1) / self.corrected(c, V[2], 2)
        if name == "cvb1d":
            V = self.V("topic", gk, i, k)
            if f == "cvb1d-half":
                return a * b / c * (1 + V / (2 * c**2))
            if f == "cvb1d-cube":
                return a * b / c * (1 + V / c**3)
            if f == "cvb1d-minus":
                return a * b / c * (1 - V / c**2)
            return a * b / c * (1 + V / c**2)
        return a * b / c

    def corrected(self, x, V, which):
        """One of the three terms of CVB."""
        f = self.f
        if (f, which) in (("topic-correction-only", 0), ("topic-correction-only", 1), ("topic-correction-forgotten", 2)):
            return x
        if f == "correction-two-x-squared":
            return x * math.exp(-V / (2 * x) ** 2)
        if f == "correction-without-half":
            return x * math.exp(-V / x**2)
        if f == "correction-linear":
            return x * (1 - V / (2 * x**2))
        if f == "correction-by-deviation":
            return x * math.exp(-math.sqrt(V) / (2 * x**2))
        if f == "correction-added":
            return x * math.exp(V / (2 * x**2))
        return x * math.exp(-V / (2 * x**2))

    def digamma(self, x):
        if self.f == "digamma-is-log":
            return math.log(x)
        if self.f == "digamma-is-log-of-x-minus-half" and x > 0.5:
            return math.log(x - 0.5)
        if self.f == "digamma-not-shifted":
            return math.log(x) - 1 / (2 * x) - 1 / (12 * x**2)
        shift, least = 0.0, 3 if self.f == "digamma-shifted-to-3" else 10
        while x < least:
            shift, x = shift - 1 / x, x + 1
        y = 1 / x**2
        series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * (691 / 32760 - y / 12))))))
        return shift + math.log(x) - 1 / (2 * x) - series

    def log_gamma(self, x):
        if self.f == "log-gamma-by-stirling":
            return (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + 1 / (12 * x)
        if self.f == "log-gamma-of-lda-c":
            z, x = 1 / x**2, x + 6
            z = (((-0.000595238095238 * z + 0.000793650793651) * z - 0.002777777777778) * z + 0.083333333333333) / x
            return (x - 0.5) * math.log(x) - x + 0.918938533204673 + z - sum(math.log(x - m) for m in range(1, 7))
        return math.lgamma(x)

    def assigned(self, x, old):
        f, total = self.f, sum(x)
        if f == "not-normalised":
            return x
        if f == "normalised-by-largest":
            return [v / max(x) for v in x]
        if f == "softmax":
            x = [math.exp(v) for v in x]
            return [v / sum(x) for v in x]
        if f == "hard-assignment":
            return self.one_hot(x.index(max(x)))
        new = [v / total for v in x] if total > 0 else [1 / self.K] * self.K
        if f == "damped":
            return [(a + b) / 2 for a, b in zip(new, old, strict=True)]
        if f == "gamma-at-least-0.01":
            x = [max(v, 0.01) for v in new]
            return [v / sum(x) for v in x]
        if f == "topics-reversed":
            return new[::-1]
        return new

    def update(self):
        i = self.case["row"] + (0 if not self.sampler else self.first[self.case["row"]] - self.case["row"] + self.case["token"])
        if self.f == "row-off-by-one":
            i = (i + 1) % self.M
        return {"gamma_k": self.assigned(self.weights(i, self.g), self.g[i])}

    # Sweeps

    def order(self):
        rows = list(range(self.M))
        if self.f == "rows-backwards":
            rows.reverse()
        if self.f == "documents-backwards":
            rows.sort(key=lambda i: -self.j[i])
        if self.f == "rows-by-word":
            rows.sort(key=lambda i: self.w[i])
        if self.f == "last-row-not-swept":
            rows.pop()
        return rows

    def one_sweep(self, g, rows=None):
        f, schedule = self.f, self.case["schedule"]
        if f == "always-corpus":
            schedule = "corpus"
        if f == "always-token":
            schedule = "token"
        if f == "always-document":
            schedule = "document"
        start, seen, document, new = g, g, None, list(g)
        for i in self.order() if rows is None else rows:
            if schedule == "token" or (schedule == "document" and self.j[i] != document):
                seen = list(new)
            document = self.j[i]
            stale = {"topic-sums-late": (seen, seen, start), "word-and-topic-sums-late": (seen, start, start),
                     "document-sums-late": (start, seen, seen), "word-sums-late": (seen, start, seen)}.get(f, ())  # fmt: skip
            new[i] = self.assigned(self.weights(i, seen, *stale), g[i])
        return new

    def swept(self, times):
        g, f = self.g, self.f
        times = {"nine-sweeps-run": 9, "eleven-sweeps-run": 11, "one-sweep-run": 1}.get(f, times) if times == 10 else times
        if f == "document-after-document" and times == 10:
            for j in range(self.D):
                for _ in range(times):
                    g = self.one_sweep(g, [i for i in range(self.M) if self.j[i] == j])
            return g
        for _ in range(times):
            new = self.one_sweep(g)
            change = max(abs(a - b) for x, y in zip(new, g, strict=True) for a, b in zip(x, y, strict=True))
            g = new
            if f == "stops-at-1e-3" and change < 1e-3:
                break
        return g

    def sweep(self):
        if not self.sampler:
            return {"gamma": self.swept(1)}
        z = list(self.case["state"]["z"])
        before = [self.one_hot(k) for k in z]
        for i in self.order():
            seen = before if self.f == "always-corpus" else [self.one_hot(k) for k in z]
            u = self.case["uniforms"][i]
            if self.f == "one-uniform-for-all":
                u = self.case["uniforms"][0]
            z[i] = self.drawn(self.weights(i, seen), u)
        return {"z": z}

    def ten_sweeps(self):
        return {"gamma": self.swept(10)}

    def converged(self):
        least, most = {"converged-to-1e-4": (1e-4, 1000), "converged-to-1e-6": (1e-6, 1000), "twenty-sweeps": (0, 20)}.get(self.f, (1e-15, 300))
        g = self.g
        for _ in range(most):
            new = self.one_sweep(g)
            change = max(abs(a - b) for x, y in zip(new, g, strict=True) for a, b in zip(x, y, strict=True))
            g = new
            if change < least:
                break
        return {"gamma": g}

    def drawn(self, x, u):
        f, partial, total = self.f, [], 0.0
        for v in x:
            total += v
            partial.append(total)
        if f == "draw-one-minus-u":
            u = 1 - u
        if f == "draw-by-less":
            return sum(s < u * total for s in partial[:-1])
        if f == "draw-shifted":
            return sum(s <= u * total for s in partial[1:])
        if f == "draw-not-scaled":
            return sum(s <= u for s in partial[:-1])
        if f == "draw-argmax":
            return x.index(max(x))
        if f == "draw-from-last":
            return self.K - 1 - sum(s <= u * total for s in [sum(x[-k:]) for k in range(1, self.K)])
        if f == "draw-numbered-from-one":
            return 1 + sum(s <= u * total for s in partial[:-1])
        if f == "draw-u-in-float32":
            u = float32(u)
        return sum(s <= u * total for s in partial[:-1])

    def draw(self):
        i = self.first[self.case["row"]] + (0 if self.f == "first-token-of-row" else self.case["token"])
        return {"topic": self.drawn(self.weights(i, self.g), self.case["uniform"])}

    # Estimates, prediction, bound, hyperparameters

    def counts(self):
        N_jk = [[sum(self.n[i] * self.g[i][k] for i in self.counted if self.j[i] == j) for k in range(self.K)] for j in range(self.D)]
        N_wk = [[sum(self.n[i] * self.g[i][k] for i in self.counted if self.w[i] == w) for k in range(self.K)] for w in range(self.W)]
        return N_jk, N_wk, [sum(N_wk[w][k] for w in range(self.W)) for k in range(self.K)]

    def estimates(self):
        f, name, K, W = self.f, self.name, self.K, self.W
        N_jk, N_wk, N_k = self.counts()
        less = 0 if name != "map" or f == "map-as-mean" else 1
        a = [0.0 if name == "ml" else x - less for x in self.alpha]
        e = [0.0 if name in ("ml", "vem") else x - less for x in self.eta]
        A, H = sum(a), (self.H - less * W if e[0] or name == "map" else 0.0)
        if f == "theta-divided-without-K":
            A = a[0]
        if f == "phi-divided-without-W":
            H = e[0]
        if f == "estimates-without-smoothing":
            a, e, A, H = [0.0] * K, [0.0] * W, 0.0, 0.0
        if f == "theta-without-smoothing":
            a, A = [0.0] * K, 0.0
        theta = [[self.ratio(N_jk[j][k] + a[k], sum(N_jk[j]) + A, K) for k in range(K)] for j in range(self.D)]
        phi = [[self.ratio(N_wk[w][k] + e[w], N_k[k] + H, W) for k in range(K)] for w in range(W)]
        if f == "phi-divided-by-row":
            phi = [[v / sum(row) if sum(row) else 1 / K for v in row] for row in phi]
        for j in range(self.D):
            if sum(N_jk[j]) == 0 and f == "empty-theta-is-uniform":
                theta[j] = [1 / K] * K
            if sum(N_jk[j]) == 0 and f == "empty-theta-is-zero":
                theta[j] = [0.0] * K
        for w in range(W):
            if sum(N_wk[w]) == 0 and f == "unseen-word-has-phi-zero":
                phi[w] = [0.0] * K
        return theta, phi

    @staticmethod
    def ratio(x, y, size):
        return x / y if y > 0 else 1 / size

    def estimate(self):
        theta, phi = self.estimates()
        if self.f == "phi-transposed":
            phi = [list(column) for column in zip(*phi, strict=True)]
        return {"theta_jk": theta, "phi_wk": phi}

    def predict(self):
        t, f, (theta, phi) = self.case["test"], self.f, self.estimates()
        p = [sum(theta[j][k] * phi[w][k] for k in range(self.K)) for j, w in zip(t["j"], t["w"], strict=True)]
        n = [1] * len(p) if f == "perplexity-by-row" else t["n"]
        if 0 in p and f != "zeros-left-out-of-perplexity":
            return {"token_probability": p, "perplexity": math.inf}
        mean = sum(c * math.log(x) for c, x in zip(n, p, strict=True) if x) / sum(n)
        perplexity = math.exp(-mean)
        if f == "perplexity-2-to-nats":
            perplexity = 2**-mean
        if f == "perplexity-with-log10":
            perplexity = math.exp(-mean / math.log(10))
        if f == "perplexity-per-document":
            each = []
            for j in sorted(set(t["j"])):
                rows = [i for i in range(len(p)) if t["j"][i] == j]
                each.append(math.exp(-sum(n[i] * math.log(p[i]) for i in rows) / sum(n[i] for i in rows)))
            perplexity = sum(each) / len(each)
        if f == "perplexity-over-training-tokens":
            perplexity = math.exp(-mean * sum(n) / sum(self.n))
        return {"token_probability": p, "perplexity": perplexity}

    def bound(self):
        f, L, K, W, D = self.f, self.log_gamma, self.K, self.W, self.D
        N_jk, N_wk, N_k = self.counts()
        of_theta = D * (L(self.A) - sum(L(a) for a in self.alpha))
        of_phi = K * (L(self.H) - sum(L(e) for e in self.eta))
        if f == "bound-without-constants":
            of_theta = of_phi = 0.0
        if f == "bound-W-constant":
            of_phi = K * (L(self.H) - L(self.eta[0]))
        if f == "bound-constant-of-one-topic":
            of_phi /= K
        entropy = -sum(self.n[i] * sum(g * math.log(g) for g in self.g[i] if g > 0) for i in range(self.M))
        if f == "bound-entropy-subtracted":
            entropy = -entropy
        if f == "bound-entropy-in-bits":
            entropy /= math.log(2)
        total = of_theta + of_phi + entropy
        for j in range(D):
            total += sum(L(self.alpha[k] + N_jk[j][k]) for k in range(K)) - L(self.A + sum(N_jk[j]))
        for k in range(K):
            total += sum(L(self.eta[w] + N_wk[w][k]) for w in range(W)) - L(self.H + N_k[k])
        if f == "bound-per-token":
            total /= sum(self.n)
        if f == "bound-negative":
            total = -total
        return {"bound": total}

    def hyperparameters(self):
        N_jk, N_wk, N_k = self.counts()
        N_kw = [[N_wk[w][k] for w in range(self.W)] for k in range(self.K)]
        p = self.case["prior"]
        return {"alpha": self.minka(N_jk, [sum(row) for row in N_jk], self.alpha, isinstance(p["alpha"], list)),
                "eta": self.minka(N_kw, N_k, self.eta, isinstance(p["eta"], list))}  # fmt: skip

    def minka(self, N, totals, a, vector):
        f, shape, rate = self.f, self.case["gamma_prior"]["shape"], self.case["gamma_prior"]["rate"]
        if f == "minka-without-gamma-prior":
            shape, rate = 1.0, 0.0
        if f == "minka-shape-not-reduced":
            shape += 1
        A = sum(a)
        total = sum(self.digamma(T + A) - self.digamma(A) for T in totals)
        rises = [sum(self.digamma(row[s] + a[s]) - self.digamma(a[s]) for row in N) for s in range(len(a))]
        if f == "minka-old-value-forgotten":
            a = [1.0] * len(a)
        if vector and f == "minka-vector-averaged":
            return [(shape - 1 + x * sum(rises) / len(a)) / (rate + total) for x in a]
        if vector:
            return [(shape - 1 + x * rise) / (rate + total) for x, rise in zip(a, rises, strict=True)]
        return (shape - 1 + a[0] * sum(rises)) / (rate + (1 if f == "minka-denominator-once" else len(a)) * total)


def answer(case, fault=None):
    """The answer to a case, with a fault in it."""
    operation = case["operation"]
    unable = case["algorithm"] not in ALGORITHMS or operation in ("reject", "sample", "start")
    unable = unable or case.get("schedule") in ("block", "nested")
    if unable or not hasattr(Port, operation) or (operation == "bound" and case["algorithm"] != "vb"):
        return {"id": case["id"], **SKIP}
    got = getattr(Port(case, fault), operation)()
    got = deep(OUTPUT[fault], got) if fault in OUTPUT else got
    return {"id": case["id"], **got}
