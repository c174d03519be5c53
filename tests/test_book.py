"""The parts of the book's site: tags, cells, captions, links and equations, each by itself."""

import doctest
import io
import re

import matplotlib.pyplot as plt
import nbformat
import pytest
from web import cells, docstrings, equations, links, papers, stage, tags

from lda_reference.app.where import ROOT, read_equations

# Tags ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tag_pieces"),
    [
        ("by TNW06 (4)(5), see", [("TNW06 (4)", "TNW06 (4)"), ("(5)", "TNW06 (5)")]),
        ("SN12 (30)", [("SN12 (30)", "SN12 (24)-(42)")]),
        ("BOO16 Fig. 2 [D][d]", [("BOO16 Fig. 2 [D]", "BOO16 Fig. 2 [D]"), ("[d]", "BOO16 Fig. 2 [d]")]),
        ("TNW06 (99), no tag", []),
    ],
)
def test_tags_in_a_text_are_pieces_of_it(text, tag_pieces):
    pieces = list(tags.pieces(text))
    assert "".join(piece for piece, _ in pieces) == text
    assert [(piece, tag) for piece, tag in pieces if tag] == tag_pieces


# Cells --------------------------------------------------------------------------------------------------------------


def svg():
    figure = plt.figure(figsize=(2, 1))
    figure.text(0.5, 0.5, "words")
    figure.savefig(file := io.StringIO(), format="svg")
    plt.close(figure)
    return file.getvalue()


def code(source, text="", pictures=(), **metadata):
    outputs = [nbformat.v4.new_output("stream", text=text)] if text else []
    bundles = [{"image/svg+xml": x} for x in pictures]
    outputs += [nbformat.v4.new_output("display_data", data=x) for x in bundles]
    return nbformat.v4.new_code_cell(source, outputs=outputs, metadata=metadata)


def staged(folder, *sources):
    return cells.staged(nbformat.v4.new_notebook(cells=list(sources)), "08", folder).cells


DEFINITION, FENCE = "def f():\n    pass", "````{checks}"


@pytest.mark.parametrize(
    ("heading", "source", "text", "marks", "output", "checks"),
    [
        ("", "agree('a', 1, 1)", "✓ a: 1 number agrees\n", ["hide-cell"], "✓ a: 1 number agrees", []),
        ("", DEFINITION, "✓ a", ["hide-input"], "", [f"{FENCE} 1 check\na\n````"]),
        ("", "x = 1", "✓ it is (13)\n✓ rows add up\n", ["hide-cell"], "✓ rows add up", [f"{FENCE}\nit is (13)\n````"]),
        ("## Exercises", "print(3)", "3\n", ["hide-cell"], "3", []),
        ("## Write it yourself: a sweep", "print(3)", "3\n", [], "3", []),
    ],
)
def test_cells_fold_and_checks_of_equations_stay_in_sight(tmp_path, heading, source, text, marks, output, checks):
    _, cell, *check_cells = staged(tmp_path, nbformat.v4.new_markdown_cell(heading), code(source, text))
    assert cell.metadata.tags == marks
    assert "".join(x.text for x in cell.outputs).strip() == output
    assert [x.source for x in check_cells] == checks


def test_where_cells_are_marked_only_their_checks_stay_in_sight(tmp_path):
    mark = {"tags": ["headline"]}
    cell_1, check, cell_2 = staged(tmp_path, code("x = 1", "✓ rows add up\n", **mark), code("x = 1", "✓ it is (13)\n"))
    assert cell_1.metadata.tags == ["hide-input"]
    assert check.source == "````{checks}\nrows add up\n````"
    assert cell_2.metadata.tags == ["hide-cell"]


def test_pictures_are_numbered_figures_with_their_code_folded_below(tmp_path):
    drawing_cell = code("plt.plot()", pictures=[svg(), svg()], caption="What it is.", alt="A line.")
    drawing_cell.outputs.append(nbformat.v4.new_output("display_data", {"text/markdown": "What it is."}))  # for GitHub
    *figures, cell = staged(tmp_path, drawing_cell)
    assert cell.metadata.tags == ["hide-input"]
    assert cell.outputs == []
    for number, figure in enumerate(figures, 1):
        assert f"**Figure 8.{number}.** What it is." in figure.source
        assert ":alt: A line.\n" in figure.source
        (picture_name,) = re.findall(r"\{figure\} (\S+)", figure.source)
        assert "<svg" in (tmp_path / picture_name).read_text("utf-8")
        assert ":width: 200px" in figure.source  # two inches


