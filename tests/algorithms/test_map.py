"""MAP is CVB0 without exclusion, at other priors."""

import numpy as np

import lda_reference as lda

from ..helpers import CORPORA, PRIORS, changed, start


def test_map_is_cvb0_without_exclusion_at_a_prior_lower_by_one():  # AWST09 footnote 4
    c, p = CORPORA["types"], PRIORS["vectors"]
    s = start("cvb0", c)
    one_higher = lda.Prior(np.add(p.alpha, 1), np.add(p.eta, 1))
    without = changed(lda.ALGORITHMS["cvb0"], excludes="nothing")
    a = lda.ALGORITHMS["map"].sweep(s, c, one_higher, schedule="token").gamma
    np.testing.assert_allclose(a, without.sweep(s, c, p, schedule="token").gamma, rtol=0, atol=1e-12)
