"""The inputs of fresh cases, which follow from their ids, and what all cases are made of.

All inputs are short decimals. They are read as the float64 numbers that they print as, and taken exactly.
"""

from __future__ import annotations

import math
import random
import re
from functools import cache
from typing import Any

from ..plain.updates import ALGORITHMS, SAMPLERS
from .asking.loading import STARTS, Case, cases

Documents = list[list[tuple[int, int]]]  # (word, count) of each row

ID = re.compile(r"fresh/(0|[1-9][0-9]*)/([0-9]{4,})")
SAMPLES = 3  # of cvb1s, for each token
WITHOUT_PRIOR = ("ml", "map", "vem")  # they learn no hyperparameters
WITHOUT_BOUND = ("ml", "map", "vem", *SAMPLERS)
SCHEDULES = ("token", "document", "corpus")
STEPS = ("update", "sweep", "ten_sweeps")
STARTS_OF = ("one-hot", "topics", "documents", "incremental", "collapsed", "growing", "anneal")
ANNEALED = ("map", "vb", "vem", "cvb", "cvb0", "tcvb0", "cvb1d")


# What is asked -------------------------------------------------------------------------------------------------------

Kind = tuple[str, str, str]  # algorithm, operation, and the name of a start


@cache
def kinds() -> tuple[Kind, ...]:
    """All algorithms with their operations, and the starts."""
    found = []
    for name in ALGORITHMS:
        steps = ("update", "draw", "sweep") if name in SAMPLERS else STEPS
        bound = () if name in WITHOUT_BOUND else ("bound",)
        learning = () if name in WITHOUT_PRIOR else ("hyperparameters",)
        found += [(name, operation, "") for operation in (*steps, "estimate", *bound, "predict", *learning)]
    return (*found, *((STARTS, "start", start) for start in STARTS_OF))


@cache
def _tags() -> dict[str, dict[str, list[str]]]:
    """The equations of each algorithm and operation, or start, as in the vectors."""
    found: dict[str, dict[str, list[str]]] = {}
    for case in cases():
        found.setdefault(case["algorithm"], {}).setdefault(case.get("start") or case["operation"], case["tags"])
    return found


def kind_of(id: str) -> Kind:
    """What a case asks; a ValueError if the id is not that of a fresh case.

    Each run of cases as long as `kinds` asks everything once, in a random order.
    """
    match = ID.fullmatch(id)
    if match is None or int(match[2]) < 1:
        raise ValueError(f"{id!r} is not the id of a fresh case, such as fresh/7/0012")
    run, place = divmod(int(match[2]) - 1, len(kinds()))
    rng = random.Random(f"{match[1]} {run}")
    return sorted((rng.random(), kind) for kind in kinds())[place][1]


# The inputs ----------------------------------------------------------------------------------------------------------


class Inputs:
    """Random short decimals.

    They use nothing of `random` but `random.random`, whose sequence Python guarantees.
    """

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def below(self, n: int) -> int:
        """A whole number from 0 below n."""
        return int(self.rng.random() * n)

    def probabilities(self, K: int) -> list[float]:
        """K multiples of 1/10,000 that sum to 1, none of them 0."""
        x = [0.02 + self.rng.random() for _ in range(K)]
        total = math.fsum(x)  # not sum, which differs from one version of Python to another
        parts = [max(1, int(10_000 * v / total)) for v in x]
        parts[parts.index(max(parts))] += 10_000 - sum(parts)
        return [part / 10_000 for part in parts]

    def rows(self, M: int, K: int) -> list[list[float]]:
        """M rows of K probabilities."""
        return [self.probabilities(K) for _ in range(M)]

    def columns(self, W: int, K: int) -> list[list[float]]:
        """W rows of K numbers; each column sums to 1."""
        x = self.rows(K, W)
        return [[x[k][w] for k in range(K)] for w in range(W)]

    def topics(self, N: int, K: int) -> list[int]:
        """N topics from 0 below K."""
        return [self.below(K) for _ in range(N)]

    def uniform(self) -> float:
        """An odd multiple of 1/2,000,000, which is never a sum of multiples of 1/10,000."""
        return (2 * self.below(1_000_000) + 1) / 2_000_000

    def near_one(self) -> float:
        """A multiple of 1/10,000, of mean 1 and standard deviation 1/10."""
        return round(1 + (math.fsum(self.rng.random() for _ in range(12)) - 6) / 10, 4)


