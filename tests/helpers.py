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

SOFT = [name for name, A in lda.ALGORITHMS.items() if A.assignment == "soft" and name != "ep"]  # its sums are of sites
SAMPLERS = [name for name, A in lda.ALGORITHMS.items() if A.assignment == "sample" and name != "hmc"]  # of z

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
    offset = (lda.ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm).prior_offset
    return lda.Prior(np.add(p.alpha, offset), np.add(p.eta, offset)) if offset else p


def changed(A, **parts):
    """The algorithm with some parts of its update replaced."""
    return replace(A, update=A.update._replace(**parts))


def start(name, c, replicates=None, seed=0, K=K):
    A = lda.ALGORITHMS[name]
    return A.init(c, K, prior_for(name, lda.Prior(0.1, 0.1)), rng=np.random.default_rng(seed), replicates=replicates)


def randomness(algorithm, c, seed, replicates=None):
    """The arguments with which a sweep of the algorithm draws, if it draws."""
    A, replicate_axis = lda.ALGORITHMS[algorithm], () if replicates is None else (replicates,)
    rng = np.random.default_rng(seed)
    if algorithm == "hmc":
        return {"rng": rng}
    if A.assignment == "sample":
        return {"uniforms": rng.random((c.N, *replicate_axis)), "rng": rng}
    return {"uniforms": rng.random((c.N, *replicate_axis, A.draws))} if A.draws else {}


@st.composite
def problems(draw):
    W, K = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    documents = draw(st.lists(st.lists(st.integers(0, W - 1), max_size=6), min_size=1, max_size=4))
    c = lda.Corpus.from_documents(documents if any(documents) else [[0], *documents[1:]], W=W)
    scales = st.sampled_from([1e-3, 0.1, 1.0, 30.0])
    alpha = draw(st.one_of(scales, st.lists(scales, min_size=K, max_size=K)))
    eta = draw(st.one_of(scales, st.lists(scales, min_size=c.W, max_size=c.W)))
    return c.types() if draw(st.booleans()) else c, K, lda.Prior(alpha, eta), draw(st.integers(0, 10**6))


def run(algorithm, c, p, s, seed, sweeps=2, schedule=None):
    A = lda.ALGORITHMS[algorithm]
    for t in range(sweeps):
        s = A.sweep(s, c, p, schedule=schedule, **randomness(algorithm, c, [seed, t]))
    return s


def in_plain(A, gamma, c, p, schedule, **options):
    """gamma after one sweep in the plain text, which recounts every sum; `convolution` is exact CVB."""
    plain_name = "cvb_exact" if A.name == "convolution" else A.name
    return plain.sweep(plain_name, gamma, c, p, schedule, **{"blocks": 32} | options)


def new_row(algorithm, s, c, p, row, **options):
    """gamma of a row after its update in the plain text; for a sampler the law of its first token's topic."""
    algorithm, K = "cvb_exact" if algorithm == "convolution" else algorithm, s.gamma.shape[-1]
    gamma_or_z, token_options = (s.gamma, {}) if s.z is None else (s.z, {"K": K, "token": 0})
    return plain.update(algorithm, row, gamma_or_z, c, p, **token_options, **options)


def topics_of(weights, uniforms):
    """The topics that rows of weights and their uniforms give: the number of partial sums up to u times the last."""
    cumulative = np.cumsum(weights, -1)
    return [int((sums[:-1] <= u * sums[-1]).sum()) for sums, u in zip(cumulative, uniforms, strict=True)]


def prior_tables(p, K, W):
    """alpha (K,) and eta (W, K) of a prior of any form."""
    eta = np.asarray(p.eta)
    return np.full(K, p.alpha), np.array(np.broadcast_to(eta[:, None] if eta.ndim == 1 else eta, (W, K)))


def updated(algorithm, gamma, c, p):
    """gamma after one update of every row from the old sums."""
    if algorithm.update.plain is not None:
        return np.array([engine.soft(algorithm.update.plain(gamma, c, p, i)) for i in range(c.M)])
    return algorithm.sweep(lda.State(gamma), c, p, schedule="corpus").gamma


def slopes(f, x, h=1e-5):
    """The derivatives of f in the entries of an array, by central differences."""
    derivatives = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[index] = h
        derivatives[index] = (f(x + step) - f(x - step)) / (2 * h)
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


