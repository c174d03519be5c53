"""The choice of a start and a schedule on all corpora but one."""

import pytest

from figures.search import choices, experiment
from figures.search import runs as search

from .helpers import write


def study(corpus, start, *values):
    for seed, value in enumerate(values):
        yield {"study": corpus, "algorithm": "vb", "schedule": "nested", "start": start, "seed": seed, "value": value}


def arm(corpus, name, split, *values, group="main"):
    for seed, value in enumerate(values):
        yield {"corpus": corpus, "objective": "vb", "schedule": "nested", "arm": name, "split": split, "seed": seed,
               "group": group, "value": value}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "runs.csv", search.RUN_COLUMNS, [
        *study("one", "growing", -5.0, -5.0, -5.0), *study("one", "dirichlet", -5.2, -5.1, -5.3),
        *study("two", "growing", -6.0, -6.0, -6.0), *study("two", "dirichlet", -5.95, -5.9, -5.9, -5.8),
        *study("two", "topics", -5.0, -5.0),
    ])  # fmt: skip
    write(tmp_path / "experiment.csv", experiment.COLUMNS, [
        *arm("three", "growing", 0, -7.0), *arm("three", "growing", 1, -7.2),
        *arm("three", "random", 0, -7.5), *arm("three", "random", 1, -7.5),
        *arm("three", "random", 0, -1.0, group="validated"),
    ])  # fmt: skip
    return tmp_path


def test_the_value_is_the_best_of_three_runs_and_the_mean_of_the_splits(folder):
    values = choices.tried(folder, "vb")
    assert values["study"]["one"] == {"nested, growing": -5.0, "nested, dirichlet": -5.1}
    # of the four triples three have the best run, -5.8, and one has -5.9 at best; two runs are too few
    assert values["study"]["two"] == pytest.approx({"nested, growing": -6.0, "nested, dirichlet": -5.825})
    assert values["experiment"]["three"] == pytest.approx({"nested, growing": -7.1, "nested, dirichlet": -7.5})


def test_the_corpus_left_out_has_no_say(folder):
    chosen = choices.left_out(folder, "vb")
    assert chosen["one"] == ("nested, growing", 0)
    assert chosen["two"] == ("nested, growing", pytest.approx(0.175))  # dirichlet is better on this corpus alone
    assert chosen["three"] == ("nested, dirichlet", pytest.approx(0.4))  # by 0.1 and 0 against 0 and 0.175
    assert len(choices.page(folder)) == 5
