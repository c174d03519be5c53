"""sayanghosh/LDA-SCVB0: SCVB0 in C++, by its program.

Built by hand: sayanghosh+LDA-SCVB0/fastLDA. Its counts cannot be given, so it cannot be asked the oracle's vectors: it
starts from numbers of C's `rand`, which are drawn here as well. It prints theta and the probable words of each topic to
six digits, for which the plain text's steps give what is right.
"""

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from figures.peers.conformance_cases import prior_of
from lda_reference import plain

from .. import asking
from . import Case, Checkouts, Question

PROGRAM = "sayanghosh+LDA-SCVB0/fastLDA"
ALPHA, ETA = 0.1, 0.01  # fixed in the program
THEIRS = "documents-for-tokens, rows-for-tokens-in-estimate and priors-accumulate"


class Changed(plain.Algorithm):
    """The plain text with the first two changes of `THEIRS`."""

    def scale(self):
        return self.given("total_N") / self.D

    def of_batch(self, gamma, w, k):
        return self.sum(gamma[i][k] for i in self.of_word(w))


def case_of(case_number: int, iterations: int) -> Case:
    """A corpus as one minibatch, with the program's own start and steps."""
    new_case = asking.plain_case("scvb0", "online_step", "token", case_number)
    del new_case["tolerance"]  # that of numbers which are not printed
    libc, c, K = ctypes.CDLL(None), new_case["corpus"], new_case["K"]
    libc.srand(1)
    N_wk, N_jk = (np.array([libc.rand() % 10 for _ in range(n * K)], float).reshape(n, K) for n in (c["W"], c["D"]))
    start = {"N_jk": N_jk.tolist(), "N_wk": N_wk.tolist(), "N_k": N_wk.sum(0).tolist()}
    case = new_case | start | {"prior": {"alpha": ALPHA, "eta": ETA}, "total_N": sum(c["n"]), "iterations": iterations}
    mistakes = [{"name": THEIRS, "expected": after(case, ALPHA, ETA, Changed)}]
    return case | {"id": f"{new_case['id']}/{iterations}", "expected": after(case), "mistakes": mistakes}


def after(case: Case, alpha: float = 0.0, eta: float = 0.0, *layers: type[plain.Algorithm]) -> Case:
    """theta and phi after the iterations; alpha and eta are added to the counts after each of them."""
    for t in range(case["iterations"]):
        step_rates = {"rho_theta": 1 / (10 + t) ** 0.9, "rho_phi": 10 / (1000 + t) ** 0.9}
        new_counts = {name: np.array(x) for name, x in plain.answer(case | step_rates, float, *layers).items()}
        kept_counts = {"N_jk": new_counts["N_jk"] + alpha, "N_wk": new_counts["N_wk"] + eta, "N_k": new_counts["N_k"]}
        case = case | {name: x.tolist() for name, x in kept_counts.items()}
    (alpha_k, eta_w), N_jk, N_wk = prior_of(case), new_counts["N_jk"], new_counts["N_wk"]
    theta, phi = N_jk + alpha_k, N_wk + eta_w[:, None]
    return {"theta_jk": theta / theta.sum(1, keepdims=True), "phi_wk": phi / phi.sum(0)}


def answer(checkouts: Checkouts, q: Question) -> Case:
    program_path, j = str(checkouts.path(PROGRAM).resolve()), q.case["corpus"]["j"]
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        row_lines = [f"{j + 1} {w + 1} {n}" for j, w, n in zip(j, q.w, q.n, strict=True)]
        (folder / "corpus").write_text("\n".join([str(q.D), str(q.W), str(len(row_lines)), *row_lines]) + "\n")
        (folder / "words").write_text("".join(f"{w}\n" for w in range(q.W)))
        size_arguments = [str(number) for number in (q.case["iterations"], q.K, q.D)]
        command = [program_path, "corpus", "words", *size_arguments, "topics", "documents"]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment, timeout=60)
        theta_texts = [line.rstrip(",").split(",") for line in (folder / "documents").read_text().split()]
        phi = np.zeros((q.W, q.K))
        for k, topic_line in enumerate((folder / "topics").read_text().split()):
            for w_text, p_text in (pair_text.split(":") for pair_text in topic_line.rstrip(",").split(",")[: q.W]):
                phi[int(w_text), k] = float(p_text)
    return {"theta_jk": np.array(theta_texts, float), "phi_wk": phi}


def cases() -> list[Case]:
    return [case_of(i, iterations) for iterations in (1, 3) for i in range(6)]
