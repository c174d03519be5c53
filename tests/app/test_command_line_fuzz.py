"""Command lines with wrong options: each ends with status 0, or with 2 and one line that says what was expected."""

import json
import shutil

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app import command_line

from .. import fuzz
from .helpers import write_bars

VALUES = (
    "0", "1", "2", "3", "-1", "0.5", "1.5", "-0.5", "nan", "inf", "-inf", "1e308", "1e-320", "", " ", "x", "é", "1,2", ",", "1:2", "alpha",
    "alpha,eta", "alpha:em2", "eta:conjugate", "cvb0", "vb", "cgs", "gibbs", "ml", "map", "ep", "hmc", "cvb_exact", "token", "corpus",
    "block", "nested", "topics", "dirichlet", "growing", "one-hot", "english", "none", "uci", "text", "csv", "jsonl", "json", "npz", "mm", "mallet", "mallet-state", "vw", "gibbslda", "h5ad", "mean",
    "left-to-right", "utf-16", "cp1252", "c.txt", "v.txt", "t.csv", "t.jsonl", "texts", "m", "n", "a.npz", "absent", "absent/deeper", ".", "--", "-",
    "--help", "\0", "a" * 300,
)  # fmt: skip
FIT = ["fit", "--corpus", "c.txt", "--vocab", "v.txt", "--topics", "2", "--sweeps", "2", "--out", "n", "--quiet"]
COMMANDS = [
    FIT,
    [*FIT, "--algorithm", "vb", "--schedule", "nested", "--start", "topics", "--alpha", "0.1", "--eta", "0.1", "--stop", "0.1"],
    [*FIT, "--algorithm", "cgs", "--burn-in", "1", "--seed", "3", "--learn", "alpha,eta"],
    [*FIT, "--algorithm", "vb", "--hyperprior", "alpha:em2"],
    ["fit", "--corpus", "c.txt", "--sweeps", "4", "--out", "m", "--resume", "--quiet"],
    ["fit", "--corpus", "texts", "--stop-words", "english", "--no-numbers", "--skip-unreadable", "--min-documents", "1", "--max-documents", "1", "--topics", "2", "--sweeps", "2", "--out", "n"],
    ["fit", "--corpus", "t.csv", "--column", "text", "--encoding", "utf-8", "--topics", "2", "--sweeps", "2", "--out", "n"],
    ["fit", "--corpus", "t.jsonl", "--column", "text", "--format", "jsonl", "--topics", "2", "--sweeps", "2", "--out", "n"],
    ["topics", "m", "--words", "3"],
    ["topics", "m", "--csv", "n"],
    ["documents", "m", "--corpus", "c.txt", "--json"],
    ["infer", "m", "--corpus", "c.txt", "--sweeps", "2", "--seed", "1", "--csv"],
    ["report", "m", "--corpus", "c.txt", "--words", "3", "--document", "0", "--out", "n.html"],
    ["perplexity", "m", "--corpus", "c.txt", "--estimator", "mean", "--train", "c.txt", "--sweeps", "2"],
    ["perplexity", "m", "--corpus", "c.txt", "--estimator", "left-to-right", "--seed", "1"],
    ["stability", "--corpus", "c.txt", "--topics", "2", "--runs", "2", "--validation", "0.4", "--sweeps", "2", "--out", "n", "--quiet"],
    ["tour", "--corpus", "c.txt", "--topics", "2", "--algorithms", "cvb0", "--sweeps", "2", "--out", "n", "--quiet"],
    ["where", "AWST09 (13)"],
    ["which", "62.30", "--model", "m", "--corpus", "c.txt"],
    ["which", "62.30", "--model", "a.npz", "--corpus", "c.txt", "--documents", "20"],
    ["oracle", "export", "n"],
]  # fmt: skip


@pytest.fixture
def folder(inside):
    """A folder with corpora, a vocabulary and a model, in which the commands run; no command may change its files."""
    c = write_bars(inside, 10, 10, ("c.txt", "v.txt"))
    texts = [" ".join(c.vocab[w] for w in c.w[c.j == j]) for j in range(c.D)]
    (inside / "texts").mkdir()
    for j, text in enumerate(texts):
        (inside / "texts" / f"{j}.txt").write_text(text)
    (inside / "t.csv").write_text("text\n" + "\n".join(texts))
    (inside / "t.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    np.savez("a.npz", eta_wk=np.full((c.W, 2), 1.1), alpha=0.1, eta=0.1)
    shutil.copytree("m", inside.parent / f"{inside.name} kept")
    return inside


def mutated(rng, arguments):
    """A command line with one or two options changed, dropped, doubled or added."""
    out = list(arguments)
    for _ in range(rng.integers(1, 3)):
        i, value = int(rng.integers(1, len(out))), str(rng.choice(VALUES))
        kind = rng.integers(4)
        if kind == 0:
            out[i] = value
        elif kind == 1 and len(out) > 2:
            del out[i]
        elif kind == 2:
            out[i:i] = [out[i], value]
        else:
            other = COMMANDS[rng.integers(len(COMMANDS))]
            options = [x for x in other if x.startswith("--")] or ["--out"]
            out += [str(rng.choice(options)), value]
    return out


@pytest.mark.parametrize("at", range(len(COMMANDS)), ids=lambda at: f"{at}-{COMMANDS[at][0]}")
def test_a_wrong_command_line_ends_in_one_line(folder, capsys, at):
    command = COMMANDS[at]
    assert command_line.main(command) == 0
    rng = np.random.default_rng(at)
    for _ in range(fuzz.cases(5, 250)):
        for name in ("n", "n.html", "m", "absent"):  # what a command made
            path = folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        shutil.copytree(folder.parent / f"{folder.name} kept", folder / "m")
        capsys.readouterr()
        arguments = mutated(rng, command)
        try:
            status = command_line.main(arguments)
        except SystemExit as end:  # of argparse
            status = end.code or 0
        except Exception as error:
            raise AssertionError(f"{arguments}: {type(error).__name__}: {error}") from error
        err = capsys.readouterr().err
        assert status in (0, 2), f"{arguments}: {status}"
        for word in ("Traceback", "Warning"):
            assert word not in err, f"{arguments}: {err}"
        if status == 2:
            last = err.removesuffix("\n").rpartition("\n")[2]
            assert last.startswith("lda-reference"), f"{arguments}: {err!r}"
        fuzz.ran("command lines")
