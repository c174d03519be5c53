"""The colours of a report, and its pictures as SVG: a line against sweeps."""

from collections.abc import Sequence
from html import escape

import numpy as np

from ...model import Array


def colour(k: int) -> str:
    """The style of what has the colour of topic k: a hue, of which page.css makes colours."""
    return f"--h:{(30 + 150 * k + 18.54 * (k // 12)) % 360:.0f}"  # 30 degrees apart for up to twelve topics


def dot(k: int) -> str:
    """A dot in the colour of a topic."""
    return f'<span class="dot" style="{colour(k)}"></span>'


def mix(theta: Array, topics: Sequence[int]) -> str:
    """A bar in the colours of some topics, as wide as their shares; those below 1% are its grey end."""
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
