"""The vectors: the package meets them, what is in their files, and the answers of the known mistakes."""

import itertools
import re
import tomllib

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import oracle
from lda_reference.oracle.changes.mistaken import mistaken_answer, names_of_mistakes
from lda_reference.oracle.changes.named import MODULES, catalogue, sweeps
from lda_reference.oracle.changes.named.scopes import Scope
from lda_reference.plain.updates import SAMPLERS

from . import package
from .helpers import ALL, CERTIFIED, FILES, ROOT, cases, distance, mistaken, one_of_each, read_file

MISTAKES = read_file("mistakes")

@pytest.mark.parametrize("file_name", FILES)
def test_the_package_meets_every_case(file_name):
    for case in read_file(file_name)["cases"]:
        answer = package.answer(case)
        if "error" in case["expected"]:
            assert answer.keys() == {"id", "error"}, case["id"]
            continue
        assert answer.keys() == {"id", *case["expected"]}, (case["id"], answer)
        distance_in_tolerances = distance(case, answer, case["expected"])
        assert distance_in_tolerances < 0.2, (case["id"], distance_in_tolerances)  # the tolerances leave room to others that add in another order


@pytest.mark.parametrize("file_name", [*CERTIFIED, "starts"])
def test_inputs_are_refused_each_for_a_reason_of_its_own(file_name):
    refused_cases = [case for case in read_file(file_name)["cases"] if "error" in case["expected"]]
    starts_and_reasons = {(case.get("start"), package.answer(case)["error"]) for case in refused_cases}
    assert len(starts_and_reasons) == len({case["note"] for case in refused_cases}) == len(refused_cases) >= 12


@pytest.mark.parametrize("case", read_file("samplers")["cases"], ids=lambda case: case["id"])
def test_co_assignments_are_those_of_enumeration(case):
    c, p = package.problem(case)
    posterior = lda.exact.posterior(c, case["K"], p)
    np.testing.assert_allclose(case["together"], posterior.together, rtol=0, atol=1e-12)
    for mistake, together in case["mistakes"].items():
        assert mistake in MISTAKES
        largest_difference = np.abs(np.subtract(together, posterior.together)).max()
        if "topics" in case:
            largest_difference = max(largest_difference, np.abs(np.subtract(case["mistaken_topics"][mistake], posterior.gamma)).max())
        assert largest_difference > 1e-6
    assert ("topics" in case) == isinstance(case["prior"]["alpha"], list) == ("mistaken_topics" in case)
    if "topics" in case:
        np.testing.assert_allclose(case["topics"], posterior.gamma, rtol=0, atol=1e-12)
        assert case["mistaken_topics"].keys() == case["mistakes"].keys() >= {"alpha-reversed"}
    sampler_answer = package.answer(case | {"draws": 50, "seed": 1})
    assert np.shape(sampler_answer["z"]) == (50, c.N)
    assert set(np.ravel(sampler_answer["z"])) <= set(range(case["K"]))


@pytest.mark.parametrize("file_name", FILES)
def test_mistakes_can_be_told_from_the_answer_and_from_one_another(file_name):
    for case in one_of_each(read_file(file_name)["cases"]):
        answers = [case["expected"], *mistaken(case["id"]).values()]
        assert all(distance(case, one_answer, another_answer) > 99 for one_answer, another_answer in itertools.combinations(answers, 2)), case["id"]


def names_in(cases, n_wanted=None):
    """The names of the mistakes, or of `n_wanted`, that some cases tell from the right answer and from one another.

    A case is not asked if smaller ones have told all of its mistakes apart.
    """
    mistake_names = set()
    for case in sorted(cases, key=lambda case: len(case.get("corpus", {}).get("n", ()))):
        if (n_wanted is None or len(mistake_names) < n_wanted) and not mistake_names.issuperset(names_of_mistakes(case)):
            mistake_names |= mistaken(case["id"]).keys()
    return mistake_names


