"""Finding a printed equation: the tags in the comments of the code, and equations.toml, which lists them all.

A tag is a comment that begins with the key of a paper: `# TNW06 (4)(6), AWST09 (10)`. Other words may follow it, as in
`# AWST09 (4); without mass ...`. An equation that was lost and derived again is marked: `# SN12 (50), restored`.
"""

import argparse
import ast
import functools
import io
import json
import re
import tokenize
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..plain.updates import COLLAPSED, OF_TYPES, UNCOLLAPSED

SEE = "lda-reference play --algorithm {0}, or lda.explain(lda.ALGORITHMS['{0}'], s, c, p, row=0) of your own state"
RESTORED = "alone, which was missing from the copy of its paper that was read, and was derived again"
SUMS = "  sums     lda_reference/plain/problem.py: class Counts, and what its `excluded` leaves out"
TERMS = ("document", "word", "topic")
PLAYED = {*UNCOLLAPSED, *COLLAPSED, "cgs"} - {*OF_TYPES, "cvb1s"}  # of `play`: its rows are tokens, its only number u
ROOT = Path(__file__).parents[2]  # the repository, or the folder into which the package was installed
INSTALLED = Path(__file__).with_name("equations.toml")  # a built package has its list of equations here

LISTED = (INSTALLED if INSTALLED.exists() else ROOT / "equations.toml").read_text("utf-8")

# The steps and formulas of these sources have names of ours, as in `["ML02 [moments]"]`.
NAMED = tuple(dict.fromkeys(re.findall(r'^\["([A-Z]+\d\d) \[', LISTED, re.MULTILINE)))
KEY = rf"(?:TNW06|AWST09|SOL14|SN12|BOO16|{'|'.join(NAMED)})"
NUMBER = r"\(\d+\)(?:-\(\d+\))?"
LABEL = r"\[\w+\]"
ELSEWHERE = r"§\d+(?:\.\d+)*|App\. [A-Z]|Table \d+|Prop\. \d+|Algorithm \d+"
STEP = "|".join(rf"(?<={name} ){LABEL}" for name in NAMED)
TAG = re.compile(rf"({KEY}) ((?:{NUMBER})+|Fig\. \d+ (?:{LABEL})+|{ELSEWHERE}|{STEP})(, restored)?(?!\w)")


def add_arguments(p: argparse.ArgumentParser) -> None:
    says = 'for example "AWST09 (13)", "TNW06 (16)-(18)", "TNW06 Fig. 1" or cvb0; "AWST09" lists all of a paper'
    p.add_argument("equation", metavar="EQUATION", nargs="+", help=says)


def run(a: argparse.Namespace) -> None:
    """Print where equations are; the parts of one may also be arguments of their own, as in `TNW06 15`."""
    try:
        answers = [where(x) for x in a.equation]
    except ValueError:
        answers = [where(" ".join(a.equation))]
    print("\n\n".join(answers))


def where(tag: str) -> str:
    """The code of equations, their plain text, the chapters that derive them, and the tests that fail if one is wrong.

    A tag is as in equations.toml; case, brackets and points do not matter, and there may be several numbers, as in
    `TNW06 (4)-(6)`. The beginning of a tag, such as `AWST09` or `SOL14 Algorithm`, and the name of an algorithm give
    the list of theirs. `TNW06 Fig. 1` gives our picture and the claims of the ledger, with their verdicts. An installed
    package has no chapters, pictures and tests: their names are those in the repository.
    """
    equations, figures = read_equations(), read_figures()
    if keys := meant(tag, equations):
        return "\n\n".join(described(key, equations[key]) for key in keys)
    begins, module = simple(tag), f"lda_reference/algorithms/{tag.strip().lower()}.py"
    lines = [described_figure(x, figures[x]) for x in figures if simple(x) == begins]
    keys = [x for x in equations if begins and simple(x).startswith(begins)]
    keys = keys or [x for x, entry in equations.items() if module in entry.get("place", [])]
    lines += [f"{x:16}  {equations[x]['name']}" for x in keys]
    if lines:
        return "\n".join(lines)
    headings = re.findall(r"^# ([A-Z]+\d\d): (.+? \d{4})", LISTED, re.MULTILINE)
    papers = [f"{key} ({authors_and_year})" for key, authors_and_year in headings]
    tags = {simple(x): x for x in (*equations, *figures)}
    nearest = near(tag, [*figures, *equations]) or [tags[x] for x in get_close_matches(begins, tags, 3, 0.7)] or papers
    raise ValueError(f"{tag!r} is not in equations.toml, expected one of {', '.join(nearest)}, or the like")


