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


def build(ending, source, folder, options=()):
    """The command of a port, from its source."""
    if MISSING[ending]:
        pytest.skip(MISSING[ending])
    path = folder / f"port.{ending}"
    path.write_text(source, "utf-8")
    if ending == "js":
        return [NODE, str(path)]
    command = {
        "c": [CC, "-std=c99", *options, "-o", str(folder / "port"), str(path), "-lm"],
        "rs": [RUSTC, "-O", "--edition", "2021", "-D", "warnings", "-o", str(folder / "port"), str(path)],
    }[ending]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return [str(folder / "port")]


def source(ending):
    return (PORTS / f"port.{ending}").read_text("utf-8")


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The unbroken ports, each built once."""

    @functools.cache
    def command_of(ending):
        strict_options = ["-O2", "-Wall", "-Wextra", "-Werror"]
        return build(ending, source(ending), tmp_path_factory.mktemp(ending), strict_options)

    return command_of


# In PORTS.md: the line of each port, by the ending of its source
LINES = dict(zip(("c", "rs", "js", "py", "arrays"), re.findall(r"^\| .* \| `lda-reference .*\n", (ORACLE / "PORTS.md").read_text("utf-8"), re.MULTILINE), strict=True))


def cells_of(report):
    """The cells of PORTS.md: how many cases passed and were skipped, and the levels reached, the highest first."""
    level_of = {r.algorithm: ", ".join(f"{n} ({name})" for name, n in r.in_order.items()) or str(r.level) for r in report.levels}
    levels_reached = sorted({*level_of.values()} - {"0"}, reverse=True)
    levels = "; ".join(f"{n} in {', '.join(name for name in level_of if level_of[name] == n)}" for n in levels_reached)
    return f"| {len(report.of('passed'))} | {len(report.of('skipped'))} | {levels} |\n"


# Unbroken ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", MISSING)
def test_a_port_fails_nothing_and_skips_nothing_that_it_claims(ending, commands):
    command = commands(ending)
    start_time = time.perf_counter()
    report = oracle.check(command, given=oracle.cases())
    seconds = time.perf_counter() - start_time
    assert report.ok, str(report)
    assert {r.id for r in report.of("skipped")} == {case["id"] for case in oracle.cases() if not CLAIMED[ending](case)}
    assert len(report.of("passed")) >= 100
    assert cells_of(report) in LINES[ending]
    assert seconds < 30  # 3 s on a machine that is not busy


def test_the_port_in_python_passes_what_is_listed():
    report = oracle.check([sys.executable, "-S", str(PORTS / "port.py")], given=oracle.cases())
    assert report.ok, str(report)
    counts = f"{len(report.of('passed'))} passed, 0 failed, {len(report.of('skipped'))} skipped"
    assert f'"message": "{version()}: {counts}"' in GUIDE
    assert cells_of(report) in LINES["py"]
    assert f"with version {version()} of the vectors" in (ORACLE / "PORTS.md").read_text("utf-8")


def arrays():
    """The module of the port in array operations."""
    spec = importlib.util.spec_from_file_location("arrays", PORTS / "arrays.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("precision", ["double", "single"])
def test_the_port_in_arrays_passes_what_is_listed(precision):
    for port, batch in ((arrays().Port("numpy", precision), True), ([sys.executable, str(PORTS / "arrays.py"), "numpy", precision], False)):
        report = oracle.check(port, given=oracle.cases(), precision=precision, batch=batch)
        assert report.ok, str(report)
        assert cells_of(report) in LINES["arrays"]


def test_the_port_in_arrays_passes_batches_of_several_cases():
    """Each case is asked with its topics turned around, too."""
    turned_cases = []
    for c, n in itertools.product(cases("map,vb,cvb,cvb0"), (0, 1, 2)):
        if c["operation"] in ("update", "sweep", "predict") and c.get("schedule") in (None, "corpus") and len(c["corpus"]["n"]) < 20:
            c = c | {"id": f"{c['id']}/{n}", "state": {"gamma": [x[n:] + x[:n] for x in c["state"]["gamma"]]}}
            turned_cases.append(c | {"expected": plain.answer(c)})
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


def broken_command(ending, mistake, folder):
    text = source(ending)
    for right, wrong in BROKEN_TEXTS[ending][mistake].items():
        assert text.count(right) == 1, f"{right!r} occurs {text.count(right)} times in port.{ending}, expected once"
        text = text.replace(right, wrong)
    return build(ending, text, folder, ["-O2"])


def at_once(command, cases_asked):
    """The report on a port that is asked all cases at once, which is faster than one after the other."""
    return oracle.check(command, given=cases_asked, batch=True, compose=False)


@pytest.mark.parametrize(("ending", "mistake"), PORT_MISTAKES)
def test_a_mistake_in_a_port_is_named(ending, mistake, tmp_path):
    """Without LDA_TEST_ALL, one mistake of a port, in small cases of few algorithms."""
    selection, max_rows = (None, 100) if ALL else ("vb,cvb0,cgs,cvb", 30)
    port_cases = [case for case in cases(selection) if CLAIMED[ending](case) and len(case["corpus"]["n"]) <= max_rows]
    report = at_once(broken_command(ending, mistake, tmp_path), port_cases)
    assert {r.mistake for r in report.of("failed")} - {None} == {mistake}


# Fresh cases ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fresh_cases():
    """The first kinds of case once, or all three times."""
    return oracle.fresh(519 if ALL else 24, seed=3)


@pytest.mark.parametrize("ending", MISSING)
def test_a_port_passes_fresh_cases(ending, commands, fresh_cases):
    report = at_once(commands(ending), fresh_cases)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= (50 if ending == "rs" else 150) * len(fresh_cases) / 519


# Draws ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", MISSING)
def test_the_sampler_test_passes_a_port(ending, commands):
    report = oracle.check(commands(ending), only="sampler/cgs", samplers=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= 4
