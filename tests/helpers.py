"""Helpers of several test modules: small corpora and priors, starts, random numbers for a sweep, and errors."""

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.special import digamma, gammaln, softmax
from scipy.stats import dirichlet

import lda_reference as lda
from lda_reference import engine, plain
from lda_reference.priors.evidence import Counts, FixedCounts
from lda_reference.truth.enumeration import assignments

SOFT = [A_name for A_name, A in lda.ALGORITHMS.items() if A.assignment == "soft" and A_name != "ep"]  # its sums are of sites
SAMPLERS = [A_name for A_name, A in lda.ALGORITHMS.items() if A.assignment == "sample" and A_name != "hmc"]  # of z

TOKENS = lda.Corpus.from_documents([[0, 1, 1, 4], [2, 0, 0], [], [3], [1, 3, 3, 3, 3, 0]], W=6)
CORPORA = {"tokens": TOKENS, "types": TOKENS.types()}
K = 3
VECTOR_ETA = [0.5, 0.2, 1e-3, 0.9, 0.05, 2.0]
PRIORS = {
    "0.1": lda.Prior(0.1, 0.1),
    "1e-3": lda.Prior(1e-3, 1e-3),
    "vectors": lda.Prior([0.3, 1e-3, 2.0], VECTOR_ETA),
    "alpha vector": lda.Prior([0.3, 0.1, 2.0], 0.7),
    "above 1": lda.Prior(4.0, 12.0),
    "eta by topic": lda.Prior([0.3, 0.1, 2.0], np.outer(VECTOR_ETA, [1, 0.3, 2]) + np.eye(6, 3)),
}


def prior_for(algorithm, p):
    """The prior that an algorithm can use: p, or p plus 1 for MAP, which needs priors above 1."""
    prior_offset = (lda.ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm).prior_offset
    return lda.Prior(np.add(p.alpha, prior_offset), np.add(p.eta, prior_offset)) if prior_offset else p


def changed(A, **update_parts):
    """The algorithm with some parts of its update replaced."""
    return replace(A, update=A.update._replace(**update_parts))


def start(A_name, c, replicates=None, seed=0, K=K):
    A = lda.ALGORITHMS[A_name]
    return A.init(c, K, prior_for(A_name, lda.Prior(0.1, 0.1)), rng=np.random.default_rng(seed), replicates=replicates)


def randomness(A_name, c, seed, replicates=None):
    """The arguments with which a sweep of the algorithm draws, if it draws."""
    A, replicate_shape = lda.ALGORITHMS[A_name], () if replicates is None else (replicates,)
    rng = np.random.default_rng(seed)
    if A_name == "hmc":
        return {"rng": rng}
    if A.assignment == "sample":
        return {"uniforms": rng.random((c.N, *replicate_shape)), "rng": rng}
    return {"uniforms": rng.random((c.N, *replicate_shape, A.draws))} if A.draws else {}


@st.composite
def problems(draw):
    W, K = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    documents = draw(st.lists(st.lists(st.integers(0, W - 1), max_size=6), min_size=1, max_size=4))
    c = lda.Corpus.from_documents(documents if any(documents) else [[0], *documents[1:]], W=W)
    scale_strategy = st.sampled_from([1e-3, 0.1, 1.0, 30.0])
    alpha = draw(st.one_of(scale_strategy, st.lists(scale_strategy, min_size=K, max_size=K)))
    eta = draw(st.one_of(scale_strategy, st.lists(scale_strategy, min_size=c.W, max_size=c.W)))
    return c.types() if draw(st.booleans()) else c, K, lda.Prior(alpha, eta), draw(st.integers(0, 10**6))


def run(A_name, c, p, s, seed, sweeps=2, schedule=None):
    A = lda.ALGORITHMS[A_name]
    for sweep in range(sweeps):
        s = A.sweep(s, c, p, schedule=schedule, **randomness(A_name, c, [seed, sweep]))
    return s


def in_plain(A, gamma, c, p, schedule, **sweep_options):
    """gamma after one sweep in the plain text, which recounts every sum; `convolution` is exact CVB."""
    plain_name = "cvb_exact" if A.name == "convolution" else A.name
    return plain.sweep(plain_name, gamma, c, p, schedule, **{"blocks": 32} | sweep_options)


def new_row(A_name, s, c, p, row, **update_options):
    """gamma of a row after its update in the plain text; for a sampler the law of its first token's topic."""
    A_name, K = "cvb_exact" if A_name == "convolution" else A_name, s.gamma.shape[-1]
    gamma_or_z, token_options = (s.gamma, {}) if s.z is None else (s.z, {"K": K, "token": 0})
    return plain.update(A_name, row, gamma_or_z, c, p, **token_options, **update_options)


