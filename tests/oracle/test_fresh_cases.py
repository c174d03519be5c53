"""Fresh cases: the same for the same seed, of every kind, certified, and fair to correct ports."""

import json
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle.cases.closeness import differs
from lda_reference.oracle.fresh import making
from lda_reference.oracle.fresh.making import case_of, certify
from lda_reference.oracle.fresh.problems import FIRST_OPERATIONS, kind_of, kinds
from lda_reference.oracle.judging.levels import lines
from lda_reference.plain import answer, updates

from ..app.helpers import printed
from ..helpers import refusals
from . import package
from .helpers import ALL, ROOT, case, run, watched_draws
from .helpers import cases as vectors
from .test_schema import SCHEMA, faults
from .test_schema import kind_of as kind_of_vector

ROUND = len(kinds())
ROUNDS = range(2 if ALL else 1)  # a round takes 15 s of a core
N_CASES = len(ROUNDS) * ROUND


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """A run of cases, or two, from a file if another process of pytest has made them."""
    cases_path = tmp_path_factory.getbasetemp().parent / f"fresh-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}.json"
    if not cases_path.exists():
        new_path = cases_path.with_suffix(f".{os.getpid()}")
        new_path.write_text(json.dumps(oracle.fresh(N_CASES, seed=1)))
        new_path.replace(cases_path)
    return json.loads(cases_path.read_text())


# Which cases ---------------------------------------------------------------------------------------------------------


def kind(vector_case):
    schedule = vector_case.get("schedule") if vector_case.get("schedule") in ("block", "nested") else None
    legality = {True: "illegal", False: "legal"}["error" in vector_case["expected"]] if vector_case["operation"] == "reject" else None
    return vector_case["algorithm"], vector_case["operation"], legality or vector_case.get("start") or schedule or ""


def test_all_that_the_vectors_ask_is_asked_once_in_each_run_of_cases(cases):
    asked_kinds = [kind(any_case) for any_case in cases]
    assert set(asked_kinds) == {kind(any_case) for any_case in vectors()}
    kinds_in_order = [kind_of(f"fresh/1/{number:04}")[0] for number in range(1, 2 * ROUND + 1)]
    assert asked_kinds == kinds_in_order[:N_CASES]
    assert sorted(kinds_in_order[:ROUND]) == sorted(kinds_in_order[ROUND:]) == sorted(kinds())
    assert kinds_in_order[:ROUND] != kinds_in_order[ROUND:]


def test_cases_have_everything_that_a_port_must_support(cases):
    flag_counts = Counter(flag for fresh_case in cases for flag in fresh_case["flags"])
    assert flag_counts.keys() == set(SCHEMA["$defs"]["flags"]["items"]["enum"]) - {"tie", "many_tokens"}
    assert min(flag_counts[flag_name] for flag_name in ("types", "asymmetric_alpha", "asymmetric_eta", "empty_document")) > N_CASES / 8
    assert {fresh_case.get("schedule") for fresh_case in cases} == {"token", "document", "corpus", "block", "nested", None}


@pytest.mark.parametrize("round_number", ROUNDS)
def test_the_steps_of_each_algorithm_have_large_counts_and_many_topics_in_each_run(round_number, cases):
    step_cases = [fresh_case for fresh_case in cases[round_number * ROUND : (round_number + 1) * ROUND] if fresh_case["operation"] in FIRST_OPERATIONS]
    for algorithm in {fresh_case["algorithm"] for fresh_case in step_cases}:
        algorithm_cases = [fresh_case for fresh_case in step_cases if fresh_case["algorithm"] == algorithm]
        assert max(fresh_case["K"] for fresh_case in algorithm_cases) > (8 if algorithm in ("gibbs", "cvb1s") else 256), algorithm
        assert max(fresh_case["corpus"]["W"] for fresh_case in algorithm_cases) > 256
        assert max(max(fresh_case["corpus"]["w"]) for fresh_case in algorithm_cases) > 255
        if algorithm not in ("cvb_exact", "cvb1", "cvb1s"):  # they have large counts where little is computed
            assert max(max(fresh_case["corpus"]["n"]) for fresh_case in algorithm_cases) > (511 if algorithm in ("cgs", "gibbs") else 65_535), algorithm


@pytest.mark.parametrize("dtype", [np.int16, np.uint16])
def test_a_port_with_word_ids_of_16_bits_fails_every_case_of_more_words(dtype, cases):
    for round_start in range(0, N_CASES, ROUND):
        wide_cases = [fresh_case for fresh_case in cases[round_start : round_start + ROUND] if fresh_case["corpus"]["W"] > 2**16]
        assert len(wide_cases) >= 2
        for fresh_case in wide_cases:
            narrow_w = np.array(fresh_case["corpus"]["w"]).astype(dtype).tolist()
            assert differs(fresh_case, answer(fresh_case | {"corpus": fresh_case["corpus"] | {"w": narrow_w}})), fresh_case["id"]


