"""The cells of TNW06 Table 1."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import table_1
from lda_reference.app.where import read_equations
from lda_reference.engine import sums

from .helpers import PRIORS, TINY, K


@pytest.mark.parametrize(("latent", "parameters"), table_1.TABLE_1)
def test_every_cell_of_table_1_runs_or_says_why_it_cannot(latent, parameters):
    cell = table_1.TABLE_1[latent, parameters]
    call = (latent, parameters, TINY, K, lda.Prior(0.4, 0.3))
    if cell.algorithm is None:
        with pytest.raises(ValueError, match="has no algorithm here: open"):
            table_1.run(*call)
        return
    out = table_1.run(*call)
    if cell.algorithm == "enumeration":
        assert out.log_evidence < 0
    elif latent in ("sample", "maximize"):
        assert np.isin(out.state.gamma, [0, 1]).all()
    else:
        np.testing.assert_allclose(out.state.gamma.sum(1), 1)


def test_table_1_has_four_rows_and_columns_and_refuses_others():
    assert len(table_1.TABLE_1) == 16
    with pytest.raises(ValueError, match="no cell"):
        table_1.run("guess", "sample", TINY, K, PRIORS["0.1"])


@pytest.mark.parametrize(("latent", "parameters"), table_1.TABLE_1)
def test_the_equations_of_a_cell_are_in_the_module_that_runs_it(latent, parameters):
    cell, equations = table_1.TABLE_1[latent, parameters], read_equations()
    assert bool(cell.equations) == bool(cell.worth) == (cell.algorithm is not None)
    module = "truth/exact" if cell.algorithm == "enumeration" else f"algorithms/{cell.algorithm}"
    for tag in cell.equations:
        assert f"lda_reference/{module}.py" in equations[tag]["place"]


def test_the_printed_table_has_every_cell():
    blocks = [x.splitlines() for x in table_1.printed().split("\n\n")]
    assert [x[0] for x in blocks] == [f"z {row}" for row in table_1.LATENT]
    for row, (_, *lines) in zip(table_1.LATENT, blocks, strict=True):
        for column, first, second in zip(table_1.PARAMETERS, lines[::2], lines[1::2], strict=True):
            cell = table_1.TABLE_1[row, column]
            for part in (column, cell.name, cell.algorithm or "", cell.assignment or "", table_1.tags(cell)):
                assert part in first
            assert second.strip() == (cell.worth or cell.why)


@pytest.mark.parametrize("assignment", ["sample", "hard"])
def test_a_topic_that_leaves_a_document_never_comes_back_if_parameters_are_maximised(assignment):
    A, p = lda.ALGORITHMS["ml"], lda.Prior(1, 1)
    s, left = A.init(TINY, K, p, z=np.random.default_rng(0).integers(K, size=(TINY.N, 50))), np.zeros((TINY.D, 50, K), bool)
    for seed in range(20):
        s = A.sweep(s, TINY, p, assignment=assignment, rng=np.random.default_rng(seed))
        absent = sums(s.gamma, TINY).jk == 0
        assert (absent | ~left).all()
        left = absent
    assert left[np.bincount(TINY.j, minlength=TINY.D) > 0].any()
