"""Cases for errors that few other cases see, or none: each of them fails at least three vectors.

Small numbers that are clamped from below, logarithms with one maximum for all rows, numbers of single precision in
draws, documents of one token or none, a word ten times in a document, sweeps that end by their mean change. The cases
follow those of their kind, from which they have their equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lda_reference.oracle.fresh.inputs import Documents, corpus, flags, prior
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import COLLAPSED, SAMPLERS

from .plan import Problem

Added = tuple[str, Problem, dict[str, Any]]  # what the id begins with, and the other fields


def with_blind_cases(cases: list[Case]) -> list[Case]:
    """The cases, and after the last one of each kind those that are added to it."""
    kinds = [case["id"].rpartition("/")[0] for case in cases]
    new: dict[str, list[Case]] = {kind: [] for kind in kinds}
    alike = dict(zip(kinds, cases, strict=True))
    for kind, problem, fields in (entry for entry in added() if entry[0] in new):
        id = f"{kind}/{kinds.count(kind) + len(new[kind]) + 1:03d}"
        new[kind].append(case_of(id, problem, fields, alike[kind]))
    return [x for kind, case in zip(kinds, cases, strict=True) for x in (case, *(new[kind] if case is alike[kind] else ()))]


def case_of(id: str, problem: Problem, fields: dict[str, Any], alike: Case) -> Case:
    """A case; `alike` is another one of its kind. Rows or tokens may be certain of their `topics`."""
    same = {name: alike[name] for name in ("version", "algorithm", "operation", "start", "tags") if name in alike}
    name, (note, documents, W, K, alpha, eta) = alike["algorithm"], problem
    if "topics" in fields:
        certain = [[float(k == topic) for k in range(K)] for topic in fields["topics"]]
        state = {"z": fields["topics"]} if name in SAMPLERS else {"gamma": certain}
        fields = {"state": state, **{field: x for field, x in fields.items() if field != "topics"}}
    case: Case = {"id": id, **same, "flags": [], "note": note, "corpus": corpus(name, documents, W)}
    case |= {"K": K, "prior": prior(name, alpha, eta), **fields}
    return case | {"flags": flags(case)}


def added() -> Iterator[Added]:
    """All cases that are added."""
    for cases in (clamped, shifted, close_to_boundaries, of_many, short, slow):
        yield from cases()


# Clamps --------------------------------------------------------------------------------------------------------------

# Each document has a token and each word too, so that only the prior is left of what remains of their sums.
LONELY: Documents = [[(0, 1)], [(1, 1)], [(2, 1)], [(3, 1)]]
UNSEEN: Documents = [[(0, 2), (1, 1)], [(1, 1), (3, 2)]]  # of 6 words
TOPICS = {"topics": [0, 1, 2, 0]}


def clamped() -> Iterator[Added]:
    """Priors so small that a clamp at 1e-10 takes their place in a weight, and one at 0.01 in a sum."""
    faint: Problem = ("the prior of 1e-6 alone decides", LONELY, 4, 3, [3e-6, 1e-6, 2e-6], 1e-6)
    for name in (*COLLAPSED, "map"):
        fields = TOPICS | ({"uniforms": [[0.25, 0.65, 0.85]] * 4} if name == "cvb1s" else {})
        yield f"{name}/update", faint, {"schedule": "corpus", "row": 0} | fields
        for schedule in ("token", "corpus"):
            yield f"{name}/sweep", faint, {"schedule": schedule} | fields
    for row, uniform in ((0, 0.4), (1, 0.55)):
        fields = TOPICS | {"row": row, "token": 0}
        yield "cgs/update", faint, {"schedule": "corpus"} | fields
        yield "cgs/tempered_update", faint, {"schedule": "token", "inverse_temperature": 0.9} | fields
        yield "cgs/draw", faint, {"schedule": "corpus", "uniform": uniform} | fields
    for uniforms in ([0.4, 0.6, 0.45, 0.35], [0.45, 0.55, 0.4, 0.65]):
        yield "cgs/sweep", faint, {"schedule": "token", "uniforms": uniforms} | TOPICS
    test = {"test": {"j": [0, 1, 2], "w": [1, 2, 2], "n": [1, 2, 1]}}
    for name in ("vb", "cvb0", "cgs"):
        yield f"{name}/predict", ("probabilities of 1e-12", LONELY, 4, 3, 2e-12, 1e-12), TOPICS | test
    low: Problem = ("numbers that stay below 0.01, and unseen words", UNSEEN, 6, 2, 0.003, 0.002)
    for name in ("vb", "gibbs", "cgs", "cvb0"):
        topics = [0, 0, 1, 1, 1, 1] if name in SAMPLERS else [0, 1, 1, 1]
        for shape, rate in ((1.0, 0.0), (1.001, 0.3)):
            yield f"{name}/hyperparameters", low, {"topics": topics, "gamma_prior": {"shape": shape, "rate": rate}}


# Logarithms ----------------------------------------------------------------------------------------------------------

WIDE = 800  # topics
CERTAIN = [1.0] + [0.0] * (WIDE - 1)
EVEN = [0.00145, 0.001, 0.001452, 0.001098] * 200  # no topic has much
# Without a token of the first row, the counts of topic 1 in its document and of topic 0 in its word are near the prior.
MEETING: Documents = [[(0, 1), (1, 10**9)], [(0, 1), (2, 2)]]  # of 3 words
FAR_APART = [[0.0, 0.0, 1.0], [1.0, 1.791e-13, 1.791e-13], [0.0001791, 0.9996418, 0.0001791], [0.1, 0.7, 0.2]]


def shifted() -> Iterator[Added]:
    """A row all of whose logarithms are so far below those of another one that their exponentials lose all digits."""
    rows = {"state": {"gamma": [CERTAIN, EVEN, EVEN]}, "sweeps": 1}
    note, three = "all logarithms of the second row are below -1300", [[(0, 5)], [(1, 1)], [(2, WIDE)]]
    for schedule in ("corpus", "token"):
        yield "vb/summary", (note, three, 3, WIDE, 1e-5, 1e-5), {"schedule": schedule} | rows
    note, three = "all logarithms of a row are below -700, and another one has one above 20", [[(0, 10**9)], [(1, 1)], [(2, 10**9)]]
    yield "vem/summary", (note, three, 3, WIDE, 1e-5, 0.1), {"schedule": "corpus"} | rows
    for schedule in ("corpus", "token", "document"):
        problem = (note, MEETING, 3, 3, 0.0001791, 0.00017911)
        yield "cvb/sweep", problem, {"schedule": schedule, "state": {"gamma": FAR_APART}}


# Draws ---------------------------------------------------------------------------------------------------------------

DRAWN: Documents = [[(0, 2), (1, 1)], [(1, 1), (2, 2)]]  # of 3 words
CLOSE: Problem = ("uniform numbers within 2e-8 of a boundary, which double precision decides", DRAWN, 3, 3, 0.3, 0.2)
GIBBS = {
    "theta_jk": [[0.21, 0.33, 0.46], [0.57, 0.12, 0.31]],
    "phi_wk": [[0.3, 0.11, 0.53], [0.45, 0.29, 0.4], [0.25, 0.6, 0.07]],
}
ROWS = (("cgs", 0, 0.864406772746), ("cgs", 1, 0.813559315525), ("gibbs", 0, 0.289419991855), ("gibbs", 2, 0.701420654153))
OF_CGS = [0.050847453627, 0.864406772746, 0.813559315525, 0.594724215866, 0.021015757821, 0.842105256421]
TEMPERED = [0.067125821994, 0.79293134081, 0.725805502667, 0.688824818347, 0.044890987921, 0.928280845434]
OF_GIBBS = [0.289419991855, 0.183619933675, 0.508284343991, 0.617625810195, 0.90812870812, 0.603302281372]
STARTS = (
    [0.270270272432, 0.900900908108, 0.392616384425, 0.904777552292],
    [0.900900908108, 0.270270272432, 0.97694316136, 0.424024139186],
)


def close_to_boundaries() -> Iterator[Added]:
    """Uniform numbers that single precision takes to the other side of a boundary between topics."""
    z = {"state": {"z": [0, 1, 2, 0, 1, 2]}}
    for name, row, uniform in ROWS:
        fields = {"schedule": "corpus", "row": row, "token": 0, "uniform": uniform} | z
        yield f"{name}/draw", CLOSE, fields | (GIBBS if name == "gibbs" else {})
    yield "cgs/sweep", CLOSE, {"schedule": "token", "uniforms": OF_CGS} | z
    yield "cgs/tempered_sweep", CLOSE, {"schedule": "token", "uniforms": TEMPERED, "inverse_temperature": 0.7} | z
    yield "gibbs/sweep", CLOSE, {"schedule": "corpus", "uniforms": OF_GIBBS} | z | GIBBS
    for uniforms in STARTS:
        yield "starts/incremental", (*CLOSE[:4], [0.3, 0.7, 0.11], 0.37), {"uniforms": uniforms}


# Documents, words and ends ------------------------------------------------------------------------------------------

TEN: Problem = ("a word twelve times in its document: one is left out", [[(0, 12), (1, 1)], [(0, 1), (1, 2)]], 2, 2, 0.5, 0.3)
BITS: Problem = ("sums of more than 16 bits", [[(0, 100_000), (1, 1)], [(1, 90_000), (2, 3)]], 3, 2, 0.5, 0.3)
GAMMA = [[0.6, 0.4], [0.3, 0.7], [0.8, 0.2], [0.45, 0.55]]
HOLES: Documents = [[(0, 1), (1, 2)], [], [(2, 1)], [], []]  # of 3 words
SHORT: Documents = [[(0, 1)], [], [(1, 1)], [(2, 1), (1, 1)], []]  # of 3 words


def of_many() -> Iterator[Added]:
    """A word ten times in a document and more, of which one is left out; sums of more than 16 bits."""
    for name in ("cvb_exact", "cvb", "cvb0", "cvb1", "cvb1d"):
        yield f"{name}/update", TEN, {"schedule": "corpus", "row": 0, "state": {"gamma": GAMMA}}
        yield f"{name}/sweep", TEN, {"schedule": "token", "state": {"gamma": GAMMA}}
    tokens = {"state": {"gamma": [*[GAMMA[0]] * 12, *GAMMA[1:], GAMMA[3]]}, "uniforms": [[0.25, 0.65, 0.5]] * 16}
    for schedule in ("token", "document", "corpus"):
        yield "cvb1s/sweep", TEN, {"schedule": schedule} | tokens
    z = {"state": {"z": [0] * 8 + [1] * 8}}
    yield "cgs/update", TEN, {"schedule": "corpus", "row": 0, "token": 5} | z
    yield "cgs/draw", TEN, {"schedule": "corpus", "row": 0, "token": 5, "uniform": 0.5} | z
    yield "cgs/sweep", TEN, {"schedule": "token", "uniforms": [0.5, 0.6] * 8} | z
    for name in ("map", "vb", "cvb0"):
        yield f"{name}/estimate", BITS, {"state": {"gamma": [[0.9, 0.1], *GAMMA[:3]]}}


def short() -> Iterator[Added]:
    """Documents of one token or none, also at the end of the corpus."""
    jk = [[0.4 + (7 * j + 5 * k) % 9 / 4 for k in range(2)] for j in range(5)]
    wk = [[0.3 + (5 * w + 3 * k) % 7 / 2 for k in range(2)] for w in range(3)]
    phi, note = {"phi_wk": [[0.2, 0.5], [0.3, 0.4], [0.5, 0.1]]}, "documents of one token or none, also at the end"
    holes: Problem = (note, HOLES, 3, 2, 0.5, 0.3)
    vectors: Problem = (note, SHORT, 3, 2, [0.7, 0.2], [0.4, 0.9, 0.1])
    for problem, z in ((holes, [0, 1, 1, 0]), (vectors, [0, 1, 0, 1])):
        yield "lda/log_joint", problem, {"state": {"z": z}}
        yield "vb/elbo", problem, {"alpha_jk": jk, "eta_wk": wk}
        yield "lda/document_evidence", problem, phi
    yield "vb/e_step", holes, {"alpha_jk": jk, "eta_wk": wk, "iterations": 2}
    for name in ("vb", "cvb0"):
        yield f"{name}/fold_in", vectors, {"schedule": "token", "sweeps": 2} | phi
    yield "hmc/gradient", holes, {"u_jk": [[x - 1 for x in row] for row in jk], "u_wk": wk}
    minka = {"topics": [0, 1, 0, 1], "gamma_prior": {"shape": 1.1, "rate": 2.5}}
    for name in ("vb", "gibbs", "cgs", "cvb0"):  # a total below 1, a rate and priors above 1
        for alpha, eta in ((3.0, 2.5), ([3.0, 1.5], [1.5, 2.0, 1.2])):
            yield f"{name}/hyperparameters", (note, SHORT, 3, 2, alpha, eta), minka


def slow() -> Iterator[Added]:
    """One document that comes to rest late: the mean change is far below the largest."""
    documents: Documents = [[(0, 39)], *([(1 + d, 1)] for d in range(130))]
    problem: Problem = ("130 documents that rest long before the first one", documents, 131, 2, [6.5, 4.0], 50.0)
    for name, schedule in (("vb", "corpus"), ("cvb0", "token"), ("cvb0", "corpus")):
        yield f"{name}/converged", problem, {"schedule": schedule, "state": {"gamma": [[0.9, 0.1], *[[0.6, 0.4]] * 130]}}
