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
LARGE = lda.synthetic.draw(np.random.default_rng(1), np.full(900, 80), 4, 500, lda.Prior(0.1, 0.05)).corpus
PRIOR = lda.Prior([0.1, 0.2, 0.3], np.linspace(0.05, 0.4, 30))
A_NAMES = [name for name in SOFT if "corpus" in lda.ALGORITHMS[name].schedules and not lda.ALGORITHMS[name].draws]
CVB0 = lda.ALGORITHMS["cvb0"]
LOOP, SHARDS = asyncio.new_event_loop(), []


def pickled_copy(message):
    return pickle.loads(pickle.dumps(message))


class Call(asyncio.Task):  # of an actor
    def result(self, timeout=None):
        return super().result() if self.done() else LOOP.run_until_complete(self)


class Actor(int):  # the number of a shard, which can be sent
    def result(self, timeout):
        return self

    def __getattr__(self, method_name):
        cluster, shard = SHARDS[self]
        return lambda *arguments: Call(cluster.answer(getattr(shard, method_name), arguments), loop=LOOP)


class Cluster(Executor):
    """An executor and client of dask at once, whose workers are in this process and answer in a random order."""

    lost = 0

    def __init__(self, n_workers, seed=0, threads=1):
        self.workers, self.rng, self.threads, self._client = range(n_workers), np.random.default_rng(seed), threads, self

    async def answer(self, method, arguments):
        await asyncio.sleep(self.rng.integers(3) / 10_000)
        if self.lost:
            raise TimeoutError
        reply = method(*pickled_copy(arguments))
        return pickled_copy(await reply if asyncio.iscoroutine(reply) else reply)

    def nthreads(self):
        return {f"tcp://{i}": self.threads for i in self.workers[self.lost :]}

    def scatter(self, data, workers):
        return data

    def submit(self, work, *arguments, workers, actor):
        SHARDS.append((self, work(*pickled_copy(arguments))))
        return Actor(len(SHARDS) - 1)


def sources(c, gamma):
    """Sources of shards: an empty corpus, a function, and pairs."""
    first_shard, *shard_pairs = parallel.shards_of(c, gamma, 5)
    return [(lda.Corpus([], [], [], 2, c.W), gamma[:0]), partial(tuple, first_shard), *shard_pairs]


OPTIONS_OF_SWEEP = {"soft": {}, "replicates": {"replicates": 2}, "hard": {"assignment": "hard"}}


@pytest.mark.parametrize("sweep_kind", OPTIONS_OF_SWEEP)
@pytest.mark.parametrize("algorithm_name", A_NAMES)
@pytest.mark.parametrize("n_workers", [1, 3, 30])
def test_a_sweep_of_shards_is_that_of_the_whole_corpus(algorithm_name, sweep_kind, n_workers, monkeypatch):
    """With more workers than documents, too."""
    monkeypatch.setattr(engine.groups, "BLOCK", 8 * K)
    A, p, options = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, PRIOR), dict(OPTIONS_OF_SWEEP[sweep_kind])
    c = A.arranged(CORPUS)
    worker_state = local_state = start(algorithm_name, c, options.pop("replicates", None))
    executor = Cluster(n_workers, threads=1 + n_workers % 2)
    for _ in range(2):
        worker_state = A.sweep(worker_state, c, p, "corpus", executor=executor, **options)
        local_state = A.sweep(local_state, c, p, "corpus", **options)
    assert np.abs(worker_state.gamma - local_state.gamma).max() <= 1e-13


