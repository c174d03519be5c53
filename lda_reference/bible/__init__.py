"""A corpus of real text: 760 chapters of the World English Bible.

`chapters.csv.gz` has the names and the texts of the chapters of 32 books, in order, without the numbers of verses, the
headings and the notes. The translation is in the public domain; its source and its terms are in `LICENSE`.
"""

import csv
import gzip
from pathlib import Path

from ..corpus import Corpus
from ..formats import read_corpus

PATH = Path(__file__).with_name("chapters.csv.gz")


def chapters() -> dict[str, str]:
    """The text of each chapter by its name.

    Examples
    --------
    >>> chapters()["Psalm 23"][:47]
    'Yahweh is my shepherd; I shall lack nothing. He'
    """
    with gzip.open(PATH, "rt", encoding="utf-8", newline="") as csv_file:
        return {chapter_row["name"]: chapter_row["text"] for chapter_row in csv.DictReader(csv_file)}


def corpus() -> Corpus:
    """The chapters as a corpus of types, without function words and words of fewer than 5 or more than 380 chapters.

    Examples
    --------
    >>> corpus()
    Corpus(D=760, W=3302, N=138693, M=84536)
    """
    return read_corpus(PATH, column="text", stop="english", min_documents=5, max_documents=0.5)
