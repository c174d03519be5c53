"""What a reader of texts meets: languages, markup, copies, names of documents, two models, a step by hand."""

import html
import io
import json
import re

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.app import where
from lda_reference.formats import read
from lda_reference.formats.selection import stop_words

from .helpers import printed, refusal, rows_of, run

pytestmark = pytest.mark.usefixtures("inside")
FRUIT, TOOLS = "apple pear plum apple pear plum", "nut bolt screw nut bolt screw"


@pytest.fixture
def fit_output(tmp_path, capsys):
    """A model of a folder of texts, two of them copies."""
    (tmp_path / "letters").mkdir()
    for file_name, text in (("a.txt", FRUIT), ("b.txt", TOOLS), ("c.txt", FRUIT + " fig"), ("d\x1b.txt", TOOLS)):
        (tmp_path / "letters" / file_name).write_text(text)
    return printed(capsys, "fit", "--corpus", "letters", "--topics", 2, "--sweeps", 30, "--out", "m", "-q")


def test_names_of_documents_stay_in_the_model(fit_output, capsys):
    document_names = [row["document"] for row in rows_of(printed(capsys, "documents", "m", "--csv").out)]
    assert document_names == ["a.txt", "b.txt", "c.txt", r"d\x1b.txt"]


def test_infer_shows_words_and_marks_texts_without_a_known_one(fit_output, capsys, tmp_path):
    (tmp_path / "new.txt").write_text("apple plum kiwi\nkiwi mango\n")
    infer_lines = printed(capsys, "infer", "m", "--corpus", "new.txt").out.splitlines()
    assert re.match(r"0  topic \d \((apple|pear|plum) \w+ \w+\) \d\d.*  \(the model knows 2 words of it\)$", infer_lines[0])
    assert infer_lines[1] == "1  no word that the model knows"
    assert [row["known_tokens"] for row in rows_of(printed(capsys, "infer", "m", "--corpus", "new.txt", "--csv").out)] == ["2", "0"]
    documents = json.loads(printed(capsys, "infer", "m", "--corpus", "new.txt", "--json").out)["documents"]
    assert [document["known_tokens"] for document in documents] == [2, 0]


def test_copies_are_counted(fit_output):
    assert r"documents with exactly the words of an earlier one: 1 (d\x1b.txt those of b.txt); topics may describe copies." in fit_output.err


def test_one_document_and_a_run_that_still_moves_are_named(tmp_path, capsys):
    (tmp_path / "t.txt").write_text(f"{FRUIT} {TOOLS}")
    command = "fit --corpus t.txt --topics 2 --out m --seed 1 --max-documents 100% --stopwords none --start dirichlet --schedule corpus --sweeps"
    output = printed(capsys, *command.split(), 1)
    assert "one document: topics need many, so put each text into a file of its own, or on a line" in output.err
    assert "t.txt, read as text: 1 documents, one a line, 6 words, 12 tokens" in output.out
    assert "The run has not converged: more sweeps may still change the topics. To go on, " in output.out
    assert "and --resume --sweeps 3.\n" in output.out
    assert run("fit", "--corpus", "t.txt", "--out", "m", "--resume", "--sweeps", 3) == 0


def test_one_text_in_a_file_is_no_corpus_without_a_word(tmp_path):
    lines = [f"line {'abcdefghijklmnopqrstuvwxyz'[i % 26]} of one text that was wrapped" for i in range(40)]
    (tmp_path / "t.txt").write_text("\n".join(lines))
    assert any(warning.startswith("each line is a document, and has 8 words on average") for warning in read(tmp_path / "t.txt").warnings())
    (tmp_path / "long.txt").write_text("\n".join(f"{line} " * 20 for line in lines))
    assert not any(warning.startswith("each line") for warning in read(tmp_path / "long.txt").warnings())


def test_lists_of_other_languages():
    stop_words_module = pytest.importorskip("stop_words")
    assert {"le", "avec"} <= stop_words("french") == stop_words(stop_words_module.get_stop_words("french"))
    assert "것" in stop_words("korean")
    assert "결과에" not in stop_words("korean")  # of "결과에 이르다", to lead to a result
    with pytest.raises(ValueError, match=r"'klingon', expected a file, or one of arabic, .*french"):
        stop_words("klingon")


def test_two_models_of_different_words_side_by_side(tmp_path, capsys):
    documents = [FRUIT.split(), TOOLS.split(), ["red", "blue", "green"] * 2] * 8
    for K, documents_of_model in ((2, [*documents, ["ant"]]), (3, documents)):
        (tmp_path / "t.txt").write_text("\n".join(map(" ".join, documents_of_model)))
        printed(capsys, "fit", "--corpus", "t.txt", "--topics", K, "--sweeps", 60, "--seed", 1, "--out", f"m{K}", "-q")
    compare_rows = rows_of(printed(capsys, "compare", "m2", "m3", "--csv").out)
    phi_of_word_a, phi_of_word_b = (dict(zip(f.vocab, f.phi_wk.tolist(), strict=True)) for f in map(lda.load, ("m2", "m3")))
    assert set(phi_of_word_a) - set(phi_of_word_b) == {"ant"}
    distances = [[sum(abs(phi_of_word_a[word][k] - phi_of_word_b.get(word, [0] * 3)[other_k]) for word in phi_of_word_a) / 2 for other_k in range(3)] for k in range(2)]
    assert sorted(int(row["other_topic"]) for row in compare_rows) == [0, 1, 2]
    for row in compare_rows:
        k, other_k = int(row["topic"]), int(row["other_topic"])
        n_partners = sum(int(other_row["topic"]) == k and float(other_row["distance"]) < 0.5 for other_row in compare_rows)
        assert row["what"] == ("moves", "stays", "splits", "splits")[n_partners]
        assert float(row["distance"]) == pytest.approx(distances[k][other_k])
        assert distances[k][other_k] == min(distances_of_k[other_k] for distances_of_k in distances)
    assert "m3 has more topics than m2, expected the model with fewer topics first" in refusal(capsys, "compare", "m3", "m2")
    assert printed(capsys, "compare", "m2", "m3").out.count(", distance ") == 3
    (tmp_path / "u.txt").write_text("one two three\n")
    printed(capsys, "fit", "--corpus", "u.txt", "--topics", 2, "--sweeps", 1, "--out", "u", "-q")
    pairs = json.loads(printed(capsys, "compare", "m2", "u", "--json").out)["pairs"]  # all distances are 1
    assert [(pair["topic"], pair["other_topic"]) for pair in pairs if pair["what"] == "alone"] == [(1, None)]


