"""The command `judge`: a model of another program by this package's definitions."""

import argparse
import sys
import warnings

from ..evaluation.judge import judge
from ..fitting import Fit
from . import corpora
from .models import MODEL, model_at


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("model", metavar="PATH", help=MODEL)
    corpora.add_arguments(p, required=False, adds_choices=False)


def run(a: argparse.Namespace) -> None:
    """Print each number with its name, and on stderr what is to be known of them."""
    model, corpus_reading = model_at(a.model, a)
    if corpus_reading is None and (isinstance(model, Fit) or "c" not in model):
        raise ValueError("--corpus is missing, expected the documents to judge the model by")
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always", UserWarning)
        number_by_measure = judge(model, None if corpus_reading is None else corpus_reading.corpus)
    for caught_warning in caught_warnings:
        print(f"{a.model}: {caught_warning.message}", file=sys.stderr)
    for measure, number in number_by_measure.items():
        print(f"{measure}: {number:.6g}")
