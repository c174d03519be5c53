"""equations.toml against the tags in the code, both ways, and against the tests that it names.

A tag is a comment that begins with the key of a paper: `# TNW06 (4)(6), AWST09 (10)`; a word may follow, as in
`# AWST09 (4); without mass ...`. Of an equation that was lost and derived afresh: `# SN12 (50), restored`.
"""

import ast
import functools
import io
import re
import tokenize
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EQUATIONS = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))

KEY = r"(?:TNW06|AWST09|SOL14|SN12|BOO16)"
NUMBER = r"\(\d+\)(?:-\(\d+\))?"
LABEL = r"\[\w+\]"
ELSE = r"§\d+(?:\.\d+)*|App\. [A-Z]|Table \d+|Prop\. \d+|Algorithm \d+"
TAG = re.compile(rf"({KEY}) ((?:{NUMBER})+|Fig\. \d+ (?:{LABEL})+|{ELSE})(, restored)?(?!\w)")
LAST = {"TNW06": 20, "AWST09": 16, "SOL14": 29, "SN12": 55, "BOO16": 5}  # numbers of the papers' last equations


def tags_of(comment):
    """{tag: whether restored} of one comment; a ValueError where it has a key and no tag that can be read."""
    if not re.match(rf"#\s*{KEY}\b", comment):
        return {}
    found = {}
    tags = list(TAG.finditer(comment))
    if len(tags) != len(re.findall(KEY, comment)):
        raise ValueError(f"not a tag: {comment}")
    for key, place, restored in (tag.groups() for tag in tags):
        figure = place[: place.index("[")] if place.startswith("Fig.") else ""
        for one in re.findall(LABEL if figure else NUMBER, place) or [place]:
            found[f"{key} {figure}{one}"] = bool(restored)
    return found


def tags_in(text):
    """Of a module: {tag: whether restored}. Docstrings do not count."""
    found = {}
    if re.search(rf"#\s*{KEY}", text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found |= tags_of(token.string)
    return found


@functools.cache
def tags():
    """{(tag, file): whether restored} of the package."""
    files = sorted((ROOT / "lda_reference").rglob("*.py"))
    named = {f.relative_to(ROOT).as_posix(): tags_in(f.read_text("utf-8")) for f in files}
    return {(tag, file): restored for file, of in named.items() for tag, restored in of.items()}


@functools.cache
def functions_of(file):
    if not (ROOT / file).is_file():
        return frozenset()
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def is_a_test(node):
    """Whether `tests/test_x.py::test_y` is there."""
    file, _, name = node.partition("::")
    return name.startswith("test_") and name in functions_of(file)


def test_every_tag_is_listed_with_its_file():
    listed = {(tag, file) for tag, entry in EQUATIONS.items() for file in entry.get("place", [])}
    assert sorted(tags().keys() - listed) == []  # in the code and not in `place`


def test_every_place_has_its_tag():
    listed = {(tag, file) for tag, entry in EQUATIONS.items() for file in entry.get("place", [])}
    assert sorted(listed - tags().keys()) == []  # in `place` and not in the code


def test_restored_equations_say_so_and_no_others():
    wrong = [(t, f) for (t, f), restored in tags().items() if restored != EQUATIONS.get(t, {}).get("restored", False)]
    assert wrong == []


@pytest.mark.parametrize("paper", LAST)
def test_every_numbered_equation_is_listed_once(paper):
    numbers = []
    for tag in EQUATIONS:
        if match := re.fullmatch(rf"{paper} \((\d+)\)(?:-\((\d+)\))?", tag):
            first = int(match[1])
            numbers += range(first, int(match[2] or first) + 1)
    assert numbers == list(range(1, LAST[paper] + 1))


def test_the_labels_of_boojum_are_listed():
    labels = {"Fig. 2": ("D", "W", "DW", "d", "w"), "Fig. 3": ("D", "W", "d", "w")}
    names = [f"BOO16 {figure} [{x}]" for figure, of in labels.items() for x in of] + ["BOO16 Prop. 1", "BOO16 Prop. 2"]
    assert [name for name in names if name not in EQUATIONS] == []


@pytest.mark.parametrize("tag", EQUATIONS)
def test_entries_are_whole(tag):
    entry = EQUATIONS[tag]
    assert list(tags_of(f"# {tag}")) == [tag]
    assert entry.keys() <= {"says", "place", "none", "test", "restored"}
    assert entry["says"]
    if "place" in entry:  # where it stands, and what would fail; or why it stands nowhere, with or without a test
        assert entry["place"]
        assert "none" not in entry
        assert entry["test"]
    else:
        assert entry["none"]
    assert [node for node in entry.get("test", []) if not is_a_test(node)] == []


def test_errata_name_tests_that_exist():
    named = re.findall(r"`(tests/[^`]*)`", (ROOT / "ERRATA.md").read_text("utf-8"))
    assert named
    assert [node for node in named if not is_a_test(node)] == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1  # TNW06 (4)(6), AWST09 (10)", {"TNW06 (4)": False, "TNW06 (6)": False, "AWST09 (10)": False}),
        ("x = 1  # SN12 (22), restored; SN12 (24)-(42), restored", {"SN12 (22)": True, "SN12 (24)-(42)": True}),
        ("x = 1  # TNW06 (12), SN12 (4), restored", {"TNW06 (12)": False, "SN12 (4)": True}),
        ("x = 1  # AWST09 (4); without mass, (5)", {"AWST09 (4)": False}),
        ("x = 1  # BOO16 Fig. 2 [D][d], restored", {"BOO16 Fig. 2 [D]": True, "BOO16 Fig. 2 [d]": True}),
        ("x = 1  # TNW06 App. A, AWST09 §2.6", {"TNW06 App. A": False, "AWST09 §2.6": False}),
        ("x = '# TNW06 (1)'  # as in TNW06 (2)", {}),
    ],
)
def test_the_reader_of_tags(line, expected):
    assert tags_in(line + "\n") == expected


@pytest.mark.parametrize("line", ["x = 1  # TNW06 16", "x = 1  # TNW06 (16), AWST09 12", "x = 1  # BOO16 [D]"])
def test_a_tag_that_cannot_be_read_is_an_error(line):
    with pytest.raises(ValueError, match="not a tag"):
        tags_in(line + "\n")
