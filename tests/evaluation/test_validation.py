"""The perplexity of validation documents by completion."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import fitting
from lda_reference.evaluation import validation

C = lda.synthetic.bars(np.random.default_rng(0), side=3, D=60).corpus
TRAIN, HELD = lda.split(C, "documents", 0.3, np.random.default_rng(1))
HALVES = validation.halves(HELD, np.random.default_rng(2))


@pytest.mark.parametrize("name", ["vb", "cvb0", "cgs"])
def test_completion_folds_the_known_halves_in_and_scores_the_others(name):
    A, p = lda.ALGORITHMS[name], lda.Prior(0.3, 0.2)
    f = lda.fit(TRAIN, 6, name, p, sweeps=3)
    schedule = "corpus" if "corpus" in A.schedules else A.schedules[0]
    theta_jk = lda.fold_in(A, HALVES.known, f.phi_wk, p, fitting.sweep_rng(4, 1), 20, schedule=schedule)
    expected = lda.perplexity(HALVES.heldout, theta_jk, f.phi_wk)
    assert validation.completion(A, HALVES, f.phi_wk, p, 4) == pytest.approx(expected, rel=1e-12)


def test_words_that_no_topic_has_are_left_out_of_both_halves():
    phi_wk = np.array([[0.5, 0.2], [0.5, 0.8], [0.0, 0.0]])
    with_it = validation.Halves(lda.Corpus.from_documents([[0, 2, 1]], W=3), lda.Corpus.from_documents([[2, 1]], W=3))
    without = validation.Halves(lda.Corpus.from_documents([[0, 1]], W=3), lda.Corpus.from_documents([[1]], W=3))
    found = [validation.completion(lda.ALGORITHMS["cvb0"], h, phi_wk, lda.Prior(0.1, 0.1), 0) for h in (with_it, without)]
    assert found[0] == found[1] < np.inf
