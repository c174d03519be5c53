"""The cases of the steps of one batch: online variational Bayes, and stochastic CVB0.

The corpus of a case is the batch.
"""

from __future__ import annotations

from lda_reference.oracle.fresh.operations import online_vb, scvb0
from lda_reference.plain.problem import Case

from .operation_cases import OF_300, PROBLEMS, OfOperations
from .plan import Problem
from .small_corpora import ALPHAS, ETAS

ONE: Problem = ("a batch of one document", [[(0, 3), (2, 1)]], 3, 2, 0.4, 0.3)
TWO: Problem = ("two documents", [[(0, 2), (1, 1)], [(1, 1), (2, 3)]], 3, 2, 0.3, 0.6)
THREE: Problem = ("three documents, one of them empty", [[(0, 1), (1, 4)], [], [(2, 2), (0, 1)]], 3, 2, 0.2, 0.1)
TWICE: Problem = ("a word with three rows in a document", [[(1, 1), (0, 2), (1, 3), (1, 1)], [(2, 1)]], 3, 2, 0.5, 0.2)
PRIORS: Problem = ("vectors", [[(0, 2), (1, 1)], [(2, 1), (1, 2)]], 3, 2, [0.3, 1.2], [0.5, 0.2, 0.9])
EMPTY_LAST: Problem = ("the last two documents are empty", [[(0, 1), (2, 2)], [(1, 2)], [], []], 4, 2, 0.1, 0.4)
TOKENS: Problem = ("tokens", [[(0, 1), (1, 1), (0, 1)], [(2, 1), (1, 1)]], 3, 2, 0.2, 0.3)
SINGLE: Problem = ("one topic", [[(0, 2)], [(1, 1), (2, 4)]], 3, 1, 0.5, 0.7)
ALONE: Problem = ("one token", [[(1, 1)]], 2, 2, 0.6, 0.1)
MANY: Problem = ("twelve topics", [[(0, 3), (1, 1)], [(1, 2)]], 2, 12, 0.1, 0.05)
WIDE: Problem = ("a word id beyond 8 bits", [[(258, 2), (3, 1)], [(256, 1)]], 259, 1, 0.3, 0.1)
FAR: Problem = ("five words with vectors", [[(4, 2), (0, 1), (2, 3)], [(1, 2), (4, 1)]], 5, 3, ALPHAS[:3], ETAS[:5])

# A batch, and the iterations, total_D, t, tau0 and kappa
OF_VB: list[tuple[Problem, int, int, int, float, float]] = [
    (PROBLEMS[0], 1, 30, 3, 1.0, 0.7),
    (PROBLEMS[1], 2, 1000, 10, 64.0, 0.51),
    (PROBLEMS[2], 1, 7, 2, 1.0, 0.9),
    (PROBLEMS[3], 2, 50, 5, 10.0, 0.6),
    (PROBLEMS[4], 1, 100, 1, 0.0, 0.8),
    (PROBLEMS[5], 2, 11, 7, 2.5, 0.75),
    (PROBLEMS[6], 3, 300, 20, 64.0, 0.7),
    (TWO, 1, 2, 0, 1.0, 0.7),  # rho = 1, and the batch is the corpus: a step of VB
    (TWO, 0, 2, 0, 1.0, 1.0),
    (TWO, 0, 9, 4, 1.0, 0.6),
    (TWO, 3, 9, 4, 0.0, 0.6),
    (TWO, 2, 100_000, 99_999, 1024.0, 0.5001),
    (TWO, 2, 3, 1_000_000, 1.0, 1.0),
    (TWO, 10, 20, 8, 64.0, 0.9),
    (TWO, 2, 3, 1, 0.0, 0.7),
    (TWO, 2, 3, 2, 0.5, 0.7),
    (TWO, 200, 25, 3, 1.0, 0.7),
    (TWO, 1, 5, 1, 1024.0, 0.7),
    (ONE, 0, 1, 0, 1.0, 0.7),
    (ONE, 1, 40, 2, 1.0, 0.8),
    (ONE, 5, 3, 12, 64.0, 0.55),
    (ONE, 2, 1_000_000, 50, 1.0, 0.9),
    (THREE, 1, 3, 2, 1.0, 0.7),
    (THREE, 2, 10, 5, 1.0, 0.7),
    (THREE, 2, 10, 0, 64.0, 0.7),
    (THREE, 0, 100, 3, 0.0, 1.0),
    (TWICE, 1, 6, 1, 1.0, 0.6),
    (TWICE, 3, 15, 9, 1.0, 0.7),
    (PRIORS, 1, 5, 2, 1.0, 0.7),
    (PRIORS, 2, 77, 6, 64.0, 0.85),
    (PRIORS, 0, 2, 0, 1.0, 0.7),
    (PRIORS, 4, 2001, 300, 0.0, 0.6),
    (EMPTY_LAST, 2, 9, 2, 1.0, 0.7),
    (EMPTY_LAST, 1, 4000, 31, 1024.0, 0.7),
    (TOKENS, 1, 7, 2, 1.0, 0.7),
    (TOKENS, 3, 50, 10, 64.0, 0.5001),
    (SINGLE, 1, 13, 4, 1.0, 0.8),
    (SINGLE, 3, 2, 1, 1.0, 0.7),
    (ALONE, 1, 8, 3, 1.0, 0.7),
    (ALONE, 0, 500, 0, 16.0, 0.9),
    (MANY, 2, 21, 2, 1.0, 0.7),
    (WIDE, 1, 9, 1, 1.0, 0.9),
    (FAR, 2, 17, 5, 1.0, 0.7),
    (OF_300, 2, 40, 3, 1.0, 0.7),
]

