"""The step of expectation propagation for one row, Minka and Lafferty 2002, with theta and phi both free.

q is a product of Dirichlet distributions of each theta_j and each phi_k. Each token has a site, whose exponents are
a_k at theta_jk and b_vk at phi_vk of all words v; the n tokens of a row have equal sites. A parameter of q is that of
the prior plus the exponents of all sites. A row is refined in three steps:

    deletion     one site is taken out, which leaves the cavity g_k, h_vk
    moments      theta_j is a mixture of the Dirichlets of g + 1 at k, with the weights r_k; phi_k is one of those of
                 h_k + 1 at w and of h_k, with the weights r_k and 1 - r_k. Each is replaced by one Dirichlet.
    inclusion    the site moves by the fraction `damping` of the new parameters less those of q

If a parameter of the cavity, or of q with the new sites of all n tokens, is not positive, the site is left as it is.
"""

from __future__ import annotations

from typing import Any

from .numbers import Number
from .problem import Answer, Row, Rows
from .sweeps import Algorithm

Site = tuple[Row, Rows]  # exponents at theta_jk of the row's document, and at phi_vk


class EPStep(Algorithm):
    """The weights r and the site of one row after its step, and how many tokens were left as they were."""

    def answer(self) -> Answer:
        i = self.case["row"]
        sites_jk, sites_wk = self.sites()
        old_site: Site = sites_jk[i], sites_wk[i]
        q = self.parameters()
        cavity = self.cavity(q, old_site)
        no_step_answer = {"gamma_k": self.gamma[i], "site_k": old_site[0], "site_wk": old_site[1], "left": self.n[i]}
        if not self.deleted(cavity):
            return no_step_answer
        r = self.weights_of(cavity, self.w[i])
        matched_q = self.matched(cavity, r, self.w[i])
        q_step = self.combined(matched_q, self.damping(), q, -self.damping())  # ML02 [inclusion]
        if not self.included(self.combined(q, 1, q_step, self.n[i])):
            return no_step_answer
        site_k, site_wk = self.combined(old_site, 1, q_step, 1)
        return {"gamma_k": r, "site_k": site_k, "site_wk": site_wk, "left": 0}

    def damping(self) -> Number:
        return self.given("damping")

    def sites(self) -> tuple[Rows, list[Rows]]:
        state = self.case["state"]
        return self.read(state["sites_jk"]), self.read(state["sites_wk"])

    def parameters(self) -> Site:
        """The parameters of q: of theta of the row's document, and of phi."""
        (sites_jk, sites_wk), document_rows = self.sites(), self.of_document(self.j[self.case["row"]])
        q_k = [self.alpha[k] + self.sum(self.n[i] * sites_jk[i][k] for i in document_rows) for k in range(self.K)]
        q_wk = [
            [self.eta[v][k] + self.sum(self.n[i] * sites_wk[i][v][k] for i in range(self.M)) for k in range(self.K)]
            for v in range(self.W)
        ]
        return q_k, q_wk

    def cavity(self, q: Site, site: Site) -> Site:
        """The parameters of q without the site of one token."""
        return self.combined(q, 1, site, -1)  # ML02 [deletion]

    def combined(self, x: Site, a: Any, y: Site, b: Any) -> Site:
        """a x + b y."""

        def combined_rows(row_x: Row, row_y: Row) -> Row:
            return [a * u + b * v for u, v in zip(row_x, row_y, strict=True)]

        return combined_rows(x[0], y[0]), list(map(combined_rows, x[1], y[1]))

    def proper(self, q: Site) -> bool:
        """Whether all parameters are positive."""
        return all(self.positive(parameter) for row in (q[0], *q[1]) for parameter in row)

    def deleted(self, cavity: Site) -> bool:
        """Whether the site is refined from this cavity."""
        return self.proper(cavity)

    def included(self, new_q: Site) -> bool:
        """Whether the new sites are taken, if q is then `new_q`."""
        return self.proper(new_q)

    def weights_of(self, cavity: Site, w: int) -> Row:
        """r_k."""
        g, h = cavity
        return self.normalised([g[k] * h[w][k] / self.sum(self.column(h, k)) for k in range(self.K)])  # ML02 [moments]

    def matched(self, cavity: Site, r: Row, w: int) -> Site:
        """q after the moments are matched."""
        g, h = cavity
        q_k = self.match(r, [[g[k] + (k == topic_of_token) for k in range(self.K)] for topic_of_token in range(self.K)])
        q_kw = []
        for k in range(self.K):
            h_k = self.column(h, k)
            q_kw.append(self.match([1 - r[k], r[k]], [h_k, [h_k[v] + (v == w) for v in range(self.W)]]))
        return q_k, [[q_kw[k][v] for k in range(self.K)] for v in range(self.W)]

    def match(self, r: Row, a: Rows) -> Row:
        """The Dirichlet with the mean and the sum of second moments of a mixture of Dirichlets a with weights r.

        With m the mean and s the sum of second moments, its parameters are (1 - s) / (s - sum of m²) m. A vector of one
        entry is 1, and the parameter is the mean of those of the mixture.
        """
        if len(a[0]) == 1:
            return [self.sum(x * row[0] for x, row in zip(r, a, strict=True))]
        m, A = self.means(r, a), [self.sum(row) for row in a]
        s = self.sum(x * v * (v + 1) / (t * (t + 1)) for x, row, t in zip(r, a, A, strict=True) for v in row)
        a_sum = (1 - s) / (s - self.sum(v * v for v in m))
        return [a_sum * v for v in m]  # ML02 [moments]

    def means(self, r: Row, a: Rows) -> Row:
        return [self.sum(x * row[v] / self.sum(row) for x, row in zip(r, a, strict=True)) for v in range(len(a[0]))]
