"""Our algorithms beside other packages: what a sweep costs, how soon each reaches a perplexity, and where it ends.

    python -m figures.peers.benchmark [--quick] [--draw]

All systems learn from the same 90% of each document's tokens, with alpha = eta = 0.1, and one function computes the
perplexity of the other 10% for all of them (`systems` says from which theta and phi). The systems take turns, seed by
seed. The start is timed, the scoring is not. Without the corpora the command draws a corpus from the model. It writes
benchmark.csv, with a line for each sweep of each run, and benchmark.svg. `--quick` makes one short run of each system.
"""

# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # a system has the threads that its row of the table gives it, and no others

import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import lda_reference as lda
from figures.common import corpus, options, read, there, write
from figures.costs import kernels
from figures.peers import benchmark_report as report
from figures.peers import systems as peers

PRIOR = lda.Prior(0.1, 0.1)


class Task(NamedTuple):
    """A corpus, and the perplexity whose time is reported."""

    name: str
    corpus: str
    K: int
    level: float
    runs: int


class System(NamedTuple):
    """How a system runs; benchmark.toml says what the fields are."""

    label: str
    adapter: Callable
    options: dict
    tasks: dict[str, tuple[int, int]]
    style: tuple[str, str]
    every: int = 1


# KOS and NIPS have the levels of the targets. Runs of the last task end at its level, which VB reaches too.
TASKS = (Task("KOS", "kos", 10, 1780, 5), Task("NIPS", "nips", 40, 1460, 3), Task("NIPS, K=10", "nips", 10, 2100, 1))
SYSTEMS = [
    System(**x | {"adapter": getattr(peers, x["adapter"])})
    for x in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["system"]
]
SKLEARN_ITERATIONS = 10  # the bound that VB must reach is that of scikit-learn after these


# A line is one sweep of one run; `wall` and `cpu` are seconds since the start of the run; sweep 0 is the start
COLUMNS = ["corpus", "system", "start", "schedule", "seed", "sweep", "wall", "cpu", "perplexity", "bound"]


def corpora(task: Task) -> tuple[Task, lda.Corpus, lda.Corpus]:
    """The training and the test tokens of a task; without its corpus, those of a corpus that is drawn instead."""
    if there(task.corpus):
        return task, *lda.split(corpus(task.corpus), "tokens", 0.1, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    drawn = lda.synthetic.draw(rng, rng.poisson(100, 1000), task.K, 2000, PRIOR)
    train, test = lda.split(drawn.corpus.types(), "tokens", 0.1, rng)
    level = 1.05 * lda.perplexity(test, drawn.theta_jk, drawn.phi_wk)
    return task._replace(corpus="synthetic", level=round(level, 1)), train, test


def run(task: Task, system: System, sweeps: int, seed: int, train: lda.Corpus, test: lda.Corpus) -> list:
    """One run, timed sweep by sweep and scored in between."""
    steps = system.adapter(train, task.K, PRIOR, seed, **system.options)
    next(steps)
    wall = cpu = 0.0
    lines = []
    is_vb = report.is_vb(system.label)
    for t in range(sweeps + 1):
        clocks = time.perf_counter(), time.process_time()
        read = next(steps)
        wall, cpu = wall + time.perf_counter() - clocks[0], cpu + time.process_time() - clocks[1]
        perplexity = bound = ""
        if read is not None and t % system.every == 0:
            reading = read()
            perplexity = lda.perplexity(test, reading.theta_jk, reading.phi_wk)
            if is_vb and reading.gamma is not None:
                bound = lda.ALGORITHMS["vb"].bound(lda.State(reading.gamma), train, PRIOR) / train.N
        options = system.options.get("start", ""), system.options.get("schedule", "")
        lines.append([task.name, system.label, *options, seed, t, wall, cpu, perplexity, bound])
        if task.name == TASKS[-1].name and perplexity and perplexity <= task.level:
            break  # the paper's protocol: the time to a perplexity
    steps.close()
    return lines


def run_task(task: Task, train: lda.Corpus, test: lda.Corpus, quick: bool) -> list:
    """All runs of a task; the systems take turns."""
    lines, absent = [], set()
    for seed in range(1 if quick else task.runs):
        mine = [x for x in SYSTEMS if seed < x.tasks.get(task.name, (0, 0))[1] and x.label not in absent]
        for system in mine[seed:] + mine[:seed]:
            sweeps = system.tasks[task.name][0] // (4 if quick else 1)
            try:
                lines += run(task, system, sweeps, seed, train, test)
            except ImportError as error:
                absent.add(system.label)
                print(f"{error.name} is not installed: {system.label} is skipped; pip install -e '.[peers]'")
    return lines


def main() -> None:
    chosen = options(__doc__ or "", [])
    path, floors, tasks = chosen.out / "peers" / "benchmark.csv", {}, list(TASKS) if chosen.draw else []
    if not chosen.draw:
        path.unlink(missing_ok=True)
    for task in () if chosen.draw else TASKS:
        task, train, test = corpora(task)
        if task.corpus == "synthetic" and tasks:
            break  # one synthetic corpus is enough
        tasks.append(task)
        write(path, COLUMNS, run_task(task, train, test, chosen.quick))
        for name in ("cvb0", "vb") if task.name != "NIPS, K=10" else ():
            floors[task.name, name] = kernels.floor(name, train, task.K, PRIOR, 3 if chosen.quick else 9)
    lines, systems = read(path), {x.label: x for x in SYSTEMS}
    for task in tasks:
        report.print_systems(task, lines, systems)
    report.print_bounds(lines, SKLEARN_ITERATIONS)
    report.print_floors(floors)
    report.draw(lines, tasks, systems, path.with_suffix(".svg"))


if __name__ == "__main__":
    main()
