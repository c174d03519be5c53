"""What failed cases share: when an attribute is said, and each kind of sentence where it is true, in both precisions."""

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle.cases.closeness import exact
from lda_reference.oracle.cases.loading import at_precision

from .claims import CLAIMS, true_report
from .helpers import EXPECTED, case, cases

WRONG = [0.7, 0.3]


def with_prior(case_number, is_vector, **case_fields):
    return case(case_number, prior={"alpha": [0.5, 0.25] if is_vector else 0.5, "eta": 0.5}, tolerance=1e-12, **case_fields)


def claims(answer_to, asked_cases):
    return [sentence.text for sentence in oracle.check(lambda question: {"id": question["id"], **answer_to(question)}, given=asked_cases).shared]


def answer_if_vector(question):
    return {"gamma_k": WRONG if isinstance(question["prior"]["alpha"], list) else EXPECTED}


# Attributes ----------------------------------------------------------------------------------------------------------


def test_an_attribute_of_all_failed_cases_and_of_no_passed_one():
    asked_cases = [with_prior(case_number, is_vector=case_number < 4) for case_number in range(20)]
    assert claims(answer_if_vector, asked_cases) == [
        "4 failed cases: all are cases with an asymmetric alpha; of 16 passed cases of the same operations, none are"
    ]


def test_few_cases_attributes_of_nearly_all_and_passed_cases_of_other_operations_tell_nothing():
    assert claims(answer_if_vector, [with_prior(case_number, is_vector=case_number < 2) for case_number in range(4)]) == []
    assert claims(answer_if_vector, [with_prior(case_number, is_vector=case_number > 1) for case_number in range(40)]) == []
    bound_cases = [with_prior(case_number, False, operation="bound", expected={"bound": 1.0}) for case_number in range(20)]
    update_cases = [with_prior(case_number, is_vector=True) for case_number in range(4)]
    assert claims(lambda question: {"bound": 1.0} if question["operation"] == "bound" else {"gamma_k": WRONG}, update_cases + bound_cases) == []


def test_an_operation_is_wrong_alone_only_if_no_illegal_input_is_accepted():
    asked_cases = [with_prior(case_number, False, operation="bound", expected={"bound": 1.0}) for case_number in range(4)]
    asked_cases += [with_prior(case_number, False) for case_number in range(20)]
    reject_case = with_prior(0, False, operation="reject", expected={"error": True})

    def answer(question):
        return {"bound": 2.0 + int(question["id"][-1])} if question["operation"] == "bound" else {"gamma_k": EXPECTED}

    assert claims(answer, asked_cases) == ["4 failed cases: only answers to bound are wrong; the 20 answers to other operations are right"]
    assert claims(answer, [*asked_cases, reject_case]) == []


def test_a_step_with_one_topic_is_counted_but_does_not_speak_against_an_attribute():
    one_topic_cases = [with_prior(case_number, is_vector=True, K=1, expected={"gamma_k": [1.0]}) for case_number in range(20, 30)]
    asked_cases = [with_prior(case_number, is_vector=case_number < 4) for case_number in range(20)] + one_topic_cases
    (sentence,) = claims(lambda question: {"gamma_k": [1.0]} if question["K"] == 1 else answer_if_vector(question), asked_cases)
    assert sentence.endswith("of 26 passed cases of the same operations, 10 are, with one topic")


def test_right_numbers_in_a_wrong_envelope_and_expected_infinities_are_not_described():
    asked_cases = [case(case_number, tolerance=1e-12) for case_number in range(4)]
    assert claims(lambda question: {"gamma_k": EXPECTED, "surplus": 1}, asked_cases) == []
    assert claims(lambda question: {"gamma_k": [str(expected_number) for expected_number in EXPECTED]}, asked_cases) == []
    infinite_cases = [case(case_number, expected={"bound": "-inf"}, operation="bound") for case_number in range(4)]
    assert claims(lambda question: {"bound": "-inf", "surplus": 1}, infinite_cases) == []
    report = oracle.check(lambda question: {"gamma_k": EXPECTED}, given=asked_cases)
    reason_text = 'the answer\'s id is missing, expected "cvb0/update/000"'
    assert (report.shared, report.results[0].reason) == ((), reason_text)


