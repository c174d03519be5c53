"""Ports in single precision: correct ones pass, and mistakes and half precision are found."""

import time
from collections import Counter

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle import margins, single_precision
from lda_reference.oracle.asking.loading import MORE_OPERATIONS, OPERATIONS
from lda_reference.oracle.judging import precision
from lda_reference.oracle.judging.comparing import differs

from .helpers import ORACLE, VECTORS, case, run
from .ports.narrow import Port, in_pairs, in_sequence
from .ports.narrow_running import Running

LEGAL = {case["id"] for case in oracle.cases(operation="reject") if "error" not in case["expected"]}
PORTS = {
    "pairs": Port(add=in_pairs, legal=LEGAL),
    "sequence": Port(add=in_sequence, legal=LEGAL),
    "running": Running(legal=LEGAL),
}
GUIDE = " ".join((ORACLE / "GUIDE.md").read_text("utf-8").split())
HALF = Port(np.float16, legal=LEGAL)


@pytest.fixture(scope="module")
def single():
    return [precision.at_precision("single", case) for case in oracle.cases()]


def judged(port, cases):
    """The results of cases whose tolerances are set already."""
    return oracle.check(port, given=cases)


@pytest.mark.parametrize("name", PORTS)
def test_a_correct_port_in_single_precision_fails_nothing(name, single):
    report = judged(PORTS[name], single)
    print(Counter(r.status for r in report.results))
    assert report.ok, str(report)
    illegal = {case["id"] for case in single if "error" in case["expected"]}
    assert {r.id for r in report.of("skipped")} == illegal
    assert len(report.of("passed")) >= 900
    assert {r.operation for r in report.of("passed")} == set(OPERATIONS) - {"sample"}


def test_a_few_vectors_are_undecidable(single):
    """As the guide says: sweeps of large corpora, a draw of one, and a cancellation in a step of EP."""
    found = [case["id"] for case in single if "undecidable" in case]
    print(found)
    assert {id.split("/")[1] for id in found} == {"summary", "step"}
    assert len(found) < 0.005 * len(single)
    assert f"undecidable are {', '.join(f'`{id}`' for id in found[:-1])} and `{found[-1]}`" in GUIDE


def test_the_stored_tolerances_are_those_that_rounding_gives():
    start = time.process_time()
    text = single_precision.text()
    assert time.process_time() - start < 10
    assert text == (VECTORS / "single.json").read_text("utf-8")


def test_every_number_has_a_tolerance(single):
    for c in single:
        assert "error" in c["expected"] or c["tolerance"].keys() == c["expected"].keys(), c["id"]


@pytest.mark.parametrize("name", PORTS)
def test_a_correct_port_in_single_precision_fails_in_double_precision(name):
    assert len(oracle.check(PORTS[name]).of("failed")) > 300


@pytest.fixture(scope="module")
def fresh():
    """Two cases of every kind."""
    return [precision.at_precision("single", case) for case in oracle.fresh(178, seed=5)]


@pytest.mark.parametrize("name", PORTS)
def test_a_correct_port_in_single_precision_passes_fresh_cases(name, fresh):
    report = judged(PORTS[name], fresh)
    assert report.ok, str(report)
    assert len(report.of("passed")) > 170


def test_a_port_in_half_precision_fails(single):
    """Everywhere but in whole numbers and where halves are exact, such as for one topic."""
    report = judged(HALF, single)
    of = Counter((r.operation, r.status) for r in report.results)
    print(of)
    for operation in (
        "update",
        "sweep",
        "ten_sweeps",
        "converged",
        "estimate",
        "bound",
        "predict",
        "hyperparameters",
        "start",
        "summary",
        *(name for name in MORE_OPERATIONS if name != "tempered_sweep"),
    ):
        assert of[operation, "failed"] > 1.5 * of[operation, "passed"], operation
    assert len(report.of("failed")) > 500


def test_almost_all_answers_of_known_mistakes_are_still_wrong(single):
    """Those that are lost differ from the right answer by less than 1e-4, or belong to a case that is undecidable."""
    words = precision.visible(single)
    print(words[0])
    pairs = [(case, m) for case in single for m in case["mistakes"]]
    lost = [(c["id"], m["name"]) for c, m in pairs if "undecidable" in c or not differs(c, m["expected"], 2)]
    assert words[0].startswith(f"{len(pairs) - len(lost)} of the {len(pairs)} wrong answers that known mistakes give")
    names = {m["name"] for _, m in pairs}
    assert words[0].endswith(f"{len(names)} of the {len(names)} mistakes can be found")
    assert len(lost) < 0.003 * len(pairs)


