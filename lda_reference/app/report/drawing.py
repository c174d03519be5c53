"""The pictures of a report as SVG: a line against sweeps, and the map of the topics."""

from collections.abc import Sequence
from html import escape

import numpy as np

from ...model import Array
from . import labels

PICTURE = (460.0, 380.0)  # the width and height of the map
LARGEST = 58.0  # the radius of a topic whose share is 1
EQUAL = 0.005  # a distance that rounds to 0.00


def colour(k: int) -> str:
    """The style of what has the colour of topic k: a hue, of which page.css makes colours."""
    return f"--h:{(30 + 150 * k + 18.54 * (k // 12)) % 360:.0f}"  # 30 degrees apart for up to twelve topics


def dot(k: int) -> str:
    """A dot in the colour of a topic."""
    return f'<span class="dot" style="{colour(k)}"></span>'


def mix(theta: Array, topics: Sequence[int]) -> str:
    """A bar in the colours of some topics, as wide as their shares; those below 1% are left out."""
    large = [(k, theta[k]) for k in topics if theta[k] >= 0.01]
    parts = "".join(
        f'<span style="{colour(k)};width:{x:.2%}" title="topic {k}, {x:.0%}">{k if x >= 0.06 else ""}</span>'
        for k, x in large
    )
    return f'<div class="mix" aria-hidden="true">{parts}</div>'


def line(title: str, sweeps: Sequence[int], values: Sequence[float]) -> str:
    """A number against the sweeps, on a logarithmic scale if it is positive and varies by a factor above 100."""
    x, y = np.asarray(sweeps, float), np.asarray(values, float)
    is_log = bool(y.min() > 0 and y.max() > 100 * y.min())
    shown = np.log10(y) if is_log else y
    low, high = float(shown.min()), float(shown.max())
    if low == high:
        pad = abs(low) * 0.01 or 1.0
        low, high = low - pad, high + pad
    left, right, top, bottom = 64, 386, 12, 150
    first, last = float(x[0]), float(x[-1])
    across = left + (x - first) / (last - first or 1.0) * (right - left)
    down = bottom - (shown - low) / (high - low) * (bottom - top)
    raw = (high - low) / 4  # three to six round numbers between the ends; fewer where only powers of ten are shown
    power = 10.0 ** np.floor(np.log10(raw))
    step = max(float(is_log), float(power * min((1, 2, 5, 10), key=lambda m: abs(m * power - raw))))
    ticks = [i * step for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
    parts = [f'<svg viewBox="0 0 400 190" role="img" aria-label="{escape(title)} against sweeps">']
    for t in ticks:
        place = bottom - (t - low) / (high - low) * (bottom - top)
        text = f"{10**t:.2g}" if is_log else f"{t:.6g}"
        parts.append(f'<path class="grid" d="M{left} {place:.1f}H{right}"/>')
        parts.append(f'<text x="{left - 6}" y="{place + 4:.1f}" text-anchor="end">{text}</text>')
    for t, at in ((first, left), (last, right)) if first != last else ((first, left),):
        parts.append(f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{t:.0f}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">sweep</text>')
    if len(x) == 1:
        parts.append(f'<circle class="mark" cx="{across[0]:.1f}" cy="{down[0]:.1f}" r="3"/>')
    else:
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, down, strict=True))
        parts.append(f'<polyline class="line" points="{points}"/>')
    return "".join([*parts, "</svg>"])


def topic_map(points: Array, topics: Sequence[tuple[int, float, str]]) -> tuple[str, list[int]]:
    """Topics as circles whose areas are their shares, on one scale for both axes; each is a link to its topic.

    Parameters
    ----------
    points : (K, 2)
        The place of each topic, by its number.
    topics : sequence of (number, share, text)
        In descending order of the shares; the text appears when the pointer is on the circle.

    Returns
    -------
    str, list of int
        The picture, and the topics whose numbers have no room in it.
    """
    radius = {k: max(LARGEST * share**0.5, 3.0) for k, share, _ in topics}
    places_k = _in_picture(points, max(radius.values()) + 20)
    circles = np.array([(*places_k[k], radius[k]) for k, _, _ in topics])
    places = labels.place(circles, np.array([8.0 * len(str(k)) + 3 for k, _, _ in topics]), 14.0, PICTURE)
    size = f"{PICTURE[0]:.0f} {PICTURE[1]:.0f}"
    parts = [f'<svg class="map" viewBox="0 0 {size}" role="group" aria-label="Map of the topics">']
    for k, _, text in topics:
        x, y = places_k[k]
        parts.append(
            f'<a href="#topic-{k}"><title>{escape(text)}</title><circle class="topic" style="{colour(k)}"'
            f' cx="{x}" cy="{y}" r="{radius[k]:.1f}"/></a>'
        )
    named = [(k, label) for (k, _, _), label in zip(topics, places, strict=True) if label is not None]
    for k, label in named:
        if label.is_beside:  # a line from the middle of the circle to the edge of its label
            (x, y), dx, dy = places_k[k], label.x - places_k[k][0], label.y - places_k[k][1]
            part = min((4.0 * len(str(k)) + 2) / abs(dx) if dx else np.inf, 8 / abs(dy) if dy else np.inf)
            end = f"{label.x - part * dx:.1f} {label.y - part * dy:.1f}"
            parts.append(f'<path class="leader" d="M{x} {y}L{end}"/><circle class="pin" cx="{x}" cy="{y}" r="1.6"/>')
    for k, label in named:
        kind = "beside" if label.is_beside else "number"
        place = f'x="{label.x:.1f}" y="{label.y + 4.5:.1f}" text-anchor="middle"'
        parts.append(f'<text class="{kind}" {place}><a href="#topic-{k}"><tspan>{k}</tspan></a></text>')
    absent = [k for (k, _, _), label in zip(topics, places, strict=True) if label is None]
    return "".join([*parts, "</svg>"]), absent


def _in_picture(points: Array, edge: float) -> list[tuple[float, float]]:
    """Points in the picture, in their proportions, with an edge around them. Up is up."""
    size = np.array(PICTURE)
    low, high = points.min(0), points.max(0)
    is_wide = high - low > EQUAL
    scale = float(((size - 2 * edge)[is_wide] / (high - low)[is_wide]).min()) if is_wide.any() else 1.0
    at = size / 2 + (points - (low + high) / 2) * scale * np.array([1, -1])
    return [(round(float(x), 1), round(float(y), 1)) for x, y in at]
