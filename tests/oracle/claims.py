"""The claims of a report, each computed again from the answers of the port."""

import math
import re
from contextlib import suppress

import numpy as np

from lda_reference import oracle
from lda_reference.oracle.asking.written import as_json
from lda_reference.oracle.cases.closeness import agrees, tolerance_of
from lda_reference.oracle.cases.loading import at_precision
from lda_reference.oracle.changes import trying
from lda_reference.oracle.changes.change import layer
from lda_reference.oracle.changes.mistaken import mistaken_answer
from lda_reference.oracle.diagnosing.numbers import numbers_of
from lda_reference.oracle.diagnosing.sentences import CASES, PLACES, SIZES
from lda_reference.oracle.judging import levels
from lda_reference.plain import answer, is_large

WORK = trying.Work()
CHANGES = {change.text: change for change in trying.vocabulary()}
AT_LEAST_0 = layer({name: lambda self, right, *arguments: max(right(*arguments), 0.0) for name in ("N", "V")})


def true_report(port, cases, **options):
    """The report on a port, and the kinds of its sentences, each of which is true."""
    answers = {}

    def note_answer(case):
        answers[case["id"]] = as_json(port(case))
        return answers[case["id"]]

    report = oracle.check(note_answer, given=cases, **options)
    judgements = [*judgements_of(report, {case["id"]: case for case in cases}, answers)]
    assert [text for _, text, is_true in judgements if not is_true] == []
    return report, {sentence_kind for sentence_kind, *_ in judgements}


def judgements_of(report, by_id, answers):
    """The kind of each sentence of a report, the sentence, and whether it is true and a function here can check it.

    `by_id` has the cases asked.
    """
    status = {r.id: status_of(by_id[r.id], answers.get(r.id)) for r in report.results}
    for sentence in (*report.composed, *report.shared):
        failed = [(by_id[id], answers.get(id)) for id in sentence.ids]
        kind, check = ("composed", composes) if sentence in report.composed else (kind_of(sentence.text), holds)
        passed = [by_id[id] for id in status if status[id] == "passed"]
        yield kind, sentence.text, {status[id] for id in sentence.ids} == {"failed"} and check(sentence.text, failed, passed, status)
    for r in report.of("failed"):
        if r.mistake:
            expected = mistaken_answer(by_id[r.id], r.mistake)
            yield "mistake", r.mistake, status_of(by_id[r.id] | {"expected": expected}, answers[r.id]) == "passed"
    failed, passed = ([*status.values()].count(name) for name in ("failed", "passed"))
    group_sizes = re.findall(r"^(?:\d+\. |and )(\d+)(?: more)? failed cases? \(", str(report), re.MULTILINE)
    yield "groups", f"{group_sizes} failed cases", sum(map(int, group_sizes)) == failed
    yield "verdict", f"{failed} of {passed + failed}", not failed or f"\n{failed} of {passed + failed} case" in str(report)
    for name, level, text in re.findall(r"^  (\w+) +(\d) of \d: (.*)$", str(report), re.MULTILINE):
        statuses = {status[c["id"]] for c in by_id.values() if c["algorithm"] == name and levels.level(c) <= int(level)}
        yield "level", text, statuses <= {"passed"} and text.startswith(levels.LEVELS.get(int(level), "nothing"))


def kind_of(sentence):
    """The pattern of a sentence; of one on what failed cases share, without their number and scope."""
    sentence = re.sub(r"^\d+ failed cases?[\w ]*: ", "", sentence)
    return next((pattern for pattern in CLAIMS if re.fullmatch(pattern, sentence)), "unknown")


def status_of(case, answer):
    """Whether an answer is right within the tolerances, wrong, or skipped; no answer is wrong."""
    if answer is None or "skip" in answer:
        return "failed" if answer is None else "skipped"
    if "undecidable" in case:
        return "undecidable"
    agree = all(np.shape(e) == np.shape(answer.get(name)) for name, e in case["expected"].items())
    return "passed" if agree and all(abs(g - e) <= t or g == e for e, g, t in numbers([(case, answer)])) else "failed"


# Compositions ---------------------------------------------------------------------------------------------------------


def composes(sentence, failed, passed, status):
    """Put before the plain text again, each composition gives the port's wrong answers, and the right ones it gave."""
    sentence, schedule = re.fullmatch(r"(.*?)(?: \(schedule (\w+)\))?", sentence).groups()
    passed = [case for case in passed if schedule in (None, case.get("schedule"))]
    if {case.get("schedule") for case, _ in failed} != {schedule} and schedule:
        return False
    for change_texts in sentence.split("; or when "):
        composition = tuple(CHANGES[part] for part in change_texts.split(", and "))
        layers = [layer(change.methods) for change in composition]
        if not all(give_answer(layers, case, got) for case, got in failed):
            return False
        searched_cases = [
            case for case in comparable(failed, passed) if not is_large(case) and WORK.cost(case) < trying.MOST_WORK
        ]
        tries = [(case, *WORK.tried(case, composition)) for case in searched_cases]
        if not all(not legal or agrees(case["expected"], x, tolerance_of(case)) for case, x, legal in tries):
            return False
    return True


