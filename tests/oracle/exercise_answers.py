"""Answers to the exercises: right ones, and wrong ones, each with words of the sentence that explains it."""

import math

import numpy as np
from scipy.special import digamma, gammaln, logsumexp, polygamma


def log_joint(n_jk, n_wk, alpha, eta, with_constants=True, sum_of_eta=None, axis=1):
    def factor(counts, alpha_or_eta, prior_sum, axis=1):
        count_sums = counts.sum(axis=axis)
        log_prior_term = len(counts) * (gammaln(prior_sum) - gammaln(alpha_or_eta).sum()) if with_constants else 0.0
        return log_prior_term + gammaln(counts + alpha_or_eta).sum() - gammaln(prior_sum + count_sums).sum() + (axis != 1) * (len(count_sums) - len(counts)) * gammaln(prior_sum)

    n_kw = np.transpose(n_wk)
    H = sum(eta) if sum_of_eta is None else sum_of_eta(alpha, eta)
    return factor(np.array(n_jk), np.array(alpha), sum(alpha)) + factor(n_kw, np.array(eta), H, axis)


def shares(logarithms, largest_of=np.max):
    exponentials = np.exp(logarithms - largest_of(logarithms))
    return exponentials / exponentials.sum()


def probabilities(n_jk, n_wk, n_k, alpha, eta_w, eta_sum):
    products = np.add(n_jk, alpha) * np.add(n_wk, eta_w) / np.add(n_k, eta_sum)
    return products / products.sum()


def responsibilities(N_jk, N_wk, N_k, alpha, eta_w, eta_sum, largest_of=np.max):
    term_jk, term_wk, term_k = (digamma(np.add(*counts_and_prior)) for counts_and_prior in ((N_jk, alpha), (N_wk, eta_w), (N_k, eta_sum)))
    return shares(term_jk + term_wk - term_k, largest_of)


def bound(alpha_jk, eta_wk, alpha, eta, j, w, n, psi=digamma, log_q_sign=1, bracket_factor=1, log_sum_exp=logsumexp):
    def less_log_q(parameter_rows, alpha_or_eta, expected_logs):
        log_constants = gammaln(np.sum(alpha_or_eta)) - gammaln(parameter_rows.sum(axis=1)) + np.sum(gammaln(parameter_rows) - gammaln(alpha_or_eta), axis=1)
        return np.sum(log_constants) + log_q_sign * np.sum((alpha_or_eta - parameter_rows) * expected_logs)

    parameter_tables = np.array(alpha_jk), np.transpose(eta_wk)
    E_log_theta, E_log_phi = (psi(parameters) - psi(parameters.sum(axis=1, keepdims=True)) for parameters in parameter_tables)
    token_term = np.dot(n, log_sum_exp(E_log_theta[j] + E_log_phi[:, w].T, axis=1))
    return token_term + bracket_factor * sum(map(less_log_q, parameter_tables, map(np.array, (alpha, eta)), (E_log_theta, E_log_phi)))


def distribution(probabilities):
    probability_of_count = np.ones(1)
    for p_event in probabilities:
        probability_of_count = np.convolve(probability_of_count, [1 - p_event, p_event])
    return probability_of_count


def expected_log(probabilities, alpha, log=np.log):
    count_law = distribution(probabilities)
    return count_law @ log(alpha + np.arange(len(count_law)))


def weights(
    mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum, half=0.5, exponent=2, topic_factor=1, largest_of=np.max
):  # fmt: skip
    def term(mean, variance, a, half):
        mean_plus_prior = np.add(mean, a)
        return np.log(mean_plus_prior) - half * np.array(variance) / mean_plus_prior**exponent

    term_k = term(mean_k, variance_k, eta_sum, half * topic_factor)
    return shares(term(mean_jk, variance_jk, alpha, half) + term(mean_wk, variance_wk, eta_w, half) - term_k, largest_of)


def update(gamma, N_jk, N_wk, N_k, *prior_arguments, excluded=(1, 1, 1)):
    counts_without_token = (np.subtract(N, n_excluded * np.array(gamma)) for N, n_excluded in zip((N_jk, N_wk, N_k), excluded, strict=True))
    return probabilities(*counts_without_token, *prior_arguments)


def new_alpha(n_jk, alpha, psi=digamma, with_factor=True, sum_of_alpha=None):
    n_jk, a = np.array(n_jk), np.array(alpha)
    A = a.sum() if sum_of_alpha is None else sum_of_alpha(a)
    digamma_rises = np.sum(psi(n_jk + a) - psi(a), axis=0)
    return (a if with_factor else 1) * digamma_rises / np.sum(psi(n_jk.sum(axis=1) + A) - psi(A))


def perplexity(theta_jk, phi_wk, j, w, n, log=np.log, exponential=math.exp):
    token_probabilities = np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1)
    return exponential(-np.dot(n, log(token_probabilities)) / np.sum(n))


