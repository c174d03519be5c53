"""The planted mistakes, in Python and in C: each fails some case, and without one all pass."""

import subprocess
from pathlib import Path

import pytest

from lda_reference import oracle

from .claims import refuted
from .helpers import ALL, cases
from .ports import planted
from .ports.planted import PLANTED
from .test_ports import PORTS, build, checked

C = Path(planted.__file__).with_suffix(".c")
PAIRS_IN_C = ("half-copied+whole-W-eta", "float-product+words-modulo-four", "first-topics-sum+float-logs")


def asked(algorithms):
    return [case for case in cases(algorithms) if case["operation"] in planted.OPERATIONS]


def test_the_port_without_a_mistake_passes():
    names = sorted({name for mistake in PLANTED.values() for name in mistake.algorithms})
    report = oracle.check(planted.port(), given=asked(names))
    assert report.ok, str(report)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_fails_some_case(name):
    assert oracle.check(planted.port(name), given=asked(PLANTED[name].algorithms), compose=False).of("failed")


def test_enough_mistakes_are_planted():
    assert len(PLANTED) >= 60
    assert sum(len(mistake.layers) > 1 for mistake in PLANTED.values()) >= 12


# In C ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    """The command of the port, and what it says of its mistakes: ids, algorithms, truths."""
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-I", str(PORTS)]
    command = build("c", C.read_text("utf-8"), tmp_path_factory.mktemp("planted"), options)
    done = subprocess.run([*command, "list"], capture_output=True, text=True, check=True)
    return command, [line.split("\t") for line in done.stdout.splitlines()]


def small(algorithms):
    return [case for case in asked(algorithms) if len(case["corpus"]["n"]) <= 100]


def test_the_port_in_c_passes_without_a_mistake(in_c):
    report = checked(in_c[0], small(("cvb0", "vb", "map")))
    assert report.ok, str(report)


def test_each_planted_mistake_in_c_fails_some_case_and_every_sentence_is_true(in_c):
    """Without LDA_TEST_ALL, no compositions are searched."""
    command, mistakes = in_c
    algorithms = {name: of.split() for name, of, _ in mistakes}
    assert len(algorithms) >= 15
    for name in (*algorithms, *PAIRS_IN_C):
        given, answers = small(algorithms[name.split("+")[0]]), {}
        report = checked([*command, name], given, answers, compose=ALL)
        print(name, len(report.of("failed")), len(report.of("passed")))
        assert report.of("failed"), name
        assert refuted(report, {case["id"]: case for case in given}, answers) == [], name
