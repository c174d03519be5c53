"""Texts as corpora, and vocabularies: files of one word per line."""

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

import numpy as np

from ..arguments import shown
from ..corpus import Corpus
from .files import CONTROL, UTF_8, Source, lines_of, read_text, refuse

SOFT_HYPHEN = "\u00ad"
LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "st", "st")  # from U+FB00
OF_PRINT = {SOFT_HYPHEN: "", **{chr(0xFB00 + i): letters for i, letters in enumerate(LIGATURES)}}
IN_PRINT = re.compile(f"[{''.join(OF_PRINT)}]")


def tokenise(text: str) -> list[str]:
    """The words of a text: the runs of letters, digits and combining marks, in lower case and Unicode's form NFC.

    Soft hyphens are left out, and ligatures are written as their letters.

    >>> tokenise("Don't panic: 42 is THE answer."), tokenise("\ufb01n\u00adal")
    (['don', 't', 'panic', '42', 'is', 'the', 'answer'], ['final'])
    """
    return _word_pattern().findall(lowered(text))


def pieces(text: str) -> list[tuple[str, str | None]]:
    """A text cut into its words, each with its form in `tokenise`, and what stands between them, with None.

    The words of `tokenise` and these runs correspond one to one: neither lower case nor NFC splits or joins a run.
    """
    cut_pieces: list[tuple[str, str | None]] = []
    last_end = 0
    for word_match, word in zip(_word_pattern().finditer(text), tokenise(text), strict=True):
        if word_match.start() > last_end:
            cut_pieces.append((text[last_end : word_match.start()], None))
        cut_pieces.append((word_match.group(), word))
        last_end = word_match.end()
    return [*cut_pieces, (text[last_end:], None)] if last_end < len(text) else cut_pieces


def lowered(text: str) -> str:
    """A text in lower case and Unicode's form NFC, in which an accented letter is one character if there is one."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", IN_PRINT.sub(lambda match: OF_PRINT[match[0]], text).lower())


@cache
def _word_pattern() -> re.Pattern[str]:
    """A word begins with a letter or a digit. A mark, such as a vowel sign of Devanagari, does not end it.

    Python searches a set slowly if it has a character from U+10000. The marks from there are therefore a set of their
    own, and ASCII characters are looked for in neither set.
    """
    low_marks, high_marks = (
        "".join(chr(code_point) for code_point in code_points if unicodedata.category(chr(code_point)) in ("Mn", "Mc"))
        for code_points in (range(0x300, 0x10000), (*range(0x10000, 0x20000), *range(0xE0100, 0xE01F0)))
    )
    mark_pattern = rf"(?:[{SOFT_HYPHEN}{low_marks}]|(?![\0-\uffff])[{high_marks}])"
    return re.compile(rf"[^\W_]+(?:(?![\0-\u00ac]){mark_pattern}+[^\W_]*)*")


def counted(texts: Iterable[str]) -> Corpus:
    """The corpus of types of some texts, one per document; the vocabulary is the words that occur, sorted."""
    id_of_word: defaultdict[str, int] = defaultdict()
    id_of_word.default_factory = id_of_word.__len__
    types_per_document, word_ids, type_counts = array("q"), array("q"), array("q")
    for text in texts:
        count_of_word = Counter(tokenise(text))
        types_per_document.append(len(count_of_word))
        word_ids.extend(map(id_of_word.__getitem__, count_of_word))
        type_counts.extend(count_of_word.values())
    vocab = sorted(id_of_word)
    rank_of_id = np.empty(len(vocab), np.int64)
    rank_of_id[[id_of_word[word] for word in vocab]] = np.arange(len(vocab))
    j = np.repeat(np.arange(len(types_per_document), dtype=np.int64), np.array(types_per_document, np.intp))
    w, n = rank_of_id[np.array(word_ids, np.intp)], np.array(type_counts, np.int64)
    row_order = np.argsort(j * len(vocab) + w)
    return Corpus(j[row_order], w[row_order], n[row_order], len(types_per_document), len(vocab), tuple(vocab))


def read_vocab(path: Source, encoding: str = UTF_8) -> tuple[str, ...]:
    """The words of a file of one word per line, gzipped or not, in UTF-8 or in an encoding; no word may be repeated."""
    words = [word.strip() for word in lines_of(read_text(path, encoding))]
    first_line_of_word: dict[str, int] = {}
    for line_number, word in enumerate(words, 1):
        if not word:
            refuse(path, line_number, "an empty line", "a word")
        if CONTROL.search(word):
            refuse(path, line_number, f"{shown(word)} with a control character", "a word")
        if word in first_line_of_word:
            refuse(path, line_number, f"{shown(word)} again, as in line {first_line_of_word[word]}", "each word once")
        first_line_of_word[word] = line_number
    return tuple(words)
