"""Runs the chapters and renders them as linked pages.

    python chapters/book.py run [PART OF A NAME ...]    # runs them, and keeps their outputs in place
    python chapters/book.py check [PART OF A NAME ...]  # runs them, and fails where their outputs would change
    python chapters/book.py html [FOLDER]               # one page each, contents, and an index of equations; to book/

A run writes each picture to figures/ as well, by the number of its chapter and the id of its cell. The pages need
nothing from the network: MathJax and its fonts lie beside them.
"""

import base64
import html
import os
import re
import shutil
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from lda_reference.app.where import listed, tags_of

HERE = Path(__file__).parent
ROOT = HERE.parent
STILL = {"LDA_STILL": "1", "TQDM_DISABLE": "1", "OPENBLAS_NUM_THREADS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
TITLE = "lda_reference: inference for latent Dirichlet allocation, derived and checked"


def chapters(*parts):
    """Paths of the chapters, or of those whose names contain one of the parts."""
    return [x for x in sorted(HERE.glob("*.ipynb")) if not parts or any(part in x.name for part in parts)]


# Running ------------------------------------------------------------------------------------------------------------


def read(path):
    return nbformat.read(path, 4)


def executed(path):
    """The chapter with the outputs of a fresh run; an error in a cell is raised."""
    notebook = read(path)
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env={**os.environ, **STILL})
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def texts(notebook):
    """{id of a cell: the text that it put out}, streams first; pictures do not count; what went to stderr is marked."""
    found = {}
    for cell in notebook.cells:
        parts = []
        for output in sorted(cell.get("outputs", []), key=lambda output: output.output_type != "stream"):
            if output.output_type == "stream":
                parts.append(("stderr: " if output.name == "stderr" else "") + output.text)
            else:
                data = output.get("data", {})
                parts.append(data.get("text/html", data.get("text/plain", "")))
        found[cell.id] = "\n".join(parts)
    return found


def same(old, new):
    """Whether two texts are the same, but for one unit in the last printed digit of a number with a point."""
    if NUMBER.sub("0", old) != NUMBER.sub("0", new):
        return False
    return all(_near(a, b) for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True))


def _near(a, b):
    mantissa, _, exponent = a.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) if "." in a else 0.0
    return a == b or abs(float(a) - float(b)) <= 1.001 * unit


def changes(old, new):
    """What a run changed in a chapter's text, as lines that can be read; empty where nothing."""
    before, after = texts(old), texts(new)
    lines = [f"cell {i} writes to stderr: {text}" for i, text in after.items() if "stderr: " in text]
    for i, text in after.items():
        if not same(before[i], text):
            lines.append(f"cell {i} put out\n{text}\nwhere the chapter has\n{before[i]}")
    return lines


def pictures(path):
    """{name of a file in figures/: its bytes} of a chapter: its number and the id of the cell."""
    found = {}
    for cell in read(path).cells:
        outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
        for n, picture in enumerate(data["image/png"] for data in outputs if "image/png" in data):
            found[f"{path.name[:2]}-{cell.id}{f'-{n + 1}' if n else ''}.png"] = base64.b64decode(picture)
    return found


def run(path):
    """Runs a chapter, keeps its outputs in place and its pictures in figures/."""
    nbformat.write(executed(path), path)
    for old in (ROOT / "figures").glob(f"{path.name[:2]}-*.png"):
        old.unlink()
    for name, picture in pictures(path).items():
        (ROOT / "figures" / name).write_bytes(picture)


# Rendering ----------------------------------------------------------------------------------------------------------

def page(path, before="", after=""):
    """One chapter as a page."""
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter(template_name="basic").from_notebook_node(read(path))
    body = re.sub(r'(href="[^":]*)\.ipynb', r"\1.html", body)
    body = re.sub(r"(<table.*?</table>)", r'<div class="wide">\1</div>', body, flags=re.DOTALL)
    before_now = []

    def tag(match):
        """The tags of an equation; where it stands for the second time, beside its formula, a place to link to."""
        tags = [*tags_of(f"# {match[1]}")]
        anchors = "".join(f'<a id="{x}"></a>' for x in tags if before_now.count(x) == 1)
        before_now.extend(tags)
        return f'<strong class="tag">{anchors}{match[1]}</strong>'

    body = re.sub(r"<strong>([A-Z]+\d\d [^<]*)</strong>", tag, body)
    links = " · ".join(x for x in (before, '<a href="index.html">contents</a>', after) if x)
    return document(title(path), f"<nav>{links}</nav>{body}<nav>{links}</nav>")


def title(path):
    """The first heading of a chapter."""
    return read(path).cells[0].source.splitlines()[0].lstrip("# ")


def question(path):
    """The first paragraph of a chapter, without its marks."""
    text = read(path).cells[0].source.split("\n\n")[1]
    return " ".join(text.replace("*", "").split())


SETTINGS = """{
tex2jax: {inlineMath: [["$", "$"]], processEscapes: true}, messageStyle: "none", showMathMenu: false,
"fast-preview": {disabled: true}, AssistiveMML: {disabled: true}, extensions: ["tex2jax.js"],
jax: ["input/TeX", "output/HTML-CSS"], "HTML-CSS": {availableFonts: [], webFont: "STIX-Web", imageFont: null}}"""


