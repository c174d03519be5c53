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
    ("text", "found"),
    [
        ("by TNW06 (4)(5), see", [("TNW06 (4)", "TNW06 (4)"), ("(5)", "TNW06 (5)")]),
        ("TNW06 (4)-(6)", [("TNW06 (4)", "TNW06 (4)"), ("(6)", "TNW06 (6)")]),
        ("SN12 (24)-(42), restored", [("SN12 (24)-(42)", "SN12 (24)-(42)")]),
        ("SN12 (30)", [("SN12 (30)", "SN12 (24)-(42)")]),
        ("BOO16 Fig. 2 [D][d]", [("BOO16 Fig. 2 [D]", "BOO16 Fig. 2 [D]"), ("[d]", "BOO16 Fig. 2 [d]")]),
        ("AWST09 §2.6 and (13)", [("AWST09 §2.6", "AWST09 §2.6")]),
        ("TNW06 (99), no tag", []),
    ],
)
def test_tags_in_a_text_are_pieces_of_it(text, found):
    pieces = list(tags.pieces(text))
    assert "".join(piece for piece, _ in pieces) == text
    assert [(piece, tag) for piece, tag in pieces if tag] == found


# Cells --------------------------------------------------------------------------------------------------------------


def svg(url=None):
    figure = plt.figure(figsize=(2, 1))
    figure.text(0.5, 0.5, "words", url=url)
    figure.savefig(file := io.StringIO(), format="svg")
    plt.close(figure)
    return file.getvalue()


def code(source, text="", pictures=(), **metadata):
    outputs = [nbformat.v4.new_output("stream", text=text)] if text else []
    data = [{"image/svg+xml": x} for x in pictures]
    outputs += [nbformat.v4.new_output("display_data", data=x) for x in data]
    return nbformat.v4.new_code_cell(source, outputs=outputs, metadata=metadata)


def staged(folder, *given):
    return cells.staged(nbformat.v4.new_notebook(cells=list(given)), "08", folder).cells


def test_a_cell_that_only_checks_is_folded_with_what_it_printed(tmp_path):
    (cell,) = staged(tmp_path, code("agree('a', 1, 1)", "✓ a: 1 number agrees to 1e-10\n"))
    assert cell.metadata.tags == ["hide-cell"]
    assert cell.metadata.mystnb.code_prompt_show == "✓ 1 check, and the code"
    assert cell.outputs[0].text == "✓ a: 1 number agrees to 1e-10"


@pytest.mark.parametrize(("source", "text"), [("def f():\n    pass", "✓ a"), ("x = 1", "a table\n✓ a")])
def test_the_code_of_a_cell_folds_and_its_checks_too(tmp_path, source, text):
    cell, checks = staged(tmp_path, code(source, text))
    assert cell.metadata.tags == ["hide-input"]
    assert "✓" not in "".join(x.text for x in cell.outputs)
    assert checks.source == "````{checks} 1 check\na\n````"


def test_a_check_of_an_equation_stays_in_sight(tmp_path):
    cell, checks = staged(tmp_path, code("x = 1", "✓ a sweep is (13)\n✓ rows add up to 1\n"))
    assert cell.metadata.tags == ["hide-cell"]
    assert cell.outputs[0].text == "✓ rows add up to 1"
    assert checks.source == "````{checks}\na sweep is (13)\n````"


def test_where_cells_are_marked_only_their_checks_stay_in_sight(tmp_path):
    mark = {"tags": ["headline"]}
    first, shown, second = staged(tmp_path, code("x = 1", "✓ rows add up\n", **mark), code("x = 1", "✓ it is (13)\n"))
    assert first.metadata.tags == ["hide-input"]
    assert shown.source == "````{checks}\nrows add up\n````"
    assert second.metadata.tags == ["hide-cell"]


