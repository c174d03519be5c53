"""The parts of the book's site: tags, cells, captions, links and equations, each by itself."""

import doctest
import io
import re

import matplotlib.pyplot as plt
import nbformat
import pytest
from web import cells, docstrings, equations, links, papers, stage, tags

from lda_reference.app.where import ROOT, read_equations


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
    pieces_and_tags = list(tags.pieces(text))
    assert "".join(piece for piece, _ in pieces_and_tags) == text
    assert [(piece, tag) for piece, tag in pieces_and_tags if tag] == tag_pieces


# Cells --------------------------------------------------------------------------------------------------------------


def svg():
    figure = plt.figure(figsize=(2, 1))
    figure.text(0.5, 0.5, "words")
    figure.savefig(svg_buffer := io.StringIO(), format="svg")
    plt.close(figure)
    return svg_buffer.getvalue()


def code(cell_source, printed_text="", pictures=(), **metadata):
    outputs = [nbformat.v4.new_output("stream", text=printed_text)] if printed_text else []
    mime_bundles = [{"image/svg+xml": svg_text} for svg_text in pictures]
    outputs += [nbformat.v4.new_output("display_data", data=mime_bundle) for mime_bundle in mime_bundles]
    return nbformat.v4.new_code_cell(cell_source, outputs=outputs, metadata=metadata)


def staged(folder, *notebook_cells):
    return cells.staged(nbformat.v4.new_notebook(cells=list(notebook_cells)), "08", folder).cells


DEFINITION, FENCE = "def f():\n    pass", "````{checks}"


@pytest.mark.parametrize(
    ("heading", "cell_source", "printed_text", "cell_tags", "shown_output", "check_sources"),
    [
        ("", "agree('a', 1, 1)", "✓ a: 1 number agrees\n", ["hide-cell"], "✓ a: 1 number agrees", []),
        ("", DEFINITION, "✓ a", ["hide-input"], "", [f"{FENCE} 1 check\na\n````"]),
        ("", "x = 1", "✓ it is (13)\n✓ rows add up\n", ["hide-cell"], "✓ rows add up", [f"{FENCE}\nit is (13)\n````"]),
        ("## Exercises", "print(3)", "3\n", ["hide-cell"], "3", []),
        ("## Write it yourself: a sweep", "print(3)", "3\n", [], "3", []),
    ],
)
def test_cells_fold_and_checks_of_equations_stay_in_sight(tmp_path, heading, cell_source, printed_text, cell_tags, shown_output, check_sources):
    _, staged_cell, *check_cells = staged(tmp_path, nbformat.v4.new_markdown_cell(heading), code(cell_source, printed_text))
    assert staged_cell.metadata.tags == cell_tags
    assert "".join(cell_output.text for cell_output in staged_cell.outputs).strip() == shown_output
    assert [check_cell.source for check_cell in check_cells] == check_sources


def test_where_cells_are_marked_only_their_checks_stay_in_sight(tmp_path):
    headline_metadata = {"tags": ["headline"]}
    cell_1, check_cell, cell_2 = staged(tmp_path, code("x = 1", "✓ rows add up\n", **headline_metadata), code("x = 1", "✓ it is (13)\n"))
    assert cell_1.metadata.tags == ["hide-input"]
    assert check_cell.source == "````{checks}\nrows add up\n````"
    assert cell_2.metadata.tags == ["hide-cell"]


def test_pictures_are_numbered_figures_with_their_code_folded_below(tmp_path):
    drawing_cell = code("plt.plot()", pictures=[svg(), svg()], caption="What it is.", alt="A line.")
    drawing_cell.outputs.append(nbformat.v4.new_output("display_data", {"text/markdown": "What it is."}))  # for GitHub
    *figure_cells, code_cell = staged(tmp_path, drawing_cell)
    assert code_cell.metadata.tags == ["hide-input"]
    assert code_cell.outputs == []
    for figure_number, figure_cell in enumerate(figure_cells, 1):
        assert f"**Figure 8.{figure_number}.** What it is." in figure_cell.source
        assert ":alt: A line.\n" in figure_cell.source
        (picture_name,) = re.findall(r"\{figure\} (\S+)", figure_cell.source)
        assert "<svg" in (tmp_path / picture_name).read_text("utf-8")
        assert ":width: 200px" in figure_cell.source  # two inches


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


