"""The pictures of the command line. Only these functions import matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..evaluation.validation import Grid
from .tour import Entry

# Okabe and Ito's colours, which colour-blind readers can tell apart
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")  # for print without colour


def tour_figure(entries: list[Entry], path: Path, title: str) -> None:
    """Draw the perplexity of each entry's run against sweeps and against seconds, and write the figure."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    for i, e in enumerate(entries):
        name = f"{e.fit.algorithm.name}, {e.fit.schedule}, {e.fit.start}"
        finite = [h for h in e.fit.history if np.isfinite(h["perplexity"])]
        for axis, x in zip(axes, ("sweep", "seconds"), strict=True):
            axis.plot(
                [h[x] for h in finite],
                [h["perplexity"] for h in finite],
                color=COLOURS[i % len(COLOURS)],
                linestyle=STYLES[i % len(STYLES)],
                label=name if finite else f"{name} (infinite)",
            )
    axes[0].set(xlabel="sweeps", ylabel="perplexity of held-out tokens")
    axes[1].set(xlabel="seconds", xscale="log")
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.suptitle(title, fontsize="medium")
    figure.savefig(path, dpi=130)
    plt.close(figure)


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
