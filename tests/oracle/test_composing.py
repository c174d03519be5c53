"""Compositions of small changes: they are found, they are true, and nothing is said where they are not."""

import pytest

from lda_reference import oracle
from lda_reference.oracle.changes import trying
from lda_reference.oracle.changes.change import layer
from lda_reference.plain import answer, is_large

from .claims import CHANGES, WORK
from .helpers import ALL, cases
from .readers import asking


def port(*method_changes):
    layers = list(map(layer, method_changes))

    def answer_to(case):
        if is_large(case):
            return {"id": case["id"], "skip": "too large"}
        return {"id": case["id"], **answer(case, float, *layers)}

    return answer_to


def compositions(port, case_selection, operation):
    return oracle.check(port, given=cases(case_selection, operation)).composed


def test_every_change_has_a_text_of_its_own():
    assert len(CHANGES) == len(trying.vocabulary())
    assert not [text for text in CHANGES if ", and " in text or "; or when " in text]  # they join texts


def smallest_of_each_group(max_work):
    """The smallest case that is searched of each algorithm and operation, if an answer takes little work.

    That of `document_evidence` always takes more.
    """
    smallest_of_kind = {}
    for case in sorted(cases(), key=trying.size):
        if case["operation"] not in ("reject", "sample") and "error" not in case["expected"] and not is_large(case):
            smallest_of_kind.setdefault((case["algorithm"], case["operation"], case.get("start")), case)
    return [case for case in smallest_of_kind.values() if WORK.cost(case) <= max_work or case["operation"] == "document_evidence"]


def test_a_change_that_makes_no_sense_gives_no_answer_and_no_exception():
    """Without LDA_TEST_ALL, each case takes another part of the vocabulary."""
    n_parts = 1 if ALL else 36
    for case_index, case in enumerate(smallest_of_each_group(2000)):
        for change in trying.vocabulary()[case_index % n_parts :: n_parts]:
            assert isinstance(WORK.tried(case, (change,))[0], dict | None), (case["id"], change.text)


def test_a_mistake_that_is_in_no_list_is_composed():
    wrong_methods = {"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)}
    (composition,) = compositions(port(wrong_methods), "cvb0", "update")
    assert composition.text == "W eta in the topic's term is D eta of the word"
    assert len(composition.ids) >= 9


@pytest.mark.parametrize(
    ("wrong_eta", "text"),
    [
        (lambda self, right, i, k: right(i, k) if isinstance(self.case["prior"]["eta"], list) else self.K * self.eta[0][k], "K eta where eta is one number"),
        (lambda self, right, i, k: self.K * self.eta[0][k], "K times the first number of eta"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("algorithm", ["cvb0", "vb"])
def test_a_sum_that_is_wrong_for_one_form_of_the_prior_is_composed(wrong_eta, text, algorithm):
    (composition,) = compositions(port({"W_eta": wrong_eta}), algorithm, "update")
    assert composition.text == f"W eta in the topic's term is {text}"


def test_two_mistakes_are_composed():
    wrong_eta = {"W_eta": lambda self, right, i, k: self.K * self.eta_of(i, k)}
    squared_term = {"document": lambda self, right, gamma, i, k: right(gamma, i, k) ** 2}
    (composition,) = compositions(port(wrong_eta, squared_term), "vb", "update")
    assert set(composition.text.split(", and ")) == {
        "the document's term is squared",
        "W eta in the topic's term is K eta of the word",
    }


def test_nothing_is_said_if_a_passed_case_contradicts():
    wrong_port = port({"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)})

    def mixed_port(case):
        return {"id": case["id"], **answer(case)} if case["id"] == "cvb0/update/001" else wrong_port(case)

    assert compositions(wrong_port, "cvb0", "update")
    assert compositions(mixed_port, "cvb0", "update") == ()


def test_what_is_wrong_in_one_schedule_is_said_of_its_sweeps():
    def swept(self, right):
        return sorted(right(), key=lambda i: self.w[i]) if self.case["schedule"] == "token" else right()

    (composition,) = compositions(port({"swept": swept}), "cvb0", "sweep")
    assert composition.text == "the rows are swept by word (schedule token)"
    assert {case["schedule"] for case in cases("cvb0") if case["id"] in composition.ids} == {"token"}


def test_another_mistake_in_some_cases_does_not_hide_the_first():
    def document(self, right, gamma, i, k):
        return right(gamma, i, k) ** (1 if self.alpha[0] == self.alpha[-1] else 1.01)

    wrong_eta = {"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)}
    (composition,) = compositions(port(wrong_eta, {"document": document}), "cvb0", "update")
    assert "W eta in the topic's term is D eta of the word" in composition.text.split("; or when ")
    asymmetric_ids = {case["id"] for case in cases("cvb0", "update") if isinstance(case["prior"]["alpha"], list)}
    assert not asymmetric_ids & {*composition.ids}


def test_an_answer_that_no_change_gives_has_no_composition():
    assert compositions(port({"N": lambda self, right, *arguments: right(*arguments) ** 1.01}), "cvb0", "update") == ()


ASSIGN_CODE = "self.add(i, -self.n[i])\n        self.gamma[i] = gamma_k\n        self.add(i, self.n[i])\n"
DIFF_CODE = "self.gamma[i] = gamma_k - self.gamma[i]\n        self.add(i, self.n[i])\n        self.gamma[i] = gamma_k\n"


@pytest.mark.parametrize(
    ("port_edits", "algorithm", "sentence"),
    [
        ([("self.add(i, -self.n[i])", "self.add(i, -1)")], "cvb0", "each of the three sums loses the old gamma of a row without its count n"),
        ([(ASSIGN_CODE, DIFF_CODE)], "cvb", "each of the three variances is changed by d (1 - d), where d is the change of gamma"),
    ],
)
def test_mistakes_of_running_sums_are_found_in_sweeps(port_edits, algorithm, sentence):
    """The port, which has a number for each token, skips cases of many tokens."""
    updates_and_sweeps = [case for case in cases(f"{algorithm}/update,{algorithm}/sweep") if not (is_large(case) or "many_tokens" in case["flags"])]
    report = oracle.check(asking.edited("sequential", port_edits), given=updates_and_sweeps)
    assert {case_result.operation for case_result in report.of("failed")} == {"sweep"}
    assert sentence in {composition.text for composition in report.composed}
