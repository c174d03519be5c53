"""The command line, run as a reader would run it."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import table_1
from lda_reference.evaluation.document_evidence import left_to_right_perplexity
from lda_reference.fitting import sweep_rng
from lda_reference.truth import document

from .helpers import run


@pytest.fixture
def corpus(tmp_path):
    rng = np.random.default_rng(0)
    c = lda.synthetic.bars(rng, side=3, D=40, length=20).corpus.types()
    lda.write_corpus(c, tmp_path / "docword.txt", "uci", vocab=tmp_path / "vocab.txt")
    return tmp_path


def files(folder):
    return ("--corpus", folder / "docword.txt", "--vocab", folder / "vocab.txt")


def test_fit_resume_topics_perplexity(corpus, capsys):
    common = (*files(corpus), "--topics", 6, "--algorithm", "cgs", "--burn-in", 5, "--seed", 2)
    assert run("fit", *common, "--sweeps", 20, "--out", corpus / "whole") == 0
    assert run("fit", *common, "--sweeps", 13, "--out", corpus / "parts") == 0
    assert run("fit", *files(corpus), "--sweeps", 20, "--out", corpus / "parts", "--resume") == 0
    whole, parts = lda.load(corpus / "whole"), lda.load(corpus / "parts")
    np.testing.assert_array_equal(whole.theta_jk, parts.theta_jk)
    np.testing.assert_array_equal(whole.phi_wk, parts.phi_wk)
    np.testing.assert_array_equal(whole.state.z, parts.state.z)
    capsys.readouterr()
    assert run("topics", corpus / "whole", "--words", 3) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert all(len(line.split()) == 8 and line.split()[2].startswith("r") for line in lines)
    assert run("perplexity", corpus / "whole", *files(corpus)) == 0
    value = float(capsys.readouterr().out)
    assert 3 < value < 9  # less than nine, the perplexity of the uniform distribution over nine words
    assert not list(corpus.glob("whole/*.pkl"))


def test_perplexity_reads_plain_text_with_the_words_of_the_model(tmp_path, capsys):
    text = tmp_path / "texts.txt"
    text.write_text("apple pear plum apple\nnut bolt nut screw\npear plum apple\nbolt nut screw\n" * 5)
    assert run("fit", "--corpus", text, "--topics", 2, "--sweeps", 30, "--out", tmp_path / "m") == 0
    other = tmp_path / "other.txt"
    other.write_text("apple plum apple pear banana\nscrew bolt\n")
    capsys.readouterr()
    assert run("perplexity", tmp_path / "m", "--corpus", other) == 0
    captured = capsys.readouterr()
    assert 2 < float(captured.out) < 6
    assert "of 3 tokens" in captured.err  # banana is not a word of the model


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tour", "--topics", "3"], "--vocab, --format and --topics need --corpus"),
        (["tour", "--corpus", "{}/docword.txt"], "--corpus needs --topics K"),
        (["tour", "--corpus", "{}/docword.txt", "--topics", "0"], "--topics is 0"),
        (["tour", "--alpha", "0"], "tour: --alpha is 0.0"),
        (["tour", "--sweeps", "0"], "--sweeps is 0"),
        (["tour", "--algorithms", "vb,lda"], "--algorithms has 'lda'"),
        (["tour", "--sweeps", "x"], "invalid int value: 'x'"),
        (["tour", "--corpus", "{}/absent", "--topics", "3"], "absent: does not exist"),
        (["tour", "--corpus", "{}/docword.txt", "--vocab", "{}/short.txt", "--topics", "3"], "short.txt: 1 words, expected 9"),
        (["fit", "--corpus", "{}/docword.txt", "--out", "{}/m"], "--topics is missing, expected a number of topics"),
        (["fit", "--corpus", "{}/broken.txt", "--topics", "3", "--out", "{}/m"], "broken.txt, line 4: '0.5', expected a whole number"),
        (["fit", "--corpus", "{}/docword.txt", "--topics", "3", "--algorithm", "map", "--alpha", "1", "--out", "{}/m"], "alpha is 1.0, expected more than 1: map subtracts 1 from it"),
        (["fit", "--corpus", "{}/docword.txt", "--topics", "3", "--schedule", "nested", "--out", "{}/m"], "no schedule 'nested'"),
        (["fit", "--corpus", "{}/docword.txt", "--topics", "3", "--save-every", "0", "--out", "{}/m"], "--save-every is 0"),
        (["fit", "--corpus", "{}/docword.txt", "--resume", "--out", "{}/m"], "model.json: not found"),
        (["topics", "{}/m"], "model.json: not found"),
        (["perplexity", "{}/m", "--corpus", "{}/docword.txt"], "model.json: not found"),
        (["nothing"], "invalid choice: 'nothing'"),
        ([], "required: command"),
    ],
)
def test_bad_input_gives_a_one_line_error_and_exit_status_2(corpus, capsys, arguments, words):
    (corpus / "short.txt").write_text("word\n")
    (corpus / "broken.txt").write_text("1\n1\n1\n1 1 0.5\n")
    try:
        status = run(*(a.format(corpus) for a in arguments))
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    assert status == 2
    line = captured.err.strip()
    assert "\n" not in line
    assert words in line
    assert not (corpus / "m").exists()


@pytest.mark.skipif(os.name == "nt", reason="a closed pipe is another error on Windows")
def test_a_reader_that_stops_early_is_no_error(tmp_path):
    command = [sys.executable, "-W", "error", "-m", "lda_reference", "oracle", "list"]
    with open(tmp_path / "stderr", "w+b") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 0
        errors.seek(0)
        assert errors.read() == b""


def test_the_module_is_the_command(tmp_path):
    command = [sys.executable, "-m", "lda_reference", "topics", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("lda-reference topics: ")


def test_fit_does_not_overwrite_a_model(corpus, capsys):
    common = ("fit", *files(corpus), "--topics", 2, "--sweeps", 2, "--out", corpus / "m")
    assert run(*common) == 0
    before = (corpus / "m" / "model.json").read_bytes()
    assert run(*common) == 2
    assert "already holds a model, expected --resume or another folder" in capsys.readouterr().err
    assert (corpus / "m" / "model.json").read_bytes() == before
    assert run("fit", *files(corpus), "--sweeps", 5, "--alpha", 1, "--resume", "--out", corpus / "m") == 2
    assert run("fit", *files(corpus), "--sweeps", 5, "--topics", 3, "--resume", "--out", corpus / "m") == 2
    assert "--topics is 3, expected 2 as in the run to resume" in capsys.readouterr().err
    assert (corpus / "m" / "model.json").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_run_leaves_the_last_saved_model_whole(corpus):
    command = [sys.executable, "-m", "lda_reference.app.command_line", "fit", *map(str, files(corpus)), "--topics", "3"]
    command += ["--sweeps", "1000000", "--save-every", "1", "--out", str(corpus / "m")]
    for _ in range(3):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not (corpus / "m" / "model.json").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        f = lda.load(corpus / "m")
        assert f.sweeps == len(f.history) > 0
        assert json.loads((corpus / "m" / "model.json").read_text())["sweeps"] == f.sweeps
        command = [*command[:-2], "--resume", *command[-2:]] if "--resume" not in command else command


# Starts, stopping, learning the prior, estimators and the grid ------------------------------------------------------


def test_fit_takes_a_start_a_schedule_and_a_change_to_stop_by(corpus):
    model, c = corpus / "m", lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt")
    common = ("fit", *files(corpus), "--topics", 3, "--algorithm", "vb", "--schedule", "block", "--start", "topics", "--out", model)
    assert run(*common, "--sweeps", 2, "--stop", 1e-4) == 0
    assert run(*common, "--sweeps", 500, "--stop", 1e-4, "--resume") == 0
    f = lda.load(model)
    whole = lda.fit(c, 3, "vb", sweeps=500, schedule="block", start="topics", stop=1e-4, burn_in=1)
    assert 2 < f.sweeps < 500
    assert f == whole
    assert run(*common, "--sweeps", 501, "--start", "documents", "--resume") == 2


def test_fit_learns_the_prior_and_says_what_it_found(corpus, capsys):
    model = corpus / "m"
    assert run("fit", *files(corpus), "--topics", 3, "--out", model, "--sweeps", 18, "--learn", "alpha:asymmetric,eta", "--learn-after", 5) == 0
    printed = capsys.readouterr().out
    f = lda.load(model)
    assert (f.learn, f.learn_after, np.shape(f.prior.alpha)) == ("alpha:asymmetric,eta", 5, (3,))
    assert f"eta = {f.prior.eta:.4g}" in printed
    c = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt")
    g = lda.fit(c, 3, sweeps=18, learn="alpha:asymmetric,eta", learn_after=5)
    np.testing.assert_array_equal(g.prior.alpha, f.prior.alpha)
    assert run("fit", *files(corpus), "--out", model, "--sweeps", 20, "--resume") == 0
    assert lda.load(model).prior.eta == lda.fit(c, 3, sweeps=20, learn="alpha:asymmetric,eta", learn_after=5).prior.eta
    capsys.readouterr()
    assert run("fit", *files(corpus), "--out", model, "--sweeps", 30, "--resume", "--learn", "eta") == 2
    assert "--learn is given with --resume, expected none" in capsys.readouterr().err


def test_fit_with_a_hyperprior(corpus, capsys):
    model = corpus / "m"
    arguments = ("fit", *files(corpus), "--topics", 3, "--out", model, "--sweeps", 5, "--learn-after", 0)
    assert run(*arguments, "--algorithm", "cvb0", "--hyperprior", "eta:conjugate") == 2
    assert "only vb can have a hyperprior" in capsys.readouterr().err
    assert run(*arguments, "--algorithm", "vb", "--hyperprior", "eta:conjugate", "--learn", "alpha") == 0
    assert np.shape(lda.load(model).prior.eta) == (9,)


def test_fit_stops_early_by_validation(corpus, capsys):
    model = corpus / "m"
    assert run("fit", *files(corpus), "--topics", 6, "--out", model, "--algorithm", "ml", "--sweeps", 400, "--validate", corpus / "docword.txt") == 0
    f = lda.load(model)
    assert f.sweeps < 400
    assert "validation" in f.history[1]
    assert f"{f.sweeps} sweeps" in capsys.readouterr().out


def test_perplexity_by_estimator_or_of_whole_documents(corpus, capsys):
    model = corpus / "m"
    run("fit", *files(corpus), "--topics", 3, "--out", model, "--algorithm", "vb", "--sweeps", 10)
    capsys.readouterr()
    values = {}
    for options in ((), ("--estimator", "mean"), ("--estimator", "digamma"), ("--estimator", "counts"), ("--whole",)):
        train = ("--train", corpus / "docword.txt") if "--estimator" in options else ()
        assert run("perplexity", model, *files(corpus), *options, *train, "--sweeps", 30) == 0
        out, err = capsys.readouterr()
        values[options] = float(out)
        assert (options[-1] if "--estimator" in options else "the algorithm") in err
        assert ("all tokens" if options == ("--whole",) else "a random half of each document") in err
    assert values[()] == values["--estimator", "mean"]
    assert len(set(values.values())) == 4
    c = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt")
    f = lda.load(model)
    theta_jk = lda.fold_in(lda.ALGORITHMS["vb"], c, f.phi_wk, f.prior, sweep_rng(0, 1), 30)
    assert values["--whole",] == pytest.approx(lda.perplexity(c, theta_jk, f.phi_wk), abs=1e-4)
    assert run("perplexity", model, *files(corpus), "--estimator", "mean", "--train", corpus / "docword.txt", "--alpha", 0.6, "--eta", 0.7) == 0
    first, second = lda.split(c, "halves", rng=sweep_rng(0, 0))
    at = lda.Prior(0.6, 0.7)  # trained at 0.1, predicted at these
    phi_wk = lda.ALGORITHMS["vb"].estimate(f.state, c, at)[1]
    theta_jk = lda.fold_in(lda.ALGORITHMS["vb"], first, phi_wk, f.prior, sweep_rng(0, 1), 100, at=at)
    assert float(capsys.readouterr().out) == pytest.approx(lda.perplexity(second, theta_jk, phi_wk), abs=1e-4)
    lda.write_corpus(lda.Corpus.from_documents([[0]], W=9), corpus / "other.txt", "uci")
    for options, words in (
        (("--estimator", "mean"), "--estimator and --train need each other"),
        (("--estimator", "mean", "--train", corpus / "other.txt"), "another corpus, expected the one that the model was trained on"),
        (("--eta", 0.3), "--eta needs --estimator"),
    ):
        assert run("perplexity", model, *files(corpus), *options) == 2
        assert words in capsys.readouterr().err


def test_perplexity_by_left_to_right(corpus, capsys):
    model = corpus / "m"
    run("fit", *files(corpus), "--topics", 3, "--out", model, "--sweeps", 10)
    capsys.readouterr()
    arguments = ("perplexity", model, *files(corpus), "--estimator", "left-to-right")
    values = {}
    for options in ((), ("--particles", 200), ("--particles", 200, "--alpha", 2), ("--seed", 1)):
        assert run(*arguments, *options) == 0
        out, err = capsys.readouterr()
        values[options] = float(out)
        assert f"the products of {200 if '--particles' in options else 20} particles" in err
        assert float(re.search(r"; ([\d.]+) by the product of their means", err)[1]) == pytest.approx(float(out), rel=0.1)
    assert len(set(values.values())) == 4
    c, f = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt"), lda.load(model)
    for options, alpha in ((("--particles", 200), 0.1), (("--particles", 200, "--alpha", 2), 2.0)):
        exact = document.exact(c, f.phi_wk, lda.Prior(alpha))
        assert values[options] == pytest.approx(np.exp(-exact.sum() / c.N), rel=0.01)
    found = left_to_right_perplexity(c, f.phi_wk, f.prior, sweep_rng(0, 1))
    assert values[()] == pytest.approx(found.perplexity, abs=1e-4)
    for options, words in (
        (("--train", corpus / "docword.txt"), "--train is given with --estimator left-to-right, expected none: the topics are those of the model"),
        (("--eta", 0.2), "--eta is given with --estimator left-to-right"),
        (("--sweeps", 0), "--sweeps is given with --estimator left-to-right, expected none: nothing is folded in"),
        (("--whole",), "--whole is given with --estimator left-to-right"),
        (("--particles", 0), "particles is 0, expected a whole number from 1"),
        (("--alpha", -1), "alpha is -1.0"),
    ):
        assert run(*arguments, *options) == 2
        assert words in capsys.readouterr().err
    assert run("perplexity", model, *files(corpus), "--particles", 5) == 2
    assert "--particles needs --estimator left-to-right" in capsys.readouterr().err


def test_grid_prints_writes_and_draws(corpus, capsys):
    out = corpus / "g"
    arguments = ("grid", *files(corpus), "--topics", 3, "--sweeps", 3, "--validation", 0.25, "--out", out)
    assert run(*arguments, "--algorithm", "vb", "--alphas", "0.1,1", "--etas", "0.2,0.5") == 0
    printed = capsys.readouterr().out
    with open(out / "grid.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["alpha"], row["eta"]) for row in rows] == [("0.1", "0.2"), ("0.1", "0.5"), ("1.0", "0.2"), ("1.0", "0.5")]
    best = min(rows, key=lambda row: float(row["perplexity"]))
    assert f"best: alpha = {float(best['alpha']):g}, eta = {float(best['eta']):g}" in printed
    assert (out / "grid.png").read_bytes()[:4] == b"\x89PNG"
    assert run(*arguments, "--algorithm", "ml", "--alphas", "0.5,1") == 0
    assert "best: power = " in capsys.readouterr().out
    for options, words in ((("--alphas", "x"), "not a list of numbers"), (("--validation", 1), "a share above 0")):
        assert run(*arguments, *options) == 2
        assert words in capsys.readouterr().err


def test_table_1_is_printed(capsys):
    assert run("table-1") == 0
    assert capsys.readouterr().out == table_1.printed() + "\n"
