"""The figures of the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..evaluation.validation import Grid


def grid_figure(g: Grid, path: Path, title: str) -> None:
    """Write a heat map of the grid with its best point marked, or a curve for a list of powers.

    Parameters
    ----------
    g : Grid
    path : Path
        The suffix chooses the format.
    title : str
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.5, 4), layout="constrained")
    if g.etas:
        image = axis.imshow(g.perplexity, cmap="cividis_r", origin="lower")
        axis.set_xticks(range(len(g.etas)), [f"{x:g}" for x in g.etas])
        axis.set_yticks(range(len(g.alphas)), [f"{x:g}" for x in g.alphas])
        i, j = np.unravel_index(np.argmin(g.perplexity), g.perplexity.shape)
        axis.plot(j, i, marker="*", markersize=14, color="#D55E00", markeredgecolor="white")
        axis.set(xlabel="eta", ylabel="alpha")
        figure.colorbar(image, label="perplexity of validation tokens")
    else:
        axis.plot(g.alphas, g.perplexity, marker="o", color="#0072B2")
        axis.set(xlabel="power", ylabel="perplexity of validation tokens")
        axis.grid(alpha=0.3)
    axis.set_title(title, fontsize="medium")
    figure.savefig(path, dpi=130)
    plt.close(figure)
