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
for_each_chapter = pytest.mark.parametrize("chapter_path", CHAPTERS, ids=[chapter_path.stem for chapter_path in CHAPTERS])


@pytest.fixture(scope="session")
def kernel():
    """One kernel for the chapters, which starts once; in `make test-all` each chapter has its own."""
    kernel_manager = None if fuzz.ALL else book.kernel()
    yield kernel_manager
    if kernel_manager and kernel_manager.has_kernel:
        run_sync(kernel_manager.shutdown_kernel)(now=True)


@for_each_chapter
def test_a_chapter_runs_and_prints_what_it_printed(chapter_path, kernel):
    assert book.faults(chapter_path, studies=fuzz.ALL, kernel=kernel) == []


@functools.cache
def read(chapter_path):
    return book.read(chapter_path).cells


def prose(chapter_path):
    return [cell.source for cell in read(chapter_path) if cell.cell_type == "markdown"]


def picture_cells(chapter_path):
    """The numbers of the cells that draw a picture."""
    return [cell_number for cell_number, cell in enumerate(read(chapter_path)) if any("image/svg+xml" in output.get("data", {}) for output in cell.get("outputs", []))]


def tags_in_bold(text):
    """The tags of `**TNW06 (4)(5)**` and the like."""
    return {tag for bold_text in re.findall(r"\*\*([A-Z]+\d\d [^*]+)\*\*", text) for tag in tags_in_comment(f"# {bold_text}")}


@for_each_chapter
def test_a_chapter_derives_the_equations_that_are_listed(chapter_path):
    first_cell, *later_cells = prose(chapter_path)
    listed_tags = {tag for tag, equation_entry in read_equations().items() if chapter_path.name[:2] in equation_entry["chapter"]}
    derived_tags = sorted(tag for tag in listed_tags if " Algorithm " not in tag)  # those are made of equations
    assert sorted(tags_in_bold(first_cell)) == derived_tags
    assert sorted(tags_in_bold("\n".join(later_cells))) == derived_tags


@for_each_chapter
def test_a_chapter_has_its_parts(chapter_path):
    chapter_text = "\n".join(prose(chapter_path))
    first_paragraphs = prose(chapter_path)[0].split("\n\n")
    assert re.fullmatch(rf"# {chapter_path.name[:2]} · .+", first_paragraphs[0])
    assert re.fullmatch(r"\*\*[^*$\n]+\?\*\*", first_paragraphs[1])  # the question that it answers
    assert len(first_paragraphs[1].split()) <= 25
    headings = re.findall(r"^## (.+)$", chapter_text, re.MULTILINE)
    assert headings[-3:] == ["To take away", "Exercises", "Where the papers err"]
    section_text = chapter_text.split("## To take away")[1].split("\n## ")[0]
    assert len(re.findall(r"^- ", section_text, re.MULTILINE)) == 3
    assert not re.search(r"it can be shown|clearly|obviously|one finds", chapter_text, re.IGNORECASE)
    link_targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", chapter_text)
    assert [link_target for link_target in link_targets if not (chapter_path.parent / link_target).exists()] == []


@for_each_chapter
def test_a_chapter_opens_with_a_picture_and_a_key_of_its_symbols(chapter_path):
    assert picture_cells(chapter_path)[0] < 5
    (key_table,) = (cell.source for cell in read(chapter_path)[:6] if "| symbol | in code | meaning |" in cell.source)
    key_rows = re.findall(r"^\|[^|]*\| `?([^`|]*?)`? \| ([^|]*) \|$", key_table.partition("| meaning |")[2], re.MULTILINE)
    assert 3 <= len(key_rows) <= 12
    meaning_of_code = {quantity["code"]: quantity["meaning"] for quantity in QUANTITIES}
    assert [(code, meaning_text) for code, meaning_text in key_rows if not meaning_text.startswith(meaning_of_code.get(code, meaning_text))] == []


