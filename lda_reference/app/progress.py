"""The progress bar of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm


@contextmanager
def sweeps_bar(total: int, done: int = 0, name: str = "", leave: bool = True) -> Iterator[Callable[[], None]]:
    """A bar on stderr and the function that advances it by a sweep.

    The bar appears with the first step, so that bad input leaves only its one line on stderr.
    """
    bars: list[Any] = []

    def step() -> None:
        if not bars:
            bars.append(tqdm(total=total, initial=done, desc=name or None, unit="sweep", leave=leave, file=sys.stderr))
        bars[0].update()

    try:
        yield step
    finally:
        for bar in bars:
            bar.close()
