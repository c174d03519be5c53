"""Mistakes of porters in schedules, draws, estimates, bounds and priors. No list has them."""

import math

from .faulty import Port
from .planted_updates import planter

SWEEPS = {}
plant = planter(SWEEPS)


# New rows and schedules ----------------------------------------------------------------------------------------------


@plant("cvb0 map ml")
class EuclideanNorm(Port):
    """The weights are divided by the root of the sum of their squares, so that the squares sum to 1."""

    def normalised(self, x):
        return [v / math.hypot(*x) for v in x]


@plant("cvb0 vb")
class SmallGammaDropped(Port):
    """Entries of gamma below 0.05 are set to 0, and the others are normalised again."""

    def normalised(self, x):
        g = super().normalised(x)
        return super().normalised([v if v >= 0.05 else 0.0 for v in g])


@plant("cvb0 vb")
class WordSumsRenewed(Port):
    """The sums of words are refreshed after each row in every schedule; the other two follow the schedule."""

    def one_sweep(self, gamma):
        self.newest = list(gamma)
        return super().one_sweep(gamma)

    def assigned(self, x, i):
        self.newest[i] = super().assigned(x, i)
        return self.newest[i]

    def N(self, part, gamma, i, k):
        return super().N(part, getattr(self, "newest", gamma) if part == "word" else gamma, i, k)


@plant("cvb cvb1d")
class VariancesLate(Port):
    """The sums of variances are those before the sweep; the sums of means follow the schedule."""

    def one_sweep(self, gamma):
        self.begun = gamma
        return super().one_sweep(gamma)

    def V(self, part, gamma, i, k):
        return super().V(part, getattr(self, "begun", gamma), i, k)


@plant("cvb0 vb")
class OneRowBehind(Port):
    """In token order a row sees the new gamma of all rows before it but the last."""

    def weights(self, gamma, i):
        if self.case.get("schedule") == "token" and i > 0 and hasattr(self, "begun"):
            gamma = [self.begun[r] if r == i - 1 else row for r, row in enumerate(gamma)]
        return super().weights(gamma, i)

    def one_sweep(self, gamma):
        self.begun = gamma
        return super().one_sweep(gamma)


@plant("cvb0 map")
class BackAndForth(Port):
    """Every second sweep takes the rows backwards."""

    sweeps = 0

    def swept(self):
        return range(self.M)[:: 1 if self.sweeps % 2 else -1]

    def one_sweep(self, gamma):
        self.sweeps += 1
        return super().one_sweep(gamma)


@plant("cvb0 vb")
class SettledRowsSkipped(Port):
    """A sweep leaves a row as it is if one topic has more than 0.9 of it."""

    def one_sweep(self, gamma):
        self.begun = gamma
        return super().one_sweep(gamma)

    def assigned(self, x, i):
        return self.begun[i] if max(self.begun[i]) > 0.9 else super().assigned(x, i)


@plant("cvb0 vb")
class OneBlockMore(Port):
    """There is one block more than `blocks`."""

    def blocks(self):
        self.case = self.case | {"blocks": self.case["blocks"] + 1}
        return super().blocks()


@plant("cvb0 vb")
class StopsWithTopics(Port):
    """The sweeps towards a fixed point stop when no row's most probable topic changes."""

    def converged(self):
        old, gamma = None, self.gamma
        while old != [row.index(max(row)) for row in gamma]:
            old, gamma = [row.index(max(row)) for row in gamma], self.one_sweep(gamma)
        return {"gamma": gamma}


@plant("vb vem")
class NestedInPlace(Port):
    """The steps of a nested sweep change the rows in place, so that a row sees the new gamma of the rows before it."""

    def nested_sweep(self, gamma):
        new, self.held = self.first_of_nested(gamma), gamma
        for _ in range(self.case["inner"]):
            for i in range(self.M):
                new[i] = self.assigned(self.weights(new, i), i)
        self.held = None
        return new


# Draws ---------------------------------------------------------------------------------------------------------------