class Drawn(Inputs):
    """Random inputs of a case."""

    def up_to(self, n: int) -> int:
        """A whole number from 1 to n."""
        return 1 + self.below(n)

    def number(self) -> float:
        """A number of a prior, of two digits: from 0.001 to 10, its logarithm uniform."""
        return float(f"{10 ** (4 * self.rng.random() - 3):.1e}")

    def numbers(self, n: int) -> float | list[float]:
        """A number of a prior, or n of them."""
        return [self.number() for _ in range(n)] if self.below(2) else self.number()

    def documents(self, D: int, W: int) -> Documents:
        """D documents of up to 5 rows, about one in six of them empty but not all."""
        found = [[self.row(W) for _ in range(self.below(6) and self.up_to(5))] for _ in range(D)]
        return found if any(found) else [*found[1:], [self.row(W)]]

    def row(self, W: int) -> tuple[int, int]:
        """A word and its count: 1 for half of the rows, otherwise up to 4."""
        return self.below(W), self.up_to(4) if self.below(2) else 1

    def permutation(self, n: int) -> list[int]:
        """The numbers below n in a random order."""
        return [i for _, i in sorted((self.rng.random(), i) for i in range(n))]


def inputs(id: str, attempt: int = 0) -> Case:
    """A case without its answer; each attempt has other inputs."""
    algorithm, operation, start = kind_of(id)
    x = Drawn(f"{id} {attempt}")
    larger = 1 if x.below(10) else 4  # one case in ten has more words and topics
    D, W, K = x.up_to(8 if start == "growing" else 6), x.up_to(8 * larger), x.up_to(5 * larger)  # blocks: GUIDE.md
    of = algorithm
    if start == "anneal":
        of = ANNEALED[x.below(len(ANNEALED))]
    c = corpus(of, x.documents(D, W), W)
    case: Case = {"id": id, "version": 1, "algorithm": algorithm, "operation": operation}
    case |= {"start": start} if start else {}
    case |= {"of": of, "schedule": "corpus"} if start == "anneal" else {}
    tags = _tags()[of].get("update" if start == "anneal" else start or operation, [])
    case |= {"tags": tags, "flags": [], "note": "a fresh case"}
    case |= {"corpus": c, "K": K, "prior": prior(of, x.numbers(K), x.numbers(W))}
    case |= _of_start(case, x) if start else _of_algorithm(case, x)
    return case | {"flags": flags(case)}


def _of_algorithm(case: Case, x: Drawn) -> Case:
    """The state of a case, and what its operation needs."""
    c, K, name, operation = case["corpus"], case["K"], case["algorithm"], case["operation"]
    M, N, sampler = len(c["n"]), sum(c["n"]), name in SAMPLERS
    more: Case = {}
    step = operation in (*STEPS, "draw")
    more["state"] = {"z": x.topics(N, K)} if sampler else {"gamma": x.rows(M, K)}
    if step:
        schedules = {"cgs": ("token",), "gibbs": ("corpus",)}.get(name, SCHEDULES)
        more["schedule"] = "corpus" if operation in ("update", "draw") else schedules[x.below(len(schedules))]
    if operation in ("update", "draw"):
        more["row"] = x.below(M)
        more |= {"token": x.below(c["n"][more["row"]])} if sampler else {}
    if operation == "draw":
        more["uniform"] = x.uniform()
    if sampler and operation == "sweep":
        more["uniforms"] = [x.uniform() for _ in range(N)]
    if name == "cvb1s" and step:
        more["uniforms"] = [[x.uniform() for _ in range(SAMPLES)] for _ in range(N)]
    if name == "gibbs" and step:
        more |= {"theta_jk": x.rows(c["D"], K), "phi_wk": x.columns(c["W"], K)}
    if operation == "predict":
        j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
        more["test"] = {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}
    if operation == "hyperparameters":
        shape, rate = ((1.0, 0.0), (2.0, 0.5), (1.5, 0.3))[x.below(3)]
        more["gamma_prior"] = {"shape": shape, "rate": rate}
    return more


