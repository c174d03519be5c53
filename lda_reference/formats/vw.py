"""Lines of words and counts, `name |namespace word:count word ...`, as Vowpal Wabbit and BigARTM read them."""

import re
from pathlib import Path

import numpy as np

from ..arguments import shown
from ..corpus import Corpus
from .files import Contents, lines_of, refuse

FIELD = re.compile(r"([^:]+)(?::([0-9]{1,18})(?:\.0*)?)?")
COUNTED = re.compile(r"[^\s:|]*[^\W\d_][^\s:|]*:[0-9.]+")  # apple:2, and not the time 12:30
DEFAULT = "@default_class"  # the namespace in BigARTM of words that have none
SHARE = 0.25  # of the fields, above which those with a count make prose unlikely; a count of 1 may be left out


def read(path: Path, text: str) -> Contents[Corpus]:
    """The corpus of types of the words that occur; counts of a word that is again in a document are added up.

    The name of a document is the last field before the bar or, in a line without a bar, the first field. The documents
    have these names if all are there and differ.
    """
    names, rows, first = list[str](), list[tuple[int, str, int]](), dict[str, int]()
    for line, document in enumerate(lines_of(text.rstrip()), 1):
        name, parts = _parts(path, line, document)
        names.append(name)
        for part in parts:
            fields = part.split()
            namespace = fields.pop(0) if part[:1].strip() else ""
            first.setdefault("" if namespace == DEFAULT else namespace, line)
            if len(first) > 1 or ":" in namespace:
                expected = f"one namespace in the file, as from line {min(first.values())}, and no weight of it"
                refuse(path, line, f"the namespace {shown(namespace)}", expected)
            for field in fields:
                match = FIELD.fullmatch(field)
                if not match or int(match[2] or 1) < 1:
                    refuse(path, line, shown(field), "a word, or word:count with a whole count from 1")
                rows.append((line - 1, match[1], int(match[2] or 1)))
    number = {word: w for w, word in enumerate(sorted({word for _, word, _ in rows}))}
    j, w, n = np.array([(j, number[word], n) for j, word, n in rows], np.int64).reshape(-1, 3).T
    c = Corpus(j, w, n, len(names), len(number), tuple(number)).types()
    has_names = all(names) and len(set(names)) == len(names)
    return Contents(c, names if has_names else None, "names of documents and of a namespace are not read as words")


def looks_like_counts(text: str) -> bool:
    """Whether the first lines of a text are likely to be words with counts, or have one bar each before words."""
    lines = [line for line in lines_of(text) if line.strip()]
    fields = [field for line in lines for field in line.split()]
    counted = sum(COUNTED.fullmatch(field) is not None for field in fields)
    has_bars = all(line.count("|") == 1 or "|@" in line for line in lines)
    return counted >= SHARE * len(fields) > 0 or (has_bars and re.search(r"\|@|\S:[0-9]", text) is not None)


def _parts(path: Path, line: int, document: str) -> tuple[str, list[str]]:
    """The name of a document, and what follows each bar, or follows the name if there is no bar."""
    before, *parts = document.split("|")
    fields = before.split()
    if parts:
        return (fields[-1].removeprefix("'") if fields else ""), parts
    if len(fields) < 2 or ":" in fields[0]:
        expected = "`| word:count ...`, also without a word, or `name word:count ...`"
        refuse(path, line, f"{shown(document)}, which has no bar", expected)
    return fields[0], [before.strip()[len(fields[0]) :]]
