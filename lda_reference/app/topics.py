"""The commands `topics`, `documents` and `infer`: phi and theta of a model, and theta of new documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from ..evaluation.matching import top_words
from ..evaluation.prediction import fold_in, quickest_order
from ..fitting import sweep_rng
from ..model import Array
from . import corpora
from .models import (
    csv_text,
    document_names,
    json_text,
    name_of,
    one_run,
    output_arguments,
    own_corpus,
)
from .outputs import check_output, write

TOPICS = "Print the most probable words of each topic of a model, or write them as CSV or JSON."
DOCUMENTS = "Print theta, the topics of each document of a model's corpus, or write it as CSV or JSON."
INFER = "Fold new documents into a model with its topics held, and print or write their theta."
LARGEST = 5  # topics of a document that are printed


def topics_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `topics`."""
    p.add_argument("model", metavar="DIR", help="folder of the model")
    p.add_argument("--words", type=int, default=10, help="number of words; default 10")
    output_arguments(p)


def run_topics(a: argparse.Namespace) -> None:
    """Print or write the topics, in descending order of their shares."""
    if a.words < 1:
        raise ValueError(f"--words is {a.words}, expected 1 or more")
    check_output(a, "csv" if a.csv else "json")
    f, vocab = one_run(a.model)
    words, share = top_words(f.phi_wk, a.words), f.theta_jk.mean(0)
    order = np.argsort(-share, kind="stable").tolist()

    def of_topic(k: int) -> list[tuple[int, str, float]]:
        return [(int(w), name_of(w, vocab), float(f.phi_wk[w, k])) for w in words[:, k]]

    if a.csv:
        rows = [[k, float(share[k]), i, w, x, p] for k in order for i, (w, x, p) in enumerate(of_topic(k), 1)]
        write(csv_text(["topic", "share", "rank", "word_id", "word", "probability"], rows), a.csv)
    elif a.json:
        found = []
        for k in order:
            listed = [{"word_id": w, "word": x, "probability": p} for w, x, p in of_topic(k)]
            found.append({"topic": k, "share": float(share[k]), "words": listed})
        write(json_text({"topics": found}), a.json)
    else:
        for k in order:
            print(f"{k:>3} {share[k]:6.1%}  {'  '.join(f'{x} {p:.3g}' for _, x, p in of_topic(k))}")


def documents_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `documents` but for those of the corpus."""
    p.add_argument("model", metavar="DIR", help="folder of the model")
    output_arguments(p)


def run_documents(a: argparse.Namespace) -> None:
    """Print or write theta of the model's documents."""
    check_output(a, "csv" if a.csv else "json")
    f, vocab = one_run(a.model)
    names = None
    if a.corpus is not None:
        own_corpus(f, vocab, a)
        names = document_names(a.corpus, len(f.theta_jk))
    _write_theta(f.theta_jk, names, a)


def infer_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `infer` but for those of the corpus."""
    p.add_argument("model", metavar="DIR", help="folder of the model")
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    output_arguments(p)


def run_infer(a: argparse.Namespace) -> None:
    """Print or write theta of new documents, and say on stderr which of their tokens the model does not know."""
    check_output(a, "csv" if a.csv else "json")
    f, vocab = one_run(a.model)
    c = corpora.read_arguments(a, vocab, len(f.phi_wk))
    if vocab is None and a.vocab is None and c.vocab is not None:
        raise ValueError(f"--vocab is missing, expected the words of the model, which has none: {a.corpus} is a text")
    possible = f.phi_wk.max(1)[c.w] > 0
    if not possible.all():
        words = sorted({name_of(int(w), c.vocab) for w in c.w[~possible]})
        lost = f"{c.n[~possible].sum()} of {c.N} tokens left out, as no topic can have the word"
        print(f"{lost}: {', '.join(words[:5])}{f' and {len(words) - 5} more' * (len(words) > 5)}", file=sys.stderr)
        c = c.with_rows(c.j[possible], c.w[possible], c.n[possible])
    A, rng = f.algorithm, sweep_rng(a.seed, 1)
    theta_jk = fold_in(A, c, f.phi_wk, f.prior, rng, a.sweeps, schedule=quickest_order(A))
    _write_theta(theta_jk, document_names(a.corpus, c.D), a)


def _write_theta(theta_jk: Array, names: list[str] | None, a: argparse.Namespace) -> None:
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
