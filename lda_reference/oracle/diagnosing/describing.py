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
from .numbers import WORST_ERROR, Numbers, agreement, factor, not_finite, numbers_of, rounded, shape
from .search import search
from .sentences import CASES, NUMBERS, PLACES, idle, limits_of_sizes

CHANCE_LEVEL = 0.01  # the probability below which an attribute is not shared by chance
COMMON_SHARE = 0.8  # the share of cases from which on an attribute tells nothing
MAX_EQUAL = 2  # the most attributes that may do equally well
MAX_SENTENCES = 8  # the most sentences


def compose(asked: Sequence[Asked]) -> tuple[list[Said], bool]:
    """The compositions of small changes that explain failed cases without a name, each with its cases.

    The second is whether the search came to the end of its work before it had tried all.
    """
    groups = {group_of(a.case) for a in asked if a.result.mistake}  # where a name explains other topics that are drawn
    failed_cases = [a for a in asked if a.result.status == "failed" and a.result.field and not a.result.mistake]
    failed_cases = [a for a in failed_cases if not (group_of(a.case) in groups and exact(a.case))]
    ids_of_text, is_cut = search(failed_cases, [a for a in asked if a.result.passed])
    return [Said(text, tuple(ids)) for text, ids in ids_of_text.items()], is_cut


Failed = TypeVar("Failed", Asked, Numbers)
Say = Callable[[Sequence[Failed], Sequence[Asked]], str | None]


def describe(asked: Sequence[Asked], explained_ids: Container[str] = ()) -> list[Said]:
    """What the failed cases without a name share: at most eight sentences, those on more cases first.

    The cases whose ids are `explained_ids` are left out.
    """
    with_corpus = [a for a in asked if a.case.keys() >= {"corpus", "prior", "K", "expected"}]  # others are made by hand
    answered_cases = [a for a in with_corpus if a.case["operation"] not in ("reject", "sample")]
    all_failed = [a for a in answered_cases if a.result.status == "failed"]
    failed = [a for a in all_failed if not a.result.mistake and a.case["id"] not in explained_ids]
    passed = [a for a in answered_cases if a.result.passed]
    compared = [x for a in failed if (x := numbers_of(a.case, a.answer)) is not None]
    finite, infinite = ([a for a in failed if not_finite(a.case, a.answer) == x] for x in (False, True))
    out = of_digits(compared, len(all_failed), passed) + of_operation(failed, all_failed, asked)
    out += _widest(of_infinite, infinite, passed) + _widest(of_cases, finite, passed) + _widest(of_axes, finite, passed)
    out += _widest(of_numbers, compared, passed, min_cases=2) + _widest(of_places, compared, passed, min_cases=2)
    return sorted(out, key=lambda sentence: -len(sentence.ids))[:MAX_SENTENCES]


def _widest(say: Say[Failed], failed: Sequence[Failed], passed: Sequence[Asked], min_cases: int = 1) -> list[Said]:
    """The sentences of one kind, each with the widest scope in which it is true of at least so many failed cases."""
    algorithms = dict.fromkeys((None, *(asked.case["algorithm"] for asked in failed)))
    operations = dict.fromkeys((None, *(_operation(asked.case) for asked in failed)))
    scopes = itertools.product(algorithms, operations)
    sentences: list[Said] = []
    for algorithm, operation in sorted(scopes, key=lambda scope: [bool(name) for name in scope]):
        covered_ids = {id for sentence in sentences for id in sentence.ids}
        scope_cases = [asked for asked in failed if algorithm in (None, asked.case["algorithm"])]
        scope_cases = [asked for asked in scope_cases if operation in (None, _operation(asked.case))]
        if len(scope_cases) >= min_cases and not covered_ids & {asked.case["id"] for asked in scope_cases}:
            sentence_text = say(scope_cases, _alike(scope_cases, passed))
            scope_text = "".join(f" of {name}" for name in (operation, algorithm) if name)
            sentences += [_sentence(scope_cases, sentence_text, scope_text)] if sentence_text else []
    return sentences


def _sentence(failed: Sequence[Asked] | Sequence[Numbers], text: str, scope_text: str = "") -> Said:
    count_text = f"{len(failed)} failed case{'s' * (len(failed) > 1)}"
    return Said(f"{count_text}{scope_text}: {text}", tuple(asked.case["id"] for asked in failed))


def _alike(failed: Sequence[Asked] | Sequence[Numbers], passed: Sequence[Asked]) -> list[Asked]:
    """The passed cases of the operations and algorithms that have failed ones."""
    failed_groups = {group_of(asked.case) for asked in failed}
    return [asked for asked in passed if group_of(asked.case) in failed_groups]


def _operation(case: Case) -> str:
    """The operation of a case, or the name of its start."""
    return str(case.get("start", case["operation"]))


