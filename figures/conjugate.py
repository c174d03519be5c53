"""BOO16 §6: conjugate LDA against EM type 2, by the size of the collection.

    python figures/conjugate.py [20news] [reuters]

Conjugate LDA holds an asymmetric alpha fixed and has a Boojum prior on beta (BOO16 Figure 3). Its baseline is EM type 2
with symmetric priors on both sides. VB runs for 50 sweeps in `corpus` order, and the prior is learned after each sweep.
In `em2 later` it is learned only after the 15th sweep: in the first sweeps all documents look alike, and EM type 2 can
stay there. Training uses random subsets of 80% of the documents, one of each size, and the other documents are scored
by completion. The paper gives no values for its asymmetric alpha: here alpha_k ∝ 1 / (k + sqrt K) for k from 0, and the
sum is 1. Words that training has not seen decide the comparison, so every perplexity is given over all tokens and over
those of words seen in training. The script writes conjugate.csv, with a line for each sweep that is scored, and
conjugate.png. It takes two hours; a run that was broken off can be continued. `python conjugate.py draw` only draws the
picture.
"""

import csv
import os
import sys
import tarfile
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import table

import lda_reference as lda
from lda_reference.evaluation import prediction, validation
from lda_reference.fitting import sweep_rng
from lda_reference.priors import learners

HERE = Path(__file__).parent
DATA = Path(os.environ.get("LDA_DATA", HERE.parents[1] / "shared" / "data"))
TOPICS = {"20news": (6, 20), "reuters": (6, 50)}
SIZES = (250, 1000, 2000, 3000, 4000, 9000)
MODELS = {"conjugate": 0, "em2": 0, "em2 later": 15}  # sweeps before the prior is learned
RUNS, SCORED = 10, (5, 10, 20, 50)  # sweeps after which a model is scored
COLUMNS = ["corpus", "K", "documents", "run", "model", "sweep", "perplexity", "of_seen", "unseen", "smallest_eta"]


def documents(corpus):
    """The collection without the words that occur in only one document."""
    if corpus == "20news":
        c = lda.read_corpus(DATA / "20news_bydate" / "docword.20news.train.txt.gz")
    else:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(DATA / "reuters_50_50" / "C50.tar.gz") as tar:
                tar.extractall(folder, filter="data")
            flat = Path(folder) / "flat"
            flat.mkdir()
            for i, file in enumerate(sorted(Path(folder).rglob("C50t*/*/*.txt"))):
                (flat / f"{i:05d}.txt").write_bytes(file.read_bytes())
            c = lda.read_corpus(flat, "text")
    keep = np.bincount(c.w, minlength=c.W) >= 2
    number, rows = np.cumsum(keep) - 1, keep[c.w]
    return lda.Corpus(c.j[rows], number[c.w[rows]], c.n[rows], c.D, int(keep.sum()))


def run(corpus, c, K, size, seed, model):
    train, test = lda.split(c, "documents", 0.2, sweep_rng(seed, 0))
    if size < train.D:
        train = lda.split(train, "documents", size / train.D, sweep_rng(seed, 1))[1]
    test = validation.halves(test, sweep_rng(seed, 2))
    seen = np.bincount(train.w, minlength=c.W)[test.heldout.w] > 0
    A, lines = lda.ALGORITHMS["vb"], []
    asymmetric = 1 / (np.arange(K) + np.sqrt(K))
    if model == "conjugate":
        p, learn = lda.Prior(asymmetric / asymmetric.sum(), np.full(c.W, 0.1)), learners.conjugate()
    else:
        p, learn = lda.Prior(0.1, 0.1), learners.em2("symmetric", "symmetric")
    s = A.init(train, K, p, rng=sweep_rng(seed, 3))
    for t in range(1, max(SCORED) + 1):
        s = A.sweep(s, train, p)
        if t > MODELS[model]:
            p = learn(s, train, p)
        if t not in SCORED or t < MODELS[model]:
            continue
        phi_wk = A.estimate(s, train, p)[1]
        theta_jk = lda.fold_in(A, test.known, phi_wk, p, sweep_rng(seed, 4), 20)
        logs = test.heldout.n * np.log(prediction.token_probability(test.heldout, theta_jk, phi_wk))
        everything = np.exp(-logs.sum() / test.heldout.N)
        of_seen = np.exp(-logs[seen].sum() / test.heldout.n[seen].sum())
        unseen = 1 - test.heldout.n[seen].sum() / test.heldout.N
        lines.append([corpus, K, train.D, seed, model, t, everything, of_seen, unseen, float(np.min(p.eta))])
    return lines


def draw():
    with open(HERE / "conjugate.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for row in rows:
        key = row["corpus"], int(row["K"]), int(row["sweep"]), int(row["documents"]), row["run"]
        found.setdefault(key, {})[row["model"]] = float(row["of_seen"])
    names = sorted({row["corpus"] for row in rows})
    figure, axes = plt.subplots(1, len(names), figsize=(4.6 * len(names), 3.6), sharey=True, layout="constrained")
    for axis, name in zip(np.atleast_1d(axes), names, strict=True):
        for K, style in zip(TOPICS[name], ("-", "--"), strict=True):
            for t, base, colour in ((10, "em2", "#0072B2"), (50, "em2", "#D55E00"), (50, "em2 later", "#009E73")):
                sizes = sorted({key[3] for key in found if key[:3] == (name, K, t)})
                runs = [[x for key, x in found.items() if key[:4] == (name, K, t, size)] for size in sizes]
                ratios = [np.mean([x["conjugate"] / x[base] for x in of if base in x]) for of in runs]
                label = f"K = {K}, {t} sweeps" + (", EM after 15" if base == "em2 later" else "")
                axis.plot(sizes, ratios, color=colour, linestyle=style, marker="o", markersize=4, label=label)
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set(xscale="log", xlabel="training documents", title=name)
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=8)
    np.atleast_1d(axes)[0].set(ylabel="perplexity of seen words,\nconjugate / EM type 2")
    figure.savefig(HERE / "conjugate.png", dpi=130)


def main():
    if sys.argv[1:] == ["draw"]:
        return draw()
    names = sys.argv[1:] or list(TOPICS)
    path = HERE / "conjugate.csv"
    done = table.done(path, 5)
    with ProcessPoolExecutor(1) as pool:
        for corpus in names:
            folder = DATA / {"20news": "20news_bydate", "reuters": "reuters_50_50"}[corpus]
            if not folder.exists():
                sys.exit(f"{corpus} is not at {folder}: set LDA_DATA to the folder of the corpora")
            c = documents(corpus)
            print(corpus, c, flush=True)
            futures = [
                pool.submit(run, corpus, c, K, size, seed, model)
                for seed in range(RUNS)
                for size in SIZES
                for K in TOPICS[corpus]
                for model in MODELS
                if size <= 0.8 * c.D and (corpus, str(K), str(size), str(seed), model) not in done
            ]
            for future in as_completed(futures):
                table.write(path, COLUMNS, future.result())
            print(corpus, "done", flush=True)
    draw()


if __name__ == "__main__":
    main()
