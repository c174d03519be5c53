"""Which known mistake gives the wrong answers of a port.

A single answer, above all a draw, can equal that of a mistake by chance. A mistake is therefore named only if all of
this holds in its group, the cases of the same algorithm and operation (or of the same start):

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
    groups = grouped(sorted(asked, key=lambda a: size(a.case)), lambda a: group_of(a.case))
    names: dict[str, list[str]] = {}
    for group, in_group in groups.items():
        updates = groups.get((group[0], "update", ""), ())
        explained = _of_sampler(in_group) if group[1] == "sample" else _names(in_group, updates)
        for name, ids in explained.items():
            for id in ids:
                names.setdefault(id, []).append(name)
    several = [names.get(a.case["id"], []) for a in asked]
    return [a.result._replace(mistake=x[0] if len(x) == 1 else None) for a, x in zip(asked, several, strict=True)]


def group_of(case: Case) -> tuple[str, str, str]:
    """What the cases share that are computed alike: algorithm and operation, and for a start its name."""
    return case["algorithm"], case["operation"], case.get("start", "")


def _names(group: Sequence[Asked], updates: Sequence[Asked]) -> Mapping[str, list[str]]:
    """The mistakes that agree with all answers of a group, and the ids of the failed cases whose answers they give."""
    failed = [a for a in group if a.result.status == "failed" and envelope(a.case, a.answer) is None]
    drawn = any(exact(a.case) for a in failed)
    right = [a for a in group if a.result.passed]
    beside = [a for a in updates if a not in group and (a.result.field is not None or (drawn and a.result.passed))]
    good = {}
    for name in dict.fromkeys(name for a in failed for name in names_of_mistakes(a.case)):
        ids: list[str] = []
        for a in (*failed, *right, *beside):
            wrong_so = gives(a.case, name, a.answer) if name in names_of_mistakes(a.case) else None
            if wrong_so is False and (a.result.passed or a.result.field is not None):  # it was compared by numbers
                break
            ids += [a.case["id"]] if wrong_so and a.result.status == "failed" else []
        else:
            ids = [id for id in ids if id in {a.case["id"] for a in failed}]
            if len(ids) >= min(2, len(failed)) and (2 * len(ids) > len(failed) or not drawn):
                good[name] = ids
    return good


def _of_sampler(asked: Sequence[Asked]) -> Mapping[str, list[str]]:
    """The mistake that explains the draws of a sampler on all corpora, and the ids of the failed cases that list it."""
    usable = [a for a in asked if a.result.passed or a.result.field in ("z", "topics")]
    name = sampling.named([(a.case, a.answer["z"], a.result.passed) for a in usable])
    ids = [a.case["id"] for a in usable if not a.result.passed and name in a.case.get("mistakes", {})]
    return {name: ids} if name else {}
