"""The claims of a report, each computed again from the answers of the port."""

import math
import re
from statistics import median

import numpy as np

from lda_reference.oracle.cases.closeness import same, tolerance_of
from lda_reference.oracle.changes import trying
from lda_reference.oracle.changes.change import layer
from lda_reference.oracle.diagnosing.numbers import numbers_of
from lda_reference.oracle.diagnosing.sentences import CASES, PLACES, SIZES, idle
from lda_reference.plain import answer, is_large

WORK = trying.Work()
CHANGES = {change.text: change for change in trying.vocabulary()}
AT_LEAST_0 = layer({name: lambda self, right, *given: max(right(*given), 0.0) for name in ("N", "V")})


def refuted(report, by_id, answers):
    """The sentences of a report that are not true, or that no function of this module can check."""
    passed = [by_id[r.id] for r in report.of("passed")]
    status = {r.id: r.status for r in report.results}
    out = []
    for said in (*report.composed, *report.shared):
        failed = [(by_id[id], answers.get(id)) for id in said.ids]
        true = composed if said in report.composed else shared
        if {status[id] for id in said.ids} != {"failed"} or not true(said.text, failed, passed):
            out.append(said.text)
    return out


def composed(text, failed, passed):
    """Put before the plain text again, each composition gives the port's wrong answers, and the right ones it gave."""
    text, schedule = re.fullmatch(r"(.*?)(?: \(schedule (\w+)\))?", text).groups()
    passed = [case for case in passed if schedule in (None, case.get("schedule"))]
    if {case.get("schedule") for case, _ in failed} != {schedule} and schedule:
        return False
    for of in text.split("; or when "):
        composition = tuple(CHANGES[part] for part in of.split(", and "))
        layers = [layer(change.methods) for change in composition]
        if not all(gives(layers, case, got) for case, got in failed):
            return False
        searched = [
            case for case in alike(failed, passed) if not is_large(case) and WORK.cost(case) < trying.MOST_WORK
        ]
        found = [(case, WORK.legal_answer(case, composition)) for case in searched]
        if not all(x is None or same(case["expected"], x, tolerance_of(case)) for case, x in found):
            return False
    return True


def gives(layers, case, got):
    """Whether the plain text with changes gives an answer, perhaps with 0 for each sum that the changes make negative."""
    found = (answer(case, float, *sums, *layers) for sums in ((), (AT_LEAST_0,)))
    return any(same(x, got, tolerance_of(case)) for x in found)


def alike(failed, passed):
    """The passed cases of the operations of the algorithms that have failed ones, and of the starts."""
    kinds = {(case["algorithm"], case["operation"], case.get("start")) for case, _ in failed}
    return [case for case in passed if (case["algorithm"], case["operation"], case.get("start")) in kinds]


def shared(text, failed, passed):
    """Whether a sentence such as "4 failed cases of sweep: only alpha is wrong; ..." is true."""
    scope, _, said = text.partition(": ")
    number, *of = re.fullmatch(r"(\d+) failed cases?(?: of (\w+))?(?: of (\w+))?", scope).groups()
    names = [name for name in of if name]
    inside = all({*names} <= {case["algorithm"], case["operation"], case.get("start")} for case, _ in failed)
    if int(number) != len(failed) or not inside:
        return False
    for pattern, true in CLAIMS.items():
        match = re.fullmatch(pattern, said)
        if match:
            return all(true(failed, [case for case in passed if not idle(case)], *match.groups()))
    return False


# What is true of cases ------------------------------------------------------------------------------------------------


def _operation(failed, passed, names, number):
    of = names.split(" and ")
    yield {case.get("start", case["operation"]) for case, _ in failed} == {*of}
    others = [case for case in passed if case.get("start", case["operation"]) not in of]
    yield int(number) == len(others)


def _attributes(failed, passed, which, number, also):
    names = which.split(", and ")
    yield all(CASES[name](case) for case, _ in failed for name in names)
    passed = alike(failed, passed)
    yield len(passed) == int(number)
    yield all(sum(map(CASES[name], passed)) == int(also.replace("none", "0")) for name in names)


def _sizes(failed, passed, which):
    for of in which.split(" and "):
        more, limit, name = re.fullmatch(r"(more|less) than (\S+) (.*)", of).groups()
        first, _, rest = name.partition(" ")
        size = SIZES.get(name) or SIZES[f"{first}s {rest}".strip()]
        sign = 1 if more == "more" else -1
        yield all(sign * size(case) > sign * float(limit) * (1 - sign * 5e-3) for case, _ in failed)
        yield min(sign * size(case) for case, _ in failed) > max(sign * size(case) for case in alike(failed, passed))


# What is true of numbers ----------------------------------------------------------------------------------------------


