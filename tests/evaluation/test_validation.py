"""Grid search and early stopping by validation documents."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import fitting
from lda_reference.algorithms import ml
from lda_reference.evaluation import validation

C = lda.synthetic.bars(np.random.default_rng(0), side=3, D=60).corpus
TRAIN, HELD = lda.split(C, "documents", 0.3, np.random.default_rng(1))
HALVES = validation.halves(HELD, np.random.default_rng(2))


def by_hand(A, p, sweeps, phi=None):
    rows = A.arranged(TRAIN)
    schedule = "corpus" if "corpus" in A.schedules else None
    s = A.init(rows, 6, p, rng=fitting.sweep_rng(4, 0))
    for t in range(1, sweeps + 1):
        s = A.sweep(s, rows, p, schedule=schedule, rng=fitting.sweep_rng(4, t))
    phi_wk = A.estimate(s, rows, p)[1]
    theta_jk = lda.fold_in(A, HALVES.known, phi_wk, p, fitting.sweep_rng(4, 1), 20, schedule=schedule)
    return lda.perplexity(HALVES.heldout, theta_jk, phi_wk)


@pytest.mark.parametrize("name", ["cvb0", "map", "cgs", "vb"])
def test_a_grid_is_a_run_for_each_point(name):
    A = lda.ALGORITHMS[name]
    found = validation.grid_search(TRAIN, HALVES, 6, name, [0.1, 1.0], [0.05, 0.5, 2.0], 4, 4)
    shift = 1.0 if name == "map" else 0.0
    assert found.alphas == (0.1 + shift, 1.0 + shift)
    assert found.etas == (0.05 + shift, 0.5 + shift, 2.0 + shift)
    for i, alpha in enumerate(found.alphas):
        for j, eta in enumerate(found.etas):
            assert found.perplexity[i, j] == pytest.approx(by_hand(A, lda.Prior(alpha, eta), 4), rel=1e-12)
    i, j = np.argwhere(found.perplexity == found.perplexity.min())[0]
    assert found.best == (found.alphas[i], found.etas[j])


def test_for_plsa_the_grid_is_of_powers():
    found = validation.grid_search(TRAIN, HALVES, 6, "ml", [0.5, 1.0], sweeps=4, seed=4)
    expected = [by_hand(ml.tempered(x), lda.Prior(), 4) for x in (0.5, 1.0)]
    np.testing.assert_allclose(found.perplexity, expected, rtol=1e-12)
    assert found.etas == ()
    assert found.best == (found.alphas[np.argmin(expected)],)


def test_the_best_point_of_a_grid_has_the_smallest_perplexity():
    assert validation.Grid((0.1, 1.0), (0.2, 0.3), np.array([[4.0, 3.0], [2.5, 6.0]])).best == (1.0, 0.2)


def test_a_run_stops_when_validation_gets_no_better():
    monitor = validation.Validation(HALVES)
    f = lda.fit(TRAIN, 6, "ml", sweeps=300, monitor=monitor, stop=validation.no_better, seed=1)
    values = [h.get("validation") for h in f.history]
    assert f.sweeps == len(f.history) < 300
    assert [v is None for v in values] == [t % 2 == 1 for t in range(1, f.sweeps + 1)]
    values = values[1::2]
    assert min(values[-5:]) >= min(values[:-5])
    assert not any(min(values[max(0, t - 5) : t]) >= min(values[: t - 5]) for t in range(6, len(values)))
    # without `stop` the same run goes on, by the same sweeps
    g = lda.fit(TRAIN, 6, "ml", sweeps=f.sweeps + 2, monitor=monitor, seed=1)
    assert [h.get("validation") for h in g.history[: f.sweeps]] == [h.get("validation") for h in f.history]


@pytest.mark.parametrize(("values", "patience", "stop"), [([3, 2, 1], 1, False), ([3, 2, 2], 1, True), ([2, 3, 1, 4], 2, False), ([1, 2, 3], 2, True), ([1, 2], 2, False), ([], 2, False)])
def test_the_rule_to_stop_by(values, patience, stop):
    f = lda.fit(TRAIN, 2, sweeps=0)
    history = [{"sweep": i, "validation": v} for i, v in enumerate(values)]
    f = f._replace(history=(*history, {"sweep": 9}))
    assert validation.no_better(f, patience) is stop
