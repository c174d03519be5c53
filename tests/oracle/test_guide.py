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


@pytest.mark.parametrize("check_options", WRONG_TURNS)
def test_the_walk_of_the_guide_prints_what_it_says(port, check_options, capsys):
    """Its lines stand in the report in their order; without a line of dots they follow one another."""
    port_code = GUIDE_PORT
    for right_code, wrong_code in WRONG_TURNS[check_options].items():
        assert port_code.count(right_code) == 1
        port_code = port_code.replace(right_code, wrong_code)
    (walk_text,) = re.findall(rf"^    \$ lda-reference oracle check --only {re.escape(check_options)} -- python port.py\n((?:(?:    .*)?\n)*)", GUIDE, re.MULTILINE)
    is_right = check_options == "cvb0,cgs --samplers"
    assert run("check", "--only", *check_options.split(), "--", *port(port_code)) == (0 if is_right else 1)
    printed_text = re.sub(r"\n+", "\n", "\n" + capsys.readouterr().out)
    for walk_part in re.split(r"^    \.\.\.$", walk_text, flags=re.MULTILINE):
        expected_text = "".join(f"{part_line.removeprefix('    ')}\n" for part_line in walk_part.splitlines() if part_line)
        _, is_printed, printed_text = printed_text.partition("\n" + expected_text) if expected_text else (None, True, printed_text)
        assert is_printed, expected_text
        printed_text = "\n" + printed_text


def test_the_first_port_of_the_guide_passes_its_pair_and_skips_all_others(port):
    report = oracle.check(port(FIRST_PORT), given=cases())
    assert report.ok, str(report)
    assert f"All {len(report.of('passed'))} cases passed, {len(report.of('skipped'))} skipped." in str(report)
    assert {(case_result.algorithm, case_result.operation) for case_result in report.of("passed")} == {("gibbs", "update")}
    skipped_pairs = {(case["algorithm"], case["operation"]) for case in cases()} - {("gibbs", "update")}
    assert {case_result.reason for case_result in report.of("skipped")} == {f"{algorithm} has no {operation} yet" for algorithm, operation in skipped_pairs}


def test_the_walk_counts_the_draws_of_cgs():
    assert f"**The draws.** All {sum(case['algorithm'] == 'cgs' for case in cases() if case['operation'] == 'draw')} cases of `draw` pass" in GUIDE


# Recipes and rules ---------------------------------------------------------------------------------------------------


def log1p(z):
    """log(1 + z), as the guide has it for languages without it."""
    u = 1 + z
    return z if u == 1 else math.log(u) * z / (u - 1)


@pytest.mark.parametrize("without_log1p", [False, True])
def test_the_log_gamma_function_of_the_guide_is_right_to_1e15_of_its_value(without_log1p):
    balls, guide_namespace = Balls(), {}
    exec(LOG_GAMMA, guide_namespace)
    if without_log1p:
        guide_namespace["log1p"] = log1p
    rng = np.random.default_rng(0)
    numbers_near_zeros = [zero_of_log_gamma + sign * 10.0 ** -rng.uniform(0.3, 15, 500) for zero_of_log_gamma in (1, 2) for sign in (1, -1)]
    edge_numbers = [5e-324, 1e-300, 0.5, 1.5, 2.5, 10.0, *np.nextafter([0.5, 1.5, 2.5, 10.0], 0), 1e300]
    x = [number for number in np.concatenate([10 ** rng.uniform(-10, 8, 2000), rng.uniform(0, 12, 2000), *numbers_near_zeros, edge_numbers]) if number not in (1, 2)]
    with balls.precision():
        exact_log_gammas = [balls.log_gamma(balls.number(float(number))) for number in x]
        worst_error = max(float(abs(guide_namespace["log_gamma"](float(number)) / exact_log_gamma - 1)) for number, exact_log_gamma in zip(x, exact_log_gammas, strict=True))
    assert worst_error < 1e-15
    assert guide_namespace["log_gamma"](1.0) == guide_namespace["log_gamma"](2.0) == 0


# Commands ------------------------------------------------------------------------------------------------------------


def test_the_workflow_checks_a_port(tmp_path, monkeypatch):
    """The step of action.yml runs with the exported checker, the options of ci.yml and an empty list of failures."""
    workflow_yaml, action_yaml = (yaml.safe_load((ORACLE / "examples" / name).read_text("utf-8")) for name in ("ci.yml", "action.yml"))
    *_, build_step, oracle_step = workflow_yaml["jobs"]["oracle"]["steps"]
    step_inputs = oracle_step["with"]
    assert f"    {build_step['run']}\n    python pinned/lda-oracle.pyz check {step_inputs['options']} -- {step_inputs['port']}\n" in GUIDE
    assert step_inputs.keys() == action_yaml["inputs"].keys()
    monkeypatch.chdir(tmp_path)
    assert run("export", "pinned") == 0
    assert (tmp_path / oracle_step["uses"] / "action.yml").is_file()
    (tmp_path / "known-failures.txt").write_text("")
    _, check_step, upload_step = action_yaml["runs"]["steps"]
    assert check_step["env"] == {name.upper(): f"${{{{ inputs.{name} }}}}" for name in step_inputs}
    port_command = [sys.executable, "-S", str(tmp_path / "pinned" / "examples" / "port.py")]
    step_environment = {"GITHUB_ACTION_PATH": str(tmp_path / oracle_step["uses"]), "OPTIONS": step_inputs["options"], "PORT": shlex.join(port_command)}
    command_line = check_step["run"].replace("python ", f"{shlex.quote(sys.executable)} -I -S ", 1)
    completed_process = subprocess.run([shutil.which("bash"), "-c", command_line], env=os.environ | step_environment, capture_output=True, check=False)
    assert (completed_process.returncode, completed_process.stderr) == (0, b"")
    assert {path.name for path in tmp_path.glob(upload_step["with"]["path"])} == {"oracle.json", "oracle-badge.json"}


def test_the_hook_for_pre_commit_is_a_command(vectors, port):
    (hook_entry,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    script_name, _, *hook_arguments = hook_entry["entry"].split()
    assert script_name in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert (hook_entry["language"], hook_entry["pass_filenames"], hook_entry["always_run"]) == ("python", False, True)
    assert f"the hook `{hook_entry['id']}`" in GUIDE
    check_options = ["--only", "cvb0", "--", *port(PORT.format(body="pass"))]
    assert run(*hook_arguments, *check_options) == 0


def test_the_python_of_the_guide_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("export", "pinned") == 0
    guide_namespace = {"my_answer": package.answer}
    exec(IN_PYTHON.replace("(200, seed=7)", "(20, seed=7)"), guide_namespace)
    assert guide_namespace["report"].ok
    guide_namespace["test_port"](oracle.cases("cvb0/update/001")[0])
    guide_namespace["my_answer"] = lambda case: {"id": case["id"], "gamma_k": [1.0, 0.0, 0.0]}
    with pytest.raises(AssertionError, match="cvb0/update/001  failed"):
        guide_namespace["test_port"](oracle.cases("cvb0/update/001")[0])
