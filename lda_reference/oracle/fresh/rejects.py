"""Inputs that a port must refuse, and legal ones near the border.

Each is a legal case that is changed in one place. A port that refuses everything would pass all illegal ones. It fails
the legal ones.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem, setitem
from typing import Any

from ...plain.updates import ALGORITHMS, OF_TYPES, SAMPLERS
from ..cases.loading import Case
from .inputs import Inputs, prior

Change = Callable[[Any], Any]  # of a case
Entry = tuple[str, Change]  # a note, which begins with "legal" if the change leaves the case legal
LAST = 1 - 2.0**-53  # the largest float64 number below 1


def put(*path: Any, value: Any) -> Change:
    """A change that puts a value at a place in a case."""
    return lambda case: setitem(reduce(getitem, path[:-1], case), path[-1], value)


def repeated(case: Case) -> None:
    """Give the last word of the last document a second row."""
    case["corpus"] = {name: [*x, x[-1]] if isinstance(x, list) else x for name, x in case["corpus"].items()}
    case["state"] = {"gamma": [*case["state"]["gamma"], case["state"]["gamma"][-1]]}


def one_topic(case: Case) -> None:
    """Let the case have one topic."""
    c, sampler = case["corpus"], "z" in case["state"]
    case |= {"K": 1, "state": {"z": [0] * sum(c["n"])} if sampler else {"gamma": [[1.0]] * len(c["n"])}}
    if "theta_jk" in case:
        case |= {"theta_jk": [[1.0]] * c["D"], "phi_wk": Inputs(case["id"]).columns(c["W"], 1)}


def lists(case: Case) -> None:
    """Give the prior as a list of exactly K numbers and one of exactly W, and use the last topic."""
    case["prior"] = prior(case["algorithm"], [0.25, 0.5], [0.5, 0.25, 0.75])
    if "z" in case["state"]:
        case["state"]["z"][0] = case["K"] - 1


# Every algorithm is asked four of these, not all the same.
COMMON: list[Entry] = [
    ("eta is 0", put("prior", "eta", value=0.0)),
    ("a negative entry of eta", put("prior", "eta", value=[1.5, 1.5, -1.5, 1.5])),
    ("alpha has three entries for two topics", put("prior", "alpha", value=[1.5, 1.5, 1.5])),
    ("eta has three entries for four words", put("prior", "eta", value=[1.5, 1.5, 1.5])),
    ("a count of 0", put("corpus", "n", 0, value=0)),
    ("a negative count", put("corpus", "n", 1, value=-1)),
    ("a negative word id", put("corpus", "w", 0, value=-1)),
    ("a document that is not below D", put("corpus", "D", value=2)),
    ("documents out of order", put("corpus", "j", 0, value=2)),
    ("fewer words than documents in the rows", lambda case: case["corpus"]["w"].pop()),
    ("a count that is no whole number", put("corpus", "n", 0, value=1.5)),
    ("K is negative", put("K", value=-2)),
]


def of_four_words(name: str) -> Iterator[Entry]:
    """Illegal sweeps of three documents of four words, with two topics."""
    sampler = name in SAMPLERS
    yield "a negative alpha", put("prior", "alpha", value=-0.1)
    yield "K is 0", put("K", value=0)
    yield "a word id that is not below W", put("corpus", "w", 2, value=4)
    if sampler:
        yield "a topic that is not below K", put("state", "z", 1, value=2)
        yield "a negative topic", put("state", "z", 3, value=-1)
        yield "a topic too few: there must be one a token", lambda case: case["state"]["z"].pop()
        yield "a uniform of 1: they are in [0, 1)", put("uniforms", 0, value=1.0)
        yield "a negative uniform", put("uniforms", 2, value=-0.25)
        yield "a uniform too few: there must be one a token", lambda case: case["uniforms"].pop()
        yield "a state of gamma: a sampler starts from z", put("state", value={"gamma": [[0.5, 0.5]] * 10})
        yield "a schedule that the sampler has not", put("schedule", value="document")
    else:
        yield "a row of gamma that does not sum to 1", put("state", "gamma", 1, value=[0.5, 0.4])
        yield "a negative entry of gamma, in a row that sums to 1", put("state", "gamma", 0, value=[1.25, -0.25])
    if ALGORITHMS[name].prior_offset:
        yield "alpha is 1, which is taken off it, so it must be larger", put("prior", "alpha", value=1.0)
        yield "eta is below 1, which is taken off it, so it must be larger", put("prior", "eta", value=0.5)
        yield "one of eta is 1", put("prior", "eta", value=[1.5, 1.0, 1.5, 1.5])
    if name in OF_TYPES:
        yield "a word has two rows in a document: SN12 (55) takes types, one row for each", repeated
    if name == "cvb1s":
        note = "a row of count 2: each token has samples of its own, so rows must be tokens"
        yield note, put("corpus", "n", 0, value=2)
        yield "a token without samples", lambda case: case["uniforms"].pop()
    first = 4 * (1 + list(ALGORITHMS).index(name)) % len(COMMON)
    yield from COMMON[first : first + 4]
    if not sampler:
        yield "a row of gamma too few", lambda case: case["state"]["gamma"].pop()


def of_three_words(name: str) -> Iterator[Entry]:
    """Sweeps of three documents of three words, with two topics, near the border of what is legal."""
    yield 'alpha is infinite, which is spelled "inf"', put("prior", "alpha", value="inf")
    yield 'an entry of eta is infinite, which is spelled "inf"', put("prior", "eta", value=[1.5, "inf", 1.5])
    yield "legal: lists of exactly K and W numbers", lists
    yield "legal: one topic", one_topic
    if name in SAMPLERS:
        yield "a uniform too many: there must be one a token", lambda case: case["uniforms"].append(0.5)
        yield "a topic too many: there must be one a token", lambda case: case["state"]["z"].append(0)
        yield "legal: a uniform of 0", put("uniforms", 0, value=0.0)
        yield "legal: the largest uniform below 1", put("uniforms", 1, value=LAST)
    else:
        yield "a row of gamma that sums to 1 + 1e-6", put("state", "gamma", 1, value=[0.5, 0.500001])
        yield "a row of gamma with three entries for two topics", lambda case: case["state"]["gamma"][0].append(0.0)
        yield "legal: a row of gamma that sums to 1 + 1e-10", put("state", "gamma", 1, value=[0.5, 0.5000000001])
        yield "legal: entries of gamma that are exactly 0 and 1", put("state", "gamma", 2, value=[1.0, 0.0])
    if name == "cvb1s":
        yield "samples of a token too many", lambda case: case["uniforms"].append([0.25, 0.5, 0.75])


# In the legal ones, `order` is that of the corpus.
OF_STARTS: list[tuple[str, str, Change]] = [
    ("growing", "a document twice in the order", lambda case: put("order", 2, value=case["order"][0])(case)),
    ("growing", "a document of the order that is not below D", put("order", 2, value=3)),
    ("growing", "a document that is missing in the order", lambda case: case["order"].pop()),
    ("growing", "a row of the first part that does not sum to 1", put("first", 0, value=[0.5, 0.4])),
    ("growing", "a row of the first part too few", lambda case: case["first"].pop()),
    ("growing", "legal: the documents in the order of the corpus", lambda case: None),
    ("documents", "a document that is not below D", put("documents", 1, value=3)),
    ("documents", "a negative document", put("documents", 0, value=-1)),
    ("documents", "a document too few: there must be one for each topic", lambda case: case["documents"].pop()),
    ("documents", "legal: the last document for both topics", put("documents", value=[2, 2])),
    ("topics", "a negative weight", put("weights_wk", 1, 0, value=-0.9)),
    ("topics", "weights of a word too few", lambda case: case["weights_wk"].pop()),
    ("topics", "legal: a weight of 0", put("weights_wk", 1, 0, value=0.0)),
    ("incremental", "a uniform of 1: they are in [0, 1)", put("uniforms", 2, value=1.0)),
    ("incremental", "a uniform too few: there must be one for each row", lambda case: case["uniforms"].pop()),
    ("incremental", "legal: a uniform of 0", put("uniforms", 2, value=0.0)),
    ("one-hot", "a topic that is not below K", put("state", "z", 0, value=2)),
    ("one-hot", "a topic too few: there must be one for each token", lambda case: case["state"]["z"].pop()),
    ("collapsed", "a row of gamma that does not sum to 1", put("state", "gamma", 1, value=[0.5, 0.4])),
    ("anneal", "a top of 0", put("top", value=0.0)),
    ("anneal", "no sweep", put("sweeps", value=0)),
    ("anneal", "a row that does not sum to 1", put("state", "gamma", 1, value=[0.5, 0.4])),
    ("anneal", "map, whose prior must be above 1", put("of", value="map")),
    ("anneal", "legal: one sweep, and a top below the prior", lambda case: case.update(sweeps=1, top=0.05)),
]