def topics_of(weights, uniforms):
    """The topics that rows of weights and their uniforms give: the number of partial sums up to u times the last."""
    cumulative_weights = np.cumsum(weights, -1)
    return [int((partial_sums[:-1] <= u * partial_sums[-1]).sum()) for partial_sums, u in zip(cumulative_weights, uniforms, strict=True)]


def prior_tables(p, K, W):
    """alpha (K,) and eta (W, K) of a prior of any form."""
    eta = np.asarray(p.eta)
    return np.full(K, p.alpha), np.array(np.broadcast_to(eta[:, None] if eta.ndim == 1 else eta, (W, K)))


def updated(A, gamma, c, p):
    """gamma after one update of every row from the old sums."""
    if A.update.plain is not None:
        return np.array([engine.soft(A.update.plain(gamma, c, p, i)) for i in range(c.M)])
    return A.sweep(lda.State(gamma), c, p, schedule="corpus").gamma


def slopes(f, x, h=1e-5):
    """The derivatives of f in the entries of an array, by central differences."""
    derivatives = np.zeros(x.shape)
    for entry_index in np.ndindex(x.shape):
        step_array = np.zeros(x.shape)
        step_array[entry_index] = h
        derivatives[entry_index] = (f(x + step_array) - f(x - step_array)) / (2 * h)
    return derivatives


def gradient(f, gamma, c, p):
    """The gradient of f in the logits of gamma."""
    return slopes(lambda logits: f(lda.State(softmax(logits, 1)), c, p), np.log(np.maximum(gamma, 1e-30)))


EXTREME = {
    "one topic": (TOKENS.types(), 1),
    "one word": (lda.Corpus.from_documents([[0, 0, 0], [0]], W=1).types(), 3),
    "documents of one token": (lda.Corpus.from_documents([[0], [1], [1], [2]], W=4), 3),
    "large counts": (lda.Corpus([0, 0, 1, 2], [0, 1, 1, 2], [10**6, 1, 3, 10**6], 3, 4), 3),
}

TINY = lda.Corpus.from_documents([[0, 1, 0], [], [1, 2, 2]], W=4)
TINY_PRIORS = {
    "symmetric": lda.Prior(0.4, 0.3),
    "vectors": lda.Prior([0.5, 1e-3, 2.0], [0.2, 1.0, 0.05, 3.0]),
    "eta by topic": lda.Prior(0.4, [[0.2, 1.0, 0.3], [1.0, 0.1, 2.0], [0.05, 0.7, 0.4], [3.0, 0.6, 0.1]]),
}
TINY_CASES = [(c, p) for c in (TINY, TINY.types()) for p in TINY_PRIORS.values()]
TINY_IDS = [f"{row_kind}, {prior_name}" for row_kind in ("tokens", "types") for prior_name in TINY_PRIORS]
for_each_tiny_case = pytest.mark.parametrize(("c", "p"), TINY_CASES, ids=TINY_IDS)
for_each_tiny_prior = pytest.mark.parametrize("p", TINY_PRIORS.values(), ids=TINY_PRIORS)

HARD_CASES = {
    "uniform": np.random.default_rng(0).random(30),
    "near 0": np.full(40, 1e-12),
    "near 1": np.full(40, 1 - 1e-12),
    "0 and 1": np.array([0.0, 1.0] * 10),
    "0, 1 and between": np.array([0.0, 1.0, 0.5, 1e-12, 1 - 1e-12, 0.999, 1e-3] * 5),
    "one": np.array([0.3]),
    "many": np.random.default_rng(1).random(200) ** 8,
}


def count_distribution(probabilities):
    """The distribution of the number of Bernoulli variables that are 1, by convolution, in numbers of mpmath."""
    distribution = [mpmath.mpf(1)]
    for p_of_1 in map(mpmath.mpf, probabilities.tolist()):
        padded_distribution = [*distribution, mpmath.mpf(0)]
        distribution = [padded_distribution[i] * (1 - p_of_1) + (padded_distribution[i - 1] * p_of_1 if i else 0) for i in range(len(padded_distribution))]
    return distribution


