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


@pytest.mark.parametrize("A_name", ["vb", "cvb0", "cgs", "ml"])
def test_runs_are_those_of_fit_matched_with_the_best(A_name):
    A, K, R = lda.ALGORITHMS[A_name], 3, 4
    h = validation.halves(TEXTS, default_rng(1))
    s = stability(TEXTS, K, A, P, R, sweeps=8, seed=5, h=h)
    f = lda.fit(TEXTS, K, A, P, 8, replicates=R, seed=5)
    if A_name == "cgs":
        bound = [lda.log_joint_collapsed(*lda.model.counts_of(f.state.z[:, r], TEXTS, K), P) / TEXTS.N for r in range(R)]
    else:
        bound = (A.objective if A_name == "ml" else A.bound)(f.state, TEXTS, P) / TEXTS.N
    assert_allclose(s.value, bound, rtol=1e-12)
    assert s.best == np.argmax(bound)
    assert_array_equal(s.phi_wk, f.phi_wk[:, s.best])
    for row, r in zip(s.distance, [r for r in range(R) if r != s.best], strict=True):
        cost = [sum(0.5 * np.abs(f.phi_wk[:, r, order[k]] - s.phi_wk[:, k]).sum() for k in range(K)) for order in permutations(range(K))]
        assert row.sum() == pytest.approx(min(cost))
        assert s.perplexity[r] == pytest.approx(validation.completion(A, h, f.phi_wk[:, r], P, 5), rel=1e-12)
    assert_array_equal(s.comes_back, (s.distance < SAME).mean(0))
    for row, new_word, r in zip(s.distance_by_chance, s.exchanged, [r for r in range(R) if r != s.best], strict=True):
        assert_array_equal(row, lda.match_topics(f.phi_wk[new_word, r], s.phi_wk)[1])
    assert_array_equal(s.comes_back_by_chance, (s.distance_by_chance < SAME).mean(0))
    p_w = s.phi_wk @ (s.N_wk.sum(0) / TEXTS.N)
    assert s.perplexity_by_chance == pytest.approx(np.exp(-(h.heldout.n @ np.log(p_w[h.heldout.w])) / h.heldout.N), rel=1e-12)


def test_words_change_places_with_words_about_as_frequent():
    N_w = default_rng(0).permutation(np.r_[np.zeros(50), np.arange(1, 301)])
    new_word = exchanged(N_w, default_rng(1))
    assert_array_equal(np.sort(new_word), np.arange(350))
    assert_array_equal(new_word[N_w == 0], np.flatnonzero(N_w == 0))
    assert NEAR_PLACES / 2 < np.abs(N_w - N_w[new_word]).max() < NEAR_PLACES
    assert np.mean(new_word[N_w > 0] == np.flatnonzero(N_w)) < 0.1


@pytest.mark.parametrize(("word_step", "chance_back"), [(20, [0, 0, 0]), (0, [1, 1, 1])])
def test_topics_are_as_by_chance_where_they_are_alike(word_step, chance_back):
    rng = default_rng(0)
    documents = [rng.integers(0, 20, 40) + word_step * (j % 3) for j in range(60)]  # of three topics, or of one
    c = lda.Corpus.from_documents(documents, W=60)
    s = stability(c, 3, lda.ALGORITHMS["cvb0"], lda.Prior(0.1, 0.1), 5, sweeps=60)
    assert s.comes_back.tolist() == [1, 1, 1]
    assert s.comes_back_by_chance.tolist() == chance_back
    assert s.perplexity_by_chance is None
    npmi, npmi_by_chance = coherences(s, c)
    assert ((npmi > npmi_by_chance + 0.3) == (word_step > 0)).all()
    chance_npmi = [coherence(s.phi_wk[new_word], c, 10, "npmi", s.N_wk[new_word]) for new_word in s.exchanged]
    assert_allclose(npmi_by_chance, np.mean(chance_npmi, axis=0), rtol=1e-12)