def near(tag: str, tags: list[str]) -> list[str]:
    """The tags of a paper's equations, figures or tables, at most three, nearest to a number that it does not have."""
    if not (asked := re.fullmatch(rf"\s*({KEY})\s*(fig|table|)[^\d§]*(\d+)\D*", tag, re.IGNORECASE)):
        return []
    kind = {"fig": "Fig. ", "table": "Table ", "": "("}[asked[2].lower()]
    alike = [x for x in tags if x.startswith(f"{asked[1].upper()} {kind}")]
    return sorted(alike, key=lambda x: min(abs(int(n) - int(asked[3])) for n in re.findall(r"\d+", x)[1:]))[:3]


def meant(tag: str, equations: dict[str, dict[str, Any]]) -> list[str]:
    """The listed tags that a reader means, such as all of `TNW06 (16)-(18)`; [] if there are none."""
    if matching := [x for x in equations if x == tag] or [x for x in equations if simple(x) == simple(tag)]:
        return matching
    asked = re.fullmatch(rf"\s*({KEY})\s*(?:eqs?\b|equations?\b)?([\s,;.()\d–-]+)", tag, re.IGNORECASE)
    ends = re.findall(r"(\d{1,3})\)?(?:\s*[-–]\s*\(?(\d{1,3}))?", asked[2]) if asked else []
    numbers = [n for first, last in ends for n in range(int(first), int(last or first) + 1)]
    keys = [listed(f"{asked[1].upper()} ({n})", equations) for n in numbers] if asked else []
    return [] if None in keys else list(dict.fromkeys(x for x in keys if x))


def simple(tag: str) -> str:
    """A tag without its case, brackets, points and spaces. A number with a point is that of a section."""
    short = re.sub(r"\bappendix\b", "app", re.sub(r"\balg\b", "algorithm", tag.lower()))
    short = re.sub(r"§|(?<=\s)(?=\d+\.\d)", "section", re.sub(r"\bfigure\b", "fig", short))
    return re.sub(r"\b(?:eqs?|equations?)\b|[\W_]", "", short)


def described(key: str, entry: dict[str, Any]) -> str:
    """What `where` says of an entry."""
    lines = [f"{key}, {entry['name']}: {entry['says']}"]
    for file in entry.get("place", []):
        text = (ROOT / file).read_text("utf-8")
        what = "plain" if file.startswith("lda_reference/plain/") else "code"
        lines += [f"  {what:8} {file}:{n}: {text.splitlines()[n - 1].strip()}" for n in tags_in_module(text)[key]]
    tagged = [tags_in_comment("#" + line.partition("  #")[2]) for line in lines[1:]]
    marked = {tag for tags in tagged for tag, restored in tags.items() if restored}
    lines += [f"  restored is {tag} {RESTORED}" for tag in sorted(marked)]
    if "none" in entry:
        lines.append(f"  code     none: {entry['none']}")
    updates = [f"  whole    {x}" for x in updates_with(key, entry.get("place", []))]
    lines[1:1] = updates + [SUMS] * bool(updates)
    for number in entry.get("chapter", []):
        names = [f"{title(x)}, chapters/{x.name}" for x in sorted((ROOT / "chapters").glob(f"{number}_*.ipynb"))]
        lines += [f"  chapter  {name}" for name in names or [f"chapters/{number}_*.ipynb"]]
    lines += [f"  test     {test}" for test in entry.get("test", [])]
    played = {Path(file).stem for file in entry.get("place", [])} & PLAYED
    return "\n".join(lines + [f"  see it   {SEE.format(name)}" for name in sorted(played)])