def _of_start(case: Case, x: Drawn) -> Case:
    """The random numbers of a start."""
    c, K = case["corpus"], case["K"]
    match case["start"]:
        case "one-hot":
            return {"state": {"z": x.topics(sum(c["n"]), K)}}
        case "topics":
            return {"weights_wk": [[x.near_one() for _ in range(K)] for _ in range(c["W"])]}
        case "documents":
            return {"documents": x.topics(K, c["D"])}
        case "incremental":
            return {"uniforms": [x.uniform() for _ in c["n"]]}
        case "collapsed":
            return {"state": {"gamma": x.rows(len(c["n"]), K)}}
        case "anneal":
            state = {"gamma": x.rows(len(c["n"]), K)}
            return {"state": state, "top": (0.5, 1.0, 2.0, 3.0)[x.below(4)], "sweeps": x.up_to(6)}
        case _:
            order = x.permutation(c["D"])
            return {"order": order, "first": x.rows(c["j"].count(order[0]), K)}


# Parts of cases -----------------------------------------------------------------------------------------------------


def corpus(name: str, documents: Documents, W: int) -> dict[str, Any]:
    """A corpus of the rows that an algorithm takes: types for tcvb0, tokens for cvb1s."""
    if name == "tcvb0":
        documents = [sorted({w: sum(n for v, n in d if v == w) for w, _ in d}.items()) for d in documents]
    if name == "cvb1s":
        documents = [[(w, 1) for w, n in d for _ in range(n)] for d in documents]
    rows = [(j, w, n) for j, d in enumerate(documents) for w, n in d]
    return {
        "j": [j for j, _, _ in rows], "w": [w for _, w, _ in rows], "n": [n for _, _, n in rows],
        "D": len(documents), "W": W,
    }  # fmt: skip


def prior(name: str, alpha: Any, eta: Any) -> dict[str, Any]:
    """The prior of a case; of map 1 is added to every number."""

    def of(x: Any) -> Any:
        if isinstance(x, list):
            return [of(v) for v in x]
        return round(x + 1, 6) if name == "map" else x

    return {"alpha": of(alpha), "eta": of(eta)}


def flags(case: Case) -> list[str]:
    """What a port must be able to do for this case."""
    c, p, out = case["corpus"], case["prior"], []
    alpha, eta = (x if isinstance(x, list) else [x] for x in (p["alpha"], p["eta"]))
    rows = [[i for i in range(len(c["j"])) if c["j"][i] == j] for j in range(c["D"])]
    if max(c["n"]) > 1:
        out.append("types")
    if isinstance(p["alpha"], list):
        out.append("asymmetric_alpha")
    if isinstance(p["eta"], list):
        out.append("asymmetric_eta")
    if case["K"] == 1:
        out.append("K1")
    if sum(c["n"]) == 1:
        out.append("one_token")
    if len(set(c["w"])) < c["W"]:
        out.append("unseen_word")
    if any(len({c["w"][i] for i in of}) == 1 and sum(c["n"][i] for i in of) > 1 for of in rows):
        out.append("one_type_document")
    if any(not of for of in rows):
        out.append("empty_document")
    if min(alpha + eta) - (1 if case.get("of", case["algorithm"]) == "map" else 0) < 0.0011:
        out.append("tiny_prior")
    return out
