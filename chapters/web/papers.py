"""The companion pages of the papers, each in the paper's own order: sections, equations, errors, figures and claims."""

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lda_reference.app.where import NAMED_PAPERS, ROOT, read_equations
from lda_reference.engine.update import weights

from .cells import WIDE, width
from .equations import Equation, Error, equations, errata, is_derived, plain, sources
from .tags import OTHERS, derivation, page_of, slug

SECTION = r"§\d+(?:\.\d+)*|App\. [A-Z]"


@cache
def papers() -> dict[str, dict[str, Any]]:
    """The five papers of papers.toml by their keys, and `search`, words with the page that has the answer."""
    return tomllib.loads(Path(__file__).with_name("papers.toml").read_text("utf-8"))


def five() -> list[str]:
    """The keys of the five papers."""
    return [key for key in papers() if key != "search"]


def contents() -> list[str]:
    """The pages of papers for the contents of the sidebar."""
    return [*(f"{key}: {papers()[key]['short']} <papers/{key.lower()}>" for key in five()), f"Other sources <{OTHERS}>"]


def target(paper: str, place: str) -> str:
    """The label of a section."""
    return "paper-" + slug(f"{paper} {place}").removeprefix("eq-")


class Claim(NamedTuple):
    """A claim of the ledger: where the paper makes it, what it says, its verdict, and its second form with its own."""

    id: str
    where: str
    says: str
    verdict: str
    second: str


@cache
def claims() -> dict[str, list[Claim]]:
    """The claims of each paper, from LEDGER.md."""
    claims_of: dict[str, list[Claim]] = {}
    for key, part in re.findall(r"^## ([A-Z]+\d\d)\n(.*?)(?=^## |\Z)", _ledger(), re.MULTILINE | re.DOTALL):
        for where, says, text in re.findall(r"^### (.+?): (.+?)\n(.*?)(?=^### |\Z)", part, re.MULTILINE | re.DOTALL):
            verdict = re.search(r"^\*\*(.+?)\.\*\* ", text, re.MULTILINE)
            second_form = re.search(r"^Second form, (.+)$", text, re.MULTILINE)
            paper_claims = claims_of.setdefault(key, [])
            verdicts = verdict[1] if verdict else "", second_form[0] if second_form else ""
            paper_claims.append(Claim(f"claim-{key.lower()}-{len(paper_claims) + 1}", where, says, *verdicts))
    return claims_of


def _ledger() -> str:
    return (ROOT / "figures" / "LEDGER.md").read_text("utf-8")


def places_of(claim: Claim, paper: str) -> list[str]:
    """Where a claim stands: after the figures that it names, or in the first section that it names.

    Examples
    --------
    >>> [places_of(claim, "AWST09") for claim in claims()["AWST09"][:3]]
    [['§1'], ['Fig. 8'], ['Fig. 2', 'Fig. 3']]
    """
    sections = papers()[paper]["section"]
    figures = {x for section in sections for x in section.get("holds", []) if re.fullmatch(r"Fig\. \d", x)}
    figure_numbers = re.findall(r"\d", claim.where.partition("Fig")[2])
    section_numbers = {section["number"] for section in sections}
    also_named = [section["number"] for section in sections for x in section.get("also", []) if x in claim.where]
    section_names = [place for place in (*re.findall(SECTION, claim.where), *also_named) if place in section_numbers]
    return [f"Fig. {n}" for n in figure_numbers if f"Fig. {n}" in figures] or section_names[:1]


# The pages ----------------------------------------------------------------------------------------------------------


def pages(titles: dict[str, str]) -> dict[str, str]:
    """{name: MyST} of all pages; `titles` are those of the chapters by the names of their files without suffix."""
    eqs = {equation.tag: equation for equation in equations()}
    lines = ["# Other sources", "Steps and formulas from beyond the five papers. Their names in brackets are ours."]
    for key in NAMED_PAPERS:
        lines += [f"## {key}: {sources()[key]}", *(entry(x, titles) for tag, x in eqs.items() if tag.startswith(key))]
    by_key = {key: papers()[key] for key in five()}
    links = [f"[{key}: {x['title']}]({key.lower()}.md)\n: {x['authors']}. {x['about']}" for key, x in by_key.items()]
    links.append(f"[Other sources]({OTHERS.rpartition('/')[2]}.md)\n: {', '.join(NAMED_PAPERS)}")
    page_of_slug = json.dumps({slug(tag): f"{page_of(tag)}.html" for tag in eqs})
    content_parts = ["---\norphan: true\n---", "# Equations", EQUATIONS, *(x.replace("](", "](papers/") for x in links)]
    content_parts.append(f"```{{raw}} html\n<script>\n{FORWARD % page_of_slug}</script>\n```")
    page_texts = {f"papers/{key.lower()}": page(key, eqs, titles) for key in five()}
    return page_texts | {OTHERS: "\n\n".join(lines) + "\n", "equations": "\n\n".join(content_parts) + "\n"}


