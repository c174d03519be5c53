"""Ports in single precision: correct ones pass, and mistakes and half precision are found."""

import json
import math
import re
from collections import Counter

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle.cases import noise
from lda_reference.oracle.cases.loading import OPERATIONS, at_precision
from lda_reference.oracle.changes.change import layer
from lda_reference.plain import Running, answer

from .claims import true_report
from .helpers import ALL, case, cases, one_of_each, watched_draws
from .readers import asking
from .test_ports import at_once, build, source

UNDERFLOW = "all weights of a row are 0"
SUBNORMAL = "a term has lost digits to underflow"
LEGAL = {case["id"] for case in cases() if "error" not in case["expected"]}


def plain_port(arithmetic, *layers):
    """The plain text as a port. It refuses no input, and multiplies the weights of VB instead of adding logarithms."""

    def port(case):
        if case["operation"] == "reject" and case["id"] not in LEGAL:
            return {"id": case["id"], "skip": "it does not check its input"}
        try:
            with np.errstate(all="ignore"):
                answer_fields = answer(case, arithmetic, *layers)
        except FloatingPointError as error:
            return {"id": case["id"], "skip": str(error)}
        except ValueError as error:  # gamma is NaN in every sweep
            if case["algorithm"] == "vb" and "fixed point" in str(error):
                return {"id": case["id"], "skip": UNDERFLOW}
            raise
        if arithmetic in (np.float32, normal) and any(map(math.isnan, noise.flat([*answer_fields.values()]))):
            return {"id": case["id"], "skip": UNDERFLOW}
        return {"id": case["id"], **answer_fields}

    return port


def normal(number):
    """A number of single precision, if that has all digits."""
    single_number = np.float32(number)
    if number and abs(single_number) < np.finfo(np.float32).tiny:
        raise FloatingPointError(SUBNORMAL)
    return single_number


@pytest.fixture(scope="module")
def single_cases():
    return [at_precision("single", case) for case in cases()]


@pytest.fixture(scope="module")
def c_command(tmp_path_factory):
    """The command of the port in C with floats for doubles; it does not see a tolerance of 1e-9."""
    c_source = re.sub(r"\bdouble\b", "float", source("c")).replace("1e-9", "1e-5f")
    c_source = re.sub(r"\b(exp|log|lgamma|sqrt|fabs)\(", r"\1f(", c_source)
    return build("c", c_source, tmp_path_factory.mktemp("floats"), ["-O2"])


@pytest.mark.parametrize("layers", [(), (Running,)], ids=["counted again", "running sums"])
def test_the_plain_text_in_single_precision_fails_nothing(single_cases, layers):
    first_of_each = one_of_each(single_cases)
    report = oracle.check(plain_port(np.float32, *layers), given=first_of_each, compose=False)
    assert report.ok, str(report)
    underflow_ids = {case_result.id for case_result in report.of("skipped") if case_result.reason == UNDERFLOW}
    expected_underflow_ids = {f"vb/summary/{number_text}" for number_text in ("001", "003", "005", "006")} | {"vem/summary/003", "cvb/summary/004"}  # of many topics
    expected_underflow_ids |= {f"cvb/sweep/{number_text}" for number_text in ("025", "026", "027")} | {"vb/e_step/013", "vb/online_step/045"}
    assert underflow_ids == expected_underflow_ids & {case["id"] for case in first_of_each}
    assert {case_result.id for case_result in report.of("skipped")} - underflow_ids == {case["id"] for case in first_of_each} - LEGAL
    assert {case_result.operation for case_result in report.of("passed")} >= set(OPERATIONS) - {"sample", "reject"}


def test_a_port_in_c_with_floats_fails_nothing(single_cases, c_command):
    """It shares nothing with the plain text, by whose noise the tolerances were found."""
    report = at_once(c_command, [case for case in single_cases if case["operation"] != "reject"])
    assert report.ok, str(report)
    assert len(report.of("passed")) > 600
    assert len(at_once(c_command, cases()).of("failed")) > 300  # in double precision


@pytest.mark.parametrize("seed", range(100 if ALL else 1))
def test_correct_ports_in_single_precision_pass_fresh_cases(seed, c_command):
    """In the long run, every kind of case once. With many topics, a port that multiplies terms needs all their digits."""

    def port(case):
        return plain_port(normal if case["K"] > 500 else np.float32)(case)

    fresh_cases = [at_precision("single", case) for case in oracle.fresh(173 if ALL else 60, seed=seed)]
    c_report = at_once(c_command, [case for case in fresh_cases if case["operation"] != "reject"])
    for report in (oracle.check(port, given=fresh_cases), c_report):
        assert report.ok, str(report)
        assert {case_result.algorithm for case_result in report.of("skipped") if case_result.reason == UNDERFLOW} <= {"vb", "vem"}
        assert len(report.of("passed")) > 20


QUICK = [case for case in cases("cvb0") if case["operation"] in ("update", "sweep") and sum(case["corpus"]["n"]) < 50]
WRONG = layer({"excluded": lambda self, right, part, i, r: 0})


def test_a_mistake_is_named_in_single_precision():
    mistake_counts = Counter(case_result.mistake for case_result in oracle.check(plain_port(np.float32, WRONG), given=QUICK, precision="single", compose=False).of("failed"))
    assert mistake_counts["nothing-excluded"] >= 10
    assert mistake_counts.keys() <= {"nothing-excluded", None}


