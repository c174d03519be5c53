"""The operations that are not steps of a sweep: facts about their plain text, and faults that are named."""

import math

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.algorithms import hamiltonian
from lda_reference.algorithms.hamiltonian import Coordinates
from lda_reference.plain import Balls, algorithm, answer

from . import package
from .helpers import cases


def test_the_table_has_a_row_for_each_operation():
    assert oracle.cases("ep") == cases("ep/step") == oracle.cases(operation="step")
    report = oracle.check(package.answer, given=cases("cgs/draw,cgs/tempered_sweep"))
    _, head_row, draw_row, sweep_row, total_row = oracle.table(report).splitlines()
    assert head_row.split() == ["draw", "total"]
    expected_rows = ["cgs", "20/0/0", "20/0/0"], ["cgs/tempered_sweep", "-", "8/0/0"], ["total", "20/0/0", "28/0/0"]
    assert (draw_row.split(), sweep_row.split(), total_row.split()) == expected_rows


# Facts ---------------------------------------------------------------------------------------------------------------


def in_balls(case):
    balls = Balls()
    with balls.precision():
        return answer(case, balls)


FOLDED = {
    "operation": "fold_in", "K": 2, "prior": {"alpha": 0.5, "eta": 0.1}, "schedule": "token", "sweeps": 1,
    "corpus": {"j": [0], "w": [1], "n": [2], "D": 2, "W": 2}, "phi_wk": [[0.5, 0.75], [0.5, 0.25]],
}  # fmt: skip


def test_folding_in_by_hand():
    """cvb0: gamma is (2/3, 1/3), as 1/2 + 1/2 is equal for both topics, and theta is (4/3 + 1/2, 2/3 + 1/2) / 3."""
    for algorithm_name in ("cvb0", "vb"):  # digamma of 1 + 1/2 is equal for both topics too
        theta_jk = in_balls(FOLDED | {"algorithm": algorithm_name})["theta_jk"]
        np.testing.assert_allclose(np.array(theta_jk, float), [[11 / 18, 7 / 18], [0.5, 0.5]], rtol=1e-15)


def test_a_langevin_step_by_hand():
    """The counts are D/B = 2 times (2, 1), less 6 times phi = (1/4, 3/4): the drift is (5 - 1/2, 1/2 - 7/2)."""
    case = {
        "algorithm": "sgrld", "operation": "langevin", "K": 1, "prior": {"alpha": 1.0, "eta": 2.0}, "batch": [1],
        "corpus": {"j": [0, 1, 1], "w": [0, 0, 1], "n": [1, 2, 1], "D": 2, "W": 2}, "state": {"z": [0, 0, 0, 0]},
        "x_wk": [[1.0], [3.0]], "step": 0.5, "normals_wk": [[0.0], [-4.0]],
    }  # fmt: skip
    x_wk = in_balls(case)["x_wk"]
    drift = [2 - 1 + 4 - 6 / 4, 2 - 3 + 2 - 18 / 4]
    expected_x = [1 + 0.25 * drift[0], abs(3 + 0.25 * drift[1] - 4 * math.sqrt(1.5))]
    np.testing.assert_allclose(np.array(x_wk, float).ravel(), expected_x, rtol=1e-14)


def test_coherence_by_hand():
    """The words 1, 0 and 2 are in 3, 2 and 1 of 4 documents; 1 and 0 meet twice, 0 and 2 never, 1 and 2 once."""
    case = {
        "algorithm": "lda", "K": 1, "prior": {"alpha": 1.0, "eta": 1.0}, "phi_wk": [[0.3], [0.4], [0.2], [0.1]], "words": 3,
        "corpus": {"j": [0, 0, 0, 1, 1, 2, 2], "w": [0, 1, 0, 1, 0, 1, 2], "n": [1, 2, 1, 1, 5, 1, 1], "D": 4, "W": 4},
    }  # fmt: skip
    umass_coherence = in_balls(case | {"operation": "coherence_umass"})["coherence"]
    assert math.isclose(umass_coherence[0], math.log(3 / 3) + math.log(2 / 3) + math.log(1 / 2), rel_tol=1e-14)
    npmi_coherence = in_balls(case | {"operation": "coherence_npmi"})["coherence"]
    assert math.isclose(npmi_coherence[0], (math.log(4 / 3) / math.log(2) - 1 + math.log(4 / 3) / math.log(4)) / 3, rel_tol=1e-14)


