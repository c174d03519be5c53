"""A sweep by the workers of a dask cluster equals the sweep without them, and only sums travel."""

import asyncio
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine
from lda_reference.engine import parallel

from ..helpers import SOFT, K, all_refused, prior_for, start

CORPUS = lda.synthetic.draw(np.random.default_rng(0), np.arange(26) % 13, K, 30, lda.Prior(0.5, 0.5)).corpus.types()
LARGER = lda.synthetic.draw(np.random.default_rng(1), np.full(900, 80), 4, 500, lda.Prior(0.1, 0.05)).corpus
PRIOR = lda.Prior([0.1, 0.2, 0.3], np.linspace(0.05, 0.4, 30))
NAMES = [name for name in SOFT if "corpus" in lda.ALGORITHMS[name].schedules and not lda.ALGORITHMS[name].draws]
CVB0 = lda.ALGORITHMS["cvb0"]


LOOP, SHARDS = asyncio.new_event_loop(), []


def sent(x):
    return pickle.loads(pickle.dumps(x))


class Call(asyncio.Task):  # of an actor
    def result(self, timeout=None):
        return super().result() if self.done() else LOOP.run_until_complete(self)


class Actor(int):  # the number of a shard, which can be sent
    def result(self, timeout):
        return self

    def __getattr__(self, name):
        cluster, shard = SHARDS[self]
        return lambda *arguments: Call(cluster.answer(getattr(shard, name), arguments), loop=LOOP)


class Cluster(Executor):
    """An executor and client of dask at once, whose workers are in this process and answer in a random order."""

    lost = 0

    def __init__(self, workers, seed=0, threads=1):
        self.workers, self.rng, self.threads, self._client = range(workers), np.random.default_rng(seed), threads, self

    async def answer(self, method, arguments):
        await asyncio.sleep(self.rng.integers(3) / 10_000)
        if self.lost:
            raise TimeoutError
        answer = method(*sent(arguments))
        return sent(await answer if asyncio.iscoroutine(answer) else answer)

    def nthreads(self):
        return {f"tcp://{i}": self.threads for i in self.workers[self.lost :]}

    def scatter(self, data, workers):
        return data

    def submit(self, work, *arguments, workers, actor):
        SHARDS.append((self, work(*sent(arguments))))
        return Actor(len(SHARDS) - 1)


def sources(c, gamma):
    """Sources of shards: an empty corpus, a function, and pairs."""
    function, *pairs = parallel.shards_of(c, gamma, 5)
    return [(lda.Corpus([], [], [], 2, c.W), gamma[:0]), partial(tuple, function), *pairs]


SWEEPS = {"soft": {}, "replicates": {"replicates": 2}, "hard": {"assignment": "hard"}}


@pytest.mark.parametrize("kind", SWEEPS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("workers", [1, 3, 30])
def test_a_sweep_of_shards_is_that_of_the_whole_corpus(name, kind, workers, monkeypatch):
    """With more workers than documents, too."""
    monkeypatch.setattr(engine.groups, "BLOCK", 8 * K)
    A, p, options = lda.ALGORITHMS[name], prior_for(name, PRIOR), dict(SWEEPS[kind])
    c = A.arranged(CORPUS)
    by_workers = in_process = start(name, c, options.pop("replicates", None))
    executor = Cluster(workers, threads=1 + workers % 2)
    for _ in range(2):
        by_workers = A.sweep(by_workers, c, p, "corpus", executor=executor, **options)
        in_process = A.sweep(in_process, c, p, "corpus", **options)
    assert np.abs(by_workers.gamma - in_process.gamma).max() <= 1e-13


@pytest.mark.parametrize("replicates", [None, 2])
@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_shards_is_that_of_the_whole_corpus(name, replicates):
    """To the last bit the same for any order in which workers answer; one of the shards is empty."""
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIOR)
    c = A.arranged(CORPUS)
    s, runs = start(name, c, replicates), []
    for seed in range(3):
        shards = parallel.Shards(A, sources(c, s.gamma), Cluster(2, seed))
        changes = [shards.sweep(p) for _ in range(3)]
        theta_jk, phi_wk = shards.estimate(p)
        runs.append((np.concatenate(list(theta_jk))[2:], phi_wk, shards.state.gamma, changes))
    for _ in range(3):
        before, s = s, A.sweep(s, c, p, "corpus")
    expected = (*A.estimate(s, c, p), s.gamma)
    assert all(np.abs(x - y).max() <= 1e-10 for x, y in zip(runs[0], expected, strict=False))
    assert runs[0][3][-1] == pytest.approx(engine.mean_change(before, s), rel=1e-9)
    assert all(np.array_equal(x, y) for run in runs[1:] for x, y in zip(run, runs[0], strict=True))


def failing(x):
    raise ValueError("no distribution for these weights")


def test_an_error_of_a_worker_reaches_the_caller():
    with pytest.raises(ValueError, match="no distribution for these weights"):
        CVB0.sweep(start("cvb0", CORPUS), CORPUS, PRIOR, "corpus", failing, executor=Cluster(3))


def test_a_lost_worker_ends_the_run():
    executor = Cluster(3)
    shards = parallel.Shards(CVB0, sources(CORPUS, start("cvb0", CORPUS).gamma), executor)
    shards.sweep(PRIOR)
    SHARDS[-1][1].sweeps = 0  # as if an error had stopped its sweep
    with pytest.raises(RuntimeError, match="a shard has made 0 sweeps, expected 1"):
        shards.sweep(PRIOR)
    executor.lost = 1
    with pytest.raises(RuntimeError, match=r"lost the workers .*tcp://0.* with their documents"):
        shards.sweep(PRIOR)


