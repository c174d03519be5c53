"""A chapter as the site shows it: code of pictures and checks folded, pictures with numbers, captions and alt texts.

A cell's tags overrule what is recognised: `show` leaves its code open, `hide-input` folds it, and `headline` leaves its
checks in sight. The metadata of a cell with a picture have its `caption` and its `alt`, and may have the `widget` that
takes the place of its first picture where scripts run.
"""

import ast
import base64
import html
import re
from pathlib import Path
from typing import NamedTuple

import nbformat

from lda_reference.app.where import KEY

from .widgets import checked

CHECK = "✓"
OPEN = "Write it yourself"  # a heading, below which the code is in sight
WIDE = 680  # pixels; a wider picture scrolls on a narrow screen
NAMES_AN_EQUATION = re.compile(rf"\(\d+\)|§\d|Fig\. \d|\[\w+\]|{KEY}")
ANSWER = re.compile(r"^(\s*)<details><summary>(.*?)</summary>\s*?$", re.MULTILINE)
END_OF_ANSWER = re.compile(r"^(\s*)</details>\s*?$", re.MULTILINE)


class Output(NamedTuple):
    """The outputs of a code cell by kind."""

    printed: str  # text without the lines of checks
    checks: list[str]  # what each check compared, without the tick
    pictures: list[str]  # SVG
    others: list  # outputs that stay as they are, such as tables in HTML


def outputs_of(cell) -> Output:
    """The outputs of a code cell by kind."""
    printed, checks, pictures, extras = [], [], [], []
    for output in cell.outputs:
        if output.output_type == "stream":
            for line in output.text.splitlines():
                (checks if line.startswith(CHECK) else printed).append(line)
        elif "image/svg+xml" in output.get("data", {}):
            pictures.append(linked(output.data["image/svg+xml"]))
        elif "text/markdown" not in output.get("data", {}):  # which is the caption
            if "text/html" in output.data:
                output.data["text/html"] = linked(output.data["text/html"])
            extras.append(output)
    return Output("\n".join(printed).strip("\n"), [x.removeprefix(CHECK).strip() for x in checks], pictures, extras)


def linked(text: str, folder: str = "") -> str:
    """HTML or SVG of a chapter, with links to the pages of chapters, as seen from the folder above `folder`."""
    return re.sub(r'href="([^":]*)\.ipynb', rf'href="{folder}\1.html', text)


