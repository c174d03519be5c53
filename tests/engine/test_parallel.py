"""A sweep by other processes, or by a cluster, equals the sweep without them."""

import pickle
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine
from lda_reference.engine import parallel

from ..helpers import SOFT, K, prior_for, randomness, start

CORPUS = lda.synthetic.draw(np.random.default_rng(0), np.arange(40) % 13, K, 30, lda.Prior(0.5, 0.5)).corpus.types()
NAMES = [name for name in SOFT if "corpus" in lda.ALGORITHMS[name].schedules]


class Elsewhere(Executor):
    """An executor that sends each task through pickle, as to another process, and runs it immediately."""

    tasks = 0

    def submit(self, *call):
        self.tasks += 1
        work, *arguments = pickle.loads(pickle.dumps(call))
        future = Future()
        future.set_result(work(*arguments))
        return future


def sweeps_differ_by(executor, name, replicates=None, **more):
    """The largest difference of gamma after two sweeps by the executor and after two without it."""
    A, p = lda.ALGORITHMS[name], prior_for(name, lda.Prior([0.1, 0.2, 0.3], 0.1))
    c = A.arranged(CORPUS)
    far = near = start(name, c, replicates)
    for t in range(2):
        far = A.sweep(far, c, p, "corpus", executor=executor, **more | randomness(name, c, t, replicates))
        near = A.sweep(near, c, p, "corpus", **more | randomness(name, c, t, replicates))
    return np.abs(far.gamma - near.gamma).max()


SWEEPS = {
    "soft": {}, "replicates": {"replicates": 2}, "hard": {"assignment": "hard"}, "held": {"held_topics": np.full((30, K), 1 / 30)},
}  # fmt: skip


@pytest.mark.parametrize("kind", SWEEPS)
@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_in_parts_is_that_of_the_whole_corpus(name, kind, monkeypatch):
    """To the last bit, except where a table of all documents is computed by parts."""
    monkeypatch.setattr(engine.counts, "BLOCK", 8 * K)
    for parts in (3, 16):
        monkeypatch.setattr(parallel, "PARTS", parts)
        executor = Elsewhere()
        assert sweeps_differ_by(executor, name, **SWEEPS[kind]) <= (1e-13 if name in ("cvb_exact", "cvb1") else 0)
        assert executor.tasks >= 4


def test_a_sampler_draws_in_its_own_process():
    executor = Elsewhere()
    assert sweeps_differ_by(executor, "gibbs") == 0
    assert executor.tasks == 0


def test_a_pool_of_processes_gives_the_same():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert sweeps_differ_by(pool, "cvb0") == 0


@pytest.mark.filterwarnings("ignore")  # warnings of the cluster's libraries
def test_a_dask_cluster_gives_the_same():
    distributed = pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    with distributed.Client(n_workers=2, processes=False, dashboard_address=None) as client:
        assert sweeps_differ_by(client.get_executor(), "cvb0") == 0


def test_the_core_imports_only_numpy_and_scipy():
    code = "import sys, lda_reference; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "tqdm", "distributed", "dask", "pandas", "sklearn"} & set(loaded)
