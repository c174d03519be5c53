"""Places for the numbers on a map of circles: within the circle, or beside it with a line to its middle."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model import Array

Mask = NDArray[np.bool_]

ANGLES = np.arange(24) * np.pi / 12
DIRECTIONS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
PADDING = np.array([3.0, 4.5])  # the part of a label's width and height that is not ink
ALONG = np.linspace(0, 1, 13)[:, None, None]  # points of a line from a circle to its label
GAPS = np.array([7.0, 13, 20, 30, 42, 56, 74])  # from the edge of the circle to the label


class Label(NamedTuple):
    """The middle of a label, and whether it is beside its circle."""

    x: float
    y: float
    is_beside: bool


def place(circles: Array, widths: Array, height: float, picture: tuple[float, float]) -> list[Label | None]:
    """A place for the label of each circle, so that no two labels overlap; None where there is no room.

    A label is in the middle of its circle if its ink fits there and no later circle covers it. The others are beside
    their circles, at the nearest free place, but a place on a circle counts as one that is 40 further away,
    and a line across another label as one that is 60 longer.

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
    for i, size in enumerate(sizes):
        if out[i] is None:
            # around the circle, with the label's own size in the direction added to the gap
            distances = circles[i, 2] + (np.abs(DIRECTIONS) @ (size / 2))[:, None] + GAPS
            middles = (circles[i, :2] + distances[:, :, None] * DIRECTIONS[:, None]).reshape(-1, 2)
            around = _boxes(middles, size)
            is_inside = (around[:, :2] >= 1).all(1) & (around[:, 2:] <= np.array(picture) - 1).all(1)
            is_free = np.asarray(is_inside & ~_on_boxes(around, boxes).any(1))
            cost = np.hypot(*(middles - circles[i, :2]).T) + 40 * _on_circles(around, circles).sum(1)
            along = circles[i, :2] + ALONG * (middles - circles[i, :2])
            cost += 60 * _on_boxes(np.tile(along, 2).reshape(-1, 4), boxes).any(1).reshape(len(ALONG), -1).any(0)
            best = int(np.where(is_free, cost, np.inf).argmin())
            if is_free[best]:
                out[i] = Label(float(middles[best, 0]), float(middles[best, 1]), True)
                boxes = np.vstack([boxes, around[best]])
    return out


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
