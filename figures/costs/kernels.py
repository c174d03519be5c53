"""The floor of a sweep: the CPU time of the NumPy kernels that it cannot do without."""

import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import csc_array
from scipy.special import digamma

import lda_reference as lda

NUMBERS = 2**16  # in a block of rows, so that a few blocks stay in the cache


def median(call: Callable[[], object], repeats: int) -> float:
    """The median CPU time of a call."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def floor(algorithm: str, c: lda.Corpus, K: int, p: lda.Prior, repeats: int = 9) -> tuple[float, float]:
    """CPU seconds of a `corpus` sweep of cvb0 or vb, and of the kernels alone that it cannot do without.

    The kernels run over the blocks of rows of the whole corpus. The sums are those of a state, the prior is added to
    the tables of documents and words before the rows are gathered, and all other arrays are allocated before, except
    the new gamma.
    """
    A = lda.ALGORITHMS[algorithm]
    s = A.sweep(A.init(c, K, p, np.random.default_rng(0)), c, p, schedule="corpus")
    size, ones, n = NUMBERS // K, np.ones(K), c.n.astype(np.float64)
    a, b, t = np.empty((3, size, K))
    total = np.empty(size)

    def add_up(index: np.ndarray, number: int) -> np.ndarray:
        return csc_array((n, index, np.arange(c.M + 1)), shape=(number, c.M)) @ s.gamma

    def kernels() -> None:
        N_jk, N_wk = add_up(c.j, c.D) + p.alpha, add_up(c.w, c.W) + p.eta
        if algorithm == "vb":
            N_jk, N_wk = np.exp(digamma(N_jk)), np.exp(digamma(N_wk))
        new = np.empty((c.M, K))
        for start in range(0, c.M, size):
            block = slice(start, min(start + size, c.M))
            here = slice(0, block.stop - block.start)
            N_jk.take(c.j[block], 0, out=a[here], mode="clip")
            N_wk.take(c.w[block], 0, out=b[here], mode="clip")
            if algorithm == "cvb0":  # a token leaves the terms, and the topics' terms divide
                np.subtract(a[here], s.gamma[block], out=a[here])
                np.subtract(b[here], s.gamma[block], out=b[here])
                np.subtract(ones, s.gamma[block], out=t[here])
                np.divide(a[here], t[here], out=a[here])
            np.multiply(a[here], b[here], out=t[here])
            t[here].dot(ones, out=total[here])
            np.divide(t[here], total[here, None], out=new[block])

    return median(lambda: A.sweep(s, c, p, schedule="corpus"), repeats), median(kernels, repeats)
