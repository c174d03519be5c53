"""Perturbs each tagged line of the package in turn and reports every change that its tests do not see.

    python -m tests.perturb [PART OF A PATH]

A tagged line ends in the tag of its equation, such as `# TNW06 (16)`. One operator at a time is changed (a sign, a
product for a quotient, a power), or a call to log, exp or digamma is dropped; the package is copied to a temporary
folder, changed there, and the tests that equations.toml names for the tag are run on it. Exit status 1 if any change
stays unseen. Takes a quarter of an hour.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .test_equations import EQUATIONS, tags_of

ROOT = Path(__file__).parents[1]
TAG = re.compile(r"#.*\b(TNW06|AWST09|SOL14|SN12|BOO16)\b")
SWAPS = {ast.Add: " - ", ast.Sub: " + ", ast.Mult: " / ", ast.Div: " * ", ast.Pow: " * "}
CALLS = ("log", "exp", "digamma", "gammaln", "normalised")


def changes(line):
    """The changed lines, one operator or call changed in each."""
    code = line.split("#")[0]
    indent = len(code) - len(code.lstrip())
    text = code.strip().rstrip(",")
    for head, tail in (("", ""), ("x = dict(", ")")):
        try:
            tree = ast.parse(head + text + tail)
            break
        except SyntaxError:
            continue
    else:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
            a, b = node.left.end_col_offset - len(head), node.right.col_offset - len(head)
            between = text[a:b]  # the operator, blanks and brackets
            changed = re.sub(r"\*\*|[-+*/]", SWAPS[type(node.op)], between, count=1)
            yield " " * indent + text[:a] + changed + text[b:]
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLS and node.args:
                a, b = node.col_offset - len(head), node.end_col_offset - len(head)
                first = node.args[0]
                inner = text[first.col_offset - len(head) : first.end_col_offset - len(head)]
                yield " " * indent + text[:a] + f"({inner})" + text[b:]


def tests_of(line):
    """The tests that equations.toml names for the tags of a line."""
    tags = tags_of(line[line.index("#") :])
    return sorted({test for tag in tags for test in EQUATIONS[tag].get("test", [])})


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    unseen = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "*.egg-info"))
        environment = {**os.environ, "PYTHONPATH": str(copy), "HYPOTHESIS_MAX_EXAMPLES": "20"}
        for path in sorted((copy / "lda_reference").rglob("*.py")):
            if part not in str(path):
                continue
            whole = path.read_text(encoding="utf-8")
            lines = whole.split("\n")
            for i, line in enumerate(lines):
                if not TAG.search(line) or line.strip().startswith("#") or not tags_of(line[line.index("#") :]):
                    continue
                names = tests_of(line)
                for changed in changes(line):
                    suffix = "," if line.split("#")[0].rstrip().endswith(",") else ""
                    path.write_text("\n".join([*lines[:i], changed + suffix, *lines[i + 1 :]]), encoding="utf-8")
                    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *names]
                    seen = not names or subprocess.run(command, cwd=copy, env=environment, capture_output=True).returncode
                    tried += 1
                    if not seen or not names:
                        unseen += 1
                        where = f"{path.relative_to(copy)}:{i + 1}"
                        print(f"unseen  {where}  {changed.strip()}  by {names or 'no test'}", flush=True)
            path.write_text(whole, encoding="utf-8")
    print(f"{tried} changes tried, {unseen} unseen")
    return int(unseen > 0)


if __name__ == "__main__":
    sys.exit(main())
