"""The claims of a report, each computed again from the answers of the port."""

import math
import re
from contextlib import suppress

import numpy as np

from lda_reference import oracle
from lda_reference.oracle.asking.written import as_json
from lda_reference.oracle.cases.closeness import agrees, tolerance_of
from lda_reference.oracle.cases.loading import at_precision
from lda_reference.oracle.cases.noise import steps_by_logarithms
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


def true_report(port, cases, **check_options):
    """The report on a port, and the kinds of its sentences, each of which is true."""
    answer_by_id = {}

    def note_answer(case):
        answer_by_id[case["id"]] = as_json(port(case))
        return answer_by_id[case["id"]]

    report = oracle.check(note_answer, given=cases, **check_options)
    judgements = [*judgements_of(report, {case["id"]: case for case in cases}, answer_by_id)]
    assert [sentence for _, sentence, is_true in judgements if not is_true] == []
    return report, {sentence_kind for sentence_kind, *_ in judgements}


def judgements_of(report, case_by_id, answer_by_id):
    """The kind of each sentence of a report, the sentence, and whether it is true and a function here can check it.

    `case_by_id` has the cases asked.
    """
    status_by_id = {case_result.id: status_of(case_by_id[case_result.id], answer_by_id.get(case_result.id)) for case_result in report.results}
    for sentence in (*report.composed, *report.shared):
        failures = [(case_by_id[id], answer_by_id.get(id)) for id in sentence.ids]
        sentence_kind, check_sentence = ("composed", composes) if sentence in report.composed else (kind_of(sentence.text), holds)
        passed_cases = [case_by_id[id] for id in status_by_id if status_by_id[id] == "passed"]
        yield sentence_kind, sentence.text, {status_by_id[id] for id in sentence.ids} == {"failed"} and check_sentence(sentence.text, failures, passed_cases, status_by_id)
    for case_result in report.of("failed"):
        if case_result.mistake:
            mistaken_fields = mistaken_answer(case_by_id[case_result.id], case_result.mistake)
            mistaken_case = case_by_id[case_result.id] | {"expected": mistaken_fields} | rounding_of(case_by_id[case_result.id], mistaken_fields)
            yield "mistake", case_result.mistake, status_of(mistaken_case, answer_by_id[case_result.id]) == "passed"
    n_failed, n_passed = ([*status_by_id.values()].count(status_name) for status_name in ("failed", "passed"))
    group_sizes = re.findall(r"^(?:\d+\. |and )(\d+)(?: more)? failed cases? \(", str(report), re.MULTILINE)
    yield "groups", f"{group_sizes} failed cases", sum(map(int, group_sizes)) == n_failed
    yield "verdict", f"{n_failed} of {n_passed + n_failed}", not n_failed or f"\n{n_failed} of {n_passed + n_failed} case" in str(report)
    for algorithm, level_digit, level_meaning in re.findall(r"^  (\w+) +(\d) of \d: (.*)$", str(report), re.MULTILINE):
        statuses = {status_by_id[case["id"]] for case in case_by_id.values() if case["algorithm"] == algorithm and levels.level(case) <= int(level_digit)}
        yield "level", level_meaning, statuses <= {"passed"} and level_meaning.startswith(levels.LEVELS.get(int(level_digit), "nothing"))


def rounding_of(case, mistaken_fields):
    """In single precision, the tolerances, which for a mistake with larger numbers are at least their rounding to single."""
    rounded = {field: 2.0**-24 * np.max(np.abs(np.array(mistaken_fields[field], float)), initial=0) for field in case["expected"]}
    return {"tolerance": {field: {"absolute": max(x, rounded[field])} for field, x in tolerance_of(case).items()}} if "double" in case else {}


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
    shapes_agree = all(np.shape(expected) == np.shape(answer.get(field)) for field, expected in case["expected"].items())
    return "passed" if shapes_agree and all(abs(got - expected) <= tolerance or got == expected for expected, got, tolerance in numbers([(case, answer)])) else "failed"


# Compositions ---------------------------------------------------------------------------------------------------------