def sweep(name, executor, **options):
    c = lda.ALGORITHMS[name].arranged(CORPUS)
    lda.ALGORITHMS[name].sweep(start(name, c), c, PRIOR, "corpus", executor=executor, **options)


def test_what_a_cluster_cannot_do_is_refused():
    two_words, three_words = ((lda.Corpus([0], [0], [1], 1, W), np.ones((1, 1))) for W in (2, 3))
    all_refused([
        (lambda: sweep("cvb0", ProcessPoolExecutor(1)), r"expected threads, or get_executor\(\) of a dask Client"),
        (lambda: sweep("cvb1s", Cluster(1), rng=np.random.default_rng(0)), "cvb1s draws or has no corpus order"),
        (lambda: sweep("cvb0", Cluster(1), held_topics=np.full((30, K), 1 / 30)), "held_topics is .*, expected none"),
        (lambda: parallel.Shards(CVB0, [two_words, three_words], Cluster(2)), r"the shards have \[2, 3\] words"),
    ])  # fmt: skip


def count_bytes():
    """Let a worker count the bytes of its messages."""
    from distributed.comm import tcp, utils

    async def counted(*arguments, **options):
        frames = await utils.to_frames(*arguments, **options)
        tcp.bytes_sent += sum(memoryview(x).nbytes for x in frames)
        return frames

    tcp.bytes_sent, tcp.to_frames = 0, counted


@pytest.mark.filterwarnings("ignore")  # warnings of the cluster's libraries
def test_a_dask_cluster_gives_the_same_and_sends_only_sums():
    distributed = pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    # dask leaves MALLOC_TRIM_THRESHOLD_ in the environment, which would slow down the processes of later tests
    with patch.dict(os.environ), distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        executor, p, s = client.get_executor(), lda.Prior(0.1, 0.1), start("cvb0", LARGER, K=40)
        by_workers, in_process = (CVB0.sweep(s, LARGER, p, "corpus", executor=pool) for pool in (executor, None))
        assert np.abs(by_workers.gamma - in_process.gamma).max() <= 1e-13
        for number in (2, 4):
            shards = parallel.Shards(CVB0, parallel.shards_of(LARGER, s.gamma, number), executor)
            client.run(count_bytes)
            for _ in range(3):
                shards.sweep(p)
            of_workers = client.run(lambda: sys.modules["distributed.comm.tcp"].bytes_sent)
            assert 0.5 < sum(of_workers.values()) / (3 * number * 8 * LARGER.W * 40) < 2.2


@pytest.mark.filterwarnings("ignore")
def test_the_run_of_the_page_on_machines(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    monkeypatch.chdir(tmp_path)
    for number in range(2):
        rows = "".join(f"{j + 1} {(j + w + number) % 20 + 1} {w + 1}\n" for j in range(30) for w in range(4))
        Path(f"docword.{number}.txt").write_text(f"30\n20\n120\n{rows}")
    page = (Path(lda.__file__).parents[1] / "chapters/pages/machines.md").read_text("utf-8")
    code = "".join(line[4:] or "\n" for line in re.findall(r"^ {4}.*\n|^\n", page.partition("```")[0], re.MULTILINE))
    names = {"__name__": "__main__"}
    exec(code.replace('"tcp://scheduler:8786"', "processes=False, dashboard_address=None"), names)
    assert names["changes"][-1] < names["changes"][0]
    assert names["phi_wk"].shape == (20, 10)
    assert np.load("theta-1.npy").shape == (30, 10)


def test_the_core_imports_only_numpy_and_scipy():
    code = "import sys, lda_reference; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "tqdm", "distributed", "dask", "pandas", "sklearn"} & set(loaded)


def test_fit_sweeps_shards():
    by_workers, in_process = (
        lda.fit(CORPUS, K, "vb", PRIOR, sweeps=4, schedule="corpus", executor=executor) for executor in (Cluster(3), None)
    )
    assert np.abs(by_workers.theta_jk - in_process.theta_jk).max() <= 1e-10
    first, *without_gamma, last = (x["change"] for x in by_workers.history)
    assert without_gamma == [None, None]
    assert [first, last] == pytest.approx([in_process.history[i]["change"] for i in (0, -1)])


def test_fit_leaves_gamma_on_the_workers_until_somebody_asks(monkeypatch):
    fetched, right = [], parallel.Shards.state
    monkeypatch.setattr(parallel.Shards, "state", property(lambda self: fetched.append(1) or right.fget(self)))
    settings = {"prior": PRIOR, "sweeps": 4, "schedule": "corpus", "executor": Cluster(3)}
    for options, times in (({}, 1), ({"monitor": lambda f: {}}, 4), ({"learn": "alpha:asymmetric", "learn_after": 1}, 4)):
        lda.fit(CORPUS, K, "cvb0", **settings | options)
        assert len(fetched) == times, options
        fetched.clear()


@pytest.mark.parametrize(("trim", "size", "calls"), [(None, None, []), ("65536", None, [(-3, 2**25)]), ("65536", "4096", [(-3, 4096)])])
def test_a_worker_whose_malloc_returns_memory_keeps_it(trim, size, calls, monkeypatch):
    called = []
    monkeypatch.setattr(parallel.ctypes, "CDLL", lambda name: SimpleNamespace(mallopt=lambda *x: called.append(x)))
    for name, number in (("MALLOC_TRIM_THRESHOLD_", trim), ("MALLOC_MMAP_THRESHOLD_", size)):
        monkeypatch.delenv(name, raising=False) if number is None else monkeypatch.setenv(name, number)
    parallel.Shard(CVB0, (CORPUS, start("cvb0", CORPUS).gamma), None, 1)
    assert called == calls
