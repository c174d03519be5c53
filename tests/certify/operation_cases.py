"""The cases of the operations besides the steps of the algorithms."""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.fresh.inputs import Given, Inputs, flags, gamma, z
from lda_reference.oracle.fresh.operations import (
    compared,
    coordinates,
    e_step,
    folded_in,
    langevin,
    parameters,
    phi,
    sites,
    tempered,
    theta_and_phi,
    trajectory,
)
from lda_reference.plain.problem import Case

from . import coherence_cases as coherence
from .plan import Cases, Problem
from .size_cases import HUNDREDS, LARGE
from .small_corpora import ALPHAS, COUNTS, ETAS, FULL, SMALL, TEXT

TAGS = {
    "e_step": ["TNW06 (4)", "TNW06 (6)", "AWST09 (10)"],
    "m_step": ["TNW06 (5)"],
    "elbo": ["TNW06 (2)"],
    "log_joint": ["TNW06 (7)"],
    "full_log_joint": ["TNW06 (1)"],
    "document_evidence": ["TNW06 (7)"],
    "tempered_update": ["TNW06 (8)", "NEAL01 [tempered]"],
    "tempered_sweep": ["TNW06 (8)", "NEAL01 [tempered]"],
    "step": ["ML02 [deletion]", "ML02 [moments]", "ML02 [inclusion]"],
    "gradient": ["TNW06 (1)", "PT13 [coordinates]"],
    "leapfrog": ["NEAL11 [leapfrog]"],
    "langevin": ["PT13 [step]"],
    "coherence_umass": ["MIM11 [umass]"],
    "coherence_npmi": ["BOU09 [npmi]"],
}
# Operations of more than one algorithm
TAGS_OF_FOLDING_IN = {"vb": ["AWST09 (10)", "AWST09 (15)"], "cvb0": ["AWST09 (13)", "AWST09 (15)"]}
TAGS_OF_ONLINE_STEPS = {
    "vb": ["HBB10 [estimate]", "HBB10 [rate]", "HBB10 [step]"],
    "scvb0": ["FBDSW13 [gamma]", "FBDSW13 [document]", "FBDSW13 [estimate]", "FBDSW13 [step]"],
}
OF_ALGORITHMS = {"fold_in": TAGS_OF_FOLDING_IN, "online_step": TAGS_OF_ONLINE_STEPS}

