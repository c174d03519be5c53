"""Studies of the sampler test: how often it fails correct chains, and how many draws find a known mistake.

None of 7,000 runs of 20,000 independent draws failed. Before p(z_i = k) was compared too, none of 20,000 runs of 4,000
draws by collapsed Gibbs sampling failed, and 4 of 8,000 did with batches of only five autocorrelation times.
"""

import itertools

import numpy as np

from lda_reference import oracle
from lda_reference.oracle.judging.samplers import BATCHES, LEVEL, draws_that_tell, law, verdict

from ..helpers import law_of_assignments
from .package import draws_of_chains, problem

BLOCK = 1000  # chains that are run together
LEVELS = (0.1, 0.01, LEVEL)


def indicators(z, statistics):
    """Whether each statistic holds in each draw: z is (..., N), the result (..., statistics)."""
    return np.stack([z[..., i] == (z[..., k] if field == "z" else k) for field, (i, k) in statistics], -1)


def false_alarms(draw_p_values, cases, n_runs, n_draws, seed=0):
    """How many of some correct runs have a p-value below each of LEVELS."""
    rng, p_of_runs = np.random.default_rng(seed), []
    for first_run in range(0, n_runs, BLOCK):
        n_chains = min(BLOCK, n_runs - first_run)
        p_of_runs.extend(len(cases) * np.min([draw_p_values(case, n_draws, rng, n_chains) for case in cases], 0))
    return [sum(p_value < level for p_value in p_of_runs) for level in LEVELS]


def p_of_chains(case, n_draws, rng, n_chains):
    """The p-values of chains of the package."""
    z = draws_of_chains(case, n_draws, rng, n_chains)
    return [verdict(z[:, :, r].tolist(), law(case)).p for r in range(n_chains)]


def p_of_exact_draws(case, n_draws, rng, n_chains):
    """Those of independent draws from the enumerated posterior, whose counts in a batch are multinomial."""
    (z, p_of_z), batch_length = posterior_of_assignments(case), n_draws // BATCHES
    batch_counts = rng.multinomial(batch_length, p_of_z, size=(n_chains, BATCHES)) @ indicators(z, law(case)).astype(int)
    counts_by_chain = [dict(zip(law(case), counts_of_batches.T.tolist(), strict=True)) for counts_of_batches in batch_counts]
    return [verdict(range(n_draws), law(case), counts_of_chain).p for counts_of_chain in counts_by_chain]


def draws_that_find(case, change_probabilities, alpha_eta_factors, level):
    """How many draws of a collapsed Gibbs sampler find what is wrong with it, 9 times in 10.

    The law of the chain and its autocorrelation times are those of its transition matrix.
    """
    z, T = transitions(case, change_probabilities, alpha_eta_factors)
    right_law = law(case)
    chain_law = stationary(T) @ indicators(z, right_law)
    return draws_that_tell(right_law, dict(zip(right_law, chain_law.tolist(), strict=True)), corr_times(case, z, T), level)


def posterior_of_assignments(case):
    """All assignments of topics to the tokens of a case, (K^N, N), and p(z | x) of each."""
    c, prior = problem(case)
    z, _, _, p = law_of_assignments(c, case["K"], prior)
    return z, p


# Chains on all assignments -------------------------------------------------------------------------------------------


def transitions(case, change_probabilities=lambda p: p, alpha_eta_factors=(1, 1), n_excluded=1):
    """All assignments of topics to tokens, and the transition matrix of a sweep of collapsed Gibbs sampling.

    `change_probabilities` changes those of each draw, and `alpha_eta_factors` multiply alpha and eta. So many tokens are
    excluded from the counts.
    """
    (type_corpus, p), K = problem(case), case["K"]
    c = type_corpus.tokens()
    z = np.array(list(itertools.product(range(K), repeat=c.N)))
    one_hot, place_value_of_token, T = np.eye(K)[z], K ** np.arange(c.N)[::-1], np.eye(len(z))
    alpha, eta = p.alpha * alpha_eta_factors[0] + np.zeros(K), p.eta * alpha_eta_factors[1] + np.zeros(c.W)
    for i in range(c.N):
        count_masks = (c.j == c.j[i], c.w == c.w[i], c.j >= 0)
        N_jk, N_wk, N_k = (one_hot[:, count_mask].sum(1) - n_excluded * one_hot[:, i] for count_mask in count_masks)
        weights = (N_jk + alpha) * (N_wk + eta[c.w[i]]) / (N_k + eta.sum())
        step_matrix = np.zeros_like(T)
        for k, p_k in enumerate(change_probabilities(weights / weights.sum(1, keepdims=True)).T):
            step_matrix[np.arange(len(z)), z @ place_value_of_token + (k - z[:, i]) * place_value_of_token[i]] += p_k
        T = T @ step_matrix
    return z, T


def stationary(T):
    return np.linalg.matrix_power(T, 2**12)[0]


def corr_times(case, z, T):
    """The autocorrelation time of each statistic: its asymptotic variance, by the transition matrix, over that of a draw."""
    stationary_law, centred_indicators = stationary(T), indicators(z, law(case)).astype(float)
    centred_indicators -= stationary_law @ centred_indicators
    solution = np.linalg.solve(np.eye(len(T)) - T + stationary_law, centred_indicators)  # the fundamental matrix
    return (2 * stationary_law @ (centred_indicators * solution) / (stationary_law @ centred_indicators**2) - 1).tolist()


def chain(z, T, n_draws, rng, burn_in=200):
    """The assignments that a chain visits: (draws, N)."""
    cumulative_T, z_index, visited_indices = T.cumsum(1), 0, []
    for u in rng.random(n_draws + burn_in):
        z_index = min(int(cumulative_T[z_index].searchsorted(u, "right")), len(T) - 1)
        visited_indices.append(z_index)
    return z[visited_indices[burn_in:]]


SMALLEST = oracle.sampler_cases()[0]
RIGHT_CHAIN, WRONG_CHAIN = transitions(SMALLEST), transitions(SMALLEST, n_excluded=0)


def drawing_port(z, T):
    """A port that draws from a chain."""

    def answer(question):
        rng = np.random.default_rng(question["seed"])
        return {"id": question["id"], "z": chain(z, T, question["draws"], rng)}

    return answer
