"""The four walks through the package that CONTRIBUTING.md draws, each with the files that it visits, in order."""

import sys
import textwrap
from pathlib import Path

import numpy as np

import lda_reference as lda
from lda_reference import oracle, plain

PACKAGE = Path(lda.__file__).parent


def modules(walk):
    """The modules whose code runs, in the order of their first lines."""
    files = {}

    def record(frame, event, argument):
        if event == "call":  # of which there are millions, so that a path is made of each file only once, below
            files[frame.f_code.co_filename] = None

    old_profiler = sys.getprofile()
    sys.setprofile(record)
    try:
        walk()
    finally:
        sys.setprofile(old_profiler)
    paths = [path.relative_to(PACKAGE) for path in map(Path, files) if path.is_relative_to(PACKAGE)]
    return [path.with_suffix("").as_posix().removesuffix("/__init__") for path in paths]


def walks_text():
    """The walks, a paragraph each."""
    c, p, A = lda.Corpus.from_documents([[0, 1, 1], [2, 0]]), lda.Prior(), lda.ALGORITHMS["cvb0"]
    s, (case, *_) = A.init(c, 2, p, np.random.default_rng(0)), oracle.cases("cvb0/update")
    walks = {
        "lda.fit(c, 2)": lambda: lda.fit(c, 2, sweeps=1),
        "A.sweep(s, c, p)": lambda: A.sweep(s, c, p),
        "A.bound(s, c, p)": lambda: A.bound(s, c, p),
        "plain.answer(case)": lambda: plain.answer(case),
    }
    for walk in walks.values():
        walk()  # what is computed once is computed here
    lines = [
        textwrap.fill("\N{NO-BREAK SPACE}→ ".join(modules(walk)), 118, initial_indent=f"{call:<20}", subsequent_indent=" " * 20)
        for call, walk in walks.items()
    ]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ") + "\n"


def test_the_walks_are_those_of_the_guide():
    guide = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    assert guide.partition("## Four walks")[2].split("```\n")[1] == walks_text()


if __name__ == "__main__":
    print(walks_text())
