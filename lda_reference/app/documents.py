"""The command `documents`: theta of a model's documents."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..model import Array
from . import corpora
from .models import csv_text, document_names, json_text, one_run, output_arguments, own_corpus
from .outputs import check_output, write

LARGEST = 5  # topics of a document that are printed


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `documents`."""
    corpora.add_arguments(p, required=False, choose=False)
    p.add_argument("model", metavar="DIR", help="folder of the model")
    output_arguments(p)


def run(a: argparse.Namespace) -> None:
    """Print or write theta of the model's documents."""
    check_output(a, "csv" if a.csv else "json")
    f, vocab = one_run(a.model)
    names = None
    if a.corpus is not None:
        own_corpus(f, vocab, a)
        names = document_names(a.corpus, len(f.theta_jk))
    write_theta(f.theta_jk, names, a)


def write_theta(theta_jk: Array, names: list[str] | None, a: argparse.Namespace) -> None:
    """Print theta, or write it as CSV or JSON; documents without names have numbers."""
    D, K = theta_jk.shape
    named: Sequence[str | int] = names or range(D)
    if a.csv:
        header = ["document", *(f"topic_{k}" for k in range(K))]
        write(csv_text(header, ([x, *row] for x, row in zip(named, theta_jk.tolist(), strict=True))), a.csv)
    elif a.json:
        found = [{"document": x, "theta": row} for x, row in zip(named, theta_jk.tolist(), strict=True)]
        write(json_text({"documents": found}), a.json)
    else:
        for x, row in zip(named, theta_jk, strict=True):
            first = np.argsort(-row, kind="stable")[:LARGEST]
            print(f"{x}  {'  '.join(f'topic {k} {row[k]:.1%}' for k in first)}")
