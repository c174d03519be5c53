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
STILL_ENV = {"LDA_STILL": "1", "TQDM_DISABLE": "1", "OPENBLAS_NUM_THREADS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
SVG_FORMAT = "--InlineBackend.figure_formats=svg"
NO_DATE = "--InlineBackend.print_figure_kwargs={'bbox_inches': 'tight', 'metadata': {'Date': None}}"
ROUGH_PICTURES = "--InlineBackend.print_figure_kwargs={'dpi': 20, 'bbox_inches': None}"  # drawn quickly, for a check
RESET_CODE = "%reset -f\nimport matplotlib.pyplot\nmatplotlib.pyplot.close('all')"  # what the chapter before left
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def chapters(*parts):
    """The paths of the chapters whose names contain one of the parts; without parts, of all."""
    return [path for path in sorted(HERE.glob("*.ipynb")) if not parts or any(part in path.name for part in parts)]


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
            text, n_displayed = re.subn(r"\$\$.*?\$\$", " ", cell.source, flags=re.S)
            formulas += n_displayed
            text = re.sub(r"\$[^$]*\$", " x ", text)
            words += len(re.sub(r"<[^>]*>|\]\([^)]*\)", " ", text).split())
    return words, formulas, lines, words / 130 + formulas / 2 + lines / 15


# Running ------------------------------------------------------------------------------------------------------------


def read(path):
    return nbformat.read(path, 4)


def kernel():
    """A kernel that several chapters may use in turn. The first of them starts it."""
    return AsyncKernelManager(kernel_name="python3")


def executed(path, pictures=(ROUGH_PICTURES,), studies=True, kernel=None):
    """The chapter with the outputs of a new run. If a cell fails, its error is raised.

    Without `studies`, cells with the tag `study` are left as they are: they repeat runs over many corpora or starts.
    A new kernel runs it, or the one that is passed: its variables and pictures are deleted, its modules stay imported.
    """
    notebook = read(path)
    if kernel is not None:
        notebook.cells.insert(0, nbformat.v4.new_code_cell(RESET_CODE))
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
        client.execute(env={**os.environ, **STILL_ENV})
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
            caption_output = nbformat.v4.new_output("display_data", {"text/markdown": cell.metadata["caption"]})
            outputs = [output for output in cell.outputs if "text/markdown" not in output.get("data", {})]
            pictures = [n for n, x in enumerate(outputs, 1) if re.search("image/", " ".join(x.get("data", {})))]
            cell.outputs = [*outputs[: pictures[-1]], caption_output, *outputs[pictures[-1] :]]
            cell.metadata["jupyter"] = {"source_hidden": True}


def texts(notebook):
    """{id of a cell: its output as text}. Streams come first, text on stderr is marked, and pictures are left out."""
    text_of_cell = {}
    for cell in notebook.cells:
        parts = []
        for output in sorted(cell.get("outputs", []), key=lambda output: output.output_type != "stream"):
            if output.output_type == "stream":
                parts.append(("stderr: " if output.name == "stderr" else "") + output.text)
            else:
                bundle = output.get("data", {})
                parts.append(bundle.get("text/html", bundle.get("text/markdown", bundle.get("text/plain", ""))))
        text_of_cell[cell.id] = "\n".join(parts)
    return text_of_cell


def equal_texts(old, new):
    """Whether two texts are equal, up to one unit in the last printed digit of each number with a decimal point."""
    if NUMBER.sub("0", old) != NUMBER.sub("0", new):
        return False
    return all(_close(a, b) for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True))


def _close(a, b):
    mantissa, _, exponent = a.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) if "." in a else 0.0
    return a == b or abs(float(a) - float(b)) <= 1.001 * unit


def changes(old, new):
    """The differences between the outputs of two runs of a chapter, as lines for a reader; empty if there are none."""
    old_texts, new_texts = texts(old), texts(new)
    lines = [f"cell {i} writes to stderr: {text}" for i, text in new_texts.items() if "stderr: " in text]
    for i, text in new_texts.items():
        if not equal_texts(old_texts[i], text):
            lines.append(f"cell {i} printed\n{text}\nThe chapter has\n{old_texts[i]}")
    return lines


def pictures(path):
    """The pictures of a chapter: {name of a file in chapters/pictures/: its bytes}."""
    bytes_of_file = {}
    for cell in read(path).cells:
        outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
        for n, picture in enumerate(bundle["image/svg+xml"] for bundle in outputs if "image/svg+xml" in bundle):
            bytes_of_file[f"{path.name[:2]}-{cell.id}{f'-{n + 1}' if n else ''}.svg"] = picture.encode()
    return bytes_of_file


def stale_pictures(path):
    """The names of a chapter's files in chapters/pictures/ that are missing, changed or left over."""
    file_bytes = {file.name: file.read_bytes() for file in PICTURES.glob(f"{path.name[:2]}-*")}
    own_pictures = pictures(path)
    return sorted(file for file in file_bytes | own_pictures if file_bytes.get(file) != own_pictures.get(file))


def faults(path, **options):
    """What a new run of a chapter prints otherwise, and its files of pictures that are not those in the chapter."""
    stale = [f"pictures/{file} is not the chapter's picture" for file in stale_pictures(path)]
    return [f"{path.name}: {line}" for line in changes(read(path), executed(path, **options)) + stale]


def run(path):
    """Run a chapter, and keep its outputs in the chapter and its pictures in chapters/pictures/."""
    nbformat.write(executed(path, (SVG_FORMAT, NO_DATE)), path)
    PICTURES.mkdir(exist_ok=True)
    own_pictures = pictures(path)
    for file in stale_pictures(path):
        if file in own_pictures:
            (PICTURES / file).write_bytes(own_pictures[file])
        else:
            (PICTURES / file).unlink()


def main():
    command, *names = sys.argv[1:] or [""]
    if command in ("run", "check") and not chapters(*names):
        sys.exit(f"no chapter has one of {', '.join(names)} in its name")
    if command == "run":
        for path in chapters(*names):
            start_time = time.perf_counter()
            run(path)
            print(f"{path.name} {time.perf_counter() - start_time:.1f} s", flush=True)
    elif command == "check":
        sys.exit("\n".join(line for path in chapters(*names) for line in faults(path)) or None)
    elif command == "minutes":
        minutes_of = {path.name: minutes(path) for path in chapters()}
        for file_name, (words, formulas, lines, time_) in minutes_of.items():
            print(f"{file_name:40} {words:5} words {formulas:3} formulas {lines:4} lines {time_:4.0f} minutes")
        core_minutes = sum(counts[-1] for file_name, counts in minutes_of.items() if file_name.startswith(CORE))
        total = sum(counts[-1] for counts in minutes_of.values())
        print(f"the core path, {', '.join(CORE)}: {core_minutes / 60:.1f} hours; all chapters: {total / 60:.1f} hours")
    elif command == "html":
        from web.build import build  # Sphinx is needed for nothing else here

        folder = Path(names[0]) if names else ROOT / "book"
        print("This takes some two minutes.", flush=True)
        build(folder, ROOT / "build" / "book", chapters())
        print(f"Open {folder / 'index.html'} in a browser.")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
