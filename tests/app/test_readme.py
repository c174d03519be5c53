"""The README's Python runs, and the algorithms, chapters and pictures that it names exist."""

import re
from pathlib import Path

import lda_reference as lda

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_of_the_readme_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(block, {})
    assert "vb, row 0" in capsys.readouterr().out


def test_the_table_of_algorithms_is_the_registry():
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z, ]+) \|$", README, re.MULTILINE)
    assert {name: tuple(s.split(", ")) for name, s in rows} == {n: A.schedules for n, A in lda.ALGORITHMS.items()}


def test_the_output_in_the_readme_has_every_algorithm():
    (block,) = re.findall(r"```\n(bars.*?)```", README, re.DOTALL)
    shown = [line.split()[0] for line in block.splitlines() if line.split()[:1] and line.split()[0] in lda.ALGORITHMS]
    assert shown == [name for name, A in lda.ALGORITHMS.items() if not A.plain]  # the corpus is too large for plain code


def test_the_contents_are_the_chapters():
    assert re.findall(r"\(chapters/(\w+\.ipynb)\)", README) == sorted(x.name for x in (ROOT / "chapters").glob("*.ipynb"))


def test_the_pictures_exist():
    assert [x for x in re.findall(r"!\[[^]]*\]\(([^)]*)\)", README) if not (ROOT / x).is_file()] == []
