"""The vectors: the same bytes are made again, and what is printed is proved."""

import json

import pytest

from lda_reference import oracle
from lda_reference.oracle.fresh.inputs import flags
from lda_reference.plain import Uncertain, updates

from ..certify import fixed_points, plan, proofs, released, sampler_cases, texts, writing
from ..certify.rounding import rounded
from .helpers import CERTIFIED, GUIDE, LONG, ORACLE, VECTORS, cases
from .power import SMALLEST

QUICK = ("update", "draw", "estimate", "bound", "predict", "hyperparameters")


@pytest.mark.parametrize(
    "file_names", [("gibbs", "starts"), pytest.param(tuple(writing.NAMES), marks=LONG)], ids=["some", "all"]
)
def test_the_files_are_made_again(file_names, tmp_path):
    writing.main([str(tmp_path), *file_names])
    bytes_by_name = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert json.loads(bytes_by_name.pop("manifest.json"))["files"].keys() == bytes_by_name.keys() == {f"{file_name}.json" for file_name in file_names}
    assert [file_name for file_name in bytes_by_name if bytes_by_name[file_name] != (VECTORS / file_name).read_bytes()] == []


def test_the_smallest_sampler_case_is_made_again():
    assert sampler_cases.sampler_case({field: SMALLEST[field] for field in sampler_cases.FIELDS}) == SMALLEST


@pytest.mark.parametrize("algorithm", CERTIFIED)
def test_quick_cases_are_made_again(algorithm):
    quick_cases = [case for case in cases(algorithm) if case["operation"] in QUICK]
    quick_cases = [case for case in quick_cases if len(case["corpus"]["n"]) <= 20]
    for case in quick_cases[::3]:
        assert proofs.completed(plan.asked(case)) == case, case["id"]
    assert len(quick_cases) > 10


def test_a_new_algorithm_is_asked_the_questions_of_another_in_its_own_name(monkeypatch):
    monkeypatch.setattr(plan, "LIKE", {"map_excluded": "map"})
    new_questions, old_questions = plan.questions("map_excluded"), plan.questions("map")
    assert {case["id"].partition("/")[0] for case in new_questions} == {case["algorithm"] for case in new_questions} == {"map_excluded"}
    blank_names = {"id": "", "algorithm": ""}
    assert [case | blank_names for case in new_questions] == [case | blank_names for case in old_questions]


def test_the_texts_beside_the_vectors_are_made_again():
    old_text_by_name, n_cases = {path.name: path.read_text("utf-8") for path in texts.TEXTS}, len(oracle.cases())
    assert [path.name for path, text_of in texts.TEXTS.items() if text_of(old_text_by_name[path.name], n_cases) != old_text_by_name[path.name]] == []


def test_the_flags_of_each_case_follow_from_its_inputs():
    for case in (case for case in cases() if "error" not in case["expected"]):
        assert flags(case) == [flag for flag in case["flags"] if flag != "tie"], case["id"]


# Proofs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["map", "vb", "cvb", "cvb0"])
def test_a_fixed_point_is_proved(algorithm):
    """The box around it is mapped into itself, so that another gamma nearby is none."""
    (case,) = cases(f"{algorithm}/converged/002")
    proved_answer = fixed_points.proved_fixed_point(plan.asked(case))
    assert rounded(proved_answer) == case["expected"]
    assert all(float(ball.rad()) < 1e-30 for row in proved_answer["gamma"] for ball in row)


def test_what_is_no_fixed_point_is_not_proved(monkeypatch):
    """Sweeps that end too early, and a box that is too small for the distance to the fixed point."""
    (case,) = cases("cvb0/converged/002")
    monkeypatch.setattr(fixed_points.Midpoints, "settled", 1e-3)
    with pytest.raises(ValueError, match="cvb0/converged/002: it is not proved that there is a fixed point"):
        fixed_points.proved_fixed_point(plan.asked(case))


def test_a_draw_on_a_boundary_is_no_case_unless_it_says_so():
    case = next(case for case in cases(operation="draw") if "tie" in case["flags"])
    with pytest.raises((ValueError, Uncertain)):
        proofs.proved(case | {"flags": []})
    assert proofs.proved(case)[1] == case["expected"]


def test_what_is_printed_and_not_the_nearest_float_is_documented():
    """Each exception has a sentence in the guide; it is within a unit in the last place or 1e-30 of what is proved."""
    for id in released.KEPT:
        assert f"`{id}`" in GUIDE, id
        (case,) = cases(id)
        assert proofs.proved(plan.asked(case))[1] == case["expected"], id


# The plain text ------------------------------------------------------------------------------------------------------


def test_the_guide_has_every_algorithm_and_the_numbers_of_cases():
    assert texts.guide(GUIDE, texts.total_cases()) == GUIDE, "run python -m tests.certify.texts"


def test_the_vectors_have_every_algorithm():
    assert list(updates.ALGORITHMS) == CERTIFIED
    assert {*updates.UNCOLLAPSED, *updates.SAMPLERS, *updates.COLLAPSED} == updates.ALGORITHMS.keys()


def test_the_plain_text_knows_nothing_of_mistakes():
    for path in (ORACLE.parent / "plain").glob("*.py"):
        assert "mistake" not in path.read_text("utf-8").lower(), path
