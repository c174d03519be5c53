"""The command `which`: the definitions that give a number that was reported of a model."""

import argparse

from ..evaluation.which_number import which_number
from ..fitting import Fit
from . import corpora
from .models import MODEL, model_at, own_corpus


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("reported", metavar="NUMBER", help="as it was printed, such as 62.30; -6.123e+04 last, after --")
    p.add_argument("--model", metavar="PATH", required=True, help=MODEL)
    corpora.add_arguments(p, required=False, adds_choices=False)
    p.add_argument("--documents", metavar="D", type=int, help="of the training, if the number is of other documents")


def run(a: argparse.Namespace) -> None:
    """Print each definition that gives the number, or that none does."""
    model, corpus_reading = model_at(a.model, a)
    c, D = None if corpus_reading is None else corpus_reading.corpus, a.documents
    if isinstance(model, Fit):
        if corpus_reading is None:
            raise ValueError("--corpus is missing, expected the one that the model was trained on")
        c, D = own_corpus(model, corpus_reading, a.corpus)[0], None
    definitions = which_number(a.reported, model, c, D)
    for definition in definitions:
        print(f"{definition.value:.10g} is {definition.says}")
    if not definitions:
        print(f"{a.reported} is the number of no definition that this model and this corpus allow")