VECTORS: Problem = ("an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS)
PROBLEMS: tuple[Problem, ...] = (
    ("counts above 1", COUNTS, 4, 3, 0.1, 0.2),
    VECTORS,
    ("five topics, and a word with two rows in a document", FULL, 4, 5, 0.5, 0.4),
    ("one topic", COUNTS, 4, 1, 0.3, 0.2),
    ("small priors", COUNTS, 4, 4, 0.001, 0.01),
    ("large priors", SMALL, 3, 4, 20.0, 5.0),
    ("counts above 1, vectors", COUNTS, 4, 4, ALPHAS[:4], ETAS[:4]),
)
# A count of 300, where 8 bits end and Gamma(x) is infinite in floats, and one of 700, where p(x) is 0
OF_300: Problem = ("a count of 300", HUNDREDS, 4, 2, 0.1, 0.2)
OF_700: Problem = ("counts of 300 and 700", LARGE, 4, 2, 0.4, 0.3)
OF_100: Problem = ("a hundred tokens and a large prior", [[(0, 70), (1, 30)]], 2, 2, [60.0, 20.0], 0.5)


class OfOperations(Cases):
    """The cases of these operations."""

    def add(self, algorithm: str, operation: str, problem: Problem, given: Given, more: str = "") -> None:
        """Add a case; `more` is added to the note of the problem."""
        note, *rest = problem
        tags = OF_ALGORITHMS[operation][algorithm] if operation in OF_ALGORITHMS else TAGS[operation]
        case, inputs = self.begun(f"{algorithm}/{operation}", algorithm, operation, (note + more, *rest), tags=tags)
        case |= given(case, inputs)
        case["flags"] = flags(case)

    def each(self, algorithm: str, operation: str, given: Given) -> None:
        """Add a case of each problem."""
        for problem in PROBLEMS:
            self.add(algorithm, operation, problem, given)


def operation_cases() -> list[Case]:
    """The cases of all these operations, without their answers."""
    cases = OfOperations()
    for problem, iterations in zip(PROBLEMS, (1, 2, 1, 2, 3, 2, 10), strict=True):
        cases.add("vb", "e_step", problem, e_step(iterations), f"; iterations: {iterations}")
    for problem in (PROBLEMS[0], VECTORS, PROBLEMS[5]):
        cases.add("vb", "e_step", problem, e_step(CONVERGED, ones=True), "; at a fixed point, from ones")
    cases.add("vb", "e_step", OF_300, e_step(2), "; iterations: 2")
    cases.each("vb", "m_step", gamma)
    cases.add("vb", "m_step", OF_300, gamma)
    cases.each("vb", "elbo", parameters)
    cases.add("vb", "elbo", OF_300, large_parameters)
    for algorithm in ("vb", "cvb0"):
        for problem, (sweeps, schedule) in zip(PROBLEMS, SWEEPS, strict=True):
            cases.add(algorithm, "fold_in", problem, folded_in(sweeps, schedule), f"; sweeps: {sweeps}, by {schedule}")
        cases.add(algorithm, "fold_in", OF_300, folded_in(2, "token"), "; sweeps: 2, by token")
    cases.each("lda", "log_joint", z)
    cases.add("lda", "log_joint", OF_300, z)
    cases.each("lda", "full_log_joint", theta_and_phi)
    cases.add("lda", "full_log_joint", OF_700, theta_and_phi)
    cases.each("lda", "document_evidence", phi)
    cases.add("lda", "document_evidence", OF_100, phi)
    for operation in ("tempered_update", "tempered_sweep"):
        for problem, b in zip(PROBLEMS, (0.5, 0.25, 0.0, 0.7, 0.9, 0.1, 1.0), strict=True):
            cases.add("cgs", operation, problem, tempered(b), f"; inverse temperature {b:g}")
    add_steps_of_ep(cases)
    cases.each("hmc", "gradient", coordinates)
    cases.add("hmc", "gradient", OF_700, coordinates)
    for problem, (step, leapfrogs) in zip(PROBLEMS, LEAPFROGS, strict=True):
        cases.add("hmc", "leapfrog", problem, trajectory(step, leapfrogs), f"; steps: {leapfrogs}")
    for problem, (batch, step) in zip(PROBLEMS, BATCHES, strict=True):
        cases.add("sgrld", "langevin", problem, langevin(batch, step), f"; a batch of {len(batch)}")
    cases.add("sgrld", "langevin", OF_300, langevin((0, 2), 0.001), "; a batch of 2")
    for operation in ("coherence_umass", "coherence_npmi"):
        for problem, words, topics in coherence.PROBLEMS:
            cases.add("lda", operation, problem, compared(words, topics), f"; words: {words}")
    return cases.all


# Variational Bayes and the model -------------------------------------------------------------------------------------

CONVERGED = 200  # iterations, after which alpha_jk changes no more
SWEEPS = ((1, "token"), (2, "corpus"), (3, "token"), (2, "token"), (2, "document"), (10, "corpus"), (10, "token"))


def large_parameters(case: Case, inputs: Inputs) -> dict[str, Any]:
    """The same, up to 300."""
    return {name: [[round(100 * x, 2) for x in row] for row in of] for name, of in parameters(case, inputs).items()}


# Steps ---------------------------------------------------------------------------------------------------------------

LEAPFROGS = ((0.25, 1), (0.5, 1), (0.25, 2), (1.0, 1), (0.1, 1), (0.2, 3), (0.3, 1))
BATCHES = (((0, 2), 0.1), ((4, 0, 1), 0.5), ((1,), 0.2), ((0,), 0.3), ((2,), 1.0), ((0, 1), 0.1), ((1, 2), 0.6))


def add_steps_of_ep(cases: OfOperations) -> None:
    """The steps of expectation propagation: refined sites, and sites that are left as they are."""
    dampings = (0.5, 1.0, 0.5, 1.0, 0.25, 0.5, 0.5)
    for problem, row, damping in zip(PROBLEMS, (2, 5, 0, 2, 0, 2, 0), dampings, strict=True):
        text, *rest = problem
        cases.add("ep", "step", (f"{text}; row {row}", *rest), sites(row, damping))
    # q is proper and the cavity is not: 0.1 + 3 (0.5) - 0.9 - 2 (0.2) is 0.3, less 0.5
    negative = {0: [0.5, 0.4, 0.3], 1: [-0.9, 0.2, 0.1], 2: [-0.2, 0.1, 0.3]}
    improper = ("a parameter of theta's cavity is negative: the site is left", *PROBLEMS[0][1:])
    cases.add("ep", "step", improper, sites(0, 0.05, negative))
    large = ("with five whole steps a parameter of q would be negative: the site is left", *PROBLEMS[0][1:])
    cases.add("ep", "step", large, sites(3, 1.0, {3: [1.0, 0.9, 1.1]}))
    one_step = ("five steps, damped: the parameters of q stay positive", *PROBLEMS[0][1:])
    cases.add("ep", "step", one_step, sites(3, 0.1, {3: [1.0, 0.9, 1.1]}))
    # of topic 0 and word 0: 0.2 + 3 (0.5) - 1.9, and what the other rows add, is less than 0.5
    of_phi = {0: [0.5, 0.4, 0.3], 4: [-1.9, 0.3, 0.2]}
    improper = ("a parameter of phi's cavity is negative: the site is left", *PROBLEMS[0][1:])
    cases.add("ep", "step", improper, sites(0, 0.05, of_phi=of_phi))