@plant("cgs")
class NextUniform(Port):
    """A sweep draws the topic of each token by the uniform number of the next token."""

    def new_topic(self, z, i):
        self.case["uniforms"] = self.uniforms[1:] + self.uniforms[:1]
        return super().new_topic(z, i)

    def __init__(self, case, numbers):
        super().__init__(case, numbers)
        self.uniforms = case.get("uniforms")


@plant("cgs")
class LargestTopicFirst(Port):
    """The partial sums of a draw are taken from the largest weight down, and not in topic order."""

    def drawn(self, x, u):
        order = sorted(range(len(x)), key=lambda k: -x[k])
        return order[super().drawn([x[k] for k in order], u)]


# Estimates, bounds and priors ----------------------------------------------------------------------------------------


@plant("cvb0 cvb")
class ThetaOfRows(Port):
    """theta counts each row once, whatever its count; phi counts tokens."""

    def theta(self, N_jk):
        N = self.zeros(self.D)
        for i in range(self.M):
            N[self.j[i]] = [a + g for a, g in zip(N[self.j[i]], self.gamma[i], strict=True)]
        return super().theta(N)


@plant("cvb0 map")
class PhiOfJoint(Port):
    """phi is divided by its sum over words and topics together, so that the whole table sums to 1."""

    def phi(self, N_wk, N_k):
        e, E = self.pseudo_eta()
        return [[(N + x) / (sum(N_k) + sum(E)) for N, x in zip(*of, strict=True)] for of in zip(N_wk, e, strict=True)]


@plant("cvb0 vb")
class EstimateAfterSweep(Port):
    """theta and phi are those after one more sweep in token order."""

    def estimate(self):
        self.case = self.case | {"schedule": "token"}
        self.gamma = self.one_sweep(self.gamma)
        return super().estimate()


@plant("cvb0 vb")
class LargestTopicPredicts(Port):
    """The probability of a test row is the largest of theta_jk phi_wk over topics, and not their sum."""

    def predict(self):
        test, (theta, phi) = self.case["test"], self.estimate().values()
        p = [
            max(a * b for a, b in zip(theta[j], phi[w], strict=True)) for j, w in zip(test["j"], test["w"], strict=True)
        ]
        return {"token_probability": p, "perplexity": self.perplexity(p, test["n"])}


@plant("cvb0 map")
class PerplexityOverRows(Port):
    """The sum of n log p is divided by the number of test rows, and not by the number of their tokens."""

    def mean_log(self, p, n):
        return super().mean_log(p, n) * sum(n) / len(n)


@plant("vb cvb0")
class EntropyWithEpsilon(Port):
    """The entropy of q(z) has log(gamma + 1e-6) where it has log gamma."""

    def entropy(self):
        return -sum(n * g * math.log(g + 1e-6) for n, row in zip(self.n, self.gamma, strict=True) for g in row)


@plant("vb cvb0")
class AlphaConstantOnce(Port):
    """log Gamma(alpha) is taken once for a document, and not for each of K topics."""

    def constant_of_theta(self):
        return self.D * (self.log_gamma(self.sum_alpha) - self.log_gamma(self.alpha[0]))


@plant("vb cvb0")
class MinkaTotalsOfWords(Port):
    """The step for eta has the totals of words where it has those of topics."""

    def minka(self, N, totals, a, vector):
        of_words = [sum(column) for column in zip(*N, strict=True)]
        return super().minka(N, totals if a is self.alpha else of_words, a, vector)


@plant("cvb0 cgs")
class MinkaOneComponent(Port):
    """The totals of Minka's step are taken with one entry of the prior, and not with the sum of all."""

    def total_rise(self, totals, a):
        return sum(self.rise(N, a[0]) for N in totals)


@plant("cvb0 vb")
class VectorStays(Port):
    """After a case whose alpha is a vector, later cases of as many topics have it where their alpha is one number."""

    def prior(self):
        alpha, eta = super().prior()
        if isinstance(self.case["prior"]["alpha"], list):
            self.kept[self.K] = alpha
        return self.kept.get(self.K, alpha), eta


@plant("cvb0 vb")
class EtaAtMostOne(Port):
    """Entries of eta above 1 are set to 1."""

    def prior(self):
        alpha, eta = super().prior()
        return alpha, [[min(e, 1.0) for e in row] for row in eta]
