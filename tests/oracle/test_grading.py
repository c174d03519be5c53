"""Grading exercises: right answers, wrong ones that are explained, and functions that give no numbers."""

import inspect
import itertools
import json
import math
import re

import numpy as np
import pytest

from lda_reference.app.exercises import NOTEBOOKS
from lda_reference.oracle import grade
from lda_reference.oracle.grading import compiled, exercises

from ..app.helpers import printed, refusal
from .exercise_answers import OUT_OF_RANGE, RIGHT, WRONG, expected_log, new_alpha, perplexity, probabilities, update
from .helpers import ALL

IPYNB_PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
CONVERT_ADVICE = "The arguments are lists, which must first be converted by numpy.asarray(..., dtype=float)."
EXPLAINED_ERRORS = [(idea, words) for idea, wrong in WRONG.items() for words in wrong]


@pytest.mark.parametrize("idea", RIGHT)
def test_a_right_answer_is_right(idea):
    assert re.match(r"Right: \w+ gives the expected result for all \d+ inputs \(.*; chapter \d\d_\w+\)\.$", grade(RIGHT[idea], idea))


@pytest.mark.parametrize(("idea", "expected_words"), EXPLAINED_ERRORS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_answer_is_explained_by_its_own_sentence(idea, expected_words):
    verdict_text = grade(WRONG[idea][expected_words], idea)
    (explanation_line,) = [line for line in verdict_text.splitlines() if "are those that one gets when" in line]
    assert verdict_text.startswith("Wrong for ")
    assert expected_words in explanation_line
    assert [phrase for phrase in WRONG[idea] if phrase in explanation_line] == [expected_words]


@pytest.mark.parametrize(("idea", "expected_words"), OUT_OF_RANGE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_right_formula_that_leaves_the_range_of_floating_point_is_not_right(idea, expected_words):
    verdict_lines = grade(OUT_OF_RANGE[idea, expected_words], idea).splitlines()
    assert re.match(r"Wrong for 1 of \d inputs", verdict_lines[0])
    assert verdict_lines[1].startswith("One input was not compared: with ")
    assert expected_words in verdict_lines[-1]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_two_errors_are_both_named():
    verdict_text = grade(lambda n_jk, alpha: new_alpha(n_jk, alpha, with_factor=False, sum_of_alpha=lambda alpha: len(alpha) * alpha[0]), "alpha")
    assert "when the old alpha_k does not multiply the quotient, and when K times alpha[0] stands for the sum of alpha." in verdict_text
    verdict_text = grade(lambda gamma, N_jk, N_wk, N_k, alpha, eta_w, eta_sum: update(gamma, N_jk, N_wk, N_k, alpha, eta_w, len(alpha) * eta_w, excluded=(1, 2, 1)), "cvb0")
    assert "when K times eta_w stands for eta_sum, the sum over all W words, and when gamma is subtracted twice from N_wk." in verdict_text


def test_two_errors_are_both_named_if_one_changes_what_the_other_has_put_in():
    def mean_by_document(theta_jk, phi_wk, *columns):
        columns_by_document = [[*zip(*(token_row for token_row in zip(*columns, strict=True) if token_row[0] == j), strict=True)] for j in {*columns[0]}]
        return math.exp(np.mean([math.log(perplexity(theta_jk, phi_wk, *map(list, document_columns), log=np.log2)) for document_columns in columns_by_document]))

    verdict_text = grade(mean_by_document, "perplexity")
    assert "with the same weight for each document, and when the logarithms are to base 2" in verdict_text


@pytest.mark.parametrize("idea", exercises())
def test_the_inputs_tell_every_error_from_the_right_answer_and_from_every_other_error(idea):
    exercise = exercises()[idea]
    function_by_error = {error_text: compiled(exercise.version((error_text,))) for error_text in exercise.errors}
    function_by_error["right"] = compiled(exercise.code)
    numbers_of_error = {error_text: [*numbers_of(error_function, exercise)] for error_text, error_function in function_by_error.items()}
    errors_of_few_numbers = [error_text for error_text, input_numbers in numbers_of_error.items() if sum(number is not None for number in input_numbers) < 3]
    error_pairs = itertools.combinations(numbers_of_error.items(), 2)
    assert errors_of_few_numbers + [(error_1, error_2) for (error_1, numbers_1), (error_2, numbers_2) in error_pairs if all(v is None or w is None or v == w for v, w in zip(numbers_1, numbers_2, strict=True))] == []


def numbers_of(error_function, exercise):
    """The results for the short inputs, to nine digits; None where they are not finite."""
    for short_input in exercise.inputs[: -1 if exercise.inputs[-1].is_long else None]:
        try:
            numbers = np.array(error_function(*short_input.arguments.values()))
            yield tuple(float(f"{number:.9g}") for number in numbers.flat) if np.isfinite(numbers).all() else None
        except (ArithmeticError, LookupError, ValueError):
            yield None


def test_the_first_difference_is_shown_with_its_input():
    wrong_function = WRONG["cvb0"]["nothing is excluded"]
    verdict_lines = grade(wrong_function, "cvb0").splitlines()
    difference_index = next(line_index for line_index, line in enumerate(verdict_lines) if line.startswith("The first difference, with two topics: "))
    argument_names = [line.split(" = ")[0].strip() for line in verdict_lines[difference_index + 1 :]]
    assert argument_names == ["gamma", "N_jk", "N_wk", "N_k", "alpha", "eta_w", "eta_sum"]
    arguments = [json.loads(line.split(" = ")[1]) for line in verdict_lines[difference_index + 1 :]]
    got, expected = map(float, re.search(r"\(\.\.\.\)\[0\] is ([\d.e-]+), expected ([\d.e-]+)\. The arg", verdict_lines[difference_index]).groups())
    assert update(*arguments)[0] == pytest.approx(expected, abs=1e-12)
    assert wrong_function(*arguments)[0] == pytest.approx(got, abs=1e-12)


@pytest.mark.parametrize(
    ("idea", "wrong_function", "expected_words"),
    [
        ("gibbs", lambda n_jk, n_wk, n_k, alpha, *eta: probabilities(n_jk, n_wk, n_k, np.array(alpha) ** 1.7, *eta),
         "If all numbers of alpha are replaced by 1, it is right for all inputs, so the mistake shows only where these numbers differ."),
        ("cvb0", lambda gamma, *args: update(np.full(len(gamma), max(gamma)), *args),
         "If all numbers of gamma are replaced by 0 or by 1, it is right for all inputs, so the mistake shows only"),
        ("gibbs", lambda *args: 3 * probabilities(*args), "Each of its numbers is 3 times the right one."),
        ("cvb0", lambda gamma, *args: update(gamma, *args) * sum(args[0]), "The numbers of each result are right but for one factor"),
        ("exact_cvb", lambda *args: expected_log(*args) + 2, "Each of its numbers is the right one plus 2."),
        ("perplexity", lambda *args: perplexity(*args) * (1 + 1e-6 * len(args[0])), "right to four digits or more"),
    ],
)  # fmt: skip
def test_without_an_explanation_it_says_how_the_numbers_differ_or_what_the_error_depends_on(idea, wrong_function, expected_words):
    verdict_text = grade(wrong_function, idea)
    assert "are those that one gets when" not in verdict_text
    assert expected_words in verdict_text


def test_errors_and_results_without_numbers():
    def unwritten(*arguments):
        raise NotImplementedError

    assert grade(unwritten, "vb") == "Not written yet: unwritten raises NotImplementedError."
    verdict_text = grade(lambda *args: 1 / 0, "vb")
    assert verdict_text.startswith("Wrong for 7 of 7 inputs (TNW06 (4)-(6); ")
    assert "\n7 inputs were not compared. The first: with three tokens, it raised ZeroDivisionError: division by zero.\n    N_jk = [" in verdict_text
    assert "floating point" not in verdict_text
    assert "the result has length 1, expected 2" in grade(lambda *args: probabilities(*args)[:1], "gibbs")
    assert "the result is None, expected a list of length 2." in grade(lambda *args: None, "gibbs")
    assert "it returned nan, which is not finite." in grade(lambda *args: math.nan, "perplexity")
    assert "it returned -inf, which is not finite." in grade(lambda *args: -math.inf, "perplexity")
    with pytest.raises(ValueError, match="idea is 'lda', expected one of collapsed_joint, gibbs, "):
        grade(probabilities, "lda")


def test_numbers_of_some_inputs_are_explained_where_others_raise_an_error():
    verdict_text = grade(lambda gamma, *args: update(np.zeros(len(gamma)), *args) if len(gamma) > 1 else 1 / 0, "cvb0")
    assert "One input was not compared: with one topic, it raised ZeroDivisionError" in verdict_text
    assert "Its other numbers are those that one gets when nothing is excluded" in verdict_text


def test_a_long_input_is_not_asked_of_a_function_that_takes_long_for_a_short_one():
    def of_all_outcomes(probabilities, alpha):
        outcomes = itertools.product(*([(0, 1 - probability), (1, probability)] for probability in probabilities))
        return sum(math.prod(probability for _, probability in outcome) * math.log(alpha + sum(n_events for n_events, _ in outcome)) for outcome in outcomes)

    verdict_text = grade(of_all_outcomes, "exact_cvb")
    assert verdict_text.startswith("Right for 7 of 8 inputs (TNW06 App. A; ")
    assert "It is too slow for 1200 events, which were not tried: 16 events took more than 0.005 seconds. Start from the list" in verdict_text


def test_a_function_that_changes_its_arguments_is_not_right():
    def changing(gamma, *arguments):
        new_gamma = update(gamma, *arguments)
        arguments[0].reverse()
        return new_gamma

    assert "it changes N_jk, which belongs to its caller." in grade(changing, "cvb0")


@pytest.mark.parametrize("idea", sorted(RIGHT.keys() - {"exact_cvb"}))
def test_a_function_that_changes_arrays_alone_is_not_right(idea):
    def changing(*arguments):
        right_numbers = RIGHT[idea](*arguments)
        changed_counts = np.asarray(arguments[1], dtype=float)
        changed_counts -= 1
        return right_numbers

    argument_name = [*exercises()[idea].inputs[0].arguments][1]
    verdict_text = grade(changing, idea)
    assert verdict_text.startswith("Wrong for ")
    assert f"it changes {argument_name} if it is an array: numpy.asarray does not copy it, and x -= y or x[k] = y changes it" in verdict_text


def truncating(n_jk, n_wk, n_k, alpha, eta_w, eta_sum):
    whole_numbers = np.zeros_like(alpha)
    whole_numbers[:] = np.add(n_wk, eta_w)
    return probabilities(n_jk, whole_numbers, n_k, alpha, 0, eta_sum)


@pytest.mark.parametrize(
    ("graded_function", "expected_last_line"),
    [
        (lambda n_jk, *args: probabilities(n_jk - n_jk.mean() + n_jk.mean(), *args), CONVERT_ADVICE),
        (lambda n_jk, n_wk, n_k, alpha, eta_w, *args: probabilities(n_jk, n_wk + eta_w, n_k, alpha, 0, *args), CONVERT_ADVICE),
        (lambda n_jk, n_wk, n_k, alpha, *etas: probabilities((n_jk + alpha)[: len(n_jk)], n_wk, n_k, np.zeros(len(n_jk)), *etas), CONVERT_ADVICE),
        (truncating, "If the arguments are floats, it is right: an array made of whole numbers cuts off fractions; use dtype=float."),
    ],
)  # fmt: skip
def test_a_function_that_is_right_for_arrays_or_floats_alone_is_told_so(graded_function, expected_last_line):
    verdict_text = grade(graded_function, "gibbs")
    assert verdict_text.startswith("Wrong for ")
    assert verdict_text.splitlines()[-1] == expected_last_line


@pytest.mark.parametrize("failing_function", [lambda n_jk: n_jk, lambda *args: dict.get(0)(*args), lambda n_jk, *args: np.ones(2, int).__iadd__(0.5)])
def test_an_error_that_arrays_raise_too_is_not_blamed_on_lists(failing_function):
    assert "it raised TypeError" in (verdict_text := grade(failing_function, "gibbs")) or "it raised UFuncTypeError" in verdict_text
    assert "numpy.asarray" not in verdict_text


def test_a_component_that_is_0_must_not_be_raised():
    assert "four digits" not in grade(lambda *args: np.maximum(probabilities(*args), 1e-6), "gibbs")
    verdict_text = grade(lambda *args: np.maximum(new_alpha(*args), 1e-6), "alpha")
    assert "four digits" not in verdict_text
    assert verdict_text.endswith("The new component of a topic without tokens is exactly 0. It must not be raised.")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_error_explains_the_inputs_without_numbers_too():
    verdict_text = grade(WRONG["gibbs"]["alpha, eta_w and eta_sum are left out"], "gibbs")
    assert verdict_text.endswith("With this error, the inputs that were not compared have no finite results.")


@pytest.mark.parametrize(
    ("idea", "text_replacement"),
    [
        ("vb", ("softmax(x)", "x")),
        ("gaussian_cvb", ("softmax(x)", "x")),
        ("vb_bound", ("tokens + documents + topics", "[theta[j[m]][k] + phi[k][w[m]] for m in rows for k in K]")),
        ("perplexity", ("exp(-average)", "[log(v) for v in p]")),
    ],
)
def test_the_numbers_of_an_advice_are_right(idea, text_replacement):
    exercise = exercises()[idea]
    log_version = compiled(exercise._replace(errors={"": [text_replacement]}).version(("",)))
    inputs_with_advice = [tried_input for tried_input in exercise.inputs if re.search(r"-\d", tried_input.advice)]
    for tried_input in inputs_with_advice:
        log_numbers = log_version(*tried_input.arguments.values())
        if "are below" in tried_input.advice:
            assert max(log_numbers) < float(re.search(r"below (-\d+) ", tried_input.advice)[1]) < math.log(5e-324)
        else:
            assert "near 1e-9 " in tried_input.advice
            assert max(abs(log_number - math.log(1e-9)) for log_number in log_numbers) < math.log(10)
    assert len(inputs_with_advice) == 1


def test_the_numbers_of_events_and_tokens_are_right_and_the_gamma_function_of_172_is_too_large():
    for exercise in exercises().values():
        for tried_input in exercise.inputs:
            if kind_match := re.match(r"(\d+) (events|tokens)$", tried_input.kind):
                argument_by_name = tried_input.arguments
                assert int(kind_match[1]) == (len(argument_by_name["probabilities"]) if kind_match[2] == "events" else sum(argument_by_name["n"]))
    assert math.gamma(171) < math.inf
    with pytest.raises(OverflowError):
        math.gamma(172)
    assert "Γ(172) is too large" in exercises()["collapsed_joint"].inputs[-1].advice


def grades_of(notebook_path, answer_by_idea):
    """What a notebook prints about each idea, if these answers, by their ideas, replace its stubs."""
    code_cells = ["".join(cell["source"]) for cell in json.loads(notebook_path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    idea_by_function = dict(re.findall(r'grade\((\w+), "(\w+)"\)', "\n".join(code_cells)))
    grade_by_idea, printed_lines = {}, []
    notebook_namespace = {"print": lambda *args: printed_lines.append(" ".join(map(str, args)))}
    for cell_source in code_cells:
        exec(cell_source, notebook_namespace)
        if match := re.match(r"def (\w+)", cell_source):
            bind_arguments, answer_function = inspect.signature(notebook_namespace[match[1]]).bind, answer_by_idea[idea_by_function[match[1]]]
            notebook_namespace[match[1]] = lambda *arguments, bind_arguments=bind_arguments, answer_function=answer_function, **options: answer_function(*bind_arguments(*arguments, **options).args)
        if match := re.search(r"grade\((\w+), ", cell_source):
            grade_by_idea[idea_by_function[match[1]]] = printed_lines[-1]
    return grade_by_idea


@pytest.mark.parametrize("notebook_path", IPYNB_PATHS if ALL else IPYNB_PATHS[1:6:4], ids=lambda notebook_path: notebook_path.stem)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_notebook_grades_what_stands_in_the_place_of_its_stubs(notebook_path):
    grade_by_idea = grades_of(notebook_path, RIGHT)
    assert notebook_path.stem[3:] in grade_by_idea
    assert all(grade_text.startswith("Right: ") for grade_text in grade_by_idea.values())
    for idea in grade_by_idea:
        for expected_words, wrong_function in [*WRONG[idea].items()][:3]:
            assert expected_words in grades_of(notebook_path, RIGHT | {idea: wrong_function})[idea]


def test_the_command_copies_the_notebooks_once(tmp_path, capsys):
    notebooks_folder = tmp_path / "new" / "exercises"
    printed_text = printed(capsys, "exercises", notebooks_folder).out
    assert printed_text == f"{notebooks_folder}: 8 notebooks; begin with {notebooks_folder / '01_collapsed_joint.ipynb'}\n"
    assert {path.name: path.read_bytes() for path in notebooks_folder.iterdir()} == {notebook_path.name: notebook_path.read_bytes() for notebook_path in IPYNB_PATHS}
    (notebooks_folder / "01_collapsed_joint.ipynb").unlink()
    assert "02_gibbs.ipynb: exists already, expected a folder without" in refusal(capsys, "exercises", notebooks_folder)
    assert not (notebooks_folder / "01_collapsed_joint.ipynb").exists()
