"""A corpus as rows (document, word, count), and three ways to split it.

Rows hold int64 everywhere. In a browser `np.repeat` and `np.bincount` refuse int64, so their arguments are cast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from .arguments import (
    check_entries,
    check_generator,
    check_memory,
    expect,
    is_number,
    is_whole,
    items,
    positive,
    shown,
    whole_number,
    whole_numbers,
    words,
)
from .matrices import counts_of

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Corpus:
    """A corpus as rows (document, word, count), in the order of the documents.

    A corpus of *tokens* has one row per token, in the order of the text. A corpus of *types* has one row for each word
    that occurs in a document, sorted by document and word. Two corpora are equal if their rows, sizes and vocabularies
    are equal. A ValueError names the first row that breaks one of the rules below.

    The rows are j, w and n, (M,) integers each: the document (from 0, never decreasing), the word (from 0) and the
    count (1 or more). D and W are the numbers of documents and of words; a document or a word may have no row. The
    optional `vocab` is a sequence of the W words. With `fractions`, n may hold fractions, as the weights of TF-IDF: see
    `Algorithm.takes_fractions`.

    >>> c = Corpus.from_documents([[0, 1, 1], [2, 0]], W=3)
    >>> c.j.tolist(), c.w.tolist(), c.n.tolist()
    ([0, 0, 0, 1, 1], [0, 1, 1, 2, 0], [1, 1, 1, 1, 1])
    >>> c.types().n.tolist(), c.N, c.M, c.types().M
    ([1, 2, 1, 1], 5, 5, 4)
    """

    j: Ints
    w: Ints
    n: Ints
    D: int
    W: int
    vocab: tuple[str, ...] | None = None
    fractions: bool = False

    def __post_init__(self) -> None:
        if self.fractions:  # if all counts are whole, they are stored as such
            object.__setattr__(self, "n", positive(self.n, "n"))
            object.__setattr__(self, "fractions", bool((self.n != np.floor(self.n)).any()))
        for field_name in ("j", "w") if self.fractions else ("j", "w", "n"):
            object.__setattr__(self, field_name, whole_numbers(getattr(self, field_name), field_name))
        for field_name in ("D", "W"):
            object.__setattr__(self, field_name, whole_number(getattr(self, field_name), field_name, 0))
        if not self.j.shape == self.w.shape == self.n.shape:
            lengths_text = f"{len(self.j)}, {len(self.w)} and {len(self.n)}"
            raise ValueError(f"j, w and n have lengths {lengths_text}, expected equal lengths")
        check_entries(self.j >= 0, self.j, "j", "a document from 0")
        check_entries(self.j < self.D, self.j, "j", f"a document below D = {self.D}")
        check_entries(self.w >= 0, self.w, "w", "a word from 0")
        check_entries(self.w < self.W, self.w, "w", f"a word below W = {self.W}")
        check_entries(self.fractions | (self.n >= 1), self.n, "n", "a count of 1 or more")
        if self.n.sum(dtype=np.float64) >= 2.0**63:  # the sum of int64 would have wrapped around
            raise ValueError("n adds up to 2**63 or more, expected fewer tokens")
        check_entries(np.diff(self.j, prepend=0) >= 0, self.j, "j", "documents in ascending order")
        if self.vocab is not None:
            object.__setattr__(self, "vocab", words(self.vocab))
            if len(self.vocab) != self.W:
                raise ValueError(f"vocab has {len(self.vocab)} words, expected W = {self.W}")

    @cached_property
    def N(self) -> int:
        """Number of tokens; a float if counts are fractions."""
        return self.n.sum().item()

    @cached_property
    def M(self) -> int:
        """Number of rows."""
        return len(self.n)

    def by_document(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The sums (D,) of x, a number for each row, over the rows of each document."""
        return np.bincount(self.j.astype(np.intp), x, self.D).astype(np.float64)  # without a row they are integers

    def by_word(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The sums (W,) of x, a number for each row, over the rows of each word."""
        return np.bincount(self.w.astype(np.intp), x, self.W).astype(np.float64)

    @property
    def is_types(self) -> bool:
        """Whether this is a corpus of types: each word has one row per document, sorted by document and word."""
        return bool(np.all((np.diff(self.j) > 0) | (np.diff(self.w) > 0)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        are_rows_equal = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("j", "w", "n"))
        return are_rows_equal and (self.D, self.W, self.vocab) == (other.D, other.W, other.vocab)

    def __repr__(self) -> str:
        return f"Corpus(D={self.D}, W={self.W}, N={self.N}, M={self.M})"

    def with_rows(self, j: Ints, w: Ints, n: Ints) -> Corpus:
        """The corpus with other rows and the same D, W and vocabulary."""
        return Corpus(j, w, n, self.D, self.W, self.vocab, self.fractions)

    def types(self) -> Corpus:
        """The corpus of types: rows of the same document and word become one row, sorted by document and word."""
        if self.is_types:
            return self
        row_order = np.lexsort((self.w, self.j))
        j, w = self.j[row_order], self.w[row_order]
        row_starts = np.flatnonzero(np.append(True, (np.diff(j) != 0) | (np.diff(w) != 0)))
        return self.with_rows(j[row_starts], w[row_starts], np.add.reduceat(self.n[row_order], row_starts))

    def tokens(self) -> Corpus:
        """The corpus of tokens: each row of count n becomes n rows of count 1."""
        if self.fractions:
            raise ValueError("the corpus has fractions as counts, expected whole numbers of tokens here")
        if self.M == self.N:
            return self
        check_memory(3 * self.N, f"the rows of N = {self.N} tokens")
        row_counts = self.n.astype(np.intp)
        return self.with_rows(np.repeat(self.j, row_counts), np.repeat(self.w, row_counts), np.ones(self.N, np.int64))

    @classmethod
    def from_documents(
        cls, documents: Iterable[Sequence[int]], W: int | None = None, vocab: Sequence[str] | None = None
    ) -> Corpus:
        """A corpus of tokens from lists of word ids; by default W is the length of `vocab`, or the largest id + 1."""
        document_list = items(documents, "documents", "a sequence of documents")
        documents = [items(ids, f"documents[{d}]", "a sequence of word ids") for d, ids in enumerate(document_list)]
        if not documents:
            raise ValueError("documents is empty, expected at least one document")
        for d, document in enumerate(documents):
            for i, w in enumerate(document):
                if not (is_whole(w) and 0 <= w < 2**63):
                    raise ValueError(f"documents[{d}][{i}] is {shown(w)}, expected a word id: an integer from 0")
        word_ids = np.array([w for document in documents for w in document], np.int64)
        vocab = None if vocab is None else words(vocab)
        if W is None:
            W = len(vocab) if vocab is not None else int(np.max(word_ids, initial=-1)) + 1
        j = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
        return cls(j, word_ids, np.ones(len(word_ids), np.int64), len(documents), W, vocab)

    @classmethod
    def from_csr(cls, X: Any, vocab: Sequence[str] | None = None, fractions: bool = False) -> Corpus:
        """A corpus of types from a (D, W) matrix of counts, dense or sparse, or a data frame with words as columns.

        Duplicate entries are added up and stored zeros are dropped. A masked count is 0. A data frame of objects must
        hold numbers alone.

        >>> Corpus.from_csr([[2, 0, 1], [0, 0, 0]])
        Corpus(D=2, W=3, N=3, M=2)
        """
        if vocab is None and set(map(type, column_names := getattr(X, "columns", ()))) == {str}:
            vocab = tuple(column_names)
            if vocab[0].startswith("Unnamed: "):  # as pandas calls the numbers of the rows in a file
                raise ValueError(f"X has the column {vocab[0]!r}, expected words alone: read the file with index_col=0")
        coo = counts_of(X, fractions)
        n = coo.data if fractions else coo.data.astype(np.int64)
        D, W = coo.shape
        return cls(coo.row, coo.col, n, D, W, None if vocab is None else words(vocab), fractions)

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], stop: str | Iterable[str] | None = None, min_documents: int = 0,
        max_documents: float = 1.0, numbers: bool = True, words: Sequence[str] | None = None,
    ) -> Corpus:  # fmt: skip
        """A corpus of types from texts, such as a list or a column of a data frame, one text for each document.

        Words are found and chosen as in `read_corpus`, with the same arguments. A text that is missing (None or NaN) is
        refused; "" is a document without words.

        >>> Corpus.from_texts(["The cat saw a cat.", "A dog!"], stop="english").vocab
        ('cat', 'dog', 'saw')
        """
        bows_module = import_module(f"{__package__}.formats.bows")  # which stands above this module
        corpus: Corpus = bows_module.from_texts(texts, stop, min_documents, max_documents, numbers, words)
        return corpus

    def to_csr(self) -> scipy.sparse.csr_array:
        """The (D, W) matrix of counts, in canonical form. It shares no memory with the corpus."""
        check_memory(self.D + 1, f"the ends of D = {self.D} rows")
        c = self.types()
        row_starts = np.searchsorted(c.j, np.arange(c.D + 1))
        return scipy.sparse.csr_array((c.n.copy(), c.w.copy(), row_starts), shape=(c.D, c.W))


def as_corpus(c: Any) -> Corpus:
    """A corpus, from a Corpus or a matrix of counts with a row for each document, dense or sparse."""
    if isinstance(c, Corpus):
        return c
    if scipy.sparse.issparse(c) or (isinstance(c, np.ndarray) and c.ndim == 2) or hasattr(c, "columns"):
        return Corpus.from_csr(c)
    raise ValueError(
        f"c is of the type {type(c).__name__}, expected a Corpus or a matrix of counts, documents by words; for lists"
        " of word ids see Corpus.from_documents, for bags of words from_bows(bows, vocab=...)"
    )


def split(
    c: Any, by: str = "tokens", fraction: float | None = None, rng: np.random.Generator | None = None
) -> tuple[Corpus, Corpus]:
    """A training and a test corpus over the same vocabulary; a ValueError names an argument out of its range.

    c is a Corpus, or a (D, W) matrix of counts, dense or sparse. The ways to split it are, by name:

    - "tokens": round(fraction * n) of the n tokens of each document, drawn without replacement, go to the test corpus
      (TNW06 §4, with fraction 0.1; SN12 §10, with 0.2). Both corpora keep all documents.
    - "halves": the first ceil(n/2) tokens of each document go to the training corpus, the others to the test corpus
      (AWST09 §4, applied to test documents). Both corpora keep all documents. Without `rng` the halves are those of the
      text, so `c` must hold tokens; with `rng` the tokens are first shuffled within each document.
    - "documents": round(fraction * D) whole documents go to the test corpus. Both corpora number their documents from
      0, in the old order.

    "tokens" and "documents" require `rng`; their fraction is by default 0.1. The results are corpora of types if `c`
    has counts above 1 or is one of types, otherwise of tokens in their order.

    >>> c = Corpus.from_documents([[0, 1, 2, 3], [3, 2, 1]])
    >>> [half.w.tolist() for half in split(c, "halves")]
    [[0, 1, 3, 2], [2, 3, 1]]
    """
    is_known_way = isinstance(by, str) and by in ("tokens", "halves", "documents")
    expect(is_known_way, by, "by", '"tokens", "halves" or "documents"')
    expect(by != "halves" or fraction is None, fraction, "fraction", "none with by = 'halves'")
    c, fraction = as_corpus(c), 0.1 if fraction is None else fraction
    expect(is_number(fraction) and 0 <= fraction <= 1, fraction, "fraction", "a number in [0, 1]")
    if rng is not None:
        check_generator(rng)
    if rng is None and by != "halves":
        raise ValueError(f"rng is None, expected a numpy.random.Generator with by = {by!r}")
    if rng is None and c.M < c.N:
        raise ValueError("c has counts above 1, so its tokens have no order: pass rng, or a corpus of tokens")
    check_memory(c.D, f"the lengths of D = {c.D} documents")

    if by == "documents":
        assert rng is not None
        is_test_document = np.zeros(c.D, bool)
        is_test_document[rng.permutation(c.D)[: int(fraction * c.D + 0.5)]] = True
        c = c.types() if c.M < c.N else c
        return _with_documents(c, ~is_test_document), _with_documents(c, is_test_document)

    tokens = c.tokens()
    token_order = np.arange(tokens.N) if rng is None else np.lexsort((rng.random(tokens.N), tokens.j))
    N_j = np.bincount(tokens.j.astype(np.intp), minlength=c.D)
    place_in_document = np.arange(tokens.N) - np.repeat(np.cumsum(N_j) - N_j, N_j)
    known_lengths, test_lengths = (N_j + 1) // 2, np.floor(fraction * N_j + 0.5).astype(np.int64)
    train_lengths = known_lengths if by == "halves" else N_j - test_lengths
    is_held_out = np.zeros(tokens.N, bool)
    is_held_out[token_order] = place_in_document >= train_lengths[tokens.j]
    halves = (tokens.with_rows(tokens.j[mask], tokens.w[mask], tokens.n[mask]) for mask in (~is_held_out, is_held_out))
    train, heldout = (half_corpus.types() if c.M < c.N or c.is_types else half_corpus for half_corpus in halves)
    return train, heldout


def _with_documents(c: Corpus, is_chosen: NDArray[np.bool_]) -> Corpus:
    new_j, row_mask = np.cumsum(is_chosen) - 1, is_chosen[c.j]
    return Corpus(new_j[c.j[row_mask]], c.w[row_mask], c.n[row_mask], int(is_chosen.sum()), c.W, c.vocab, c.fractions)