@for_each_chapter
def test_a_chapter_shows_two_to_four_checks_and_describes_its_pictures(chapter_path):
    headline_cells = [cell for cell in read(chapter_path) if "headline" in cell.metadata.get("tags", [])]
    printed_text = "".join(cell_output.get("text", "") for cell in headline_cells for cell_output in cell.outputs)
    assert 2 <= printed_text.count("✓ ") <= 4
    for cell_number in picture_cells(chapter_path):
        cell = read(chapter_path)[cell_number]
        assert min(len(cell.metadata.get(metadata_key, "")) for metadata_key in ("caption", "alt")) > 10, cell.id
        captions = [cell_output.data["text/markdown"] for cell_output in cell.outputs if "text/markdown" in cell_output.get("data", {})]
        assert captions == [cell.metadata["caption"]]  # in sight on GitHub, too
        assert cell.metadata["jupyter"]["source_hidden"], cell.id


def test_the_reading_time_counts_formulas_and_no_pictures(tmp_path):
    picture_cell = nbformat.v4.new_code_cell("draw()\n" * 15, metadata={"caption": "A line."})
    text_cell = nbformat.v4.new_markdown_cell("one $x + y$ three\n\n$$\na = b\n$$\n")
    nbformat.write(nbformat.v4.new_notebook(cells=[picture_cell, text_cell]), tmp_path / "x.ipynb")
    assert book.minutes(tmp_path / "x.ipynb") == (3, 1, 0, 3 / 130 + 0.5)


def test_chapters_are_numbered():
    """Chapters from 20 on continue an earlier one each, and their numbers may have gaps."""
    chapter_numbers = [chapter_path.name[:2] for chapter_path in CHAPTERS]
    appendix_numbers = [chapter_number for chapter_number in chapter_numbers if chapter_number[0] == "A"]
    main_numbers = chapter_numbers[: -len(appendix_numbers)]
    assert main_numbers[:20] == [f"{i:02d}" for i in range(20)]
    assert sorted({*main_numbers}) == main_numbers
    assert appendix_numbers == [f"A{i + 1}" for i in range(len(appendix_numbers))]


def test_a_chapter_takes_up_to_45_minutes_and_the_core_path_takes_five_hours():
    minutes_of_chapter = {chapter_path.name[:2]: book.minutes(chapter_path)[-1] for chapter_path in CHAPTERS}
    assert [chapter for chapter, minutes in minutes_of_chapter.items() if minutes > 45] == []
    assert 285 < sum(minutes_of_chapter[chapter] for chapter in book.CORE) <= 300


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
    def faults_of(*notebook_cells):
        nbformat.write(nbformat.v4.new_notebook(cells=notebook_cells), tmp_path / "x.ipynb")
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
    for check_function, arguments in (
        (show.agree, ([1.0, 2.0], [1.0, 2.0 + 1e-9])), (show.agree, (float("nan"), 1.0)),
        (show.differ, ([1.0, 2.0], [1.0, 2.5], 0.6)), (show.holds, ([True, False],)),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match="x"):
            check_function("x", *arguments)


def test_a_knob_is_a_slider_that_draws_its_value(monkeypatch):
    drawn_values, knobs, original_interact = [], [], ipywidgets.interact
    monkeypatch.setattr(plt, "show", plt.close)
    monkeypatch.delenv("LDA_STILL", raising=False)
    monkeypatch.setattr(ipywidgets, "interact", lambda *arguments, **options: knobs.append(original_interact(*arguments, **options)))
    show.knob(lambda axis, alpha: drawn_values.append(alpha), "alpha", [0.1, 1.0])
    knobs[0].widget.children[0].value = 1.0
    assert drawn_values == [0.1, 1.0]


def test_the_map_calls_each_chapter_by_one_name():
    (map_text,) = (cell.source for cell in read(CHAPTERS[0]) if cell.id == "map")
    chapter_names = {*re.findall(r"(?<!\d)[A\d]\d [A-Za-z][\w -]*", map_text)}
    chapter_numbers = [chapter_name.split()[0] for chapter_name in chapter_names]
    assert sorted(chapter_numbers) == sorted({*chapter_numbers})
    assert {*chapter_numbers} <= {path.name[:2] for path in CHAPTERS}