def composes(sentence, failures, passed_cases, status_by_id):
    """Put before the plain text again, each composition gives the port's wrong answers, and the right ones it gave."""
    sentence, schedule = re.fullmatch(r"(.*?)(?: \(schedule (\w+)\))?", sentence).groups()
    passed_cases = [case for case in passed_cases if schedule in (None, case.get("schedule"))]
    if {case.get("schedule") for case, _ in failures} != {schedule} and schedule:
        return False
    for change_texts in sentence.split("; or when "):
        composition = tuple(CHANGES[change_text] for change_text in change_texts.split(", and "))
        layers = [layer(change.methods) for change in composition]
        if not all(give_answer(layers, case, port_answer) for case, port_answer in failures):
            return False
        searched_cases = [
            case for case in comparable(failures, passed_cases) if not is_large(case) and WORK.cost(case) < trying.MOST_WORK
        ]
        tried_answers = [(case, *WORK.tried(case, composition)) for case in searched_cases]
        if not all(not is_legal or agrees(case["expected"], changed_answer, tolerance_of(case)) for case, changed_answer, is_legal in tried_answers):
            return False
    return True


def give_answer(layers, case, port_answer):
    """Whether the plain text with changes gives an answer, perhaps with 0 for each sum that the changes make negative."""
    for sum_layers in ((), (AT_LEAST_0,)):
        with suppress(ArithmeticError):  # with a negative sum, an exponential may overflow
            if agrees(as_json(answer(case, float, *sum_layers, *layers, *steps_by_logarithms(case))), port_answer, tolerance_of(case)):
                return True
    return False


def comparable(failures, passed_cases):
    """The passed cases of the operations of the algorithms that have failed ones, and of the starts."""
    kinds_of_failed = {(case["algorithm"], case["operation"], case.get("start")) for case, _ in failures}
    return [case for case in passed_cases if (case["algorithm"], case["operation"], case.get("start")) in kinds_of_failed]


# What is true of cases ------------------------------------------------------------------------------------------------


def holds(numbered_sentence, failures, passed_cases, status_by_id):
    """Whether a sentence such as "4 failed cases of sweep: only alpha is wrong; ..." is true."""
    scope_text, _, sentence = numbered_sentence.partition(": ")
    n_failed_text, *scope_names = re.fullmatch(r"(\d+) failed cases?(?: of (\w+))?(?: of (\w+))?", scope_text).groups()
    all_in_scope = all({*filter(None, scope_names)} <= {case["algorithm"], operation(case), case["operation"]} for case, _ in failures)
    if int(n_failed_text) != len(failures) or not all_in_scope or kind_of(numbered_sentence) == "unknown":
        return False
    claim_arguments = re.fullmatch(kind_of(numbered_sentence), sentence).groups()
    if kind_of(numbered_sentence) == OPERATION:
        wrong_operations = {id.split("/")[1] for id, case_status in status_by_id.items() if case_status == "failed"}
        return only_operations(failures, passed_cases, *claim_arguments) and wrong_operations <= {*claim_arguments[0].split(" and ")}
    return all(CLAIMS[kind_of(numbered_sentence)](failures, passed_cases, *claim_arguments))


def operation(case):
    """The operation of a case, or the name of its start."""
    return case.get("start", case["operation"])


def only_operations(failures, passed_cases, joined_operations, n_passed_text):
    """Whether failed cases have these operations, and as many cases of others passed."""
    operations = {*joined_operations.split(" and ")}
    return {operation(case) for case, _ in failures} == operations and int(n_passed_text) == sum(operation(case) not in operations for case in passed_cases)


def _attributes(failures, passed_cases, attribute_list, n_passed_text, n_sharing_text, one_topic_text):
    passed_cases = comparable(failures, passed_cases)
    yield len(passed_cases) == int(n_passed_text)
    for has_attribute in map(attribute, attribute_list.split(", and ")):
        K_of_sharing = [case["K"] for case in passed_cases if has_attribute(case)]
        yield all(has_attribute(case) for case, _ in failures) and len(K_of_sharing) == int(n_sharing_text.replace("none", "0"))
        yield K_of_sharing.count(1) >= (int(one_topic_text.strip(" ofthem") or len(K_of_sharing)) if one_topic_text is not None else 0)


