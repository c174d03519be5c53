"""The equations and the cards over links to them, from equations.toml, ERRATA.md, notation.toml and the chapters."""

import ast
import html
import inspect
import json
import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat

from lda_reference import ALGORITHMS
from lda_reference.app.where import KEY, ROOT, read_equations, tags_in_comment, tags_in_module

from .sources import url
from .tags import derivation, page_of, slug

CHAPTERS = ROOT / "chapters"
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "η": "eta", "θ": "theta", "μ": "mu", "ν": "nu", "φ": "phi"}
PRIORS, SUMS = ("alpha", "eta", "W eta"), ("N_jk", "N_wk", "N_k")
EXCLUDED = {"nothing": "all tokens", "token": "one token left out", "type": "all tokens of the type left out"}
ACCENTS = {"\u0303": "tilde", "\u0302": "hat", "\u0307": "dot"}


class Equation(NamedTuple):
    """What the site says of one equation."""

    tag: str
    name: str
    says: str
    printed: str  # TeX in the paper's notation, or nothing
    errors: list["Error"]  # what ERRATA.md says of it
    derived: list[tuple[str, str, str]]  # chapter's file without suffix, its number, TeX in the house's notation
    letters: list[tuple[str, str]]  # name in the code, TeX of the paper's letter
    code: list[tuple[str, int, str]]  # file, line, text
    whole: list[str]  # the updates of which a line is a term
    none: str  # why there is no code, or nothing
    tests: list[tuple[str, int, str]]  # file, line, name


def equations() -> list[Equation]:
    """All equations of equations.toml in its order."""
    return [
        Equation(
            tag,
            entry["name"],
            entry["says"],
            entry.get("print", ""),
            [error for error in errata() if tag in error.tags],
            [(path.stem, path.name[:2], formulas(path.stem).get(tag, "")) for path in _chapters(entry["chapter"])],
            letters(tag, entry["says"]),
            [(file, line, _line(file, line)) for file in entry.get("place", []) for line in _tagged(file)[tag]],
            _wholes(tag, entry.get("place", [])),
            entry.get("none", ""),
            [place_of_test(node) for node in entry.get("test", [])],
        )
        for tag, entry in read_equations().items()
    ]


@cache
def sources() -> dict[str, str]:
    """{key of a paper: its authors, year and title}, from the headings in equations.toml."""
    text = (ROOT / "equations.toml").read_text("utf-8")
    return {key: plain(words) for key, words in re.findall(r"^# ([A-Z]+\d\d): (.+?) ?-{3,}$", text, re.MULTILINE)}


