"""What the differences lead to, on one corpus: that of CONFORMANCE.md, 60 documents of 50 words from 5 topics.

Each function takes the answer of a row's adapter and gives numbers, which wild.toml puts into its sentences. Where an
update differs, the implementation and lda_reference make 100 sweeps from one start (samplers 30, and SCVB0 60 steps).
Then their topics are matched, and compared by the total variation distance: half the sum of absolute differences.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import lda_reference as lda
from figures.peers.adapters import corpus
from figures.peers.conformance_cases import Case, e_step
from lda_reference.algorithms import scvb0

from .asking import Answer

K, ALPHA, ETA = 5, 0.5, 0.1
Numbers = dict[str, float]


def truth() -> np.ndarray:
    """The topics (W, K) from which `corpus` draws."""
    return np.random.default_rng(0).dirichlet(np.full(200, 0.1), 5).T


def case_of(algorithm: str, tokens: bool = False, once: bool = False) -> Case:
    """The corpus as a case; in `tokens` each row is a token, and `once` each word of a document counts once."""
    X = np.minimum(corpus(), 1) if once else corpus()
    j, w = np.nonzero(X)
    n = X[j, w]
    if tokens:
        j, w, n = np.repeat(j, n), np.repeat(w, n), np.ones(n.sum(), int)
    rng = np.random.default_rng(1)
    rows = {"j": j.tolist(), "w": w.tolist(), "n": n.tolist(), "D": X.shape[0], "W": X.shape[1]}
    case = {"id": "corpus", "algorithm": algorithm, "corpus": rows, "K": K, "prior": {"alpha": ALPHA, "eta": ETA}}
    if algorithm == "cgs":
        return case | {"state": {"z": rng.integers(0, K, int(n.sum())).tolist()}}
    return case | {"state": {"gamma": rng.dirichlet(np.ones(K), len(j)).tolist()}}


def as_corpus(case: Case) -> lda.Corpus:
    return lda.Corpus(*(case["corpus"][name] for name in ("j", "w", "n", "D", "W")))


def phi_of(case: Case, gamma: Any) -> np.ndarray:
    N_wk = np.full((case["corpus"]["W"], K), ETA)
    np.add.at(N_wk, case["corpus"]["w"], np.array(case["corpus"]["n"])[:, None] * np.array(gamma))
    return N_wk / N_wk.sum(0)


def distance(phi: np.ndarray, reference: np.ndarray) -> float:
    return float(lda.match_topics(phi, reference)[1].mean())


def compared(computed: np.ndarray, right: np.ndarray) -> Numbers:
    distances_to_truth = {name: distance(phi, truth()) for name, phi in (("theirs", computed), ("right", right))}
    return {"between": distance(computed, right)} | distances_to_truth


def sweeps(algorithm: str, schedule: str, tokens: bool = False) -> Callable[[Answer], Numbers]:
    """100 sweeps by the implementation, ten at a time, and by lda_reference."""

    def numbers(answer: Answer) -> Numbers:
        case = case_of(algorithm, tokens) | {"schedule": schedule, "operation": "ten_sweeps"}
        gamma = case["state"]["gamma"]
        for _ in range(10):
            gamma = np.array(answer(case | {"state": {"gamma": np.array(gamma).tolist()}})["gamma"])
        return compared(phi_of(case, gamma), phi_of(case, right_sweeps(algorithm, schedule, tokens)))

    return numbers


@cache
def right_sweeps(algorithm: str, schedule: str, tokens: bool) -> np.ndarray:
    """gamma after 100 sweeps by lda_reference."""
    case = case_of(algorithm, tokens)
    state, c = lda.State(np.array(case["state"]["gamma"])), as_corpus(case)
    for _ in range(100):
        state = lda.ALGORITHMS[algorithm].sweep(state, c, lda.Prior(ALPHA, ETA), schedule)
    return state.gamma


def draws(answer: Answer) -> Numbers:
    """30 sweeps of collapsed Gibbs sampling; `one` is the share of documents that have one topic at the end."""
    case, out = case_of("cgs", once=True), {}
    rng, z = np.random.default_rng(2), case["state"]["z"]
    for _ in range(30):
        uniforms = rng.uniform(size=len(z)).tolist()
        z = [int(k) for k in answer(case | {"operation": "sweep", "state": {"z": z}, "uniforms": uniforms})["z"]]
    c, p = as_corpus(case), lda.Prior(ALPHA, ETA)
    fit = lda.fit(c, K, "cgs", p, sweeps=30, schedule="token", seed=1)
    gamma_of = {"theirs": np.eye(K)[z], "right": np.eye(K)[fit.state.z]}
    for name, gamma in gamma_of.items():
        N_jk = np.zeros((c.D, K))
        np.add.at(N_jk, c.j, gamma)
        out |= {name: distance(phi_of(case, gamma), truth()), f"{name}_one": float(np.mean(N_jk.max(1) == N_jk.sum(1)))}
    return out


def documents(answer: Answer) -> Numbers:
    """theta of the documents with the true topics, of which the first have many tokens, in an E step of VB."""
    case = case_of("vb") | {"operation": "e_step", "iterations": 200}
    case["eta_wk"] = (ETA + np.array([1200, 900, 600, 250, 50]) * truth()).tolist()
    case["alpha_jk"] = np.ones((case["corpus"]["D"], K)).tolist()
    right_alpha_jk, answered = (np.array(x["alpha_jk"]) for x in (e_step(case, {}), answer(case)))
    two_thetas = [x / x.sum(1, keepdims=True) for x in (right_alpha_jk, answered)]
    distance_j = 0.5 * np.abs(two_thetas[0] - two_thetas[1]).sum(1)
    return {"mean": float(distance_j.mean()), "largest": float(distance_j.max()), "sum": float(answered.sum(1).mean())}


def minibatches(answer: Answer) -> Numbers:
    """60 steps of SCVB0 with the whole corpus as a batch, in which words count once."""
    case = case_of("scvb0", once=True) | {"operation": "online_step", "burn_in": 1}
    rng, c, p = np.random.default_rng(1), as_corpus(case), lda.Prior(ALPHA, ETA)
    N_wk = rng.gamma(1.0, 1.0, (200, K))
    counts = {"N_jk": rng.gamma(1.0, 5.0, (60, K)), "N_wk": N_wk, "N_k": N_wk.sum(0)}
    right_topics, N_jk = scvb0.Topics(N_wk, N_wk.sum(0)), counts["N_jk"]
    for t in range(60):
        step_rates = {"rho_theta": 1 / (10 + t) ** 0.9, "rho_phi": 1 / (1 + t) ** 0.6}
        state_counts = {name: np.array(x).tolist() for name, x in counts.items()}
        counts = answer(case | state_counts | step_rates | {"total_N": int(c.N)})
        right_topics, N_jk = scvb0.step(right_topics, c, p, c.N, **step_rates, N_jk=N_jk)
    N_wk = np.array(counts["N_wk"])
    distances = compared(scvb0.topics(scvb0.Topics(N_wk, N_wk.sum(0)), p), scvb0.topics(right_topics, p))
    return distances | {"total": float(N_wk.sum()), "N": float(c.N)}


def bound(answer: Answer) -> Numbers:
    """The number for gamma after 100 sweeps of VB, and the right one."""
    case = case_of("vb")
    A, c, p = lda.ALGORITHMS["vb"], as_corpus(case), lda.Prior(ALPHA, ETA)
    state = lda.State(np.array(case["state"]["gamma"]))
    for _ in range(100):
        state = A.sweep(state, c, p)
    gamma = np.maximum(state.gamma, 1e-300)
    bound_number = answer(case | {"operation": "bound", "state": {"gamma": gamma.tolist()}})["bound"]
    return {"theirs": float(bound_number), "right": float(np.ravel(A.bound(state, c, p))[0])}


MEASURES: dict[str, Callable[[Answer], Numbers]] = {
    "cvbLDA": sweeps("cvb", "token"), "cosasha97-cvb": sweeps("cvb", "document"),
    "sidetopics-cvb64": sweeps("cvb", "token", True), "sidetopics-cvb64-exp": sweeps("cvb", "token", True),
    "sidetopics-cvb32": sweeps("cvb", "token", True), "sidetopics-vb": documents, "cosasha97-vb": documents,
    "cosasha97-gibbs": draws, "davidmcclure-draw": draws, "py_scvb0": minibatches, "tmlib": minibatches,
    "cosasha97-bound": bound, "sidetopics-bound": bound,
}  # fmt: skip
