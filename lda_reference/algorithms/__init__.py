"""The algorithms, one module each, by name."""

import re
from collections.abc import Callable
from contextlib import suppress

from ..engine import Algorithm
from . import cgs, convolution, cvb, cvb0, cvb1, cvb_exact, ep, gibbs, hmc, map, ml, tcvb0, vb, vem

MODULES = (ml, map, vb, vem, gibbs, hmc, cgs, cvb_exact, convolution, cvb, cvb0, tcvb0, cvb1)
ALL_IN_ORDER = (*(module.ALGORITHM for module in MODULES), cvb1.CVB1S, cvb1.CVB1D, ep.ALGORITHM)
ALGORITHMS: dict[str, Algorithm] = {A.name: A for A in ALL_IN_ORDER}
VARIANTS: dict[str, Callable[..., Algorithm]] = {
    r"ml, tempered (\S+)": ml.tempered,
    r"ep, damping (\S+)": ep.damped,
    r"hmc, step (\S+), leapfrogs (\d+)": hmc.with_steps,
}


def named(name: str) -> Algorithm:
    """The algorithm of a name in `ALGORITHMS`, or of a variant, such as `ep, damping 0.1`.

    >>> named("hmc, step 0.5, leapfrogs 1").name
    'hmc, step 0.5, leapfrogs 1'
    """
    name = name if isinstance(name, str) else repr(name)
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    if name == vb.APPROXIMATE.name:
        return vb.APPROXIMATE
    for pattern, variant in VARIANTS.items():
        if name_match := re.fullmatch(pattern, name):
            with suppress(ValueError):
                return variant(float(name_match[1]), *(int(digits) for digits in name_match.groups()[1:]))
    raise ValueError(f"algorithm is {name!r}, expected one of {', '.join(ALGORITHMS)}")