def of_operation(failed: Sequence[Asked], all_failed: Sequence[Asked], asked: Sequence[Asked]) -> list[Said]:
    """The operation or start, or the two, that all failed cases have, and these; updates alone say nothing."""
    kinds, open_kinds = ({_operation(a.case): 0 for a in cases} for cases in (all_failed, failed))
    other_answers = [a for a in asked if _operation(a.case) not in kinds and a.result.status in ("passed", "failed")]
    is_open = open_kinds == kinds and len(kinds) <= 2 and [*kinds] != ["update"]
    are_others_right = all(a.result.passed for a in other_answers)
    if not (is_open and are_others_right and _telling(len(failed), len(other_answers), 0)):
        return []
    right_text = f"the {len(other_answers)} answers to other operations are right"
    return [_sentence(failed, f"only answers to {' and '.join(kinds)} are wrong; {right_text}")]


def of_infinite(failed: Sequence[Asked], passed: Sequence[Asked]) -> str:
    """The operations of answers that are not a number, and what their cases share."""
    operations, shared_text = sorted({_operation(asked.case) for asked in failed}), of_cases(failed, passed)
    return f"some answers are not a number, in {', '.join(operations)}" + (f"; {shared_text}" if shared_text else "")


def of_axes(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """Whether a matrix has its axes exchanged in all answers, if the shapes show it."""
    for field in dict.fromkeys(field for a in failed for field in a.case["expected"]):
        expected_shapes = [shape(a.case["expected"].get(field)) for a in failed]
        answered_shapes = [shape(a.answer.get(field)) if isinstance(a.answer, dict) else None for a in failed]
        shape_pairs = list(zip(expected_shapes, answered_shapes, strict=True))
        if answered_shapes != expected_shapes and all(right and got == right[::-1] for right, got in shape_pairs):
            return f"{field} has its axes exchanged"
    return None


def of_digits(compared: Sequence[Numbers], n_failed: int, passed: Sequence[Asked]) -> list[Said]:
    """How the numbers are rounded, or to how many digits they agree in most failed cases of the run and all updates."""
    agreeing, busy_cases = [x for x in compared if x.error() <= WORST_ERROR], [a for a in passed if not idle(a.case)]
    n_enough = max(2, n_failed / 2)
    if len(compared) >= n_enough and (agreement_text := rounded(compared)):
        return [_sentence(compared, agreement_text)]
    if len(agreeing) < n_enough or any(x.case["operation"] == "update" for x in compared if x not in agreeing):
        return []
    agreement_text = agreement(agreeing, throughout=4 * len(_alike(compared, busy_cases)) <= len(compared))
    return [_sentence(agreeing, agreement_text)] if agreement_text else []


def of_numbers(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    common_factor = factor([entry for numbers in failed for entry in numbers.entries])
    if common_factor:
        return f"every number is {common_factor:.6g} times the expected one"
    return next((text for text, holds in NUMBERS.items() if all(map(holds, failed))), None)


def of_places(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    """Where the wrong numbers are, and how many numbers are elsewhere."""
    for text, is_there in PLACES.items():
        counts = Counter((bool(is_there(numbers.case, e)), e.wrong) for numbers in failed for e in numbers.entries)
        n_elsewhere = counts[False, False]
        if not counts[False, True] and n_elsewhere >= len(failed) and counts[True, True] >= counts[True, False]:
            return f"only {text} wrong; the other {n_elsewhere} numbers are right"
    return None


def of_cases(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """The attribute that all failed cases have and the fewest passed ones, or two that do equally well."""
    failed_cases, busy_cases = [a.case for a in failed], [a.case for a in passed if not idle(a.case)]
    if not busy_cases:
        return None
    common_tests = {name: holds for name, holds in CASES.items() if all(map(holds, failed_cases))}
    idle_flags = {name: [idle(a.case) for a in passed if holds(a.case)] for name, holds in common_tests.items()}
    n_busy, n_idle = min(((x.count(False), x.count(True)) for x in idle_flags.values()), default=(1, 0))
    best_names = [name for name, x in idle_flags.items() if (x.count(False), x.count(True)) == (n_busy, n_idle)]
    size_texts = [*limits_of_sizes(failed_cases, [a.case for a in passed])]
    if n_busy and 0 < len(size_texts) <= MAX_EQUAL:
        best_names, n_busy, n_idle = size_texts, 0, 0
    elif n_busy + n_idle == 0 and len(best_names + size_texts) <= MAX_EQUAL:
        best_names += size_texts
    if not 0 < len(best_names) <= MAX_EQUAL or not _telling(len(failed), len(busy_cases), n_busy):
        return None
    n_alike = n_busy + n_idle
    n_text = f"{n_alike or 'none'} {'is' if n_alike == 1 else 'are'}"
    topic_text = f", {f'{n_idle} of them ' if n_busy else ''}with one topic" if n_idle else ""
    ending = f"of {len(passed)} passed cases of the same operations, {n_text}{topic_text}"
    return f"all are cases {', and '.join(best_names)}; {ending}"


def _telling(n_failed: int, n_passed: int, n_sharing: int) -> bool:
    """Whether it tells something that all failed cases have an attribute, and only some passed ones.

    If failures had nothing to do with the attribute, they would all have it with the probability C(n, f) / C(N, f), for
    f failed cases and n cases with the attribute, of N in all.
    """
    n, N = n_failed + n_sharing, n_failed + n_passed
    is_rare = n_sharing <= min(n_failed, n_passed) // 5 and n <= COMMON_SHARE * N
    return is_rare and math.comb(n, n_failed) <= CHANCE_LEVEL * math.comb(N, n_failed)