def joint(z, c, K, p):
    """p(x, z) by Pólya urns: a product of one ratio for each token, all counts computed again for each."""
    c_tokens = c.tokens()
    p_xz, (alpha, eta_wk) = 1.0, prior_tables(p, K, c.W)
    for i, k in enumerate(z):
        earlier_tokens = range(i)
        N_jk = sum(c_tokens.j[i_earlier] == c_tokens.j[i] and z[i_earlier] == k for i_earlier in earlier_tokens)
        N_j = sum(c_tokens.j[i_earlier] == c_tokens.j[i] for i_earlier in earlier_tokens)
        N_wk = sum(c_tokens.w[i_earlier] == c_tokens.w[i] and z[i_earlier] == k for i_earlier in earlier_tokens)
        N_k = sum(z[i_earlier] == k for i_earlier in earlier_tokens)
        p_xz *= (alpha[k] + N_jk) / (alpha.sum() + N_j) * (eta_wk[c_tokens.w[i], k] + N_wk) / (eta_wk[:, k].sum() + N_k)
    return p_xz


def long_form_bound(gamma, c, p):
    """TNW06 (2) term by term, E_q[log p(x, z, theta, phi)] + H(q), with Dirichlet expectations and entropies."""
    K = gamma.shape[1]
    alpha, eta_wk = prior_tables(p, K, c.W)
    N_jk, N_wk = np.zeros((c.D, K)), np.zeros((c.W, K))
    for j, w, n, row_gamma in zip(c.j, c.w, c.n, gamma, strict=True):
        N_jk[j] += n * row_gamma
        N_wk[w] += n * row_gamma
    bound = 0.0
    topic_parameters = [(eta_wk[:, k] + N_wk[:, k], eta_wk[:, k]) for k in range(K)]
    for posterior_a, prior_a in [(alpha + N_jk[j], alpha) for j in range(c.D)] + topic_parameters:
        E_log = digamma(posterior_a) - digamma(posterior_a.sum())
        bound += gammaln(prior_a.sum()) - gammaln(prior_a).sum() + ((prior_a - 1) * E_log).sum()  # E log prior
        bound += ((posterior_a - prior_a) * E_log).sum()  # E log of the z, or of the words, given this vector
        bound += dirichlet(posterior_a).entropy()
    return bound - (c.n[:, None] * gamma * np.log(gamma)).sum()


def refused(message_start):
    """Expects a ValueError whose message begins with this text."""
    return pytest.raises(ValueError, match=f"^{re.escape(message_start)}")


def refusals(call, cases):
    """A test of (argument, message): the call is refused with a message that begins like this."""

    @pytest.mark.parametrize(("argument", "message"), cases)
    def test(argument, message):
        with refused(message):
            call(argument)

    return test


def all_refused(cases):
    """Expects each call of (call, words) to raise a ValueError that has these words."""
    for call, message_words in cases:
        with pytest.raises(ValueError, match=message_words):
            call()


class Killed(BaseException):
    """The end of a process: no code of the package catches it."""


def killed(*_, **__):
    raise Killed


def random_state(seed, c, K):
    return lda.State(np.random.default_rng(seed).dirichlet(np.ones(K), size=c.M))


def fixed_counts(n):
    """Known counts, groups by components, in the form that the evidence takes."""
    n = np.asarray(n, float)
    return Counts(FixedCounts(n), FixedCounts(n.sum(1)[:, None]))


def polya_counts(seed):
    """Known counts of groups, each drawn with probabilities of its own from one Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    a = np.exp(rng.normal(size=4))
    return fixed_counts([rng.multinomial(rng.integers(1, 30), rng.dirichlet(a)) for _ in range(40)])


def plain_log_B(x):
    """log B(x) of one vector, by the standard library."""
    return math.fsum(map(math.lgamma, x)) - math.lgamma(math.fsum(x))


def log_p_of_urns(urn_counts, a):
    """The log probability of counts in Pólya's urns, a row for each urn."""
    return sum(plain_log_B(n + a) - plain_log_B(np.full(len(n), a)) for n in urn_counts)


def enumerated_document(word_ids, alpha, phi):
    """p(x | phi, alpha) and E[theta | x] of a document, by a sum over the topics of its tokens."""
    p_x, mean_theta = 0.0, np.zeros(len(alpha))
    for z in itertools.product(range(len(alpha)), repeat=len(word_ids)):
        N_k = np.bincount(np.array(z, int), minlength=len(alpha))
        p_xz = math.exp(plain_log_B(alpha + N_k) - plain_log_B(alpha))
        p_xz *= math.prod(phi[w, k] for w, k in zip(word_ids, z, strict=True))
        p_x, mean_theta = p_x + p_xz, mean_theta + p_xz * (alpha + N_k) / (alpha + N_k).sum()
    return p_x, mean_theta / p_x


