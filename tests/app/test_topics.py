"""`topics`, `documents` and `infer`: what they print and write is what the model holds, and what fold_in finds."""

import html
import json

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.prediction import quickest_order
from lda_reference.fitting import sweep_rng

from ..helpers import write_corpus
from .helpers import printed, refusal, rows_of, write_bars

WORDS = ("apple", 'a "quoted", word', "öl", "nut", "pear", "plum", "bolt", "screw", "nail")


@pytest.fixture
def corpus(tmp_path):
    return write_bars(tmp_path, 30)


@pytest.fixture
def model(tmp_path, corpus):
    f = lda.fit(corpus, 4, sweeps=12, seed=1)
    lda.save(f, tmp_path / "m", WORDS)
    return f


def expected_topics(f, words, n_words):
    """(topic, share, rank, word id, word, probability), topics by number and words by probability."""
    D, K = f.theta_jk.shape
    share_k = [sum(f.theta_jk[j, k] for j in range(D)) / D for k in range(K)]
    for k in range(K):
        for rank, w in enumerate(sorted(range(len(f.phi_wk)), key=lambda w: -f.phi_wk[w, k])[:n_words], 1):
            yield k, share_k[k], rank, w, words[w], f.phi_wk[w, k]


def test_topics_as_a_table_csv_and_json(tmp_path, model, capsys):
    expected_rows = list(expected_topics(model, WORDS, 3))
    topic_lines = printed(capsys, "topics", tmp_path / "m", "--words", 3).out.splitlines()
    assert len(topic_lines) == 5
    for i, line in enumerate(topic_lines[1:]):
        topic_table_rows = expected_rows[3 * i : 3 * i + 3]
        assert line == f"{topic_table_rows[0][0]:>3} {topic_table_rows[0][1]:6.1%}  " + "  ".join(f"{expected_row[4]} {expected_row[5]:.3g}" for expected_row in topic_table_rows)
    csv_rows = rows_of(printed(capsys, "topics", tmp_path / "m", "--words", 3, "--csv").out)
    for row, (k, share, rank, w, word, probability) in zip(csv_rows, expected_rows, strict=True):
        assert (int(row["topic"]), int(row["rank"]), int(row["word_id"]), row["word"]) == (k, rank, w, word)
        assert float(row["share"]) == pytest.approx(share)
        assert float(row["probability"]) == probability  # to the last digit
    topics = json.loads(printed(capsys, "topics", tmp_path / "m", "--words", 3, "--json", "-").out)["topics"]
    topic_tuples = [(topic["topic"], word_entry["word_id"], word_entry["word"], word_entry["probability"]) for topic in topics for word_entry in topic["words"]]
    assert topic_tuples == [(k, w, word, probability) for k, _, _, w, word, probability in expected_rows]


def test_documents_have_theta(tmp_path, model, capsys):
    csv_rows = rows_of(printed(capsys, "documents", tmp_path / "m", "--csv").out)
    assert [int(row["document"]) for row in csv_rows] == list(range(30))
    theta = [[float(row[f"topic_{k}"]) for k in range(4)] for row in csv_rows]
    np.testing.assert_array_equal(theta, model.theta_jk)
    documents = json.loads(printed(capsys, "documents", tmp_path / "m", "--json").out)["documents"]
    np.testing.assert_array_equal([document["theta"] for document in documents], model.theta_jk)
    for j, line in enumerate(printed(capsys, "documents", tmp_path / "m").out.splitlines()):
        topic_order = sorted(range(4), key=lambda k: -model.theta_jk[j, k])
        topic_labels = [" ".join(WORDS[w] for w in np.argsort(-model.phi_wk[:, k], kind="stable")[:3]) for k in range(4)]
        assert line == f"{j}  " + "  ".join(f"topic {k} ({topic_labels[k]}) {model.theta_jk[j, k]:.1%}" for k in topic_order)


@pytest.mark.parametrize("algorithm", ["cvb0", "vb", "cgs", "gibbs"])
def test_infer_folds_in(tmp_path, corpus, model, capsys, algorithm):
    f = lda.fit(corpus, 4, algorithm, sweeps=8, seed=1)
    lda.save(f, tmp_path / "n", WORDS)
    new_corpus = lda.Corpus.from_documents([[0, 1, 3, 3], [3]], W=9).types()
    write_corpus(new_corpus, tmp_path / "new.txt", "ldac")  # LDA-C does not say that W is 9
    out, err = printed(capsys, "infer", tmp_path / "n", "--corpus", tmp_path / "new.txt", "--sweeps", 20, "--seed", 3, "--csv")
    assert "word w is taken for word w of the model" in err
    theta = [[float(row[f"topic_{k}"]) for k in range(4)] for row in rows_of(out)]
    np.testing.assert_array_equal(theta, lda.fold_in(f.algorithm, new_corpus, f.phi_wk, f.prior, sweep_rng(3, 1), 20, schedule=quickest_order(f.algorithm)))


