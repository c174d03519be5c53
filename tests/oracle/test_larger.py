"""The cases of larger corpora: programs that are right in all smaller cases fail them, and them alone."""

import functools
import math

import pytest

from lda_reference import oracle
from lda_reference.oracle.changes.change import layer
from lda_reference.oracle.changes.mistaken import mistaken_answer
from lda_reference.oracle.changes.named import sweeps
from lda_reference.plain import answer
from lda_reference.plain.updates import SAMPLERS

from .helpers import CERTIFIED, MISTAKES, cases, distance, mistaken

MEETING = "lda/coherence_umass", "lda/coherence_npmi"


def failed(change, given):
    """The ids of the cases that the plain text fails with a change of some methods, or of the case."""
    faulty = layer(change)

    def wrong(case):
        try:
            return distance(case, answer(case, float, faulty), case["expected"]) > 1
        except (ArithmeticError, ValueError):
            return True

    return [case["id"] for case in given if "error" not in case["expected"] and wrong(case)]


# Blocks --------------------------------------------------------------------------------------------------------------


def by_documents(starts):
    """Blocks that begin with documents of some places, which follow from the number of documents and B."""

    def blocks(self, right):
        wanted = starts(self.D, self.case["blocks"])
        return {0} | {next((i for i in range(self.M) if self.j[i] >= d), 0) for d in wanted}

    return {"blocks": blocks}


def begins(self):
    return [i for i in range(self.M) if i == 0 or self.j[i] != self.j[i - 1]]


def by_rows(places, limit=lambda self: self.case["blocks"] >= self.D):
    """Blocks that begin with the first documents at or beyond some places; if `limit` holds, each document is one."""

    def blocks(self, right):
        if limit(self):
            return set(begins(self))
        first = (next((i for i in begins(self) if i >= place), 0) for place in places(self.M, self.case["blocks"]))
        return {0} | set(first)

    return {"blocks": blocks}


def never_empty(self, right):
    if self.case["blocks"] >= self.D:
        return right()
    found = [0]
    for b in range(1, self.case["blocks"]):
        found += [i for i in begins(self) if i * self.case["blocks"] >= b * self.M and i > found[-1]][:1]
    return set(found)


def filled(self, right):
    if self.case["blocks"] >= self.D:
        return right()
    found = [0]
    for i in begins(self):
        found += [i] if (i - found[-1]) * self.case["blocks"] >= self.M else []
    return set(found)


def quotients(M, B):
    return [b * M / B for b in range(B)]


