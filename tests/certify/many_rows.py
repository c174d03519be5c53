"""The cases of 100,000 rows, which are made from a few integers.

Their answers are proved in balls, from kept sums. In `corpus` order all rows see the first gamma, so that the digamma
functions of VB are those of each document, word and topic, and are kept too. In the sweep of CGS in parts, every draw is
decided in balls; the least distance of a uniform number from a boundary between topics is 1.8e-7.
"""

import itertools
from collections import defaultdict
from functools import partialmethod

from lda_reference.oracle.cases.loading import LARGE, expanded
from lda_reference.oracle.cases.noise import DOUBLE, LEAST_UNITS, SINGLE
from lda_reference.plain import Balls, Running, algorithm
from lda_reference.plain.running import PARTS
from lda_reference.plain.updates import ADLDA

from .plan import questions
from .proofs import BITS, CLOSE, RADIUS
from .rounding import rounded


class Kept(Running):
    """The terms of VB, which excludes nothing, are kept for each document, each word and the corpus."""

    def kept(self, part, gamma, i, k):
        place = (*self.place(part, i), k)
        terms = self.__dict__.setdefault("terms", {})
        if place not in terms:
            terms[place] = getattr(super(), part)(gamma, i, k)
        return terms[place]

    document = partialmethod(kept, "document")
    word = partialmethod(kept, "word")
    topic = partialmethod(kept, "topic")


class Copies(Running, ADLDA):
    """Each part has a copy of all counts, which are whole numbers, and changes it by its own draws."""

    closest = 1.0  # the least distance of a uniform number from a boundary between topics

    def swept_topics(self, z):
        self.counts = defaultdict(lambda: [0] * self.K)
        for copy, (i, k) in itertools.product(set(self.case["parts"]), enumerate(z)):
            self.add(1, copy, i, k)
        return super().swept_topics(z)

    def add(self, number, copy, i, k):
        for part in PARTS:
            self.counts[copy, *self.place(part, i)][k] += number

    def new_topic(self, z, i):
        copy = self.case["parts"][self.j[i]]
        self.add(-1, copy, i, z[i])
        topic = self.drawn(self.weights(self.gamma, i), self.uniform(i))
        self.add(1, copy, i, topic)
        return topic

    def N(self, part, gamma, i, k):
        return self.counts[self.case["parts"][self.j[i]], *self.place(part, i)][k]

    def drawn(self, x, u):
        topic, partial = super().drawn(x, u), list(itertools.accumulate(x))
        beside = partial[:-1][max(topic - 1, 0) : topic + 1]
        self.closest = min([self.closest, *(float(abs(s / partial[-1] - u)) for s in beside)])
        return topic

    def summary(self):
        places = [i * self.K + k for i, k in enumerate(super().summary()["z"])]  # where gamma is 1
        return {"cosine": self.sum(map(self.numbers.cos, places)), "sine": self.sum(map(self.numbers.sin, places))}


LAYERS = {"vb": Kept, "cgs": Copies}


def large_cases():
    """The cases with their answers."""
    return [completed(case) for case in questions(LARGE)]


def completed(case):
    """A case with its answer, which is proved in balls, and its tolerances; a ValueError if it is not certain."""
    numbers = Balls(BITS)
    with numbers.precision():
        run = algorithm(expanded(case), numbers, LAYERS.get(case["algorithm"], Running))
        answer, closest = run.answer(), getattr(run, "closest", None)
        if any(not x.is_finite() or float(x.rad()) > RADIUS for x in answer.values()):
            raise ValueError(f"{case['id']}: {BITS} bits do not prove its answer")
        return case | {"expected": rounded(answer), **tolerances(case, closest)}


def tolerances(case, closest):
    """The tolerances of both precisions: as if each row of gamma were off by two units of roundoff in one direction."""
    units, why = 2 * case["many_rows"]["M"], "2^-53, twice for each of 100,000 rows"
    single = {field: float(f"{units * SINGLE:.2g}") for field in ("cosine", "sine")}
    double = {field: {"absolute": float(f"{units * DOUBLE:.2g}"), "why": why} for field in single}
    if closest is not None:
        if not CLOSE < closest < LEAST_UNITS * SINGLE:
            fault = f"a uniform number is {closest:.2g} from a boundary, expected {CLOSE} to {LEAST_UNITS * SINGLE:.2g}"
            raise ValueError(f"{case['id']}: {fault}")
        why = f"a uniform number is {closest:.2g} from a boundary between topics, which is within the rounding error"
        single = {"undecidable": why, **single}
    return {"tolerance": double, "single": single}
