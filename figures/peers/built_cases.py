"""The operations that the programs of build.sh have beside those of `conformance_cases`, and what they should give.

In variational EM the topics are a point, phi_wk, and only theta has a Dirichlet distribution, with the parameters
alpha_jk: Blei, Ng and Jordan (2003). The corpora, priors, phi_wk and topics z are those of `conformance_cases`.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma, gammaln, logsumexp

import lda_reference as lda
from figures.peers import conformance_cases as own
from figures.peers.conformance_cases import Array, Case
from lda_reference import oracle, plain
from lda_reference.truth import document

SETTLED_CASES = (1, 2, 5, 8, 9, 11)  # the cases of several topics whose E step has one fixed point
CASES_OF = {  # documents that are short enough for an exact evidence, and topics whose best eta is finite
    "evidence": (1, 2, 4, 10), "mean_theta": (1, 2, 4, 10), "best_eta": (1, 3, 7, 9, 11),
}  # fmt: skip
vectors = cache(oracle.cases)


def corpus_of(case: Case) -> lda.Corpus:
    return lda.Corpus(*(case["corpus"][corpus_field] for corpus_field in ("j", "w", "n", "D", "W")))


# Variational EM ------------------------------------------------------------------------------------------------------


def alpha_of(case: Case) -> Array:
    """alpha_jk at the fixed point, which starts where lda-c starts."""
    log_phi_wk, alpha = np.log(case["phi_wk"]), own.prior_of(case)[0]
    return np.array([own.iterated(n, log_phi_wk, alpha, alpha + n.sum() / len(alpha)) for n in own.counts_of(case)])


def e_step(case: Case, answer: Case) -> Case:
    alpha_jk = alpha_of(case)
    return {"theta_jk": alpha_jk / alpha_jk.sum(1, keepdims=True)}


def bound(case: Case, answer: Case) -> Case:
    """The bound of log p(x | phi, alpha), with the best q(theta) q(z)."""
    alpha_jk = alpha_of(case)
    log_sums = logsumexp(own.mean_log(alpha_jk, 1)[:, None] + np.log(case["phi_wk"]), 2)
    return {"bound": float((own.counts_of(case) * log_sums).sum()) - own.divergence(alpha_jk, own.prior_of(case)[0])}


def m_step(case: Case, answer: Case) -> Case:
    """phi_wk after an E step and the M step."""
    counts_and_alphas = zip(own.counts_of(case), alpha_of(case), strict=True)
    N_wk = sum(n[:, None] * own.responsibilities(alpha_k, np.log(case["phi_wk"])) for n, alpha_k in counts_and_alphas)
    return {"phi_wk": N_wk / N_wk.sum(0)}


def best_number(log_theta_sums: Array, n_documents: float) -> float:
    """The alpha of a symmetric Dirichlet distribution of K numbers that is most probable, from sums of E log theta."""
    K = len(log_theta_sums)

    def slope(log_alpha: float) -> float:
        return n_documents * K * (digamma(K * np.exp(log_alpha)) - digamma(np.exp(log_alpha))) + log_theta_sums.sum()

    return float(np.exp(brentq(slope, -9, 9, xtol=1e-15)))


def best_alpha(case: Case, answer: Case) -> Case:
    """The number alpha that maximises the bound after the E step."""
    alpha_jk = alpha_of(case)
    return {"alpha": best_number(own.mean_log(alpha_jk, 1).sum(0), len(alpha_jk))}


def perplexity(case: Case, answer: Case) -> Case:
    """exp(-mean log of sum_k theta_jk phi_wk), AWST09 §4, with the theta of the E step."""
    X, p_jw = own.counts_of(case), e_step(case, answer)["theta_jk"] @ np.transpose(case["phi_wk"])
    return {"perplexity": float(np.exp(-(X * np.log(p_jw)).sum() / X.sum()))}


# From counts ---------------------------------------------------------------------------------------------------------


def log_words(case: Case, answer: Case) -> Case:
    """log p(x | z), the part of log p(x, z) that is not log p(z)."""
    N_wk, eta = own.chosen_counts(case, answer)[1], own.prior_of(case)[1][:, None]
    topic_terms = gammaln(eta.sum()) - gammaln(N_wk.sum(0) + eta.sum())
    return {"log_words": float((gammaln(N_wk + eta) - gammaln(eta)).sum() + topic_terms.sum())}


def words(case: Case, answer: Case) -> Case:
    """p(w | document), the sum of theta_jk phi_wk over topics."""
    estimates = own.estimate(case, answer)
    return {"p_jw": estimates["theta_jk"] @ estimates["phi_wk"].T}


def evidence(case: Case, answer: Case) -> Case:
    """log p(x_j | phi, alpha) of each document, with phi from counts."""
    p = lda.Prior(case["prior"]["alpha"], case["prior"]["eta"])
    return {"log_evidence": document.exact(corpus_of(case), own.estimate(case, answer)["phi_wk"], p)}


def mean_theta(case: Case, answer: Case) -> Case:
    """E[theta_j | x_j, phi, alpha]: the evidence with a word of topic k alone, divided by that without it."""
    phi_wk, corpus, is_topic = own.estimate(case, answer)["phi_wk"], corpus_of(case), np.eye(case["K"], dtype=bool)
    p, all_j = lda.Prior(case["prior"]["alpha"], case["prior"]["eta"]), range(corpus.D)
    row_order = np.argsort([*corpus.j, *all_j], kind="stable")
    longer_columns = [[*corpus.j, *all_j], [*corpus.w, *[corpus.W] * corpus.D], [*corpus.n, *[1] * corpus.D]]
    with_word = lda.Corpus(*np.array(longer_columns)[:, row_order], corpus.D, corpus.W + 2)
    phis = [np.vstack([phi_wk, in_topic, ~in_topic]) / 2 for in_topic in is_topic]  # the last word makes the sums 1
    without_word = lda.Corpus(corpus.j, corpus.w, corpus.n, corpus.D, corpus.W + 2)
    log_ratios = np.array([document.exact(with_word, x, p) for x in phis]) - document.exact(without_word, phis[0], p)
    return {"theta_jk": 2 * np.exp(log_ratios).T}


def best_eta(case: Case, answer: Case) -> Case:
    """The number eta that maximises log p(x | z)."""
    N_wk = own.chosen_counts(case, answer)[1]

    def slope(log_eta: float) -> float:
        eta = np.exp(log_eta)
        digamma_differences = digamma(len(N_wk) * eta) - digamma(N_wk.sum(0) + len(N_wk) * eta)
        return float(len(N_wk) * digamma_differences.sum() + (digamma(N_wk + eta) - digamma(eta)).sum())

    return {"eta": float(np.exp(brentq(slope, -9, 9, xtol=1e-15)))}


def swept(case: Case, answer: Case, A_name: str) -> Case:
    """gamma after a sweep, token by token, from the gamma that the program had before."""
    sweep_case = {"algorithm": A_name, "operation": "sweep", "schedule": "token", "state": {"gamma": answer["before"]}}
    return plain.answer(case | sweep_case)


# Words ---------------------------------------------------------------------------------------------------------------


def top_words(case: Case, answer: Case) -> Case:
    """phi of the three most probable words of each topic, in order."""
    return {"phi_kt": -np.sort(-np.transpose(case["phi_wk"]), 1)[:, :3]}


OPERATIONS: dict[str, Callable[[Case, Case], Case]] = {
    "vem_e_step": e_step, "vem_bound": bound, "vem_m_step": m_step, "vem_alpha": best_alpha,
    "vem_perplexity": perplexity, "log_words": log_words, "words": words, "evidence": evidence, "best_eta": best_eta,
    "mean_theta": mean_theta, "top_words": top_words, "alpha_step": lambda case, answer: case["expected"],
    "cvb0_sweep": lambda case, answer: swept(case, answer, "cvb0"),
    "tcvb0_sweep": lambda case, answer: swept(case, answer, "tcvb0"),
}  # fmt: skip


def expected(case: Case, answer: Case) -> Case:
    return OPERATIONS[case["operation"]](case, answer)


def cases(operation: str) -> list[Case]:
    """The cases of an operation."""
    if operation == "alpha_step":  # one step of Minka's fixed point for a vector
        steps = [case for case in vectors("cgs/hyperparameters") if isinstance(case["prior"]["alpha"], list)]
        return [case | {"operation": operation, "expected": {"alpha": case["expected"]["alpha"]}} for case in steps]
    case_ids = CASES_OF.get(operation, SETTLED_CASES if operation.startswith("vem") else range(1, len(own.SIZES) + 1))
    return [own.case_of(operation, case_number) for case_number in case_ids]
