"""The oracle: every algorithm as plain loops over rows and topics that recount everything from nothing.

Slow, short, and independent of the package: it shares nothing with the engine but the corpus' rows.
"""

import math

from scipy.special import digamma


def entry(x, i):
    """The i-th entry of a scalar or vector prior."""
    return float(x) if not hasattr(x, "__len__") else float(x[i])


def counts(gamma, c, j, w, K):
    """N_jk, N_wk, N_k as seen from document j and word w, recounted over all rows."""
    N_jk, N_wk, N_k = [0.0] * K, [0.0] * K, [0.0] * K
    for row in range(len(c.n)):
        for k in range(K):
            x = float(c.n[row]) * float(gamma[row][k])
            N_k[k] += x
            if c.j[row] == j:
                N_jk[k] += x
            if c.w[row] == w:
                N_wk[k] += x
    return N_jk, N_wk, N_k


def log_weights(name, N_jk, N_wk, N_k, alpha, eta, W_eta, W):
    """The logarithm of the right-hand side of the update, topic by topic."""

    def log(x):
        return math.log(x) if x > 0 else -math.inf

    out = []
    for k in range(len(N_k)):
        if name == "ml":  # AWST09 (4)
            out.append(log(N_wk[k]) + log(N_jk[k]) - log(N_k[k]) if N_k[k] > 0 else -math.inf)
        elif name == "map":  # AWST09 (5)
            out.append(log(N_wk[k] + eta - 1) + log(N_jk[k] + alpha[k] - 1) - log(N_k[k] + W_eta - W))
        elif name == "vb":  # TNW06 (6)
            out.append(float(digamma(alpha[k] + N_jk[k]) + digamma(eta + N_wk[k]) - digamma(W_eta + N_k[k])))
        elif name in ("cvb0", "cgs"):  # AWST09 (13)(14)
            out.append(log(N_wk[k] + eta) + log(N_jk[k] + alpha[k]) - log(N_k[k] + W_eta))
        else:
            raise KeyError(f"no loops for {name}: an algorithm of the registry needs its oracle here")
    return out


EXCLUDED_TOKENS = {"ml": 0, "map": 0, "vb": 0, "cvb0": 1, "cgs": 1}


def row_weights(name, gamma, c, p, row, K):
    j, w = int(c.j[row]), int(c.w[row])
    N_jk, N_wk, N_k = counts(gamma, c, j, w, K)
    out = EXCLUDED_TOKENS[name]
    for N in (N_jk, N_wk, N_k):
        for k in range(K):
            N[k] -= out * float(gamma[row][k])
            N[k] = max(N[k], 0.0) if abs(N[k]) < 1e-12 else N[k]  # the loops too subtract with rounding
    W_eta = sum(entry(p.eta, v) for v in range(c.W))
    alpha = [entry(p.alpha, k) for k in range(K)]
    x = log_weights(name, N_jk, N_wk, N_k, alpha, entry(p.eta, w), W_eta, c.W)
    top = max(x)
    return [math.exp(v - top) for v in x]


def soft(x):
    return [v / math.fsum(x) for v in x]


def hard(x):
    best = max(range(len(x)), key=lambda k: (x[k], -k))
    return [1.0 if k == best else 0.0 for k in range(len(x))]


def sweep(name, gamma, c, p, schedule, assign=soft):
    """One sweep; gamma is a list of lists, one a row."""
    K = len(gamma[0])
    current = [list(map(float, g)) for g in gamma]
    old = [list(g) for g in current]  # what the rows at hand see in place of `current`
    for row in range(len(c.n)):
        first_of_document = row == 0 or c.j[row] != c.j[row - 1]
        if schedule == "token" or (schedule == "document" and first_of_document):
            old = [list(g) for g in current]
        current[row] = assign(row_weights(name, old, c, p, row, K))
    return current


def draw(x, u):
    """The number of the first K-1 partial sums, added in topic order, that are <= u times the last partial sum."""
    partial, total = [], 0.0
    for v in x:
        total += v
        partial.append(total)
    return sum(s <= u * total for s in partial[:-1])


def cgs_sweep(z, c, p, u, K):
    """One sweep of collapsed Gibbs sampling over the tokens, in row order."""
    t = c.tokens()
    z = [int(k) for k in z]
    for i in range(len(z)):
        gamma = [[1.0 if z[row] == k else 0.0 for k in range(K)] for row in range(len(z))]
        x = row_weights("cgs", gamma, t, p, i, K)
        z[i] = draw(x, float(u[i]))
    return z
