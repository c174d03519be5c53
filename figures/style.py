"""The style of the pictures of these folders, which is that of the book: `from figures.style import plt, save`."""

import tomllib
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

CHAPTERS = Path(__file__).parents[1] / "chapters"
plt.style.use(CHAPTERS / "book.mplstyle")
plt.rcParams["grid.alpha"] = 0.3

_LOOKS = tomllib.loads((CHAPTERS / "colours.toml").read_text("utf-8"))
COLOURS, MARKERS = _LOOKS["colours"], _LOOKS["marks"]


def save(figure: Any, path: Path) -> None:
    """Write a picture as SVG without the date, so that equal data give equal files."""
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def panels(n_panels: int, width: float = 5.0, height: float = 3.8, across: int = 4, **share: Any) -> Any:
    """Some panels, at most `across` of them beside each other; the picture is at most 8.4 inches wide, to be read."""
    across = min(n_panels, across)
    down = -(-n_panels // across)
    figure, axes = plt.subplots(down, across, figsize=(min(width * across, 8.4), height * down), squeeze=False, **share)
    for axis in axes.flat[n_panels:]:
        axis.set_visible(False)
    return figure, axes.flat[:n_panels]
