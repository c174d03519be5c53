"""Collapsed Gibbs sampling beside Gibbs sampling of z, theta and phi: chains of equal length from the same starts.

    OMP_NUM_THREADS=1 python -m figures.tnw06.mixing [--quick]

A unit has four chains of each sampler, which start far apart: from uniform topics, from one topic for all tokens, from
one for each document, and from one for each word. `drawn` is a corpus of 60 documents with 40 tokens, 60 words and
K = 4, a new one for each unit; `kos` has parts of 60 documents of KOS that share none, K = 8. alpha = beta = 0.1, and a
tenth of each document's tokens is held out. A chain has 400 sweeps, of which the second half counts.

tnw06/mixing.csv has the rank-normalised split R-hat of the four chains, and their integrated autocorrelation time in
sweeps. They are those of three functions that do not depend on how topics are numbered: log p(x, z), the log
probability of a held-out token given one sample, and how many of 200 pairs of tokens of one word share a topic.
"""

from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import Part, disjoint_part, run_study
from lda_reference.evaluation import chains
from lda_reference.fitting import sweep_rng
from lda_reference.model import counts_of

PRIOR, UNITS, SWEEPS, N_PAIRS = lda.Prior(0.1, 0.1), 8, 400, 200
TOPICS, SCHEDULES = {"drawn": 4, "kos": 8}, {"cgs": "interleaved", "gibbs": "corpus"}
COLUMNS = ["corpus", "sampler", "seed", "tokens", "sweeps", "function", "r_hat", "autocorrelation_time"]


def autocorrelation_time(chain_values: Any) -> float:
    """1 + 2 sum of the autocorrelations of chains (T, R), up to the first lag of 5 times the sum so far (Sokal)."""
    centred = chain_values - chain_values.mean(0)
    covariance_of_lag = np.array([(centred[: len(centred) - lag] * centred[lag:]).sum() for lag in range(len(centred))])
    time_sums = 2 * np.cumsum(covariance_of_lag / covariance_of_lag[0]) - 1
    return float(time_sums[np.argmax(np.arange(len(time_sums)) >= 5 * time_sums)])


def unit(corpus: str, sampler: str, seed: int) -> list[list[Any]]:
    drawn_corpus = lda.synthetic.draw(np.random.default_rng(seed), [40] * 60, 4, 60, PRIOR).corpus.types()
    c = drawn_corpus if corpus == "drawn" else disjoint_part(corpus, 60, seed)
    train, test = lda.split(c, "tokens", 0.1, sweep_rng(seed, 0))
    A, K, rng, token_rows = lda.ALGORITHMS[sampler], TOPICS[corpus], sweep_rng(seed, 1), train.tokens()
    token_order = np.lexsort((rng.random(train.N), token_rows.w))  # the tokens of a word stand together
    pair_places = rng.choice(np.flatnonzero(token_rows.w[token_order[:-1]] == token_rows.w[token_order[1:]]), N_PAIRS)
    first_tokens, second_tokens = token_order[pair_places], token_order[pair_places + 1]
    uniform_z, z_of_document, z_of_word = (rng.integers(0, K, size) for size in (train.N, train.D, train.W))
    traces: list[Any] = []
    for r, z in enumerate((uniform_z, np.zeros(train.N, int), z_of_document[token_rows.j], z_of_word[token_rows.w])):
        s, function_values = A.init(train, K, PRIOR, z=z), []
        for t in range(1, SWEEPS + 1):
            s = A.sweep(s, train, PRIOR, schedule=SCHEDULES[sampler], rng=sweep_rng(1000 * (seed + 1) + r, t))
            log_joint = lda.log_joint_collapsed(*counts_of(s.z, train, K), PRIOR)
            heldout_log_p = -np.log(lda.perplexity(test, *A.estimate(s, train, PRIOR)))
            function_values.append([log_joint, heldout_log_p, (s.z[first_tokens] == s.z[second_tokens]).sum()])
        traces.append(function_values[SWEEPS // 2 :])
    traces_of_function = dict(zip(("log p(x, z)", "held-out tokens", "pairs"), np.array(traces, float).T, strict=True))
    return [[corpus, sampler, seed, train.N, SWEEPS, function, float(chains.r_hat(trace)), autocorrelation_time(trace)]
            for function, trace in traces_of_function.items()]  # fmt: skip


def jobs(quick: bool) -> list[tuple[Any, ...]]:
    return [(name, sampler, seed) for name in TOPICS for seed in range(1 if quick else UNITS) for sampler in SCHEDULES]


if __name__ == "__main__":
    run_study(__doc__ or "", {"mixing": Part("tnw06/mixing.csv", COLUMNS, jobs, unit, 3)})
