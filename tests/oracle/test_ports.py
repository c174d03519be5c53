"""The example ports in C, JavaScript and Rust against the oracle: unbroken they pass, and their mistakes are named."""

import functools
import importlib.util
import itertools
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lda_reference import oracle, plain
from lda_reference.oracle.cases.loading import MORE_OPERATIONS, version
from lda_reference.oracle.fresh.problems import kinds

from .helpers import ALL, GUIDE, ORACLE, cases

PORTS = ORACLE / "examples"
ALGORITHMS = ("ml", "map", "vb", "vem", "gibbs", "cgs", "cvb", "cvb0", "tcvb0", "cvb1d")
CC = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
NODE, RUSTC = shutil.which("node"), shutil.which("rustc")
MISSING = {
    "c": None if CC else "no C compiler (cc, gcc or clang)",
    "js": None if NODE else "no node",
    "rs": None if RUSTC else "no rustc",
}
IN_C = ("e_step", "m_step", "elbo", "fold_in", "log_joint")  # of the operations that are not steps of a sweep


def has_step(case):
    """Whether C and JavaScript answer a step: all of ten algorithms but many rows, and the bounds of the collapsed ones."""
    if case["operation"] in MORE_OPERATIONS or len(case["corpus"]["n"]) > 10_000:
        return False
    return case["algorithm"] in ALGORITHMS and (case["operation"] != "bound" or case["algorithm"] == "vb")


CLAIMED = {
    "c": lambda case: has_step(case) or case["operation"] in IN_C,
    "js": has_step,
    "rs": lambda case: (
        case["algorithm"] in ("cvb0", "cgs", "vb")
        and case["operation"] not in (*MORE_OPERATIONS, "summary")
        and case.get("schedule") not in ("block", "nested", "interleaved")
    ),
}


def build(source_ending, source_text, folder, compiler_options=()):
    """The command of a port, from its source."""
    if MISSING[source_ending]:
        pytest.skip(MISSING[source_ending])
    source_path = folder / f"port.{source_ending}"
    source_path.write_text(source_text, "utf-8")
    if source_ending == "js":
        return [NODE, str(source_path)]
    compile_command = {
        "c": [CC, "-std=c99", *compiler_options, "-o", str(folder / "port"), str(source_path), "-lm"],
        "rs": [RUSTC, "-O", "--edition", "2021", "-D", "warnings", "-o", str(folder / "port"), str(source_path)],
    }[source_ending]
    completed_process = subprocess.run(compile_command, capture_output=True, text=True, check=False)
    assert completed_process.returncode == 0, completed_process.stderr
    return [str(folder / "port")]


