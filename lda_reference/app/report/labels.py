"""Places for the numbers on a map of circles: within the circle, or beside it with a line to its middle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model import Array

Mask = NDArray[np.bool_]

ANGLES = np.arange(24) * np.pi / 12
PADDING = np.array([3.0, 4.5])  # the part of a label's width and height that is not ink
GAPS = np.array([7.0, 13, 20, 30, 42, 56, 74])  # from the edge of the circle to the label


class Label(NamedTuple):
    """The middle of a label, and whether it is beside its circle."""

    x: float
    y: float
    is_beside: bool


def place(circles: Array, widths: Array, height: float, picture: tuple[float, float]) -> list[Label | None]:
    """A place for the label of each circle, so that no two labels overlap; None where there is no room.

    A label is in the middle of its circle if its ink fits there and no later circle covers it. The others are beside
    their circles, at the free place of least cost: a label on a circle, and a line across another line or label, cost
    as much as a longer line.

    Parameters
    ----------
    circles : (n, 3)
        x, y and radius, in the order in which they are drawn.
    widths : (n,)
    height : float
    picture : (float, float)
        The width and height of the picture.
    """
    sizes = np.column_stack([widths, np.full(len(circles), height)])
    out: list[Label | None] = [None] * len(circles)
    boxes = np.empty((0, 4))
    for i, ((x, y, r), size) in enumerate(zip(circles, sizes, strict=True)):
        box = _boxes(np.array([[x, y]]), size)
        is_covered = bool(_on_circles(box, circles[i + 1 :]).any() or _on_boxes(box, boxes).any())
        if not is_covered and np.hypot(*(size - PADDING)) / 2 <= r:
            out[i], boxes = Label(float(x), float(y), False), np.vstack([boxes, box])
    lines = np.empty((0, 4))
    for i, size in enumerate(sizes):
        if out[i] is not None:
            continue
        middles = _candidates(circles[i], size)
        around = _boxes(middles, size)
        is_free = (around[:, :2] >= 1).all(1) & (around[:, 2:] <= np.array(picture) - 1).all(1)
        is_free &= ~_on_boxes(around, boxes).any(1) & ~_lines_on_boxes(lines, around).any(0)
        if not is_free.any():
            continue
        middles, around = middles[is_free], around[is_free]
        ways = np.column_stack([np.tile(circles[i, :2], (len(middles), 1)), middles])
        cost = np.hypot(*(middles - circles[i, :2]).T) + 40 * _on_circles(around, circles).sum(1)
        cost += 60 * _lines_on_boxes(ways, boxes).sum(1) + 30 * _crossings(ways, lines).sum(1)
        best = int(cost.argmin())
        out[i] = Label(float(middles[best, 0]), float(middles[best, 1]), True)
        boxes, lines = np.vstack([boxes, around[best]]), np.vstack([lines, ways[best]])
    return out


def _candidates(circle: Array, size: Array) -> Array:
    """Places around a circle, with the label's own size in the direction added to the gap."""
    direction = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    own = np.abs(direction) @ (size / 2)
    far = circle[2] + own[:, None] + GAPS
    return (circle[:2] + far[:, :, None] * direction[:, None]).reshape(-1, 2)


def _boxes(middles: Array, size: Array) -> Array:
    """(n, 4): left, top, right, bottom."""
    return np.hstack([middles - size / 2, middles + size / 2])


def _on_boxes(a: Array, b: Array) -> Mask:
    """Whether boxes overlap: (n, m)."""
    return np.asarray((a[:, None, :2] < b[None, :, 2:]).all(-1) & (b[None, :, :2] < a[:, None, 2:]).all(-1))


def _on_circles(boxes: Array, circles: Array) -> Mask:
    """Whether boxes touch circles: (n, m)."""
    nearest = np.clip(circles[None, :, :2], boxes[:, None, :2], boxes[:, None, 2:])
    return np.asarray(((nearest - circles[None, :, :2]) ** 2).sum(-1) < circles[:, 2] ** 2)


def _lines_on_boxes(lines: Array, boxes: Array) -> Mask:
    """Whether lines touch boxes: (n, m). For each axis, a line is between two sides of a box on one part of its way."""
    way = lines[:, None, 2:] - lines[:, None, :2]
    way = np.where(way == 0, 1e-9, way)  # along an axis: between two sides all the way or nowhere, and no 0 / 0
    sides = [(boxes[None, :, axes] - lines[:, None, :2]) / way for axes in (slice(0, 2), slice(2, 4))]
    enters, leaves = np.minimum(*sides).max(-1), np.maximum(*sides).min(-1)
    return np.asarray(np.maximum(enters, 0) < np.minimum(leaves, 1))


def _crossings(a: Array, b: Array) -> Mask:
    """Whether lines cross: (n, m)."""

    def side(lines: Array, points: Array) -> Array:
        """On which side of lines (n or 1, m or 1, 4) points are."""
        along, to = lines[..., 2:] - lines[..., :2], points - lines[..., :2]
        return np.asarray(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])

    p, q = a[:, None], b[None]
    is_apart = side(p, q[..., :2]) * side(p, q[..., 2:]) >= 0
    return np.asarray(~is_apart & (side(q, p[..., :2]) * side(q, p[..., 2:]) < 0))
