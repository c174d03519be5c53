"""What the README and its pages show: their Python runs, their outputs are true, and what they link to and list exists."""

import json
import re
import sys

import book
import pytest

import lda_reference as lda
from figures.wild import runs
from lda_reference import oracle, recommended
from lda_reference.app import tour
from lda_reference.app.command_line import main
from lda_reference.app.where import ROOT, where

from .helpers import rows_of

PLACES = [
    "README.md", "CONTRIBUTING.md", "chapters/README.md", "figures/BENCHMARK.md", "chapters/pages/machines.md",
    "chapters/pages/numbers.md", "chapters/pages/questions.md", "chapters/pages/commands.md", "chapters/pages/python.md", "chapters/pages/your_own_update.md",
]  # fmt: skip
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in PLACES}
README, QUESTIONS, COMMANDS, PYTHON, OWN = (PAGES[name] for name in ("README.md", *PLACES[-4:]))
pytestmark = pytest.mark.usefixtures("inside")  # the pages save models
COLUMNS = [
    "algorithm", "schedule", "start", "sweeps", "seconds", "bound", "spread", "perplexity", "topic error", "alpha", "eta",
    "perplexity, learned",
]  # fmt: skip


def blocks(text, kind=""):
    return [x for language, x in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if language == kind]


def ran(text):
    """The names after all Python of a page, in order, as one session."""
    names = {}
    for block in blocks(text, "python"):
        exec(block, names)
    return names


def test_the_readme_is_short():
    assert len(README.splitlines()) - len(lda.ALGORITHMS) <= 179  # a line of the table each


def test_the_python_of_the_readme_runs(capsys):
    ran(README)
    printed = capsys.readouterr().out.splitlines()
    topics, printed = printed[:3], printed[3:]
    assert topics == blocks(README)[0].splitlines()
    numbers = [f"{float(x):.3f}" for x in printed[0].split()]
    assert re.search(r"in floats,\s+(\S+)\s+and\s+(\S+)\.\s+Then", README).groups() == tuple(numbers)
    assert re.search(r"in fractions, (.*) and (.*):", README).groups() == tuple(printed[1].split())
    assert printed[2].startswith("vb, row 0: document 0")
    below, _, _, above = printed[-1].split()
    assert float(below) < float(above)


def test_the_python_of_its_page_runs():
    names = ran(PYTHON)
    assert [names["arrays"]["vocab"][w] for w in names["fit"].phi_wk[:, 0].argsort()[:1:-1]] == ["stock", "bond"]


def test_the_update_of_your_own_prints_what_its_page_says(capsys):
    ran(OWN)
    printed = capsys.readouterr().out
    assert re.findall(r"`(\w+)\s([\d.]+)`", OWN) == [tuple(x.split()) for x in printed.splitlines()[:3]]
    assert "mine, row 0" in printed


@pytest.mark.parametrize("page", [QUESTIONS, PAGES["chapters/pages/machines.md"]], ids=["questions", "machines"])
def test_the_cells_of_a_page_print_what_it_says(page, capsys):
    names = {}
    for code, shown in re.findall(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", page, re.DOTALL | re.MULTILINE):
        exec(code, names)
        printed = capsys.readouterr().out
        assert book.equal_texts(shown, printed), f"{code}printed\n{printed}The page has\n{shown}"


def test_each_question_has_its_issues_a_cell_that_can_fail_and_three_sentences():
    questions = re.split(r"^## ", QUESTIONS, flags=re.MULTILINE)[1:]
    assert [x.partition(".")[0] for x in questions] == [str(n) for n in range(1, 16)]
    for x in questions:
        heading, issues, *_ = x.split("\n\n")
        assert heading.endswith("?")
        assert re.fullmatch(r"([\w-]+ )?\[#\d+\]\(https://github.com/[\w/-]+/\d+\)(,\s([\w-]+ )?\[#\d+\]\([^)]+\))*", issues), issues
        (code,), (_,) = blocks(x, "python"), blocks(x)
        assert re.search("^assert ", code, re.MULTILINE)
        answer = re.sub(r"\]\([^)]*\)", "]", x.rpartition("```\n")[2])
        assert len(re.findall(r"[.?!](?=\s|$)", answer)) == 3, heading


def test_the_public_names_are_listed():
    rows = re.findall(r"^\| (`[^|]*`) \|", PYTHON.partition("## The public names")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(lda.__all__)
    modules = re.findall(r"`(\w+)`", re.search(r"^The modules (.*) are public", PYTHON, re.MULTILINE)[1])
    assert all(getattr(lda, name).__all__ for name in modules)


def test_what_the_readme_shows_of_its_three_doors_is_printed(capfd):
    _, place = blocks(README)
    assert set(place.splitlines()) <= set(where("TNW06 (15)").splitlines())
    chapter = json.loads((ROOT / "chapters" / "08_collapsed_vb.ipynb").read_text("utf-8"))
    printed = ["".join(x["text"]) for cell in chapter["cells"] for x in cell.get("outputs", []) if "text" in x]
    assert re.search("`(✓ [^`]*)`", README)[1] in "".join(printed).splitlines()
    example = str(ROOT / "lda_reference" / "oracle" / "examples" / "port.py")
    assert main(["oracle", "check", "--only", "cvb0/update", "--", sys.executable, example]) == 0
    passed, cases = re.search(r"examples/port.py +# (\d+) of (\d+) pass", README).groups()
    assert passed == cases
    assert f"\ncvb0       {cases}/0/0" in capfd.readouterr().out


def test_the_public_programs_are_those_of_the_csv_file():
    wrong = {}
    for key, line in runs.read(ROOT / "figures" / "wild" / "wild.csv").items():
        program = runs.TEXTS[key].get("repository") or runs.TEXTS[key]["package"]
        wrong[program] = wrong.get(program, False) or int(line.passed) < int(line.cases)
    programs, differing = re.search(r"Of the (\d+) public programs in \[.*?\]\(figures/WILD.md\), (\d+) differ", README).groups()
    assert (int(programs), int(differing)) == (len(wrong), sum(wrong.values()))


def test_the_table_of_algorithms_is_the_registry():
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z, ]+) \|$", README, re.MULTILINE)
    assert {name: tuple(s.split(", ")) for name, s in rows} == {n: A.schedules for n, A in lda.ALGORITHMS.items()}


