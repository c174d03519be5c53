"""GUIDE.md: its port passes, and its wrong turns print what it says."""

import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import yaml

from lda_reference import oracle
from lda_reference.plain import Balls

from . import package
from .helpers import GUIDE, ORACLE, PORT, ROOT, cases, run

BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
FIRST_PORT = next(block for block in BLOCKS if "ANSWERS" in block)
GUIDE_PORT = next(block for block in BLOCKS if "def weights" in block)
LOG_GAMMA = next(block for block in BLOCKS if "def log_gamma" in block)
IN_PYTHON = next(block for block in BLOCKS if "oracle.judge" in block)
WRONG_TURNS = {  # what is replaced in the port
    "cvb0,cgs": {"def answer(case):": 'def answer(case):\n    return {"skip": "not written yet"}'},
    "cvb0/update": {"(n[r] - (1 if r == i else 0)) * g[r][k]": "(0 if (j[r], w[r]) == (j[i], w[i]) else n[r]) * g[r][k]"},
    "cvb0/sweep": {
        "                g[i] = normalised": "                g = list(g)\n                new = new if i else list(g)\n                new[i] = normalised",
        '        return {"gamma": g}': '            g = new\n        return {"gamma": g}',
    },
    "cgs/sweep": {"z[i] = draw(weights(c, alpha, eta, one_hot(z, len(alpha)), i)": "before = before if i else one_hot(z, len(alpha))\n        z[i] = draw(weights(c, alpha, eta, before, i)"},
    "sampler/cgs/1 --operation sample": {"            gibbs_sweep(t": '            rng = random.Random(case["seed"])\n            gibbs_sweep(t'},
    "cvb0,cgs --samplers": {},
}


def test_the_port_of_the_guide_is_the_example():
    assert (ORACLE / "examples" / "port.py").read_text("utf-8").endswith('"""\n\n' + GUIDE_PORT)


@pytest.mark.parametrize("only", WRONG_TURNS)
def test_the_walk_of_the_guide_prints_what_it_says(port, only, capsys):
    """Its lines stand in the report in their order; without a line of dots they follow one another."""
    code = GUIDE_PORT
    for right_code, wrong_code in WRONG_TURNS[only].items():
        assert code.count(right_code) == 1
        code = code.replace(right_code, wrong_code)
    (guide_text,) = re.findall(rf"^    \$ lda-reference oracle check --only {re.escape(only)} -- python port.py\n((?:(?:    .*)?\n)*)", GUIDE, re.MULTILINE)
    is_right = only == "cvb0,cgs --samplers"
    assert run("check", "--only", *only.split(), "--", *port(code)) == (0 if is_right else 1)
    out = re.sub(r"\n+", "\n", "\n" + capsys.readouterr().out)
    for part in re.split(r"^    \.\.\.$", guide_text, flags=re.MULTILINE):
        lines = "".join(f"{line.removeprefix('    ')}\n" for line in part.splitlines() if line)
        _, is_printed, out = out.partition("\n" + lines) if lines else (None, True, out)
        assert is_printed, lines
        out = "\n" + out


def test_the_first_port_of_the_guide_passes_its_pair_and_skips_all_others(port):
    report = oracle.check(port(FIRST_PORT), given=cases())
    assert report.ok, str(report)
    assert {(r.algorithm, r.operation) for r in report.of("passed")} == {("gibbs", "update")}
    skipped_pairs = {(c["algorithm"], c["operation"]) for c in cases()} - {("gibbs", "update")}
    assert {r.reason for r in report.of("skipped")} == {f"{a} has no {o} yet" for a, o in skipped_pairs}


# Recipes and rules ---------------------------------------------------------------------------------------------------


def log1p(z):
    """log(1 + z), as the guide has it for languages without it."""
    u = 1 + z
    return z if u == 1 else math.log(u) * z / (u - 1)


