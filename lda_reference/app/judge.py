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
    corpora.add_arguments(p, required=False, choose=False)


def run(a: argparse.Namespace) -> None:
    """Print each number with its name, and on stderr what is to be known of them."""
    model, reading = model_at(a.model, a)
    if reading is None and (isinstance(model, Fit) or "c" not in model):
        raise ValueError("--corpus is missing, expected the documents to judge the model by")
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always", UserWarning)
        numbers = judge(model, None if reading is None else reading.corpus)
    for warning in caught_warnings:
        print(f"{a.model}: {warning.message}", file=sys.stderr)
    for measure, number in numbers.items():
        print(f"{measure}: {number:.6g}")
