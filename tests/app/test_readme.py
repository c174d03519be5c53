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


def blocks(page_text, language=""):
    return [block for block_language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page_text, re.DOTALL | re.MULTILINE) if block_language == language]


def names_after(page_text):
    """The names after all Python of a page, in order, as one session."""
    namespace = {}
    for block in blocks(page_text, "python"):
        exec(block, namespace)
    return namespace


def test_the_readme_is_short():
    assert len(README.splitlines()) - len(lda.ALGORITHMS) <= 179  # a line of the table each


def test_the_python_of_the_readme_runs(capsys):
    names_after(README)
    printed_lines = capsys.readouterr().out.splitlines()
    topic_lines, printed_lines = printed_lines[:3], printed_lines[3:]
    assert topic_lines == blocks(README)[0].splitlines()
    number_texts = [f"{float(number_text):.3f}" for number_text in printed_lines[0].split()]
    assert re.search(r"in floats,\s+(\S+)\s+and\s+(\S+)\.\s+Then", README).groups() == tuple(number_texts)
    assert re.search(r"in fractions, (.*) and (.*):", README).groups() == tuple(printed_lines[1].split())
    assert printed_lines[2].startswith("vb, row 0: document 0")
    lower_bound, _, _, upper_bound = printed_lines[-1].split()
    assert float(lower_bound) < float(upper_bound)


def test_the_python_of_its_page_runs():
    namespace = names_after(PYTHON)
    assert [namespace["arrays"]["vocab"][w] for w in namespace["fit"].phi_wk[:, 0].argsort()[:1:-1]] == ["stock", "bond"]


def test_the_update_of_your_own_prints_what_its_page_says(capsys):
    names_after(UPDATE_PAGE)
    printed_text = capsys.readouterr().out
    assert re.findall(r"`(\w+)\s([\d.]+)`", UPDATE_PAGE) == [tuple(line.split()) for line in printed_text.splitlines()[:3]]
    assert "mine, row 0" in printed_text


@pytest.mark.parametrize("page", [QUESTIONS, PAGES["chapters/pages/machines.md"]], ids=["questions", "machines"])
def test_the_cells_of_a_page_print_what_it_says(page, capsys):
    namespace = {}
    for code, expected_output in re.findall(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", page, re.DOTALL | re.MULTILINE):
        exec(code, namespace)
        printed_text = capsys.readouterr().out
        assert book.equal_texts(expected_output, printed_text), f"{code}printed\n{printed_text}The page has\n{expected_output}"


def test_each_question_has_its_issues_a_cell_that_can_fail_and_three_sentences():
    question_texts = re.split(r"^## ", QUESTIONS, flags=re.MULTILINE)[1:]
    assert [question_text.partition(".")[0] for question_text in question_texts] == [str(n) for n in range(1, 16)]
    for question_text in question_texts:
        heading, issue_links, *_ = question_text.split("\n\n")
        assert heading.endswith("?")
        assert re.fullmatch(r"([\w-]+ )?\[#\d+\]\(https://github.com/[\w/-]+/\d+\)(,\s([\w-]+ )?\[#\d+\]\([^)]+\))*", issue_links), issue_links
        (code,), (_,) = blocks(question_text, "python"), blocks(question_text)
        assert re.search("^assert ", code, re.MULTILINE)
        answer = re.sub(r"\]\([^)]*\)", "]", question_text.rpartition("```\n")[2])
        assert len(re.findall(r"[.?!](?=\s|$)", answer)) == 3, heading


def test_the_public_names_are_listed():
    table_cells = re.findall(r"^\| (`[^|]*`) \|", PYTHON.partition("## The public names")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(table_cells))) == sorted(lda.__all__)
    module_names = re.findall(r"`(\w+)`", re.search(r"^The modules (.*) are public", PYTHON, re.MULTILINE)[1])
    assert all(getattr(lda, module_name).__all__ for module_name in module_names)


def test_what_the_readme_shows_of_its_three_doors_is_printed(capfd):
    _, where_output = blocks(README)
    assert set(where_output.splitlines()) <= set(where("TNW06 (15)").splitlines())
    notebook = json.loads((ROOT / "chapters" / "08_collapsed_vb.ipynb").read_text("utf-8"))
    output_texts = ["".join(output["text"]) for cell in notebook["cells"] for output in cell.get("outputs", []) if "text" in output]
    assert re.search("`(✓ [^`]*)`", README)[1] in "".join(output_texts).splitlines()
    example_path = str(ROOT / "lda_reference" / "oracle" / "examples" / "port.py")
    assert main(["oracle", "check", "--only", "cvb0/update", "--", sys.executable, example_path]) == 0
    n_passed, n_cases = re.search(r"examples/port.py +# (\d+) of (\d+) pass", README).groups()
    assert n_passed == n_cases
    assert f"\ncvb0       {n_cases}/0/0" in capfd.readouterr().out


