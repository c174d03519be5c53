"""The pictures of the command line. Only `_picture` imports matplotlib."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..engine import Algorithm
from ..evaluation.stability import Stability
from ..fitting import Fit
from ..formats.files import write_bytes

# Okabe and Ito's colours, which colour-blind readers can tell apart
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "font.size": 9.5,
    "grid.color": "#e4e4e4",
}
FAMILIES = ("Counts that include the token", "Samplers", "Counts that exclude the token")


def family(A: Algorithm) -> str:
    """The panel of an algorithm in the figure of the tour."""
    return FAMILIES[1] if A.assignment == "sample" else FAMILIES[0 if A.update.excludes == "nothing" else 2]


@contextmanager
def _picture(path: Path, title: str, height: float, sharey: bool) -> Iterator[Any]:
    """The axes of three panels side by side. The figure is written at the end; the suffix of the path is its format."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = FigureCanvasAgg(Figure((10, height), layout="constrained")).figure
        figure.suptitle(title, size=9.5, x=0.01, ha="left")
        yield figure.subplots(1, 3, sharey=sharey)
        image_buffer = io.BytesIO()
        figure.savefig(image_buffer, format=path.suffix[1:], dpi=130)
        write_bytes(path, image_buffer.getvalue())  # so that an interruption leaves no half of a picture


def tour_figure(fits: Sequence[Fit], path: Path, title: str) -> None:
    """Draw the perplexity of each run by sweeps, in a panel for each family."""
    with _picture(path, title, 4, sharey=True) as axes:
        for family_name, axis in zip(FAMILIES, axes, strict=True):
            _curves(axis, family_name, [f for f in fits if family(f.algorithm) == family_name])


def _curves(axis: Any, family_name: str, fits: Sequence[Fit]) -> None:
    """The perplexity of some runs by sweeps, named in the order of their ends; infinite numbers are not drawn."""
    end_perplexities = []
    for f, colour in zip(fits, COLOURS, strict=False):
        y = [record["perplexity"] for record in f.history]
        end_perplexities.append(y[-1])
        axis.plot([record["sweep"] for record in f.history], y, color=colour, label=f"{f.algorithm.name} {y[-1]:.1f}")
    finite = [perplexity for perplexity in end_perplexities if np.isfinite(perplexity)]
    range_text = f"perplexity at the end {min(finite):.1f} to {max(finite):.1f}" if finite else "no finite perplexity"
    axis.set(xlabel="sweeps", ylabel="perplexity of held-out tokens", title=f"{family_name}:\n{range_text}")
    if end_perplexities:
        curve_handles = axis.get_lines()
        axis.legend(handles=[curve_handles[i] for i in np.argsort(end_perplexities)[::-1]], fontsize=8.5)


def stability_figure(runs_by_K: dict[int, Stability], value_name: str, path: Path, title: str) -> None:
    """Draw, against K: the training value and the perplexity of each run, and how often each topic comes back."""
    panels = (
        (f"{value_name[0].upper()}{value_name[1:]} of each run", "nats", lambda runs: runs.value),
        ("Held-out perplexity of each run", "perplexity", lambda runs: runs.perplexity),
        ("How often each topic comes back", "share of the other runs", lambda runs: runs.comes_back),
    )
    with _picture(path, title, 3.2, sharey=False) as axes:
        for axis, (panel_title, y_label, run_values_of) in zip(axes, panels, strict=True):
            for x_mid, runs in enumerate(runs_by_K.values()):
                values = run_values_of(runs)
                run_x = x_mid + np.linspace(-0.15, 0.15, len(values))  # side by side, so that equal values are seen
                axis.plot(run_x, values, "o", color=COLOURS[0], markersize=4, alpha=0.6, markeredgewidth=0)
                axis.plot((x_mid - 0.25, x_mid + 0.25), (np.mean(values), np.mean(values)), color=COLOURS[1], lw=2)
            axis.set_xticks(range(len(runs_by_K)), [str(K) for K in runs_by_K])
            axis.set(title=panel_title, xlabel="K (a line: the mean)", ylabel=y_label)
            axis.grid(axis="x", visible=False)
        axes[2].set_ylim(-0.05, 1.05)
