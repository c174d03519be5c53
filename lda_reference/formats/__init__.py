"""Corpora in files: matrices of counts, texts, and what other programs write, each of them gzipped or not."""

from .bows import from_bows
from .corpora import read, read_corpus
from .selection import LeftOut, Reading
from .texts import FORMATS, OF_PROGRAMS, TABLES, read_texts

__all__ = ["FORMATS", "OF_PROGRAMS", "TABLES", "LeftOut", "Reading", "from_bows", "read", "read_corpus", "read_texts"]