RIGHT = {
    "collapsed_joint": log_joint, "gibbs": probabilities, "vb": responsibilities, "vb_bound": bound,
    "exact_cvb": expected_log, "gaussian_cvb": weights, "cvb0": update, "alpha": new_alpha, "perplexity": perplexity,
}  # fmt: skip


def with_K_eta(update_formula):
    """An update in which K eta_w stands for the sum of eta."""
    return lambda *args: update_formula(*args[:-1], len(args[-3]) * args[-2])


def one_plus_exponent(mean_jk, variance_jk, mean_wk, variance_wk, mean_k, variance_k, alpha, eta_w, eta_sum):
    sum_jk, sum_wk, sum_k = np.add(mean_jk, alpha), np.add(mean_wk, eta_w), np.add(mean_k, eta_sum)
    products = sum_jk * sum_wk / sum_k * (1 - variance_jk / (2 * sum_jk * sum_jk) - variance_wk / (2 * sum_wk * sum_wk) + variance_k / (2 * sum_k * sum_k))
    return products / products.sum()


WRONG = {
    "collapsed_joint": {
        "all factors of the prior alone are left out": lambda *args: log_joint(*args, with_constants=False),
        "K times eta[0]": lambda *args: log_joint(*args, sum_of_eta=lambda alpha, eta: len(alpha) * eta[0]),
        "the totals of the words stand for those of topics": lambda *args: log_joint(*args, axis=0),
        "to base 2": lambda *args: log_joint(*args) / math.log(2),
        "orders of a word's topics": lambda n_jk, n_wk, *args: log_joint(n_jk, n_wk, *args) + sum(
            gammaln(1 + sum(m)) - sum(gammaln(np.add(m, 1))) for m in n_wk),
    },
    "gibbs": {
        "K times eta_w stands for eta_sum": with_K_eta(probabilities),
        "topic term is left out": lambda n_jk, n_wk, n_k, *args: probabilities(n_jk, n_wk, np.zeros(len(n_k)), *args),
        "the result is not divided by its sum": lambda n_jk, n_wk, n_k, alpha, eta_w, eta_sum: np.add(n_jk, alpha) * np.add(n_wk, eta_w) / np.add(n_k, eta_sum),
        "alpha is left out": lambda n_jk, n_wk, n_k, alpha, *args: probabilities(n_jk, n_wk, n_k, np.zeros(len(alpha)), *args),
        "alpha, eta_w and eta_sum are left out": lambda n_jk, n_wk, n_k, *args: probabilities(n_jk, n_wk, n_k, np.zeros(len(n_jk)), 0, 0),
    },
    "vb": {
        "log stands where Ψ should": probabilities,
        "the logarithm of the probabilities is returned": lambda *args: np.log(responsibilities(*args)),
        "the exponents are divided by their sum": lambda N_jk, N_wk, N_k, alpha, eta_w, eta_sum: (
            lambda x: x / x.sum())(digamma(np.add(N_jk, alpha)) + digamma(np.add(N_wk, eta_w)) - digamma(np.add(N_k, eta_sum))),
        "the trigamma function": lambda N_jk, N_wk, N_k, alpha, eta_w, eta_sum: shares(
            polygamma(1, np.add(N_jk, alpha)) + polygamma(1, np.add(N_wk, eta_w)) - polygamma(1, np.add(N_k, eta_sum))),
    },
    "vb_bound": {
        "log stands where Ψ should": lambda *args: bound(*args, psi=np.log),
        "alpha_k - alpha_jk and eta_w - eta_wk have the wrong sign": lambda *args: bound(*args, log_q_sign=-1),
        "both brackets are left out": lambda *args: bound(*args, bracket_factor=0),
        "Γ of the sum of eta is taken once": lambda *args: bound(*args) - (len(args[2]) - 1) * gammaln(sum(args[3])),
        "exponential of the bound": lambda *args: math.exp(bound(*args)),
    },
    "exact_cvb": {
        "the logarithm is taken of the expected alpha + n": lambda probabilities, alpha: math.log(sum(probabilities) + alpha),
        "base 2": lambda *args: expected_log(*args, log=np.log2),
        "binomial": lambda probabilities, alpha: expected_log([np.mean(probabilities)] * len(probabilities) if probabilities else [], alpha),
        "to second order": lambda probabilities, alpha: (
            math.log(sum(probabilities) + alpha) - sum(x * (1 - x) for x in probabilities) / (2 * (sum(probabilities) + alpha) ** 2)),
        "the result for no events is 0": lambda probabilities, alpha: sum(distribution(probabilities)[n_events] * math.log(alpha + n_events) for n_events in range(len(probabilities))),
        "the list never grows": lambda probabilities, alpha: math.prod(1 - x for x in probabilities) * math.log(alpha),
    },
    "gaussian_cvb": {
        "the factor 1/2 is missing in the three terms": lambda *args: weights(*args, half=1),
        "and not its square": lambda *args: weights(*args, exponent=1),
        "the sign of the other two": lambda *args: weights(*args, topic_factor=-1),
        "all three terms with variances have the wrong sign": lambda *args: weights(*args, half=-0.5),
        "1 + x stands for exp(x)": one_plus_exponent,
    },
    "cvb0": {
        "nothing is excluded": lambda *args: update(*args, excluded=(0, 0, 0)),
        "not subtracted from N_k": lambda *args: update(*args, excluded=(1, 1, 0)),
        "K times eta_w stands for eta_sum": with_K_eta(update),
        "the sum of N_k": lambda gamma, N_jk, N_wk, N_k, *args: update(gamma, N_jk, N_wk, np.full(len(gamma), sum(N_k)), *args),
    },
    "alpha": {
        "the old alpha_k does not multiply": lambda *args: new_alpha(*args, with_factor=False),
        "log stands where Ψ should": lambda *args: new_alpha(*args, psi=np.log),
        "K times alpha[0]": lambda *args: new_alpha(*args, sum_of_alpha=lambda alpha: len(alpha) * alpha[0]),
        "is subtracted once": lambda n_jk, alpha: alpha * (digamma(np.add(n_jk, alpha)) - digamma(alpha)).sum(0) / (
            digamma(sum(alpha) + np.sum(n_jk, 1)).sum() - digamma(sum(alpha))),
        "the tokens of each topic": lambda n_jk, alpha: alpha * (digamma(np.add(n_jk, alpha)) - digamma(alpha)).sum(0) / (
            digamma(sum(alpha) + np.sum(n_jk, 0)) - digamma(sum(alpha))).sum(),
        "the last document alone": lambda n_jk, alpha: alpha * (digamma(np.add(n_jk, alpha)) - digamma(alpha)).sum(0) / (
            digamma(sum(alpha) + sum(n_jk[-1])) - digamma(sum(alpha))),
        "one over": lambda n_jk, alpha: 1 / new_alpha(n_jk, alpha),
    },
    "perplexity": {
        "every row counts once": lambda *args: perplexity(*args[:-1], np.ones(len(args[-1]))),
        "it is exp of that": lambda *args: math.log(perplexity(*args)),
        "the logarithms are to base 2": lambda *args: perplexity(*args, log=np.log2),
        "the result is": lambda *x: perplexity(*x, exponential=lambda average: math.exp(average * sum(x[-1])) / sum(x[-1])),
        "all pairs of a document and a word": lambda theta_jk, phi_wk, *args: math.exp(-np.log(np.dot(theta_jk, np.transpose(phi_wk))).mean()),
        "one over the mean probability": lambda *args: perplexity(*args, log=lambda p: np.log(np.dot(args[-1], p) / sum(args[-1])) + 0 * p),
    },
}  # fmt: skip


