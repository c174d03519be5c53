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


def process(app, what, name, thing, options, lines: list[str]) -> None:
    """For Sphinx's event autodoc-process-docstring, before numpydoc: change the lines in place."""
    if what == "class" and not any(lines) and isinstance(text := getattr(thing, "text", None), str):
        lines[:] = [f"`{thing.name}`: {text}."]
        if thing.operations and thing.algorithms:
            lines += ["", f"In {', '.join(thing.operations)} of {', '.join(thing.algorithms)}."]
    lines[:] = as_rst(lines)


def skip(app, what, name, thing, skipped, options) -> bool | None:
    """For Sphinx's event autodoc-skip-member: leave out what a page says already, or what has nothing to say.

    Attributes stand in the docstring of their class, and a method without a docstring is that of a base. The functions
    of an example have none; its module says what it does.
    """
    if what == "module" and inspect.isfunction(thing) and not thing.__doc__:
        return True
    if what != "class" or isinstance(thing, property | cached_property):
        return None
    if not inspect.isroutine(thing) or name == "set_partial_fit_request":  # scikit-learn makes that one
        return True
    owner = getattr(sys.modules.get(getattr(thing, "__module__", "")), thing.__qualname__.partition(".")[0], None)
    inherited = not thing.__doc__ and any(hasattr(base, name) for base in getattr(owner, "__mro__", ())[1:])
    return inherited or None


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
    sections = next((n - 1 for n, line in enumerate(lines) if n and SECTION.match(line)), len(lines))
    lines = [*numbers_moved(lines[:sections]), *lines[sections:]]
    found: list[str] = []
    kind = ""  # of the lines of a block that ends at a blank line, or, if it is verbatim, at text
    for line in lines[:sections]:
        before = kind
        kind = _kind(line, before, not found or not found[-1].strip())
        if kind == "verbatim":
            if before != kind:  # the empty sign in it tells Sphinx that this is no code
                found += [".. parsed-literal::", "   :class: verbatim", ""]
            empty = "" if before == kind else "\\ "
            found.append(f"   {empty}{escaped(line.removeprefix('    '))}".rstrip())
        elif kind == "table":
            found += _row(line) if before == kind else [".. list-table::", "   :header-rows: 1", "", *_row(line)]
        elif kind == "example":
            found.append(line)
        else:
            if before and line.strip() and found[-1].strip():
                found.append("")
            further = line.startswith("    ") and bool(found and found[-1].strip())
            found.append(escaped(f"  {line.strip()}" if further else line))
    example = False
    for n, line in enumerate(lines[sections:], sections):
        if n + 1 < len(lines) and SECTION.match(lines[n + 1]):
            example = line.strip() == "Examples"
        found.append(line if example else escaped(line))
    return found


def numbers_moved(lines: list[str]) -> list[str]:
    """Lines whose numbers of equations, at the right edge, stand as far left as WIDTH asks and the formulas allow.

    Examples
    --------
    >>> [len(line) for line in numbers_moved(["    a = b" + 100 * " " + "(1)", "    " + 103 * "c" + "   (2)"])]
    [100, 112]
    """
    found = []
    for line in lines:
        match = NUMBER.match(line) if line.startswith("    ") else None
        more = len(line) - 4 - WIDTH
        if match and more > 0:
            gap = max(2, len(match["gap"]) - more)
            line = match["before"] + gap * " " + match["number"]
        found.append(line)
    return found


def _kind(line: str, before: str, after_blank: bool) -> str:
    """What a line is: verbatim, part of a table or of an example, or, as "", text."""
    if before == "example" and line.strip():
        return before
    if line.startswith(">>>"):
        return "example"
    if line.startswith("|"):
        return "table"
    if before == "verbatim" and (line.startswith("    ") or not line.strip()):
        return before
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
