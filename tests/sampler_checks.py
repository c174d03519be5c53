"""Checks of a sampler's distribution: the enumerated posterior, and Geweke's joint-distribution test.

Both run many independent chains and average each functional over the sweeps of a chain, so that autocorrelation within a
chain has no effect on the error. Each check returns its largest z-score, divided by its threshold.
"""

from functools import cache

import numpy as np
from scipy.stats import norm

import lda_reference as lda

from .helpers import law_of_assignments

SAMPLERS = {name: A for name, A in lda.ALGORITHMS.items() if A.assignment == "sample" and name != "hmc"}  # of z
ROWS = ("tokens", "types")
K = 3

# The probability of a false alarm of one check with a random seed. With 17 checks, the total is below 1e-4.
FALSE_ALARM = 5e-6


def threshold(functionals):
    """The threshold of the largest |z| by Bonferroni's bound, which holds for dependent functionals."""
    return norm.isf(FALSE_ALARM / (2 * functionals))


def largest_z(chains, expected, error_of_expected=0.0):
    """The largest |z| of the means over chains (R, functionals), divided by its threshold; 1 or more is rejection."""
    error = np.hypot(chains.std(0, ddof=1) / np.sqrt(len(chains)), error_of_expected)
    gap = np.abs(chains.mean(0) - expected)
    gap[gap < 1e-12] = 0.0  # functionals that are constant by construction, such as the sum of the K indicators
    with np.errstate(divide="ignore"):
        z = np.divide(gap, error, out=np.zeros_like(gap), where=gap > 0)
    return z.max() / threshold(z.size)


def averages(A, s, c, p, functionals, rng, burn_in, sweeps):
    """The mean of functionals of the states over the sweeps of each chain, (R, functionals)."""
    for _ in range(burn_in):
        s = A.sweep(s, c, p, rng=rng)
    total = 0.0
    for _ in range(sweeps):
        s = A.sweep(s, c, p, rng=rng)
        total = total + functionals(s)
    return total / sweeps


# The enumerated posterior --------------------------------------------------------------------------------------------

# Words repeat within a document, so that types have counts above 1, and across documents. One word and one document
# have no tokens. There are 3^7 = 2187 assignments.
TINY = lda.Corpus.from_documents([[0, 0, 0, 1], [], [1, 0, 0]], W=3)
# No prior is so small that a chain gets stuck. The correlations of the functionals fall to 0.28 in five sweeps and by a
# factor of 0.88 in each further sweep (gibbs; cgs is faster). After the burn-in, 3e-4 of the start is left, and the error
# is a few percent of the same standard deviation.
TINY_PRIORS = {
    "vectors": lda.Prior([0.4, 0.15, 1.2], [0.5, 0.2, 0.9]),
    "eta by topic": lda.Prior([0.4, 0.15, 1.2], [[0.5, 0.2, 1.5], [0.2, 1.1, 0.3], [0.9, 0.4, 0.2]]),
}
BURN_IN, SWEEPS = 60, 40
CHAINS = {"cgs": 4000, "gibbs": 400}  # gibbs is slower, because it draws parameters for one replicate at a time


@cache
def posterior_z(A, rows, share, seed=1):
    """Compares chains of A, all from one corner, with p(z_i = z_i' | x) and p(z_i = k | x) by enumeration."""
    c, p, R = TINY if rows == "tokens" else TINY.types(), TINY_PRIORS["vectors"], int(CHAINS[A.name] * share)
    e = lda.exact.posterior(c, K, p)
    pairs = np.triu_indices(c.N, 1)
    rng = np.random.default_rng(seed)
    s = A.init(c, K, p, z=np.full((c.N, R), K - 1))  # far from typical, so that a chain that never moves is found

    def indicators(s):
        z = s.z.T
        return np.concatenate(((z[:, :, None] == z[:, None, :])[:, *pairs], np.eye(K)[z].reshape(R, -1)), 1)

    return largest_z(averages(A, s, c, p, indicators, rng, BURN_IN, SWEEPS), np.concatenate((e.together[pairs], e.gamma.ravel())))


def law_of_one_sweep(A, rows, prior, R, seed=2):
    """The chi-square statistic of all K^N assignments, after one sweep of chains that start from the posterior."""
    c, p = TINY if rows == "tokens" else TINY.types(), TINY_PRIORS[prior]
    rng, (z, _, _, law) = np.random.default_rng(seed), law_of_assignments(c, K, p)
    s = A.init(c, K, p, z=z.T[:, rng.choice(len(law), size=R, p=law)])
    s = A.sweep(s, c, p, rng=rng)
    seen = np.bincount(np.ravel_multi_index(tuple(s.z), (K,) * c.N), minlength=len(law))
    order = np.argsort(-law)  # rare assignments are merged, so that every cell expects 10 or more
    cells = np.minimum(np.arange(len(law)), (law[order] * R >= 10).sum())
    expected, seen = np.bincount(cells, law[order] * R), np.bincount(cells, seen[order])
    return ((seen - expected) ** 2 / expected).sum(), len(expected) - 1