def plain(text: str) -> str:
    """Text whose signs mean nothing in Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>$|#^])", r"\\\1", text)


class Error(NamedTuple):
    """A row of ERRATA.md, and the equations of equations.toml that its place names."""

    id: str
    paper: str
    place: str
    printed: str
    correct: str
    shown: str
    tags: list[str]


@cache
def errata() -> list[Error]:
    """The rows of ERRATA.md.

    Examples
    --------
    >>> sorted(tag for error in errata() for tag in error.tags if tag.startswith("AWST09"))
    ['AWST09 (10)', 'AWST09 (10)', 'AWST09 (11)', 'AWST09 (16)', 'AWST09 (2)', 'AWST09 (3)', 'AWST09 (9)']
    """
    text = (ROOT / "ERRATA.md").read_text("utf-8")
    errors = []
    for n, row in enumerate(re.findall(r"^\| ([A-Z]+\d\d \| .+) \|$", text, re.MULTILINE), 1):
        paper, place, *cells = re.split(r"(?<!\\) \| ", row)
        tags = [f"{paper} {reference}" for reference in re.findall(r"\(\d+\)|Prop\. \d|Fig\. \d \[\w+\]", place)]
        errors.append(Error(f"error-{n}", paper, place, *cells, [tag for tag in tags if tag in read_equations()]))
    return errors


def is_derived(tag: str) -> bool:
    """Whether its chapters have a place that derives it; an algorithm is made of equations that do."""
    return " Algorithm " not in tag


def _chapters(numbers):
    return [path for number in numbers for path in sorted(CHAPTERS.glob(f"{number}_*.ipynb"))]


@cache
def formulas(chapter: str) -> dict[str, str]:
    """{tag: TeX of the formula beside its bold mention} of a chapter, given by the name of its file without suffix.

    It stands below the paragraph that names the tag, or below its last item if that is a list. If nothing stands
    below a paragraph that begins with a tag, or with "This is" and a tag, it stands above.
    """
    tex_of_tag: dict[str, str] = {}
    cells = nbformat.read(CHAPTERS / f"{chapter}.ipynb", 4).cells
    for cell in [cell for cell in cells if cell.cell_type == "markdown"][1:]:
        blocks = [x.strip() for x in re.split(r"(\$\$.+?\$\$)|\n\n", cell.source, flags=re.DOTALL) if x and x.strip()]
        for n, block in enumerate(blocks):
            before, after = blocks[n - 1] if n else "", blocks[n + 1] if n + 1 < len(blocks) else ""
            if after.startswith("$$"):
                formula, naming_text = after, block.rpartition("\n- ")[2]
            elif before.startswith("$$") and re.match(r"(This is )?\*\*[A-Z]+\d\d ", block):
                formula, naming_text = before, block
            else:
                continue
            for bold in re.findall(r"\*\*([A-Z]+\d\d [^*]+)\*\*", naming_text):
                for tag in tags_in_comment(f"# {bold}"):
                    tex_of_tag.setdefault(tag, formula.strip("$ \n"))
    return tex_of_tag


def letters(tag: str, says: str) -> list[tuple[str, str]]:
    """The house's names in a formula that the paper of the tag writes otherwise, with the paper's letters as TeX."""
    paper = tag.split(" ")[0]
    letter_pairs = []
    for quantity in tomllib.loads((CHAPTERS / "notation.toml").read_text("utf-8"))["quantity"]:
        code_name, paper_letter = quantity["code"], quantity.get(paper, "-")
        is_equal = re.sub(r"[\\{}]", "", tex(paper_letter)) == code_name
        if paper_letter != "-" and not is_equal and re.search(rf"(?<![\w]){code_name}(?![\w])", says):
            letter_pairs.append((code_name, tex(paper_letter)))
    return letter_pairs


def tex(letter: str) -> str:
    """A letter of notation.toml as TeX: `α̃_jk` is `\\tilde{\\alpha}_{jk}`; words are upright.

    Examples
    --------
    >>> tex("γ̃_ijk, φ_id^(j)"), tex("Var[n_·kw]")
    ('\\\\tilde{\\\\gamma}_{ijk}, \\\\phi_{id}^{(j)}', '\\\\text{Var}[n_{{\\\\cdot}kw}]')
    """

    def tex_of_match(match: re.Match[str]) -> str:
        base, accent, below, above = match.groups()
        base = f"\\{GREEK[base]}" if base in GREEK else f"\\text{{{base}}}" if len(base) > 2 else base
        base = f"\\{ACCENTS[accent]}{{{base}}}" if accent else base
        return base + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")

    accents = "".join(ACCENTS)
    letters = unicodedata.normalize("NFD", letter.partition(" (")[0])  # what follows in brackets says where
    tex_text = re.sub(rf"([^\W\d_]+)([{accents}])?(?:_([\w·]+(?:,[\w·]+)?))?(?:\^(\S+))?", tex_of_match, letters)
    return tex_text.replace("·", r"{\cdot}").replace("Σ", r"\sum")


@cache
def _tagged(file: str) -> dict[str, dict[int, bool]]:
    return tags_in_module((ROOT / file).read_text("utf-8"))


@cache
def _statements(file: str) -> list[tuple[int, int]]:
    """The first and the last line of the statements of a file that have no others within them."""
    nodes = ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
    return [(x.lineno, x.end_lineno or 0) for x in nodes if isinstance(x, ast.stmt) and not hasattr(x, "body")]


def _line(file: str, line: int) -> str:
    """A line without its tag; one that only closes brackets stands after the lines of its statement before it."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    text = lines[line - 1].strip()
    if not re.match(r"[)\]}]+[,;]?\s*#", text):
        return re.sub(rf"(?<=\S)\s+# {KEY} [^;:]*$", "", text) if ", line" not in text else text
    first_line = next((a for a, b in _statements(file) if a <= line <= b), line)
    statement = " ".join(part.strip() for part in lines[first_line - 1 : line])
    statement = re.sub(rf"\s+# {KEY} [^;:]*$", "", statement)
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", statement)


def place_of_test(node: str) -> tuple[str, int, str]:
    """The file, the line and the name of a test, given as pytest names it."""
    file, _, test_name = node.partition("::")
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return file, next(n for n, line in enumerate(lines, 1) if line.startswith(f"def {test_name}(")), test_name