def test_blocks_are_those_of_the_definition():
    """Documents of 3, 1, 1, 5 and 2 rows, that begin at rows 0, 3, 4, 5 and 10 of 12."""
    corpus = {"j": [0] * 3 + [1, 2] + [3] * 5 + [4] * 2, "w": [0] * 12, "n": [1] * 12, "D": 5, "W": 1}
    case = {"algorithm": "cvb0", "corpus": corpus, "K": 1, "prior": {"alpha": 1, "eta": 1}}
    starts_by_n_blocks = {n_blocks: algorithm(case | {"blocks": n_blocks}).blocks() for n_blocks in range(1, 6)}
    assert starts_by_n_blocks[1] == {0}
    assert starts_by_n_blocks[2] == {0, 10}  # the first document that begins at row 6 or later
    assert [starts_by_n_blocks[B] for B in (3, 4, 5)] == [{0, 4, 10}, {0, 3, 10}, {0, 3, 4, 5, 10}]  # 4: at row 3, 6 and 9 or later


def n_pairs(case):
    return math.comb(case["words"], 2)


def full_first_half(case):
    c, p = package.problem(case)
    u, r, m = package.coordinates(case)
    for _ in range(case["leapfrogs"]):
        r = hamiltonian.shifted(r, hamiltonian.log_density(u, c, p)[1], case["step"])
        u = hamiltonian.shifted(u, Coordinates(r.jk / m.jk, r.wk / m.wk), case["step"])
        r = hamiltonian.shifted(r, hamiltonian.log_density(u, c, p)[1], case["step"] / 2)
    return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}


# (operation, mistake): the changed case, or the answer from the right one; the ports in C and of readers have others
CHANGED_CASES = {
    ("vb/e_step", "one-iteration-too-many"): lambda case: case | {"iterations": case["iterations"] + 1},
    ("scvb0/online_step", "scale-forgotten"): lambda case: case | {"total_N": sum(case["corpus"]["n"])},
    ("scvb0/online_step", "one-pass-too-many"): lambda case: case | {"burn_in": case["burn_in"] + 1},
    ("cgs/tempered_sweep", "not-tempered"): lambda case: case | {"inverse_temperature": 1.0},
    ("ep/step", "damping-ignored"): lambda case: case | {"damping": 1.0},
    ("hmc/leapfrog", "mass-left-out"): lambda case: case | {
        name: np.ones_like(case[name]).tolist() for name in ("mass_jk", "mass_wk")
    },
    ("sgrld/langevin", "noise-without-metric"): lambda case: case | {
        "normals_wk": (np.array(case["normals_wk"]) / np.sqrt(case["x_wk"])).tolist()
    },
}  # fmt: skip
WRONG_ANSWERS = {
    ("lda/coherence_umass", "umass-in-bits"): lambda case, right_answer: {"coherence": np.array(right_answer["coherence"]) / np.log(2)},
    ("lda/coherence_umass", "mean-over-pairs"): lambda case, right_answer: {"coherence": np.array(right_answer["coherence"]) / n_pairs(case)},
    ("lda/coherence_npmi", "sum-over-pairs"): lambda case, right_answer: {"coherence": np.array(right_answer["coherence"]) * n_pairs(case)},
    ("hmc/leapfrog", "full-first-half"): lambda case, right_answer: full_first_half(case),
    ("hmc/gradient", "jacobian-left-out"): lambda case, right_answer: {
        "log_density": right_answer["log_density"] - np.sum(case["u_jk"]) - np.sum(case["u_wk"]),
        "gradient_jk": np.array(right_answer["gradient_jk"]) - 1, "gradient_wk": np.array(right_answer["gradient_wk"]) - 1,
    },
}  # fmt: skip


@pytest.mark.parametrize(("algorithm_and_operation", "mistake"), [*CHANGED_CASES, *WRONG_ANSWERS])
def test_a_fault_is_found_and_named(algorithm_and_operation, mistake):
    """Planted in the package's answers from outside."""

    def port(case):
        if (algorithm_and_operation, mistake) in CHANGED_CASES:
            return package.answer(CHANGED_CASES[algorithm_and_operation, mistake](case))
        return {"id": case["id"], **WRONG_ANSWERS[algorithm_and_operation, mistake](case, package.answer(case))}

    # in a batch of one token, N / N_b is N, so that two mistakes give the same answer
    longer_cases = [case for case in cases(algorithm_and_operation) if len(case["corpus"]["n"]) > 1]
    report = oracle.check(port, given=longer_cases)
    assert report.of("failed")
    assert {case_result.mistake for case_result in report.of("failed")} == {mistake}
