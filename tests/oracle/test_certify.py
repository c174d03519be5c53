"""The script that makes the vectors: it makes the same bytes again, with the standard library and mpmath alone."""

import json
import os
import re
import subprocess
import sys

import pytest

from .helpers import SCRIPT, VECTORS

ALONE = """
import runpy, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "lda_reference"):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
script, *arguments = sys.argv[1:]
sys.argv = [script, *arguments]
runpy.run_path(script, run_name="__main__")
"""


def regenerated(folder, *names):
    """Files that the script makes where neither numpy, scipy nor lda_reference can be imported."""
    command = [sys.executable, "-I", "-c", ALONE, str(SCRIPT), str(folder), *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert json.loads(made["manifest.json"])["files"].keys() == made.keys() - {"manifest.json"}
    return {name: content for name, content in made.items() if name != "manifest.json"}  # it depends on the others


def kept(name):
    """A file of the package, with the version of mpmath that is installed here."""
    mpmath = pytest.importorskip("mpmath")
    text = (VECTORS / name).read_bytes()
    return re.sub(rb'"mpmath":"[^"]*"', b'"mpmath":"%s"' % mpmath.__version__.encode(), text, count=1)


def test_files_are_what_the_script_makes_alone(tmp_path):
    made = regenerated(tmp_path, "gibbs", "mistakes", "starts")
    assert sorted(made) == ["gibbs.json", "mistakes.json", "starts.json"]
    assert [name for name in made if made[name] != kept(name)] == []


@pytest.mark.skipif(not os.environ.get("LDA_TEST_ALL"), reason="takes minutes; set LDA_TEST_ALL to run it")
def test_all_files_are_what_the_script_makes_alone(tmp_path):
    made = regenerated(tmp_path)
    others = {"manifest.json", "single.json"}  # single.json has a script of its own
    assert sorted({*made, *others}) == sorted(path.name for path in VECTORS.iterdir())
    assert [name for name in made if made[name] != kept(name)] == []


def test_the_script_says_how_it_is_used():
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("usage: python certify.py OUT_DIR")


def test_the_script_refuses_a_name_that_it_does_not_know(tmp_path):
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path), "lda"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("NAME is 'lda', expected one of ml, map, vb")
    assert list(tmp_path.iterdir()) == []