@pytest.mark.parametrize("replicates", [None, 2])
@pytest.mark.parametrize("algorithm_name", A_NAMES)
def test_a_run_of_shards_is_that_of_the_whole_corpus(algorithm_name, replicates):
    """To the last bit the same for any order in which workers answer; one of the shards is empty."""
    A, p = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, PRIOR)
    c = A.arranged(CORPUS)
    s, run_parts = start(algorithm_name, c, replicates), []
    for seed in range(3):
        shards = parallel.Shards(A, sources(c, s.gamma), Cluster(2, seed))
        changes = [shards.sweep(p) for _ in range(3)]
        theta_jk, phi_wk = shards.estimate(p)
        run_parts.append((np.concatenate(list(theta_jk))[2:], phi_wk, shards.state.gamma, changes))
    for _ in range(3):
        old_state, s = s, A.sweep(s, c, p, "corpus")
    local_parts = (*A.estimate(s, c, p), s.gamma)
    assert all(np.abs(run_part - local_part).max() <= 1e-10 for run_part, local_part in zip(run_parts[0], local_parts, strict=False))
    assert run_parts[0][3][-1] == pytest.approx(engine.mean_change(old_state, s), rel=1e-9)
    assert all(np.array_equal(run_part, first_run_part) for parts_of_run in run_parts[1:] for run_part, first_run_part in zip(parts_of_run, run_parts[0], strict=True))


@pytest.mark.parametrize(("eta", "uses_factors"), [(1e-3, False), (3e-3, True), ([1e-3] + [1] * 29, False)])
def test_owners_answer_with_factors_unless_one_could_vanish(eta, uses_factors):
    """With eta of 1e-3, the factor exp(digamma(eta) - digamma(eta + N)) of a word without tokens is 0."""
    A, p, local_state = lda.ALGORITHMS["vb"], lda.Prior(1e-3, eta), start("vb", CORPUS)
    shards = parallel.Shards(A, sources(CORPUS, local_state.gamma), Cluster(3))
    for _ in range(3):
        shards.sweep(p)
        local_state = A.sweep(local_state, CORPUS, p, "corpus")
    assert np.abs(shards.state.gamma[: CORPUS.M] - local_state.gamma).max() <= 1e-12
    assert (SHARDS[-1][1].word_part is not None) == uses_factors


def failing(weights):
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


def sweep(algorithm_name, executor, **options):
    c = lda.ALGORITHMS[algorithm_name].arranged(CORPUS)
    lda.ALGORITHMS[algorithm_name].sweep(start(algorithm_name, c), c, PRIOR, "corpus", executor=executor, **options)


def test_what_a_cluster_cannot_do_is_refused():
    shard_of_two_words, shard_of_three_words = ((lda.Corpus([0], [0], [1], 1, W), np.ones((1, 1))) for W in (2, 3))
    all_refused([
        (lambda: sweep("cvb0", ProcessPoolExecutor(1)), r"expected threads, or get_executor\(\) of a dask Client"),
        (lambda: sweep("cvb1s", Cluster(1), rng=np.random.default_rng(0)), "cvb1s draws or has no corpus order"),
        (lambda: sweep("cvb0", Cluster(1), held_topics=np.full((30, K), 1 / 30)), "held_topics is .*, expected none"),
        (lambda: parallel.Shards(CVB0, [shard_of_two_words, shard_of_three_words], Cluster(2)), r"the shards have \[2, 3\] words"),
    ])  # fmt: skip


def count_bytes():
    """Let a worker count the bytes of its messages."""
    from distributed.comm import tcp, utils

    async def counted_frames(*arguments, **options):
        frames = await utils.to_frames(*arguments, **options)
        tcp.bytes_sent += sum(memoryview(frame).nbytes for frame in frames)
        return frames

    tcp.bytes_sent, tcp.to_frames = 0, counted_frames


@pytest.mark.filterwarnings("ignore")  # warnings of the cluster's libraries
def test_a_dask_cluster_gives_the_same_and_sends_only_sums():
    distributed = pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    # dask leaves MALLOC_TRIM_THRESHOLD_ in the environment, which would slow down the processes of later tests
    with patch.dict(os.environ), distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        executor, p, s = client.get_executor(), lda.Prior(0.1, 0.1), start("cvb0", LARGE, K=40)
        worker_state, local_state = (CVB0.sweep(s, LARGE, p, "corpus", executor=executor_or_none) for executor_or_none in (executor, None))
        assert np.abs(worker_state.gamma - local_state.gamma).max() <= 1e-13
        for n_shards in (2, 4):
            shards = parallel.Shards(CVB0, parallel.shards_of(LARGE, s.gamma, n_shards), executor)
            client.run(count_bytes)
            for _ in range(3):
                shards.sweep(p)
            bytes_of_worker = client.run(lambda: sys.modules["distributed.comm.tcp"].bytes_sent)
            assert 0.5 < sum(bytes_of_worker.values()) / (3 * n_shards * 8 * LARGE.W * 40) < 2.2


