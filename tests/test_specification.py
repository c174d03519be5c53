"""What would catch a mistake that is made in the plain text and in the engine alike.

It is caught by what is neither: fractions worked out by hand, conditional probabilities of the enumerated joint
distribution, expectations summed over all assignments, and a bound that must rise.
"""

import re
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax

import lda_reference as lda
from lda_reference import algorithms, plain

from . import planted
from .helpers import TINY, K, joint, long_form_bound, updated

ALGOS = lda.ALGORITHMS

# By hand -------------------------------------------------------------------------------------------------------------

# Document 0 has word 0 twice and word 1 once, and document 1 has word 0 once. alpha is 1/2 and eta is 1/4, so W eta is
# 1/2. The first row is updated. Two of its tokens have gamma (1/2, 1/2), the others (3/4, 1/4) and (1, 0). So
#     N_jk  1/2 + 1/2 + 3/4 = 7/4 and 5/4,    N_wk  1/2 + 1/2 + 1 = 2 and 1,    N_k  11/4 and 5/4
# and without one token of the row 5/4, 3/4, then 3/2, 1/2, then 9/4, 3/4.
C = lda.Corpus([0, 0, 1], [0, 1, 0], [2, 1, 1], D=2, W=2)
GAMMA = np.array([[0.5, 0.5], [0.75, 0.25], [1, 0]])
BY_HAND = {
    # (7/4)(7/4) / (11/4) = 49/44 and (5/4)(3/4) / (5/4) = 33/44
    "cvb0": (49, 33),
    # without both tokens 3/4, 1/4, then 1, 0, then 7/4, 1/4: (5/4)(5/4) / (9/4) = 25/36 and (3/4)(1/4) / (3/4) = 9/36
    "tcvb0": (25, 9),
    # n_0 is 1, 2, 3 with probability 1/8, 1/2, 3/8, so E[1/(n_0 + 1/2)] = 1/12 + 1/5 + 3/28 = 41/105; n_1 is 0, 1, 2 with
    # 3/8, 1/2, 1/8, and E[1/(n_1 + 1/2)] = 3/4 + 1/3 + 1/20 = 17/15: (49/16)(41/105) = 287/240, (15/16)(17/15) = 255/240
    "cvb1": (287, 255),
    # V_k is 1/4 + 3/16 = 7/16 for both topics: (49/44)(1 + 7/121) = 1568/1331 and (3/4)(1 + 7/25) = 24/25
    "cvb1d": (1568 * 25, 24 * 1331),
    # (7/4) 2 / (11/4) = 14/11 and (5/4) 1 / (5/4) = 1
    "ml": (14, 11),
    # alpha - 1 is 1/2 and eta - 1 is 1/4: (9/4)(9/4) / (13/4) = 81/52 and (7/4)(5/4) / (7/4) = 65/52
    "map": (81, 65),
}


def fractions_of(A_name):
    """The fractions, and the prior: for MAP each number is one more."""
    prior_offset = ALGOS[A_name].prior_offset
    return [Fraction(weight, sum(BY_HAND[A_name])) for weight in BY_HAND[A_name]], lda.Prior(0.5 + prior_offset, 0.25 + prior_offset)


@pytest.mark.parametrize("A_name", BY_HAND)
def test_updates_by_hand(A_name):
    fractions, p = fractions_of(A_name)
    assert plain.update(A_name, 0, GAMMA, C, p, Fraction) == fractions
    updated_row = ALGOS[A_name].sweep(lda.State(GAMMA), C, p).gamma[0]
    np.testing.assert_allclose(updated_row, np.array(fractions, float), rtol=0, atol=1e-14 if A_name == "cvb1" else 1e-15)


def test_a_conditional_of_collapsed_gibbs_by_hand():
    """Without the first token each topic has one token of document 0, one of word 0, and 2 and 1 tokens of the corpus.

    (3/2)(5/4) / (5/2) = 3/4 and (3/2)(5/4) / (3/2) = 5/4.
    """
    z, p = [0, 1, 0, 0], lda.Prior(0.5, 0.25)
    assert plain.update("cgs", 0, z, C, p, Fraction, K=2, token=0) == [Fraction(3, 8), Fraction(5, 8)]
    s = ALGOS["cgs"].init(C, 2, p, z=z)
    first_topics = [ALGOS["cgs"].sweep(s, C, p, uniforms=[u, 0.5, 0.5, 0.5]).z[0] for u in (3 / 8 - 1e-15, 3 / 8 + 1e-15)]
    assert first_topics == [0, 1]


# The same mistake in both --------------------------------------------------------------------------------------------

PRIOR = lda.Prior([0.5, 0.3, 0.9], [0.2, 1.0, 0.4, 0.7])


def error_by_hand(updated_rows, A_name):
    """The largest error of a row that was worked out by hand, over 1e-13."""
    exact_row, p = fractions_of(A_name)
    first_row = updated_rows(GAMMA, C, p)[0]
    return np.abs(first_row - np.array(exact_row, float)).max() / 1e-13


