"""The update of a row as text."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import gibbs, hamiltonian

from .. import loops
from ..helpers import CORPORA, PRIORS, SAMPLERS, K, prior_for, start


@pytest.mark.parametrize("prior", ["vectors", "eta by topic"])
@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_explain_shows_the_update_of_a_row(name, prior):
    if prior == "eta by topic" and name in ("hmc", "ep"):
        return  # they have no such prior
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS[prior])
    c = A.arranged(CORPORA["types"])
    s = start(name, c)
    row = c.M - 1
    text = lda.explain(A, s, c, p, row)
    shown = [float(x) for x in text.splitlines()[-1].split()[-K:]]
    if name == "hmc":
        theta_jk, phi_wk = map(np.exp, hamiltonian.logs(s.own))
        expected = loops.soft(theta_jk[c.j[row]] * phi_wk[c.w[row]])
    elif name == "gibbs":
        theta_jk, phi_wk = gibbs.draw_parameters(s, c, p, np.random.default_rng(0))
        expected = loops.soft(theta_jk[c.j[row]] * phi_wk[c.w[row]])
    elif name in SAMPLERS:
        one_hot = np.eye(K)[s.z]
        expected = loops.soft(loops.row_weights(name, one_hot, c.tokens(), p, int(c.n[:row].sum()), K))
    else:
        u = np.random.default_rng(0).random((c.N, A.draws)) if A.draws else None
        formula = "cvb0" if name == "ep" else name  # before its first sweep
        expected = loops.soft(loops.row_weights(formula, s.gamma, c, p, row, K, u))
    np.testing.assert_allclose(shown, expected, rtol=1e-6)
    assert f"document {c.j[row]}, word {c.w[row]}, count {c.n[row]}" in text
