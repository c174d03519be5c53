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

SEE_IT = "lda-reference play --algorithm {0}, or lda.explain(lda.ALGORITHMS['{0}'], s, c, p, row=0) of your own state"
RESTORED_NOTE = "alone, which was missing from the copy of its paper that was read, and was derived again"
SUMS_LINE = "  sums     lda_reference/plain/problem.py: class Counts, and what its `excluded` leaves out"
TERMS = ("document", "word", "topic")
PLAYED = {*UNCOLLAPSED, *COLLAPSED, "cgs"} - {*OF_TYPES, "cvb1s"}  # of `play`: its rows are tokens, its only number u
ROOT = Path(__file__).parents[2]  # the repository, or the folder into which the package was installed
PACKAGE_LIST = Path(__file__).with_name("equations.toml")  # a built package has its list of equations here

EQUATIONS_TEXT = (PACKAGE_LIST if PACKAGE_LIST.exists() else ROOT / "equations.toml").read_text("utf-8")

# The steps and formulas of these sources have names of ours, as in `["ML02 [moments]"]`.
NAMED_PAPERS = tuple(dict.fromkeys(re.findall(r'^\["([A-Z]+\d\d) \[', EQUATIONS_TEXT, re.MULTILINE)))
KEY = rf"(?:TNW06|AWST09|SOL14|SN12|BOO16|{'|'.join(NAMED_PAPERS)})"
NUMBER = r"\(\d+\)(?:-\(\d+\))?"
LABEL = r"\[\w+\]"
ELSEWHERE = r"§\d+(?:\.\d+)*|App\. [A-Z]|Table \d+|Prop\. \d+|Algorithm \d+"
STEP = "|".join(rf"(?<={name} ){LABEL}" for name in NAMED_PAPERS)
TAG = re.compile(rf"({KEY}) ((?:{NUMBER})+|Fig\. \d+ (?:{LABEL})+|{ELSEWHERE}|{STEP})(, restored)?(?!\w)")


def add_arguments(p: argparse.ArgumentParser) -> None:
    help_text = 'for example "AWST09 (13)", "TNW06 (16)-(18)", "TNW06 Fig. 1" or cvb0; "AWST09" lists all of a paper'
    p.add_argument("equation", metavar="EQUATION", nargs="+", help=help_text)


def run(a: argparse.Namespace) -> None:
    """Print where equations are; the parts of one may also be arguments of their own, as in `TNW06 15`."""
    try:
        where_texts = [where(tag) for tag in a.equation]
    except ValueError:
        where_texts = [where(" ".join(a.equation))]
    print("\n\n".join(where_texts))


def where(tag: str) -> str:
    """The code of equations, their plain text, the chapters that derive them, and the tests that fail if one is wrong.

    A tag is as in equations.toml; case, brackets and points do not matter, and there may be several numbers, as in
    `TNW06 (4)-(6)`. The beginning of a tag, such as `AWST09` or `SOL14 Algorithm`, and the name of an algorithm give
    the list of theirs. `TNW06 Fig. 1` gives our picture and the claims of the ledger, with their verdicts. An installed
    package has no chapters, pictures and tests: their names are those in the repository.
    """
    equations, figures = read_equations(), read_figures()
    if meant_tags := meant(tag, equations):
        return "\n\n".join(described(key, equations[key]) for key in meant_tags)
    short, module_path = simple(tag), f"lda_reference/algorithms/{tag.strip().lower()}.py"
    tag_lines = [described_figure(key, figures[key]) for key in figures if simple(key) == short]
    meant_tags = [key for key in equations if short and simple(key).startswith(short)]
    meant_tags = meant_tags or [key for key, entry in equations.items() if module_path in entry.get("place", [])]
    tag_lines += [f"{key:16}  {equations[key]['name']}" for key in meant_tags]
    if tag_lines:
        return "\n".join(tag_lines)
    paper_headings = re.findall(r"^# ([A-Z]+\d\d): (.+? \d{4})", EQUATIONS_TEXT, re.MULTILINE)
    papers = [f"{key} ({authors_and_year})" for key, authors_and_year in paper_headings]
    tags = {simple(key): key for key in (*equations, *figures)}
    guesses = near(tag, [*figures, *equations]) or [tags[x] for x in get_close_matches(short, tags, 3, 0.7)] or papers
    raise ValueError(f"{tag!r} is not in equations.toml, expected one of {', '.join(guesses)}, or the like")


