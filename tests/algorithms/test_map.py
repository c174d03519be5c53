"""MAP is CVB0 without exclusion, at other priors."""

import numpy as np

import lda_reference as lda

from ..helpers import CORPORA, PRIORS, changed, start


def test_map_is_cvb0_without_exclusion_at_a_prior_lower_by_one():  # AWST09 footnote 4
    c, p = CORPORA["types"], PRIORS["vectors"]
    s = start("cvb0", c)
    higher_prior = lda.Prior(np.add(p.alpha, 1), np.add(p.eta, 1))
    cvb0_variant = changed(lda.ALGORITHMS["cvb0"], excludes="nothing")
    map_gamma = lda.ALGORITHMS["map"].sweep(s, c, higher_prior, schedule="token").gamma
    np.testing.assert_allclose(map_gamma, cvb0_variant.sweep(s, c, p, schedule="token").gamma, rtol=0, atol=1e-12)