@pytest.mark.parametrize("site_module", [docstrings, equations, papers, tags], ids=lambda site_module: site_module.__name__)
def test_examples_of_the_site(site_module):
    doctest_outcome = doctest.testmod(site_module)
    assert doctest_outcome.attempted
    assert not doctest_outcome.failed


@pytest.fixture(scope="module")
def all_equations():
    return equations.equations()


def test_every_formula_as_printed_or_derived_is_found(all_equations):
    assert [eq.tag for eq in all_equations] == list(read_equations())
    tags_without_formula = [eq.tag for eq in all_equations if not eq.printed and not any(formula for _, _, formula in eq.derived)]
    assert [tag for tag in tags_without_formula if re.search(r"\(\d+\)", tag)] == []  # every numbered one has a formula
    assert {eq.tag: eq.derived for eq in all_equations}["TNW06 (16)"][0][2].count(r"\gamma") > 0
    (eq13,) = (eq for eq in all_equations if eq.tag == "AWST09 (13)")  # a line that is a term has its whole update
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
    (derivation,) = {eq.tag: eq.derived for eq in all_equations}[tag]
    assert derivation[2].startswith(formula_start)
    assert bool(derivation[2]) == bool(formula_start)


# The pages of the papers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", papers.five())
def test_a_page_has_each_equation_and_figure_of_its_paper_once(paper):
    held_places = [held_place for page_section in papers.papers()[paper]["section"] for held_place in page_section.get("holds", [])]
    figure_places = [f"Fig. {svg_path.stem[3:]}" for svg_path in sorted((ROOT / "figures" / paper.lower()).glob("fig*.svg"))]
    tags_of_paper = [tag.removeprefix(f"{paper} ") for tag in read_equations() if tag.startswith(f"{paper} ")]
    assert sorted(held_place for held_place in held_places if not held_place.endswith(".svg")) == sorted(tags_of_paper + figure_places)


def test_claims_and_errors_have_a_place_on_the_pages():
    assert sum(map(len, papers.claims().values())) == len(re.findall(r"^Refuted if: ", papers._ledger(), re.MULTILINE))
    assert [claim.says for paper, paper_claims in papers.claims().items() for claim in paper_claims if not papers.places_of(claim, paper)] == []
    verdicts = [claim.verdict for paper_claims in papers.claims().values() for claim in paper_claims if claim.verdict.startswith("Reproduced")]
    assert verdicts
    assert [verdict for verdict in verdicts if not verdict.partition(", ")[2]] == []  # each has its grade
    assert [erratum.place for erratum in equations.errata() if not erratum.tags and not papers.section_of(erratum.place, erratum.paper)] == []
    assert len(equations.errata()) == (ROOT / "ERRATA.md").read_text("utf-8").count("\n| ") - 1


# Checking a site ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file_name", "file_text", "expected_fault"),
    [
        ("a.html", '<a href="b.html#here">b</a><img src="x.png" alt="x">', ""),
        ("a.html", '<a href="b.html#there">b</a>', "b.html#there leads nowhere"),
        ("a.html", '<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ("a.html", '<img src="x.png">', "a picture without a text, x.png"),
        ("a.html", '<style>@import "https://example.org/x.css"</style>', "loads https://example.org/x.css"),
        ("x.js", 'import("https://example.org/x.js")', "loads https://example.org/x.js"),
    ],
)
def test_faults_of_a_site_are_found(tmp_path, file_name, file_text, expected_fault):
    (tmp_path / file_name).write_text(file_text)
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "x.png").write_bytes(b"")
    assert links.faults(tmp_path) == [f"{file_name}: {expected_fault}"] * bool(expected_fault)
