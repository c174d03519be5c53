"""Print the cost of sweeps and of reading a file as a table; each number is the median of several calls in one run."""

import gzip
import os
import statistics
import time
import tracemalloc
from pathlib import Path

import numpy as np

import lda_reference as lda

K = 10
PRIOR = lda.Prior(0.1, 0.1)
DATA = Path(os.environ.get("LDA_DATA", Path(__file__).parents[2] / "shared" / "data"))
KOS = DATA / "kos" / "docword.kos.txt.gz"


def seconds(call, repeats=5):
    """The median time of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def line(what, value, target):
    print(f"{what:<64} {value:>12}  {target}")


def sweep(name, c, schedule, replicates=None):
    A = lda.ALGORITHMS[name]
    p = lda.Prior(PRIOR.alpha + A.prior_offset, PRIOR.eta + A.prior_offset)
    s = A.init(c, K, p, rng=np.random.default_rng(0), replicates=replicates)
    return lambda: A.sweep(s, c, p, schedule=schedule, rng=np.random.default_rng(1))


def main():
    rng = np.random.default_rng(0)
    small = lda.synthetic.draw(rng, rng.poisson(100, size=200), K, 500, PRIOR).corpus
    types = small.types()
    print(f"{'':<64} {'measured':>12}  at most")
    cvb0 = seconds(sweep("cvb0", small, "token"))
    line(f"cvb0, token, {small.M} tokens, K={K}: microseconds a row", f"{cvb0 / small.M * 1e6:.2f}", "8")
    cgs = seconds(sweep("cgs", small, "token"))
    line(f"cgs, {small.M} tokens, K={K}: microseconds a row", f"{cgs / small.M * 1e6:.2f}", "8")
    one = seconds(sweep("cvb0", types, "token"))
    line(f"cvb0, token, {types.M} types: microseconds a row", f"{one / types.M * 1e6:.2f}", "8")
    many = seconds(sweep("cvb0", small, "token", replicates=50))
    line("cvb0, token, 50 replicates, in units of one", f"{many / cvb0:.2f}", "2.5")

    if not KOS.exists():
        print(f"KOS is not at {KOS}: set LDA_DATA to the folder of the corpora for the rest")
        return

    def loadtxt():
        with gzip.open(KOS, "rt") as file:
            np.loadtxt(file, np.int64, skiprows=3)

    ratio = seconds(lambda: lda.read_corpus(KOS), 7) / seconds(loadtxt, 7)
    line("reading KOS, in units of numpy.loadtxt", f"{ratio:.2f}", "2")
    kos = lda.read_corpus(KOS)
    for name, target in (("cvb0", "50"), ("vb", "30"), ("ml", ""), ("map", "")):
        value = seconds(sweep(name, kos, "corpus"), 11) * 1e3
        line(f"{name}, corpus, KOS, K={K}, one thread: milliseconds", f"{value:.1f}", target)
    for name in ("cvb0", "cgs"):
        rows = kos.M if name == "cvb0" else kos.N
        value = seconds(sweep(name, kos, "token"), 3) / rows * 1e6
        line(f"{name}, token, KOS: microseconds a row", f"{value:.2f}", "8")
    for name in ("cvb0", "vb"):
        call = sweep(name, kos, "corpus")
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        line(f"{name}, corpus, KOS: memory beside gamma, in units of gamma", f"{peak / (kos.M * K * 8):.2f}", "2")


if __name__ == "__main__":
    main()
