"""The plain text: its updates are those computed by hand, its numbers keep their promises, and it stands alone."""

import ast
import sys
from fractions import Fraction as F

import pytest

from lda_reference import plain
from lda_reference.plain import Balls, Noisy, Uncertain, algorithm, answer

from .certify.duals import Duals
from .helpers import refusals, refused
from .oracle.helpers import ORACLE, cases, distance, one_of_each

FOLDER = ORACLE.parent / "plain"
LEGAL_CASES = [case for case in cases() if "error" not in case["expected"]]
UNDER_IDS = [*(f"vb/summary/{n}" for n in ("003", "005", "006")), "cvb/summary/004", "vb/e_step/013", "vb/online_step/045"]  # the largest logarithm must be subtracted, as the guide says


def test_it_passes_all_legal_vectors_but_those_whose_products_underflow():
    for case in one_of_each(LEGAL_CASES):  # all of them, in `make test-all`, take 10 s
        if case["id"] not in UNDER_IDS:
            assert distance(case, answer(case), case["expected"]) < 0.5, case["id"]
    for case in cases(UNDER_IDS):
        with pytest.raises(ZeroDivisionError):
            answer(case)


CORPUS = {"j": [0, 0, 0], "w": [0, 1, 0], "n": [1, 1, 1], "D": 1, "W": 2}
UPDATE = {"name": "cvb0", "row": 0, "gamma": [["1/3", "2/3"]] * 3, "corpus": CORPUS, "prior": {"alpha": 1, "eta": 1}}

test_slips_in_an_update_by_hand_are_named = refusals(lambda changed_arguments: plain.update(**UPDATE | changed_arguments), [
    ({"name": "CVB0"}, "name is 'CVB0', expected one of ml, "),
    ({"gamma": [["-1/4", "5/4"]] * 3}, "gamma has the sum 1 in row 0, expected 1, and no negative number"),
    ({"gamma": [["1/3", "2/3"]] * 2 + [[1]]}, "gamma has shape (3, None, None), expected (3, 2)"),
    ({"gamma": {"j": [0]}}, "row and gamma are of the types int and dict, expected int and list; then come corpus and prior"),
    ({"name": "cgs"}, "gamma has rows, expected the topics of the tokens: cgs is a sampler"),
    ({"name": "cgs", "gamma": [0, 1, 0]}, "'K' is missing, expected it as a further argument"),
    ({"name": "map"}, "alpha has 1, expected more than 1"),
    ({"row": 3}, "row is 3, expected a row from 0 below 3, as n has 3 numbers"),
    ({"corpus": CORPUS | {"j": [1, 1, 1]}}, "j has 1, expected numbers from 0 below D = 1"),
    ({"prior": {"alpha": 1, "beta": 1}}, "'alpha', 'beta' given, and 'eta' missing: expected alpha, eta"),
    ({"name": "cgs", "gamma": [0, 1, 2], "K": 2, "token": 0}, "gamma is [0, 1, 2], expected the topics of 3 tokens, from 0 below K = 2"),
    ({"name": "cgs", "gamma": [0, 1, 0], "K": 2, "token": 1}, "token is 1, expected a token of row 0, from 0 below 1"),
])


def test_it_imports_the_standard_library_alone():
    for module_path in FOLDER.glob("*.py"):
        for ast_node in ast.walk(ast.parse(module_path.read_text("utf-8"))):
            module_names = [alias.name for alias in getattr(ast_node, "names", [])] if isinstance(ast_node, ast.Import) else []
            if isinstance(ast_node, ast.ImportFrom) and ast_node.level != 1:
                assert ast_node.level == 0, module_path
                module_names = [ast_node.module.split(".")[0]]
            assert {*module_names} <= sys.stdlib_module_names | {"flint"}, module_path


# By hand -----------------------------------------------------------------------------------------------------

TWO_ROWS = {
    "operation": "update", "row": 0, "K": 2, "prior": {"alpha": 0.5, "eta": 0.5},
    "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 2},
    "state": {"gamma": [[0.5, 0.5], [0.25, 0.75]]},
    "uniforms": [[0.25, 0.75], [0.125, 0.5]],
}  # fmt: skip


