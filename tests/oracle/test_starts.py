"""The vectors of the starts: how they are made, that the package meets them, and that faults in a start are found."""

import itertools
import tomllib
from fractions import Fraction as F

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import oracle
from lda_reference.engine import Sums, draw, normalised, soft, starts
from lda_reference.engine.schedules import groups
from lda_reference.engine.starts import STARTS
from lda_reference.oracle import package
from lda_reference.oracle.asking import command, loading
from lda_reference.plain import answer

from .helpers import MISTAKES, ROOT, distance, file, run, statuses

CASES = [case for case in file("starts")["cases"] if case["operation"] == "start"]
TEXTS = file("starts")["mistakes"]
NAMES = [name for name in STARTS if name != "dirichlet"]


def of(name):
    return [case for case in CASES if case["start"] == name]


REJECTED = [case for case in file("starts")["cases"] if case["operation"] == "reject"]


# The plain text -----------------------------------------------------------------------------------------------------

SMALL = {
    "algorithm": "starts", "operation": "start", "K": 2, "prior": {"alpha": 0.5, "eta": [0.25, 0.75]},
    "corpus": {"j": [0, 0, 1], "w": [0, 1, 0], "n": [3, 1, 2], "D": 2, "W": 2},
}  # fmt: skip
BY_HAND = {
    "one-hot": ({"state": {"z": [0, 1, 1, 0, 1, 0]}}, [[F(1, 3), F(2, 3)], [1, 0], [F(1, 2), F(1, 2)]]),
    # phi_wk is [[1/4, 1/2], [3/4, 1/2]]
    "topics": ({"weights_wk": [[0.5, 2], [1.5, 2]]}, [[F(1, 3), F(2, 3)], [F(3, 5), F(2, 5)], [F(1, 3), F(2, 3)]]),
    # the counts plus 1 are [[3, 4], [1, 2]], so that phi_wk is [[3/4, 2/3], [1/4, 1/3]]
    "documents": ({"documents": [1, 0]}, [[F(9, 17), F(8, 17)], [F(3, 7), F(4, 7)], [F(9, 17), F(8, 17)]]),
    # rows 0 and 1 have the weights alpha eta_w / 1; then row 2 has 1/2 (13/4) / 4 and 1/2 (1/4) / 2, that is 13 to 2
    "incremental": ({"uniforms": [0.49, 0.5, 0.87]}, [[1, 0], [0, 1], [0, 1]]),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_starts_are_those_computed_by_hand(name):
    given, expected = BY_HAND[name]
    case = SMALL | given | {"id": "", "start": name}
    assert answer(case, F)["gamma"] == expected
    assert distance({"tolerance": {"gamma": {"absolute": 1e-15}}}, package.answer(case), {"gamma": expected}) <= 1


def test_incremental_draws_on_both_sides_of_a_boundary():
    case = SMALL | {"id": "", "start": "incremental", "uniforms": [0.49, 0.5, 0.86]}
    assert package.answer(case)["gamma"] == [[1, 0], [0, 1], [1, 0]]  # 0.86 < 13/15 < 0.87


def test_collapsed_is_ten_sweeps_of_cvb0_by_document():
    cvb0 = {"algorithm": "cvb0", "operation": "ten_sweeps", "schedule": "document"}
    for case in of("collapsed"):
        assert answer(case) == answer(case | cvb0)


def test_growing_is_sweeps_of_cvb0_on_corpora_of_some_documents():
    """Each part is a corpus of its own here; the plain text adds rows of zeros for the other documents."""
    for case in of("growing"):
        c, order, sizes = case["corpus"], case["order"], [-(-case["corpus"]["D"] // 2**i) for i in range(7)]
        gamma = dict(zip(rows_of(case, order[: sizes[6]]), case["first"], strict=True))
        for i in range(6, 0, -1):
            rows = rows_of(case, order[: sizes[i]])
            part = c | {name: [c[name][row] for row in rows] for name in ("j", "w", "n")}
            now = case | {"algorithm": "cvb0", "schedule": "document", "corpus": part}
            for _ in range(4):
                now |= {"operation": "sweep", "state": {"gamma": [gamma[row] for row in rows]}}
                gamma.update(zip(rows, answer(now)["gamma"], strict=True))
            now |= {"operation": "estimate", "state": {"gamma": [gamma[row] for row in rows]}}
            phi_wk = answer(now)["phi_wk"]
            for row in rows_of(case, order[sizes[i] : sizes[i - 1]]):
                x = phi_wk[c["w"][row]]
                gamma[row] = [v / sum(x) for v in x]
        assert distance(case, answer(case), {"gamma": [gamma[row] for row in range(len(c["n"]))]}) < 0.1


def rows_of(case, documents):
    return [row for row, j in enumerate(case["corpus"]["j"]) if j in documents]


# The file ------------------------------------------------------------------------------------------------------------


def test_every_start_that_computes_something_has_cases():
    assert {case["start"] for case in CASES} == set(NAMES)
    assert min(len(of(name)) for name in NAMES) >= 4
    for name in NAMES:
        assert [case["id"] for case in of(name)] == [f"starts/{name}/{i:03}" for i in range(1, len(of(name)) + 1)]


def test_each_document_is_a_block():
    assert all(case["corpus"]["D"] <= starts.BLOCKS for case in CASES)
    for case in of("growing"):
        c = lda.Corpus(*(case["corpus"][name] for name in ("j", "w", "n", "D", "W")))
        for size in starts.parts_of(c.D)[:-1]:
            part = starts.of_rows(starts.chosen(np.isin(np.arange(c.D), case["order"][:size]), c), c)
            assert len(list(groups(part, 8))) == len(np.unique(part.j))


def test_growing_has_few_and_many_documents():
    assert {1, 2, 3, 8, 9, 12} <= {case["corpus"]["D"] for case in of("growing")}


def test_draws_are_exact_and_tags_are_equations():
    known = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))
    for case in CASES:
        assert set(case["tags"]) <= known.keys()
        assert case["expected"].keys() == case["tolerance"].keys() == {"gamma"}
        assert (case["tolerance"]["gamma"]["absolute"] == 0) == (case["start"] == "incremental")


def test_mistakes_can_be_told_from_the_answer_and_from_one_another():
    for case in CASES:
        answers = [case["expected"], *(m["expected"] for m in case["mistakes"])]
        assert all(distance(case, a, b) > 99 for a, b in itertools.combinations(answers, 2)), case["id"]


def test_each_mistake_has_one_text_and_some_case():
    found = {m["name"] for case in CASES for m in case["mistakes"]}
    assert found <= MISTAKES.keys() | TEXTS.keys()
    assert found >= TEXTS.keys()
    assert not MISTAKES.keys() & TEXTS.keys()
    assert oracle.mistakes() == MISTAKES | TEXTS
    for name in NAMES:
        assert any(case["mistakes"] for case in of(name))


def test_the_commands_know_the_starts(capsys):
    assert run("list", "--only", "starts/collapsed") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [case["id"] for case in of("collapsed")]
    assert run("show", "starts/documents/001") == 0
    out = capsys.readouterr().out
    assert "start: \"documents\"\n" in out
    assert "documents: [2, 0, 1]\n" in out
    assert f"mistake one-not-added ({TEXTS['one-not-added']}): " in out


def test_an_export_has_the_starts(tmp_path):
    written, _ = command.export(tmp_path)
    assert "vectors/starts.json" in written


def test_the_starts_are_chosen_by_name_and_operation():
    assert oracle.cases("starts") == CASES + REJECTED == oracle.cases()[-len(CASES + REJECTED) :]
    assert oracle.cases(operation="start") == CASES
    assert oracle.cases("starts/one-hot") == of("one-hot")
    assert loading.STARTS == "starts"


# The package ---------------------------------------------------------------------------------------------------------


def test_the_package_meets_every_case():
    for case in CASES:
        got = package.answer(case)
        assert got.keys() == {"id", "gamma"}, got
        assert distance(case, got, case["expected"]) < 0.2, case["id"]


def test_the_package_refuses_what_is_not_legal_each_for_a_reason_of_its_own():
    reasons = []
    for case in REJECTED:
        got = package.answer(case)
        if "error" in case["expected"]:
            assert got.keys() == {"id", "error"}, case["id"]
            reasons.append((case["start"], got["error"]))
        else:
            assert distance(case, got, case["expected"]) < 0.2, case["id"]
    assert len(set(reasons)) == len(reasons) >= 12
    assert {case["start"] for case in REJECTED} == set(NAMES)


def test_an_unknown_start_is_refused():
    assert package.answer(CASES[0] | {"start": "best"})["error"].startswith("start is 'best', expected one-hot, topics")


# Faults --------------------------------------------------------------------------------------------------------------


def problem(case):
    p, c = case["prior"], {name: np.array(x) for name, x in case["corpus"].items()}
    return c, np.array(p["alpha"]), np.broadcast_to(p["eta"], c["W"])


def one_hot(case, pick=lambda topics: topics, normalise=soft):
    c, _, _ = problem(case)
    z, ends = np.array(case["state"]["z"]), c["n"].cumsum()
    rows = [z[end - n : end] for n, end in zip(c["n"], ends, strict=True)]
    return np.array([normalise(np.eye(case["K"])[pick(row)].sum(0)) for row in rows])


def topics(case, axis=0, normalise=soft):
    c, _, _ = problem(case)
    return normalise(normalised(np.array(case["weights_wk"]), axis)[c["w"]])


def documents(case, plus=1, counts=True, axis=0):
    c, _, _ = problem(case)
    weights_wk = np.full((int(c["W"]), case["K"]), float(plus))
    for k, d in enumerate(case["documents"]):
        here = c["j"] == d
        np.add.at(weights_wk[:, k], c["w"][here], c["n"][here] if counts else 1)
    with np.errstate(all="ignore"):
        return soft(normalised(weights_wk, axis)[c["w"]])


def by_document(case, gamma, new_row, own=1, together=True, late=False, counts=True, place=None):
    """gamma after new rows, from the sums before each document without `own` tokens of the row.

    Documents are taken in the order of `place`, which is the corpus by default; those with place inf are left out.
    """
    c, alpha, eta = problem(case)
    n = (c["n"] if counts else np.ones_like(c["n"]))[:, None]
    old = gamma.copy()
    place = c["j"] if place is None else place[c["j"]]
    order = np.argsort(place, kind="stable")
    for i in order[np.isfinite(place[order])]:
        j, w = c["j"][i], c["w"][i]
        before = (place < place[i]) if together else (place < place[i]) | ((place == place[i]) & (np.arange(len(n)) < i))
        seen = old if late else np.where(before[:, None], gamma, old)
        out, x = own * seen[i], n * seen
        N = Sums(x[c["j"] == j].sum(0) - out, x[c["w"] == w].sum(0) - out, x.sum(0) - out)
        gamma[i] = new_row(i, (N.jk + alpha) * (N.wk + eta[w]) / (N.k + eta.sum()))
    return gamma


def incremental(case, pick=draw, **how):
    def new_row(i, x):
        return np.eye(case["K"])[pick(x, case["uniforms"][i])]

    return by_document(case, np.zeros((len(case["uniforms"]), case["K"])), new_row, **how)


def collapsed(case, sweeps=10, **how):
    gamma = np.array(case["state"]["gamma"])
    for _ in range(sweeps):
        gamma = by_document(case, gamma, lambda i, x: soft(x), **how)
    return gamma


def growing(
    case, order=list, size=lambda D, i: -(-D // 2**i), sweeps=4, by_order=False, phi=None, later=False, last=1, **how
):
    """gamma of rows that are in no part yet is 0, so that the sums are those of the part."""
    c, _, eta = problem(case)
    place = np.argsort(order(case["order"]))
    gamma = np.zeros((len(c["n"]), case["K"]))
    gamma[place[c["j"]] < size(c["D"], 6)] = np.reshape(case["first"], (-1, case["K"]))
    for i in range(6, last - 1, -1):
        inside = place < size(c["D"], i)
        swept = np.where(inside, place if by_order else np.arange(c["D"]), np.inf)
        for _ in range(sweeps):
            gamma = by_document(case, gamma, lambda i, x: soft(x), place=swept, **how)
        weights_wk = np.repeat(eta[:, None], case["K"], 1)
        np.add.at(weights_wk, c["w"], (c["n"] if how.get("counts", True) else 1 + 0 * c["n"])[:, None] * gamma)
        fresh = (~inside & (later | (place < size(c["D"], i - 1))))[c["j"]]
        gamma[fresh] = (phi or by_columns)(weights_wk, eta)[c["w"][fresh]]
    return gamma


def by_columns(weights_wk, eta):
    """gamma of each word, proportional to phi_wk."""
    return soft(normalised(weights_wk, 0))


def without_eta(weights_wk, eta):
    with np.errstate(all="ignore"):
        return by_columns(weights_wk - eta[:, None], eta)


PLAIN = {"one-hot": one_hot, "topics": topics, "documents": documents, "incremental": incremental, "collapsed": collapsed, "growing": growing}
FAULTS = [
    ("one-hot", {"pick": lambda topics: topics[:1]}, "one-draw-for-row"),
    ("one-hot", {"normalise": np.asarray}, "row-not-normalised"),
    ("one-hot", {"pick": np.unique}, None),
    ("topics", {"axis": 1}, "phi-normalised-over-topics"),
    ("topics", {"normalise": np.asarray}, "row-not-normalised"),
    ("documents", {"plus": 0}, "one-not-added"),
    ("documents", {"counts": False}, "counts-of-rows"),
    ("documents", {"axis": 1}, "phi-normalised-over-topics"),
    ("documents", {"plus": 0.5}, None),
    ("incremental", {"late": True}, "sums-refreshed-late"),
    ("incremental", {"together": False}, "sums-refreshed-early"),
    ("incremental", {"counts": False}, "counts-of-rows"),
    ("incremental", {"pick": lambda x, u: len(x) - 1 - draw(x[::-1], u)}, "topics-added-backwards"),
    ("incremental", {"pick": lambda x, u: int(x.argmax())}, "most-probable-drawn"),
    ("incremental", {"pick": lambda x, u: draw(x, u * u)}, None),
    ("collapsed", {"own": 0}, "nothing-excluded"),
    ("collapsed", {"late": True}, "sums-refreshed-late"),
    ("collapsed", {"together": False}, "sums-refreshed-early"),
    ("collapsed", {"counts": False}, "counts-of-rows"),
    ("collapsed", {"sweeps": 9}, None),
    ("growing", {"own": 0}, "nothing-excluded"),
    ("growing", {"late": True}, "sums-refreshed-late"),
    ("growing", {"together": False}, "sums-refreshed-early"),
    ("growing", {"counts": False}, "counts-of-rows"),
    ("growing", {"phi": without_eta}, "estimates-without-prior"),
    ("growing", {"phi": lambda weights_wk, eta: soft(weights_wk)}, "phi-normalised-over-topics"),
    ("growing", {"order": sorted}, "order-ignored"),
    ("growing", {"order": np.argsort}, "order-inverted"),
    ("growing", {"by_order": True}, "swept-by-order"),
    ("growing", {"size": lambda D, i: max(1, D // 2**i)}, "parts-rounded-down"),
    ("growing", {"sweeps": 3}, "one-sweep-too-few"),
    ("growing", {"sweeps": 5}, "one-sweep-too-many"),
    ("growing", {"last": 0}, "whole-corpus-swept"),
    ("growing", {"later": True}, "later-documents-counted"),
    ("growing", {"phi": lambda weights_wk, eta: normalised(np.ones_like(weights_wk), -1)}, "next-rows-uniform"),
    ("growing", {"sweeps": 6}, None),
]


def port(changes):
    """A port with faults in some starts."""
    return lambda case: {"id": case["id"], "gamma": PLAIN[case["start"]](case, **changes.get(case["start"], {}))}


def test_plain_loops_meet_every_case():
    assert oracle.check(port({}), only="starts", operation="start").ok


@pytest.mark.parametrize(("name", "change", "mistake"), FAULTS)
def test_a_fault_in_a_start_is_found_and_named(name, change, mistake):
    """The cases of all starts are asked together: the right answers of the others do not hide the name."""
    report = oracle.check(port({name: change}), only="starts", operation="start")
    failed = report.of("failed")
    assert failed
    assert {r.id.split("/")[1] for r in failed} == {name}
    assert {r.mistake for r in failed} - {None} == ({mistake} - {None})
    if mistake:
        assert oracle.mistakes()[mistake] in str(report)


def test_a_port_may_skip_the_starts():
    report = oracle.check(lambda case: {"id": case["id"], "skip": "no starts"}, only="starts")
    assert not report.ok  # nothing passed
    assert statuses(report) == ["skipped"] * len(CASES + REJECTED)
