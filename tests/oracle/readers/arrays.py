"""A port of LDA inference by array operations on padded batches of documents, as on a GPU."""

import numpy as np
from scipy.special import digamma

DTYPE = np.float64
BATCH = 3  # documents
ALGORITHMS = ("ml", "map", "vb", "vem", "cvb0", "tcvb0", "cvb", "cvb1d")
SWEEPS = {"update": 1, "sweep": 1, "ten_sweeps": 10}


class Batch:  # documents as arrays of shape (documents, rows of the longest); the mask is 0 at the padding
    def __init__(self, corpus, documents):
        self.documents = documents
        lengths, firsts = corpus["lengths"], corpus["firsts"]
        position = np.arange(lengths[documents].max())
        self.mask = position < lengths[documents, None]
        self.rows = np.where(self.mask, firsts[documents, None] + position, 0)
        self.w = np.array(corpus["w"])[self.rows]
        self.n = np.where(self.mask, np.array(corpus["n"], dtype=DTYPE)[self.rows], 0)


def in_batches(corpus):
    documents = np.arange(corpus["D"])
    lengths = np.bincount(corpus["j"], minlength=corpus["D"])
    firsts = np.cumsum(lengths) - lengths
    corpus = corpus | {"lengths": lengths, "firsts": firsts}
    return [Batch(corpus, documents[b : b + BATCH]) for b in range(0, corpus["D"], BATCH)]


def sums(corpus, batches, values):  # of n values over the rows of each document, of each word, and of all
    S_jk = np.zeros((corpus["D"], values.shape[1]), dtype=DTYPE)
    S_wk = np.zeros((corpus["W"], values.shape[1]), dtype=DTYPE)
    for batch in batches:
        x = batch.n[:, :, None] * values[batch.rows]
        S_jk[batch.documents] = x.sum(axis=1)
        np.add.at(S_wk, batch.w, x)
    return S_jk, S_wk, S_wk.sum(axis=0)


def ratio(x, total, where_empty):
    x, total = np.broadcast_arrays(x, total)
    return np.divide(x, total, out=np.full(x.shape, where_empty, dtype=DTYPE), where=total > 0)


def exponentials(logs):
    return np.exp(logs - logs.max(axis=2, keepdims=True))


def weights(algorithm, alpha, eta, N_j, N_w, N_k, V_j, V_w, V_k, w):
    a = N_j + alpha
    b = N_w + eta[w][:, :, None]
    c = N_k + eta.sum()
    if algorithm == "ml":
        return N_j * ratio(N_w, N_k, 0)
    if algorithm == "map":
        return (a - 1) * (b - 1) / (c - len(eta))
    if algorithm == "vb":
        return exponentials(digamma(a) + digamma(b) - digamma(c))
    if algorithm == "vem":
        return exponentials(digamma(a)) * ratio(N_w, N_k, 0)
    if algorithm == "cvb":
        logs = np.log(a) + np.log(b) - np.log(c)
        logs -= V_j / (2 * a**2)
        logs -= V_w / (2 * b**2)
        logs += V_k / (2 * c**2)
        return exponentials(logs)
    if algorithm == "cvb1d":
        return a * b / c * (1 + V_k / c**2)
    return a * b / c


def sweep(algorithm, corpus, alpha, eta, gamma):
    batches = in_batches(corpus)
    N_jk, N_wk, N_k = sums(corpus, batches, gamma)
    V_jk, V_wk, V_k = sums(corpus, batches, gamma * (1 - gamma))
    new_gamma = np.empty_like(gamma)
    for batch in batches:
        old = gamma[batch.rows]
        excluded = np.zeros_like(batch.n)
        if algorithm in ("cvb0", "cvb", "cvb1d"):
            excluded = batch.mask.astype(DTYPE)
        if algorithm == "tcvb0":
            excluded = batch.n
        E = excluded[:, :, None] * old
        F = E * (1 - old)
        N_of_row = N_jk[batch.documents][:, None, :], N_wk[batch.w], N_k
        V_of_row = V_jk[batch.documents][:, None, :], V_wk[batch.w], V_k
        N = [np.maximum(x - E, 0) for x in N_of_row]
        V = [np.maximum(x - F, 0) for x in V_of_row]
        x = weights(algorithm, alpha, eta, *N, *V, batch.w)
        x = np.where(batch.mask[:, :, None], x, 1)
        x /= x.sum(axis=2, keepdims=True)
        new_gamma[batch.rows[batch.mask]] = x[batch.mask]
    return new_gamma


def estimate(algorithm, corpus, alpha, eta, gamma):
    N_jk, N_wk, N_k = sums(corpus, in_batches(corpus), gamma)
    shift = 1 if algorithm == "map" else 0
    a = np.zeros_like(alpha) if algorithm == "ml" else alpha - shift
    e = np.zeros_like(eta) if algorithm in ("ml", "vem") else eta - shift
    theta_jk = ratio(N_jk + a, N_jk.sum(axis=1, keepdims=True) + a.sum(), 1 / len(alpha))
    phi_wk = ratio(N_wk + e[:, None], N_k + e.sum(), 1 / len(eta))
    return theta_jk, phi_wk


def fields(case):
    algorithm, operation, corpus = case["algorithm"], case["operation"], case["corpus"]
    alpha = np.full(case["K"], case["prior"]["alpha"], dtype=DTYPE)
    eta = np.full(corpus["W"], case["prior"]["eta"], dtype=DTYPE)
    gamma = np.array(case["state"]["gamma"], dtype=DTYPE)
    if operation in SWEEPS:
        for _ in range(SWEEPS[operation]):
            gamma = sweep(algorithm, corpus, alpha, eta, gamma)
        return {"gamma_k": gamma[case["row"]]} if operation == "update" else {"gamma": gamma}
    theta_jk, phi_wk = estimate(algorithm, corpus, alpha, eta, gamma)
    if operation == "estimate":
        return {"theta_jk": theta_jk, "phi_wk": phi_wk}
    test = case["test"]
    p = (theta_jk[test["j"]] * phi_wk[test["w"]]).sum(axis=1)
    n = np.array(test["n"], dtype=DTYPE)
    with np.errstate(divide="ignore"):
        log_likelihood = (n * np.log(p)).sum()
    return {"token_probability": p, "perplexity": np.exp(-log_likelihood / n.sum())}


def answer(case):
    is_written = case["algorithm"] in ALGORITHMS and case["operation"] in (*SWEEPS, "estimate", "predict")
    if not is_written or case.get("schedule", "corpus") != "corpus":
        return {"id": case["id"], "skip": "not written"}
    return {"id": case["id"], **{field: x.tolist() for field, x in fields(case).items()}}