# Documents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "new_link"),
    [
        ("[a line](../lda_reference/model.py#L7)", "{source}`a line <lda_reference/model.py:7>`"),
        ("[06](06_gibbs.ipynb)", "[06](06_gibbs.ipynb)"),
        ("[here](#Two-marks?)", "[here](#two-marks)"),
        ("![a picture](x.png)", "![a picture](x.png)"),
    ],
)
def test_links_to_code_become_links_to_its_pages(link, new_link):
    assert stage.relinked(f"See {link}.", "chapters") == f"See {new_link}."


@pytest.mark.parametrize("module", [docstrings, equations, papers, tags], ids=lambda x: x.__name__)
def test_examples_of_the_site(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted
    assert not outcome.failed


@pytest.fixture(scope="module")
def all_equations():
    return equations.equations()


def test_every_formula_as_printed_or_derived_is_found(all_equations):
    assert [x.tag for x in all_equations] == list(read_equations())
    tags_without = [x.tag for x in all_equations if not x.printed and not any(formula for _, _, formula in x.derived)]
    assert [tag for tag in tags_without if re.search(r"\(\d+\)", tag)] == []  # every numbered one has a formula
    assert {x.tag: x.derived for x in all_equations}["TNW06 (16)"][0][2].count(r"\gamma") > 0
    (eq13,) = (x for x in all_equations if x.tag == "AWST09 (13)")  # a line that is a term has its whole update
    assert eq13.whole == ["`smoothed(alpha, N_jk) * smoothed(eta, N_wk) / smoothed(W eta, N_k)`, the sums with one token left out"]


@pytest.mark.parametrize(
    ("tag", "formula_start"),
    [
        ("TNW06 (16)", "N_{jk}"),  # above its tag
        ("SN12 (23)", "q(z_i = k)"),
        ("SOL14 (23)", "p(\\theta_j"),  # below its tag
        ("BOO16 Fig. 2 [D]", "\\alpha_{jk} \\leftarrow"),
        ("ML02 [deletion]", ""),  # the formula is that of the next item
    ],
)
def test_a_formula_is_that_of_its_tag(tag, formula_start, all_equations):
    (derivation,) = {x.tag: x.derived for x in all_equations}[tag]
    assert derivation[2].startswith(formula_start)
    assert bool(derivation[2]) == bool(formula_start)


# The pages of the papers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", papers.five())
def test_a_page_has_each_equation_and_figure_of_its_paper_once(key):
    places = [place for section in papers.papers()[key]["section"] for place in section.get("holds", [])]
    figure_places = [f"Fig. {path.stem[3:]}" for path in sorted((ROOT / "figures" / key.lower()).glob("fig*.svg"))]
    tags_of_paper = [tag.removeprefix(f"{key} ") for tag in read_equations() if tag.startswith(f"{key} ")]
    assert sorted(x for x in places if not x.endswith(".svg")) == sorted(tags_of_paper + figure_places)


def test_claims_and_errors_have_a_place_on_the_pages():
    assert sum(map(len, papers.claims().values())) == len(re.findall(r"^Refuted if: ", papers._ledger(), re.MULTILINE))
    assert [x.says for key, claims in papers.claims().items() for x in claims if not papers.places_of(x, key)] == []
    verdicts = [x.verdict for claims in papers.claims().values() for x in claims if x.verdict.startswith("Reproduced")]
    assert verdicts
    assert [verdict for verdict in verdicts if not verdict.partition(", ")[2]] == []  # each has its grade
    assert [x.place for x in equations.errata() if not x.tags and not papers.section_of(x.place, x.paper)] == []
    assert len(equations.errata()) == (ROOT / "ERRATA.md").read_text("utf-8").count("\n| ") - 1


# Checking a site ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file_name", "file_text", "fault"),
    [
        ("a.html", '<a href="b.html#here">b</a><img src="x.png" alt="x">', ""),
        ("a.html", '<a href="b.html#there">b</a>', "b.html#there leads nowhere"),
        ("a.html", '<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ("a.html", '<img src="x.png">', "a picture without a text, x.png"),
        ("a.html", '<style>@import "https://example.org/x.css"</style>', "loads https://example.org/x.css"),
        ("x.js", 'import("https://example.org/x.js")', "loads https://example.org/x.js"),
    ],
)
def test_faults_of_a_site_are_found(tmp_path, file_name, file_text, fault):
    (tmp_path / file_name).write_text(file_text)
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "x.png").write_bytes(b"")
    assert links.faults(tmp_path) == [f"{file_name}: {fault}"] * bool(fault)
