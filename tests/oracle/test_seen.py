"""Mistakes that were seen in public code: ports that make them, written for these tests, are caught and named."""

import re
import subprocess
from pathlib import Path

import pytest

from lda_reference import oracle

from .helpers import MISTAKES, ROOT, cases, mistaken
from .ports import seen
from .test_ports import PORTS, build, checked

C = Path(seen.__file__).with_suffix(".c")
SEEN_IN = {name: text.partition("; as in ")[2] for name, text in MISTAKES.items() if "; as in " in text}


def asked(where):
    """The cases of some kinds that are small."""
    return [case for case in cases(where) if len(case["corpus"]["n"]) <= 30]


def names(report):
    """How many failed cases each mistake is named in."""
    found = [r.mistake for r in report.of("failed")]
    return {name: found.count(name) for name in found}


# In Python -----------------------------------------------------------------------------------------------------------


def test_the_port_without_a_mistake_passes():
    report = oracle.check(seen.port(), given=asked(",".join(seen.WHERE.values())))
    assert report.ok, str(report)
    assert len(report.of("passed")) >= 75


@pytest.mark.parametrize("name", seen.WHERE)
def test_a_mistake_is_named_wherever_it_can_be_told_from_others(name):
    for kind in seen.WHERE[name].split(","):
        report = oracle.check(seen.port(name), given=asked(kind), compose=False)
        answered = {r.id for r in report.results if r.status != "skipped"}
        told = {case["id"] for case in asked(kind) if name in mistaken(case["id"])} & answered
        assert {r.id for r in report.of("failed") if r.mistake == name} >= told != set(), kind
        assert names(report).keys() <= {name, None}, kind


def test_each_new_mistake_is_listed_in_two_cases_of_each_kind():
    for name, where in seen.WHERE.items():
        for kind in where.split(","):
            assert sum(name in mistaken(case["id"]) for case in asked(kind)) >= 2, (name, kind)


# The places ----------------------------------------------------------------------------------------------------------


def test_places_are_in_the_sentences_and_in_the_report():
    assert len(SEEN_IN) == 23
    for place in SEEN_IN.values():
        assert re.fullmatch(r"[\w-]+/[\w-]+ [\w.-]+, [\w/.-]+:\d+", place), place
    report = oracle.check(seen.port("entropy-subtracted"), given=cases("vb/bound/001"))
    said = "the entropy of q(z) is subtracted: TNW06 (2)(12) add it; as in budgefeeney/sidetopics fd25e0c, "
    assert f"one gets when {said}sidetopics/model/lda_cvb.py:465 [entropy-subtracted]" in str(report)


def test_repositories_are_those_of_the_table_of_public_implementations():
    wild = (ROOT / "figures" / "WILD.md").read_text("utf-8")
    not_asked = {"slycoder/R-lda"}  # read alone
    assert {place.split()[0] for place in SEEN_IN.values()} - not_asked <= set(re.findall(r"[\w-]+/[\w-]+", wild))


# In C ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    """The command of the port in C."""
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-I", str(PORTS)]
    return build("c", C.read_text("utf-8"), tmp_path_factory.mktemp("seen"), options)


def test_the_port_in_c_passes_without_a_mistake(in_c):
    report = checked(in_c, asked(",".join(seen.WHERE.values())))
    assert report.ok, str(report)
    assert len(report.of("passed")) >= 75


def test_mistakes_in_c_are_named(in_c):
    done = subprocess.run([*in_c, "list"], capture_output=True, text=True, check=True)
    planted = done.stdout.split()
    assert len(planted) >= 8
    for name in planted:
        found = names(checked([*in_c, name], asked(seen.WHERE[name])))
        assert found.get(name, 0) >= 2, name
        assert found.keys() <= {name, None}, (name, found)
