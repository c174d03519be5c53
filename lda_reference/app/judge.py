"""The command `judge`: a model of another program by this package's definitions."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..evaluation.judge import judge
from ..formats.mallet import read_state
from ..storage import unpacked
from . import corpora
from .models import one_run, own_corpus


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `judge`."""
    about = "a state file of MALLET, an npz of named arrays (see lda.judge), or the folder of a model"
    p.add_argument("model", metavar="PATH", help=about)
    corpora.add_arguments(p, required=False, choose=False)


def run(a: argparse.Namespace) -> None:
    """Print each number with its name."""
    path = Path(a.model)
    if path.is_dir():
        f, vocab = one_run(a.model)
        if a.corpus is None:
            raise ValueError("--corpus is missing, expected the one that the model was trained on")
        found = judge(f, own_corpus(f, vocab, a))
    elif path.read_bytes()[:2] == b"PK":
        if a.corpus is None:
            raise ValueError("--corpus is missing, expected the documents to judge the model by")
        found = judge(unpacked(path.read_bytes(), a.model), corpora.read_arguments(a))
    else:
        c, z, p = read_state(path)
        found = judge({"z": z, "alpha": p.alpha, "eta": p.eta}, c)
    for name, value in found.items():
        print(f"{name}: {value:.6g}")
