"""The cases of the operations besides the steps of the algorithms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lda_reference.oracle.fresh_inputs import Inputs, flags
from lda_reference.plain.problem import Case

from . import coherence_cases as coherence
from .plan import Cases, Given, Problem, gamma, z
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
TAGS_OF_FOLDING_IN = {"vb": ["AWST09 (10)", "AWST09 (15)"], "cvb0": ["AWST09 (13)", "AWST09 (15)"]}

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


class OfOperations(Cases):
    """The cases of these operations."""

    def add(self, algorithm: str, operation: str, problem: Problem, given: Given, more: str = "") -> None:
        """Add a case; `more` is added to the note of the problem."""
        note, *rest = problem
        tags = TAGS_OF_FOLDING_IN[algorithm] if operation == "fold_in" else TAGS[operation]
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
    cases.each("vb", "m_step", gamma)
    cases.each("vb", "elbo", parameters)
    for algorithm in ("vb", "cvb0"):
        for problem, (sweeps, schedule) in zip(PROBLEMS, SWEEPS, strict=True):
            cases.add(algorithm, "fold_in", problem, folded_in(sweeps, schedule), f"; sweeps: {sweeps}, by {schedule}")
    cases.each("lda", "log_joint", z)
    cases.each("lda", "full_log_joint", theta_and_phi)
    cases.each("lda", "document_evidence", phi)
    for operation in ("tempered_update", "tempered_sweep"):
        for problem, b in zip(PROBLEMS, (0.5, 0.25, 0.0, 0.7, 0.9, 0.1, 1.0), strict=True):
            cases.add("cgs", operation, problem, tempered(b), f"; inverse temperature {b:g}")
    add_steps_of_ep(cases)
    cases.each("hmc", "gradient", lambda case, inputs: tables(case, "u", lambda: normal(inputs)))
    for problem, (step, leapfrogs) in zip(PROBLEMS, LEAPFROGS, strict=True):
        cases.add("hmc", "leapfrog", problem, trajectory(step, leapfrogs), f"; steps: {leapfrogs}")
    for problem, (batch, step) in zip(PROBLEMS, BATCHES, strict=True):
        cases.add("sgrld", "langevin", problem, langevin(batch, step), f"; a batch of {len(batch)}")
    for operation in ("coherence_umass", "coherence_npmi"):
        for problem, words, topics in coherence.PROBLEMS:
            cases.add("lda", operation, problem, coherence.given(words, topics), f"; words: {words}")
    return cases.all


# Variational Bayes and the model -------------------------------------------------------------------------------------

CONVERGED = 200  # iterations, after which alpha_jk changes no more
SWEEPS = ((1, "token"), (2, "corpus"), (3, "token"), (2, "token"), (2, "document"), (10, "corpus"), (10, "token"))


def decimal(inputs: Inputs, low: float, high: float) -> float:
    """A multiple of 1/10,000 between two numbers."""
    return round(low + (high - low) * inputs.rng.random(), 4)


def normal(inputs: Inputs) -> float:
    """A multiple of 1/10,000, of mean 0 and standard deviation 1."""
    return round(math.fsum(inputs.rng.random() for _ in range(12)) - 6, 4)


def table(rows: int, columns: int, number: Callable[[], float]) -> list[list[float]]:
    """A table of numbers."""
    return [[number() for _ in range(columns)] for _ in range(rows)]


def tables(case: Case, name: str, number: Callable[[], float]) -> dict[str, Any]:
    """A table of numbers for documents, and one for words."""
    sizes = {"jk": case["corpus"]["D"], "wk": case["corpus"]["W"]}
    return {f"{name}_{of}": table(rows, case["K"], number) for of, rows in sizes.items()}


def e_step(iterations: int, ones: bool = False) -> Given:
    """eta_wk, and the alpha_jk that the iterations begin with."""

    def given(case: Case, inputs: Inputs) -> dict[str, Any]:
        found = parameters(case, inputs)
        if ones:
            found["alpha_jk"] = table(case["corpus"]["D"], case["K"], lambda: 1.0)
        return found | {"iterations": iterations}

    return given


def parameters(case: Case, inputs: Inputs) -> dict[str, Any]:
    """The parameters of q(theta) and q(phi)."""
    D, W, K = case["corpus"]["D"], case["corpus"]["W"], case["K"]
    return {
        "alpha_jk": table(D, K, lambda: decimal(inputs, 0.05, 4)),
        "eta_wk": table(W, K, lambda: decimal(inputs, 0.05, 4)),
    }


def phi(case: Case, inputs: Inputs) -> dict[str, Any]:
    """phi_wk."""
    return {"phi_wk": inputs.columns(case["corpus"]["W"], case["K"])}


def theta_and_phi(case: Case, inputs: Inputs) -> dict[str, Any]:
    """z, theta_jk and phi_wk."""
    theta = {"theta_jk": inputs.rows(case["corpus"]["D"], case["K"])}
    return z(case, inputs) | theta | phi(case, inputs)


def folded_in(sweeps: int, schedule: str) -> Given:
    """phi_wk and the number of sweeps."""
    return lambda case, inputs: {"schedule": schedule} | phi(case, inputs) | {"sweeps": sweeps}


# Steps ---------------------------------------------------------------------------------------------------------------

LEAPFROGS = ((0.25, 1), (0.5, 1), (0.25, 2), (1.0, 1), (0.1, 1), (0.2, 3), (0.3, 1))
BATCHES = (((0, 2), 0.1), ((4, 0, 1), 0.5), ((1,), 0.2), ((0,), 0.3), ((2,), 1.0), ((0, 1), 0.1), ((1, 2), 0.6))


def tempered(b: float) -> Given:
    """The topics, the inverse temperature, and the row and token or the uniforms."""

    def given(case: Case, inputs: Inputs) -> dict[str, Any]:
        found = {"schedule": "token"} | z(case, inputs) | {"inverse_temperature": b}
        if case["operation"] == "tempered_sweep":
            return found | {"uniforms": [inputs.uniform() for _ in range(sum(case["corpus"]["n"]))]}
        row = inputs.below(len(case["corpus"]["n"]))
        return found | {"row": row, "token": inputs.below(case["corpus"]["n"][row])}

    return given


def trajectory(step: float, leapfrogs: int) -> Given:
    """u, the momentum, the mass and the steps."""

    def given(case: Case, inputs: Inputs) -> dict[str, Any]:
        found = tables(case, "u", lambda: normal(inputs)) | tables(case, "momentum", lambda: normal(inputs))
        found |= tables(case, "mass", lambda: decimal(inputs, 0.8, 3))
        return found | {"step": step, "leapfrogs": leapfrogs}

    return given


def langevin(batch: tuple[int, ...], step: float) -> Given:
    """x_wk, the topics, the batch, the step and the normal numbers."""

    def given(case: Case, inputs: Inputs) -> dict[str, Any]:
        W, K = case["corpus"]["W"], case["K"]
        found = z(case, inputs) | {"x_wk": table(W, K, lambda: decimal(inputs, 0.02, 3)), "batch": list(batch)}
        return found | {"step": step, "normals_wk": table(W, K, lambda: normal(inputs))}

    return given


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


def sites(row: int, damping: float, of_theta: dict[int, list[float]] | None = None) -> Given:
    """gamma and the sites of all rows, the row and the damping; `of_theta` has the exponents at theta of some rows."""

    def given(case: Case, inputs: Inputs) -> dict[str, Any]:
        c, K = case["corpus"], case["K"]
        jk = table(len(c["n"]), K, lambda: decimal(inputs, 0.01, 0.8))
        wk = [
            [[decimal(inputs, 0.01, 0.8 if v == w else 0.05) for _ in range(K)] for v in range(c["W"])] for w in c["w"]
        ]
        for i, exponents in (of_theta or {}).items():
            jk[i] = exponents
        state = {"gamma": inputs.rows(len(c["n"]), K), "sites_jk": jk, "sites_wk": wk}
        return {"state": state, "row": row, "damping": damping}

    return given