def staged(notebook, number: str, folder: Path):
    """The chapter as myst-nb is to show it; its pictures are written to `folder`/pictures.

    `number` is the chapter's, as in the name of its file.
    """
    has_headlines = any("headline" in cell.metadata.get("tags", []) for cell in notebook.cells)
    heading, n_figures, cells = "", 0, []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = (re.findall(r"^#+ (.+)$", cell.source, re.MULTILINE) or [heading])[-1]
            cells.append(nbformat.v4.new_markdown_cell(with_answers(cell.source)))
            continue
        output = outputs_of(cell)
        widget = checked(cell.metadata["widget"]) if "widget" in cell.metadata else ""
        if widget and not output.pictures:
            raise ValueError(f"cell {cell.id} has the widget {widget!r}, but no picture")
        headline = [check for check in output.checks if _is_headline(check, cell, has_headlines)]
        folded = [check for check in output.checks if check not in headline]
        code_cell = _code(cell, output, folded, heading)
        for n, picture in enumerate(output.pictures):
            n_figures += 1
            name = f"{number}-{cell.id}{f'-{n + 1}' if n else ''}"
            (folder / "pictures").mkdir(exist_ok=True)
            (folder / "pictures" / f"{name}.svg").write_text(picture, "utf-8")
            label = f"Figure {number.lstrip('0') or 0}.{n_figures}"
            caption = f"**{label}.** {cell.metadata['caption']}"
            block = figure(name, f"pictures/{name}.svg", caption, cell.metadata["alt"], picture, "" if n else widget)
            cells.append(nbformat.v4.new_markdown_cell(block))
        cells.append(code_cell)
        if _folds_whole(cell, output):
            folded = []
        if headline or folded:
            cells.append(nbformat.v4.new_markdown_cell(checks(headline, folded)))
    for n, cell in enumerate(cells):
        cell["id"] = f"cell-{n}"
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def exercise(notebook, name: str, folder: Path):
    """An exercise as myst-nb, which knows no attachments, is to show it; its picture is written to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_answers(cell.source).replace("attachment:picture.png", f"{name}.png")
        for picture in cell.pop("attachments", {}).values():
            (folder / f"{name}.png").write_bytes(base64.b64decode(picture["image/png"]))
    return notebook


def with_answers(source: str) -> str:
    """The text of a cell, its answers in folds of sphinx-design instead of HTML."""
    return END_OF_ANSWER.sub(r"\1::::", ANSWER.sub(r"\1::::{dropdown} \2", source))


def figure(name: str, file: str, caption: str, alt: str, picture: str, widget: str = "") -> str:
    """The figure of a picture in MyST; a script finds the place of a widget by its class.

    A picture with links stands in the page itself, as those of a file cannot be followed.
    """
    pixels = width(picture)
    if "<a xlink:href=" in picture:
        svg = picture[picture.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{html.escape(alt)}"', 1)
        raw_block = f"```{{raw}} html\n{svg}\n```"
        return f"::::::{{container}} picture\n:name: figure-{name}\n\n{raw_block}\n\n{caption}\n::::::"
    classes = [*(["wide"] if pixels > WIDE else []), *(["widget", f"is-{widget}"] if widget else [])]
    return "\n".join(
        [
            f"::::{{figure}} {file}",
            f":name: figure-{name}",
            f":alt: {' '.join(alt.split())}",
            f":width: {pixels}px",
            *([f":figclass: {' '.join(classes)}"] if classes else []),
            "",
            caption,
            "::::",
        ]
    )


def width(picture: str) -> int:
    """The width in pixels at which a picture is shown: 100 for each of its inches, which have 72 points."""
    return round(float(re.search(r'<svg[^>]*? width="([\d.]+)pt"', picture)[1]) * 100 / 72)


def checks(headline: list[str], folded: list[str]) -> str:
    """The checks of a cell: those of an equation in sight, the others folded."""
    parts = []
    if headline:
        parts.append("\n".join(["````{checks}", *headline, "````"]))
    if folded:
        parts.append("\n".join([f"````{{checks}} {_counted(folded, bool(headline))}", *folded, "````"]))
    return "\n\n".join(parts)


def _counted(folded: list[str], is_more: bool) -> str:
    return f"{len(folded)} {'more ' if is_more else ''}check{'s' if len(folded) > 1 else ''}"


def _is_headline(check: str, cell, has_headlines: bool) -> bool:
    if has_headlines:
        return "headline" in cell.metadata.get("tags", [])
    return bool(NAMES_AN_EQUATION.search(check))


def _folds_whole(cell, output: Output) -> bool:
    """Whether a cell does nothing but check: it defines, draws and prints nothing."""
    has_other = output.printed or output.pictures or output.others or re.search(r"^\s*def ", cell.source, re.MULTILINE)
    return bool(output.checks) and not has_other and "show" not in cell.metadata.get("tags", [])


def _only_prepares(cell) -> bool:
    """Whether a cell begins with imports and has only imports and assignments, as the first of a chapter does."""
    body = ast.parse(cell.source).body
    node_kinds = (ast.Import, ast.ImportFrom, ast.Assign)
    return bool(body) and isinstance(body[0], node_kinds[:2]) and all(isinstance(node, node_kinds) for node in body)


def _code(cell, output: Output, folded: list[str], heading: str):
    """The code of a cell with what it printed, folded except where the reader is to write it, or the tag `show` is."""
    tags, prompt = set(cell.metadata.get("tags", [])), "Code"
    outputs = [nbformat.v4.new_output("stream", text=output.printed)] if output.printed else []
    outputs += output.others
    if _folds_whole(cell, output):
        prompt = "Code of the check"
        if folded:
            prompt = f"{CHECK} {_counted(folded, len(folded) < len(output.checks))}, and the code"
            outputs = [nbformat.v4.new_output("stream", text="\n".join(f"{CHECK} {check}" for check in folded))]
            tags.add("hide-cell")
        else:
            tags.add("hide-input")
    elif "show" not in tags and heading == "Exercises" and not output.pictures:
        prompt = "Code and result of the answer" if outputs else "Code of the answer"
        tags.add("hide-cell" if outputs else "hide-input")
    elif "show" not in tags and not heading.startswith(OPEN):
        if output.pictures:
            prompt = "Code of the figure"
        elif _only_prepares(cell) and not outputs:
            prompt = "Imports"
        tags.add("hide-input")
    metadata = {
        "tags": sorted(tags - {"show", "headline"}),
        "mystnb": {"code_prompt_show": prompt, "code_prompt_hide": prompt},
    }
    return nbformat.v4.new_code_cell(cell.source, outputs=outputs, metadata=metadata)
