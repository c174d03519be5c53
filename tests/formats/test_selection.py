"""Which words are kept, and what is said of the others: plain loops are the oracle."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import Corpus, formats, read_corpus
from lda_reference.formats.selection import stop_words
from lda_reference.formats.text import tokenise

from .. import fuzz
from .helpers import WORDS, refused, write

TEXTS = ("The cat saw 3 cats.", "the cat slept", "", "A dog: the DOG!", "42 cats")


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "texts").write_text("".join(f"{text}\n" for text in TEXTS))
    return tmp_path / "texts"


def test_a_list_may_have_blank_lines_repeats_and_apostrophes(tmp_path):
    (tmp_path / "stop").write_text("Oak\n # bay\n#\n#ash\n\noak\nDon't \n", "utf-8")
    assert stop_words(tmp_path / "stop") == stop_words(["oak", "DON'T", "#ash"]) == {"oak", "don't", "don", "t", "#ash", "ash"}
    assert stop_words(["E\u0301TE\u0301"]) == {"été"} == set(tokenise("Été"))
    assert stop_words(None) == stop_words([]) == set()
    (tmp_path / "stop").write_bytes(b"oak\n\xff")
    with refused(f"{tmp_path / 'stop'}, line 2: byte 0xff, expected plain text"):
        stop_words(tmp_path / "stop")


@pytest.mark.parametrize(
    ("options", "words_text", "left_out_text"),
    [
        ({"stop": ["the", "A"]}, "3 42 cat cats dog saw slept", "left out are stop words: 2 (4 tokens); kept are 7 words, 10 tokens; "),
        ({"numbers": False}, "a cat cats dog saw slept the", "left out are numbers: 2 (2 tokens); kept are 7 words, 12 tokens; "),
        ({"max_documents": 0.75}, "3 42 a cat cats dog saw slept the", ""),  # "the" is in 3 of the 4 documents that have words
        ({"max_documents": 0.74}, "3 42 a cat cats dog saw slept", "left out are words in more than 0.74 of the documents: 1 (3 tokens); kept are 8 words, 11 tokens; "),
        (
            {"stop": "english", "numbers": False, "min_documents": 2, "max_documents": 0.5}, "cat cats",
            "left out are stop words: 2 (4 tokens), numbers: 2 (2 tokens), words in fewer than 2 documents: 3 (4 tokens); kept are 2 words, 4 tokens; ",
        ),
        ({"vocab": ["Dog", "cats", "saw x"]}, "Dog cats saw x", "words of the vocabulary that no text can have, as it is read: 2, such as 'Dog'; left out are words outside the vocabulary, such as stop words: 8 (12 tokens); kept are 1 words, 2 tokens; "),
        ({"vocab": ["the", "nut", "cat"]}, "the nut cat", "left out are words outside the vocabulary, such as stop words: 7 (9 tokens); kept are 2 words, 5 tokens; "),
    ],
)  # fmt: skip
def test_each_rule_is_counted_and_said(texts, options, words_text, left_out_text):
    reading = formats.read(texts, **options)
    assert read_corpus(texts, **options) == reading.corpus
    assert " ".join(reading.corpus.vocab) == words_text
    n_empty = len(TEXTS) - len(set(reading.corpus.j.tolist()))
    assert reading.sentence() == f"5 documents, 9 words, 14 tokens; {left_out_text}documents without a word: {n_empty}"


def test_a_share_is_compared_as_it_is_written(tmp_path):
    (tmp_path / "texts").write_text("oak ash\n" * 29 + "ash\n" * 71)
    assert 0.29 * 100 < 29
    assert read_corpus(tmp_path / "texts", max_documents=0.29).vocab == ("oak",)


def selected_by_loops(documents, stop_list, min_documents, max_documents, keeps_numbers):
    """The documents without the words that are left out, and the numbers of words and tokens of each rule."""
    words = sorted({word for document in documents for word in document})
    kept_words, counts_of_rule = [], {}
    for word in words:
        n_documents = sum(word in document for document in documents)
        n_tokens = sum(document.count(word) for document in documents)
        if word in stop_list:
            rule = "stop words"
        elif not keeps_numbers and word.isdigit():
            rule = "numbers"
        elif n_documents < min_documents:
            rule = f"words in fewer than {min_documents} documents"
        elif n_documents > max_documents * len([*filter(None, documents)]):  # the shares of the test are exact in binary
            rule = f"words in more than {max_documents:g} of the documents"
        else:
            kept_words.append(word)
            continue
        n_words, N = counts_of_rule.get(rule, (0, 0))
        counts_of_rule[rule] = n_words + 1, N + n_tokens
    return kept_words, [[word for word in document if word in kept_words] for document in documents], counts_of_rule


@pytest.mark.parametrize("format", ["text", "uci"])
@settings(deadline=None, max_examples=fuzz.cases(30, 600))
@given(
    documents=st.lists(st.lists(st.sampled_from(("ash", "bay", "été", "17", "9", "oak")), max_size=8), min_size=1, max_size=6),
    stop_list=st.sets(st.sampled_from(("ash", "9", "fig"))),
    min_documents=st.integers(0, 3),
    max_documents=st.sampled_from((0.25, 0.5, 0.75, 1.0)),
    keeps_numbers=st.booleans(),
)  # fmt: skip
def test_the_selection_is_that_of_plain_loops(folder, format, documents, stop_list, min_documents, max_documents, keeps_numbers):
    if not any(documents):
        return
    path, vocab = folder / "corpus", None
    path.write_text("".join(" ".join(document) + "\n" for document in documents), "utf-8")
    if format == "uci":
        c = read_corpus(path, "text")
        vocab = c.vocab
        write(c, path, format)
    options = {"stop": stop_list, "min_documents": min_documents, "max_documents": max_documents, "numbers": keeps_numbers}
    kept_words, kept_documents, counts_of_rule = selected_by_loops(documents, stop_list, min_documents, max_documents, keeps_numbers)
    if not kept_words:
        with refused(f"{path}: no word is left"):
            formats.read(path, format, vocab, **options)
        return
    corpus_and_left_out = formats.read(path, format, vocab, **options)
    assert corpus_and_left_out.corpus == Corpus.from_documents([[kept_words.index(word) for word in document] for document in kept_documents], vocab=kept_words).types()
    assert {removal.rule: (removal.words, removal.tokens) for removal in corpus_and_left_out.left_out} == counts_of_rule
    fuzz.ran("selections of words")


@pytest.mark.parametrize("format", formats.FORMATS)
def test_every_format_is_read_over_the_words_of_a_model(tmp_path, format):
    c = Corpus.from_documents([[0, 0, 5, 1], [2, 1]], vocab=WORDS).types()
    write(c, tmp_path / "corpus", format)
    model_words = (WORDS[5], WORDS[1], "yew", WORDS[2])
    reading = formats.read(tmp_path / "corpus", format, WORDS, words=model_words, W=4)
    assert reading.corpus == Corpus([0, 0, 1, 1], [0, 1, 1, 3], [1, 1, 1, 1], 2, 4, model_words)
    assert [removal[1:] for removal in reading.left_out] == [(3, 2)]
    if format != "text":  # a file without names has those of the model
        assert formats.read(tmp_path / "corpus", format, words=WORDS).corpus == c
    if format in ("uci", "mm", "npz"):
        with refused(f"vocab is missing, expected the words of {tmp_path / 'corpus'}: it has 6 words and the model 4"):
            formats.read(tmp_path / "corpus", format, words=model_words)
