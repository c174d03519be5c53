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


def mix(theta: Array, topic_order: Sequence[int]) -> str:
    """A bar in the colours of some topics, as wide as their shares; those below 1% are its grey end."""
    large_shares = [(k, theta[k]) for k in topic_order if theta[k] >= 0.01]
    html_spans = "".join(
        f'<span style="{colour(k)};width:{part:.2%}" title="topic {k}, {part:.0%}">{k if part >= 0.06 else ""}</span>'
        for k, part in large_shares
    )
    return f'<div class="mix" aria-hidden="true">{html_spans}</div>'


def line(title: str, sweeps: Sequence[int], values: Sequence[float]) -> str:
    """A number against the sweeps, on a logarithmic scale if it is positive and varies by a factor above 100."""
    x, y = np.asarray(sweeps, float), np.asarray(values, float)
    scaled_y = np.log10(y) if y.min() > 0 and y.max() > 100 * y.min() else y
    left, right, top, bottom = 64, 386, 12, 150
    x_px = left + (x - x[0]) / (np.ptp(x) or 1) * (right - left)
    y_px = bottom - (scaled_y - scaled_y.min()) / (np.ptp(scaled_y) or 1) * (bottom - top)
    points_text = " ".join(f"{px:.1f},{py:.1f}" for px, py in zip(x_px, y_px, strict=True))
    labels: dict[tuple[float, float, str], str] = {(left - 6, bottom + 4, "end"): f"{y.min():.4g}"}
    labels[left - 6, top + 4, "end"] = f"{y.max():.4g}"
    labels |= {(left, bottom + 18, "middle"): f"{x[0]:.0f}", (right, bottom + 18, "middle"): f"{x[-1]:.0f}"}
    labels |= {((left + right) / 2, bottom + 32, "middle"): "sweep"}
    return (
        f'<svg viewBox="0 0 400 190" role="img" aria-label="{escape(title)} against sweeps">'
        f'<path class="grid" d="M{left} {bottom}H{right}M{left} {top}H{right}"/>'
        + "".join(f'<text x="{i}" y="{j}" text-anchor="{side}">{text}</text>' for (i, j, side), text in labels.items())
        + f'<polyline class="line" points="{points_text}"/>'
        + f'<circle class="mark" cx="{x_px[-1]:.1f}" cy="{y_px[-1]:.1f}" r="3"/></svg>'
    )
