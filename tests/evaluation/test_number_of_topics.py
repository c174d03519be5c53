"""The recommended number of topics: on corpora of known K, by hand, and where the runs do not decide it."""

from fractions import Fraction

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation import validation
from lda_reference.evaluation.number_of_topics import log_ratio, most_coherent, recommend
from lda_reference.evaluation.stability import Stability, stability

from .. import fuzz
from ..helpers import refused

A, P = lda.ALGORITHMS["cvb0"], lda.Prior(0.1, 0.1)


def test_the_true_number_is_found_in_most_corpora():
    n_right, (n_seeds, sweeps) = 0, fuzz.cases((2, 20), (4, 40))
    for true_K in (3, 6):
        for seed in range(n_seeds):
            rng = np.random.default_rng(seed)
            corpus = lda.synthetic.draw(rng, [100] * 100, true_K, 200, lda.Prior(0.1, 0.05)).corpus.types()
            train_corpus, test_corpus = lda.split(corpus, "documents", 0.1, rng)
            halves = validation.halves(test_corpus, rng)
            stability_of_K = {K: stability(train_corpus, K, A, P, 3, sweeps, seed, halves) for K in (2, 3, 4, 6, 9)}
            n_right += true_K == recommend(stability_of_K).K
    assert n_right >= 2 * n_seeds - 1


def runs(perplexity, share_back=1.0, spread=0.0):
    """Three runs whose ten documents of ten tokens have this perplexity; a share of two topics comes back."""
    log_p = -10 * np.log(perplexity) + spread * np.array([[-1.0], [0.0], [1.0]]) + np.zeros((3, 10))
    distances = np.where(np.arange(2)[:, None] < 2 * share_back, 0.1, 0.9) * np.ones((2, 2))
    return Stability(np.eye(2), 0, np.zeros(3), (log_p, np.full(10, 10.0)), distances, distance_by_chance=np.ones((2, 2)))


def as_by_chance(any_runs):
    return any_runs._replace(distance_by_chance=any_runs.distance)


def one_document(perplexity):
    three_runs = runs(perplexity)
    return three_runs._replace(heldout=(three_runs.heldout[0][:, :1], three_runs.heldout[1][:1]))


@pytest.mark.parametrize(
    ("stability_of_K", "K", "reason"),
    [
        ({2: runs(50), 5: runs(30), 10: runs(31)}, 5, "it has the lowest perplexity, and 100% of its topics come back."),
        ({2: runs(50), 5: runs(30.1, spread=3), 10: runs(30)}, 5, "it is the smallest within a standard error of the lowest perplexity (K = 10), and"),
        ({2: runs(50), 5: runs(40), 10: runs(30)}, None, "perplexity is lowest at the largest K, 10: try larger ones. Topics come back"),
        ({2: as_by_chance(runs(50)), 5: as_by_chance(runs(40))}, None, "perplexity is lowest at the largest K, 5: try larger ones. Topics come back most at K = 2 and 5: 100% of them do, as by chance."),
        ({2: runs(30), 5: runs(31), 10: runs(32)}, None, "no K predicts better than the smallest, 2: try smaller ones."),
        ({1: runs(30), 5: runs(31)}, 1, "it has the lowest perplexity"),
        ({2: runs(50), 5: runs(30, 0.5), 10: runs(31)}, None, "K = 5 predicts best, but only 50% of its topics come back. Topics come back most at K = 2 and 10: 100%"),
        ({2: one_document(30), 5: one_document(20), 7: one_document(20)}, None, "one held-out document gives no standard error: hold out more."),
        ({5: runs(30)}, None, "one K alone cannot be compared: give several."),
    ],
)  # fmt: skip
def test_the_rule(stability_of_K, K, reason):
    recommendation = recommend(stability_of_K)
    assert recommendation.K == K
    assert recommendation.reason.startswith(reason)


def test_topics_that_come_back_as_by_chance_are_not_those_to_read():
    coherence = {2: np.array([0.9, 0.9]), 5: np.array([0.5, 0.5])}
    assert most_coherent({2: as_by_chance(runs(30)), 5: runs(30)}, coherence) == 5
    assert most_coherent({2: as_by_chance(runs(30)), 5: as_by_chance(runs(30))}, coherence) is None


def test_the_error_by_hand():
    """Two documents of 1 and 3 tokens. A run of each model, twice: the runs do not differ."""
    n_tokens = np.array([1.0, 3.0])
    smaller_runs, best_runs = (runs(1)._replace(heldout=(np.log(np.array([p_of_document, p_of_document])), n_tokens)) for p_of_document in ([1 / 4, 1 / 64], [1 / 2, 1 / 64]))
    ratio, standard_error = log_ratio(smaller_runs, best_runs)
    assert ratio == pytest.approx(np.log(2) / 4)
    gains = [Fraction(1), Fraction(0)]  # in units of log 2
    residuals = [gain - n_tokens_j * sum(gains) / 4 for gain, n_tokens_j in zip(gains, (1, 3), strict=True)]
    variance = sum((residual - sum(residuals) / 2) ** 2 for residual in residuals)  # divided by 2 - 1
    assert standard_error == pytest.approx(np.log(2) * float(2 * variance) ** 0.5 / 4)


def test_runs_without_held_out_documents_are_refused():
    runs_without_halves = runs(30)._replace(heldout=None)
    with refused("runs has no held-out documents: give stability some by h"):
        log_ratio(runs_without_halves, runs_without_halves)
