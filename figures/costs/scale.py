"""What a sweep costs on large corpora and with many topics, and where one machine ends.

    python -m figures.costs.scale [--quick] [--draw]

The corpora are drawn with words of Zipf's frequencies: 10,000 words, documents of about 150 tokens, so that a token
costs about the same number of rows in all of them. The tables say what a row and a topic cost in time, and what a row
costs in memory beside the corpus, each in a process of its own. The command writes scale.csv and scale.png.
"""

# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

import lda_reference as lda
from figures.common import options, read, table, write
from figures.style import plt

PRIOR = lda.Prior(0.1, 0.1)
W, LENGTH = 10_000, 150
SWEEPS = (("cvb0", "corpus"), ("cvb0", "block"), ("vb", "corpus"))
MILLIONS, TOPICS = (0.1, 0.3, 1, 3, 10, 20), (10, 20, 50, 100, 200)


class Cost(NamedTuple):
    """What one sweep costs: CPU nanoseconds a row and a topic, bytes a row beside the corpus, medians."""

    algorithm: str
    schedule: str
    tokens: float
    K: float
    rows: float
    nanoseconds: float
    bytes: float


def drawn(tokens: float) -> lda.Corpus:
    """A corpus of types. Each document takes half of its words from one of 50 orders of the vocabulary."""
    rng = np.random.default_rng(0)
    D = max(1, round(tokens / LENGTH))
    lengths = rng.poisson(LENGTH, D)
    j = np.repeat(np.arange(D), lengths)
    frequency = np.cumsum(1 / (np.arange(W) + 10))
    w = np.searchsorted(frequency, rng.random(len(j)) * frequency[-1])
    orders, own = np.argsort(rng.random((50, W)), axis=1), rng.random(len(j)) < 0.5
    w[own] = orders[rng.integers(50, size=D)[j[own]], w[own]]
    pairs, n = np.unique(j * W + w, return_counts=True)
    return lda.Corpus(pairs // W, pairs % W, n, D, W)


def measure(algorithm: str, schedule: str, tokens: float, K: int) -> Cost:
    """The median time of some sweeps, and the most memory that a start and a sweep hold beside the corpus."""
    c, A, times = drawn(tokens), lda.ALGORITHMS[algorithm], []
    tracemalloc.start()
    s = A.sweep(A.init(c, K, PRIOR, np.random.default_rng(0)), c, PRIOR, schedule=schedule)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    while len(times) < 3 or (sum(times) < 4.0 and len(times) < 30):  # small corpora are swept more often
        start = time.process_time()
        s = A.sweep(s, c, PRIOR, schedule=schedule)
        times.append(time.process_time() - start)
    return Cost(algorithm, schedule, tokens, K, c.M, statistics.median(times) / c.M / K * 1e9, peak / c.M)


def apart(jobs: list[tuple[str, str, float, int]]) -> list[Cost]:
    """`measure`, each in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(measure, *zip(*jobs, strict=True)))


def print_costs(title: str, costs: list[Cost]) -> None:
    rows = []
    for x in costs:
        name, size = f"{x.algorithm} {x.schedule}", [f"{x.tokens:,.0f}", f"{x.K:g}", f"{x.rows:,.0f}"]
        rows.append([name, *size, f"{x.nanoseconds:.3g}", f"{x.bytes:.4g}", f"{x.bytes / x.K / 8:.2f}"])
    head = ["sweep", "tokens", "K", "rows", "ns/row/topic", "bytes/row", "in units of gamma"]
    print(f"\n{title}\n\n{table(head, rows)}\n")
    for sweep in SWEEPS:
        mine = [x for x in costs if x[:2] == sweep]
        for what, per in (("time", [x.nanoseconds for x in mine]), ("memory", [x.bytes / x.K for x in mine])):
            print(f"{' '.join(sweep)}, {what}: the largest is {max(per) / min(per):.2f} times the smallest")


def print_end(costs: list[Cost]) -> None:
    """At which size one machine ends, with a tenth of its memory left free; a row of the corpus has 24 bytes."""
    largest = max((x for x in costs if x[:2] == ("cvb0", "block")), key=lambda x: x.tokens)
    for gigabytes in (16, 64):
        rows = gigabytes * 1e9 * 0.9 / (largest.bytes + 24)
        tokens = rows * largest.tokens / largest.rows
        print(f"{gigabytes} GB end at {tokens / 1e6:,.0f} million tokens of such documents, K = {largest.K:g}")


def draw(by_size: list[Cost], by_topics: list[Cost], path: Path) -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 6), sharex="col")
    colours = dict(zip(SWEEPS, ("#0072B2", "#009E73", "#D55E00"), strict=True))
    for column, (costs, of) in zip(axes.T, ((by_size, "tokens"), (by_topics, "K")), strict=True):
        for (algorithm, schedule), colour in colours.items():
            mine = [x for x in costs if (x.algorithm, x.schedule) == (algorithm, schedule)]
            x = [getattr(cost, of) for cost in mine]
            values = [cost.nanoseconds for cost in mine], [cost.bytes / cost.K / 8 for cost in mine]
            for axis, y in zip(column, values, strict=True):
                axis.plot(x, y, "o-", color=colour, markersize=4, label=f"{algorithm}, {schedule}")
        for axis in column:
            axis.set(xscale="log", ylim=(0, None))
        column[1].set_xlabel("tokens, K = 20" if of == "tokens" else "K, a million tokens")
    axes[0, 0].set_ylabel("CPU nanoseconds\na row and a topic")
    axes[1, 0].set_ylabel("memory beside the corpus,\nin units of gamma")
    axes[0, 0].legend()
    axes[1, 1].set_xticks(TOPICS, [str(K) for K in TOPICS])
    axes[1, 1].minorticks_off()
    figure.savefig(path, dpi=130)


def main() -> None:
    chosen = options(__doc__ or "", [])
    path, scale = chosen.out / "costs" / "scale.csv", 1e5 if chosen.quick else 1e6
    jobs = [(*sweep, m * scale, 20) for sweep in SWEEPS for m in MILLIONS]
    if not chosen.draw:
        path.unlink(missing_ok=True)
        write(path, Cost._fields, apart(jobs + [(*sweep, scale, K) for sweep in SWEEPS for K in TOPICS]))
    costs = [Cost(x["algorithm"], x["schedule"], *(float(x[y]) for y in Cost._fields[2:])) for x in read(path)]
    by_size, by_topics = costs[: len(jobs)], costs[len(jobs) :]
    print_costs("Cost against the size of the corpus", by_size)
    print_costs("Cost against K", by_topics)
    print_end(by_size)
    draw(by_size, by_topics, path.with_suffix(".png"))


if __name__ == "__main__":
    main()
