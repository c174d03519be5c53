"""Minka's fixed point."""

from __future__ import annotations

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Case, Row

from .mistaken import EVERY_ALGORITHM, Mistaken


class MinkaWithoutK(Mistaken):
    name = "minka-without-K"
    text = (
        "the denominator lacks the number of components (K of alpha, W of eta), by which AWST09 §3.1 multiplies "
        "its sum"
    )
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def new_number(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Number:
        return super().new_number(shape, rate, a, rises, total / len(a))


class MinkaKAlpha(Mistaken):
    name = "minka-K-alpha"
    text = (
        "K times the first alpha (W times the first eta) stands for the sum over components: SN12 §10 has the sum"
    )
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def total_rise(self, totals: Row, a: Row) -> Number:
        return super().total_rise(totals, [a[0]] * len(a))


class MinkaShape(Mistaken):
    name = "minka-shape"
    text = "the Gamma prior's shape is added: AWST09 §3.1 adds the shape less 1"
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def changed(self, case: Case) -> Case:
        return case | {"gamma_prior": case["gamma_prior"] | {"shape": case["gamma_prior"]["shape"] + 1}}


class MinkaRateForgotten(Mistaken):
    name = "minka-rate-forgotten"
    text = "the Gamma prior's rate is left out of the denominator, AWST09 §3.1"
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def changed(self, case: Case) -> Case:
        return case | {"gamma_prior": case["gamma_prior"] | {"rate": 0.0}}


class MinkaPriorForEach(Mistaken):
    name = "minka-prior-for-each"
    text = (
        "the Gamma prior of a single number is counted once for each component: it is one number, with one prior"
    )
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def new_number(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Number:
        return super().new_number(1 + len(a) * (shape - 1), len(a) * rate, a, rises, total)


class MinkaWithoutFactor(Mistaken):
    name = "minka-without-factor"
    text = "the old value does not multiply the sum in the numerator, AWST09 §3.1"
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def new_vector(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Row:
        return super().new_vector(shape, rate, [self.number(1)] * len(a), rises, total)

    def new_number(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Number:
        return super().new_number(shape, rate, [self.number(1)] * len(a), rises, total)


class MinkaLogForDigamma(Mistaken):
    name = "minka-log-for-digamma"
    text = "log stands where AWST09 §3.1 has the digamma function"
    algorithms = EVERY_ALGORITHM
    operations = ("hyperparameters",)

    def rise(self, N: Number, a: Number) -> Number:
        return self.log(N + a) - self.log(a)


MISTAKES: tuple[type[Mistaken], ...] = (
    MinkaWithoutK,
    MinkaKAlpha,
    MinkaShape,
    MinkaRateForgotten,
    MinkaPriorForEach,
    MinkaWithoutFactor,
    MinkaLogForDigamma,
)
