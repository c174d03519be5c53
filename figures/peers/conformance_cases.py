"""The cases on which `conformance` asks other libraries, and what each operation should give.

A case is a dict in the form of the oracle's (`lda_reference/oracle/GUIDE.md`). `alpha_jk` and `eta_wk` are the
parameters of the Dirichlet distributions q(theta_j) and q(phi_k), TNW06 (4)(5), which Hoffman et al. and the libraries
call gamma and lambda. The cases here are larger than the oracle's, and one has a word that no topic has seen. Where the
oracle has vectors of the same operation, they are asked as well. The functions use SciPy's digamma and log Gamma
functions in double precision; the tests hold them to 50 digits.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln, logsumexp

import lda_reference as lda
from lda_reference import model, oracle, plain

Case = dict[str, Any]
Array = np.ndarray
MOST = 200_000  # steps to the fixed point of an E step


def problem(case: Case) -> tuple[lda.Corpus, lda.Prior]:
    """The corpus and the prior as the package has them."""
    c, p = case["corpus"], case["prior"]
    return lda.Corpus(*(c[corpus_field] for corpus_field in ("j", "w", "n", "D", "W"))), lda.Prior(p["alpha"], p["eta"])


def prior_of(case: Case) -> tuple[Array, Array]:
    """alpha and eta as vectors."""
    return lda.Prior(case["prior"]["alpha"], case["prior"]["eta"]).vectors(case["K"], case["corpus"]["W"])


def counts_of(case: Case) -> Array:
    """The (D, W) table of counts."""
    c = case["corpus"]
    X = np.zeros((c["D"], c["W"]), np.int64)
    np.add.at(X, (c["j"], c["w"]), c["n"])
    return X


def tokens_of(case: Case) -> tuple[list[int], list[int]]:
    """The document and the word of each token, in row order."""
    c = case["corpus"]
    j, w = (np.repeat(c[corpus_field], c["n"]).tolist() for corpus_field in ("j", "w"))
    return j, w


def counts_of_topics(case: Case, z: list[int]) -> tuple[Array, Array]:
    """N_jk and N_wk of the topics z of the tokens."""
    j, w = tokens_of(case)
    N_jk, N_wk = np.zeros((case["corpus"]["D"], case["K"])), np.zeros((case["corpus"]["W"], case["K"]))
    np.add.at(N_jk, (j, z), 1)
    np.add.at(N_wk, (w, z), 1)
    return N_jk, N_wk


# What the operations should give -------------------------------------------------------------------------------------


def mean_log(parameters: Array, axis: int) -> Array:
    """The expected logarithms of Dirichlet variables whose parameters lie along an axis."""
    return digamma(parameters) - digamma(parameters.sum(axis, keepdims=True))


def responsibilities(alpha_k: Array, log_phi_wk: Array) -> Array:
    log_weights = mean_log(alpha_k, 0) + log_phi_wk
    return np.exp(log_weights - logsumexp(log_weights, 1, keepdims=True))


def iterated(n_w: Array, log_phi_wk: Array, alpha: Array, x: Array, iterations: int = MOST, mean: float = 0) -> Array:
    """The parameters of q(theta) of one document after some iterations, or earlier at the fixed point.

    Some libraries stop as soon as the mean change is at most `mean`.
    """
    change = np.inf
    for _ in range(iterations):
        last_alpha_and_change, x = (x, change), alpha + n_w @ responsibilities(x, log_phi_wk)
        change = np.max(np.abs(x - last_alpha_and_change[0]) / x)
        if change < 1e-13 and change >= last_alpha_and_change[1]:  # only rounding errors are left
            break
        if np.mean(np.abs(x - last_alpha_and_change[0])) <= mean:
            break
    return x


def e_step(case: Case, answer: Case) -> Case:
    """alpha_jk after the iterations of the case from its alpha_jk; without these, at the fixed point from ones."""
    log_phi_wk, (alpha, _) = mean_log(np.array(case["eta_wk"]), 0), prior_of(case)
    start_alpha_jk = np.array(case.get("alpha_jk", np.ones((case["corpus"]["D"], case["K"]))))
    stop_limits = case.get("iterations", MOST), case.get("mean_change", 0)
    documents = zip(counts_of(case), start_alpha_jk, strict=True)
    return {"alpha_jk": np.array([iterated(n, log_phi_wk, alpha, alpha_k, *stop_limits) for n, alpha_k in documents])}


def iteration(case: Case, answer: Case, count_scale: float = 1) -> Case:
    """eta_wk after an E step of all documents, and the M step with `count_scale` times the expected counts."""
    log_phi_wk, eta_wk = mean_log(np.array(case["eta_wk"]), 0), prior_of(case)[1][:, None]
    for n_w, alpha_k in zip(counts_of(case), e_step(case, answer)["alpha_jk"], strict=True):
        eta_wk = eta_wk + count_scale * n_w[:, None] * responsibilities(alpha_k, log_phi_wk)
    return {"eta_wk": eta_wk}


def online_topics(case: Case, answer: Case) -> Case:
    """eta_wk after a step of online VB, as `lda_reference.plain.online` says."""
    rho = (case["tau0"] + case["t"]) ** -case["kappa"]
    full_iteration = iteration(case, answer, case["total_D"] / case["corpus"]["D"])
    return {"eta_wk": (1 - rho) * np.array(case["eta_wk"]) + rho * full_iteration["eta_wk"]}


def online_step(case: Case, answer: Case) -> Case:
    return e_step(case, answer) | online_topics(case, answer)


def divergence(parameters: Array, prior: Array) -> float:
    """The sum of the Kullback-Leibler divergences of Dirichlet distributions, the rows, from their prior, in nats."""
    divergence_terms = gammaln(prior) - gammaln(parameters) + (parameters - prior) * mean_log(parameters, 1)
    return float(divergence_terms.sum() + (gammaln(parameters.sum(1)) - gammaln(prior.sum())).sum())


def elbo(case: Case, answer: Case) -> Case:
    """The bound of q(theta) and q(phi) with q(z) at its optimum, in nats."""
    alpha_jk, eta_wk = np.array(case["alpha_jk"]), np.array(case["eta_wk"])
    alpha, eta = prior_of(case)
    log_weights = mean_log(alpha_jk, 1)[:, None] + mean_log(eta_wk, 0)
    token_bound = float((counts_of(case) * logsumexp(log_weights, 2)).sum())
    return {"bound": token_bound - divergence(alpha_jk, alpha) - divergence(eta_wk.T, eta)}


def expected_log(case: Case, answer: Case) -> Case:
    return {"mean_log": mean_log(np.array(case["parameters"]), 1)}


def fold_in(case: Case, answer: Case) -> Case:
    """theta of documents with given topics, without the prior, by CVB0 to the fixed point."""
    (corpus, p), rng, phi_wk = problem(case), np.random.default_rng(0), np.array(case["phi_wk"])
    return {"theta_jk": lda.fold_in(lda.ALGORITHMS["cvb0"], corpus, phi_wk, p, rng, 1000, "counts", "corpus")}


def perplexity(case: Case, answer: Case) -> Case:
    """exp(-mean log of sum_k theta_jk phi_wk), AWST09 §4, at the means of the Dirichlet distributions."""
    alpha_jk, eta_wk = e_step(case, answer)["alpha_jk"], np.array(case["eta_wk"])
    theta_jk, phi_wk = alpha_jk / alpha_jk.sum(1, keepdims=True), eta_wk / eta_wk.sum(0)
    X = counts_of(case)
    return {"perplexity": float(np.exp(-(X * np.log(theta_jk @ phi_wk.T)).sum() / X.sum()))}


def chosen_counts(case: Case, answer: Case) -> tuple[Array, Array]:
    """N_jk and N_wk of the case's topics; a library that chooses them itself answers with its own."""
    if "N_jk" in answer:
        return np.array(answer["N_jk"], float), np.array(answer["N_wk"], float)
    return counts_of_topics(case, case["state"]["z"])