def error_of_conditionals(updated_rows, A_name):
    """With certain topics every collapsed update is p(z_i = k | z^-i, x); the largest error, over 1e-10."""
    z = (0, 1, 2, 0, 2, 1)
    joint_ik = np.array([[joint((*z[:i], k, *z[i + 1 :]), TINY, K, PRIOR) for k in range(K)] for i in range(TINY.N)])
    return np.abs(updated_rows(np.eye(K)[list(z)], TINY, PRIOR) - joint_ik / joint_ik.sum(1, keepdims=True)).max() / 1e-10


def error_of_expectations(updated_rows, A_name):
    """The largest difference from exp E[log p], summed over all assignments, over 1e-10."""
    gamma = np.random.default_rng(1).dirichlet(np.ones(K), size=TINY.M)
    weights = np.exp(lda.exact.expected_log(gamma, TINY, K, PRIOR))
    return np.abs(updated_rows(gamma, TINY, PRIOR) - weights / weights.sum(1, keepdims=True)).max() / 1e-10


@cache
def gamma_at_maximum(seed):
    """gamma at a maximum of TNW06 (2), term by term, that an optimiser finds."""
    c, logits = TINY.types(), np.random.default_rng(seed).normal(size=(TINY.types().M, K))
    scipy_optimum = minimize(lambda logits: -long_form_bound(softmax(logits.reshape(c.M, K), 1), c, PRIOR), logits.ravel())
    return softmax(scipy_optimum.x.reshape(c.M, K), 1)


def fall_of_the_bound(updated_rows, A_name):
    """The largest fall of TNW06 (2), term by term, in a step from a maximum of it, over 1e-8."""
    gammas, c = [gamma_at_maximum(seed) for seed in range(2)], TINY.types()
    falls = [long_form_bound(gamma, c, PRIOR) - long_form_bound(updated_rows(gamma, c, PRIOR), c, PRIOR) for gamma in gammas]
    return max(falls) / 1e-8


class SixForWEta(plain.Algorithm):
    def W_eta(self, i, k):
        return self.number(6)


class LogForDigamma(plain.Algorithm):
    def document(self, gamma, i, k):
        return self.N("document", gamma, i, k) + self.alpha[k]


class WrongSign(plain.Algorithm):
    def correction(self, x, V):
        return -super().correction(x, V)


class LogOfMean(plain.Algorithm):
    def topic(self, gamma, i, k):
        return self.N("topic", gamma, i, k) + self.W_eta(i, k)


# The names are those of the mistakes in the engine, in `planted`.
MISTAKES = {
    "cvb0: W instead of W eta": (SixForWEta, error_by_hand, error_of_conditionals),
    "cvb1d: the correction has the wrong sign": (WrongSign, error_by_hand),
    "cvb_exact: log of the topic's mean": (LogOfMean, error_of_expectations),
    "vb: log instead of digamma": (LogForDigamma, fall_of_the_bound),
}


def in_plain_text(A_name, *layers):
    """The update of all rows from the same sums, in the plain text."""

    def update(gamma, c, p):
        cases = [plain.case_of(A_name, "update", gamma, c, p, row=i) for i in range(c.M)]
        return np.array([plain.answer(case, float, *layers)["gamma_k"] for case in cases])

    return update


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_same_mistake_in_both_texts_is_caught_by_what_is_neither(mistake):
    A_name, (wrong_layer, *error_functions) = mistake.split(":")[0], MISTAKES[mistake]
    wrong_updates = in_plain_text(A_name, wrong_layer), partial(updated, planted.UPDATES[mistake])
    c = TINY.types()
    gamma = np.random.default_rng(2).dirichlet(np.ones(K), size=c.M)
    gammas = [updated_rows(gamma, c, PRIOR) for updated_rows in (*wrong_updates, in_plain_text(A_name))]
    np.testing.assert_allclose(gammas[0], gammas[1], rtol=0, atol=1e-12)
    assert np.abs(gammas[0] - gammas[2]).max() > 1e-3
    for error_of in error_functions:
        assert all(error_of(updated_rows, A_name) > 1e3 for updated_rows in wrong_updates)
        assert all(error_of(updated_rows, A_name) < 1 for updated_rows in (in_plain_text(A_name), partial(updated, ALGOS[A_name])))


MODULES = [module_path.stem for module_path in Path(algorithms.__file__).parent.glob("*.py") if module_path.stem != "__init__"]


@pytest.mark.parametrize("module_name", MODULES)
def test_a_module_of_an_algorithm_names_its_plain_text(module_name):
    plain_names = re.findall(r"`plain\.(\w+)(?:\.(\w+))?", import_module(f"lda_reference.algorithms.{module_name}").__doc__)
    assert plain_names
    for plain_module, plain_name in plain_names:
        assert not plain_name or hasattr(import_module(f"lda_reference.plain.{plain_module}"), plain_name)
