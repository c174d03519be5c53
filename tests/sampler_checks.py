"""Checks of a sampler's distribution by the enumerated posterior. Chapter 07 has Geweke's joint-distribution test.

Many independent chains run, and each functional is averaged over the sweeps of a chain, so that autocorrelation within a
chain has no effect on the error. The check of chains returns its largest z-score, divided by its threshold.
"""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.stats import norm

import lda_reference as lda

from .helpers import law_of_assignments

SAMPLERS = {A_name: A for A_name, A in lda.ALGORITHMS.items() if A.assignment == "sample" and A_name != "hmc"}  # of z
SAMPLERS["cgs, interleaved"] = replace(SAMPLERS["cgs"], schedules=("interleaved",))
ROW_KINDS = ("tokens", "types")
K = 3

# The probability of a false alarm of one check with a random seed. With 13 checks, the total is below 1e-4.
FALSE_ALARM = 5e-6


def threshold(n_functionals):
    """The threshold of the largest |z| by Bonferroni's bound, which holds for dependent functionals."""
    return norm.isf(FALSE_ALARM / (2 * n_functionals))


def largest_z(chain_means, expected_means):
    """The largest |z| of the means over chains (R, functionals), divided by its threshold; 1 or more is rejection."""
    standard_error = chain_means.std(0, ddof=1) / np.sqrt(len(chain_means))
    mean_gap = np.abs(chain_means.mean(0) - expected_means)
    mean_gap[mean_gap < 1e-12] = 0.0  # functionals that are constant by construction, such as the sum of the K indicators
    with np.errstate(divide="ignore"):
        z_scores = np.divide(mean_gap, standard_error, out=np.zeros_like(mean_gap), where=mean_gap > 0)
    return z_scores.max() / threshold(z_scores.size)


def averages(A, s, c, p, functionals_of, rng, burn_in, sweeps):
    """The mean of functionals of the states over the sweeps of each chain, (R, functionals)."""
    for _ in range(burn_in):
        s = A.sweep(s, c, p, rng=rng)
    functional_sums = 0.0
    for _ in range(sweeps):
        s = A.sweep(s, c, p, rng=rng)
        functional_sums = functional_sums + functionals_of(s)
    return functional_sums / sweeps


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
def posterior_z(A, row_kind):
    """Compares chains of A, all from one corner, with p(z_i = z_i' | x) and p(z_i = k | x) by enumeration."""
    c, p, R = TINY if row_kind == "tokens" else TINY.types(), TINY_PRIORS["vectors"], CHAINS[A.name]
    posterior = lda.exact.posterior(c, K, p)
    token_pairs = np.triu_indices(c.N, 1)
    rng = np.random.default_rng(1)
    s = A.init(c, K, p, z=np.full((c.N, R), K - 1))  # far from typical, so that a chain that never moves is found

    def indicators(s):
        z = s.z.T
        return np.concatenate(((z[:, :, None] == z[:, None, :])[:, *token_pairs], np.eye(K)[z].reshape(R, -1)), 1)

    return largest_z(averages(A, s, c, p, indicators, rng, BURN_IN, SWEEPS), np.concatenate((posterior.together[token_pairs], posterior.gamma.ravel())))


def law_of_one_sweep(A, row_kind, prior_name, R):
    """The chi-square statistic of all K^N assignments, after one sweep of chains that start from the posterior."""
    c, p = TINY if row_kind == "tokens" else TINY.types(), TINY_PRIORS[prior_name]
    rng, (z, _, _, exact_law) = np.random.default_rng(2), law_of_assignments(c, K, p)
    s = A.init(c, K, p, z=z.T[:, rng.choice(len(exact_law), size=R, p=exact_law)])
    s = A.sweep(s, c, p, rng=rng)
    assignment_counts = np.bincount(np.ravel_multi_index(tuple(s.z), (K,) * c.N), minlength=len(exact_law))
    falling_order = np.argsort(-exact_law)  # rare assignments are merged, so that every cell expects 10 or more
    cell_of_rank = np.minimum(np.arange(len(exact_law)), (exact_law[falling_order] * R >= 10).sum())
    expected_counts, assignment_counts = np.bincount(cell_of_rank, exact_law[falling_order] * R), np.bincount(cell_of_rank, assignment_counts[falling_order])
    return ((assignment_counts - expected_counts) ** 2 / expected_counts).sum(), len(expected_counts) - 1
