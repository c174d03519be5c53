"""A port is checked with the standard library alone, and few files of the package take part."""

import subprocess
import sys

import pytest

import lda_reference
from lda_reference import oracle

from ..test_walks import visited
from .helpers import ORACLE, ROOT, cases, one_of_each
from .ports import planted

ALONE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "matplotlib", "tqdm", "mpmath", "flint", "pytest"):
            raise ModuleNotFoundError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
"""
CHECK = """
from lda_reference import oracle

report = oracle.check([sys.executable, port], only="cvb0,cgs", samplers=True, draws=4000, precision=precision)
print(report)
oracle.to_json(report), oracle.to_junit(report), oracle.mistakes()
right = {case["id"]: case["expected"] for case in oracle.cases("cvb0")}
changed = oracle.check(lambda case: {"id": case["id"], **right[case["id"]], "gamma_k": [0.5, 0.5]}, "cvb0/update", precision=precision)
assert changed.of("failed") and "gamma_k" in str(changed)
draws = {case["id"]: {"id": case["id"], "z": [[0] * sum(case["corpus"]["n"])] * 4000} for case in oracle.sampler_cases()}
assert oracle.check(lambda case: draws[case["id"]], given=oracle.sampler_cases(), draws=4000).of("passed") == []
parts = [name for name in sys.modules if name.startswith("lda_reference.")]
assert all(name.split(".")[1] in ("oracle", "plain") for name in parts), parts
"""


def alone(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", ALONE + code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("precision", ["double", "single"])
def test_a_port_is_checked_without_numpy(precision):
    """The example port in Python has cvb0 and cgs; it passes in both precisions."""
    out = alone(f"port, precision = sys.argv[1:]\n{CHECK}", str(ORACLE / "examples" / "port.py"), precision)
    assert "  cvb0       " in out
    assert " failed" not in out


def test_fresh_cases_are_made_without_numpy():
    assert alone("""
from lda_reference import oracle
from lda_reference.plain import answer

report = oracle.check(lambda case: {"id": case["id"], **answer(case)}, fresh=171, seed=1, operation="estimate")
print(report.ok, report.notes[0])
""").startswith("True 13 fresh cases of seed 1: none is certified")


def test_what_needs_numpy_says_so():
    alone("""
import lda_reference

assert "fit" in dir(lda_reference) and "Corpus" in lda_reference.__all__
try:
    lda_reference.fit
except ImportError as error:
    assert str(error) == "numpy is blocked"
else:
    raise AssertionError("it was imported")
""")


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("fault", [None, "words-less-one", "prior-in-float32"])
def test_a_run_touches_few_files(precision, fault):
    given = one_of_each(cases("cvb0,vb,cgs"))
    answers = {case["id"]: planted.answer(case, fault) for case in given}
    files = visited(lambda: oracle.check(lambda case: answers[case["id"]], given=given, precision=precision))
    assert "oracle/asking/runner" in files
    assert len(files) <= 10


def test_a_run_with_fresh_cases_touches_few_files():
    """All starts are asked, and most of them fail."""
    answers = {case["id"]: {"id": case["id"], "gamma": [[1.0]]} for case in oracle.fresh(171, seed=1, operation="start")}
    files = visited(lambda: oracle.check(lambda case: answers[case["id"]], fresh=171, seed=1, operation="start"))
    assert len(files) <= 22
    assert len([file for file in files if "diagnosing" not in file]) <= 19  # if nothing fails


def test_the_lists_of_names_are_those_of_the_engine():
    """The oracle does not import the engine, so it has the names of the algorithms and their schedules itself."""
    from lda_reference.oracle.asking import loading
    from lda_reference.oracle.judging import levels

    assert [name for name in lda_reference.ALGORITHMS if name in loading.ALGORITHMS] == list(loading.ALGORITHMS)
    for name in loading.ALGORITHMS:
        default = lda_reference.ALGORITHMS[name].schedules[0]
        assert default == ("corpus" if name in levels.IN_CORPUS_ORDER else "token")
