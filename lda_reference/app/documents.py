"""The command `documents`: theta of a model's documents."""

import argparse
from collections.abc import Sequence

import numpy as np

from ..model import Array
from . import corpora
from .models import csv_text, json_text, kept, output_arguments, shown_model, topics_in_words
from .outputs import check_output, write

LARGEST = 5  # topics of a document that are printed
FEW = 5  # known words of a document


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `documents`."""
    corpora.add_arguments(p, required=False, choose=False)
    output_arguments(p)


def run(a: argparse.Namespace) -> None:
    """Print or write theta of the model's documents."""
    check_output(a, "csv" if a.csv else "json")
    f, c, names_read = shown_model(a.model, a)
    names = kept(a.model, "documents")
    tokens = None
    if c is not None:
        tokens = np.bincount(c.j.astype(np.intp), c.n, c.D).astype(int).tolist()
        names = names_read or names
    write_theta(f.theta_jk, names, topics_in_words(f), a, tokens)


def write_theta(
    theta_jk: Array,
    names: list[str] | None,
    topics: Sequence[str],
    a: argparse.Namespace,
    tokens: list[int] | None = None,
) -> None:
    """Print theta, or write it as CSV or JSON; documents without names have numbers.

    `topics` are printed. `tokens` (D,) says how many tokens of each document the model knows; theta of a document
    without any is the prior.
    """
    D, K = theta_jk.shape
    named: Sequence[str | int] = names or range(D)
    known_tokens: list[list[int]] = [[]] * D if tokens is None else [[n] for n in tokens]
    rows = zip(named, known_tokens, theta_jk.tolist(), strict=True)
    if a.csv:
        columns = (*(() if tokens is None else ("known_tokens",)), *(f"topic_{k}" for k in range(K)))
        write(csv_text(["document", *columns], ([x, *n, *row] for x, n, row in rows)), a.csv)
    elif a.json:
        entries = [{"document": x, **({"known_tokens": n[0]} if n else {}), "theta": row} for x, n, row in rows]
        write(json_text({"documents": entries}), a.json)
    else:
        for x, n, row in zip(named, known_tokens, theta_jk, strict=True):
            first = np.argsort(-row, kind="stable")[:LARGEST]
            shares = "  ".join(f"{topics[k]} {row[k]:.1%}" for k in first.tolist())
            few = f"  (the model knows {n[0]} word{'s' * (n[0] > 1)} of it)" if n and n[0] < FEW else ""
            print(f"{x}  {'no word that the model knows' if n == [0] else shares + few}")
