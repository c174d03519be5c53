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

PAGE_PATHS = [
    "README.md", "CONTRIBUTING.md", "chapters/README.md", "figures/BENCHMARK.md", "chapters/pages/machines.md",
    "chapters/pages/numbers.md", "chapters/pages/questions.md", "chapters/pages/commands.md", "chapters/pages/python.md", "chapters/pages/your_own_update.md",
]  # fmt: skip
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGE_PATHS}
README, QUESTIONS, COMMANDS, PYTHON, UPDATE_PAGE = (PAGES[name] for name in ("README.md", *PAGE_PATHS[-4:]))
pytestmark = pytest.mark.usefixtures("inside")  # the pages save models
COLUMNS = [
    "algorithm", "schedule", "start", "sweeps", "seconds", "bound", "spread", "perplexity", "topic error", "alpha", "eta",
    "perplexity, learned",
]  # fmt: skip


def blocks(text, language=""):
    return [x for lang, x in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if lang == language]


def names_after(text):
    """The names after all Python of a page, in order, as one session."""
    namespace = {}
    for block in blocks(text, "python"):
        exec(block, namespace)
    return namespace


def test_the_readme_is_short():
    assert len(README.splitlines()) - len(lda.ALGORITHMS) <= 179  # a line of the table each


def test_the_python_of_the_readme_runs(capsys):
    names_after(README)
    lines = capsys.readouterr().out.splitlines()
    topics, lines = lines[:3], lines[3:]
    assert topics == blocks(README)[0].splitlines()
    numbers = [f"{float(text):.3f}" for text in lines[0].split()]
    assert re.search(r"in floats,\s+(\S+)\s+and\s+(\S+)\.\s+Then", README).groups() == tuple(numbers)
    assert re.search(r"in fractions, (.*) and (.*):", README).groups() == tuple(lines[1].split())
    assert lines[2].startswith("vb, row 0: document 0")
    lower_bound, _, _, upper_bound = lines[-1].split()
    assert float(lower_bound) < float(upper_bound)


def test_the_python_of_its_page_runs():
    scope = names_after(PYTHON)
    assert [scope["arrays"]["vocab"][w] for w in scope["fit"].phi_wk[:, 0].argsort()[:1:-1]] == ["stock", "bond"]


def test_the_update_of_your_own_prints_what_its_page_says(capsys):
    names_after(UPDATE_PAGE)
    printed = capsys.readouterr().out
    assert re.findall(r"`(\w+)\s([\d.]+)`", UPDATE_PAGE) == [tuple(line.split()) for line in printed.splitlines()[:3]]
    assert "mine, row 0" in printed


@pytest.mark.parametrize("page", [QUESTIONS, PAGES["chapters/pages/machines.md"]], ids=["questions", "machines"])
def test_the_cells_of_a_page_print_what_it_says(page, capsys):
    namespace = {}
    for code, output in re.findall(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", page, re.DOTALL | re.MULTILINE):
        exec(code, namespace)
        printed = capsys.readouterr().out
        assert book.equal_texts(output, printed), f"{code}printed\n{printed}The page has\n{output}"


def test_each_question_has_its_issues_a_cell_that_can_fail_and_three_sentences():
    questions = re.split(r"^## ", QUESTIONS, flags=re.MULTILINE)[1:]
    assert [text.partition(".")[0] for text in questions] == [str(n) for n in range(1, 16)]
    for text in questions:
        heading, issues, *_ = text.split("\n\n")
        assert heading.endswith("?")
        assert re.fullmatch(r"([\w-]+ )?\[#\d+\]\(https://github.com/[\w/-]+/\d+\)(,\s([\w-]+ )?\[#\d+\]\([^)]+\))*", issues), issues
        (code,), (_,) = blocks(text, "python"), blocks(text)
        assert re.search("^assert ", code, re.MULTILINE)
        answer = re.sub(r"\]\([^)]*\)", "]", text.rpartition("```\n")[2])
        assert len(re.findall(r"[.?!](?=\s|$)", answer)) == 3, heading


def test_the_public_names_are_listed():
    cells = re.findall(r"^\| (`[^|]*`) \|", PYTHON.partition("## The public names")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(cells))) == sorted(lda.__all__)
    modules = re.findall(r"`(\w+)`", re.search(r"^The modules (.*) are public", PYTHON, re.MULTILINE)[1])
    assert all(getattr(lda, module).__all__ for module in modules)


