"""The command line, run as a reader would run it."""

import subprocess
import sys

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import table_1
from lda_reference.app import command_line
from lda_reference.evaluation.document_evidence import left_to_right_perplexity
from lda_reference.fitting import sweep_rng

from .helpers import printed, refusal, run


def files(folder):
    return ("--corpus", folder / "docword.txt", "--vocab", folder / "vocab.txt")


def test_only_the_module_of_the_command_is_imported(tmp_path):
    code = "import sys; from lda_reference.__main__ import main\nfor x in ([], ['where', 'AWST09 (13)'], ['topics', 'none']): print(main(x), 'numpy' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    lines, errors = done.stdout.splitlines(), done.stderr.splitlines()
    commands = len(command_line.COMMANDS)
    assert [line.split()[0] for line in lines[:commands]] == list(command_line.COMMANDS)
    assert lines[commands].startswith("AWST09 (13), the CVB0 update: ")
    assert [*errors[:2], errors[-1]] == ["0 False", "0 False", "2 True"]
    assert errors[2].startswith("lda-reference topics: ")


def test_every_command_describes_itself(capsys):
    for name, (_, about) in command_line.COMMANDS.items():
        with pytest.raises(SystemExit) as stop:
            run(name, "--help")
        assert stop.value.code == 0
        assert about in " ".join(capsys.readouterr().out.split())


def test_fit_does_not_overwrite_a_model(corpus, capsys):
    common = ("fit", *files(corpus), "--topics", 2, "--sweeps", 2, "--out", corpus / "m")
    printed(capsys, *common)
    before = (corpus / "m" / "model.json").read_bytes()
    assert "already holds a model, expected --resume or another folder" in refusal(capsys, *common)
    assert (corpus / "m" / "model.json").read_bytes() == before
    assert "--topics is 3, expected 2 as in the run to resume" in refusal(capsys, "fit", *files(corpus), "--sweeps", 5, "--topics", 3, "--resume", "--out", corpus / "m")
    assert (corpus / "m" / "model.json").read_bytes() == before


def test_fit_takes_a_start_a_schedule_and_a_change_to_stop_by(corpus):
    model, c = corpus / "m", lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt")
    common = ("fit", *files(corpus), "--topics", 3, "--algorithm", "vb", "--schedule", "block", "--start", "topics", "--out", model)
    assert run(*common, "--sweeps", 2, "--stop", 1e-4) == 0
    assert run(*common, "--sweeps", 500, "--stop", 1e-4, "--resume") == 0
    f = lda.load(model)
    assert 2 < f.sweeps < 500
    assert f == lda.fit(c, 3, "vb", sweeps=500, schedule="block", start="topics", stop=1e-4, burn_in=1)
    assert run(*common, "--sweeps", 501, "--start", "documents", "--resume") == 2


def test_fit_learns_the_prior_and_says_what_it_found(corpus, capsys):
    model, learn = corpus / "m", "alpha:asymmetric,eta"
    out = printed(capsys, "fit", *files(corpus), "--topics", 3, "--out", model, "--sweeps", 18, "--learn", learn).out
    f = lda.load(model)
    assert (f.learn, f.learn_after, np.shape(f.prior.alpha)) == (learn, 15, (3,))
    assert f"eta = {f.prior.eta:.4g}" in out
    c = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt")
    assert f == lda.fit(c, 3, sweeps=18, learn=learn)
    assert "--learn is given with --resume, expected none" in refusal(capsys, "fit", *files(corpus), "--out", model, "--sweeps", 30, "--resume", "--learn", "eta")


def test_fit_with_a_hyperprior(corpus):
    arguments = ("fit", *files(corpus), "--topics", 3, "--out", corpus / "m", "--sweeps", 16)
    assert run(*arguments, "--algorithm", "vb", "--hyperprior", "eta:conjugate", "--learn", "alpha") == 0
    assert np.shape(lda.load(corpus / "m").prior.eta) == (9,)


def test_perplexity_by_estimator(corpus, capsys):
    model = corpus / "m"
    run("fit", *files(corpus), "--topics", 3, "--out", model, "--algorithm", "vb", "--sweeps", 10)
    capsys.readouterr()
    values = {}
    for estimator in (None, "mean", "digamma", "counts"):
        options = () if estimator is None else ("--estimator", estimator, "--train", corpus / "docword.txt")
        out, err = printed(capsys, "perplexity", model, *files(corpus), *options, "--sweeps", 30)
        values[estimator] = float(out)
        assert f"estimated by {estimator or 'the algorithm'}" in err
    assert values[None] == values["mean"]
    assert len(set(values.values())) == 3
    c, f, A = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt"), lda.load(model), lda.ALGORITHMS["vb"]
    observed, heldout = lda.split(c, "halves", rng=sweep_rng(0, 0))
    theta_jk = lda.fold_in(A, observed, f.phi_wk, f.prior, sweep_rng(0, 1), 30)
    assert values[None] == pytest.approx(lda.perplexity(heldout, theta_jk, f.phi_wk), abs=1e-4)


def test_perplexity_by_left_to_right(corpus, capsys):
    model = corpus / "m"
    run("fit", *files(corpus), "--topics", 3, "--out", model, "--sweeps", 10)
    c, f = lda.read_corpus(corpus / "docword.txt", vocab=corpus / "vocab.txt"), lda.load(model)
    capsys.readouterr()
    arguments = ("perplexity", model, *files(corpus), "--estimator", "left-to-right")
    for seed in (0, 1):
        out, err = printed(capsys, *arguments, "--seed", seed)
        answer = left_to_right_perplexity(c, f.phi_wk, f.prior, sweep_rng(seed, 1))
        assert float(out) == pytest.approx(answer.perplexity, abs=1e-4)
        assert f"the products of 20 particles; {answer.as_printed:.4f} by the product of their means" in err


def test_table_1_is_printed(capsys):
    assert printed(capsys, "table-1").out == table_1.printed() + "\n"
