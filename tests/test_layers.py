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
PARTS = [part_name for list_row in re.findall(r"^ {8}(\S.*?) {2}", PART_LIST, re.MULTILINE) for part_name in list_row.split(", ")]
RANK_OF_PART = {part_name.removesuffix("/"): list_position for list_position, part_name in enumerate(PARTS)}
FILES = sorted(PACKAGE.rglob("*.py"))


def parts_of(module_path):
    path_parts = module_path.relative_to(PACKAGE).with_suffix("").parts
    return path_parts[:-1] if path_parts[-1] == "__init__" else path_parts


@cache
def nodes(module_path):
    return [*ast.walk(ast.parse(module_path.read_text("utf-8")))]


def imports(module_path):
    """(module as parts below the package, names) of every import of the package, also inside functions."""
    package_parts = parts_of(module_path) if module_path.name == "__init__.py" else parts_of(module_path)[:-1]
    for ast_node in nodes(module_path):
        if isinstance(ast_node, ast.ImportFrom) and ast_node.level:
            parent_parts = package_parts[: len(package_parts) - ast_node.level + 1]
            yield (*parent_parts, *(ast_node.module or "").split(".")) if ast_node.module else parent_parts, [alias.name for alias in ast_node.names]
        elif isinstance(ast_node, ast.Import):
            assert not any(alias.name.startswith("lda_reference") for alias in ast_node.names), module_path


def imports_of(module_path):
    """The modules that a module imports, as parts below the package."""
    for module_parts, imported_names in imports(module_path):
        for imported_name in imported_names:
            child_parts = (*module_parts, imported_name)
            is_module = PACKAGE.joinpath(*child_parts).with_suffix(".py").exists() or PACKAGE.joinpath(*child_parts).is_dir()
            yield child_parts if is_module else module_parts


def test_the_readme_lists_each_part_of_the_package_once():
    folder_names = {path.name + "/" for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__/"}
    module_names = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    assert sorted(PARTS) == sorted(folder_names | module_names)


def test_the_rooms_of_the_oracle_import_only_from_rooms_named_before_them():
    room_names = re.findall(r"(\w+)/", PART_LIST.partition("oracle/ ")[2].partition("app/")[0])
    assert sorted(room_names) == sorted(path.parent.name for path in PACKAGE.glob("oracle/*/__init__.py"))
    for path in PACKAGE.glob("oracle/*/**/*.py"):
        room_name = parts_of(path)[1]
        other_rooms = [imported_module for imported_module in imports_of(path) if imported_module[0] == "oracle" and imported_module[1:2] != (room_name,)]
        assert [imported_module for imported_module in other_rooms if room_names.index(imported_module[1]) > room_names.index(room_name)] == [], path


for_each_module = pytest.mark.parametrize("module_path", FILES, ids=lambda module_path: "/".join(parts_of(module_path)) or "package")


@for_each_module
def test_a_part_imports_only_from_parts_listed_before_it(module_path):
    if parts_of(module_path):  # the package itself imports everything
        rank_of_part = RANK_OF_PART[parts_of(module_path)[0]]
        assert [imported_module for imported_module in imports_of(module_path) if not imported_module or RANK_OF_PART[imported_module[0]] > rank_of_part] == []


@for_each_module
def test_private_names_stay_in_their_module(module_path):
    assert [(module_parts, import_name) for module_parts, import_names in imports(module_path) for import_name in import_names if import_name.startswith("_")] == []
    imported_names = {alias.asname or alias.name for ast_node in nodes(module_path) if isinstance(ast_node, ast.ImportFrom) for alias in ast_node.names}
    attributes = {ast.unparse(ast_node) for ast_node in nodes(module_path) if isinstance(ast_node, ast.Attribute)}
    assert [attribute for attribute in attributes if re.match(r"[a-z]\w*\._[^_.]", attribute) and attribute.partition(".")[0] in imported_names] == []


def test_imports_have_no_cycle():
    imports_of_module = {parts_of(path): {imported_module for imported_module in imports_of(path) if imported_module != parts_of(path)} for path in FILES}
    TopologicalSorter(imports_of_module).prepare()  # otherwise a CycleError, which names the modules


@for_each_module
def test_modules_are_short(module_path):
    assert len(module_path.read_text("utf-8").splitlines()) <= 300
