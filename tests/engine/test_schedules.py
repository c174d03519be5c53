"""Schedules: blocks of documents, blocks of rows, and threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine

from ..helpers import CORPORA, PRIORS, SOFT, K, in_plain, prior_for, randomness, start

SCHEDULES = [(name, schedule) for name in SOFT for schedule in ("corpus", "block", "nested") if schedule in lda.ALGORITHMS[name].schedules]


@pytest.mark.parametrize(("algorithm_name", "schedule"), SCHEDULES)
def test_threads_and_sizes_of_blocks_of_rows_have_no_effect(algorithm_name, schedule, monkeypatch):
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, rng.integers(0, 40, size=60), K, 50, lda.Prior(0.5, 0.5)).corpus.types()
    A, p = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, lda.Prior(0.1, 0.1))
    c = A.arranged(c)
    s, options = start(algorithm_name, c), {"schedule": schedule, "blocks": 3} | randomness(algorithm_name, c, 0)
    gamma = A.sweep(s, c, p, **options).gamma
    with monkeypatch.context() as patch:
        patch.setattr(engine.groups, "BLOCK", 30 * K)
        np.testing.assert_allclose(A.sweep(s, c, p, **options).gamma, gamma, rtol=0, atol=1e-13)
    monkeypatch.setattr(engine.groups, "BLOCK", 700 * K)
    with ThreadPoolExecutor(2) as pool:
        thread_gamma = A.sweep(s, c, p, executor=pool, **options).gamma
    np.testing.assert_allclose(thread_gamma, gamma, rtol=0, atol=1e-13)


@pytest.mark.parametrize("row_kind", CORPORA)
@pytest.mark.parametrize("blocks", [1, 2, 3, 100])
@pytest.mark.parametrize("algorithm_name", [algorithm_name for algorithm_name in SOFT if "block" in lda.ALGORITHMS[algorithm_name].schedules])
def test_blocks_lie_between_corpus_and_document(algorithm_name, blocks, row_kind):
    """One block is `corpus`, and a block for each document is `document`; otherwise the plain text gives the answer."""
    A = lda.ALGORITHMS[algorithm_name]
    c, p = A.arranged(CORPORA[row_kind]), prior_for(algorithm_name, PRIORS["vectors"])
    s, options = start(algorithm_name, c), randomness(algorithm_name, c, 0)
    new_gamma = A.sweep(s, c, p, schedule="block", blocks=blocks, **options).gamma
    plain_gamma = in_plain(A, s.gamma, c, p, "block", blocks=blocks, **options)
    np.testing.assert_allclose(new_gamma, plain_gamma, rtol=0, atol=1e-12)
    if blocks in (1, 100):
        gamma = A.sweep(s, c, p, schedule="corpus" if blocks == 1 else "document", **options).gamma
        np.testing.assert_array_equal(new_gamma, gamma)
