"""A small site, built without a warning or a dead link: its tags, equations, pages of code and answers."""

import json
import re
import subprocess
import sys

import book
import nbformat
import pytest
from bs4 import BeautifulSoup
from web import build, equations, links, papers, stage, tags

from lda_reference.app.where import ROOT, TAG, listed, read_equations, tags_in_module

from . import fuzz

CHAPTERS = book.chapters()
WHOLE_CHAPTER = "08"  # the chapter that is built with its code; of the others only the text, except in `make test-all`
MODULES = None if fuzz.ALL else ["lda_reference.model", "lda_reference.algorithms.cvb0"]  # None: all


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site with one whole chapter, the text of the others, and two modules; or of the whole site."""
    folder = tmp_path_factory.mktemp("book")
    paths = [folder / path.name for path in CHAPTERS]
    for path, copy_path in zip(CHAPTERS, paths, strict=True):
        notebook = book.read(path)
        if not (fuzz.ALL or path.name.startswith(WHOLE_CHAPTER)):
            notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        nbformat.write(notebook, copy_path)
    work_dir, site_dir = folder / "work", folder / "site"
    code = (
        "import sys; from pathlib import Path; from web.build import build\n"
        "out, work, *paths = map(Path, sys.argv[1:])\n"
        f"build(out, work, paths, {MODULES})"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, site_dir, work_dir, *paths], cwd=ROOT / "chapters", capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return site_dir


def test_a_folder_that_is_not_a_site_is_left_alone(tmp_path):
    (tmp_path / "kept.txt").write_text("")
    with pytest.raises(SystemExit, match=r"no index\.html, so it is not a site"):
        build.build(tmp_path, tmp_path / "work", [])
    assert (tmp_path / "kept.txt").exists()


def page_paths(site):
    return [path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts]


def test_the_site_has_its_pages(site):
    page_names = {path.relative_to(site).as_posix() for path in page_paths(site)}
    expected_pages = {f"chapters/{path.stem}.html" for path in CHAPTERS}
    expected_pages |= {name.replace(".md", ".html") for name in stage.DOCUMENTS}
    expected_pages |= {path.relative_to(ROOT).with_suffix(".html").as_posix() for path in stage.EXERCISES}
    expected_pages |= {"index.html", "equations.html", "figures/index.html", "search.html", "papers/others.html"}
    expected_pages |= {f"papers/{key.lower()}.html" for key in papers.five()}
    expected_pages |= {"api/lda_reference.html", "code/lda_reference/algorithms/cvb0.py.html"}
    assert expected_pages <= page_names
    assert '"minka"' in (site / "searchindex.js").read_text("utf-8")
    assert (site / "_static" / "mathjax" / "tex-chtml-full.js").stat().st_size > 1_000_000


def test_every_tag_in_the_text_is_a_link(site):
    for path in page_paths(site):
        if "code" not in path.relative_to(site).parts and path.name not in ("genindex.html", "search.html"):
            html = path.read_text("utf-8").partition("<article")[2].rpartition("</article>")[0]  # a page's menus take long
            article = BeautifulSoup(f"<article{html}", "html.parser")
            for element in article.select("a, pre, code, h1, h2, h3, script, style, title, nav, dt, .math"):
                element.decompose()
            unlinked = [x[0] for x in TAG.finditer(article.get_text("\n")) if listed(f"{x[1]} {x[2]}", tags.EQUATIONS)]
            assert unlinked == [], path.name


def test_the_pages_of_papers_lead_to_lines_with_the_tag_and_to_the_derivations(site):
    htmls = {}
    for path in sorted((site / "papers").glob("*.html")):
        source = path.read_text("utf-8").partition("<article")[2]
        htmls |= dict(zip(*[iter(re.split(r'<section id="((?:eq|paper)-[a-z0-9-]+)"', source)[1:])] * 2, strict=True))
    for tag, entry in read_equations().items():
        html = htmls[tags.slug(tag)].partition("<dt>As a whole")[0]
        linked_lines = {
            (file, int(n)) for file, n in re.findall(r'href="\.\./code/(lda_reference/[^"]*)\.html#L-(\d+)"', html)
        }
        assert linked_lines == {
            (file, n) for file in entry.get("place", []) for n in tags_in_module((ROOT / file).read_text("utf-8"))[tag]
        }
        linked_derivations = re.findall(r'href="\.\./chapters/(\w\d)_\w+\.html#derivation-(\w\d)-([a-z0-9-]+)"', html)
        chapters = entry["chapter"] if " Algorithm " not in tag else []
        assert linked_derivations == [(number, number.lower(), tags.slug(tag)[3:]) for number in chapters]
        html = htmls[tags.slug(tag)]
        assert [name for name in entry.get("test", []) if name.partition("::")[2] not in html] == []


def test_the_errors_in_print_and_the_pages_of_papers_lead_to_each_other(site):
    errata_html, papers_html = (site / "ERRATA.html").read_text("utf-8"), ""
    for key in papers.five():
        papers_html += (site / "papers" / f"{key.lower()}.html").read_text("utf-8")
    for error in equations.errata():
        row_html = errata_html.partition(f'id="{error.id}"')[2].partition("</tr>")[0]
        is_named = re.search(r"\d\)|§|App|Prop", error.place)  # a figure or the abstract has no entry
        assert (f'href="papers/{error.paper.lower()}.html#' in row_html) == bool(is_named)
        assert f'href="../ERRATA.html#{error.id}"' in papers_html


def test_the_links_on_cards_lead_somewhere(site):
    cards_js = (site / "_static" / "cards.js").read_text("utf-8")
    cards = json.loads(cards_js[cards_js.index("{") : cards_js.rindex("}") + 1])
    assert list(cards) == [tags.slug(tag) for tag in read_equations()]
    ids_of_file: dict[str, set[str]] = {}
    for target in sorted(links.read("".join(cards.values())).links):
        file_name, _, anchor = target.removeprefix("{{root}}").partition("#")
        if file_name not in ids_of_file:
            ids_of_file[file_name] = links.read((site / file_name).read_text("utf-8")).ids
        assert not anchor or anchor in ids_of_file[file_name], target


def test_answers_are_inside_their_folds(site):
    (path,) = (path for path in CHAPTERS if path.name.startswith(WHOLE_CHAPTER))
    n_answers = sum(cell.source.count("<summary>Answer") for cell in book.read(path).cells)
    page_html = (site / "chapters" / f"{path.stem}.html").read_text("utf-8")
    folds = re.findall(r"<details[^>]*>(?:(?!</details>).)*?Answer(.*?)</details>", page_html, re.DOTALL)
    assert len(folds) == n_answers > 0
    assert all(len(re.sub(r"<[^>]*>", "", fold).strip()) > 50 for fold in folds)


def test_all_formulas_beside_the_papers_can_be_typeset(site, browser):
    for path in [*sorted((site / "papers").glob("*.html")), site / "ERRATA.html"]:
        browser.open(f"file://{path}")
        browser.run("MathJax.startup.promise.then(() => MathJax.startup.document.lazyTypesetAll())")
        count_script = "[...document.querySelectorAll('article .math')].filter((x) => !x.querySelector('mjx-math')).length"
        assert browser.waited(f"{count_script} === 0"), path.name
        assert browser.run("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0, path.name


@pytest.mark.parametrize(
    ("query", "first_link"),
    [
        ("SN12 30", "papers/sn12.html#eq-sn12-24-42"),
        ("TNW06 Figure 2", "papers/tnw06.html#paper-tnw06-fig-2"),
        ("CVB0", "chapters/10_cvb0_schedules.html"),
    ],
)
def test_the_search_finds_entries_and_chapters_first(site, browser, query, first_link):
    browser.open(f"file://{site}/search.html?q={query.replace(' ', '+')}")
    assert browser.waited("document.querySelector('#search-results li a')?.getAttribute('href')") == first_link


def test_a_browser_asks_no_network_for_anything(site, browser):
    browser.asked.clear()
    browser.open(f"file://{site}/chapters/10_cvb0_schedules.html")
    browser.run("MathJax.startup.promise.then(() => MathJax.startup.document.lazyTypesetAll())")
    assert browser.waited("document.querySelector('mjx-container') != null")
    assert "\\(" not in browser.run("document.querySelector('article').innerText")
    assert [x for x in browser.asked if x.startswith("http")] == []
