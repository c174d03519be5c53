"""A port of LDA inference in NumPy that takes row after row and keeps count tables up to date."""

import numpy as np
from scipy.special import digamma, gammaln, logsumexp, xlogy

TOKEN_BY_TOKEN = ("cgs", "gibbs", "lda")
EXCLUDES_A_TOKEN = ("cvb0", "cvb", "cvb1d", "cvb_exact", "cgs")
ALGORITHMS = ("ml", "map", "vb", "vem", "tcvb0", "scvb0", *EXCLUDES_A_TOKEN, *TOKEN_BY_TOKEN)


def ratio(x, total, where_empty):
    return np.divide(x, total, out=np.full(x.shape, where_empty), where=total > 0.0)


def normalised(x):
    return x / x.sum()


def exponentials(log_k):
    return np.exp(log_k - log_k.max())


def expected(function, offset, gamma, counts):  # the count of a topic is a sum of Bernoulli variables
    p = np.ones((1, gamma.shape[1]))
    for token_gamma in np.repeat(gamma, counts, axis=0):
        longer = np.zeros((len(p) + 1, len(token_gamma)))
        longer[:-1] += (1.0 - token_gamma) * p
        longer[1:] += token_gamma * p
        p = longer
    return (p * function(np.arange(len(p))[:, None] + offset)).sum(axis=0)


def draw_topic(x, u):
    partial = np.cumsum(x)
    return int((partial[:-1] <= u * partial[-1]).sum())


def minka(prior, counts, gamma_prior, is_vector):
    rise = (digamma(counts + prior) - digamma(prior)).sum(axis=0)
    total = (digamma(counts.sum(axis=1) + prior.sum()) - digamma(prior.sum())).sum()
    if is_vector:
        return (gamma_prior["shape"] - 1.0 + prior * rise) / (gamma_prior["rate"] + total)
    return (gamma_prior["shape"] - 1.0 + prior[0] * rise.sum()) / (gamma_prior["rate"] + len(prior) * total)


def expected_logs(x):  # of Dirichlet variables, one in each row
    return digamma(x) - digamma(x.sum(axis=1, keepdims=True))


def divergence(posterior, prior):  # of Dirichlet distributions, one in each row
    total = (gammaln(posterior.sum(axis=1)) - gammaln(prior.sum())).sum()
    total -= (gammaln(posterior) - gammaln(prior)).sum()
    total += ((posterior - prior) * expected_logs(posterior)).sum()
    return total


