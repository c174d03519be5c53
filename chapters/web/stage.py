"""The source of the site: what Sphinx reads, made from the chapters and documents in a folder of its own."""

import ast
import importlib
import inspect
import os
import re
import shutil
from pathlib import Path

import nbformat

from lda_reference.app.where import ROOT

from . import equations, papers, widgets
from .cells import WIDE, exercise, figure, linked, staged, width, with_answers

DOCUMENTS = {  # pages as they stand in the repository: path, title in the contents
    "ERRATA.md": "Errors in print",
    "figures/LEDGER.md": "The ledger of claims",
    "chapters/pages/questions.md": "The questions people ask",
    "chapters/pages/numbers.md": "Your program's numbers",
    "chapters/pages/commands.md": "The commands",
    "chapters/pages/python.md": "In Python",
    "chapters/pages/machines.md": "More than one machine",
    "chapters/pages/your_own_update.md": "Your own update in ten minutes",
    "chapters/pages/lectures.md": "For lecturers: a plan",
    "lda_reference/oracle/GUIDE.md": "For porters: the guide to the oracle",
    "lda_reference/oracle/PORTS.md": "Ports that pass",
    "figures/CONFORMANCE.md": "Who conforms",
    "figures/WILD.md": "Public implementations",
    "figures/BENCHMARK.md": "How fast it is",
    "figures/peers/posteriordb/README.md": "Reference posteriors for posteriordb",
    "figures/PRIORS.md": "What a learned prior changes",
    "figures/search/protocol.md": "The protocol of the study of search",
    "CONTRIBUTING.md": "Contributing",
}
ON_PAPERS = 2  # documents, the first ones
EXERCISES = sorted((ROOT / "lda_reference" / "exercises").glob("*.ipynb"))
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
TITLE = "Inference for latent Dirichlet allocation, derived and checked"
SITE = {".html", ".ipynb", ".md", ".png", ".svg"}


def stage(folder: Path, chapters: list[Path], modules: list[str] | None = None) -> None:
    """Write the source of the site; `modules` are those of the reference, all of the package by default."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "chapters" / "pictures", folder / "chapters" / "pictures", dirs_exist_ok=True)  # for links
    titles, summaries = {}, papers.summaries()
    for path in chapters:
        notebook = nbformat.read(path, 4)
        titles[path.stem] = title(notebook).partition(":")[0]
        summaries[f"chapters/{path.stem}"] = question(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = relinked(cell.source, "chapters")
        (folder / "chapters").mkdir(exist_ok=True)
        write(folder / "chapters" / path.name, nbformat.writes(staged(notebook, path.name[:2], folder / "chapters")))
    for path in EXERCISES:
        notebook, place = nbformat.read(path, 4), path.parent.relative_to(ROOT)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = relinked(cell.source, place.as_posix())
        write(folder / place / path.name, nbformat.writes(exercise(notebook, path.stem, folder / place)))
    for document in DOCUMENTS:
        text = papers.with_links(document, (ROOT / document).read_text("utf-8"))
        text = text.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
        write(folder / document, with_tests(with_answers(relinked(text, os.path.dirname(document)))))
    for page_name, text in papers.pages(titles).items():
        write(folder / f"{page_name}.md", with_tests(text))
    write(folder / "static" / "entries.js", papers.search_data(summaries))
    scripts(folder / "static")
    write(folder / "figures" / "index.md", figures())
    for path in sorted((ROOT / "figures").glob("*/*.[ps][nv]g")):
        (folder / "figures" / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, folder / "figures" / path.parent.name / path.name)
    packages = packages_of(all_modules() if modules is None else modules)
    for package, members in packages.items():
        write(folder / "api" / f"{package}.rst", reference(package, members))
    write(folder / "api" / "index.rst", reference_index(packages))
    write(folder / "try.md", TRY)
    shutil.copy(ROOT / "chapters" / "pictures" / "00-race.svg", folder / "00-race.svg")
    write(folder / "index.md", index(chapters, titles))


def scripts(folder: Path) -> None:
    """Write the scripts that are made: the cards of equations, and what the widgets need."""
    write(folder / "cards.js", equations.cards())
    for file_name, text in widgets.files().items():
        write(folder / "widgets" / file_name, text)


def write(path: Path, text: str) -> None:
    """Write a file if its text is new, so that Sphinx reads again only what has changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def title(notebook) -> str:
    """The first heading of a chapter."""
    return notebook.cells[0].source.splitlines()[0].lstrip("# ")


def question(notebook) -> str:
    """The first paragraph of a chapter, the question that it answers."""
    return " ".join(notebook.cells[0].source.split("\n\n")[1].strip("*").split())


