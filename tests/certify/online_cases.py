"""The cases of the steps of one batch: online variational Bayes, and stochastic CVB0.

The corpus of a case is the batch. To keep the file small, only some cases list known mistakes.
"""

from __future__ import annotations

from lda_reference.oracle.fresh_operations import online_vb, scvb0
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

# A batch, and the iterations, total_D, t, tau0 and kappa; and whether known mistakes are listed
OF_VB: list[tuple[Problem, int, int, int, float, float, bool]] = [
    (PROBLEMS[0], 1, 30, 3, 1.0, 0.7, True),
    (PROBLEMS[1], 2, 1000, 10, 64.0, 0.51, False),
    (PROBLEMS[2], 1, 7, 2, 1.0, 0.9, False),
    (PROBLEMS[3], 2, 50, 5, 10.0, 0.6, True),
    (PROBLEMS[4], 1, 100, 1, 0.0, 0.8, False),
    (PROBLEMS[5], 2, 11, 7, 2.5, 0.75, False),
    (PROBLEMS[6], 3, 300, 20, 64.0, 0.7, False),
    (TWO, 1, 2, 0, 1.0, 0.7, True),  # rho = 1, and the batch is the corpus: a step of VB
    (TWO, 0, 2, 0, 1.0, 1.0, True),
    (TWO, 0, 9, 4, 1.0, 0.6, True),
    (TWO, 3, 9, 4, 0.0, 0.6, True),
    (TWO, 2, 100_000, 99_999, 1024.0, 0.5001, True),
    (TWO, 2, 3, 1_000_000, 1.0, 1.0, False),
    (TWO, 10, 20, 8, 64.0, 0.9, True),
    (TWO, 2, 3, 1, 0.0, 0.7, True),
    (TWO, 2, 3, 2, 0.5, 0.7, False),
    (TWO, 200, 25, 3, 1.0, 0.7, False),
    (TWO, 1, 5, 1, 1024.0, 0.7, True),
    (ONE, 0, 1, 0, 1.0, 0.7, False),
    (ONE, 1, 40, 2, 1.0, 0.8, True),
    (ONE, 5, 3, 12, 64.0, 0.55, False),
    (ONE, 2, 1_000_000, 50, 1.0, 0.9, False),
    (THREE, 1, 3, 2, 1.0, 0.7, False),
    (THREE, 2, 10, 5, 1.0, 0.7, True),
    (THREE, 2, 10, 0, 64.0, 0.7, False),
    (THREE, 0, 100, 3, 0.0, 1.0, False),
    (TWICE, 1, 6, 1, 1.0, 0.6, False),
    (TWICE, 3, 15, 9, 1.0, 0.7, True),
    (PRIORS, 1, 5, 2, 1.0, 0.7, True),
    (PRIORS, 2, 77, 6, 64.0, 0.85, True),
    (PRIORS, 0, 2, 0, 1.0, 0.7, False),
    (PRIORS, 4, 2001, 300, 0.0, 0.6, False),
    (EMPTY_LAST, 2, 9, 2, 1.0, 0.7, False),
    (EMPTY_LAST, 1, 4000, 31, 1024.0, 0.7, False),
    (TOKENS, 1, 7, 2, 1.0, 0.7, False),
    (TOKENS, 3, 50, 10, 64.0, 0.5001, False),
    (SINGLE, 1, 13, 4, 1.0, 0.8, False),
    (SINGLE, 3, 2, 1, 1.0, 0.7, False),
    (ALONE, 1, 8, 3, 1.0, 0.7, False),
    (ALONE, 0, 500, 0, 16.0, 0.9, False),
    (MANY, 2, 21, 2, 1.0, 0.7, False),
    (WIDE, 1, 9, 1, 1.0, 0.9, False),
    (FAR, 2, 17, 5, 1.0, 0.7, False),
    (OF_300, 2, 40, 3, 1.0, 0.7, False),
]

