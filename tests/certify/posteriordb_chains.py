"""Whether longer chains on Pride and Prejudice agree: R-hat of collapsed Gibbs sampling in tomotopy.

    python -m tests.certify.posteriordb_chains FOLDER

FOLDER is posteriordb's `posterior_database/data/data`; the plan is in figures/peers/posteriordb/README.md.
"""

import sys
import time

import numpy as np

import lda_reference as lda
from figures.peers import systems
from lda_reference.evaluation.chains import r_hat

from .posteriordb import CHAINS, SEED, invariant, parameters, problem

POSTERIORS = [f"prideprejudice_{x}-ldaK5" for x in ("chapter", "paragraph")]
LENGTHS, DRAWS = (400, 1000, 4000, 16_000), 200


def counts(reading, c, p):
    """The counts N_jk (D, K) and N_wk (W, K) from which a collapsed sampler's theta and phi were estimated."""
    K = reading.theta_jk.shape[1]
    N_jk = np.rint(reading.theta_jk * (np.bincount(c.j, c.n, c.D)[:, None] + K * p.alpha) - p.alpha)
    return N_jk, np.rint(reading.phi_wk * (N_jk.sum(0) + c.W * p.eta) - p.eta)


def continued(run, c, p, rng, begun, length):
    """A chain from sweep `begun` to `length`: the functions of its second half's draws, and their log p(x, z)."""
    first, thin, functions, log_joints = length // 2, length // (2 * DRAWS), [], []

    def step(t, read):
        if begun + t > first and (begun + t - first) % thin == 0:
            N_jk, N_wk = counts(read(), c, p)
            theta, phi = parameters(N_jk[None], N_wk[None], p, rng, renumber=False)
            functions.append(invariant(theta[None], phi[None])[0, 0])
            log_joints.append(lda.log_joint_collapsed(N_jk, N_wk, p))

    run(length - begun, step)
    return np.array(functions), np.array(log_joints)


def main(folder):
    rng, begun = np.random.default_rng(SEED), 0
    problems = {name: problem(folder, name) for name in POSTERIORS}
    runs = {
        name: [systems.tomotopy(c, K, p, seed, workers=1) for seed in range(CHAINS)]
        for name, (c, K, p) in problems.items()
    }
    for length in LENGTHS:
        for name, (c, _, p) in problems.items():
            chains = [continued(run, c, p, rng, begun, length) for run in runs[name]]
            functions, log_joints = (np.stack(x, 1) for x in zip(*chains, strict=True))
            reached, means = r_hat(functions), log_joints.mean(0)
            print(
                f"{name}: after {length:,} sweeps R-hat at most {reached.max():.2f}, median {np.median(reached):.3f}, "
                f"below 1.01 of {np.mean(reached < 1.01):.1%}; of log p(x, z) {r_hat(log_joints):.2f}, its means "
                f"{means.min():.1f} to {means.max():.1f}; {time.process_time():.0f} CPU seconds in all",
                flush=True,
            )  # fmt: skip
        begun = length


if __name__ == "__main__":
    main(*sys.argv[1:])
