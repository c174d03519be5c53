"""Which known mistake gives the wrong answers of a port.

A single answer, above all a draw, can equal that of a mistake by chance. A mistake is therefore named only if all of
this holds in its group, the cases of the same algorithm and operation (or of the same start), those of `nested` apart:

- It gives at least two failed answers, or the only one.
- No answer of the group contradicts it, and no failed `update` of the algorithm: what is wrong there is wrong in its
  sweeps too.
- If the answers are whole numbers, it gives more than half of the failed ones of the group, and no passed `update`
  contradicts it either.
- No other mistake of which all this holds gives the answer.

The sampler test is judged on all corpora together.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..cases.closeness import exact, grouped
from ..cases.loading import Case
from ..changes.mistaken import gives, names_of_mistakes
from ..changes.trying import size
from ..judging import samplers as sampling
from ..judging.comparing import Result, envelope


class Asked(NamedTuple):
    """A case, the answer of the port and its result."""

    case: Case
    answer: Any
    result: Result


def named(asked: Sequence[Asked]) -> list[Result]:
    """The results, with the names of the mistakes that give the failed answers."""
    by_size = sorted(asked, key=lambda a: size(a.case) and size(a.case) * sum(a.case["corpus"]["n"]))
    cases_of_group = grouped(by_size, lambda a: (*group_of(a.case), a.case.get("schedule") == "nested"))
    mistakes_of_id: dict[str, list[str]] = {}
    for group, group_cases in cases_of_group.items():
        update_cases = cases_of_group.get((group[0], "update", "", False), ())
        ids_of_mistake = _of_sampler(group_cases) if group[1] == "sample" else _names(group_cases, update_cases)
        for mistake, ids in ids_of_mistake.items():
            for id in ids:
                mistakes_of_id.setdefault(id, []).append(mistake)
    name_lists = [mistakes_of_id.get(a.case["id"], []) for a in asked]
    return [a.result._replace(mistake=x[0] if len(x) == 1 else None) for a, x in zip(asked, name_lists, strict=True)]


def group_of(case: Case) -> tuple[str, str, str]:
    """What the cases share that are computed alike: algorithm and operation, and for a start its name."""
    return case["algorithm"], case["operation"], case.get("start", "")


def _names(group: Sequence[Asked], updates: Sequence[Asked]) -> Mapping[str, list[str]]:
    """The mistakes that agree with all answers of a group, and the ids of the failed cases whose answers they give."""
    failed_cases = [a for a in group if a.result.status == "failed" and envelope(a.case, a.answer) is None]
    is_drawn = any(exact(a.case) for a in failed_cases)
    right_cases = [a for a in group if a.result.passed]
    controls = [a for a in updates if a not in group and (a.result.field is not None or (is_drawn and a.result.passed))]
    ids_of_mistake = {}
    for mistake in dict.fromkeys(mistake for a in failed_cases for mistake in names_of_mistakes(a.case)):
        if any(_fits(a, mistake) is False for a in controls):  # an update is computed sooner than the sweeps of a group
            continue
        ids: list[str] = []
        for a in failed_cases:
            fits = _fits(a, mistake)
            if fits is False and a.result.field is not None:  # it was compared by numbers
                break
            ids += [a.case["id"]] if fits else []
        else:
            is_enough = len(ids) >= min(2, len(failed_cases)) and (2 * len(ids) > len(failed_cases) or not is_drawn)
            if is_enough and not any(_fits(a, mistake) is False for a in right_cases):
                ids_of_mistake[mistake] = ids
    return ids_of_mistake


def _fits(a: Asked, mistake: str) -> bool | None:
    """Whether a mistake gives an answer; None if it cannot be made there, or hardly shows."""
    return gives(a.case, mistake, a.answer) if mistake in names_of_mistakes(a.case) else None


def _of_sampler(asked_cases: Sequence[Asked]) -> Mapping[str, list[str]]:
    """The mistake that explains the draws of a sampler on all corpora, and the ids of the failed cases that list it."""
    usable_cases = [a for a in asked_cases if a.result.passed or a.result.field in ("z", "topics")]
    mistake_name = sampling.named([(a.case, a.answer["z"], a.result.passed) for a in usable_cases])
    ids = [a.case["id"] for a in usable_cases if not a.result.passed and mistake_name in a.case.get("mistakes", {})]
    return {mistake_name: ids} if mistake_name else {}
