"""The questions of the vectors, which are the cases without their answers.

Released questions are data: they are read from the files. A new vector is an entry of `NEW`. Its id must never change,
and follows the last one of those that begin alike. What the entry does not give is drawn from its id, by the maker of
the fresh cases. A new algorithm is an entry of `LIKE`.
"""

from typing import NamedTuple

from lda_reference.oracle.cases.loading import MORE_OPERATIONS
from lda_reference.oracle.fresh.inputs import Inputs
from lda_reference.oracle.fresh.problems import Kind, Problem
from lda_reference.oracle.fresh.questions import flagged, question
from lda_reference.plain.problem import Case

from . import released

VERSION = "1.12.0"  # of the vectors; CHANGELOG.md says what may change in which part of it
CHANGES = ""  # what its entry in CHANGELOG.md will say, until it stands there

class New(NamedTuple):
    """A case that is not in the files yet.

    `fields` take the place of what would be drawn, such as `schedule` or `state`. They hold the `note`, the `tags` of
    an operation that is new, the flag "tie" in `flags`, and for an illegal input `expected` and `tolerance`.
    """

    id: str
    kind: Kind
    problem: Problem
    fields: Case


# Entries whose cases are in the files may be deleted. This one would be added to cgs.json, with a random z:
#     New("cgs/update/007", Kind("cgs", "update", ""), Problem([[(0, 2)], [(0, 1), (1, 1)]], 2, 2, 0.1, [0.5, 0.2]),
#         {"note": "two documents", "row": 0, "token": 1}),
NEW = ()
LIKE = {}  # the name of an algorithm that has no file yet, and of the one whose questions it is asked


def questions(name):
    """The questions of NAME.json; those whose ids begin alike follow one another."""
    cases = {case["id"]: asked(case) for case in released.file(name) or like(name)}
    for new in NEW:
        if file_of(new.kind) == name and new.id not in cases:
            group, _, number = new.id.rpartition("/")
            last = sum(group_of(id) == group for id in cases)
            if int(number) != last + 1:
                raise ValueError(f"{new.id}: there are {last} cases of {group}, expected the number {last + 1:03d}")
            cases[new.id] = flagged(question(new.id, new.kind, new.problem, Inputs(new.id), **new.fields))
    groups = list(dict.fromkeys(map(group_of, cases)))
    return sorted(cases.values(), key=lambda case: groups.index(group_of(case["id"])))


def like(name):
    """The cases of the algorithm that is named in `LIKE`, in the name of a new one."""
    cases = released.file(LIKE[name]) if name in LIKE else ()
    return [case | {"id": case["id"].replace(LIKE[name], name, 1), "algorithm": name} for case in cases]


def group_of(id):
    """An id without its number."""
    return id.rpartition("/")[0]


def file_of(kind):
    """The name of the file that has the cases of a kind."""
    if kind.operation in MORE_OPERATIONS:
        return "online" if kind.operation == "online_step" else "operations"
    return "samplers" if kind.operation == "sample" else kind.algorithm


ANSWERS = ("expected", "tolerance", "single", "together", "topics", "mistakes", "mistaken_topics")


def asked(case):
    """A released case without its answer; that an input is illegal is part of the question."""
    illegal = "error" in case.get("expected", ())
    return case if illegal else {name: x for name, x in case.items() if name not in ANSWERS}
