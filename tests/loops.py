"""Every algorithm as plain loops over rows and topics, which count everything again for each update.

They are slow, short and independent of the package: they share only the rows of the corpus with the engine.
"""

import math

from scipy.special import digamma


def entry(x, i):
    """The i-th entry of a scalar or vector prior."""
    return float(x) if not hasattr(x, "__len__") else float(x[i])


def entry_of_topic(x, w, k):
    """The number of word w in the prior of topic k: a scalar, a vector, or a matrix with a column for each topic."""
    return entry(x[w], k) if hasattr(x, "__len__") else float(x)


def counts(gamma, c, j, w, K):
    """N_jk, N_wk and N_k of document j and word w, counted over all rows."""
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
    """The logarithm of the right-hand side of an update by counts only, for each topic."""

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
        elif name == "vem":
            out.append(float(digamma(alpha[k] + N_jk[k])) + log(N_wk[k]) - log(N_k[k]) if N_wk[k] > 0 else -math.inf)
        elif name in ("cvb0", "cgs", "tcvb0"):  # AWST09 (13)(14)
            out.append(log(N_wk[k] + eta) + log(N_jk[k] + alpha[k]) - log(N_k[k] + W_eta))
    return out


BY_COUNTS = ("ml", "map", "vb", "vem", "cvb0", "cgs", "tcvb0")


def excluded_tokens(name, n):
    return {"ml": 0, "map": 0, "vb": 0, "vem": 0, "tcvb0": n}.get(name, 1)


def log_weight(name, here_j, here_w, here, k, alpha, eta, W_eta, draws):
    """The same for an update that needs more than means, at topic k.

    here_j, here_w and here list gamma_k of the tokens left in the document, with the word, and in the corpus.
    """

    def mean(g):
        return math.fsum(g)

    def variance(g):
        return math.fsum(x * (1 - x) for x in g)

    def distribution(g):
        out = [1.0]
        for x in g:
            out = [(out[m] * (1 - x) if m < len(out) else 0) + (out[m - 1] * x if m else 0) for m in range(len(out) + 1)]
        return out

    def expected(f, g):
        return math.fsum(q * f(m) for m, q in enumerate(distribution(g)))

    if name == "cvb":  # TNW06 (18)
        return sum(
            sign * (math.log(a + mean(g)) - variance(g) / (2 * (a + mean(g)) ** 2))
            for sign, a, g in ((1, alpha, here_j), (1, eta, here_w), (-1, W_eta, here))
        )
    if name in ("cvb_exact", "convolution"):  # TNW06 (15)
        return sum(
            sign * expected(lambda m, a=a: math.log(a + m), g)
            for sign, a, g in ((1, alpha, here_j), (1, eta, here_w), (-1, W_eta, here))
        )
    first_two = math.log(alpha + mean(here_j)) + math.log(eta + mean(here_w))
    if name == "cvb1":  # SN12 (48)
        return first_two + math.log(expected(lambda m: 1 / (m + W_eta), here))
    if name == "cvb1d":  # SN12 (50)
        m = mean(here) + W_eta
        return first_two + math.log(1 / m * (1 + variance(here) / m**2))
    if name == "cvb1s":  # SN12 (49)
        return first_two + math.log(math.fsum(1 / (sum(z == k for z in sample) + W_eta) for sample in draws) / len(draws))
    raise KeyError(f"no plain loops for {name}, expected them for every algorithm of the registry")


def row_weights(name, gamma, c, p, row, K, u=None):
    j, w = int(c.j[row]), int(c.w[row])
    W_eta = [sum(entry_of_topic(p.eta, v, k) for v in range(c.W)) for k in range(K)]
    eta = [entry_of_topic(p.eta, w, k) for k in range(K)]
    alpha = [entry(p.alpha, k) for k in range(K)]
    out = excluded_tokens(name, int(c.n[row]))
    if name in BY_COUNTS:
        N_jk, N_wk, N_k = counts(gamma, c, j, w, K)
        for N in (N_jk, N_wk, N_k):
            for k in range(K):
                N[k] -= out * float(gamma[row][k])
                N[k] = max(N[k], 0.0) if abs(N[k]) < 1e-12 else N[k]  # the subtraction rounds
        x = [
            log_weights(name, [N_jk[k]], [N_wk[k]], [N_k[k]], [alpha[k]], eta[k], W_eta[k], c.W)[0] for k in range(K)
        ]
    else:
        left = [i for i in range(len(c.n)) for _ in range(int(c.n[i]) - (out if i == row else 0))]
        draws = [[draw(gamma[i], u[i][s]) for i in left] for s in range(len(u[0]))] if u is not None else None
        x = [
            log_weight(
                name,
                [float(gamma[i][k]) for i in left if c.j[i] == j],
                [float(gamma[i][k]) for i in left if c.w[i] == w],
                [float(gamma[i][k]) for i in left],
                k, alpha[k], eta[k], W_eta[k], draws,
            )
            for k in range(K)
        ]
    top = max(x)
    return [math.exp(v - top) for v in x]


def soft(x):
    return [v / math.fsum(x) for v in x]


def hard(x):
    best = max(range(len(x)), key=lambda k: (x[k], -k))
    return [1.0 if k == best else 0.0 for k in range(len(x))]


def first_rows(c, blocks):
    """The first row of each block of documents: the first document that starts at or after each share of the rows."""
    starts = [row for row in range(len(c.n)) if row == 0 or c.j[row] != c.j[row - 1]]
    if blocks >= c.D:
        return starts
    shares = [b * len(c.n) / blocks for b in range(blocks)]
    return {min((row for row in starts if row >= share), default=None) for share in shares}


def sweep(name, gamma, c, p, schedule, assign=soft, u=None, blocks=32):
    """One sweep. gamma is a list of rows, each a list of topics; u holds the uniforms of each token's samples."""
    K = len(gamma[0])
    current = [list(map(float, g)) for g in gamma]
    old = [list(g) for g in current]  # the state from which rows are updated
    fresh = first_rows(c, {"corpus": 1, "block": blocks}.get(schedule, c.D))
    for row in range(len(c.n)):
        if schedule == "token" or row in fresh:
            old = [list(g) for g in current]
        current[row] = assign(row_weights(name, old, c, p, row, K, u))
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