def described_figure(tag: str, entry: dict[str, Any]) -> str:
    """What `where` says of a figure or a table of a paper."""
    lines = [f"{tag}: {entry['says']}", f"  drawn    {entry.get('picture') or 'not: ' + entry['none']}"]
    return "\n".join(lines + [f"  claim    figures/LEDGER.md: {x}" for x in entry.get("claims", [])])


def updates_with(tag: str, places: list[str]) -> list[str]:
    """The right-hand sides of updates of which an equation is a part, as the plain text's docstrings print them."""
    file, updates = "lda_reference/plain/updates.py", []
    text = (ROOT / file).read_text("utf-8") if file in places else ""
    for node in (x for x in ast.parse(text).body if isinstance(x, ast.ClassDef)):
        parts = [x for x in node.body if isinstance(x, ast.Assign) or getattr(x, "name", "") in TERMS]
        lines = {node.lineno, *(n for x in parts for n in range(x.lineno, (x.end_lineno or 0) + 1))}
        if lines & tags_in_module(text)[tag].keys():
            first, _, second = (ast.get_docstring(node) or "").partition("\n\n")
            second = second.partition("\n\n")[0] if first.endswith(":") else ""
            updates.append(" ".join(f"{first} {second}".split()))
    return updates


def title(chapter: Path) -> str:
    """The title of a chapter, which is the first line of its first cell."""
    return "".join(json.loads(chapter.read_text("utf-8"))["cells"][0]["source"]).partition("\n")[0].lstrip("# ")


def listed(tag: str, equations: dict[str, dict[str, Any]]) -> str | None:
    """The tag under which an equation is listed: its own, or the range it is in, as `SN12 (24)-(42)`; None if none."""
    paper, _, number = tag.rstrip(")").rpartition(" (")
    for key in equations:
        ends = re.fullmatch(rf"{re.escape(paper)} \((\d+)\)-\((\d+)\)", key)
        if key == tag or (ends and number.isdigit() and int(ends[1]) <= int(number) <= int(ends[2])):
            return key
    return None


def read_equations() -> dict[str, dict[str, Any]]:
    """The entries of equations.toml by tag, without those of figures."""
    return {tag: entry for tag, entry in _tables().items() if tag != "figures"}


def read_figures() -> dict[str, dict[str, Any]]:
    """The entries of the papers' figures and tables in equations.toml."""
    return _tables()["figures"]


@functools.cache
def _tables() -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = tomllib.loads(LISTED)
    return tables


def tags_in_comment(comment: str) -> dict[str, bool]:
    """{tag: whether it is marked as restored} for one comment."""
    if not re.match(rf"#\s*{KEY}\b", comment):
        return {}
    tags = list(TAG.finditer(comment))
    if len(tags) != len(re.findall(KEY, comment)):
        raise ValueError(f"{comment!r} is not a tag, expected one such as '# TNW06 (4)(6), AWST09 §2'")
    marked = {}
    for key, place, restored in (tag.groups() for tag in tags):
        figure = place[: place.index("[")] if place.startswith("Fig.") else ""
        for part in re.findall(LABEL if figure else NUMBER, place) or [place]:
            marked[f"{key} {figure}{part}"] = bool(restored)
    return marked


@functools.cache  # to read a module's tokens takes most of the time of an answer
def tags_in_module(text: str) -> dict[str, dict[int, bool]]:
    """{tag: {line number from 1: whether it is marked as restored}} for the comments of a module's text."""
    places: dict[str, dict[int, bool]] = {}
    if re.search(rf"#\s*{KEY}", text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                for tag, restored in tags_in_comment(token.string).items():
                    places.setdefault(tag, {})[token.start[0]] = restored
    return places

