"""The cases of the starts."""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.fresh.inputs import Documents, Given, corpus, flags, gamma, prior, z
from lda_reference.oracle.fresh.operations import annealed, chosen, gamma_variables, grown, uniforms
from lda_reference.oracle.fresh.rejects import STARTS
from lda_reference.plain.problem import Case

from .plan import UPDATES, Cases, Problem
from .small_corpora import ALPHAS, COUNTS, ETAS, FULL, SINGLE, TEXT

NAME = "starts"  # stands where other cases have an algorithm
TAGS = {"incremental": ["AWST09 (15)"], "collapsed": ["AWST09 (13)", "SN12 (9)"]}
TAGS["growing"] = [*TAGS["collapsed"], *TAGS["incremental"]]
MANY: Documents = [  # of 4 words
    [(0, 2), (1, 1)], [(1, 1), (3, 2)], [(0, 1)], [(2, 3), (3, 1)], [(0, 1), (2, 1)], [(1, 4)], [(3, 1), (1, 1)],
    [(2, 2), (0, 1)],
]  # fmt: skip
THREE: Documents = [[(1, 2), (2, 1)], [(0, 3), (1, 1), (2, 2), (1, 1)], [(2, 1), (0, 2)]]  # of 3 words
TWELVE: Documents = [  # of 5 words; with two rows in each document, the blocks of the package are documents
    [(0, 2), (1, 1)], [(1, 1), (4, 3)], [(2, 1), (3, 2)], [(3, 1), (0, 1)], [(4, 2), (2, 1)], [(1, 2), (1, 1)],
    [(0, 3), (4, 1)], [(2, 4), (1, 3)], [(3, 1), (3, 2)], [(1, 1), (0, 2)], [(4, 1), (3, 1)], [(2, 4), (0, 1)],
]  # fmt: skip
NINE: Documents = [*TWELVE[:3], [], *TWELVE[3:8]]
# Ten of seventy documents have rows: the first two of an order, and others in each part and after the last one
ORDER = [(29 * place + 13) % 70 for place in range(70)]
FULL_PLACES = (0, 1, 2, 4, 8, 17, 30, 36, 50, 69)
SEVENTY: Documents = [  # of 260 words
    [(d % 3, 1 + d % 2), (259 if d % 4 else 3, 300 if d == ORDER[4] else 2)] if ORDER.index(d) in FULL_PLACES else []
    for d in range(70)
]


