"""The vectors: the package meets them, and the answers of mistakes are those of broken algorithms."""

import itertools
import math
import re
import tomllib
from collections import Counter
from functools import partial

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import convolution, vb
from lda_reference.engine import soft
from lda_reference.oracle import package

from .. import planted
from ..helpers import changed
from .helpers import CERTIFIED, MISTAKES, ROOT, distance, every_case, file, shape

# The package and the vectors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CERTIFIED)
def test_the_package_meets_every_case(name):
    worst = 0.0
    for case in file(name)["cases"]:
        got = package.answer(case)
        if "error" in case["expected"]:
            assert got.keys() == {"id", "error"}, case["id"]
            continue
        assert got.keys() == {"id", *case["expected"]}, (case["id"], got)
        off = distance(case, got, case["expected"])
        assert off <= 1, (case["id"], off)
        worst = max(worst, off)
    assert worst < 0.2  # the tolerances leave room to others that add in another order


def test_convolution_meets_the_vectors_of_exact_cvb():
    """`convolution` has no vectors of its own: it computes the update of cvb_exact, in `token` order."""
    met = Counter()
    for case in file("cvb_exact")["cases"]:
        if case["operation"] == "update":
            _, s, c, p = package.read(case)
            got = {"gamma_k": soft(convolution.weights_of_row(s.gamma, c, p, case["row"])).tolist()}
        elif case.get("schedule", "token") == "token":
            got = package.answer(case | {"algorithm": "convolution"})
        else:
            continue
        met[case["operation"]] += 1
        if "error" in case["expected"]:
            assert got.keys() == {"id", "error"}, case["id"]
        else:
            assert distance(case, got, case["expected"]) <= 1, case["id"]
    assert met.keys() == {case["operation"] for case in file("cvb_exact")["cases"]}
    assert met["sweep"] >= 8
    assert met["update"] >= 8


def test_inputs_are_refused_each_for_its_own_reason():
    """Each is refused for a reason of its own."""
    for name in CERTIFIED:
        cases = [case for case in file(name)["cases"] if "error" in case["expected"]]
        reasons = [package.answer(case)["error"] for case in cases]
        assert len(set(reasons)) == len({case["note"] for case in cases}) == len(cases)


@pytest.mark.parametrize("case", file("samplers")["cases"], ids=lambda case: case["id"])
def test_co_assignments_are_those_of_enumeration(case):
    of = case["corpus"]
    c = lda.Corpus(of["j"], of["w"], of["n"], of["D"], of["W"])
    e = lda.exact.posterior(c, case["K"], lda.Prior(**case["prior"]))
    np.testing.assert_allclose(case["together"], e.together, rtol=0, atol=1e-12)
    for name, x in case["mistakes"].items():
        assert name in MISTAKES
        np.testing.assert_allclose(x, np.transpose(x), atol=1e-14)
        np.testing.assert_allclose(np.diag(x), 1, atol=1e-12)
        differs = np.abs(np.subtract(x, e.together)).max()
        if "topics" in case:
            of_topics = case["mistaken_topics"][name]
            np.testing.assert_allclose(np.sum(of_topics, 1), 1, atol=1e-12)
            differs = max(differs, np.abs(np.subtract(of_topics, e.gamma)).max())
        assert differs > 1e-6
    assert ("topics" in case) == isinstance(case["prior"]["alpha"], list) == ("mistaken_topics" in case)
    if "topics" in case:
        np.testing.assert_allclose(case["topics"], e.gamma, rtol=0, atol=1e-12)
        assert case["mistaken_topics"].keys() == case["mistakes"].keys() >= {"alpha-reversed"}
    answer = package.answer(case | {"draws": 50, "seed": 1})
    assert shape(answer["z"]) == (50, c.N)
    assert set(np.ravel(answer["z"])) <= set(range(case["K"]))


CHAINS = {
    "nothing-excluded": {"excludes": "nothing"},
    "topic-count-not-excluded": {"excludes_k": "nothing"},
    "all-copies-excluded": {"excludes": "type"},
    "sums-refreshed-late": {"late": True},
    "one-draw-for-row": {"rows": True},
    "draw-off-by-one": {"pick": planted.off_by_one},
    "draw-unnormalised": {"pick": planted.unnormalised},
}


SAMPLED = [case for case in file("samplers")["cases"] if case["algorithm"] == "cgs"][:2]


def test_every_mistaken_chain_shows_on_these_corpora():
    """One draw for a row is a mistake only where some count is above 1, in the second corpus."""
    assert [sorted(CHAINS.keys() - case["mistakes"].keys()) for case in SAMPLED] == [["one-draw-for-row"], []]


@pytest.mark.parametrize(("name", "number"), [(x, i) for i in (0, 1) for x in CHAINS if x in SAMPLED[i]["mistakes"]])
def test_stationary_laws_are_kept_by_mistaken_samplers(name, number):
    """By 4000 chains of 40 sweeps, with a mistake planted in another implementation."""
    case = SAMPLED[number]
    of, p, rng = case["corpus"], lda.Prior(**case["prior"]), np.random.default_rng(0)
    c = lda.Corpus(of["j"], of["w"], of["n"], of["D"], of["W"])
    s = planted.CGS.init(c, case["K"], p, rng=rng, replicates=4000)
    for _ in range(40):
        s = planted.collapsed(planted.CGS, s, c, p, rng, **CHAINS[name])
    together = (s.z[:, None] == s.z[None]).mean(-1)
    assert np.abs(together - case["mistakes"][name]).max() < 5 * 0.5 / math.sqrt(4000)


# The mistakes --------------------------------------------------------------------------------------------------------


