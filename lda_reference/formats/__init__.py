"""Corpora in files: UCI docword, LDA-C, Matrix Market, CSR in npz, and plain text, each of them gzipped or not."""

from .corpora import FORMATS, read_corpus, write_corpus

__all__ = ["FORMATS", "read_corpus", "write_corpus"]
