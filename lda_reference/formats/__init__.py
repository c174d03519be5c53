"""Corpora in files: UCI docword, LDA-C, Matrix Market, CSR in npz, and texts, each of them gzipped or not."""

from .bows import from_bows
from .corpora import FORMATS, TABLES, read, read_corpus, write_corpus
from .selection import LeftOut, Reading

__all__ = ["FORMATS", "TABLES", "LeftOut", "Reading", "from_bows", "read", "read_corpus", "write_corpus"]