def test_mistakes_can_be_told_from_the_answer_and_from_one_another():
    for case in every_case():
        answers = [case["expected"], *(m["expected"] for m in case["mistakes"])]
        assert len({m["name"] for m in case["mistakes"]}) == len(case["mistakes"])
        for a, b in itertools.combinations(answers, 2):
            assert distance(case, a, b) > 99, case["id"]


def test_every_mistake_is_found_by_some_case():
    found = {m["name"] for case in every_case() for m in case["mistakes"]}
    found |= {name for case in file("samplers")["cases"] for name in case["mistakes"]}
    found |= {m["name"] for case in file("operations")["cases"] for m in case["mistakes"]}
    assert found == MISTAKES.keys()
    assert len(MISTAKES) >= 25


ALL = lda.ALGORITHMS
CVB0 = ALL["cvb0"]
SMOOTHED = changed(CVB0, excludes="nothing")


def with_W(c):
    return planted.with_value(CVB0, topic=lambda a, N_k: N_k + c.W)


def less_a_half(a, N):
    return N + a - 0.5


# (algorithm, mistake): the broken algorithm, or a function from the corpus to it
BROKEN = {
    ("cvb0", "nothing-excluded"): SMOOTHED,
    ("cvb0", "W-for-W-eta"): with_W,
    ("cvb0", "no-topic-term"): planted.with_value(CVB0, topic=lambda a, N_k: np.ones(())),
    ("cvb0", "eta-forgotten"): planted.with_value(CVB0, word=lambda a, N_wk: N_wk, topic=lambda a, N_k: N_k),
    ("cvb0", "alpha-averaged"): planted.with_value(CVB0, document=lambda a, N_jk: N_jk + np.mean(a)),
    ("cvb", "variance-left-out"): CVB0,
    ("cvb", "nothing-excluded"): changed(ALL["cvb"], excludes="nothing"),
    ("cvb_exact", "gaussian-for-exact"): ALL["cvb"],
    ("cvb_exact", "log-of-mean"): CVB0,
    ("cvb1", "second-order-for-exact"): ALL["cvb1d"],
    ("cvb1", "cvb0-topic-term"): CVB0,
    ("cvb1d", "cvb0-topic-term"): CVB0,
    ("tcvb0", "one-token-excluded"): CVB0,
    ("tcvb0", "nothing-excluded"): SMOOTHED,
    ("vb", "half-subtracted"): planted.with_value(
        vb.APPROXIMATE, document=less_a_half, word=less_a_half, topic=less_a_half
    ),
    ("vem", "vb-for-vem"): ALL["vb"],
    ("ml", "prior-used"): SMOOTHED,
    ("map", "prior-without-minus-one"): SMOOTHED,
}


@pytest.mark.parametrize(("name", "mistake"), BROKEN)
def test_mistaken_sweeps_are_those_of_broken_algorithms(name, mistake):
    """Planted in the package, from outside, mistakes give what the second evaluator says that they give."""
    found = 0
    for case in file(name)["cases"]:
        wrong = [m["expected"] for m in case["mistakes"] if m["name"] == mistake]
        if case["operation"] not in ("sweep", "ten_sweeps") or not wrong:
            continue
        _, s, c, p = package.read(case)
        A = BROKEN[name, mistake]
        A = A(c) if callable(A) else A
        for _ in range(10 if case["operation"] == "ten_sweeps" else 1):
            s = A.sweep(s, c, p, schedule=case["schedule"])
        assert distance(case, {"gamma": s.gamma.tolist()}, wrong[0]) <= 1, case["id"]
        found += 1
    assert found


@pytest.mark.parametrize(
    ("mistake", "change"), [*CHAINS.items(), ("topics-from-one", None), ("draw-strict", {"pick": "strict"})]
)
def test_mistaken_draws_are_those_of_broken_samplers(mistake, change):
    def strict(x, u):
        partial_sums = x.cumsum(-1)
        return (partial_sums[..., :-1] < (u * partial_sums[..., -1])[..., None]).sum(-1)

    change = {"pick": strict} if change == {"pick": "strict"} else change or {}
    found = 0
    for case in file("cgs")["cases"]:
        wrong = [m["expected"] for m in case["mistakes"] if m["name"] == mistake]
        if case["operation"] != "sweep" or not wrong:
            continue
        A, s, c, p = package.read(case)
        u = np.array(case["uniforms"])
        s = partial(planted.collapsed, A, **change)(s, c, p, None, uniforms=u)
        assert (s.z + (mistake == "topics-from-one")).tolist() == wrong[0]["z"], case["id"]
        found += 1
    assert found


# The files -----------------------------------------------------------------------------------------------------------


def test_ids_name_algorithm_and_operation():
    for case in every_case():
        assert case["id"].rsplit("/", 1)[0] == f"{case['algorithm']}/{case['operation']}"
        assert case["expected"].keys() == case["tolerance"].keys() or case["operation"] == "reject"
        if "z" in case["expected"] or "topic" in case["expected"]:
            assert [t["absolute"] for t in case["tolerance"].values()] == [0]


def test_tags_are_equations():
    known = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))
    assert {tag for case in every_case() for tag in case["tags"]} <= known.keys()
    text = " ".join(MISTAKES.values())
    keys = re.findall(r"(TNW06|AWST09|SOL14|SN12) ((?:\(\d+\))+(?:-\(\d+\))?(?:\(\d+\))*)", text)
    last = {"TNW06": 20, "AWST09": 16, "SOL14": 29, "SN12": 55}
    assert keys
    assert all(1 <= int(n) <= last[key] for key, numbers in keys for n in re.findall(r"\d+", numbers))
