"""The update of a row as text."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import gibbs, hamiltonian

from .helpers import CORPORA, PRIORS, K, new_row, prior_for, start


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
    if name in ("gibbs", "hmc"):
        drawn = gibbs.draw_parameters(s, c, p, np.random.default_rng(0)) if name == "gibbs" else None
        theta_jk, phi_wk = drawn or map(np.exp, hamiltonian.logs(s.own))
        x = theta_jk[c.j[row]] * phi_wk[c.w[row]]
        expected = x / x.sum()
    else:
        more = {"uniforms": np.random.default_rng(0).random((c.N, A.draws))} if A.draws else {}
        expected = new_row("cvb0" if name == "ep" else name, s, c, p, row, **more)  # ep before its first sweep
    np.testing.assert_allclose(shown, expected, rtol=1e-6)
    assert f"document {c.j[row]}, word {c.w[row]}, count {c.n[row]}" in text
    assert text.count("\n  variance ") == {"cvb": 6, "cvb1d": 2}.get(name, 0)
