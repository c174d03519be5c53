"""The words of a corpus that are kept: by a vocabulary, stop words, numbers, and the number of their documents."""

import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module, resources
from importlib.util import find_spec
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arguments import expect, is_number, path_of, shown, texts, whole_number
from ..corpus import Corpus
from .files import UTF_8, Source, lines_of, read_text
from .tables import COUNTS_HINT
from .text import lowered, tokenise
from .texts import TABLES

Mask = NDArray[np.bool_]
SHORT_LENGTH = 15  # words of a document; a line of a printed page has about 10

ONE_DOCUMENT = "one document: topics need many, so put each text into a file of its own, or on a line"


class LeftOut(NamedTuple):
    """Words that were left out by one rule, which says what they are, such as "stop words"."""

    rule: str
    words: int
    tokens: int


class Reading(NamedTuple):
    """A corpus that was read, and what was left out.

    A document that lost all its words is kept, without a word. A word is counted under the first rule that leaves it
    out.
    """

    corpus: Corpus
    D: int  # the numbers of documents, words and tokens before anything was left out
    W: int
    N: int
    left_out: tuple[LeftOut, ...]  # in the order of the rules
    format: str
    markup: int = 0  # the number of texts with tags or entities of HTML
    one_a_line: bool = False  # whether the documents are the lines of a file of text
    names: Sequence[str] | None = None  # of the documents: of files, barcodes of cells, or what the file calls them
    taken: str = ""  # what was taken for what, and what of the file was not read
    labels: Mapping[str, list[str]] = MappingProxyType({})  # `group` and `date` of each document, or ""; if named
    by_number: bool = False  # whether the words are those of a model by their numbers, as the file has no names

    @property
    def copies(self) -> list[tuple[int, int]]:
        """The documents that have the words of an earlier one, each with the first such one."""
        c = self.corpus
        row_bounds = np.searchsorted(c.j, np.arange(c.D + 1))
        rows = np.stack([c.w, c.n], 1)
        first_j: dict[bytes, int] = {}
        bytes_of_j = [(j, rows[lo:hi].tobytes()) for j, (lo, hi) in enumerate(pairwise(row_bounds.tolist())) if lo < hi]
        return [(j, first_j[row_bytes]) for j, row_bytes in bytes_of_j if first_j.setdefault(row_bytes, j) != j]

    @property
    def empty(self) -> int:
        """The number of documents without a word."""
        return self.corpus.D - len(np.unique(self.corpus.j))

    def sentence(self) -> str:
        """What was read, left out and kept, as one line."""
        c = self.corpus
        text = f"{self.D:,} documents, {self.W:,} words, {self.N:,} tokens" + f"; {self.taken}" * bool(self.taken)
        if self.left_out:
            rule_texts = [f"{left.rule}: {left.words:,} ({left.tokens:,} tokens)" for left in self.left_out]
            text += f"; left out are {', '.join(rule_texts)}; kept are {len(np.unique(c.w)):,} words, {c.N:,} tokens"
        return text + (f"; documents without a word: {self.empty:,}" if self.empty else "")

    def warnings(self, names: Sequence[str] | None = None) -> list[str]:
        """What may be wrong with the texts, each as one line; the names are those of the documents."""
        c, lines = self.corpus, []
        names = names or [f"number {j} (from 0)" for j in range(c.D)]
        if self.markup:
            problem = "texts with tags or entities of HTML, such as <p> and &amp;, whose names are read as words"
            remedy = "take them out (html.unescape of Python mends entities), unless a list of stop words has them"
            lines.append(f"{problem}: {self.markup:,}; {remedy}")
        is_na_row = np.array([word == "na" for word in c.vocab or ()], bool)[c.w] if self.format == "csv" else c.w < 0
        if n_missing := int((c.by_document(c.n)[c.j[is_na_row]] == 1).sum()):
            remedy = 'if R wrote it for missing texts, write the table with na = ""'
            lines.append(f"texts of which only NA is left: {n_missing:,}; {remedy}")
        if copies := self.copies:
            examples = ", ".join(f"{names[j]} those of {names[i]}" for j, i in copies[:5]) + ", ..." * (len(copies) > 5)
            problem = f"documents with exactly the words of an earlier one: {len(copies):,} ({examples})"
            lines.append(f"{problem}; topics may describe copies. Copies with a change are not found")
        if c.D == 1:
            lines.append(ONE_DOCUMENT)
        if self.empty:
            empty_js = np.setdiff1d(np.arange(c.D), c.j)[:5].tolist()
            examples = ", ".join(names[j] for j in empty_js) + ", ..." * (self.empty > 5)
            consequence = "the prior alone gives their topics, and the shares of topics leave them out"
            lines.append(f"documents without a word: {self.empty:,} ({examples}); {consequence}")
        mean_length = self.N / max(self.D - self.empty, 1)
        length_text = f"is a document, and has {mean_length:.0f} words on average"
        if self.one_a_line and c.D >= 20 and mean_length < SHORT_LENGTH:
            lines.append(f"each line {length_text}: if the file is one text, cut it into files of a folder")
        if self.format in TABLES and c.D >= 20 and mean_length < 2:
            lines.append(f"each row {length_text}: if it is a word of a document with its count, {COUNTS_HINT}")
        return lines


