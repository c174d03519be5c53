"""What cannot be done is refused in one line that says what was found and what was expected, and nothing is written."""

import shlex
from pathlib import Path

import pytest

import lda_reference as lda

from ..helpers import write_corpus
from .helpers import contents, refusal, run, write_bars

FIT_WITHOUT_WORDS = "fit --corpus docword.txt --topics 3 --sweeps 4 --out n"
FIT = f"{FIT_WITHOUT_WORDS} --vocab vocab.txt"
TOUR = "tour --corpus docword.txt"
STABILITY = "stability --corpus docword.txt --topics 2 --out n"
REPORT = "report m --out r.html"
PERPLEXITY = "perplexity m --corpus docword.txt --estimator"
OTHER_CORPUS = "another corpus or order, expected the one that the model was trained on"
DOCWORD = "30\n3\n30\n" + "".join(f"{j} {1 + j % 3} 5\n" for j in range(1, 31))


@pytest.fixture(autouse=True)
def folder(inside):
    """A folder with counts, texts, broken files, and a model `m` of the counts, in which the commands run."""
    c = write_bars(inside, 10, 10)
    (inside / "short.txt").write_text("word\n")
    write_corpus(c.with_rows(c.j, c.w, c.n + 1), "other.txt")
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    lda.save(lda.fit(c, 2, sweeps=2, replicates=3), "r", c.vocab)
    return inside


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("nothing", "invalid choice: 'nothing'"),
        ("tour --algorithms vb,lda", "--algorithms is 'lda', expected one of ml, "),
        (TOUR, "--corpus needs --topics K"),
        (f"{TOUR} --vocab short.txt --topics 3", "short.txt: 1 words, expected 9"),
        ("fit --corpus docword.txt --out n", "--topics is missing, expected a number of topics"),
        ("fit --corpus docword.txt --resume --out n", "model.json: not found"),
        ("fit --corpus docword.txt --resume --out m/model.json", "m/model.json: a file, expected a folder\n"),
        (f"{FIT_WITHOUT_WORDS} --stop-words english", "fit: --vocab is missing, expected the words of "),
        (f"{FIT} --algorithm map --alpha 1", "alpha is 1.0, expected more than 1: map subtracts 1 from it"),
        (f"{FIT} --hyperprior alpha --algorithm vb", "--hyperprior has 'alpha', expected alpha or eta, a colon, and one of em2, em2-symmetric, conjugate"),
        (f"{FIT} --hyperprior eta:em2", "--learn is 'eta:em2': only vb can have a hyperprior, not cvb0"),
        (f"{FIT} --burn-in 2", "--burn-in is given, expected none: cvb0 is no sampler"),
        (f"{FIT} --min-documents 41", "docword.txt: no word is left, expected at least one"),
        (f"{FIT} --stop-words absent", "there is no list of stop words 'absent', expected "),
        (f"{FIT} --max-documents 0,5", "argument --max-documents: invalid share value: '0,5'\n"),
        ("topics m/model.json", "m/model.json: no model, expected a folder, an npz file of arrays, a state of MALLET or"),
        ("topics ''", "the model is '', expected a path\n"),
        ("topics m --csv absent/t.csv", "absent/t.csv: its folder does not exist"),
        (f"{FIT} --corpus other.txt", "argument --corpus: given twice, expected one value\n"),
        ("oracle check python3 -v port.py", "unrecognized arguments: -v port.py, expected a program and its options after --\n"),
        (f"{FIT} --topic-words 3", "unrecognized arguments: --topic-words 3\n"),
        ("topics m --json m", "m: a folder, expected a file to write"),
        (f"{PERPLEXITY} mean", "--estimator and --train need each other"),
        (f"{PERPLEXITY} mean --train other.txt", f"other.txt: {OTHER_CORPUS}"),
        (f"{PERPLEXITY} left-to-right --train docword.txt", "--train is given with --estimator left-to-right, expected none: the topics are those of the model"),
        ("report r --out r.html", "r: holds 3 replicates, expected one run"),
        ("stability --corpus docword.txt --topics two --out n", "--topics is 'two', expected whole numbers such as 5,10,20"),
        (f"{STABILITY} --validation 1", "--validation is 1.0, expected a share above 0 and below 1"),
        ("which 62.30 --model m", "which: --corpus is missing, expected the one that the model was trained on\n"),
        (f"{REPORT} --document 3", "--document needs --corpus"),
        (f"{REPORT} --corpus docword.txt --document 10", "--document is '10', expected a number from 0 below 10"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused_in_its_own_name(folder, capsys, command, message):
    old_contents = contents(folder)
    assert message in refusal(capsys, *shlex.split(command))
    assert contents(folder) == old_contents


@pytest.mark.parametrize(("file_text", "format"), [(DOCWORD.split("\n", 1)[1], "uci"), ("x\n" + 30 * "2 0:1 1:3\n", "ldac")])
def test_a_damaged_file_of_counts_is_not_read_as_text(capsys, file_text, format):
    Path("k.txt").write_text(file_text)
    err = refusal(capsys, *["fit", "--corpus", "k.txt", "--topics", "2", "--out", "n"])
    assert f"% of its words are numbers, expected a text; it looks like a damaged file of format {format}" in err
    assert run("fit", "--corpus", "k.txt", "--format", "text", "--topics", 2, "--sweeps", 2, "--out", "n") == 0


@pytest.mark.parametrize(
    ("file_text", "options", "message"),
    [
        ("1\n3\n1\n1 1 1000000000000000\n", "--algorithm cgs", "the topics of N = 1000000000000000 tokens take"),
        ("1 0:1\n", "--topics 1000000000000", "the tables of K = 1000000000000 topics take"),
    ],
)
def test_sizes_are_held_against_the_memory(capsys, file_text, options, message):
    Path("k.txt").write_text(file_text)
    assert message in refusal(capsys, *f"fit --corpus k.txt --topics 2 --out n {options}".split())


@pytest.mark.parametrize("command", ["report m --out thesis.txt", "topics m --csv thesis.txt", "documents m --json thesis.txt"])
def test_a_file_that_is_no_output_is_kept(capsys, command):
    Path("thesis.txt").write_text("my thesis")
    err = refusal(capsys, *command.split())
    assert "thesis.txt: no earlier output of a command, expected another name or --force" in err
    assert Path("thesis.txt").read_text() == "my thesis"
    assert run(*command.split(), "--force") == 0
    assert run(*command.split()) == 0  # an earlier output is replaced


@pytest.mark.parametrize(
    ("command", "csv_path", "message"),
    [
        ("topics m --csv own.csv", "own.csv", "own.csv: no earlier output of a command"),
        ("documents m --csv own.csv", "own.csv", "own.csv: no earlier output of a command"),
        (f"{STABILITY} --runs 2 --sweeps 2", "n/stability.csv", "n: has an earlier stability.csv, expected another folder or --force\n"),
    ],
)
def test_a_table_to_which_a_column_was_added_is_kept(capsys, command, csv_path, message):
    assert run(*command.split()) == 0
    edited_text = Path(csv_path).read_text().replace("\n", ",label\n", 1)
    Path(csv_path).write_text(edited_text)
    capsys.readouterr()
    assert message in refusal(capsys, *command.split())
    assert Path(csv_path).read_text() == edited_text
    assert run(*command.split(), "--force") == 0
