"""A port in float32 that keeps its sums: it subtracts the old row and adds the new one. It shares nothing with the package."""

import numpy as np

F = np.float32
ALGORITHMS = ("map", "vb", "cgs", "cvb", "cvb0")
SCHEDULES = ("token", "document", "corpus", None)


def digamma(x):
    """The recurrence up to 6, then the asymptotic series."""
    shift = np.zeros_like(x)
    for _ in range(6):
        low = x < 6
        shift[low] -= 1 / x[low]
        x = np.where(low, x + F(1), x)
    z = 1 / (x * x)
    return shift + (np.log(x) - F(0.5) / x - z * (F(1 / 12) - z * (F(1 / 120) - z * F(1 / 252))))


def log_gamma(x):
    shift = np.zeros_like(x)
    for _ in range(6):
        low = x < 6
        shift[low] += np.log(x[low])
        x = np.where(low, x + F(1), x)
    series = (F(1 / 12) - (F(1 / 360) - F(1 / 1260) / (x * x)) / (x * x)) / x
    return (x - F(0.5)) * np.log(x) - x + F(0.9189385332046727) + series - shift


def drawn(x, u):
    partial = np.cumsum(x, dtype=F)
    return int((partial[:-1] <= F(u) * partial[-1]).sum())


class Port:
    def __init__(self, case):
        c, p, self.case, self.K = case["corpus"], case["prior"], case, case["K"]
        self.name, self.D, self.W = case["algorithm"], c["D"], c["W"]
        self.own = F(self.name in ("cgs", "cvb", "cvb0"))  # how many tokens of a row its update leaves out
        tokens = np.repeat(np.arange(len(c["n"])), c["n"]) if self.name == "cgs" else np.arange(len(c["n"]))
        self.j, self.w = np.array(c["j"], int)[tokens], np.array(c["w"], int)[tokens]
        self.first = np.searchsorted(tokens, np.arange(len(c["n"])))  # of the tokens of each row
        self.n = np.ones(len(tokens), F) if self.name == "cgs" else np.array(c["n"], F)
        self.alpha = np.full(self.K, p["alpha"], F)
        self.eta = np.full(self.W, p["eta"], F)
        self.H = self.eta.sum(dtype=F)
        state = case["state"]
        self.g = np.eye(self.K, dtype=F)[state["z"]] if "z" in state else np.array(state["gamma"], F)
        self.add_up()

    def add_up(self):
        """The sums of gamma and of gamma (1 - gamma), of each document, of each word and of the corpus."""
        self.sums = np.zeros((self.D, 2, self.K), F), np.zeros((self.W, 2, self.K), F), np.zeros((1, 2, self.K), F)
        for i in range(len(self.n)):
            self.move(i, self.n[i] * self.of_row(self.g[i]))

    def of_row(self, g):
        return np.stack((g, g * (1 - g)))

    def move(self, i, x):
        for sums, at in zip(self.sums, (self.j[i], self.w[i], 0), strict=True):
            sums[at] += x

    def weights(self, i):
        own = self.own * self.of_row(self.g[i])
        (N_jk, V_jk), (N_wk, V_wk), (N_k, V_k) = (
            sums[at] - own for sums, at in zip(self.sums, (self.j[i], self.w[i], 0), strict=True)
        )
        a, b, c = N_jk + self.alpha, N_wk + self.eta[self.w[i]], N_k + self.H
        if self.name == "map":
            return (a - 1) * (b - 1) / (c - self.W)
        if self.name == "vb":
            logs = digamma(a) + digamma(b) - digamma(c)
        elif self.name == "cvb":
            logs = np.log(a * b / c) - (V_jk / (2 * a * a) + V_wk / (2 * b * b) - V_k / (2 * c * c))
        else:
            return a * b / c
        return np.exp(logs - logs.max())

    def update(self):
        x = self.weights(self.first[self.case["row"]] + self.case.get("token", 0))
        return {"gamma_k": x / x.sum(dtype=F)}

    def draw(self):
        x = self.weights(self.first[self.case["row"]] + self.case["token"])
        return {"topic": drawn(x, self.case["uniform"])}

    def swept(self, sweeps):
        """gamma after some sweeps. The moves of the rows wait until the schedule lets others see them."""
        schedule, waiting = self.case["schedule"], []
        for _ in range(sweeps):
            self.add_up()
            for i in range(len(self.n)):
                if waiting and (schedule == "token" or (schedule == "document" and self.j[i] != self.j[i - 1])):
                    self.release(waiting)
                x = self.weights(i)
                if self.name == "cgs":
                    new = np.eye(self.K, dtype=F)[drawn(x, self.case["uniforms"][i])]
                else:
                    new = x / x.sum(dtype=F)
                waiting.append((i, self.n[i] * self.of_row(self.g[i]), new))
            self.release(waiting)
        return self.g

    def release(self, waiting):
        for i, old, new in waiting:
            self.move(i, -old)
            self.move(i, self.n[i] * self.of_row(new))
            self.g[i] = new
        waiting.clear()

    def sweep(self):
        return {"z": self.swept(1).argmax(1)} if self.name == "cgs" else {"gamma": self.swept(1)}

    def ten_sweeps(self):
        return {"gamma": self.swept(10)}

    def converged(self):
        for _ in range(300):
            old = self.g.copy()
            if np.abs(self.swept(1) - old).max() < F(2.0**-22):
                break
        return {"gamma": self.g}

    def estimate(self):
        less = F(self.name == "map")
        (N_jk, N_wk, N_k), a, e = (sums[:, 0] for sums in self.sums), self.alpha - less, self.eta - less
        theta = (N_jk + a) / (N_jk.sum(1, dtype=F) + a.sum(dtype=F))[:, None]
        return {"theta_jk": theta, "phi_wk": (N_wk + e[:, None]) / (N_k + e.sum(dtype=F))}

    def predict(self):
        test, (theta, phi) = self.case["test"], self.estimate().values()
        p, n = (theta[test["j"]] * phi[test["w"]]).sum(1, dtype=F), np.array(test["n"], F)
        return {"token_probability": p, "perplexity": np.exp(-(n * np.log(p)).sum(dtype=F) / n.sum(dtype=F))}

    def bound(self):
        total = -sum(self.n * (self.g * np.log(np.where(self.g > 0, self.g, F(1)))).sum(1, dtype=F), F(0))
        N_jk, N_wk = self.sums[0][:, 0], self.sums[1][:, 0]
        for N, a in ((N_jk, np.tile(self.alpha, (self.D, 1))), (N_wk.T, np.tile(self.eta, (self.K, 1)))):
            A = a.sum(1, dtype=F)
            total += (log_gamma(A) - log_gamma(A + N.sum(1, dtype=F))).sum(dtype=F)
            total += (log_gamma(a + N) - log_gamma(a)).sum(dtype=F)
        return {"bound": total}

    def hyperparameters(self):
        N_jk, N_wk, _ = (sums[:, 0] for sums in self.sums)
        return {"alpha": self.minka("alpha", N_jk, self.alpha), "eta": self.minka("eta", N_wk.T, self.eta)}

    def minka(self, name, N, a):
        shape, rate = F(self.case["gamma_prior"]["shape"]), F(self.case["gamma_prior"]["rate"])
        A, rises = a.sum(dtype=F, keepdims=True), (digamma(N + a) - digamma(a)).sum(0, dtype=F)
        total = (digamma(N.sum(1, dtype=F) + A) - digamma(A)).sum(dtype=F)
        if isinstance(self.case["prior"][name], list):
            return (shape - 1 + a * rises) / (rate + total)
        return (shape - 1 + a[0] * rises.sum(dtype=F)) / (rate + F(len(a)) * total)


def answer(case):
    operation = case["operation"]
    able = case["algorithm"] in ALGORITHMS and case.get("schedule") in SCHEDULES and hasattr(Port, operation)
    if not able or (operation == "bound" and case["algorithm"] != "vb"):
        return {"id": case["id"], "skip": "not in this port"}
    with np.errstate(all="ignore"):
        return {"id": case["id"], **getattr(Port(case), operation)()}
