"""The commands `topics`, `documents` and `infer`: phi and theta of a model, and theta of new documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..corpus import Corpus
from ..evaluation.matching import top_words
from ..evaluation.prediction import fold_in
from ..fitting import Fit, sweep_rng
from ..formats import read_corpus
from ..model import Array
from .models import csv_text, document_names, json_text, one_run, output_arguments, own_corpus, write

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
    f, vocab = one_run(a.model)
    words, share = top_words(f.phi_wk, a.words), f.theta_jk.mean(0)
    order = np.argsort(-share, kind="stable").tolist()

    def of_topic(k: int) -> list[tuple[int, str, float]]:
        return [(int(w), str(w) if vocab is None else vocab[w], float(f.phi_wk[w, k])) for w in words[:, k]]

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
    f, vocab = one_run(a.model)
    new = new_documents(f, vocab, a.corpus, a.format, a.vocab)
    c = new.corpus
    if new.unknown:
        shown = ", ".join(new.words[:5]) + f" and {len(new.words) - 5} more" * (len(new.words) > 5)
        lost = f"{new.unknown} of {new.unknown + c.N} tokens left out, as the model does not know the word"
        print(f"{lost}: {shown}", file=sys.stderr)
    empty = c.D - len(np.unique(c.j))
    if empty:
        print(f"{empty} of {c.D} documents without a known word: their theta is that of the prior", file=sys.stderr)
    if c.N == 0:
        raise ValueError(f"{a.corpus}: no token is a word of the model, expected at least one")
    theta_jk = fold_in(f.algorithm, c, f.phi_wk, f.prior, sweep_rng(a.seed, 1), a.sweeps)
    _write_theta(theta_jk, document_names(a.corpus, c.D), a)


class New(NamedTuple):
    """New documents in the words of a model.

    Attributes
    ----------
    corpus : Corpus
        With the model's W; without the tokens that the model does not know.
    unknown : int
        The number of these tokens.
    words : tuple of str
        Their words, the most frequent first.
    """

    corpus: Corpus
    unknown: int
    words: tuple[str, ...]


def new_documents(
    f: Fit, vocab: tuple[str, ...] | None, path: str, format: str | None, words: str | None
) -> New:
    """New documents in the words of a model.

    If both the model and the new corpus have words, a token keeps its word; otherwise it keeps its word's number. The
    model does not know words that it lacks, and words that have probability 0 in every topic.
    """
    W = len(f.phi_wk)
    c = read_corpus(path, format, words)
    if c.vocab is None or (vocab is None and words is not None):
        c = c if c.W == W else read_corpus(path, format, words, W=W)  # a file in LDA-C does not say its W
        numbers = np.arange(W)
        names: Sequence[str] = c.vocab or vocab or [str(w) for w in range(W)]
    elif vocab is None:
        raise ValueError(f"{path}: a text, and the model has no vocabulary, expected --vocab with the model's words")
    else:
        place = {word: w for w, word in enumerate(vocab)}
        numbers = np.array([place.get(word, -1) for word in c.vocab], int)
        names = c.vocab
    possible = np.append(f.phi_wk.max(1) > 0, False)  # the last entry is that of the number -1
    known = possible[numbers[c.w]]
    lost = np.bincount(c.w[~known].astype(np.intp), c.n[~known], c.W)
    order = [int(w) for w in np.argsort(-lost, kind="stable") if lost[w] > 0]
    kept = Corpus(c.j[known], numbers[c.w[known]], c.n[known], c.D, W, vocab).types()
    return New(kept, int(c.n[~known].sum()), tuple(names[w] for w in order))


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
