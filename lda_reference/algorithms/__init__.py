"""The algorithms, one module each, by name."""

from ..engine import Algorithm
from . import cgs, convolution, cvb, cvb0, cvb1, cvb_exact, gibbs, map, ml, tcvb0, vb, vem

ALGORITHMS: dict[str, Algorithm] = {
    A.name: A
    for A in (
        ml.ALGORITHM,
        map.ALGORITHM,
        vb.ALGORITHM,
        vem.ALGORITHM,
        gibbs.ALGORITHM,
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
