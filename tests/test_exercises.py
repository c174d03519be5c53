"""What the exercises print stands in them: the example by hand, and the code of the answers to further problems."""

import inspect
import re
from contextlib import suppress

import nbformat
import pytest

from lda_reference.app.where import ROOT
from lda_reference.oracle.grading import compiled, exercises

from .oracle.exercise_answers import RIGHT
from .oracle.helpers import ALL

PATHS = sorted((ROOT / "lda_reference" / "exercises").glob("*.ipynb"))
CELLS = {exercise_path.stem[3:]: {cell.id: cell for cell in nbformat.read(exercise_path, 4).cells} for exercise_path in PATHS}
STUBS = {"vb_bound": CELLS["vb"]["bound-function"], **{idea: cells["function"] for idea, cells in CELLS.items()}}
EXAMPLES = [(idea, cell_id) for idea, cells in CELLS.items() for cell_id in cells if cell_id.endswith("call")]
QUICK_IDEAS = [idea for idea in CELLS if ALL or idea not in ("cvb0", "perplexity")]  # these two fit a corpus


def name_and_answer(idea, answer_function=None):
    """The name of the function of an exercise, and a right one that takes the arguments by the stub's names, too."""
    stub_namespace = {}
    exec(STUBS[idea].source, stub_namespace)
    stub, answer_function = stub_namespace.popitem()[1], answer_function or RIGHT[idea]
    return stub.__name__, lambda *arguments, **named_arguments: answer_function(*inspect.signature(stub).bind(*arguments, **named_arguments).args)


def printed_by(python_code, capsys):
    exec(python_code, dict(map(name_and_answer, STUBS)))
    return capsys.readouterr().out


@pytest.mark.parametrize(("idea", "cell_id"), EXAMPLES)
def test_the_example_prints_what_stands_below_it(idea, cell_id, capsys):
    (stored_output,) = CELLS[idea][cell_id].outputs
    assert printed_by(CELLS[idea][cell_id].source, capsys) == stored_output.text


@pytest.mark.parametrize("idea", exercises())
def test_every_error_changes_the_numbers_of_the_example(idea, capsys):
    notebook_idea, cell_id = ("vb", "bound-call") if idea == "vb_bound" else (idea, "call")
    unnoticed_errors = []
    for error_name in exercises()[idea].errors:
        wrong_answer = name_and_answer(idea, compiled(exercises()[idea].version((error_name,))))
        with suppress(ArithmeticError, LookupError, ValueError):
            exec(CELLS[notebook_idea][cell_id].source, dict([wrong_answer]))
            unnoticed_errors += [error_name] if capsys.readouterr().out == CELLS[notebook_idea][cell_id].outputs[0].text else []
        capsys.readouterr()
    assert unnoticed_errors == []


@pytest.mark.parametrize("idea", QUICK_IDEAS)
def test_the_code_of_an_answer_prints_what_stands_below_it(idea, capsys):
    problems_source = CELLS[idea]["problems"].source
    codes_and_outputs = re.findall(r"```python\n(.*?)```\n\nIt prints\n\n```\n(.*?)```", problems_source, re.DOTALL)
    assert len(codes_and_outputs) == problems_source.count("```python")
    for python_code, stated_output in codes_and_outputs:
        assert printed_by(python_code, capsys) == stated_output


@pytest.mark.parametrize("exercise_path", PATHS, ids=lambda exercise_path: exercise_path.stem)
def test_the_links_lead_to_other_exercises_so_that_they_work_in_a_copy(exercise_path):
    link_targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(cell.source for cell in CELLS[exercise_path.stem[3:]].values()))
    assert {*link_targets} - {"attachment:picture.png"} <= {exercise_path.name for exercise_path in PATHS}
