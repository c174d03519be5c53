"""Corpora in files: UCI docword, LDA-C, Matrix Market, CSR in npz, and plain text, each of them gzipped or not."""

from .bows import from_bows
from .corpora import FORMATS, read_corpus, write_corpus

__all__ = ["FORMATS", "from_bows", "read_corpus", "write_corpus"]
