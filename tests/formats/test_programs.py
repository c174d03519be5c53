"""Files of MALLET, GibbsLDA++, Vowpal Wabbit and BigARTM: no name, label, number or topic is read as a word."""

from math import log

import pytest

from lda_reference import Corpus, formats, judge, read_corpus
from lda_reference.formats.mallet import read_state

from .helpers import refused

pytestmark = pytest.mark.filterwarnings("ignore:the topics tell nothing")  # of so few tokens
HEADER = "#doc source pos typeindex type topic\n#alpha : 0.1 0.2 \n#beta : 0.05\n"
STATE = HEADER + "0 NA 0 0 \u00e9t\u00e9 0\n0 NA 1 3 a\u00a0b 1\n2 my c.txt 0 3 a\u00a0b 1\n2 my c.txt 1 3 a\u00a0b 0\n"
MALLET_LINES = ["a/1.txt en The cat", "a/2.txt en A dog", "a/3.txt de Ein Hund", "a/4.txt de Hund"]


@pytest.mark.parametrize(("line_end", "encoding"), [("\n", "utf-8"), ("\r\n", "cp1252")])
def test_a_state_is_a_corpus_without_its_topics(tmp_path, line_end, encoding):
    (tmp_path / "s").write_bytes(STATE.replace("\n", line_end).encode(encoding))
    reading = formats.read(tmp_path / "s", encoding=encoding)
    assert reading.corpus == Corpus([0, 0, 2], [0, 1, 1], [1, 1, 2], 3, 2, ("\u00e9t\u00e9", "a\u00a0b"))
    assert (reading.format, reading.names) == ("mallet-state", ["0", "1", "my c.txt"])
    assert "topics are left out" in reading.sentence()
    c, z, prior = read_state(tmp_path / "s", encoding)
    assert (c.w.tolist(), z, prior.alpha.tolist()) == ([0, 3, 3, 3], [0, 1, 1, 0], [0.1, 0.2])
    assert judge(tmp_path / "s", encoding=encoding) == judge({"z": z, "alpha": prior.alpha, "eta": prior.eta}, c)


def test_a_state_takes_the_words_and_the_documents_that_it_leaves_out(tmp_path):
    (tmp_path / "s").write_text(STATE)
    vocab = ["\u00e9t\u00e9", "x", "y", "a\u00a0b", "z"]
    assert read_state(tmp_path / "s")[0].vocab == ("\u00e9t\u00e9", "type 1", "type 2", "a\u00a0b")
    c, z, prior = read_state(tmp_path / "s", vocab=vocab, D=5)
    assert (c.D, c.W, c.vocab) == (5, 5, tuple(vocab))
    log_p_per_token = judge({"z": z, "alpha": prior.alpha, "eta": prior.eta}, c)["log p(x, z) per token"]
    p_of_words = (0.05 / 0.25) * (0.05 / 1.25) * (0.05 / 0.25) * (1.05 / 1.25)  # one token after another, of W = 5
    assert log_p_per_token == pytest.approx(log(p_of_words * (0.1 / 0.3 * 0.2 / 1.3) ** 2) / 4, rel=1e-12)
    reversed_corpus = read_state(tmp_path / "s", vocab=vocab[::-1], D=5)[0]
    assert [reversed_corpus.vocab[w] for w in reversed_corpus.w] == [vocab[w] for w in c.w]
    for options, message in (
        ({"vocab": vocab[:3]}, "line 5: word 'a\\xa0b', expected one of the 3 words of vocab"),
        ({"D": 2}, "line 6: document 2, expected one below D = 2"),
    ):
        with refused(message):
            read_state(tmp_path / "s", **options)


@pytest.mark.parametrize(("state_text", "message"), [
    (HEADER, "token"), (HEADER + "0 NA 0 99999999999 a 0\n", "100,000,000,000 words"),
    (HEADER.partition("#alpha")[0], "line 2: no line `#alpha : ...` and `#beta : ...`, expected a state file of MALLET"),
    (HEADER + "0 a 1 2 three\n", "line 4: '0 a 1 2 three', expected document source position type"),
    (HEADER + "0 NA 0 1 a 0\n0 NA 1 1 b 0\n", "type 1 is 'b', expected 'a', as before"),
    (HEADER + "0 NA 0 1 a 2\n", "topic 2, expected a topic below 2"),
])  # fmt: skip
def test_a_state_without_a_token_or_with_a_damaged_one_is_refused(tmp_path, state_text, message):
    (tmp_path / "s").write_text(state_text)
    for read_function in (read_corpus, judge):
        with refused(message):
            read_function(tmp_path / "s")


@pytest.mark.parametrize("delimiter", [" ", "\t"])
def test_names_and_labels_of_mallet_are_no_words(tmp_path, delimiter):
    path = tmp_path / "t.txt"
    path.write_text("\n".join(line.replace(" ", delimiter, 2) for line in MALLET_LINES) + "\n")
    with refused(f"{path}: ", "format mallet", "format text"):
        read_corpus(path)
    reading = formats.read(path, "mallet")
    assert reading.corpus.vocab == ("a", "cat", "dog", "ein", "hund", "the")
    assert (reading.corpus.N, reading.names) == (7, [f"a/{i}.txt" for i in range(1, 5)])
    assert "labels: 2" in reading.sentence()
    assert reading.labels == {"group": [line.split()[1] for line in MALLET_LINES]}
    assert formats.read_texts(path, [2], "mallet") == ["Ein Hund"]
    assert {"en", "1", "txt"} < set(read_corpus(path, "text").vocab)


