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
QUICK_IDEAS = [idea for idea in CELLS if ALL or idea not in ("cvb0", "perplexity")]  # these two fit a corpus


def name_and_answer(idea, function=None):
    """The name of the function of an exercise, and a right one that takes the arguments by the stub's names, too."""
    namespace = {}
    exec(STUBS[idea].source, namespace)
    stub, function = namespace.popitem()[1], function or RIGHT[idea]
    return stub.__name__, lambda *a, **options: function(*inspect.signature(stub).bind(*a, **options).args)


def printed_by(code, capsys):
    exec(code, dict(map(name_and_answer, STUBS)))
    return capsys.readouterr().out


@pytest.mark.parametrize(("idea", "cell_id"), EXAMPLES)
def test_the_example_prints_what_stands_below_it(idea, cell_id, capsys):
    (output,) = CELLS[idea][cell_id].outputs
    assert printed_by(CELLS[idea][cell_id].source, capsys) == output.text


@pytest.mark.parametrize("idea", exercises())
def test_every_error_changes_the_numbers_of_the_example(idea, capsys):
    notebook, cell_id = ("vb", "bound-call") if idea == "vb_bound" else (idea, "call")
    unnoticed_errors = []
    for error in exercises()[idea].errors:
        wrong_answer = name_and_answer(idea, compiled(exercises()[idea].version((error,))))
        with suppress(ArithmeticError, LookupError, ValueError):
            exec(CELLS[notebook][cell_id].source, dict([wrong_answer]))
            unnoticed_errors += [error] if capsys.readouterr().out == CELLS[notebook][cell_id].outputs[0].text else []
        capsys.readouterr()
    assert unnoticed_errors == []


@pytest.mark.parametrize("idea", QUICK_IDEAS)
def test_the_code_of_an_answer_prints_what_stands_below_it(idea, capsys):
    source = CELLS[idea]["problems"].source
    code_and_output = re.findall(r"```python\n(.*?)```\n\nIt prints\n\n```\n(.*?)```", source, re.DOTALL)
    assert len(code_and_output) == source.count("```python")
    for code, output in code_and_output:
        assert printed_by(code, capsys) == output


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_links_lead_to_other_exercises_so_that_they_work_in_a_copy(path):
    link_targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(cell.source for cell in CELLS[path.stem[3:]].values()))
    assert {*link_targets} - {"attachment:picture.png"} <= {x.name for x in PATHS}
