"""Corpora in files: UCI docword, LDA-C, Matrix Market, CSR in npz, and texts, each of them gzipped or not."""

from .corpora import FORMATS, TABLES, read, read_corpus, write_corpus
from .selection import LeftOut, Reading

__all__ = ["FORMATS", "TABLES", "LeftOut", "Reading", "read", "read_corpus", "write_corpus"]
