"""One rule for every verdict: from the numbers of comparisons to the status of a claim.

A claim is put to the test by comparisons. A comparison has a number for each unit, such as a seed, a split or a corpus,
and positive numbers agree with the claim. What the claim asks of these numbers is its kind:

- difference: their mean is above the threshold;
- likeness: their mean is within plus or minus the limit;
- share: the part of units with 1 (and not 0) is above the threshold;
- computed: the one number is above the threshold; it is a count or a fact, which needs no test;
- not tested: nothing, for the reason that is given.

The head of the ledger, in claims.toml, tells the rule. In its first step two samples are compared by Welch's t, and a
share is tested by the exact binomial test. In its second, the smallest of a claim's p-values that Holm's method has
adjusted is the p-value of the claim, and a comparison is decided if its own and that of its claim are at most 0.05.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

LEVEL, LEAST_UNITS, MOST_UNITS = 0.05, 8, 1000  # MOST_UNITS units are looked at for what would decide
REPRODUCED, FAILS, CHANGED, UNDECIDED, UNTESTED = (
    "reproduced", "not reproduced", "changed", "not decided by these runs", "not tested",
)  # fmt: skip
DEPENDS = "depends on"
STATUSES = (REPRODUCED, DEPENDS, FAILS, CHANGED, UNDECIDED, UNTESTED)
OWN_SETTING, ELSEWHERE, SINGLE, MIXED = "in the paper's own setting", "elsewhere only", "by one comparison", "mixed"
GRADES = (OWN_SETTING, ELSEWHERE, SINGLE, MIXED)
KINDS = ("difference", "likeness", "share", "computed")
Numbers = Sequence[float]


class Comparison(NamedTuple):
    """The numbers of one comparison; those that share a name share a line of the table.

    `values` has paired differences, or the first of two samples, and `second` the second one. `paper` is whether the
    schedule is the paper's own, and `paper_corpus` whether the corpus is. `levels` has the level of each factor, such
    as search, scoring or corpus size. `kind` is given where it is not that of the claim, and `overlap` is test/train
    of splits that overlap.
    """

    name: str
    values: Numbers
    second: Numbers | None = None
    paper: bool = False
    levels: Mapping[str, str] = {}
    kind: str = ""
    overlap: float = 0.0
    paper_corpus: bool = False


class Question(NamedTuple):
    """What a claim asks of its comparisons. `reason` says why it has none, if it is not tested.

    `has_schedule` is whether the paper names the schedule of its runs.
    """

    kind: str
    comparisons: Sequence[Comparison] = ()
    unit: str = "seed"
    threshold: float = 0.0
    limit: float = 0.0
    reason: str = ""
    has_schedule: bool = False


class Tested(NamedTuple):
    """A comparison with its mean, 95% interval and p-value, before and after Holm's adjustment.

    `sign` is 1 if it agrees with the claim, -1 if it contradicts it, and 0 while it is undecided.
    """

    comparison: Comparison
    mean: float
    low: float
    high: float
    units: int
    p: float
    adjusted: float = np.nan
    sign: int = 0
    needed: int | None = None


class Verdict(NamedTuple):
    """The status of a claim, its comparisons, and its adjusted p-value.

    `grade` is how strong the evidence is if the claim is reproduced, and `printed` the status as printed if it is
    changed.
    """

    status: str
    tested: list[Tested]
    p: float
    grade: str = ""
    printed: str = ""


# One comparison ------------------------------------------------------------------------------------------------------


def units_of(c: Comparison) -> int:
    return len(c.values) if c.second is None else min(len(c.values), len(c.second))


def error_of(c: Comparison) -> tuple[float, float]:
    """The standard error of the mean, and its degrees of freedom."""
    samples = [np.asarray(sample, float) for sample in (c.values, c.second) if sample is not None]
    if min(map(len, samples)) < 2:
        return np.nan, 0.0
    variances = [sample.var(ddof=1) * (1 / len(sample) + c.overlap) for sample in samples]
    variance, freedom = sum(variances), sum(v**2 / (len(x) - 1) for v, x in zip(variances, samples, strict=True))
    return float(np.sqrt(variance)), float(variance**2 / freedom) if freedom else len(samples[0]) - 1.0


def margin(kind: str, q: Question, mean: float) -> float:
    """How far a mean is on the claim's side of its threshold or limit; negative on the other side."""
    return q.limit - abs(mean) if kind == "likeness" else mean - q.threshold