def test_an_empty_topic_does_not_come_back(tmp_path, capsys):
    c = lda.Corpus.from_documents([[0] * 9] * 6)
    s = stability(c, 3, lda.ALGORITHMS["cvb0"], P, 3, sweeps=60)
    assert len(s.empty) == 2
    assert s.comes_back.sum() == 1
    (tmp_path / "c.txt").write_text("one two one\n" * 9)
    command = f"stability --corpus {tmp_path / 'c.txt'} --topics 2 3 --runs 3 --out {tmp_path / 'out'}"
    assert main(command.split()) == 0
    assert capsys.readouterr().out.count("(empty)") == 3


def test_the_command_writes_what_it_prints(tmp_path, capsys):
    c_path = tmp_path / "c.txt"
    c_path.write_text("\n".join(" ".join("word" + "abcdefghijkl"[w] for w in TEXTS.w[TEXTS.j == j]) for j in range(TEXTS.D)), "utf-8")
    command = ["stability", "--corpus", str(c_path), "--topics", "2,3", "--runs", "3", "--sweeps", "5", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    output = capsys.readouterr().out
    table = rows_of((tmp_path / "out" / "stability.csv").read_text("utf-8"))
    assert [(row["K"], row["run"]) for row in table] == [(K, r) for K in "23" for r in "012"]
    n_move = sum(float(row["change"]) >= fitting.SETTLED for row in table)
    assert f"\nNot converged: {n_move} of 6 runs (change up to {max(float(row['change']) for row in table):.3g}, limit 0.0001).\n" in output
    for K in "23":
        bounds = np.array([float(row["bound per token"]) for row in table if row["K"] == K])
        assert f"{bounds.mean():.4f} ± {bounds.std(ddof=1):.4f}" in output
        (best_row,) = (row for row in table if row["K"] == K and row["best"] == "1")
        assert float(best_row["bound per token"]) == bounds.max()
        assert best_row["topics of the best run"] == K
        compared_rows = [row for row in table if row["K"] == K and row["best"] == "0"]
        back = sum(int(row["topics by chance"]) for row in compared_rows) / len(compared_rows)
        topic_rows = [row for row in rows_of((tmp_path / "out" / "topics.csv").read_text("utf-8")) if row["K"] == K]
        assert back == pytest.approx(sum(float(row["comes back by chance"]) for row in topic_rows))
        npmi = np.mean([float(row["coherence (NPMI) by chance"]) for row in topic_rows])
        line = f"by chance {float(best_row['perplexity by chance']):.1f} {back:.1f} of {K} {back / int(K):.0%} {npmi:.3f}"
        assert line in [" ".join(output_line.split()) for output_line in output.splitlines()]
    assert re.search(r"^For prediction, K (= \d+ is recommended|is undecided): .+\.$", output, re.MULTILINE)
    assert (tmp_path / "out" / "stability.png").stat().st_size > 5000


@pytest.mark.parametrize("A_name", ["vb", "cvb0", "cgs"])
def test_completion_folds_the_known_halves_in_and_scores_the_others(A_name):
    A, p = lda.ALGORITHMS[A_name], lda.Prior(0.3, 0.2)
    f = lda.fit(TRAIN, 6, A_name, p, sweeps=3)
    schedule = "corpus" if "corpus" in A.schedules else A.schedules[0]
    theta_jk = lda.fold_in(A, HALVES.known, f.phi_wk, p, fitting.sweep_rng(4, 1), 20, schedule=schedule)
    perplexity = lda.perplexity(HALVES.heldout, theta_jk, f.phi_wk)
    assert validation.completion(A, HALVES, f.phi_wk, p, 4) == pytest.approx(perplexity, rel=1e-12)


def test_words_that_no_topic_has_are_left_out_of_both_halves():
    phi_wk = np.array([[0.5, 0.2], [0.5, 0.8], [0.0, 0.0]])
    h_with = validation.Halves(lda.Corpus.from_documents([[0, 2, 1]], W=3), lda.Corpus.from_documents([[2, 1]], W=3))
    h_lack = validation.Halves(lda.Corpus.from_documents([[0, 1]], W=3), lda.Corpus.from_documents([[1]], W=3))
    scores = [validation.completion(lda.ALGORITHMS["cvb0"], h, phi_wk, lda.Prior(0.1, 0.1), 0) for h in (h_with, h_lack)]
    assert scores[0] == scores[1] < np.inf
