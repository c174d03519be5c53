"""The package beside others: what a sweep costs, how soon a perplexity is reached, and the memory that it takes.

    python -m figures.peers.benchmark [task ...] [--quick] [--draw]

benchmark.toml has the tasks and the systems. All systems learn from the same 90% of each document's tokens, with
alpha = eta = 0.1, and one function computes the perplexity of the other 10% for all of them (`systems` says from which
theta and phi). The systems take turns, seed by seed. The start is timed, the scoring is not. Memory is measured in a
process of its own. The command writes benchmark.csv, with a line for each sweep of each run, memory.csv, benchmark.svg
and the tables of BENCHMARK.md. With names of tasks it replaces their lines alone. `--quick` makes one short run of each
system, and leaves BENCHMARK.md as it is.
"""

# ruff: noqa: E402
import os

for thread_variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[thread_variable] = "1"  # a system has the threads that its row of the table gives it, and no others

import ctypes
import platform
import re
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

import lda_reference as lda
from figures import common
from figures.peers import benchmark_report as report
from figures.peers import systems as peers

PRIOR = lda.Prior(0.1, 0.1)


class Task(NamedTuple):
    """A corpus, of which one in ten tokens is held out, K, and perhaps the perplexity whose time is reported.

    `corpus` has a name of `common.corpus`; or the numbers of documents, of tokens in each, and of words of a corpus
    that is drawn from the model, with K = 50, alpha = 0.1 and eta = 0.02. A level of 0 is none.
    """

    name: str
    corpus: str | list[int]
    K: int
    level: float = 0.0
    split: int = 0

    @property
    def title(self) -> str:
        if isinstance(self.corpus, str):
            return f"{self.corpus.upper()}, K = {self.K}"
        return f"{self.corpus[0]:,} drawn documents of {self.corpus[1]:,} tokens, K = {self.K}"


class System(NamedTuple):
    """How a system runs; benchmark.toml says what the fields are."""

    label: str
    adapter: str
    options: dict
    tasks: dict[str, list[int]]
    style: tuple[str, str] = ("", "")

    def prepared(self, c: lda.Corpus, K: int, seed: int) -> peers.Run:
        return getattr(peers, self.adapter)(c, K, PRIOR, seed, **self.options)


TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TASKS = {row["name"]: Task(**row) for row in TABLES["task"]}
SYSTEMS = {row["label"]: System(**row) for row in TABLES["system"]}

# A line is one sweep of one run; `wall` and `cpu` are seconds since the start of the run; sweep 0 is the start
COLUMNS = ["task", "system", "seed", "sweep", "wall", "cpu", "perplexity", "bound"]
MEMORY_COLUMNS = ["task", "system", "rows", "bytes", "machine", "date"]  # `bytes` is for one row of the training corpus


def corpora(task: Task) -> tuple[lda.Corpus, lda.Corpus]:
    """The training and the test tokens of a task."""
    if isinstance(task.corpus, str):
        c = common.corpus(task.corpus)
    else:
        D, n_tokens, W = task.corpus
        c = lda.synthetic.draw(np.random.default_rng(0), [n_tokens] * D, 50, W, lda.Prior(0.1, 0.02)).corpus.types()
    return lda.split(c, "tokens", 0.1, np.random.default_rng(task.split))


def timed(task: Task, system: System, sweeps: int, seed: int, train: lda.Corpus, test: lda.Corpus) -> list:
    """The lines of one run, timed sweep by sweep; after each so many it is scored, and the clocks stand still."""
    _, _, score_interval = system.tasks[task.name]
    run_sweeps, sweep_lines, seconds = system.prepared(train, task.K, seed), [], np.zeros(2)
    start_clocks = clocks()

    def step(t: int, read_model) -> None:
        nonlocal start_clocks, seconds
        seconds = seconds + clocks() - start_clocks
        heldout_perplexity = vb_bound = ""
        if score_interval and (t % score_interval == 0 or t == sweeps):
            model_reading = read_model()
            heldout_perplexity = lda.perplexity(test, model_reading.theta_jk, model_reading.phi_wk)
            if report.is_vb(system.label) and model_reading.gamma is not None:
                vb_bound = lda.ALGORITHMS["vb"].bound(lda.State(model_reading.gamma), train, PRIOR) / train.N
        sweep_lines.append([task.name, system.label, seed, t, *map(float, seconds), heldout_perplexity, vb_bound])
        start_clocks = clocks()

    run_sweeps(sweeps, step)
    return sweep_lines


