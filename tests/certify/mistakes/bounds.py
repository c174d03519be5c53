"""The bounds."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.updates import COLLAPSED, VB, CVBExact

from .mistaken import Mistaken

# The decimals of the log Gamma function of lda-c
COEFFICIENTS = ("0.000595238095238", "0.000793650793651", "0.002777777777778", "0.083333333333333")
HALF_LOG_2_PI = "0.918938533204673"


class ConstantsWithoutK(Mistaken):
    name = "constants-without-K"
    text = "the constants of p(phi | eta) are taken once: TNW06 (7) has them for each of K topics"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def constant_of_phi(self) -> Number:
        return super().constant_of_phi() / self.K


class ConstantsWithoutW(Mistaken):
    name = "constants-without-W"
    text = "log Gamma(eta) is taken once for a topic: TNW06 (7) has it for each of W words"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def constant_of_phi(self) -> Number:
        of_topics = zip(self.sum_eta, self.eta[0], strict=True)
        return self.sum(self.log_gamma(E) - self.log_gamma(e) for E, e in of_topics)


class SumEtaForgotten(Mistaken):
    name = "log-gamma-of-W-eta-forgotten"
    text = "log Gamma(W eta) is left out of the constants of p(phi | eta), TNW06 (7)"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def constant_of_phi(self) -> Number:
        return super().constant_of_phi() - self.sum(self.log_gamma(E) for E in self.sum_eta)


class LogGammaOfLDAC(Mistaken):
    name = "log-gamma-of-lda-c"
    text = "log Gamma is that of lda-c, which takes 1/x² before it adds 6 to x"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def log_gamma(self, x: Number) -> Number:
        y, z = x + 6, 1 / x**2
        a, b, c, d = map(self.number, COEFFICIENTS)
        series = ((-a * z + b) * z - c) * z + d
        below = self.sum(self.log(y - m) for m in range(1, 7))
        return (y - 0.5) * self.log(y) - y + self.number(HALF_LOG_2_PI) + series / y - below


class ConstantsWithoutD(Mistaken):
    name = "constants-without-D"
    text = "the constants of p(theta | alpha) are taken once: TNW06 (7) has them for each of D documents"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def constant_of_theta(self) -> Number:
        return super().constant_of_theta() / self.D


class LogBase2(Mistaken):
    name = "log-base-2"
    text = "the bound is in bits: it is in nats"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def bound(self) -> dict[str, Any]:
        return {"bound": super().bound()["bound"] / self.log(self.number(2))}


class EntropyForgotten(Mistaken):
    name = "entropy-forgotten"
    text = "the entropy of q(z) is left out of TNW06 (2)(12)"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def entropy(self) -> Number:
        return self.number(0)


class EntropyWithoutCounts(Mistaken):
    name = "entropy-without-counts"
    text = "the entropy of a row is taken once: a row of count n is n tokens"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def entropy(self) -> Number:
        return -self.sum(g * self.log(g) for row in self.gamma for g in row if self.positive(g))


class FreeEnergySign(Mistaken):
    name = "free-energy-sign"
    text = "the free energy, TNW06 (2)(12), is given: the bound is minus that"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def bound(self) -> dict[str, Any]:
        return {"bound": -super().bound()["bound"]}


class DividedByTokens(Mistaken):
    name = "divided-by-tokens"
    text = "the bound is divided by the number of tokens"
    algorithms = ("vb", *COLLAPSED)
    operations = ("bound",)

    def bound(self) -> dict[str, Any]:
        return {"bound": super().bound()["bound"] / sum(self.n)}


class VBBound(Mistaken):
    name = "vb-bound"
    text = (
        "the bound is that of VB, TNW06 (2), the log joint at expected counts: TNW06 (12) is the expected log "
        "joint"
    )
    algorithms = COLLAPSED
    operations = ("bound",)
    instead = VB


class CollapsedBound(Mistaken):
    name = "collapsed-bound"
    text = "the bound is the collapsed one, TNW06 (12): that of VB is TNW06 (2)"
    algorithms = ("vb",)
    operations = ("bound",)
    instead = CVBExact


MISTAKES: tuple[type[Mistaken], ...] = (
    ConstantsWithoutK,
    ConstantsWithoutW,
    SumEtaForgotten,
    LogGammaOfLDAC,
    ConstantsWithoutD,
    LogBase2,
    EntropyForgotten,
    EntropyWithoutCounts,
    FreeEnergySign,
    DividedByTokens,
    VBBound,
    CollapsedBound,
)
