"""What cannot be done is refused in one line that says what was found and what was expected, and nothing is written."""

import os
import shlex
import zipfile

import numpy as np
import pytest

import lda_reference as lda

from ..helpers import write_corpus
from .helpers import contents, refusal, write_bars

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80\x08\x02"
NAMELESS = "fit --corpus docword.txt --topics 3 --sweeps 4 --out n"
FIT = f"{NAMELESS} --vocab vocab.txt"
TOUR = "tour --corpus docword.txt"
STABILITY = "stability --corpus docword.txt --topics 2 --out n"
REPORT = "report m --out r.html"
PERPLEXITY = "perplexity m --corpus docword.txt --estimator"
OTHER = "another corpus or order, expected the one that the model was trained on"
REPLICATES = "r: holds 3 replicates, expected one run"
NO_MODEL = "m/model.json: a file, expected the folder of a model, as lda.from_model makes of a state\n"
STOP_WORDS = ", expected languages, files or none, separated by commas\n"


@pytest.fixture(autouse=True)
def folder(inside):
    """A folder with counts, texts, broken files, and a model `m` of the counts, in which the commands run."""
    c = write_bars(inside, 10, 10)
    (inside / "texts").mkdir()
    (inside / "texts" / "a.txt").write_text("apple pear nut bolt")
    (inside / "short.txt").write_text("word\n")
    (inside / "broken.txt").write_text("1\n1\n1\n1 1 0.5\n")
    (inside / "t.csv").write_text("id,text\n1,apple pear\n2,bolt nut\n")
    write_corpus(c.with_rows(c.j, c.w, c.n + 1), "other.txt")
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    lda.save(lda.fit(c, 2, sweeps=2, replicates=3), "r", c.vocab)
    return inside


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("nothing", "invalid choice: 'nothing'"),
        ("tour --topics 3", "--topics needs --corpus"),
        ("tour --stop-words english", "--stop-words needs --corpus"),
        ("tour --no-numbers", "--no-numbers needs --corpus"),
        ("tour --alpha 0", "tour: --alpha is 0.0"),
        ("tour --sweeps 0", "--sweeps is 0"),
        ("tour --sweeps x", "argument --sweeps: expected a whole number, not 'x'"),
        ("tour --algorithms vb,lda", "--algorithms has 'lda'"),
        ("tour --corpus absent --topics 3", "tour: absent: does not exist\n"),
        (TOUR, "--corpus needs --topics K"),
        (f"{TOUR} --topics 0", "--topics is 0"),
        (f"{TOUR} --vocab short.txt --topics 3", "short.txt: 1 words, expected 9"),
        ("fit --corpus docword.txt --out n", "--topics is missing, expected a number of topics"),
        ("fit --corpus absent --topics 2 --out n", "fit: absent: does not exist\n"),
        ("fit --corpus broken.txt --topics 3 --out n", "broken.txt, line 4: '1 1 0.5', expected document, word and count: whole numbers"),
        ("fit --corpus docword.txt --resume --out n", "model.json: not found"),
        ("fit --corpus docword.txt --resume --out m/model.json", NO_MODEL),
        ("fit --corpus '' --topics 2 --out n", "--corpus is '', expected a path\n"),
        ("fit --corpus docword.txt --vocab '' --topics 2 --out n", "--vocab is '', expected a path\n"),
        ("fit --corpus docword.txt --topics 2 --out ''", "--out is '', expected a path\n"),
        (f"{NAMELESS} --stop-words english", "fit: --vocab is missing, expected the words of "),
        (f"{FIT} --algorithm map --alpha 1", "alpha is 1.0, expected more than 1: map subtracts 1 from it"),
        (f"{FIT} --schedule nested", "no schedule 'nested'"),
        (f"{FIT} --hyperprior alpha --algorithm vb", "--hyperprior has 'alpha', expected alpha or eta, a colon, and one of em2, em2-symmetric, conjugate"),
        (f"{FIT} --hyperprior eta:symmetric --algorithm vb", "--hyperprior has 'eta:symmetric', expected alpha or eta, a colon,"),
        (f"{FIT} --hyperprior eta:em2", "--hyperprior is 'eta:em2': only vb can have a hyperprior, not cvb0"),
        (f"{FIT} --hyperprior eta:em2 --learn alpha,eta --algorithm vb", "--learn and --hyperprior both have eta"),
        (f"{FIT} --learn beta", "--learn has 'beta', expected alpha or eta"),
        (f"{FIT} --burn-in 2", "--burn-in is given, expected none: cvb0 is no sampler"),
        (f"{FIT} --burn-in -1 --algorithm cgs", "--burn-in is -1, expected a whole number from 0"),
        (f"{FIT} --sweeps -1", "--sweeps is -1, expected a whole number from 0"),
        (f"{FIT} --seed -1", "--seed is -1, expected a whole number from 0"),
        (f"{FIT} --stop 0", "--stop is 0.0, expected a positive number of nats per token"),
        (f"{FIT} --topics 0", "--topics is 0, expected"),
        (f"{FIT} --start none", "--start is 'none', expected one of"),
        (f"{FIT} --eta -1", "--eta is -1.0"),
        (f"{FIT} --min-documents -1", "--min-documents is -1, expected a whole number from 0"),
        (f"{FIT} --max-documents 5", "--max-documents is 5.0, expected a share above 0 and at most 1"),
        (f"{FIT} --min-documents 41", "docword.txt: no word is left, expected at least one"),
        (f"{FIT} --column text", "--column is 'text', expected "),
        (f"{FIT} --stop-words absent", "there is no list of stop words 'absent', expected "),
        (f"{FIT} --stop-words ''", f"--stop-words is ''{STOP_WORDS}"),
        (f"{FIT} --sweep-count 3", "unrecognized arguments: --sweep-count 3; did you mean --sweeps?\n"),
        (f"{FIT} --xyzzy 3", "unrecognized arguments: --xyzzy 3\n"),
        (f"{FIT} –-sweeps 3", "unrecognized arguments: –-sweeps 3; write two hyphens for the dash\n"),
        (f"{FIT} --max-documents 0,5", "argument --max-documents: expected a share such as 0.5 or 50%, not '0,5'\n"),
        (f"{FIT} --sweeps ten", "argument --sweeps: expected a whole number, not 'ten'\n"),
        (f"{FIT} --alpha small", "argument --alpha: expected a number, not 'small'\n"),
        (f"{FIT} --quiet --verbose", "not allowed with argument"),
        ("topics n", "topics: n: does not exist"),
        ("topics m/model.json", "m/model.json: no model, expected a folder, an npz file of arrays, a state of MALLET or"),
        ("topics ''", "the model is '', expected a path\n"),
        ("topics m --csv ''", "--csv is '', expected a path\n"),
        ("topics m --csv --json", "not allowed with argument"),
        ("topics m --csv absent/t.csv", "absent/t.csv: its folder does not exist"),
        ("topics m --json m", "m: a folder, expected a file to write"),
        ("topics m --words 0", "--words is 0, expected 1 or more"),
        ("documents m --json ''", "--json is '', expected a path\n"),
        (f"{PERPLEXITY} mean --train ''", "--train is '', expected a path\n"),
        (f"{PERPLEXITY} mean", "--estimator and --train need each other"),
        (f"{PERPLEXITY} mean --train other.txt", f"other.txt: {OTHER}"),
        (f"{PERPLEXITY} left-to-right --train docword.txt", "--train is given with --estimator left-to-right, expected none: the topics are those of the model"),
        (f"{PERPLEXITY} left-to-right --sweeps 0", "--sweeps is given with --estimator left-to-right, expected none: nothing is folded in"),
        ("documents m --corpus other.txt", f"other.txt: {OTHER}"),
        (f"{REPORT} --corpus other.txt", f"other.txt: {OTHER}"),
        ("report r --out r.html", REPLICATES),
        ("topics r", REPLICATES),
        ("documents r", REPLICATES),
        ("infer r --corpus docword.txt", REPLICATES),
        ("fit --corpus t.csv --topics 2 --out n", "fit: --column is missing, expected one of those of "),
        ("report m --out absent/r.html", "absent/r.html: its folder does not exist"),
        ("report m --out m", "m: a folder, expected a file to write"),
        ("stability --corpus docword.txt --topics two --out n", "--topics is 'two', expected whole numbers such as 5,10,20"),
        (f"{STABILITY} --validation 1", "--validation is 1.0, expected a share above 0 and below 1"),
        (f"{STABILITY} --validation 0.001", "too few tokens to hold out 0.001 of 10 documents"),
        ("which 62.4 --model m --corpus docword.txt", "which: number is '62.4', expected 4 significant digits or more"),
        ("which 62.30 --model m", "which: --corpus is missing, expected the one that the model was trained on\n"),
        ("which 62.30 --model m --corpus other.txt", f"other.txt: {OTHER}"),
        ("which 62.30 --model docword.txt", "which: docword.txt: no model, expected a folder, an npz file"),
        ("which 62.30 --model absent", "which: absent: does not exist\n"),
        ("which 62.30", "the following arguments are required: --model"),
        (f"{REPORT} --words 0", "--words is 0, expected 1 or more"),
        (f"{REPORT} --document 3", "--document needs --corpus"),
        (f"{REPORT} --corpus docword.txt --document 10", "--document is '10', expected a number from 0 below 10"),
        (f"{REPORT} --corpus docword.txt --document x", "--document is 'x'"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused_in_its_own_name(folder, capsys, command, message):
    before = contents(folder)
    assert message in refusal(capsys, *shlex.split(command))
    assert contents(folder) == before


# Files -----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="no file is forbidden")
def test_a_file_that_may_not_be_read_is_named(folder, capsys):
    (folder / "t").write_text("apple")
    (folder / "t").chmod(0)
    assert refusal(capsys, *["fit", "--corpus", "t", "--topics", "2", "--out", "n"]) == "lda-reference fit: t: permission denied\n"


@pytest.mark.parametrize(
    "data",
    [PNG, "été\n".encode("cp1252"), "文字".encode("gb18030"), "apple".encode("utf-16"), "apple".encode("utf-16-le"), b"ash\0\n"],
)
@pytest.mark.parametrize("path", ["b", "texts/b"])
def test_a_file_that_is_not_in_utf_8_is_named_with_its_line(folder, capsys, path, data):
    (folder / path).write_bytes(data)
    err = refusal(capsys, "fit", "--corpus", path.removesuffix("/b"), "--topics", "2", "--out", "n")
    assert err.startswith(f"lda-reference fit: {path}, line 1: byte 0x")
    skip = "; --skip-unreadable leaves out files that cannot be read" * (path == "texts/b")
    assert err.endswith(f", expected plain text in UTF-8, not a PDF or an image; --encoding names another, such as cp1252{skip}\n")


def test_another_archive_is_neither_a_text_nor_a_matrix(folder, capsys):
    with zipfile.ZipFile("b.docx", "w") as packed:
        packed.writestr("word/document.xml", "<w/>")
    np.savez("b.npz", x=np.ones(3), y=np.ones(3))
    for name in ("b.docx", "b.npz"):
        found = "neither a text nor a sparse matrix, expected plain text or a file by scipy.sparse.save_npz"
        err = refusal(capsys, "fit", "--corpus", name, "--topics", "2", "--out", "n")
        assert err == f"lda-reference fit: {name}: {found}\n"
