"""The package's docstrings as reStructuredText: its formulas stand as they are, and most of its signs mean nothing."""

import inspect
import re
import sys
from functools import cached_property

SECTION = re.compile(r"-{3,}\s*$")
EMPHASIS = r"(?<![\w*])(?P<stars>\*{1,2})[A-Za-z][^*]*[\w.](?P=stars)(?![\w*])"
NUMBER = re.compile(r"(?P<before>.*\S)(?P<gap> {3,})(?P<number>(?:\S+ ){0,2}\S*[\])\d])$")
WIDTH = 96  # columns of a page with its two menus
SIGN = re.compile(rf"{EMPHASIS}|(?<=\w)_(?!\w)|[*|]")


def process(app, what, name, member, options, lines: list[str]) -> None:
    """For Sphinx's event autodoc-process-docstring, before numpydoc: change the lines in place."""
    if what == "class" and not any(lines) and isinstance(text := getattr(member, "text", None), str):
        lines[:] = [f"`{member.name}`: {text}."]
        if member.operations and member.algorithms:
            lines += ["", f"In {', '.join(member.operations)} of {', '.join(member.algorithms)}."]
    lines[:] = as_rst(lines)


def skip(app, what, name, member, is_skipped, options) -> bool | None:
    """For Sphinx's event autodoc-skip-member: leave out what a page says already, or what has nothing to say.

    Attributes stand in the docstring of their class, and a method without a docstring is that of a base. The functions
    of an example have none; its module says what it does.
    """
    if what == "module" and inspect.isfunction(member) and not member.__doc__:
        return True
    if what != "class" or isinstance(member, property | cached_property):
        return None
    if not inspect.isroutine(member) or name == "set_partial_fit_request":  # scikit-learn makes that one
        return True
    owner = getattr(sys.modules.get(getattr(member, "__module__", "")), member.__qualname__.partition(".")[0], None)
    is_inherited = not member.__doc__ and any(hasattr(base, name) for base in getattr(owner, "__mro__", ())[1:])
    return is_inherited or None


def as_rst(lines: list[str]) -> list[str]:
    """The lines of a docstring, escaped; in the text before its sections indented lines are verbatim, examples as is.

    Examples
    --------
    >>> as_rst(["The sum over n_", "is", "", "    |n_|"])
    ['The sum over n\\\\_', 'is', '', '.. parsed-literal::', '   :class: verbatim', '', '   \\\\ \\\\|n\\\\_\\\\|']
    >>> as_rst(["The sum.", "", "Examples", "--------", ">>> 1 | 2"])
    ['The sum.', '', 'Examples', '--------', '>>> 1 | 2']
    >>> as_rst(["| a | b |", "|---|---|", "| 1 | *two* * 2 |"])[3:]
    ['   * - a', '     - b', '   * - 1', '     - *two* \\\\* 2']
    """
    section_start = next((n - 1 for n, line in enumerate(lines) if n and SECTION.match(line)), len(lines))
    lines = [*numbers_moved(lines[:section_start]), *lines[section_start:]]
    rst_lines: list[str] = []
    kind = ""  # of the lines of a block that ends at a blank line, or, if it is verbatim, at text
    for line in lines[:section_start]:
        old_kind = kind
        kind = _kind(line, old_kind, not rst_lines or not rst_lines[-1].strip())
        if kind == "verbatim":
            if old_kind != kind:  # the empty sign in it tells Sphinx that this is no code
                rst_lines += [".. parsed-literal::", "   :class: verbatim", ""]
            empty_sign = "" if old_kind == kind else "\\ "
            rst_lines.append(f"   {empty_sign}{escaped(line.removeprefix('    '))}".rstrip())
        elif kind == "table":
            rst_lines += _row(line) if old_kind == kind else [".. list-table::", "   :header-rows: 1", "", *_row(line)]
        elif kind == "example":
            rst_lines.append(line)
        else:
            if old_kind and line.strip() and rst_lines[-1].strip():
                rst_lines.append("")
            is_further = line.startswith("    ") and bool(rst_lines and rst_lines[-1].strip())
            rst_lines.append(escaped(f"  {line.strip()}" if is_further else line))
    in_example = False
    for n, line in enumerate(lines[section_start:], section_start):
        if n + 1 < len(lines) and SECTION.match(lines[n + 1]):
            in_example = line.strip() == "Examples"
        rst_lines.append(line if in_example else escaped(line))
    return rst_lines


def numbers_moved(lines: list[str]) -> list[str]:
    """Lines whose numbers of equations, at the right edge, stand as far left as WIDTH asks and the formulas allow.

    Examples
    --------
    >>> [len(line) for line in numbers_moved(["    a = b" + 100 * " " + "(1)", "    " + 103 * "c" + "   (2)"])]
    [100, 112]
    """
    moved_lines = []
    for line in lines:
        match = NUMBER.match(line) if line.startswith("    ") else None
        excess = len(line) - 4 - WIDTH
        if match and excess > 0:
            gap = max(2, len(match["gap"]) - excess)
            line = match["before"] + gap * " " + match["number"]
        moved_lines.append(line)
    return moved_lines


def _kind(line: str, old_kind: str, after_blank: bool) -> str:
    """What a line is: verbatim, part of a table or of an example, or, as "", text."""
    if old_kind == "example" and line.strip():
        return old_kind
    if line.startswith(">>>"):
        return "example"
    if line.startswith("|"):
        return "table"
    if old_kind == "verbatim" and (line.startswith("    ") or not line.strip()):
        return old_kind
    return "verbatim" if line.startswith("    ") and after_blank else ""


def _row(line: str) -> list[str]:
    """A line of a table in Markdown as a row of a list-table; that below its head has nothing."""
    cells = [escaped(cell.strip()) for cell in line.strip().strip("|").split("|")]
    if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
        return []
    return [f"   {'  ' if n else '* '}- {cell}".rstrip() for n, cell in enumerate(cells)]


def escaped(line: str) -> str:
    """A line whose stars, bars and last underscores are themselves, unless the stars emphasise words.

    Examples
    --------
    >>> escaped("*Steps.* p(z* | x) of a * b"), escaped("**The bound**, n_")
    ('*Steps.* p(z\\\\* \\\\| x) of a \\\\* b', '**The bound**, n\\\\_')
    """
    return SIGN.sub(lambda match: match[0] if match["stars"] else f"\\{match[0]}", line)
