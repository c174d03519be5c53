"""The command `fit`: what it reads, what it says, and runs that are resumed or interrupted."""

from pathlib import Path
from unittest.mock import DEFAULT, Mock

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import fitting

from .helpers import inputs, printed, run


@pytest.fixture
def fit(folder):
    """A function that fits a small model with further options, and returns the exit status."""

    def run_fit(*options):
        return run("fit", *inputs(folder), "--topics", 3, "--sweeps", 4, "--out", folder / "m", *options)

    return run_fit


def test_a_folder_that_holds_anything_else_is_refused_before_the_first_sweep(fit, folder, capsys, monkeypatch):
    monkeypatch.setattr("lda_reference.app.fit.fit", None)  # no sweep is made
    (folder / "m").mkdir()
    (folder / "m" / "letter.txt").write_text("mine")
    assert fit() == 2
    assert f"{folder / 'm'}: holds files but no model" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "n_sweeps_said"), [((), 4), (("--sweeps", 15), 15), (("--sweeps", 16), None), (("--sweeps", 60, "--stop", 100), None)])
def test_it_is_said_if_nothing_is_learned(fit, capsys, options, n_sweeps_said):
    assert fit("--learn", "alpha", "-q", *options) == 0
    expected_line = f"no prior is learned: learning begins after sweep 15, the run has {n_sweeps_said} sweeps\n"
    assert capsys.readouterr().err == (expected_line if n_sweeps_said else "")


def test_a_resumed_run_keeps_the_words_of_its_model(fit, folder, capsys):
    c = lda.read_corpus(folder / "docword.txt")
    document_share = sorted(np.bincount(c.w) / c.D)[4]
    share_options = ("--max-documents", document_share)
    assert fit(*share_options) == 0
    assert f"left out are words in more than {document_share:g} of the documents: " in capsys.readouterr().err
    assert 0 < len(lda.load(folder / "m").phi_wk) < 9
    assert fit("--resume") == 2
    assert "--sweeps is 4, expected more than the 4 of the model" in capsys.readouterr().err
    assert fit("--resume", "--sweeps", 8) == 0
    assert lda.load(folder / "m").sweeps == 8
    capsys.readouterr()
    output = printed(capsys, "perplexity", folder / "m", *inputs(folder))
    assert float(output.out) > 1
    assert "words outside the vocabulary, such as stop words: " in output.err


def test_a_samplers_default_burn_in_is_that_of_the_first_part(fit, folder):
    assert fit("--algorithm", "cgs", "--sweeps", 10) == 0
    assert fit("--resume", "--sweeps", 20) == 0
    assert lda.load(folder / "m").burn_in == 5  # as `fit --help` says; an unbroken run of 20 sweeps leaves out 10


def test_from_texts_to_topics(tmp_path, capsys):
    folder = tmp_path / "texts"
    for i in range(12):
        (folder / "ab"[i % 2]).mkdir(parents=True, exist_ok=True)
        text = ("The apple and the pear fell in 1984", "A bolt, a nut and 3 screws")[i % 2]
        (folder / "ab"[i % 2] / f"{i}.txt").write_text(text)
    (folder / "b" / "99.txt").write_text("zebra")
    printed(capsys, "fit", "--corpus", folder, "--stop-words", "english", "--no-numbers", "--min-documents", 2, "--topics", 2, "--sweeps", 30, "--out", tmp_path / "m")
    words_of_topics = {frozenset(word for word in line.split() if word.isalpha()) for line in printed(capsys, "topics", tmp_path / "m", "--words", 3).out.splitlines()[1:]}
    assert words_of_topics == {frozenset(("apple", "pear", "fell")), frozenset(("bolt", "nut", "screws"))}


@pytest.mark.parametrize(("last_sweep", "error", "exit_status", "reason"), [(1, KeyboardInterrupt, 130, "interrupted"), (14, MemoryError(), 2, "lda-reference fit: the memory is too small")])
def test_an_interrupted_run_keeps_its_last_sweep(folder, capsys, monkeypatch, last_sweep, error, exit_status, reason):
    c = lda.read_corpus(folder / "docword.txt", vocab=folder / "vocab.txt")
    command = ("fit", *inputs(folder), "--sweeps", 18, "-q", "--out", folder / "m")
    with monkeypatch.context() as patch:
        # called after each sweep: it does what it does so many times, and then raises the error
        call_effects = [*[DEFAULT] * last_sweep, error]
        patch.setattr(fitting, "numbers_of", Mock(wraps=fitting.numbers_of, side_effect=call_effects))
        assert run(*command, "--topics", 3, "--algorithm", "gibbs", "--burn-in", 2, "--learn", "eta") == exit_status
    message, _, advice = capsys.readouterr().err.partition(". To go on, ")
    assert message == f"{reason}; {folder / 'm'} has the model of sweep {last_sweep}"
    assert advice.endswith(" and --resume --sweeps 18.\n")
    assert lda.load(folder / "m").sweeps == last_sweep
    assert run(*command, "--resume") == 0
    assert lda.load(folder / "m") == lda.fit(c, 3, "gibbs", sweeps=18, burn_in=2, learn="eta")


@pytest.mark.parametrize("algorithm", ["gibbs", "cgs", "vb"])
def test_a_model_with_a_prior_at_its_limits_is_taken_by_every_command(inside, capsys, algorithm):
    Path("t.txt").write_text("\n".join(["apple pear fig apple"] * 9 + ["bolt nut screw bolt"] * 9))
    Path("v.txt").write_text("apple\nbolt\nfig\nnut\noak\npear\nscrew\nyew")
    corpus_options = ("--corpus", "t.txt", "--vocab", "v.txt")
    fit_options = ("--algorithm", algorithm, "--learn", "alpha:asymmetric,eta:asymmetric", "--start", "one-hot", "--out", "m")
    output = printed(capsys, "fit", *corpus_options, "--topics", 6, "--sweeps", 60, "--eta", 0.1, *fit_options).out
    assert "eta is floored at 1e-06 for 2 of 8 words\n" in output
    printed(capsys, "fit", *corpus_options, "--sweeps", 63, "--resume", "--out", "m")
    f = lda.load("m")
    floored_topics = np.flatnonzero(f.prior.alpha == 1e-6).tolist()
    assert f"alpha is floored at 1e-06 for {len(floored_topics)} of 6 topics\n" in output
    assert 0 < len(floored_topics) == f.history[-1]["alpha_floored"]
    for command in (["topics"], ["documents"], ["report", "--out", "r"], *([command_name, *corpus_options] for command_name in ("infer", "perplexity", "judge"))):
        assert "nan" not in printed(capsys, command[0], "m", *command[1:]).out.split()


@pytest.mark.parametrize(
    ("stop_word_lists", "kept_words"),
    [
        (["english", "my.txt,your.txt"], {"fell", "pear"}),
        (["a,b.txt", "your.txt"], {"the", "apple", "fell", "and"}),
    ],
)
def test_several_lists_of_stop_words_count_together(inside, stop_word_lists, kept_words):
    (inside / "t.txt").write_text("The apple fell\nbolt and pear\n")
    for file_name, listed_words in (("my.txt", "apple"), ("your.txt", "bolt"), ("a,b.txt", "pear")):
        (inside / file_name).write_text(listed_words)
    stop_word_options = [argument for stop_word_list in stop_word_lists for argument in ("--stop-words", stop_word_list)]
    assert run("fit", "--corpus", "t.txt", *stop_word_options, "--topics", 2, "--sweeps", 0, "--out", "m", "-q") == 0
    assert set(lda.load("m").vocab) == kept_words
