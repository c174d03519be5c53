"""The certificate: it stands alone, its updates are those computed by hand, and each mistake changes what it says."""

import ast
import math
import sys
from fractions import Fraction as F

import pytest
from scipy.special import digamma

from .helpers import CERTIFIED, MISTAKES, ORACLE, SCRIPT, every_case

pytest.importorskip("mpmath")

from lda_reference.oracle.certificate import answers, arithmetic, classes, mistakes, noise, updates
from lda_reference.oracle.certificate.mistakes import chains, operations

FOLDER = ORACLE / "certificate"
EVALUATOR = (  # the modules that are read beside the papers
    "arithmetic", "classes", "coherence", "evaluator", "joint", "kept", "operation", "operations", "posterior", "propagation", "starts",
    "state", "tempered", "trajectories", "updates", "variational",
)  # fmt: skip


# What imports what ---------------------------------------------------------------------------------------------------


def imports(path):
    """The modules that a file imports: (how many folders up, name)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.level, node.module.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.level, alias.name) for alias in node.names)


def test_only_the_standard_library_and_mpmath_are_imported():
    for path in (SCRIPT, *FOLDER.rglob("*.py")):
        found = set(imports(path))
        assert {name for level, name in found if level == 0} <= sys.stdlib_module_names | {"mpmath"}, path
        assert max(level for level, _ in {*found, (0, "")}) <= len(path.relative_to(ORACLE).parts) - 1, path


def test_the_evaluator_knows_nothing_of_mistakes():
    for name in EVALUATOR:
        path = FOLDER / f"{name}.py"
        assert {module for level, module in imports(path) if level} <= set(EVALUATOR)
        assert "mistake" not in path.read_text("utf-8").lower()


# Updates by hand -----------------------------------------------------------------------------------------------------

TWO_ROWS = {
    "operation": "update", "row": 0, "K": 2, "prior": {"alpha": 0.5, "eta": 0.5},
    "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 2},
    "state": {"gamma": [[0.5, 0.5], [0.25, 0.75]]},
    "uniforms": [[0.25, 0.75], [0.125, 0.5]],
}  # fmt: skip
MAP_PRIOR = {"alpha": 2.0, "eta": 2.0}


def second_order(N, V):
    return N * math.exp(-V / (2 * N**2))


def geometric(p):
    """exp E[log x], from the probabilities of the values x."""
    return math.prod(x**q for x, q in p.items())


# Without one of the row's two tokens N_jk is [1/2, 1/2], N_wk and N_k are [3/4, 5/4]; V_jk is 1/4, V_wk and V_k are 7/16.
# Without both they are [0, 0] and [1/4, 3/4]; with both, [1, 1] and [5/4, 7/4].
BY_HAND = {
    "ml": [F(5, 4) / F(5, 4), F(7, 4) / F(7, 4)],
    "map": [2 * F(9, 4) / F(13, 4), 2 * F(11, 4) / F(15, 4)],
    "vb": [math.exp(digamma(1.75) - digamma(2.25)), math.exp(digamma(2.25) - digamma(2.75))],
    "vem": [F(1), F(1)],
    "cvb_exact": [
        geometric({0.5: 0.375, 1.5: 0.5, 2.5: 0.125}) / geometric({1: 0.375, 2: 0.5, 3: 0.125}),
        geometric({0.5: 0.125, 1.5: 0.5, 2.5: 0.375}) / geometric({1: 0.125, 2: 0.5, 3: 0.375}),
    ],
    "cvb": [
        second_order(1.25, 0.4375) / second_order(1.75, 0.4375),
        second_order(1.75, 0.4375) / second_order(2.25, 0.4375),
    ],
    "cvb0": [F(5, 4) / F(7, 4), F(7, 4) / F(9, 4)],
    "tcvb0": [F(3, 4) / F(5, 4), F(5, 4) / F(7, 4)],
    "cvb1": [F(5, 4) * F(2, 3), F(7, 4) * F(1, 2)],
    # the samples of (row 0, row 1) are the topics (0, 0) and (1, 1)
    "cvb1s": [F(5, 4) * (F(1, 3) + 1) / 2, F(7, 4) * (1 + F(1, 3)) / 2],
    "cvb1d": [F(5, 4) / F(7, 4) * F(8, 7), F(7, 4) / F(9, 4) * F(88, 81)],
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_updates_are_those_computed_by_hand(name):
    case = TWO_ROWS | {"algorithm": name} | ({"prior": MAP_PRIOR} if name == "map" else {})
    got = classes.evaluator(case).answer()["gamma_k"]
    x = BY_HAND[name]
    exact = isinstance(x[0], F)
    for k in range(2):
        expected = x[k] / sum(x)
        expected = arithmetic.mpf(expected.numerator) / expected.denominator if exact else expected
        assert abs(got[k] - expected) < (1e-48 if exact else 1e-14)


@pytest.mark.parametrize(("name", "weights"), [("cgs", [F(3, 2) * F(5, 2) / 3, F(1, 2) * F(1, 2)]), ("gibbs", [F(1, 8), F(3, 8)])])
def test_draws_are_those_computed_by_hand(name, weights):
    of_gibbs = {"theta_jk": [[0.25, 0.75], [0.5, 0.5]], "phi_wk": [[0.5, 0.5], [0.5, 0.5]]}
    case = TWO_ROWS | of_gibbs | {"algorithm": name, "operation": "draw", "token": 0, "state": {"z": [0, 0, 0]}}
    boundary = weights[0] / sum(weights)
    for k, u in enumerate((float(boundary) - 1e-9, float(boundary) + 1e-9)):
        assert classes.evaluator(case | {"uniform": u}).answer() == {"topic": k}


def test_the_certificate_has_every_algorithm():
    assert list(updates.ALGORITHMS) == CERTIFIED
    assert {*updates.UNCOLLAPSED, *updates.SAMPLERS, *updates.COLLAPSED} == updates.ALGORITHMS.keys()


# The files -----------------------------------------------------------------------------------------------------------

QUICK = ("update", "draw", "estimate", "bound", "predict", "hyperparameters", "sweep")


@pytest.mark.parametrize("name", CERTIFIED)
def test_answers_are_those_of_the_files(name):
    cases = [case for case in every_case() if case["algorithm"] == name and case["operation"] in QUICK]
    for case in cases:
        assert arithmetic.rounded(classes.evaluator(case).answer()) == case["expected"], case["id"]
    assert {case["operation"] for case in cases} >= {"update", "sweep", "estimate", "predict"}


def test_tolerances_are_those_of_the_files():
    cases = [case for case in every_case() if case["operation"] in ("update", "hyperparameters")]
    for case in cases:
        expected = classes.evaluator(case).answer()
        assert answers.tolerances(case, expected) == case["tolerance"], case["id"]


def test_a_draw_on_a_boundary_is_no_case_unless_it_says_so():
    case = TWO_ROWS | {
        "id": "gibbs/draw/000", "algorithm": "gibbs", "operation": "draw", "state": {"z": [0, 0, 0]}, "token": 0,
        "uniform": 0.5, "flags": [], "theta_jk": [[0.5, 0.5], [0.5, 0.5]], "phi_wk": [[0.5, 0.5], [0.5, 0.5]],
    }  # fmt: skip
    with pytest.raises(ValueError, match="gibbs/draw/000: a uniform number lies on a boundary"):
        answers.watched(case)
    assert answers.watched(case | {"flags": ["tie"]}) == {"topic": 1}


def test_errors_grow_where_a_small_prior_is_all_that_is_left():
    """Without the only token the counts are 0, with an error in proportion to the token's gamma."""
    one_token = {"j": [0], "w": [0], "n": [1], "D": 1, "W": 2}

    def growth(prior):
        case = TWO_ROWS | {"algorithm": "cvb0", "corpus": one_token, "state": {"gamma": [[0.5, 0.5]]}}
        case |= {"prior": {"alpha": prior, "eta": prior}}
        return noise.growth(case, classes.evaluator(case).answer())

    assert growth(1e-3) > 100 * growth(1.0) > 0


