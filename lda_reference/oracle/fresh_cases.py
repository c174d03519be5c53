"""Fresh cases: made when a port is checked, so that no port can know their answers.

A case follows from its id and the version of the package: `fresh/7/0012` is case 12 of seed 7, and
`fresh/medium/7/0012` that of the larger size. Its inputs are drawn with `random.random` from a generator whose seed is
the id, so that they are the same on every machine. The package answers it. A small case can be certified by the plain
evaluator in `certificate`, at 50 digits.

The tolerance of a field is 1e-12, relative for numbers above 1, or if it is larger the error that rounding can cause in
double precision, as `rounding` computes it from the case. Inputs are drawn again if a tolerance is above 1e-6, if a
uniform number is within 1e-9 of a boundary between topics, or if the step has no answer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from ..algorithms import ALGORITHMS
from . import margins, package, rounding
from .certificate.inputs import Inputs, corpus, flags, prior
from .comparing import compare
from .loading import STARTS, Case, cases, select

SIZES = ("small", "medium")
ID = re.compile(r"fresh/(?:(medium)/)?(0|[1-9][0-9]*)/([0-9]{4,})")
SAMPLES = 3  # of cvb1s, for each token
ATTEMPTS = 1000
LEAST, CLOSE, LARGEST = 1e-12, 1e-9, 1e-6  # the tolerances and the distance from a boundary, see above
ROUNDOFF = 2.0**-53
CERTIFIED_WORK = 3_000  # the largest product of rows, tokens, topics and sweeps that is certified: a second or less
WITHOUT_PRIOR = ("ml", "map", "vem")  # they learn no hyperparameters
STARTS_OF = ("one-hot", "topics", "documents", "incremental", "collapsed", "growing")


class Limits(NamedTuple):
    """The largest numbers of a case: documents, words, topics, rows of a document, count of a row."""

    D: int
    W: int
    K: int
    rows: int
    n: int


LIMITS = {"small": Limits(6, 8, 5, 5, 4), "medium": Limits(30, 300, 32, 12, 9)}


def fresh(
    n: int, seed: int, size: str = "small", only: str | Iterable[str] | None = None, operation: str | None = None
) -> list[Case]:
    """New cases with the package's answers.

    Parameters
    ----------
    n : int, 1 or more
        The number of cases, before `only` and `operation` choose some of them.
    seed : int, 0 or more
    size : {"small", "medium"}
        Up to 5 topics and 8 words, or up to 32 topics and 300 words.
    only, operation
        As in `cases`; a name may be that of an algorithm and an operation, such as "cvb0/update".

    Returns
    -------
    list of dict
        They list no known mistakes.

    Raises
    ------
    ValueError
        If an argument is out of range, or none of the n cases has one of the names.

    Examples
    --------
    >>> case = fresh(3, seed=7)[2]
    >>> case["id"], sorted(case["tolerance"]) == sorted(case["expected"])
    ('fresh/7/0003', True)
    """
    if n < 1:
        raise ValueError(f"n is {n}, expected 1 or more fresh cases")
    asked = []
    for id in (_id(seed, number, size) for number in range(1, n + 1)):
        name, of, start = _kind(id)
        asked.append({"id": f"{name}/{start or of}", "algorithm": name, "operation": of, "fresh": id})
    return [case_of(case["fresh"]) for case in select(asked, only, operation)]


def _id(seed: int, number: int, size: str) -> str:
    if size not in SIZES:
        raise ValueError(f"size is {size!r}, expected one of {', '.join(SIZES)}")
    if seed < 0:
        raise ValueError(f"seed is {seed}, expected 0 or more")
    return f"fresh/{'medium/' if size == 'medium' else ''}{seed}/{number:04d}"


def case_of(id: str) -> Case:
    """The fresh case of an id.

    Raises
    ------
    ValueError
        If it is not the id of a fresh case.

    Examples
    --------
    >>> case_of("fresh/7/0003") == fresh(3, seed=7)[2]
    True
    """
    algorithm, operation, start = _kind(id)
    for attempt in range(ATTEMPTS):
        case = _completed(_inputs(id, attempt, algorithm, operation, start))
        if case is not None:
            return case
    raise ValueError(f"{id}: {ATTEMPTS} draws of its inputs are all badly conditioned")


# What is asked -------------------------------------------------------------------------------------------------------

Kind = tuple[str, str, str]  # algorithm, operation, and the name of a start


@cache
def kinds() -> tuple[Kind, ...]:
    """All algorithms with their operations, and the starts."""
    found = []
    for name, A in ALGORITHMS.items():
        if name not in _tags():
            continue
        sampler = A.assignment == "sample"
        steps = ("update", "draw", "sweep") if sampler else ("update", "sweep", "ten_sweeps")
        bound = () if isinstance(A.bound_of, str) else ("bound",)
        learning = () if name in WITHOUT_PRIOR else ("hyperparameters",)
        found += [(name, operation, "") for operation in (*steps, "estimate", *bound, "predict", *learning)]
    return (*found, *((STARTS, "start", start) for start in STARTS_OF))


@cache
def _tags() -> dict[str, dict[str, list[str]]]:
    """The equations of each algorithm and operation, or start, as in the vectors."""
    found: dict[str, dict[str, list[str]]] = {}
    for case in cases():
        found.setdefault(case["algorithm"], {}).setdefault(case.get("start") or case["operation"], case["tags"])
    return found


def _kind(id: str) -> Kind:
    """What a case asks. Each run of cases as long as `kinds` asks everything once, in a random order."""
    match = ID.fullmatch(id)
    if match is None or int(match[3]) < 1:
        raise ValueError(f"{id!r} is not the id of a fresh case, such as fresh/7/0012 or fresh/medium/7/0012")
    run, place = divmod(int(match[3]) - 1, len(kinds()))
    rng = random.Random(f"{match[1]} {match[2]} {run}")
    return sorted((rng.random(), kind) for kind in kinds())[place][1]


# The inputs ----------------------------------------------------------------------------------------------------------


class Drawn(Inputs):
    """Random inputs of a case."""

    def up_to(self, n: int) -> int:
        """A whole number from 1 to n."""
        return 1 + self.below(n)

    def number(self) -> float:
        """A number of a prior, of two digits: from 0.001 to 10, its logarithm uniform."""
        return float(f"{10 ** (4 * self.rng.random() - 3):.1e}")

    def numbers(self, n: int) -> float | list[float]:
        """A number of a prior, or n of them."""
        return [self.number() for _ in range(n)] if self.below(2) else self.number()

    def documents(self, D: int, W: int, limits: Limits) -> list[list[tuple[int, int]]]:
        """D documents, about one in six of them empty but not all."""
        found = [
            [(self.below(W), self.count(limits)) for _ in range(self.below(6) and self.up_to(limits.rows))]
            for _ in range(D)
        ]
        return found if any(found) else [*found[1:], [(self.below(W), self.count(limits))]]

    def count(self, limits: Limits) -> int:
        """The count of a row: 1 for half of the rows."""
        return self.up_to(limits.n) if self.below(2) else 1

    def permutation(self, n: int) -> list[int]:
        """The numbers below n in a random order."""
        return [i for _, i in sorted((self.rng.random(), i) for i in range(n))]


def _inputs(id: str, attempt: int, algorithm: str, operation: str, start: str) -> Case:
    """A case without its answer."""
    match = ID.fullmatch(id)
    assert match is not None
    x, limits = Drawn(f"{id} {attempt}"), LIMITS[match[1] or "small"]
    D, W, K = x.up_to(8 if start == "growing" else limits.D), x.up_to(limits.W), x.up_to(limits.K)  # blocks: GUIDE.md
    c = corpus(algorithm, x.documents(D, W, limits), W)
    case: Case = {"id": id, "version": 1, "algorithm": algorithm, "operation": operation}
    case |= {"start": start} if start else {}
    case |= {"tags": _tags()[algorithm].get(start or operation, []), "flags": [], "note": "a fresh case"}
    case |= {"corpus": c, "K": K, "prior": prior(algorithm, x.numbers(K), x.numbers(W))}
    case |= _of_start(case, x) if start else _of_algorithm(case, x)
    return case | {"flags": flags(case)}


def _of_algorithm(case: Case, x: Drawn) -> Case:
    """The state of a case, and what its operation needs."""
    c, K, name, operation = case["corpus"], case["K"], case["algorithm"], case["operation"]
    M, N, A = len(c["n"]), sum(c["n"]), ALGORITHMS[name]
    sampler = A.assignment == "sample"
    more: Case = {}
    step = operation in (*rounding.STEPS, "draw")
    more["state"] = {"z": x.topics(N, K)} if sampler else {"gamma": x.rows(M, K)}
    if step:
        schedules = [s for s in A.schedules if s in ("token", "document", "corpus")]
        more["schedule"] = "corpus" if operation in ("update", "draw") else schedules[x.below(len(schedules))]
    if operation in ("update", "draw"):
        more["row"] = x.below(M)
        more |= {"token": x.below(c["n"][more["row"]])} if sampler else {}
    if operation == "draw":
        more["uniform"] = x.uniform()
    if sampler and operation == "sweep":
        more["uniforms"] = [x.uniform() for _ in range(N)]
    if name == "cvb1s" and step:
        more["uniforms"] = [[x.uniform() for _ in range(SAMPLES)] for _ in range(N)]
    if name == "gibbs" and step:
        more |= {"theta_jk": x.rows(c["D"], K), "phi_wk": x.columns(c["W"], K)}
    if operation == "predict":
        j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
        more["test"] = {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}
    if operation == "hyperparameters":
        shape, rate = ((1.0, 0.0), (2.0, 0.5), (1.5, 0.3))[x.below(3)]
        more["gamma_prior"] = {"shape": shape, "rate": rate}
    return more


def _of_start(case: Case, x: Drawn) -> Case:
    """The random numbers of a start."""
    c, K = case["corpus"], case["K"]
    match case["start"]:
        case "one-hot":
            return {"state": {"z": x.topics(sum(c["n"]), K)}}
        case "topics":
            return {"weights_wk": [[x.near_one() for _ in range(K)] for _ in range(c["W"])]}
        case "documents":
            return {"documents": x.topics(K, c["D"])}
        case "incremental":
            return {"uniforms": [x.uniform() for _ in c["n"]]}
        case "collapsed":
            return {"state": {"gamma": x.rows(len(c["n"]), K)}}
        case _:
            order = x.permutation(c["D"])
            return {"order": order, "first": x.rows(c["j"].count(order[0]), K)}


# The answers ---------------------------------------------------------------------------------------------------------


def _completed(case: Case) -> Case | None:
    """The case with the package's answer and its tolerances; None if its inputs must be drawn again."""
    expected = {name: x for name, x in package.answer(case).items() if name != "id"}
    if "error" in expected:
        return None
    case = case | {"expected": expected, "mistakes": []}
    tolerance = {field: _tolerance(field, x, expected[field]) for field, x in rounding.errors(case).items()}
    if any(not of["absolute"] <= LARGEST * max(1.0, _size(expected[name])) for name, of in tolerance.items()):
        return None
    if margins.undecided(case, ROUNDOFF, CLOSE) is not None:
        return None
    return case | {"tolerance": tolerance}


