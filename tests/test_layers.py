"""Each part of the package imports only from parts that README.md lists before it, and no private name is imported."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "lda_reference"
README = (PACKAGE.parent / "README.md").read_text("utf-8")
PART_LIST = README.partition("\n    lda_reference/\n")[2].partition("\n    tests/")[0]
# The parts of the package, in the order of the README's list; a folder ends in "/".
PARTS = [part for row in re.findall(r"^ {8}(\S.*?) {2}", PART_LIST, re.MULTILINE) for part in row.split(", ")]
RANK_OF_PART = {part.removesuffix("/"): place for place, part in enumerate(PARTS)}
FILES = sorted(PACKAGE.rglob("*.py"))


def parts_of(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def nodes(path):
    return [*ast.walk(ast.parse(path.read_text("utf-8")))]


def imports(path):
    """(module as parts below the package, names) of every import of the package, also inside functions."""
    package = parts_of(path) if path.name == "__init__.py" else parts_of(path)[:-1]
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            parent = package[: len(package) - node.level + 1]
            yield (*parent, *(node.module or "").split(".")) if node.module else parent, [x.name for x in node.names]
        elif isinstance(node, ast.Import):
            assert not any(x.name.startswith("lda_reference") for x in node.names), path


def imports_of(path):
    """The modules that a module imports, as parts below the package."""
    for module, imported_names in imports(path):
        for name in imported_names:
            child = (*module, name)
            is_module = PACKAGE.joinpath(*child).with_suffix(".py").exists() or PACKAGE.joinpath(*child).is_dir()
            yield child if is_module else module


def test_the_readme_lists_each_part_of_the_package_once():
    folders = {path.name + "/" for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__/"}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    assert sorted(PARTS) == sorted(folders | modules)


def test_the_rooms_of_the_oracle_import_only_from_rooms_named_before_them():
    rooms = re.findall(r"(\w+)/", PART_LIST.partition("oracle/ ")[2].partition("app/")[0])
    assert sorted(rooms) == sorted(path.parent.name for path in PACKAGE.glob("oracle/*/__init__.py"))
    for path in PACKAGE.glob("oracle/*/**/*.py"):
        room = parts_of(path)[1]
        other_rooms = [target for target in imports_of(path) if target[0] == "oracle" and target[1:2] != (room,)]
        assert [target for target in other_rooms if rooms.index(target[1]) > rooms.index(room)] == [], path


for_each_module = pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(parts_of(path)) or "package")


@for_each_module
def test_a_part_imports_only_from_parts_listed_before_it(path):
    if parts_of(path):  # the package itself imports everything
        rank = RANK_OF_PART[parts_of(path)[0]]
        assert [target for target in imports_of(path) if not target or RANK_OF_PART[target[0]] > rank] == []


@for_each_module
def test_private_names_stay_in_their_module(path):
    assert [(module, name) for module, names in imports(path) for name in names if name.startswith("_")] == []
    aliases = {x.asname or x.name for node in nodes(path) if isinstance(node, ast.ImportFrom) for x in node.names}
    attributes = {ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Attribute)}
    assert [x for x in attributes if re.match(r"[a-z]\w*\._[^_.]", x) and x.partition(".")[0] in aliases] == []


def test_imports_have_no_cycle():
    graph = {parts_of(path): {module for module in imports_of(path) if module != parts_of(path)} for path in FILES}
    TopologicalSorter(graph).prepare()  # otherwise a CycleError, which names the modules


@for_each_module
def test_modules_are_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= 300