def clocks() -> np.ndarray:
    """Seconds of wall time, and of the CPU time of all threads of this process."""
    return np.array([time.perf_counter(), time.process_time()])


def keep_freed_memory() -> None:
    """Let this process keep what it frees, so that later runs wait for no new memory.

    A virtual machine may have given free memory back to its host. Here 120 MB then took 0.2 s of CPU time.
    """
    libc, M_TRIM_THRESHOLD, M_MMAP_MAX = ctypes.CDLL(None), -1, -4
    libc.mallopt(M_MMAP_MAX, 0)
    libc.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


def bytes_a_row(system: System, c: lda.Corpus, K: int) -> float:
    """The most memory that a start and two sweeps take beside the prepared corpus, in bytes for each of its rows."""
    small_corpus = lda.synthetic.draw(np.random.default_rng(0), [20] * 200, 2, 50, PRIOR).corpus.types()
    system.prepared(small_corpus, K, 0)(2, lambda t, read: None)  # the memory of code that is loaded at its first use
    run_sweeps = system.prepared(c, K, 0)
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", "utf-8")  # the peak begins again
    peak_bytes_before = peak()
    run_sweeps(2, lambda t, read: None)
    return (peak() - peak_bytes_before) / c.M


def peak() -> int:
    """The most memory that this process has had resident, in bytes."""
    status_text = Path("/proc/self/status").read_text("utf-8")
    return 1024 * int(status_text.partition("VmHWM:")[2].split()[0])


def in_turn(task: Task, train: lda.Corpus, test: lda.Corpus, quick: bool) -> tuple[list, list]:
    """All lines of a task, and those of memory. The systems take turns; those that are not installed are left out."""
    used_systems, run_lines, memory_lines = [system for system in SYSTEMS.values() if task.name in system.tasks], [], []
    cpu_match = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    machine_text = f"{cpu_match[1] if cpu_match else platform.machine()}, {os.cpu_count()} cores"
    for system in list(used_systems):
        try:
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                row_bytes = pool.submit(bytes_a_row, system, train, task.K).result()
            memory_lines.append([task.name, system.label, train.M, row_bytes, machine_text, date.today().isoformat()])
        except ImportError as error:
            used_systems.remove(system)
            print(f"{error.name} is not installed: {system.label} is left out; pip install -e '.[peers]'")
    for seed in range(1 if quick else 5):
        for system in used_systems[seed:] + used_systems[:seed]:
            sweeps, n_runs, _ = system.tasks[task.name]
            if seed < n_runs:
                run_lines += timed(task, system, -(-sweeps // 4) if quick else sweeps, seed, train, test)
                print(task.name, seed, system.label, f"{run_lines[-1][5]:.3g} CPU seconds", flush=True)
    return run_lines, memory_lines


def replace(csv_path: Path, column_names: list[str], task_name: str, new_lines: list) -> None:
    """Write a CSV file again with new lines of a task."""
    kept_lines = [list(line.values()) for line in common.read(csv_path) if line["task"] != task_name]
    csv_path.unlink(missing_ok=True)
    common.write(csv_path, column_names, kept_lines + new_lines)


def main() -> None:
    opts = common.options(__doc__ or "", TASKS)
    csv_path = opts.out / "peers" / "benchmark.csv"
    keep_freed_memory()
    for task in () if opts.draw else map(TASKS.get, opts.names):
        if not isinstance(task.corpus, str) or common.there(task.corpus):
            train, test = corpora(task)
            sweep_lines, memory_lines = in_turn(task, train, test, opts.quick)
            replace(csv_path, COLUMNS, task.name, sweep_lines)
            replace(csv_path.with_name("memory.csv"), MEMORY_COLUMNS, task.name, memory_lines)
    sweep_lines, memory_lines = common.read(csv_path), common.read(csv_path.with_name("memory.csv"))
    page_texts = report.tables(TASKS.values(), SYSTEMS, sweep_lines, memory_lines)
    print("\n\n".join(filter(None, page_texts.values())))
    if not opts.quick:
        report.put(common.HERE / "BENCHMARK.md", page_texts)
    pictured_tasks = [task for task in TASKS.values() if task.level and common.select(sweep_lines, task=task.name)]
    report.draw(sweep_lines, pictured_tasks, SYSTEMS, csv_path.with_suffix(".svg"))


if __name__ == "__main__":
    main()
