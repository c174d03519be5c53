"""The command `report`: a model as one HTML page that needs no network."""

import argparse

from ...arguments import whole_number
from ...formats import read_texts
from .. import corpora, progress
from ..groups import COLUMNS, groups
from ..models import MODEL, document_number, force_argument, in_unicode, mean_shares, saved_in, shown_model
from ..outputs import check_output, write
from .documents import Texts
from .findings import charts, findings
from .page import page


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False, adds_choices=False)
    p.add_argument("model", metavar="PATH", help=MODEL)
    document_help = "the document in colours, by name or number; default one of median length"
    p.add_argument("--document", metavar="NAME", help=document_help)
    p.add_argument("--words", type=int, default=12, help="words of a topic at a time; default 12")
    p.add_argument("--out", metavar="FILE", required=True, help="the HTML file")
    force_argument(p)
    progress.add_arguments(p)


def run(a: argparse.Namespace) -> None:
    check_output(a, "out")
    whole_number(a.words, "words", 1)
    f, c, document_names = shown_model(a.model, a)
    if c is None and a.document is not None:
        raise ValueError("--document needs --corpus")
    if c is not None and c.vocab is not None:
        f = f._replace(vocab=c.vocab)
    document_names, D = document_names or saved_in(a.model, "documents"), len(f.theta_jk)
    shown_j = None if a.document is None else document_number(a.document, document_names, D)
    shares = mean_shares(f, a.model, c)
    report = findings(f, c, document_names, a.words, shown_j, lambda js: _texts(a, js), shares)
    N, labels = None if c is None else c.N, saved_in(a.model, "labels") or {}
    grouped = [groups(labels, grouping, f.theta_jk) for grouping, label_kind in COLUMNS.items() if label_kind in labels]
    write(page(f, report, charts(f, N), N, in_unicode(a.model), a.words, saved_in(a.model, "reading"), grouped), a.out)


def _texts(a: argparse.Namespace, documents: list[int]) -> Texts:
    """The texts of documents in the corpus that the arguments name, or why there are none."""
    if a.corpus is None:
        return "the model has the words of its documents and not their texts"
    try:
        texts = read_texts(a.corpus, documents, a.format, a.column, a.encoding, a.skip_unreadable)
    except (OSError, ValueError) as error:
        return f"the texts could not be read a second time ({error})"
    return "the corpus has counts of words and no text" if texts is None else dict(zip(documents, texts, strict=True))
