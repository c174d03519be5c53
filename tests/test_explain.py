"""The update of a row as text."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import gibbs, hamiltonian

from .helpers import CORPORA, PRIORS, K, new_row, prior_for, start


@pytest.mark.parametrize("prior_name", ["vectors", "eta by topic"])
@pytest.mark.parametrize("A_name", lda.ALGORITHMS)
def test_explain_shows_the_update_of_a_row(A_name, prior_name):
    if prior_name == "eta by topic" and A_name in ("hmc", "ep"):
        return  # they have no such prior
    A, p = lda.ALGORITHMS[A_name], prior_for(A_name, PRIORS[prior_name])
    c = A.arranged(CORPORA["types"])
    s = start(A_name, c)
    row = c.M - 1
    explanation = lda.explain(A, s, c, p, row)
    printed_gamma = [float(number_text) for number_text in explanation.splitlines()[-1].split()[-K:]]
    if A_name in ("gibbs", "hmc"):
        drawn_parameters = gibbs.draw_parameters(s, c, p, np.random.default_rng(0)) if A_name == "gibbs" else None
        theta_jk, phi_wk = drawn_parameters or map(np.exp, hamiltonian.logs(s.own))
        weights = theta_jk[c.j[row]] * phi_wk[c.w[row]]
        row_gamma = weights / weights.sum()
    else:
        update_options = {"uniforms": np.random.default_rng(0).random((c.N, A.draws))} if A.draws else {}
        row_gamma = new_row("cvb0" if A_name == "ep" else A_name, s, c, p, row, **update_options)  # ep before its first sweep
    np.testing.assert_allclose(printed_gamma, row_gamma, rtol=1e-6)
    assert f"document {c.j[row]}, word {c.w[row]}, count {c.n[row]}" in explanation
    assert explanation.count("\n  variance ") == {"cvb": 6, "cvb1d": 2}.get(A_name, 0)
