"""One minibatch of SCVB0, Foulds, Boyles, DuBois, Smyth and Welling (2013), algorithm 1, and cases of it.

The fields are those of the oracle's operation `online_step`. The whole corpus has `total_N` tokens, and the batch is
the corpus of the case. Each row computes gamma, proportional to (N_jk + alpha) (N_wk + eta) / (N_k + sum of eta), and
moves N_jk by its n tokens at once. After the last pass, N_wk and N_k move towards total_N / M times the batch's counts.
"""

from typing import Any

import numpy as np

from figures.peers.conformance_cases import prior_of

Case = dict[str, Any]


# Changes of the step, and what the oracle calls them
CHANGES = {
    "documents-for-tokens": {"documents": True},
    "rows-for-tokens-in-estimate": {"rows": True},
    "documents-for-tokens and rows-for-tokens-in-estimate": {"documents": True, "rows": True},
    "K-eta-for-W-eta": {"K_eta": True},
}


def step(case: Case, documents: bool = False, rows: bool = False, K_eta: bool = False) -> Case:
    """N_jk, N_wk and N_k after the batch; or if M is its documents, each row counts once, or H is K eta."""
    c, (alpha, eta) = case["corpus"], prior_of(case)
    N_jk, N_wk, N_k = (np.array(case[name], float) for name in ("N_jk", "N_wk", "N_k"))
    batch = np.zeros_like(N_wk)
    length, H = np.bincount(c["j"], c["n"], c["D"]), eta[0] * case["K"] if K_eta else eta.sum()
    for last in [False] * case["burn_in"] + [True]:
        for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
            gamma = (N_jk[j] + alpha) * (N_wk[w] + eta[w]) / (N_k + H)
            gamma /= gamma.sum()
            left = (1 - case["rho_theta"]) ** n
            N_jk[j] = left * N_jk[j] + (1 - left) * length[j] * gamma
            batch[w] += (1 if rows else n) * gamma if last else 0
    batch *= case["total_N"] / (c["D"] if documents else sum(c["n"]))
    rho = case["rho_phi"]
    return {"N_jk": N_jk, "N_wk": (1 - rho) * N_wk + rho * batch, "N_k": (1 - rho) * N_k + rho * batch.sum(0)}


def estimate(case: Case, counts: Case) -> Case:
    """theta and phi of the counts."""
    alpha, eta = prior_of(case)
    theta, phi = np.array(counts["N_jk"]) + alpha, np.array(counts["N_wk"]) + eta[:, None]
    return {"theta_jk": theta / theta.sum(1, keepdims=True), "phi_wk": phi / phi.sum(0)}


def case_of(i: int, counts: bool = False) -> Case:
    """Three documents of the corpus; with `counts`, rows have up to 4 tokens."""
    rng = np.random.default_rng([13, i])
    D, K, W = 3, 2 + i % 3, 6
    w = np.concatenate([np.sort(rng.choice(W, 4, replace=False)) for _ in range(D)])
    w[-1] = W - 1  # an implementation may take the largest word for the last one
    n = rng.integers(1, 5, len(w)) if counts else np.ones(len(w), int)
    N_wk = rng.gamma(1.0, 2.0, (W, K))
    case = {
        "id": f"scvb0/online_step/plain/{i}{'c' * counts}", "algorithm": "scvb0", "operation": "online_step", "K": K,
        "corpus": {"j": np.repeat(np.arange(D), 4).tolist(), "w": w.tolist(), "n": n.tolist(), "D": D, "W": W},
        "prior": {"alpha": 0.1 + i / 20, "eta": 0.2 + i / 30}, "N_jk": rng.gamma(1.0, 2.0, (D, K)).tolist(),
        "N_wk": N_wk.tolist(), "N_k": N_wk.sum(0).tolist(), "burn_in": 1, "total_N": int(n.sum()) * (1 + i),
        "rho_theta": 0.1 + i / 40, "rho_phi": 0.2 + i / 40,
    }  # fmt: skip
    mistakes = [{"name": name, "expected": step(case, **change)} for name, change in CHANGES.items()]
    return case | {"expected": step(case), "mistakes": mistakes}


def cases() -> list[Case]:
    return [case_of(i, counts) for counts in (False, True) for i in range(8)]