def count_distribution(g):
    """The distribution of the number of Bernoulli variables that are 1, by convolution, in numbers of mpmath."""
    distribution = [mpmath.mpf(1)]
    for p in map(mpmath.mpf, g.tolist()):
        padded = [*distribution, mpmath.mpf(0)]
        distribution = [padded[i] * (1 - p) + (padded[i - 1] * p if i else 0) for i in range(len(padded))]
    return distribution


def joint(z, c, K, p):
    """p(x, z) by Pólya urns: a product of one ratio for each token, all counts computed again for each."""
    tokens = c.tokens()
    p_xz, (alpha, eta_wk) = 1.0, prior_tables(p, K, c.W)
    for i, k in enumerate(z):
        earlier = range(i)
        N_jk = sum(tokens.j[m] == tokens.j[i] and z[m] == k for m in earlier)
        N_j = sum(tokens.j[m] == tokens.j[i] for m in earlier)
        N_wk = sum(tokens.w[m] == tokens.w[i] and z[m] == k for m in earlier)
        N_k = sum(z[m] == k for m in earlier)
        p_xz *= (alpha[k] + N_jk) / (alpha.sum() + N_j) * (eta_wk[tokens.w[i], k] + N_wk) / (eta_wk[:, k].sum() + N_k)
    return p_xz


def long_form_bound(gamma, c, p):
    """TNW06 (2) term by term, E_q[log p(x, z, theta, phi)] + H(q), with Dirichlet expectations and entropies."""
    K = gamma.shape[1]
    alpha, eta_wk = prior_tables(p, K, c.W)
    N_jk, N_wk = np.zeros((c.D, K)), np.zeros((c.W, K))
    for j, w, n, g in zip(c.j, c.w, c.n, gamma, strict=True):
        N_jk[j] += n * g
        N_wk[w] += n * g
    bound = 0.0
    topic_pairs = [(eta_wk[:, k] + N_wk[:, k], eta_wk[:, k]) for k in range(K)]
    for posterior, prior in [(alpha + N_jk[j], alpha) for j in range(c.D)] + topic_pairs:
        E_log = digamma(posterior) - digamma(posterior.sum())
        bound += gammaln(prior.sum()) - gammaln(prior).sum() + ((prior - 1) * E_log).sum()  # E log prior
        bound += ((posterior - prior) * E_log).sum()  # E log of the z, or of the words, given this vector
        bound += dirichlet(posterior).entropy()
    return bound - (c.n[:, None] * gamma * np.log(gamma)).sum()


def refused(beginning):
    """Expects a ValueError whose message begins with this text."""
    return pytest.raises(ValueError, match=f"^{re.escape(beginning)}")


def refusals(call, cases):
    """A test of (argument, message): the call is refused with a message that begins like this."""

    @pytest.mark.parametrize(("argument", "message"), cases)
    def test(argument, message):
        with refused(message):
            call(argument)

    return test


def all_refused(cases):
    """Expects each call of (call, words) to raise a ValueError that has these words."""
    for call, words in cases:
        with pytest.raises(ValueError, match=words):
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


def log_p_of_urns(counts, a):
    """The log probability of counts in Pólya's urns, a row for each urn."""
    return sum(plain_log_B(n + a) - plain_log_B(np.full(len(n), a)) for n in counts)


def enumerated_document(words, alpha, phi):
    """p(x | phi, alpha) and E[theta | x] of a document, by a sum over the topics of its tokens."""
    p_x, mean_theta = 0.0, np.zeros(len(alpha))
    for z in itertools.product(range(len(alpha)), repeat=len(words)):
        N_k = np.bincount(np.array(z, int), minlength=len(alpha))
        p_xz = math.exp(plain_log_B(alpha + N_k) - plain_log_B(alpha))
        p_xz *= math.prod(phi[w, k] for w, k in zip(words, z, strict=True))
        p_x, mean_theta = p_x + p_xz, mean_theta + p_xz * (alpha + N_k) / (alpha + N_k).sum()
    return p_x, mean_theta / p_x