def test_every_mistake_has_a_sentence_and_is_found_by_some_case():
    sampler_mistakes = {mistake for case in read_file("samplers")["cases"] for mistake in case["mistakes"]}
    assert {*catalogue(), "one-theta"} == oracle.mistakes().keys() == MISTAKES.keys()
    assert names_in(cases()) | sampler_mistakes == MISTAKES.keys()
    assert sum(len(scope.mistakes) for module in MODULES for scope in vars(module).values() if isinstance(scope, Scope)) == len(catalogue())
    for algorithm_and_operation in {f"{case['algorithm']}/{case['operation']}" for file_name in ("operations", "online") for case in read_file(file_name)["cases"]}:
        assert len(names_in(cases(algorithm_and_operation), 4)) >= 4
    for algorithm in {*CERTIFIED} - {*SAMPLERS}:
        untold_names = {"blocks-of-tokens"} if algorithm == "cvb1s" else set()  # each of its rows has one token
        block_cases = [case for case in cases(f"{algorithm}/sweep") if case["schedule"] == "block"]
        assert sweeps.block.mistakes.keys() - names_in(block_cases) == untold_names


def test_a_known_mistake_is_named_in_every_case_of_a_kind_that_tells_it_from_others():
    """Of the first kind of small cases that has a mistake; without LDA_TEST_ALL, of few kinds."""
    cases_of_kind, tried_names = {}, set()
    for case in cases():
        if len(case["corpus"]["n"]) <= 12 and "error" not in case["expected"]:
            cases_of_kind.setdefault(case["id"].rpartition("/")[0], []).append(case)
    for kind_cases in [*cases_of_kind.values()][:: 1 if ALL else 24]:
        for mistake in names_in(kind_cases) - tried_names:
            answer_by_id = {case["id"]: mistaken_answer(case, mistake) or case["expected"] for case in kind_cases}
            report = oracle.check(
                lambda case, answer_by_id=answer_by_id: {"id": case["id"], **answer_by_id[case["id"]]}, given=kind_cases, compose=False
            )
            told_ids = {case["id"] for case in kind_cases if mistake in mistaken(case["id"])}
            assert {case_result.id for case_result in report.of("failed") if case_result.mistake == mistake} >= told_ids, mistake
            assert {case_result.mistake for case_result in report.of("failed")} <= {mistake, None}
        tried_names |= names_in(kind_cases)


def test_places_are_in_the_sentences_and_their_repositories_in_the_table_of_public_programs():
    place_by_mistake = {mistake: mistake_text.partition("; as in ")[2] for mistake, mistake_text in MISTAKES.items() if "; as in " in mistake_text}
    assert len(place_by_mistake) == 23
    assert all(re.fullmatch(r"[\w-]+/[\w-]+ [\w.-]+, [\w/.-]+:\d+", place) for place in place_by_mistake.values()), place_by_mistake
    wild_text = (ROOT / "figures" / "WILD.md").read_text("utf-8")
    unasked_repositories = {"slycoder/R-lda"}  # read alone
    assert {place.split()[0] for place in place_by_mistake.values()} - unasked_repositories <= set(re.findall(r"[\w-]+/[\w-]+", wild_text))
    mistaken_answers = mistaken("vb/bound/001")
    report = oracle.check(lambda case: {"id": case["id"], **mistaken_answers["entropy-subtracted"]}, given=cases("vb/bound/001"))
    sentence = "the entropy of q(z) is subtracted: TNW06 (2)(12) add it; as in budgefeeney/sidetopics fd25e0c, "
    assert f"one gets when {sentence}sidetopics/model/lda_cvb.py:465 [entropy-subtracted]" in str(report)


# The files -----------------------------------------------------------------------------------------------------------


def test_tags_are_equations():
    equation_tables = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))
    assert {tag for case in cases() for tag in case["tags"]} <= equation_tables.keys()
    joined_sentences = " ".join(MISTAKES.values())
    papers_and_equations = re.findall(r"(TNW06|AWST09|SOL14|SN12) ((?:\(\d+\))+(?:-\(\d+\))?(?:\(\d+\))*)", joined_sentences)
    last_number_by_paper = {"TNW06": 20, "AWST09": 16, "SOL14": 29, "SN12": 55}
    assert papers_and_equations
    assert all(1 <= int(number_text) <= last_number_by_paper[paper] for paper, equation_numbers in papers_and_equations for number_text in re.findall(r"\d+", equation_numbers))


def test_every_schedule_of_an_algorithm_is_swept():
    for algorithm in CERTIFIED:
        assert {case["schedule"] for case in cases(f"{algorithm}/sweep")} == set(lda.ALGORITHMS[algorithm].schedules)
