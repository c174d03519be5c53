"""The style of the pictures of these folders, which is that of the book: `from figures.style import plt`."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

plt.style.use(Path(__file__).parents[1] / "chapters" / "book.mplstyle")
plt.rcParams["grid.alpha"] = 0.3

# Okabe and Ito's colours, one for each algorithm, the same in every picture; a marker for each schedule
COLOURS = {
    "vb": "#0072B2", "cvb": "#E69F00", "cvb_exact": "#CC79A7", "cvb0": "#D55E00", "cgs": "#009E73", "gibbs": "#44AA77",
    "map": "#56B4E9", "ml": "#000000", "vem": "#777777", "tcvb0": "#AA4499", "cvb1s": "#999933", "cvb1d": "#882255",
}  # fmt: skip
MARKERS = {"corpus": "o", "nested": "D", "block": "s", "token": "^", "document": "v"}


def panels(number: int, width: float = 5.0, height: float = 3.8, across: int = 4, **more: Any) -> Any:
    """Some panels, at most `across` of them beside each other; the picture is at most 8.4 inches wide, to be read."""
    across = min(number, across)
    down = -(-number // across)
    figure, axes = plt.subplots(down, across, figsize=(min(width * across, 8.4), height * down), squeeze=False, **more)
    for axis in axes.flat[number:]:
        axis.set_visible(False)
    return figure, axes.flat[:number]
