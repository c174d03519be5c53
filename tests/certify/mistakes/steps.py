"""The steps of expectation propagation, Hamiltonian Monte Carlo, Langevin dynamics and tempered Gibbs sampling."""

from __future__ import annotations

from lda_reference.plain.ep import EPStep, Site
from lda_reference.plain.gradients import Gradient, Langevin, Leapfrog, Pair
from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import TemperedCGS

from .libraries import OfOperation

# Expectation propagation ---------------------------------------------------------------------------------------------


class SiteNotDeleted(OfOperation, EPStep):
    name = "site-not-deleted"
    text = "the moments are those of q: the row's site is first divided out of q, ML02 [deletion]"

    def cavity(self, q: Site, site: Site) -> Site:
        return q


class AllSitesDeleted(OfOperation, EPStep):
    name = "all-sites-deleted"
    text = "the sites of all tokens of the row are divided out: the cavity lacks the site of one token"

    def cavity(self, q: Site, site: Site) -> Site:
        return self.combined(q, 1, site, -self.n[self.case["row"]])


class MeansWithOneMore(OfOperation, EPStep):
    name = "means-with-one-more"
    text = (
        "the new parameters have the mean of the mixture and a sum 1 above that of the cavity: ML02 [moments] matches "
        "the sum of second moments too"
    )

    def match(self, r: Row, a: list[Row]) -> Row:
        total = self.sum(a[-1])  # the last component has the added 1
        return [total * v for v in self.means(r, a)] if len(a[0]) > 1 else super().match(r, a)


class WeightsForMoments(OfOperation, EPStep):
    name = "weights-for-moments"
    text = "the weights r are added to the cavity, as in CVB0: ML02 [moments] matches moments"

    def matched(self, cavity: Site, r: Row, w: int) -> Site:
        g, h = cavity
        at_w = [[r[k] if v == w else self.number(0) for k in range(self.K)] for v in range(self.W)]
        return self.combined((g, h), 1, (r, at_w), 1)


class DampingIgnored(OfOperation, EPStep):
    name = "damping-ignored"
    text = "the whole change of the site is made: the fraction `damping` of it is"

    def damping(self) -> Number:
        return self.number(1)


class ImproperIncluded(OfOperation, EPStep):
    name = "improper-included"
    text = "the site changes although a parameter of q is then not positive: such a site is left as it is"

    def included(self, new: Site) -> bool:
        return True


class CavityUnchecked(OfOperation, EPStep):
    name = "cavity-unchecked"
    text = "the site changes although a parameter of the cavity is not positive: such a site is left as it is"

    def deleted(self, cavity: Site) -> bool:
        return True


# Hamiltonian Monte Carlo ---------------------------------------------------------------------------------------------


class JacobianLeftOut(OfOperation, Gradient):
    name = "jacobian-left-out"
    text = "the exponents are alpha - 1 and eta - 1, as in the density of e^u: that of u has alpha and eta"

    def log_prior(self, a: Number, u: Number) -> Number:
        return super().log_prior(a, u) - u

    def slope_of_log_prior(self, a: Number, u: Number) -> Number:
        return super().slope_of_log_prior(a, u) - 1


class ExponentialLeftOut(OfOperation, Gradient):
    name = "exponential-left-out"
    text = "the terms e^u of the Gamma densities are left out of the density and its gradient"

    def log_prior(self, a: Number, u: Number) -> Number:
        return super().log_prior(a, u) + self.exp(u)

    def slope_of_log_prior(self, a: Number, u: Number) -> Number:
        return a


class NormalisationNotDifferentiated(OfOperation, Gradient):
    name = "normalisation-not-differentiated"
    text = "N_j theta_jk and N_k phi_wk are left out of the gradient: e^u is divided by its sum, which depends on u too"

    def slopes(self, N: Row, x: Row) -> Row:
        return N


class LogGammaLeftOut(OfOperation, Gradient):
    name = "log-gamma-left-out"
    text = "log Gamma(alpha_k) and log Gamma(eta_w) are left out of the density"

    def log_prior(self, a: Number, u: Number) -> Number:
        return super().log_prior(a, u) + self.log_gamma(a)


class FullFirstHalf(OfOperation, Leapfrog):
    name = "full-first-half"
    text = "the momentum takes a whole step before u: a leapfrog step has half steps of it before and after"

    def first_half(self) -> Number:
        return self.step()


class NoSecondHalf(OfOperation, Leapfrog):
    name = "no-second-half"
    text = "the momentum takes no step after u: a leapfrog step ends with half a step of it"

    def second_half(self) -> Number:
        return self.number(0)


class MassLeftOut(OfOperation, Leapfrog):
    name = "mass-left-out"
    text = "u moves by the momentum: it moves by the momentum over the mass"

    def velocity(self, r: Pair, m: Pair) -> Pair:
        return r


class MomentumTimesMass(OfOperation, Leapfrog):
    name = "momentum-times-mass"
    text = "u moves by the momentum times the mass: it moves by the momentum over the mass"

    def velocity(self, r: Pair, m: Pair) -> Pair:
        return self.each(lambda momentum, mass: momentum * mass, r, m)


class GradientSign(OfOperation, Leapfrog):
    name = "gradient-sign"
    text = "the momentum moves down the density: it moves by plus step/2 times the gradient of log p"

    def gradient(self, u: Pair) -> Pair:
        of = super().gradient(u)
        return self.each(lambda a, b: -a, of, of)


# Langevin dynamics ---------------------------------------------------------------------------------------------------


class BatchNotScaled(OfOperation, Langevin):
    name = "batch-not-scaled"
    text = "the counts of the batch are not multiplied by D / B: they stand for those of all D documents"

    def scale(self) -> Number:
        return self.number(1)


class DriftNotHalved(OfOperation, Langevin):
    name = "drift-not-halved"
    text = "the drift is multiplied by the step: it is multiplied by half the step"

    def half(self) -> Number:
        return 2 * super().half()


class NoiseWithoutMetric(OfOperation, Langevin):
    name = "noise-without-metric"
    text = "the noise is sqrt(step) normal: it is sqrt(step x) normal"

    def noise(self, x: Number) -> Number:
        return super().noise(self.number(1))


class NotReflected(OfOperation, Langevin):
    name = "not-reflected"
    text = "x_wk is left negative: its absolute value is taken"

    def reflected(self, x: Number) -> Number:
        return x


class SetToZero(OfOperation, Langevin):
    name = "set-to-zero"
    text = "a negative x_wk is replaced by 0: its absolute value is taken"

    def reflected(self, x: Number) -> Number:
        return x if self.positive(x) else self.number(0)


# Tempered Gibbs sampling ---------------------------------------------------------------------------------------------


class TopicTermNotTempered(OfOperation, TemperedCGS):
    name = "topic-term-not-tempered"
    text = "only the word term has the power b: p(x | z) is the word and the topic term"

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        return super().weight(gamma, i, k) * self.topic(gamma, i, k) ** (self.b() - 1)


class DocumentTermTempered(OfOperation, TemperedCGS):
    name = "document-term-tempered"
    text = "the document term has the power b too: the prior of z is not tempered"

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        return super().weight(gamma, i, k) * self.document(gamma, i, k) ** (self.b() - 1)


class TemperatureForInverse(OfOperation, TemperedCGS):
    name = "temperature-for-inverse"
    text = "the power is 1 / b: b is the inverse temperature"

    def b(self) -> Number:
        return 1 / super().b()


class NotTempered(OfOperation, TemperedCGS):
    name = "not-tempered"
    text = "the power b is left out, as in collapsed Gibbs sampling"

    def b(self) -> Number:
        return self.number(1)
