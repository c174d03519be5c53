"""The cases of 100,000 rows: they are asked on request, and who keeps sums answers them in seconds."""

import time
from functools import partial

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle.asking.runner import judge
from lda_reference.oracle.cases.loading import LARGE, many_rows
from lda_reference.oracle.cases.noise import Watched
from lda_reference.plain import Running, algorithm, answer, is_large
from lda_reference.plain.updates import ADLDA

from ..certify.many_rows import Copies, Kept
from . import package
from .helpers import cases, read_file
from .test_ports import arrays

IDS = [case["id"] for case in read_file(LARGE)["cases"]]


@pytest.fixture(scope="module")
def large():
    return oracle.cases(IDS)


def test_a_case_is_a_few_integers_in_its_file(large):
    assert all(sum(case["many_rows"].values()) < 2**17 and "corpus" not in case for case in read_file(LARGE)["cases"])
    assert [case["algorithm"] for case in large] == ["cvb0", "vb", "cgs"]
    assert all(len(case["corpus"]["n"]) >= 100_000 and case["K"] >= 50 and "many_rows" not in case for case in large)


def test_the_rule_gives_these_rows():
    expected_corpus = {"j": [0, 0, 0, 1, 1, 1], "w": [0, 1, 2, 1, 3, 0], "n": [1, 2, 2, 1, 2, 2], "D": 2, "W": 5}
    assert many_rows(M=6, D=2, W=5, K=3) == {"corpus": expected_corpus, "state": {"z": [token_index * token_index % 101 % 3 for token_index in range(10)]}}


def test_the_rule_gives_these_tokens_in_parts():
    problem = many_rows(M=102, D=3, W=5, K=3, parts=2)
    assert problem["corpus"]["n"] == [1] * 102
    assert problem["state"] == {"z": [token_index * token_index % 101 % 3 for token_index in range(102)]}
    assert problem["uniforms"][2:4] + problem["uniforms"][100:] == [numerator / 999_983 for numerator in (8, 27, 17, 30_318)]
    assert problem["parts"] == [0, 1, 0]


def summary(precision, case):
    """The answer to a case by a sweep of the port in arrays."""
    n, z = np.array(case["corpus"]["n"]), case["state"]["z"]
    topic_counts = np.zeros((len(n), case["K"]))
    np.add.at(topic_counts, (np.arange(len(n)).repeat(n), z), 1)
    sweep_case = case | {"operation": "sweep", "state": {"gamma": topic_counts / n[:, None]}}
    new_gamma = np.array(arrays().Port("numpy", precision)(sweep_case)["gamma"]).ravel()
    return {"id": case["id"], **{field: new_gamma @ wave(np.arange(new_gamma.size)) for field, wave in (("cosine", np.cos), ("sine", np.sin))}}


@pytest.mark.parametrize("precision", ["double", "single"])
def test_the_port_in_arrays_passes(large, precision):
    assert [judge(partial(summary, precision), case, precision).reason for case in large[:2]] == [""] * 2


def test_the_package_passes_in_parts_and_fails_with_other_parts(large):
    parts_case = large[2]
    assert judge(package.answer, parts_case).passed
    assert judge(package.answer, parts_case, "single").status == "undecidable"
    for part_of_document in ([0] * 2000, [part % 4 for part in parts_case["parts"]]):
        assert judge(lambda case, part_of_document=part_of_document: package.answer(case | {"parts": part_of_document}), parts_case).status == "failed"


def test_they_are_asked_on_request():
    for are_large_asked in (False, True):
        many_rows.cache_clear()
        start_time = time.process_time()
        report = oracle.check(lambda case: {"id": case["id"], "skip": "large"}, only="cvb0,vb,cgs", large=are_large_asked)
        assert len({*IDS} & {case_result.id for case_result in report.results}) == 3 * are_large_asked
        assert bool(many_rows.cache_info().currsize) == are_large_asked  # otherwise no rows are made
        assert time.process_time() - start_time < 1
    assert len(oracle.check(lambda case: {"id": case["id"], "skip": "large"}, only=IDS).results) == 3


def test_terms_that_are_kept_are_those_that_are_computed_again():
    sweep_cases = [case for case in cases("vb/sweep") if case["schedule"] == "corpus" and len(case["corpus"]["n"]) < 50]
    assert len(sweep_cases) > 5
    for case in sweep_cases:
        assert answer(case, float, Kept) == answer(case, float, Running)


def test_copies_of_the_counts_give_the_draws_of_the_plain_text():
    n_changed = 0
    for case in cases("cgs/sweep"):
        if not is_large(case):
            case_in_parts = case | {"parts": [j % 2 for j in range(case["corpus"]["D"])]}
            copied_algorithm, plain_algorithm = (algorithm(case_in_parts, float, *layers) for layers in ((Copies,), (Watched, ADLDA)))
            assert copied_algorithm.answer() == plain_algorithm.answer()
            assert copied_algorithm.closest == min((abs(boundary - draw.u) for draw in plain_algorithm.draws for boundary in draw.boundaries()), default=1.0)
            n_changed += copied_algorithm.answer() != case["expected"]
    assert n_changed > 5
