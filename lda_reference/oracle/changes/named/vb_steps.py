"""Mistakes in the steps of variational Bayes as libraries divide it, and in the probabilities of the model."""

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row, Rows
from .scopes import added, constant, only_with_number, where

# The steps of the documents and of the topics ------------------------------------------------------------------------


def from_constant(self: Any, right: Any, alpha_jk: Rows, topics: Rows) -> Rows:
    """alpha_jk after an iteration that begins with alpha_k + D/K, which stays in it."""
    constant_share = self.number(self.D) / self.K
    new_alpha_jk = right([[a + constant_share for a in self.alpha]] * self.D, topics)
    return [[x + constant_share for x in row] for row in new_alpha_jk]


def last(self: Any, right: Any, index: int) -> list[int]:
    """The last row of a document or a word."""
    rows: list[int] = right(index)
    return rows[-1:]


def by_row(self: Any, right: Any, alpha_jk: Rows, topics: Rows) -> Rows:
    """alpha_jk after an iteration that adds alpha once for each row."""
    extra_times = [len(self.of_document(j)) - 1 for j in range(self.D)]
    new_alpha_jk = right(alpha_jk, topics)
    return [
        [x + t * a for x, a in zip(row, self.alpha, strict=True)]
        for row, t in zip(new_alpha_jk, extra_times, strict=True)
    ]


def not_reset(self: Any, right: Any, alpha_jk: Rows, topics: Rows) -> Rows:
    """alpha_jk after an iteration that adds the counts to the old alpha_jk."""
    row_pairs = zip(right(alpha_jk, topics), alpha_jk, strict=True)
    return [[x - a + y for x, a, y in zip(row, self.alpha, old_row, strict=True)] for row, old_row in row_pairs]


e_step = where("vb", "e_step") | {
    "alpha-taken-as-sum": "alpha is divided by K",
    "topics-normalised": {"topics": lambda self, right: self.by_columns(self.normalised, right())},
    "digamma-of-sum-left-out": {"E_log_of": lambda self, right, a: list(map(self.digamma, a))},  # that of theta cancels
    "theta-in-digamma": {"E_log_theta": lambda self, right, alpha_jk: right(list(map(self.normalised, alpha_jk)))},
    "log-of-mean-parameter": "Ψ(x) is log x",
    "document-term-constant": {"iterated": from_constant},
}
steps = where("vb", ("e_step", "m_step", "online_step")) | {"last-row-alone": {"of_document": last, "of_word": last}}
both_steps = where("vb", ("e_step", "online_step")) | {
    "alpha-added-by-row": {"iterated": by_row},
    "parameters-not-reset": {"iterated": not_reset},
    "one-iteration-too-many": added(iterations=1),
    "one-iteration-too-few": added(iterations=-1),
    "tokens-lost-in-underflow": {"normalised": lambda self, right, x: right(x) if any(x) else x},
}
m_step = where("vb", "m_step") | {
    "eta-added-by-row": {"eta_wk": lambda self, right, w, k: right(w, k) + (len(self.of_word(w)) - 1) * self.eta[w][k]},
    "eta-taken-as-sum": "eta is divided by W",
    "parameters-normalised": {
        "answer": lambda self, right: {"eta_wk": self.by_columns(self.normalised, right()["eta_wk"])}
    },
}
fold_in = where(("vb", "cvb0"), "fold_in") | {
    "eta-added-to-topics": "eta is added to the value of the word's term",
    "one-sweep-more": "one more sweep is made",
    "theta-not-normalised": {
        "theta": lambda self, right, N_jk: [[n + a for n, a in zip(N, self.alpha, strict=True)] for N in N_jk]
    },
}

# The bound -----------------------------------------------------------------------------------------------------------


def mean_logs(self: Any, with_theta: bool, E_log_theta: Rows, E_log_phi: Rows) -> Number:
    """The sum over the tokens of E[log phi], and of E[log theta] if they are asked for, under the best q(z)."""
    total: Number = self.number(0)
    for i in range(self.M):
        log_pairs = list(zip(E_log_theta[self.j[i]], E_log_phi[self.w[i]], strict=True))
        gamma = self.normalised([self.exp(a + b) for a, b in log_pairs])
        total += self.n[i] * self.sum(g * (a * with_theta + b) for g, (a, b) in zip(gamma, log_pairs, strict=True))
    return total


def log_p_alone(self: Any, right: Any, a: Row, b: Row, E_log: Row) -> Number:
    """E[log p(x)] of x ~ Dirichlet(b), without the constants of p."""
    return self.sum((x - 1) * e for x, e in zip(a, E_log, strict=True))


