"""sayanghosh/LDA-SCVB0: SCVB0 in C++, by its program.

Built by hand: sayanghosh+LDA-SCVB0/fastLDA. It starts from numbers of C's `rand`, which are drawn here as well, and
prints theta and the probable words of each topic to six digits.
"""

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .. import scvb0
from . import Answer, Case, Checkouts, Row

PROGRAM = "sayanghosh+LDA-SCVB0/fastLDA"
ALPHA, ETA = 0.1, 0.01  # fixed in the program


def case_of(i: int, iterations: int) -> Case:
    """A corpus as one minibatch, with the program's own start and steps."""
    made = scvb0.case_of(i, counts=i % 2 == 1)
    libc, (D, W, K) = ctypes.CDLL(None), (made["corpus"]["D"], made["corpus"]["W"], made["K"])
    libc.srand(1)
    N_wk = np.array([libc.rand() % 10 for _ in range(W * K)], float).reshape(W, K)
    N_jk = np.array([libc.rand() % 10 for _ in range(D * K)], float).reshape(D, K)
    case = made | {"prior": {"alpha": ALPHA, "eta": ETA}, "total_N": sum(made["corpus"]["n"]), "iterations": iterations}
    counts = {"N_jk": N_jk, "N_wk": N_wk, "N_k": N_wk.sum(0)}
    mistakes = [
        {"name": f"{name}{' and priors-accumulate' * kept}", "expected": after(case, counts, kept, **change)}
        for name, change in scvb0.CHANGES.items() for kept in (False, True)
    ]  # fmt: skip
    expected = after(case, counts, False)
    return case | {"id": f"{made['id']}/{iterations}", "expected": expected, "mistakes": mistakes}


def after(case: Case, counts: Case, kept: bool, **change: bool) -> Case:
    """theta and phi after the iterations; the priors stay in the counts if they are `kept`."""
    for t in range(case["iterations"]):
        steps = {"rho_theta": 1 / (10 + t) ** 0.9, "rho_phi": 10 / (1000 + t) ** 0.9}
        counts = scvb0.step(case | counts | steps, **change)
        found = scvb0.estimate(case, counts)
        if kept:
            counts = counts | {"N_jk": counts["N_jk"] + ALPHA, "N_wk": counts["N_wk"] + ETA}
    return found


def make(checkouts: Checkouts) -> Answer:
    program = str(checkouts.path(PROGRAM).resolve())

    def answer(case: Case) -> Case:
        c, K = case["corpus"], case["K"]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            rows = [f"{j + 1} {w + 1} {n}" for j, w, n in zip(c["j"], c["w"], c["n"], strict=True)]
            (folder / "corpus").write_text("\n".join([str(c["D"]), str(c["W"]), str(len(rows)), *rows]) + "\n")
            (folder / "words").write_text("".join(f"{w}\n" for w in range(c["W"])))
            command = [program, "corpus", "words", str(case["iterations"]), str(K), str(c["D"]), "topics", "documents"]
            environment = os.environ | {"OMP_NUM_THREADS": "1"}
            subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment, timeout=60)
            theta = [x.rstrip(",").split(",") for x in (folder / "documents").read_text().split()]
            phi = np.zeros((c["W"], K))
            for k, line in enumerate((folder / "topics").read_text().split()):
                for pair in line.rstrip(",").split(",")[: c["W"]]:
                    word, number = pair.split(":")
                    phi[int(word), k] = float(number)
        return {"theta_jk": [[float(x) for x in row] for row in theta], "phi_wk": phi}

    return answer


def cases() -> list[Case]:
    return [case_of(i, iterations) for iterations in (1, 3) for i in range(6)]


ROWS = [Row("lda-scvb0", "scvb0/online_step", make, "single", cases=cases)]
