"""LDA inference in plain Python, an example of a port that the oracle checks, and a template for your own:

    lda-reference oracle check --samplers --only cvb0,cgs -- python port.py

It reads one JSON case per line on stdin and writes one JSON answer per line on stdout. It has the algorithms cvb0 and
cgs, and skips what is not written yet. Use your own functions instead of `weights`, `draw` and `gibbs_sweep`, and
add operations to `answer`. GUIDE.md tells how this port was written.
"""

import json
import random
import sys


def weights(c, alpha, eta, g, i):  # AWST09 (13), recounted from nothing
    j, w, n = c["j"], c["w"], c["n"]
    out = []
    for k in range(len(alpha)):
        N_jk = N_wk = N_k = 0.0
        for r in range(len(n)):
            x = (n[r] - (1 if r == i else 0)) * g[r][k]  # one token is excluded
            N_jk += x if j[r] == j[i] else 0
            N_wk += x if w[r] == w[i] else 0
            N_k += x
        out.append((N_jk + alpha[k]) * (N_wk + eta[w[i]]) / (N_k + sum(eta)))
    return out


def normalised(x):
    return [v / sum(x) for v in x]


def draw(x, u):
    partial = []
    for v in x:
        partial.append(v + (partial[-1] if partial else 0.0))
    return sum(s <= u * partial[-1] for s in partial[:-1])


def one_hot(z, K):
    return [[1.0 if k == t else 0.0 for k in range(K)] for t in z]


def tokens(c):  # a row of count n becomes n rows of count 1
    rows = [r for r in range(len(c["n"])) for _ in range(c["n"][r])]
    return {"j": [c["j"][r] for r in rows], "w": [c["w"][r] for r in rows], "n": [1] * len(rows), "W": c["W"]}


def gibbs_sweep(c, alpha, eta, z, uniforms):
    for i in range(len(z)):
        z[i] = draw(weights(c, alpha, eta, one_hot(z, len(alpha)), i), uniforms[i])


def answer(case):
    c, K, what = case["corpus"], case["K"], case["operation"]
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    alpha = alpha if isinstance(alpha, list) else [alpha] * K
    eta = eta if isinstance(eta, list) else [eta] * c["W"]
    if case["algorithm"] == "cvb0" and what == "update":
        return {"gamma_k": normalised(weights(c, alpha, eta, case["state"]["gamma"], case["row"]))}
    if case["algorithm"] == "cvb0" and what in ("sweep", "ten_sweeps") and case["schedule"] == "token":
        g = case["state"]["gamma"]
        for _ in range(10 if what == "ten_sweeps" else 1):
            for i in range(len(g)):
                g[i] = normalised(weights(c, alpha, eta, g, i))
        return {"gamma": g}
    if case["algorithm"] == "cgs" and what == "draw":
        t, i = tokens(c), sum(c["n"][: case["row"]]) + case["token"]
        return {"topic": draw(weights(t, alpha, eta, one_hot(case["state"]["z"], K), i), case["uniform"])}
    if case["algorithm"] == "cgs" and what == "sweep" and case["schedule"] == "token":
        z = case["state"]["z"]
        gibbs_sweep(tokens(c), alpha, eta, z, case["uniforms"])
        return {"z": z}
    if case["algorithm"] == "cgs" and what == "sample":
        t, rng, draws = tokens(c), random.Random(case["seed"]), []
        z = [rng.randrange(K) for _ in t["j"]]
        for s in range(100 + case["draws"]):
            gibbs_sweep(t, alpha, eta, z, [rng.random() for _ in z])
            if s >= 100:
                draws.append(list(z))
        return {"z": draws}
    return {"skip": "not written yet"}


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps({"id": case["id"], **answer(case)}), flush=True)
