"""A sweep over processes, or over a real cluster, equals the sweep without them."""

import pickle
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import ml, vb
from lda_reference.engine import parallel, worker

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


class Workers(Executor):
    """An executor of some workers in this process, which run each task immediately, in turn or as `choose` says."""

    def __init__(self, monkeypatch, number=1):
        self.held = [worker.OrderedDict() for _ in range(number)]
        self.monkeypatch, self.tasks, self.sent, self.missed = monkeypatch, 0, 0, 0
        self.choose = lambda task: task % number

    def submit(self, work, task):
        number = self.choose(self.tasks)
        self.monkeypatch.setattr(worker, "_held", self.held[number])
        self.monkeypatch.setattr(worker.os, "getpid", lambda: number)
        answer = work(task)
        self.tasks, self.sent, self.missed = self.tasks + 1, self.sent + len(task.parcels or []), self.missed + (not answer)
        future = Future()
        future.set_result(answer)
        return future


def sweeps_of(name, executor, number, c=CORPUS):
    """The states of a run by the executor, and those of a run without one."""
    A, p = lda.ALGORITHMS[name], prior_for(name, lda.Prior([0.1, 0.2, 0.3], 0.1))
    far, near = [start(name, c)], [start(name, c)]
    for _ in range(number):
        far.append(A.sweep(far[-1], c, p, schedule="corpus", executor=executor))
        near.append(A.sweep(near[-1], c, p, schedule="corpus"))
    return far, near


def agree(far, near):
    np.testing.assert_allclose(far.gamma, near.gamma, rtol=0, atol=1e-12)


def test_a_part_is_sent_once_and_gamma_is_fetched_when_it_is_used(monkeypatch):
    monkeypatch.setattr(parallel, "PARTS", 4)
    executor = Workers(monkeypatch)
    far, near = sweeps_of("cvb0", executor, 5)
    assert (executor.sent, executor.missed) == (4, 0)
    before = executor.tasks
    agree(far[-1], near[-1])
    assert executor.tasks == before + 1  # all parts are with one worker
    assert far[-1].gamma is far[-1].gamma
    assert executor.tasks == before + 1
    with pytest.raises(ValueError, match="read-only"):
        far[-1].gamma[0] = 0
    (again,) = (lda.ALGORITHMS["cvb0"].sweep(far[-1], CORPUS, lda.Prior([0.1, 0.2, 0.3], 0.1), "corpus",
                                             executor=executor),)  # fmt: skip
    assert (executor.sent, executor.missed) == (4, 0)
    agree(again, lda.ALGORITHMS["cvb0"].sweep(near[-1], CORPUS, lda.Prior([0.1, 0.2, 0.3], 0.1), "corpus"))


@pytest.mark.parametrize("name", ["cvb0", "cvb", "vb", "cvb_exact"])
def test_states_that_the_workers_forgot_are_computed_again(name, monkeypatch):
    monkeypatch.setattr(parallel, "PARTS", 5)
    executor = Workers(monkeypatch)
    far, near = sweeps_of(name, executor, 4)
    for x, y in zip(far, near, strict=True):  # workers keep two versions
        agree(x, y)
    assert executor.sent > 5 or name == "cvb_exact"  # whose totals are larger than gamma, so each gamma is fetched
    executor.held[0].clear()
    far, near = sweeps_of(name, executor, 3)
    executor.held[0].clear()  # as if the worker had been started again
    agree(far[-1], near[-1])


def test_tasks_that_reach_another_worker_are_submitted_again(monkeypatch):
    monkeypatch.setattr(parallel, "PARTS", 6)
    executor = Workers(monkeypatch, 2)
    rng = np.random.default_rng(0)
    executor.choose = lambda task: int(rng.integers(2))
    far, near = sweeps_of("cvb0", executor, 6)
    agree(far[-1], near[-1])
    assert executor.missed > 0
    assert executor.sent == 6


def test_parts_of_a_worker_that_is_gone_are_sent_to_another(monkeypatch):
    monkeypatch.setattr(parallel, "PARTS", 6)
    executor = Workers(monkeypatch, 2)
    far, near = sweeps_of("cvb0", executor, 2)
    executor.choose = lambda task: 1
    agree(far[-1], near[-1])
    assert executor.sent == 9  # half of the parts once more


def test_gamma_is_computed_here_when_the_executor_is_gone():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        far, near = sweeps_of("cvb", pool, 3)
    agree(far[-1], near[-1])


def test_what_is_remembered_does_not_outgrow_gamma(monkeypatch):
    far, _ = sweeps_of("cvb0", Workers(monkeypatch), 60)
    sizes = [sum(x[0].wk.nbytes for x in s.since) for s in far[1:]]
    assert 0 < max(sizes) <= far[0].gamma.nbytes


def test_a_state_kept_elsewhere_is_a_state(monkeypatch):
    far, near = sweeps_of("cvb0", Workers(monkeypatch), 2)
    s = far[-1]
    assert s == lda.State(s.gamma) == s
    assert repr(s) == repr(near[-1])
    gamma, z = s
    assert gamma is s.gamma is s[0]
    assert z is s[1] is None
    assert s._replace(gamma=near[-1].gamma) == near[-1]
    assert type(pickle.loads(pickle.dumps(s))) is lda.State
    A, p = lda.ALGORITHMS["cvb0"], lda.Prior([0.1, 0.2, 0.3], 0.1)
    agree(A.sweep(s, CORPUS, p), A.sweep(near[-1], CORPUS, p))
    same = lda.Corpus(CORPUS.j, CORPUS.w, CORPUS.n, CORPUS.D, CORPUS.W)
    other = Workers(monkeypatch)
    agree(A.sweep(s, same, p, "corpus", executor=other), A.sweep(near[-1], CORPUS, p, "corpus"))
    assert other.sent > 0
    with pytest.raises(ValueError, match="a row for each of the corpus' M"):
        A.sweep(s, CORPUS.tokens(), p, "corpus", executor=other)


def test_replicates(monkeypatch):
    A, p = lda.ALGORITHMS["cvb"], lda.Prior(0.1, 0.1)
    s = start("cvb", CORPUS, replicates=3)
    agree(A.sweep(s, CORPUS, p, "corpus", executor=Workers(monkeypatch)), A.sweep(s, CORPUS, p, "corpus"))


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