def near(tag: str, tags: list[str]) -> list[str]:
    """The tags of a paper's equations, figures or tables, at most three, nearest to a number that it does not have."""
    if not (match := re.fullmatch(rf"\s*({KEY})\s*(fig|table|)[^\d§]*(\d+)\D*", tag, re.IGNORECASE)):
        return []
    tag_kind_text = {"fig": "Fig. ", "table": "Table ", "": "("}[match[2].lower()]
    candidates = [key for key in tags if key.startswith(f"{match[1].upper()} {tag_kind_text}")]
    return sorted(candidates, key=lambda key: min(abs(int(n) - int(match[3])) for n in re.findall(r"\d+", key)[1:]))[:3]


def meant(tag: str, equations: dict[str, dict[str, Any]]) -> list[str]:
    """The listed tags that a reader means, such as all of `TNW06 (16)-(18)`; [] if there are none."""
    if matches := [key for key in equations if key == tag] or [key for key in equations if simple(key) == simple(tag)]:
        return matches
    tag_match = re.fullmatch(rf"\s*({KEY})\s*(?:eqs?\b|equations?\b)?([\s,;.()\d–-]+)", tag, re.IGNORECASE)
    number_ranges = re.findall(r"(\d{1,3})\)?(?:\s*[-–]\s*\(?(\d{1,3}))?", tag_match[2]) if tag_match else []
    equation_numbers = [n for start, stop in number_ranges for n in range(int(start), int(stop or start) + 1)]
    listed_tags = [listed(f"{tag_match[1].upper()} ({n})", equations) for n in equation_numbers] if tag_match else []
    return [] if None in listed_tags else list(dict.fromkeys(key for key in listed_tags if key))


def simple(tag: str) -> str:
    """A tag without its case, brackets, points and spaces. A number with a point is that of a section."""
    short_tag = re.sub(r"\bappendix\b", "app", re.sub(r"\balg\b", "algorithm", tag.lower()))
    short_tag = re.sub(r"§|(?<=\s)(?=\d+\.\d)", "section", re.sub(r"\bfigure\b", "fig", short_tag))
    return re.sub(r"\b(?:eqs?|equations?)\b|[\W_]", "", short_tag)


def described(tag: str, entry: dict[str, Any]) -> str:
    """What `where` says of an entry."""
    lines = [f"{tag}, {entry['name']}: {entry['says']}"]
    for path in entry.get("place", []):
        source = (ROOT / path).read_text("utf-8")
        label = "plain" if path.startswith("lda_reference/plain/") else "code"
        lines += [f"  {label:8} {path}:{n}: {source.splitlines()[n - 1].strip()}" for n in tags_in_module(source)[tag]]
    tags_of_lines = [tags_in_comment("#" + line.partition("  #")[2]) for line in lines[1:]]
    restored_tags = {line_tag for line_tags in tags_of_lines for line_tag, restored in line_tags.items() if restored}
    lines += [f"  restored is {line_tag} {RESTORED_NOTE}" for line_tag in sorted(restored_tags)]
    if "none" in entry:
        lines.append(f"  code     none: {entry['none']}")
    update_lines = [f"  whole    {update}" for update in updates_with(tag, entry.get("place", []))]
    lines[1:1] = update_lines + [SUMS_LINE] * bool(update_lines)
    for prefix in entry.get("chapter", []):
        chapters = [f"{title(x)}, chapters/{x.name}" for x in sorted((ROOT / "chapters").glob(f"{prefix}_*.ipynb"))]
        lines += [f"  chapter  {chapter}" for chapter in chapters or [f"chapters/{prefix}_*.ipynb"]]
    lines += [f"  test     {test}" for test in entry.get("test", [])]
    played_names = {Path(path).stem for path in entry.get("place", [])} & PLAYED
    return "\n".join(lines + [f"  see it   {SEE_IT.format(A_name)}" for A_name in sorted(played_names)])