def give_answer(layers, case, port_answer):
    """Whether the plain text with changes gives an answer, perhaps with 0 for each sum that the changes make negative."""
    for sum_layers in ((), (AT_LEAST_0,)):
        with suppress(ArithmeticError):  # with a negative sum, an exponential may overflow
            if agrees(as_json(answer(case, float, *sum_layers, *layers)), port_answer, tolerance_of(case)):
                return True
    return False


def comparable(failed, passed):
    """The passed cases of the operations of the algorithms that have failed ones, and of the starts."""
    kinds_of_failed = {(case["algorithm"], case["operation"], case.get("start")) for case, _ in failed}
    return [case for case in passed if (case["algorithm"], case["operation"], case.get("start")) in kinds_of_failed]


# What is true of cases ------------------------------------------------------------------------------------------------


def holds(text, failed, passed, status):
    """Whether a sentence such as "4 failed cases of sweep: only alpha is wrong; ..." is true."""
    scope, _, sentence = text.partition(": ")
    number, *scope_names = re.fullmatch(r"(\d+) failed cases?(?: of (\w+))?(?: of (\w+))?", scope).groups()
    in_scope = all({*filter(None, scope_names)} <= {case["algorithm"], operation(case), case["operation"]} for case, _ in failed)
    if int(number) != len(failed) or not in_scope or kind_of(text) == "unknown":
        return False
    matched = re.fullmatch(kind_of(text), sentence).groups()
    if kind_of(text) == OPERATION:
        wrong_operations = {id.split("/")[1] for id, s in status.items() if s == "failed"}
        return only_operations(failed, passed, *matched) and wrong_operations <= {*matched[0].split(" and ")}
    return all(CLAIMS[kind_of(text)](failed, passed, *matched))


def operation(case):
    """The operation of a case, or the name of its start."""
    return case.get("start", case["operation"])


def only_operations(failed, passed, names, number):
    """Whether failed cases have these operations, and as many cases of others passed."""
    operations = {*names.split(" and ")}
    return {operation(case) for case, _ in failed} == operations and int(number) == sum(operation(case) not in operations for case in passed)


def _attributes(failed, passed, attribute_list, number, n_sharing, with_one_topic):
    passed = comparable(failed, passed)
    yield len(passed) == int(number)
    for has_attribute in map(attribute, attribute_list.split(", and ")):
        Ks = [case["K"] for case in passed if has_attribute(case)]
        yield all(has_attribute(case) for case, _ in failed) and len(Ks) == int(n_sharing.replace("none", "0"))
        yield Ks.count(1) >= (int(with_one_topic.strip(" ofthem") or len(Ks)) if with_one_topic is not None else 0)


def attribute(name):
    """Whether a case has an attribute, or a size beyond a limit."""
    if name in CASES:
        return CASES[name]
    direction, limit, quantity = re.fullmatch(r"with (more|fewer) than (\d+) (.*)", name).groups()
    noun, _, qualifier = quantity.partition(" ")
    size, sign = SIZES.get(quantity) or SIZES[f"{noun}s {qualifier}".strip()], 1 if direction == "more" else -1
    return lambda case: sign * size(case) > sign * int(limit)


# What is true of numbers ----------------------------------------------------------------------------------------------


def numbers(failed):
    """The expected number, the answered one and the tolerance, of each number of all answers."""
    for case, port_answer in failed:
        for name, e in case["expected"].items():
            e, g = np.ravel(np.array(e, float)), np.ravel(np.array(port_answer[name], float))
            yield from zip(e.tolist(), g.tolist(), [tolerance_of(case)[name]] * len(e), strict=True)


def tables(failed, field="gamma"):
    """A table as expected, as answered and as in the state, and its tolerance, of each answer."""
    for case, got in failed:
        name = field if field in got else f"{field}_k"
        state = np.array(case.get("state", {}).get(field, np.nan))
        old_rows = state[[case["row"]]] if "row" in case and state.ndim else state
        yield np.atleast_2d(case["expected"][name]), np.atleast_2d(got[name]), old_rows, tolerance_of(case)[name]


def digits(error):
    """To how many digits a number agrees, from its relative error."""
    return math.floor(-math.log10(error))


