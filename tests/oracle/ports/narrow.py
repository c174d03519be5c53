"""A port in NumPy whose every number has one narrow type, such as float32: to test the tolerances of single precision.

Sums are added in pairs, or one number after the other. It shares nothing with the package.
"""

import numpy as np

from .narrow_operations import Operations
from .narrow_starts import Starts

SHIFT = 8  # digamma and log Gamma: the recurrence up to here, then the asymptotic series
EXCLUDES = dict.fromkeys(("cgs", "cvb_exact", "cvb", "cvb0", "cvb1", "cvb1s", "cvb1d"), "token") | {"tcvb0": "type"}
LOGS = ("vb", "vem", "cvb", "cvb_exact")


def in_pairs(x):
    """The sum over the first axis: pairs of neighbours, then pairs of these sums, and so on."""
    while len(x) > 1:
        x = np.concatenate((x[:-1:2] + x[1::2], x[len(x) - len(x) % 2 :]))
    return x[0] if len(x) else np.zeros(x.shape[1:], x.dtype)


def in_sequence(x):
    """The sum over the first axis, one number after the other."""
    return np.cumsum(x, 0, x.dtype)[-1] if len(x) else np.zeros(x.shape[1:], x.dtype)


class Port(Operations, Starts):
    """A function from a case to its answer. Of the cases of `reject` it answers those whose ids are `legal`."""

    def __init__(self, dtype=np.float32, add=in_pairs, legal=()):
        self.dtype, self.add, self.legal, self.held = dtype, add, legal, None

    def __call__(self, case):
        if case["operation"] == "reject" and case["id"] not in self.legal:
            return {"id": case["id"], "skip": "it does not check its input"}
        if case["operation"] == "reject":
            case = case | {"operation": "start" if "start" in case else "sweep"}
        with np.errstate(all="ignore"):
            fields = self.answer(case)
        assert all(np.asarray(x).dtype in (self.dtype, np.int64) for x in fields.values()), case["id"]
        return {"id": case["id"], **{name: self.printed(x) for name, x in fields.items()}}

    def printed(self, x):
        if np.ndim(x):
            return [self.printed(v) for v in x]
        return int(x) if np.issubdtype(np.asarray(x).dtype, np.integer) else float(x) if np.isfinite(x) else "inf"

    def real(self, x):
        return np.array(x, self.dtype)

    def answer(self, case):
        self.case, self.K, c = case, case["K"], case["corpus"]
        self.name, self.D, self.W = case.get("start", case["algorithm"]), c["D"], c["W"]
        self.j, self.w, self.n = (np.array(c[x], np.int64) for x in "jwn")
        self.alpha = self.real(np.broadcast_to(self.real(case["prior"]["alpha"]), self.K))
        self.eta = self.real(np.broadcast_to(self.real(case["prior"]["eta"]), self.W))
        self.A, self.H = self.add(self.alpha), self.add(self.eta)
        self.held, state = None, case.get("state", {})
        if "z" in state and case["operation"] == "summary" and self.name not in ("cgs", "gibbs"):
            row = np.repeat(np.arange(len(self.n)), self.n)
            one_hot = np.eye(self.K, dtype=self.dtype)[np.array(state["z"])]
            gamma = np.array([self.add(one_hot[row == i]) / self.dtype(n) for i, n in enumerate(self.n)])
        elif "z" in state:
            self.row = np.repeat(np.arange(len(self.n)), self.n)
            if case["operation"] != "start":
                self.j, self.w, self.n = self.j[self.row], self.w[self.row], np.ones(len(self.row), np.int64)
            gamma = np.eye(self.K, dtype=self.dtype)[np.array(state["z"])]
        else:
            gamma = self.real(state.get("gamma", np.zeros((len(self.n), self.K))))
        return getattr(self, "of_" + case["operation"])(gamma)

    # Sums and functions

    def total(self, x, rows=None):
        """The sum of the rows x of an array, or of some of them."""
        return self.add(x if rows is None else x[rows])

    def left(self, i):
        n = self.n.copy()
        kind = EXCLUDES.get(self.name, "nothing")
        n[i] -= {"nothing": 0, "token": 1, "type": n[i]}[kind] if i is not None else 0
        return n

    def rows(self, i):
        return self.j == self.j[i], self.w == self.w[i], np.ones(len(self.j), bool)

    def digamma(self, x):
        one, shift = self.dtype(1), self.real(np.zeros(np.shape(x)))
        for _ in range(SHIFT):
            low = x < SHIFT
            shift = np.where(low, shift - one / x, shift)
            x = np.where(low, x + one, x)
        y = one / (x * x)
        series = self.dtype(1 / 12) - y * (self.dtype(1 / 120) - y * (self.dtype(1 / 252) - y * self.dtype(1 / 240)))
        return shift + (np.log(x) - self.dtype(0.5) / x - y * series)

    def log_gamma(self, x):
        one, shift = self.dtype(1), self.real(np.zeros(np.shape(x)))
        for _ in range(SHIFT):
            low = x < SHIFT
            shift = np.where(low, shift - np.log(x), shift)
            x = np.where(low, x + one, x)
        y = one / (x * x)
        series = (self.dtype(1 / 12) - y * (self.dtype(1 / 360) - y * self.dtype(1 / 1260))) / x
        return shift + ((x - self.dtype(0.5)) * np.log(x) - x + self.dtype(0.5 * np.log(2 * np.pi)) + series)

    def distribution(self, gamma, n):
        """p[m, k]: the probability that m tokens have topic k."""
        p = self.real(np.ones((1, self.K)))
        for g, copies in zip(gamma, n, strict=True):
            for _ in range(copies):
                stay, move = p * (self.dtype(1) - g), p * g
                p = np.concatenate((stay, self.real(np.zeros((1, self.K))))) + np.concatenate((move[:1] * 0, move))
        return p

    def expected(self, f, a, gamma, n):
        p = self.distribution(gamma, n)
        return self.add(p * f(a + self.real(np.arange(len(p)))[:, None]))

    # The update

    def weights(self, gamma, i, own=None):
        """The weights of row i; in `nested` sweeps the documents have an `own` gamma."""
        if self.name == "gibbs":
            return self.real(self.case["theta_jk"])[self.j[i]] * self.real(self.case["phi_wk"])[self.w[i]]
        n, rows, one = self.left(i), self.rows(i), self.dtype(1)
        N_wk, N_k = (self.total(self.real(n)[:, None] * gamma, x) for x in rows[1:])
        N_jk = self.total(self.real(n)[:, None] * (gamma if own is None else own), rows[0])
        if self.held is not None:
            a = N_jk + self.alpha
            return (np.exp(self.digamma(a)) if self.name == "vb" else a) * self.held[self.w[i]]
        a, b, c = N_jk + self.alpha, N_wk + self.eta[self.w[i]], N_k + self.H
        if self.name == "ml":
            return np.where(N_k > 0, N_jk * N_wk / N_k, self.dtype(0))
        if self.name == "map":
            return (a - one) * (b - one) / (c - self.dtype(self.W))
        if self.name in LOGS:
            x = self.log_weights(gamma, n, rows, (self.alpha, self.eta[self.w[i]], self.H), (a, b, c), (N_wk, N_k))
            return np.exp(x - x.max())
        if self.name == "cvb1":
            return a * b * self.expected(lambda x: one / x, self.H, gamma, n)
        if self.name == "cvb1s":
            u = self.real(self.case["uniforms"])
            draws = [self.draw(gamma[r], u[r, s]) for r in range(len(n)) for s in range(u.shape[1])]
            z = np.reshape(draws, u.shape)
            counts = [self.real([(n[z[:, s] == k]).sum() for k in range(self.K)]) for s in range(u.shape[1])]
            return a * b * self.add(np.array([one / (x + self.H) for x in counts])) / self.dtype(u.shape[1])
        if self.name == "cvb1d":
            return a * b / c * (one + self.variance(gamma, n, rows[2]) / (c * c))
        if "inverse_temperature" in self.case:
            return a * (b / c) ** self.dtype(self.case["inverse_temperature"])
        return a * b / c

    def variance(self, gamma, n, rows):
        return self.total(self.real(n)[:, None] * gamma * (self.dtype(1) - gamma), rows)

    def log_weights(self, gamma, n, rows, priors, smoothed, N):
        if self.name == "cvb_exact":
            parts = [self.expected(np.log, x, gamma[r], n[r]) for x, r in zip(priors, rows, strict=True)]
        elif self.name == "cvb":
            two = self.dtype(2)
            parts = [
                np.log(x) - self.variance(gamma, n, r) / (two * x * x) for x, r in zip(smoothed, rows, strict=True)
            ]
        elif self.name == "vem":
            return self.digamma(smoothed[0]) + np.where(N[0] > 0, np.log(N[0] / N[1]), self.dtype(-np.inf))
        else:
            parts = [self.digamma(x) for x in smoothed]
        return parts[0] + parts[1] - parts[2]

    def normalised(self, x):
        return x / self.add(x)

    def draw(self, x, u):
        partial = [x[0]]
        for v in x[1:]:
            partial.append(partial[-1] + v)
        return np.int64(sum(s <= u * partial[-1] for s in partial[:-1]))

    # The operations

    def token(self):
        i = self.case["row"]
        return int(np.flatnonzero(self.row == i)[0]) + self.case["token"] if "token" in self.case else i

    def of_update(self, gamma):
        return {"gamma_k": self.normalised(self.weights(gamma, self.token()))}

    def of_draw(self, gamma):
        return {"topic": self.draw(self.weights(gamma, self.token()), self.dtype(self.case["uniform"]))}

    def refreshed(self, schedule):
        """The rows before which the sums are computed again."""
        M = len(self.n)
        first = [i for i in range(M) if i == 0 or self.j[i] != self.j[i - 1]]
        if schedule == "block" and self.case["blocks"] < self.D:
            B = self.case["blocks"]
            return {next(i for i in first if i * B >= b * M) for b in range(B) if first[-1] * B >= b * M}
        return {"token": range(M), "document": set(first), "block": set(first), "corpus": ()}[schedule]

    def nested(self, gamma):
        own = self.real(np.full(gamma.shape, 1 / self.K))
        for _ in range(self.case["inner"]):
            own = np.array([self.normalised(self.weights(gamma, i, own)) for i in range(len(self.n))])
        return own

    def swept(self, gamma, schedule, rows=None):
        if schedule == "nested":
            return self.nested(gamma)
        new, see, refreshed = gamma.copy(), gamma, self.refreshed(schedule)
        for i in range(len(self.n)) if rows is None else rows:
            if i in refreshed:
                see = new.copy()
            x = self.weights(see, i)
            if self.name in ("cgs", "gibbs"):
                new[i] = np.arange(self.K) == self.draw(x, self.real(self.case["uniforms"])[i])
            else:
                new[i] = self.normalised(x)
        return new

    def of_sweep(self, gamma):
        gamma = self.swept(gamma, self.case["schedule"])
        return {"z": gamma.argmax(1)} if self.name in ("cgs", "gibbs") else {"gamma": gamma}

    def of_summary(self, gamma):
        for _ in range(self.case["sweeps"]):
            gamma = self.swept(gamma, self.case["schedule"])
        if self.name in ("cgs", "gibbs"):
            return {"z": gamma.argmax(1)}
        flat, place = gamma.ravel(), self.real(np.arange(gamma.size))
        return {name: in_pairs(flat * wave(place)) for name, wave in (("cosine", np.cos), ("sine", np.sin))}

    def of_ten_sweeps(self, gamma, schedule=None):
        for _ in range(10):
            gamma = self.swept(gamma, schedule or self.case["schedule"])
        return {"gamma": gamma}

    def of_converged(self, gamma):
        for _ in range(1000):
            old, gamma = gamma, self.swept(gamma, self.case["schedule"])
            if np.abs(gamma - old).max() < 2.0**-22:
                break
        return {"gamma": gamma}

    def counts(self, gamma):
        x = self.real(self.n)[:, None] * gamma
        N_jk = np.array([self.total(x, self.j == j) for j in range(self.D)], self.dtype)
        N_wk = np.array([self.total(x, self.w == w) for w in range(self.W)], self.dtype)
        return N_jk, N_wk, self.total(x)

    def estimates(self, gamma):
        less, smoothed, prior = self.dtype(self.name == "map"), self.name != "ml", self.name not in ("ml", "vem")
        N_jk, N_wk, N_k = self.counts(gamma)
        alpha, eta = (self.alpha - less) * self.dtype(smoothed), (self.eta - less) * self.dtype(prior)
        above, below = N_jk + alpha, self.add(N_jk.T) + self.add(alpha)
        theta = np.where(below[:, None] > 0, above / below[:, None], self.dtype(1 / self.K))
        phi = (N_wk + eta[:, None]) / (N_k + self.add(eta))
        return theta, np.where(N_k + self.add(eta) > 0, phi, self.dtype(1 / self.W))

    def of_estimate(self, gamma):
        theta, phi = self.estimates(gamma)
        return {"theta_jk": theta, "phi_wk": phi}

    def of_predict(self, gamma):
        (theta, phi), test = self.estimates(gamma), self.case["test"]
        p, n = self.add((theta[test["j"]] * phi[test["w"]]).T), self.real(test["n"])
        return {"token_probability": p, "perplexity": np.exp(-self.add(n * np.log(p)) / self.add(n))}

    def of_bound(self, gamma):
        N_jk, N_wk, N_k = self.counts(gamma)
        L, everything = self.log_gamma, np.ones(len(self.n), bool)
        e_jk, e_wk, e_k = L(self.alpha + N_jk), L(self.eta[:, None] + N_wk), L(self.H + N_k)
        if self.name != "vb":
            e_jk = np.array(
                [self.expected(L, self.alpha, gamma[r], self.n[r]) for r in self.j == np.arange(self.D)[:, None]]
            )
            of = zip(self.w == np.arange(self.W)[:, None], self.eta, strict=True)
            e_wk = np.array([self.expected(L, self.real([e] * self.K), gamma[r], self.n[r]) for r, e in of])
            e_k = self.expected(L, self.real([self.H] * self.K), gamma[everything], self.n)
        plogp = gamma * np.log(np.where(gamma > 0, gamma, self.dtype(1)))
        parts = [
            (L(self.A) - L(self.A + self.add(N_jk.T))), (e_jk - L(self.alpha)).ravel(), L(self.H) - e_k,
            (e_wk - L(self.eta)[:, None]).ravel(), -(self.real(self.n)[:, None] * plogp).ravel(),
        ]  # fmt: skip
        return {"bound": self.add(np.concatenate(parts))}

    def of_hyperparameters(self, gamma):
        N_jk, N_wk, _ = self.counts(gamma)
        shape, rate = (self.dtype(self.case["gamma_prior"][x]) for x in ("shape", "rate"))
        out = {}
        for name, N, a in (("alpha", N_jk, self.alpha), ("eta", N_wk.T, self.eta)):
            A = self.add(a)
            rise = self.add(self.digamma(N + a) - self.digamma(a))
            total = self.add(self.digamma(self.add(N.T) + A) - self.digamma(A))
            if isinstance(self.case["prior"][name], list):
                out[name] = (shape - self.dtype(1) + a * rise) / (rate + total)
            else:
                out[name] = (shape - self.dtype(1) + a[0] * self.add(rise)) / (rate + self.dtype(len(a)) * total)
        return out