def source(source_ending):
    return (PORTS / f"port.{source_ending}").read_text("utf-8")


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The unbroken ports, each built once."""

    @functools.cache
    def command_of(source_ending):
        strict_options = ["-O2", "-Wall", "-Wextra", "-Werror"]
        return build(source_ending, source(source_ending), tmp_path_factory.mktemp(source_ending), strict_options)

    return command_of


# In PORTS.md: the line of each port, by the ending of its source
LINES = dict(zip(("c", "rs", "js", "py", "arrays"), re.findall(r"^\| .* \| `lda-reference .*\n", (ORACLE / "PORTS.md").read_text("utf-8"), re.MULTILINE), strict=True))


def cells_of(report):
    """The cells of PORTS.md: how many cases passed and were skipped, and the levels reached, the highest first."""
    level_by_algorithm = {progress.algorithm: ", ".join(f"{level} ({schedule})" for schedule, level in progress.in_order.items()) or str(progress.level) for progress in report.levels}
    levels_reached = sorted({*level_by_algorithm.values()} - {"0"}, reverse=True)
    levels_text = "; ".join(f"{level} in {', '.join(algorithm for algorithm in level_by_algorithm if level_by_algorithm[algorithm] == level)}" for level in levels_reached)
    return f"| {len(report.of('passed'))} | {len(report.of('skipped'))} | {levels_text} |\n"


@pytest.mark.parametrize("source_ending", MISSING)
def test_a_port_fails_nothing_and_skips_nothing_that_it_claims(source_ending, commands):
    port_command = commands(source_ending)
    start_time = time.perf_counter()
    report = oracle.check(port_command, given=oracle.cases())
    seconds = time.perf_counter() - start_time
    assert report.ok, str(report)
    assert {case_result.id for case_result in report.of("skipped")} == {case["id"] for case in oracle.cases() if not CLAIMED[source_ending](case)}
    assert len(report.of("passed")) >= 100
    assert cells_of(report) in LINES[source_ending]
    assert seconds < 30  # 3 s on a machine that is not busy


def test_the_port_in_python_passes_what_is_listed():
    report = oracle.check([sys.executable, "-S", str(PORTS / "port.py")], given=oracle.cases())
    assert report.ok, str(report)
    counts_text = f"{len(report.of('passed'))} passed, 0 failed, {len(report.of('skipped'))} skipped"
    assert f'"message": "{version()}: {counts_text}"' in GUIDE
    assert cells_of(report) in LINES["py"]
    assert f"with version {version()} of the vectors" in (ORACLE / "PORTS.md").read_text("utf-8")


def arrays():
    """The module of the port in array operations."""
    module_spec = importlib.util.spec_from_file_location("arrays", PORTS / "arrays.py")
    arrays_module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(arrays_module)
    return arrays_module


@pytest.mark.parametrize("precision", ["double", "single"])
def test_the_port_in_arrays_passes_what_is_listed(precision):
    for port, asks_batches in ((arrays().Port("numpy", precision), True), ([sys.executable, str(PORTS / "arrays.py"), "numpy", precision], False)):
        report = oracle.check(port, given=oracle.cases(), precision=precision, batch=asks_batches)
        assert report.ok, str(report)
        assert cells_of(report) in LINES["arrays"]


def test_the_port_in_arrays_passes_batches_of_several_cases():
    """Each case is asked with its topics turned around, too."""
    turned_cases = []
    for case, n_turned in itertools.product(cases("map,vb,cvb,cvb0"), (0, 1, 2)):
        if case["operation"] in ("update", "sweep", "predict") and case.get("schedule") in (None, "corpus") and len(case["corpus"]["n"]) < 20:
            case = case | {"id": f"{case['id']}/{n_turned}", "state": {"gamma": [gamma_row[n_turned:] + gamma_row[:n_turned] for gamma_row in case["state"]["gamma"]]}}
            turned_cases.append(case | {"expected": plain.answer(case)})
    report = oracle.check(arrays().Port("numpy"), given=turned_cases, batch=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) == len(turned_cases) > 200


def test_the_port_in_arrays_passes_with_jax():
    pytest.importorskip("jax")
    report = oracle.check(arrays().Port("jax", "single"), only="cvb0/sweep,vb/update", precision="single", batch=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) == 14


# Broken --------------------------------------------------------------------------------------------------------------

# Texts that occur once in the source of a port, each with the text that replaces it, by the mistake that this makes:
# some mistakes of each port, and those that no other test plants
BROKEN_TEXTS = json.loads((Path(__file__).parent / "broken.json").read_text("utf-8"))
PORT_MISTAKES = [(port, name) for port, table in BROKEN_TEXTS.items() for name in [*table][: None if ALL else 1]]


def broken_command(source_ending, mistake, folder):
    source_text = source(source_ending)
    for right_text, wrong_text in BROKEN_TEXTS[source_ending][mistake].items():
        assert source_text.count(right_text) == 1, f"{right_text!r} occurs {source_text.count(right_text)} times in port.{source_ending}, expected once"
        source_text = source_text.replace(right_text, wrong_text)
    return build(source_ending, source_text, folder, ["-O2"])


def at_once(command, asked_cases):
    """The report on a port that is asked all cases at once, which is faster than one after the other."""
    return oracle.check(command, given=asked_cases, batch=True, compose=False)


@pytest.mark.parametrize(("source_ending", "mistake"), PORT_MISTAKES)
def test_a_mistake_in_a_port_is_named(source_ending, mistake, tmp_path):
    """Without LDA_TEST_ALL, one mistake of a port, in small cases of few algorithms."""
    case_selection, max_rows = (None, 100) if ALL else ("vb,cvb0,cgs,cvb", 30)
    port_cases = [case for case in cases(case_selection) if CLAIMED[source_ending](case) and len(case["corpus"]["n"]) <= max_rows]
    report = at_once(broken_command(source_ending, mistake, tmp_path), port_cases)
    assert {case_result.mistake for case_result in report.of("failed")} - {None} == {mistake}


@pytest.fixture(scope="module")
def fresh_cases():
    """The first kinds of case once, or all three times."""
    return oracle.fresh(3 * len(kinds()) if ALL else 24, seed=3)


@pytest.mark.parametrize("source_ending", MISSING)
def test_a_port_passes_fresh_cases(source_ending, commands, fresh_cases):
    report = at_once(commands(source_ending), fresh_cases)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= (50 if source_ending == "rs" else 150) * len(fresh_cases) // (3 * len(kinds()))


@pytest.mark.parametrize("source_ending", MISSING)
def test_the_sampler_test_passes_a_port(source_ending, commands):
    report = oracle.check(commands(source_ending), only="sampler/cgs", samplers=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= 4