def test_infer_matches_words_by_name_and_counts_the_others(tmp_path, capsys):
    (tmp_path / "old.txt").write_text("apple pear plum apple\nnut bolt nut screw\npear plum apple\nbolt nut screw\n" * 5)
    printed(capsys, "fit", "--corpus", tmp_path / "old.txt", "--topics", 2, "--sweeps", 30, "--out", tmp_path / "m")
    f = lda.load(tmp_path / "m")
    vocab = ("apple", "bolt", "nut", "pear", "plum", "screw")
    documents = [["apple", "plum", "banana", "apple"], ["kiwi", "banana"], ["screw", "zebra", "banana"]]
    (tmp_path / "new.txt").write_text("".join(" ".join(document) + "\n" for document in documents))
    out, err = printed(capsys, "infer", tmp_path / "m", "--corpus", tmp_path / "new.txt", "--json")
    known_word_ids = [[vocab.index(word) for word in document if word in vocab] for document in documents]
    theta = lda.fold_in(f.algorithm, lda.Corpus.from_documents(known_word_ids, vocab=vocab).types(), f.phi_wk, f.prior, sweep_rng(0, 1), schedule="corpus")
    np.testing.assert_array_equal([document["theta"] for document in json.loads(out)["documents"]], theta)
    assert "left out are words outside the vocabulary, such as stop words: 3 (5 tokens)" in err
    assert "documents without a word: 1\n" in err


def test_infer_leaves_out_words_that_no_topic_can_have(tmp_path, capsys):
    c = lda.Corpus.from_documents([[0, 1], [1, 0]], W=3).types()
    f = lda.fit(c, 2, "ml", sweeps=3)
    assert f.phi_wk[2].tolist() == [0, 0]
    lda.save(f, tmp_path / "m", ("x", "y", "z"))
    (tmp_path / "new.txt").write_text("x z z\n")
    err = printed(capsys, "infer", tmp_path / "m", "--corpus", tmp_path / "new.txt", "--csv").err
    assert "2 of 3 tokens left out, as no topic can have the word: 'z'" in err


def test_texts_of_other_words_alone_are_refused(tmp_path, model, capsys):
    (tmp_path / "new.txt").write_text("zebra\n")
    assert "new.txt: no word that the model knows" in refusal(capsys, "perplexity", tmp_path / "m", "--corpus", tmp_path / "new.txt")
    lda.save(model._replace(vocab=None), tmp_path / "m")
    (tmp_path / "new.txt").write_text("a b c d e f g h i\n")  # as many words as the model has
    assert "--vocab is missing, expected the words of the model, which has none" in refusal(capsys, "infer", tmp_path / "m", "--corpus", tmp_path / "new.txt", "--csv", tmp_path / "t.csv")
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.parametrize(("grouping", "group_names"), [("group", ["<Ann>", "Bob", "no group"]), ("year", ["1789", "1790", "no date"])])
def test_means_of_groups_and_years_are_weighted_by_tokens(tmp_path, monkeypatch, capsys, grouping, group_names):
    monkeypatch.chdir(tmp_path)
    texts = ["apple pear plum " * 4, "nut bolt", "apple nut " * 3, "the"]
    label_rows = [("a", "<Ann>", "1789-07"), ("b", "<Ann>", "1789"), ("c", "Bob", "1790"), ("d", "", "")]
    csv_lines = [",".join((*label_row, text)) for label_row, text in zip(label_rows, texts, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["nr,who,when,text", *csv_lines]))
    fit_command = "fit --corpus t.csv --column text --stop-words english --topics 3 --out m -q --sweeps"
    label_options, is_first = ["--group", "who", "--date", "when"], grouping == "group"
    printed(capsys, *fit_command.split(), 3, "--id", "nr", *label_options * is_first)
    printed(capsys, *fit_command.replace("--topics 3", "--resume").replace("--stop-words english", "").split(), 5, *label_options * (not is_first))
    assert (json.loads((tmp_path / "m" / "model.json").read_text())["reading"].count("; later group: 2 different, 1 missing; date: ")) == (not is_first)
    document_rows = rows_of(printed(capsys, "documents", "m", "--csv").out)
    assert [row["document"] for row in document_rows] == list("abcd")
    theta, N = np.array([[float(row[f"topic_{k}"]) for k in range(3)] for row in document_rows]), np.array([12, 2, 6, 0])
    expected_means = [(N[:2] @ theta[:2]) / 14, theta[2], theta[3]]
    assert [int(row["known_tokens"]) for row in document_rows] == N.tolist()  # a column of models with a document without words
    np.testing.assert_allclose([float(row["share"]) for row in rows_of(printed(capsys, "topics", "m", "--words", 1, "--csv").out)], theta[:3].mean(0))
    out = printed(capsys, "documents", "m", "--by", grouping, "--json").out
    group_means = json.loads(out)[f"{grouping}s"]
    assert [(group_mean[grouping], group_mean["documents"], group_mean["tokens"]) for group_mean in group_means] == list(zip(group_names, (2, 1, 1), (14, 6, 0), strict=True))
    np.testing.assert_allclose([group_mean["theta"] for group_mean in group_means], expected_means, rtol=1e-12)
    lda.save(lda.load("m"), "m")  # which leaves the groups and dates in the folder
    printed(capsys, "documents", "m", "--by", grouping, "--csv", "t")
    assert (tmp_path / "t").read_text().startswith(f"{grouping},documents,tokens,topic_0,")
    printed(capsys, "report", "m", "--out", "r.html")
    html_row = f"<tr><td>{html.escape(group_names[0])}</td><td class=\"n\">2</td><td class=\"n\">14</td>"
    assert html_row in (tmp_path / "r.html").read_text()
    assert rows_of(printed(capsys, "documents", "m", "--document", "b", "--csv").out) == document_rows[1:2]
    assert "--by is 'who', expected group or year" in refusal(capsys, "documents", "m", "--by", "who")
