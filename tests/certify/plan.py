"""The plan of an algorithm's cases: their inputs, without the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lda_reference.oracle.fresh_inputs import Documents, Inputs, corpus, flags, prior
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import ALGORITHMS, COLLAPSED, SAMPLERS, UNCOLLAPSED

from .corpora import FULL

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
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary")  # the operations that compute weights


class Plan:
    """The cases of one algorithm, by operation.

    A case's number is its place in its operation, and its random inputs follow from its id: new cases go to the end.
    """

    def __init__(self, name: str) -> None:
        if name not in ALGORITHMS:
            raise ValueError(f"name is {name!r}, expected one of {', '.join(ALGORITHMS)}")
        self.name, self.cases = name, dict[str, list[Case]]()

    def add(
        self, operation: str, note: str, documents: Documents, W: int, K: int, alpha: Any, eta: Any,
        schedule: str | None = None, one_hot: bool = False, tags: list[str] | None = None, **more: Any,
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
        one_hot : bool
            Let each row be certain of its topic, and the last of three topics be empty.
        tags : list of str, optional
            The equations; by default those of the update.
        more
            Other fields. `tie` only sets the flag of that name. `state` takes the place of a random state. With
            `named=False` no known mistakes are evaluated.
        """
        case, given = self._begun(operation, schedule, tags, note, documents, W, K, alpha, eta)
        M, N = len(case["corpus"]["n"]), sum(case["corpus"]["n"])
        if one_hot and self.name not in SAMPLERS:
            topics = given.topics(M, min(K, 2))
            case["state"] = {"gamma": [[1.0 if topics[i] == k else 0.0 for k in range(K)] for i in range(M)]}
        else:
            self._start(case, given)
        if self.name == "cvb1s" and operation in STEPS:
            case["uniforms"] = [[given.uniform() for _ in range(SAMPLES)] for _ in range(N)]
        if self.name in SAMPLERS and operation in ("sweep", "summary"):
            case["uniforms"] = [given.uniform() for _ in range(N)]
        if self.name == "gibbs" and operation in STEPS:
            case |= {"theta_jk": given.rows(case["corpus"]["D"], K), "phi_wk": given.columns(W, K)}
        if operation == "draw" and "uniform" not in more:
            more["uniform"] = given.uniform()
        case |= {key: value for key, value in more.items() if key != "tie"}
        case["flags"] = flags(case) + (["tie"] if "tie" in more else [])
        self.cases.setdefault(operation, []).append(case)

    def reject(
        self, note: str, change: Callable[[Case], None], documents: Documents = FULL, W: int = 4, legal: bool = False
    ) -> None:
        """Add an input that a port must refuse: a legal sweep, changed in one place.

        With `legal=True` the change leaves it legal, and a port must do the sweep.
        """
        case, given = self._begun("reject", SCHEDULES[self.name][0], None, note, documents, W, 2, 0.1, 0.2)
        N = sum(case["corpus"]["n"])
        self._start(case, given)
        if self.name in SAMPLERS:
            case["uniforms"] = [given.uniform() for _ in range(N)]
        if self.name == "cvb1s":
            case["uniforms"] = [[given.uniform() for _ in range(SAMPLES)] for _ in range(N)]
        if self.name == "gibbs":
            case |= {"theta_jk": given.rows(case["corpus"]["D"], 2), "phi_wk": given.columns(W, 2)}
        change(case)
        if legal:
            case |= {"flags": flags(case), "legal": True}
        self.cases.setdefault("reject", []).append(case)

    def _begun(
        self, operation: str, schedule: str | None, tags: list[str] | None, note: str,
        documents: Documents, W: int, K: int, alpha: Any, eta: Any,
    ) -> tuple[Case, Inputs]:  # fmt: skip
        """A case as far as its prior, and the random inputs of its id."""
        id = f"{self.name}/{operation}/{len(self.cases.get(operation, ())) + 1:03d}"
        case: Case = {"id": id, "version": 1, "algorithm": self.name, "operation": operation}
        if schedule:
            case["schedule"] = schedule
        case |= {"tags": tags or UPDATES[self.name], "flags": [], "note": note}
        case |= {"corpus": corpus(self.name, documents, W), "K": K, "prior": prior(self.name, alpha, eta)}
        return case, Inputs(id)

    def _start(self, case: Case, given: Inputs) -> None:
        """Set a random state."""
        M, N, K = len(case["corpus"]["n"]), sum(case["corpus"]["n"]), case["K"]
        case["state"] = {"z": given.topics(N, K)} if self.name in SAMPLERS else {"gamma": given.rows(M, K)}