# A batch, and burn_in, total_N, rho_theta and rho_phi; and whether known mistakes are listed
OF_SCVB0: list[tuple[Problem, int, int, float, float, bool]] = [
    (PROBLEMS[0], 1, 300, 0.1, 0.2, True),
    (PROBLEMS[1], 0, 1000, 0.3, 0.05, False),
    (PROBLEMS[2], 1, 71, 0.2, 0.5, False),
    (PROBLEMS[3], 2, 500, 0.05, 0.1, True),
    (PROBLEMS[4], 1, 100, 0.1, 0.3, False),
    (PROBLEMS[5], 1, 111, 0.4, 0.25, False),
    (PROBLEMS[6], 3, 3000, 0.01, 0.02, False),
    (TWO, 1, 7, 0.3, 1.0, True),  # rho_phi = 1, and the batch is the corpus
    (TWO, 0, 7, 0.3, 1.0, False),
    (TWO, 0, 60, 0.1, 0.3, True),
    (TWO, 1, 60, 0.1, 0.3, True),
    (TWO, 3, 60, 0.1, 0.3, False),
    (TWO, 1, 1_000_000, 0.2, 0.001, True),
    (TWO, 1, 15, 0.9, 0.6, False),
    (TWO, 1, 15, 1.0, 0.6, False),
    (TWO, 1, 15, 0.001, 0.6, True),
    (TWO, 1, 15, 0.00001, 0.00002, False),
    (TWO, 10, 25, 0.15, 0.4, False),
    (TWO, 2, 8, 0.25, 0.5, True),
    (ONE, 0, 4, 0.2, 0.7, False),
    (ONE, 1, 90, 0.2, 0.1, True),
    (ONE, 3, 10, 0.05, 1.0, False),
    (ONE, 1, 999_999, 0.5, 0.01, False),
    (THREE, 1, 8, 0.2, 0.3, False),
    (THREE, 1, 75, 0.1, 0.3, True),
    (THREE, 0, 20, 0.6, 0.9, False),
    (TWICE, 1, 50, 0.1, 0.4, True),
    (TWICE, 0, 8, 0.35, 0.2, False),
    (TWICE, 3, 123, 0.02, 0.8, False),
    (PRIORS, 1, 42, 0.1, 0.3, True),
    (PRIORS, 0, 6, 0.2, 1.0, False),
    (PRIORS, 2, 1001, 0.05, 0.07, True),
    (PRIORS, 1, 9, 0.001, 0.5, False),
    (EMPTY_LAST, 1, 33, 0.1, 0.3, False),
    (EMPTY_LAST, 0, 5, 0.7, 0.2, False),
    (TOKENS, 1, 44, 0.1, 0.3, False),
    (TOKENS, 3, 5, 0.2, 0.9, False),
    (SINGLE, 1, 70, 0.1, 0.3, False),
    (SINGLE, 0, 7, 0.2, 1.0, False),
    (ALONE, 1, 12, 0.3, 0.4, False),
    (ALONE, 0, 1, 0.01, 0.9, False),
    (MANY, 1, 30, 0.1, 0.2, False),
    (WIDE, 1, 40, 0.1, 0.5, False),
    (FAR, 1, 55, 0.2, 0.35, False),
    (OF_300, 1, 2000, 0.01, 0.3, False),
]


def online_cases() -> list[Case]:
    """The cases of both steps, without their answers."""
    cases = OfOperations()
    for problem, iterations, total_D, t, tau0, kappa, named in OF_VB:
        B, rho = len(problem[1]), f"({tau0:g} + {t})^-{kappa:g}"
        more = f"; {B} of {total_D} documents, iterations: {iterations}, rho = {rho}"
        cases.add("vb", "online_step", problem, online_vb(iterations, total_D, t, tau0, kappa), more)
        cases.all[-1]["named"] = named
    for problem, burn_in, total_N, rho_theta, rho_phi, named in OF_SCVB0:
        M = sum(n for d in problem[1] for _, n in d)
        more = f"; {M} of {total_N} tokens, burn_in: {burn_in}, rho_theta = {rho_theta:g}, rho_phi = {rho_phi:g}"
        cases.add("scvb0", "online_step", problem, scvb0(burn_in, total_N, rho_theta, rho_phi), more)
        cases.all[-1]["named"] = named
    return cases.all