def attribute(attribute_text):
    """Whether a case has an attribute, or a size beyond a limit."""
    if attribute_text in CASES:
        return CASES[attribute_text]
    direction, limit_text, quantity = re.fullmatch(r"with (more|fewer) than (\d+) (.*)", attribute_text).groups()
    noun, _, qualifier = quantity.partition(" ")
    size_of, sign = SIZES.get(quantity) or SIZES[f"{noun}s {qualifier}".strip()], 1 if direction == "more" else -1
    return lambda case: sign * size_of(case) > sign * int(limit_text)


# What is true of numbers ----------------------------------------------------------------------------------------------


def numbers(failures):
    """The expected number, the answered one and the tolerance, of each number of all answers."""
    for case, port_answer in failures:
        for field, expected in case["expected"].items():
            expected, got = np.ravel(np.array(expected, float)), np.ravel(np.array(port_answer[field], float))
            yield from zip(expected.tolist(), got.tolist(), [tolerance_of(case)[field]] * len(expected), strict=True)


def tables(failures, field="gamma"):
    """A table as expected, as answered and as in the state, and its tolerance, of each answer."""
    for case, port_answer in failures:
        answer_field = field if field in port_answer else f"{field}_k"
        state_table = np.array(case.get("state", {}).get(field, np.nan))
        old_rows = state_table[[case["row"]]] if "row" in case and state_table.ndim else state_table
        yield np.atleast_2d(case["expected"][answer_field]), np.atleast_2d(port_answer[answer_field]), old_rows, tolerance_of(case)[answer_field]


def digits(relative_error):
    """To how many digits a number agrees, from its relative error."""
    return math.floor(-math.log10(relative_error))


def _digits(failures, passed_cases, digits_of_all, digits_of_most, sentence_ending):
    worst_errors = [max(abs(got - expected) / abs(expected) for expected, got, tolerance in numbers([failure]) if abs(got - expected) > tolerance) for failure in failures]
    yield digits(max(worst_errors)) == int(digits_of_all)
    yield not digits_of_most or 2 * sum(digits(worst_error) >= int(digits_of_most) for worst_error in worst_errors) > len(worst_errors)
    answered_numbers = [got for _, got, _ in numbers(failures)]
    if "single" in sentence_ending:
        yield all(status_of(at_precision("single", case), answer) == "passed" for case, answer in failures)
        yield "given" in sentence_ending or 1e-8 < np.median(worst_errors) < 1e-6
    if "given in single" in sentence_ending:
        yield all(got == float(np.float32(got)) for got in answered_numbers) or all(got == float(str(np.float32(got))) for got in answered_numbers)
    if "many sweeps" in sentence_ending:
        yield all(case["operation"] in {"ten_sweeps", "converged", "summary", "fold_in"} and case.get("sweeps", 2) > 1 for case, _ in failures)
    if "fixed points" in sentence_ending:
        yield {case["operation"] for case, _ in failures} == {"converged"}
    if "nearer to uniform" in sentence_ending:
        gaps_to_uniform = [(abs(expected - 1 / expected.shape[1]), abs(got - 1 / expected.shape[1])) for expected, got, *_ in tables(failures)]
        yield np.mean(np.concatenate([(got_gap < expected_gap)[expected_gap > 0.05] for expected_gap, got_gap in gaps_to_uniform])) > 0.9


def _no_number(failures, passed_cases, operation_list, attribute_sentence):
    yield all(any(not math.isfinite(got) and math.isfinite(expected) for expected, got, _ in numbers([failure])) for failure in failures)
    yield {operation(case) for case, _ in failures} == {*operation_list.split(", ")}
    yield not attribute_sentence or all(_attributes(failures, passed_cases, *re.fullmatch(ATTRIBUTES, attribute_sentence).groups()))