def test_steps_with_weights_of_0_are_searched_and_a_search_of_one_operation_is_not_told_to_ask_less():
    right_answers = {case["id"]: np.array(case["expected"]["alpha_jk"]) for case in cases("vb/e_step")}
    report = oracle.check(lambda question: {"id": question["id"], "alpha_jk": 1.01 * right_answers[question["id"]] ** 1.1}, only="vb/e_step")
    assert (len(report.of("failed")), report.notes) == (13, ("the search for small changes was cut short",))


def of_all(change_numbers):
    """A change of all fields of the right answer."""
    return lambda question, right_answer: {field: change_numbers(np.array(numbers, float)) for field, numbers in right_answer.items()}


def of_field(field, change_table):
    """A change of one field, by the right one and the case."""
    return lambda question, right_answer: right_answer | {field: change_table(np.array(right_answer[field], float), question)}


def other_rows(column_name, wrong_number):
    """A table with another value in all rows but these."""
    return lambda table, question: np.where(np.isin(np.arange(len(table)), question["corpus"][column_name])[:, None], table, wrong_number)


def noisy(noise_size):
    return of_all(lambda numbers: numbers * (1 + noise_size * np.random.default_rng(numbers.size).standard_normal(numbers.shape)))


UPDATES, ESTIMATES = "cvb0/update", ",".join(f"{name}/estimate" for name in ("map", "vb", "vem", "gibbs", "cgs", "cvb", "cvb0"))
DIGITS = "the numbers agree to at least"
SAID = [  # what is said, of which cases and answers
    ("every number is 100 times the expected one", f"{UPDATES},vb/bound", of_all(lambda x: 100 * x)),
    ("the numbers are rounded to 3 decimals; 15 digits are enough", UPDATES, of_all(lambda x: x.round(3))),
    ("the numbers of phi_wk are rounded to 3 decimals; 15 digits are enough", "vb/estimate", of_field("phi_wk", lambda x, q: x.round(3))),
    ("the numbers have only 4 significant digits; 15 are enough", "vb/e_step", of_all(np.vectorize(lambda x: float(f"{x:.4g}")))),
    ("gamma is that of the state: nothing was updated", "cvb0/sweep", of_field("gamma", lambda x, q: q["state"]["gamma"])),
    ("each wrong row of gamma is that of the state", "cvb0/sweep", of_field("gamma", lambda x, q: np.where(np.arange(len(x))[:, None] % 2, q["state"]["gamma"], x))),
    ("gamma has the expected numbers in another order of topics", "vb/update", of_all(lambda x: np.roll(x, 1))),
    ("gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn", UPDATES, of_all(lambda x: np.eye(len(x))[x.argmax()])),
    ("gamma does not sum to 1 over topics", "cvb0/sweep", of_all(np.sqrt)),
    ("every wrong number is 0", UPDATES, of_all(lambda x: x * (np.arange(len(x)) > 0))),
    ("each row of theta_jk is the expected one times a number: look at its divisor", ESTIMATES, of_field("theta_jk", lambda x, q: x * (1.1 if q["K"] > 1 else 1))),
    ("each column of phi_wk is the expected one times a number: look at its divisor", ESTIMATES, of_field("phi_wk", lambda x, q: 1.1 * x)),
    ("theta_jk has its axes exchanged", ESTIMATES, of_field("theta_jk", lambda x, q: x.T)),
    ("eta_wk has its axes exchanged", "vb/m_step", of_all(np.transpose)),
    ("only theta_jk of documents without tokens is wrong; the other 270 numbers are right", ESTIMATES, of_field("theta_jk", other_rows("j", 0.1))),
    ("only phi_wk of words that do not occur is wrong; the other 210 numbers are right", ESTIMATES, of_field("phi_wk", other_rows("w", 0.1))),
    (f"{DIGITS} 5 digits: look for an approximate function, or a small number that is added", UPDATES, noisy(3e-6)),
    (f"{DIGITS} 5 digits, and only after many sweeps: look for sweeps that stop early", "cvb0/ten_sweeps,vb/ten_sweeps", noisy(3e-6)),
    ("some answers are not a number, in estimate; all are cases with an asymmetric alpha, and with an empty document; of 31 passed cases of the same operations, none are", ESTIMATES, of_field("theta_jk", other_rows("j", np.nan))),
    ("only answers to predict are wrong; the 97 answers to other operations are right", "cvb0", lambda question, right_answer: {name: 2 * np.array(x, float) if question["operation"] == "predict" else x for name, x in right_answer.items()}),
    ("all are cases with the schedule nested; of 25 passed cases of the same operations, none are", "vb/sweep", of_field("gamma", lambda x, q: x**2 if q["schedule"] == "nested" else x)),
]  # fmt: skip
SAID_IN_DOUBLE = [
    (f"{DIGITS} 5 digits, and only at fixed points: look for sweeps that stop early", "cvb0/converged,vb/converged", noisy(3e-6)),
    ("the numbers are rounded to 10 decimals; 15 digits are enough", "cvb0/predict", of_all(lambda x: (x * (1 + 1e-15)).round(10))),  # some are 4e8
    (f"{DIGITS} 7 digits: they are given in single precision", UPDATES, of_all(np.float32)),
    (f"{DIGITS} 7 digits: they are given in single precision", UPDATES, of_all(np.vectorize(lambda x: float(str(np.float32(x)))))),
    (f"{DIGITS} 6 digits, in most cases to 7, as in single precision (`--precision single`) or where a small number is added", UPDATES, noisy(6e-8)),
    (f"{DIGITS} 9 digits: look for an approximate function, or a small number that is added", UPDATES, noisy(1e-10)),
    (f"{DIGITS} 4 digits, in most cases to 9, and gamma is nearer to uniform: look for a small number that is added", f"{UPDATES},cvb0/sweep", of_all(lambda x: (x + 1e-10) / (x + 1e-10).sum(-1, keepdims=True))),
]  # fmt: skip