def _digits(failed, passed, at_least, in_most, ending):
    worst_errors = [max(abs(g - e) / abs(e) for e, g, t in numbers([answered_case]) if abs(g - e) > t) for answered_case in failed]
    yield digits(max(worst_errors)) == int(at_least)
    yield not in_most or 2 * sum(digits(x) >= int(in_most) for x in worst_errors) > len(worst_errors)
    floats = [g for _, g, _ in numbers(failed)]
    if "single" in ending:
        yield all(status_of(at_precision("single", case), answer) == "passed" for case, answer in failed)
        yield "given" in ending or 1e-8 < np.median(worst_errors) < 1e-6
    if "given in single" in ending:
        yield all(g == float(np.float32(g)) for g in floats) or all(g == float(str(np.float32(g))) for g in floats)
    if "many sweeps" in ending:
        yield {case["operation"] for case, _ in failed} <= {"ten_sweeps", "converged", "summary", "fold_in"}
    if "nearer to uniform" in ending:
        distances = [(abs(e - 1 / e.shape[1]), abs(g - 1 / e.shape[1])) for e, g, *_ in tables(failed)]
        yield np.mean(np.concatenate([(b < a)[a > 0.05] for a, b in distances])) > 0.9


def _no_number(failed, passed, operations, attributes):
    yield all(any(not math.isfinite(g) and math.isfinite(e) for e, g, _ in numbers([answered_case])) for answered_case in failed)
    yield {operation(case) for case, _ in failed} == {*operations.split(", ")}
    yield not attributes or all(_attributes(failed, passed, *re.fullmatch(ATTRIBUTES, attributes).groups()))


def _rows_times(failed, passed, line, field):
    for e, g, _, t in tables(failed, field):
        e, g = (e.T, g.T) if line == "column" else (e, g)
        factors, is_wrong = (e * g).sum(1, keepdims=True) / (e * e).sum(1, keepdims=True), (abs(g - e) > t).any(1)
        yield np.allclose(g, factors * e, 1e-5, t) and (abs(factors[is_wrong] - 1) > 1e-6).all()


def _places(failed, passed, place, number):
    entries = [(case, e) for case, got in failed for e in numbers_of(case, got).entries]
    outside_right = [
        abs(e.got - e.expected) <= tolerance_of(case)[e.field] for case, e in entries if not PLACES[place](case, e)
    ]
    yield len(outside_right) == int(number) and all(outside_right)


ATTRIBUTES = r"all are cases (.*); of (\d+) passed cases of the same operations, (\w+) (?:is|are)(?:, (\d+ of them |)with one topic)?"
OPERATION = r"only answers to (\w+(?: and \w+)?) are wrong; the (\d+) answers to other operations are right"
CLAIMS = {
    ATTRIBUTES: _attributes,
    OPERATION: only_operations,
    r"some answers are not a number, in ([\w, ]+)(?:; (all are cases .*))?": _no_number,
    r"the numbers agree to at least (\d+) digits(?:, in most cases to (\d+))?(.*)": _digits,
    r"the numbers( of \w+(?: and \w+)*|) are rounded to (\d+) decimals; 15 digits are enough": lambda failed, passed, fields, d: (
        (math.isinf(g) and g == e) or (g == round(g, int(d)) and abs(g - e) <= 10.0 ** -int(d))
        for e, g, t in numbers(failed) if not fields or abs(g - e) > t
    ),
    r"the numbers( of \w+(?: and \w+)*|) have only (\d+) significant digits; 15 are enough": lambda failed, passed, fields, d: (
        g == float(f"{g:.{d}g}") and abs(g - e) <= 10.0 ** (1 - int(d)) * abs(e)
        for e, g, t in numbers(failed) if not fields or abs(g - e) > t
    ),
    r"every number is (\S+) times the expected one": lambda failed, passed, c: (
        abs(g - float(c) * e) <= 1e-5 * abs(g) for e, g, _ in numbers(failed)
    ),
    r"every wrong number is 0": lambda failed, passed: (g == 0 for e, g, t in numbers(failed) if abs(g - e) > t),
    r"gamma is that of the state: nothing was updated": lambda failed, passed: (
        np.allclose(g, old, 0, t) for _, g, old, t in tables(failed)
    ),
    r"each wrong row of gamma is that of the state": lambda failed, passed: (
        ((abs(g - e) <= t).all(1) | (abs(g - old) <= t).all(1)).all() for e, g, old, t in tables(failed)
    ),
    r"gamma has the expected numbers in another order of topics": lambda failed, passed: (
        np.allclose(np.sort(e), np.sort(g), 0, t) and not np.allclose(e, g, 0, t) for e, g, _, t in tables(failed)
    ),
    r"gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn": lambda failed, passed: (
        np.isin(g, [0, 1]).all() for _, g, *_ in tables(failed)
    ),
    r"gamma does not sum to 1 over topics": lambda failed, passed: (
        (abs(g.sum(1) - 1) > max(1e-6, t * g.shape[1])).any() for _, g, _, t in tables(failed)
    ),
    r"each (row|column) of (\w+) is the expected one times a number: look at its divisor": _rows_times,
    r"only (.*) wrong; the other (\d+) numbers are right": _places,
    r"(\w+) has its axes exchanged": lambda failed, passed, field: (
        np.shape(got[field]) == np.shape(case["expected"][field])[::-1] for case, got in failed
    ),
}
