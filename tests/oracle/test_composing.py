"""Compositions of small changes: they are found, they are true, and nothing is said where they are not."""

import pytest

from lda_reference import oracle
from lda_reference.oracle.cases.closeness import differs
from lda_reference.oracle.changes import trying
from lda_reference.oracle.changes.change import layer
from lda_reference.plain import Running, answer, is_large

from .claims import CHANGES, WORK
from .helpers import ALL, cases


def port(*methods):
    """A port that makes some changes."""
    layers = [layer(of) for of in methods]

    def answered(case):
        if is_large(case):
            return {"id": case["id"], "skip": "too large"}
        return {"id": case["id"], **answer(case, float, *layers)}

    return answered


def composed(of, only, operation):
    return oracle.check(of, given=cases(only, operation)).composed


def test_every_change_has_a_text_of_its_own():
    assert len(CHANGES) == len(trying.vocabulary())
    assert not [text for text in CHANGES if ", and " in text or "; or when " in text]  # they join texts


def smallest_of_each_group(most):
    """The smallest case that is searched of each algorithm and operation, if an answer takes little work."""
    found = {}
    for case in sorted(cases(), key=trying.work):
        if case["operation"] not in ("reject", "sample") and "error" not in case["expected"] and not is_large(case):
            found.setdefault((case["algorithm"], case["operation"], case.get("start")), case)
    return [case for case in found.values() if trying.work(case) <= most]


def test_a_change_that_makes_no_sense_gives_no_answer_and_no_exception():
    """Without LDA_TEST_ALL, each case takes another part of the vocabulary."""
    parts = 1 if ALL else 12
    for at, case in enumerate(smallest_of_each_group(400)):
        for change in trying.vocabulary()[at % parts :: parts]:
            assert isinstance(WORK.legal_answer(case, (change,)), dict | None), (case["id"], change.text)


@pytest.mark.parametrize("row", ["first", "last"])
def test_a_row_that_sweeps_leave_out_is_updated_alone(row):
    change = CHANGES[f"a sweep leaves out the {row} row"]
    updates = cases("cvb0", "update")
    assert not any(differs(case, WORK.legal_answer(case, (change,))) for case in updates if trying.work(case) < 1_000)
    sweeps = [case for case in cases("cvb0", "sweep") if case["schedule"] == "token" and trying.work(case) < 1_000]
    assert any(differs(case, WORK.legal_answer(case, (change,))) for case in sweeps)


def test_a_mistake_that_is_in_no_list_is_composed():
    wrong = {"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)}
    (said,) = composed(port(wrong), "cvb0", "update")
    assert set(said.text.split("; or when ")) == {
        "W eta in the topic's term is D eta of the word",
        "W eta in the topic's term is (W - 1) eta of the word",  # D is W - 1 in these updates
    }
    assert len(said.ids) >= 9


def test_two_mistakes_are_composed():
    wrong = {"W_eta": lambda self, right, i, k: self.K * self.eta_of(i, k)}
    doubled = {"document": lambda self, right, gamma, i, k: right(gamma, i, k) ** 2}
    (said,) = composed(port(wrong, doubled), "vb", "update")
    assert set(said.text.split(", and ")) == {
        "the document's term is squared",
        "W eta in the topic's term is K eta of the word",
    }


def test_nothing_is_said_if_a_passed_case_contradicts():
    wrong = port({"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)})

    def sometimes(case):
        return {"id": case["id"], **answer(case)} if case["id"] == "cvb0/update/003" else wrong(case)

    assert composed(wrong, "cvb0", "update")
    assert composed(sometimes, "cvb0", "update") == ()


def test_what_is_wrong_in_one_schedule_is_said_of_its_sweeps():
    def swept(self, right):
        return sorted(right(), key=lambda i: self.w[i]) if self.case["schedule"] == "token" else right()

    (said,) = composed(port({"swept": swept}), "cvb0", "sweep")
    assert said.text == "the rows are swept by word (schedule token)"
    assert {case["schedule"] for case in cases("cvb0") if case["id"] in said.ids} == {"token"}


def test_another_mistake_in_some_cases_does_not_hide_the_first():
    def document(self, right, gamma, i, k):
        return right(gamma, i, k) ** (1 if self.alpha[0] == self.alpha[-1] else 1.01)

    whole = {"W_eta": lambda self, right, i, k: self.D * self.eta_of(i, k)}
    (said,) = composed(port(whole, {"document": document}), "cvb0", "update")
    assert "W eta in the topic's term is D eta of the word" in said.text.split("; or when ")
    asymmetric = {case["id"] for case in cases("cvb0", "update") if isinstance(case["prior"]["alpha"], list)}
    assert not asymmetric & {*said.ids}


def test_an_answer_that_no_change_gives_has_no_composition():
    assert composed(port({"N": lambda self, right, *given: right(*given) ** 1.01}), "cvb0", "update") == ()


class Changed(Running):
    """Running sums that a row of n tokens changes by other numbers."""

    def refresh(self, gamma):
        before = self.added_up or [None] * len(gamma)
        for i, (old, new) in enumerate(zip(before, gamma, strict=True)):
            if new is not old:
                for part in ("document", "word", "topic"):
                    N, V = self.sums.setdefault(self.place(part, i), ([0.0] * self.K, [0.0] * self.K))
                    for k in range(self.K):
                        of_N, of_V = self.changed(self.n[i], old[k] if old else 0.0, new[k])
                        N[k], V[k] = N[k] + of_N, V[k] + of_V
        self.added_up = gamma


class LosesOldOnce(Changed):
    """A row of count n gives a sum n times its new gamma, and takes out the old one once."""

    def changed(self, n, old, new):
        return n * new - old, n * (new * (1 - new) - old * (1 - old))


class VarianceOfChange(Changed):
    """The variances change by n d (1 - d), where d is the change of gamma, and are never below 0."""

    def changed(self, n, old, new):
        return n * (new - old), n * (new - old) * (1 - new + old)

    def V(self, *given):
        return max(super().V(*given), 0.0)


@pytest.mark.parametrize(
    ("layers", "only", "text"),
    [
        ((LosesOldOnce,), "cvb0", "each of the three sums loses the old gamma of a row without its count n"),
        ((VarianceOfChange,), "cvb", "each of the three variances is changed by d (1 - d), where d is the change of gamma"),
    ],
)
def test_mistakes_of_running_sums_are_found_in_sweeps(layers, only, text):
    def answered(case):
        return {"id": case["id"], **(answer(case, float, *layers) if not is_large(case) else {"skip": "large"})}

    given = [case for case in cases(only) if case["operation"] in ("update", "sweep")]
    report = oracle.check(answered, given=given)
    assert {r.operation for r in report.of("failed")} == {"sweep"}
    assert text in {said.text for said in report.composed}
