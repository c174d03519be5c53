"""Build the slides of the lectures: python chapters/slides.py [FOLDER], by default slides/.

Each lecture is one HTML file that needs no network. chapters/lectures.toml names the cells that it shows. From a cell
with text a slide takes the heading of each section and its formulas, each with the sentence before it; if it has none,
its list, or else its first paragraph. From a cell with code it takes the pictures with their captions; if it has none,
what the cell printed, and its code if it has the tag `show`. The speaker's notes, key S, have the whole text.
"""

import base64
import re
import sys
import tomllib
from pathlib import Path

import book
import nbformat

HEADING = re.compile(r"^(#+ .*)$", re.MULTILINE)
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
ITEM = re.compile(r"^- .*(?:\n  .*)*", re.MULTILINE)
LINK = re.compile(r"\[([^\[\]]*)\]\([^)\s]*\)")
SENTENCE = re.compile(r"(?<=[.?!])(?<!App\.)\s+(?=[A-Z(])")
LINES, LETTERS = 16, 85  # of a slide below its heading, and of a line
PICTURE = '<figure><img src="data:image/svg+xml;base64,{}" alt="{}"></figure>\n\n<div class="caption">\n\n{}\n\n</div>'
LECTURES = tomllib.loads((book.HERE / "lectures.toml").read_text("utf-8"))["lecture"]  # a title, {chapter: ids}


def cells(chapter: str) -> dict[str, tuple]:
    """{id of a cell: (the last heading above it, the cell)} of the chapter with a number."""
    (path,) = book.HERE.glob(f"{chapter}_*.ipynb")
    heading, cell_of_id = "", {}
    for cell in book.read(path).cells:
        cell_of_id[cell.id] = heading, cell
        if cell.cell_type == "markdown":
            heading = [heading, *HEADING.findall(cell.source)][-1]
    return cell_of_id


def sections(above: str, source: str) -> list[tuple[str, str]]:
    """(heading, text without links) of a cell's sections. The end of the one above counts if it has formulas."""
    parts = HEADING.split(LINK.sub(r"\1", source))
    pairs = list(zip([above, *parts[1::2]], parts[::2], strict=True))
    start = 0 if len(pairs) == 1 or FORMULA.search(parts[0]) else 1
    return [(heading, text.strip()) for heading, text in pairs[start:] if text.strip() and heading != "## Exercises"]


def pages(text: str) -> list[list[str]]:
    """What the slides of a section take from its text, one after the other."""
    leads = [SENTENCE.split(" ".join(words.split()))[-1] for words in FORMULA.split(text)]
    formulas = [f"{lead}\n\n{formula}" for lead, formula in zip(leads, FORMULA.findall(text), strict=False)]
    slides, lines_left = [], 0
    for point in formulas or ITEM.findall(text) or [text.partition("\n\n")[0]]:
        rows = ("$$" in point) + point.count(r"\\")  # of a formula, each as high as three lines
        lines = len(point.partition("$$")[0]) // LETTERS + 1 + 3 * rows
        if lines > lines_left:
            slides.append([])
            lines_left = LINES
        slides[-1].append(point)
        lines_left -= lines
    return slides


def of_text(above: str, cell) -> list:
    """The slides of a cell with text, each with its notes."""
    text_slides = [(text, "\n\n".join([head, *x])) for head, text in sections(above, cell.source) for x in pages(text)]
    return [cell for text, slide in text_slides for cell in (markdown(slide), markdown(text, "notes"))]


def of_code(above: str, cell) -> list:
    """The slides of a cell with code: one for each picture, or one with what it printed."""
    heading, metadata, outputs = f"## {above.lstrip('# ')}", cell.metadata, [x.get("data", {}) for x in cell.outputs]
    svg = [base64.b64encode(mime["image/svg+xml"].encode()).decode() for mime in outputs if "image/svg+xml" in mime]
    if svg:
        return [markdown(f"{heading}\n\n{PICTURE.format(image, metadata.alt, metadata.caption)}") for image in svg]
    code = [f"```python\n{cell.source}\n```"] if "show" in metadata.get("tags", []) else []
    blocks = [f"```\n{output.text}\n```" for output in cell.outputs if "text" in output]
    return [markdown("\n\n".join([heading, *code, *blocks]))]


def markdown(source: str, slide_type: str = "slide"):
    """A cell that begins a slide, or is its notes."""
    return nbformat.v4.new_markdown_cell(source, metadata={"slideshow": {"slide_type": slide_type}})


def html(lecture: dict) -> str:
    """The slides of a lecture as a page that contains reveal.js, MathJax and the pictures."""
    import mathjax
    import sphinx_revealjs  # it has reveal.js as files
    from nbconvert.exporters import SlidesExporter

    slides = [markdown(f"# {lecture['title']}")]
    for above, cell in [cells(chapter)[i] for chapter in lecture if chapter != "title" for i in lecture[chapter]]:
        slides += of_text(above, cell) if cell.cell_type == "markdown" else of_code(above, cell)
    reveal_folder = Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
    mathjax_path = Path(mathjax.__file__).parent / "static" / "mathjax" / "es5" / "tex-svg.js"
    scripts = [mathjax_path, reveal_folder / "dist" / "reveal.js", reveal_folder / "plugin" / "notes" / "notes.js"]
    styles = [reveal_folder / "dist" / "reset.css", reveal_folder / "dist" / "reveal.css"]
    file_texts = {"scripts": [x.read_text("utf-8") for x in scripts], "styles": [x.read_text("utf-8") for x in styles]}
    notebook = nbformat.v4.new_notebook(cells=slides, metadata={"title": lecture["title"]})
    template = (book.HERE / "slides.html.j2").read_text("utf-8")
    return SlidesExporter(raw_template=template).from_notebook_node(notebook, file_texts)[0]


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else book.ROOT / "slides")
    folder.mkdir(parents=True, exist_ok=True)
    for number, lecture in enumerate(LECTURES, 1):
        (folder / f"lecture-{number}.html").write_text(html(lecture), "utf-8")
    print(f"Open {folder / 'lecture-1.html'} in a browser.")
