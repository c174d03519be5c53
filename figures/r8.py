"""SOL14 on its own corpus and on its synthetic study: VB, ML, Gibbs and collapsed Gibbs.

R8 has 5214 training and 2069 test documents in 8 classes; K = 8 and alpha = nu = 0.1. Each algorithm runs with three
seeds. The numbers are the log-likelihood of the test documents with theta from the whole test document (SOL14 §3.1),
the accuracy of classification through topics, and the seconds of training. `vb, as published` is what the paper's
published code did: its word counts leave out how often a word occurs in a document, and its first ten sweeps take phi
as a point. The synthetic study of §3.2 follows, with three corpora and the MSE of theta after matching. The script
writes r8.csv and takes an hour or two; a run that was broken off can be continued.
"""

import gzip
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import table

import lda_reference as lda
from lda_reference.algorithms import vb, vem
from lda_reference.engine import normalised, pseudocounts, soft, sums, weights
from lda_reference.engine.counts import sum_rows
from lda_reference.evaluation.labels import accuracy, class_probability, classify
from lda_reference.evaluation.matching import mse_theta
from lda_reference.fitting import sweep_rng

PRIOR, SEEDS = lda.Prior(0.1, 0.1), 3
SWEEPS = {"vb": 100, "ml": 100, "gibbs": 200, "cgs": 150}
HERE = Path(__file__).parent
DATA = Path(os.environ.get("LDA_DATA", HERE.parents[1] / "shared" / "data")) / "r8_soleimani"


def published_vb(c, K, seed, sweeps=100, point=10):
    """phi_wk of VB whose word counts leave out the number of times a word occurs in a document."""
    s = lda.ALGORITHMS["vb"].init(c, K, PRIOR, rng=sweep_rng(seed, 0))
    gamma, n = s.gamma, c.n.astype(float)
    a = pseudocounts(PRIOR, c.W)
    for t in range(sweeps):
        N_wk = sum_rows(gamma, np.ones(c.M), c.w, c.W)
        update = (vem.ALGORITHM if t < point else vb.ALGORITHM).update
        with np.errstate(divide="ignore"):
            word, topic = update.word.value(a.eta, N_wk), update.topic.value(a.W_eta, N_wk.sum(0))
        for _ in range(5):  # the inner loop over documents of SOL14 Algorithm 1
            document = update.document.value(a.alpha, sum_rows(gamma, n, c.j, c.D))
            gamma = soft(weights(update, document[c.j], word[c.w], topic))
    return normalised(sum_rows(gamma, np.ones(c.M), c.w, c.W) + PRIOR.eta, 0), gamma


def scores(name, train, labels, test, test_labels, K, seed, true=None):
    """Log-likelihood of the test tokens, their number, accuracy, MSE of theta if the truth is known, and seconds."""
    A = lda.ALGORITHMS["vb" if name.startswith("vb") else name]
    start = time.perf_counter()
    if name == "vb, as published":
        phi_wk, gamma = published_vb(train, K, seed)
        theta_jk = normalised(sums(gamma, train).jk + PRIOR.alpha, -1)
    else:
        with ThreadPoolExecutor(2) as threads:
            executor = threads if A.schedules[0] == "corpus" and A.assignment == "soft" else None
            f = lda.fit(train, K, name, PRIOR, SWEEPS[name], seed=seed, executor=executor)
        theta_jk, phi_wk = f.theta_jk, f.phi_wk
    seconds = time.perf_counter() - start
    seen = np.flatnonzero(phi_wk[test.w].sum(-1) > 0)  # ml gives words outside the training set no probability
    known = test.with_rows(test.j[seen], test.w[seen], test.n[seen])
    test_jk = lda.fold_in(A, known, phi_wk, PRIOR, sweep_rng(seed, 1), 50)
    total = -known.N * np.log(lda.perplexity(known, test_jk, phi_wk))
    p_kc = class_probability(theta_jk, labels, int(labels.max()) + 1)
    correct = accuracy(classify(test_jk, p_kc), test_labels)
    mse = "" if true is None else mse_theta(test_jk, true[1], lda.match_topics(phi_wk, true[0])[0])
    return total, known.N, correct, mse, seconds


def main():
    if not DATA.exists():
        sys.exit(f"R8 is not at {DATA}: set LDA_DATA to the folder of the corpora")
    train, test = (lda.read_corpus(DATA / f"{x}docs_7k.txt.gz", "ldac") for x in ("tr", "t"))
    W = max(train.W, test.W)
    train, test = (lda.Corpus(c.j, c.w, c.n, c.D, W) for c in (train, test))
    labels = []
    for x in ("tr", "t"):
        with gzip.open(DATA / f"{x}lbls_7k.txt.gz", "rt") as file:
            labels.append(np.array([int(line.split()[0]) for line in file]))
    path = HERE / "r8.csv"
    columns = ["corpus", "algorithm", "seed", "log_likelihood", "tokens", "accuracy", "mse", "seconds"]
    done = table.done(path, 3)

    def write(corpus, name, seed, *data):
        if (corpus, name, str(seed)) not in done:
            found = scores(name, *data)
            table.write(path, columns, [[corpus, name, seed, *(x if x == "" else f"{x:.6g}" for x in found)]])
            print(corpus, name, seed, *found, flush=True)

    names = (*SWEEPS, "vb, as published")
    for seed in range(SEEDS):
        for name in names:
            write("r8", name, seed, train, labels[0], test, labels[1], 8, seed)
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        drawn, dominant = lda.synthetic.dominant(rng, D=3000)
        mine = np.zeros(drawn.corpus.D, bool)
        for k in range(drawn.theta_jk.shape[1]):
            mine[rng.permutation(np.flatnonzero(dominant == k))[: np.sum(dominant == k) // 3]] = True
        parts = []
        for chosen in (~mine, mine):
            c, number = drawn.corpus, np.cumsum(chosen) - 1
            keep = chosen[c.j]
            parts.append(lda.Corpus(number[c.j[keep]], c.w[keep], c.n[keep], int(chosen.sum()), c.W).types())
        true = drawn.phi_wk, drawn.theta_jk[mine]
        for name in names:
            write("synthetic", name, seed, parts[0], dominant[~mine], parts[1], dominant[mine], 10, seed, true)


if __name__ == "__main__":
    main()
