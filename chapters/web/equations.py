"""The page of equations and the cards over links to it, made from equations.toml, notation.toml and the chapters."""

import ast
import html
import json
import re
import tomllib
import unicodedata
from functools import cache
from typing import NamedTuple

import nbformat

from lda_reference.app.where import ROOT, read_equations, tags_in_comment, tags_in_module

from .sources import url
from .tags import derivation, slug

CHAPTERS = ROOT / "chapters"
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "η": "eta", "θ": "theta", "μ": "mu", "ν": "nu", "φ": "phi"}
ACCENTS = {"\u0303": "tilde", "\u0302": "hat", "\u0307": "dot"}


class Equation(NamedTuple):
    """What the site says of one equation."""

    tag: str
    says: str
    printed: str  # TeX in the paper's notation, or nothing
    erratum: bool  # whether ERRATA.md says something of it
    derived: list[tuple[str, str, str]]  # chapter's file without suffix, its number, TeX in the house's notation
    letters: list[tuple[str, str]]  # name in the code, TeX of the paper's letter
    code: list[tuple[str, int, str]]  # file, line, text
    none: str  # why there is no code, or nothing
    tests: list[tuple[str, int, str]]  # file, line, name


def equations() -> list[Equation]:
    """All equations of equations.toml in its order."""
    return [
        Equation(
            tag,
            entry["says"],
            entry.get("print", ""),
            tag in errata(),
            [(path.stem, path.name[:2], formulas(path.stem).get(tag, "")) for path in _chapters(entry["chapter"])],
            letters(tag, entry["says"]),
            [(file, line, _line(file, line)) for file in entry.get("place", []) for line in _tagged(file)[tag]],
            entry.get("none", ""),
            [place_of_test(node) for node in entry.get("test", [])],
        )
        for tag, entry in read_equations().items()
    ]


@cache
def sources() -> dict[str, str]:
    """{key of a paper: its authors, year and title}, from the headings in equations.toml."""
    text = (ROOT / "equations.toml").read_text("utf-8")
    return {key: _plain(words) for key, words in re.findall(r"^# ([A-Z]+\d\d): (.+?) ?-{3,}$", text, re.MULTILINE)}


@cache
def errata() -> set[str]:
    """The numbered equations that have a row in ERRATA.md.

    Examples
    --------
    >>> sorted(tag for tag in errata() if tag.startswith("AWST09"))
    ['AWST09 (11)', 'AWST09 (16)', 'AWST09 (2)', 'AWST09 (3)', 'AWST09 (9)']
    """
    text = (ROOT / "ERRATA.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-Z]+\d\d) \| ((?:\(\d+\))+)[ †]*\|", text, re.MULTILINE)
    return {tag for key, places in rows for tag in tags_in_comment(f"# {key} {places}")}


def _chapters(numbers):
    return [path for number in numbers for path in sorted(CHAPTERS.glob(f"{number}_*.ipynb"))]


@cache
def formulas(chapter: str) -> dict[str, str]:
    """{tag: TeX of the formula beside its bold mention} of a chapter, given by the name of its file without suffix.

    It stands below the paragraph that names the tag, or below its last item if that is a list. If nothing stands
    below a paragraph that begins with a tag, or with "This is" and a tag, it stands above.
    """
    found: dict[str, str] = {}
    cells = nbformat.read(CHAPTERS / f"{chapter}.ipynb", 4).cells
    for cell in [cell for cell in cells if cell.cell_type == "markdown"][1:]:
        blocks = [x.strip() for x in re.split(r"(\$\$.+?\$\$)|\n\n", cell.source, flags=re.DOTALL) if x and x.strip()]
        for n, block in enumerate(blocks):
            before, after = blocks[n - 1] if n else "", blocks[n + 1] if n + 1 < len(blocks) else ""
            if after.startswith("$$"):
                near, naming = after, block.rpartition("\n- ")[2]
            elif before.startswith("$$") and re.match(r"(This is )?\*\*[A-Z]+\d\d ", block):
                near, naming = before, block
            else:
                continue
            for bold in re.findall(r"\*\*([A-Z]+\d\d [^*]+)\*\*", naming):
                for tag in tags_in_comment(f"# {bold}"):
                    found.setdefault(tag, near.strip("$ \n"))
    return found


def letters(tag: str, says: str) -> list[tuple[str, str]]:
    """The house's names in a formula that the paper of the tag writes otherwise, with the paper's letters as TeX."""
    paper = tag.split(" ")[0]
    found = []
    for quantity in tomllib.loads((CHAPTERS / "notation.toml").read_text("utf-8"))["quantity"]:
        name, other = quantity["code"], quantity.get(paper, "-")
        same = re.sub(r"[\\{}]", "", tex(other)) == name
        if other != "-" and not same and re.search(rf"(?<![\w]){name}(?![\w])", says):
            found.append((name, tex(other)))
    return found


def tex(letter: str) -> str:
    """A letter of notation.toml as TeX: `α̃_jk` is `\\tilde{\\alpha}_{jk}`; words are upright.

    Examples
    --------
    >>> tex("γ̃_ijk, φ_id^(j)"), tex("Var[n_·kw]")
    ('\\\\tilde{\\\\gamma}_{ijk}, \\\\phi_{id}^{(j)}', '\\\\text{Var}[n_{{\\\\cdot}kw}]')
    """

    def one(match: re.Match[str]) -> str:
        base, accent, below, above = match.groups()
        base = f"\\{GREEK[base]}" if base in GREEK else f"\\text{{{base}}}" if len(base) > 2 else base
        base = f"\\{ACCENTS[accent]}{{{base}}}" if accent else base
        return base + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")

    accents = "".join(ACCENTS)
    letters = unicodedata.normalize("NFD", letter.partition(" (")[0])  # what follows in brackets says where
    found = re.sub(rf"([^\W\d_]+)([{accents}])?(?:_([\w·]+(?:,[\w·]+)?))?(?:\^(\S+))?", one, letters)
    return found.replace("·", r"{\cdot}").replace("Σ", r"\sum")


