"""Graphs of models: circles for variables, filled if observed, arrows or lines between them, and plates; and urns."""

from collections.abc import Iterable, Mapping
from typing import Any

from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch
from show import INK

Point = tuple[float, float]
RADIUS = 0.32


def graph(
    axis: Any,
    places: Mapping[str, Point],
    arrows: Iterable[tuple[str, str]] = (),
    lines: Iterable[tuple[str, str]] = (),
    cut: Iterable[tuple[str, str]] = (),
    observed: Iterable[str] = (),
    fixed: Iterable[str] = (),
    plates: Mapping[str, tuple[float, float, float, float]] | None = None,
) -> None:
    """Draw a graph on an axis.

    Parameters
    ----------
    places
        The label of each node, in TeX, with its centre. A circle has radius 0.32.
    arrows, lines, cut
        Pairs of nodes that an arrow, a line, or a dotted grey line joins: a dependence that an approximation removes.
    observed, fixed
        Nodes that are filled grey, and nodes that are a letter without a circle, such as priors.
    plates
        The label of each plate with its left, bottom, width and height.
    """
    observed, fixed = set(observed), set(fixed)
    for label, (left, bottom, width, height) in (plates or {}).items():
        shape = "round,pad=0,rounding_size=0.12"
        axis.add_patch(FancyBboxPatch((left, bottom), width, height, boxstyle=shape, fc="none", ec="#888888"))
        axis.text(left + width - 0.1, bottom + 0.08, label, ha="right", va="bottom", size=9, color="#555555")
    for pairs, style in (
        (arrows, {"arrowstyle": "-|>", "color": "#222222"}),
        (lines, {"arrowstyle": "-", "color": "#222222"}),
        (cut, {"arrowstyle": "-", "color": "#bbbbbb", "linestyle": (0, (1, 2))}),
    ):
        for pair in pairs:
            centres = (places[name] for name in pair)
            axis.add_patch(_joined(*centres, *(0.2 if name in fixed else RADIUS for name in pair), style))
    for label, centre in places.items():
        if label not in fixed:
            fill = "#d5d5d5" if label in observed else "white"
            axis.add_patch(Circle(centre, RADIUS, fc=fill, ec="#222222", zorder=3))
        axis.text(*centre, label, ha="center", va="center", size=11, zorder=4)
    axis.set_aspect("equal")
    axis.axis("off")
    axis.autoscale_view()


def draw_urn(axis: Any, first: Iterable[int], drawn: Iterable[int]) -> None:
    """Draw an urn on an axis, with a ball for each colour in `first`, which has a dark rim, and for each one drawn."""
    shape = "round,pad=0,rounding_size=0.7"
    axis.add_patch(FancyBboxPatch((-0.7, -0.7), 6.4, 5.1, boxstyle=shape, fc="none", ec="#666666"))
    axis.plot([-0.5, 5.5], [4.42, 4.42], color="white", linewidth=4)
    for slot, (k, rim) in enumerate([(k, "#222222") for k in sorted(first)] + [(k, INK[k]) for k in drawn]):
        centre = (slot % 6 + (0.25 if slot // 6 % 2 else 0), slot // 6)
        axis.scatter(*centre, s=170, color=INK[k], edgecolors=rim, linewidths=1.6, zorder=3)
    axis.set(xlim=(-1, 6), ylim=(-1, 4.8))
    axis.set_aspect("equal")
    axis.axis("off")


def _joined(a: Point, b: Point, radius_a: float, radius_b: float, style: dict[str, Any]) -> FancyArrowPatch:
    """An arrow from the edge of one node to the edge of another."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    x, y = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    start, end = (a[0] + radius_a * x, a[1] + radius_a * y), (b[0] - radius_b * x, b[1] - radius_b * y)
    return FancyArrowPatch(start, end, mutation_scale=11, shrinkA=0, shrinkB=0, linewidth=1.2, zorder=2, **style)
