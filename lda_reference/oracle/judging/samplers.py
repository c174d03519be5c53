"""The test of a port that draws its own random numbers: its draws are compared with an enumerated posterior.

For each pair of tokens i < i' the test compares how often they share a topic with p(z_i = z_i' | x), and with an
asymmetric alpha also how often token i has topic k with p(z_i = k | x); GUIDE.md says why.

**The statistic.** S consecutive draws are cut into 40 batches. The standard error of the mean is estimated from the
means of the batches; if those of neighbours are correlated, with r > 0, it is multiplied by sqrt((1 + r) / (1 - r)), as
for an autoregression. It is at least that of independent draws, sqrt(p (1 - p) / S), so that a chain that never moves
has an error too. A statistic's p-value is that of Student's t with 39 degrees of freedom.

**The choice.** Batch means are nearly normal only if a batch contains the rarer outcome often enough. Statistics with
p (1 - p) below 10 / (length of a batch) are left out, unless p is exactly 0 or 1, where one other draw is an error.

**All together.** The p-value of a corpus is the smallest of its statistics times their number (Bonferroni), and that of
a run the smallest of its corpora times theirs. A run fails at p < `LEVEL`, a fifth of the 1 in 1,000 that is allowed,
because the approximations may use up some of the difference.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, repeat
from operator import eq
from statistics import NormalDist
from typing import Any, NamedTuple

from ..cases.closeness import brief, form_fault
from ..cases.loading import Case

DRAWS = 20_000
BATCHES = 40
MIN_SPREAD = 10  # the least variance of the number of times that a pair shares a topic in a batch of independent draws
LEVEL = 2e-4  # the level of significance of one run
REJECTION_LEVEL = 1e-3  # the level below which draws reject the law of a mistake

Draws = Sequence[Sequence[float]]  # S draws of N topics
Place = tuple[str, tuple[int, int]]  # "z" and two tokens, which share a topic; or "topics", a token and its topic
Law = Mapping[Place, float]  # the probabilities of these events
Counts = Mapping[Place, Sequence[int]]  # in how many draws of each batch they occur


class Verdict(NamedTuple):
    """The statistic that contradicts a law most, and how strongly."""

    p: float  # the p-value, over all statistics of the corpus
    field: str  # "z": how often two tokens share a topic, or "topics": how often a token has a topic
    index: tuple[int, int]  # type: ignore[assignment]  # hides tuple.index; two tokens, or a token and a topic
    mean: float  # how often this is so
    error: float  # the standard error of the mean
    expected: float  # its probability under the law


def question(case: Case, n_draws: int = DRAWS, seed: int = 0) -> Case:
    """What a port is sent."""
    case_fields = {field: case[field] for field in ("id", "algorithm", "corpus", "K", "prior")}
    return case_fields | {"operation": "sample", "draws": n_draws, "seed": seed}


def fault(answer: Mapping[str, Any], n_draws: int, case: Case) -> str | None:
    """Says what is wrong with the form of an answer; None if z is `n_draws` lists of N topics from 0 below K."""
    if form_error := form_fault({"z": [[0] * sum(case["corpus"]["n"])] * n_draws}, answer):
        return form_error
    triples = ((s, i, k) for s, draw in enumerate(answer["z"]) for i, k in enumerate(draw))
    faults = (f"z[{s}, {i}] is {brief(k)}, expected a topic from 0" for s, i, k in triples if k not in range(case["K"]))
    return next((f"{fault_text} below {case['K']}" for fault_text in faults), None)


def law(case: Case, mistake_name: str | None = None) -> Law:
    """What is compared of the law of z of a case, or of that of one of its mistakes.

    The probability of the first topic follows from those of the others.
    """
    p_ij = case["together"] if mistake_name is None else case["mistakes"][mistake_name]
    pair_law = {("z", (i, j)): float(p) for i, row in enumerate(p_ij) for j, p in enumerate(row) if i < j}
    if "topics" not in case:
        return pair_law
    p_ik = case["topics"] if mistake_name is None else case["mistaken_topics"][mistake_name]
    return pair_law | {("topics", (i, k)): float(p) for i, row in enumerate(p_ik) for k, p in enumerate(row) if k > 0}


def verdict(z: Draws, compared_law: Law, batch_counts: Counts | None = None) -> Verdict:
    """Compare consecutive draws of a chain with a law; there must be two or more in each batch.

    `batch_counts` are those of the batches, if they were counted before.
    """
    batch_length = len(z) // BATCHES
    batch_counts, expected = batch_counts or counts_of_batches(z, compared_law), tested(compared_law, batch_length)
    if not expected:
        return Verdict(1.0, "z", (0, 0), 1.0, 0.0, 1.0)
    test_of_event = {event: compared(batch_counts[event], p, batch_length) for event, p in expected.items()}
    worst_event = min(test_of_event, key=lambda event: test_of_event[event][0])
    p_value, mean, standard_error = test_of_event[worst_event]
    return Verdict(min(1.0, p_value * len(test_of_event)), *worst_event, mean, standard_error, expected[worst_event])


def tested(compared_law: Law, length: int) -> Law:
    """The part of a law that batches of this length can test."""
    return {event: p for event, p in compared_law.items() if p <= 0 or p >= 1 or p * (1 - p) * length >= MIN_SPREAD}


def compared(batch_counts: Sequence[int], p: float, batch_length: int) -> tuple[float, float, float]:
    """The p-value of a statistic alone, its mean and its standard error, from the counts of batches of some length."""
    mean = sum(batch_counts) / (BATCHES * batch_length)
    least_variance = p * (1 - p) / (BATCHES * batch_length)  # the means of a chain that never moves do not vary
    standard_error = math.sqrt(max(least_variance, _variance([n / batch_length - mean for n in batch_counts])))
    if p <= 0 or p >= 1:
        return float(mean == p), mean, standard_error
    return p_of_t(abs(mean - p) / standard_error), mean, standard_error


def _variance(deviations: Sequence[float]) -> float:
    """The variance of the mean of batch means, from their deviations; it allows for correlated neighbours."""
    sum_of_squares = math.fsum(deviation * deviation for deviation in deviations)
    r = math.fsum(x * y for x, y in pairwise(deviations)) / sum_of_squares if sum_of_squares else 0.0
    r = min(max(r, 0.0), 0.9)  # the estimate from few batches is rough; the error stays finite, above independence
    return sum_of_squares / (BATCHES - 1) / BATCHES * (1 + r) / (1 - r)


def p_of_t(t: float) -> float:
    """The probability that Student's t with 39 degrees of freedom is below -t or above t, for t >= 0.

    It is the incomplete beta function at x = 39 / (39 + t^2), by its power series, or that of its complement where x is
    near 1.
    """
    freedom = BATCHES - 1
    x, complement = freedom / (freedom + t * t), t * t / (freedom + t * t)
    return _incomplete_beta(freedom / 2, 0.5, x) if x < 0.9 else 1 - _incomplete_beta(0.5, freedom / 2, complement)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The integral of y^(a-1) (1-y)^(b-1) from 0 to x, as a share of that from 0 to 1."""
    term = x**a * (1 - x) ** b * math.gamma(a + b) / (math.gamma(a) * math.gamma(b) * a)
    partial_sum, n = 0.0, 0
    while partial_sum + term != partial_sum:
        partial_sum += term
        term *= x * (a + b + n) / (a + 1 + n)
        n += 1
    return partial_sum


