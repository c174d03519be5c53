"""The README's Python and its commands run, and the algorithms, chapters and pictures that it names exist."""

import csv
import gzip
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import oracle, recommended
from lda_reference.app import tour
from lda_reference.app.command_line import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COLUMNS = [
    "algorithm", "schedule", "start", "sweeps", "seconds", "bound", "spread", "perplexity", "topic error", "alpha", "eta",
    "perplexity, learned",
]  # fmt: skip


def test_the_python_of_the_readme_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where it saves a model
    names = {}
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL):  # in order, as one session
        exec(block, names)
    assert "vb, row 0" in capsys.readouterr().out
    assert [names["arrays"]["vocab"][w] for w in names["fit"].phi_wk[:, 0].argsort()[:1:-1]] == ["stock", "bond"]


def test_the_table_of_algorithms_is_the_registry():
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z, ]+) \|$", README, re.MULTILINE)
    assert {name: tuple(s.split(", ")) for name, s in rows} == {n: A.schedules for n, A in lda.ALGORITHMS.items()}


def lines_of_the_tour():
    """The table of the tour's output: the values of a line by their columns, in order of the algorithms."""
    (block,) = re.findall(r"```\n(bars.*?)```", README, re.DOTALL)
    lines = block.split("\n\n")[1].splitlines()
    assert lines[0].split() == " ".join(tour.heading(True, True)).split()
    return block, [dict(zip(COLUMNS, line.split(), strict=True)) for line in lines[1:]]


def test_the_tour_in_the_readme_has_every_algorithm_with_its_schedule_and_start():
    block, shown = lines_of_the_tour()
    corpus = tour.embedded().corpus
    assert {x["algorithm"]: (x["schedule"], x["start"]) for x in shown} == {
        name: recommended.schedule_and_start(lda.ALGORITHMS[name], corpus)
        for name in tour.able(corpus, 10, lda.Prior())[0]
    }
    assert tour.legend(False, True, True) in block
    assert max(map(len, block.splitlines())) <= 120
    highest = max((x for x in shown if x["bound"] != "-"), key=lambda x: float(x["bound"]))
    assert f"\nTopics of {highest['algorithm']}, whose bound is the highest" in block


def test_the_tour_in_the_readme_is_that_of_the_figure():
    _, shown = lines_of_the_tour()
    with open(ROOT / "figures" / "tour.csv", newline="") as file:
        last = {row["algorithm"]: row for row in csv.DictReader(file)}
    assert list(last) == [x["algorithm"] for x in shown]
    for x in shown:
        row = last[x["algorithm"]]
        assert [x[name] for name in ("schedule", "start", "sweeps")] == [row[name] for name in ("schedule", "start", "sweep")]
        assert (x["seconds"], x["perplexity"]) == (f"{float(row['seconds']):.2f}", f"{float(row['perplexity']):.2f}")


def test_the_numbers_of_the_oracle_are_those_of_its_vectors():
    assert set(re.findall(r"([\d,]+) test vectors", README)) == {f"{len(oracle.cases()):,}"}
    assert re.findall(r"(\d+) known mistakes", README) == [str(len(oracle.mistakes()))]


def test_the_contents_are_the_chapters():
    assert re.findall(r"\(chapters/(\w+\.ipynb)\)", README) == sorted(x.name for x in (ROOT / "chapters").glob("*.ipynb"))


def test_the_pictures_exist():
    assert [x for x in re.findall(r"!\[[^]]*\]\(([^)]*)\)", README) if not (ROOT / x).is_file()] == []


# Every command runs, in the README's order, on small files that have the names used there ---------------------------

COMMANDS = [
    shlex.split(line, comments=True)[1:] for line in re.findall(r"^    (lda-reference .*)$", README, re.MULTILINE)
]
QUICK = {"fit": ("--sweeps", "3"), "tour": ("--sweeps", "3", "--algorithms", "vb,cgs"), "stability": ("--sweeps", "3", "--runs", "2")}
ELSEWHERE = ("data", "oracle")  # test_data has a mirror, and the tests of the oracle have ports


def texts(documents, W):
    """Documents as words of letters."""
    words = np.array([a + b for a in "bcdfgklmnprst" for b in ("aro", "edo", "ilo", "oma")])[:W]
    return [" ".join(words[d]) for d in documents], words


def write_counts(c, words, name, vocab=None):
    rows = [str(c.D), str(c.W), str(c.M), *(f"{j + 1} {w + 1} {n}" for j, w, n in zip(c.j, c.w, c.n, strict=True))]
    for path, text in ((name, rows), (vocab, words)):
        if path:
            with gzip.open(path, "wt", encoding="utf-8") as out:
                out.write("\n".join(text) + "\n")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with the README's files."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    kos, news = (
        lda.synthetic.draw(rng, np.full(D, n), 4, 40, lda.Prior(0.5, 0.5)).corpus.tokens() for D, n in ((70, 30), (200, 3))
    )
    lines, words = texts([kos.w[kos.j == j] for j in range(kos.D)], 40)
    write_counts(kos.types(), words, "docword.kos.txt.gz", "vocab.kos.txt.gz")
    write_counts(kos.types(), words, "other.txt.gz")
    write_counts(news.types(), words, "docword.20news.train.txt.gz", "vocabulary.txt.gz")
    Path("letters").mkdir()
    for i, line in enumerate(lines):
        Path("letters", f"{i:02d}.txt").write_text(line, encoding="utf-8")
    Path("reviews.csv").write_text("\n".join(["id,text", *(f"{i},{x}" for i, x in enumerate(lines))]), encoding="utf-8")
    Path("new.txt").write_text("\n".join(lines[:5]), encoding="utf-8")
    return tmp_path


def test_there_are_commands():
    assert len(COMMANDS) > 20
    assert {command[0] for command in COMMANDS} >= {"tour", "fit", "topics", "report", "infer", "stability"}


def test_every_command_runs(files, capsys):
    made = set()
    for number, command in enumerate(COMMANDS):
        if command[0] in ELSEWHERE:
            continue
        out = command[command.index("--out") + 1] if command[0] == "fit" else None
        if out in made and "--resume" not in command:  # the README names a model twice, for two ways to make it
            command = [f"{out}-{number}" if x == out else x for x in command]
        made.add(out)
        if "--resume" not in command:
            command = [*command, *QUICK.get(command[0], ())]
        assert main(command) == 0, (command, capsys.readouterr().err)
