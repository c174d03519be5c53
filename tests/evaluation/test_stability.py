"""Stability against single runs that are matched by hand, its command, and the perplexity of validation documents."""

import re
from itertools import permutations

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

import lda_reference as lda
from lda_reference import fitting
from lda_reference.app.command_line import main
from lda_reference.app.stability import coherences
from lda_reference.evaluation import validation
from lda_reference.evaluation.coherence import coherence
from lda_reference.evaluation.stability import NEAR_PLACES, SAME, exchanged, stability

from ..app.helpers import rows_of

P = lda.Prior(0.2, 0.1)
TEXTS = lda.synthetic.draw(default_rng(0), np.full(40, 30), 3, 12, P).corpus
C = lda.synthetic.bars(default_rng(0), side=3, D=60).corpus
TRAIN, HELD_OUT = lda.split(C, "documents", 0.3, default_rng(1))
HALVES = validation.halves(HELD_OUT, default_rng(2))


@pytest.mark.parametrize("algorithm_name", ["vb", "cvb0", "cgs", "ml"])
def test_runs_are_those_of_fit_matched_with_the_best(algorithm_name):
    A, K, R = lda.ALGORITHMS[algorithm_name], 3, 4
    halves = validation.halves(TEXTS, default_rng(1))
    stability_of_runs = stability(TEXTS, K, A, P, R, sweeps=8, seed=5, h=halves)
    f = lda.fit(TEXTS, K, A, P, 8, replicates=R, seed=5)
    if algorithm_name == "cgs":
        bounds = [lda.log_joint_collapsed(*lda.model.counts_of(f.state.z[:, r], TEXTS, K), P) / TEXTS.N for r in range(R)]
    else:
        bounds = (A.objective if algorithm_name == "ml" else A.bound)(f.state, TEXTS, P) / TEXTS.N
    assert_allclose(stability_of_runs.value, bounds, rtol=1e-12)
    assert stability_of_runs.best == np.argmax(bounds)
    assert_array_equal(stability_of_runs.phi_wk, f.phi_wk[:, stability_of_runs.best])
    for distances, r in zip(stability_of_runs.distance, [r for r in range(R) if r != stability_of_runs.best], strict=True):
        order_distances = [sum(0.5 * np.abs(f.phi_wk[:, r, topic_order[k]] - stability_of_runs.phi_wk[:, k]).sum() for k in range(K)) for topic_order in permutations(range(K))]
        assert distances.sum() == pytest.approx(min(order_distances))
        assert stability_of_runs.perplexity[r] == pytest.approx(validation.completion(A, halves, f.phi_wk[:, r], P, 5), rel=1e-12)
    assert_array_equal(stability_of_runs.comes_back, (stability_of_runs.distance < SAME).mean(0))
    for distances, new_word, r in zip(stability_of_runs.distance_by_chance, stability_of_runs.exchanged, [r for r in range(R) if r != stability_of_runs.best], strict=True):
        assert_array_equal(distances, lda.match_topics(f.phi_wk[new_word, r], stability_of_runs.phi_wk)[1])
    assert_array_equal(stability_of_runs.comes_back_by_chance, (stability_of_runs.distance_by_chance < SAME).mean(0))
    p_w = stability_of_runs.phi_wk @ (stability_of_runs.N_wk.sum(0) / TEXTS.N)
    assert stability_of_runs.perplexity_by_chance == pytest.approx(np.exp(-(halves.heldout.n @ np.log(p_w[halves.heldout.w])) / halves.heldout.N), rel=1e-12)


def test_words_change_places_with_words_about_as_frequent():
    N_w = default_rng(0).permutation(np.r_[np.zeros(50), np.arange(1, 301)])
    new_word = exchanged(N_w, default_rng(1))
    assert_array_equal(np.sort(new_word), np.arange(350))
    assert_array_equal(new_word[N_w == 0], np.flatnonzero(N_w == 0))
    assert NEAR_PLACES / 2 < np.abs(N_w - N_w[new_word]).max() < NEAR_PLACES
    assert np.mean(new_word[N_w > 0] == np.flatnonzero(N_w)) < 0.1


@pytest.mark.parametrize(("word_step", "comes_back_by_chance"), [(20, [0, 0, 0]), (0, [1, 1, 1])])
def test_topics_are_as_by_chance_where_they_are_alike(word_step, comes_back_by_chance):
    rng = default_rng(0)
    documents = [rng.integers(0, 20, 40) + word_step * (j % 3) for j in range(60)]  # of three topics, or of one
    c = lda.Corpus.from_documents(documents, W=60)
    stability_of_runs = stability(c, 3, lda.ALGORITHMS["cvb0"], lda.Prior(0.1, 0.1), 5, sweeps=60)
    assert stability_of_runs.comes_back.tolist() == [1, 1, 1]
    assert stability_of_runs.comes_back_by_chance.tolist() == comes_back_by_chance
    assert stability_of_runs.perplexity_by_chance is None
    npmi, npmi_by_chance = coherences(stability_of_runs, lda.Corpus(c.j + 9, c.w, c.n, c.D + 30, c.W))  # and empty documents
    assert ((npmi > npmi_by_chance + 0.3) == (word_step > 0)).all()
    chance_npmi = [coherence(stability_of_runs.phi_wk[new_word], c, 10, "npmi", stability_of_runs.N_wk[new_word]) for new_word in stability_of_runs.exchanged]
    assert_allclose(npmi_by_chance, np.mean(chance_npmi, axis=0), rtol=1e-12)