def fewest(case: Case) -> int:
    """The least number of draws with which some pair of tokens of a case can be tested."""
    largest_variance = max((p * (1 - p) for (field, _), p in law(case).items() if field == "z"), default=0.0)
    return BATCHES * max(2, math.ceil(MIN_SPREAD / largest_variance) if largest_variance else 2)


def draws_that_tell(right_law: Law, wrong_law: Law, tau: Sequence[float] = (), level: float = LEVEL) -> float:
    """How many draws of a chain with a wrong law tell it from the right one 9 times in 10; infinitely many if none can.

    Each statistic is how often an event occurs. The event has probability p, or q with the mistake, and tau is its
    autocorrelation time, 1 for independent draws. Over S draws the standard error is s = sqrt(tau q (1 - q) / S). The
    test allows t standard errors, and z is the normal quantile of 0.9: it finds the mistake if |q - p| is (t + z) s.
    """
    t = _quantile(level / len(right_law))
    p_q_and_tau = zip(right_law.values(), wrong_law.values(), tau or [1.0] * len(right_law), strict=True)
    needed_draws = [
        max(x * q * (1 - q) * ((t + NormalDist().inv_cdf(0.9)) / (q - p)) ** 2, BATCHES * MIN_SPREAD / (p * (1 - p)))
        for p, q, x in p_q_and_tau if p != q and 0 < p < 1
    ]  # fmt: skip
    return math.ceil(min(needed_draws)) if needed_draws else math.inf