def stop_words(source: Source | Iterable[str] | None, encoding: str = UTF_8) -> frozenset[str]:
    """The stop words of a list, in the forms in which they can occur in a corpus.

    The source is "english", the package's list of function words; another language, such as "french", if the package
    stop-words is installed; the path of a file of one word per line; or words. Blank lines, repeats, and in
    a file comments, which begin with # and a space, are allowed.

    >>> sorted(stop_words(["The", "don't"]))  # in lower case, and the words that `tokenise` finds
    ['don', "don't", 't', 'the']
    """
    if isinstance(source, str) and source == "english":
        word_lines: Iterable[str] = lines_of(resources.files(__package__).joinpath("english.txt").read_text("utf-8"))
    elif isinstance(source, (str, os.PathLike)):
        path = path_of(source, "stop")
        is_list_file = path.exists() and not path.is_dir()  # a folder may have the name of a language
        file_lines = lines_of(read_text(path, encoding)) if is_list_file else _stop_list_of(os.fspath(path))
        word_lines = (line for line in file_lines if not f"{line.strip()} ".startswith("# "))
    elif source is None:
        word_lines = ()
    else:
        word_lines = texts(source, "stop", "'english', a path or words")
    lowered_words = {lowered(line.strip()) for line in word_lines}
    return frozenset(lowered_words.union(*map(tokenise, lowered_words)) - {""})


def _stop_list_of(language: str) -> Iterable[str]:
    """A list of the package stop-words."""
    expected_text = "english, which is built in, a file, or, after `pip install stop-words`, another language"
    if find_spec("stop_words"):
        package = import_module("stop_words")
        known_languages = sorted(package.LANGUAGE_MAPPING.values())
        if language in known_languages:
            return [x for x in package.get_stop_words(language) if not x.strip().count(" ")]  # phrases are no words
        expected_text = f"a file, or one of {', '.join(known_languages)}"
    raise ValueError(f"there is no list of stop words {shown(language)}, expected {expected_text}")


def within(c: Corpus, words: Sequence[str]) -> tuple[Corpus, list[LeftOut]]:
    """The corpus of types over a given vocabulary, in its order, and what is outside of it."""
    assert c.vocab is not None
    id_of_word = {word: w for w, word in enumerate(words)}
    new_ids = np.array([id_of_word.get(word, -1) for word in c.vocab], np.int64)
    mask = new_ids[c.w] >= 0
    c_inside = Corpus(c.j[mask], new_ids[c.w[mask]], c.n[mask], c.D, len(words), tuple(words), c.fractions).types()
    return c_inside, _left_out(c, [("words outside the vocabulary, such as stop words", new_ids < 0)])


def select(
    c: Corpus, stop: frozenset[str], min_documents: int, max_documents: float, numbers: bool
) -> tuple[Corpus, list[LeftOut]]:
    """The corpus without stop words, numbers, and words in too few or too many documents, and what was left out.

    The corpus has types and a vocabulary. With `min_documents` 0, words that do not occur are kept too.
    """
    assert c.vocab is not None
    D_w, D = np.bincount(c.w.astype(np.intp), minlength=c.W), len(np.unique(c.j))  # documents that have words
    rule_masks: list[tuple[str, Mask]] = []
    if stop:
        rule_masks.append(("stop words", np.array([lowered(word) in stop for word in c.vocab], bool)))
    if not numbers:
        rule_masks.append(("numbers", np.array([not any(map(str.isalpha, word)) for word in c.vocab], bool)))
    if min_documents > 0:
        rule_masks.append((f"words in fewer than {min_documents:,} documents", D_w < min_documents))
    if max_documents < 1:
        rule_masks.append((f"words in more than {max_documents:g} of the documents", D_w / max(D, 1) > max_documents))
    left_out = _left_out(c, rule_masks)
    is_kept_w = ~np.any([mask for _, mask in rule_masks], axis=0) if rule_masks else np.ones(c.W, bool)
    if is_kept_w.all():
        return c, left_out
    is_kept_row, new_id_of_w = is_kept_w[c.w], np.cumsum(is_kept_w) - 1
    vocab = tuple(word for word, is_kept in zip(c.vocab, is_kept_w.tolist(), strict=True) if is_kept)
    return Corpus(c.j[is_kept_row], new_id_of_w[c.w[is_kept_row]], c.n[is_kept_row], c.D, len(vocab), vocab), left_out


def check_choices(min_documents: int, max_documents: float, numbers: bool) -> None:
    """Raise a ValueError unless the rules of `select` are of their kinds."""
    whole_number(min_documents, "min_documents", 0)
    is_share = is_number(max_documents) and 0 < max_documents <= 1
    expect(is_share, max_documents, "max_documents", "a share above 0 and at most 1")
    expect(isinstance(numbers, (bool, np.bool_)), numbers, "numbers", "True or False")


def _left_out(c: Corpus, rule_masks: list[tuple[str, Mask]]) -> list[LeftOut]:
    """The words and tokens that each rule leaves out after the rules before it, without rules that leave out none."""
    N_w, is_gone, left_out = np.zeros(c.W, np.int64), np.zeros(c.W, bool), []
    np.add.at(N_w, c.w, c.n)
    for rule_name, in_rule in rule_masks:
        newly_gone = in_rule & ~is_gone
        if newly_gone.any():
            left_out.append(LeftOut(rule_name, int(newly_gone.sum()), int(N_w[newly_gone].sum())))
        is_gone |= in_rule
    return left_out