def described_figure(tag: str, entry: dict[str, Any]) -> str:
    """What `where` says of a figure or a table of a paper."""
    text_lines = [f"{tag}: {entry['says']}", f"  drawn    {entry.get('picture') or 'not: ' + entry['none']}"]
    return "\n".join(text_lines + [f"  claim    figures/LEDGER.md: {claim}" for claim in entry.get("claims", [])])


def updates_with(tag: str, module_paths: list[str]) -> list[str]:
    """The right-hand sides of updates of which an equation is a part, as the plain text's docstrings print them."""
    updates_path, update_texts = "lda_reference/plain/updates.py", []
    source_text = (ROOT / updates_path).read_text("utf-8") if updates_path in module_paths else ""
    for node in (node for node in ast.parse(source_text).body if isinstance(node, ast.ClassDef)):
        ast_terms = [node for node in node.body if isinstance(node, ast.Assign) or getattr(node, "name", "") in TERMS]
        line_numbers = {node.lineno, *(n for node in ast_terms for n in range(node.lineno, (node.end_lineno or 0) + 1))}
        if line_numbers & tags_in_module(source_text)[tag].keys():
            first_paragraph, _, formula = (ast.get_docstring(node) or "").partition("\n\n")
            formula = formula.partition("\n\n")[0] if first_paragraph.endswith(":") else ""
            update_texts.append(" ".join(f"{first_paragraph} {formula}".split()))
    return update_texts


def title(chapter_path: Path) -> str:
    """The title of a chapter, which is the first line of its first cell."""
    return "".join(json.loads(chapter_path.read_text("utf-8"))["cells"][0]["source"]).partition("\n")[0].lstrip("# ")


def listed(tag: str, equations: dict[str, dict[str, Any]]) -> str | None:
    """The tag under which an equation is listed: its own, or the range it is in, as `SN12 (24)-(42)`; None if none."""
    paper_key, _, number = tag.rstrip(")").rpartition(" (")
    for listed_tag in equations:
        match = re.fullmatch(rf"{re.escape(paper_key)} \((\d+)\)-\((\d+)\)", listed_tag)
        if listed_tag == tag or (match and number.isdigit() and int(match[1]) <= int(number) <= int(match[2])):
            return listed_tag
    return None


def read_equations() -> dict[str, dict[str, Any]]:
    """The entries of equations.toml by tag, without those of figures."""
    return {tag: entry for tag, entry in _tables().items() if tag != "figures"}


def read_figures() -> dict[str, dict[str, Any]]:
    """The entries of the papers' figures and tables in equations.toml."""
    return _tables()["figures"]


@functools.cache
def _tables() -> dict[str, dict[str, Any]]:
    toml_tables: dict[str, dict[str, Any]] = tomllib.loads(EQUATIONS_TEXT)
    return toml_tables


def tags_in_comment(comment: str) -> dict[str, bool]:
    """{tag: whether it is marked as restored} for one comment."""
    if not re.match(rf"#\s*{KEY}\b", comment):
        return {}
    tag_matches = list(TAG.finditer(comment))
    if len(tag_matches) != len(re.findall(KEY, comment)):
        raise ValueError(f"{comment!r} is not a tag, expected one such as '# TNW06 (4)(6), AWST09 §2'")
    is_restored_by_tag = {}
    for paper_key, place_in_paper, restored_mark in (match.groups() for match in tag_matches):
        figure_name = place_in_paper[: place_in_paper.index("[")] if place_in_paper.startswith("Fig.") else ""
        for number_or_label in re.findall(LABEL if figure_name else NUMBER, place_in_paper) or [place_in_paper]:
            is_restored_by_tag[f"{paper_key} {figure_name}{number_or_label}"] = bool(restored_mark)
    return is_restored_by_tag


@functools.cache  # to read a module's tokens takes most of the time of an answer
def tags_in_module(text: str) -> dict[str, dict[int, bool]]:
    """{tag: {line number from 1: whether it is marked as restored}} for the comments of a module's text."""
    lines_of_tag: dict[str, dict[int, bool]] = {}
    if re.search(rf"#\s*{KEY}", text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                for tag, is_restored in tags_in_comment(token.string).items():
                    lines_of_tag.setdefault(tag, {})[token.start[0]] = is_restored
    return lines_of_tag

