"""Inputs that a port must refuse, and legal ones near the border.

Each is a legal case that is changed in one place. A port that refuses everything would pass all illegal ones. It fails
the legal ones.
"""

from collections.abc import Iterator
from typing import Any

from ...plain.updates import ALGORITHMS, OF_TYPES, SAMPLERS
from ..cases.loading import Case
from .inputs import prior

# A note, which begins with "legal" if the case stays legal; a place in it; and what stands there, or a function of that
Entry = tuple[str, str, Any]
BELOW_ONE = 1 - 2.0**-53  # the largest float64 number below 1


def change(case: Case, dotted_path: str, new_entry: Any) -> None:
    """Put something at a place in a case."""
    *outer_keys, last_key = (int(step) if step.isdigit() else step for step in dotted_path.split("."))
    container: Any = case
    for outer_key in outer_keys:
        container = container[outer_key]
    container[last_key] = new_entry(container[last_key]) if callable(new_entry) else new_entry


def shorter(x: list[Any]) -> list[Any]:
    return x[:-1]


def longer(x: list[Any]) -> list[Any]:
    return [*x, x[0]]


# Of sweeps of three documents of three words, with two topics
SWEEP_ENTRIES: list[Entry] = [
    ("a negative alpha", "prior.alpha", -0.1),
    ("alpha has three entries for two topics", "prior.alpha", [1.5, 1.5, 1.5]),
    ('alpha is infinite, which is spelled "inf"', "prior.alpha", "inf"),
    ("eta is 0", "prior.eta", 0.0),
    ("a negative entry of eta", "prior.eta", [1.5, -1.5, 1.5]),
    ("eta has four entries for three words", "prior.eta", [1.5, 1.5, 1.5, 1.5]),
    ('an entry of eta is infinite, which is spelled "inf"', "prior.eta", [1.5, "inf", 1.5]),
    ("a count of 0", "corpus.n.0", 0),
    ("a count that is no whole number", "corpus.n.0", 1.5),
    ("a negative word id", "corpus.w.0", -1),
    ("a word id that is not below W", "corpus.w.2", 3),
    ("a document that is not below D", "corpus.D", 2),
    ("documents out of order", "corpus.j.0", 2),
    ("fewer words than documents in the rows", "corpus.w", shorter),
    ("K is 0", "K", 0),
]
SAMPLER_ENTRIES: list[Entry] = [
    ("a topic that is not below K", "state.z.1", 2),
    ("a topic too few: there must be one a token", "state.z", shorter),
    ("a topic too many: there must be one a token", "state.z", longer),
    ("a uniform of 1: they are in [0, 1)", "uniforms.0", 1.0),
    ("a uniform too few: there must be one a token", "uniforms", shorter),
    ("a uniform too many: there must be one a token", "uniforms", longer),
    ("a state of gamma: a sampler starts from z", "state", {"gamma": [[0.5, 0.5]] * 10}),
    ("a schedule that the sampler has not", "schedule", "document"),
    ("legal: a uniform of 0", "uniforms.0", 0.0),
    ("legal: the largest uniform below 1", "uniforms.1", BELOW_ONE),
]
GAMMA_ENTRIES: list[Entry] = [
    ("a row of gamma that does not sum to 1", "state.gamma.1", [0.5, 0.4]),
    ("a row of gamma that sums to 1 + 1e-6", "state.gamma.1", [0.5, 0.500001]),
    ("a negative entry of gamma, in a row that sums to 1", "state.gamma.0", [1.25, -0.25]),
    ("a row of gamma with three entries for two topics", "state.gamma.0", [0.5, 0.5, 0.0]),
    ("a row of gamma too few", "state.gamma", shorter),
    ("legal: a row of gamma that sums to 1 + 1e-10", "state.gamma.1", [0.5, 0.5000000001]),
    ("legal: entries of gamma that are exactly 0 and 1", "state.gamma.2", [1.0, 0.0]),
]
OFFSET_ENTRIES: list[Entry] = [
    ("alpha is 1, which is taken off it, so it must be larger", "prior.alpha", 1.0),
    ("eta is below 1, which is taken off it, so it must be larger", "prior.eta", 0.5),
    ("one of eta is 1", "prior.eta", [1.5, 1.0, 1.5]),
]
TWO_ROWS_NOTE = "a word has two rows in a document: SN12 (55) takes types, one row for each"
SAMPLE_ENTRIES: list[Entry] = [
    ("a row of count 2: each token has samples of its own, so rows must be tokens", "corpus.n.0", 2),
    ("a token without samples", "uniforms", shorter),
    ("samples of a token too many", "uniforms", longer),
]


def of_sweeps(algorithm: str) -> Iterator[Entry]:
    """What a sweep can become."""
    yield from SWEEP_ENTRIES
    yield "legal: lists of exactly K and W numbers", "prior", prior(algorithm, [0.25, 0.5], [0.5, 0.25, 0.75])
    yield from SAMPLER_ENTRIES if algorithm in SAMPLERS else GAMMA_ENTRIES
    if ALGORITHMS[algorithm].prior_offset:
        yield from OFFSET_ENTRIES
    if algorithm in OF_TYPES:
        yield TWO_ROWS_NOTE, "corpus.w", lambda w: [w[1], *w[1:]]
    if algorithm == "cvb1s":
        yield from SAMPLE_ENTRIES


START_ENTRIES: dict[str, list[Entry]] = {
    "growing": [
        ("a document twice in the order", "order", lambda order: [*order[:2], order[0]]),
        ("a document of the order that is not below D", "order.2", 3),
        ("a document that is missing in the order", "order", shorter),
        ("a row of the first part that does not sum to 1", "first.0", [0.5, 0.4]),
    ],
    "documents": [
        ("a document that is not below D", "documents.1", 3),
        ("a negative document", "documents.0", -1),
        ("a document too few: there must be one for each topic", "documents", shorter),
        ("legal: the last document for both topics", "documents", [2, 2]),
    ],
    "topics": [
        ("a negative weight", "weights_wk.1.0", -0.9),
        ("weights of a word too few", "weights_wk", shorter),
        ("legal: a weight of 0", "weights_wk.1.0", 0.0),
    ],
    "incremental": [
        ("a uniform of 1: they are in [0, 1)", "uniforms.2", 1.0),
        ("a uniform too few: there must be one for each row", "uniforms", shorter),
        ("legal: a uniform of 0", "uniforms.2", 0.0),
    ],
    "one-hot": [
        ("a topic that is not below K", "state.z.0", 2),
        ("a topic too few: there must be one for each token", "state.z", shorter),
    ],
    "collapsed": [("a row of gamma that does not sum to 1", "state.gamma.1", [0.5, 0.4])],
    "anneal": [
        ("a top of 0", "top", 0.0),
        ("no sweep", "sweeps", 0),
        ("map, whose prior must be above 1", "of", "map"),
        ("legal: a top below the prior", "top", 0.05),
    ],
}
