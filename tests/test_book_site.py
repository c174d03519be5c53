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
    site_folder = tmp_path_factory.mktemp("book")
    copy_paths = [site_folder / path.name for path in CHAPTERS]
    for chapter_path, copy_path in zip(CHAPTERS, copy_paths, strict=True):
        chapter_notebook = book.read(chapter_path)
        if not (fuzz.ALL or chapter_path.name.startswith(WHOLE_CHAPTER)):
            chapter_notebook.cells = [cell for cell in chapter_notebook.cells if cell.cell_type == "markdown"]
        nbformat.write(chapter_notebook, copy_path)
    work_dir, site_dir = site_folder / "work", site_folder / "site"
    build_code = (
        "import sys; from pathlib import Path; from web.build import build\n"
        "out, work, *paths = map(Path, sys.argv[1:])\n"
        f"build(out, work, paths, {MODULES})"
    )
    build_process = subprocess.run(
        [sys.executable, "-c", build_code, site_dir, work_dir, *copy_paths], cwd=ROOT / "chapters", capture_output=True, text=True
    )
    assert build_process.returncode == 0, build_process.stdout + build_process.stderr
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
    expected_pages |= {document_name.replace(".md", ".html") for document_name in stage.DOCUMENTS}
    expected_pages |= {path.relative_to(ROOT).with_suffix(".html").as_posix() for path in stage.EXERCISES}
    expected_pages |= {"index.html", "equations.html", "figures/index.html", "search.html", "papers/others.html"}
    expected_pages |= {f"papers/{paper.lower()}.html" for paper in papers.five()}
    expected_pages |= {"api/lda_reference.html", "code/lda_reference/algorithms/cvb0.py.html"}
    assert expected_pages <= page_names
    assert '"minka"' in (site / "searchindex.js").read_text("utf-8")
    assert (site / "_static" / "mathjax" / "tex-chtml-full.js").stat().st_size > 1_000_000


def test_every_tag_in_the_text_is_a_link(site):
    for page_path in page_paths(site):
        if "code" not in page_path.relative_to(site).parts and page_path.name not in ("genindex.html", "search.html"):
            article_html = page_path.read_text("utf-8").partition("<article")[2].rpartition("</article>")[0]  # a page's menus take long
            article_soup = BeautifulSoup(f"<article{article_html}", "html.parser")
            for element in article_soup.select("a, pre, code, h1, h2, h3, script, style, title, nav, dt, .math"):
                element.decompose()
            unlinked_tags = [tag_match[0] for tag_match in TAG.finditer(article_soup.get_text("\n")) if listed(f"{tag_match[1]} {tag_match[2]}", tags.EQUATIONS)]
            assert unlinked_tags == [], page_path.name


def test_the_pages_of_papers_lead_to_lines_with_the_tag_and_to_the_derivations(site):
    html_of_id = {}
    for page_path in sorted((site / "papers").glob("*.html")):
        article_html = page_path.read_text("utf-8").partition("<article")[2]
        html_of_id |= dict(zip(*[iter(re.split(r'<section id="((?:eq|paper)-[a-z0-9-]+)"', article_html)[1:])] * 2, strict=True))
    for tag, equation in read_equations().items():
        tag_html = html_of_id[tags.slug(tag)].partition("<dt>As a whole")[0]
        linked_lines = {
            (module_path, int(line_number)) for module_path, line_number in re.findall(r'href="\.\./code/(lda_reference/[^"]*)\.html#L-(\d+)"', tag_html)
        }
        assert linked_lines == {
            (module_path, line_number) for module_path in equation.get("place", []) for line_number in tags_in_module((ROOT / module_path).read_text("utf-8"))[tag]
        }
        linked_derivations = re.findall(r'href="\.\./chapters/(\w\d)_\w+\.html#derivation-(\w\d)-([a-z0-9-]+)"', tag_html)
        chapter_numbers = equation["chapter"] if " Algorithm " not in tag else []
        assert linked_derivations == [(chapter_number, chapter_number.lower(), tags.slug(tag)[3:]) for chapter_number in chapter_numbers]
        tag_html = html_of_id[tags.slug(tag)]
        assert [test_name for test_name in equation.get("test", []) if test_name.partition("::")[2] not in tag_html] == []


def test_the_errors_in_print_and_the_pages_of_papers_lead_to_each_other(site):
    errata_html, papers_html = (site / "ERRATA.html").read_text("utf-8"), ""
    for paper in papers.five():
        papers_html += (site / "papers" / f"{paper.lower()}.html").read_text("utf-8")
    for erratum in equations.errata():
        row_html = errata_html.partition(f'id="{erratum.id}"')[2].partition("</tr>")[0]
        has_entry = re.search(r"\d\)|§|App|Prop", erratum.place)  # a figure or the abstract has no entry
        assert (f'href="papers/{erratum.paper.lower()}.html#' in row_html) == bool(has_entry)
        assert f'href="../ERRATA.html#{erratum.id}"' in papers_html


def test_the_links_on_cards_lead_somewhere(site):
    cards_js = (site / "_static" / "cards.js").read_text("utf-8")
    card_of_tag = json.loads(cards_js[cards_js.index("{") : cards_js.rindex("}") + 1])
    assert list(card_of_tag) == [tags.slug(tag) for tag in read_equations()]
    ids_of_file: dict[str, set[str]] = {}
    for link_target in sorted(links.read("".join(card_of_tag.values())).links):
        file_name, _, anchor_id = link_target.removeprefix("{{root}}").partition("#")
        if file_name not in ids_of_file:
            ids_of_file[file_name] = links.read((site / file_name).read_text("utf-8")).ids
        assert not anchor_id or anchor_id in ids_of_file[file_name], link_target


def test_answers_are_inside_their_folds(site):
    (chapter_path,) = (chapter_path for chapter_path in CHAPTERS if chapter_path.name.startswith(WHOLE_CHAPTER))
    n_answers = sum(cell.source.count("<summary>Answer") for cell in book.read(chapter_path).cells)
    page_html = (site / "chapters" / f"{chapter_path.stem}.html").read_text("utf-8")
    fold_htmls = re.findall(r"<details[^>]*>(?:(?!</details>).)*?Answer(.*?)</details>", page_html, re.DOTALL)
    assert len(fold_htmls) == n_answers > 0
    assert all(len(re.sub(r"<[^>]*>", "", fold_html).strip()) > 50 for fold_html in fold_htmls)


def test_all_formulas_beside_the_papers_can_be_typeset(site, browser):
    for page_path in [*sorted((site / "papers").glob("*.html")), site / "ERRATA.html"]:
        browser.open(f"file://{page_path}")
        browser.run("MathJax.startup.promise.then(() => MathJax.startup.document.lazyTypesetAll())")
        count_script = "[...document.querySelectorAll('article .math')].filter((x) => !x.querySelector('mjx-math')).length"
        assert browser.waited(f"{count_script} === 0"), page_path.name
        assert browser.run("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0, page_path.name


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
    assert [asked_url for asked_url in browser.asked if asked_url.startswith("http")] == []
