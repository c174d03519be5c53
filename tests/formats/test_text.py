"""Plain text and vocabularies."""

import gzip
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import Corpus
from lda_reference.formats.text import pieces, tokenise

from .. import fuzz
from .helpers import VALID, refused


def test_texts_become_words_in_lower_case(read):
    c = read("Ash, ÉTÉ!\u2028fig_42\x0cash\n\nash".encode(), format="text")  # only line feeds end a document
    assert c == Corpus([0, 0, 0, 0, 2], [0, 1, 2, 3, 1], [1, 2, 1, 1, 1], 3, 4, ("42", "ash", "fig", "été"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e\u0301te\u0301 ÉTÉ", ["été", "été"]),  # an accent of its own and a letter with an accent
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),  # vowel signs and viramas are marks
        ("Straße İstanbul", ["straße", "i̇stanbul"]),
        ("B2B, 3rd; 1_000 x² ½", ["b2b", "3rd", "1", "000", "x²", "½"]),
        ("\u0301a \ud800b", ["a", "b"]),  # a word does not begin with a mark
        ("state-of-the-art o’clock O'Neil", ["state", "of", "the", "art", "o", "clock", "o", "neil"]),
        ("a\u200bb\ufeffc", ["a", "b", "c"]),
        ("ΣΊΣΥΦΟΣ שָׁלוֹם ภาษาไทย", ["σίσυφος", "שָׁלוֹם", "ภาษาไทย"]),
        ("o\u00adf\u00adfice e\ufb03cient 👩\U0001f3fdok❤\ufe0f", ["office", "efficient", "ok"]),
        ("a\U0001d165b\U000e0100 \U0001d165c", ["a\U0001d165b\U000e0100", "c"]),  # marks from U+10000
        ("", []),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text, words):
    assert tokenise(text) == words


def words_by_loop(text):
    """The rule as a plain loop over characters."""
    words, is_in_word = [], False
    text = re.sub("[\ufb00-\ufb06]", lambda match: unicodedata.normalize("NFKC", match[0]), text.replace("\u00ad", ""))
    for character in unicodedata.normalize("NFC", text.lower()):
        is_mark = unicodedata.category(character) in ("Mn", "Mc")
        if is_in_word and (character.isalnum() or is_mark):
            words[-1] += character
        else:
            is_in_word = character.isalnum()
            words += [character] if is_in_word else []
    return words


@settings(deadline=None, max_examples=fuzz.cases(50, 500))
@given(st.text(st.characters() | st.sampled_from("aÉΣİ\u0301\u0941 _'.5\n²\u00ad\ufb03\ufb05"), max_size=30))
def test_words_are_those_of_a_plain_loop_and_pieces_of_the_text(text):
    assert tokenise(text) == words_by_loop(text)
    text_pieces = pieces(text)
    assert "".join(piece for piece, _ in text_pieces) == text
    assert [word for _, word in text_pieces if word is not None] == tokenise(text)
    fuzz.ran("texts")


def test_no_character_splits_or_joins_words():
    characters = map(chr, range(0x110000))
    for character in (character for i, character in enumerate(characters) if i % fuzz.cases(101, 1) == 0 or unicodedata.category(character)[0] == "M"):
        text = f"a{character}b {character}c{character} {character}"
        assert [word for _, word in pieces(text) if word] == tokenise(text) == words_by_loop(text)


@pytest.mark.parametrize(
    ("content", "message_place", "message"),
    [
        (b"ash\nbay\nash\n", ", line 3", "'ash' again, as in line 1, expected each word once"),
        (b"ash\n\nbay\n", ", line 2", "an empty line, expected a word"),
        (b"ash\x1b[31m\nbay\n", ", line 1", "'ash\\x1b[31m' with a control character, expected a word"),
        (b"ash\nbay\n\xff\n", ", line 3", "byte 0xff, expected plain text"),
        (b"ash\nbay\n", "", "2 words, expected 3, as many as"),
        (gzip.compress(b"ash\nbay\nfig\n", mtime=0)[:-1], "", "truncated or damaged gzip"),
    ],
)
def test_a_bad_vocabulary_is_refused(read, tmp_path, content, message_place, message):
    (tmp_path / "vocab").write_bytes(content)
    with refused(f"{tmp_path / 'vocab'}{message_place}: {message}"):
        read(VALID["uci"], vocab=tmp_path / "vocab")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("vocab_text", ["ash\nété\nfig\n", "ash\nété\nfig", "ash\r\nété\r\nfig\r\n"])
@pytest.mark.parametrize("to_file_bytes", [bytes, gzip.compress])
def test_a_vocabulary_has_one_word_per_line(read, tmp_path, vocab_text, encoding, to_file_bytes):
    (tmp_path / "vocab").write_bytes(to_file_bytes(vocab_text.encode(encoding)))
    encoding_option = {"encoding": encoding} if encoding == "cp1252" else {}
    assert read(VALID["uci"], vocab=tmp_path / "vocab", **encoding_option).vocab == ("ash", "été", "fig")
