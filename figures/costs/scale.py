"""What a sweep costs on large corpora and with many topics, and where one machine ends.

    python -m figures.costs.scale [--quick] [--out FOLDER]

The corpora are drawn with words of Zipf's frequencies: 10,000 words, documents of about 150 tokens, so that a token
costs about the same number of rows in all of them. The tables say what a row and a topic cost in time, and what a row
costs in memory beside the corpus, each in a process of its own. The command writes scale.csv and scale.png.
"""

# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import csv
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import lda_reference as lda
from figures.costs import memory
from figures.peers.benchmark_report import print_table, shown
from figures.style import plt

HERE = Path(__file__).parent
PRIOR = lda.Prior(0.1, 0.1)
W, LENGTH = 10_000, 150
SWEEPS = (("cvb0", "corpus"), ("cvb0", "block"), ("vb", "corpus"))
MILLIONS, TOPICS = (0.1, 0.3, 1, 3, 10, 20), (10, 20, 50, 100, 200)
FLAT = 1.2  # the largest cost may be so many times the smallest


class Cost(NamedTuple):
    """What one sweep costs: CPU nanoseconds a row and a topic, bytes a row beside the corpus, medians."""

    algorithm: str
    schedule: str
    tokens: float
    K: int
    rows: int
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
    """In a process of its own."""
    c = drawn(tokens)
    A = lda.ALGORITHMS[algorithm]
    times = []
    budget = 4.0  # seconds; small corpora are swept more often

    def some_sweeps() -> None:
        s = A.init(c, K, PRIOR, np.random.default_rng(0))
        while len(times) < 3 or (sum(times) < budget and len(times) < 30):
            start = time.process_time()
            s = A.sweep(s, c, PRIOR, schedule=schedule)
            times.append(time.process_time() - start)

    peak = memory.peak_increase(some_sweeps)
    return Cost(algorithm, schedule, tokens, K, c.M, statistics.median(times[1:]) / c.M / K * 1e9, peak / c.M)


def apart(*arguments: object) -> Cost:
    """`measure` in a process of its own."""
    command = [sys.executable, "-m", "figures.costs.scale", "--one", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parents[1])
    if done.returncode:
        sys.exit(f"{arguments}: the process ended with {done.returncode}\n{done.stderr[-2000:]}")
    return Cost(*json.loads(done.stdout))


def print_costs(name: str, costs: list[Cost], of: str) -> None:
    print(f"\n{name}")
    rows = []
    for x in costs:
        numbers = [f"{x.rows:,}", shown(x.nanoseconds), shown(x.bytes), shown(x.bytes / x.K / 8)]
        rows.append([f"{x.algorithm} {x.schedule}", f"{getattr(x, of):g}", *numbers])
    heading = {"tokens": "tokens", "K": "K"}[of]
    print_table(["sweep", heading, "rows", "ns/row/topic", "bytes/row", "in units of gamma"], rows)
    for algorithm, schedule in SWEEPS:
        mine = [x for x in costs if (x.algorithm, x.schedule) == (algorithm, schedule)]
        for what in ("nanoseconds", "bytes"):
            per = [getattr(x, what) / (x.K if what == "bytes" and of == "K" else 1) for x in mine]
            ratio = max(per) / min(per)
            verdict = "flat" if ratio <= FLAT else "not flat"
            print(f"{algorithm} {schedule}, {what}: the largest is {ratio:.2f} times the smallest: {verdict}")


def print_end(costs: list[Cost]) -> None:
    """At which size one machine ends."""
    largest = max((x for x in costs if (x.algorithm, x.schedule) == ("cvb0", "block")), key=lambda x: x.tokens)
    per_row = largest.bytes + 3 * 8  # with the corpus itself
    print(
        "\nWhere one machine ends: gamma has 8 K bytes a row, a sweep holds two of them, a row of the corpus 24 bytes"
    )
    for gigabytes in (16, 64):
        rows = gigabytes * 1e9 * 0.9 / per_row
        tokens = rows * largest.tokens / largest.rows
        print(
            f"  {gigabytes} GB: {rows / 1e6:,.0f} million rows at K = {largest.K}, about {tokens / 1e6:,.0f} million"
            f" tokens of such documents ({per_row:.0f} bytes a row, a tenth of the memory left free)"
        )


def draw(by_size: list[Cost], by_topics: list[Cost], path: Path) -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 6), sharex="col", layout="constrained")
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
            axis.grid(alpha=0.3)
        column[1].set_xlabel("tokens, K = 20" if of == "tokens" else "K, a million tokens")
    axes[0, 0].set_ylabel("CPU nanoseconds\na row and a topic")
    axes[1, 0].set_ylabel("memory beside the corpus,\nin units of gamma")
    axes[0, 0].legend(frameon=False)
    axes[1, 1].set_xticks(TOPICS, [str(K) for K in TOPICS])
    axes[1, 1].minorticks_off()
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        algorithm, schedule, tokens, K = options.one
        return print(json.dumps(measure(algorithm, schedule, float(tokens), int(K))))
    begun, scale = time.perf_counter(), 0.1 if options.quick else 1
    by_size = [apart(*sweep, m * scale * 1e6, 20) for sweep in SWEEPS for m in MILLIONS]
    print_costs("Cost against the size of the corpus, K = 20", by_size, "tokens")
    by_topics = [apart(*sweep, scale * 1e6, K) for sweep in SWEEPS for K in TOPICS]
    print_costs(f"Cost against K, {scale:g} million tokens", by_topics, "K")
    print_end(by_size)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "scale.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(Cost._fields)
        rows.writerows([[f"{x:.6g}" if isinstance(x, float) else x for x in cost] for cost in by_size + by_topics])
    draw(by_size, by_topics, options.out / "scale.png")
    print(f"\n{(time.perf_counter() - begun) / 60:.1f} minutes. Written: {options.out / 'scale.csv'}, scale.png")


if __name__ == "__main__":
    main()
