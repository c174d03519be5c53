"""The tour: its schedules and starts, the run that it shows, its scores, its table."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import recommended
from lda_reference.app import tour as tours
from lda_reference.fitting import SETTLED, sweep_rng

from .helpers import printed, rows_of

BARS, PRIOR = tours.embedded(), lda.Prior(0.1, 0.1)
TRAIN, TEST = lda.split(BARS.corpus.types(), "tokens", 0.1, sweep_rng(0, 0))


def tour_of_bars(algorithms, sweeps=4, seed=0, **options):
    return list(tours.tour(BARS.corpus, 10, PRIOR, sweeps, seed, algorithms=algorithms, **{"learn": False, **options}))


def table_of(tour_output):
    (table,) = (paragraph for paragraph in tour_output.split("\n\n") if paragraph.startswith("algorithm"))
    return {line.split()[0]: [cell for i, cell in enumerate(line.split()) if i != 4] for line in table.splitlines()[1:]}


def numbers_of(folder):
    rows = rows_of((folder / "tour.csv").read_text("utf-8"))
    return [{column: cell for column, cell in row.items() if column != "seconds"} for row in rows]


def test_the_table_is_that_of_the_recommended_runs_and_repeats_except_for_the_seconds(tmp_path, capsys):
    out, csv_rows = printed(capsys, "tour", "--sweeps", 2, "--seed", 3, "--out", tmp_path).out, numbers_of(tmp_path)
    assert (tmp_path / "tour.png").read_bytes()[:4] == b"\x89PNG"
    topic_lines = out.partition("by cvb0\n")[2].split("\n\n")[0].splitlines()
    c = lda.bible.corpus()
    phi_wk = lda.fit(c, 12, "cvb0", PRIOR, 2, seed=3).phi_wk
    assert {line.split("%  ")[1] for line in topic_lines} == {" ".join(c.vocab[w] for w in word_ids) for word_ids in lda.top_words(phi_wk, 10).T}
    assert ">Pharaoh<" in (tmp_path / "bible.html").read_text("utf-8")
    cells_of_algorithm = table_of(out)
    able_algorithms = [name for name, A in lda.ALGORITHMS.items() if A.is_sampler or callable(A.bound_of) or callable(A.objective_of)]
    assert list(cells_of_algorithm) == [name for name in able_algorithms if name != "convolution"]  # plain code for a small corpus
    assert [output_line.split()[2] for output_line in out.splitlines() if output_line.startswith("left out:")] == [name for name in lda.ALGORITHMS if name not in cells_of_algorithm]
    for name, cells in cells_of_algorithm.items():
        assert tuple(cells[1:3]) == recommended.schedule_and_start(lda.ALGORITHMS[name], TRAIN)
        algorithm_rows = [row for row in csv_rows if row["algorithm"] == name]
        assert float(algorithm_rows[-1]["perplexity"]) == pytest.approx(float(cells[6]), abs=0.006)
        is_sampler = lda.ALGORITHMS[name].assignment == "sample"
        assert {int(row["seed"]) for row in algorithm_rows} <= ({3} if is_sampler else {3, 4, 5})
    assert len(csv_rows) == 2 * len(cells_of_algorithm)
    algorithms = ("vb", "cgs", "cvb1s")
    for seed in (3, 4):
        new_cells_of_algorithm = table_of(printed(capsys, "tour", "--sweeps", 2, "--seed", seed, "--algorithms", ",".join(algorithms), "--out", tmp_path).out)
        assert [new_cells_of_algorithm[name] == cells_of_algorithm[name] for name in algorithms] == [seed == 3] * 3
        assert (numbers_of(tmp_path) == [row for row in csv_rows if row["algorithm"] in algorithms]) == (seed == 3)


@pytest.mark.parametrize("algorithm", ["map", "cvb0"])
def test_the_training_tokens_choose_the_run_that_is_shown(algorithm):
    A, chosen_runs = lda.ALGORITHMS[algorithm], set()
    p = tours.shifted(PRIOR, A.prior_offset)
    schedule_name, start_name = recommended.schedule_and_start(A, TRAIN)
    for seed in range(3):
        (tour_entry,) = tour_of_bars([algorithm], sweeps=5, seed=seed)
        train_corpus, test_corpus = lda.split(BARS.corpus.types(), "tokens", 0.1, sweep_rng(seed, 0))
        fits = [lda.fit(train_corpus, 10, algorithm, p, 5, schedule_name, start_name, seed=seed + run_number) for run_number in range(3)]
        objective_of = A.objective if algorithm == "map" else A.bound
        objectives = [objective_of(f.state, train_corpus, p) / train_corpus.N for f in fits]
        best_fit = fits[int(np.argmax(objectives))]
        assert tour_entry.fit.seed == best_fit.seed
        assert np.array_equal(tour_entry.fit.phi_wk, best_fit.phi_wk)
        assert tour_entry.spread == pytest.approx(np.ptp(objectives), rel=1e-12)
        assert tour_entry.bound == (None if algorithm == "map" else pytest.approx(max(objectives), rel=1e-12))
        assert tour_entry.perplexity == pytest.approx(lda.perplexity(test_corpus, best_fit.theta_jk, best_fit.phi_wk), rel=1e-12)  # TNW06 (19)
        chosen_runs.add(best_fit.seed - seed)
    assert len(chosen_runs) > 1  # not always the first


def test_the_run_that_learns_has_the_schedule_and_the_start_of_the_one_that_is_shown(tmp_path, capsys):
    table, seed_of = table_of(printed(capsys, "tour", "--sweeps", 17, "--algorithms", "ml,vb,vem,cvb0", "--out", tmp_path).out), {row["algorithm"]: int(row["seed"]) for row in numbers_of(tmp_path)}
    assert table["ml"][-3:] == ["-", "-", "-"]
    assert table["vem"][-2] == "-"
    for algorithm, schedule, start in (("vb", "nested", "collapsed"), ("cvb0", "block", "topics")):
        f = lda.fit(TRAIN, 10, algorithm, None, 17, schedule, start, seed=seed_of[algorithm], learn="alpha,eta")
        perplexity = lda.perplexity(TEST, f.theta_jk, f.phi_wk)
        assert table[algorithm][-3:] == [f"{f.prior.alpha:.4g}", f"{f.prior.eta:.4g}", f"{perplexity:.2f}"]


def test_a_run_ends_when_gamma_no_longer_changes():
    map_entry, gibbs_entry = tour_of_bars(["map", "gibbs"], 150)
    assert gibbs_entry.fit.sweeps == 150
    is_settled = [history_entry["change"] < SETTLED for history_entry in map_entry.fit.history]
    assert map_entry.fit.sweeps == is_settled.index(True) + 1 < 150


def test_a_sampler_is_scored_by_the_average_of_its_samples():  # TNW06 (20)
    (tour_entry,) = tour_of_bars(["cgs"], sweeps=6, seed=1)
    train_corpus, test_corpus = lda.split(BARS.corpus.types(), "tokens", 0.1, sweep_rng(1, 0))
    A = lda.ALGORITHMS["cgs"]
    s = A.init(train_corpus, 10, PRIOR, rng=sweep_rng(1, 0))
    theta_phi_samples = []
    for sweep_number in range(1, 7):
        s = A.sweep(s, train_corpus, PRIOR, rng=sweep_rng(1, sweep_number))
        if sweep_number > 3:
            theta_phi_samples.append(A.estimate(s, train_corpus, PRIOR))
    theta, phi = (np.stack(parameter_samples, axis=1) for parameter_samples in zip(*theta_phi_samples, strict=True))
    assert tour_entry.perplexity == pytest.approx(lda.perplexity(test_corpus, theta, phi), rel=1e-12)
    assert (tour_entry.bound, tour_entry.spread, tour_entry.fit.start) == (None, None, "one-hot")


def test_the_highest_bound_and_not_the_perplexity_chooses_whose_topics_are_shown():
    ml_entry, gibbs_entry, cvb0_entry, vb_entry = tour_of_bars(["ml", "gibbs", "cvb0", "vb"], sweeps=1)
    higher_vb_entry, lower_cvb0_entry = vb_entry._replace(bound=-2.0, perplexity=9.0), cvb0_entry._replace(bound=-3.0, perplexity=1.0)
    assert tours.best([ml_entry, gibbs_entry, lower_cvb0_entry, higher_vb_entry]) is tours.best([higher_vb_entry, lower_cvb0_entry]) is higher_vb_entry
    assert tours.shown_topics(higher_vb_entry).startswith("Topics of vb, whose bound is the highest,")
    assert tours.best([ml_entry, gibbs_entry]) is ml_entry
    assert tours.shown_topics(ml_entry).startswith("Topics of ml, the first,")
