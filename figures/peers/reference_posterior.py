"""A reference posterior for `three_docs1200-ldaK2` of posteriordb: exact, beside what Gibbs sampling gives.

    python -m figures.peers.reference_posterior

The model has two topics, three words and three documents of 400 tokens, and all priors are 1. Its posterior has two
equal modes, which differ in the numbers of the topics, so the reference has what these numbers do not change: log p(x),
the co-assignments of tokens by document and word, the second moments of theta and phi summed over topics, and the
predictive probabilities. All are ratios of sums over tables of counts (`lda_reference/truth/tables.py`).

Twelve chains of collapsed Gibbs from random assignments stand beside them. Most of them stay in other modes, a hundred
nats below, for all their sweeps. The means and their standard errors are of the chains in the main mode, those whose
mean log p(x, z) is within 20 nats of the highest. Some minutes.
"""

import json
import math

import numpy as np

import lda_reference as lda
from figures.common import HERE
from lda_reference.evaluation import chains
from lda_reference.fitting import sweep_rng
from lda_reference.model import counts_of
from lda_reference.truth import table_posterior

COUNTS = np.array([[360, 40, 0], [0, 400, 0], [0, 0, 400]])
K, PRIOR = 2, lda.Prior(1.0, 1.0)
CHAINS, SWEEPS, BURN_IN = 12, 3000, 500
AS_HIGH = 20.0  # nats: chains whose mean log p(x, z) is that near to the highest are in the main mode


def together(z, c, t):
    """Of a state: the fraction of pairs of different tokens that have one topic, for each pair of rows of types."""
    N_rk = np.array([np.bincount(z[(c.j == j) & (c.w == w)], minlength=K) for j, w in zip(t.j, t.w, strict=True)])
    pairs = N_rk @ N_rk.T - np.diag(N_rk.sum(1))
    return pairs / (np.outer(t.n, t.n) - np.diag(t.n))


def quantities(N_jk, N_wk):
    """theta, phi and predictive of `table_posterior.moments`, for one state of a sampler."""
    A, H = N_jk.sum(1) + K, N_wk.sum(0) + len(N_wk)
    theta_jk, phi_wk = (N_jk + 1) / A[:, None], (N_wk + 1) / H
    theta = theta_jk @ theta_jk.T
    np.fill_diagonal(theta, (theta_jk * (N_jk + 2) / (A + 1)[:, None]).sum(1))
    phi = (phi_wk * H / (H + 1)) @ phi_wk.T
    np.fill_diagonal(phi, (phi_wk * (N_wk + 2) / (H + 1)).sum(1))
    return np.concatenate([theta.ravel(), phi.ravel(), (theta_jk @ phi_wk.T).ravel()])


def sampled(c, types):
    """Means over the chains in the main mode, their errors, the largest R-hat, and the log p(x, z) of every chain."""
    A = lda.ALGORITHMS["cgs"]
    s, trace, joint = A.init(c, K, PRIOR, sweep_rng(0, 0), replicates=CHAINS), [], []
    for t in range(1, SWEEPS + 1):
        s = A.sweep(s, c, PRIOR, rng=sweep_rng(0, t))
        if t > BURN_IN:
            counts = [counts_of(s.z[:, r], c, K) for r in range(CHAINS)]
            states = zip(s.z.T, counts, strict=True)
            trace.append([np.concatenate([quantities(*x), together(z, c, types).ravel()]) for z, x in states])
            joint.append([lda.log_joint_collapsed(*x, PRIOR) for x in counts])
    joint = np.mean(joint, 0)
    x = np.array(trace)[:, joint > joint.max() - AS_HIGH]  # sweep, chain, quantity
    r_hat = max(float(chains.r_hat(x[:, :, q])) for q in range(x.shape[2]) if np.ptp(x[:, :, q]) > 0)
    return x.mean((0, 1)), x.mean(0).std(0, ddof=1) / math.sqrt(x.shape[1]), r_hat, joint


def main():
    c = lda.Corpus.from_csr(COUNTS)
    cells, moments = table_posterior.cells(c, K, PRIOR), table_posterior.moments(c, K, PRIOR)
    exact = {name: getattr(moments, name) for name in ("theta", "phi", "predictive")}
    exact["together"] = cells.together
    mean, error, r_hat, joint = sampled(c.tokens(), cells.types)
    main_mode = int(np.sum(joint > joint.max() - AS_HIGH))
    gibbs, at = {}, 0
    for name, x in exact.items():
        part = slice(at, at + x.size)
        gibbs[name] = {"mean": mean[part].reshape(x.shape).tolist(), "error": error[part].reshape(x.shape).tolist()}
        at += x.size
    worst = max(np.max(np.abs(np.array(gibbs[x]["mean"]) - exact[x]) / np.array(gibbs[x]["error"])) for x in exact)
    found = {
        "posterior": "three_docs1200-ldaK2",
        "counts": COUNTS.tolist(),
        "K": K,
        "alpha": 1.0,
        "eta": 1.0,
        "digits": "absolute error of log_evidence below 1e-11, relative error of the others below 1e-10",
        "log_evidence": moments.log_evidence,
        "rows": [[int(j), int(w)] for j, w in zip(cells.types.j, cells.types.w, strict=True)],
        **{name: x.tolist() for name, x in exact.items()},
        "collapsed_gibbs": {
            "chains": CHAINS,
            "in_the_main_mode": main_mode,
            "mean_log_joint": joint.tolist(),
            "sweeps": SWEEPS,
            "burn_in": BURN_IN,
            "largest_r_hat": r_hat,
            **gibbs,
        },
    }
    path = HERE / "peers/three_docs1200-ldaK2.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"log p(x) = {moments.log_evidence!r}")
    print(f"Gibbs: {main_mode} of {CHAINS} chains are in the main mode; their largest R-hat is {r_hat:.3f}, and the")
    print(f"largest difference from the exact value is {worst:.1f} standard errors.")
    print(f"Written: {path}")


if __name__ == "__main__":
    main()