def measured(c: Comparison, q: Question) -> Tested:
    """The mean of a comparison, its interval and its p-value, which is nan if nothing is tested."""
    kind, n_units, numbers = c.kind or q.kind, units_of(c), np.asarray(c.values, float)
    mean = float(numbers.mean() - (0.0 if c.second is None else np.mean(c.second)))
    if kind not in KINDS or not np.isfinite(mean):
        raise ValueError(f"{c.name}: the kind is {kind!r}, of {KINDS}, and the mean {mean}, which is to be finite")
    if kind == "computed":
        return Tested(c, mean, mean, mean, n_units, np.nan, 0.0, 1 if mean > q.threshold else -1)
    if kind == "share":
        binomial_test = stats.binomtest(int(numbers.sum()), n_units, q.threshold)
        low, high = binomial_test.proportion_ci(1 - LEVEL)
        p = binomial_test.pvalue
    else:
        standard_error, freedom = error_of(c)
        half_width = stats.t.ppf(1 - LEVEL / 2, freedom) * standard_error if freedom else np.nan
        low, high, p = mean - half_width, mean + half_width, p_value(margin(kind, q, mean), standard_error, freedom)
    return Tested(c, mean, float(low), float(high), n_units, float(p) if n_units >= LEAST_UNITS else np.nan)


def p_value(distance: float, standard_error: float, freedom: float) -> float:
    if not freedom:
        return np.nan
    t = abs(distance) / standard_error if standard_error else np.inf if distance else 0.0
    return float(2 * stats.t.sf(t, freedom))


def needed(t: Tested, q: Question, number: int) -> int | None:
    """The least number of units that would decide a comparison at its observed mean and deviation, or None.

    `number` is how many comparisons of the claim share its level of 5% (Bonferroni, the first step of Holm's method).
    """
    c, n_units = t.comparison, np.arange(LEAST_UNITS, MOST_UNITS + 1)
    kind = c.kind or q.kind
    if t.units < 2 or kind == "computed":
        return None
    level = LEVEL / max(number, 1)
    if kind == "share":
        is_decisive = np.array([stats.binomtest(round(t.mean * i), i, q.threshold).pvalue <= level for i in n_units])
    else:
        samples = [np.asarray(sample, float) for sample in (c.values, c.second) if sample is not None]
        standard_errors = np.sqrt(sum(sample.var(ddof=1) for sample in samples) * (1 / n_units + c.overlap))
        with np.errstate(divide="ignore", invalid="ignore"):
            is_decisive = abs(margin(kind, q, t.mean)) / standard_errors >= quantiles(level, len(samples))
    return int(n_units[is_decisive][0]) if is_decisive.any() else None


@cache
def quantiles(level: float, n_samples: int) -> Any:
    """The t of a two-sided test at a level, for each number of units of one sample or two."""
    return stats.t.isf(level / 2, n_samples * (np.arange(LEAST_UNITS, MOST_UNITS + 1) - 1))


# All comparisons of a claim, and all claims --------------------------------------------------------------------------


def holm(p: Numbers) -> Any:
    """Holm's adjusted p-values: the smallest times their number, the next times one less, and so on, in order."""
    p_array = np.asarray(p, float)
    order = np.argsort(p_array)
    adjusted_p = np.empty_like(p_array)
    adjusted_p[order] = np.minimum(1, np.maximum.accumulate(p_array[order] * (len(p_array) - np.arange(len(p_array)))))
    return adjusted_p


def with_holm(q: Question) -> list[Tested]:
    tests = [measured(c, q) for c in q.comparisons if units_of(c)]
    tested_indices = [i for i, test in enumerate(tests) if not np.isnan(test.p)]
    for i, p in zip(tested_indices, holm([tests[i].p for i in tested_indices]), strict=True):
        tests[i] = tests[i]._replace(adjusted=float(p))
    return tests


