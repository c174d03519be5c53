"""Answers to the exercises: right ones, and a sample of wrong ones with words of the sentence that explains each."""

import math

import numpy as np
from scipy.special import digamma, gammaln, logsumexp


def log_joint(n_jk, n_wk, alpha, eta, constants=True, total=None):
    def factor(n, a, total):
        of_prior = len(n) * (gammaln(total) - gammaln(a).sum()) if constants else 0.0
        return of_prior + gammaln(n + a).sum() - gammaln(total + n.sum(axis=1)).sum()

    H = sum(eta) if total is None else total(alpha, eta)
    return factor(np.array(n_jk), np.array(alpha), sum(alpha)) + factor(np.transpose(n_wk), np.array(eta), H)


def shares(logarithms, largest=np.max):
    x = np.exp(logarithms - largest(logarithms))
    return x / x.sum()


def probabilities(n_jk, n_wk, n_k, alpha, eta_w, eta_sum):
    x = np.add(n_jk, alpha) * np.add(n_wk, eta_w) / np.add(n_k, eta_sum)
    return x / x.sum()


def responsibilities(N_jk, N_wk, N_k, alpha, eta_w, eta_sum, largest=np.max):
    document, word, topic = (digamma(np.add(*x)) for x in ((N_jk, alpha), (N_wk, eta_w), (N_k, eta_sum)))
    return shares(document + word - topic, largest)


def bound(alpha_jk, eta_wk, alpha, eta, j, w, n, psi=digamma, sign=1, brackets=1, add=logsumexp):
    def less_log_q(rows, prior, logs):
        constants = gammaln(np.sum(prior)) - gammaln(rows.sum(axis=1)) + np.sum(gammaln(rows) - gammaln(prior), axis=1)
        return np.sum(constants) + sign * np.sum((prior - rows) * logs)

    tables = np.array(alpha_jk), np.transpose(eta_wk)
    theta, phi = (psi(x) - psi(x.sum(axis=1, keepdims=True)) for x in tables)
    tokens = np.dot(n, add(theta[j] + phi[:, w].T, axis=1))
    return tokens + brackets * sum(map(less_log_q, tables, map(np.array, (alpha, eta)), (theta, phi)))


def distribution(probabilities):
    q = np.ones(1)
    for p in probabilities:
        q = np.convolve(q, [1 - p, p])
    return q


def expected_log(probabilities, alpha, log=np.log):
    q = distribution(probabilities)
    return q @ log(alpha + np.arange(len(q)))


def weights(
    mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum, half=0.5, power=2, of_topic=1, largest=np.max
):  # fmt: skip
    def term(mean, variance, a, half):
        x = np.add(mean, a)
        return np.log(x) - half * np.array(variance) / x**power

    topic = term(mean_k, variance_k, eta_sum, half * of_topic)
    return shares(term(mean_jk, variance_jk, alpha, half) + term(mean_wk, variance_wk, eta_w, half) - topic, largest)


def update(gamma, N_jk, N_wk, N_k, *prior, excluded=(1, 1, 1)):
    counts = (np.subtract(N, e * np.array(gamma)) for N, e in zip((N_jk, N_wk, N_k), excluded, strict=True))
    return probabilities(*counts, *prior)


def new_alpha(n_jk, alpha, psi=digamma, factor=True, total=None):
    n_jk, a = np.array(n_jk), np.array(alpha)
    A = a.sum() if total is None else total(a)
    rises = np.sum(psi(n_jk + a) - psi(a), axis=0)
    return (a if factor else 1) * rises / np.sum(psi(n_jk.sum(axis=1) + A) - psi(A))


def perplexity(theta_jk, phi_wk, j, w, n, log=np.log):
    p = np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1)
    return math.exp(-np.dot(n, log(p)) / np.sum(n))


RIGHT = {
    "collapsed_joint": log_joint, "gibbs": probabilities, "vb": responsibilities, "vb_bound": bound,
    "exact_cvb": expected_log, "gaussian_cvb": weights, "cvb0": update, "alpha": new_alpha, "perplexity": perplexity,
}  # fmt: skip


# Right formulas that some input takes out of the range of floating point, with words of the advice


WRONG = {
    "collapsed_joint": {
        "all factors of the prior alone are left out": lambda *x: log_joint(*x, constants=False),
        "K times eta[0]": lambda *x: log_joint(*x, total=lambda alpha, eta: len(alpha) * eta[0]),
        "to base 2": lambda *x: log_joint(*x) / math.log(2),
    },
    "gibbs": {
        "K times eta_w stands for eta_sum": lambda *x: probabilities(*x[:-1], len(x[-3]) * x[-2]),
        "topic term is left out": lambda a, b, c, *x: probabilities(a, b, np.zeros(len(c)), *x),
    },
    "vb": {
        "log stands where Ψ should": probabilities,
        "the logarithm of the probabilities is returned": lambda *x: np.log(responsibilities(*x)),
    },
    "vb_bound": {
        "log stands where Ψ should": lambda *x: bound(*x, psi=np.log),
        "alpha_k - alpha_jk and eta_w - eta_wk have the wrong sign": lambda *x: bound(*x, sign=-1),
        "both brackets are left out": lambda *x: bound(*x, brackets=0),
    },
    "exact_cvb": {
        "the logarithm is taken of the expected alpha + n": lambda p, a: math.log(sum(p) + a),
        "base 2": lambda *x: expected_log(*x, log=np.log2),
    },
    "gaussian_cvb": {
        "the factor 1/2 is missing in the three terms": lambda *x: weights(*x, half=1),
        "and not its square": lambda *x: weights(*x, power=1),
        "the sign of the other two": lambda *x: weights(*x, of_topic=-1),
    },
    "cvb0": {
        "nothing is excluded": lambda *x: update(*x, excluded=(0, 0, 0)),
        "not subtracted from N_k": lambda *x: update(*x, excluded=(1, 1, 0)),
    },
    "alpha": {
        "the old alpha_k does not multiply": lambda *x: new_alpha(*x, factor=False),
        "log stands where Ψ should": lambda *x: new_alpha(*x, psi=np.log),
        "K times alpha[0]": lambda *x: new_alpha(*x, total=lambda a: len(a) * a[0]),
    },
    "perplexity": {
        "every row counts once": lambda *x: perplexity(*x[:-1], np.ones(len(x[-1]))),
        "it is exp of that": lambda *x: math.log(perplexity(*x)),
    },
}

# Right formulas that some input takes out of the range of floating point, with words of the advice
OUT_OF_RANGE = {
    ("vb", "Subtract the largest exponent"): lambda *x: responsibilities(*x, largest=lambda x: 0),
    ("vb_bound", "add it to the logarithm"): lambda *x: bound(*x, add=lambda x, axis: np.log(np.exp(x).sum(axis))),
    ("gaussian_cvb", "Subtract the largest exponent"): lambda *x: weights(*x, largest=lambda x: 0),
    ("perplexity", "Add their logarithms"): lambda theta_jk, phi_wk, j, w, n: (
        np.prod(np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1) ** n) ** (-1 / np.sum(n))),
}  # fmt: skip