def log_joint(case: Case, answer: Case) -> Case:
    """log p(x, z), TNW06 (7), in nats."""
    return {"log_joint": model.log_joint_collapsed(*chosen_counts(case, answer), problem(case)[1])}


def estimate(case: Case, answer: Case) -> Case:
    """theta_jk and phi_wk from counts, AWST09 (15)."""
    (N_jk, N_wk), (alpha, eta) = chosen_counts(case, answer), prior_of(case)
    theta_jk, phi_wk = N_jk + alpha, N_wk + eta[:, None]
    return {"theta_jk": theta_jk / theta_jk.sum(1, keepdims=True), "phi_wk": phi_wk / phi_wk.sum(0)}


def perplexity_of_counts(case: Case, answer: Case) -> Case:
    """exp(-mean log of sum_k theta_jk phi_wk), AWST09 §4, with theta and phi from counts."""
    estimates, X = estimate(case, answer), counts_of(case)
    return {"perplexity": float(np.exp(-(X * np.log(estimates["theta_jk"] @ estimates["phi_wk"].T)).sum() / X.sum()))}


def log_likelihood(case: Case, answer: Case) -> Case:
    """log p(x | theta, phi) of the sequences of words: there is no multinomial coefficient."""
    p_jw = np.array(case["theta_jk"]) @ np.array(case["phi_wk"]).T
    return {"log_likelihood": float((counts_of(case) * np.log(p_jw)).sum())}


