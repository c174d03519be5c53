"""The other operations of the narrow port: those of operations.json. As in `narrow`, every number has one type."""

import numpy as np


class Operations:
    """Methods of `narrow.Port`, which has the sums and the functions."""

    def table(self, name, of=None):
        return self.real((of or self.case)[name])

    def expected_log(self, a, axis):
        if axis == 0:
            return self.expected_log(a.T, 1).T
        return self.digamma(a) - self.digamma(self.add(a.T))[:, None]

    # Variational Bayes

    def of_e_step(self, gamma):
        alpha_jk, log_phi = self.table("alpha_jk"), self.expected_log(self.table("eta_wk"), 0)
        for _ in range(self.case["iterations"]):
            x = self.expected_log(alpha_jk, 1)[self.j] + log_phi[self.w]
            gamma = np.array([self.normalised(np.exp(row - row.max())) for row in x], self.dtype)
            alpha_jk = self.counts(gamma)[0] + self.alpha
        return {"alpha_jk": alpha_jk}

    def of_m_step(self, gamma):
        return {"eta_wk": self.counts(gamma)[1] + self.eta[:, None]}

    def of_elbo(self, gamma):
        alpha_jk, eta_wk = self.table("alpha_jk"), self.table("eta_wk")
        log_theta, log_phi = self.expected_log(alpha_jk, 1), self.expected_log(eta_wk, 0)
        x = (log_theta[self.j] + log_phi[self.w]).T
        of_tokens = self.real(self.n) * (np.log(self.add(np.exp(x - x.max(0)))) + x.max(0))
        parts = [
            of_tokens,
            *self.less_log_q(self.alpha, alpha_jk, log_theta),
            *self.less_log_q(self.eta, eta_wk.T, log_phi.T),
        ]
        return {"bound": self.add(np.concatenate(parts))}

    def less_log_q(self, a, b, E_log):
        L = self.log_gamma
        return L(self.add(a)) - L(self.add(b.T)), (L(b) - L(a) + (a - b) * E_log).ravel()

    def of_fold_in(self, gamma):
        self.held = self.table("phi_wk")
        gamma = self.real(np.full((len(self.n), self.K), 1 / self.K))
        for _ in range(self.case["sweeps"]):
            gamma = self.swept(gamma, self.case["schedule"])
        return {"theta_jk": self.estimates(gamma)[0]}

    # The model

    def of_log_joint(self, gamma):
        N_jk, N_wk, _ = self.counts(gamma)
        parts = [*self.log_beta(self.alpha, N_jk), *self.log_beta(self.eta, N_wk.T)]
        return {"log_joint": self.add(np.concatenate(parts))}

    def log_beta(self, a, N):
        L = self.log_gamma
        return L(self.add(a)) - L(self.add(a) + self.add(N.T)), (L(a + N) - L(a)).ravel()

    def of_full_log_joint(self, gamma):
        N_jk, N_wk, _ = self.counts(gamma)
        parts = []
        for a, N, x in ((self.alpha, N_jk, self.table("theta_jk")), (self.eta, N_wk.T, self.table("phi_wk").T)):
            parts += [
                np.repeat(self.log_gamma(self.add(a)), len(N)),
                ((a - 1 + N) * np.log(x) - self.log_gamma(a)).ravel(),
            ]
        return {"log_joint": self.add(np.concatenate(parts))}

    def of_document_evidence(self, gamma):
        phi, logs = self.table("phi_wk"), []
        for j in range(self.D):
            polynomial = {(0,) * self.K: self.dtype(1)}  # from the exponents of theta to coefficients
            for w in np.repeat(self.w[self.j == j], self.n[self.j == j]):
                product = {}
                for m, x in polynomial.items():
                    for k in range(self.K):
                        up = (*m[:k], m[k] + 1, *m[k + 1 :])
                        product[up] = product.get(up, self.dtype(0)) + x * phi[w, k]
                polynomial = product
            logs.append(np.log(self.add(np.array([x * self.moment(m) for m, x in polynomial.items()], self.dtype))))
        return {"log_evidence": np.array(logs, self.dtype)}

    def moment(self, m):
        """E[prod_k theta_k^m_k], one token after the other."""
        found, total = self.dtype(1), self.A
        for k in range(self.K):
            for t in range(m[k]):
                found, total = found * ((self.alpha[k] + self.dtype(t)) / total), total + self.dtype(1)
        return found

    # Gibbs sampling at a temperature

    def of_tempered_update(self, gamma):
        return self.of_update(gamma)

    def of_tempered_sweep(self, gamma):
        return self.of_sweep(gamma)

    # Expectation propagation

    def of_step(self, gamma):
        case, i = self.case, self.case["row"]
        jk, wk, n, w = (
            self.table("sites_jk", case["state"]),
            self.table("sites_wk", case["state"]),
            self.n[i],
            self.w[i],
        )
        copies = self.real(self.n)
        q_k = self.alpha + self.add((copies[:, None] * jk)[self.j == self.j[i]])
        q_wk = self.eta[:, None] + self.add(copies[:, None, None] * wk)
        g, h = q_k - jk[i], q_wk - wk[i]
        left = {"gamma_k": gamma[i], "site_k": jk[i], "site_wk": wk[i], "left": n}
        if min(g.min(), h.min()) <= 0:
            return left
        r = self.normalised(g * h[w] / self.add(h))
        one, damping = self.dtype(1), self.dtype(case["damping"])
        to_k = self.matched(r, g + np.eye(self.K, dtype=self.dtype))
        at_w = self.real(np.arange(self.W) == w)
        to_wk = [
            self.matched(self.real([one - r[k], r[k]]), np.array([h[:, k], h[:, k] + at_w])) for k in range(self.K)
        ]
        step_k, step_wk = damping * (to_k - q_k), damping * (np.array(to_wk).T - q_wk)
        if min((q_k + self.dtype(n) * step_k).min(), (q_wk + self.dtype(n) * step_wk).min()) <= 0:
            return left
        return {"gamma_k": r, "site_k": jk[i] + step_k, "site_wk": wk[i] + step_wk, "left": np.int64(0)}

    def matched(self, r, a):
        """The parameters m (1 - s) / (s - sum of m²) of a mixture of Dirichlets, the rows of a."""
        if a.shape[1] == 1:
            return self.add(r[:, None] * a)
        one, A = self.dtype(1), self.add(a.T)
        m = self.add(r[:, None] * a / A[:, None])
        s = self.add(r * self.add((a * (a + one)).T) / (A * (A + one)))
        return m * ((one - s) / (s - self.add(m * m)))

    # Steps along a gradient

    def log_density(self, u_jk, u_wk):
        x_jk, x_wk = np.exp(u_jk), np.exp(u_wk)
        theta, phi = (x_jk.T / self.add(x_jk.T)).T, x_wk / self.add(x_wk)
        x = theta[self.j] * phi[self.w]
        p = self.add(x.T)
        N_jk, N_wk, N_k = self.counts(x / p[:, None])
        L, eta = self.log_gamma, self.eta[:, None]
        of_u = [(self.alpha * u_jk - x_jk - L(self.alpha)).ravel(), (eta * u_wk - x_wk - L(eta)).ravel()]
        of_jk = N_jk - self.add(N_jk.T)[:, None] * theta + self.alpha - x_jk
        of_wk = N_wk - N_k * phi + eta - x_wk
        return self.add(np.concatenate([self.real(self.n) * np.log(p), *of_u])), of_jk, of_wk

    def of_gradient(self, gamma):
        found = self.log_density(self.table("u_jk"), self.table("u_wk"))
        return dict(zip(("log_density", "gradient_jk", "gradient_wk"), found, strict=True))

    def of_leapfrog(self, gamma):
        u, r, m = ([self.table(f"{name}_{side}") for side in ("jk", "wk")] for name in ("u", "momentum", "mass"))
        step = self.dtype(self.case["step"])
        half = step / self.dtype(2)
        for _ in range(self.case["leapfrogs"]):
            r = [x + half * v for x, v in zip(r, self.log_density(*u)[1:], strict=True)]
            u = [x + step * (v / mass) for x, v, mass in zip(u, r, m, strict=True)]
            r = [x + half * v for x, v in zip(r, self.log_density(*u)[1:], strict=True)]
        return {"u_jk": u[0], "u_wk": u[1], "momentum_jk": r[0], "momentum_wk": r[1]}

    def of_langevin(self, gamma):
        x, step, batch = self.table("x_wk"), self.dtype(self.case["step"]), self.case["batch"]
        _, N_wk, N_k = self.counts(gamma * self.real(np.isin(self.j, batch))[:, None])
        scale = self.dtype(self.D) / self.dtype(len(batch))
        drift = self.eta[:, None] - x + scale * (N_wk - N_k * (x / self.add(x)))
        return {"x_wk": np.abs(x + step / self.dtype(2) * drift + np.sqrt(step * x) * self.table("normals_wk"))}

    # Coherence

    def pairs(self, k):
        """The documents of the two words of each pair, those of the more probable word first."""
        v = np.argsort(-self.table("phi_wk")[:, k], kind="stable")[: self.case["words"]]
        documents = [set(self.j[self.w == x]) for x in v]
        return [(documents[l], documents[m]) for m in range(1, len(v)) for l in range(m)]

    def of_coherence_umass(self, gamma):
        def of(a, b):
            return np.log(self.dtype(len(a & b) + 1) / self.dtype(len(a)))

        sums = [self.add(np.array([of(*pair) for pair in self.pairs(k)], self.dtype)) for k in range(self.K)]
        return {"coherence": np.array(sums, self.dtype)}

    def of_coherence_npmi(self, gamma):
        def of(a, b):
            both = len(a & b)
            if both in (0, self.D):
                return self.dtype(1 if both else -1)
            p, q, r = (self.dtype(x) / self.dtype(self.D) for x in (both, len(a), len(b)))
            return np.log(p / (q * r)) / -np.log(p)

        means = []
        for k in range(self.K):
            values = np.array([of(*pair) for pair in self.pairs(k)], self.dtype)
            means.append(self.add(values) / self.dtype(len(values)))
        return {"coherence": np.array(means, self.dtype)}