def test_the_public_programs_are_those_of_the_csv_file():
    differs_by_program = {}
    for run_key, csv_line in runs.read(ROOT / "figures" / "wild" / "wild.csv").items():
        program = runs.TEXTS[run_key].get("repository") or runs.TEXTS[run_key]["package"]
        differs_by_program[program] = differs_by_program.get(program, False) or int(csv_line.passed) < int(csv_line.cases)
    n_programs, n_differing = re.search(r"Of the (\d+) public programs in \[.*?\]\(figures/WILD.md\), (\d+) differ", README).groups()
    assert (int(n_programs), int(n_differing)) == (len(differs_by_program), sum(differs_by_program.values()))


def test_the_table_of_algorithms_is_the_registry():
    name_and_schedules_rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z, ]+) \|$", README, re.MULTILINE)
    assert {name: tuple(schedules_text.split(", ")) for name, schedules_text in name_and_schedules_rows} == {name: A.schedules for name, A in lda.ALGORITHMS.items()}


def lines_of_the_tour():
    """The table of the tour's output: the values of a line by their columns, in order of the algorithms."""
    (block,) = (block_text for block_text in blocks(COMMANDS) if block_text.startswith("bars"))
    table_lines = block.split("\n\n")[1].splitlines()
    assert table_lines[0].split() == " ".join(tour.heading(True, True)).split()
    return block, [dict(zip(COLUMNS, line.split(), strict=True)) for line in table_lines[1:]]


def test_the_tour_has_every_algorithm_with_its_schedule_and_start():
    block, rows = lines_of_the_tour()
    corpus = tour.embedded().corpus
    assert {row["algorithm"]: (row["schedule"], row["start"]) for row in rows} == {
        name: recommended.schedule_and_start(lda.ALGORITHMS[name], corpus)
        for name in tour.able(corpus, 10, lda.Prior())[0]
    }
    assert tour.legend(True, True) in block
    assert max(map(len, block.splitlines())) <= 120
    top_row = max((row for row in rows if row["bound"] != "-"), key=lambda row: float(row["bound"]))
    assert f"\nTopics of {top_row['algorithm']}, whose bound is the highest" in block


def test_the_tour_is_that_of_the_figure():
    _, readme_rows = lines_of_the_tour()
    last_row_of = {csv_row["algorithm"]: csv_row for csv_row in rows_of((ROOT / "figures/pages/tour.csv").read_text("utf-8"))}
    assert list(last_row_of) == [readme_row["algorithm"] for readme_row in readme_rows]
    for readme_row in readme_rows:
        csv_row = last_row_of[readme_row["algorithm"]]
        assert [readme_row[column] for column in ("schedule", "start", "sweeps")] == [csv_row[column] for column in ("schedule", "start", "sweep")]
        assert (readme_row["seconds"], readme_row["perplexity"]) == (f"{float(csv_row['seconds']):.2f}", f"{float(csv_row['perplexity']):.2f}")


def test_the_numbers_of_the_oracle_are_those_of_its_vectors():
    assert set(re.findall(r"([\d,]+) test vectors", README)) == {f"{len(oracle.cases()):,}"}
    assert re.findall(r"(\d+) known mistakes", README) == [str(len(oracle.mistakes()))]


def test_the_numbers_of_claims_are_those_of_the_ledger():
    ledger = (ROOT / "figures" / "LEDGER.md").read_text("utf-8")
    ledger_rows = re.findall(r"^\| [A-Z]+\d\d \|((?: \d+ \|){6})$", ledger, re.MULTILINE)
    count_columns = zip(*(re.findall(r"\d+", ledger_row) for ledger_row in ledger_rows), strict=True)
    n_reproduced, n_depending, n_failed, n_changed, n_undecided, n_untested = counts = [sum(map(int, column)) for column in count_columns]
    (sentence,) = re.findall(r"^Of \d+ claims.*?:", README, re.DOTALL | re.MULTILINE)
    printed_counts = [int(number_text) for number_text in re.findall(r"\d+", sentence)]
    assert printed_counts == [sum(counts), n_reproduced, n_depending, n_changed, n_failed, n_undecided, n_untested]
    (summary,), (section,) = re.findall(rf"Of the\s{n_reproduced},(.*?)\.\s", README, re.DOTALL), re.findall(r"Of these,(.*)", ledger)
    assert re.findall(r"\d+", summary) == re.findall(r"\d+", section)


def test_the_contents_are_the_chapters():
    notebook_names = re.findall(r"^\| \[.*\((\w+\.ipynb)\)", PAGES["chapters/README.md"], re.MULTILINE)
    assert notebook_names == sorted(path.name for path in (ROOT / "chapters").glob("*.ipynb"))
    assert f"{sum(name[0] != 'A' for name in notebook_names)} chapters and three appendices" in README


@pytest.mark.parametrize("page_path", PAGE_PATHS)
def test_links_lead_to_files_and_headings(page_path):
    for link_path, heading in re.findall(r"\]\((?!https://github.com)([^)#\s]*)#?([^)\s]*)\)", PAGES[page_path]):
        target_path = (ROOT / page_path).parent / link_path if link_path else ROOT / page_path
        assert target_path.is_file(), link_path
        if heading:
            headings = re.findall(r"^#+ (.*)$", target_path.read_text("utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", heading_text).lower().replace(" ", "-") for heading_text in headings]