def test_the_model_keeps_what_was_read_and_the_report_prints_it(tmp_path, capsys):
    (tmp_path / "t.txt").write_text("\n".join(f"{FRUIT} the\n{TOOLS} <b>" for _ in range(8)))
    (tmp_path / "<my>.txt").write_text(FRUIT.split()[0])
    reading_sentence = printed(capsys, "fit", "--corpus", "t.txt", "--stop-words", "english,<my>.txt", "--topics", 2, "--sweeps", 2, "--out", "m", "-q").err.splitlines()[0]
    assert run("fit", "--corpus", "t.txt", "--resume", "--sweeps", 3, "--out", "m", "-q") == 0
    assert run("report", "m", "--out", "m.html") == 0
    reading_text = json.loads((tmp_path / "m" / "model.json").read_text("utf-8"))["reading"]
    assert reading_text == f"{reading_sentence}; lists of stop words: english, <my>.txt"
    assert f"<dd>{html.escape(reading_text)}; digest {lda.load('m').corpus}</dd>" in (tmp_path / "m.html").read_text("utf-8")


@pytest.mark.parametrize("algorithm", sorted(where.PLAYED))
def test_play_steps_through_the_updates_of_the_plain_text(monkeypatch, capsys, algorithm):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 13 + "q\n"))
    out = printed(capsys, "play", "--algorithm", algorithm).out
    assert out.count("document  ") == 14  # one sweep of 13 tokens, and the first token of the next
    new_gamma, old_gamma = ([[float(x) for x in re.findall(r"\d\.\d{3}", line)] for line in out.splitlines() if line.startswith(f"  {age} gamma ")] for age in ("new", "old"))
    assert old_gamma[13] == new_gamma[0]
    if algorithm != "cgs":
        j, w = [0] * 4 + [1] * 4 + [2] * 5, [3, 0, 4, 3, 0, 2, 1, 2, 4, 3, 1, 2, 0]
        gamma = np.random.default_rng(0).dirichlet([1.0] * 2, 13)
        prior_number = 0.5 + lda.ALGORITHMS[algorithm].prior_offset
        plain_gamma = plain.sweep(algorithm, gamma, {"j": j, "w": w, "n": [1] * 13, "D": 3, "W": 5}, {"alpha": prior_number, "eta": prior_number})
        np.testing.assert_allclose(new_gamma[:13], plain_gamma, atol=5.1e-4)
    else:
        assert all(sorted(gamma_row) == [0, 1] for gamma_row in new_gamma)


def test_with_the_corpus_documents_marks_an_empty_text(tmp_path, capsys):
    (tmp_path / "t").mkdir()
    for file_name, text in zip("abc", (FRUIT, "", TOOLS), strict=True):
        (tmp_path / "t" / file_name).write_text(text)
    printed(capsys, "fit", "--corpus", "t", "--topics", 2, "--sweeps", 5, "--out", "m", "-q")
    lines = printed(capsys, "documents", "m", "--corpus", "t").out.splitlines()
    assert [line.endswith("no word that the model knows") for line in lines] == [False, True, False]
    assert [row["known_tokens"] for row in rows_of(printed(capsys, "documents", "m", "--corpus", "t", "--csv").out)] == ["6", "0", "6"]


def test_other_encodings_of_texts_and_of_a_stop_list_and_the_training_corpus_are_noticed(tmp_path, capsys):
    (tmp_path / "t").mkdir()
    for i, (text, codec) in enumerate((("été apple pear", "cp1252"), ("l’été nut", "utf-8"), ("plum fig.", "ascii"))):
        (tmp_path / "t" / f"{i}.txt").write_bytes(text.encode(codec) * 3)
    (tmp_path / "stop").write_bytes("été".encode("cp1252"))
    corpus_options = ("--corpus", "t", "--encoding", "cp1252")
    printed(capsys, "fit", *corpus_options, "--topics", 2, "--sweeps", 3, "-q", "--stop-words", "stop", "--out", "m")
    assert "été" not in lda.load("m").vocab
    assert "these documents are those of the training, so the number is too low\n" in printed(capsys, "perplexity", "m", *corpus_options).err
    (tmp_path / "new.txt").write_text("plum fig nut plum fig nut")
    assert "training" not in printed(capsys, "perplexity", "m", "--corpus", "new.txt").err
