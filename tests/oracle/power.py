"""Studies of the sampler test: how often it fails correct chains, and how many draws find a known mistake.

None of 7,000 runs of 20,000 independent draws failed. Before p(z_i = k) was compared too, none of 20,000 runs of 4,000
draws by collapsed Gibbs sampling failed, and 4 of 8,000 did with batches of only five autocorrelation times.
"""

import itertools

import numpy as np

import lda_reference as lda
from lda_reference.algorithms import ALGORITHMS
from lda_reference.oracle.judging.samplers import BATCHES, LEVEL, compared, draws_that_tell, law, tested, verdict

from ..helpers import law_of_assignments
from .package import problem

BLOCK = 1000  # chains that are run together
LEVELS = (0.1, 0.01, LEVEL)


def sample(case, sweeps, rng, chains):
    """Draws of the package's own sampler, (sweeps, N, chains), after a burn-in from topics drawn uniformly."""
    (c, p), A, z = problem(case), ALGORITHMS[case["algorithm"]], []
    s = A.init(c, case["K"], p, rng=rng, replicates=chains)
    for t in range(100 + sweeps):
        s = A.sweep(s, c, p, rng=rng)
        if t >= 100:
            z.append(s.z.astype(np.int8))
    return np.array(z)


def indicators(z, of):
    """Whether each statistic holds in each draw: z is (..., N), the result (..., statistics)."""
    return np.stack([z[..., i] == (z[..., k] if field == "z" else k) for field, (i, k) in of], -1)


def false_alarms(found, runs, draws=4000, seed=0):
    """How many of some runs of correct chains of the package have a p-value below each of LEVELS."""
    rng, p = np.random.default_rng(seed), np.ones(runs)
    for case in found:
        for start in range(0, runs, BLOCK):
            z = sample(case, draws, rng, min(BLOCK, runs - start))
            some = [verdict(z[:, :, r].tolist(), law(case)).p for r in range(z.shape[2])]
            p[start : start + BLOCK] = np.minimum(p[start : start + BLOCK], some)
    return rejected(p * len(found))


def false_alarms_of_exact_draws(found, runs, draws=20_000, seed=0):
    """The same for independent draws from the enumerated posterior, whose counts in a batch are multinomial."""
    rng, p, length = np.random.default_rng(seed), np.ones(runs), draws // BATCHES
    for case in found:
        z, q = posterior_of_assignments(case)
        of_tested = tested(law(case), length)
        used = [place in of_tested for place in law(case)]
        f, expected = indicators(z, law(case))[:, used].astype(int), [*of_tested.values()]
        for start in range(0, runs, BLOCK):
            counts = rng.multinomial(length, q, size=(BATCHES, min(BLOCK, runs - start))) @ f
            for run, of_run in enumerate(counts.transpose(1, 2, 0).tolist(), start):
                least = min(compared(x, of, length)[0] for x, of in zip(of_run, expected, strict=True))
                p[run] = min(p[run], least * len(expected))
    return rejected(p * len(found))


def draws_that_find(case, change, scale, level):
    """How many draws of a collapsed Gibbs sampler find what is wrong with it, 9 times in 10.

    The law of the chain and its autocorrelation times are those of its transition matrix.
    """
    z, T = transitions(case, change, scale)
    right = law(case)
    q = stationary(T) @ indicators(z, right)
    return draws_that_tell(right, dict(zip(right, q.tolist(), strict=True)), times(case, z, T), level)


def rejected(p):
    return [int((p < level).sum()) for level in LEVELS]


def posterior_of_assignments(case):
    """All assignments of topics to the tokens of a case, (K^N, N), and p(z | x) of each."""
    c, prior = problem(case)
    z, _, _, p = law_of_assignments(c, case["K"], prior)
    return z, p


# Chains on all assignments -------------------------------------------------------------------------------------------


def transitions(case, change=lambda p: p, scale=(1, 1), excludes=1):
    """All assignments of topics to tokens, and the transition matrix of a sweep of collapsed Gibbs sampling.

    `change` is applied to the probabilities of each draw, and `scale` multiplies alpha and eta. So many tokens are
    excluded from the counts.
    """
    (rows, p), K = problem(case), case["K"]
    c = rows.tokens()
    z = np.array(list(itertools.product(range(K), repeat=c.N)))
    one, place, T = np.eye(K)[z], K ** np.arange(c.N)[::-1], np.eye(len(z))
    alpha, eta = p.alpha * scale[0] + np.zeros(K), p.eta * scale[1] + np.zeros(c.W)
    for i in range(c.N):
        seen = (c.j == c.j[i], c.w == c.w[i], c.j >= 0)
        N_jk, N_wk, N_k = (one[:, tokens].sum(1) - excludes * one[:, i] for tokens in seen)
        x = (N_jk + alpha) * (N_wk + eta[c.w[i]]) / (N_k + eta.sum())
        step = np.zeros_like(T)
        for k, p_k in enumerate(change(x / x.sum(1, keepdims=True)).T):
            step[np.arange(len(z)), z @ place + (k - z[:, i]) * place[i]] += p_k
        T = T @ step
    return z, T


def stationary(T):
    return np.linalg.matrix_power(T, 2**12)[0]


def times(case, z, T):
    """The autocorrelation time of each statistic: its asymptotic variance, by the transition matrix, over that of a draw."""
    p, f = stationary(T), indicators(z, law(case)).astype(float)
    f -= p @ f
    solved = np.linalg.solve(np.eye(len(T)) - T + p, f)  # the fundamental matrix
    return (2 * p @ (f * solved) / (p @ f**2) - 1).tolist()


def chain(z, T, draws, rng, burn_in=200):
    """The assignments that a chain visits: (draws, N)."""
    cumulative, state, visited = T.cumsum(1), 0, []
    for u in rng.random(draws + burn_in):
        state = min(int(cumulative[state].searchsorted(u, "right")), len(T) - 1)
        visited.append(state)
    return z[visited[burn_in:]]


def together(z, T):
    """How often each two tokens share a topic in the stationary law of a chain."""
    return np.einsum("s,sij->ij", stationary(T), z[:, :, None] == z[:, None, :])


TINY = {
    "id": "sampler/cgs/1", "algorithm": "cgs", "operation": "sample", "K": 2, "prior": {"alpha": 0.7, "eta": 0.5},
    "corpus": {"j": [0, 0, 0, 1, 1], "w": [0, 0, 1, 1, 0], "n": [1] * 5, "D": 2, "W": 2},
}  # fmt: skip
RIGHT, WRONG = transitions(TINY), transitions(TINY, excludes=0)
TINY |= {
    "together": lda.exact.posterior(problem(TINY)[0], 2, problem(TINY)[1]).together.tolist(),
    "mistakes": {"nothing-excluded": together(*WRONG).tolist(), "uniform": (np.eye(5) / 2 + 0.5).tolist()},
}


def drawing(z, T):
    """A port that draws from a chain."""

    def answer(question):
        rng = np.random.default_rng(question["seed"])
        return {"id": question["id"], "z": chain(z, T, question["draws"], rng)}

    return answer
