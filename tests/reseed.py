"""Runs the chapters with other random numbers and reports every check that fails.

    python -m tests.reseed [PART OF A NAME] [--shifts 1 2 3]

Each seed of `numpy.random.default_rng` is combined with a number, the shift; 0 would be the chapter as it stands. A
check that fails does not end the chapter, and is not wrong for that reason alone: its text may speak of one run.
"""

import argparse
import contextlib
import os
import sys
import traceback
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

CHAPTERS = Path(__file__).parents[1] / "chapters"
DEFAULT_RNG = np.random.default_rng


def shifted_rng(shift):
    """`default_rng` with the shift mixed into its seed."""

    def default_rng(seed=None):
        if isinstance(seed, np.random.SeedSequence):
            entropy = [*np.atleast_1d(seed.entropy).tolist(), shift]
            return DEFAULT_RNG(np.random.SeedSequence(entropy, spawn_key=seed.spawn_key))
        if isinstance(seed, int | np.integer | list | tuple):
            return DEFAULT_RNG([*np.atleast_1d(seed).tolist(), shift])
        return DEFAULT_RNG(seed)

    return default_rng


def noting(check, failed):
    """A check of show.py that notes its failure and goes on."""

    def noted(what, *arguments, **options):
        try:
            check(what, *arguments, **options)
        except AssertionError as error:
            failed.append(f"{what}\n        {str(error).splitlines()[-1] if str(error) != what else ''}".rstrip())

    return noted


def run(chapter, shift):
    """What failed in a chapter with a shift: the texts of its checks, and cells that ended with an error."""
    import show

    failed, names = [], {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", shifted_rng(shift))
        for name in ("agree", "differ", "holds"):
            patch.setattr(show, name, noting(getattr(show, name), failed))
        for number, cell in enumerate(nbformat.read(chapter, 4).cells):
            if cell.cell_type == "code":
                try:
                    exec(compile(cell.source, f"{chapter.stem}, cell {number}", "exec"), names)
                except Exception:
                    failed.append(f"cell {number}: {traceback.format_exc(limit=-1).splitlines()[-1]}")
                plt.close("all")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--shifts", type=int, nargs="+", default=[1, 2, 3])
    arguments = parser.parse_args()
    sys.path.insert(0, str(CHAPTERS))
    os.chdir(CHAPTERS)
    found = 0
    for chapter in (path for path in sorted(CHAPTERS.glob("*.ipynb")) if arguments.part in path.name):
        for shift in arguments.shifts:
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                failed = run(chapter, shift)
            print(f"{chapter.stem}, shift {shift}: {len(failed)} failed", *failed, sep="\n    ", flush=True)
            found += len(failed)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