def map_e_step(case: Case, answer: Case) -> Case:
    """theta_jk after the iterations of EM with phi_wk held, AWST09 (5)(6), from equal topics."""
    theta_jk, phi_wk = np.full((case["corpus"]["D"], case["K"]), 1 / case["K"]), np.array(case["phi_wk"])
    for _ in range(case["iterations"]):
        theta_jk = theta_jk * ((counts_of(case) / (theta_jk @ phi_wk.T)) @ phi_wk) + prior_of(case)[0] - 1
        theta_jk /= theta_jk.sum(1, keepdims=True)
    return {"theta_jk": theta_jk}


def map_iteration(case: Case, answer: Case) -> Case:
    """theta_jk and phi_wk after one iteration of EM, AWST09 (5)(6), from phi_wk and equal topics of all documents."""
    gamma = np.array(case["phi_wk"])[case["corpus"]["w"]]
    gamma_state = {"gamma": (gamma / gamma.sum(1, keepdims=True)).tolist()}
    return plain.answer(case | {"algorithm": "map", "operation": "estimate", "state": gamma_state})


def cvb0_limit(case: Case, answer: Case) -> Case:
    """theta_jk and phi_wk at the fixed point of CVB0, AWST09 (13), to which the answered theta_jk and phi_wk lead."""
    (corpus, p), cvb0 = problem(case), lda.ALGORITHMS["cvb0"]
    start_estimates = answer or {"theta_jk": np.ones((corpus.D, case["K"])), "phi_wk": case["phi_wk"]}
    gamma = np.array(start_estimates["theta_jk"])[corpus.j] * np.array(start_estimates["phi_wk"])[corpus.w]
    state, gamma_change = cvb0.init(corpus, case["K"], p, gamma=gamma / gamma.sum(1, keepdims=True)), np.inf
    while gamma_change > 1e-12:
        last_state, state = state, cvb0.sweep(state, corpus, p)
        gamma_change = np.abs(state.gamma - last_state.gamma).max()
    theta_jk, phi_wk = cvb0.estimate(state, corpus, p)
    return {"theta_jk": theta_jk, "phi_wk": phi_wk}


ONLY_VECTORS = ("full_log_joint", "document_evidence", "coherence_umass", "coherence_npmi")
OPERATIONS: dict[str, Callable[[Case, Case], Case]] = {
    "expected_log": expected_log, "e_step": e_step, "converged_e_step": e_step, "iteration": iteration,
    "online_step": online_step, "step_from_ones": online_topics, "elbo": elbo, "perplexity": perplexity,
    "log_joint": log_joint, "estimate": estimate, "fold_in_cvb0": fold_in, "perplexity_of_counts": perplexity_of_counts,
    "log_likelihood": log_likelihood, "map_e_step": map_e_step, "map_iteration": map_iteration, "cvb0": cvb0_limit,
    "converged_step": online_topics, **dict.fromkeys(ONLY_VECTORS, lambda case, answer: plain.answer(case)),
}  # fmt: skip


def expected(case: Case, answer: Case) -> Case:
    """What the answer to a case should be; of an answer, only the counts that the library has chosen are used."""
    if "expected" in case and "N_jk" not in answer:
        return case["expected"]
    return OPERATIONS[case["operation"]](case, answer)


# The cases -----------------------------------------------------------------------------------------------------------

