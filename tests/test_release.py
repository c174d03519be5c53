"""The files of a release agree: one version, five papers, paths that exist."""

import re
import tomllib

import lda_reference as lda
from lda_reference import oracle
from lda_reference.app.where import ROOT


def read(path):
    return (ROOT / path).read_text("utf-8")


def test_every_file_has_the_version_of_the_package():
    package_version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1] == package_version
    assert re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.MULTILINE)[1] == package_version


def test_one_place_says_how_to_install_from_an_index():
    text_paths = [*ROOT.glob("*.md"), *(ROOT / "lda_reference" / "oracle" / "examples").iterdir()]
    for folder in ("figures", "chapters", "lda_reference"):
        text_paths += (ROOT / folder).rglob("*.md")
    assert [text_path.name for text_path in text_paths if re.search(r"pip install lda_reference\b", text_path.read_text("utf-8"))] == ["README.md"]


def test_the_citation_has_the_papers_of_the_readme():
    titles_and_keys = re.findall(r"title: (.*)\n(?:.*\n)*?    notes: \"?(\w+)", read("CITATION.cff").partition("references:")[2])
    readme_rows = re.findall(r"^\| (\w+) \| (.+) \|$", read("README.md").partition("| key | paper |")[2].partition("\n\n")[0], re.MULTILINE)
    assert [paper_key for _, paper_key in titles_and_keys] == [paper_key for paper_key, _ in readme_rows]
    for (title, _), (_, row_text) in zip(titles_and_keys, readme_rows, strict=True):
        assert title.lower() in row_text.lower()


def test_the_paper_cites_what_its_bibliography_has_and_counts_what_the_readme_counts():
    paper_text, bibliography_text = (read(f"figures/paper/paper.{file_ending}") for file_ending in ("md", "bib"))
    assert set(re.findall(r"@(\w+)[];]", paper_text)) == set(re.findall(r"^@\w+\{(\w+),", bibliography_text, re.MULTILINE))
    readme_counts = len(lda.ALGORITHMS), len(oracle.cases()), len(oracle.mistakes())
    for regex in (pattern.format(*readme_counts) for pattern in ("{0} algorithms", "{1:,} (?:certified )?test vectors", "26 chapters", "{2} known")):
        assert re.search(regex, read("README.md")), regex
        assert re.search(regex, paper_text), regex
    assert len(paper_text.split()) < 1000


def test_the_pythons_tried_are_those_declared():
    python_versions = re.findall(r"Python :: (3\.\d+)", read("pyproject.toml"))
    assert re.search(r"python: \[(.*)\]", read(".github/workflows/test.yml"))[1].replace('"', "").split(", ") == python_versions


def test_paths_in_the_guide_exist():
    guide_paths = re.findall(r"[\w.]+(?:/[\w.]+)*/(?:[\w.]+)?|[A-Z]\w+\.md", re.sub(r"```.*?```", "", read("CONTRIBUTING.md"), flags=re.DOTALL))
    assert len(guide_paths) > 20
    assert [guide_path for guide_path in guide_paths if not guide_path.startswith(".venv") and not (ROOT / guide_path).exists()] == []
