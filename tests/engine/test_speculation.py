"""The draws in turn of `cgs`, which are made many at a time: they are those of a plain loop, to the last bit."""

import numpy as np
import pytest
from numpy.random import default_rng

import lda_reference as lda
from lda_reference.engine import sampling
from lda_reference.engine.update import pseudocounts

CGS = lda.ALGORITHMS["cgs"]


def corpus(rng, lengths, W):
    """Documents of these lengths, with words as unequal as in texts."""
    word_weights = 1 / np.arange(1, W + 1)
    return lda.Corpus.from_documents([rng.choice(W, length, p=word_weights / word_weights.sum()) for length in lengths], W)


def loop(z, u, c, K, p, token_order):
    """The topics after a draw of each token in some order: counts one at a time, TNW06 (8)."""
    token_corpus, z, alpha, eta = c.tokens(), z.copy(), np.broadcast_to(p.alpha, K), np.asarray(p.eta)
    eta = np.broadcast_to(eta if eta.ndim == 2 else eta.reshape(-1, 1), (c.W, K))
    W_eta = np.asarray(c.W * p.eta if np.ndim(p.eta) == 0 else np.asarray(p.eta).sum(0))
    N_jk, N_wk = lda.model.counts_of(z, token_corpus, K)
    N_k = N_wk.sum(0)
    for i in token_order:
        for counts_of_topics in (N_jk[token_corpus.j[i]], N_wk[token_corpus.w[i]], N_k):
            counts_of_topics[z[i]] -= 1
        partial_sums = np.add.accumulate((N_jk[token_corpus.j[i]] + alpha) * (N_wk[token_corpus.w[i]] + eta[token_corpus.w[i]]) / (N_k + W_eta))
        z[i] = sum(partial_sum <= u[i] * partial_sums[-1] for partial_sum in partial_sums[:-1])
        for counts_of_topics in (N_jk[token_corpus.j[i]], N_wk[token_corpus.w[i]], N_k):
            counts_of_topics[z[i]] += 1
    return z


def agree(c, K, p, seed=0, sweeps=2, u=None):
    j = c.tokens().j.tolist()
    place_in_document = [j[:i].count(other_j) for i, other_j in enumerate(j)]
    for schedule, token_order in (("token", range(c.N)), ("interleaved", sorted(range(c.N), key=lambda i: (place_in_document[i], j[i])))):
        rng = default_rng(seed)
        s = CGS.init(c, K, p, rng)
        for _ in range(sweeps):
            uniforms = rng.random(c.N) if u is None else u
            z, s = loop(s.z, uniforms, c, K, p, token_order), CGS.sweep(s, c, p, schedule=schedule, uniforms=uniforms)
            np.testing.assert_array_equal(s.z, z, err_msg=f"{schedule}, K = {K}, seed {seed}")


@pytest.mark.parametrize("K", [1, 2, 5, 300])
@pytest.mark.parametrize("prior_number", [0.001, 0.1, 10])
def test_draws_in_turn_are_those_of_a_loop(prior_number, K):
    for seed in range(5):
        rng = default_rng(seed)
        c = corpus(rng, rng.integers(0, 60, 12), int(rng.integers(1, 40)))
        agree(c, K, lda.Prior(prior_number, prior_number), seed)
        agree(c.types(), K, lda.Prior(rng.random(K) + 0.01, prior_number), seed)  # rows with counts above 1


@pytest.mark.parametrize("is_by_topic", [False, True])
def test_priors_may_differ_between_words_and_topics(is_by_topic):
    rng = default_rng(3)
    eta = rng.random((15, 4) if is_by_topic else 15) * 10.0 ** rng.integers(-3, 2, (15, 1) if is_by_topic else 15)
    agree(corpus(rng, [40, 0, 1, 30], 15), 4, lda.Prior([0.001, 10, 0.3, 2], eta))


@pytest.mark.parametrize(("lengths", "W"), [([1], 3), ([90], 1), ([30, 30], 1), ([1] * 50, 4), ([0, 0, 70, 0], 5), ([3, 80], 2)])
def test_documents_of_one_token_and_vocabularies_of_one_word(lengths, W):
    for K in (2, 7):
        agree(corpus(default_rng(1), lengths, W), K, lda.Prior(0.05, 0.01), sweeps=4)


def test_uniforms_on_a_boundary_are_drawn_as_by_the_loop():
    for lengths in ([1], [25, 30, 20]):  # the first token has equal weights, whose sums are exact
        c = corpus(default_rng(2), lengths, 1)
        for u in (0.0, 0.25, 0.5, 0.75, 1 - 2**-53):
            agree(c, 4, lda.Prior(1.0, 1.0), u=np.full(c.N, u))


@pytest.mark.parametrize(("largest_batch", "loop_cost"), [(3, 500), (16, 500), (64, 25), (8, 60)])
def test_batches_may_be_small_and_a_loop_may_take_over(largest_batch, loop_cost, monkeypatch):
    monkeypatch.setattr(sampling, "LARGEST_BATCH", largest_batch)
    monkeypatch.setattr(sampling, "LOOP_COST", loop_cost)
    for seed in range(3):
        agree(corpus(default_rng(seed), [50, 70, 3, 40], 20), 5, lda.Prior(0.1, 0.1), seed)


def test_many_batches_with_large_counts():
    """Topics are so large that most draws are certain, and so equal that some are not."""
    rng = default_rng(4)
    c = corpus(rng, rng.integers(1, 60, 250), 300)
    agree(c, 3, lda.Prior(0.5, 0.1), sweeps=3)


def test_only_whole_counts_with_a_token_excluded_are_drawn_ahead(monkeypatch):
    c, p = corpus(default_rng(0), [20, 30], 10), lda.Prior()
    s = CGS.init(c, 2, p, default_rng(0))
    prior_counts = pseudocounts(p, c.W)
    assert [name for name, A in lda.ALGORITHMS.items() if sampling.can_speculate(A.update, prior_counts)] == ["cgs"]
    held_update, _ = CGS.held(s, c, p, None, held_topics=np.full((10, 2), 0.1))
    assert not sampling.can_speculate(held_update, prior_counts)
    assert not sampling.can_speculate(CGS.update, pseudocounts(lda.Prior(1e-110, 1.0), c.W))
    monkeypatch.setattr(sampling, "draw_ahead", None)  # a sweep of replicates does not call it
    CGS.sweep(CGS.init(c, 2, p, default_rng(0), replicates=2), c, p, rng=default_rng(0))
