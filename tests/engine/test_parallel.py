"""A sweep over processes, or over a real cluster, equals the sweep without them."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import ml, vb
from lda_reference.engine import parallel

from ..helpers import SOFT, K, prior_for, randomness, start

CORPUS = lda.synthetic.draw(np.random.default_rng(0), np.arange(40) % 13, K, 30, lda.Prior(0.5, 0.5)).corpus.types()
NAMES = [name for name in SOFT if "corpus" in lda.ALGORITHMS[name].schedules]


def check(executor, name, parts, monkeypatch):
    monkeypatch.setattr(parallel, "PARTS", parts)
    A, p = lda.ALGORITHMS[name], prior_for(name, lda.Prior([0.1, 0.2, 0.3], 0.1))
    c = A.arranged(CORPUS)
    a = b = start(name, c)
    for t in range(3):
        some = randomness(name, c, t)
        a = A.sweep(a, c, p, schedule="corpus", **some)
        b = A.sweep(b, c, p, schedule="corpus", executor=executor, **some)
    np.testing.assert_allclose(b.gamma, a.gamma, rtol=0, atol=1e-12)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("name", NAMES)
def test_processes_give_the_same(processes, name, monkeypatch):
    for parts in (1, 3, 8):
        check(processes, name, parts, monkeypatch)


VARIANTS = {"ml": ml.tempered(0.7), "vb": vb.APPROXIMATE, "cvb_exact": lda.ALGORITHMS["cvb_exact"]}


@pytest.mark.parametrize("name", VARIANTS)
def test_processes_give_the_same_for_variants(processes, name):
    p = lda.Prior(0.6, 0.6)
    s = start(name, CORPUS)
    topics = np.random.default_rng(1).dirichlet(np.ones(CORPUS.W), K).T
    for A, held in ((VARIANTS[name], None), (lda.ALGORITHMS[name], topics)):
        some = {"schedule": "corpus", "held_topics": held}
        x, y = (A.sweep(s, CORPUS, p, executor=e, **some).gamma for e in (None, processes))
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-12)


class Counting:
    """An executor of one worker that runs each task immediately and records the parts that are sent."""

    def __init__(self):
        self.parts = []

    def submit(self, work, key, part, task):
        from concurrent.futures import Future

        self.parts.append(part)
        future = Future()
        future.set_result(work(key, part, task))
        return future


def test_the_rows_of_a_part_are_sent_once(monkeypatch):
    monkeypatch.setattr(parallel, "_held", parallel.OrderedDict())
    executor = Counting()
    check(executor, "cvb0", 4, monkeypatch)
    assert [part is not None for part in executor.parts] == [True] * 4 + [False] * 8
    parallel._held.clear()  # as if other workers ran the tasks
    executor.parts.clear()
    check(executor, "cvb0", 4, monkeypatch)
    assert [part is not None for part in executor.parts].count(True) == 4


def test_a_worker_keeps_a_limited_number_of_parts(monkeypatch):
    monkeypatch.setattr(parallel, "_held", parallel.OrderedDict())
    monkeypatch.setattr(parallel, "KEPT", 3)
    check(Counting(), "cvb0", 8, monkeypatch)
    assert len(parallel._held) == 3


@pytest.mark.filterwarnings("ignore")  # warnings of the cluster's libraries
def test_a_dask_cluster_of_two_workers_gives_the_same(monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the optional extra `cluster` is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for name in ("cvb0", "cvb", "vb", "cvb_exact"):
            for parts in (2, 5):
                check(client.get_executor(), name, parts, monkeypatch)


def test_the_core_imports_only_numpy_and_scipy():
    code = "import sys, lda_reference; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "tqdm", "distributed", "dask", "pandas", "sklearn"} & set(loaded)
