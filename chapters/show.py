"""What the chapters share: the style of their pictures, checks that print what they compared, and sliders."""

import math
import os
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

plt.style.use(Path(__file__).with_name("book.mplstyle"))
INK = tuple(plt.rcParams["axes.prop_cycle"].by_key()["color"])
COLOURS = tomllib.loads(Path(__file__).with_name("colours.toml").read_text("utf-8"))["colours"]  # of algorithms


def agree(what: str, a: Any, b: Any, atol: float = 1e-10, rtol: float = 0.0) -> None:
    """Fail if two arrays differ anywhere by more than atol + rtol |b|; otherwise print what was compared."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=what)
    tolerance = " and ".join(f"{limit:g}{kind}" for limit, kind in ((atol, ""), (rtol, " relative")) if limit)
    count = np.broadcast(a, b).size
    print(f"✓ {what}: {count} number{'s agree' if count > 1 else ' agrees'} to {tolerance}")


def differ(what: str, a: Any, b: Any, by: float) -> None:
    """Fail unless two arrays differ somewhere by more than `by`; print the largest difference."""
    largest = np.max(np.abs(np.asarray(a, float) - np.asarray(b, float)))
    assert largest > by, f"{what}: the largest difference is {largest:.3g}, expected more than {by:g}"
    print(f"✓ {what}: they differ, by {largest:.2g}")


def holds(what: str, condition: Any) -> None:
    """Fail unless a condition holds everywhere."""
    assert np.all(condition), what
    print(f"✓ {what}")


def name_lines(axis: Any, size: float = 9, gap: float = 1.15) -> None:
    """Write the label of each line at its right end, in its colour, instead of a legend.

    Labels that would overlap are moved apart by `gap` lines of text. Lines whose labels begin with `_` have none.
    """
    figure = axis.figure
    figure.draw_without_rendering()
    height = gap * size * figure.dpi / 72  # of a label, in pixels
    line_ends = []
    for line in axis.get_lines():
        x, y = (np.asarray(coordinates, float) for coordinates in line.get_data())
        is_finite = np.isfinite(x) & np.isfinite(y)
        if not line.get_label().startswith("_") and is_finite.any():
            end_i = np.flatnonzero(is_finite)[np.argmax(x[is_finite])]
            line_ends.append((line, x[end_i], y[end_i], axis.transData.transform((x[end_i], y[end_i]))[1]))
    line_ends.sort(key=lambda end: end[3])
    label_y = np.array([end[3] for end in line_ends])
    for _ in range(100):  # push neighbours apart by equal amounts
        overlap = np.maximum(height - np.diff(label_y), 0)
        if not overlap.any():
            break
        label_y[:-1] -= overlap / 2
        label_y[1:] += overlap / 2
    for (line, x, y, pixel), moved_y in zip(line_ends, label_y, strict=True):
        axis.annotate(
            line.get_label(), (x, y), (6, (moved_y - pixel) * 72 / figure.dpi), textcoords="offset points",
            color=line.get_color(), va="center", size=size, annotation_clip=False,
        )  # fmt: skip


def signed(axis: Any, values: Any, top: float | None = None, **options: Any) -> Any:
    """An image of a matrix of positive and negative numbers: white at zero, red above and blue below."""
    top = top or float(np.nanmax(np.abs(values)))
    axis.grid(False)
    return axis.imshow(values, cmap="RdBu_r", vmin=-top, vmax=top, **options)


def tiles(axis: Any, phi_wk: Any, across: int) -> None:
    """Draw topics over the pixels of a square as framed tiles, some across, on one axis."""
    side, n_down = math.isqrt(len(phi_wk)), -(-phi_wk.shape[1] // across)
    picture = np.full((1 + (side + 1) * n_down, 1 + (side + 1) * across), np.nan)
    for tile, phi_w in enumerate(phi_wk.T):
        top, left = (1 + (side + 1) * step for step in divmod(tile, across))
        picture[top : top + side, left : left + side] = phi_w.reshape(side, side)
    axis.imshow(picture, vmin=0, vmax=0.25)
    axis.set(xticks=[], yticks=[], facecolor="#b9d3e8")
    axis.grid(False)
    axis.spines[:].set_visible(False)


def squares(phi_wk: Any, titles: Sequence[str] | None = None, side: int | None = None, top: float | None = None) -> Any:
    """A picture of topics (W, K) over the pixels of a square: one image per topic, all on a scale from 0 to `top`."""
    phi_wk = np.asarray(phi_wk)
    side, K = side or round(len(phi_wk) ** 0.5), phi_wk.shape[1]
    figure, axes = plt.subplots(1, K, figsize=(0.8 * K + 0.6, 1.3), squeeze=False)
    for k, axis in enumerate(axes[0]):
        image = axis.imshow(phi_wk[:, k].reshape(side, side), vmin=0, vmax=top or phi_wk.max())
        axis.spines[:].set_visible(True)
        axis.set(xticks=[], yticks=[])
        axis.set_title(titles[k] if titles else f"k = {k}", size=9, loc="center")
    figure.colorbar(image, ax=list(axes[0]), label="probability", shrink=0.9)
    return figure


def knob(draw: Callable[[Any, Any], None], name: str, values: Sequence[Any], width: float = 3.0) -> None:
    """A slider over a few values; each redraws a picture by `draw(axis, value)`.

    Without ipywidgets, or when book.py runs the chapter, the pictures of all values are drawn side by side instead.
    """
    try:
        from ipywidgets import SelectionSlider, interact
    except ImportError:
        is_still = True
    else:
        is_still = "LDA_STILL" in os.environ
    if is_still:
        size = width * len(values), 2.8
        axes = plt.subplots(1, len(values), figsize=size, sharey=True, squeeze=False)[1]
        for axis, choice in zip(axes[0], values, strict=True):
            draw(axis, choice)
            axis.set_title(f"{name} = {choice:g}" if isinstance(choice, float) else f"{name} = {choice}")
        plt.show()
        return

    def redraw(**choices: Any) -> None:
        _, axis = plt.subplots()
        draw(axis, choices[name])
        plt.show()

    interact(redraw, **{name: SelectionSlider(options=list(values), description=name)})
