"""The four walks through the package that CONTRIBUTING.md draws, each with the files that it visits, in order."""

import sys
import textwrap
from pathlib import Path

import numpy as np

import lda_reference as lda
from lda_reference import oracle, plain

PACKAGE = Path(lda.__file__).parent


def modules(walk_function):
    """The modules whose code runs, in the order of their first lines."""
    visited_files = {}

    def record(frame, event, argument):
        if event == "call":  # of which there are millions, so that a path is made of each file only once, below
            visited_files[frame.f_code.co_filename] = None

    old_profiler = sys.getprofile()
    sys.setprofile(record)
    try:
        walk_function()
    finally:
        sys.setprofile(old_profiler)
    module_paths = [module_path.relative_to(PACKAGE) for module_path in map(Path, visited_files) if module_path.is_relative_to(PACKAGE)]
    return [module_path.with_suffix("").as_posix().removesuffix("/__init__") for module_path in module_paths]


def walks_text():
    """The walks, a paragraph each."""
    c, p, A = lda.Corpus.from_documents([[0, 1, 1], [2, 0]]), lda.Prior(), lda.ALGORITHMS["cvb0"]
    s, (case, *_) = A.init(c, 2, p, np.random.default_rng(0)), oracle.cases("cvb0/update")
    walk_of_call = {
        "lda.fit(c, 2)": lambda: lda.fit(c, 2, sweeps=1),
        "A.sweep(s, c, p)": lambda: A.sweep(s, c, p),
        "A.bound(s, c, p)": lambda: A.bound(s, c, p),
        "plain.answer(case)": lambda: plain.answer(case),
    }
    for walk in walk_of_call.values():
        walk()  # what is computed once is computed here
    paragraphs = [
        textwrap.fill("\N{NO-BREAK SPACE}→ ".join(modules(walk)), 118, initial_indent=f"{call_text:<20}", subsequent_indent=" " * 20)
        for call_text, walk in walk_of_call.items()
    ]
    return "\n".join(paragraphs).replace("\N{NO-BREAK SPACE}", " ") + "\n"


def test_the_walks_are_those_of_the_guide():
    guide_text = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    assert guide_text.partition("## Four walks")[2].split("```\n")[1] == walks_text()


if __name__ == "__main__":
    print(walks_text())