def test_the_same_seed_gives_the_same_bytes_in_every_process_and_other_seeds_other_cases(cases):
    printing_code = "import json; from lda_reference import oracle; print(json.dumps(oracle.fresh(30, 1)), end='')"
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    completed_process = subprocess.run([sys.executable, "-c", printing_code], capture_output=True, text=True, env=environment, check=True)
    assert completed_process.stdout == json.dumps(cases[:30])
    assert [fresh_case["corpus"] for fresh_case in cases[:5]] != [fresh_case["corpus"] for fresh_case in oracle.fresh(5, seed=2)]
    assert len({json.dumps(fresh_case["corpus"]) for fresh_case in cases}) > 0.9 * len(cases)


def test_an_id_says_how_to_make_its_case_again(cases, capsys):
    assert [fresh_case["id"] for fresh_case in cases[:2]] == ["fresh/1/0001", "fresh/1/0002"]
    assert case_of("fresh/1/0123") == cases[122]
    assert f"corpus: {json.dumps(cases[122]['corpus'])}" in printed(capsys, "oracle", "show", "fresh/1/0123").out


def test_some_cases_can_be_chosen(cases):
    def ids(**fresh_options):
        return [fresh_case["id"] for fresh_case in oracle.fresh(N_CASES, seed=1, **fresh_options)]

    assert ids(only="cvb0") == [fresh_case["id"] for fresh_case in cases if fresh_case["algorithm"] == "cvb0"]
    growing_ids = [fresh_case["id"] for fresh_case in cases if kind(fresh_case) == ("starts", "start", "growing")]
    assert ids(only="cvb0/update,starts/growing", operation="start") == growing_ids


test_arguments_and_ids_that_are_refused = refusals(lambda call: call(), [
    (lambda: oracle.fresh(0, seed=1), "n is 0, expected 1 or more"),
    (lambda: oracle.fresh(1, seed=-1), "seed is -1, expected 0 or more"),
    (lambda: oracle.fresh(9, seed=1, only="lda"), "only has 'lda'"),
    *((lambda id=id: case_of(f"fresh/{id}"), f"'fresh/{id}' is not the id of a fresh case, such as fresh/7/0012")
      for id in ("1", "1/0000", "1/12", "01/0012", "medium/1/0012", "-1/0012")),
    (lambda: oracle.check(package.answer, fresh=1, samplers=True),
     "fresh and samplers are given together, expected only one of them"),
    (lambda: oracle.check(package.answer, fresh=1, given=[case()]), "fresh and given are given together"),
])  # fmt: skip


def test_cases_fulfil_the_schema(cases):
    for fresh_case in cases:
        assert faults(kind_of_vector(fresh_case), fresh_case) == [], fresh_case["id"]


# The answers ---------------------------------------------------------------------------------------------------------


def test_the_answers_are_certified(cases):
    assert certify(cases) == "all are certified in balls"


def test_an_answer_that_balls_do_not_enclose_is_an_error(cases):
    right_case = next(fresh_case for fresh_case in cases if fresh_case["operation"] == "estimate" and fresh_case["K"] > 1)
    wrong_theta = [[probability + 1e-11 for probability in row] for row in right_case["expected"]["theta_jk"]]
    wrong_case = right_case | {"expected": right_case["expected"] | {"theta_jk": wrong_theta}}
    with pytest.raises(ValueError, match=f"{right_case['id']}: the answer is not the one that balls enclose: theta_jk"):
        certify([wrong_case])


@pytest.mark.parametrize(
    ("operation", "ball_bits", "reason_pattern"), [("estimate", 64, r"theta_jk\[0, \d\] is nan"), ("draw", 2, "may be below or above")]
)
def test_wide_balls_certify_nothing(operation, ball_bits, reason_pattern, cases, monkeypatch):
    operation_cases = [fresh_case for fresh_case in cases if fresh_case["operation"] == operation and fresh_case["K"] > 1]
    monkeypatch.setattr(making, "BALL_BITS", (ball_bits,))
    with pytest.raises(ValueError, match=f"the answer is not the one that balls enclose: .*{reason_pattern}"):
        certify(operation_cases)
    monkeypatch.setattr(making, "BALL_BITS", (ball_bits, 200))
    assert certify(operation_cases) == "all are certified in balls"


