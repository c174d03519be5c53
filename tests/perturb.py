"""Changes each tagged line of the package in turn and reports every change that its tests do not find.

    python -m tests.perturb [--chapters] [PART OF A PATH]

A tagged line ends in the tag of its equation, such as `# TNW06 (16)`. One operator at a time is changed, or a call to
log, exp or digamma is dropped; if there is neither, the value is changed. The tests that equations.toml names for the
tag, or with --chapters the chapters that derive the equation, must fail. A run takes half an hour.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lda_reference.app.where import read_equations, tags_in_comment, tags_in_module

ROOT = Path(__file__).parents[1]
EQUATIONS = read_equations()
SWAPS = {ast.Add: " - ", ast.Sub: " + ", ast.Mult: " / ", ast.Div: " * ", ast.Pow: " * "}
CALLS = ("log", "exp", "digamma", "gammaln", "normalised")


class Source:
    """The text of a module, its tree, and the places of its nodes in the text."""

    def __init__(self, text):
        self.text, self.tree = text, ast.parse(text)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def tagged(self):
        """The numbers of the tagged lines of code, from 0."""
        lines = {line - 1 for places in tags_in_module(self.text).values() for line in places}
        return sorted(i for i in lines if not self.lines[i].strip().startswith("#"))

    def place(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node):
        return self.place(node.lineno, node.col_offset), self.place(node.end_lineno, node.end_col_offset)

    def put(self, start, stop, text):
        return self.text[:start] + text + self.text[stop:]

    def around(self, node, head, tail):
        start, stop = self.span(node)
        return self.put(start, stop, head + self.text[start:stop] + tail)

    def changes(self, i):
        """(description, changed text) for line i; each changes one operator, call or value."""
        statement = min(
            (x for x in ast.walk(self.tree) if isinstance(x, ast.stmt) and x.lineno <= i + 1 <= x.end_lineno),
            key=lambda x: x.end_lineno - x.lineno,
        )
        first = max([statement.lineno - 1, *(j + 1 for j in self.tagged() if j < i)])
        nodes = [x for x in ast.walk(statement) if first <= getattr(x, "end_lineno", 0) - 1 <= i]
        none = True
        for what, text in self.operators(nodes):
            none = False
            yield what, text
        if none:
            yield from self.values(statement, nodes)

    def operators(self, nodes):
        for node in nodes:
            if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
                start, stop = self.span(node.left)[1], self.span(node.right)[0]
                between = re.sub(r"\*\*|[-+*/]", SWAPS[type(node.op)], self.text[start:stop], count=1)
                yield f"{ast.unparse(node)}: {between.strip()}", self.put(start, stop, between)
            if isinstance(node, ast.AugAssign) and type(node.op) in SWAPS:
                start, stop = self.span(node.target)[1], self.span(node.value)[0]
                between = SWAPS[type(node.op)].rstrip() + "= "
                yield f"{ast.unparse(node)}: {between.strip()}", self.put(start, stop, between)
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                if isinstance(node.operand, ast.Constant):
                    continue  # it is an axis
                start, stop = self.span(node)
                yield f"{ast.unparse(node)}: without -", self.put(start, stop, " " + self.text[start + 1 : stop])
            name = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in CALLS and node.args:
                start, stop = self.span(node)
                a, b = self.span(node.args[0])
                yield f"{ast.unparse(node)}: without the call", self.put(start, stop, f"({self.text[a:b]})")

    def values(self, statement, nodes):
        """Changes for lines without an operator: another function, another value, or no statement."""
        if isinstance(statement, ast.ImportFrom):
            end = self.span(statement)[1]
            for name in statement.names:
                other = f"; {name.name} = (lambda f: lambda *a: f(*a) ** 2)({name.name})"
                yield f"{name.name}, squared", self.put(end, end, other)
            return
        for node in nodes:
            if isinstance(node, ast.keyword) and isinstance(node.value, (ast.Attribute, ast.Name)):
                yield f"{ast.unparse(node)}, squared", self.around(node.value, "lambda *a: (", ")(*a) ** 2")
                return
            if isinstance(node, ast.keyword) and node.arg == "excludes" and isinstance(node.value, ast.Constant):
                for other in {"nothing", "token", "type"} - {node.value.value}:
                    yield f"excludes {other}", self.put(*self.span(node.value), repr(other))
                return
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Term":
                yield f"{ast.unparse(node)}, squared", self.around(node.args[0], "lambda *a: (", ")(*a) ** 2")
                for of_rows in node.args[2:]:
                    changed = self.around(of_rows, "lambda a, *b: (", ")(a**2 + 1, *b)")
                    yield f"{ast.unparse(of_rows)}, its prior number squared plus 1", changed
                return
            if isinstance(node, ast.Lambda):
                yield f"{ast.unparse(node.body)}, squared plus 1", self.around(node.body, "(", ") ** 2 + 1")
                return
        if isinstance(statement, ast.Expr):
            yield f"without {ast.unparse(statement)}", self.put(*self.span(statement), "pass")
        elif isinstance(statement, (ast.Return, ast.Assign, ast.AnnAssign)):
            value = statement.value
            for x in value.elts if isinstance(value, ast.Tuple) else [value]:
                yield f"{ast.unparse(x)[:60]}, squared plus 1", self.around(x, "(", ") ** 2 + 1")


def named(line, field):
    """The tests, or the chapters, that equations.toml names for the tags of a line."""
    tags = tags_in_comment(line[line.index("#") :])
    return sorted({name for tag in tags for name in EQUATIONS[tag].get(field, [])})


def green(command, folder, environment):
    """Whether a command succeeds in time."""
    command = [sys.executable, *command]
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    chapters = "--chapters" in sys.argv
    part = next((x for x in sys.argv[1:] if x != "--chapters"), "")
    root, field = ("lda_reference/algorithms", "chapter") if chapters else ("lda_reference", "test")
    missed = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "*.egg-info"))
        environment = {**os.environ, "PYTHONPATH": str(copy), "HYPOTHESIS_MAX_EXAMPLES": "20"}
        for path in sorted((copy / root).rglob("*.py")):
            if part not in str(path):
                continue
            source = Source(path.read_text(encoding="utf-8"))
            for i in source.tagged():
                names, where = named(source.lines[i], field), f"{path.relative_to(copy)}:{i + 1}"
                for what, changed in source.changes(i):
                    ast.parse(changed)
                    path.write_text(changed, encoding="utf-8")
                    tried += 1
                    if chapters:
                        runs = [["chapters/book.py", "check", f"{name}_"] for name in names]
                    else:
                        runs = [["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *names]] if names else []
                    if all(green(run, copy, environment) for run in runs):
                        missed += 1
                        print(f"missed  {where}  {what}  by {names or 'nothing'}", flush=True)
            path.write_text(source.text, encoding="utf-8")
    print(f"{tried} changes tried, {missed} missed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