def product_of_gammas(n_jk, n_wk, alpha, eta):
    def factor(counts, alpha_or_eta):
        gamma_quotients = [math.gamma(a + n) / math.gamma(a) for a, n in zip(alpha_or_eta, counts, strict=True)]
        return math.prod(gamma_quotients) * math.gamma(sum(alpha_or_eta)) / math.gamma(sum(alpha_or_eta) + sum(counts))

    return math.log(math.prod(factor(count_row, alpha) for count_row in n_jk) * math.prod(factor(count_row, eta) for count_row in zip(*n_wk, strict=True)))


def expected_log_by_calls(probabilities, alpha):
    def distribution(probabilities):
        return np.convolve(distribution(probabilities[1:]), [1 - probabilities[0], probabilities[0]]) if probabilities else [1]

    count_law = distribution(probabilities)
    return count_law @ np.log(alpha + np.arange(len(count_law)))


# Right formulas that some input takes out of the range of floating point, with words of the advice
OUT_OF_RANGE = {
    ("collapsed_joint", "math.lgamma"): product_of_gammas,
    ("vb", "Subtract the largest exponent"): lambda *args: responsibilities(*args, largest_of=lambda x: 0),
    ("vb_bound", "add it to the logarithm"): lambda *x: bound(*x, log_sum_exp=lambda x, axis: np.log(np.exp(x).sum(axis))),
    ("exact_cvb", "add one event after the other"): expected_log_by_calls,
    ("gaussian_cvb", "Subtract the largest exponent"): lambda *args: weights(*args, largest_of=lambda x: 0),
    ("perplexity", "Add their logarithms"): lambda theta_jk, phi_wk, j, w, n: (
        np.prod(np.sum(np.array(theta_jk)[j] * np.array(phi_wk)[w], axis=1) ** n) ** (-1 / np.sum(n))),
}  # fmt: skip
