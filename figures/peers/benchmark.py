"""Our algorithms beside other packages: what a sweep costs, how soon each reaches a perplexity, and where it ends.

    python -m figures.peers.benchmark [--quick] [--draw]

All systems learn from the same 90% of each document's tokens, with alpha = eta = 0.1, and one function computes the
perplexity of the other 10% for all of them (`systems` says from which theta and phi). The systems take turns, seed by
seed. The start is timed, the scoring is not. Without the corpora the command draws a corpus from the model. It writes
benchmark.csv, with a line for each sweep of each run, and benchmark.png. `--quick` makes one short run of each system.
"""

# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # a system has the threads that its row of the table gives it, and no others

import time
from collections.abc import Callable
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
    """How a system runs, and its sweeps and most runs in each task. A task that is missing is not run."""

    label: str
    adapter: Callable
    options: dict
    tasks: dict[str, tuple[int, int]]
    every: int = 1  # scored after each so many sweeps, where scoring costs more than a sweep


# KOS and NIPS have the levels of the targets. Runs of the last task end at its level, which VB reaches too.
TASKS = (Task("KOS", "kos", 10, 1780, 5), Task("NIPS", "nips", 40, 1460, 3), Task("NIPS, K=10", "nips", 10, 2100, 1))
CVB0 = {"algorithm": "cvb0", "start": "growing", "schedule": "block", "blocks": 8}
CVB = {**CVB0, "algorithm": "cvb"}
CGS = {"algorithm": "cgs", "start": "one-hot", "schedule": "token"}
VB = {"algorithm": "vb", "start": "topics"}
VB_AFTER_CVB0 = {"algorithm": "vb", "start": "growing", "schedule": "corpus", "blocks": 8, "cvb0_sweeps": 10}
SYSTEMS = (
    System("cvb0", peers.ours, CVB0, {"KOS": (40, 5), "NIPS": (50, 1), "NIPS, K=10": (40, 1)}),
    System(
        "cvb0, 2 threads", peers.ours, {**CVB0, "threads": 2}, {"KOS": (40, 5), "NIPS": (50, 3), "NIPS, K=10": (40, 1)}
    ),
    System("tomotopy, 1 worker", peers.tomotopy, {"workers": 1}, {"KOS": (60, 5), "NIPS": (120, 3)}),
    System("tomotopy, 2 workers", peers.tomotopy, {"workers": 2}, {"KOS": (60, 5), "NIPS": (120, 3)}),
    System("lda", peers.lda_package, {}, {"KOS": (60, 5)}),
    System("cgs", peers.ours, CGS, {"KOS": (30, 1), "NIPS, K=10": (20, 1)}),
    System("cvb", peers.ours, CVB, {"KOS": (40, 2), "NIPS, K=10": (40, 1)}),
    System("vb", peers.ours, {**VB, "schedule": "corpus"}, {"KOS": (60, 5), "NIPS, K=10": (60, 1)}),
    System("vb, nested", peers.ours, {**VB, "schedule": "nested"}, {"KOS": (20, 2)}),
    System("vb, growing start", peers.ours, {**VB, "start": "growing", "schedule": "corpus"}, {"KOS": (40, 5)}),
    System("vb, after cvb0", peers.ours, VB_AFTER_CVB0, {"KOS": (40, 5)}),
    System("scikit-learn", peers.scikit_learn, {}, {"KOS": (12, 5)}, every=2),
    System("gensim", peers.gensim, {}, {"KOS": (12, 2)}, every=2),
)
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
    path, floors = chosen.out / "peers" / "benchmark.csv", {}
    tasks = list(TASKS)
    if not chosen.draw:
        path.unlink(missing_ok=True)
        tasks = []
    for task in () if chosen.draw else TASKS:
        task, train, test = corpora(task)
        if task.corpus == "synthetic" and tasks:
            break  # one synthetic corpus is enough
        tasks.append(task)
        write(path, COLUMNS, run_task(task, train, test, chosen.quick))
        for name in ("cvb0", "vb") if task.name != "NIPS, K=10" else ():
            floors[task.name, name] = kernels.floor(name, train, task.K, PRIOR, 3 if chosen.quick else 9)
    lines = read(path)
    for task in tasks:
        report.print_systems(task, lines, {x.label: x for x in SYSTEMS})
    report.print_bounds(lines, SKLEARN_ITERATIONS)
    report.print_floors(floors)
    report.draw(lines, tasks, path.with_suffix(".png"))


if __name__ == "__main__":
    main()
