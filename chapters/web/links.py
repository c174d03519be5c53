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
        attributes = {name: html.unescape(raw) for name, _, raw in re.findall(r"""([\w-]+)=(["'])(.*?)\2""", inside)}
        if tag == "a" and "href" in attributes:
            page.links.add(attributes["href"])
        if tag in LOADS and LOADS[tag] in attributes and attributes.get("rel", "") not in NOT_LOADED:
            page.loads.add(attributes[LOADS[tag]])
        if tag == "img" and ("alt" not in attributes or "No description" in attributes["alt"]):
            page.unnamed.append(attributes.get("src", ""))
    for element, pattern in (("style", IN_CSS), ("script", IN_JS)):
        for code in re.findall(rf"<{element}.*?</{element}>", text, re.DOTALL):
            page.loads.update(pattern.findall(code))
    return page


def faults(folder: Path) -> list[str]:
    """What is wrong in the pages of a folder, a line each; empty if nothing is."""
    paths = [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]
    pages = {path: read(path.read_text("utf-8")) for path in paths}
    fault_lines = []
    for path, page in pages.items():
        page_name = path.relative_to(folder)
        fault_lines += [f"{page_name}: a picture without a text, {src}" for src in page.unnamed]
        for target in sorted(page.links | page.loads):
            if re.match(r"(https?:)?//", target):
                fault_lines += [f"{page_name}: loads {target}"] if target in page.loads else []
            elif not re.match(r"(mailto|data|javascript):", target):
                fault_lines += [f"{page_name}: {target} leads nowhere"] if not _exists(path, target, pages) else []
    for path in sorted(folder.rglob("*")):
        pattern = {".css": IN_CSS, ".js": IN_JS}.get(path.suffix)
        if pattern and "mathjax" not in path.parts:  # MathJax is configured to load nothing from elsewhere
            fault_lines += [f"{path.relative_to(folder)}: loads {x}" for x in pattern.findall(path.read_text("utf-8"))]
    return fault_lines


def _exists(path: Path, target: str, pages: dict[Path, Page]) -> bool:
    """Whether a link of a page leads to a file, and to an id in it if it names one."""
    file, _, anchor = target.partition("#")
    target_path = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
    if target_path not in pages:
        return target_path.is_file()
    return not anchor or unquote(anchor) in pages[target_path].ids