def with_sign(t: Tested, q: Question, n_comparisons: int, decidable: bool) -> Tested:
    """A comparison with its sign if it is decided, and otherwise with the number of units that would decide it."""
    if decidable and t.adjusted <= LEVEL:
        return t._replace(sign=1 if margin(t.comparison.kind or q.kind, q, t.mean) > 0 else -1)
    return t if t.sign else t._replace(needed=needed(t, q, n_comparisons))


def evaluate(questions: Mapping[str, Question]) -> dict[str, Verdict]:
    """The verdicts of all claims together.

    A name that ends in " instead" is a second form of the claim before it: if the claim fails or depends, and its
    second form is reproduced, then the claim is changed.
    """
    tests_of = {claim: with_holm(q) for claim, q in questions.items()}
    adjusted_p_of_claim = {claim: [t.adjusted for t in tests if not np.isnan(t.p)] for claim, tests in tests_of.items()}
    least_p = {claim: min(p_values) for claim, p_values in adjusted_p_of_claim.items() if p_values}
    claim_p = dict(zip(least_p, stats.false_discovery_control(list(least_p.values())), strict=True)) if least_p else {}
    verdicts = {}
    for claim, q in questions.items():
        p = float(claim_p.get(claim, np.nan))
        signed_tests = [with_sign(t, q, len(tests_of[claim]), decidable=p <= LEVEL) for t in tests_of[claim]]
        status = status_of(signed_tests)
        verdicts[claim] = Verdict(status, signed_tests, p, grade_of(signed_tests, q) if status == REPRODUCED else "")
    for claim, verdict in verdicts.items():
        second_form = verdicts.get(f"{claim} instead")
        if second_form and second_form.status == REPRODUCED and verdict.status.startswith((FAILS, DEPENDS)):
            verdicts[claim] = verdict._replace(status=CHANGED, printed=verdict.status)
    return verdicts


def counting(tests: Sequence[Tested]) -> list[Tested]:
    """The decided comparisons in the paper's own schedule; if there are none, all that are decided."""
    decided_tests = [test for test in tests if test.sign]
    return [test for test in decided_tests if test.comparison.paper] or decided_tests


def status_of(tests: Sequence[Tested]) -> str:
    signs = {test.sign for test in counting(tests)}
    if not signs:
        return UNDECIDED if tests else UNTESTED
    return f"{DEPENDS} {factor(counting(tests))}" if len(signs) == 2 else REPRODUCED if 1 in signs else FAILS


def grade_of(tests: Sequence[Tested], q: Question) -> str:
    """How strong the evidence for a reproduced claim is: the weakest of the grades that fits."""
    agreeing, contradicting = ([test.comparison for test in tests if test.sign == sign] for sign in (1, -1))
    if contradicting:
        return f"{MIXED}: {'more' if len(contradicting) > len(agreeing) else 'some'} against"
    if len(agreeing) == 1:
        return SINGLE
    is_own_setting = any(c.paper_corpus and (c.paper or not q.has_schedule) for c in agreeing)
    return OWN_SETTING if is_own_setting else ELSEWHERE


def factor(decided_tests: Sequence[Tested]) -> str:
    """The factors that separate the comparisons that agree from those that contradict, as few as possible."""
    factors = list(dict.fromkeys(factor_name for t in decided_tests for factor_name in t.comparison.levels))
    for size in range(1, len(factors) + 1):
        separating_sets = [x for x in combinations(factors, size) if not set.intersection(*levels_of(decided_tests, x))]
        if separating_sets:
            return " or ".join(" and ".join((", ".join(x[:-1]), x[-1])) if size > 1 else x[0] for x in separating_sets)
    return "the setting"


def levels_of(decided_tests: Sequence[Tested], factors: Sequence[str]) -> list[set[tuple[str, ...]]]:
    """The levels of some factors among the comparisons that agree, and among those that contradict."""
    levels_of_sign: dict[int, set[tuple[str, ...]]] = {1: set(), -1: set()}
    for t in decided_tests:
        levels_of_sign[t.sign].add(tuple(t.comparison.levels.get(factor_name, "") for factor_name in factors))
    return list(levels_of_sign.values())