@cache
def _tagged(file: str) -> dict[str, dict[int, bool]]:
    return tags_in_module((ROOT / file).read_text("utf-8"))


@cache
def _statements(file: str) -> list[tuple[int, int]]:
    """The first and the last line of the statements of a file that have no others within them."""
    nodes = ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
    return [(x.lineno, x.end_lineno or 0) for x in nodes if isinstance(x, ast.stmt) and not hasattr(x, "body")]


def _line(file: str, line: int) -> str:
    """A line; one that only closes brackets stands after the lines of its statement before it."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    text = lines[line - 1].strip()
    if not re.match(r"[)\]}]+[,;]?\s*#", text):
        return text
    first = next((a for a, b in _statements(file) if a <= line <= b), line)
    whole = " ".join(x.strip() for x in lines[first - 1 : line])
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", whole)


def place_of_test(node: str) -> tuple[str, int, str]:
    """The file, the line and the name of a test, given as pytest names it."""
    file, _, name = node.partition("::")
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return file, next(n for n, line in enumerate(lines, 1) if line.startswith(f"def {name}(")), name


# The page -----------------------------------------------------------------------------------------------------------


def page(titles: dict[str, str]) -> str:
    """The page of equations in MyST; `titles` are those of the chapters by the names of their files without suffix."""
    parts = ["# Equations", INTRODUCTION]
    paper = ""
    for equation in equations():
        if (now := equation.tag.split(" ")[0]) != paper:
            parts.append(f"## {now}\n\n{sources()[now]}")
            paper = now
        parts.append(entry(equation, titles))
    return "\n\n".join(parts) + "\n"


INTRODUCTION = (
    "Every numbered equation of the papers, and some of their sections and figures. Each entry has what the equation"
    " says, in the names of the code; the formula as it is printed, with its [errors](ERRATA.md); the chapter that"
    " derives it, and the formula there; the lines of code; and the tests that would fail if it were wrong. We read the"
    " papers as machine-read text, so an error may be the machine's. Signs that are plainly lost, such as dots in"
    " indices, were put back. The formulas of SN12 were lost altogether; they are given in the notation of this book"
    " alone."
)


def entry(equation: Equation, titles: dict[str, str]) -> str:
    """The entry of one equation in MyST."""
    parts = [f"({slug(equation.tag)})=\n### {equation.tag}", _plain(equation.says)]
    if equation.printed:
        where = " (see [Errors in print](ERRATA.md))" * equation.erratum
        parts.append(f"As printed{where}:\n\n$$\n{equation.printed}\n$$")
    for chapter, number, formula in equation.derived:
        parts.append(
            f"Derived in {{ref}}`{titles[chapter]} <{derivation(number, equation.tag)}>`" + (":" if formula else ".")
        )
        if formula:
            parts.append(f"$$\n{formula}\n$$")
    if equation.letters:
        pairs = ", ".join(f"`{name}` is ${letter}$" for name, letter in equation.letters)
        parts.append(f"In the paper {pairs}.")
    rows = [f"{{source}}`{file}:{n} <{file}:{n}>` {_code(text)}" for file, n, text in equation.code]
    rows += [f"No code: {_plain(equation.none)}."] if equation.none else []
    rows += [f"Test: {{source}}`{name} <{file}:{n}>`" for file, n, name in equation.tests]
    parts.append("\n".join(f"- {x}" for x in rows))
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """Text whose signs mean nothing in Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>$|#^])", r"\\\1", text)


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


# The cards ----------------------------------------------------------------------------------------------------------


def cards() -> str:
    """JavaScript with {slug: HTML of a card}; addresses in it are from the root of the site, which is {{root}}."""
    return f"const EQUATION_CARDS = {json.dumps({slug(x.tag): card(x) for x in equations()}, ensure_ascii=False)};\n"


def card(equation: Equation) -> str:
    """The card of an equation: what it says, its formulas, its letters, its lines and tests."""
    parts = [f"<strong>{html.escape(equation.tag)}</strong> {html.escape(equation.says)}"]
    formula = next((x for _, _, x in equation.derived if x), "")
    if equation.printed:
        where = ' (see <a href="{{root}}ERRATA.html#errors-in-print">Errors in print</a>)' * equation.erratum
        parts.append(f'in the paper{where}: <span class="math">\\[{html.escape(equation.printed)}\\]</span>')
    if formula:
        parts.append(f'in this book: <span class="math">\\[{html.escape(formula)}\\]</span>')
    if equation.letters:
        pairs = (f'{name}: <span class="math">\\({html.escape(x)}\\)</span>' for name, x in equation.letters)
        parts.append("the paper's letters: " + ", ".join(pairs))
    for file, n, text in equation.code:
        parts.append(f'<a href="{{{{root}}}}{url(file, n)}">{file}:{n}</a>: <code>{html.escape(text)}</code>')
    if equation.none:
        parts.append(f"no code: {html.escape(equation.none)}")
    for file, n, name in equation.tests:
        parts.append(f'test: <a href="{{{{root}}}}{url(file, n)}">{name}</a>')
    for chapter, number, _ in equation.derived:
        target = derivation(number, equation.tag)
        parts.append(f'<a href="{{{{root}}}}chapters/{chapter}.html#{target}">derived in chapter {number}</a>')
    return "".join(f"<div>{x}</div>" for x in parts)
