"""Fresh cases: made when a port is checked, so that no port can know their answers.

A case follows from its id and the version of the package: `fresh/7/0012` is case 12 of seed 7. Its inputs are drawn
with `random.random` from a generator whose seed is the id, so that they are the same on every machine. The plain text
answers it, and its answer is certified in balls where python-flint is installed.

The tolerances are those of `noise`. Inputs are drawn again if a tolerance in double precision is above 1e-6, if a
uniform number is within 1e-9 of a boundary between topics, if a sweep by `block` has only one block, or if the step has
no answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...plain import Balls, Uncertain, algorithm, answer
from ...plain.updates import COLLAPSED, SAMPLERS
from ..cases.closeness import differs
from ..cases.loading import MORE_OPERATIONS, SINGLE, STARTS, Case, select
from ..cases.noise import DOUBLE, MANY, double_tolerances, errors, flat, single_tolerances
from ..judging.comparing import compared, outcome
from .inputs import MANY as MANY_TOPICS
from .inputs import Inputs, Kind, corpus, flags, gamma, kind_of, kinds, prior, problem, z
from .operations import of_operation, of_start
from .rejects import STARTS as OF_STARTS
from .rejects import of_four_words, of_three_words

ATTEMPTS = 1000
CLOSE, LARGEST = 1e-9, 1e-6  # the distance from a boundary and the tolerances, see above
MOST_WORK = 230_000  # operations of the plain text, see `work`
BITS = (200, 800, 3200)  # of the balls; the first that are narrow enough decide
RADIUS = 1e-20  # of a ball that is narrow enough
SAMPLES = 3  # of cvb1s, for each token
ANNEALED = ("map", "vb", "vem", "cvb", "cvb0", "tcvb0", "cvb1d")
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary", "reject")


def fresh(n: int, seed: int, only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """New cases with their answers: of all that the vectors ask, small ones, large counts and many topics.

    Parameters
    ----------
    n : int, 1 or more
        The number of cases, before `only` and `operation` choose some of them.
    seed : int, 0 or more
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
    if seed < 0:
        raise ValueError(f"seed is {seed}, expected 0 or more")
    asked = []
    for id in (f"fresh/{seed}/{number:04d}" for number in range(1, n + 1)):
        (name, of, variant), _ = kind_of(id)
        asked.append(
            {"id": f"{name}/{variant if of == 'start' else of}", "algorithm": name, "operation": of, "fresh": id}
        )
    return [case_of(case["fresh"]) for case in select(asked, only, operation)]


def case_of(id: str) -> Case:
    """The fresh case of an id."""
    for attempt in range(ATTEMPTS):
        case = _completed(inputs(id, attempt))
        if case is not None:
            return case
    raise ValueError(f"{id}: {ATTEMPTS} draws of its inputs are all badly conditioned")


# The inputs ----------------------------------------------------------------------------------------------------------


def inputs(id: str, attempt: int = 0) -> Case:
    """A case without its answer; each attempt has other inputs. If it is illegal, this is the answer."""
    kind, note = kind_of(id)
    x = Inputs(f"{id} {attempt}")
    given = problem(kind, note, x)
    algorithm, operation, variant = kind
    rejects, legal = operation == "reject", variant == "legal"
    case: Case = {"id": id, "version": 1, "algorithm": algorithm, "operation": operation}
    if algorithm == STARTS:
        if rejects:
            variant, note, draw, change = x.one_of([e for e in OF_STARTS if e[1].startswith("legal") == legal])
        case |= {"start": variant}
    of = algorithm
    if case.get("start") == "anneal":
        of = "vb" if rejects else x.one_of(ANNEALED)
        case |= {"of": of, "schedule": "corpus"}
    tags = kinds()[Kind(of, "update", "") if "of" in case else kind]
    case |= {"tags": tags, "flags": [], "note": "", "corpus": corpus(of, given.documents, given.W), "K": given.K}
    case |= {"prior": prior(of, given.alpha, given.eta)}
    if algorithm == STARTS:
        case |= draw(case, x) if rejects else of_start(case, x)
    else:
        case |= of_operation(case, x) if operation in MORE_OPERATIONS else of_algorithm(case, kind, x)
        if rejects:
            entries = of_four_words(algorithm) if given.W == 4 else of_three_words(algorithm)
            note, change = x.one_of([e for e in entries if e[0].startswith("legal") == legal])
    case["note"] = f"a fresh case: {note}"
    if rejects:
        change(case)
    if rejects and not legal:
        return case | {"expected": {"error": True}, "tolerance": {}}
    return case | {"flags": flags(case)}