def start_cases() -> list[Case]:
    """The cases of all starts, without their answers."""
    cases = Cases()

    def begun(kind: str, operation: str, start: str, problem: Problem, given: Given, **more: Any) -> Case:
        tags = UPDATES[more["of"]] if "of" in more else TAGS.get(start, [])
        case, inputs = cases.begun(f"{NAME}/{kind}", NAME, operation, problem, start=start, **more, tags=tags)
        case |= given(case, inputs)
        return case

    def add(start: str, note: str, documents: Documents, W: int, K: int, alpha: Any, eta: Any, given: Given) -> None:
        case = begun(start, "start", start, (note, documents, W, K, alpha, eta), given)
        case["flags"] = flags(case)

    add("one-hot", "rows of several tokens, each with a topic of its own", COUNTS, 4, 3, 0.1, 0.2, z)
    add("one-hot", "tokens, an empty document, an unseen word", TEXT, 6, 3, 0.1, 0.2, z)
    add("one-hot", "five topics", MANY, 4, 5, 0.5, 0.4, z)
    add("one-hot", "one topic: gamma is 1", COUNTS, 4, 1, 0.1, 0.2, z)

    add("topics", "counts above 1, which make no difference", COUNTS, 4, 3, 0.1, 0.2, gamma_variables)
    add("topics", "an unseen word, which phi has too", TEXT, 6, 3, 0.1, 0.2, gamma_variables)
    add("topics", "five topics", FULL, 4, 5, 0.5, 0.4, gamma_variables)
    add("topics", "one topic: gamma is 1", COUNTS, 4, 1, 0.1, 0.2, gamma_variables)

    add("documents", "counts above 1", COUNTS, 4, 3, 0.1, 0.2, chosen(2, 0, 1))
    add("documents", "two topics with the same document", COUNTS, 4, 3, 0.1, 0.2, chosen(0, 2, 0))
    add("documents", "an empty document: its phi is uniform", TEXT, 6, 3, 0.1, 0.2, chosen(1, 2, 0))
    add("documents", "a word that stands twice in its document", FULL, 4, 3, 0.5, 0.4, chosen(1, 0, 2))
    add("documents", "more topics than documents", FULL, 4, 5, 0.5, 0.4, chosen(2, 2, 0, 1, 0))
    add("documents", "one topic: gamma is 1", COUNTS, 4, 1, 0.1, 0.2, chosen(2))

    add("incremental", "counts above 1", COUNTS, 4, 3, 0.1, 0.2, uniforms)
    add("incremental", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, uniforms)
    add("incremental", "every word in two documents", FULL, 4, 4, 0.5, 0.4, uniforms)
    add("incremental", "eight documents", MANY, 4, 5, 0.5, 0.4, uniforms)
    add("incremental", "eight documents, vectors", MANY, 4, 3, ALPHAS[:3], ETAS[:4], uniforms)
    add("incremental", "large priors, six topics", MANY, 4, 6, 2.0, 1.5, uniforms)
    add("incremental", "one token", SINGLE, 2, 3, [0.3, 0.6, 0.1], 0.2, uniforms)

    add("collapsed", "counts above 1", COUNTS, 4, 2, 0.5, 0.3, gamma)
    add("collapsed", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, gamma)
    add("collapsed", "every word in two documents", FULL, 4, 3, ALPHAS[:3], ETAS[:4], gamma)
    add("collapsed", "eight documents", MANY, 4, 2, 0.5, 0.4, gamma)

    add("growing", "one document, which is every part", THREE[1:2], 3, 3, ALPHAS[:3], 0.2, grown(0))
    add("growing", "two documents: the second one takes no sweep", THREE[1:], 3, 2, 0.02, [0.1, 0.3, 0.05], grown(0, 1))
    add("growing", "three documents, counts above 1", THREE, 3, 2, 0.02, 0.05, grown(1, 0, 2))
    add("growing", "an empty document, an unseen word, vectors", TEXT, 6, 3, ALPHAS[:3], ETAS, grown(4, 1, 2, 0, 3))
    add("growing", "an empty first part: gamma begins uniform", TEXT, 6, 3, ALPHAS[:3], ETAS, grown(2, 4, 0, 3, 1))
    add("growing", "eight documents", MANY, 4, 2, 0.1, 0.2, grown(3, 6, 0, 5, 7, 1, 4, 2))
    add("growing", "nine documents, one of them empty", NINE, 5, 3, 0.1, 0.2, grown(8, 4, 1, 3, 0, 6, 2, 7, 5))
    order = grown(7, 2, 10, 4, 1, 8, 11, 0, 5, 9, 3, 6)
    add("growing", "twelve documents, vectors", TWELVE, 5, 4, ALPHAS[:4], ETAS[:5], order)

    # With at most eight documents of equal numbers of rows in a part, the blocks of the package are documents
    note = "seventy documents: the first part is two; a count of 300, word 259"
    case = begun("growing", "start", "growing", (note, SEVENTY, 260, 2, 0.1, 0.2), grown(*ORDER))
    case["flags"] = flags(case)

    def anneal(
        of: str, note: str, documents: Documents, W: int, K: int, alpha: Any, eta: Any, top: float, sweeps: int
    ) -> None:
        problem = (f"{of}, {note}", documents, W, K, alpha, eta)
        given = annealed(top, sweeps)
        case = begun("anneal", "start", "anneal", problem, given, of=of, schedule="corpus")
        case |= {"corpus": corpus(of, documents, W), "prior": prior(of, alpha, eta)}
        case["flags"] = flags(case)

    anneal("vb", "counts above 1", COUNTS, 4, 3, 0.1, 0.05, 2.0, 4)
    anneal("vb", "vectors; an empty document, an unseen word", TEXT, 6, 3, [0.3, 0.05, 0.7], ETAS, 2.0, 8)
    anneal("vb", "priors above and at `top`, which stay", FULL, 4, 3, [0.5, 3.0, 1.5], [0.2, 2.5, 0.6, 1.5], 1.5, 5)
    anneal("vb", "one sweep", COUNTS, 4, 2, 0.1, [0.2, 0.05, 0.4, 0.1], 2.0, 1)
    anneal("map", "whose offset of 1 stays: counts above 1", COUNTS, 4, 3, 0.1, 0.05, 2.0, 4)
    anneal("map", "vectors; a prior that is above `top`", MANY, 4, 3, [0.3, 0.1, 0.7], [0.5, 2.2, 0.05, 0.9], 1.5, 6)
    anneal("vem", "counts above 1, a vector", COUNTS, 4, 3, [0.3, 0.05, 0.7], 0.2, 3.0, 5)
    anneal("cvb0", "eight documents, vectors", MANY, 4, 3, [0.3, 0.05, 0.7], [0.5, 0.2, 0.05, 0.9], 2.0, 6)
    anneal("tcvb0", "types, five topics", TWELVE[:5], 5, 5, 0.1, 0.05, 1.0, 3)
    anneal("cvb", "counts above 1, a vector", COUNTS, 4, 3, 0.2, [0.5, 0.2, 0.05, 0.9], 2.0, 4)
    anneal("cvb1d", "priors that are all above `top`: every sweep is at the own prior", FULL, 4, 3, 2.5, 3.0, 2.0, 3)
    anneal("cvb_exact", "tokens, a top below 1", FULL, 4, 2, 0.1, [0.05, 0.3, 0.1, 0.7], 0.5, 3)

    for start, note, given, change in STARTS:
        more = {"of": "vb", "schedule": "corpus"} if start == "anneal" else {}
        cases.change(begun("reject", "reject", start, (note, THREE, 3, 2, 0.5, 0.4), given, **more), change)
    return cases.all