def _rows_times(failures, passed_cases, row_or_column, field):
    for expected, got, _, tolerance in tables(failures, field):
        expected, got = (expected.T, got.T) if row_or_column == "column" else (expected, got)
        row_factors, is_wrong_row = (expected * got).sum(1, keepdims=True) / (expected * expected).sum(1, keepdims=True), (abs(got - expected) > tolerance).any(1)
        yield np.allclose(got, row_factors * expected, 1e-5, tolerance) and (abs(row_factors[is_wrong_row] - 1) > 1e-6).all()


def _places(failures, passed_cases, place_text, n_right_text):
    case_entries = [(case, entry) for case, port_answer in failures for entry in numbers_of(case, port_answer).entries]
    are_right_outside = [
        abs(entry.got - entry.expected) <= tolerance_of(case)[entry.field] for case, entry in case_entries if not PLACES[place_text](case, entry)
    ]
    yield len(are_right_outside) == int(n_right_text) and all(are_right_outside)


ATTRIBUTES = r"all are cases (.*); of (\d+) passed cases of the same operations, (\w+) (?:is|are)(?:, (\d+ of them |)with one topic)?"
OPERATION = r"only answers to (\w+(?: and \w+)?) are wrong; the (\d+) answers to other operations are right"
CLAIMS = {
    ATTRIBUTES: _attributes,
    OPERATION: only_operations,
    r"some answers are not a number, in ([\w, ]+)(?:; (all are cases .*))?": _no_number,
    r"the numbers agree to at least (\d+) digits(?:, in most cases to (\d+))?(.*)": _digits,
    r"the numbers( of \w+(?: and \w+)*|) are rounded to (\d+) decimals; 15 digits are enough": lambda failures, passed_cases, field_list, n_digits: (
        (math.isinf(got) and got == expected) or (got == round(got, int(n_digits)) and abs(got - expected) <= 10.0 ** -int(n_digits) + 1e-12 * abs(expected))
        for expected, got, tolerance in numbers(failures) if not field_list or abs(got - expected) > tolerance
    ),
    r"the numbers( of \w+(?: and \w+)*|) have only (\d+) significant digits; 15 are enough": lambda failures, passed_cases, field_list, n_digits: (
        got == float(f"{got:.{n_digits}g}") and abs(got - expected) <= 10.0 ** (1 - int(n_digits)) * abs(expected)
        for expected, got, tolerance in numbers(failures) if not field_list or abs(got - expected) > tolerance
    ),
    r"every number is (\S+) times the expected one": lambda failures, passed_cases, factor: (
        abs(got - float(factor) * expected) <= 1e-5 * abs(got) for expected, got, _ in numbers(failures)
    ),
    r"every wrong number is 0": lambda failures, passed_cases: (got == 0 for expected, got, tolerance in numbers(failures) if abs(got - expected) > tolerance),
    r"gamma is that of the state: nothing was updated": lambda failures, passed_cases: (
        np.allclose(got, old_rows, 0, tolerance) for _, got, old_rows, tolerance in tables(failures)
    ),
    r"each wrong row of gamma is that of the state": lambda failures, passed_cases: (
        ((abs(got - expected) <= tolerance).all(1) | (abs(got - old_rows) <= tolerance).all(1)).all() for expected, got, old_rows, tolerance in tables(failures)
    ),
    r"gamma has the expected numbers in another order of topics": lambda failures, passed_cases: (
        np.allclose(np.sort(expected), np.sort(got), 0, tolerance) and not np.allclose(expected, got, 0, tolerance) for expected, got, _, tolerance in tables(failures)
    ),
    r"gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn": lambda failures, passed_cases: (
        np.isin(got, [0, 1]).all() for _, got, *_ in tables(failures)
    ),
    r"gamma does not sum to 1 over topics": lambda failures, passed_cases: (
        (abs(got.sum(1) - 1) > max(1e-6, tolerance * got.shape[1])).any() for _, got, _, tolerance in tables(failures)
    ),
    r"each (row|column) of (\w+) is the expected one times a number: look at its divisor": _rows_times,
    r"only (.*) wrong; the other (\d+) numbers are right": _places,
    r"(\w+) has its axes exchanged": lambda failures, passed_cases, field: (
        np.shape(port_answer[field]) == np.shape(case["expected"][field])[::-1] for case, port_answer in failures
    ),
}