# A batch, and burn_in, total_N, rho_theta and rho_phi
OF_SCVB0: list[tuple[Problem, int, int, float, float]] = [
    (PROBLEMS[0], 1, 300, 0.1, 0.2),
    (PROBLEMS[1], 0, 1000, 0.3, 0.05),
    (PROBLEMS[2], 1, 71, 0.2, 0.5),
    (PROBLEMS[3], 2, 500, 0.05, 0.1),
    (PROBLEMS[4], 1, 100, 0.1, 0.3),
    (PROBLEMS[5], 1, 111, 0.4, 0.25),
    (PROBLEMS[6], 3, 3000, 0.01, 0.02),
    (TWO, 1, 7, 0.3, 1.0),  # rho_phi = 1, and the batch is the corpus
    (TWO, 0, 7, 0.3, 1.0),
    (TWO, 0, 60, 0.1, 0.3),
    (TWO, 1, 60, 0.1, 0.3),
    (TWO, 3, 60, 0.1, 0.3),
    (TWO, 1, 1_000_000, 0.2, 0.001),
    (TWO, 1, 15, 0.9, 0.6),
    (TWO, 1, 15, 1.0, 0.6),
    (TWO, 1, 15, 0.001, 0.6),
    (TWO, 1, 15, 0.00001, 0.00002),
    (TWO, 10, 25, 0.15, 0.4),
    (TWO, 2, 8, 0.25, 0.5),
    (ONE, 0, 4, 0.2, 0.7),
    (ONE, 1, 90, 0.2, 0.1),
    (ONE, 3, 10, 0.05, 1.0),
    (ONE, 1, 999_999, 0.5, 0.01),
    (THREE, 1, 8, 0.2, 0.3),
    (THREE, 1, 75, 0.1, 0.3),
    (THREE, 0, 20, 0.6, 0.9),
    (TWICE, 1, 50, 0.1, 0.4),
    (TWICE, 0, 8, 0.35, 0.2),
    (TWICE, 3, 123, 0.02, 0.8),
    (PRIORS, 1, 42, 0.1, 0.3),
    (PRIORS, 0, 6, 0.2, 1.0),
    (PRIORS, 2, 1001, 0.05, 0.07),
    (PRIORS, 1, 9, 0.001, 0.5),
    (EMPTY_LAST, 1, 33, 0.1, 0.3),
    (EMPTY_LAST, 0, 5, 0.7, 0.2),
    (TOKENS, 1, 44, 0.1, 0.3),
    (TOKENS, 3, 5, 0.2, 0.9),
    (SINGLE, 1, 70, 0.1, 0.3),
    (SINGLE, 0, 7, 0.2, 1.0),
    (ALONE, 1, 12, 0.3, 0.4),
    (ALONE, 0, 1, 0.01, 0.9),
    (MANY, 1, 30, 0.1, 0.2),
    (WIDE, 1, 40, 0.1, 0.5),
    (FAR, 1, 55, 0.2, 0.35),
    (OF_300, 1, 2000, 0.01, 0.3),
]


def online_cases() -> list[Case]:
    """The cases of both steps, without their answers."""
    cases = OfOperations()
    for problem, iterations, total_D, t, tau0, kappa in OF_VB:
        B, rho = len(problem[1]), f"({tau0:g} + {t})^-{kappa:g}"
        more = f"; {B} of {total_D} documents, iterations: {iterations}, rho = {rho}"
        cases.add("vb", "online_step", problem, online_vb(iterations, total_D, t, tau0, kappa), more)
    for problem, burn_in, total_N, rho_theta, rho_phi in OF_SCVB0:
        M = sum(n for d in problem[1] for _, n in d)
        more = f"; {M} of {total_N} tokens, burn_in: {burn_in}, rho_theta = {rho_theta:g}, rho_phi = {rho_phi:g}"
        cases.add("scvb0", "online_step", problem, scvb0(burn_in, total_N, rho_theta, rho_phi), more)
    return cases.all
