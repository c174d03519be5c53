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


@pytest.mark.parametrize(("idea", "words"), EXPLAINED_ERRORS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_answer_is_explained_by_its_own_sentence(idea, words):
    verdict = grade(WRONG[idea][words], idea)
    (explanation,) = [line for line in verdict.splitlines() if "are those that one gets when" in line]
    assert verdict.startswith("Wrong for ")
    assert words in explanation
    assert [phrase for phrase in WRONG[idea] if phrase in explanation] == [words]


@pytest.mark.parametrize(("idea", "words"), OUT_OF_RANGE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_right_formula_that_leaves_the_range_of_floating_point_is_not_right(idea, words):
    lines = grade(OUT_OF_RANGE[idea, words], idea).splitlines()
    assert re.match(r"Wrong for 1 of \d inputs", lines[0])
    assert lines[1].startswith("One input was not compared: with ")
    assert words in lines[-1]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_two_errors_are_both_named():
    verdict = grade(lambda n, a: new_alpha(n, a, factor=False, sum_of_alpha=lambda a: len(a) * a[0]), "alpha")
    assert "when the old alpha_k does not multiply the quotient, and when K times alpha[0] stands for the sum of alpha." in verdict
    verdict = grade(lambda g, a, b, c, d, e, f: update(g, a, b, c, d, e, len(d) * e, excluded=(1, 2, 1)), "cvb0")
    assert "when K times eta_w stands for eta_sum, the sum over all W words, and when gamma is subtracted twice from N_wk." in verdict


def test_two_errors_are_both_named_if_one_changes_what_the_other_has_put_in():
    def mean_by_document(theta_jk, phi_wk, *columns):
        parts = [[*zip(*(row for row in zip(*columns, strict=True) if row[0] == j), strict=True)] for j in {*columns[0]}]
        return math.exp(np.mean([math.log(perplexity(theta_jk, phi_wk, *map(list, part), log=np.log2)) for part in parts]))

    verdict = grade(mean_by_document, "perplexity")
    assert "with the same weight for each document, and when the logarithms are to base 2" in verdict


@pytest.mark.parametrize("idea", exercises())
def test_the_inputs_tell_every_error_from_the_right_answer_and_from_every_other_error(idea):
    exercise = exercises()[idea]
    versions = {text: compiled(exercise.version((text,))) for text in exercise.errors}
    versions["right"] = compiled(exercise.code)
    numbers_of_error = {text: [*numbers_of(version, exercise)] for text, version in versions.items()}
    few = [text for text, x in numbers_of_error.items() if sum(v is not None for v in x) < 3]
    pairs = itertools.combinations(numbers_of_error.items(), 2)
    assert few + [(a, b) for (a, x), (b, y) in pairs if all(v is None or w is None or v == w for v, w in zip(x, y, strict=True))] == []


def numbers_of(version, exercise):
    """The results for the short inputs, to nine digits; None where they are not finite."""
    for short_input in exercise.inputs[: -1 if exercise.inputs[-1].is_long else None]:
        try:
            numbers = np.array(version(*short_input.arguments.values()))
            yield tuple(float(f"{number:.9g}") for number in numbers.flat) if np.isfinite(numbers).all() else None
        except (ArithmeticError, LookupError, ValueError):
            yield None


def test_the_first_difference_is_shown_with_its_input():
    wrong_function = WRONG["cvb0"]["nothing is excluded"]
    lines = grade(wrong_function, "cvb0").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("The first difference, with two topics: "))
    names = [line.split(" = ")[0].strip() for line in lines[start + 1 :]]
    assert names == ["gamma", "N_jk", "N_wk", "N_k", "alpha", "eta_w", "eta_sum"]
    arguments = [json.loads(line.split(" = ")[1]) for line in lines[start + 1 :]]
    got, expected = map(float, re.search(r"\(\.\.\.\)\[0\] is ([\d.e-]+), expected ([\d.e-]+)\. The arg", lines[start]).groups())
    assert update(*arguments)[0] == pytest.approx(expected, abs=1e-12)
    assert wrong_function(*arguments)[0] == pytest.approx(got, abs=1e-12)


@pytest.mark.parametrize(
    ("idea", "function", "words"),
    [
        ("gibbs", lambda a, b, c, alpha, *eta: probabilities(a, b, c, np.array(alpha) ** 1.7, *eta),
         "If all numbers of alpha are replaced by 1, it is right for all inputs, so the mistake shows only where these numbers differ."),
        ("cvb0", lambda gamma, *args: update(np.full(len(gamma), max(gamma)), *args),
         "If all numbers of gamma are replaced by 0 or by 1, it is right for all inputs, so the mistake shows only"),
        ("gibbs", lambda *args: 3 * probabilities(*args), "Each of its numbers is 3 times the right one."),
        ("cvb0", lambda gamma, *args: update(gamma, *args) * sum(args[0]), "The numbers of each result are right but for one factor"),
        ("exact_cvb", lambda *args: expected_log(*args) + 2, "Each of its numbers is the right one plus 2."),
        ("perplexity", lambda *args: perplexity(*args) * (1 + 1e-6 * len(args[0])), "right to four digits or more"),
    ],
)  # fmt: skip
def test_without_an_explanation_it_says_how_the_numbers_differ_or_what_the_error_depends_on(idea, function, words):
    verdict = grade(function, idea)
    assert "are those that one gets when" not in verdict
    assert words in verdict


def test_errors_and_results_without_numbers():
    def unwritten(*arguments):
        raise NotImplementedError

    assert grade(unwritten, "vb") == "Not written yet: unwritten raises NotImplementedError."
    verdict = grade(lambda *args: 1 / 0, "vb")
    assert verdict.startswith("Wrong for 7 of 7 inputs (TNW06 (4)-(6); ")
    assert "\n7 inputs were not compared. The first: with three tokens, it raised ZeroDivisionError: division by zero.\n    N_jk = [" in verdict
    assert "floating point" not in verdict
    assert "the result has length 1, expected 2" in grade(lambda *args: probabilities(*args)[:1], "gibbs")
    assert "the result is None, expected a list of length 2." in grade(lambda *args: None, "gibbs")
    assert "it returned nan, which is not finite." in grade(lambda *args: math.nan, "perplexity")
    assert "it returned -inf, which is not finite." in grade(lambda *args: -math.inf, "perplexity")
    with pytest.raises(ValueError, match="idea is 'lda', expected one of collapsed_joint, gibbs, "):
        grade(probabilities, "lda")


def test_numbers_of_some_inputs_are_explained_where_others_raise_an_error():
    verdict = grade(lambda g, *args: update(np.zeros(len(g)), *args) if len(g) > 1 else 1 / 0, "cvb0")
    assert "One input was not compared: with one topic, it raised ZeroDivisionError" in verdict
    assert "Its other numbers are those that one gets when nothing is excluded" in verdict


def test_a_long_input_is_not_asked_of_a_function_that_takes_long_for_a_short_one():
    def of_all_outcomes(probabilities, alpha):
        outcomes = itertools.product(*([(0, 1 - p), (1, p)] for p in probabilities))
        return sum(math.prod(p for _, p in x) * math.log(alpha + sum(n for n, _ in x)) for x in outcomes)

    verdict = grade(of_all_outcomes, "exact_cvb")
    assert verdict.startswith("Right for 7 of 8 inputs (TNW06 App. A; ")
    assert "It is too slow for 1200 events, which were not tried: 16 events took more than 0.005 seconds. Start from the list" in verdict


def test_a_function_that_changes_its_arguments_is_not_right():
    def changing(gamma, *arguments):
        new_gamma = update(gamma, *arguments)
        arguments[0].reverse()
        return new_gamma

    assert "it changes N_jk, which belongs to its caller." in grade(changing, "cvb0")


@pytest.mark.parametrize("idea", sorted(RIGHT.keys() - {"exact_cvb"}))
def test_a_function_that_changes_arrays_alone_is_not_right(idea):
    def changing(*arguments):
        numbers = RIGHT[idea](*arguments)
        counts = np.asarray(arguments[1], dtype=float)
        counts -= 1
        return numbers

    argument = [*exercises()[idea].inputs[0].arguments][1]
    verdict = grade(changing, idea)
    assert verdict.startswith("Wrong for ")
    assert f"it changes {argument} if it is an array: numpy.asarray does not copy it, and x -= y or x[k] = y changes it" in verdict


def truncating(n_jk, n_wk, n_k, alpha, eta_w, eta_sum):
    whole_numbers = np.zeros_like(alpha)
    whole_numbers[:] = np.add(n_wk, eta_w)
    return probabilities(n_jk, whole_numbers, n_k, alpha, 0, eta_sum)


@pytest.mark.parametrize(
    ("function", "last_line"),
    [
        (lambda a, *args: probabilities(a - a.mean() + a.mean(), *args), CONVERT_ADVICE),
        (lambda a, b, c, alpha, eta_w, *args: probabilities(a, b + eta_w, c, alpha, 0, *args), CONVERT_ADVICE),
        (lambda a, b, c, alpha, *x: probabilities((a + alpha)[: len(a)], b, c, np.zeros(len(a)), *x), CONVERT_ADVICE),
        (truncating, "If the arguments are floats, it is right: an array made of whole numbers cuts off fractions; use dtype=float."),
    ],
)  # fmt: skip
def test_a_function_that_is_right_for_arrays_or_floats_alone_is_told_so(function, last_line):
    verdict = grade(function, "gibbs")
    assert verdict.startswith("Wrong for ")
    assert verdict.splitlines()[-1] == last_line


@pytest.mark.parametrize("function", [lambda a: a, lambda *args: dict.get(0)(*args), lambda a, *args: np.ones(2, int).__iadd__(0.5)])
def test_an_error_that_arrays_raise_too_is_not_blamed_on_lists(function):
    assert "it raised TypeError" in (verdict := grade(function, "gibbs")) or "it raised UFuncTypeError" in verdict
    assert "numpy.asarray" not in verdict


def test_a_component_that_is_0_must_not_be_raised():
    assert "four digits" not in grade(lambda *args: np.maximum(probabilities(*args), 1e-6), "gibbs")
    verdict = grade(lambda *args: np.maximum(new_alpha(*args), 1e-6), "alpha")
    assert "four digits" not in verdict
    assert verdict.endswith("The new component of a topic without tokens is exactly 0. It must not be raised.")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_error_explains_the_inputs_without_numbers_too():
    verdict = grade(WRONG["gibbs"]["alpha, eta_w and eta_sum are left out"], "gibbs")
    assert verdict.endswith("With this error, the inputs that were not compared have no finite results.")


@pytest.mark.parametrize(
    ("idea", "change"),
    [
        ("vb", ("softmax(x)", "x")),
        ("gaussian_cvb", ("softmax(x)", "x")),
        ("vb_bound", ("tokens + documents + topics", "[theta[j[m]][k] + phi[k][w[m]] for m in rows for k in K]")),
        ("perplexity", ("exp(-average)", "[log(v) for v in p]")),
    ],
)
def test_the_numbers_of_an_advice_are_right(idea, change):
    exercise = exercises()[idea]
    log_version = compiled(exercise._replace(errors={"": [change]}).version(("",)))
    inputs = [tried_input for tried_input in exercise.inputs if re.search(r"-\d", tried_input.advice)]
    for tried_input in inputs:
        numbers = log_version(*tried_input.arguments.values())
        if "are below" in tried_input.advice:
            assert max(numbers) < float(re.search(r"below (-\d+) ", tried_input.advice)[1]) < math.log(5e-324)
        else:
            assert "near 1e-9 " in tried_input.advice
            assert max(abs(v - math.log(1e-9)) for v in numbers) < math.log(10)
    assert len(inputs) == 1


def test_the_numbers_of_events_and_tokens_are_right_and_the_gamma_function_of_172_is_too_large():
    for exercise in exercises().values():
        for tried_input in exercise.inputs:
            if match := re.match(r"(\d+) (events|tokens)$", tried_input.kind):
                args = tried_input.arguments
                assert int(match[1]) == (len(args["probabilities"]) if match[2] == "events" else sum(args["n"]))
    assert math.gamma(171) < math.inf
    with pytest.raises(OverflowError):
        math.gamma(172)
    assert "Γ(172) is too large" in exercises()["collapsed_joint"].inputs[-1].advice


def grades_of(path, answers):
    """What a notebook prints about each idea, if these answers, by their ideas, replace its stubs."""
    cells = ["".join(x["source"]) for x in json.loads(path.read_text("utf-8"))["cells"] if x["cell_type"] == "code"]
    ideas = dict(re.findall(r'grade\((\w+), "(\w+)"\)', "\n".join(cells)))
    grades, printed_lines = {}, []
    namespace = {"print": lambda *args: printed_lines.append(" ".join(map(str, args)))}
    for source in cells:
        exec(source, namespace)
        if match := re.match(r"def (\w+)", source):
            bind, answer = inspect.signature(namespace[match[1]]).bind, answers[ideas[match[1]]]
            namespace[match[1]] = lambda *x, bind=bind, answer=answer, **options: answer(*bind(*x, **options).args)
        if match := re.search(r"grade\((\w+), ", source):
            grades[ideas[match[1]]] = printed_lines[-1]
    return grades


@pytest.mark.parametrize("path", IPYNB_PATHS if ALL else IPYNB_PATHS[1:6:4], ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_notebook_grades_what_stands_in_the_place_of_its_stubs(path):
    grades = grades_of(path, RIGHT)
    assert path.stem[3:] in grades
    assert all(text.startswith("Right: ") for text in grades.values())
    for idea in grades:
        for words, wrong in [*WRONG[idea].items()][:3]:
            assert words in grades_of(path, RIGHT | {idea: wrong})[idea]


def test_the_command_copies_the_notebooks_once(tmp_path, capsys):
    folder = tmp_path / "new" / "exercises"
    out = printed(capsys, "exercises", folder).out
    assert out == f"{folder}: 8 notebooks; begin with {folder / '01_collapsed_joint.ipynb'}\n"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {x.name: x.read_bytes() for x in IPYNB_PATHS}
    (folder / "01_collapsed_joint.ipynb").unlink()
    assert "02_gibbs.ipynb: exists already, expected a folder without" in refusal(capsys, "exercises", folder)
    assert not (folder / "01_collapsed_joint.ipynb").exists()
