"""The algorithms, one module each, by name."""

from ..engine import Algorithm
from . import cgs, convolution, cvb, cvb0, cvb1, cvb_exact, gibbs, hmc, map, ml, tcvb0, vb, vem

ALGORITHMS: dict[str, Algorithm] = {
    A.name: A
    for A in (
        ml.ALGORITHM,
        map.ALGORITHM,
        vb.ALGORITHM,
        vem.ALGORITHM,
        gibbs.ALGORITHM,
        hmc.ALGORITHM,
        cgs.ALGORITHM,
        cvb_exact.ALGORITHM,
        convolution.ALGORITHM,
        cvb.ALGORITHM,
        cvb0.ALGORITHM,
        tcvb0.ALGORITHM,
        cvb1.ALGORITHM,
        cvb1.SAMPLED,
        cvb1.SECOND_ORDER,
    )
}


def named(name: str) -> Algorithm:
    """The algorithm of a name in `ALGORITHMS`, or of a variant such as `ml, tempered 0.7`.

    >>> named("ml, tempered 0.7").name
    'ml, tempered 0.7'
    """
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    if name == vb.APPROXIMATE.name:
        return vb.APPROXIMATE
    if name.startswith(f"{hmc.ALGORITHM.name}, "):
        return hmc.named(name)
    kind, _, power = name.rpartition(" ")
    if kind == ml.TEMPERED:
        try:
            return ml.tempered(float(power))
        except ValueError:
            pass
    raise ValueError(f"algorithm is {name!r}, expected one of {', '.join(ALGORITHMS)}")
