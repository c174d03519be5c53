"""The specification: every algorithm as plain Python over lists, a line for each term, in any numbers.

Every sum is counted again for each update, and nothing is fast. The test vectors are this text's answers in balls,
which prove all their digits. It imports the standard library alone, and nothing of the rest of the package.

    problem      the corpus, the prior and gamma; N, V and the distributions of counts, without what an update
                 excludes: TNW06 (16), App. A
    updates      the three terms of each algorithm: TNW06 (15) is `CVBExact`
    sweeps       the update of a row, the schedules, the draws of samplers
    estimates    theta and phi, prediction, bounds, Minka's fixed point
    starts       where gamma begins
    vb_steps, online, joint, ep, gradients, coherence    the operations that are not steps of these algorithms
    windows      the coherence of topics in windows of words
    running      any algorithm with sums that are kept and changed, instead of counted again
    numbers, balls    the numbers in which all this can be read

An error in this text and in the package alike would be caught by what is neither: the enumeration of all assignments
in `truth`, updates worked out by hand in fractions, bounds that must rise, ports in other languages, and other
libraries. So neither text may be changed only to agree with the other.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .balls import Balls, Uncertain
from .coherence import NPMI, UMass
from .ep import EPStep
from .gradients import Gradient, Langevin, Leapfrog
from .joint import DocumentEvidence, FullLogJoint, LogJoint
from .numbers import Floats, Fractions, Noisy, numbers_of
from .online import SCVB0, OnlineVB
from .problem import Answer, Case
from .running import Running
from .starts import STARTS
from .sweeps import Algorithm, Sampler
from .updates import ALGORITHMS, TemperedCGS
from .vb_steps import ELBO, EStep, FoldInCVB0, FoldInVB, MStep

SCHEDULES = ("token", "document", "block", "corpus", "nested", "interleaved")
LARGE_PRODUCT = 50_000  # rows times rows times topics: beyond this, sums are kept

# The operations that are not steps of these algorithms, by algorithm and operation; `lda` is the model
OPERATIONS: dict[tuple[str, str], type[Algorithm]] = {
    ("vb", "e_step"): EStep,
    ("vb", "m_step"): MStep,
    ("vb", "elbo"): ELBO,
    ("vb", "online_step"): OnlineVB,
    ("scvb0", "online_step"): SCVB0,
    ("vb", "fold_in"): FoldInVB,
    ("cvb0", "fold_in"): FoldInCVB0,
    ("lda", "log_joint"): LogJoint,
    ("lda", "full_log_joint"): FullLogJoint,
    ("lda", "document_evidence"): DocumentEvidence,
    ("cgs", "tempered_update"): TemperedCGS,
    ("cgs", "tempered_sweep"): TemperedCGS,
    ("ep", "step"): EPStep,
    ("hmc", "gradient"): Gradient,
    ("hmc", "leapfrog"): Leapfrog,
    ("sgrld", "langevin"): Langevin,
    ("lda", "coherence_umass"): UMass,
    ("lda", "coherence_npmi"): NPMI,
}


def class_of(case: Case) -> type[Algorithm]:
    """The class of a case: that of its operation, of its algorithm or of its start."""
    algorithm_and_operation = case["algorithm"], case.get("operation", "")
    if algorithm_and_operation in OPERATIONS:
        return OPERATIONS[algorithm_and_operation]
    if case["algorithm"] in ALGORITHMS:
        return ALGORITHMS[case["algorithm"]]
    start_class = STARTS[case["start"]]
    if "of" not in case:
        return start_class
    return type(start_class.__name__, (start_class, ALGORITHMS[case["of"]]), {})


def is_large(case: Case) -> bool:
    """Whether sums that are counted again for each update would take too long."""
    counts = case["corpus"]["n"]
    row_count = sum(counts) if "z" in case.get("state", ()) else len(counts)
    return row_count * row_count * case["K"] > LARGE_PRODUCT


def algorithm(case: Case, numbers: Any = float, *layers: type[Algorithm]) -> Algorithm:
    """An algorithm at work on a case.

    Parameters
    ----------
    case : dict
        As the guide of the test vectors describes it.
    numbers : type or Floats
        `float`, `fractions.Fraction`, `numpy.float32`, or what the module `numbers` has.
    layers : classes
        Their methods come before those of the algorithm's class. In a large corpus, `Running` is the last layer.
    """
    case_class = class_of(case)
    if is_large(case) and Running not in layers:
        layers = (*layers, Running)
    return (type(case_class.__name__, (*layers, case_class), {}) if layers else case_class)(case, numbers_of(numbers))


def answer(case: Case, numbers: Any = float, *layers: type[Algorithm]) -> Answer:
    """What is asked in a case, by name: numbers, or nested lists of them.

    The parameters are those of `algorithm`.

    >>> answer({
    ...     "algorithm": "cvb0", "operation": "update", "row": 0, "K": 2, "prior": {"alpha": 0.5, "eta": 0.5},
    ...     "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 1},
    ...     "state": {"gamma": [[1.0, 0.0], [0.0, 1.0]]},
    ... })
    {'gamma_k': [0.75, 0.25]}
    """
    numbers = numbers_of(numbers)
    with numbers.precision():
        return algorithm(case, numbers, *layers).answer()


def case_of(name: str, operation: str, gamma: Any, corpus: Any, prior: Any, **more: Any) -> Case:
    """A case from the arguments of `update` and `sweep`."""
    gamma_lists = _lists(gamma)
    has_rows = bool(gamma_lists) and isinstance(gamma_lists[0], list)  # otherwise they are the topics of the tokens
    case: Case = {"algorithm": name, "operation": operation}
    case["state"] = {"gamma" if has_rows else "z": gamma_lists} if gamma_lists else {}
    case |= {"corpus": _parts(corpus, "j", "w", "n", "D", "W"), "prior": _parts(prior, "alpha", "eta")}
    return case | ({"K": len(gamma_lists[0])} if has_rows else {}) | {x: _lists(v) for x, v in more.items()}


def update(name: str, row: int, gamma: Any, corpus: Any, prior: Any, numbers: Any = float, **more: Any) -> list[Any]:
    """The new gamma of one row, by its algorithm's update.

    A ValueError says if a part is missing or does not fit the others; `answer` does not look.

    Parameters
    ----------
    name : str
        One of `ALGORITHMS`.
    row : int
    gamma : table (M, K)
        For a sampler the topics of all tokens, a list of N; K is then given too, and the `token` of the row.
    corpus : Corpus or dict
        With j, w, n, D and W.
    prior : Prior or dict
        With alpha and eta: numbers, alpha (K,), eta (W,) or (W, K). A text such as "1/10" is a number, too.
    numbers : type or Floats
        See `algorithm`.
    more
        Other fields of a case, such as the uniforms of `cvb1s`.
    """
    if name not in ALGORITHMS:
        raise ValueError(f"name is {name!r}, expected one of {', '.join(ALGORITHMS)}")
    if not hasattr(row, "__index__") or isinstance(gamma, dict):
        kinds = f"{type(row).__name__} and {type(gamma).__name__}"
        raise ValueError(f"row and gamma are of the types {kinds}, expected int and list; then come corpus and prior")
    case = case_of(name, "update", gamma, corpus, prior, row=row, **more)
    return list(_answer(case, numbers)["gamma_k"])


def sweep(
    name: str, gamma: Any, corpus: Any, prior: Any, schedule: str = "token", numbers: Any = float, **more: Any
) -> list[Any]:
    """gamma after one sweep; the topics of all tokens after one of a sampler, which takes `uniforms`.

    The parameters are those of `update`; `blocks` goes with the schedule `block`, and `inner` with `nested`, where a
    document otherwise takes as many steps as in SOL14 Algorithm 1. `assignment` may be "hard".

    >>> corpus, prior = {"j": [0, 0, 1], "w": [0, 0, 1], "n": [1, 1, 1], "D": 2, "W": 2}, {"alpha": 0.5, "eta": 0.5}
    >>> [round(g, 4) for g, _ in sweep("cvb0", [[1, 0], [1, 0], [0, 1]], corpus, prior)]
    [0.9, 0.8575, 0.3106]
    """
    if schedule not in SCHEDULES:
        raise ValueError(f"schedule is {schedule!r}, expected one of {', '.join(SCHEDULES)}; numbers come after it")
    answer_fields = _answer(case_of(name, "sweep", gamma, corpus, prior, schedule=schedule, **more), numbers)
    return list(answer_fields["z"]) if "z" in answer_fields else [list(row) for row in answer_fields["gamma"]]


def _parts(owner: Any, *names: str) -> Case:
    """Parts of a dict, or of an object that has them as attributes."""
    parts = owner if isinstance(owner, dict) else {name: getattr(owner, name) for name in names if hasattr(owner, name)}
    if missing_names := [name for name in names if name not in parts]:
        present_text = ", ".join(map(repr, parts)) or f"a {type(owner).__name__}"
        raise ValueError(f"{present_text} given, and {missing_names[0]!r} missing: expected {', '.join(names)}")
    return {name: _lists(parts[name]) for name in names}


def _answer(case: Case, numbers: Any) -> Answer:
    try:
        _check(case)
        return answer(case, numbers)
    except KeyError as error:
        raise ValueError(f"{error} is missing, expected it as a further argument") from None


def _check(case: Case) -> None:
    """Refuse a case that a slip of the hand has made."""
    c, gamma, z = case["corpus"], case["state"].get("gamma", []), case["state"].get("z", [])
    for field, size in (("j", "D"), ("w", "W")):
        if wrong_numbers := [number for number in c[field] if not 0 <= number < c[size]]:
            raise ValueError(f"{field} has {wrong_numbers[0]}, expected numbers from 0 below {size} = {c[size]}")
    M = len(c["n"])
    if not 0 <= (row := case.get("row", 0)) < M:
        raise ValueError(f"row is {row}, expected a row from 0 below {M}, as n has {M} numbers")
    if gamma and issubclass(class_of(case), Sampler):
        raise ValueError(f"gamma has rows, expected the topics of the tokens: {case['algorithm']} is a sampler")
    K, W = case["K"], c["W"]
    if z and (len(z) != sum(c["n"]) or not set(z) <= {*range(K)}):
        raise ValueError(f"gamma is {z}, expected the topics of {sum(c['n'])} tokens, from 0 below K = {K}")
    if "token" in case and not 0 <= case["token"] < c["n"][row]:
        raise ValueError(f"token is {case['token']}, expected a token of row {row}, from 0 below {c['n'][row]}")
    allowed_shapes: dict[str, Any] = {"j": [(M,)], "w": [(M,)], "alpha": [(), (K,)], "eta": [(), (W,), (W, K)]}
    for name, numbers in {"j": c["j"], "w": c["w"], "gamma": gamma, **case["prior"]}.items():
        if numbers != [] and _shape(numbers) not in (expected_shapes := allowed_shapes.get(name, [(M, K)])):
            raise ValueError(f"{name} has shape {_shape(numbers)}, expected {' or '.join(map(str, expected_shapes))}")
        offset = class_of(case).prior_offset
        if name in case["prior"] and (wrong_numbers := [number for number in _flat(numbers) if number <= offset]):
            raise ValueError(f"{name} has {wrong_numbers[0]}, expected more than {offset}")
    for i, row in enumerate(gamma):
        row_sum = float(sum(_flat(row)))
        if min(_flat(row)) < 0 or abs(row_sum - 1) > 1e-9:
            raise ValueError(f"gamma has the sum {row_sum:g} in row {i}, expected 1, and no negative number")


def _shape(x: Any) -> tuple[Any, ...]:
    """The shape of nested lists; None stands for rows of different lengths."""
    shapes = {_shape(row) for row in x} if isinstance(x, list) else set()
    return (len(x), *(shapes.pop() if len(shapes) == 1 else (None,) * len(shapes))) if isinstance(x, list) else ()


def _flat(x: Any) -> list[Fraction]:
    return [number for entry in x for number in _flat(entry)] if isinstance(x, list) else [Fraction(x)]


def _lists(x: Any) -> Any:
    """Arrays as lists."""
    return x.tolist() if hasattr(x, "tolist") else x


__all__ = [
    "ALGORITHMS", "OPERATIONS", "STARTS", "Algorithm", "Balls", "Floats", "Fractions", "Noisy", "Running",
    "Uncertain", "algorithm", "answer", "case_of", "class_of", "is_large", "numbers_of", "sweep", "update",
]  # fmt: skip
