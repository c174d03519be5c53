"""All assignments of a tiny corpus, their order and their counts."""

import itertools

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.model import counts_of
from lda_reference.truth.enumeration import LIMIT, assignments, checked_factors, enumerable_tokens

from .test_projections import TINY


def test_every_assignment_comes_once_and_in_order_with_its_counts():
    N, K = 15, 2
    c = lda.Corpus.from_documents([[i % 3 for i in range(N - 2)], [], [1, 2]], W=4)
    blocks = list(assignments(c, K))
    assert len(blocks) > 1
    z, N_jk, N_wk = (np.concatenate([block[i] for block in blocks], axis) for i, axis in ((0, 0), (1, 1), (2, 1)))
    np.testing.assert_array_equal(z, list(itertools.product(range(K), repeat=N)))
    for assignment_row in range(0, K**N, 1 + K**N // 200):
        expected_jk, expected_wk = counts_of(z[assignment_row], c, K)
        np.testing.assert_array_equal(N_jk[:, assignment_row], expected_jk)
        np.testing.assert_array_equal(N_wk[:, assignment_row], expected_wk)


def test_the_limit_itself_can_be_enumerated():
    p = lda.Prior(1, 1)
    assert LIMIT == 2**22
    for K, N in ((2, 22), (LIMIT, 1), (1, 10**6)):
        assert enumerable_tokens(lda.Corpus([0], [0], [N], 1, 1), K, p).M == N
    for K, N in ((2, 23), (LIMIT + 1, 1), (2, 10**12)):
        with pytest.raises(ValueError, match=rf"K\^N = {K}\^{N}, .* is more than the 4,194,304"):
            enumerable_tokens(lda.Corpus([0], [0], [N], 1, 1), K, p)


def test_factors_are_checked():
    for gamma_shape in ((5,), (4, 3), (5, 1, 3)):
        with pytest.raises(ValueError, match=r"gamma has shape .*, expected \(5, 3\)"):
            checked_factors(np.full(gamma_shape, 1 / 3), TINY, 3)
    with pytest.raises(ValueError, match=r"gamma\[1\] is .*, expected probabilities that sum to 1"):
        checked_factors([[1, 0], [0.5, 0.4], [1, 0], [1, 0], [1, 0]], TINY, 2)
