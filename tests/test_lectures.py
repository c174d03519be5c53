"""The plan for lecturers and the slides name what the book has, and the slides are drawn without a network."""

import importlib.util
import re

import book
import pytest
import slides

from lda_reference import oracle
from lda_reference.app.where import ROOT

PLAN = (ROOT / "chapters" / "pages" / "lectures.md").read_text("utf-8")
EXERCISES = ROOT / "lda_reference" / "exercises"
NOT_INSTALLED = [package_name for package_name in ("nbconvert", "mathjax", "sphinx_revealjs") if importlib.util.find_spec(package_name) is None]


def test_the_cells_of_the_slides_exist():
    for lecture in slides.LECTURES:
        for chapter in lecture.keys() - {"title"}:
            assert set(lecture[chapter]) - slides.cells(chapter).keys() == set(), chapter


def test_the_cells_of_the_plan_are_under_the_headings_that_it_names():
    assert [chapter_cell for chapter_cell in re.findall(r"`(\w\d) ([\w-]+)`", PLAN) if chapter_cell[1] not in slides.cells(chapter_cell[0])] == []
    for cell_list, heading in re.findall(r"((?:`\w\d [\w-]+`(?: and )?)+) under \*(.+?)\*", PLAN):
        for chapter, cell_id in re.findall(r"`(\w\d) ([\w-]+)`", cell_list):
            assert slides.cells(chapter)[cell_id][0] == f"## {heading}", cell_id


def test_the_pictures_mistakes_titles_and_minutes_of_the_plan_are_right():
    picture_links = re.findall(r"\[([\w-]+)\]\(\.\./pictures/([\w-]+)\.svg\)", PLAN)
    assert len(picture_links) == PLAN.count("/pictures/") > 30
    assert [link for link in picture_links if link[0] != link[1] or not (book.PICTURES / f"{link[1]}.svg").exists()] == []
    assert set(re.findall(r"`([a-zA-Z]+(?:-[a-zA-Z0-9]+)+)`", PLAN)) - {*oracle.mistakes()} == set()
    assert re.findall(r"^## \d\. (.+)$", PLAN, re.MULTILINE) == [lecture["title"] for lecture in slides.LECTURES]
    lecture_minutes = [map(int, re.findall(r"^\| (\d+) \|", lecture_text, re.MULTILINE)) for lecture_text in PLAN.split("\n## ")[1:6]]
    assert [sum(minutes) for minutes in lecture_minutes] == [90] * 5


def test_the_plan_names_every_exercise_with_its_lecture():
    exercise_names = re.findall(r"`(\d\d_\w+)`", PLAN.partition("\n## A reading course")[0])
    assert exercise_names == sorted(path.stem for path in EXERCISES.glob("*.ipynb"))


@pytest.mark.skipif(bool(NOT_INSTALLED), reason=f"not installed: {', '.join(NOT_INSTALLED)}")
def test_a_lecture_is_drawn_whole_without_a_network(tmp_path, browser):
    html_path = tmp_path / "lecture.html"
    html_path.write_text(slides.html(slides.LECTURES[2]), "utf-8")
    browser.open(f"file://{html_path}")
    assert browser.waited("typeof Reveal !== 'undefined' && Reveal.isReady()")
    assert {asked_url for asked_url in browser.asked if not asked_url.startswith("data:")} == {f"file://{html_path}"}
    assert not browser.run("document.querySelector('.slides').textContent.includes('$')")  # a formula as its TeX
    assert browser.run("document.querySelectorAll('mjx-merror, [data-mjx-error]').length") == 0
    assert browser.run("[...document.images].filter((x) => !x.complete || !x.naturalWidth).length") == 0
    size_js = "(Reveal.slide(n), [Reveal.getCurrentSlide().scrollWidth, Reveal.getCurrentSlide().scrollHeight])"
    slide_sizes = browser.run(f"[...Array(Reveal.getTotalSlides()).keys()].map((n) => {size_js})")
    assert len(slide_sizes) > 25
    assert [slide_number for slide_number, (width, height) in enumerate(slide_sizes) if width > 1200 or height > 720] == []
