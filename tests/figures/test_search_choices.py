"""The choice of a start and a schedule on all corpora but one."""

import pytest

from figures.search import choices, experiment
from figures.search import runs as search

from .helpers import write


def study_rows(corpus, start, *bounds):
    for seed, bound in enumerate(bounds):
        yield {"study": corpus, "algorithm": "vb", "schedule": "nested", "start": start, "seed": seed, "value": bound}


def arm_rows(corpus, arm_name, split, *bounds, group="main"):
    for seed, bound in enumerate(bounds):
        yield {"corpus": corpus, "objective": "vb", "schedule": "nested", "arm": arm_name, "split": split, "seed": seed,
               "group": group, "value": bound}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "runs.csv", search.RUN_COLUMNS, [
        *study_rows("one", "growing", -5.0, -5.0, -5.0), *study_rows("one", "dirichlet", -5.2, -5.1, -5.3),
        *study_rows("two", "growing", -6.0, -6.0, -6.0), *study_rows("two", "dirichlet", -5.95, -5.9, -5.9, -5.8),
        *study_rows("two", "topics", -5.0, -5.0),
    ])  # fmt: skip
    write(tmp_path / "experiment.csv", experiment.COLUMNS, [
        *arm_rows("three", "growing", 0, -7.0), *arm_rows("three", "growing", 1, -7.2),
        *arm_rows("three", "random", 0, -7.5), *arm_rows("three", "random", 1, -7.5),
        *arm_rows("three", "random", 0, -1.0, group="validated"),
    ])  # fmt: skip
    return tmp_path


def test_the_value_is_the_best_of_three_runs_and_the_mean_of_the_splits(folder):
    bounds_of_source = choices.tried(folder, "vb")
    assert bounds_of_source["study"]["one"] == {"nested, growing": -5.0, "nested, dirichlet": -5.1}
    # of the four triples three have the best run, -5.8, and one has -5.9 at best; two runs are too few
    assert bounds_of_source["study"]["two"] == pytest.approx({"nested, growing": -6.0, "nested, dirichlet": -5.825})
    assert bounds_of_source["experiment"]["three"] == pytest.approx({"nested, growing": -7.1, "nested, dirichlet": -7.5})


def test_the_corpus_left_out_has_no_say(folder):
    choice_and_loss = choices.left_out(folder, "vb")
    assert choice_and_loss["one"] == ("nested, growing", 0)
    assert choice_and_loss["two"] == ("nested, growing", pytest.approx(0.175))  # dirichlet is better on this corpus alone
    assert choice_and_loss["three"] == ("nested, dirichlet", pytest.approx(0.4))  # by 0.1 and 0 against 0 and 0.175
    assert len(choices.page(folder)) == 5