@cache
def terms() -> dict[tuple[str, int], list[str]]:
    """{(file, line) of a function that is a term: the whole updates that the engine forms with it}.

    Examples
    --------
    >>> [whole for (file, _), of in terms().items() if file.endswith("/cvb0.py") for whole in of][0]
    '`smoothed(alpha, N_jk) * smoothed(eta, N_wk) / smoothed(W eta, N_k)`, the sums with one token left out'
    """
    updates_of_line: dict[tuple[str, int], list[str]] = {}
    for A in ALGORITHMS.values():
        term_sums = zip(A.update.terms, PRIORS, SUMS, strict=True)
        j, w, k = (f"{term.value.__name__}({a}, {N})" for term, a, N in term_sums)
        text = f"exp({j} + {w} - {k})" if A.update.logs else f"{j} * {w} / {k}"
        text = f"`{text}`, the sums with {EXCLUDED[A.update.excludes]}"
        py_path = ROOT / "lda_reference" / "algorithms" / f"{A.name}.py"
        py_path = py_path if py_path.exists() else Path(inspect.getsourcefile(A.update.topic.value) or "")
        code = py_path.read_text("utf-8").splitlines()
        lines = [n for n, line in enumerate(code, 1) if re.match(r"[A-Z_]+ = Term\(", line)]  # of another's function
        for function in {term.value for term in A.update.terms if inspect.getsourcefile(term.value) == str(py_path)}:
            first_line = function.__code__.co_firstlineno
            lines += range(first_line, first_line + len(inspect.getsourcelines(function)[0]))
        for n in lines:
            updates_of_line.setdefault((py_path.relative_to(ROOT).as_posix(), n), []).append(text)
    return updates_of_line


def _wholes(tag: str, files: list[str]) -> list[str]:
    lines = ((file, n) for file in files for n in _tagged(file)[tag])
    return list(dict.fromkeys(whole for line in lines for whole in terms().get(line, [])))


# The cards ----------------------------------------------------------------------------------------------------------


def cards() -> str:
    """JavaScript with {slug: HTML of a card}; addresses in it are from the root of the site, which is {{root}}."""
    return f"const EQUATION_CARDS = {json.dumps({slug(x.tag): card(x) for x in equations()}, ensure_ascii=False)};\n"


def card(equation: Equation) -> str:
    """The card of an equation: its name, its formulas and letters, its lines and tests, and what the code calls it."""
    address = f"{{{{root}}}}{page_of(equation.tag)}.html#{slug(equation.tag)}"
    parts = [f'<a href="{address}"><strong>{html.escape(equation.tag)}</strong></a> {html.escape(equation.name)}']
    formula = next((x for _, _, x in equation.derived if x), "")
    if equation.printed:
        errors = (f'<a href="{{{{root}}}}ERRATA.html#{error.id}">error in print</a>' for error in equation.errors)
        error_links = f" ({', '.join(errors)})" if equation.errors else ""
        parts.append(f'in the paper{error_links}: <span class="math">\\[{html.escape(equation.printed)}\\]</span>')
    if formula:
        parts.append(f'in this book: <span class="math">\\[{html.escape(formula)}\\]</span>')
    if equation.letters:
        pairs = (f'{name}: <span class="math">\\({html.escape(letter)}\\)</span>' for name, letter in equation.letters)
        parts.append("the paper's letters: " + ", ".join(pairs))
    parts.append(f"in the names of the code: {html.escape(equation.says)}")
    for file, n, text in equation.code:
        parts.append(f'<a href="{{{{root}}}}{url(file, n)}">{file}:{n}</a>: <code>{html.escape(text)}</code>')
    for text in equation.whole:
        parts.append("as a whole: " + re.sub("`(.*?)`", r"<code>\1</code>", text))
    if equation.none:
        parts.append(f"no code: {html.escape(equation.none)}")
    for file, n, test_name in equation.tests:
        parts.append(f'test: <a href="{{{{root}}}}{url(file, n)}">{test_name}</a>')
    for chapter, number, _ in equation.derived:
        anchor = f"#{derivation(number, equation.tag)}" if is_derived(equation.tag) else ""
        parts.append(f'<a href="{{{{root}}}}chapters/{chapter}.html{anchor}">derived in chapter {number}</a>')
    return "".join(f"<div>{part}</div>" for part in parts)