class Lda:
    def __init__(self, case):
        self.case, self.algorithm = case, case["algorithm"]
        self.D, self.W, self.K = case["corpus"]["D"], case["corpus"]["W"], case["K"]
        self.n = np.array(case["corpus"]["n"])
        self.first_token = np.cumsum(self.n) - self.n
        self.row_of_token = np.repeat(np.arange(len(self.n)), self.n)
        rows = np.arange(len(self.n))
        if self.algorithm in TOKEN_BY_TOKEN:
            rows = self.row_of_token
            self.n = np.ones(len(rows), dtype=int)
        self.j = np.array(case["corpus"]["j"])[rows]
        self.w = np.array(case["corpus"]["w"])[rows]
        self.alpha = np.zeros(self.K) + case["prior"]["alpha"]
        self.eta = np.zeros(self.W) + case["prior"]["eta"]
        self.H = self.eta.sum()
        for name in case.keys() & {"theta_jk", "phi_wk", "alpha_jk", "eta_wk"}:
            setattr(self, name, np.array(case[name]))
        if "state" in case:
            self.begin(case["state"])
            self.make_tables()

    def begin(self, state):
        if "gamma" in state:
            self.gamma = np.array(state["gamma"])
            return
        self.gamma = np.eye(self.K)[state["z"]]
        if self.algorithm not in TOKEN_BY_TOKEN:
            self.gamma = np.add.reduceat(self.gamma, self.first_token) / self.n[:, None]

    def make_tables(self):
        self.N_jk, self.V_jk = np.zeros((2, self.D, self.K))
        self.N_wk, self.V_wk = np.zeros((2, self.W, self.K))
        self.N_k, self.V_k = np.zeros((2, self.K))
        for i in range(len(self.n)):
            self.add(i, self.n[i])

    def add(self, i, count):
        N = count * self.gamma[i]
        self.N_jk[self.j[i]] += N
        self.N_wk[self.w[i]] += N
        self.N_k += N
        V = count * self.gamma[i] * (1.0 - self.gamma[i])
        self.V_jk[self.j[i]] += V
        self.V_wk[self.w[i]] += V
        self.V_k += V

    def exact_weights(self, i):
        counts = self.n.copy()
        counts[i] -= 1
        in_j = self.j == self.j[i]
        in_w = self.w == self.w[i]
        log_k = expected(np.log, self.alpha, self.gamma[in_j], counts[in_j])
        log_k += expected(np.log, self.eta[self.w[i]], self.gamma[in_w], counts[in_w])
        log_k -= expected(np.log, self.H, self.gamma, counts)
        return exponentials(log_k)

    def weights(self, j, w):
        N_j = np.maximum(self.N_jk[j], 0.0)
        N_w = np.maximum(self.N_wk[w], 0.0)
        N_k = np.maximum(self.N_k, 0.0)
        a = N_j + self.alpha
        b = N_w + self.eta[w]
        c = N_k + self.H
        if self.case["operation"] == "fold_in":
            return self.phi_wk[w] * (exponentials(digamma(a)) if self.algorithm == "vb" else a)
        if self.algorithm == "gibbs":
            return self.theta_jk[j] * self.phi_wk[w]
        if self.algorithm == "ml":
            return N_j * ratio(N_w, N_k, 0.0)
        if self.algorithm == "map":
            return (a - 1.0) * (b - 1.0) / (c - self.W)
        if self.algorithm == "vem":
            return exponentials(digamma(a)) * ratio(N_w, N_k, 0.0)
        if self.algorithm == "vb":
            return exponentials(digamma(a) + digamma(b) - digamma(c))
        x = a * b / c
        if self.algorithm == "cvb":
            exponent = self.V_k / (2.0 * c**2)
            exponent -= self.V_jk[j] / (2.0 * a**2)
            exponent -= self.V_wk[w] / (2.0 * b**2)
            return exponentials(np.log(x) + exponent)
        if self.algorithm == "cvb1d":
            return x * (1.0 + self.V_k / c**2)
        return x

    def new_gamma(self, i):
        if self.algorithm == "cvb_exact":
            return normalised(self.exact_weights(i))
        excluded = 1 if self.algorithm in EXCLUDES_A_TOKEN else 0
        if self.algorithm == "tcvb0":
            excluded = self.n[i]
        self.add(i, -excluded)
        x = self.weights(self.j[i], self.w[i])
        self.add(i, excluded)
        return normalised(x)

    def assign(self, i, gamma_k):
        self.add(i, -self.n[i])
        self.gamma[i] = gamma_k
        self.add(i, self.n[i])

    def groups(self, schedule):  # the rows between two refreshes of the tables
        rows = np.arange(len(self.j))
        if schedule == "token":
            return np.split(rows, rows[1:])
        if schedule == "corpus":
            return [rows]
        first_rows = np.unique(self.j, return_index=True)[1]
        B = self.case.get("blocks", self.D)
        if B < self.D:
            later = [first_rows[first_rows * B >= b * len(rows)] for b in range(B)]
            first_rows = np.unique([firsts[0] for firsts in later if len(firsts) > 0])
        return np.split(rows, first_rows[1:])

    def one_sweep(self):
        self.make_tables()
        for rows in self.groups(self.case["schedule"]):
            new_rows = [self.new_gamma(i) for i in rows]
            for i, gamma_k in zip(rows, new_rows, strict=True):
                self.assign(i, gamma_k)

    def one_sweep_of_draws(self):
        for t in range(len(self.n)):
            topic = draw_topic(self.new_gamma(t), self.case["uniforms"][t])
            self.assign(t, np.eye(self.K)[topic])

    def nested_sweep(self):
        self.make_tables()
        for rows in self.groups("document"):
            self.gamma[rows] = 1.0 / self.K
            for _ in range(self.case["inner"]):
                self.N_jk[self.j[rows[0]]] = self.n[rows] @ self.gamma[rows]
                self.gamma[rows] = [self.new_gamma(i) for i in rows]

    def update(self):
        i = self.case["row"]
        if self.algorithm in TOKEN_BY_TOKEN:
            i = self.first_token[i] + self.case["token"]
        return {"gamma_k": self.new_gamma(i)}

    def draw(self):
        return {"topic": draw_topic(self.update()["gamma_k"], self.case["uniform"])}

    def sweep(self, n_sweeps=1):
        for _ in range(n_sweeps):
            if self.algorithm in TOKEN_BY_TOKEN:
                self.one_sweep_of_draws()
            elif self.case["schedule"] == "nested":
                self.nested_sweep()
            else:
                self.one_sweep()
        if self.algorithm in TOKEN_BY_TOKEN:
            return {"z": self.gamma.argmax(axis=1)}
        return {"gamma": self.gamma}

    def ten_sweeps(self):
        return self.sweep(10)

    def converged(self):
        for _ in range(10000):
            before = self.gamma.copy()
            self.one_sweep()
            if np.abs(self.gamma - before).max() <= 1e-14:
                break
        return {"gamma": self.gamma}

    def summary(self):
        answer_of_sweeps = self.sweep(self.case["sweeps"])
        if "z" in answer_of_sweeps:
            return answer_of_sweeps
        m = np.arange(self.gamma.size)
        return {"cosine": np.cos(m) @ self.gamma.ravel(), "sine": np.sin(m) @ self.gamma.ravel()}

    def estimate(self):
        alpha, eta = self.alpha, self.eta[:, None]
        if self.algorithm == "map":
            alpha, eta = alpha - 1.0, eta - 1.0
        if self.algorithm == "ml":
            alpha = 0.0 * alpha
        if self.algorithm in ("ml", "vem"):
            eta = 0.0 * eta
        N_j = self.N_jk.sum(axis=1, keepdims=True)
        theta_jk = ratio(self.N_jk + alpha, N_j + alpha.sum(), 1.0 / self.K)
        phi_wk = ratio(self.N_wk + eta, self.N_k + eta.sum(), 1.0 / self.W)
        return {"theta_jk": theta_jk, "phi_wk": phi_wk}

    def predict(self):
        test, estimates = self.case["test"], self.estimate()
        p = (estimates["theta_jk"][test["j"]] * estimates["phi_wk"][test["w"]]).sum(axis=1)
        with np.errstate(divide="ignore"):
            log_likelihood = np.dot(test["n"], np.log(p))
        return {"token_probability": p, "perplexity": np.exp(-log_likelihood / sum(test["n"]))}

    def expected_lgamma(self, offset, rows):
        return expected(gammaln, offset, self.gamma[rows], self.n[rows])

    def bound(self):
        L_jk = gammaln(self.alpha + self.N_jk)
        L_wk = gammaln(self.eta[:, None] + self.N_wk)
        L_k = gammaln(self.H + self.N_k)
        if self.algorithm not in ("vb", "lda"):
            L_jk = np.array([self.expected_lgamma(self.alpha, self.j == j) for j in range(self.D)])
            L_wk = np.array([self.expected_lgamma(self.eta[w], self.w == w) for w in range(self.W)])
            L_k = self.expected_lgamma(self.H, self.n > 0)
        total = (gammaln(self.alpha.sum()) - gammaln(self.alpha.sum() + self.N_jk.sum(axis=1))).sum()
        total += (L_jk - gammaln(self.alpha)).sum()
        total += (gammaln(self.H) - L_k).sum()
        total += (L_wk - gammaln(self.eta)[:, None]).sum()
        total -= self.n @ xlogy(self.gamma, self.gamma).sum(axis=1)
        return {"bound": total}

    def log_joint(self):  # the entropy of a sample is 0
        return {"log_joint": self.bound()["bound"]}

    def full_log_joint(self):
        total = self.D * (gammaln(self.alpha.sum()) - gammaln(self.alpha).sum())
        total += self.K * (gammaln(self.H) - gammaln(self.eta).sum())
        total += xlogy(self.N_jk + self.alpha - 1.0, self.theta_jk).sum()
        total += xlogy(self.N_wk + self.eta[:, None] - 1.0, self.phi_wk).sum()
        return {"log_joint": total}

    def document_evidence(self):
        return {"log_evidence": [self.log_evidence(self.w[self.j == j]) for j in range(self.D)]}

    def log_evidence(self, words):  # of a polynomial in theta, {exponents: coefficient}
        polynomial = {(0,) * self.K: 1.0}
        for w in words:
            product = {}
            for m, coefficient in polynomial.items():
                for k in range(self.K):
                    raised = (*m[:k], m[k] + 1, *m[k + 1 :])
                    product[raised] = product.get(raised, 0.0) + coefficient * self.phi_wk[w, k]
            polynomial = product
        log_moments = (gammaln(self.alpha + list(polynomial)) - gammaln(self.alpha)).sum(axis=1)
        log_moments += gammaln(self.alpha.sum()) - gammaln(self.alpha.sum() + len(words))
        return logsumexp(log_moments, b=list(polynomial.values()))

    def hyperparameters(self):
        prior, gamma_prior = self.case["prior"], self.case["gamma_prior"]
        alpha = minka(self.alpha, self.N_jk, gamma_prior, isinstance(prior["alpha"], list))
        eta = minka(self.eta, self.N_wk.T, gamma_prior, isinstance(prior["eta"], list))
        return {"alpha": alpha, "eta": eta}

    def gamma_of_parameters(self):
        self.logs = expected_logs(self.alpha_jk)[self.j] + expected_logs(self.eta_wk.T).T[self.w]
        x = np.exp(self.logs - self.logs.max(axis=1, keepdims=True))
        self.gamma = x / x.sum(axis=1, keepdims=True)
        self.make_tables()

    def e_step(self):
        for _ in range(self.case["iterations"]):
            self.gamma_of_parameters()
            self.alpha_jk = self.alpha + self.N_jk
        return {"alpha_jk": self.alpha_jk}

    def m_step(self):
        return {"eta_wk": self.eta[:, None] + self.N_wk}

    def elbo(self):
        self.gamma_of_parameters()
        total = self.n @ logsumexp(self.logs, axis=1)
        total -= divergence(self.alpha_jk, self.alpha)
        total -= divergence(self.eta_wk.T, self.eta)
        return {"bound": total}

    def online_step(self):
        if self.algorithm == "scvb0":
            return self.online_step_of_scvb0()
        self.e_step()
        self.gamma_of_parameters()
        estimate_wk = self.eta[:, None] + self.case["total_D"] / self.D * self.N_wk
        rho = (self.case["tau0"] + self.case["t"]) ** -self.case["kappa"]
        eta_wk = (1.0 - rho) * self.eta_wk + rho * estimate_wk
        return {"alpha_jk": self.alpha_jk, "eta_wk": eta_wk}

    def online_step_of_scvb0(self):
        N_jk, N_wk, N_k = (np.array(self.case[name]) for name in ("N_jk", "N_wk", "N_k"))
        N_j = np.bincount(self.j, self.n, self.D)
        self.gamma = np.zeros((len(self.n), self.K))
        for rows in self.groups("document"):
            for i in np.tile(rows, self.case["burn_in"] + 1):
                j, w = self.j[i], self.w[i]
                x = (N_jk[j] + self.alpha) * (N_wk[w] + self.eta[w]) / (N_k + self.H)
                self.gamma[i] = normalised(x)
                kept = (1.0 - self.case["rho_theta"]) ** self.n[i]
                N_jk[j] = kept * N_jk[j] + (1.0 - kept) * N_j[j] * self.gamma[i]
        self.make_tables()
        estimate_wk = self.case["total_N"] / self.n.sum() * self.N_wk
        rho = self.case["rho_phi"]
        N_wk = (1.0 - rho) * N_wk + rho * estimate_wk
        N_k = (1.0 - rho) * N_k + rho * estimate_wk.sum(axis=0)
        return {"N_jk": N_jk, "N_wk": N_wk, "N_k": N_k}

    def fold_in(self):
        self.gamma = np.full((len(self.n), self.K), 1.0 / self.K)
        self.make_tables()
        self.sweep(self.case["sweeps"])
        return {"theta_jk": self.estimate()["theta_jk"]}


def answer(case):
    is_written = case["algorithm"] in ALGORITHMS and hasattr(Lda, case["operation"])
    if not is_written or case.get("schedule") == "interleaved":
        return {"id": case["id"], "skip": "not written"}
    answer_fields = getattr(Lda(case), case["operation"])()
    return {"id": case["id"], **{name: np.asarray(x).tolist() for name, x in answer_fields.items()}}
