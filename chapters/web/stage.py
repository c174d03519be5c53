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
from .cells import WIDE, staged

DOCUMENTS = {  # pages as they stand in the repository: path, title in the contents
    "ERRATA.md": "Errors in print",
    "figures/LEDGER.md": "The ledger of claims",
    "chapters/pages/questions.md": "The questions people ask",
    "chapters/pages/commands.md": "The commands",
    "chapters/pages/python.md": "In Python",
    "chapters/pages/your_own_update.md": "Your own update in ten minutes",
    "lda_reference/oracle/GUIDE.md": "For porters: the guide to the oracle",
    "lda_reference/oracle/PORTS.md": "Ports that pass",
    "figures/CONFORMANCE.md": "Who conforms",
    "figures/WILD.md": "Public implementations",
    "figures/BENCHMARK.md": "How fast it is",
    "figures/peers/posteriordb/README.md": "Reference posteriors for posteriordb",
    "figures/search/protocol.md": "The protocol of the study of search",
    "CONTRIBUTING.md": "Contributing",
}
ON_PAPERS = 2  # documents, the first ones
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
TITLE = "Inference for latent Dirichlet allocation, derived and checked"
SITE = {".html", ".ipynb", ".md", ".png"}


def stage(folder: Path, chapters: list[Path], modules: list[str] | None = None) -> None:
    """Write the source of the site; `modules` are those of the reference, all of the package by default."""
    folder.mkdir(parents=True, exist_ok=True)
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
    for name in DOCUMENTS:
        text = papers.with_links(name, (ROOT / name).read_text("utf-8"))
        text = text.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
        write(folder / name, with_tests(relinked(text, os.path.dirname(name))))
    for name, text in papers.pages(titles).items():
        write(folder / f"{name}.md", with_tests(text))
    write(folder / "static" / "entries.js", papers.search_data(summaries))
    scripts(folder / "static")
    write(folder / "figures" / "index.md", figures())
    for path in sorted((ROOT / "figures").glob("*/*.png")):
        (folder / "figures" / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, folder / "figures" / path.parent.name / path.name)
    packages = packages_of(all_modules() if modules is None else modules)
    for package, members in packages.items():
        write(folder / "api" / f"{package}.rst", reference(package, members))
    write(folder / "api" / "index.rst", reference_index(packages))
    write(folder / "index.md", index(chapters, titles))


def scripts(folder: Path) -> None:
    """Write the scripts that are made: the cards of equations, and what the widgets need."""
    write(folder / "cards.js", equations.cards())
    for name, text in widgets.files().items():
        write(folder / "widgets" / name, text)


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
        file, line, name = equations.place_of_test(match[1])
        return f"{{source}}`{name} <{file}:{line}>`"

    return re.sub(r"`(tests/[\w/]+\.py::\w+)`", link, text)


def index(chapters: list[Path], titles: dict[str, str]) -> str:
    """The first page: the chapters with their questions, and the contents of the sidebar."""
    items = []
    for path in chapters:
        notebook = nbformat.read(path, 4)
        items.append(f"[{title(notebook)}](chapters/{path.name})\n: {question(notebook)}")
    documents = [f"{words} <{name.removesuffix('.md')}>" for name, words in DOCUMENTS.items()]
    toctrees = {
        "Chapters": [f"{titles[path.stem]} <chapters/{path.stem}>" for path in chapters],
        "The papers": [
            *papers.contents(),
            "Their figures, redrawn <figures/index>",
            *documents[:ON_PAPERS],
        ],
        "The package": ["Reference <api/index>", *documents[ON_PAPERS:]],
    }
    trees = [
        "\n".join([":::{toctree}", ":hidden:", ":maxdepth: 1", f":caption: {caption}", "", *pages, ":::"])
        for caption, pages in toctrees.items()
    ]
    return "\n\n".join([f"# {TITLE}", INTRODUCTION, *items, *trees]) + "\n"


INTRODUCTION = """Each chapter asks one question, derives its equations step by step, and checks each of them by a
computation. A tag such as TNW06 (6) names an equation by its paper and number; it is a link to the
[page of its paper](equations.md)."""


def figures() -> str:
    """The page of the papers' figures, with what their scripts say."""
    parts = ["# The papers' figures, redrawn", FIGURES]
    for script in sorted((ROOT / "figures").glob("*/*.py")):
        room, pictures = script.parent, sorted(script.parent.glob(f"{script.stem}.png"))
        if script.stem == "runs":
            pictures += sorted(room.glob("fig*.png"))
        if not pictures:
            continue
        name = room.name if script.stem == "runs" else f"{room.name}, {script.stem}"
        path = script.relative_to(ROOT).as_posix()
        says = papers.purpose(script)
        parts.append(f"## {name}\n\n{says}")
        parts.append(f"Drawn by {{source}}`{path} <{path}>`.")
        for picture in pictures:
            number = re.search(r"^fig(\d+)$", picture.stem)
            words = f"{room.name.upper()} Figure {number[1]}, redrawn" if number else says
            pixels = int.from_bytes(picture.read_bytes()[16:20])  # the width, in the header of every PNG
            options = [f":alt: {words}", f":name: figure-{room.name}-{picture.stem}", f":width: {pixels}px"]
            options += [":figclass: wide"] * (pixels > WIDE)
            parts.append("\n".join([f"::::{{figure}} {room.name}/{picture.name}", *options, "", words, "::::"]))
    return "\n\n".join(parts) + "\n"


FIGURES = "What was claimed in each, and what came of the claim, is in the [ledger](LEDGER.md)."


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
        below = module.split(".")[1:2]
        is_package = below and (ROOT / "lda_reference" / below[0]).is_dir()
        packages.setdefault(".".join(["lda_reference", *below[: bool(is_package)]]), []).append(module)
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
    thing = importlib.import_module(module)
    found = []
    for name in getattr(thing, "__all__", []):
        value = getattr(thing, name)
        if inspect.isroutine(value) or inspect.isclass(value):
            if value.__module__ != module:
                found.append(f"- :py:obj:`{name} <{value.__module__}.{name}>`")
        elif place := assigned(name, Path(thing.__file__)):
            found.append(f"- :source:`{name} <{place}>`")
    return found


def assigned(name: str, package: Path) -> str:
    """The file and the line, as `file.py:3`, where a module of a package beside its own assigns a name."""
    for path in sorted(package.parent.rglob("*.py")) if package.name == "__init__.py" else []:
        for node in ast.parse(path.read_text("utf-8")).body if path != package else []:
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if any(isinstance(x, ast.Name) and x.id == name for x in targets):
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