def test_the_result_of_an_exercise_is_folded(tmp_path):
    heading = nbformat.v4.new_markdown_cell("## Exercises\n\n**1.** How much?")
    _, cell = staged(tmp_path, heading, code("print(3)", "3\n"))
    assert cell.metadata.tags == ["hide-cell"]
    assert cell.metadata.mystnb.code_prompt_show == "Code and result of the answer"
    _, cell, _ = staged(tmp_path, heading, code("def f():\n    pass", "✓ it is three\n"))
    assert cell.metadata.tags == ["hide-input"]


@pytest.mark.parametrize("title", ["Write it yourself", "Write it yourself: a sweep"])
def test_what_the_reader_writes_stays_in_sight(tmp_path, title):
    _, cell = staged(tmp_path, nbformat.v4.new_markdown_cell(f"## {title}"), code("print(3)", "3\n"))
    assert cell.metadata.tags == []


def test_pictures_are_numbered_figures_with_their_code_folded_below(tmp_path):
    draws = code("plt.plot()", pictures=[svg(), svg()], caption="What it is.", alt="A line.")
    draws.outputs.append(nbformat.v4.new_output("display_data", {"text/markdown": "What it is."}))  # for GitHub
    *figures, cell = staged(tmp_path, draws)
    assert cell.metadata.tags == ["hide-input"]
    assert cell.outputs == []
    for number, figure in enumerate(figures, 1):
        assert f"**Figure 8.{number}.** What it is." in figure.source
        assert ":alt: A line.\n" in figure.source
        (name,) = re.findall(r"\{figure\} (\S+)", figure.source)
        assert "<svg" in (tmp_path / name).read_text("utf-8")
        assert ":width: 200px" in figure.source  # two inches


def test_a_picture_with_links_stands_in_the_page(tmp_path):
    figure, _ = staged(tmp_path, code("plt.plot()", pictures=[svg("04_vb.ipynb")], alt="A map.", caption="All of it."))
    assert 'aria-label="A map."' in figure.source
    assert 'xlink:href="04_vb.html"' in figure.source
    assert cells.linked(svg("04_vb.ipynb"), "chapters/").count('"chapters/04_vb.html"') == 1


def test_a_tag_leaves_code_in_sight(tmp_path):
    *_, cell = staged(tmp_path, code("plt.plot()", tags=["show"]))
    assert cell.metadata.tags == []


# Documents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[`cvb0.py`](../lda_reference/cvb0.py)", "{source}`cvb0.py <lda_reference/cvb0.py>`"),
        ("[a line](../lda_reference/model.py#L7)", "{source}`a line <lda_reference/model.py:7>`"),
        ("[06](06_gibbs.ipynb)", "[06](06_gibbs.ipynb)"),
        ("[here](#Two-marks?)", "[here](#two-marks)"),
        ("![a picture](x.png)", "![a picture](x.png)"),
    ],
)
def test_links_to_code_become_links_to_its_pages(link, expected):
    assert stage.relinked(f"See {link}.", "chapters") == f"See {expected}."