def enumerated(c, K, p):
    """p(x), p(z_i = k | x) and p(z_i = z_i' | x), by a sum of Pólya urns over all assignments."""
    evidence, gamma, together = 0.0, np.zeros((c.N, K)), np.zeros((c.N, c.N))
    for z in itertools.product(range(K), repeat=c.N):
        p_xz, one_hot = joint(z, c, K, p), np.eye(K)[list(z)]
        evidence, gamma, together = evidence + p_xz, gamma + p_xz * one_hot, together + p_xz * one_hot @ one_hot.T
    return evidence, gamma / evidence, together / evidence


def enumerated_free_energy(gamma, c, p):
    """E[log p(x, z)] and the entropy of independent topics, by a sum of Pólya urns over all assignments."""
    token_gamma, bound = np.repeat(gamma, c.n, axis=0), 0.0
    for z in itertools.product(range(gamma.shape[1]), repeat=c.N):
        q = math.prod(token_gamma[i, k] for i, k in enumerate(z))
        bound += q * (math.log(joint(z, c, gamma.shape[1], p)) - math.log(q)) if q else 0
    return bound


def law_of_assignments(c, K, p):
    """All assignments of topics to tokens, (K^N, N), their counts N_jk and N_wk as replicates, and p(z | x)."""
    blocks = [(z, N_jk, N_wk, lda.log_joint_collapsed(N_jk, N_wk, p)) for z, N_jk, N_wk in assignments(c.tokens(), K)]
    z, N_jk, N_wk, log_p = map(np.concatenate, zip(*blocks, strict=True), (0, 1, 1, 0))
    return z, N_jk, N_wk, softmax(log_p)


def log_grid(N, low, high, step):
    """Points of a box in log coordinates, and the logarithm of their weights."""
    u = np.arange(low, high + step / 2, step)
    points = np.stack(np.meshgrid(*[u] * N, indexing="ij"), -1)
    return np.exp(points), points.sum(-1) + N * np.log(step)


def autoregressive(rng, rho, shape):
    """A stationary chain along axis 0 with variance 1 and correlation rho^t at lag t."""
    chain = rng.normal(size=shape)
    for t in range(1, shape[0]):
        chain[t] = rho * chain[t - 1] + math.sqrt(1 - rho**2) * chain[t]
    return chain


# tcvb0 takes only types, and the sampled CVB1 only tokens
ROWS_FOR = {
    name: [CORPORA["types"]] * (A.draws == 0) + [TOKENS] * (A.update.excludes != "type")
    for name, A in lda.ALGORITHMS.items()
}


def quick_fit(c=CORPORA["types"], K=3, algorithm="cgs", **options):
    return lda.fit(c, K, algorithm, **{"sweeps": 4, "seed": 7} | options)


def arrays(f):
    fields = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk, "gamma": f.state.gamma, "alpha": f.prior.alpha, "eta": f.prior.eta}
    if f.state.own is not None:
        fields |= {f"{f.algorithm.keeps.name}_{field}": array for field, array in f.state.own._asdict().items()}
    return fields | ({} if f.state.z is None else {"z": f.state.z})


def assert_equal_fits(a, b, seconds=True):
    """Asserts that two fits are equal to the last bit, optionally except for their seconds."""
    arrays_a, arrays_b = arrays(a), arrays(b)
    assert list(arrays_a) == list(arrays_b)
    for field, array in arrays_a.items():
        np.testing.assert_array_equal(array, arrays_b[field], strict=True, err_msg=field)
    assert a == b  # all but the seconds
    assert not seconds or list(a.history) == list(b.history)


def write_corpus(c, path, format="uci", vocab=None):
    """Write the types of a corpus in UCI's docword or in LDA-C, and its words, one per line."""
    c = c.types()
    rows = list(zip(c.j, c.w, c.n, strict=True))
    if format == "uci":
        lines = [c.D, c.W, c.M, *(f"{j + 1} {w + 1} {n}" for j, w, n in rows)]
    else:
        documents = [[f"{w}:{n}" for j, w, n in rows if j == document] for document in range(c.D)]
        lines = [" ".join([str(len(pairs)), *pairs]) for pairs in documents]
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    if vocab is not None:
        Path(vocab).write_text("".join(f"{word}\n" for word in c.vocab), "utf-8")


def ratio(log_estimates, log_exact):
    """The mean of independent estimates over the exact values, both in logs, and its standard error."""
    ratios = np.exp(np.asarray(log_estimates) - log_exact)
    return ratios.mean(), ratios.std(ddof=1) / math.sqrt(len(ratios))
