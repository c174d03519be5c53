"""The narrow port with running sums."""

from .narrow import Port


class Running(Port):
    """The same, but the sweeps of cvb0 in `token` order keep running sums: they subtract the old row and add the new."""

    def swept(self, gamma, schedule, rows=None):
        if (self.name, schedule) != ("cvb0", "token") or self.held is not None:
            return super().swept(gamma, schedule, rows)
        new, n = gamma.copy(), self.real(self.n)
        N_jk, N_wk, N_k = self.counts(gamma)
        for i, (j, w) in enumerate(zip(self.j, self.w, strict=True)):
            old = new[i].copy()
            x = (N_jk[j] - old + self.alpha) * (N_wk[w] - old + self.eta[w]) / (N_k - old + self.H)
            new[i] = self.normalised(x)
            for N in (N_jk[j], N_wk[w], N_k):
                N += n[i] * (new[i] - old)
        return new