def off(case: Case, n_draws: int, level: float = LEVEL) -> float:
    """By how much any probability of a case must be off for so many independent draws to find it 9 times in 10."""
    probabilities = tested(law(case), n_draws // BATCHES).values()
    max_spread = max((p * (1 - p) for p in probabilities), default=math.inf)
    return (_quantile(level / max(1, len(probabilities))) + NormalDist().inv_cdf(0.9)) * math.sqrt(max_spread / n_draws)


def _quantile(tail_probability: float) -> float:
    """Student's t with 39 degrees of freedom that is exceeded, to both sides, with some probability."""
    return bisect_left(range(100_000), -tail_probability, key=lambda x: -p_of_t(x / 1000)) / 1000


def counts_of_batches(z: Draws, events: Iterable[Place]) -> Counts:
    """In how many draws of each batch each statistic holds; draws at the end that fill no batch are left out."""
    batch_length, topics_of_token = len(z) // BATCHES, list(zip(*z, strict=True))  # of each token, its topics
    batch_slices = [slice(b * batch_length, (b + 1) * batch_length) for b in range(BATCHES)]
    counts_of_event = {}
    for field, (i, k) in events:
        has_event = [*map(eq, topics_of_token[i], topics_of_token[k] if field == "z" else repeat(k))]
        counts_of_event[field, (i, k)] = [sum(has_event[batch_slice]) for batch_slice in batch_slices]
    return counts_of_event


def describe(v: Verdict, draws: int) -> str:
    i, k = v.index
    event = f"tokens {i} and {k} share a topic" if v.field == "z" else f"token {i} has topic {k}"
    return f"{event} in {v.mean:.4f} of {draws} draws, expected {v.expected:.4f} with a standard error of {v.error:.4f}"


def named(judged_draws: Sequence[tuple[Case, Draws, bool]]) -> str | None:
    """The one mistake that explains the draws of one sampler on several corpora; None if none or several do.

    Each case has its draws, and whether they passed. They must not reject the mistake's law. If a corpus does not list
    the mistake, its law is the same with and without it, and the corpus must have passed.
    """
    mistakes = dict.fromkeys(mistake for case, _, _ in judged_draws for mistake in case.get("mistakes", {}))
    for case, z, has_passed in judged_draws:
        batch_counts = counts_of_batches(z, law(case))  # the law of a mistake has the same statistics
        law_of = {mistake: law(case, mistake) for mistake in case.get("mistakes", {})}
        possible = {mistake for mistake in law_of if verdict(z, law_of[mistake], batch_counts).p >= REJECTION_LEVEL}
        mistakes = {mistake: None for mistake in mistakes if (mistake in possible if mistake in law_of else has_passed)}
    return next(iter(mistakes)) if len(mistakes) == 1 else None