def test_the_number_of_documents_of_gibbslda_is_no_word(tmp_path):
    (path := tmp_path / "t.dat").write_text("3\nash bay\nfig\nash\n\n")
    with refused(f"{path}: ", "format gibbslda", "format text"):
        read_corpus(path)
    assert read_corpus(path, "gibbslda") == Corpus([0, 0, 1, 2], [0, 1, 2, 0], [1] * 4, 3, 3, ("ash", "bay", "fig"))
    for gibbslda_text in ("4\nash bay\nfig\nash\n", "2\nash bay\nfig\nash\n"):
        path.write_text(gibbslda_text)
        with refused(f"{path}, line 1: '{gibbslda_text[0]}"):
            read_corpus(path, "gibbslda")


VW_LINES = "1 1.0 tag|@words ash:2 bay\n'b|@words fig ash\n"


def test_words_with_counts_of_vowpal_wabbit_and_bigartm_are_read_by_their_name(tmp_path):
    (path := tmp_path / "t.vw").write_text(VW_LINES)
    reading = formats.read(path, "vw")
    assert reading.corpus == Corpus([0, 0, 1, 1], [0, 1, 0, 2], [2, 1, 1, 1], 2, 3, ("ash", "bay", "fig"))
    assert (reading.names, "not read as words" in reading.sentence()) == (["tag", "b"], True)
    assert formats.read_texts(path, [0], "vw") is None
    assert read_corpus(path, "vw", stop=["ash"], vocab=["ash", "fig"]).vocab == ("fig",)
    for vw_text, document_names in (("x y:1\nz y\n", ["x", "z"]), ("1 | x:1\n1 | y\n", None), ("| x:1\na| y\n", None)):
        path.write_text(vw_text)
        assert formats.read(path, "vw").names == document_names


@pytest.mark.parametrize(("vw_line", "message"), [
    ("|@authors ash", "the namespace '@authors', expected one namespace in the file, as from line 1"), ("| ash", "the namespace '', expected one"),
    ("|@words:2 ash", "the namespace '@words:2'"), ("c |@words ash |@authors bay", "the namespace '@authors'"),
    *((f"|@words {wrong_field}", f"'{wrong_field}', expected a word, or word:count with a whole count from 1") for wrong_field in ("a:0", "a:1.5", "a:-1", "a:", ":2", "a:b:2", "a:1e3")),
    ("ash:2 bay:1", "'ash:2 bay:1', which has no bar, expected `| word:count ...`, also without a word, or `name word:count"), ("ash", "'ash', which has no bar"),
])  # fmt: skip
def test_a_line_that_is_not_words_with_whole_counts_is_refused(tmp_path, vw_line, message):
    (tmp_path / "t").write_text(VW_LINES + vw_line + "\n")
    with refused(f"{tmp_path / 't'}, line 3: {message}"):
        read_corpus(tmp_path / "t", "vw")


@pytest.mark.parametrize("file_text", ["2\nash\n", "1\nash\n", "1. The cat\n2. The dog\n3. The bird\n", "ash 1 bay\nbay 2 ash\n", "a\tb\tc\n" * 4, "a\tb\tc\nd\te\tf\ng\th\ti\n", "Bob 12:30 ash\nJoe: Gen 1:1\n", "| ash | 12:30 |\n| bay | 1:45 |\n", "a | b\nc | d\n", "ratio:2 of ash to bay and fig\n", "Mark and Luke\nsee also\n3 1:1\n"])
def test_other_texts_are_still_texts(tmp_path, file_text):
    (tmp_path / "t").write_text(file_text)
    assert formats.read(tmp_path / "t").format == "text"


@pytest.mark.parametrize(("file_text", "message"), [
    ("%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1\n", "%%MatrixMarket"), ("x 0:1 2:1\n1 3:1\n", "format ldac"),
    ("6\n3\n4 x\n1 1 a\n1 2 1\n2 2 2\n2 3 1\n", "format gibbslda"), ("0 X The cat\n1 X The dog\n2 X A bird\n", "format mallet"),
    ("a\tx\tash bay\n", "format mallet"), ("3\nash\nfig\n\n", "format gibbslda"), ("4\n\nash\nfig\n\n\n", "format gibbslda"),
    *((file_text, "format vw") for file_text in (VW_LINES, "| ash:2 bay\n|\n", "| 1:3 17:2\n", "d ash:2 bay\ne bay fig:3\n", "d \u044f\u0441\u0435\u043d\u044c:2 a b\n", "d1 |@text ash bay |@author me\nd2 |@text ash\n", "ash:2\nbay:1\n")),
])  # fmt: skip
def test_a_damaged_small_file_of_counts_or_one_of_mallet_is_no_text(tmp_path, file_text, message):
    (tmp_path / "t").write_text(file_text)
    with refused(str(tmp_path / "t"), message):
        read_corpus(tmp_path / "t")
    assert formats.read(tmp_path / "t", "text").format == "text"
