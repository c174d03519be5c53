"""The starts: those computed by hand, and faults in a start, which are found and named."""

from fractions import Fraction as F

import pytest

from lda_reference import oracle
from lda_reference.oracle.changes.change import layer
from lda_reference.plain import answer

from . import package
from .helpers import case_change, cases, distance

CASES = cases(operation="start")

# By hand -------------------------------------------------------------------------------------------------------------

SMALL = {
    "algorithm": "starts", "operation": "start", "K": 2, "prior": {"alpha": 0.5, "eta": [0.25, 0.75]},
    "corpus": {"j": [0, 0, 1], "w": [0, 1, 0], "n": [3, 1, 2], "D": 2, "W": 2},
}  # fmt: skip
BY_HAND = [
    ("one-hot", {"state": {"z": [0, 1, 1, 0, 1, 0]}}, [[F(1, 3), F(2, 3)], [1, 0], [F(1, 2), F(1, 2)]]),
    # phi_wk is [[1/4, 1/2], [3/4, 1/2]]
    ("topics", {"weights_wk": [[0.5, 2], [1.5, 2]]}, [[F(1, 3), F(2, 3)], [F(3, 5), F(2, 5)], [F(1, 3), F(2, 3)]]),
    # the counts plus 1 are [[3, 4], [1, 2]], so that phi_wk is [[3/4, 2/3], [1/4, 1/3]]
    ("documents", {"documents": [1, 0]}, [[F(9, 17), F(8, 17)], [F(3, 7), F(4, 7)], [F(9, 17), F(8, 17)]]),
    # rows 0 and 1 have the weights alpha eta_w / 1; then row 2 has 1/2 (13/4) / 4 and 1/2 (1/4) / 2, that is 13 to 2
    ("incremental", {"uniforms": [0.49, 0.5, 0.87]}, [[1, 0], [0, 1], [0, 1]]),
    ("incremental", {"uniforms": [0.49, 0.5, 0.86]}, [[1, 0], [0, 1], [1, 0]]),  # 0.86 < 13/15 < 0.87
]  # fmt: skip


@pytest.mark.parametrize(("start", "start_fields", "expected_gamma"), BY_HAND)
def test_starts_are_those_computed_by_hand(start, start_fields, expected_gamma):
    case = SMALL | start_fields | {"id": "", "start": start}
    assert answer(case, F)["gamma"] == expected_gamma
    assert distance({"tolerance": {"gamma": {"absolute": 1e-15}}}, package.answer(case), {"gamma": expected_gamma}) <= 1


# Faults --------------------------------------------------------------------------------------------------------------


def with_attributes(attributes_of):
    return {"__init__": lambda self, right, *init_arguments: right(*init_arguments) or vars(self).update(attributes_of(self))}


def uniform_next(self):
    """gamma in which the rows of the next part are uniform."""
    return [[1 / self.K] * self.K if i in self.next_rows() else row for i, row in enumerate(self.gamma)]


def equal_ratios(a, top, sweep, n_sweeps):
    """A number of the prior in sweep s of S."""
    return max(a, a ** (sweep / n_sweeps) * top ** (1 - sweep / n_sweeps)) if n_sweeps else a


def annealed_by(annealed_number, offset_of=lambda algorithm: algorithm.prior_offset):
    """Sweeps with a prior of other numbers, each of which follows from the own one, `top`, the sweep and their number."""

    def begun(self, right):
        (alpha, eta), n_sweeps, prior_offset = self.prior(), self.case["sweeps"], offset_of(self)
        for sweep in range(n_sweeps):
            def lowered(prior_numbers, sweep=sweep):
                return [prior_offset + annealed_number(a - prior_offset, self.case["top"], sweep, n_sweeps) for a in prior_numbers]

            self.take(lowered(alpha), [lowered(eta_row) for eta_row in eta])
            self.gamma = self.one_sweep(self.gamma)
        return self.gamma

    return begun


FAULTS = [
    ("one-hot", {"normalised": lambda self, right, x: x}, "row-not-normalised"),
    ("documents", {"pseudo_eta": lambda self, right: ([[0] * self.K] * self.W, [0] * self.K)}, "one-not-added"),
    ("incremental", {"drawn": lambda self, right, weights, uniform: weights.index(max(weights))}, "most-probable-drawn"),
    ("anneal", case_change(lambda case: case | {"schedule": "document"}), "sums-refreshed-by-document"),
    ("growing", {"swept": lambda self, right: sorted(right(), key=lambda i: self.case["order"].index(self.j[i]))}, "swept-by-order"),
    ("growing", with_attributes(lambda self: {"sweeps_of_part": 3}), "one-sweep-too-few"),
    ("growing", with_attributes(lambda self: {"sweeps_of_part": 5}), "one-sweep-too-many"),
    ("growing", {"grow": lambda self, right: vars(self).update(gamma=uniform_next(self))}, "next-rows-uniform"),
    ("anneal", {"begun": annealed_by(lambda a, top, sweep, n_sweeps: max(a, a + (top - a) * (1 - sweep / n_sweeps)))}, "lowered-linearly"),
    ("anneal", {"begun": annealed_by(lambda a, top, sweep, n_sweeps: equal_ratios(a, top, sweep, n_sweeps - 1))}, "last-sweep-at-own-prior"),
    ("anneal", {"begun": annealed_by(lambda a, top, sweep, n_sweeps: equal_ratios(a, top, sweep + 1, n_sweeps))}, "first-sweep-below-top"),
    ("anneal", {"begun": annealed_by(equal_ratios, lambda algorithm: 0)}, "offset-lowered"),
    ("anneal", {"begun": annealed_by(lambda a, top, sweep, n_sweeps: a * (top / a) ** (1 - sweep / n_sweeps))}, "larger-prior-begins-at-top"),
]


@pytest.mark.parametrize(("start", "method_changes", "mistake"), FAULTS)
def test_a_fault_in_a_start_is_found_and_named(start, method_changes, mistake):
    """The cases of all starts are asked together: the right answers of the others do not hide the name."""
    fault_layer, expected_by_id = layer(method_changes), {case["id"]: case["expected"] for case in CASES}

    def port(case):
        return {"id": case["id"], **(answer(case, float, fault_layer) if case["start"] == start else expected_by_id[case["id"]])}

    report = oracle.check(port, given=CASES)
    failed_results = report.of("failed")
    assert {case_result.id.split("/")[1] for case_result in failed_results} == {start}
    assert {case_result.mistake for case_result in failed_results} - {None} == {mistake}
    assert oracle.mistakes()[mistake] in str(report)
