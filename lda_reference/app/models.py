"""What the commands that show a model share: reading it and its corpus, names of documents, CSV and JSON."""

import argparse
import csv
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np

from ..algorithms import ALGORITHMS
from ..arguments import shown
from ..corpus import Corpus
from ..engine import Algorithm
from ..evaluation.from_model import from_model
from ..evaluation.read_model import read_model
from ..fitting import Fit, corpus_digest
from ..formats import Reading
from ..formats.files import read_text
from ..formats.mallet import counts_of_state
from ..formats.models import WORD_TABLES
from ..formats.text import read_vocab
from ..model import Array
from ..own_words import empty_topics, first_words, tokens_of_words
from ..storage import saved_with
from ..storage_schema import FOREIGN
from . import corpora
from .command_line import in_one_line

MODEL = "folder of a model, of this or another program, state of MALLET, or npz of named arrays; see lda.read_model"


def of_one_run(f: Fit, folder: str) -> Fit:
    """The model, unless it holds replicates."""
    if f.phi_wk.ndim == 3:
        raise ValueError(f"{folder}: holds {f.phi_wk.shape[1]} replicates, expected one run: save the runs one by one")
    return f


def model_at(path: str, a: argparse.Namespace) -> tuple[Any, Reading | None]:
    """The model at a path, a Fit or arrays by name, and the corpus that the arguments name, in its words.

    Without a corpus --vocab has the words of a state.
    """
    state_words = read_vocab(a.vocab, a.encoding) if a.corpus is None and a.vocab is not None else None
    model = read_model(path, a.encoding, state_words)
    if isinstance(model, Fit):
        vocab, tables = of_one_run(model, path).vocab, [model.phi_wk]
    else:
        vocab, tables = model.get("vocab"), [x for name, x in model.items() if name in WORD_TABLES and np.ndim(x) == 2]
    if a.corpus is None:
        return model, None
    corpus_reading = corpora.reading(a, vocab, len(tables[0]) if tables else None)
    if tables and vocab is None and a.vocab is None and not isinstance(model, Fit) and corpus_reading.corpus.vocab:
        raise ValueError(f"{path} has no vocab, expected its words there or as --vocab, because {a.corpus} has words")
    return model, corpus_reading


def shown_model(path: str, a: argparse.Namespace) -> tuple[Fit, Corpus | None, list[str] | None]:
    """The model at a path that the arguments have, of any program; its corpus and the names of its documents, if known.

    The path is one that `read_model` takes. A state has its documents, and a folder of `save` needs none.
    """
    for option_name in ("vocab", "format", "column", "transpose"):
        if a.corpus is None and getattr(a, option_name) is not None:
            raise ValueError(f"--{option_name} needs --corpus")
    model, corpus_reading = model_at(path, a)
    if isinstance(model, Fit):
        return model, *((None, None) if corpus_reading is None else own_corpus(model, corpus_reading, a.corpus))
    if "c" in model:
        if corpus_reading is not None:
            raise ValueError(f"--corpus is given, expected none: {path} has its documents")
        source_names = counts_of_state(path, read_text(path, a.encoding)).names
        return from_model(model), model["c"].types(), None if source_names is None else list(source_names)
    if corpus_reading is None:
        raise ValueError(f"--corpus is missing, expected the documents of the model in {path}")
    c = corpus_reading.corpus.types()
    return from_model(model, c), c, document_names(corpus_reading)


def saved_in(path: str, part_name: str) -> Any:
    """The `documents`, `labels` or `reading` that the folder of a model was saved with; None for another program's."""
    return saved_with(path, part_name) if Path(path, "model.json").is_file() else None


def mean_shares(f: Fit, path: str, c: Corpus | None = None) -> Array:
    """The mean theta (K,) of the documents that have words, as far as the corpus or the model's folder tells."""
    if c is None:
        n_tokens = (saved_in(path, "labels") or {}).get("tokens", np.ones(len(f.theta_jk)))
    else:
        n_tokens = c.by_document(c.n)
    return np.asarray(f.theta_jk[np.asarray(n_tokens) > 0].mean(0))