# Geweke --------------------------------------------------------------------------------------------------------------

# Geweke (2004): if a sweep preserves p(z | x), then sweeps of z that alternate with draws of words from p(x | z)
# preserve p(z, x), and every expectation equals that of draws from the prior.
#
# Replicates share a corpus, but here each chain has its own words. The tokens of a document are exchangeable, so only
# 15 x 6 texts are possible, and the chains that have the same text are swept together as its replicates. The chains start
# from the prior and are independent, so each has exactly p(z, x) at every time. There is neither burn-in nor
# autocorrelation.

LENGTHS, W = (4, 2), 3
DOCUMENT = np.repeat(np.arange(len(LENGTHS)), LENGTHS)
# alpha distinguishes the topics and eta the words, so that labelled functionals are informative. Both are small, so
# that each counted token has an effect.
JOINT_PRIOR = lda.Prior([0.2, 0.1, 0.4], [0.3, 0.15, 0.45])
JOINT_SWEEPS = 12
JOINT_CHAINS = {"cgs": 8000, "gibbs": 1000}


def dirichlet(rng, a, size):
    x = rng.standard_gamma(a, size=(*size, len(a)))
    return x / x.sum(-1, keepdims=True)


def pick(rng, p):
    """A random index from every distribution along the last axis."""
    edges = p.cumsum(-1)
    return (edges[..., :-1] <= rng.random(p.shape[:-1])[..., None] * edges[..., -1:]).sum(-1)


def words_given_topics(rng, z):
    """z and x ~ p(x | z), by drawing phi from its prior; the tokens of a document are sorted by word."""
    phi = dirichlet(rng, JOINT_PRIOR.eta, (z.shape[1], K))
    x = pick(rng, phi[np.arange(z.shape[1]), z])
    order = np.argsort(DOCUMENT[:, None] * W + x, axis=0, kind="stable")
    return np.take_along_axis(z, order, 0), np.take_along_axis(x, order, 0)


def from_the_prior(rng, R):
    """The marginal-conditional simulator: z and x, each of shape (N, R)."""
    theta = dirichlet(rng, JOINT_PRIOR.alpha, (len(LENGTHS), R))
    return words_given_topics(rng, pick(rng, theta[DOCUMENT]))


def functionals(z, x):
    """(R, functionals) of z and x (N, R)."""
    one_hot = np.eye(K)[z]
    N_jk = np.stack([one_hot[j == DOCUMENT].sum(0) for j in range(len(LENGTHS))], 1)  # (R, D, K)
    N_wk = np.stack([(one_hot * (x == w)[..., None]).sum(0) for w in range(W)], 1)  # (R, W, K)
    N_k = N_wk.sum(1)
    labelled = [N_jk, N_wk, N_jk**2, N_wk**2, N_k**2, N_jk[:, :1] * N_jk[:, 1:]]
    invariant = [
        (N_jk**2).sum(-1),  # same document, same topic
        (N_wk**2).sum(-1),  # same word, same topic
        (N_k**2).sum(-1),  # same topic
        (N_jk[:, 0] * N_jk[:, 1]).sum(-1),  # across documents
        (N_jk == 0).sum(-1),  # topics without tokens in a document
        (N_k == 0).sum(-1),  # topics without tokens in the corpus
    ]
    return np.concatenate([f.reshape(z.shape[1], -1) for f in labelled + invariant], 1)


@cache
def prior_expectations():
    """The expectations of the functionals under the prior, and their standard errors."""
    f = functionals(*from_the_prior(np.random.default_rng(3), 200_000))
    return f.mean(0), f.std(0, ddof=1) / np.sqrt(len(f))


def sweep_each_text(A, z, x, rows, rng):
    """A sweep of every chain over its own text."""
    new = np.empty_like(z)
    texts, text_of = np.unique(x.T, axis=0, return_inverse=True)
    for number, text in enumerate(texts):
        c, mine = lda.Corpus(DOCUMENT, text, np.ones(len(text), np.int64), len(LENGTHS), W), text_of.ravel() == number
        c = c.types() if rows == "types" else c  # the words are sorted, so the tokens keep their places
        new[:, mine] = A.sweep(A.init(c, K, JOINT_PRIOR, z=z[:, mine]), c, JOINT_PRIOR, rng=rng).z
    return new


@cache
def geweke_z(A, rows, share, seed=4):
    """Compares the successive-conditional simulator with the marginal-conditional one."""
    rng = np.random.default_rng([seed, ROWS.index(rows)])  # tokens and types get different random numbers
    z, x = from_the_prior(rng, int(JOINT_CHAINS[A.name] * share))
    total = 0.0
    for t in range(JOINT_SWEEPS):
        z, x = words_given_topics(rng, sweep_each_text(A, z, x, rows, rng))
        if t >= JOINT_SWEEPS // 3:  # earlier, a fault has had too little effect
            total = total + functionals(z, x)
    return largest_z(total / (JOINT_SWEEPS - JOINT_SWEEPS // 3), *prior_expectations())
