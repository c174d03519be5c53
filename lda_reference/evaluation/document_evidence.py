"""Perplexity of whole documents, by their evidence given the topics: Wallach, Murray, Salakhutdinov and Mimno (2009).

Nothing of a document is folded in, and nothing is seen twice. With theta integrated out,

    perplexity  =  exp(- sum_j log p(x_j | phi, alpha) / N)

which is the perplexity of predicting each token from those before it. The perplexity of `prediction.perplexity` is that
of tokens given an estimate of theta from other tokens, so the two are not to be compared with each other.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_generator
from ..corpus import Corpus
from ..model import Prior
from ..truth.document import left_to_right, mean_of_products, product_of_means


class LeftToRight(NamedTuple):
    """The perplexity by left-to-right, closed in two ways.

    The mean of products estimates the evidence of each document without bias, so its log is too low in expectation, and
    this perplexity too high. The product of means is Algorithm 3 as printed; see `truth.document`.
    """

    perplexity: float  # by the mean of products
    as_printed: float  # by the product of means


def left_to_right_perplexity(
    c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, particles: int = 20
) -> LeftToRight:
    """The perplexity of whole documents, with theta integrated out by left-to-right.

    The evidence does not depend on the order of a document's tokens, the error of the estimate does. So the tokens are
    taken in a random order; in that of a corpus of types equal words would follow one another.

    A document of n tokens takes n^2 / 2 draws a particle. If twice as many particles lower the perplexity, there were
    too few. The alpha of the prior is part of what is scored. A ValueError says if the corpus has no token.

    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> result = left_to_right_perplexity(c, phi_wk, Prior(alpha=1), np.random.default_rng(0), particles=2000)
    >>> round(result.perplexity, 2), round(0.206667 ** (-1 / 2), 2)  # the second is exact
    (2.2, 2.2)
    """
    if c.N == 0:
        raise ValueError("the test corpus has no token: its perplexity is not defined")
    tokens = in_random_order(c, rng)
    log_p = left_to_right(tokens, phi_wk, p, rng, particles)
    return LeftToRight(*(math.exp(-close(log_p, tokens).sum() / c.N) for close in (mean_of_products, product_of_means)))


def in_random_order(c: Corpus, rng: np.random.Generator) -> Corpus:
    """The tokens of the corpus, those of each document in a random order."""
    check_generator(rng)
    c_tokens = c.tokens()
    return c_tokens.with_rows(c_tokens.j, c_tokens.w[np.lexsort((rng.random(c_tokens.N), c_tokens.j))], c_tokens.n)