elbo = where("vb", "elbo") | {
    "entropy-of-z-left-out": {"of_tokens": lambda self, right, *E_logs: mean_logs(self, True, *E_logs)},
    "entropies-of-parameters-left-out": {"less_log_q": log_p_alone},
    "divergences-added": dict.fromkeys(("of_theta", "of_phi"), lambda self, right, *arguments: -right(*arguments)),
    "normalisers-of-q-left-out": {
        "less_log_q": lambda self, right, a, b, E_log: right(a, b, E_log) + self.log_gamma(self.sum(b))
    },
    "terms-of-tokens-alone": {"of_theta": constant(0), "of_phi": constant(0)},
    "terms-of-phi-left-out": {"of_phi": constant(0)},
    "terms-of-theta-left-out": {"of_theta": constant(0)},
    "stale-topics": {
        # without what cancels the terms of E[log phi] if eta_wk is eta_w + N_wk
        "of_tokens": lambda self, right, *E_logs: right(*E_logs) - mean_logs(self, False, *E_logs),
        "of_phi": lambda self, right, eta_wk, E_log_phi: right(eta_wk, self.zeros(self.W)),
    },
}

# Probabilities -------------------------------------------------------------------------------------------------------


def log_orders(self: Any, j: int) -> Number:
    """The logarithm of the number of orders of a document's words: N_j! / prod_w n_jw!."""
    document_rows = self.of_document(j)
    word_counts = [sum(self.n[i] for i in document_rows if self.w[i] == w) for w in range(self.W)]
    log_of_all, *logs_of_words = (self.log_gamma(self.number(n + 1)) for n in (sum(word_counts), *word_counts))
    return log_of_all - self.sum(logs_of_words)


def log_likelihood(self: Any, j: int, theta: Row) -> Number:
    """log p(x_j | theta, phi)."""
    document_rows, phi = self.of_document(j), self.given("phi_wk")
    p = [self.sum(x * y for x, y in zip(theta, phi[self.w[i]], strict=True)) for i in document_rows]
    return self.sum(self.n[i] * self.log(x) for i, x in zip(document_rows, p, strict=True))


def at_posterior_mean(self: Any, right: Any, j: int) -> Number:
    """log p(x_j | theta, phi) at the mean of theta given x_j."""
    weights = {m: x * self.moment(m) for m, x in self.polynomial(j).items()}
    theta_weights = [self.sum(x * (self.alpha[k] + m[k]) for m, x in weights.items()) for k in range(self.K)]
    return log_likelihood(self, j, self.normalised(theta_weights))


def of_last(self: Any, right: Any) -> Number:
    """log p(x, z), of whose counts those of the last document and the last topic remain."""
    N_jk, N_wk = self.counts_of_topics(range(self.D))
    terms = [self.constant_of_theta(), self.constant_of_phi()]
    N_kw, eta = ([self.column(x, k) for k in range(self.K)] for x in (N_wk, self.eta))
    for N, a, totals in ((N_jk, [self.alpha] * self.D, [self.sum_alpha] * self.D), (N_kw, eta, self.sum_eta)):
        counts_and_priors = [
            (n, x) for row, prior in zip(N, a, strict=True) for n, x in zip(row, prior, strict=True) if self.positive(n)
        ]
        i_max = max(i for i, row in enumerate(N) if any(map(self.positive, row)))
        terms += [self.log_gamma(sum(counts_and_priors[-1]))]
        terms += [-self.log_gamma(total + self.sum(row)) for total, row in zip(totals[i_max:], N[i_max:], strict=True)]
    return self.sum(terms)


probabilities = where("lda", ("log_joint", "full_log_joint", "document_evidence")) | {
    "orders-counted": {
        "log_joint": lambda self, right: right() + self.sum(log_orders(self, j) for j in range(self.D)),
        "log_evidence": lambda self, right, j: right(j) + log_orders(self, j),
    }
}
log_joint = where("lda", "log_joint") | {
    "factorial-for-gamma": {"log_gamma_of_count": lambda self, right, x: right(x + 1)},
    "K-eta-in-totals": (
        only_with_number("eta"),
        {
            "sums_of_prior": lambda self, right: (self.sum_alpha, [self.K * e for e in self.eta[0]]),
            "constant_of_phi": lambda self, right: right() - (self.K - 1) * self.log_gamma(self.sum_eta[0]),
        },
    ),
    "zero-counts-left-out": {
        "of_counts": lambda self, right, N, a, total: right(
            [n for n in N if self.positive(n)], [x for n, x in zip(N, a, strict=True) if self.positive(n)], total
        )
    },
    "sum-overwritten": {"log_joint": of_last},
    "words-alone": {
        "constant_of_theta": constant(0),
        "of_counts": lambda self, right, N, a, total: [] if a is self.alpha else right(N, a, total),
    },
    "topics-alone": {
        "constant_of_phi": constant(0),
        "of_counts": lambda self, right, N, a, total: right(N, a, total) if a is self.alpha else [],
    },
    "normaliser-left-out": {"of_counts": lambda self, right, N, a, total: right(N, a, total)[:-1]},
}
full_log_joint = where("lda", "full_log_joint") | {
    "exponent-without-minus-one": {"exponent": lambda self, right, a, N: a + N},
    "densities-left-out": {
        "exponent": lambda self, right, a, N: N,
        "constant_of_theta": constant(0),
        "constant_of_phi": constant(0),
    },
}
document_evidence = where("lda", "document_evidence") | {
    "prior-mean-plugged-in": {
        "log_evidence": lambda self, right, j: log_likelihood(self, j, self.normalised(self.alpha))
    },
    "posterior-mean-plugged-in": {"log_evidence": at_posterior_mean},
}
