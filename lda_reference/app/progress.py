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
    style_args = p.add_mutually_exclusive_group()
    hint = "no progress bar"
    style_args.add_argument("--quiet", "-q", dest="progress", action="store_const", const=QUIET, default=BAR, help=hint)
    hint = "a line on stderr for each step instead of the bar"
    style_args.add_argument("--verbose", "-v", dest="progress", action="store_const", const=VERBOSE, help=hint)


@contextmanager
def sweeps_bar(
    n_sweeps: int, n_done: int = 0, name: str = "", leave: bool = True, style: str = BAR
) -> Iterator[Callable[..., None]]:
    """A bar on stderr and the function that advances it by a sweep.

    The bar appears with the first step, so that bad input leaves only its one line on stderr. In the style `verbose`
    each step writes a line, with the text that it is given; in the style `quiet` nothing is written.
    """
    bar: Any = None

    def step(text: str = "") -> None:
        nonlocal n_done, bar
        n_done += 1
        if style == VERBOSE:
            print(": ".join(filter(None, (name.strip(), f"sweep {n_done} of {n_sweeps}", text))), file=sys.stderr)
        elif style == BAR and tqdm:
            bar = bar or tqdm(total=n_sweeps, initial=n_done - 1, desc=name, unit="sweep", leave=leave, file=sys.stderr)
            bar.update()

    try:
        yield step
    finally:
        if bar is not None:
            bar.close()


def brief_history(record: dict[str, Any]) -> str:
    """The numbers of a sweep in a line."""
    measures = [name for name, n in record.items() if name not in ("sweep", "seconds") and isinstance(n, (int, float))]
    return ", ".join([*(f"{name} {record[name]:.6g}" for name in measures), f"{record['seconds']:.1f} seconds"])
