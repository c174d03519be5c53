"""A port is checked with the standard library alone, and few files of the package take part."""

import subprocess
import sys

import pytest

import lda_reference
from lda_reference import oracle, plain
from lda_reference.oracle.judging import levels

from ..test_walks import modules
from .helpers import ALL, ROOT, cases, one_of_each
from .readers import asking

EDITS = [
    (),
    [("self.H = self.eta.sum()", "self.H = self.W")],
    [("x = a * b / c", "x = np.float32(a * b / c)")],
]
SCRIPT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "matplotlib", "tqdm", "mpmath", "flint", "pytest"):
            raise ModuleNotFoundError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())

import lda_reference
from lda_reference import oracle

report = oracle.check([sys.executable, "-S", "lda_reference/oracle/examples/port.py"], only="cvb0,cgs", samplers=True, draws=4000)
assert report.ok
oracle.to_json(report), oracle.mistakes()
assert "fit" in dir(lda_reference) and "Corpus" in lda_reference.__all__
try:
    lda_reference.fit
except ImportError as error:
    assert str(error) == "numpy is blocked"
else:
    raise AssertionError("it was imported")
"""


def test_without_numpy_the_oracle_works_and_what_needs_numpy_says_so():
    completed_process = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert completed_process.returncode == 0, completed_process.stderr


@pytest.mark.parametrize("precision", ["double", "single"] if ALL else ["single"])
@pytest.mark.parametrize("port_edits", EDITS)
def test_a_run_touches_few_files(precision, port_edits):
    port, asked_cases = asking.edited("sequential", port_edits), one_of_each(cases("cvb0,vb,cgs"))
    answer_by_id = {case["id"]: port(case) for case in asked_cases}
    module_names = modules(lambda: oracle.check(lambda case: answer_by_id[case["id"]], given=asked_cases, precision=precision, compose=False))
    assert "oracle/asking/runner" in module_names
    assert len(module_names) <= (38 if port_edits else 10)  # the answers of known mistakes come from the changes of the plain text


def test_the_lists_of_names_are_those_of_the_engine():
    """The oracle does not import the engine: the plain text has the names of the algorithms, and `levels` schedules."""
    assert [algorithm for algorithm in lda_reference.ALGORITHMS if algorithm in plain.ALGORITHMS] == list(plain.ALGORITHMS)
    for algorithm in plain.ALGORITHMS:
        default_schedule = lda_reference.ALGORITHMS[algorithm].schedules[0]
        assert default_schedule == ("corpus" if algorithm in levels.CORPUS_ALGORITHMS else "token")
