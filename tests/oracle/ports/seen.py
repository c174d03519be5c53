"""A port in NumPy with the mistakes that were seen in public code, written without the code that makes the vectors.

It keeps running sums, has topics as the first axis, and goes through rows, words and documents from the last.
"""

import math

import numpy as np
from scipy.special import gammaln, loggamma, psi

# The mistakes, and the cases in which they can be made
WHERE = {
    "topic-total-of-document": "cvb/update,cvb/sweep,cvb0/update,cvb0/sweep",
    "document-counts-normalised": "cvb0/update,cvb0/sweep",
    "gamma-of-length-one": "cvb0/update,cvb0/sweep",
    "K-eta-for-W-eta": "cvb0/update,cvb0/sweep,cgs/update",
    "variance-drifts": "cvb/sweep",
    "probability-of-topic-before": "cgs/sweep",
    "entropy-subtracted": "vb/bound",
    "document-term-constant": "vb/e_step",
    "stale-topics": "vb/elbo",
    "sum-overwritten": "lda/log_joint",
    "zero-counts-left-out": "lda/log_joint",
    "K-eta-in-totals": "lda/log_joint",
}


class Given:
    """The corpus and the prior of a case: `a` (K,), `b` (K, W); a row of a sampler is a token."""

    def __init__(self, case):
        c, p, self.K, state = case["corpus"], case["prior"], case["K"], case.get("state", {})
        self.doc, self.word, self.reps = (np.array(c[x], int) for x in ("j", "w", "n"))
        self.docs, self.words = c["D"], c["W"]
        self.a = np.zeros(self.K) + p["alpha"]
        self.b = np.zeros((self.K, self.words)) + np.array(p["eta"])
        self.q = np.array(state["gamma"]).T if "gamma" in state else None
        if "z" in state:
            self.doc, self.word = self.doc.repeat(self.reps), self.word.repeat(self.reps)
            self.first = self.reps.cumsum() - self.reps
            self.reps = np.ones(len(self.doc), int)
            self.q = np.eye(self.K)[:, state["z"]]

    def added(self, x):
        """Tables of x (K, rows) by document, by word and in all, from the last row."""
        by_doc, by_word = np.zeros((self.K, self.docs)), np.zeros((self.K, self.words))
        for r in reversed(range(len(self.doc))):
            by_doc[:, self.doc[r]] += x[:, r]
            by_word[:, self.word[r]] += x[:, r]
        return by_doc, by_word, by_word[:, ::-1].sum(1)


# Updates and sweeps --------------------------------------------------------------------------------------------------


class Kept:
    """The sums that a sweep by token changes as it goes: means, and for CVB variances."""

    def __init__(self, g, wrong, second_order):
        self.g, self.wrong, self.second_order, self.q = g, wrong, second_order, g.q.copy()
        self.means, self.spreads = g.added(self.q * g.reps), g.added(self.q * (1 - self.q) * g.reps)

    def seen(self, sums, r, own):
        """The document's, the word's and the total of some sums without one token of row r."""
        by_doc, by_word, total = sums
        if self.wrong == "topic-total-of-document":
            mine = sorted(set(self.g.word[self.g.doc == self.g.doc[r]]), reverse=True)
            total = sum(by_word[:, w] for w in mine)
        return by_doc[:, self.g.doc[r]] - own, by_word[:, self.g.word[r]] - own, total - own

    def masses(self, r):
        """Numbers proportional to the probabilities of the topics of row r."""
        g, old = self.g, self.q[:, r]
        d, w, t = self.seen(self.means, r, old)
        d = d + g.a
        if self.wrong == "document-counts-normalised":
            by_doc, by_word, total = self.means
            d, w, t = by_doc[:, g.doc[r]], by_word[:, g.word[r]], total
            d = d / d.sum() + g.a
        b = g.b[:, g.word[r]]
        w, t = w + b, t + (g.K * b if self.wrong == "K-eta-for-W-eta" else g.b.sum(1))
        x = w / t * d
        if self.second_order:
            vd, vw, vt = self.seen(self.spreads, r, old * (1 - old))
            x = x * np.exp(vt / t**2 / 2 - vw / w**2 / 2 - vd / d**2 / 2)
        return x

    def new(self, r):
        x = self.masses(r)
        return x / (math.hypot(*x) if self.wrong == "gamma-of-length-one" else math.fsum(x))

    def put(self, r, new):
        """Replace the topics of row r, and change the sums."""
        d, w, n, old = self.g.doc[r], self.g.word[r], self.g.reps[r], self.q[:, r]
        more = new if self.wrong == "variance-drifts" else new * (1 - new)
        for (by_doc, by_word, total), change in ((self.means, new - old), (self.spreads, more - old * (1 - old))):
            for part in (by_doc[:, d], by_word[:, w], total):
                part += n * change
        self.q[:, r] = new


