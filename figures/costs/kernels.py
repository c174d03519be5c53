"""The floor of a sweep: the CPU time of the NumPy kernels that it cannot do without."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array
from scipy.special import digamma

import lda_reference as lda

NUMBERS = 2**16  # in a block of rows, so that a few blocks stay in the cache


class Floor(NamedTuple):
    """CPU seconds of each kernel of a sweep, and of the sweep itself, both by one thread."""

    kernels: dict[str, float]
    sweep: float

    @property
    def ratio(self) -> float:
        return self.sweep / sum(self.kernels.values())


def medians(calls: dict[str, Callable], repeats: int) -> dict[str, float]:
    """The median CPU time of each call. The calls take turns, so that noise hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.process_time()
            call()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def floor(algorithm: str, c: lda.Corpus, K: int, p: lda.Prior, repeats: int = 9) -> Floor:
    """The kernels that a `corpus` sweep of cvb0 or vb cannot do without, each alone, beside the sweep.

    Each kernel runs over the blocks of rows of the whole corpus. The sums are those of a state, the prior is added to
    the tables of documents and words before the rows are gathered, and all other arrays are allocated before, except
    the new gamma.
    """
    A = lda.ALGORITHMS[algorithm]
    s = A.sweep(A.init(c, K, p, np.random.default_rng(0)), c, p, schedule="corpus")
    size, ones = NUMBERS // K, np.ones(K)
    rows = [slice(i, min(i + size, c.M)) for i in range(0, c.M, size)]
    a, b, t = np.random.default_rng(0).random((3, size, K)) + 1
    total, n = a.dot(ones), c.n.astype(np.float64)
    N_jk, N_wk = np.random.default_rng(1).random((c.D, K)), np.random.default_rng(2).random((c.W, K))

    def blocks(kernel: Callable[[slice, slice], object]) -> Callable[[], None]:
        def run() -> None:
            for block in rows:
                kernel(block, slice(0, block.stop - block.start))

        return run

    def divide() -> None:
        new = np.empty((c.M, K))
        for block in rows:
            here = slice(0, block.stop - block.start)
            np.divide(a[here], total[here, None], out=new[block])

    def add_up(index: np.ndarray, size: int) -> Callable[[], None]:
        return lambda: csc_array((n, index, np.arange(c.M + 1)), shape=(size, c.M)) @ s.gamma

    calls = {
        "gather the documents' terms": blocks(lambda r, h: N_jk.take(c.j[r], 0, out=a[h], mode="clip")),
        "gather the words' terms": blocks(lambda r, h: N_wk.take(c.w[r], 0, out=b[h], mode="clip")),
        "multiply them": blocks(lambda r, h: np.multiply(a[h], b[h], out=t[h])),
        "add each row up": blocks(lambda r, h: a[h].dot(ones, out=total[h])),
        "divide each row by its sum": divide,
        "sum gamma by document": add_up(c.j, c.D),
        "sum gamma by word": add_up(c.w, c.W),
    }
    if algorithm == "cvb0":
        calls |= {
            "add the prior to the sums": lambda: (N_jk + p.alpha, N_wk + p.eta),
            "subtract a token from the documents' terms": blocks(lambda r, h: np.subtract(a[h], s.gamma[r], out=t[h])),
            "subtract a token from the words' terms": blocks(lambda r, h: np.subtract(a[h], b[h], out=t[h])),
            "subtract a token from the topics' terms": blocks(lambda r, h: np.subtract(ones, b[h], out=t[h])),
            "divide by the topics' terms": blocks(lambda r, h: np.divide(a[h], b[h], out=t[h])),
        }
    else:
        calls["exp digamma of the sums"] = lambda: (np.exp(digamma(N_jk + p.alpha)), np.exp(digamma(N_wk + p.eta)))
    calls["sweep"] = lambda: A.sweep(s, c, p, schedule="corpus")
    found = medians(calls, repeats)
    return Floor(found, found.pop("sweep"))
