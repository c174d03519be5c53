"""Answers to the exercises: right ones, and wrong ones, each with words of the sentence that explains it."""

import math

import numpy as np
from scipy.special import digamma, gammaln, logsumexp, polygamma


def log_joint(n_jk, n_wk, alpha, eta, constants=True, sum_of_eta=None, axis=1):
    def factor(n, a, a_sum, axis=1):
        sums = n.sum(axis=axis)
        of_prior = len(n) * (gammaln(a_sum) - gammaln(a).sum()) if constants else 0.0
        return of_prior + gammaln(n + a).sum() - gammaln(a_sum + sums).sum() + (axis != 1) * (len(sums) - len(n)) * gammaln(a_sum)

    n_kw = np.transpose(n_wk)
    H = sum(eta) if sum_of_eta is None else sum_of_eta(alpha, eta)
    return factor(np.array(n_jk), np.array(alpha), sum(alpha)) + factor(n_kw, np.array(eta), H, axis)


def shares(logarithms, largest=np.max):
    x = np.exp(logarithms - largest(logarithms))
    return x / x.sum()


def probabilities(n_jk, n_wk, n_k, alpha, eta_w, eta_sum):
    x = np.add(n_jk, alpha) * np.add(n_wk, eta_w) / np.add(n_k, eta_sum)
    return x / x.sum()


def responsibilities(N_jk, N_wk, N_k, alpha, eta_w, eta_sum, largest=np.max):
    term_jk, term_wk, term_k = (digamma(np.add(*x)) for x in ((N_jk, alpha), (N_wk, eta_w), (N_k, eta_sum)))
    return shares(term_jk + term_wk - term_k, largest)


def bound(alpha_jk, eta_wk, alpha, eta, j, w, n, psi=digamma, sign=1, brackets=1, add=logsumexp):
    def less_log_q(rows, prior, logs):
        constants = gammaln(np.sum(prior)) - gammaln(rows.sum(axis=1)) + np.sum(gammaln(rows) - gammaln(prior), axis=1)
        return np.sum(constants) + sign * np.sum((prior - rows) * logs)

    tables = np.array(alpha_jk), np.transpose(eta_wk)
    E_log_theta, E_log_phi = (psi(x) - psi(x.sum(axis=1, keepdims=True)) for x in tables)
    token_term = np.dot(n, add(E_log_theta[j] + E_log_phi[:, w].T, axis=1))
    return token_term + brackets * sum(map(less_log_q, tables, map(np.array, (alpha, eta)), (E_log_theta, E_log_phi)))


def distribution(probabilities):
    probability_of_count = np.ones(1)
    for p in probabilities:
        probability_of_count = np.convolve(probability_of_count, [1 - p, p])
    return probability_of_count


def expected_log(probabilities, alpha, log=np.log):
    q = distribution(probabilities)
    return q @ log(alpha + np.arange(len(q)))


def weights(
    mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum, half=0.5, power=2, topic_factor=1, largest=np.max
):  # fmt: skip
    def term(mean, variance, a, half):
        x = np.add(mean, a)
        return np.log(x) - half * np.array(variance) / x**power

    term_k = term(mean_k, variance_k, eta_sum, half * topic_factor)
    return shares(term(mean_jk, variance_jk, alpha, half) + term(mean_wk, variance_wk, eta_w, half) - term_k, largest)


def update(gamma, N_jk, N_wk, N_k, *prior, excluded=(1, 1, 1)):
    counts = (np.subtract(N, e * np.array(gamma)) for N, e in zip((N_jk, N_wk, N_k), excluded, strict=True))
    return probabilities(*counts, *prior)


def new_alpha(n_jk, alpha, psi=digamma, factor=True, sum_of_alpha=None):
    n_jk, a = np.array(n_jk), np.array(alpha)
    A = a.sum() if sum_of_alpha is None else sum_of_alpha(a)
    rises = np.sum(psi(n_jk + a) - psi(a), axis=0)
    return (a if factor else 1) * rises / np.sum(psi(n_jk.sum(axis=1) + A) - psi(A))


def perplexity(theta_jk, phi_wk, j, w, n, log=np.log, power=math.exp):
    p = np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1)
    return power(-np.dot(n, log(p)) / np.sum(n))