def relinked(text: str, folder: str) -> str:
    """Markdown of a file in `folder` of the repository, its links to code and to headings as those of the site."""

    def link(match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        path, _, anchor = target.partition("#")
        if picture or "://" in target:
            return match[0]
        if not path or os.path.splitext(path)[1] in SITE:  # Jupyter's anchors keep capitals, Sphinx's do not
            heading = "#" + re.sub(r"[^\w-]", "", anchor).lower() if anchor else ""
            return f"[{words}]({path}{heading})"
        line = re.fullmatch(r"L(\d+)", anchor)
        file = os.path.normpath(os.path.join(folder, path))
        return f"{{source}}`{words.strip('`')} <{file}{f':{line[1]}' if line else ''}>`"

    return LINK.sub(link, text)


def with_tests(text: str) -> str:
    """Markdown in which tests, such as `tests/test_errata.py::test_x`, are links to their code."""

    def link(match: re.Match[str]) -> str:
        file, line, test_name = equations.place_of_test(match[1])
        return f"{{source}}`{test_name} <{file}:{line}>`"

    return re.sub(r"`(tests/[\w/]+\.py::\w+)`", link, text)


def index(chapters: list[Path], titles: dict[str, str]) -> str:
    """The first page: the race, the ways in, the map of the chapters, and the contents of the sidebar."""
    notebooks = {path: nbformat.read(path, 4) for path in chapters}
    items = [f"[{title(x)}](chapters/{path.name})\n: {question(x)}" for path, x in notebooks.items()]
    race_svg, map_svg = ((ROOT / "chapters" / "pictures" / f"00-{x}.svg").read_text("utf-8") for x in ("race", "map"))
    parts = [f"# {TITLE}", INTRODUCTION, INSTALL]
    parts += [figure("race", "00-race.svg", RACE, RACE_ALT, race_svg, "race"), WAYS, "## The chapters", CHAPTERS]
    parts += [figure("map", "", "", "The chapters by subject.", linked(map_svg, "chapters/"))]
    parts.append("\n".join(["::::{dropdown} The question of each chapter", "\n\n".join(items), "::::"]))
    documents = [f"{words} <{name.removesuffix('.md')}>" for name, words in DOCUMENTS.items()]
    toctrees = {
        "Chapters": [f"{titles[path.stem]} <chapters/{path.stem}>" for path in chapters],
        "Exercises": [f"{title(nbformat.read(x, 4))} <{x.relative_to(ROOT).with_suffix('')}>" for x in EXERCISES],
        "The papers": [
            *papers.contents(),
            "Their figures, redrawn <figures/index>",
            *documents[:ON_PAPERS],
        ],
        "The package": ["Try it on your own text <try>", "Reference <api/index>", *documents[ON_PAPERS:]],
    }
    trees = [
        "\n".join([":::{toctree}", ":hidden:", ":maxdepth: 1", f":caption: {caption}", "", *pages, ":::"])
        for caption, pages in toctrees.items()
    ]
    return "\n\n".join([*parts, *trees]) + "\n"


INTRODUCTION = """Latent Dirichlet allocation (LDA) finds topics in a collection of documents. This book derives the
algorithms that fit it, equation by equation, from the papers in which they appeared. After each step a computation
checks it."""
INSTALL = """The package needs Python 3.11 or later. In the folder of its repository, `python -m pip install .`
installs it. [The page of commands](chapters/pages/commands.md) and [that on Python](chapters/pages/python.md) go on."""
RACE = """**The race.** Three algorithms look for the same ten topics, which are the bars of a square of five by five
pixels. Each document is a picture in which a few bars overlap. At first all topics look alike."""
RACE_ALT = "Ten topics of CVB0 as squares of pixels, after 0 to 30 sweeps. They are grey at first, and bars at the end."
WAYS = """::::{grid} 1 2 2 2
:gutter: 3

:::{grid-item-card} You want to learn it
:link: chapters/00_what_lda_is_for
:link-type: doc
Begin with chapter 00. Eight chapters are the core path, which takes five hours.
:::
:::{grid-item-card} You have a paper open
[Teh, Newman and Welling](papers/tnw06.md), [Asuncion and others](papers/awst09.md), [Soleimani](papers/sol14.md),
[Sato and Nakagawa](papers/sn12.md) or [the Boojum prior](papers/boo16.md): its equations in code, its errors, and its
figures, redrawn.
:::
:::{grid-item-card} You port an algorithm
:link: lda_reference/oracle/GUIDE
:link-type: doc
The oracle sends test vectors to your program and tells you what it got wrong.
:::
:::{grid-item-card} You have texts
:link: try
:link-type: doc
Try CVB0 on a text of your own, in the page. Two commands do the same for a folder of texts.
:::
::::"""
TRY = """# Try it on your own text

CVB0 finds topics in the text below, in your browser. [The commands](chapters/pages/commands.md) do it for a folder.

```{raw} html
<figure class="widget is-text" id="figure-text"><p>This page needs scripts, which are off.</p>
<figcaption><p><strong>CVB0 at work.</strong> <span></span></p></figcaption></figure>
```
"""
CHAPTERS = """Each chapter asks one question. The core path is 00, 01, 03, 04, 06, 08, 10 and 14; the other chapters
are excursions from it. A tag such as TNW06 (6) names an equation by its paper and number, and is a link to it."""


def figures() -> str:
    """The page of the papers' figures, with what the ledger says below each and its claims."""
    ledger = (ROOT / "figures" / "LEDGER.md").read_text("utf-8")
    parts = ["# The papers' figures, redrawn", FIGURES]
    for paper, section in re.findall(r"^## ([A-Z]+\d\d)$(.*?)(?=^## |\Z)", ledger, re.DOTALL | re.MULTILINE):
        parts.append(f"## {equations.sources()[paper]}")
        claims = re.findall(r"^### (.+?): (.+?)$.*?^\*\*(.+?)\.\*\*", section, re.DOTALL | re.MULTILINE)
        for number, file, words in sorted(
            re.findall(r"!\[[A-Z]+\d\d Figure (\d), redrawn\]\((.+?)\)\n\n(.+)\n", section)
        ):
            lines = [f"- {says} *{verdict}.*" for where, says, verdict in claims if number in where.partition("Fig")[2]]
            file_name = file.removesuffix(".svg").replace("/", "-")
            pixels = width((ROOT / "figures" / file).read_text("utf-8"))
            options = [f":alt: {paper} Figure {number}, redrawn", f":name: figure-{file_name}", f":width: {pixels}px"]
            options += [":figclass: wide"] * (pixels > WIDE)
            parts.append(f"### {paper} Figure {number}")
            parts.append("\n".join([f"::::{{figure}} {file}", *options, "", words.partition(" Its claim")[0], "::::"]))
            parts.append("These claims rest on it:\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


FIGURES = """Below each figure stand what the paper's own figure shows, what is drawn here and on which data, and the
verdict on each claim. The [ledger](LEDGER.md) has the comparisons behind the verdicts. The figures are drawn by the
scripts in {source}`figures/ <figures/ledger.py>` from stored runs."""


def all_modules() -> list[str]:
    """The modules of the package, by their names."""
    paths = sorted((ROOT / "lda_reference").rglob("*.py"))
    return sorted(
        path.relative_to(ROOT).as_posix().removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in paths
    )


def packages_of(modules: list[str]) -> dict[str, list[str]]:
    """{package: its modules}, for the pages of the reference: those of the top, and one for each package below it."""
    packages: dict[str, list[str]] = {}
    for module in modules:
        subpackage = module.split(".")[1:2]
        is_package = subpackage and (ROOT / "lda_reference" / subpackage[0]).is_dir()
        packages.setdefault(".".join(["lda_reference", *subpackage[: bool(is_package)]]), []).append(module)
    return packages


def reference(package: str, modules: list[str]) -> str:
    """The page of a package in reStructuredText: its modules, and the names that it offers from them."""
    lines = [package, "=" * len(package), ""]
    for module in modules:
        if module != package:
            lines += [module, "-" * len(module), ""]
        lines += [f".. automodule:: {module}", "   :members:", "   :undoc-members:", "   :ignore-module-all:"]
        lines += ["   :member-order: bysource", ""]
        names = offered(module)
        lines += ["Names from its modules:", "", *names, ""] if names else []
    return "\n".join(lines)


def offered(module: str) -> list[str]:
    """The names that a module offers from others, as links to their entries, or to their code if they are data."""
    imported = importlib.import_module(module)
    links = []
    for name in getattr(imported, "__all__", []):
        member = getattr(imported, name)
        if inspect.isroutine(member) or inspect.isclass(member):
            if member.__module__ != module:
                links.append(f"- :py:obj:`{name} <{member.__module__}.{name}>`")
        elif place := assigned(name, Path(imported.__file__)):
            links.append(f"- :source:`{name} <{place}>`")
    return links


def assigned(name: str, package: Path) -> str:
    """The file and the line, as `file.py:3`, where a module of a package beside its own assigns a name."""
    for path in sorted(package.parent.rglob("*.py")) if package.name == "__init__.py" else []:
        for node in ast.parse(path.read_text("utf-8")).body if path != package else []:
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
    return ""


def reference_index(packages: dict[str, list[str]]) -> str:
    """The contents of the reference."""
    lines = "\n".join(f"   {package}" for package in packages)
    return f"Reference\n=========\n\n{REFERENCE}\n\n.. toctree::\n   :maxdepth: 2\n\n{lines}\n"


REFERENCE = (
    "The modules of the package, from their docstrings. Each object has a link to its code, and the tags there lead"
    " back to the derivations."
)
