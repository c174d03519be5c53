"""The starts of the narrow port. As in `narrow`, every number has one type."""

from itertools import pairwise

import numpy as np


class Starts:
    """Methods of `narrow.Port`, which has the sums, the update and the sweeps."""

    def like(self, phi, rows):
        return np.array([self.normalised(phi[w]) for w in self.w[rows]], self.dtype).reshape(-1, self.K)

    def of_start(self, gamma):
        return {"gamma": getattr(self, f"start_{self.name.replace('-', '_')}")(gamma)}

    def start_one_hot(self, gamma):
        return np.array([self.add(gamma[self.row == i]) / self.dtype(n) for i, n in enumerate(self.n)])

    def start_topics(self, gamma):
        x = self.real(self.case["weights_wk"])
        return self.like(x / self.add(x), slice(None))

    def start_documents(self, gamma):
        x = self.real(np.ones((self.W, self.K)))
        for k, j in enumerate(self.case["documents"]):
            for i in np.flatnonzero(self.j == j):
                x[self.w[i], k] += self.n[i]
        return self.like(x / self.add(x), slice(None))

    def start_incremental(self, gamma):
        u = self.real(self.case["uniforms"])
        for j in range(self.D):
            see = gamma.copy()
            for i in np.flatnonzero(self.j == j):
                gamma[i] = np.arange(self.K) == self.draw(self.weights(see, i), u[i])
        return gamma

    def start_collapsed(self, gamma):
        self.name = "cvb0"
        return self.of_ten_sweeps(gamma, "document")["gamma"]

    def start_growing(self, gamma):
        self.name = "cvb0"
        order = self.case["order"]
        sizes = [-(-self.D // 2**i) for i in range(6, -1, -1)]
        gamma[np.isin(self.j, order[: sizes[0]])] = self.real(self.case["first"]).reshape(-1, self.K)
        for now, after in pairwise(sizes):
            for _ in range(4):
                gamma = self.swept(gamma, "document", np.flatnonzero(np.isin(self.j, order[:now])))
            _, N_wk, N_k = self.counts(gamma)
            rows = np.isin(self.j, order[now:after])
            gamma[rows] = self.like((N_wk + self.eta[:, None]) / (N_k + self.H), rows)
        return gamma