EQUATIONS = (
    "Every numbered equation of the five papers, and some of their sections, figures and algorithms, has an entry on"
    " the page of its paper: its formula as printed and as derived here, its lines of code, and its tests."
)
FORWARD = """const page = %s[decodeURIComponent(location.hash.slice(1))];
if (page) location.replace(page + location.hash);
"""
INTRODUCTION = (
    "This page follows the paper section by section. Each equation has its formula as printed and as derived in this"
    " book, the line of the plain text, those of the package, and the tests that fail if it is wrong. Figures are drawn"
    " again from our own runs, and each claim has the verdict of [the ledger](../figures/LEDGER.md)."
)


def page(key: str, eqs: dict[str, Equation], titles: dict[str, str]) -> str:
    """The page of a paper in MyST."""
    paper = papers()[key]
    about_text = f"**{paper['authors']}.** {paper['about']}"
    parts = [f"# {key}: {paper['title']}", about_text, f"{INTRODUCTION} {paper['text']}"]
    for section in paper["section"]:
        number, holds = section["number"], section.get("holds", [])
        claim_at = {place: [x for x in claims()[key] if place in places_of(x, key)] for place in (number, *holds)}
        parts.append(f"({target(key, number)})=\n## {number} {section['title']}\n\n{section['says']}")
        parts += [error(x) for x in errata() if x.paper == key and not x.tags and section is section_of(x.place, key)]
        for place in holds:
            if f"{key} {place}" in eqs:
                parts.append(entry(eqs[f"{key} {place}"], titles))
            else:
                parts += [figure(key, place), *listed(claim_at[place])]
        parts += ["**Claims of this section**" if holds else "", *listed(claim_at[number])] if claim_at[number] else []
    return "\n\n".join(parts) + "\n"


def section_of(place: str, key: str) -> dict[str, Any] | None:
    """The section of a paper that a place in ERRATA.md names, by its number or by what stands in it."""
    numbers = re.findall(SECTION, place)
    rows = (x for x in papers()[key]["section"] if x["number"] in numbers or any(y in place for y in x.get("also", [])))
    return next(rows, None)


def entry(equation: Equation, titles: dict[str, str]) -> str:
    """The entry of an equation in MyST: a heading and a list of what there is of it."""
    parts = [f"({slug(equation.tag)})=\n### {equation.tag}: {equation.name}"]
    terms = [("In print", [f"$$\n{equation.printed}\n$$"])] if equation.printed else []
    terms += [("Error", [error(x, False)]) for x in equation.errors]
    for chapter, number, formula in equation.derived:
        place = f"{{ref}}`{titles[chapter]} <{derivation(number, equation.tag)}>`"
        place = place if is_derived(equation.tag) else f"[{titles[chapter]}](../chapters/{chapter}.ipynb)"
        terms.append(("In this book", [*([f"$$\n{formula}\n$$"] if formula else []), place]))
    terms.append(("In short", [plain(equation.says)]))
    if equation.letters:
        terms.append(("Letters", [", ".join(f"`{name}` is ${letter}$" for name, letter in equation.letters)]))
    for heading, kind in (("Plain text", True), ("Package", False)):
        if rows := [row for row in equation.code if row[0].startswith("lda_reference/plain/") == kind]:
            short = [(row[0].removeprefix("lda_reference/"), *row) for row in rows]
            terms.append((heading, [f"{{source}}`{x}:{n} <{file}:{n}>` {_code(text)}" for x, file, n, text in short]))
    if equation.whole:
        engine = f"{{source}}`weights <lda_reference/engine/update.py:{weights.__code__.co_firstlineno}>`"
        terms.append(("As a whole", [f"{update}, by {engine}" for update in equation.whole]))
    terms += [("No code", [f"{plain(equation.none)}."])] if equation.none else []
    if equation.tests:
        terms.append(("Tests", [f"{{source}}`{test} <{file}:{n}>`" for file, n, test in equation.tests]))
    return "\n\n".join([*parts, *(_item(name, lines) for name, lines in terms)])


