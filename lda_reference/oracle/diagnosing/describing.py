"""What the failed cases share, where no known mistake explains them, and the small changes that give their answers.

The module `sentences` has the attributes of cases, what wrong numbers have in common, and the places where they are.
Each kind of sentence is tried for all algorithms and operations together, then for one operation, one algorithm, and
one operation of one algorithm. A sentence is true of every failed case that it counts.

Of the attributes, that is named which all failed cases have and the fewest passed ones, unless too many would do as
well. A size beyond those of all passed cases comes after an attribute that no passed case has, because its limit was
chosen to fit. Steps with one topic, to which most mistakes make no difference, do not speak against an attribute.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import TypeVar

from ..cases.closeness import exact
from ..cases.loading import Case
from ..judging.reporting import Said
from .naming import Asked, group_of
from .numbers import WORST, Numbers, agreement, factor, not_finite, numbers_of, rounded, shape
from .search import search
from .sentences import CASES, NUMBERS, PLACES, idle, limits_of_sizes

CHANCE = 0.01  # the probability below which an attribute is not shared by chance
EVERYWHERE = 0.8  # the share of cases from which on an attribute tells nothing
EQUAL = 2  # the most attributes that may do equally well
LINES = 8  # the most sentences


def compose(asked: Sequence[Asked]) -> list[Said]:
    """The compositions of small changes that explain failed cases without a name, each with its cases."""
    named = {group_of(a.case) for a in asked if a.result.mistake}  # where a name explains other topics that are drawn
    failed = [a for a in asked if a.result.status == "failed" and a.result.field and not a.result.mistake]
    failed = [a for a in failed if not (group_of(a.case) in named and exact(a.case))]
    explained = search(failed, [a for a in asked if a.result.passed])
    return [Said(text, tuple(ids)) for text, ids in explained.items()]


Failed = TypeVar("Failed", Asked, Numbers)
Say = Callable[[Sequence[Failed], Sequence[Asked]], str | None]


def describe(asked: Sequence[Asked], explained: Container[str] = ()) -> list[Said]:
    """What the failed cases without a name share: at most eight sentences, those on more cases first.

    The cases whose ids are `explained` are left out.
    """
    complete = [a for a in asked if a.case.keys() >= {"corpus", "prior", "K", "expected"}]  # others are made by hand
    answered = [a for a in complete if a.case["operation"] not in ("reject", "sample")]
    all_failed = [a for a in answered if a.result.status == "failed"]
    failed = [a for a in all_failed if not a.result.mistake and a.case["id"] not in explained]
    passed = [a for a in answered if a.result.passed]
    compared = [x for a in failed if (x := numbers_of(a.case, a.answer)) is not None]
    finite, infinite = ([a for a in failed if not_finite(a.case, a.answer) == x] for x in (False, True))
    out = of_digits(compared, len(all_failed), passed) + of_operation(failed, all_failed, asked)
    out += _widest(of_infinite, infinite, passed) + _widest(of_cases, finite, passed) + _widest(of_axes, finite, passed)
    out += _widest(of_numbers, compared, passed, fewest=2) + _widest(of_places, compared, passed, fewest=2)
    return sorted(out, key=lambda sentence: -len(sentence.ids))[:LINES]


def _widest(say: Say[Failed], failed: Sequence[Failed], passed: Sequence[Asked], fewest: int = 1) -> list[Said]:
    """The sentences of one kind, each with the widest scope in which it is true of at least so many failed cases."""
    algorithms = dict.fromkeys((None, *(a.case["algorithm"] for a in failed)))
    operations = dict.fromkeys((None, *(_operation(a.case) for a in failed)))
    scopes = itertools.product(algorithms, operations)
    out: list[Said] = []
    for algorithm, operation in sorted(scopes, key=lambda scope: [bool(name) for name in scope]):
        covered = {id for sentence in out for id in sentence.ids}
        inside = [a for a in failed if algorithm in (None, a.case["algorithm"])]
        inside = [a for a in inside if operation in (None, _operation(a.case))]
        if len(inside) >= fewest and not covered & {a.case["id"] for a in inside}:
            text = say(inside, _alike(inside, passed))
            where = "".join(f" of {name}" for name in (operation, algorithm) if name)
            out += [_sentence(inside, text, where)] if text else []
    return out


def _sentence(failed: Sequence[Asked] | Sequence[Numbers], text: str, where: str = "") -> Said:
    count = f"{len(failed)} failed case{'s' * (len(failed) > 1)}"
    return Said(f"{count}{where}: {text}", tuple(a.case["id"] for a in failed))


def _alike(failed: Sequence[Asked] | Sequence[Numbers], passed: Sequence[Asked]) -> list[Asked]:
    """The passed cases of the operations and algorithms that have failed ones."""
    groups = {group_of(a.case) for a in failed}
    return [a for a in passed if group_of(a.case) in groups]


def _operation(case: Case) -> str:
    """The operation of a case, or the name of its start."""
    return str(case.get("start", case["operation"]))


def of_operation(failed: Sequence[Asked], all_failed: Sequence[Asked], asked: Sequence[Asked]) -> list[Said]:
    """The operation or start, or the two, that all failed cases have, and these; updates alone say nothing."""
    names, unexplained = ({_operation(a.case): 0 for a in cases} for cases in (all_failed, failed))
    other_answers = [a for a in asked if _operation(a.case) not in names and a.result.status in ("passed", "failed")]
    alone = (
        unexplained == names
        and len(names) <= 2
        and [*names] != ["update"]
        and all(a.result.passed for a in other_answers)
    )
    if not alone or not _telling(len(failed), len(other_answers), 0):
        return []
    right = f"the {len(other_answers)} answers to other operations are right"
    return [_sentence(failed, f"only answers to {' and '.join(names)} are wrong; {right}")]


def of_infinite(failed: Sequence[Asked], passed: Sequence[Asked]) -> str:
    """The operations of answers that are not a number, and what their cases share."""
    names, shared = sorted({_operation(a.case) for a in failed}), of_cases(failed, passed)
    return f"some answers are not a number, in {', '.join(names)}" + (f"; {shared}" if shared else "")


def of_axes(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """Whether a matrix has its axes exchanged in all answers, if the shapes show it."""
    for name in ("gamma", "theta_jk", "phi_wk", "z"):
        expected = [shape(a.case["expected"].get(name)) for a in failed]
        got = [shape(a.answer.get(name)) if isinstance(a.answer, dict) else None for a in failed]
        if got != expected and all(e and g == e[::-1] for e, g in zip(expected, got, strict=True)):
            return f"{name} has its axes exchanged"
    return None


def of_digits(compared: Sequence[Numbers], failed: int, passed: Sequence[Asked]) -> list[Said]:
    """How the numbers are rounded, or to how many digits they agree in most failed cases of the run and all updates."""
    close, not_idle = [x for x in compared if x.error() <= WORST], [a for a in passed if not idle(a.case)]
    enough = max(2, failed / 2)
    if len(compared) >= enough and (text := rounded(compared)):
        return [_sentence(compared, text)]
    if len(close) < enough or any(x.case["operation"] == "update" for x in compared if x not in close):
        return []
    text = agreement(close, throughout=4 * len(_alike(compared, not_idle)) <= len(compared))
    return [_sentence(close, text)] if text else []


def of_numbers(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    c = factor([e for x in failed for e in x.entries])
    if c:
        return f"every number is {c:.6g} times the expected one"
    return next((text for text, true in NUMBERS.items() if all(map(true, failed))), None)


def of_places(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    """Where the wrong numbers are, and how many numbers are elsewhere."""
    for text, place in PLACES.items():
        told = Counter((bool(place(x.case, e)), e.wrong) for x in failed for e in x.entries)
        elsewhere = told[False, False]
        if not told[False, True] and elsewhere >= len(failed) and told[True, True] >= told[True, False]:
            return f"only {text} wrong; the other {elsewhere} numbers are right"
    return None


def of_cases(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """The attribute that all failed cases have and the fewest passed ones, or two that do equally well."""
    cases, not_idle = [a.case for a in failed], [a.case for a in passed if not idle(a.case)]
    if not not_idle:
        return None
    common = {name: has for name, has in CASES.items() if all(map(has, cases))}
    sharing = {name: [idle(a.case) for a in passed if has(a.case)] for name, has in common.items()}
    fewest, steps = min(((x.count(False), x.count(True)) for x in sharing.values()), default=(1, 0))
    best = [name for name, x in sharing.items() if (x.count(False), x.count(True)) == (fewest, steps)]
    sizes = [*limits_of_sizes(cases, [a.case for a in passed])]
    if fewest and 0 < len(sizes) <= EQUAL:
        best, fewest, steps = sizes, 0, 0
    elif fewest + steps == 0 and len(best + sizes) <= EQUAL:
        best += sizes
    if not 0 < len(best) <= EQUAL or not _telling(len(failed), len(not_idle), fewest):
        return None
    also = fewest + steps
    right = f"of {len(passed)} passed cases of the same operations, {also or 'none'} {'is' if also == 1 else 'are'}"
    one_topic = f", {f'{steps} of them ' if fewest else ''}with one topic" if steps else ""
    return f"all are cases {', and '.join(best)}; {right}{one_topic}"


def _telling(failed: int, passed: int, also: int) -> bool:
    """Whether it tells something that all failed cases have an attribute, and only some passed ones.

    If failures had nothing to do with the attribute, they would all have it with the probability C(n, f) / C(N, f), for
    f failed cases and n cases with the attribute, of N in all.
    """
    n, N = failed + also, failed + passed
    few = also <= min(failed, passed) // 5 and n <= EVERYWHERE * N
    return few and math.comb(n, failed) <= CHANCE * math.comb(N, failed)