@pytest.mark.filterwarnings("ignore")
def test_the_run_of_the_page_on_machines(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    monkeypatch.chdir(tmp_path)
    for file_number in range(2):
        uci_rows = "".join(f"{j + 1} {(j + w + file_number) % 20 + 1} {w + 1}\n" for j in range(30) for w in range(4))
        Path(f"docword.{file_number}.txt").write_text(f"30\n20\n120\n{uci_rows}")
    page_text = (Path(lda.__file__).parents[1] / "chapters/pages/machines.md").read_text("utf-8")
    code = "".join(line[4:] or "\n" for line in re.findall(r"^ {4}.*\n|^\n", page_text.partition("```")[0], re.MULTILINE))
    namespace = {"__name__": "__main__"}
    exec(code.replace('"tcp://scheduler:8786"', "processes=False, dashboard_address=None"), namespace)
    assert namespace["changes"][-1] < namespace["changes"][0]
    assert namespace["phi_wk"].shape == (20, 10)
    assert np.load("theta-1.npy").shape == (30, 10)


def test_the_core_imports_only_numpy_and_scipy():
    program_code = "import sys, lda_reference; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    module_names = subprocess.run([sys.executable, "-c", program_code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "tqdm", "distributed", "dask", "pandas", "sklearn"} & set(module_names)


def test_fit_sweeps_shards():
    worker_fit, local_fit = (
        lda.fit(CORPUS, K, "vb", PRIOR, sweeps=4, schedule="corpus", executor=executor) for executor in (Cluster(3), None)
    )
    assert np.abs(worker_fit.theta_jk - local_fit.theta_jk).max() <= 1e-10
    first_change, *middle_changes, last_change = (history_entry["change"] for history_entry in worker_fit.history)
    assert middle_changes == [None, None]
    assert [first_change, last_change] == pytest.approx([local_fit.history[history_index]["change"] for history_index in (0, -1)])


def test_fit_leaves_gamma_on_the_workers_until_somebody_asks(monkeypatch):
    fetches, state_property = [], parallel.Shards.state
    monkeypatch.setattr(parallel.Shards, "state", property(lambda self: fetches.append(1) or state_property.fget(self)))
    settings = {"prior": PRIOR, "sweeps": 4, "schedule": "corpus", "executor": Cluster(3)}
    for options, n_fetches in (({}, 1), ({"monitor": lambda f: {}}, 4), ({"learn": "alpha:asymmetric", "learn_after": 1}, 4)):
        lda.fit(CORPUS, K, "cvb0", **settings | options)
        assert len(fetches) == n_fetches, options
        fetches.clear()


@pytest.mark.parametrize(("trim_threshold", "mmap_threshold", "expected_calls"), [
    (None, None, []), ("65536", None, [(-1, 2**29), (-3, 2**25)]), ("65536", "4096", [(-1, 2**29), (-3, 4096)]),
])
def test_a_worker_whose_malloc_returns_memory_keeps_it(trim_threshold, mmap_threshold, expected_calls, monkeypatch):
    mallopt_calls = []
    monkeypatch.setattr(parallel.ctypes, "CDLL", lambda name: SimpleNamespace(mallopt=lambda *arguments: mallopt_calls.append(arguments)))
    for variable_name, threshold in (("MALLOC_TRIM_THRESHOLD_", trim_threshold), ("MALLOC_MMAP_THRESHOLD_", mmap_threshold)):
        monkeypatch.delenv(variable_name, raising=False) if threshold is None else monkeypatch.setenv(variable_name, threshold)
    parallel.Shard(CVB0, (CORPUS, start("cvb0", CORPUS).gamma), None, 1)
    assert mallopt_calls == expected_calls
