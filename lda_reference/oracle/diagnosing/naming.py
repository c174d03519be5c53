"""Naming the mistake that a port makes: a name must agree with all answers together.

A single answer, above all a draw, can equal that of a mistake by chance. A mistake is named in the failed cases that it
explains if all of this holds in its group, the cases of the same algorithm and operation (or of the same start):

- It explains at least two failed cases, or the only one.
- No answer of the group contradicts it: wherever a case lists the mistake, the answer is that of the mistake.
- No failed `update` of the algorithm contradicts it: what is wrong there is wrong in its sweeps too.
- If the answers are whole numbers, it explains more than half of the failed cases of the group, and no passed `update`
  contradicts it either.

The sampler test is judged on all corpora together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..asking.loading import Case
from ..judging import samplers as sampling
from ..judging.comparing import Result, contradicts, exact


class Asked(NamedTuple):
    """A case, the answer of the port and its result."""

    case: Case
    answer: Any
    result: Result


Group = tuple[str, ...]


def named(asked: Sequence[Asked]) -> list[Result]:
    """The results, with those names of mistakes that agree with all answers."""
    groups: dict[Group, list[Asked]] = {}
    for a in asked:
        groups.setdefault(_group(a.case), []).append(a)
    good = {(group, name) for group in groups for name in _names(groups, group)}
    out = []
    for case, _, r in asked:
        name = r.mistake if (_group(case), r.mistake) in good else None
        if r.operation == "sample" and r.field in ("z", "topics"):
            of_all = _of_sampler(groups[_group(case)])
            name = of_all if of_all in case.get("mistakes", {}) else None
        out.append(r._replace(mistake=name))
    return out


def _group(case: Case) -> Group:
    """What the cases share that are computed alike: algorithm and operation, and for a start its name."""
    return case["algorithm"], case["operation"], case.get("start", "")


def _names(groups: dict[Group, list[Asked]], group: Group) -> list[str]:
    """The mistakes that agree with all answers of a group."""
    answered = [a for a in groups[group] if _numbers(a.result)]
    failed = [a for a in groups[group] if a.result.status == "failed"]
    found = []
    for name in dict.fromkeys(a.result.mistake for a in failed if a.result.mistake):
        explained = sum(a.result.mistake == name for a in failed)
        whole = any(exact(a.case) for a in failed)
        updates = [a for a in groups.get((group[0], "update", ""), ()) if _numbers(a.result)]
        judged = answered + [a for a in updates if whole or not a.result.passed]
        enough = explained >= min(2, len(failed)) and (2 * explained > len(failed) or not whole)
        if enough and not any(contradicts(a.case, a.answer, name) for a in judged):
            found.append(name)
    return found


def _numbers(r: Result) -> bool:
    """Whether an answer was compared number by number, or has the form that a mistake gives it."""
    return r.passed or r.field is not None or r.mistake is not None


def _of_sampler(asked: Sequence[Asked]) -> str | None:
    """The mistake that explains the draws of a sampler on all corpora."""
    usable = [a for a in asked if a.result.passed or a.result.field in ("z", "topics")]
    return sampling.named([(a.case, a.answer["z"], a.result.passed) for a in usable])