def test_an_empty_topic_does_not_come_back(tmp_path, capsys):
    c = lda.Corpus.from_documents([[0] * 9] * 6)
    stability_of_runs = stability(c, 3, lda.ALGORITHMS["cvb0"], P, 3, sweeps=60)
    assert len(stability_of_runs.empty) == 2
    assert stability_of_runs.comes_back.sum() == 1
    (tmp_path / "c.txt").write_text("one two one\n" * 9)
    command = f"stability --corpus {tmp_path / 'c.txt'} --topics 2 3 --runs 3 --out {tmp_path / 'out'}"
    assert main(command.split()) == 0
    assert capsys.readouterr().out.count("(empty)") == 3


def test_the_command_writes_what_it_prints(tmp_path, capsys):
    corpus_path = tmp_path / "c.txt"
    corpus_path.write_text("\n".join(" ".join("word" + "abcdefghijkl"[w] for w in TEXTS.w[TEXTS.j == j]) for j in range(TEXTS.D)), "utf-8")
    command = ["stability", "--corpus", str(corpus_path), "--topics", "2,3", "--runs", "3", "--sweeps", "5", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    output = capsys.readouterr().out
    stability_rows = rows_of((tmp_path / "out" / "stability.csv").read_text("utf-8"))
    assert [(row["K"], row["run"]) for row in stability_rows] == [(K, run) for K in "23" for run in "012"]
    n_moving = sum(float(row["change"]) >= fitting.SETTLED for row in stability_rows)
    assert f"\nNot converged: {n_moving} of 6 runs (change up to {max(float(row['change']) for row in stability_rows):.3g}, limit 0.0001).\n" in output
    for K in "23":
        bounds = np.array([float(row["bound per token"]) for row in stability_rows if row["K"] == K])
        assert f"{bounds.mean():.4f} ± {bounds.std(ddof=1):.4f}" in output
        (best_row,) = (row for row in stability_rows if row["K"] == K and row["best"] == "1")
        assert float(best_row["bound per token"]) == bounds.max()
        assert best_row["topics of the best run"] == K
        compared_rows = [row for row in stability_rows if row["K"] == K and row["best"] == "0"]
        n_back_by_chance = sum(int(row["topics by chance"]) for row in compared_rows) / len(compared_rows)
        topic_rows = [row for row in rows_of((tmp_path / "out" / "topics.csv").read_text("utf-8")) if row["K"] == K]
        assert n_back_by_chance == pytest.approx(sum(float(row["comes back by chance"]) for row in topic_rows))
        npmi = np.mean([float(row["coherence (NPMI) by chance"]) for row in topic_rows])
        expected_line = f"by chance {float(best_row['perplexity by chance']):.1f} {n_back_by_chance:.1f} of {K} {n_back_by_chance / int(K):.0%} {npmi:.3f}"
        assert expected_line in [" ".join(output_line.split()) for output_line in output.splitlines()]
    assert re.search(r"^For prediction, K (= \d+ is recommended|is undecided): .+\.$", output, re.MULTILINE)
    assert (tmp_path / "out" / "stability.png").stat().st_size > 5000


@pytest.mark.parametrize("algorithm_name", ["vb", "cvb0", "cgs"])
def test_completion_folds_the_known_halves_in_and_scores_the_others(algorithm_name):
    A, p = lda.ALGORITHMS[algorithm_name], lda.Prior(0.3, 0.2)
    f = lda.fit(TRAIN, 6, algorithm_name, p, sweeps=3)
    schedule = "corpus" if "corpus" in A.schedules else A.schedules[0]
    theta_jk = lda.fold_in(A, HALVES.known, f.phi_wk, p, fitting.sweep_rng(4, 1), 20, schedule=schedule)
    perplexity = lda.perplexity(HALVES.heldout, theta_jk, f.phi_wk)
    assert validation.completion(A, HALVES, f.phi_wk, p, 4) == pytest.approx(perplexity, rel=1e-12)


def test_words_that_no_topic_has_are_left_out_of_both_halves():
    phi_wk = np.array([[0.5, 0.2], [0.5, 0.8], [0.0, 0.0]])
    halves_with_word = validation.Halves(lda.Corpus.from_documents([[0, 2, 1]], W=3), lda.Corpus.from_documents([[2, 1]], W=3))
    halves_without_word = validation.Halves(lda.Corpus.from_documents([[0, 1]], W=3), lda.Corpus.from_documents([[1]], W=3))
    scores = [validation.completion(lda.ALGORITHMS["cvb0"], halves, phi_wk, lda.Prior(0.1, 0.1), 0) for halves in (halves_with_word, halves_without_word)]
    assert scores[0] == scores[1] < np.inf
