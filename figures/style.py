"""The style of the pictures of this folder, which is that of the book: `from style import plt`."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

plt.style.use(Path(__file__).parents[1] / "chapters" / "book.mplstyle")
plt.rcParams["grid.alpha"] = 0.3