def lines_of_the_tour():
    """The table of the tour's output: the values of a line by their columns, in order of the algorithms."""
    (block,) = (x for x in blocks(COMMANDS) if x.startswith("bars"))
    lines = block.split("\n\n")[1].splitlines()
    assert lines[0].split() == " ".join(tour.heading(True, True)).split()
    return block, [dict(zip(COLUMNS, line.split(), strict=True)) for line in lines[1:]]


def test_the_tour_has_every_algorithm_with_its_schedule_and_start():
    block, shown = lines_of_the_tour()
    corpus = tour.embedded().corpus
    assert {x["algorithm"]: (x["schedule"], x["start"]) for x in shown} == {
        name: recommended.schedule_and_start(lda.ALGORITHMS[name], corpus)
        for name in tour.able(corpus, 10, lda.Prior())[0]
    }
    assert tour.legend(True, True) in block
    assert max(map(len, block.splitlines())) <= 120
    highest = max((x for x in shown if x["bound"] != "-"), key=lambda x: float(x["bound"]))
    assert f"\nTopics of {highest['algorithm']}, whose bound is the highest" in block


def test_the_tour_is_that_of_the_figure():
    _, shown = lines_of_the_tour()
    last = {row["algorithm"]: row for row in rows_of((ROOT / "figures/pages/tour.csv").read_text("utf-8"))}
    assert list(last) == [x["algorithm"] for x in shown]
    for x in shown:
        row = last[x["algorithm"]]
        assert [x[name] for name in ("schedule", "start", "sweeps")] == [row[name] for name in ("schedule", "start", "sweep")]
        assert (x["seconds"], x["perplexity"]) == (f"{float(row['seconds']):.2f}", f"{float(row['perplexity']):.2f}")


def test_the_numbers_of_the_oracle_are_those_of_its_vectors():
    assert set(re.findall(r"([\d,]+) test vectors", README)) == {f"{len(oracle.cases()):,}"}
    assert re.findall(r"(\d+) known mistakes", README) == [str(len(oracle.mistakes()))]


def test_the_numbers_of_claims_are_those_of_the_ledger():
    ledger = (ROOT / "figures" / "LEDGER.md").read_text("utf-8")
    rows = re.findall(r"^\| [A-Z]+\d\d \|((?: \d+ \|){6})$", ledger, re.MULTILINE)
    columns = zip(*(re.findall(r"\d+", row) for row in rows), strict=True)
    reproduced, depend, failed, changed, undecided, untested = counts = [sum(map(int, x)) for x in columns]
    (sentence,) = re.findall(r"^Of \d+ claims.*?:", README, re.DOTALL | re.MULTILINE)
    printed = [int(x) for x in re.findall(r"\d+", sentence)]
    assert printed == [sum(counts), reproduced, depend, changed, failed, undecided, untested]
    (short,), (full,) = re.findall(rf"Of the\s{reproduced},(.*?)\.\s", README, re.DOTALL), re.findall(r"Of these,(.*)", ledger)
    assert re.findall(r"\d+", short) == re.findall(r"\d+", full)


def test_the_contents_are_the_chapters():
    listed = re.findall(r"^\| \[.*\((\w+\.ipynb)\)", PAGES["chapters/README.md"], re.MULTILINE)
    assert listed == sorted(x.name for x in (ROOT / "chapters").glob("*.ipynb"))
    assert f"{sum(x[0] != 'A' for x in listed)} chapters and three appendices" in README


@pytest.mark.parametrize("name", PLACES)
def test_links_lead_to_files_and_headings(name):
    for path, heading in re.findall(r"\]\((?!https://github.com)([^)#\s]*)#?([^)\s]*)\)", PAGES[name]):
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.is_file(), path
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", x).lower().replace(" ", "-") for x in headings]