def of_algorithm(case: Case, kind: Kind, x: Inputs) -> Case:
    """The state of a case, and what its operation needs."""
    c, K, (name, operation, variant) = case["corpus"], case["K"], kind
    M, N, sampler, step = len(c["n"]), sum(c["n"]), kind.algorithm in SAMPLERS, kind.operation in STEPS
    more: Case = {}
    if step:
        drawn = x.one_of(schedules(name))
        more["schedule"] = {"update": "corpus", "draw": "corpus", "reject": schedules(name)[0]}.get(operation, drawn)
    if variant == "block":
        more |= {"schedule": "block", "blocks": x.between(2, c["D"] - 1)}
    if variant == "nested":
        more |= {"schedule": "nested", "inner": x.up_to(3)}
    if operation == "summary":
        more["sweeps"] = 1 if K > MANY_TOPICS else x.up_to(3)
    more |= (z if sampler else gamma)(case, x)
    if operation in ("update", "draw"):
        more["row"] = x.below(M)
        more |= {"token": x.below(c["n"][more["row"]])} if sampler else {}
    if operation == "draw":
        more["uniform"] = x.uniform()
    if sampler and operation in ("sweep", "summary", "reject"):
        more["uniforms"] = [x.uniform() for _ in range(N)]
    if name == "cvb1s" and step:
        more["uniforms"] = [[x.uniform() for _ in range(SAMPLES)] for _ in range(N)]
    if name == "gibbs" and step:
        more |= {"theta_jk": x.rows(c["D"], K), "phi_wk": x.columns(c["W"], K)}
    if operation == "predict":
        j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
        more["test"] = {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}
    if operation == "hyperparameters":
        shape, rate = x.one_of(((1.0, 0.0), (2.0, 0.5), (1.5, 0.3)))
        more["gamma_prior"] = {"shape": shape, "rate": rate}
    return more


def schedules(name: str) -> tuple[str, ...]:
    """The schedules of an algorithm without a number of their own, the default first."""
    if name in SAMPLERS:
        return ("corpus",) if name == "gibbs" else ("token",)
    return ("token", "document", "corpus") if name in COLLAPSED else ("corpus", "token", "document")


# The answers ---------------------------------------------------------------------------------------------------------


def _completed(case: Case) -> Case | None:
    """The case with its answer and its tolerances; None if its inputs must be drawn again."""
    if "expected" in case:
        return case
    if work(case) > MOST_WORK:
        return None
    try:
        of = errors(case)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    if case["operation"] == "sweep" and case["schedule"] == "block" and len(algorithm(case).blocks()) < 2:
        return None  # `corpus` gives the same
    if case["operation"] == "hyperparameters" and not min(flat(list(of.right.values()))) > 0:
        return None  # a prior of 0 is not legal
    case = case | {"expected": _floats(of.right)}
    tolerance = double_tolerances(case, of)
    if any(units * DOUBLE > LARGEST for units in of.units.values()) or of.undecided(DOUBLE, CLOSE) is not None:
        return None
    case = case | {"tolerance": tolerance, SINGLE: single_tolerances(case, of)}
    return None if _passes_undivided(case) else case


def _passes_undivided(case: Case) -> bool:
    """Whether a port that takes `corpus` for `block` and `nested` gives the answer, though K is 2 or more."""
    if case["K"] == 1 or case.get("schedule") not in ("block", "nested"):
        return False
    try:
        return not differs(case, answer(case | {"schedule": "corpus"}))
    except ArithmeticError:  # the plain text does not subtract the largest logarithm
        return False


def work(case: Case) -> float:
    """About how many operations the plain text needs for distributions of counts and samples of them, for all seeds.

    For each topic of each row of cvb1s, the topics of all tokens are drawn three times from K weights.
    """
    N, M, K = sum(case["corpus"]["n"]), len(case["corpus"]["n"]), case["K"]
    of_row = {"cvb_exact": 1.5 * N * N, "cvb1": N * N, "cvb1s": 12 * N * K}.get(case["algorithm"], 0)
    rows = {"ten_sweeps": 10 * M, "converged": 30 * M, "summary": case.get("sweeps", 1) * M, "sweep": M, "update": 1}
    return K * of_row * rows.get(case["operation"], 0) * (1 if N > MANY else 2)


# The certificate -----------------------------------------------------------------------------------------------------


def certify(given: Iterable[Case]) -> str:
    """Compare the answers of cases with those in balls, which enclose all rounding; says whether this was done."""
    try:
        numbers = [Balls(bits) for bits in BITS]
    except ModuleNotFoundError:
        return "none is certified, because python-flint is not installed"
    for case in given:
        if "error" in case["expected"]:
            continue
        for balls in numbers:
            try:
                r = compared(case, {"id": case["id"], **_floats(answer(case, balls))})
            except (Uncertain, OverflowError) as error:  # the balls are too wide
                r = outcome(case, "failed", str(error))
            if r.passed:
                break
        else:
            raise ValueError(f"{case['id']}: the answer is not the one that balls enclose: {r.reason}")
    return "all are certified in balls"


def _floats(x: Any) -> Any:
    """Floats and whole numbers; infinity as "inf". A ball that is not narrow enough is NaN, which equals no answer."""
    if isinstance(x, dict):
        return {name: _floats(v) for name, v in x.items()}
    if isinstance(x, list):
        return [_floats(v) for v in x]
    if isinstance(x, int):
        return x
    if not isinstance(x, float) and not x.rad() < RADIUS:
        return math.nan
    return float(x) if math.isfinite(float(x)) else "inf"
