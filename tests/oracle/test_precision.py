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
from .helpers import ALL, GUIDE, case, cases, one_of_each, watched_draws
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
                fields = answer(case, arithmetic, *layers)
        except FloatingPointError as error:
            return {"id": case["id"], "skip": str(error)}
        except ValueError as error:  # gamma is NaN in every sweep
            if case["algorithm"] == "vb" and "fixed point" in str(error):
                return {"id": case["id"], "skip": UNDERFLOW}
            raise
        if arithmetic in (np.float32, normal) and any(map(math.isnan, noise.flat([*fields.values()]))):
            return {"id": case["id"], "skip": UNDERFLOW}
        return {"id": case["id"], **fields}

    return port


def normal(x):
    """A number of single precision, if that has all digits."""
    single = np.float32(x)
    if x and abs(single) < np.finfo(np.float32).tiny:
        raise FloatingPointError(SUBNORMAL)
    return single


@pytest.fixture(scope="module")
def single_cases():
    return [at_precision("single", case) for case in cases()]


@pytest.fixture(scope="module")
def c_command(tmp_path_factory):
    """The command of the port in C with floats for doubles; it does not see a tolerance of 1e-9."""
    c_source = re.sub(r"\bdouble\b", "float", source("c")).replace("1e-9", "1e-5f")
    c_source = re.sub(r"\b(exp|log|lgamma|sqrt|fabs)\(", r"\1f(", c_source)
    return build("c", c_source, tmp_path_factory.mktemp("floats"), ["-O2"])


# Correct ports -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [(), (Running,)], ids=["counted again", "running sums"])
def test_the_plain_text_in_single_precision_fails_nothing(single_cases, layers):
    first_of_each = one_of_each(single_cases)
    report = oracle.check(plain_port(np.float32, *layers), given=first_of_each, compose=False)
    assert report.ok, str(report)
    underflow_ids = {r.id for r in report.of("skipped") if r.reason == UNDERFLOW}
    product_ids = {f"vb/summary/{n}" for n in ("001", "003", "005", "006")} | {"vem/summary/003"}  # of many topics
    product_ids |= {f"cvb/sweep/{n}" for n in ("025", "026", "027")}
    assert underflow_ids == product_ids & {case["id"] for case in first_of_each}
    assert {r.id for r in report.of("skipped")} - underflow_ids == {case["id"] for case in first_of_each} - LEGAL
    assert {r.operation for r in report.of("passed")} >= set(OPERATIONS) - {"sample", "reject"}


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
        assert {r.algorithm for r in report.of("skipped") if r.reason == UNDERFLOW} <= {"vb", "vem"}
        assert len(report.of("passed")) > 20


# Other ports ---------------------------------------------------------------------------------------------------------


QUICK = [case for case in cases("cvb0") if case["operation"] in ("update", "sweep") and sum(case["corpus"]["n"]) < 50]
WRONG = layer({"excluded": lambda self, right, part, i, r: 0})


def test_a_mistake_is_named_in_single_precision():
    counts = Counter(r.mistake for r in oracle.check(plain_port(np.float32, WRONG), given=QUICK, precision="single", compose=False).of("failed"))
    assert counts["nothing-excluded"] >= 10
    assert counts.keys() <= {"nothing-excluded", None}


def test_every_sentence_on_readers_mistakes_is_true_in_single_precision(single_cases):
    """One port rounds its answers, the other computes them so. Without LDA_TEST_ALL, of few mistakes."""
    small_ids = {case["id"] for case in asking.legal_cases(12)}
    small_cases = [case for case in single_cases if case["id"] in small_ids]
    mistakes = [m for name in asking.LISTS for m in asking.mistakes(name)]
    kinds = set()
    for mistake in mistakes if ALL else mistakes[::100]:
        wrong = asking.port(mistake, single=mistake["port"] == "arrays")

        def rounded(asked, wrong=wrong):
            return json.loads(json.dumps(wrong(asked)), parse_float=lambda x: float(np.float32(x)))

        report, of_report = true_report(rounded, small_cases, precision="single", compose=False)
        names = {r.mistake for r in report.results} - {None}
        assert names <= {*mistake.get("named", names)}, mistake["name"]
        kinds |= of_report
    assert {"mistake", "level", "groups"} <= kinds


# Parts, and precisions below single ----------------------------------------------------------------------------------


