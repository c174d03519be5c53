"""The files of a release agree: one version, five papers, paths that exist."""

import re
import tomllib

import lda_reference as lda
from lda_reference import oracle
from lda_reference.app.where import ROOT


def read(path):
    return (ROOT / path).read_text("utf-8")


def test_every_file_has_the_version_of_the_package():
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1] == version
    assert re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.MULTILINE)[1] == version


def test_one_place_says_how_to_install_from_an_index():
    paths = [*ROOT.glob("*.md"), *(ROOT / "lda_reference" / "oracle" / "examples").iterdir()]
    for folder in ("figures", "chapters", "lda_reference"):
        paths += (ROOT / folder).rglob("*.md")
    assert [path.name for path in paths if re.search(r"pip install lda_reference\b", path.read_text("utf-8"))] == ["README.md"]


def test_the_citation_has_the_papers_of_the_readme():
    papers = re.findall(r"title: (.*)\n(?:.*\n)*?    notes: \"?(\w+)", read("CITATION.cff").partition("references:")[2])
    rows = re.findall(r"^\| (\w+) \| (.+) \|$", read("README.md").partition("| key | paper |")[2].partition("\n\n")[0], re.MULTILINE)
    assert [key for _, key in papers] == [key for key, _ in rows]
    for (title, _), (_, row) in zip(papers, rows, strict=True):
        assert title.lower() in row.lower()


def test_the_paper_cites_what_its_bibliography_has_and_counts_what_the_readme_counts():
    paper, bibliography = (read(f"figures/paper/paper.{ending}") for ending in ("md", "bib"))
    assert set(re.findall(r"@(\w+)[];]", paper)) == set(re.findall(r"^@\w+\{(\w+),", bibliography, re.MULTILINE))
    numbers = len(lda.ALGORITHMS), len(oracle.cases()), len(oracle.mistakes())
    for regex in (x.format(*numbers) for x in ("{0} algorithms", "{1:,} (?:certified )?test vectors", "26 chapters", "{2} known")):
        assert re.search(regex, read("README.md")), regex
        assert re.search(regex, paper), regex
    assert len(paper.split()) < 1000


def test_the_pythons_tried_are_those_declared():
    versions = re.findall(r"Python :: (3\.\d+)", read("pyproject.toml"))
    assert re.search(r"python: \[(.*)\]", read(".github/workflows/test.yml"))[1].replace('"', "").split(", ") == versions


def test_paths_in_the_guide_exist():
    paths = re.findall(r"[\w.]+(?:/[\w.]+)*/(?:[\w.]+)?|[A-Z]\w+\.md", re.sub(r"```.*?```", "", read("CONTRIBUTING.md"), flags=re.DOTALL))
    assert len(paths) > 20
    assert [x for x in paths if not x.startswith(".venv") and not (ROOT / x).exists()] == []
