"""How many runs? Forty runs of VB and forty of CVB0 on each of six corpora of bars.

    python -m figures.search.restarts [--quick]

search/restarts.csv has a line for each run: its training bound in nats per token (of VB its own, TNW06 (2), of CVB0 the
collapsed bound (12)), and the perplexity of the 10% of pixels that are held out. Chapter 16 reads it. `bars 0` is the
corpus of that chapter, and its first twenty runs are those of the chapter; the other bars are drawn in the same way.
All priors are 0.1, K is 10. A run ends when its gamma has settled (`period` is 1) or swings with period 2, or after
1,000 sweeps (`period` is 0); see `lda_reference/evaluation/search.py`. It takes about ten minutes.
"""

import numpy as np

import lda_reference as lda
from figures.common import Part, run_study
from lda_reference.evaluation import search
from lda_reference.fitting import sweep_rng

K, PRIOR = 10, lda.Prior(0.1, 0.1)
N_RUNS, JOB_RUNS = 40, 10  # of each algorithm on each corpus; a job has a group of them
CORPORA = [f"bars {seed}" for seed in (0, 11, 12, 13, 14, 15)]
PAIRS = [("vb", "nested"), ("cvb0", "corpus")]
COLUMNS = ["corpus", "algorithm", "schedule", "start", "group", "seed", "sweeps", "period", "value", "perplexity"]


def parts(corpus: str) -> tuple[lda.Corpus, lda.Corpus]:
    """Training and held-out tokens of a corpus: `bars 11` are drawn from seed 11."""
    seed = int(corpus.split()[1])
    drawn_bars = lda.synthetic.bars(np.random.default_rng(seed), side=5, D=100, length=50, alpha=0.3)
    train, test = lda.split(drawn_bars.corpus.types(), "tokens", 0.1, sweep_rng(seed, 0))
    return train, test


def runs(name: str, algorithm: str, schedule: str, start: str, group: int, size: int = JOB_RUNS) -> list[list[object]]:
    """The ends of a group of runs, each from a start of its own."""
    train, test = parts(name)
    A, seeds = lda.ALGORITHMS[algorithm], range(group * JOB_RUNS, group * JOB_RUNS + size)
    start_states = search.started(A, train, K, PRIOR, start, seeds)
    run_lines: list[list[object]] = []
    for seed, end in zip(seeds, search.until_settled(A, start_states, train, PRIOR, schedule), strict=True):
        perplexity = float(lda.perplexity(test, *A.estimate(end.state, train, PRIOR)))
        run_lines.append([name, algorithm, schedule, start, group, seed, end.sweeps, end.period, end.value, perplexity])
    return run_lines


def jobs(quick: bool) -> list[tuple[object, ...]]:
    corpora, n_groups = (CORPORA[:1], 1) if quick else (CORPORA, N_RUNS // JOB_RUNS)
    return [(corpus, *pair, "dirichlet", group) for corpus in corpora for pair in PAIRS for group in range(n_groups)]


if __name__ == "__main__":
    run_study(__doc__, {"restarts": Part("search/restarts.csv", COLUMNS, jobs, runs, 5)})