def test_each_part_of_a_port_may_have_its_own_precision():
    update_cases = [c for c in cases("cvb0,vb") if c["operation"] == "update"]

    def port(case):
        return plain_port(np.float32 if case["algorithm"] == "vb" else float)(case)

    def failing(precision):
        return {r.algorithm for r in oracle.check(port, given=update_cases, precision=precision, compose=False).of("failed")}

    assert failing("double,vb=single") == failing("single") == failing("double,update=single,cvb0=double") == set()
    assert failing("double") == failing("single,vb=double") == {"vb"}
    with pytest.raises(ValueError, match="precision has 'slda', which is no algorithm, operation or beginning of an id"):
        failing("double,slda=single")
    with pytest.raises(ValueError, match="precision is 'quarter', expected one of double, single, tf32, half, bfloat16"):
        failing("double,vb=quarter")


def test_a_port_in_half_precision_fails_nothing_that_can_be_decided():
    operations = ("update", "sweep", "draw", "m_step", "tempered_update", "tempered_sweep")
    step_cases = [c for c in cases() if c["operation"] in operations and len(c["corpus"]["n"]) < (60 if ALL else 12)]
    report = oracle.check(plain_port(np.float16), given=step_cases, precision="half")
    assert report.ok, str(report)
    assert len(report.of("passed")) > 80
    assert not oracle.check(plain_port(np.float16), given=step_cases, precision="single", compose=False).ok
    assert oracle.check(plain_port(np.float16, WRONG), given=QUICK, precision="half", compose=False).of("failed")


def test_the_guide_says_how_many_cases_can_be_decided():
    legal = [c for c in cases() if c["id"] in LEGAL]
    counts = [sum("undecidable" not in at_precision(precision, c) for c in legal) for precision in ("half", "bfloat16")]
    assert f"\nOf the {len(legal):,} cases with a legal input, {counts[0]} can be decided" in GUIDE
    assert f"and {counts[1]} in `bfloat16`" in GUIDE


# What cannot be decided ----------------------------------------------------------------------------------------------


def near_a_boundary():
    (c,) = cases("cgs/draw/001")
    return with_tolerances(c | {"uniform": watched_draws(c)[0].boundaries()[2] + 1e-8})


def badly_conditioned():
    (c,) = cases("cvb/sweep/002")
    return with_tolerances(c | {"prior": {"alpha": 1e-4, "eta": 1e-4}})


def with_tolerances(c):
    return c | {"single": noise.single_tolerances(c, noise.errors(c))}


@pytest.mark.parametrize("make_case", [near_a_boundary, badly_conditioned])
def test_a_case_that_cannot_be_decided_neither_passes_nor_fails_but_for_the_form_of_its_answer(make_case):
    c = make_case()
    right_answer = {"id": c["id"], **c["expected"]}
    wrong_answer = (
        {"id": c["id"], "topic": 5}
        if "topic" in c["expected"]
        else {"id": c["id"], "gamma": [[0.5, 0.5, 0]] * len(c["corpus"]["n"])}
    )
    for port_answer in (right_answer, wrong_answer):
        r = oracle.judge(lambda question, port_answer=port_answer: port_answer, c, "single")
        assert r.status == "undecidable"
        assert r.reason.startswith("not decidable in single precision: ")
    assert oracle.judge(lambda question: {"id": c["id"]}, c, "single").status == "failed"
    assert oracle.judge(lambda question: {"id": c["id"], "skip": "later"}, c, "single").status == "skipped"


def test_a_report_counts_them_apart():
    border = near_a_boundary()
    report = oracle.check(lambda case: {"id": case["id"], **border["expected"]}, given=[border], precision="single")
    assert report.of("failed") == report.of("passed") == []
    text = oracle.text(report)
    assert text.split()[:6] == ["passed/failed/skipped/undecidable", "draw", "total", "cgs", "0/0/0/1", "0/0/0/1"]
    assert "1 of the 1 cases cannot be decided" in text
    assert '"undecidable": 1' in oracle.to_json(report)


def test_a_port_is_not_told_whether_its_case_is_decidable():
    question = oracle.question(at_precision("single", near_a_boundary()))
    assert question == oracle.question(near_a_boundary())


def test_a_case_must_have_its_tolerances():
    with pytest.raises(
        ValueError, match="cvb0/update/000: has no tolerances for single precision, expected them in the field `single`"
    ):
        at_precision("single", case())
