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
    return _pattern().findall(lowered(text))


def pieces(text: str) -> list[tuple[str, str | None]]:
    """A text cut into its words, each with its form in `tokenise`, and what stands between them, with None.

    The words of `tokenise` and these runs correspond one to one: neither lower case nor NFC splits or joins a run.
    """
    out: list[tuple[str, str | None]] = []
    end = 0
    for match, word in zip(_pattern().finditer(text), tokenise(text), strict=True):
        if match.start() > end:
            out.append((text[end : match.start()], None))
        out.append((match.group(), word))
        end = match.end()
    return [*out, (text[end:], None)] if end < len(text) else out


def lowered(text: str) -> str:
    """A text in lower case and Unicode's form NFC, in which an accented letter is one character if there is one."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", IN_PRINT.sub(lambda match: OF_PRINT[match[0]], text).lower())


@cache
def _pattern() -> re.Pattern[str]:
    """A word begins with a letter or a digit. A mark, such as a vowel sign of Devanagari, does not end it.

    Python searches a set slowly if it has a character from U+10000. The marks from there are therefore a set of their
    own, and ASCII characters are looked for in neither set.
    """
    early, late = (
        "".join(chr(i) for i in candidates if unicodedata.category(chr(i)) in ("Mn", "Mc"))
        for candidates in (range(0x300, 0x10000), (*range(0x10000, 0x20000), *range(0xE0100, 0xE01F0)))
    )
    mark = rf"(?:[{SOFT_HYPHEN}{early}]|(?![\0-\uffff])[{late}])"
    return re.compile(rf"[^\W_]+(?:(?![\0-\u00ac]){mark}+[^\W_]*)*")


def counted(texts: Iterable[str]) -> Corpus:
    """The corpus of types of some texts, one per document; the vocabulary is the words that occur, sorted."""
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    lengths, ids, counts = array("q"), array("q"), array("q")
    for text in texts:
        occurrences = Counter(tokenise(text))
        lengths.append(len(occurrences))
        ids.extend(map(number.__getitem__, occurrences))
        counts.extend(occurrences.values())
    vocab = sorted(number)
    rank = np.empty(len(vocab), np.int64)
    rank[[number[word] for word in vocab]] = np.arange(len(vocab))
    j = np.repeat(np.arange(len(lengths), dtype=np.int64), np.array(lengths, np.intp))
    w, n = rank[np.array(ids, np.intp)], np.array(counts, np.int64)
    order = np.argsort(j * len(vocab) + w)
    return Corpus(j[order], w[order], n[order], len(lengths), len(vocab), tuple(vocab))


def read_vocab(path: Source, encoding: str = UTF_8) -> tuple[str, ...]:
    """The words of a file of one word per line, gzipped or not, in UTF-8 or in an encoding; no word may be repeated."""
    words = [word.strip() for word in lines_of(read_text(path, encoding))]
    seen: dict[str, int] = {}
    for line, word in enumerate(words, 1):
        if not word:
            refuse(path, line, "an empty line", "a word")
        if CONTROL.search(word):
            refuse(path, line, f"{shown(word)} with a control character", "a word")
        if word in seen:
            refuse(path, line, f"{shown(word)} again, as in line {seen[word]}", "each word once")
        seen[word] = line
    return tuple(words)
