"""LDA inference in array operations, on a CPU or a GPU: an example of a port that the oracle checks, and a template.

    lda-reference oracle check --precision single -- python arrays.py torch single

The library is numpy, torch, jax or cupy; the precision is double if it is left out. A sweep is by `corpus`: all rows at
once. As a function, it also answers batches: `oracle.check(Port("jax"), batch=True)`.
"""

import json
import sys
from collections import namedtuple
from importlib import import_module

ALGORITHMS = ("ml", "map", "vb", "vem", "cvb0", "tcvb0", "cvb", "cvb1d")
SWEEPS = {"estimate": 0, "predict": 0, "update": 1, "sweep": 1, "ten_sweeps": 10}
DIGAMMA = {"numpy": "scipy.special", "torch": "torch", "jax": "jax.scipy.special", "cupy": "cupyx.scipy.special"}
TINY = 1e-37  # instead of a divisor 0; it is not 0 in single precision
Rows = namedtuple("Rows", "j w b n")  # of all cases: b is the number of the case; j and w are numbered through them


class Port:
    """The answers of one library in one precision."""

    def __init__(self, name, precision="double"):
        self.name, self.xp = name, import_module("jax.numpy" if name == "jax" else name)
        self.digamma = import_module(DIGAMMA[name]).digamma
        self.dtype = self.xp.float32 if precision == "single" else self.xp.float64
        if name == "torch":
            self.xp.set_default_device("cuda" if self.xp.cuda.is_available() else "cpu")
        if name == "jax":
            import_module("jax").config.update("jax_enable_x64", precision == "double")

    def __call__(self, case):
        """The answer to a case, or to a batch of cases, in which each array has a first axis."""
        by_corpus = case["operation"] == "update" or case.get("schedule", "corpus") == "corpus"
        if case["algorithm"] not in ALGORITHMS or case["operation"] not in SWEEPS or not by_corpus:
            return {"id": case["id"], "skip": "not written"}
        is_one_case = isinstance(case["id"], str)
        fields = self.fields(case, 1, lambda x: [x]) if is_one_case else self.fields(case, len(case["id"]), lambda x: x)
        return {"id": case["id"], **{name: (x[0] if is_one_case else x).tolist() for name, x in fields.items()}}

    def fields(self, case, B, batched):
        """The fields of the answer to B cases; `batched` gives an array of the case its first axis."""
        xp, algorithm, operation, K = self.xp, case["algorithm"], case["operation"], case["K"]
        D, W, case_indices = case["corpus"]["D"], case["corpus"]["W"], xp.arange(B)

        def numbers(x):
            return xp.asarray(batched(x), dtype=self.dtype)

        def rows(table):
            j, w, n = xp.asarray(batched(table["j"])), xp.asarray(batched(table["w"])), numbers(table["n"])
            b = 0 * j + case_indices[:, None]
            return Rows((D * b + j).reshape(-1), (W * b + w).reshape(-1), b.reshape(-1), n.reshape(-1, 1))

        alpha, eta = (numbers(case["prior"][name]).reshape(B, -1) for name in ("alpha", "eta"))
        prior_jk = {"ml": 0, "map": alpha - 1}.get(algorithm, alpha) + xp.zeros((B, K), dtype=self.dtype)
        prior_wk = {"ml": 0, "vem": 0, "map": eta - 1}.get(algorithm, eta) + xp.zeros((B, W), dtype=self.dtype)
        r, gamma = rows(case["corpus"]), numbers(case["state"]["gamma"]).reshape(-1, K)
        for _ in range(SWEEPS[operation]):
            gamma = self.sweep(algorithm, r, gamma, prior_jk, prior_wk, D)
        if operation == "update":
            return {"gamma_k": gamma.reshape(B, -1, K)[case_indices, xp.asarray(batched(case["row"]))]}
        if SWEEPS[operation]:
            return {"gamma": gamma.reshape(B, -1, K)}
        theta_jk = self.estimate(self.sums(r.j, B * D, r.n * gamma).reshape(B, D, K), prior_jk[:, None, :], 2)
        phi_wk = self.estimate(self.sums(r.w, B * W, r.n * gamma).reshape(B, W, K), prior_wk[:, :, None], 1)
        if operation == "estimate":
            return {"theta_jk": theta_jk, "phi_wk": phi_wk}
        t = rows(case["test"])  # here, too, no matrix product, which may be in TF32 on a GPU
        p = (theta_jk.reshape(-1, K)[t.j] * phi_wk.reshape(-1, K)[t.w]).sum(-1).reshape(B, -1)
        n = t.n.reshape(B, -1)
        return {"token_probability": p, "perplexity": xp.exp(-(n * self.log(p)).sum(1) / n.sum(1))}

    def sweep(self, algorithm, r, gamma, prior_jk, prior_wk, D):
        """The new gamma of all rows, from the sums of the old one."""
        B, W = prior_wk.shape
        excluded = {"cvb0": 1, "cvb": 1, "cvb1d": 1, "tcvb0": r.n}.get(algorithm, 0)

        def remaining(x):
            """For each row the sums of x over its document, its word and all rows, without what it excludes."""
            ids_sizes = (r.j, B * D), (r.w, B * W), (r.b, B)
            return [self.xp.clip(self.sums(ids, size, r.n * x)[ids] - excluded * x, 0, None) for ids, size in ids_sizes]

        N_jk, N_wk, N_k = remaining(gamma)
        document_sum, word_sum = N_jk + prior_jk[r.b], N_wk + prior_wk.reshape(-1, 1)[r.w]
        topic_sum = self.xp.clip(N_k + prior_wk.sum(1)[r.b][:, None], TINY, None)
        of_document = self.digamma if algorithm in ("vb", "vem") else self.log
        of_topics = self.digamma if algorithm == "vb" else self.log
        x = of_document(document_sum) + of_topics(word_sum) - of_topics(topic_sum)
        if algorithm in ("cvb", "cvb1d"):
            V_jk, V_wk, V_k = remaining(gamma * (1 - gamma))
            second_order = V_k / topic_sum**2 / 2 - V_jk / document_sum**2 / 2 - V_wk / word_sum**2 / 2
            x = x + (second_order if algorithm == "cvb" else self.log(1 + V_k / topic_sum**2))
        x = self.xp.exp(x - self.xp.amax(x, axis=-1, keepdims=True))  # all exponentials of x itself may be 0
        return x / x.sum(-1, keepdims=True)

    def log(self, x):
        """The logarithm, which of 0 is minus infinity."""
        return self.xp.where(x > 0, self.xp.log(self.xp.clip(x, TINY, None)), -self.xp.inf)

    def sums(self, index, size, x):
        """The sums of the rows of x that have one index."""
        total = self.xp.zeros((size, x.shape[1]), dtype=self.dtype)
        if self.name == "torch":
            return total.index_add(0, index, x)
        if self.name == "jax":
            return total.at[index].add(x)
        self.xp.add.at(total, index, x)
        return total

    def estimate(self, N, prior, axis):
        """The sums and the prior, divided by their totals over an axis; equal shares where a total is 0."""
        total = N.sum(axis, keepdims=True) + prior.sum(axis, keepdims=True)
        return self.xp.where(total > 0, (N + prior) / self.xp.clip(total, TINY, None), 1 / N.shape[axis])


if __name__ == "__main__":
    port = Port(*sys.argv[1:])
    for line in sys.stdin:
        print(json.dumps(port(json.loads(line))).replace("Infinity", '"inf"'), flush=True)
