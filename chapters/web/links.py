"""What may be wrong in a built site: links that lead nowhere, pictures without a text, and loads from a network."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LOADS = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href", "object": "data"}
NOT_LOADED = {"canonical", "search", "index", "next", "prev", "author", "genindex", "top"}
IN_CSS = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")
IN_JS = re.compile(r"""["'`]((?:https?:)?//[^"'`\s]+\.(?:js|mjs|css|woff2?|ttf|json|png|svg)(?:\?[^"'`]*)?)["'`]""")


class Page(HTMLParser):
    """The ids of a page, its links, what it loads, and its pictures without an alt text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.unnamed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.ids.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given and given.get("rel", "") not in NOT_LOADED:
            self.loads.append(given[LOADS[tag]])
        if tag == "img" and ("alt" not in given or "No description" in given["alt"]):
            self.unnamed.append(given.get("src", ""))


def faults(folder: Path) -> list[str]:
    """What is wrong in the pages of a folder, a line each; empty if nothing is."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: a picture without a text, {src}" for src in page.unnamed]
        for target in {*page.links, *page.loads}:
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
