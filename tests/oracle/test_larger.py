"""The cases of larger corpora: programs that are right in all smaller cases fail them, and them alone."""

import math

import pytest

from lda_reference.oracle.changes.change import layer
from lda_reference.plain import Algorithm, Running, algorithm, answer

from .helpers import cases, distance, of_case

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


def test_blocks_are_those_of_the_definition():
    """Documents of 3, 1, 1, 5 and 2 rows, that begin at rows 0, 3, 4, 5 and 10 of 12."""
    corpus = {"j": [0] * 3 + [1, 2] + [3] * 5 + [4] * 2, "w": [0] * 12, "n": [1] * 12, "D": 5, "W": 1}
    case = {"algorithm": "cvb0", "corpus": corpus, "K": 1, "prior": {"alpha": 1, "eta": 1}}

    def blocks(B):
        return algorithm(case | {"blocks": B}).blocks()

    assert blocks(1) == {0}
    assert blocks(2) == {0, 10}  # the first document that begins at row 6 or later
    assert blocks(3) == {0, 4, 10}
    assert blocks(4) == {0, 3, 10}  # at row 3, 6 and 9 or later
    assert blocks(5) == {0, 3, 4, 5, 10}


# Sums that are never computed again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cvb", "cvb0"])
def test_sums_that_are_never_computed_again_are_found(name):
    """Sums that are computed in each sweep are well within the tolerance."""
    never_again = type("NeverAgain", (Running,), {"one_sweep": Algorithm.one_sweep})
    (case,) = (case for case in cases(f"{name}/summary") if max(case["corpus"]["n"]) > 10_000)
    assert distance(case, answer(case, float, Running), case["expected"]) < 0.1
    assert distance(case, answer(case, float, never_again), case["expected"]) > 1


# Other programs ------------------------------------------------------------------------------------------------------


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


def begins(self):
    return [i for i in range(self.M) if i == 0 or self.j[i] != self.j[i - 1]]


def unlimited(self, right):
    M, B = self.M, self.case["blocks"]
    return right() if B > self.D else {next((i for i in begins(self) if i * B >= b * M), 0) for b in range(B)}


def limited_by_rows(self, right):
    return set(begins(self)) if self.case["blocks"] >= len(begins(self)) else right()


SWEPT = ("vb/sweep", "vem/sweep", "cvb0/sweep")
FAULTS = {
    "as many blocks as documents are no limit": (
        {"blocks": unlimited}, SWEPT, ["vb/sweep/024", "vem/sweep/024", "cvb0/sweep/022"],
    ),
    "documents without rows are not counted": (
        {"blocks": limited_by_rows}, SWEPT, ["vb/sweep/025", "vem/sweep/025", "cvb0/sweep/023"],
    ),
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
