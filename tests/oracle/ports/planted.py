"""At least sixty mistakes of porters that are in no list, some of them pairs, in a port in plain Python.

They measure whether the sentences of the oracle's report are true. `planted_updates` and `planted_sweeps` have those
that are single mistakes; the pairs are here. Some halves of pairs are known mistakes: their pairs are not.
"""

import functools
import math

from lda_reference.plain import Floats, class_of, is_large

from . import planted_sweeps as sweeps
from . import planted_updates as updates
from .faulty import Port
from .planted_updates import plant_pair

OPERATIONS = (
    "update", "draw", "sweep", "ten_sweeps", "converged", "summary", "estimate", "bound", "predict", "hyperparameters"
)  # fmt: skip
PLANTED = updates.UPDATES | sweeps.SWEEPS

# Halves of pairs that are known mistakes -----------------------------------------------------------------------------


class NothingExcluded(Port):
    """Nothing is excluded from the sums."""

    def excluded(self, part, i, r):
        return 0


class TokenExcluded(Port):
    """One token is excluded from the sums."""

    def excluded(self, part, i, r):
        return int(r == i)


class WForWEta(Port):
    """The topic term has W where it has W eta."""

    def W_eta(self, i, k):
        return self.W


class LogForDigamma(Port):
    """The digamma function is the logarithm."""

    def digamma(self, x):
        return math.log(x)


class WithoutHalf(Port):
    """The variance terms lack the factor 1/2."""

    def correction(self, x, V):
        return V / x**2


class AlphaAndEtaSwapped(Port):
    """alpha and eta are exchanged where both are numbers."""

    def prior(self):
        alpha, eta = super().prior()
        if any(isinstance(x, list) for x in self.case["prior"].values()):
            return alpha, eta
        return eta[0][:1] * self.K, [alpha[:1] * self.K] * self.W


for algorithms, first, second in (
    ("cvb0", NothingExcluded, WForWEta),
    ("cvb0 cgs", updates.WordsLessOne, updates.ExcludedTwiceFromTopics),
    ("vb", LogForDigamma, TokenExcluded),
    ("cvb", updates.WordVarianceOfDocument, WithoutHalf),
    ("cvb", updates.ExcludedTwiceFromTopics, updates.PooledVariance),
    ("map", updates.AlphaNotReduced, updates.TopicTermWithEtaMinusOne),
    ("cgs", sweeps.NextUniform, updates.EtaOfDocumentsWords),
    ("cvb0", sweeps.BackAndForth, updates.PriorInFloat32),
    ("vb", updates.DigammaByDifference, sweeps.MinkaTotalsOfWords),
    ("cvb0", sweeps.ThetaOfRows, sweeps.PerplexityOverRows),
    ("tcvb0", updates.TypeLeavesTopicsOnce, AlphaAndEtaSwapped),
    ("cvb1d", updates.TaylorExponential, sweeps.VariancesLate),
    ("vem", updates.AlphaOutsideDigamma, sweeps.NestedInPlace),
    ("cvb_exact", updates.PooledDistribution, updates.WordsLessOne),
    ("ml", updates.WordTermSquared, sweeps.EuclideanNorm),
    ("vb", sweeps.EntropyWithEpsilon, sweeps.AlphaConstantOnce),
):
    plant_pair(PLANTED, algorithms, first, second)


# The port ------------------------------------------------------------------------------------------------------------


def port(name=None, planted=PLANTED):
    """A function that answers cases as a port with a mistake does, or as the right one; it is new at each call.

    What the port keeps from case to case is in `kept`. Without a mistake it has all algorithms.
    """
    layers, kept = planted[name].layers if name else (Port,), {}

    def answer(case):
        able = case["operation"] in OPERATIONS and (not name or case["algorithm"] in planted[name].algorithms)
        if not able or is_large(case) or case["K"] > 100:  # so many exponentials are all 0
            return {"id": case["id"], "skip": "not in this port"}
        of = type("Planted", (*layers, class_of(case)), {"kept": kept})
        return {"id": case["id"], **of(case, Floats()).answer()}

    return answer


@functools.cache
def _kept_port(name):
    return port(name)


def answer(case, name=None):
    """The answer to a case of the port with a mistake, which is the same port at each call."""
    return _kept_port(name)(case)
