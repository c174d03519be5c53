"""What a sweep costs on large corpora and with many topics, and where one machine ends.

    python -m figures.costs.scale [--quick] [--draw]

The corpora are drawn with words of Zipf's frequencies: 10,000 words, documents of about 150 tokens, so that a token
costs about the same number of rows in all of them. The tables say what a row and a topic cost in time, and what a row
costs in memory beside the corpus, each in a process of its own. The command writes scale.csv and scale.svg.
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

import numpy as np

import lda_reference as lda
from figures.common import numbers, options, read, select, table, write
from figures.style import plt, save

PRIOR = lda.Prior(0.1, 0.1)
W, LENGTH = 10_000, 150
SWEEPS = (("cvb0", "corpus"), ("cvb0", "block"), ("vb", "corpus"))
MILLIONS, TOPICS = (0.1, 0.3, 1, 3, 10, 20), (10, 20, 50, 100, 200)


# What one sweep costs: CPU nanoseconds a row and a topic, bytes a row beside the corpus, medians
COLUMNS = ["algorithm", "schedule", "tokens", "K", "rows", "nanoseconds", "bytes"]


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


def measure(algorithm: str, schedule: str, tokens: float, K: int) -> list:
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
    return [algorithm, schedule, tokens, K, c.M, statistics.median(times) / c.M / K * 1e9, peak / c.M]


def apart(jobs: list[tuple[str, str, float, int]]) -> list[list]:
    """`measure`, each in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(measure, *zip(*jobs, strict=True)))


def of_sweep(costs: list[dict[str, str]], sweep: tuple[str, str]) -> list[dict[str, str]]:
    return select(costs, algorithm=sweep[0], schedule=sweep[1])


def units(costs: list[dict[str, str]]) -> np.ndarray:
    """The memory in units of gamma, which has 8 K bytes a row."""
    return numbers(costs, "bytes") / numbers(costs, "K") / 8


def print_costs(title: str, costs: list[dict[str, str]]) -> None:
    rows = []
    for x, unit in zip(costs, units(costs), strict=True):
        name, (tokens, K, M, time, memory) = f"{x['algorithm']} {x['schedule']}", (float(x[y]) for y in COLUMNS[2:])
        rows.append([name, f"{tokens:,.0f}", f"{K:g}", f"{M:,.0f}", f"{time:.3g}", f"{memory:.4g}", f"{unit:.2f}"])
    head = ["sweep", "tokens", "K", "rows", "ns/row/topic", "bytes/row", "in units of gamma"]
    print(f"\n{title}\n\n{table(head, rows)}\n")
    for sweep in SWEEPS:
        mine = of_sweep(costs, sweep)
        for what, per in (("time", numbers(mine, "nanoseconds")), ("memory", units(mine))):
            print(f"{' '.join(sweep)}, {what}: the largest is {max(per) / min(per):.2f} times the smallest")


def print_end(costs: list[dict[str, str]]) -> None:
    """At which size one machine ends, with a tenth of its memory left free; a row of the corpus has 24 bytes."""
    largest = max(of_sweep(costs, ("cvb0", "block")), key=lambda x: float(x["tokens"]))
    tokens, rows, memory = (float(largest[x]) for x in ("tokens", "rows", "bytes"))
    for gigabytes in (16, 64):
        millions = gigabytes * 1e3 * 0.9 / (memory + 24) * tokens / rows
        print(f"{gigabytes} GB end at {millions:,.0f} million tokens of such documents, K = {largest['K']}")


def draw(by_size: list[dict[str, str]], by_topics: list[dict[str, str]], path: Path) -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 6), sharex="col")
    for column, (costs, of) in zip(axes.T, ((by_size, "tokens"), (by_topics, "K")), strict=True):
        for sweep, colour in zip(SWEEPS, ("#0072B2", "#009E73", "#D55E00"), strict=True):
            mine = of_sweep(costs, sweep)
            for axis, y in zip(column, (numbers(mine, "nanoseconds"), units(mine)), strict=True):
                axis.plot(numbers(mine, of), y, "o-", color=colour, markersize=4, label=", ".join(sweep))
        for axis in column:
            axis.set(xscale="log", ylim=(0, None))
        column[1].set_xlabel("tokens, K = 20" if of == "tokens" else "K, a million tokens")
    axes[0, 0].set_ylabel("CPU nanoseconds\na row and a topic")
    axes[1, 0].set_ylabel("memory beside the corpus,\nin units of gamma")
    axes[0, 0].legend()
    axes[1, 1].set_xticks(TOPICS, [str(K) for K in TOPICS])
    axes[1, 1].minorticks_off()
    save(figure, path)


def main() -> None:
    chosen = options(__doc__ or "", [])
    path, scale = chosen.out / "costs" / "scale.csv", 1e5 if chosen.quick else 1e6
    jobs = [(*sweep, m * scale, 20) for sweep in SWEEPS for m in MILLIONS]
    if not chosen.draw:
        path.unlink(missing_ok=True)
        write(path, COLUMNS, apart(jobs + [(*sweep, scale, K) for sweep in SWEEPS for K in TOPICS]))
    lines = read(path)
    by_size, by_topics = lines[: len(jobs)], lines[len(jobs) :]
    print_costs("Cost against the size of the corpus", by_size)
    print_costs("Cost against K", by_topics)
    print_end(by_size)
    draw(by_size, by_topics, path.with_suffix(".svg"))


if __name__ == "__main__":
    main()
