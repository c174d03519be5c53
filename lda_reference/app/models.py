"""What the commands that show a model share: reading it and its corpus, names of documents, CSV and JSON."""

import argparse
import csv
import io
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from ..corpus import Corpus
from ..evaluation.matching import top_words
from ..evaluation.topic_map import empty_topics
from ..fitting import Fit, corpus_digest
from ..formats import Reading
from ..formats.files import CONTROL
from ..storage import load
from . import corpora


def one_run(folder: str) -> Fit:
    """The model in a folder, unless it holds replicates."""
    f = load(folder)
    if f.phi_wk.ndim == 3:
        R = f.phi_wk.shape[1]
        raise ValueError(f"{folder}: holds {R} replicates, expected one run: save the runs one by one")
    return f


def own_corpus(f: Fit, a: argparse.Namespace) -> tuple[Corpus, list[str] | None]:
    """The corpus that the arguments name, if it is the model's own, with the rows of its gamma; names of documents."""
    reading = corpora.reading(a, f.vocab, len(f.phi_wk))
    c = f.algorithm.arranged(reading.corpus)
    if corpus_digest(c) != f.corpus:
        raise ValueError(f"{a.corpus}: another corpus, expected the one that the model was trained on")
    return c, document_names(reading)


def document_names(reading: Reading) -> list[str] | None:
    """The names of the documents that were read, such as those of files, if they have any."""
    return None if reading.names is None else [in_unicode(x) for x in reading.names]


def in_unicode(name: str) -> str:
    r"""The name of a file, with escapes for its bytes that are not UTF-8 and for control characters.

    >>> in_unicode("caf\udce9.txt"), in_unicode("a\tb")
    ('caf\\xe9.txt', 'a\\tb')
    """
    readable = os.fsencode(name).decode("utf-8", "backslashreplace")
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], readable)


def topics_in_words(f: Fit) -> list[str]:
    """Each topic as its number and, with a vocabulary, its three most probable words."""
    best, vocab = top_words(f.phi_wk, 3).T.tolist(), f.vocab
    empty = empty_topics(f.state.gamma)
    said = ["empty" if k in empty else " ".join(vocab[w] for w in best[k]) if vocab else "" for k in range(len(best))]
    return [f"topic {k}" + f" ({x})" * bool(x) for k, x in enumerate(said)]


def name_of(w: int, vocab: tuple[str, ...] | None) -> str:
    """A word, or its number without a vocabulary."""
    return str(w) if vocab is None else vocab[w]


def output_arguments(p: argparse.ArgumentParser, about: str = "folder of the model") -> None:
    """The model, then `--csv` and `--json`, each with a file; without a file they write to stdout."""
    p.add_argument("model", metavar="DIR", help=about)
    either = p.add_mutually_exclusive_group()
    for name in ("csv", "json"):
        about = f"write {name.upper()}; to stdout without FILE or with -"
        either.add_argument(f"--{name}", metavar="FILE", nargs="?", const="-", help=about)
    force_argument(p)


def force_argument(p: argparse.ArgumentParser) -> None:
    """`--force`, to replace a file that is no output of these commands."""
    p.add_argument("--force", action="store_true", help="replace a file that is no earlier output")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Rows as CSV, each ended by a line feed; numbers have all their digits.

    >>> csv_text(["word", "p"], [["a,b", 0.1]])
    'word,p\n"a,b",0.1\n'
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(header)
    table.writerows(rows)
    return out.getvalue()


def json_text(x: Any) -> str:
    """A value as JSON; numbers have all their digits."""
    return json.dumps(x, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
