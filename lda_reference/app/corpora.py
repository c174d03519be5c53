"""The corpus of a command: its options, reading, and what is said of the words that were left out."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..arguments import shown
from ..formats import FORMATS, OF_PROGRAMS, TABLES, Reading, read
from ..formats.selection import stop_words

CHOICES = ("stop_words", "min_documents", "max_documents", "no_numbers")  # options that choose words
OPTIONS = ("column", "encoding", "transpose", "skip_unreadable", "id", "group", "date")


def add_arguments(p: argparse.ArgumentParser, required: bool = True, adds_choices: bool = True) -> None:
    """The options of a corpus; `adds_choices` adds those that leave words out."""
    hint = "a file, a folder of texts, or one with a matrix of genes and cells"
    p.add_argument("--corpus", metavar="FILE", required=required, help=hint)
    p.add_argument("--vocab", metavar="FILE", help="a file of one word per line")
    p.add_argument("--format", choices=(*FORMATS, *TABLES, *OF_PROGRAMS), help="default: guessed from the content")
    p.add_argument("--column", metavar="NAME", help="the column of a CSV or TSV file, or field of JSON")
    p.add_argument("--encoding", metavar="NAME", default="utf-8", help="of texts and words, as cp1252; default utf-8")
    p.add_argument("--transpose", action=argparse.BooleanOptionalAction, help="rows of mm and npz are words")
    p.add_argument("--skip-unreadable", action="store_true", help="leave out files of a folder that cannot be read")
    if adds_choices:
        hint = "leave out words: english, another language, a file, several separated by commas, or none; default none"
        p.add_argument("--stop-words", "--stopwords", metavar="LIST", action="append", help=hint)
        p.add_argument("--min-documents", metavar="N", type=int, help="leave out words in fewer than N documents")
        p.add_argument("--max-documents", metavar="SHARE", type=share, help="leave out words in a larger share")
        p.add_argument("--no-numbers", action="store_true", help="leave out words without a letter")


def share(text: str) -> float:
    """A share such as 0.5 or 50%."""
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def stop_lists(a: argparse.Namespace) -> list[str]:
    """The lists of stop words that the options name: "english" and files; a comma may be part of a file's name."""
    all_list_names: list[str] = []
    for stop_arg in getattr(a, "stop_words", None) or ():
        names_in_option = [stop_arg] if stop_arg and Path(stop_arg).is_file() else stop_arg.split(",")
        if "" in names_in_option:
            raise ValueError(f"stop_words is {shown(stop_arg)}, expected languages, files or none, separated by commas")
        all_list_names += names_in_option
    return [list_name for list_name in all_list_names if list_name != "none"]


def reading(
    a: argparse.Namespace, model_words: Sequence[str] | None = None, W: int | None = None, path: str | None = None
) -> Reading:
    """What was read by the options of `add_arguments`, or from a path instead of --corpus; says what was left out.

    With the words of a model, the options that choose words are not used. W is the expected number of words.
    """
    path = a.corpus if path is None else path
    option_names = (*OPTIONS, *CHOICES[1:3] * (model_words is None))
    options: dict[str, Any] = {name: option for name in option_names if (option := getattr(a, name, None)) is not None}
    if model_words is None:
        options["stop"] = frozenset().union(*(stop_words(list_name, a.encoding) for list_name in stop_lists(a)))
        options["numbers"] = not getattr(a, "no_numbers", False)
    corpus_reading: Reading = read(path, a.format, a.vocab, W, words=model_words, **options)
    if corpus_reading.corpus.N == 0 and a.command != "infer":
        raise ValueError(f"{path}: no word that the model knows, expected at least one")
    if corpus_reading.left_out or corpus_reading.empty or corpus_reading.taken:
        print(f"{path}: {corpus_reading.sentence()}", file=sys.stderr)
    if model_words is None and stop_lists(a) and not any("stop words" in rule for rule, *_ in corpus_reading.left_out):
        print(f"{path}: no stop word occurs", file=sys.stderr)
    return corpus_reading