# The mistakes --------------------------------------------------------------------------------------------------------


def descendants(cls):
    """The classes under a class; those without a name are bases, or made by `mistaken`."""
    for child in cls.__subclasses__():
        yield child
        yield from descendants(child)


def test_mistakes_are_listed_once_with_their_texts():
    texts = {name: mistake.text for name, mistake in mistakes.MISTAKES.items()}
    assert list((texts | chains.TEXTS | operations.TEXTS).items()) == list(MISTAKES.items())
    classes = [m for m in descendants(mistakes.Mistaken) if "name" in vars(m) and "starts" not in m.algorithms]
    listed = {*mistakes.MISTAKES.values(), *(m for known in operations.MISTAKES.values() for m in known)}
    assert set(classes) == listed
    assert len(classes) == len(listed)


@pytest.mark.parametrize("name", mistakes.MISTAKES)
def test_mistaken_answers_are_those_of_the_files(name):
    """In the smallest case of each algorithm and operation that knows the mistake."""
    mistake = mistakes.MISTAKES[name]
    seen = {}
    for case in every_case():
        for known in case["mistakes"]:
            if known["name"] == name:
                assert case["algorithm"] in mistake.algorithms
                assert case["operation"] in mistake.operations
                seen.setdefault((case["algorithm"], case["operation"]), []).append((case, known["expected"]))
    assert seen
    quick = [key for key in seen if key[1] in QUICK] or list(seen)
    for key in quick:
        case, expected = min(seen[key], key=lambda pair: len(pair[0]["corpus"]["n"]))
        assert arithmetic.rounded(mistakes.mistaken(case, mistake).answer()) == expected, case["id"]
