"""The example ports in C, JavaScript and Rust against the oracle: unbroken they pass, and their mistakes are named."""

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

from .helpers import ALL, ORACLE, cases

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


def steps(case):
    """Whether C and JavaScript answer a step: all of ten algorithms but many rows, and the bounds of the collapsed ones."""
    if case["operation"] in MORE_OPERATIONS or len(case["corpus"]["n"]) > 10_000:
        return False
    return case["algorithm"] in ALGORITHMS and (case["operation"] != "bound" or case["algorithm"] == "vb")


CLAIMED = {
    "c": lambda case: steps(case) or case["operation"] in IN_C,
    "js": steps,
    "rs": lambda case: (
        case["algorithm"] in ("cvb0", "cgs", "vb")
        and case["operation"] not in (*MORE_OPERATIONS, "summary")
        and case.get("schedule") not in ("block", "nested", "interleaved")
    ),
}


def build(port, source, folder, options=()):
    """The command of a port, from its source."""
    if MISSING[port]:
        pytest.skip(MISSING[port])
    path = folder / f"port.{port}"
    path.write_text(source, "utf-8")
    if port == "js":
        return [NODE, str(path)]
    command = {
        "c": [CC, "-std=c99", *options, "-o", str(folder / "port"), str(path), "-lm"],
        "rs": [RUSTC, "-O", "--edition", "2021", "-D", "warnings", "-o", str(folder / "port"), str(path)],
    }[port]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [str(folder / "port")]


def source(port):
    """The source of an unbroken port."""
    return (PORTS / f"port.{port}").read_text("utf-8")


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The unbroken ports, each built once."""
    built = {}

    def command_of(port):
        if port not in built:
            strict = ["-O2", "-Wall", "-Wextra", "-Werror"]
            built[port] = build(port, source(port), tmp_path_factory.mktemp(port), strict)
        return built[port]

    return command_of


# In PORTS.md: the line of each port, by the ending of its source
LISTED = dict(zip(("c", "rs", "js", "py", "arrays"), re.findall(r"^\| .* \| `lda-reference .*\n", (ORACLE / "PORTS.md").read_text("utf-8"), re.MULTILINE), strict=True))


def levels(report):
    """The levels that a port reached, the highest first, as PORTS.md has them."""
    reached = {r.algorithm: ", ".join(f"{n} ({name})" for name, n in r.in_order.items()) or str(r.level) for r in report.levels}
    numbers = sorted({*reached.values()} - {"0"}, reverse=True)
    return "; ".join(f"{n} in {', '.join(name for name in reached if reached[name] == n)}" for n in numbers)


# Unbroken ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", MISSING)
def test_a_port_fails_nothing_and_skips_nothing_that_it_claims(port, commands):
    command = commands(port)
    start = time.perf_counter()
    report = oracle.check(command, given=oracle.cases())
    seconds = time.perf_counter() - start
    passed, skipped = report.of("passed"), {r.id for r in report.of("skipped")}
    assert report.ok, str(report)
    assert skipped == {case["id"] for case in oracle.cases() if not CLAIMED[port](case)}
    assert len(passed) >= 100
    assert f"| {len(passed)} | {len(skipped)} | {levels(report)} |\n" in LISTED[port]
    assert seconds < 30  # 3 s on a machine that is not busy


def test_the_port_in_python_passes_what_is_listed():
    report = oracle.check([sys.executable, "-S", str(PORTS / "port.py")], given=oracle.cases())
    assert report.ok, str(report)
    counts = f"{len(report.of('passed'))} passed, 0 failed, {len(report.of('skipped'))} skipped"
    assert f'"message": "{version()}: {counts}"' in (ORACLE / "GUIDE.md").read_text("utf-8")
    assert f"| {len(report.of('passed'))} | {len(report.of('skipped'))} | {levels(report)} |\n" in LISTED["py"]
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
        assert f"| {len(report.of('passed'))} | {len(report.of('skipped'))} | {levels(report)} |\n" in LISTED["arrays"]


def test_the_port_in_arrays_passes_batches_of_several_cases():
    """Each case is asked with its topics turned around, too."""
    turned = []
    for c, n in itertools.product(cases("map,vb,cvb,cvb0"), (0, 1, 2)):
        if c["operation"] in ("update", "sweep", "predict") and c.get("schedule") in (None, "corpus") and len(c["corpus"]["n"]) < 20:
            c = c | {"id": f"{c['id']}/{n}", "state": {"gamma": [x[n:] + x[:n] for x in c["state"]["gamma"]]}}
            turned.append(c | {"expected": plain.answer(c)})
    report = oracle.check(arrays().Port("numpy"), given=turned, batch=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) == len(turned) > 200


def test_the_port_in_arrays_passes_with_jax():
    pytest.importorskip("jax")
    report = oracle.check(arrays().Port("jax", "single"), only="cvb0/sweep,vb/update", precision="single", batch=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) == 14


# Broken --------------------------------------------------------------------------------------------------------------

# Texts that occur once in the source of a port, each with the text that replaces it, by the mistake that this makes:
# some mistakes of each port, and those that no other test plants
BROKEN = json.loads((Path(__file__).parent / "broken.json").read_text("utf-8"))
PLANTED = [(port, name) for port, table in BROKEN.items() for name in [*table][: None if ALL else 4]]


def broken(port, name, folder):
    """The command of a port with a mistake."""
    text = source(port)
    for right, wrong in BROKEN[port][name].items():
        assert text.count(right) == 1, f"{right!r} occurs {text.count(right)} times in port.{port}, expected once"
        text = text.replace(right, wrong)
    return build(port, text, folder, ["-O2"])


def at_once(command, asked):
    """The report on a port that is asked all cases at once, which is faster than one after the other."""
    return oracle.check(command, given=asked, batch=True, compose=False)


@pytest.mark.parametrize(("port", "name"), PLANTED)
def test_a_mistake_in_a_port_is_named(port, name, tmp_path):
    """Without LDA_TEST_ALL, four mistakes of a port, in small cases of few algorithms."""
    asked, rows = (None, 100) if ALL else ("vb,cvb0,cgs,cvb", 30)
    claimed = [case for case in cases(asked) if CLAIMED[port](case) and len(case["corpus"]["n"]) <= rows]
    report = at_once(broken(port, name, tmp_path), claimed)
    assert {r.mistake for r in report.of("failed")} - {None} == {name}


# Fresh cases ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fresh():
    """Each kind of case once, or three times."""
    return oracle.fresh(519 if ALL else 90, seed=3)


@pytest.mark.parametrize("port", MISSING)
def test_a_port_passes_fresh_cases(port, commands, fresh):
    report = at_once(commands(port), fresh)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= (50 if port == "rs" else 150) * len(fresh) / 519


# Draws ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", MISSING)
def test_the_sampler_test_passes_a_port(port, commands):
    report = oracle.check(commands(port), only="sampler/cgs", samplers=True)
    assert report.ok, str(report)
    assert len(report.of("passed")) >= 4
