"""The command `which`: the definitions that give a number that was reported of a model."""

import argparse
from pathlib import Path

from ..evaluation.which_number import which_number
from ..formats.files import read_bytes
from ..formats.mallet import HEADER
from ..storage import unpacked
from . import corpora
from .models import one_run, own_corpus


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `which`."""
    p.add_argument("reported", metavar="NUMBER", help="as it was printed, such as 62.30; one like -6e+04 after --")
    p.add_argument("--model", metavar="PATH", required=True, help="folder of a model, or an npz of named arrays")
    corpora.add_arguments(p, required=False, choose=False)
    p.add_argument("--documents", metavar="D", type=int, help="of the training, if the number is of other documents")


def run(a: argparse.Namespace) -> None:
    """Print each definition that gives the number, or that none does."""
    if Path(a.model).is_dir():
        f = one_run(a.model)
        if a.corpus is None:
            raise ValueError("--corpus is missing, expected the one that the model was trained on")
        named = which_number(a.reported, f, own_corpus(f, a)[0])
    else:
        data = read_bytes(a.model)
        if data.startswith(HEADER):
            raise ValueError(f"{a.model}: a state, expected a folder, as lda.save(lda.from_model(path), folder) makes")
        model = unpacked(data, a.model)
        W = next((len(x) for name, x in model.items() if name in ("eta_wk", "phi_wk", "N_wk") and x.ndim == 2), None)
        named = which_number(a.reported, model, corpora.reading(a, W=W).corpus if a.corpus else None, a.documents)
    for x in named:
        print(f"{x.value:.10g} is {x.says}")
    if not named:
        print(f"{a.reported} is the number of no definition that this model and this corpus allow")
