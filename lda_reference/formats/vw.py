"""Lines of words and counts, `name |namespace word:count word ...`, as Vowpal Wabbit and BigARTM read them."""

import re
from pathlib import Path

import numpy as np

from ..arguments import shown
from ..corpus import Corpus
from .files import Contents, lines_of, refuse

FIELD = re.compile(r"([^:]+)(?::([0-9]{1,18})(?:\.0*)?)?")
COUNTED_FIELD = re.compile(r"[^\s:|]*[^\W\d_][^\s:|]*:[0-9.]+")  # apple:2, and not the time 12:30
DEFAULT_NAMESPACE = "@default_class"  # the namespace in BigARTM of words that have none
COUNTED_SHARE = 0.25  # of the fields, above which those with a count make prose unlikely; a count of 1 may be left out


def read(path: Path, text: str) -> Contents[Corpus]:
    """The corpus of types of the words that occur; counts of a word that is again in a document are added up.

    The name of a document is the last field before the bar or, in a line without a bar, the first field. The documents
    have these names if all are there and differ.
    """
    names, rows, first_lines = list[str](), list[tuple[int, str, int]](), dict[str, int]()
    for line_number, document in enumerate(lines_of(text.rstrip()), 1):
        document_name, parts = _split_line(path, line_number, document)
        names.append(document_name)
        for part in parts:
            fields = part.split()
            namespace = fields.pop(0) if part[:1].strip() else ""
            first_lines.setdefault("" if namespace == DEFAULT_NAMESPACE else namespace, line_number)
            if len(first_lines) > 1 or ":" in namespace:
                rule = f"one namespace in the file, as from line {min(first_lines.values())}, and no weight of it"
                refuse(path, line_number, f"the namespace {shown(namespace)}", rule)
            for field in fields:
                match = FIELD.fullmatch(field)
                if not match or int(match[2] or 1) < 1:
                    refuse(path, line_number, shown(field), "a word, or word:count with a whole count from 1")
                rows.append((line_number - 1, match[1], int(match[2] or 1)))
    id_of_word = {word: w for w, word in enumerate(sorted({word for _, word, _ in rows}))}
    j, w, n = np.array([(j, id_of_word[word], n) for j, word, n in rows], np.int64).reshape(-1, 3).T
    c = Corpus(j, w, n, len(names), len(id_of_word), tuple(id_of_word)).types()
    has_names = all(names) and len(set(names)) == len(names)
    return Contents(c, names if has_names else None, "names of documents and of a namespace are not read as words")


def looks_like_counts(text: str) -> bool:
    """Whether the first lines of a text are likely to be words with counts, or have one bar each before words."""
    lines = [line for line in lines_of(text) if line.strip()]
    fields = [field for line in lines for field in line.split()]
    n_counted = sum(COUNTED_FIELD.fullmatch(field) is not None for field in fields)
    has_bars = all(line.count("|") == 1 or "|@" in line for line in lines)
    return n_counted >= COUNTED_SHARE * len(fields) > 0 or (has_bars and re.search(r"\|@|\S:[0-9]", text) is not None)


def _split_line(path: Path, line_number: int, document: str) -> tuple[str, list[str]]:
    """The name of a document, and what follows each bar, or follows the name if there is no bar."""
    before_bar, *parts = document.split("|")
    fields = before_bar.split()
    if parts:
        return (fields[-1].removeprefix("'") if fields else ""), parts
    if len(fields) < 2 or ":" in fields[0]:
        expected_text = "`| word:count ...`, also without a word, or `name word:count ...`"
        refuse(path, line_number, f"{shown(document)}, which has no bar", expected_text)
    return fields[0], [before_bar.strip()[len(fields[0]) :]]
