"""Run the chapters, and render them as linked pages.

    python chapters/book.py run [PART OF A NAME ...]    # run chapters and keep their outputs
    python chapters/book.py check [PART OF A NAME ...]  # run chapters; fail if an output would change
    python chapters/book.py html [FOLDER]               # a page per chapter, contents, all equations; default book/

A run also writes each picture to chapters/pictures/, under the number of its chapter and the id of its cell; a check
also fails if these files are not the pictures in the chapter. The pages need no network: MathJax is copied beside them.
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

from lda_reference.app.where import read_equations, tags_in_comment

HERE = Path(__file__).parent
ROOT = HERE.parent
PICTURES = HERE / "pictures"
STILL = {"LDA_STILL": "1", "TQDM_DISABLE": "1", "OPENBLAS_NUM_THREADS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
TITLE = "lda_reference: inference for latent Dirichlet allocation, derived and checked"


def chapters(*parts):
    """The paths of the chapters whose names contain one of the parts; without parts, of all."""
    return [x for x in sorted(HERE.glob("*.ipynb")) if not parts or any(part in x.name for part in parts)]


# Running ------------------------------------------------------------------------------------------------------------


def read(path):
    return nbformat.read(path, 4)


def executed(path):
    """The chapter with the outputs of a new run. If a cell fails, its error is raised."""
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
    """{id of a cell: its output as text}. Streams come first, text on stderr is marked, and pictures are left out."""
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
    """Whether two texts are equal, up to one unit in the last printed digit of each number with a decimal point."""
    if NUMBER.sub("0", old) != NUMBER.sub("0", new):
        return False
    return all(_near(a, b) for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True))


def _near(a, b):
    mantissa, _, exponent = a.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) if "." in a else 0.0
    return a == b or abs(float(a) - float(b)) <= 1.001 * unit


def changes(old, new):
    """The differences between the outputs of two runs of a chapter, as lines for a reader; empty if there are none."""
    before, after = texts(old), texts(new)
    lines = [f"cell {i} writes to stderr: {text}" for i, text in after.items() if "stderr: " in text]
    for i, text in after.items():
        if not same(before[i], text):
            lines.append(f"cell {i} printed\n{text}\nThe chapter has\n{before[i]}")
    return lines


def pictures(path):
    """The pictures of a chapter: {name of a file in chapters/pictures/: its bytes}."""
    found = {}
    for cell in read(path).cells:
        outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
        for n, picture in enumerate(data["image/png"] for data in outputs if "image/png" in data):
            found[f"{path.name[:2]}-{cell.id}{f'-{n + 1}' if n else ''}.png"] = base64.b64decode(picture)
    return found


def stale_pictures(path):
    """The names of a chapter's files in chapters/pictures/ that are missing, changed or left over."""
    kept = {file.name: file.read_bytes() for file in PICTURES.glob(f"{path.name[:2]}-*.png")}
    current = pictures(path)
    return sorted(name for name in kept | current if kept.get(name) != current.get(name))


def run(path):
    """Run a chapter, and keep its outputs in the chapter and its pictures in chapters/pictures/."""
    nbformat.write(executed(path), path)
    PICTURES.mkdir(exist_ok=True)
    current = pictures(path)
    for name in stale_pictures(path):
        if name in current:
            (PICTURES / name).write_bytes(current[name])
        else:
            (PICTURES / name).unlink()


# Rendering ----------------------------------------------------------------------------------------------------------

def page(path, before="", after=""):
    """The page of a chapter."""
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter(template_name="basic").from_notebook_node(read(path))
    body = re.sub(r'(href="[^":]*)\.ipynb', r"\1.html", body)
    body = re.sub(r"(<table.*?</table>)", r'<div class="wide">\1</div>', body, flags=re.DOTALL)
    earlier = []

    def tag(match):
        """The tags of an equation in bold. Links lead to the second mention of each tag, the one beside its formula."""
        tags = [*tags_in_comment(f"# {match[1]}")]
        anchors = "".join(f'<a id="{x}"></a>' for x in tags if earlier.count(x) == 1)
        earlier.extend(tags)
        return f'<strong class="tag">{anchors}{match[1]}</strong>'

    body = re.sub(r"<strong>([A-Z]+\d\d [^<]*)</strong>", tag, body)
    links = " · ".join(x for x in (before, '<a href="index.html">contents</a>', after) if x)
    return document(title(path), f"<nav>{links}</nav>{body}<nav>{links}</nav>")


def title(path):
    """The first heading of a chapter."""
    return read(path).cells[0].source.splitlines()[0].lstrip("# ")


def question(path):
    """The first paragraph of a chapter, the question that it answers, as plain text."""
    text = read(path).cells[0].source.split("\n\n")[1]
    return " ".join(text.replace("*", "").split())


SETTINGS = """{
tex2jax: {inlineMath: [["$", "$"]], processEscapes: true}, messageStyle: "none", showMathMenu: false,
"fast-preview": {disabled: true}, AssistiveMML: {disabled: true}, extensions: ["tex2jax.js"],
jax: ["input/TeX", "output/HTML-CSS"], "HTML-CSS": {availableFonts: [], webFont: "STIX-Web", imageFont: null}}"""


def document(name, body):
    """A page of HTML with a title and a body."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(name)}</title><link rel="stylesheet" href="book.css">
<script type="text/x-mathjax-config">MathJax.Hub.Config({SETTINGS});</script>
<script src="mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full" async></script></head><body><main>
{body}
</main></body></html>
"""


def render(folder):
    """Write the pages of the book to a folder."""
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
    """The page with the table of equations.toml; `names` are the pages of the chapters."""
    rows = []
    for tag, entry in read_equations().items():
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
        sys.exit(f"no chapter has one of {', '.join(rest)} in its name")
    if command == "run":
        for path in chapters(*rest):
            start = time.perf_counter()
            run(path)
            print(f"{path.name} {time.perf_counter() - start:.1f} s", flush=True)
    elif command == "check":
        lines = [
            f"{path.name}: {line}"
            for path in chapters(*rest)
            for line in [
                *changes(read(path), executed(path)),
                *(f"pictures/{name} is not the chapter's picture" for name in stale_pictures(path)),
            ]
        ]
        sys.exit("\n".join(lines) or None)
    elif command == "html":
        render(Path(rest[0]) if rest else ROOT / "book")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