def to_fold_in(A: Algorithm) -> Algorithm:
    """The algorithm that folds documents into a model: its own, or CVB0 for the model of another program."""
    return ALGORITHMS["cvb0"] if A is FOREIGN else A


def own_corpus(f: Fit, reading: Reading, path: str) -> tuple[Corpus, list[str] | None]:
    """The corpus that was read, if it is the model's own, with the rows of its gamma; names of documents."""
    c = f.algorithm.arranged(reading.corpus)
    if corpus_digest(c) != f.corpus:
        raise ValueError(f"{path}: another corpus or order, expected the one that the model was trained on")
    return c, document_names(reading)


def document_names(reading: Reading) -> list[str] | None:
    """The names of the documents that were read, such as those of files, if they have any."""
    return None if reading.names is None else [in_unicode(document_name) for document_name in reading.names]


def document_number(name_or_number: str, names: list[str] | None, D: int) -> int:
    """The number of a document that is named, or numbered from 0."""
    composed_names = [normalize("NFC", x) for x in names or ()]  # a Mac may write an accent as a character of its own
    if (composed_name := normalize("NFC", in_unicode(name_or_number))) in composed_names:
        return composed_names.index(composed_name)
    if not (name_or_number.isascii() and name_or_number.isdigit() and int(name_or_number) < D):
        expected_text = f"the name of a document, such as {shown(names[0])}, or " if names else ""
        raise ValueError(f"--document is {shown(name_or_number)}, expected {expected_text}a number from 0 below {D}")
    return int(name_or_number)


def in_unicode(name: str) -> str:
    r"""The name of a file, with escapes for its bytes that are not UTF-8 and for control characters."""
    return in_one_line(os.fsencode(name).decode("utf-8", "backslashreplace"))


def topics_in_words(f: Fit) -> list[str]:
    """Each topic as its number and, with a vocabulary, the three most probable words that it owns."""
    empty_ks, vocab, topic_names = empty_topics(f.state), f.vocab, []
    for k, word_ids in enumerate(first_words(f.phi_wk, tokens_of_words(f), 3)):
        words_text = "empty" if k in empty_ks else " ".join(vocab[w] for w in word_ids) if vocab else ""
        topic_names.append(f"topic {k}" + f" ({words_text})" * bool(words_text))
    return topic_names


def name_of(w: int, vocab: tuple[str, ...] | None) -> str:
    """A word, or its number without a vocabulary."""
    return str(w) if vocab is None else vocab[w]


def output_arguments(p: argparse.ArgumentParser, model_help: str = MODEL) -> None:
    """The model, then `--csv` and `--json`, each with a file; without a file they write to stdout."""
    p.add_argument("model", metavar="PATH", help=model_help)
    format_options = p.add_mutually_exclusive_group()
    table_argument(format_options, "csv")
    table_argument(format_options, "json")
    force_argument(p)


def table_argument(parser: Any, format_name: str) -> None:
    """`--csv` or `--json`, with a file, or without one for stdout."""
    help_text = f"write {format_name.upper()}; to stdout without FILE or with -"
    parser.add_argument(f"--{format_name}", metavar="FILE", nargs="?", const="-", help=help_text)


def force_argument(p: argparse.ArgumentParser) -> None:
    """`--force`, to replace a file that is no output of these commands."""
    p.add_argument("--force", action="store_true", help="replace a file that is no earlier output")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Rows as CSV, each ended by a line feed; numbers have all their digits."""
    csv_buffer = io.StringIO()
    csv_writer = csv.writer(csv_buffer, lineterminator="\n")
    csv_writer.writerow(header)
    csv_writer.writerows(rows)
    return csv_buffer.getvalue()


def json_text(x: Any) -> str:
    """A value as JSON; numbers have all their digits."""
    return json.dumps(x, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