MISTAKES = {
    "nothing-excluded": lambda self, i: self.n,
    "all-copies-excluded": lambda self, i: np.where((self.j == self.j[i]) & (self.w == self.w[i]), 0, self.n),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_in_single_precision(name):
    port = type("Mistaken", (Port,), {"left": MISTAKES[name]})()
    report = oracle.check(port, only="cvb0", precision="single")
    named = Counter(r.mistake for r in report.of("failed"))
    assert named[name] >= 10
    assert named.keys() <= {name, None}


# What cannot be decided ----------------------------------------------------------------------------------------------


def near_a_boundary():
    (c,) = oracle.cases("cgs/draw/001")
    ((x, _, _),) = margins.draws(c)
    return with_tolerances(c | {"uniform": float(x[0].cumsum()[2] / x[0].sum()) + 1e-8})


def badly_conditioned():
    (c,) = oracle.cases("cvb/sweep/002")
    return with_tolerances(c | {"prior": {"alpha": 1e-4, "eta": 1e-4}})


def with_tolerances(c):
    return c | {"single": single_precision.tolerances(c)}


@pytest.mark.parametrize("made", [near_a_boundary, badly_conditioned])
def test_a_case_that_cannot_be_decided_neither_passes_nor_fails_but_for_the_form_of_its_answer(made):
    c = made()
    right = {"id": c["id"], **c["expected"]}
    wrong = (
        {"id": c["id"], "topic": 5}
        if "topic" in c["expected"]
        else {"id": c["id"], "gamma": [[0.5, 0.5, 0]] * len(c["corpus"]["n"])}
    )
    for answer in (right, wrong):
        r = oracle.judge(lambda asked, answer=answer: answer, c, "single")
        assert r.status == "undecidable"
        assert r.reason.startswith("not decidable in single precision: ")
    assert oracle.judge(lambda asked: {"id": c["id"]}, c, "single").status == "failed"
    assert oracle.judge(lambda asked: {"id": c["id"], "skip": "later"}, c, "single").status == "skipped"


def test_a_report_counts_them_apart():
    made = near_a_boundary()
    report = oracle.check(lambda asked: {"id": asked["id"], **made["expected"]}, given=[made], precision="single")
    assert report.of("failed") == report.of("passed") == []
    text = oracle.text(report, everything=True)
    assert text.split()[:6] == ["passed/failed/skipped/undecidable", "draw", "total", "cgs", "0/0/0/1", "0/0/0/1"]
    assert "1 of the 1 cases cannot be decided" in text
    assert "Undecidable:\n    1  not decidable in single precision: a uniform number is 1e-08 from a boundary" in text
    assert '"undecidable": 1' in oracle.to_json(report)
    assert 'skipped="1"' in oracle.to_junit(report)


def test_a_port_is_not_told_whether_its_case_is_decidable():
    asked = oracle.question(precision.at_precision("single", near_a_boundary()))
    assert asked == oracle.question(near_a_boundary())


def test_the_precision_must_be_known():
    with pytest.raises(ValueError, match="precision is 'half', expected one of double, single"):
        precision.at_precision("half", case())


def test_a_case_made_by_hand_has_no_tolerances():
    with pytest.raises(ValueError, match="cvb0/update/000: has no tolerances for single precision, expected them in the field `single`"):
        precision.at_precision("single", case())
    single = {"single": {"gamma_k": 1e-6}}
    assert precision.at_precision("single", case() | single)["tolerance"] == {"gamma_k": {"absolute": 1e-6}}


def test_the_command_takes_a_precision(port, capsys):
    code = 'import sys\nfor line in sys.stdin:\n    print(\'{"id": "cvb0/update/001", "gamma_k": [0.4318099, 0.3, 0.2]}\', flush=True)'
    assert run("check", "--only", "cvb0/update/001", "--precision", "single", "--", *port(code)) == 1
    out = capsys.readouterr().out
    assert "single precision: 0 of the 1 cases cannot be decided" in out
    assert "mistakes can be found" in out