SIZES = (  # K, W, the documents' lengths, alpha, eta
    (3, 8, (12, 7, 30), 0.3, 0.5),
    (2, 5, (9, 0, 4), 0.5, 0.1),  # an empty document
    (1, 6, (5, 8), 0.1, 0.2),
    (4, 12, (20, 40, 15, 6), (0.3, 0.05, 2.0, 0.7), 0.4),
    (3, 6, (10, 25), 0.5, (0.5, 0.2, 0.05, 0.9, 0.1, 2.0)),
    (5, 10, (30, 12, 8), 0.1, 0.05),
    (6, 30, (200, 350), 0.2, 0.1),
    (10, 40, (60, 60, 60), 1.0, 2.0),
    (3, 8, (2000, 900), 5.0, 1.0),
    (4, 9, (1, 2, 3, 4, 5), 0.25, 0.3),
    (3, 8, (12, 7, 30), 1.0, 0.01),  # the last word is in the first document and in no topic
)
UNIQUE = (1, 2, 3, 5, 8, 9, 11)  # the cases whose E step ends at the same fixed point from all starts
VECTORS = {name: f"vb/{name}/" for name in ("e_step", "elbo", "online_step")} | {
    name: f"lda/{name}/" for name in ("log_joint", *ONLY_VECTORS)
}  # their ids begin so
vectors = cache(oracle.cases)


def cases(operation: str) -> list[Case]:
    """The cases of an operation, the same in each run, and then the oracle's vectors, if it has any."""
    oracle_cases = vectors(VECTORS[operation]) if operation in VECTORS else []
    if operation in ("online_step", *ONLY_VECTORS):
        return oracle_cases
    if operation == "expected_log":
        return [expected_log_case(i, *x) for i, x in enumerate(((2, 1e-3), (3, 0.1), (5, 1.0), (4, 30.0)), 1)]
    if operation == "step_from_ones":  # with one topic the vectors do not depend on the start
        oracle_cases = [case for case in vectors(VECTORS["online_step"]) if case["K"] == 1 and case["iterations"]]
        oracle_cases = [case | {"expected": {"eta_wk": case["expected"]["eta_wk"]}} for case in oracle_cases]
    needs_one_end = operation in ("converged_e_step", "converged_step", "iteration", "perplexity", "fold_in_cvb0")
    return [case_of(operation, i) for i in range(1, len(SIZES) + 1) if i in UNIQUE or not needs_one_end] + oracle_cases


def expected_log_case(case_number: int, K: int, parameter_scale: float) -> Case:
    rng = np.random.default_rng([7, case_number])
    parameters = parameter_scale * rng.gamma(0.5, 1.0, (6, K)) + 1e-5
    return {"id": f"expected_log/{case_number:03}", "operation": "expected_log", "parameters": parameters.tolist()}


def case_of(operation: str, i: int) -> Case:
    """A corpus drawn from topics, with all that the operations need."""
    K, W, document_lengths, alpha, eta = SIZES[i - 1]
    rng = np.random.default_rng([15, i])
    eta_wk = rng.gamma(0.5, 10.0, (W, K)) + np.reshape(np.broadcast_to(eta, (W,)), (W, 1))
    phi_wk = eta_wk / eta_wk.sum(0)
    X = np.stack([rng.multinomial(N_j, phi_wk @ rng.dirichlet(np.full(K, 0.5))) for N_j in document_lengths])
    if i == len(SIZES):
        X[:, -1], eta_wk[-1] = (2, 0, 0), eta
    for w in np.flatnonzero(X.sum(0) == 0):  # tomotopy knows only words that are in a document
        X[np.argmax(X.sum(1)), w] = 1
    j, w = np.nonzero(X)
    case = {
        "id": f"{operation}/{i:03}", "operation": operation, "K": K,
        "corpus": {"j": j.tolist(), "w": w.tolist(), "n": X[j, w].tolist(), "D": len(X), "W": W},
        "prior": {prior: list(x) if isinstance(x, tuple) else x for prior, x in (("alpha", alpha), ("eta", eta))},
        "eta_wk": eta_wk.tolist(), "phi_wk": phi_wk.tolist(), "state": {"z": rng.integers(0, K, int(X.sum())).tolist()},
    }  # fmt: skip
    if operation in ("e_step", "elbo"):
        case["alpha_jk"] = (rng.gamma(1.0, 5.0, (len(X), K)) + np.broadcast_to(alpha, (K,))).tolist()
    if operation in ("step_from_ones", "converged_step"):
        case |= {"total_D": i * len(X) + 2, "t": 3 * i, "tau0": 2.0**i, "kappa": 0.5 + i / 30}
    if operation == "step_from_ones":
        case["mean_change"] = 1e-3
    if operation == "log_likelihood":
        case["theta_jk"] = rng.dirichlet(np.ones(K), len(X)).tolist()
    if operation in ("map_e_step", "map_iteration"):  # EM needs priors above 1
        case["prior"] = {prior: (1 + np.array(x)).tolist() for prior, x in case["prior"].items()}
    return case | {"iterations": i} if operation in ("e_step", "map_e_step") else case
