"""The algorithms, one module each, by name."""

from ..engine import Algorithm
from . import cgs, convolution, cvb, cvb0, cvb1, cvb_exact, ep, gibbs, hmc, map, ml, tcvb0, vb, vem

MODULES = (ml, map, vb, vem, gibbs, hmc, cgs, cvb_exact, convolution, cvb, cvb0, tcvb0, cvb1)
IN_ORDER = (*(module.ALGORITHM for module in MODULES), cvb1.SAMPLED, cvb1.SECOND_ORDER, ep.ALGORITHM)
ALGORITHMS: dict[str, Algorithm] = {A.name: A for A in IN_ORDER}


def named(name: str) -> Algorithm:
    """The algorithm of a name in `ALGORITHMS`, or of a variant, `ml, tempered` or `ep, damping` and a number.

    >>> named("ml, tempered 0.7").name
    'ml, tempered 0.7'
    >>> named("ep, damping 0.1").name
    'ep, damping 0.1'
    """
    name = name if isinstance(name, str) else repr(name)
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    if name == vb.APPROXIMATE.name:
        return vb.APPROXIMATE
    if name.startswith(f"{hmc.ALGORITHM.name}, "):
        return hmc.named(name)
    kind, _, number = name.rpartition(" ")
    for beginning, variant in ((ml.TEMPERED, ml.tempered), (ep.DAMPED, ep.damped)):
        if kind == beginning:
            try:
                return variant(float(number))
            except ValueError:
                pass
    raise ValueError(f"algorithm is {name!r}, expected one of {', '.join(ALGORITHMS)}")
