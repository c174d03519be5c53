"""The package's docstrings as reStructuredText: its formulas and tables stand as they are, its signs mean nothing."""

import re

SECTION = re.compile(r"-{3,}\s*$")


def process(app, what, name, thing, options, lines: list[str]) -> None:
    """For Sphinx's event autodoc-process-docstring, before numpydoc: change the lines in place."""
    lines[:] = as_rst(lines)


def as_rst(lines: list[str]) -> list[str]:
    """The lines of a docstring, escaped; in the text before its sections indented lines and tables are verbatim.

    Examples
    --------
    >>> as_rst(["The sum over n_", "is", "", "    |n_|", "", "Examples", "--------", ">>> 1 | 2"])
    ['The sum over n\\\\_', 'is', '', '.. parsed-literal::', '   :class: verbatim', '', '   \\\\|n\\\\_\\\\|', '', \
'Examples', '--------', '>>> 1 | 2']
    """
    sections = next((n - 1 for n, line in enumerate(lines) if n and SECTION.match(line)), len(lines))
    found: list[str] = []
    verbatim = False
    for line in lines[:sections]:
        now = bool(line.startswith(("    ", "|")) or (verbatim and not line.strip()))
        if now and not verbatim:
            found += [*([""] if found and found[-1].strip() else []), ".. parsed-literal::", "   :class: verbatim", ""]
        elif verbatim and not now and found[-1].strip():
            found.append("")
        verbatim = now
        found.append(f"   {escaped(line.removeprefix('    '))}".rstrip() if now else escaped(line))
    example = False
    for n, line in enumerate(lines[sections:], sections):
        if n + 1 < len(lines) and SECTION.match(lines[n + 1]):
            example = line.strip() == "Examples"
        found.append(line if example else escaped(line))
    return found


def escaped(line: str) -> str:
    """A line whose stars, bars and last underscores are themselves."""
    return re.sub(r"(?<=\w)_(?!\w)|[*|]", r"\\\g<0>", line)
