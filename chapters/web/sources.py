"""Pages of code: each file that the book links to, with line numbers, and tags that lead to the derivations."""

import html
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.osutil import relative_uri

from lda_reference.app.where import ROOT

from .tags import linked_comments

ROLE = re.compile(r"\{source\}`[^`<]*<([^`>:]+)(?::\d+)?>`")
LANGUAGES = {".py": "python", ".c": "c", ".js": "javascript", ".rs": "rust", ".toml": "toml", ".json": "json"}


def page(file: str) -> str:
    """The page of a file or folder of the repository, as Sphinx names pages."""
    return f"code/{file}"


def url(file: str, line: int | str | None = None) -> str:
    """The address of a file's page from the root of the site, at a line."""
    return f"{page(file)}.html" + (f"#L-{line}" if line else "")


class Source(SphinxRole):
    """A link to the page of a file: `text <lda_reference/model.py:12>`; the line is optional."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        text, file, line = re.fullmatch(r"(.*?)\s*<([^:]+)(?::(\d+))?>", self.text, re.DOTALL).groups()
        if not (ROOT / file).exists():
            return [], [self.inliner.reporter.warning(f"{file} is not in the repository", line=self.lineno)]
        base = self.env.app.builder.get_target_uri(self.env.docname)
        is_code = re.search(r"[./_]", text) or self.env.docname.startswith("api/")
        inner_node = nodes.literal(text, text) if is_code else nodes.inline(text, text)
        address = relative_uri(base, url(file)) + (f"#L-{line}" if line else "")  # relative_uri drops what follows a #
        return [nodes.reference("", "", inner_node, refuri=address, internal=True)], []


def linked_files(folder: Path) -> list[str]:
    """The files and folders of the repository to which the staged pages link, and the modules of the reference."""
    files: set[str] = set()
    for path in sorted((folder / "api").glob("*.rst")):
        for module in re.findall(r"automodule:: (\S+)", path.read_text("utf-8")):
            files.add(Path(inspect.getsourcefile(importlib.import_module(module))).relative_to(ROOT).as_posix())
    for path in sorted(folder.rglob("*.md")):
        files.update(ROLE.findall(path.read_text("utf-8")))
    for path in sorted(folder.rglob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            files.update(ROLE.findall("".join(cell["source"])))
    files.update(file.relative_to(ROOT).as_posix() for page_file in list(files) for file in _listed(ROOT / page_file))
    return sorted(file for file in files if (ROOT / file).exists())  # the role warns of others


def _listed(folder: Path) -> list[Path]:
    """The files that the page of a folder lists."""
    return sorted(path for path in folder.iterdir() if path.suffix in LANGUAGES) if folder.is_dir() else []


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """The pages of code for Sphinx's event html-collect-pages."""
    for file in linked_files(Path(app.srcdir)):
        yield page(file), {"title": file, "body": body(app, file)}, "page.html"


def body(app: Sphinx, file: str) -> str:
    """The HTML of the page of a file or folder."""
    page_path, path = f"{page(file)}.html", ROOT / file
    links = [("equations", "equations"), ("index", "contents")]
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    while module and f"api/{module}" not in app.env.found_docs:
        module = module.rpartition(".")[0]
    if module and path.suffix in ("", ".py"):
        links.insert(0, (f"api/{module}", f"reference of {module}"))
    link_line = " · ".join(f'<a href="{relative_uri(page_path, f"{x}.html")}">{words}</a>' for x, words in links)
    header = f"<h1>{html.escape(file)}</h1><p>{link_line}</p>"
    if path.is_dir():
        names = [listed_path.relative_to(ROOT).as_posix() for listed_path in _listed(path)]
        list_items = "".join(f'<li><a href="{relative_uri(page_path, url(name))}">{name}</a></li>' for name in names)
        return f"{header}<ul>{list_items}</ul>"
    text = path.read_text("utf-8")
    highlighter = app.builder.highlighter
    language = LANGUAGES.get(path.suffix, "text")
    code = highlighter.highlight_block(text, language, linenos="inline", lineanchors="L", anchorlinenos=True)
    code = re.sub(r'<span class="(?:n|p|w)">([^<]*)</span>', r"\1", code)  # these have no colour, and half of the bytes
    code = linked_comments(code, "../" * page_path.count("/"))
    return f'{header}<div class="source">{code}</div>'


def resolve(domain: str, object_names: dict[str, str]) -> str | None:
    """The address of an object's code from a page of the reference, for sphinx.ext.linkcode."""
    try:
        member = importlib.import_module(object_names["module"])
        for name in object_names["fullname"].split("."):
            member = getattr(member, name)
        member = inspect.unwrap(member)
        file = Path(inspect.getsourcefile(member)).relative_to(ROOT).as_posix()
        return f"../{url(file, inspect.getsourcelines(member)[1])}"
    except (AttributeError, TypeError, OSError, ValueError):  # data has no lines of its own
        return None