@pytest.mark.parametrize("module", [docstrings, equations, papers, tags], ids=lambda x: x.__name__)
def test_examples_of_the_site(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


@pytest.fixture(scope="module")
def found():
    return equations.equations()


def test_every_formula_as_printed_or_derived_is_found(found):
    assert [x.tag for x in found] == list(read_equations())
    without = [x.tag for x in found if not x.printed and not any(formula for _, _, formula in x.derived)]
    assert [tag for tag in without if re.search(r"\(\d+\)", tag)] == []  # every numbered one has a formula
    assert {x.tag: x.derived for x in found}["TNW06 (16)"][0][2].count(r"\gamma") > 0


@pytest.mark.parametrize(
    ("tag", "begins"),
    [
        ("TNW06 (16)", "N_{jk}"),  # above its tag
        ("SN12 (22)", "q(z_i) ="),
        ("SN12 (23)", "q(z_i = k)"),
        ("SOL14 (23)", "p(\\theta_j"),  # below its tag
        ("SOL14 (6)", "\\theta_j"),
        ("BOO16 Fig. 2 [D]", "\\alpha_{jk} \\leftarrow"),
        ("BOO16 Fig. 2 [w]", "q(\\eta)"),
        ("BOO16 Fig. 3 [W]", "\\eta_{wk} \\leftarrow"),
        ("ML02 [deletion]", ""),  # the formula is that of the next item
        ("ML02 [moments]", r"\gamma_k"),
        ("NEAL01 [weight]", "\\log w"),
    ],
)
def test_a_formula_is_that_of_its_tag(tag, begins, found):
    (derived,) = {x.tag: x.derived for x in found}[tag]
    assert derived[2].startswith(begins)
    assert bool(derived[2]) == bool(begins)


def test_letters_are_those_that_the_paper_writes_otherwise():
    assert equations.letters("AWST09 (2)", "phi_wk ∝ N_wk") == []
    assert equations.letters("AWST09 (3)", "theta_jk ∝ N_jk") == [("theta_jk", r"\theta_{kj}"), ("N_jk", "N_{kj}")]


# The pages of the papers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", papers.five())
def test_a_page_has_each_equation_and_figure_of_its_paper_once(key):
    holds = [place for section in papers.papers()[key]["section"] for place in section.get("holds", [])]
    figures = [f"Fig. {path.stem[3:]}" for path in sorted((ROOT / "figures" / key.lower()).glob("fig*.svg"))]
    listed = [tag.removeprefix(f"{key} ") for tag in read_equations() if tag.startswith(f"{key} ")]
    assert sorted(x for x in holds if not x.endswith(".svg")) == sorted(listed + figures)


def test_claims_and_errors_have_a_place_on_the_pages():
    assert sum(map(len, papers.claims().values())) == len(re.findall(r"^Refuted if: ", papers._ledger(), re.MULTILINE))
    assert [x.says for key, mine in papers.claims().items() for x in mine if not papers.places_of(x, key)] == []
    reproduced = [x.verdict for claims in papers.claims().values() for x in claims if x.verdict.startswith("Reproduced")]
    assert reproduced
    assert [verdict for verdict in reproduced if not verdict.partition(", ")[2]] == []  # each has its grade
    assert [x.place for x in equations.errata() if not x.tags and not papers.section_of(x.place, x.paper)] == []
    assert len(equations.errata()) == (ROOT / "ERRATA.md").read_text("utf-8").count("\n| ") - 1


def test_a_line_that_is_a_term_has_its_whole_update(found):
    (cvb0,) = (x for x in found if x.tag == "AWST09 (13)")
    assert cvb0.whole == ["`smoothed(alpha, N_jk) * smoothed(eta, N_wk) / smoothed(W eta, N_k)`, the sums with one token left out"]


# Checking a site ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.html", '<a href="b.html#here">b</a><img src="x.png" alt="x">', ""),
        ("a.html", '<a href="b.html#there">b</a>', "b.html#there leads nowhere"),
        ("a.html", '<a href="c.html">c</a>', "c.html leads nowhere"),
        ("a.html", '<a href="https://example.org">a link, not a load</a>', ""),
        ("a.html", '<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ("a.html", '<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
        ("a.html", '<img src="x.png">', "a picture without a text, x.png"),
        ("a.html", '<img src="x.png" alt="No description has been provided">', "a picture without a text, x.png"),
        ("a.html", '<style>@import "https://example.org/x.css"</style>', "loads https://example.org/x.css"),
        ("x.css", "@font-face { src: url(https://example.org/x.woff2) }", "loads https://example.org/x.woff2"),
        ("x.js", 'import("https://example.org/x.js")', "loads https://example.org/x.js"),
    ],
)
def test_faults_of_a_site_are_found(tmp_path, name, text, fault):
    (tmp_path / name).write_text(text)
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "x.png").write_bytes(b"")
    assert links.faults(tmp_path) == [f"{name}: {fault}"] * bool(fault)