def test_inputs_are_drawn_again_near_a_boundary_or_where_errors_grow():
    draw_case = next(draw_case for draw_case in oracle.fresh(N_CASES, seed=1, operation="draw") if draw_case["K"] > 1)
    (sweep_case,) = oracle.cases("cvb/sweep/002")
    boundary_change, growth_change = {"uniform": watched_draws(draw_case)[0].boundaries()[0] + 1e-10}, {"prior": {"alpha": 1e-5, "eta": 1e-5}}
    for source_case, change in ((draw_case, boundary_change), (sweep_case, growth_change)):
        case_inputs = {field: field_content for field, field_content in source_case.items() if field not in ("expected", "tolerance", "mistakes")}
        assert making._completed(case_inputs) is not None
        assert making._completed(case_inputs | change) is None


def test_without_flint_no_case_is_certified(cases, monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    assert certify(cases[:9]) == "none is certified, because python-flint is not installed"


# Checks --------------------------------------------------------------------------------------------------------------


def test_a_level_says_what_the_fresh_cases_asked(cases):
    model_cases = [fresh_case for fresh_case in cases[:ROUND] if fresh_case["algorithm"] == "lda"]
    passed_report = oracle.check(package.answer, given=model_cases)
    agreement_text = "it agrees with the reference in the 5 fresh cases asked"
    operation_names = "log_joint, full_log_joint, document_evidence, coherence_umass, coherence_npmi"
    assert lines(passed_report.levels) == [f"  lda        4 of 4: {agreement_text}: {operation_names}"]
    cvb0_cases = [fresh_case for fresh_case in cases[:ROUND] if kind(fresh_case) in (("cvb0", "update", ""), ("cvb0", "bound", ""))]
    failed_report = oracle.check(
        lambda fresh_case: package.answer(fresh_case) | ({"bound": 1.0} if fresh_case["operation"] == "bound" else {}), given=cvb0_cases, compose=False
    )
    (level_line,) = lines(failed_report.levels)
    assert "the fresh case asked up to this level: update (cases of the next level: 1 failed)" in level_line


def test_the_command_makes_fresh_cases(port, capsys):
    port_code = "import sys, json\nfor line in sys.stdin:\n    print(json.dumps({'id': json.loads(line)['id'], 'skip': 'no'}), flush=True)"
    assert run("check", "--fresh", "5", "--seed", "9", "--", *port(port_code)) == 1  # nothing passed
    printed_text = capsys.readouterr().out
    assert "0/0/5" in printed_text
    assert "\n5 fresh cases of seed 9: all are certified in balls\n" in printed_text
    assert run("check", "--fresh", "0", "--", *port(port_code)) == 2
    assert run("show", "fresh/x") == 2


# Faults that small cases do not show ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rounds(cases):
    """A round of cases of each seed."""
    return [cases[:ROUND], *(oracle.fresh(ROUND, seed=seed) for seed in ((12, 13) if ALL else ()))]


def step_port(question):
    """The plain text as a port that has the steps of algorithms. In VB it does not subtract the largest logarithm."""
    if question["operation"] not in FIRST_OPERATIONS:
        return {"id": question["id"], "skip": "no step"}
    return {"id": question["id"], **answer(question)}


def failed_algorithms(port, asked_cases):
    """The algorithms of which a case fails."""
    return {case_result.algorithm for case_result in oracle.check(port, given=asked_cases, compose=False).of("failed")}


FAULTS = {  # of the divided sweeps, and of the cases that must be refused and the legal ones beside them
    "block and nested as corpus": lambda c: package.answer(c | {"schedule": "corpus"}),
    "never refuses": lambda c: {"id": c["id"], "gamma": [[0.5, 0.5]]},
    "always refuses": lambda c: {"id": c["id"], "error": "no"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_in_each_of_its_algorithms_by_each_seed(fault, rounds):
    for fresh_cases in rounds:
        asked_cases = [fresh_case for fresh_case in fresh_cases if fresh_case["operation"] == "reject" or fresh_case.get("blocks") or fresh_case.get("inner")]
        fault_cases = [fresh_case for fresh_case in asked_cases if (fresh_case["operation"] == "reject") == ("refuses" in fault)]
        assert failed_algorithms(FAULTS[fault], fault_cases) >= {*updates.UNCOLLAPSED, *updates.COLLAPSED}


def test_the_package_and_its_plain_text_pass_every_seed(rounds):
    for fresh_cases in rounds:
        assert oracle.check(package.answer, given=fresh_cases).ok
        assert failed_algorithms(step_port, fresh_cases) == {"vb"}