RIGHT = {
    "collapsed_joint": log_joint, "gibbs": probabilities, "vb": responsibilities, "vb_bound": bound,
    "exact_cvb": expected_log, "gaussian_cvb": weights, "cvb0": update, "alpha": new_alpha, "perplexity": perplexity,
}  # fmt: skip


def with_K_eta(formula):
    """An update in which K eta_w stands for the sum of eta."""
    return lambda *args: formula(*args[:-1], len(args[-3]) * args[-2])


def one_plus_exponent(mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum):
    x, y, z = np.add(mean_jk, alpha), np.add(mean_wk, eta_w), np.add(mean_k, eta_sum)
    products = x * y / z * (1 - variance_jk / (2 * x * x) - variance_wk / (2 * y * y) + variance_k / (2 * z * z))
    return products / products.sum()


WRONG = {
    "collapsed_joint": {
        "all factors of the prior alone are left out": lambda *args: log_joint(*args, constants=False),
        "K times eta[0]": lambda *args: log_joint(*args, sum_of_eta=lambda alpha, eta: len(alpha) * eta[0]),
        "the totals of the words stand for those of topics": lambda *args: log_joint(*args, axis=0),
        "to base 2": lambda *args: log_joint(*args) / math.log(2),
        "orders of a word's topics": lambda n_jk, n_wk, *args: log_joint(n_jk, n_wk, *args) + sum(
            gammaln(1 + sum(m)) - sum(gammaln(np.add(m, 1))) for m in n_wk),
    },
    "gibbs": {
        "K times eta_w stands for eta_sum": with_K_eta(probabilities),
        "topic term is left out": lambda a, b, c, *args: probabilities(a, b, np.zeros(len(c)), *args),
        "the result is not divided by its sum": lambda a, b, c, d, e, f: np.add(a, d) * np.add(b, e) / np.add(c, f),
        "alpha is left out": lambda a, b, c, d, *args: probabilities(a, b, c, np.zeros(len(d)), *args),
        "alpha, eta_w and eta_sum are left out": lambda a, b, c, *args: probabilities(a, b, c, np.zeros(len(a)), 0, 0),
    },
    "vb": {
        "log stands where Ψ should": probabilities,
        "the logarithm of the probabilities is returned": lambda *args: np.log(responsibilities(*args)),
        "the exponents are divided by their sum": lambda a, b, c, d, e, f: (
            lambda x: x / x.sum())(digamma(np.add(a, d)) + digamma(np.add(b, e)) - digamma(np.add(c, f))),
        "the trigamma function": lambda a, b, c, d, e, f: shares(
            polygamma(1, np.add(a, d)) + polygamma(1, np.add(b, e)) - polygamma(1, np.add(c, f))),
    },
    "vb_bound": {
        "log stands where Ψ should": lambda *args: bound(*args, psi=np.log),
        "alpha_k - alpha_jk and eta_w - eta_wk have the wrong sign": lambda *args: bound(*args, sign=-1),
        "both brackets are left out": lambda *args: bound(*args, brackets=0),
        "Γ of the sum of eta is taken once": lambda *args: bound(*args) - (len(args[2]) - 1) * gammaln(sum(args[3])),
        "exponential of the bound": lambda *args: math.exp(bound(*args)),
    },
    "exact_cvb": {
        "the logarithm is taken of the expected alpha + n": lambda p, a: math.log(sum(p) + a),
        "base 2": lambda *args: expected_log(*args, log=np.log2),
        "binomial": lambda p, a: expected_log([np.mean(p)] * len(p) if p else [], a),
        "to second order": lambda p, a: (
            math.log(sum(p) + a) - sum(x * (1 - x) for x in p) / (2 * (sum(p) + a) ** 2)),
        "the result for no events is 0": lambda p, a: sum(distribution(p)[m] * math.log(a + m) for m in range(len(p))),
        "the list never grows": lambda p, a: math.prod(1 - x for x in p) * math.log(a),
    },
    "gaussian_cvb": {
        "the factor 1/2 is missing in the three terms": lambda *args: weights(*args, half=1),
        "and not its square": lambda *args: weights(*args, power=1),
        "the sign of the other two": lambda *args: weights(*args, topic_factor=-1),
        "all three terms with variances have the wrong sign": lambda *args: weights(*args, half=-0.5),
        "1 + x stands for exp(x)": one_plus_exponent,
    },
    "cvb0": {
        "nothing is excluded": lambda *args: update(*args, excluded=(0, 0, 0)),
        "not subtracted from N_k": lambda *args: update(*args, excluded=(1, 1, 0)),
        "K times eta_w stands for eta_sum": with_K_eta(update),
        "the sum of N_k": lambda g, a, b, c, *args: update(g, a, b, np.full(len(g), sum(c)), *args),
    },
    "alpha": {
        "the old alpha_k does not multiply": lambda *args: new_alpha(*args, factor=False),
        "log stands where Ψ should": lambda *args: new_alpha(*args, psi=np.log),
        "K times alpha[0]": lambda *args: new_alpha(*args, sum_of_alpha=lambda a: len(a) * a[0]),
        "is subtracted once": lambda n, a: a * (digamma(np.add(n, a)) - digamma(a)).sum(0) / (
            digamma(sum(a) + np.sum(n, 1)).sum() - digamma(sum(a))),
        "the tokens of each topic": lambda n, a: a * (digamma(np.add(n, a)) - digamma(a)).sum(0) / (
            digamma(sum(a) + np.sum(n, 0)) - digamma(sum(a))).sum(),
        "the last document alone": lambda n, a: a * (digamma(np.add(n, a)) - digamma(a)).sum(0) / (
            digamma(sum(a) + sum(n[-1])) - digamma(sum(a))),
        "one over": lambda n, a: 1 / new_alpha(n, a),
    },
    "perplexity": {
        "every row counts once": lambda *args: perplexity(*args[:-1], np.ones(len(args[-1]))),
        "it is exp of that": lambda *args: math.log(perplexity(*args)),
        "the logarithms are to base 2": lambda *args: perplexity(*args, log=np.log2),
        "the result is": lambda *x: perplexity(*x, power=lambda average: math.exp(average * sum(x[-1])) / sum(x[-1])),
        "all pairs of a document and a word": lambda t, p, *args: math.exp(-np.log(np.dot(t, np.transpose(p))).mean()),
        "one over the mean probability": lambda *args: perplexity(*args, log=lambda p: np.log(np.dot(args[-1], p) / sum(args[-1])) + 0 * p),
    },
}  # fmt: skip


