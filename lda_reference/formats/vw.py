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
    doc_names, word_rows, line_of_namespace = list[str](), list[tuple[int, str, int]](), dict[str, int]()
    for line_number, document_line in enumerate(lines_of(text.rstrip()), 1):
        document_name, namespace_texts = _split_line(path, line_number, document_line)
        doc_names.append(document_name)
        for namespace_text in namespace_texts:
            word_fields = namespace_text.split()
            namespace = word_fields.pop(0) if namespace_text[:1].strip() else ""
            line_of_namespace.setdefault("" if namespace == DEFAULT_NAMESPACE else namespace, line_number)
            if len(line_of_namespace) > 1 or ":" in namespace:
                rule = f"one namespace in the file, as from line {min(line_of_namespace.values())}, and no weight of it"
                refuse(path, line_number, f"the namespace {shown(namespace)}", rule)
            for word_field in word_fields:
                field_match = FIELD.fullmatch(word_field)
                if not field_match or int(field_match[2] or 1) < 1:
                    refuse(path, line_number, shown(word_field), "a word, or word:count with a whole count from 1")
                word_rows.append((line_number - 1, field_match[1], int(field_match[2] or 1)))
    id_of_word = {word: w for w, word in enumerate(sorted({word for _, word, _ in word_rows}))}
    j, w, n = np.array([(j, id_of_word[word], n) for j, word, n in word_rows], np.int64).reshape(-1, 3).T
    c = Corpus(j, w, n, len(doc_names), len(id_of_word), tuple(id_of_word)).types()
    has_names = all(doc_names) and len(set(doc_names)) == len(doc_names)
    return Contents(c, doc_names if has_names else None, "names of documents and of a namespace are not read as words")


def looks_like_counts(text: str) -> bool:
    """Whether the first lines of a text are likely to be words with counts, or have one bar each before words."""
    lines = [line for line in lines_of(text) if line.strip()]
    fields = [field for line in lines for field in line.split()]
    n_counted = sum(COUNTED_FIELD.fullmatch(field) is not None for field in fields)
    has_bars = all(line.count("|") == 1 or "|@" in line for line in lines)
    return n_counted >= COUNTED_SHARE * len(fields) > 0 or (has_bars and re.search(r"\|@|\S:[0-9]", text) is not None)


def _split_line(path: Path, line_number: int, document_line: str) -> tuple[str, list[str]]:
    """The name of a document, and what follows each bar, or follows the name if there is no bar."""
    before_bar, *after_bars = document_line.split("|")
    fields_before_bar = before_bar.split()
    if after_bars:
        return (fields_before_bar[-1].removeprefix("'") if fields_before_bar else ""), after_bars
    if len(fields_before_bar) < 2 or ":" in fields_before_bar[0]:
        expected_text = "`| word:count ...`, also without a word, or `name word:count ...`"
        refuse(path, line_number, f"{shown(document_line)}, which has no bar", expected_text)
    return fields_before_bar[0], [before_bar.strip()[len(fields_before_bar[0]) :]]