def test_what_the_readme_shows_of_its_three_doors_is_printed(capfd):
    _, where_output = blocks(README)
    assert set(where_output.splitlines()) <= set(where("TNW06 (15)").splitlines())
    chapter = json.loads((ROOT / "chapters" / "08_collapsed_vb.ipynb").read_text("utf-8"))
    outputs = ["".join(x["text"]) for cell in chapter["cells"] for x in cell.get("outputs", []) if "text" in x]
    assert re.search("`(✓ [^`]*)`", README)[1] in "".join(outputs).splitlines()
    example = str(ROOT / "lda_reference" / "oracle" / "examples" / "port.py")
    assert main(["oracle", "check", "--only", "cvb0/update", "--", sys.executable, example]) == 0
    n_passed, n_cases = re.search(r"examples/port.py +# (\d+) of (\d+) pass", README).groups()
    assert n_passed == n_cases
    assert f"\ncvb0       {n_cases}/0/0" in capfd.readouterr().out


def test_the_public_programs_are_those_of_the_csv_file():
    differs = {}
    for key, line in runs.read(ROOT / "figures" / "wild" / "wild.csv").items():
        program = runs.TEXTS[key].get("repository") or runs.TEXTS[key]["package"]
        differs[program] = differs.get(program, False) or int(line.passed) < int(line.cases)
    n_programs, n_differing = re.search(r"Of the (\d+) public programs in \[.*?\]\(figures/WILD.md\), (\d+) differ", README).groups()
    assert (int(n_programs), int(n_differing)) == (len(differs), sum(differs.values()))


def test_the_table_of_algorithms_is_the_registry():
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z, ]+) \|$", README, re.MULTILINE)
    assert {name: tuple(s.split(", ")) for name, s in rows} == {n: A.schedules for n, A in lda.ALGORITHMS.items()}


def lines_of_the_tour():
    """The table of the tour's output: the values of a line by their columns, in order of the algorithms."""
    (block,) = (text for text in blocks(COMMANDS) if text.startswith("bars"))
    lines = block.split("\n\n")[1].splitlines()
    assert lines[0].split() == " ".join(tour.heading(True, True)).split()
    return block, [dict(zip(COLUMNS, line.split(), strict=True)) for line in lines[1:]]


def test_the_tour_has_every_algorithm_with_its_schedule_and_start():
    block, rows = lines_of_the_tour()
    corpus = tour.embedded().corpus
    assert {x["algorithm"]: (x["schedule"], x["start"]) for x in rows} == {
        name: recommended.schedule_and_start(lda.ALGORITHMS[name], corpus)
        for name in tour.able(corpus, 10, lda.Prior())[0]
    }
    assert tour.legend(True, True) in block
    assert max(map(len, block.splitlines())) <= 120
    top_row = max((x for x in rows if x["bound"] != "-"), key=lambda x: float(x["bound"]))
    assert f"\nTopics of {top_row['algorithm']}, whose bound is the highest" in block


def test_the_tour_is_that_of_the_figure():
    _, readme_rows = lines_of_the_tour()
    last_rows = {row["algorithm"]: row for row in rows_of((ROOT / "figures/pages/tour.csv").read_text("utf-8"))}
    assert list(last_rows) == [x["algorithm"] for x in readme_rows]
    for x in readme_rows:
        row = last_rows[x["algorithm"]]
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
    (summary,), (section,) = re.findall(rf"Of the\s{reproduced},(.*?)\.\s", README, re.DOTALL), re.findall(r"Of these,(.*)", ledger)
    assert re.findall(r"\d+", summary) == re.findall(r"\d+", section)


def test_the_contents_are_the_chapters():
    notebooks = re.findall(r"^\| \[.*\((\w+\.ipynb)\)", PAGES["chapters/README.md"], re.MULTILINE)
    assert notebooks == sorted(path.name for path in (ROOT / "chapters").glob("*.ipynb"))
    assert f"{sum(path[0] != 'A' for path in notebooks)} chapters and three appendices" in README


@pytest.mark.parametrize("page_path", PAGE_PATHS)
def test_links_lead_to_files_and_headings(page_path):
    for path, heading in re.findall(r"\]\((?!https://github.com)([^)#\s]*)#?([^)\s]*)\)", PAGES[page_path]):
        target = (ROOT / page_path).parent / path if path else ROOT / page_path
        assert target.is_file(), path
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings]