@pytest.mark.parametrize("precision", ["double", "single"])
def test_each_kind_of_sentence_is_said_and_every_sentence_is_true(precision):
    sentence_kinds = set()
    for claim_text, case_selection, answer_change in [*SAID, *(SAID_IN_DOUBLE if precision == "double" else ())]:
        case_by_id = {case["id"]: at_precision(precision, case) for case in cases(case_selection) if not exact(case) and "error" not in case["expected"]}
        report, report_kinds = true_report(
            lambda question, case_by_id=case_by_id, answer_change=answer_change: {"id": question["id"], **answer_change(case_by_id[question["id"]], case_by_id[question["id"]]["expected"])},
            case_by_id.values(), precision=precision, compose=False,
        )  # fmt: skip
        assert [sentence.text for sentence in report.shared if sentence.text.endswith(f": {claim_text}")], (claim_text, report.shared)
        sentence_kinds |= report_kinds
    assert {*CLAIMS} <= sentence_kinds


def test_nothing_is_said_of_a_right_gamma():
    steps = [case for case in cases("ep/step") if "error" not in case["expected"]]
    wrong_answers = {case["id"]: case["expected"] | {"left": case["expected"]["left"] and 1, "id": case["id"]} for case in steps}
    report, _ = true_report(lambda question: wrong_answers[question["id"]], steps, compose=False)
    assert report.of("failed")
    assert [sentence for sentence in report.shared if "gamma" in sentence.text] == []


@pytest.mark.parametrize(("tolerance", "is_named"), [(1e-6, True), (1e-9, False)])
def test_single_precision_is_named_only_if_the_answers_are_right_in_it(tolerance, is_named):
    few_cases = [case(i, tolerance=1e-12, single={"gamma_k": tolerance}) for i in range(4)]
    (claim_text,) = claims(lambda question: {"gamma_k": [expected_number * (1 + 6e-8 * (-1) ** i) for i, expected_number in enumerate(EXPECTED)]}, few_cases)
    assert claim_text.startswith(f"4 failed cases: {DIGITS} 7 digits{', as in single precision' if is_named else ': look for'}")
