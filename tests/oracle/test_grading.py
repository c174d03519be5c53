"""Grading exercises: right answers, wrong ones that are explained, and functions that give no numbers."""

import inspect
import json
import math
import re

import numpy as np
import pytest

from lda_reference.app import exercises
from lda_reference.oracle import grade

from ..app.helpers import printed, refusal
from .exercise_answers import RIGHT, WRONG, probabilities, update
from .helpers import ALL

NOTEBOOKS = sorted(exercises.NOTEBOOKS.glob("*.ipynb"))
EXPLAINED = [(idea, words) for idea, wrong in WRONG.items() for words in wrong]


@pytest.mark.parametrize("idea", RIGHT)
def test_a_right_answer_is_right(idea):
    assert re.match(r"Right: \w+ gives the expected result for all \d+ inputs \(.*; chapter \d\d_\w+\)\.$", grade(RIGHT[idea], idea))


@pytest.mark.parametrize(("idea", "words"), EXPLAINED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_answer_is_explained_by_its_own_sentence(idea, words):
    text = grade(WRONG[idea][words], idea)
    (why,) = [line for line in text.splitlines() if "are those that one gets when" in line]
    assert text.startswith("Wrong for ")
    assert words in why
    assert [x for x in WRONG[idea] if x in why] == [words]


def test_the_first_difference_is_shown_with_its_input():
    wrong = WRONG["cvb0"]["nothing is excluded"]
    lines = grade(wrong, "cvb0").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("The first difference: <lambda>(...)[0] is "))
    names = [line.split(" = ")[0].strip() for line in lines[at + 2 :]]
    assert names == ["gamma", "N_jk", "N_wk", "N_k", "alpha", "eta_w", "eta_sum"]
    arguments = [json.loads(line.split(" = ")[1]) for line in lines[at + 2 :]]
    got, expected = map(float, re.search(r"is ([\d.e-]+), expected ([\d.e-]+)", lines[at]).groups())
    assert update(*arguments)[0] == pytest.approx(expected, abs=1e-5)
    assert wrong(*arguments)[0] == pytest.approx(got, abs=1e-5)


def test_without_an_explanation_it_says_what_the_error_depends_on():
    def skewed(n_jk, n_wk, n_k, alpha, *eta):
        """Right where alpha is the same for all topics."""
        return probabilities(n_jk, n_wk, n_k, np.array(alpha) ** 1.7 / np.mean(alpha) ** 0.7, *eta)

    text = grade(skewed, "gibbs")
    assert "when" not in text
    assert "It is right for all 5 inputs in which all entries of alpha are equal, and wrong for 4 of the other 4." in text


def test_a_change_for_which_negative_counts_become_0_is_no_explanation():
    text = grade(lambda a, *x: probabilities(np.maximum(np.array(a) - 1, 0), *x), "gibbs")
    assert "are those that one gets when" not in text


def test_errors_and_results_without_numbers():
    def unwritten(*arguments):
        raise NotImplementedError

    assert grade(unwritten, "vb") == "Not written yet: unwritten raises NotImplementedError."
    text = grade(lambda *x: 1 / 0, "vb")
    assert text.startswith("Wrong for 11 of 11 inputs (TNW06 (4), ")
    assert "No comparison for 11 of them: <lambda> raised ZeroDivisionError: division by zero\n    N_jk = [" in text
    assert "the result has length 2, expected 3" in grade(lambda *x: probabilities(*x)[:2], "gibbs")
    assert "the result is None, expected a list of 2" in grade(lambda *x: None, "gibbs")
    assert "returned nan, which is not finite" in grade(lambda *x: math.nan, "perplexity")
    with pytest.raises(ValueError, match="idea is 'lda', expected one of collapsed_joint, gibbs, "):
        grade(probabilities, "lda")


def test_numbers_of_some_inputs_are_explained_where_others_raise_an_error():
    text = grade(lambda g, *x: update(np.zeros(len(g)), *x) if len(g) > 2 else 1 / 0, "cvb0")
    assert re.search(r"^No comparison for \d of them: <lambda> raised ZeroDivisionError", text, re.MULTILINE)
    assert "Its other results are those that one gets when nothing is excluded from the sums" in text


def test_a_function_that_changes_its_arguments_is_not_right():
    def changing(gamma, *arguments):
        result = update(gamma, *arguments)
        arguments[0].reverse()
        return result

    assert "changing changes N_jk, which belongs to its caller" in grade(changing, "cvb0")


def graded(path, answer):
    """What a notebook prints last, with an answer in the place of its stub."""
    text, out = path.read_text("utf-8"), []
    scope = {"print": lambda *x: out.append(" ".join(map(str, x)))}
    for cell in (x for x in json.loads(text)["cells"] if x["cell_type"] == "code"):
        source = "".join(cell["source"])
        exec(source, scope)
        if "raise NotImplementedError" in source:
            name = re.search(r"^def (\w+)", source, re.MULTILINE)[1]
            bind = inspect.signature(scope[name]).bind
            scope[name] = lambda *x, bind=bind, **named: answer(*bind(*x, **named).args)
    return out[-1]


@pytest.mark.parametrize("path", NOTEBOOKS if ALL else NOTEBOOKS[1:6:4], ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_notebook_grades_what_stands_in_the_place_of_its_stub(path):
    idea = re.search(r"print\(grade\(\w+, \\\"(\w+)\\\"\)\)", path.read_text("utf-8"))[1]
    assert path.stem[3:] == idea
    assert graded(path, RIGHT[idea]).startswith("Right: ")
    for words, wrong in [*WRONG[idea].items()][:3]:
        assert words in graded(path, wrong)


def test_the_command_copies_the_notebooks_once(tmp_path, capsys):
    folder = tmp_path / "new" / "exercises"
    out = printed(capsys, "exercises", folder).out
    assert out == f"{folder}: 8 notebooks; begin with {folder / '01_collapsed_joint.ipynb'}\n"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {x.name: x.read_bytes() for x in NOTEBOOKS}
    (folder / "01_collapsed_joint.ipynb").unlink()
    assert "02_gibbs.ipynb: exists already, expected a folder without" in refusal(capsys, "exercises", folder)
    assert not (folder / "01_collapsed_joint.ipynb").exists()
