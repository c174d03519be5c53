"""Errors name the argument, its value and what was expected."""

from concurrent.futures import ThreadPoolExecutor
from operator import call

import numpy as np

import lda_reference as lda

from ..helpers import CORPORA, TOKENS, refusals, start

C, P = CORPORA["types"], lda.Prior(0.1, 0.1)
S = start("cvb0", C)
BALANCED = np.array([[0.5] * 3, [0.25, 0.25, 0]] * 4 + [[0.5, 0.5, 0]])  # no row but the last adds up to 1; on average they do
CVB0, CGS, ML = (lda.ALGORITHMS[name] for name in ("cvb0", "cgs", "ml"))


def with_first(first_entry):
    gamma = S.gamma.copy()
    gamma[0, 0] = first_entry
    return lda.State(gamma)


test_bad_arguments_are_named = refusals(call, [
    (lambda: CVB0.init(C, 3, P), "gamma, z and rng are all missing, expected one of them to start from"),
    (lambda: CVB0.init(C, 3, P, gamma=np.ones((2, 3))), "gamma has shape (2, 3), expected (9, 3)"),
    (lambda: CVB0.init(C, 2, P, gamma=[[1, 0]] * 8 + [[np.nan, 1]]), "gamma[8] is [nan  1.], expected probabilities"),
    (lambda: CGS.init(C, 2, P, gamma=[[1, 0]] * 9), "cgs is a sampler and starts from z"),
    (lambda: CGS.init(C, 2, P, z=[0] * 13 + [2]), "z[13] is 2, expected a topic from 0 below K = 2"),
    (lambda: lda.ALGORITHMS["tcvb0"].init(TOKENS, 2, P, rng=np.random.default_rng(0)), "tcvb0 takes out all tokens of a type at once: give it corpus.types()"),
    (lambda: lda.ALGORITHMS["tcvb0"].init(lda.Corpus([0], [0], [10**6 + 1], 1, 1), 2, P, rng=np.random.default_rng(0)), "n[0] is 1000001, expected at most 1e+06 for tcvb0"),
    (lambda: lda.ALGORITHMS["cvb1s"].init(C, 2, P, rng=np.random.default_rng(0)), "cvb1s draws samples of every token: give it corpus.tokens()"),
    (lambda: lda.ALGORITHMS["gibbs"].sweep(start("gibbs", C), C, P, uniforms=[0.5] * 14), "rng is missing: gibbs draws theta and phi with it"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, uniforms=[0.5] * 14), "uniforms are given, but cvb0 takes none with this assignment"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, inner=3), "inner is 3, expected None with schedule token: only nested has inner steps"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, held_topics=np.ones((2, 3))), "held_topics has shape (2, 3), expected"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, assignment="sample"), "the state has no z to sample"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, executor=ThreadPoolExecutor(1)), "an executor needs corpus, block or nested order: in token order"),
    (lambda: CVB0.sweep(start("cvb0", C), TOKENS, P), "the state's gamma has shape (9, 3), expected (M, K) or (M, R, K) with a row for each"),
    (lambda: CGS.sweep(start("cgs", C), C, P), "uniforms and rng are both missing"),
    (lambda: CGS.sweep(start("cgs", C), C, P, uniforms=[0.5] * 13 + [1.0]), "uniforms[13] is 1.0"),
    (lambda: ML.sweep(ML.init(C, 2, P, z=[0] * 14), C, P, "token", "sample", [0.5] * 14), "ml cannot sample in token order"),
    (lambda: CGS.sweep(start("cgs", C), C, P, schedule="interleaved", assignment="soft"), "assignment is 'soft', expected 'sample' with schedule interleaved"),
    (lambda: CGS.bound(start("cgs", C), C, P), "cgs has no bound on log p(x | alpha, eta): it is a sampler"),
    (lambda: CVB0.objective(start("cvb0", C), C, P), "cvb0 climbs no known function: its updates can lower its bound"),
    (lambda: CVB0.sweep(with_first(np.nan), C, P), "the state's gamma[0, 0] is nan, expected a probability"),
    (lambda: CVB0.sweep(with_first(0.0), C, P), f"the sum of the state's gamma[0] is {S.gamma[0, 1:].sum()}, expected 1"),
    (lambda: CVB0.estimate(lda.State(BALANCED), C, P), "the sum of the state's gamma[0] is 1.5, expected 1"),
    (lambda: CVB0.sweep(start("cvb0", C), C, P, "corpus", assignment=lambda x: BALANCED), "the sum of what assignment returned[0] is 1.5, expected 1"),
    (lambda: CGS.sweep(start("cgs", C)._replace(z=[0, 1]), C, P), "the state's z has shape (2,), expected (14,)"),
    (lambda: lda.explain(CVB0, start("cvb0", C, replicates=2), C, P, row=0), "gamma has shape (9, 2, 3), expected (M, K): explain shows one run, not replicates"),
])
