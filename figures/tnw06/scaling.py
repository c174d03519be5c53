"""The CPU seconds of a row in exact CVB and in CVB, by the size of the corpus: TNW06 §3.1 and Appendix A.

    OMP_NUM_THREADS=1 python -m figures.tnw06.scaling

Corpora are drawn, with K = 8, alpha = beta = 0.1, 100 words and documents of 30 tokens. tnw06/scaling.csv has, after
one sweep of CVB, `convolution`: (15) by the appendix, without deconvolution, the mean of three rows;
`expectation`: the sums over these distributions alone, which is less than the least cost of the appendix's
deconvolution; and `cvb`: (18) in `token` order, a sweep divided by its rows.
"""

import time
from functools import partial
from timeit import timeit
from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import Part, run_study
from lda_reference.algorithms import convolution
from lda_reference.fitting import sweep_rng

PRIOR, K, W, LENGTH, N_UNITS, SIZES = lda.Prior(0.1, 0.1), 8, 100, 30, 8, (150, 390, 750, 1500, 3000)
COLUMNS = ["corpus", "seed", "tokens", "method", "seconds"]
timed = partial(timeit, timer=time.process_time)


def costs(n_tokens: int, seed: int) -> dict[str, float]:
    """The seconds of a row by each method, in a corpus of `n_tokens` tokens."""
    rng, A = np.random.default_rng(seed), lda.ALGORITHMS["cvb"]
    c = lda.synthetic.draw(rng, [LENGTH] * (n_tokens // LENGTH), K, W, PRIOR).corpus.types()
    s = A.sweep(A.init(c, K, PRIOR, sweep_rng(seed, 0)), c, PRIOR)
    row_ids = rng.choice(c.M, 3, replace=False)
    prior_and_masks = [(0.1, c.j == c.j[row_ids[0]]), (0.1, c.w == c.w[row_ids[0]]), (0.1 * W, np.full(c.M, True))]
    distributions = [(a, convolution.distribution(s.gamma[row_mask], c.n[row_mask])) for a, row_mask in prior_and_masks]
    return {
        "convolution": timed(lambda: [convolution.weights_of_row(s.gamma, c, PRIOR, i) for i in row_ids], number=1) / 3,
        "expectation": timed(lambda: [convolution.mean_log(a, p_of_n) for a, p_of_n in distributions], number=30) / 30,
        "cvb": timed(lambda: A.sweep(s, c, PRIOR, schedule="token"), number=1) / c.M,
    }


def unit(corpus: str, seed: int) -> list[list[Any]]:
    return [[corpus, seed, size, method, seconds] for size in SIZES for method, seconds in costs(size, seed).items()]


if __name__ == "__main__":
    part = Part("tnw06/scaling.csv", COLUMNS, lambda quick: [("drawn", seed) for seed in range(N_UNITS)], unit, 2)
    run_study(__doc__ or "", {"scaling": part})
