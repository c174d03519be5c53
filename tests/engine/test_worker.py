"""What a worker keeps, and for how long. test_parallel.py has whole sweeps."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.engine import worker

CORPUS = lda.Corpus.from_documents([[0, 1, 1], [2]], W=3)
GAMMA = np.full((4, 2), 0.5)


@pytest.fixture(autouse=True)
def empty(monkeypatch):
    monkeypatch.setattr(worker, "_held", worker.OrderedDict())


def send(key, version):
    return worker.work(worker.Task("1", [key], version, [worker.Parcel(CORPUS, GAMMA, ())], worker.Fetch()))


def fetch(key, version):
    return worker.work(worker.Task("2", [key], version, None, worker.Fetch()))


def test_a_part_is_there_after_it_was_sent():
    assert fetch("a", "1") is None
    assert send("a", "1")[1] == [GAMMA]
    assert fetch("a", "1")[1] == [GAMMA]
    assert fetch("a", "2") is None
    assert worker.work(worker.Task("3", ["a", "b"], "1", None, worker.Fetch())) is None


def test_a_limited_number_of_parts_is_kept_those_used_last(monkeypatch):
    monkeypatch.setattr(worker, "KEPT", 3)
    for key in "abc":
        send(key, "1")
    fetch("a", "1")
    send("d", "1")
    assert [fetch(key, "1") is not None for key in "abcd"] == [True, False, True, True]


def test_two_versions_of_a_part_are_kept():
    send("a", "1")
    held = worker._held["a"]
    held.put("2", GAMMA)
    held.put("3", GAMMA)
    assert [fetch("a", version) is not None for version in "123"] == [False, True, True]
