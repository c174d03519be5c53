"""The training, validation and test documents of each study of `awst09`, and the classes of 20 Newsgroups.

A study is a corpus, or a corpus and a number: "kos-600" trains on 600 of the training documents of KOS, and has the
validation and test documents of KOS. AWST09 Table 1 gives the numbers of test documents; there are as many for
validation. The paper's Cranfield and 20 Newsgroups have lost their most frequent words in a way that it does not
state. Here they keep the words that occur in at least `MIN_DOCUMENTS` documents and in at most a tenth of them.
"""

import gzip
import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import lda_reference as lda
from figures import common
from figures.common import with_words
from lda_reference.evaluation import validation
from lda_reference.fitting import sweep_rng

TEST_SIZES = {"kos": 215, "nips": 92, "cranfield": 210, "20news": 249, "drawn": 30}
MIN_DOCUMENTS = {"cranfield": 3, "20news": 20}
RANKED_SIZE = 1000  # test documents of 20 Newsgroups that are ranked


class Documents(NamedTuple):
    train: lda.Corpus
    valid: validation.Halves
    test: validation.Halves


def corpus_of(study: str) -> str:
    return study.partition("-")[0]


@cache
def documents_of(study: str) -> Documents:
    corpus = corpus_of(study)
    train, valid, test = parts(all_documents(corpus), study)
    return Documents(train, *(validation.halves(c, sweep_rng(0, 2)) for c in (valid, test)))


def parts(c: lda.Corpus, study: str) -> tuple[lda.Corpus, lda.Corpus, lda.Corpus]:
    """Training, validation and test documents; the same ones for all corpora with as many documents."""
    corpus, _, size_text = study.partition("-")
    without_test, test = lda.split(c, "documents", TEST_SIZES[corpus] / c.D, sweep_rng(0, 0))
    train, valid = lda.split(without_test, "documents", TEST_SIZES[corpus] / without_test.D, sweep_rng(0, 1))
    if size_text:
        train = lda.split(train, "documents", int(size_text) / train.D, sweep_rng(0, 3))[1]
    return train, valid, test


@cache
def all_documents(corpus: str) -> lda.Corpus:
    c = cranfield() if corpus == "cranfield" else common.corpus(corpus)
    return with_words(c, kept_w(c, MIN_DOCUMENTS[corpus])) if corpus in MIN_DOCUMENTS else c


def cranfield() -> lda.Corpus:
    """The abstracts, without title, author and source."""
    with gzip.open(common.folder("cranfield") / "cran.all.1400.gz", "rt") as file:
        abstracts = [article.partition("\n.W\n")[2] for article in re.split(r"^\.I \d+\n", file.read(), flags=re.M)[1:]]
    abstract_words = [common.letters(abstract) for abstract in abstracts]
    words = sorted({word for document in abstract_words for word in document})
    id_of_word = {word: i for i, word in enumerate(words)}
    return lda.Corpus.from_documents([[id_of_word[word] for word in x] for x in abstract_words], W=len(words)).types()


def kept_w(c: lda.Corpus, min_documents: int) -> Any:
    """Which words are neither rare nor in more than a tenth of the documents."""
    D_w = np.bincount(c.w.astype(np.intp), minlength=c.W)
    return (D_w >= min_documents) & (D_w <= c.D / 10)


@cache
def labelled(study: str) -> tuple[Any, lda.Corpus, Any]:
    """The classes of the training documents of 20 Newsgroups, and some of its test documents with theirs."""
    folder = common.folder("20news")

    def classes_of(part_name: str) -> Any:
        with gzip.open(folder / f"{part_name}.label.gz", "rt") as file:
            return np.array([int(line) - 1 for line in file])

    # a corpus whose documents consist of their class alone is split as the documents are
    train_classes = parts(one_word_each(classes_of("train")), study)[0].w
    c, class_c = lda.read_corpus(folder / "docword.20news.test.txt.gz"), one_word_each(classes_of("test"))
    ranked, ranked_classes = (lda.split(x, "documents", RANKED_SIZE / c.D, sweep_rng(0, 4))[1] for x in (c, class_c))
    return train_classes, with_words(ranked, kept_w(common.corpus("20news"), MIN_DOCUMENTS["20news"])), ranked_classes.w


def one_word_each(classes: Any) -> lda.Corpus:
    return lda.Corpus(np.arange(len(classes)), classes, np.ones_like(classes), len(classes), int(classes.max()) + 1)
