"""The command `judge`: a model of another program by this package's definitions."""

import argparse
from pathlib import Path

from ..evaluation.judge import judge
from ..formats.files import read_bytes
from ..formats.mallet import read_state
from ..formats.text import read_vocab
from ..storage import unpacked
from . import corpora
from .models import one_run


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `judge`."""
    about = "a state file of MALLET, an npz of named arrays (see lda.judge), or the folder of a model"
    p.add_argument("model", metavar="PATH", help=about)
    corpora.add_arguments(p, required=False, choose=False)


def run(a: argparse.Namespace) -> None:
    """Print each number with its name."""
    path, model, vocab, c = Path(a.model), a.model, None, None
    if path.is_dir():
        model = one_run(a.model)
        vocab = model.vocab
    elif (data := read_bytes(path))[:2] == b"PK":
        model = unpacked(data, a.model)
    else:
        words = read_vocab(a.vocab, a.encoding) if a.corpus is None and a.vocab is not None else None
        c, z, prior = read_state(path, a.encoding, words)
        model, vocab = a.model if a.corpus is not None else {"z": z, "alpha": prior.alpha, "eta": prior.eta}, c.vocab
    if a.corpus is not None:
        c = corpora.reading(a, vocab, len(vocab) if vocab else None).corpus
    elif c is None:
        raise ValueError("--corpus is missing, expected the documents to judge the model by")
    numbers = judge(model, c, encoding=a.encoding)
    for name, value in numbers.items():
        print(f"{name}: {value:.6g}")