def _tolerance(field: str, units: float, expected: Any) -> dict[str, Any]:
    if not units:
        return {"absolute": 0, "why": "exact"}
    least = LEAST * max(1.0, _size(expected))
    why = f"{units:.2g} times 2^-53, from the errors of sums and functions; {least:.2g} at least"
    return {"absolute": max(least, float(f"{units * ROUNDOFF:.2g}")), "why": why}


def _size(x: Any) -> float:
    """The largest absolute value; that of infinity is 0."""
    if isinstance(x, list):
        return max(map(_size, x), default=0.0)
    return 0.0 if isinstance(x, str) else abs(float(x))


# The certificate -----------------------------------------------------------------------------------------------------


def can_be_certified(case: Case) -> bool:
    """Whether the plain evaluator answers a case in about a second or less."""
    c, sweeps = case["corpus"], {"ten_sweeps": 10, "sweep": 1, "start": 10}.get(case["operation"], 0.3)
    return len(c["n"]) * sum(c["n"]) * case["K"] * sweeps <= CERTIFIED_WORK


def certify(given: Iterable[Case]) -> tuple[int, str]:
    """Compare the answers of small cases with the evaluator at 50 digits.

    Returns
    -------
    number : int
        How many cases were certified.
    words : str
        The same in words, or why none was.

    Raises
    ------
    ValueError
        If the package's answer is not that of the evaluator, which is a fault of the package.
    """
    found = list(given)
    try:
        from .certificate.arithmetic import rounded
        from .certificate.classes import evaluator
    except ModuleNotFoundError:
        return 0, f"none of the {len(found)} is certified, because mpmath is not installed"
    small = [case for case in found if can_be_certified(case)]
    for case in small:
        r = compare(case, {"id": case["id"], **rounded(evaluator(case).answer())})
        if not r.passed:
            raise ValueError(f"{case['id']}: the package and the evaluator at 50 digits do not agree: {r.reason}")
    return len(small), f"{len(small)} of the {len(found)} are certified by the evaluator at 50 digits"
