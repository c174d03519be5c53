"""The cases of sizes and borders: sums that are never computed again, and blocks."""

import pytest

from lda_reference import oracle
from lda_reference.plain import Running, algorithm, answer
from lda_reference.plain.sweeps import Algorithm

from .helpers import distance, file

# Sums that are never computed again ----------------------------------------------------------------------------------


class NeverAgain(Running):
    """Sums that are added up once, before the first sweep."""

    one_sweep = Algorithm.one_sweep


@pytest.mark.parametrize("name", ["cvb", "cvb0"])
def test_sums_that_are_never_computed_again_are_found(name):
    """Sums that are computed in each sweep are well within the tolerance."""

    def port(layer):
        return lambda case: {"id": case["id"], **answer(case, float, layer)}

    given = [
        case for case in file(name)["cases"] if case["operation"] == "summary" and max(case["corpus"]["n"]) > 10_000
    ]
    assert len(given) == 1
    assert oracle.check(port(Running), given=given).ok
    assert not oracle.check(port(NeverAgain), given=given).ok
    assert distance(given[0], answer(given[0], float, Running), given[0]["expected"]) < 0.1


# Blocks ---------------------------------------------------------------------------------------------------------------


def test_blocks_are_those_of_the_definition():
    """Documents of 3, 1, 1, 5 and 2 rows, that begin at rows 0, 3, 4, 5 and 10 of 12."""
    corpus = {"j": [0] * 3 + [1, 2] + [3] * 5 + [4] * 2, "w": [0] * 12, "n": [1] * 12, "D": 5, "W": 1}
    case = {"algorithm": "cvb0", "corpus": corpus, "K": 1, "prior": {"alpha": 1, "eta": 1}}

    def blocks(B):
        return algorithm(case | {"blocks": B}).blocks()

    assert blocks(1) == {0}
    assert blocks(2) == {0, 10}  # the first document that begins at row 6 or later
    assert blocks(3) == {0, 4, 10}
    assert blocks(4) == {0, 3, 10}  # at row 3, 6 and 9 or later
    assert blocks(5) == {0, 3, 4, 5, 10}