@pytest.mark.parametrize("list_name", asking.LISTS)
def test_every_sentence_on_readers_mistakes_is_true_in_single_precision(list_name, single_cases):
    """One port rounds its answers, the other computes them so. Without LDA_TEST_ALL, of few mistakes."""
    small_ids = {case["id"] for case in asking.legal_cases(12)}
    small_cases = [case for case in single_cases if case["id"] in small_ids]
    reader_mistakes, sentence_kinds = asking.mistakes(list_name), set()
    for mistake in reader_mistakes if ALL else reader_mistakes[16::100]:
        wrong_port = asking.port(mistake, is_single=mistake["port"] == "arrays")

        def rounded(question, wrong_port=wrong_port):
            return json.loads(json.dumps(wrong_port(question)), parse_float=lambda number_text: float(np.float32(number_text)))

        report, report_kinds = true_report(rounded, small_cases, precision="single", compose=False)
        named_mistakes = {case_result.mistake for case_result in report.results} - {None}
        assert named_mistakes <= {*mistake.get("named", named_mistakes), *mistake.get("named_in_single", ())}, mistake["name"]
        sentence_kinds |= report_kinds
    assert {"mistake", "level", "groups"} <= sentence_kinds


def test_each_part_of_a_port_may_have_its_own_precision():
    update_cases = [case for case in cases("cvb0,vb") if case["operation"] == "update"]

    def port(case):
        return plain_port(np.float32 if case["algorithm"] == "vb" else float)(case)

    def failing(precision):
        return {case_result.algorithm for case_result in oracle.check(port, given=update_cases, precision=precision, compose=False).of("failed")}

    assert failing("double,vb=single") == failing("single") == failing("double,update=single,cvb0=double") == set()
    assert failing("double") == failing("single,vb=double") == {"vb"}
    with pytest.raises(ValueError, match="precision has 'slda', which is no algorithm, operation or beginning of an id"):
        failing("double,slda=single")
    with pytest.raises(ValueError, match="precision is 'quarter', expected one of double, single, tf32, half, bfloat16"):
        failing("double,vb=quarter")


def test_a_port_in_half_precision_fails_nothing_that_can_be_decided():
    step_operations = ("update", "sweep", "draw", "m_step", "tempered_update", "tempered_sweep")
    step_cases = [case for case in cases() if case["operation"] in step_operations and len(case["corpus"]["n"]) < (60 if ALL else 12)]
    report = oracle.check(plain_port(np.float16), given=step_cases, precision="half")
    assert report.ok, str(report)
    assert len(report.of("passed")) > 80
    assert not oracle.check(plain_port(np.float16), given=step_cases, precision="single", compose=False).ok
    assert oracle.check(plain_port(np.float16, WRONG), given=QUICK, precision="half", compose=False).of("failed")


def near_a_boundary():
    (draw_case,) = cases("cgs/draw/001")
    return with_tolerances(draw_case | {"uniform": watched_draws(draw_case)[0].boundaries()[2] + 1e-8})


def badly_conditioned():
    (sweep_case,) = cases("cvb/sweep/002")
    return with_tolerances(sweep_case | {"prior": {"alpha": 1e-4, "eta": 1e-4}})


def with_tolerances(case):
    return case | {"single": noise.single_tolerances(case, noise.errors(case))}


@pytest.mark.parametrize("make_case", [near_a_boundary, badly_conditioned])
def test_a_case_that_cannot_be_decided_neither_passes_nor_fails_but_for_the_form_of_its_answer(make_case):
    undecidable_case = make_case()
    right_answer = {"id": undecidable_case["id"], **undecidable_case["expected"]}
    wrong_answer = (
        {"id": undecidable_case["id"], "topic": 5}
        if "topic" in undecidable_case["expected"]
        else {"id": undecidable_case["id"], "gamma": [[0.5, 0.5, 0]] * len(undecidable_case["corpus"]["n"])}
    )
    for port_answer in (right_answer, wrong_answer):
        case_result = oracle.judge(lambda question, port_answer=port_answer: port_answer, undecidable_case, "single")
        assert case_result.status == "undecidable"
        assert case_result.reason.startswith("not decidable in single precision: ")
    assert oracle.judge(lambda question: {"id": undecidable_case["id"]}, undecidable_case, "single").status == "failed"
    assert oracle.judge(lambda question: {"id": undecidable_case["id"], "skip": "later"}, undecidable_case, "single").status == "skipped"


def test_a_report_counts_them_apart():
    border_case = near_a_boundary()
    report = oracle.check(lambda case: {"id": case["id"], **border_case["expected"]}, given=[border_case], precision="single")
    assert report.of("failed") == report.of("passed") == []
    report_text = oracle.text(report)
    assert report_text.split()[:6] == ["passed/failed/skipped/undecidable", "draw", "total", "cgs", "0/0/0/1", "0/0/0/1"]
    assert "1 of the 1 cases cannot be decided" in report_text
    assert '"undecidable": 1' in oracle.to_json(report)


def test_a_port_is_not_told_whether_its_case_is_decidable():
    question = oracle.question(at_precision("single", near_a_boundary()))
    assert question == oracle.question(near_a_boundary())


def test_a_case_must_have_its_tolerances():
    with pytest.raises(
        ValueError, match="cvb0/update/000: has no tolerances for single precision, expected them in the field `single`"
    ):
        at_precision("single", case())
