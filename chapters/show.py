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
    near = " and ".join(f"{x:g}{kind}" for x, kind in ((atol, ""), (rtol, " relative")) if x)
    count = np.broadcast(a, b).size
    print(f"✓ {what}: {count} number{'s agree' if count > 1 else ' agrees'} to {near}")


def differ(what: str, a: Any, b: Any, by: float) -> None:
    """Fail unless two arrays differ somewhere by more than `by`; print the largest difference."""
    most = np.max(np.abs(np.asarray(a, float) - np.asarray(b, float)))
    assert most > by, f"{what}: the largest difference is {most:.3g}, expected more than {by:g}"
    print(f"✓ {what}: they differ, by {most:.2g}")


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
    ends = []
    for line in axis.get_lines():
        x, y = (np.asarray(values, float) for values in line.get_data())
        seen = np.isfinite(x) & np.isfinite(y)
        if not line.get_label().startswith("_") and seen.any():
            last = np.flatnonzero(seen)[np.argmax(x[seen])]
            ends.append((line, x[last], y[last], axis.transData.transform((x[last], y[last]))[1]))
    ends.sort(key=lambda end: end[3])
    at = np.array([end[3] for end in ends])
    for _ in range(100):  # push neighbours apart by equal amounts
        short = np.maximum(height - np.diff(at), 0)
        if not short.any():
            break
        at[:-1] -= short / 2
        at[1:] += short / 2
    for (line, x, y, pixel), moved in zip(ends, at, strict=True):
        axis.annotate(
            line.get_label(), (x, y), (6, (moved - pixel) * 72 / figure.dpi), textcoords="offset points",
            color=line.get_color(), va="center", size=size, annotation_clip=False,
        )  # fmt: skip


def signed(axis: Any, values: Any, top: float | None = None, **options: Any) -> Any:
    """An image of a matrix of positive and negative numbers: white at zero, red above and blue below."""
    top = top or float(np.nanmax(np.abs(values)))
    axis.grid(False)
    return axis.imshow(values, cmap="RdBu_r", vmin=-top, vmax=top, **options)


def tiles(axis: Any, phi_wk: Any, across: int) -> None:
    """Draw topics over the pixels of a square as framed tiles, some across, on one axis."""
    side, down = math.isqrt(len(phi_wk)), -(-phi_wk.shape[1] // across)
    whole = np.full((1 + (side + 1) * down, 1 + (side + 1) * across), np.nan)
    for place, phi_w in enumerate(phi_wk.T):
        top, left = (1 + (side + 1) * x for x in divmod(place, across))
        whole[top : top + side, left : left + side] = phi_w.reshape(side, side)
    axis.imshow(whole, vmin=0, vmax=0.25)
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
        still = True
    else:
        still = "LDA_STILL" in os.environ
    if still:
        size = width * len(values), 2.8
        axes = plt.subplots(1, len(values), figsize=size, sharey=True, squeeze=False)[1]
        for axis, value in zip(axes[0], values, strict=True):
            draw(axis, value)
            axis.set_title(f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}")
        plt.show()
        return

    def redraw(**chosen: Any) -> None:
        _, axis = plt.subplots()
        draw(axis, chosen[name])
        plt.show()

    interact(redraw, **{name: SelectionSlider(options=list(values), description=name)})