def product_of_gammas(n_jk, n_wk, alpha, eta):
    def factor(counts, prior):
        quotients = [math.gamma(a + n) / math.gamma(a) for a, n in zip(prior, counts, strict=True)]
        return math.prod(quotients) * math.gamma(sum(prior)) / math.gamma(sum(prior) + sum(counts))

    return math.log(math.prod(factor(n, alpha) for n in n_jk) * math.prod(factor(n, eta) for n in zip(*n_wk, strict=True)))


def expected_log_by_calls(probabilities, alpha):
    def distribution(probabilities):
        return np.convolve(distribution(probabilities[1:]), [1 - probabilities[0], probabilities[0]]) if probabilities else [1]

    q = distribution(probabilities)
    return q @ np.log(alpha + np.arange(len(q)))


# Right formulas that some input takes out of the range of floating point, with words of the advice
OUT_OF_RANGE = {
    ("collapsed_joint", "math.lgamma"): product_of_gammas,
    ("vb", "Subtract the largest exponent"): lambda *args: responsibilities(*args, largest=lambda x: 0),
    ("vb_bound", "add it to the logarithm"): lambda *x: bound(*x, add=lambda x, axis: np.log(np.exp(x).sum(axis))),
    ("exact_cvb", "add one event after the other"): expected_log_by_calls,
    ("gaussian_cvb", "Subtract the largest exponent"): lambda *args: weights(*args, largest=lambda x: 0),
    ("perplexity", "Add their logarithms"): lambda theta_jk, phi_wk, j, w, n: (
        np.prod(np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1) ** n) ** (-1 / np.sum(n))),
}  # fmt: skip
