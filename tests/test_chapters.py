"""Every chapter prints its stored output and derives its equations in equations.toml."""

import functools
import re
import tomllib

import book
import ipywidgets
import matplotlib.pyplot as plt
import nbformat
import pytest
import show
from jupyter_core.utils import run_sync

from lda_reference.app.where import ROOT, read_equations, tags_in_comment

from . import fuzz

CHAPTERS = book.chapters()
QUANTITIES = tomllib.loads((ROOT / "chapters" / "notation.toml").read_text("utf-8"))["quantity"]
for_each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=[path.stem for path in CHAPTERS])


@pytest.fixture(scope="session")
def kernel():
    """One kernel for the chapters, which starts once; in `make test-all` each chapter has its own."""
    manager = None if fuzz.ALL else book.kernel()
    yield manager
    if manager and manager.has_kernel:
        run_sync(manager.shutdown_kernel)(now=True)


@for_each_chapter
def test_a_chapter_runs_and_prints_what_it_printed(path, kernel):
    assert book.faults(path, studies=fuzz.ALL, kernel=kernel) == []


@functools.cache
def read(path):
    return book.read(path).cells


def prose(path):
    return [cell.source for cell in read(path) if cell.cell_type == "markdown"]


def picture_cells(path):
    """The numbers of the cells that draw a picture."""
    return [n for n, cell in enumerate(read(path)) if any("image/svg+xml" in x.get("data", {}) for x in cell.get("outputs", []))]


def tags_in_bold(text):
    """The tags of `**TNW06 (4)(5)**` and the like."""
    return {tag for bold in re.findall(r"\*\*([A-Z]+\d\d [^*]+)\*\*", text) for tag in tags_in_comment(f"# {bold}")}


@for_each_chapter
def test_a_chapter_derives_the_equations_that_are_listed(path):
    first_cell, *later_cells = prose(path)
    listed_tags = {tag for tag, entry in read_equations().items() if path.name[:2] in entry["chapter"]}
    derived_tags = sorted(tag for tag in listed_tags if " Algorithm " not in tag)  # those are made of equations
    assert sorted(tags_in_bold(first_cell)) == derived_tags
    assert sorted(tags_in_bold("\n".join(later_cells))) == derived_tags


@for_each_chapter
def test_a_chapter_has_its_parts(path):
    text = "\n".join(prose(path))
    first_paragraphs = prose(path)[0].split("\n\n")
    assert re.fullmatch(rf"# {path.name[:2]} · .+", first_paragraphs[0])
    assert re.fullmatch(r"\*\*[^*$\n]+\?\*\*", first_paragraphs[1])  # the question that it answers
    assert len(first_paragraphs[1].split()) <= 25
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[-3:] == ["To take away", "Exercises", "Where the papers err"]
    section = text.split("## To take away")[1].split("\n## ")[0]
    assert len(re.findall(r"^- ", section, re.MULTILINE)) == 3
    assert not re.search(r"it can be shown|clearly|obviously|one finds", text, re.IGNORECASE)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not (path.parent / link).exists()] == []


@for_each_chapter
def test_a_chapter_opens_with_a_picture_and_a_key_of_its_symbols(path):
    assert picture_cells(path)[0] < 5
    (table,) = (x.source for x in read(path)[:6] if "| symbol | in code | meaning |" in x.source)
    key_rows = re.findall(r"^\|[^|]*\| `?([^`|]*?)`? \| ([^|]*) \|$", table.partition("| meaning |")[2], re.MULTILINE)
    assert 3 <= len(key_rows) <= 12
    meaning_of_code = {x["code"]: x["meaning"] for x in QUANTITIES}
    assert [(code, text) for code, text in key_rows if not text.startswith(meaning_of_code.get(code, text))] == []


@for_each_chapter
def test_a_chapter_shows_two_to_four_checks_and_describes_its_pictures(path):
    headline_cells = [cell for cell in read(path) if "headline" in cell.metadata.get("tags", [])]
    printed_text = "".join(x.get("text", "") for cell in headline_cells for x in cell.outputs)
    assert 2 <= printed_text.count("✓ ") <= 4
    for n in picture_cells(path):
        cell = read(path)[n]
        assert min(len(cell.metadata.get(metadata_key, "")) for metadata_key in ("caption", "alt")) > 10, cell.id
        captions = [x.data["text/markdown"] for x in cell.outputs if "text/markdown" in x.get("data", {})]
        assert captions == [cell.metadata["caption"]]  # in sight on GitHub, too
        assert cell.metadata["jupyter"]["source_hidden"], cell.id