DIVISIONS = {
    "documents, rounded up": by_documents(lambda D, B: [-(-b * D // B) for b in range(B)]),
    "documents, rounded to the nearest": by_documents(lambda D, B: [round(b * D / B) for b in range(B)]),
    "rows, rounded to the nearest": by_rows(lambda M, B: [round(b * M / B) for b in range(B)]),
    "rows, the first blocks have one more": by_rows(lambda M, B: [b * (M // B) + min(b, M % B) for b in range(B)]),
    "an empty block takes the next document": {"blocks": never_empty},
    "a block ends when it has its share of rows": {"blocks": filled},
}
LIMITS = {
    "as many blocks as documents are no limit": (
        lambda self: self.case["blocks"] > self.D,
        "as many blocks as documents",
    ),
    "documents without rows are not counted": (
        lambda self: self.case["blocks"] >= len(begins(self)),
        "as many blocks as documents that have rows, and fewer than documents",
    ),
}


@functools.cache
def in_blocks():
    return [case for case in cases() if case.get("schedule") == "block" and "error" not in case["expected"]]


@pytest.mark.parametrize("name", DIVISIONS)
def test_a_wrong_division_into_blocks_fails_in_each_algorithm(name):
    ids = failed(DIVISIONS[name], in_blocks())
    uneven = [case["id"] for case in in_blocks() if "uneven" in case["note"]]
    assert {id.split("/")[0] for id in uneven} == {*CERTIFIED} - {*SAMPLERS}
    assert {*uneven} <= {*ids}
    assert len(failed({}, in_blocks())) == 0


@pytest.mark.parametrize("name", LIMITS)
def test_a_wrong_limit_of_the_number_of_blocks_is_found_by_one_case_alone(name):
    limit, note = LIMITS[name]
    found = [case for case in in_blocks() if case["id"] in failed(by_rows(quotients, limit), in_blocks())]
    assert [case["note"] for case in found] == [note] * 3


@pytest.mark.parametrize("mistake", sweeps.block.mistakes)
@pytest.mark.parametrize("name", ["vb", "cvb1d"])
def test_a_known_division_is_named(mistake, name):
    sweeps_by_id = {case["id"]: case for case in cases(f"{name}/sweep")}

    def port(question):
        case = sweeps_by_id[question["id"]]
        wrong = mistaken_answer(case, mistake) if case["schedule"] == "block" else None
        return {"id": case["id"], **(wrong or case["expected"])}

    report = oracle.check(port, given=sweeps_by_id.values())
    assert {r.mistake for r in report.of("failed")} == {mistake}
    assert MISTAKES[mistake] in str(report)


# Draws ---------------------------------------------------------------------------------------------------------------


def strict(self, right, x, u):
    """The draw by < instead of <=."""
    total, found, partial = sum(x), 0, 0
    for v in x[:-1]:
        partial += v
        found += partial < u * total
    return found


def drawing(where):
    """A port that draws by < in some cases."""
    faulty = layer({"drawn": strict})

    def port(case):
        return {"id": case["id"], **answer(case, float, *([faulty] if where(case) else []))}

    return port


def tied(only):
    return [case for case in cases(only) if "tie" in case["flags"]]


@pytest.mark.parametrize("only", ["gibbs/draw", "cgs/sweep"])
def test_draws_by_less_are_named_in_each_case_that_tells_them_from_other_mistakes(only):
    report = oracle.check(drawing(lambda case: True), given=cases(only))
    named = [r.id for r in report.of("failed") if r.mistake == "draw-strict"]
    assert {*named} >= {case["id"] for case in tied(only) if "draw-strict" in mistaken(case["id"])}
    assert len(named) >= 3
    assert {r.mistake for r in report.of("failed")} <= {"draw-strict", None}


@pytest.mark.parametrize("case", [*tied("gibbs/draw"), *tied("cgs/sweep")], ids=lambda case: case["id"])
def test_a_single_tie_is_not_named(case):
    only = case["id"].rpartition("/")[0]
    report = oracle.check(drawing(lambda other: other["id"] == case["id"]), given=cases(only))
    assert [(r.id, r.mistake) for r in report.of("failed")] == [(case["id"], None)]


# Other programs ------------------------------------------------------------------------------------------------------


def of_case(f):
    return {"__init__": lambda self, right, case, numbers: right(f(case), numbers)}


def of_corpus(name, f):
    return of_case(lambda case: case | {"corpus": case["corpus"] | {name: [f(x) for x in case["corpus"][name]]}})


def product(self, right, p, n):
    return math.prod(x**c for x, c in zip(p, n, strict=True)) ** (-1 / sum(n))


def density_of_products(self, right, u):
    theta, phi = self.theta_and_phi(u)
    p = [sum(a * b for a, b in zip(theta[j], phi[w], strict=True)) for j, w in zip(self.j, self.w, strict=True)]
    priors = sum(x for table in self.each(self.log_prior, self.priors(), u) for row in table for x in row)
    return math.log(math.prod(x**n for x, n in zip(p, self.n, strict=True))) + priors


def power(self, right, x, a, N):
    rows = zip(x, a, N, strict=True)
    return math.log(math.prod(v ** self.exponent(b, n) for row in rows for v, b, n in zip(*row, strict=True)))


def soon_at_rest(self, right, gamma):
    """A nested sweep that ends when the mean change is below 1/1000."""
    new, self.held = self.first_of_nested(gamma), gamma
    for _ in range(self.case["inner"]):
        old, new = new, [self.assigned(self.weights(new, i), i) for i in range(self.M)]
        changes = [abs(a - b) for x, y in zip(old, new, strict=True) for a, b in zip(x, y, strict=True)]
        if sum(changes) < len(changes) / 1000:
            break
    self.held = None
    return new


def of_theta(self, right, q):
    return all(x > 0 for x in q[0])


FAULTS = {
    "log Gamma is the logarithm of Gamma": (
        {"log_gamma": lambda self, right, x: math.log(math.gamma(x))},
        ("vb/elbo", "lda/log_joint", "lda/document_evidence"),
        ["vb/elbo/008", "lda/log_joint/008", "lda/document_evidence/008"],
    ),
    "the perplexity is a power of the product of all probabilities": (
        {"perplexity": product},
        ("map/predict", "vb/predict", "gibbs/predict", "cgs/predict", "cvb0/predict"),
        [f"{name}/predict/008" for name in ("map", "vb", "gibbs", "cgs", "cvb0")],
    ),
    "a product of probabilities": ({"log_density": density_of_products}, ("hmc/gradient",), ["hmc/gradient/008"]),
    "a product of powers": ({"log_power": power}, ("lda/full_log_joint",), ["lda/full_log_joint/008"]),
    "counts in 8 bits": (
        of_corpus("n", lambda n: n & 255),
        ("vb/e_step", "vb/m_step", "cvb0/fold_in", "lda/log_joint", "sgrld/langevin", "starts/growing"),
        [
            "vb/e_step/011", "vb/m_step/008", "cvb0/fold_in/008", "lda/log_joint/008", "sgrld/langevin/008",
            "starts/growing/009",
        ],
    ),
    "documents as bits of 64": (
        {"documents_of": lambda self, right, v: {j % 64 for j in right(v)}}, MEETING, [f"{x}/016" for x in MEETING],
    ),
    "numbers of documents in 8 bits": (
        {"alone": lambda self, right, v: right(v) & 255}, MEETING, [f"{x}/016" for x in MEETING],
    ),
    "ten words at most": (
        {"best_words": lambda self, right, k: right(k)[:10]}, MEETING, [f"{x}/016" for x in MEETING],
    ),
    "one document begins": (
        {"part": lambda self, right, doublings: right(doublings)[: 1 if doublings == 6 else None]},
        ("starts/growing",),
        ["starts/growing/009"],
    ),
    "steps until little changes": (
        {"nested_sweep": soon_at_rest}, ("vb/sweep", "vem/sweep"), ["vb/sweep/026", "vem/sweep/026"],
    ),
    "the parameters of theta alone are to be positive": ({"proper": of_theta}, ("ep/step",), ["ep/step/011"]),
    "three samples": (
        {"samples": lambda self, right, gamma: right(gamma)[:3]}, ("cvb1s",), ["cvb1s/sweep/020"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_program_that_is_right_in_smaller_cases_fails_a_larger_one(name):
    change, only, expected = FAULTS[name]
    given = [case for case in cases(list(only)) if len(case["corpus"]["n"]) <= 500 and case["K"] < 100]
    assert failed(change, given) == sorted(expected, key=[case["id"] for case in given].index)
