"""The command `judge`: a model of another program by this package's definitions."""

import argparse
from pathlib import Path

from ..evaluation.judge import judge
from ..formats.files import read_bytes
from ..formats.mallet import read_state
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
    path, model, vocab = Path(a.model), a.model, None
    if path.is_dir():
        model = one_run(a.model)
        vocab = model.vocab
    elif (data := read_bytes(path))[:2] == b"PK":
        model = unpacked(data, a.model)
    else:
        vocab = read_state(path, a.encoding)[0].vocab
    if a.corpus is None and (model is not a.model or path.is_dir()):
        raise ValueError("--corpus is missing, expected the documents to judge the model by")
    c = None if a.corpus is None else corpora.reading(a, vocab, len(vocab) if vocab else None).corpus
    numbers = judge(model, c, encoding=a.encoding)
    for name, value in numbers.items():
        print(f"{name}: {value:.6g}")
