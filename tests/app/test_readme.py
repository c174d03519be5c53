"""The README's Python runs, and the algorithms, chapters and pictures that it names exist."""

import csv
import re
from pathlib import Path

import lda_reference as lda
from lda_reference import oracle, recommended
from lda_reference.app import tour

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
