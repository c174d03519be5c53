"""What the command line says of a run that takes long: a bar, nothing (`--quiet`), or a line for each step (`-v`)."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

try:
    from tqdm import tqdm
except ImportError:  # tqdm is an extra, `progress`; without it there is no bar
    tqdm = None

BAR, QUIET, VERBOSE = "bar", "quiet", "verbose"


def add_arguments(p: argparse.ArgumentParser) -> None:
    """`--quiet` and `-v`; the arguments then have `progress`, one of the three styles."""
    styles = p.add_mutually_exclusive_group()
    hint = "no progress bar"
    styles.add_argument("--quiet", "-q", dest="progress", action="store_const", const=QUIET, default=BAR, help=hint)
    hint = "a line on stderr for each step instead of the bar"
    styles.add_argument("--verbose", "-v", dest="progress", action="store_const", const=VERBOSE, help=hint)


@contextmanager
def sweeps_bar(
    total: int, done: int = 0, name: str = "", leave: bool = True, style: str = BAR
) -> Iterator[Callable[..., None]]:
    """A bar on stderr and the function that advances it by a sweep.

    The bar appears with the first step, so that bad input leaves only its one line on stderr. In the style `verbose`
    each step writes a line, with the text that it is given; in the style `quiet` nothing is written.
    """
    bar: Any = None

    def step(text: str = "") -> None:
        nonlocal done, bar
        done += 1
        if style == VERBOSE:
            print(": ".join(filter(None, (name.strip(), f"sweep {done} of {total}", text))), file=sys.stderr)
        elif style == BAR and tqdm:
            bar = bar or tqdm(total=total, initial=done - 1, desc=name, unit="sweep", leave=leave, file=sys.stderr)
            bar.update()

    try:
        yield step
    finally:
        if bar is not None:
            bar.close()


def brief_history(entry: dict[str, Any]) -> str:
    """The numbers of a sweep in a line."""
    keys = [key for key, n in entry.items() if key not in ("sweep", "seconds") and isinstance(n, (int, float))]
    return ", ".join([*(f"{key} {entry[key]:.6g}" for key in keys), f"{entry['seconds']:.1f} seconds"])
