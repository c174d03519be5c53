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

from .helpers import inputs, printed, refusal, run


def test_only_the_module_of_the_command_is_imported(tmp_path):
    program_code = "import sys; from lda_reference.__main__ import main\nfor x in ([], ['where', 'AWST09 (13)'], ['topics', 'none']): print(main(x), 'numpy' in sys.modules, file=sys.stderr)"
    process = subprocess.run([sys.executable, "-c", program_code], capture_output=True, text=True, cwd=tmp_path)
    stdout_lines, stderr_lines = process.stdout.splitlines(), process.stderr.splitlines()
    n_commands = len(command_line.COMMANDS)
    assert [line.split()[0] for line in stdout_lines[:n_commands]] == list(command_line.COMMANDS)
    assert stdout_lines[n_commands].startswith("AWST09 (13), the CVB0 update: ")
    assert [*stderr_lines[:2], stderr_lines[-1]] == ["0 False", "0 False", "2 True"]
    assert stderr_lines[2].startswith("lda-reference topics: ")


def test_every_command_describes_itself(capsys):
    for command, (_, description) in command_line.COMMANDS.items():
        assert description in " ".join(printed(capsys, command, "--help").out.split())


def test_fit_does_not_overwrite_a_model(folder, capsys):
    command = ("fit", *inputs(folder), "--topics", 2, "--sweeps", 2, "--out", folder / "m")
    printed(capsys, *command)
    model_bytes = (folder / "m" / "model.json").read_bytes()
    assert "already holds a model, expected --resume or another folder" in refusal(capsys, *command)
    assert (folder / "m" / "model.json").read_bytes() == model_bytes
    assert "--topics is 3, expected 2 as in the run to resume" in refusal(capsys, "fit", *inputs(folder), "--sweeps", 5, "--topics", 3, "--resume", "--out", folder / "m")
    assert (folder / "m" / "model.json").read_bytes() == model_bytes


def test_fit_takes_a_start_a_schedule_and_a_change_to_stop_by(folder):
    model_folder, c = folder / "m", lda.read_corpus(folder / "docword.txt", vocab=folder / "vocab.txt")
    command = ("fit", *inputs(folder), "--topics", 3, "--algorithm", "vb", "--schedule", "block", "--start", "topics", "--out", model_folder)
    assert run(*command, "--sweeps", 2, "--stop", 1e-4) == 0
    assert run(*command, "--sweeps", 500, "--stop", 1e-4, "--resume") == 0
    f = lda.load(model_folder)
    assert 2 < f.sweeps < 500
    assert f == lda.fit(c, 3, "vb", sweeps=500, schedule="block", start="topics", stop=1e-4, burn_in=1)
    assert run(*command, "--sweeps", 501, "--start", "documents", "--resume") == 2


def test_fit_learns_the_prior_and_says_what_it_found(folder, capsys):
    model_folder, learn_option = folder / "m", "alpha:asymmetric,eta"
    out = printed(capsys, "fit", *inputs(folder), "--topics", 3, "--out", model_folder, "--sweeps", 18, "--learn", learn_option).out
    f = lda.load(model_folder)
    assert (f.learn, f.learn_after, np.shape(f.prior.alpha)) == (learn_option, 15, (3,))
    assert f"eta = {f.prior.eta:.4g}" in out
    c = lda.read_corpus(folder / "docword.txt", vocab=folder / "vocab.txt")
    assert f == lda.fit(c, 3, sweeps=18, learn=learn_option)
    assert "--learn is given with --resume, expected none" in refusal(capsys, "fit", *inputs(folder), "--out", model_folder, "--sweeps", 30, "--resume", "--learn", "eta")


def test_fit_with_a_hyperprior(folder):
    command = ("fit", *inputs(folder), "--topics", 3, "--out", folder / "m", "--sweeps", 16)
    assert run(*command, "--algorithm", "vb", "--hyperprior", "eta:conjugate", "--learn", "alpha") == 0
    assert np.shape(lda.load(folder / "m").prior.eta) == (9,)


def test_perplexity_by_estimator(folder, capsys):
    model_folder = folder / "m"
    printed(capsys, "fit", *inputs(folder), "--topics", 3, "--out", model_folder, "--algorithm", "vb", "--sweeps", 10)
    perplexity_of = {}
    for estimator in (None, "mean", "digamma", "counts"):
        estimator_options = () if estimator is None else ("--estimator", estimator, "--train", folder / "docword.txt")
        out, err = printed(capsys, "perplexity", model_folder, *inputs(folder), *estimator_options, "--sweeps", 30)
        perplexity_of[estimator] = float(out)
        assert f"estimated by {estimator or 'the algorithm'}" in err
    assert perplexity_of[None] == perplexity_of["mean"]
    assert len(set(perplexity_of.values())) == 3
    c, f, A = lda.read_corpus(folder / "docword.txt", vocab=folder / "vocab.txt"), lda.load(model_folder), lda.ALGORITHMS["vb"]
    observed_corpus, heldout_corpus = lda.split(c, "halves", rng=sweep_rng(0, 0))
    theta_jk = lda.fold_in(A, observed_corpus, f.phi_wk, f.prior, sweep_rng(0, 1), 30)
    assert perplexity_of[None] == pytest.approx(lda.perplexity(heldout_corpus, theta_jk, f.phi_wk), abs=1e-4)


def test_perplexity_by_left_to_right(folder, capsys):
    model_folder = folder / "m"
    printed(capsys, "fit", *inputs(folder), "--topics", 3, "--out", model_folder, "--sweeps", 10)
    c, f = lda.read_corpus(folder / "docword.txt", vocab=folder / "vocab.txt"), lda.load(model_folder)
    command = ("perplexity", model_folder, *inputs(folder), "--estimator", "left-to-right")
    for seed in (0, 1):
        out, err = printed(capsys, *command, "--seed", seed)
        estimate = left_to_right_perplexity(c, f.phi_wk, f.prior, sweep_rng(seed, 1))
        assert float(out) == pytest.approx(estimate.perplexity, abs=1e-4)
        assert f"the products of 20 particles; {estimate.as_printed:.4f} by the product of their means" in err


def test_table_1_is_printed(capsys):
    assert printed(capsys, "table-1").out == table_1.printed() + "\n"
