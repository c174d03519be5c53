"""The pictures of the command line. Only these functions import matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .tour import Entry

# Okabe and Ito's colours, which colour-blind readers can tell apart
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")  # for print without colour


def tour_figure(entries: list[Entry], path: Path, title: str) -> None:
    """Draw the perplexity of each algorithm against sweeps and against seconds, and write the figure."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for i, e in enumerate(entries):
        finite = [h for h in e.fit.history if np.isfinite(h["perplexity"])]
        for axis, x in zip(axes, ("sweep", "seconds"), strict=True):
            axis.plot(
                [h[x] for h in finite],
                [h["perplexity"] for h in finite],
                color=COLOURS[i % len(COLOURS)],
                linestyle=STYLES[i % len(STYLES)],
                label=e.fit.algorithm if finite else f"{e.fit.algorithm} (infinite)",
            )
    axes[0].set(xlabel="sweeps", ylabel="perplexity of held-out tokens")
    axes[1].set(xlabel="seconds", xscale="log")
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.suptitle(title, fontsize="medium")
    figure.savefig(path, dpi=130)
    plt.close(figure)