def enumerated(c, K, p):
    """p(x), p(z_i = k | x) and p(z_i = z_i' | x), by a sum of Pólya urns over all assignments."""
    p_x, gamma, p_together = 0.0, np.zeros((c.N, K)), np.zeros((c.N, c.N))
    for z in itertools.product(range(K), repeat=c.N):
        p_xz, one_hot_z = joint(z, c, K, p), np.eye(K)[list(z)]
        p_x, gamma, p_together = p_x + p_xz, gamma + p_xz * one_hot_z, p_together + p_xz * one_hot_z @ one_hot_z.T
    return p_x, gamma / p_x, p_together / p_x


def enumerated_free_energy(gamma, c, p):
    """E[log p(x, z)] and the entropy of independent topics, by a sum of Pólya urns over all assignments."""
    token_gamma, minus_free_energy = np.repeat(gamma, c.n, axis=0), 0.0
    for z in itertools.product(range(gamma.shape[1]), repeat=c.N):
        q_z = math.prod(token_gamma[i, k] for i, k in enumerate(z))
        minus_free_energy += q_z * (math.log(joint(z, c, gamma.shape[1], p)) - math.log(q_z)) if q_z else 0
    return minus_free_energy


def law_of_assignments(c, K, p):
    """All assignments of topics to tokens, (K^N, N), their counts N_jk and N_wk as replicates, and p(z | x)."""
    assignment_blocks = [(z, N_jk, N_wk, lda.log_joint_collapsed(N_jk, N_wk, p)) for z, N_jk, N_wk in assignments(c.tokens(), K)]
    z, N_jk, N_wk, log_p = map(np.concatenate, zip(*assignment_blocks, strict=True), (0, 1, 1, 0))
    return z, N_jk, N_wk, softmax(log_p)


def log_grid(n_dimensions, low, high, step):
    """Points of a box in log coordinates, and the logarithm of their weights."""
    log_axis = np.arange(low, high + step / 2, step)
    log_points = np.stack(np.meshgrid(*[log_axis] * n_dimensions, indexing="ij"), -1)
    return np.exp(log_points), log_points.sum(-1) + n_dimensions * np.log(step)


def autoregressive(rng, rho, shape):
    """A stationary chain along axis 0 with variance 1 and correlation rho^t at lag t."""
    chain = rng.normal(size=shape)
    for step in range(1, shape[0]):
        chain[step] = rho * chain[step - 1] + math.sqrt(1 - rho**2) * chain[step]
    return chain


# tcvb0 takes only types, and the sampled CVB1 only tokens
ROWS_FOR = {
    A_name: [CORPORA["types"]] * (A.draws == 0) + [TOKENS] * (A.update.excludes != "type")
    for A_name, A in lda.ALGORITHMS.items()
}


def quick_fit(c=CORPORA["types"], K=3, algorithm="cgs", **fit_options):
    return lda.fit(c, K, algorithm, **{"sweeps": 4, "seed": 7} | fit_options)


def arrays(f):
    named_arrays = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk, "gamma": f.state.gamma, "alpha": f.prior.alpha, "eta": f.prior.eta}
    if f.state.own is not None:
        named_arrays |= {f"{f.algorithm.keeps.name}_{field_name}": array for field_name, array in f.state.own._asdict().items()}
    return named_arrays | ({} if f.state.z is None else {"z": f.state.z})


def assert_equal_fits(fit_a, fit_b, seconds=True):
    """Asserts that two fits are equal to the last bit, optionally except for their seconds."""
    arrays_a, arrays_b = arrays(fit_a), arrays(fit_b)
    assert list(arrays_a) == list(arrays_b)
    for field_name, array in arrays_a.items():
        np.testing.assert_array_equal(array, arrays_b[field_name], strict=True, err_msg=field_name)
    assert fit_a == fit_b  # all but the seconds
    assert not seconds or list(fit_a.history) == list(fit_b.history)


def write_corpus(c, path, format="uci", vocab=None):
    """Write the types of a corpus in UCI's docword or in LDA-C, and its words, one per line."""
    c = c.types()
    rows = list(zip(c.j, c.w, c.n, strict=True))
    if format == "uci":
        lines = [c.D, c.W, c.M, *(f"{j + 1} {w + 1} {n}" for j, w, n in rows)]
    else:
        document_pairs = [[f"{w}:{n}" for j, w, n in rows if j == document_number] for document_number in range(c.D)]
        lines = [" ".join([str(len(word_counts)), *word_counts]) for word_counts in document_pairs]
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    if vocab is not None:
        Path(vocab).write_text("".join(f"{word}\n" for word in c.vocab), "utf-8")


def ratio(log_estimates, log_exact):
    """The mean of independent estimates over the exact values, both in logs, and its standard error."""
    ratios = np.exp(np.asarray(log_estimates) - log_exact)
    return ratios.mean(), ratios.std(ddof=1) / math.sqrt(len(ratios))
