"""Answers to the exercises: right ones, and wrong ones, each with words of the sentence that explains it."""

import math

import numpy as np
from scipy.special import digamma, gammaln


def log_joint(n_jk, n_wk, alpha, eta, constants=True, total=None, axis=1):
    def factor(n, a, total, axis=1):
        sums = n.sum(axis=axis)
        of_prior = len(n) * (gammaln(total) - gammaln(a).sum()) if constants else 0.0
        return of_prior + gammaln(n + a).sum() - gammaln(total + sums).sum() + (axis != 1) * (len(sums) - len(n)) * gammaln(total)

    n_kw = np.transpose(n_wk)
    H = sum(eta) if total is None else total(alpha, eta)
    return factor(np.array(n_jk), np.array(alpha), sum(alpha)) + factor(n_kw, np.array(eta), H, axis)


def probabilities(n_jk, n_wk, n_k, alpha, eta_w, eta_sum, f=np.array):
    x = f(np.add(n_jk, alpha)) * f(np.add(n_wk, eta_w)) / f(np.add(n_k, eta_sum))
    return x / x.sum()


def responsibilities(*arguments):
    return probabilities(*arguments, f=lambda x: np.exp(digamma(x)))


def distribution(probabilities):
    q = np.ones(1)
    for p in probabilities:
        q = np.convolve(q, [1 - p, p])
    return q


def expected_log(probabilities, alpha, log=np.log):
    q = distribution(probabilities)
    return q @ log(alpha + np.arange(len(q)))


def weights(
    mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum, half=0.5, power=2, of_topic=1
):  # fmt: skip
    def term(mean, variance, a, half):
        x = np.add(mean, a)
        return x * np.exp(-half * np.array(variance) / x**power)

    topic = term(mean_k, variance_k, eta_sum, half * of_topic)
    x = term(mean_jk, variance_jk, alpha, half) * term(mean_wk, variance_wk, eta_w, half) / topic
    return x / x.sum()


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
    "collapsed_joint": log_joint, "gibbs": probabilities, "vb": responsibilities, "exact_cvb": expected_log,
    "gaussian_cvb": weights, "cvb0": update, "alpha": new_alpha, "perplexity": perplexity,
}  # fmt: skip


def with_K_eta(gibbs):
    """An update in which K eta_w stands for the sum of eta."""
    return lambda *x: gibbs(*x[:-1], len(x[-3]) * x[-2])


WRONG = {
    "collapsed_joint": {
        "the constant of p(theta | alpha) is left out": lambda *x: log_joint(*x, constants=False),
        "K times the first eta": lambda *x: log_joint(*x, total=lambda alpha, eta: len(alpha) * eta[0]),
        "the totals of words stand for those of topics": lambda *x: log_joint(*x, axis=0),
        "base 2": lambda *x: log_joint(*x) / math.log(2),
    },
    "gibbs": {
        "N_k + K eta": with_K_eta(probabilities),
        "topic term is left out": lambda a, b, c, *x: probabilities(a, b, np.zeros(len(c)), *x),
        "not divided by its sum": lambda a, b, c, d, e, f: np.add(a, d) * np.add(b, e) / np.add(c, f),
        "alpha is left out": lambda a, b, c, d, *x: probabilities(a, b, c, np.zeros(len(d)), *x),
    },
    "vb": {
        "log stands where": probabilities,
        "the exponential is missing": lambda *x: np.log(responsibilities(*x)),
        "the weight is its logarithm": lambda a, b, c, d, e, f: (
            lambda x: x / x.sum())(digamma(np.add(a, d)) + digamma(np.add(b, e)) - digamma(np.add(c, f))),
    },
    "exact_cvb": {
        "the logarithm of the expected count": lambda p, a: math.log(sum(p) + a),
        "base 2": lambda *x: expected_log(*x, log=np.log2),
        "binomial": lambda p, a: expected_log([np.mean(p)] * len(p) if p else [], a),
        "to second order": lambda p, a: (
            math.log(sum(p) + a) - sum(x * (1 - x) for x in p) / (2 * (sum(p) + a) ** 2)),
    },
    "gaussian_cvb": {
        "lack the factor 1/2": lambda *x: weights(*x, half=1),
        "divided by a + N": lambda *x: weights(*x, power=1),
        "the sign of the other two": lambda *x: weights(*x, of_topic=-1),
        "wrong sign": lambda *x: weights(*x, half=-0.5),
    },
    "cvb0": {
        "nothing is excluded": lambda *x: update(*x, excluded=(0, 0, 0)),
        "not from the topic's": lambda *x: update(*x, excluded=(1, 1, 0)),
        "N_k + K eta": with_K_eta(update),
    },
    "alpha": {
        "the old value does not multiply": lambda *x: new_alpha(*x, factor=False),
        "log stands where": lambda *x: new_alpha(*x, psi=np.log),
        "K times the first alpha": lambda *x: new_alpha(*x, total=lambda a: len(a) * a[0]),
        "is subtracted once": lambda n, a: a * (digamma(np.add(n, a)) - digamma(a)).sum(0) / (
            digamma(sum(a) + np.sum(n, 1)).sum() - digamma(sum(a))),
        "the tokens of each topic": lambda n, a: a * (digamma(np.add(n, a)) - digamma(a)).sum(0) / (
            digamma(sum(a) + np.sum(n, 0)) - digamma(sum(a))).sum(),
    },
    "perplexity": {
        "every row of the test corpus counts once": lambda *x: perplexity(*x[:-1], np.ones(len(x[-1]))),
        "it is exp of that": lambda *x: math.log(perplexity(*x)),
        "log x is log2 x": lambda *x: perplexity(*x, log=np.log2),
        "one over the mean probability": lambda *x: perplexity(*x, log=lambda p: np.log(np.dot(x[-1], p) / sum(x[-1])) + 0 * p),
    },
}  # fmt: skip