def topic(masses, u, wrong):
    """The topic that a uniform number chooses."""
    p = masses / masses.sum()
    left, k = u, 0
    while k < len(p) - 1 and left >= p[k - (wrong == "probability-of-topic-before")]:
        left -= p[k - (wrong == "probability-of-topic-before")]
        k += 1
    return k


def steps(case, wrong):
    g = Given(case)
    kept, sampler = Kept(g, wrong, case["algorithm"] == "cvb"), case["algorithm"] == "cgs"
    row = case.get("row", 0)
    if sampler and "token" in case:
        row = g.first[row] + case["token"]
    if case["operation"] == "draw":
        return {"topic": topic(kept.masses(row), case["uniform"], wrong)}
    if case["operation"] == "update":
        return {"gamma_k": kept.new(row).tolist()}
    if case["schedule"] != "token":
        return {"skip": "running sums are changed after each token"}
    for r in range(len(g.doc)):
        new = np.eye(g.K)[topic(kept.masses(r), case["uniforms"][r], wrong)] if sampler else kept.new(r)
        kept.put(r, new)
    return {"z": kept.q.argmax(0).tolist()} if sampler else {"gamma": kept.q.T.tolist()}


# Bounds and probabilities --------------------------------------------------------------------------------------------


def beta_function(x):
    """The logarithm of the normaliser of a Dirichlet distribution."""
    return sum(gammaln(v) for v in reversed(x)) - gammaln(math.fsum(x))


def bound(case, wrong):
    g = Given(case)
    by_doc, by_word, _ = g.added(g.q * g.reps)
    total = sum(beta_function(by_word[k] + g.b[k]) - beta_function(g.b[k]) for k in reversed(range(g.K)))
    total += sum(beta_function(by_doc[:, d] + g.a) - beta_function(g.a) for d in reversed(range(g.docs)))
    certain = (np.log(np.where(g.q > 0, g.q, 1)) * g.q).sum(0) @ g.reps
    return {"bound": total + certain if wrong == "entropy-subtracted" else total - certain}


def log_mean(x):
    """The mean logarithms of the rows of a table of parameters."""
    return psi(x) - psi(x.sum(1, keepdims=True))


def e_step(case, wrong):
    g, now = Given(case), np.array(case["alpha_jk"])
    tokens = log_mean(np.array(case["eta_wk"]).T)[:, g.word]
    start = g.docs / g.K if wrong == "document-term-constant" else 0
    for _ in range(case["iterations"]):
        if wrong == "document-term-constant":
            now = np.tile(g.a + start, (g.docs, 1))
        x = tokens + psi(now[g.doc]).T
        x = np.exp(x - x.max(0))
        now = g.added(x / x.sum(0) * g.reps)[0].T + g.a + start
    return {"alpha_jk": now.tolist()}


def elbo(case, wrong):
    """With old topics, what an E step and an M step after it would add up."""
    g, docs, topics = Given(case), np.array(case["alpha_jk"]), np.array(case["eta_wk"]).T
    of_docs, of_words = log_mean(docs), log_mean(topics)
    x = of_docs[g.doc].T + of_words[:, g.word]
    z = np.exp(x) / np.exp(x).sum(0)
    log_z = x - np.log(np.exp(x).sum(0))
    words = of_words if wrong != "stale-topics" else np.zeros_like(of_words)
    total = (z * (of_docs[g.doc].T + words[:, g.word] - log_z) * g.reps).sum()
    total += sum(beta_function(y) - beta_function(g.a) + (g.a - y) @ m for y, m in zip(docs, of_docs, strict=True))
    total += sum(beta_function(y) - beta_function(b) + (b - y) @ m for y, b, m in zip(topics, g.b, words, strict=True))
    return {"bound": total}


def log_joint(case, wrong):
    g = Given(case)
    by_doc, by_word, _ = g.added(g.q)
    wrong_totals = wrong == "K-eta-in-totals" and not isinstance(case["prior"]["eta"], list)
    total = 0.0
    for counts, prior, size in ((by_doc.T, [g.a] * g.docs, 1), (by_word, g.b, g.K / g.words if wrong_totals else 1)):
        kept = 0.0
        for n, p in zip(counts, prior, strict=True):
            for m, q in zip(n, p, strict=True):
                if m > 0 or wrong not in ("sum-overwritten", "zero-counts-left-out"):
                    kept = loggamma(m + q) + (kept if wrong != "sum-overwritten" else 0)
            kept -= loggamma(p.sum() * size + n.sum())
        for i, p in enumerate(prior):
            kept += 0 if wrong_totals and prior is g.b and i > 0 else loggamma(p.sum() * size)
            kept -= gammaln(p).sum()
        total += kept
    return {"log_joint": float(total)}


OPERATIONS = {
    "update": steps, "sweep": steps, "draw": steps, "bound": bound, "e_step": e_step, "elbo": elbo, "log_joint": log_joint
}  # fmt: skip


def port(wrong=None):
    """A function that answers cases, with a mistake or without."""
    return lambda case: {"id": case["id"], **OPERATIONS[case["operation"]](case, wrong)}
