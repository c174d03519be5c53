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
CELLS = {path.stem[3:]: {cell.id: cell for cell in nbformat.read(path, 4).cells} for path in PATHS}
STUBS = {"vb_bound": CELLS["vb"]["bound-function"], **{idea: cells["function"] for idea, cells in CELLS.items()}}
EXAMPLES = [(idea, cell) for idea, cells in CELLS.items() for cell in cells if cell.endswith("call")]
QUICK = [idea for idea in CELLS if ALL or idea not in ("cvb0", "perplexity")]  # these two fit a corpus


def answer(idea, function=None):
    """The name of the function of an exercise, and a right one that takes the arguments by the stub's names, too."""
    names = {}
    exec(STUBS[idea].source, names)
    stub, function = names.popitem()[1], function or RIGHT[idea]
    return stub.__name__, lambda *a, **named: function(*inspect.signature(stub).bind(*a, **named).args)


def printed(code, capsys):
    exec(code, dict(map(answer, STUBS)))
    return capsys.readouterr().out


@pytest.mark.parametrize(("idea", "cell"), EXAMPLES)
def test_the_example_prints_what_stands_below_it(idea, cell, capsys):
    (output,) = CELLS[idea][cell].outputs
    assert printed(CELLS[idea][cell].source, capsys) == output.text


@pytest.mark.parametrize("idea", exercises())
def test_every_error_changes_the_numbers_of_the_example(idea, capsys):
    notebook, cell = ("vb", "bound-call") if idea == "vb_bound" else (idea, "call")
    unnoticed = []
    for error in exercises()[idea].errors:
        wrong = answer(idea, compiled(exercises()[idea].version((error,))))
        with suppress(ArithmeticError, LookupError, ValueError):
            exec(CELLS[notebook][cell].source, dict([wrong]))
            unnoticed += [error] if capsys.readouterr().out == CELLS[notebook][cell].outputs[0].text else []
        capsys.readouterr()
    assert unnoticed == []


@pytest.mark.parametrize("idea", QUICK)
def test_the_code_of_an_answer_prints_what_stands_below_it(idea, capsys):
    source = CELLS[idea]["problems"].source
    answers = re.findall(r"```python\n(.*?)```\n\nIt prints\n\n```\n(.*?)```", source, re.DOTALL)
    assert len(answers) == source.count("```python")
    for code, text in answers:
        assert printed(code, capsys) == text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_links_lead_to_other_exercises_so_that_they_work_in_a_copy(path):
    targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(cell.source for cell in CELLS[path.stem[3:]].values()))
    assert {*targets} - {"attachment:picture.png"} <= {x.name for x in PATHS}
