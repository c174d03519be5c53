"""What may be wrong in a built site: links that lead nowhere, pictures without a text, and loads from a network."""

import html
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

LOADS = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href", "object": "data"}
NOT_LOADED = {"canonical", "search", "index", "next", "prev", "author", "genindex", "top"}
IN_CSS = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")
IN_JS = re.compile(r"""["'`]((?:https?:)?//[^"'`\s]+\.(?:js|mjs|css|woff2?|ttf|json|png|svg)(?:\?[^"'`]*)?)["'`]""")


class Page(NamedTuple):
    """The ids of a page, its links, what it loads, and its pictures without an alt text."""

    ids: set[str]
    links: set[str]
    loads: set[str]
    unnamed: list[str]


def read(text: str) -> Page:
    """What a page has, by its tags; regular expressions, since the parser of the standard library takes seconds."""
    page = Page(set(re.findall(r"""\s(?:id|name)=["']([^"']*)""", text)), set(), set(), [])
    for tag, inside in re.findall(r"<(a|script|img|source|iframe|link|object)\s([^>]*)>", text):
        given = {name: html.unescape(value) for name, _, value in re.findall(r"""([\w-]+)=(["'])(.*?)\2""", inside)}
        if tag == "a" and "href" in given:
            page.links.add(given["href"])
        if tag in LOADS and LOADS[tag] in given and given.get("rel", "") not in NOT_LOADED:
            page.loads.add(given[LOADS[tag]])
        if tag == "img" and ("alt" not in given or "No description" in given["alt"]):
            page.unnamed.append(given.get("src", ""))
    for kind, loads in (("style", IN_CSS), ("script", IN_JS)):
        for code in re.findall(rf"<{kind}.*?</{kind}>", text, re.DOTALL):
            page.loads.update(loads.findall(code))
    return page


def faults(folder: Path) -> list[str]:
    """What is wrong in the pages of a folder, a line each; empty if nothing is."""
    paths = [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]
    pages = {path: read(path.read_text("utf-8")) for path in paths}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: a picture without a text, {src}" for src in page.unnamed]
        for target in sorted(page.links | page.loads):
            if re.match(r"(https?:)?//", target):
                found += [f"{name}: loads {target}"] if target in page.loads else []
            elif not re.match(r"(mailto|data|javascript):", target):
                found += [f"{name}: {target} leads nowhere"] if not _exists(path, target, pages) else []
    for path in sorted(folder.rglob("*")):
        loads = {".css": IN_CSS, ".js": IN_JS}.get(path.suffix)
        if loads and "mathjax" not in path.parts:  # MathJax is configured to load nothing from elsewhere
            found += [f"{path.relative_to(folder)}: loads {x}" for x in loads.findall(path.read_text("utf-8"))]
    return found


def _exists(path: Path, target: str, pages: dict[Path, Page]) -> bool:
    """Whether a link of a page leads to a file, and to an id in it if it names one."""
    file, _, anchor = target.partition("#")
    other = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
    if other not in pages:
        return other.is_file()
    return not anchor or unquote(anchor) in pages[other].ids
