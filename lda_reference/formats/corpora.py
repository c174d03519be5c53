"""Corpora in files: the formats by name, and reading with a guess at the format."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from html.entities import name2codepoint
from pathlib import Path
from typing import Any

from ..arguments import expect, path_of, whole_number
from ..arguments import words as words_of
from ..corpus import Corpus
from . import genes, lda_c, mallet, pairs, text, vw
from .files import UTF_8, Contents, Source, decoded
from .labels import labels_of
from .selection import ONE_DOCUMENT, LeftOut, Reading, check_choices, select, stop_words, within
from .texts import TABLES, TEXTS, check_is_prose, check_options, opened, texts_of

TAGS = "p|br|div|span|a|b|i|u|li|ul|ol|table|td|th|tr|img|html|body|em|font|strong|h[1-6]"
HTML = re.compile(rf"</?(?:{TAGS})(?:\s[^<>]*)?/?>|&(?:#\d+|#x[\da-f]+|{'|'.join(name2codepoint)}|apos);", re.I)


def read_corpus(
    path: Source,
    format: str | None = None,
    vocab: Source | Sequence[str] | None = None,
    W: int | None = None,
    stop: Source | Iterable[str] | None = None,
    column: str | None = None,
    min_documents: int = 0,
    max_documents: float = 1.0,
    numbers: bool = True,
    words: Sequence[str] | None = None,
    encoding: str = UTF_8,
    transpose: bool | None = None,
    skip_unreadable: bool = False,
) -> Corpus:
    """A corpus of types from a file, or from a folder of texts.

    Parameters
    ----------
    path : path
        A gzipped file is decompressed, whatever its name.
    format : str, optional
        - "uci": three lines D, W and NNZ, then a line `document word count` for each pair, both numbered from 1 (the
          docword files of the UCI Machine Learning Repository);
        - "ldac": one line per document, `types word:count word:count ...`, words from 0 (Blei's lda-c);
        - "mm": Matrix Market, coordinate, general or symmetric; rows are documents, columns words unless `transpose` or
          files beside it with the names of genes and cells, as of 10x Genomics, say otherwise; also their folder;
        - "npz": a (documents, words) matrix written by `scipy.sparse.save_npz`;
        - "text": a file with one document per line, or a folder with one document per file, also in folders within it
          or linked from it, each folder once, in the order of their names, without those that begin with a dot;
        - "csv": a column of a table with a header, delimited by commas, semicolons or tabs, one document per row;
        - "jsonl", "json": a field of JSON Lines, one document per line, or of the objects in an array;
        - "gibbslda": the number of documents, then a document per line (GibbsLDA++, JGibbLDA, gensim's LowCorpus);
        - "mallet": a line `name label text` for each document; the label is its group;
        - "mallet-state": the documents of a state of MALLET, without its topics;
        - "vw": a line `name | word:count word ...` for each document (Vowpal Wabbit, BigARTM);
        - "h5ad": the counts X of cells by genes, if the package anndata is installed.

        The words of a text are its runs of letters, digits and combining marks, in lower case and Unicode's form NFC.
        By default the format is guessed from the content, and for "csv" from the name or because `column` is given.
    vocab : path of a file of one word per line, or sequence of words, optional
        For texts, only these words are kept; by default the vocabulary is the words that occur, sorted.
    W : int, optional
        The expected number of words. A file of "ldac" does not state it; there the default is the length of `vocab` or,
        without one, the largest id plus 1.
    stop : "english", path of a file of one word per line, or words, optional
        Words to leave out, see `selection.stop_words`. "english" is a list of function words in the package.
    column : str, optional
        For "csv" and "jsonl": the column or field that holds the texts.
    min_documents : int, 0 or more
        Words in fewer documents are left out; default 0.
    max_documents : float in (0, 1]
        Words in a larger share of the documents that have words are left out; default 1.
    numbers : bool
        Whether words without a letter are kept; default True.
    words : sequence of words, optional
        The words of a model. They are the vocabulary of the corpus, in this order, and other words are left out. Counts
        without names are taken to be of as many words in the same order.
    encoding : str
        Of texts and of the file `vocab`, one of Python's names, such as "utf-16" or "cp1252"; default "utf-8".
    transpose : bool, optional
        Whether the rows of "mm" or "npz" are words; by default they are if the files beside it say so.
    skip_unreadable : bool
        Whether files of a folder that cannot be read are left out; default False.

    Returns
    -------
    Corpus
        All documents, also those that have no word left. Words can be left out by their names only, so counts without
        names of words then need `vocab`. `read` also returns what was left out and the names of the documents.

    Raises
    ------
    ValueError
        If the file is not what its format promises; the message names the file, the line and what was expected.
    """
    return read(**locals()).corpus


def read(
    path: Source,
    format: str | None = None,
    vocab: Source | Sequence[str] | None = None,
    W: int | None = None,
    stop: Source | Iterable[str] | None = None,
    column: str | None = None,
    min_documents: int = 0,
    max_documents: float = 1.0,
    numbers: bool = True,
    words: Sequence[str] | None = None,
    encoding: str = UTF_8,
    transpose: bool | None = None,
    skip_unreadable: bool = False,
    id: str | None = None,
    group: str | None = None,
    date: str | None = None,
) -> Reading:
    """The corpus of `read_corpus`, with the same arguments, and what was left out.

    `id`, `group` and `date` name further columns of a table, or fields of JSON: the names of the documents, what they
    belong to, and their dates in ISO 8601, such as 1789, 1789-07 or 1789-07-14. See `labels.labels_of`.
    """
    path = path_of(path, "path")
    check_options(format, column, encoding)
    whole_number(0 if W is None else W, "W", 0)
    check_choices(min_documents, max_documents, numbers)
    words = None if words is None else words_of(words, "words")
    vocab_is_file = isinstance(vocab, (str, os.PathLike))
    vocab_words = text.read_vocab(path_of(vocab, "vocab"), encoding) if vocab_is_file else vocab
    vocab_list = None if vocab_words is None else words_of(vocab_words)
    stated_words, W = (vocab_list, W) if words is None else (words if vocab_list is None else vocab_list, None)
    stop_set, guesses_format = stop_words(stop, encoding), format is None
    path, format, content = opened(path, format, column, encoding)
    column_of_kind = {kind: name for kind, name in (("id", id), ("group", group), ("date", date)) if name is not None}
    allows = {"transpose": format in ("mm", "npz"), "skip_unreadable": path.is_dir()}
    for name, arg in (column_of_kind | {"transpose": transpose, "skip_unreadable": skip_unreadable or None}).items():
        needs_table = f"; {name} names a column of a table" if name in column_of_kind else ""
        is_allowed = arg is None or allows.get(name, format in TABLES)
        expect(is_allowed, arg, name, f"none: {path} is of format {format!r}{needs_table}")
    has_markup = list[bool]()
    if format in TEXTS:
        texts, doc_names, remark = texts_of(path, content, format, column, encoding, skip_unreadable)
        full_corpus = text.counted(_noting_markup(texts, has_markup))
        if guesses_format and format == "text":
            check_is_prose(path, full_corpus, content)
    else:
        stated_W = W if stated_words is None or W is not None else len(stated_words)
        full_corpus, doc_names, remark = _count_contents(path, content, format, stated_W, transpose)
    label_map = dict[str, list[str]]()
    if column_of_kind:
        label_map, label_remark = labels_of(path, decoded(path, content), format, column, column_of_kind)
        remark = "; ".join(filter(None, (remark, label_remark)))
    if format == "mallet":
        label_map = {"group": [label for _, label, _ in mallet.instances(decoded(path, content))]}
    doc_names = label_map.pop("id", doc_names)
    if full_corpus.N == 0:
        raise ValueError(f"{path}: an empty corpus, expected at least one {'word' if format in TEXTS else 'token'}")
    c, left_out = _with_words(full_corpus, path, vocab_list, stated_words, W, vocab if vocab_is_file else "vocab")
    if words is not None and c.vocab != words:
        c, left_outside = within(c, words)
        left_out += left_outside
    if stop_set or min_documents > 0 or max_documents < 1 or not numbers:
        if c.vocab is None:
            raise ValueError(f"vocab is missing, expected the words of {path}: words are left out by their names")
        c, left_out_by_rule = select(c, stop_set, min_documents, max_documents, numbers)
        left_out += left_out_by_rule
    if format in TEXTS and (lost_words := [word for word in stated_words or () if text.tokenise(word) != [word]]):
        lost_text = f"words of the vocabulary that no text can have, as it is read: {len(lost_words):,}"
        remark = "; ".join(filter(None, (remark, f"{lost_text}, such as {lost_words[0]!r}")))
    is_one_a_line = format == "text" and not path.is_dir()
    sizes = full_corpus.D, full_corpus.W, full_corpus.N
    reading = Reading(c, *sizes, tuple(left_out), format, sum(has_markup), is_one_a_line, doc_names, remark, label_map)
    reading = reading._replace(by_number=full_corpus.vocab is None and vocab_list is None and words is not None)
    if c.N == 0 and words is None:
        one_document_hint = f"; {ONE_DOCUMENT}" if c.D == 1 else ""
        raise ValueError(f"{path}: no word is left, expected at least one: {reading.sentence()}{one_document_hint}")
    return reading


def _noting_markup(texts: Iterable[str], has_markup: list[bool]) -> Iterator[str]:
    for document_text in texts:
        has_markup.append(HTML.search(document_text) is not None)
        yield document_text


def _with_words(
    c: Corpus, path: Path, vocab: Sequence[str] | None, vocabulary: Sequence[str] | None, W: int | None, vocab_name: Any
) -> tuple[Corpus, list[LeftOut]]:
    """The corpus in the words of `vocab`, if it was given, or with the words that the file does not have."""
    left_out = list[LeftOut]()
    file_has_words = c.vocab is not None
    if file_has_words and vocab is not None:
        c, left_out = within(c, vocab)
    if W is not None and c.W != W:
        raise ValueError(f"{path}: a vocabulary of {c.W} words, expected {W}")
    if file_has_words or vocabulary is None:
        return c, left_out
    if len(vocabulary) != c.W and vocab is None:
        sizes_text = f"it has {c.W} words and the model {len(vocabulary)}"
        raise ValueError(f"vocab is missing, expected the words of {path}: {sizes_text}")
    if len(vocabulary) != c.W:
        raise ValueError(f"{vocab_name}: {len(vocabulary)} words, expected {c.W}, as many as {path} has")
    return Corpus(c.j, c.w, c.n, c.D, c.W, tuple(vocabulary)), left_out


def _count_contents(path: Path, content: bytes, format: str, W: int | None, transpose: bool | None) -> Contents[Corpus]:
    """What a file of counts holds. `W` is the number of words for "ldac", if it is known."""
    try:
        if format == "ldac":
            return Contents(lda_c.read(path, content, W))
        if format == "uci":
            return Contents(pairs.read_uci(path, content))
        if format == "mallet-state":
            return mallet.counts_of_state(path, decoded(path, content))
        if format == "vw":
            return vw.read(path, decoded(path, content))
        if format == "h5ad":
            return genes.read_h5ad(path)
        read_matrix = pairs.read_matrix_market if format == "mm" else pairs.read_npz
        return genes.turned(path, read_matrix(path, content), transpose)
    except ValueError as error:
        raise error if str(error).startswith(str(path)) else ValueError(f"{path}: {error}") from None