@pytest.mark.parametrize("without_log1p", [False, True])
def test_the_log_gamma_function_of_the_guide_is_right_to_1e15_of_its_value(without_log1p):
    balls, namespace = Balls(), {}
    exec(LOG_GAMMA, namespace)
    if without_log1p:
        namespace["log1p"] = log1p
    rng = np.random.default_rng(0)
    near_zeros = [zero + sign * 10.0 ** -rng.uniform(0.3, 15, 500) for zero in (1, 2) for sign in (1, -1)]
    edges = [5e-324, 1e-300, 0.5, 1.5, 2.5, 10.0, *np.nextafter([0.5, 1.5, 2.5, 10.0], 0), 1e300]
    x = [v for v in np.concatenate([10 ** rng.uniform(-10, 8, 2000), rng.uniform(0, 12, 2000), *near_zeros, edges]) if v not in (1, 2)]
    with balls.precision():
        exact = [balls.log_gamma(balls.number(float(v))) for v in x]
        worst_error = max(float(abs(namespace["log_gamma"](float(v)) / e - 1)) for v, e in zip(x, exact, strict=True))
    assert worst_error < 1e-15
    assert namespace["log_gamma"](1.0) == namespace["log_gamma"](2.0) == 0


# Commands ------------------------------------------------------------------------------------------------------------


def test_the_workflow_checks_a_port(tmp_path, monkeypatch):
    """The step of action.yml runs with the exported checker, the options of ci.yml and an empty list of failures."""
    workflow, action = (yaml.safe_load((ORACLE / "examples" / name).read_text("utf-8")) for name in ("ci.yml", "action.yml"))
    *_, build, step = workflow["jobs"]["oracle"]["steps"]
    inputs = step["with"]
    assert f"    {build['run']}\n    python pinned/lda-oracle.pyz check {inputs['options']} -- {inputs['port']}\n" in GUIDE
    assert inputs.keys() == action["inputs"].keys()
    monkeypatch.chdir(tmp_path)
    assert run("export", "pinned") == 0
    assert (tmp_path / step["uses"] / "action.yml").is_file()
    (tmp_path / "known-failures.txt").write_text("")
    _, check, upload = action["runs"]["steps"]
    assert check["env"] == {name.upper(): f"${{{{ inputs.{name} }}}}" for name in inputs}
    port = [sys.executable, "-S", str(tmp_path / "pinned" / "examples" / "port.py")]
    env = {"GITHUB_ACTION_PATH": str(tmp_path / step["uses"]), "OPTIONS": inputs["options"], "PORT": shlex.join(port)}
    line = check["run"].replace("python ", f"{shlex.quote(sys.executable)} -I -S ", 1)
    process = subprocess.run([shutil.which("bash"), "-c", line], env=os.environ | env, capture_output=True, check=False)
    assert (process.returncode, process.stderr) == (0, b"")
    assert {p.name for p in tmp_path.glob(upload["with"]["path"])} == {"oracle.json", "oracle-badge.json"}


def test_the_hook_for_pre_commit_is_a_command(vectors, port):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, _, *arguments = hook["entry"].split()
    assert program in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("python", False, True)
    assert f"the hook `{hook['id']}`" in GUIDE
    options = ["--only", "cvb0", "--", *port(PORT.format(body="pass"))]
    assert run(*arguments, *options) == 0


def test_the_python_of_the_guide_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("export", "pinned") == 0
    namespace = {"my_answer": package.answer}
    exec(IN_PYTHON.replace("(200, seed=7)", "(20, seed=7)"), namespace)
    assert namespace["report"].ok
    namespace["test_port"](oracle.cases("cvb0/update/001")[0])
    namespace["my_answer"] = lambda case: {"id": case["id"], "gamma_k": [1.0, 0.0, 0.0]}
    with pytest.raises(AssertionError, match="cvb0/update/001  failed"):
        namespace["test_port"](oracle.cases("cvb0/update/001")[0])
