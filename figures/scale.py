"""What a sweep costs on large corpora and with many topics, and where one machine ends.

    python figures/scale.py [--quick] [--out FOLDER]

The corpora are drawn with words of Zipf's frequencies: 10,000 words, documents of about 150 tokens, so that a token
costs about the same number of rows in all of them. The tables say what a row and a topic cost in time, and what a row
costs in memory beside the corpus, each in a process of its own. Then Parallel-CVB0 runs on a dask cluster of two
processes, and the last lines compute what a cluster of 64 would send. The command writes scale.csv and scale.png.
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
import warnings
from pathlib import Path
from typing import NamedTuple

import memory
import numpy as np
from benchmark_report import print_table, shown
from style import plt

import lda_reference as lda

HERE = Path(__file__).parent
PRIOR = lda.Prior(0.1, 0.1)
W, LENGTH = 10_000, 150
SWEEPS = (("cvb0", "corpus"), ("cvb0", "block"), ("vb", "corpus"))
MILLIONS, TOPICS = (0.1, 0.3, 1, 3, 10, 20), (10, 20, 50, 100, 200)
FLAT = 1.2  # the largest cost may be so many times the smallest
DASK_MILLIONS, DASK_TOPICS = 4, 20
SPEED_UP = 1.6
# dask starts its workers with MALLOC_TRIM_THRESHOLD_=65536. The C library then returns each block of a sweep to the
# system and asks for it again: a hundred thousand page faults, and three times the seconds. This avoids it.
MALLOC = {"distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25}


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
    done = subprocess.run([sys.executable, __file__, "--one", *map(str, arguments)], capture_output=True, text=True)
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


# A cluster -----------------------------------------------------------------------------------------------------------


def cluster(tokens: float, K: int, sweeps: int) -> dict[str, float]:
    """Wall seconds a sweep by one process and by a dask cluster of two, and what else a run on the cluster costs."""
    import dask
    from distributed import Client, LocalCluster

    dask.config.set(MALLOC)
    c, A = drawn(tokens), lda.ALGORITHMS["cvb0"]
    begin = s = A.init(c, K, PRIOR, np.random.default_rng(0))
    times: dict[str, list[float]] = {"one process": [], "two processes": []}
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    found = {"rows": float(c.M)}
    with LocalCluster(**options, memory_limit=None) as workers, Client(workers) as client:
        executor = client.get_executor()
        start = time.perf_counter()
        far = A.sweep(begin, c, PRIOR, schedule="corpus", executor=executor)
        s = A.sweep(begin, c, PRIOR, schedule="corpus")
        found["first sweep, with the parts and gamma sent"] = time.perf_counter() - start
        for _ in range(sweeps):  # in turn, so that noise hits both alike
            start = time.perf_counter()
            s = A.sweep(s, c, PRIOR, schedule="corpus")
            middle = time.perf_counter()
            far = A.sweep(far, c, PRIOR, schedule="corpus", executor=executor)
            times["one process"].append(middle - start)
            times["two processes"].append(time.perf_counter() - middle)
        start = time.perf_counter()
        gamma = far.gamma
        found["fetching gamma"] = time.perf_counter() - start
        found["largest difference of gamma"] = float(np.abs(gamma - s.gamma).max())
    return found | {name: statistics.median(x) for name, x in times.items()}


def print_cluster(found: dict[str, float], K: int) -> None:
    ratio = found["one process"] / found["two processes"]
    print(f"\nParallel-CVB0, {found['rows']:,.0f} rows, K = {K}, corpus schedule: wall seconds, medians")
    print_table(["", "seconds"], [[name, shown(x)] for name, x in found.items() if name != "rows"])
    verdict = "met" if ratio >= SPEED_UP else "not met"
    print(f"two processes are {ratio:.2f} times as fast as one; at least {SPEED_UP}: {verdict}")


def print_paper(found: dict[str, float], K: int, workers: int = 64) -> None:
    """A cluster of many workers on paper."""
    table = 8 * (W * K + K)
    cost = found["one process"] / found["rows"] / K
    rows = 10_000_000  # of each worker
    print(f"\nOn paper: {workers} workers with M / {workers} = {rows:,} rows each, K = {K}, W = {W:,}")
    print(f"  a worker sends its sums and receives the totals: 2 * 8 (W K + K) = {2 * table / 1e6:.1f} MB a sweep")
    print(
        f"  all of them: {workers} * 2 * 8 (W K + K) = {workers * 2 * table / 1e6:.0f} MB a sweep through one process"
    )
    print(f"  to send gamma as well would take 2 * 8 M K = {2 * 8 * workers * rows * K / 1e9:.0f} GB a sweep")
    compute, transfer = rows * K * cost, workers * 2 * table / 1e9
    print(f"  a worker computes M K / {workers} * {cost * 1e9:.1f} ns = {compute:.2f} s a sweep")
    print(
        f"  the tables take {transfer:.2f} s at 1 GB/s: {workers * compute / (compute + transfer):.0f} times one worker"
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
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dask advises against large arguments; these are sent once
            found = cluster(scale * DASK_MILLIONS * 1e6, DASK_TOPICS, 7)
        print_cluster(found, DASK_TOPICS)
        print_paper(found, DASK_TOPICS)
    except ImportError as error:
        print(f"\n{error.name} is not installed: no cluster is measured; pip install -e '.[cluster]'")
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "scale.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(Cost._fields)
        rows.writerows([[f"{x:.6g}" if isinstance(x, float) else x for x in cost] for cost in by_size + by_topics])
    draw(by_size, by_topics, options.out / "scale.png")
    print(f"\n{(time.perf_counter() - begun) / 60:.1f} minutes. Written: {options.out / 'scale.csv'}, scale.png")


if __name__ == "__main__":
    main()