def numbers(failed, fields=None):
    """The expected number, the answered one and the tolerance, of each number of some fields of all answers."""
    for case, got in failed:
        for name, e in case["expected"].items():
            if fields is None or name in fields:
                e, g = np.ravel(np.array(e, float)), np.ravel(np.array(got[name], float))
                yield from zip(e, g, [tolerance_of(case)[name]] * len(e), strict=True)


def gammas(failed):
    """gamma as expected, as answered and as in the state, of each answer."""
    for case, got in failed:
        field = "gamma" if "gamma" in got else "gamma_k"
        state = np.array(case.get("state", {}).get("gamma", np.nan))
        old = state[[case["row"]]] if "row" in case and state.ndim else state
        yield np.atleast_2d(case["expected"][field]), np.atleast_2d(got[field]), old


def _factor(failed, passed, c):
    yield all(abs(g - float(c) * e) <= 1e-5 * abs(g) for e, g, _ in numbers(failed))


def _digits(failed, passed, d, rest):
    worst = [max(abs(g - e) / t * 1e-12 if t else abs(g - e) for e, g, t in numbers([of])) for of in failed]
    yield math.floor(-math.log10(median(worst))) == int(d)
    got = [g for _, g, _ in numbers(failed)]
    if "given in single" in rest:
        yield all(g == float(np.float32(g)) for g in got) or all(g == float(str(np.float32(g))) for g in got)
    if "many sweeps" in rest:
        yield {case["operation"] for case, _ in failed} <= {"ten_sweeps", "converged", "summary", "fold_in"}


def _decimals(failed, passed, d):
    yield all(g == round(g, int(d)) and abs(g - e) <= 10.0 ** -int(d) for e, g, _ in numbers(failed))


def _significant(failed, passed, d):
    yield all(g == float(f"{g:.{d}g}") and abs(g - e) <= 10.0 ** (1 - int(d)) * abs(e) for e, g, _ in numbers(failed))


def _zeros(failed, passed):
    yield all(g == 0 for e, g, t in numbers(failed) if abs(g - e) > t)


def _unchanged(failed, passed):
    yield all(np.array_equal(g, old) for _, g, old in gammas(failed))


def _rows_unchanged(failed, passed):
    yield all(
        np.all(np.isclose(g, e, 1e-8, 1e-11).all(1) | np.isclose(g, old, 1e-8, 1e-11).all(1))
        for e, g, old in gammas(failed)
    )


def _permuted(failed, passed):
    yield all(np.allclose(np.sort(e), np.sort(g), 1e-8, 1e-11) and not np.allclose(e, g) for e, g, _ in gammas(failed))


def _zeros_and_ones(failed, passed):
    yield all(np.isin(g, [0, 1]).all() for _, g, _ in gammas(failed))


def _unnormalised(failed, passed):
    yield all((abs(g.sum(1) - 1) > 1e-6).any() for _, g, _ in gammas(failed))


def _rows_times(failed, passed, line, field):
    for case, got in failed:
        e, g = np.array(case["expected"][field]), np.array(got[field])
        ratios = (g / np.where(e, e, np.nan)).T if line == "column" else g / np.where(e, e, np.nan)
        yield all(
            np.ptp(row[np.isfinite(row)]) <= 1e-7 * np.nanmax(abs(row))
            for row in np.atleast_2d(ratios)
            if np.isfinite(row).any()
        )


def _places(failed, passed, place, number):
    entries = [(case, e) for case, got in failed for e in numbers_of(case, got).entries]
    outside = [
        abs(e.got - e.expected) <= tolerance_of(case)[e.field] for case, e in entries if not PLACES[place](case, e)
    ]
    yield len(outside) == int(number) and all(outside)


def _axes(failed, passed, field):
    for case, got in failed:
        yield np.shape(got[field]) == np.shape(case["expected"][field])[::-1]


CLAIMS = {
    r"all are cases (.*); of (\d+) passed cases of the same operations, (\w+) (?:is|are)": _attributes,
    r"all have (.*), and no passed case of the same operations has": _sizes,
    r"all are of (\w+(?: and \w+)?); all (\d+) cases of other operations passed": _operation,
    r"every wrong number is 0": _zeros,
    r"every number is (\S+) times the expected one": _factor,
    r"the numbers agree to about (\d+) digits(.*)": _digits,
    r"the numbers are rounded to (\d+) decimals; 15 digits are enough": _decimals,
    r"the numbers have only (\d+) significant digits; 15 are enough": _significant,
    r"gamma is that of the state: nothing was updated": _unchanged,
    r"each wrong row of gamma is that of the state": _rows_unchanged,
    r"gamma has the expected numbers in another order of topics": _permuted,
    r"gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn": _zeros_and_ones,
    r"gamma does not sum to 1 over topics": _unnormalised,
    r"each (row|column) of (\w+) is the expected one times a number: look at its divisor": _rows_times,
    r"only (.*) wrong; the other (\d+) numbers are right": _places,
    r"(\w+) has its axes exchanged": _axes,
}
