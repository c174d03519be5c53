"""The sampler test."""

import re

import numpy as np
import pytest
from scipy.special import stdtr

from lda_reference import oracle
from lda_reference.oracle.judging import samplers

from . import package, power
from .power import RIGHT_CHAIN, SMALLEST, WRONG_CHAIN, drawing_port


@pytest.mark.parametrize(("z_and_matrix", "mistake"), [(RIGHT_CHAIN, None), (WRONG_CHAIN, "nothing-excluded")])
def test_a_transition_matrix_keeps_the_law_of_the_vectors(z_and_matrix, mistake):
    statistic_law, (z, T) = samplers.law(SMALLEST, mistake), z_and_matrix
    np.testing.assert_allclose(power.stationary(T) @ power.indicators(z, statistic_law), [*statistic_law.values()], atol=1e-12)


def test_the_sampler_of_the_package_passes():
    def answer(question):
        assert set(question) == {"id", "operation", "algorithm", "corpus", "K", "prior", "draws", "seed"}
        return package.answer(question)

    report = oracle.check(answer, given=[SMALLEST], draws=4000, seed=3)
    assert report.ok, str(report)


def test_a_sampler_that_excludes_nothing_is_found_and_named():
    assert oracle.check(drawing_port(*RIGHT_CHAIN), given=[SMALLEST]).ok
    (case_result,) = oracle.check(drawing_port(*WRONG_CHAIN), given=[SMALLEST]).results
    assert (case_result.status, case_result.mistake) == ("failed", "nothing-excluded")
    assert "share a topic in" in case_result.reason
    assert "your draws are such as you get when" in str(case_result)


def test_samplers_that_stand_still_or_know_nothing_are_found():
    still_z, random_z = [[0, 1, 0, 1, 0, 1]] * samplers.DRAWS, np.random.default_rng(0).integers(2, size=(samplers.DRAWS, 6))
    for z in (still_z, random_z):
        (case_result,) = oracle.check(lambda question, z=z: {"id": question["id"], "z": z}, given=[SMALLEST]).results
        assert (case_result.status, case_result.mistake) == ("failed", None)


def test_a_mistake_of_a_sampler_must_explain_all_corpora():
    together_by_mistake = {"no-topic-term": SMALLEST["mistakes"]["no-topic-term"]}
    second_case = SMALLEST | {"id": "sampler/cgs/2", "mistakes": together_by_mistake}

    def outcomes(port):
        return [(case_result.status, case_result.mistake) for case_result in oracle.check(port, given=[SMALLEST, second_case]).results]

    right_port, wrong_port = drawing_port(*RIGHT_CHAIN), drawing_port(*WRONG_CHAIN)
    mixed_outcomes = outcomes(lambda question: (right_port if question["id"] == second_case["id"] else wrong_port)(question))
    assert mixed_outcomes == [("failed", "nothing-excluded"), ("passed", None)]
    assert outcomes(wrong_port) == [("failed", None)] * 2  # on the second corpus it is said to change nothing


@pytest.mark.parametrize(
    ("z", "reason_pattern"),
    [
        ([[0] * 6] * 1999, "z has length 1999, expected 2000"),
        ([[0] * 6] * 2000, "all draws are equal: tokens "),
        ([[0] * 6] * 1999 + [[0, 0, 2, 0, 0, 0]], r"z\[1999, 2\] is 2, expected a topic from 0 below 2"),
        ([[0] * 6] * 1999 + [0], r"z\[1999\] is 0, expected a list of 6"),
    ],
)
def test_draws_of_the_wrong_form(z, reason_pattern):
    (case_result,) = oracle.check(lambda question: {"id": question["id"], "z": z}, given=[SMALLEST], draws=2000).results
    assert case_result.status == "failed"
    assert re.search(reason_pattern, case_result.reason)


@pytest.mark.parametrize("case", [case for case in oracle.sampler_cases() if "topics" in case], ids=lambda case: case["id"])
def test_a_reversed_alpha_is_found(case):
    """How often tokens share a topic does not change if all topics are renumbered."""
    z, p_of_z = power.posterior_of_assignments(case)
    drawn_z = z[np.random.default_rng(0).choice(len(z), samplers.DRAWS, p=p_of_z)]
    right_z, wrong_z = drawn_z.tolist(), (case["K"] - 1 - drawn_z).tolist()
    pair_law = {statistic: probability for statistic, probability in samplers.law(case).items() if statistic[0] == "z"}
    assert samplers.verdict(right_z, samplers.law(case)).p > 1e-3
    assert samplers.verdict(wrong_z, pair_law).p > 1e-3
    wrong_verdict = samplers.verdict(wrong_z, samplers.law(case))
    assert wrong_verdict.p < 1e-12
    assert wrong_verdict.field == "topics"
    assert samplers.describe(wrong_verdict, samplers.DRAWS).startswith(f"token {wrong_verdict.index[0]} has topic {wrong_verdict.index[1]} in 0.")
    (case_result,) = oracle.check(lambda question: {"id": question["id"], "z": wrong_z}, given=[case]).results
    assert (case_result.status, case_result.field) == ("failed", "topics")
    assert not {"topics", "mistaken_topics"} & samplers.question(case).keys()


def test_certain_pairs_must_be_certain():
    certain_law = {("z", (0, 1)): 1.0}
    z = [[0, 0] for _ in range(800)]
    assert samplers.verdict(z, certain_law).p == 1
    z[17][0] = 1
    verdict = samplers.verdict(z, certain_law)
    assert (verdict.p, verdict.field, verdict.index) == (0, "z", (0, 1))


def test_the_tails_are_those_of_students_distribution():
    for t_statistic in [0.0, 1e-9, *np.geomspace(1e-3, 1e4, 200)]:
        assert samplers.p_of_t(float(t_statistic)) == pytest.approx(2 * stdtr(samplers.BATCHES - 1, -t_statistic), rel=1e-11)
