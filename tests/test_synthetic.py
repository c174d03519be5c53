"""Synthetic corpora: means of many draws are within five standard errors of their expectations."""

import numpy as np

import lda_reference as lda


def test_draws_depend_only_on_the_generator():
    sample_a, sample_b = (lda.synthetic.bars(np.random.default_rng(3), D=5) for _ in range(2))
    assert sample_a.corpus == sample_b.corpus
    assert sample_a.corpus != lda.synthetic.bars(np.random.default_rng(4), D=5).corpus


def test_bars_are_rows_and_columns():
    sample = lda.synthetic.bars(np.random.default_rng(0), side=3, D=50, length=20)
    topic_images = sample.phi_wk.T.reshape(6, 3, 3)
    for bar in range(3):
        assert (topic_images[bar] > 0).sum(1).tolist() == [3 * (row_or_column == bar) for row_or_column in range(3)]
        assert (topic_images[3 + bar] > 0).sum(0).tolist() == [3 * (row_or_column == bar) for row_or_column in range(3)]
    assert sample.corpus.vocab[5] == "r1c2"
    assert (sample.phi_wk[sample.corpus.w, sample.z] > 0).all()  # every pixel lies on the bar it was drawn from


def test_the_generator_of_soleimani():  # SOL14 §3.2
    sample, label_j = lda.synthetic.dominant(np.random.default_rng(0))
    assert (sample.corpus.D, sample.corpus.W, sample.phi_wk.shape[1]) == (2000, 2000, 10)
    assert np.bincount(label_j).tolist() == [200] * 10
    np.testing.assert_allclose(sample.theta_jk[np.arange(2000), label_j], 50 / 59)
    np.testing.assert_allclose(np.delete(sample.theta_jk[0], label_j[0]), 1 / 59)
    assert ((sample.phi_wk / sample.phi_wk.max(0) > 0.5).sum(0) == 20).all()  # 1% of the words stand out
    np.testing.assert_allclose(sample.phi_wk.sum(0), 1)
    lengths = np.bincount(sample.corpus.j, minlength=2000)
    assert abs(lengths.mean() - 100) < 5 * np.sqrt(100 / 2000)
    assert abs(lengths.var() / 100 - 1) < 5 * np.sqrt(2 / 2000)
    dominant_share = np.mean(sample.z == label_j[sample.corpus.j])
    assert abs(dominant_share - 50 / 59) < 5 * np.sqrt(50 / 59 * 9 / 59 / sample.corpus.N)
