"""Words that a topic has from the prior alone are neither listed as its words nor scored."""

import json
import re

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.coherence import coherence
from lda_reference.own_words import HALF, first_words, tokens_of_words

from .helpers import printed, rows_of, run

WORDS = [f"{letter}{word}" for letter in "abc" for word in ("one", "two", "three", "four", "five")]
RNG = np.random.default_rng(0)
DOCUMENTS = [(5 * (j % 3) + RNG.integers(5, size=20)).tolist() for j in range(60)]  # three topics of five words
CORPUS = lda.Corpus.from_documents(DOCUMENTS, vocab=WORDS).types()


@pytest.mark.parametrize("algorithm", ["cvb0", "vb", "cgs", "gibbs", "map", "ml", "ep"])
@pytest.mark.parametrize("K", [1, 3])
def test_a_model_tells_its_words_as_its_corpus_does(algorithm, K):
    f = lda.fit(CORPUS, K, algorithm, sweeps=60, seed=1)
    N_wk = tokens_of_words(f, CORPUS)
    assert (N_wk >= HALF).sum() == 15
    np.testing.assert_array_equal(tokens_of_words(f) >= HALF, N_wk >= HALF)
    for k, word_ids in enumerate(first_words(f.phi_wk, N_wk, 10)):
        if K == 3:
            assert sorted(word_ids) == list(range(5 * (word_ids[0] // 5), 5 * (word_ids[0] // 5) + 5))
            phi_of_words = np.where(np.isin(np.arange(15), word_ids), f.phi_wk[:, k], 0)[:, None]
            assert coherence(f.phi_wk, CORPUS, 10, "npmi", N_wk)[k] == coherence(phi_of_words, CORPUS, 5)[0] > 0.8
    assert np.isnan(coherence(f.phi_wk, CORPUS, 10, "npmi", N_wk * (np.arange(15) == 0)[:, None])).all()


def test_the_commands_list_these_words_and_recommend_their_number(inside, capsys):
    (inside / "c.txt").write_text("\n".join(" ".join(WORDS[w] for w in document) for document in DOCUMENTS))
    command = ["stability", "--corpus", "c.txt", "--topics", "1,2,3,4,5", "--runs", 4, "--sweeps", 60, "--out", "s"]
    report = json.loads(printed(capsys, *command, "--json").out)
    assert (report["prediction"]["K"], report["reading"]["K"]) == (3, 3)
    topic_rows = rows_of((inside / "s" / "topics.csv").read_text("utf-8"))
    assert [(int(row["K"]), int(row["topic"])) for row in topic_rows] == [(K, k) for K in range(1, 6) for k in range(K)]
    assert [len(row["words"].split()) for row in topic_rows if row["K"] == "3"] == [5, 5, 5]
    lda.save(lda.fit(CORPUS, 3, sweeps=60), "m")
    topic_lines = printed(capsys, "topics", "m").out.splitlines()[1:]
    assert [(int(line.split()[0]), len(re.findall("[abc](?:one|two|three|four|five) ", line))) for line in topic_lines] == [(0, 5), (1, 5), (2, 5)]
    assert sum(int(row["own"]) for row in rows_of(printed(capsys, "topics", "m", "--csv").out)) == 15
    assert run("report", "m", "--quiet", "--out", "r.html") == 0
    assert len(re.findall("<li data-p=", (inside / "r.html").read_text("utf-8"))) == 15


def test_one_word_has_no_coherence(inside, capsys):
    (inside / "c.txt").write_text("cat cat\n" * 20)
    output = printed(capsys, *["stability", "--corpus", "c.txt", "--topics", "1,2", "--runs", "2", "--sweeps", "9", "--out", "s", "--json"])
    assert output.err.startswith("documents with exactly the words of an earlier one: 19 (number 1 (from 0) those of number 0 (from 0), ")
    report = json.loads(output.out)
    assert {row["coherence (NPMI)"] for row in report["topics"]} == {report["reading"]["K"]} == {None}
