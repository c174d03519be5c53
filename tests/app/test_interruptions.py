"""Ctrl-C at random moments of every command, and sizes that no memory holds, in files and in options."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.command_line import main

from .. import fuzz
from .helpers import write_bars

COMMANDS = [
    "fit --corpus docword.txt --topics 3 --sweeps 30 --out n", "report m --corpus docword.txt --out r.html",
    "topics m --csv t.csv", "documents m --json d.json", "infer m --corpus docword.txt --csv i.csv",
    "perplexity m --corpus docword.txt", "stability --corpus docword.txt --topics 2,3 --runs 2 --sweeps 5 --out s",
    "tour --corpus docword.txt --topics 2 --sweeps 3 --algorithms cvb0,cgs --out t", "oracle export --out v --only cvb0/update",
    "compare m m --json c.json", "judge m --corpus docword.txt", "where TNW06",
]  # fmt: skip
PACKAGE = str(Path(lda.__file__).parent)
PROGRAM = """if True:
    import sys
    import matplotlib.backends.backend_agg
    from lda_reference.__main__ import main
    from lda_reference.app.command_line import _parser
    _parser(sys.argv[1:])  # the imports come first: one of a compiled module that is interrupted may abort Python
    print("begun", flush=True)
    sys.exit(main(sys.argv[1:]))
"""


def whole(path):
    """Whether a file is an output that ends as it should."""
    ends = {".html": b"</html>", ".json": b"}", ".csv": b"\n", ".npz": b"", ".png": b"IEND\xaeB`\x82", ".txt": b"\n"}
    return path.read_bytes().rstrip(b"\n" if path.suffix != ".csv" and path.suffix != ".txt" else b"").endswith(ends.get(path.suffix, b""))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_an_interruption_at_any_moment_leaves_whole_files_and_one_line(tmp_path):
    c = write_bars(tmp_path, 10, 10)
    lda.save(lda.fit(c, 2, sweeps=2), tmp_path / "m", c.vocab)
    rng, environment = np.random.default_rng(5), {**os.environ, "MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1"}
    for i in range(fuzz.cases(12, 504)):
        command = COMMANDS[i % len(COMMANDS)].split()
        run = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *command], cwd=tmp_path, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert run.stdout.readline() == "begun\n"
        time.sleep(rng.uniform(0, 2.5))
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
        if "Traceback" in said and PACKAGE not in said:
            continue  # the command had not begun, or had ended
        assert run.returncode in (0, 2, 130, -2), (command, run.returncode, said)  # 2: there is a model from before
        assert "Traceback" not in said, (command, said)
        for path in tmp_path.rglob("*"):
            assert not path.is_file() or whole(path), (command, path)
            assert not path.name.startswith("."), (command, path)
        if (tmp_path / "n").exists():
            lda.load(tmp_path / "n")
        lda.load(tmp_path / "m")
        fuzz.ran("interruptions")


def size(rng):
    """A whole number that is small, or larger than any memory."""
    return int(rng.integers(1, 6)) if rng.random() < 0.5 else int(10 ** rng.uniform(11, 25))


@pytest.mark.usefixtures("inside")
def test_sizes_beyond_memory_are_refused_in_one_line(capsys):
    rng = np.random.default_rng(3)
    for _ in range(fuzz.cases(40, 2000)):
        D, W, K, n = (size(rng) for _ in range(4))
        w = min(W, size(rng))
        text = [f"{D}\n{W}\n1\n1 {w} {n}\n", f"1 {w - 1}:{n}\n", f"%%MatrixMarket matrix coordinate integer general\n{D} {W} 1\n1 {w} {n}\n"]
        Path("c").write_text(text[rng.integers(3)])
        algorithm = str(rng.choice(list(lda.ALGORITHMS)))
        prior = ["--alpha", "1.5", "--eta", "1.5"]
        begun = time.monotonic()
        status = main(["fit", "--corpus", "c", "--topics", str(K), "--algorithm", algorithm, "--sweeps", "2", "--out", "n", "-q", *prior])
        said = capsys.readouterr().err
        assert time.monotonic() - begun < 60
        if status == 0:
            assert lda.load("n").sweeps == 2
            for path in Path("n").iterdir():
                path.unlink()
        else:
            assert (status, said.splitlines()[-1][:19], said.count("Traceback")) == (2, "lda-reference fit: ", 0), said
            assert not Path("n", "model.json").exists()
        fuzz.ran("sizes")
