"""Studies of the sampler test: how often it fails correct chains, and how many draws find a known mistake.

None of 7,000 runs of 20,000 independent draws failed. Before p(z_i = k) was compared too, none of 20,000 runs of 4,000
draws by collapsed Gibbs sampling failed, and 4 of 8,000 did with batches of only five autocorrelation times.
"""

import itertools

import numpy as np

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

    `change` is applied to the probabilities of each draw, and `scale` multiplies alpha and eta. The law of the chain and
    its autocorrelation times are those of its transition matrix.
    """
    (rows, p), K, right = problem(case), case["K"], law(case)
    c = rows.tokens()
    z = np.array(list(itertools.product(range(K), repeat=c.N)))
    one, place, T = np.eye(K)[z], K ** np.arange(c.N)[::-1], np.eye(len(z))
    alpha, eta = p.alpha * scale[0] + np.zeros(K), p.eta * scale[1] + np.zeros(c.W)
    for i in range(c.N):
        N_jk, N_wk, N_k = (one[:, of].sum(1) - one[:, i] for of in (c.j == c.j[i], c.w == c.w[i], c.j >= 0))
        x = (N_jk + alpha) * (N_wk + eta[c.w[i]]) / (N_k + eta.sum())
        step = np.zeros_like(T)
        for k, p_k in enumerate(change(x / x.sum(1, keepdims=True)).T):
            step[np.arange(len(z)), z @ place + (k - z[:, i]) * place[i]] += p_k
        T = T @ step
    stationary = np.linalg.matrix_power(T, 2**12)[0]
    f = indicators(z, right).astype(float)
    q = stationary @ f
    solved = np.linalg.solve(np.eye(len(z)) - T + stationary, f - q)
    tau = 2 * stationary @ ((f - q) * solved) / (q * (1 - q)) - 1
    return draws_that_tell(right, dict(zip(right, q.tolist(), strict=True)), tau.tolist(), level)


def rejected(p):
    return [int((p < level).sum()) for level in LEVELS]


def posterior_of_assignments(case):
    """All assignments of topics to the tokens of a case, (K^N, N), and p(z | x) of each."""
    c, prior = problem(case)
    z, _, _, p = law_of_assignments(c, case["K"], prior)
    return z, p
