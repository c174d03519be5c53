"""The plan of the cases: their inputs, without the answers.

A case's number is its place among those whose ids begin alike, and its random inputs follow from its id. The meaning of
an id must never change, so new cases go to the end of their operation, or of their start.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from lda_reference.oracle.fresh.inputs import Documents, Inputs, corpus, flags, prior
from lda_reference.oracle.fresh.rejects import Change
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import ALGORITHMS, COLLAPSED, SAMPLERS, UNCOLLAPSED

from .small_corpora import FULL

Problem = tuple[str, Documents, int, int, Any, Any]  # a note, the documents, W, K, alpha and eta

SAMPLES = 3  # the samples of cvb1s for each token

# The schedules of each algorithm, the default first.
SCHEDULES: dict[str, tuple[str, ...]] = dict.fromkeys(UNCOLLAPSED, ("corpus", "token", "document"))
SCHEDULES |= dict.fromkeys(COLLAPSED, ("token", "document", "corpus"))
SCHEDULES["gibbs"], SCHEDULES["cgs"] = ("corpus",), ("token",)

# The equations of each algorithm's update.
UPDATES = {
    "ml": ["AWST09 (4)"],
    "map": ["AWST09 (5)"],
    "vb": ["TNW06 (4)", "TNW06 (5)", "TNW06 (6)", "AWST09 (10)"],
    "vem": ["AWST09 (10)", "AWST09 (4)"],
    "gibbs": ["SOL14 (7)"],
    "cgs": ["TNW06 (8)", "AWST09 (14)", "SOL14 (8)"],
    "cvb_exact": ["TNW06 (15)", "TNW06 App. A"],
    "cvb": ["TNW06 (16)", "TNW06 (17)", "TNW06 (18)", "AWST09 (12)"],
    "cvb0": ["AWST09 (13)", "SN12 (9)"],
    "tcvb0": ["SN12 (55)"],
    "cvb1": ["SN12 (48)"],
    "cvb1s": ["SN12 (49)"],
    "cvb1d": ["SN12 (50)"],
}
ESTIMATES = {"ml": ["AWST09 (2)", "AWST09 (3)"], "map": ["AWST09 (6)"], "vem": ["AWST09 (15)", "AWST09 (3)"]}
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary", "reject")  # what computes weights


def tags(name: str, operation: str) -> list[str]:
    """The equations of an operation: those of the update, if nothing else is said."""
    of_estimates = ESTIMATES.get(name, ["AWST09 (15)"])
    of = {
        "estimate": of_estimates,
        "predict": [*of_estimates, "TNW06 (19)", "AWST09 §4"],
        "bound": ["TNW06 (2)"] if name == "vb" else ["TNW06 (12)"],
        "hyperparameters": ["AWST09 §3.1", "SN12 §10"],
    }
    return of.get(operation, UPDATES[name])


class Cases:
    """Cases, which are numbered.

    Attributes
    ----------
    all : list of cases
    """

    def __init__(self) -> None:
        self.all: list[Case] = []
        self.numbers = Counter[str]()

    def begun(self, kind: str, name: str, operation: str, problem: Problem, **more: Any) -> tuple[Case, Inputs]:
        """A new case as far as its prior, and the random inputs of its id, which begins with `kind`.

        `more` has the fields between the operation and the flags.
        """
        self.numbers[kind] += 1
        id = f"{kind}/{self.numbers[kind]:03d}"
        note, documents, W, K, alpha, eta = problem
        case: Case = {"id": id, "version": 1, "algorithm": name, "operation": operation, **more}
        case |= {"flags": [], "note": note, "corpus": corpus(name, documents, W), "K": K}
        self.all.append(case | {"prior": prior(name, alpha, eta)})
        return self.all[-1], Inputs(id)

    def change(self, case: Case, change: Change) -> None:
        """Let a case be an input that a port must refuse.

        If its note begins with "legal", the change leaves it legal, and a port must do what is asked.
        """
        change(case)
        if case["note"].startswith("legal"):
            case |= {"flags": flags(case), "legal": True}


class Plan(Cases):
    """The cases of one algorithm."""

    def __init__(self, name: str) -> None:
        super().__init__()
        if name not in ALGORITHMS:
            raise ValueError(f"name is {name!r}, expected one of {', '.join(ALGORITHMS)}")
        self.name = name

    def by_operation(self) -> list[Case]:
        """All cases; those of an operation follow one another."""
        operations = list(self.numbers)
        return sorted(self.all, key=lambda case: operations.index(f"{self.name}/{case['operation']}"))

    def add(
        self, operation: str, note: str, documents: Documents, W: int, K: int, alpha: Any, eta: Any,
        schedule: str | None = None, one_hot: bool = False, **more: Any,
    ) -> None:  # fmt: skip
        """Add a case.

        Parameters
        ----------
        operation, note : str
        documents, W
            The corpus.
        K, alpha, eta
            The number of topics, and the prior (of map 1 is added to it).
        schedule : str, optional
            By default, "corpus" for one update or draw and the algorithm's first one for sweeps.
        one_hot : bool
            Let each row be certain of its topic, and the last of three topics be empty.
        more
            Other fields. `tie` only sets the flag of that name. `state` takes the place of a random state.
        """
        case, given = self._with_state(operation, (note, documents, W, K, alpha, eta), schedule, one_hot)
        if operation == "draw" and "uniform" not in more:
            more["uniform"] = given.uniform()
        case |= {key: value for key, value in more.items() if key != "tie"}
        case["flags"] = flags(case) + (["tie"] if "tie" in more else [])

    def reject(self, note: str, change: Change, documents: Documents = FULL, W: int = 4) -> None:
        """Add an input that a port must refuse: a legal sweep, changed in one place."""
        case, _ = self._with_state("reject", (note, documents, W, 2, 0.1, 0.2))
        self.change(case, change)

    def _with_state(
        self, operation: str, problem: Problem, schedule: str | None = None, one_hot: bool = False
    ) -> tuple[Case, Inputs]:
        """A case with all that a step needs, and its random inputs."""
        name, sampler = self.name, self.name in SAMPLERS
        default = "corpus" if operation in ("update", "draw") else SCHEDULES[name][0]
        more = {"schedule": schedule or default} if operation in STEPS else {}
        case, given = self.begun(f"{name}/{operation}", name, operation, problem, **more, tags=tags(name, operation))
        c, K = case["corpus"], case["K"]
        M, N = len(c["n"]), sum(c["n"])
        if one_hot and not sampler:
            topics = given.topics(M, min(K, 2))
            case["state"] = {"gamma": [[1.0 if topics[i] == k else 0.0 for k in range(K)] for i in range(M)]}
        else:
            case["state"] = {"z": given.topics(N, K)} if sampler else {"gamma": given.rows(M, K)}
        if name == "cvb1s" and operation in STEPS:
            case["uniforms"] = [[given.uniform() for _ in range(SAMPLES)] for _ in range(N)]
        if sampler and operation in ("sweep", "summary", "reject"):
            case["uniforms"] = [given.uniform() for _ in range(N)]
        if name == "gibbs" and operation in STEPS:
            case |= {"theta_jk": given.rows(c["D"], K), "phi_wk": given.columns(c["W"], K)}
        return case, given