def test_the_reading_time_counts_formulas_and_no_pictures(tmp_path):
    picture_cell = nbformat.v4.new_code_cell("draw()\n" * 15, metadata={"caption": "A line."})
    text_cell = nbformat.v4.new_markdown_cell("one $x + y$ three\n\n$$\na = b\n$$\n")
    nbformat.write(nbformat.v4.new_notebook(cells=[picture_cell, text_cell]), tmp_path / "x.ipynb")
    assert book.minutes(tmp_path / "x.ipynb") == (3, 1, 0, 3 / 130 + 0.5)


def test_chapters_are_numbered():
    """Chapters from 20 on continue an earlier one each, and their numbers may have gaps."""
    chapter_numbers = [path.name[:2] for path in CHAPTERS]
    appendices = [x for x in chapter_numbers if x[0] == "A"]
    chapters = chapter_numbers[: -len(appendices)]
    assert chapters[:20] == [f"{i:02d}" for i in range(20)]
    assert sorted({*chapters}) == chapters
    assert appendices == [f"A{i + 1}" for i in range(len(appendices))]


def test_a_chapter_takes_up_to_45_minutes_and_the_core_path_takes_five_hours():
    minutes_of = {path.name[:2]: book.minutes(path)[-1] for path in CHAPTERS}
    assert [chapter for chapter, minutes in minutes_of.items() if minutes > 45] == []
    assert 285 < sum(minutes_of[chapter] for chapter in book.CORE) <= 300


@pytest.mark.parametrize(
    ("old_text", "new_text", "is_same"),
    [
        ("x 1.2340 of 5", "x 1.2341 of 5", True),
        ("x 1.2340 of 5", "x 1.2342 of 5", False),
        ("x 1.2340 of 5", "x 1.2340 of 6", False),
        ("2.5e-07", "2.6e-07", True),
        ("2.5e-07", "2.5e-06", False),
    ],
)
def test_a_changed_number_is_found(old_text, new_text, is_same):
    assert book.equal_texts(old_text, new_text) is is_same


def test_a_chapter_that_prints_other_text_or_fails_is_refused(tmp_path):
    def faults_of(*cells):
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "x.ipynb")
        return book.faults(tmp_path / "x.ipynb")

    wrong_cell = nbformat.v4.new_code_cell("print('other')", outputs=[nbformat.v4.new_output("stream", text="text\n")])
    warning_cell = nbformat.v4.new_code_cell("import sys; print('careful', file=sys.stderr)")
    first_fault, second_fault, _ = faults_of(wrong_cell, warning_cell)
    assert first_fault == f"x.ipynb: cell {warning_cell.id} writes to stderr: stderr: careful\n"
    assert second_fault == f"x.ipynb: cell {wrong_cell.id} printed\nother\n\nThe chapter has\ntext\n"
    with pytest.raises(Exception, match="ZeroDivisionError"):
        faults_of(nbformat.v4.new_code_cell("1 / 0"))


def test_checks_can_fail():
    show.agree("x", [1.0, 2.0], [1.0, 2.0 + 1e-12])
    show.differ("x", [1.0, 2.0], [1.0, 2.5], 0.4)
    for check, arguments in (
        (show.agree, ([1.0, 2.0], [1.0, 2.0 + 1e-9])), (show.agree, (float("nan"), 1.0)),
        (show.differ, ([1.0, 2.0], [1.0, 2.5], 0.6)), (show.holds, ([True, False],)),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match="x"):
            check("x", *arguments)


def test_a_knob_is_a_slider_that_draws_its_value(monkeypatch):
    drawn_values, knobs, original = [], [], ipywidgets.interact
    monkeypatch.setattr(plt, "show", plt.close)
    monkeypatch.delenv("LDA_STILL", raising=False)
    monkeypatch.setattr(ipywidgets, "interact", lambda *a, **k: knobs.append(original(*a, **k)))
    show.knob(lambda axis, alpha: drawn_values.append(alpha), "alpha", [0.1, 1.0])
    knobs[0].widget.children[0].value = 1.0
    assert drawn_values == [0.1, 1.0]


def test_the_map_calls_each_chapter_by_one_name():
    (map_text,) = (x.source for x in read(CHAPTERS[0]) if x.id == "map")
    chapter_names = {*re.findall(r"(?<!\d)[A\d]\d [A-Za-z][\w -]*", map_text)}
    chapter_numbers = [name.split()[0] for name in chapter_names]
    assert sorted(chapter_numbers) == sorted({*chapter_numbers})
    assert {*chapter_numbers} <= {path.name[:2] for path in CHAPTERS}
