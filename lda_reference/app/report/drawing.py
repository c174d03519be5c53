"""The pictures of a report as SVG: a line against sweeps, and the map of the topics."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ...model import Array

GOLDEN = 137.508  # degrees between the hues of successive topics, so that neighbours in size differ


def colour(rank: int) -> str:
    """The colour of the topic of this rank by size."""
    return f"oklch(0.68 0.13 {(30 + rank * GOLDEN) % 360:.0f})"


def line(title: str, sweeps: Sequence[int], values: Sequence[float]) -> str:
    """A number against the sweeps, on a logarithmic scale if it is positive and falls or rises by a factor above 20.

    Parameters
    ----------
    title : str
    sweeps, values : sequences of equal length, 1 or more
    """
    x, y = np.asarray(sweeps, float), np.asarray(values, float)
    is_log = bool(y.min() > 0 and y.max() > 20 * y.min())
    shown = np.log10(y) if is_log else y
    low, high = float(shown.min()), float(shown.max())
    if low == high:
        pad = abs(low) * 0.01 or 1.0
        low, high = low - pad, high + pad
    left, right, top, bottom = 64, 386, 12, 150
    first, last = float(x[0]), float(x[-1])
    across = left + (x - first) / (last - first or 1.0) * (right - left)
    down = bottom - (shown - low) / (high - low) * (bottom - top)
    ticks = _powers(low, high) if is_log else _steps(low, high)
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


def topic_map(points: Array, topics: Sequence[tuple[int, float, str]]) -> str:
    """Topics as circles whose areas are their shares, on one scale for both axes; each is a link to its topic.

    Parameters
    ----------
    points : (K, 2)
        The place of each topic, by its number.
    topics : sequence of (number, share, text)
        In descending order of the shares; the text appears when the pointer is on the circle.
    """
    width, height = 520.0, 400.0
    radius = {k: 66 * share**0.5 for k, share, _ in topics}
    edge = max(radius.values()) + 8
    low, high = points.min(0), points.max(0)
    room = np.array([width - 2 * edge, height - 2 * edge])
    spread = np.where(high > low, high - low, 1.0)
    scale = float((room / spread)[high > low].min()) if (high > low).any() else 1.0
    middle = (low + high) / 2
    parts, numbers = [f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="Map of the topics">'], []
    for rank, (k, _, text) in enumerate(topics):
        x, y = np.array([width, height]) / 2 + (points[k] - middle) * scale * np.array([1, -1])
        parts.append(
            f'<a href="#topic-{k}"><title>{escape(text)}</title><circle class="topic" cx="{x:.1f}" cy="{y:.1f}"'
            f' r="{max(radius[k], 3):.1f}" fill="{colour(rank)}"/></a>'
        )
        numbers.append(f'<text class="number" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{k}</text>')
    return "".join([*parts, *numbers, "</svg>"])


def _steps(low: float, high: float) -> list[float]:
    """Round numbers between two numbers, three to six of them."""
    raw = (high - low) / 4
    power = 10.0 ** np.floor(np.log10(raw))
    step = float(power * min((1, 2, 5, 10), key=lambda m: abs(m * power - raw)))
    return [i * step for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Whole powers of ten between two of them; the ends as well where there are fewer than two."""
    every = max(1, int((high - low) // 6) + 1)
    whole = [float(t) for t in range(int(np.ceil(low)), int(np.floor(high)) + 1, every)]
    return whole if len(whole) > 1 else [low, high]
