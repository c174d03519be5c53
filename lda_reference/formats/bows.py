"""Corpora in memory: texts, and bags of words, lists of (word id, count), as gensim has them."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from ..arguments import expect, items
from ..arguments import words as words_of
from ..corpus import Corpus
from .files import Source
from .selection import check_choices, select, stop_words, within
from .text import counted


def from_texts(
    texts: Iterable[str], stop: Source | Iterable[str] | None, min_documents: int, max_documents: float, numbers: bool,
    words: Sequence[str] | None,
) -> Corpus:  # fmt: skip
    """The corpus of `Corpus.from_texts`."""
    expected_texts = "a sequence of texts, such as a list or one column of a data frame"
    expect(not isinstance(texts, (Mapping, Set)) and not hasattr(texts, "columns"), texts, "texts", expected_texts)
    listed = items(texts, "texts", expected_texts)
    for i, text in enumerate(listed):
        expect(isinstance(text, str), text, f"texts[{i}]", 'a text, or "" for a document without one')
    check_choices(min_documents, max_documents, numbers)
    c, stop_set = counted(listed), stop_words(stop)
    c = c if words is None else within(c, words_of(words, "words"))[0]
    c = select(c, stop_set, min_documents, max_documents, numbers)[0]
    if c.N == 0 and words is None:
        raise ValueError(f"texts has no word{' left' * any(listed)} in {len(listed):,} documents, expected one or more")
    return c


def from_bows(
    bows: Iterable[Iterable[tuple[int, float]]],
    W: int | None = None,
    vocab: Sequence[str] | Mapping[int, str] | None = None,
) -> Corpus:
    """A corpus of types from bags of words: for each document a list of (word id, count), as from gensim's `doc2bow`.

    Counts of the same word in a document are added up, and counts of 0 are dropped. A ValueError names the document and
    the pair, or the id, that is wrong.

    The word ids and the whole counts are 0 or more. W is the number of words, by default the length of `vocab` or,
    without one, the largest id plus 1. `vocab` is a sequence of W words, or a mapping from ids to words or from words
    to ids, as gensim has them; the ids of a mapping are 0, 1, ... without a gap.

    >>> c = from_bows([[(0, 2), (2, 1)], []], vocab={0: "cat", 1: "dog", 2: "mouse"})
    >>> c, c.w.tolist(), c.n.tolist(), c.vocab
    (Corpus(D=2, W=3, N=3, M=2), [0, 2], [2, 1], ('cat', 'dog', 'mouse'))
    """
    bow_list = items(bows, "bows", "a sequence of documents")
    if not bow_list:
        raise ValueError("bows is empty, expected at least one document")
    pair_rows = [
        (j, *_checked_pair(pair, f"bows[{j}][{i}]"))
        for j, bow in enumerate(bow_list)
        for i, pair in enumerate(items(bow, f"bows[{j}]", "a sequence of pairs (word id, count)"))
    ]
    j, w, n = np.array([row for row in pair_rows if row[2]], np.int64).reshape(-1, 3).T
    vocab_words = None if vocab is None else words_of(_words(vocab) if hasattr(vocab, "items") else vocab)
    if W is None:
        W = len(vocab_words) if vocab_words is not None else 1 + max((row[1] for row in pair_rows), default=-1)
    return Corpus(j, w, n, len(bow_list), W, vocab_words).types()


def _checked_pair(pair: Any, pair_place: str) -> tuple[int, int]:
    try:
        w, n = pair
        are_whole = int(w) == w and int(n) == n and 0 <= w < 2**63 and 0 <= n < 2**63
    except (TypeError, ValueError, OverflowError):
        are_whole = False
    expect(are_whole, pair, pair_place, "a pair (word id, count) of whole numbers from 0")
    return int(w), int(n)


def _words(vocab: Any) -> tuple[str, ...]:
    """The words of a mapping from ids to words, or from words to ids, in the order of the ids."""
    by_id = dict(vocab.items())
    if all(isinstance(key, str) for key in by_id) and len(set(by_id.values())) == len(by_id):  # as gensim's `token2id`
        by_id = {i: word for word, i in by_id.items()}
    for i in range(len(by_id)):
        if i not in by_id:
            raise ValueError(
                f"vocab has {len(by_id)} words and none of id {i}, expected ids from 0 without a gap (of a gensim"
                " Dictionary: call its compactify() before doc2bow)"
            )
    return tuple(by_id[i] for i in range(len(by_id)))
