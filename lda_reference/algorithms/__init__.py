"""The algorithms, one module each, by name."""

from ..engine import Algorithm
from . import cgs, cvb0, map, ml, vb

ALGORITHMS: dict[str, Algorithm] = {module.ALGORITHM.name: module.ALGORITHM for module in (ml, map, vb, cvb0, cgs)}
