"""Run the chapters, and build the book's site from them.

    python chapters/book.py run [PART OF A NAME ...]    # run chapters and keep their outputs
    python chapters/book.py check [PART OF A NAME ...]  # run chapters; fail if they would print other text
    python chapters/book.py minutes                     # print how long each chapter takes to read
    python chapters/book.py html [FOLDER]               # build the site; default book/

A run also writes each picture to chapters/pictures/, under the number of its chapter and the id of its cell; a check
also fails if these files are not the pictures in the chapter. The site is made by chapters/web/.
"""

import os
import re
import sys
import time
from pathlib import Path

try:
    import nbformat
    from jupyter_client import AsyncKernelManager
    from nbclient import NotebookClient
except ImportError as error:
    sys.exit(f"{error}: `make chapters` installs it into .venv; .venv/bin/python then has it")

HERE = Path(__file__).parent
ROOT = HERE.parent
PICTURES = HERE / "pictures"
STILL = {"LDA_STILL": "1", "TQDM_DISABLE": "1", "OPENBLAS_NUM_THREADS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
SHARP = "--InlineBackend.figure_formats=svg"
DATELESS = "--InlineBackend.print_figure_kwargs={'bbox_inches': 'tight', 'metadata': {'Date': None}}"
ROUGH = "--InlineBackend.print_figure_kwargs={'dpi': 20, 'bbox_inches': None}"  # drawn quickly, for a check
EMPTY = "%reset -f\nimport matplotlib.pyplot\nmatplotlib.pyplot.close('all')"  # what the chapter before left
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def chapters(*parts):
    """The paths of the chapters whose names contain one of the parts; without parts, of all."""
    return [x for x in sorted(HERE.glob("*.ipynb")) if not parts or any(part in x.name for part in parts)]


# Reading ------------------------------------------------------------------------------------------------------------

CORE = ("00", "01", "03", "04", "06", "08", "10", "14")  # the chapters that the others go out from


def minutes(path):
    """(words, displayed formulas, lines of code, minutes) of a chapter.

    A minute is 130 words, two displayed formulas or 15 lines. Another formula is a word, and folded text counts too.
    The code of pictures does not count: Jupyter and the site fold it.
    """
    words = formulas = lines = 0
    for cell in read(path).cells:
        if cell.cell_type == "code":
            lines += 0 if "caption" in cell.metadata else sum(bool(line.strip()) for line in cell.source.splitlines())
        else:
            text, displayed = re.subn(r"\$\$.*?\$\$", " ", cell.source, flags=re.S)
            formulas += displayed
            text = re.sub(r"\$[^$]*\$", " x ", text)
            words += len(re.sub(r"<[^>]*>|\]\([^)]*\)", " ", text).split())
    return words, formulas, lines, words / 130 + formulas / 2 + lines / 15


# Running ------------------------------------------------------------------------------------------------------------


def read(path):
    return nbformat.read(path, 4)


def kernel():
    """A kernel that several chapters may use in turn. The first of them starts it."""
    return AsyncKernelManager(kernel_name="python3")


def executed(path, pictures=(ROUGH,), studies=True, kernel=None):
    """The chapter with the outputs of a new run. If a cell fails, its error is raised.

    Without `studies`, cells with the tag `study` are left as they are: they repeat runs over many corpora or starts.
    A new kernel runs it, or the one that is passed: its variables and pictures are deleted, its modules stay imported.
    """
    notebook = read(path)
    if kernel is not None:
        notebook.cells.insert(0, nbformat.v4.new_code_cell(EMPTY))
    client = NotebookClient(
        notebook,
        km=kernel,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        skip_cells_with_tag="" if studies else "study",
        extra_arguments=["--IPKernelApp.log_level=40", *pictures],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute(env={**os.environ, **STILL})
    finally:
        if kernel is not None:
            client.kc.stop_channels()
            del notebook.cells[0]
    caption(notebook)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def caption(notebook):
    """Put the caption of each picture below it, where GitHub and Jupyter show it, and fold its code in Jupyter."""
    for cell in notebook.cells:
        if "caption" in cell.metadata:
            words = nbformat.v4.new_output("display_data", {"text/markdown": cell.metadata["caption"]})
            outputs = [x for x in cell.outputs if "text/markdown" not in x.get("data", {})]
            pictures = [n for n, x in enumerate(outputs, 1) if re.search("image/", " ".join(x.get("data", {})))]
            cell.outputs = [*outputs[: pictures[-1]], words, *outputs[pictures[-1] :]]
            cell.metadata["jupyter"] = {"source_hidden": True}


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
                parts.append(data.get("text/html", data.get("text/markdown", data.get("text/plain", ""))))
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
        for n, picture in enumerate(data["image/svg+xml"] for data in outputs if "image/svg+xml" in data):
            found[f"{path.name[:2]}-{cell.id}{f'-{n + 1}' if n else ''}.svg"] = picture.encode()
    return found


def stale_pictures(path):
    """The names of a chapter's files in chapters/pictures/ that are missing, changed or left over."""
    kept = {file.name: file.read_bytes() for file in PICTURES.glob(f"{path.name[:2]}-*")}
    current = pictures(path)
    return sorted(name for name in kept | current if kept.get(name) != current.get(name))


def faults(path, **how):
    """What a new run of a chapter prints otherwise, and its files of pictures that are not those in the chapter."""
    stale = [f"pictures/{name} is not the chapter's picture" for name in stale_pictures(path)]
    return [f"{path.name}: {line}" for line in changes(read(path), executed(path, **how)) + stale]


def run(path):
    """Run a chapter, and keep its outputs in the chapter and its pictures in chapters/pictures/."""
    nbformat.write(executed(path, (SHARP, DATELESS)), path)
    PICTURES.mkdir(exist_ok=True)
    current = pictures(path)
    for name in stale_pictures(path):
        if name in current:
            (PICTURES / name).write_bytes(current[name])
        else:
            (PICTURES / name).unlink()


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
        sys.exit("\n".join(line for path in chapters(*rest) for line in faults(path)) or None)
    elif command == "minutes":
        times = {path.name: minutes(path) for path in chapters()}
        for name, (words, formulas, lines, time_) in times.items():
            print(f"{name:40} {words:5} words {formulas:3} formulas {lines:4} lines {time_:4.0f} minutes")
        core = sum(x[-1] for name, x in times.items() if name.startswith(CORE))
        total = sum(x[-1] for x in times.values())
        print(f"the core path, {', '.join(CORE)}: {core / 60:.1f} hours; all chapters: {total / 60:.1f} hours")
    elif command == "html":
        from web.build import build  # Sphinx is needed for nothing else here

        folder = Path(rest[0]) if rest else ROOT / "book"
        print("This takes some two minutes.", flush=True)
        build(folder, ROOT / "build" / "book", chapters())
        print(f"Open {folder / 'index.html'} in a browser.")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
