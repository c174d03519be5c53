"""Repeating an experiment on new corpora: SOL14 §3.3."""

import numpy as np

from ..arguments import check_generator
from ..corpus import Corpus
from ..model import Array
from ..synthetic import Synthetic, draw_from
from .prediction import checked_estimates


def bootstrap(c: Corpus, theta_jk: Array, phi_wk: Array, rng: np.random.Generator) -> Synthetic:
    """A corpus of tokens drawn from estimates, with documents as long as those of `c`: SOL14 §3.3.

    Draw a training corpus from the fitted theta and a test corpus from the theta folded in. Document j keeps its label.

    The corpus has the vocabulary of `c`; some of its words may not occur. The rows of theta_jk (D, K) and the columns
    of phi_wk (W, K) sum to 1.

    >>> c = Corpus([0, 2], [1, 0], [2, 1], D=3, W=2)
    >>> bootstrap(c, np.ones((3, 1)), np.array([[0.0], [1.0]]), np.random.default_rng(0)).corpus.j
    array([0, 0, 2])
    """
    check_generator(rng)
    theta_jk, phi_wk = checked_estimates(c, theta_jk, phi_wk)
    synthetic = draw_from(rng, c.by_document(c.n), theta_jk, phi_wk)  # SOL14 §3.3
    return synthetic._replace(corpus=c.with_rows(synthetic.corpus.j, synthetic.corpus.w, synthetic.corpus.n))