def _item(name: str, lines: list[str]) -> str:
    """An item of a definition list, with a paragraph for each line."""
    return f"{name}\n: " + "\n\n".join(lines).replace("\n", "\n  ")


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def error(x: Error, is_alone: bool = True) -> str:
    """What ERRATA.md says of a place, with a link to its row."""
    place = x.place.rstrip(" †")
    place_text = "" if re.fullmatch(r"\(\d+\)|Prop\. \d", place) and not is_alone else f"{place}: "
    doubt_text = ", if it was not misread" if "†" in x.place else ""
    link = f'<a href="../ERRATA.html#{x.id}">errors in print</a>'
    text = f"{place_text}in print{doubt_text}, {x.printed}; correct: {x.correct} ({link})."
    return f"**Error.** {text}" if is_alone else text


def figure(key: str, place: str) -> str:
    """A figure of a paper redrawn, with the ledger's caption, or a picture of ours."""
    file_name = place if place.endswith(".svg") else f"fig{place[-1]}.svg"
    path, folder = ROOT / "figures" / key.lower() / file_name, key.lower()
    caption_match = re.search(rf"^\*{key} Figure {place[-1]}\.\* (.+?) Its claims?:", _ledger(), re.MULTILINE)
    caption_text = caption_match[1] if caption_match else purpose(path.with_suffix(".py"))
    title = f"{key} Figure {place[-1]}, redrawn" if caption_match else f"A picture beside {key}"
    pixels = width(path.read_text("utf-8"))
    options = [f":alt: {title}", f":width: {pixels}px", *([":figclass: wide"] if pixels > WIDE else [])]
    label = f"({target(key, place.removesuffix('.svg'))})="
    caption = f"**{title}.** {caption_text}"
    return "\n".join([label, f"::::{{figure}} ../figures/{folder}/{file_name}", *options, "", caption, "::::"])


def purpose(script: Path) -> str:
    """The first paragraph of a script's docstring."""
    return " ".join((ast.get_docstring(ast.parse(script.read_text("utf-8"))) or "").split("\n\n")[0].split())


def listed(paper_claims: list[Claim]) -> list[str]:
    """Claims with their verdicts, which lead to the ledger."""
    rows = [f"- **{x.verdict}**: {x.says} {x.second} ({{ref}}`{x.where} <{x.id}>`)" for x in paper_claims]
    return ["\n".join(rows)] if rows else []


# Documents that lead back -------------------------------------------------------------------------------------------


def with_links(document: str, text: str) -> str:
    """A document with labels before the claims of the ledger, and with ids and links in the rows of ERRATA.md."""
    for x in [x for paper_claims in claims().values() for x in paper_claims] if document == "figures/LEDGER.md" else []:
        heading = f"### {x.where}: {x.says}\n"
        text = text.replace(heading, f"({x.id})=\n{heading}", 1)
    for x in errata() if document == "ERRATA.md" else []:
        row = f"| {x.paper} | {x.place} | {x.printed} |"
        text = text.replace(row, f'| <a id="{x.id}"></a>{x.paper} | {_linked(x)} | {x.printed} |', 1)
    return text


def _linked(x: Error) -> str:
    def link(match: re.Match[str]) -> str:
        if f"{x.paper} {match[0]}" in read_equations() and not match[0].startswith("§"):
            return f"{{ref}}`{match[0]} <{slug(f'{x.paper} {match[0]}')}>`"
        section = next((s for s in papers()[x.paper]["section"] if s["number"] == match[0]), None)
        return f"{{ref}}`{match[0]} <{target(x.paper, match[0])}>`" if section else match[0]

    return re.sub(rf"\(\d+\)|Prop\. \d|{SECTION}", link, x.place)


# The search ---------------------------------------------------------------------------------------------------------


def summaries() -> dict[str, str]:
    """What each page of a paper is about."""
    return {f"papers/{key.lower()}": papers()[key]["about"] for key in five()}


def search_data(summaries: dict[str, str]) -> str:
    """JavaScript with what the search finds first: entries by their tags and names, words, and summaries of pages."""
    entries = [[equation.tag, equation.name, page_of(equation.tag), slug(equation.tag)] for equation in equations()]
    for key in five():
        page = f"papers/{key.lower()}"
        for section in papers()[key]["section"]:
            figures = [label for label in section.get("holds", []) if re.fullmatch(r"Fig\. \d", label)]
            entries += [[f"{key} Figure {label[-1]}", "redrawn", page, target(key, label)] for label in figures]
            if f"{key} {section['number']}" not in read_equations():
                entries.append([f"{key} {section['number']}", section["title"], page, target(key, section["number"])])
    answer_pages = papers()["search"] | {key: f"papers/{key.lower()}" for key in five()}
    parts = {"ENTRIES": entries, "ANSWERS": answer_pages, "SUMMARIES": summaries}
    return "".join(f"const {name} = {json.dumps(table, ensure_ascii=False)};\n" for name, table in parts.items())
