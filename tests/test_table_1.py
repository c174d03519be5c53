"""The cells of TNW06 Table 1."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import table_1

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