def document(name, body):
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(name)}</title><link rel="stylesheet" href="book.css">
<script type="text/x-mathjax-config">MathJax.Hub.Config({SETTINGS});</script>
<script src="mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full" async></script></head><body><main>
{body}
</main></body></html>
"""


def render(folder):
    """Writes the pages of the book to a folder."""
    import jupyter_server_mathjax
    from pygments.formatters import HtmlFormatter

    folder.mkdir(parents=True, exist_ok=True)
    mathjax = Path(jupyter_server_mathjax.__file__).parent / "static"
    unused = shutil.ignore_patterns("a11y", "localization", "SVG", "PlainSource", "*.mp3", "*.ogg")
    shutil.copytree(mathjax, folder / "mathjax", ignore=unused, dirs_exist_ok=True)
    paths = chapters()
    names = [path.with_suffix(".html").name for path in paths]
    for i, path in enumerate(paths):
        before = f'<a href="{names[i - 1]}">← {html.escape(title(paths[i - 1]))}</a>' if i else ""
        after = f'<a href="{names[i + 1]}">{html.escape(title(paths[i + 1]))} →</a>' if i + 1 < len(paths) else ""
        (folder / names[i]).write_text(page(path, before, after), "utf-8")
    items = "".join(
        f'<li><a href="{name}">{html.escape(title(path))}</a><br>{html.escape(question(path))}</li>'
        for path, name in zip(paths, names, strict=True)
    )
    contents = f'<h1>{TITLE}</h1><ul class="contents">{items}</ul><p><a href="equations.html">All equations</a></p>'
    (folder / "index.html").write_text(document(TITLE, contents), "utf-8")
    (folder / "equations.html").write_text(document("Equations", equations(names)), "utf-8")
    (folder / "book.css").write_text(CSS + HtmlFormatter(style="default").get_style_defs(".highlight"), "utf-8")


def equations(names):
    """A table of equations.toml."""
    rows = []
    for tag, entry in listed().items():
        where = [x for x in names if x[:2] in entry.get("chapter", [])]
        links = ", ".join(f'<a href="{x}#{html.escape(tag)}">{x[:2]}</a>' for x in where)
        code = ", ".join(f"<code>{x}</code>" for x in entry.get("place", [])) or html.escape(entry.get("none", ""))
        cells = html.escape(tag), html.escape(entry["says"]), links, code
        rows.append("<tr>" + "".join(f"<td>{x}</td>" for x in cells) + "</tr>")
    head = "<tr><th>equation</th><th>what it says</th><th>chapter</th><th>code</th></tr>"
    table = f'<div class="wide equations"><table>{head}{"".join(rows)}</table></div>'
    return f'<nav><a href="index.html">contents</a></nav><h1>Equations</h1>{table}'


CSS = """
body { margin: 0; font: 17px/1.55 Georgia, 'DejaVu Serif', serif; color: #1a1a1a; background: #fff; }
main { max-width: 53em; margin: 0 auto; padding: 1em; }
nav { font: 14px sans-serif; padding: .6em 0; }
p, li { max-width: 46em; }
h1, h2, h3 { font-family: Helvetica, Arial, sans-serif; line-height: 1.25; margin: 1.6em 0 .5em; }
a { color: #0060a0; } a.anchor-link { display: none; }
img { max-width: 100%; }
pre, code { font: 12.6px/1.45 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
pre { margin: 0; padding: .6em .8em; overflow-x: auto; }
.highlight, .jp-CodeCell .highlight { background: #f6f6f3; border-left: 3px solid #c8c8c0; margin: .4em 0; }
.jp-OutputArea-output pre, .output_subarea pre { background: #fff; color: #333; }
.jp-InputPrompt, .jp-OutputPrompt, .prompt { display: none; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 15px; margin: .8em 0; }
.equations td:first-child { white-space: nowrap; }
th, td { border-bottom: 1px solid #ddd; padding: .25em .6em; text-align: left; vertical-align: top; }
.MathJax_Display { overflow-x: auto; overflow-y: hidden; }
.tag { font-family: sans-serif; font-size: .82em; color: #8a3b00; }
details { border: 1px solid #ddd; padding: .4em .8em; margin: .6em 0; }
.contents li { margin: .7em 0; } .contents { list-style: none; padding: 0; }
blockquote { border-left: 3px solid #ccc; margin-left: 0; padding-left: 1em; color: #444; }
"""


def main():
    command, *rest = sys.argv[1:] or [""]
    if command in ("run", "check") and not chapters(*rest):
        sys.exit(f"no chapter has {rest} in its name")
    if command == "run":
        for path in chapters(*rest):
            start = time.perf_counter()
            run(path)
            print(f"{path.name} {time.perf_counter() - start:.1f} s", flush=True)
    elif command == "check":
        lines = [f"{path.name}: {line}" for path in chapters(*rest) for line in changes(read(path), executed(path))]
        sys.exit("\n".join(lines) or None)
    elif command == "html":
        render(Path(rest[0]) if rest else ROOT / "book")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