def test_samples_of_a_count_by_hand():
    """The samples of (row 0, row 1) are the topics (0, 0) and (1, 1). Other updates: tests/test_specification.py."""
    weights = [F(5, 4) * (F(1, 3) + 1) / 2, F(7, 4) * (1 + F(1, 3)) / 2]
    assert answer(TWO_ROWS | {"algorithm": "cvb1s"}, F)["gamma_k"] == [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize(("A_name", "boundary"), [("cgs", F(5, 6)), ("gibbs", F(1, 4))])
def test_draws_are_those_computed_by_hand(A_name, boundary):
    """The weights are (3/2)(5/2) / 3 and (1/2)(1/2) for cgs, 1/8 and 3/8 for gibbs."""
    theta_and_phi = {"theta_jk": [[0.25, 0.75], [0.5, 0.5]], "phi_wk": [[0.5, 0.5], [0.5, 0.5]]}
    case = TWO_ROWS | theta_and_phi | {"algorithm": A_name, "operation": "draw", "token": 0, "state": {"z": [0, 0, 0]}}
    for u, k in ((boundary - F(1, 10**9), 0), (boundary, 1)):
        assert answer(case | {"uniform": u}, F) == {"topic": k}


# Numbers -------------------------------------------------------------------------------------------------------------


def test_balls_contain_the_float_that_is_printed_and_refuse_an_order_that_is_not_known():
    balls, third_ball = Balls(100), Balls(100).number(F(1, 3))
    with balls.precision():
        gamma_ball = answer(TWO_ROWS | {"algorithm": "cvb0"}, balls)["gamma_k"][0]
        assert gamma_ball.overlaps(balls.number(F(45, 94)))
        assert 0 < float(gamma_ball.rad()) < 1e-28
        with pytest.raises(Uncertain, match="may be below or above"):
            balls.at_most(third_ball, third_ball)


@pytest.mark.parametrize("A_name", ["vb", "cvb", "cvb0", "cvb_exact"])
def test_the_derivatives_of_duals_are_those_of_differences(A_name):
    case, step = TWO_ROWS | {"algorithm": A_name}, F(1, 10**15)
    duals, balls = Duals(4, 300), Balls(300)
    with balls.precision():
        gamma_balls = [balls.number(number) for row in case["state"]["gamma"] for number in row]
        gamma_duals = [[duals.variable(2 * i + k, gamma_balls[2 * i + k]) for k in range(2)] for i in range(2)]
        weight_dual = algorithm(case, duals).weights(gamma_duals, 0)[0]
        for variable in range(4):
            shifted_rows = [[gamma_balls[2 * i + k] + (balls.number(step) if 2 * i + k == variable else 0) for k in range(2)] for i in range(2)]
            difference = algorithm(case, balls).weights(shifted_rows, 0)[0] - weight_dual.x
            assert abs(difference / balls.number(step) - weight_dual.d[variable]) < 1e-12


def test_noise_moves_all_but_whole_numbers():
    noisy_numbers = Noisy(1)
    noisy_2 = noisy_numbers.number(2)
    assert (noisy_2 * 3 + 4, noisy_numbers.sum([noisy_2, noisy_2, 5])) == (10, 9)
    assert 0 < abs(noisy_numbers.number(1) / 3 - 1 / 3) < 2e-9
    gammas_of_seeds = {float(answer(TWO_ROWS | {"algorithm": "cvb0"}, Noisy(seed))["gamma_k"][0]) for seed in range(5)}
    assert len(gammas_of_seeds) == 5
    assert max(gammas_of_seeds) - min(gammas_of_seeds) < 1e-7


def test_fractions_refuse_functions_that_give_none():
    with pytest.raises(ValueError, match="is not a fraction: take other numbers, such as float"):
        answer(TWO_ROWS | {"algorithm": "vb"}, F)


def test_a_slip_in_a_schedule_is_named():
    with refused("schedule is 'tokens', expected one of token, document, block, corpus, nested, interleaved; numbers come"):
        plain.sweep("cvb0", [], {}, {}, "tokens")
