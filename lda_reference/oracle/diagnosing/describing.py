"""What failed cases share, where no known mistake explains them.

Three kinds of sentences are tried, each first for all algorithms and operations together, then for one operation, one
algorithm, and one operation of one algorithm:

1. An attribute of the cases, or two, that all failed cases have and the passed ones have not.
2. What the wrong numbers have in common. To how many digits they agree is said only of all operations together.
3. Where in the answers the wrong numbers are.

The module `sentences` has the attributes, the common properties and the places. A sentence is said only if it is true
of every failed case that it counts. A sentence about attributes gives the number of passed cases that have them too. It
counts only the passed cases of those operations of those algorithms that have failed cases: that all sweeps fail is for
the table to say. Steps with one topic are not counted, because most mistakes make no difference to them. Nothing is
said if too many attributes would do as well.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from .naming import Asked
from .numbers import Numbers, digits, factor, numbers_of, shape
from .sentences import CASES, NUMBERS, PLACES, idle

CHANCE = {1: 0.01, 2: 0.001}  # the probability below which one attribute, or two, are not shared by chance
EVERYWHERE = 0.8  # the share of cases from which on an attribute tells nothing
EQUAL = 2  # the most attributes, or pairs of them, that may do equally well
LINES = 8  # the most sentences


class Shared(NamedTuple):
    """A sentence about failed cases.

    Attributes
    ----------
    algorithms, operation : tuple of str and str or None
        The scope: the sentence counts the cases of these algorithms (all, if empty) and of this operation.
    failed : tuple of str
        The ids of the failed cases that it counts.
    attributes : tuple of str
        The attributes that they share; () for a sentence about the numbers.
    text : str
        What the sentence says of them.
    counts : tuple of int
        For attributes, how many passed cases were compared and how many of them have the attributes; for the places of
        wrong numbers, how many numbers elsewhere are right; otherwise ().
    """

    algorithms: tuple[str, ...]
    operation: str | None
    failed: tuple[str, ...]
    attributes: tuple[str, ...]
    text: str
    counts: tuple[int, ...] = ()


def describe(asked: Sequence[Asked]) -> list[str]:
    """The sentences, at most eight."""
    return [sentence(s) for s in shared(asked)][:LINES]


def sentence(s: Shared) -> str:
    """A sentence in words."""
    of = f" of {s.operation}" if s.operation else ""
    of += f" of {', '.join(s.algorithms)}" if s.algorithms else ""
    text = f"{len(s.failed)} failed {'cases' if len(s.failed) > 1 else 'case'}{of}: {s.text}"
    if s.attributes:
        passed, also = s.counts
        text += f"; of {passed} passed cases of the same operations, {also or 'none'} {'is' if also == 1 else 'are'}"
    elif s.counts:
        text += f"; the other {s.counts[0]} numbers are right"
    return text


def shared(asked: Sequence[Asked]) -> list[Shared]:
    """What the failed cases without a named mistake share; sentences that count more cases come first."""
    whole = [a for a in asked if a.case.keys() >= {"corpus", "prior", "K", "expected"}]  # others are made by hand
    asked = [a for a in whole if a.case["operation"] not in ("reject", "sample") and a.result.status != "skipped"]
    failed = [a for a in asked if a.result.status == "failed" and not a.result.mistake]
    passed = [a for a in asked if a.result.passed and not idle(a.case)]
    compared = [x for a in failed if (x := numbers_of(a.case, a.answer)) is not None]
    found = _widest(failed, passed, of_attributes) + _widest(failed, passed, of_axes)
    found += _widest(compared, passed, of_digits, narrow=False)
    found += _widest(compared, passed, of_numbers) + _widest(compared, passed, of_places)
    return sorted(_merged(found), key=lambda s: -len(s.failed))


Said = tuple[tuple[str, ...], str, tuple[int, ...]]  # attributes, text and counts
Scope = tuple[str | None, str | None]
Failed = TypeVar("Failed", Asked, Numbers)


def _widest(
    failed: Sequence[Failed],
    passed: Sequence[Asked],
    say: Callable[[Sequence[Failed], Sequence[Asked]], Said | None],
    narrow: bool = True,
) -> list[Shared]:
    """The sentences of one kind, each with the widest scope in which it is true; `narrow` allows single operations."""
    algorithms: list[str] = list(dict.fromkeys(a.case["algorithm"] for a in failed))
    operations = list(dict.fromkeys(a.case["operation"] for a in failed))
    scopes: list[Scope] = [(None, None), *((a, None) for a in algorithms)]
    if narrow:
        scopes[1:1] = [(None, o) for o in operations]
        scopes += itertools.product(algorithms, operations)
    out: list[Shared] = []
    covered: set[str] = set()
    for scope in scopes:
        of_scope = [a for a in failed if _in(scope, a)]
        if not of_scope or {a.case["id"] for a in of_scope} & covered:
            continue
        found = say(of_scope, [a for a in passed if _in(scope, a)])
        if found is not None:
            ids = tuple(a.case["id"] for a in of_scope)
            covered |= set(ids)
            out.append(Shared((scope[0],) if scope[0] else (), scope[1], ids, *found))
    return out


def _in(scope: Scope, a: Asked | Numbers) -> bool:
    algorithm, operation = scope
    return algorithm in (None, a.case["algorithm"]) and operation in (None, a.case["operation"])


def _merged(sentences: Iterable[Shared]) -> list[Shared]:
    """Sentences that say the same of several algorithms become one."""
    out: dict[tuple[str | None, str], Shared] = {}
    for s in sentences:
        old = out.get((s.operation, s.text))
        if old is not None:
            counts = tuple(a + b for a, b in zip(old.counts, s.counts, strict=True))
            s = s._replace(algorithms=old.algorithms + s.algorithms, failed=old.failed + s.failed, counts=counts)
        out[s.operation, s.text] = s
    return list(out.values())


def _alike(failed: Sequence[Asked] | Sequence[Numbers], passed: Sequence[Asked]) -> list[Asked]:
    """The passed cases of the operations and algorithms that have failed ones."""
    groups = {(a.case["algorithm"], a.case["operation"]) for a in failed}
    return [a for a in passed if (a.case["algorithm"], a.case["operation"]) in groups]


def of_axes(failed: Sequence[Asked], passed: Sequence[Asked]) -> Said | None:
    """Whether a matrix has its axes exchanged in all answers, if the shapes show it."""
    for name in ("gamma", "theta_jk", "phi_wk", "z"):
        answers = [a.answer if isinstance(a.answer, dict) else {} for a in failed]
        of_answers = [shape(answer.get(name)) for answer in answers]
        expected = [shape(a.case["expected"].get(name)) for a in failed]
        exchanged = all(len(e) == 2 and g == e[::-1] for e, g in zip(expected, of_answers, strict=True))
        if exchanged and expected != of_answers:
            return (), f"{name} has its axes exchanged", ()
    return None


def of_digits(failed: Sequence[Numbers], passed: Sequence[Asked]) -> Said | None:
    """To how many digits the numbers agree."""
    throughout = 4 * len(_alike(failed, passed)) <= len(failed)
    text = digits(failed, throughout) if len(failed) > 1 else None
    return ((), text, ()) if text else None


def of_numbers(failed: Sequence[Numbers], passed: Sequence[Asked]) -> Said | None:
    """What the wrong numbers have in common."""
    if len(failed) < 2:
        return None
    c = factor(failed)
    if c is not None:
        return (), f"every number is {c:.6g} times the expected one", ()
    return next((((), text, ()) for text, true in NUMBERS.items() if all(map(true, failed))), None)


def of_places(failed: Sequence[Numbers], passed: Sequence[Asked]) -> Said | None:
    """Where the wrong numbers are, and how many numbers are elsewhere."""
    if len(failed) < 2:
        return None
    for text, place in PLACES.items():
        told = Counter((bool(place(x.case, e)), e.wrong) for x in failed for e in x.entries)
        right_elsewhere = told[False, False]
        if not told[False, True] and right_elsewhere >= len(failed) and told[True, True] >= told[True, False]:
            return (), f"only {text} wrong", (right_elsewhere,)
    return None


def of_attributes(failed: Sequence[Asked], passed: Sequence[Asked]) -> Said | None:
    """The attribute, or the two, that all failed cases have and the fewest passed cases."""
    passed = _alike(failed, passed)
    common = [name for name, has in CASES.items() if all(has(a.case) for a in failed)]
    for size, chance in CHANCE.items():
        choices: list[tuple[str, ...]] = list(itertools.combinations(common, size))
        if not choices or not passed:
            continue
        also = {names: sum(all(CASES[n](a.case) for n in names) for a in passed) for names in choices}
        fewest = min(also.values())
        best = [names for names in choices if also[names] == fewest]
        if len(best) <= EQUAL and _telling(len(failed), len(passed), fewest, chance):
            names = tuple(dict.fromkeys(itertools.chain(*best)))
            text = f"all are cases {', and '.join(' and '.join(x) for x in best)}"
            return names, text, (len(passed), fewest)
    return None


def _telling(failed: int, passed: int, also: int, chance: float) -> bool:
    """Whether it tells something that all failed cases have an attribute, and only some passed ones.

    If failures had nothing to do with the attribute, they would all have it with the probability C(n, f) / C(N, f), for
    f failed cases and n cases with the attribute, of N in all.
    """
    n, N = failed + also, failed + passed
    few = also <= min(failed, passed) // 5 and n <= EVERYWHERE * N
    return few and math.comb(n, failed) <= chance * math.comb(N, failed)
