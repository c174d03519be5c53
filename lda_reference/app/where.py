"""Which line of code is which printed equation: the tags in comments, and equations.toml, which lists them all.

A tag is a comment that begins with the key of a paper: `# TNW06 (4)(6), AWST09 (10)`; a word may follow, as in
`# AWST09 (4); without mass ...`. Of an equation that was lost and derived afresh: `# SN12 (50), restored`.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]  # of the checkout: an installed package has neither the list nor the chapters

KEY = r"(?:TNW06|AWST09|SOL14|SN12|BOO16)"
NUMBER = r"\(\d+\)(?:-\(\d+\))?"
LABEL = r"\[\w+\]"
ELSE = r"§\d+(?:\.\d+)*|App\. [A-Z]|Table \d+|Prop\. \d+|Algorithm \d+"
TAG = re.compile(rf"({KEY}) ((?:{NUMBER})+|Fig\. \d+ (?:{LABEL})+|{ELSE})(, restored)?(?!\w)")


def tags_of(comment: str) -> dict[str, bool]:
    """{tag: whether restored} of one comment; a ValueError where it has a key and no tag that can be read.

    >>> tags_of("# TNW06 (4)(6), BOO16 Fig. 2 [D], restored")
    {'TNW06 (4)': False, 'TNW06 (6)': False, 'BOO16 Fig. 2 [D]': True}
    """
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


def tags_in(text: str) -> dict[str, dict[int, bool]]:
    """Of a module: {tag: {number of a line, from 1: whether restored}}. Docstrings do not count."""
    found: dict[str, dict[int, bool]] = {}
    if re.search(rf"#\s*{KEY}", text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                for tag, restored in tags_of(token.string).items():
                    found.setdefault(tag, {})[token.start[0]] = restored
    return found


def listed() -> dict[str, dict[str, Any]]:
    """equations.toml. It and the chapters lie beside the package in a checkout, not in an installed one."""
    path = ROOT / "equations.toml"
    if not path.exists():
        raise ValueError(f"{path} is not there: the list of equations is in the repository, not in an installation")
    return tomllib.loads(path.read_text("utf-8"))


def where(tag: str) -> str:
    """The lines of code of an equation, the chapter that derives it and the tests that would fail were it wrong.

    Parameters
    ----------
    tag : str
        As in equations.toml; a number within a range will do: `SN12 (30)` for `SN12 (24)-(42)`.

    Raises
    ------
    ValueError
        For an unknown tag, with those that are near; and where there is no checkout.
    """
    known = listed()
    key = tag if tag in known else next((x for x in known if _within(tag, x)), None)
    if key is None:
        paper = tag.split(" ")[0]
        near = [x for x in known if x.split(" ")[0] == paper] or sorted({x.split(" ")[0] for x in known})
        raise ValueError(f"{tag!r} is not in equations.toml, expected one of {', '.join(near)}")
    entry = known[key]
    lines = [f"{key}: {entry['says']}"]
    for file in entry.get("place", []):
        text = (ROOT / file).read_text("utf-8")
        lines += [f"  code     {file}:{n}: {text.splitlines()[n - 1].strip()}" for n in tags_in(text)[key]]
    if "none" in entry:
        lines.append(f"  code     none: {entry['none']}")
    for number in entry.get("chapter", []):
        lines += [f"  chapter  chapters/{path.name}" for path in sorted((ROOT / "chapters").glob(f"{number}_*.ipynb"))]
    return "\n".join(lines + [f"  test     {test}" for test in entry.get("test", [])])


def _within(tag: str, span: str) -> bool:
    one = re.fullmatch(rf"({KEY}) \((\d+)\)", tag)
    of = re.fullmatch(rf"({KEY}) \((\d+)\)-\((\d+)\)", span)
    return bool(one and of and one[1] == of[1] and int(of[2]) <= int(one[2]) <= int(of[3]))
