"""AWST09 §4: what smoothing does to the algorithms, on KOS and NIPS with K = 40.

    python figures/smoothing.py [kos] [nips] [ALGORITHM ...] [fixed] [minka] [grid]

Perplexities are found by completion: half of each test document is folded in, and the other half is predicted. The
prior is alpha = eta = 0.1, or learned by Minka's fixed point (from 0.5, after 15 sweeps), or the best of the paper's
grid on validation documents. VB is scored with both estimates, AWST09 (15) and (16). Soft algorithms run in `corpus`
order for 100 sweeps, with two seeds on KOS and one on NIPS; on the grid they run for 50 sweeps with one seed. CGS is
one sample, as in the paper, after 100 sweeps on KOS and 40 on NIPS, with one seed. The grid is run on KOS only. ML is
scored on the words that it has seen. The script writes smoothing.csv and smoothing.png. It takes three hours with two
processes, most of them for CGS; `python smoothing.py draw` only draws the picture.
"""

import csv
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import table

import lda_reference as lda
from lda_reference.algorithms import ml
from lda_reference.evaluation import prediction, validation
from lda_reference.fitting import sweep_rng
from lda_reference.priors import learners

K = 40
HERE = Path(__file__).parent
DATA = Path(os.environ.get("LDA_DATA", HERE.parents[1] / "shared" / "data"))
TEST = {"kos": 215, "nips": 92}  # documents, AWST09 Table 1; as many for validation
NAMES, SETTINGS = ["cvb0", "vb", "map", "ml", "cvb", "cgs"], ["fixed", "minka", "grid"]
CGS_SWEEPS = {"kos": 100, "nips": 40}
COLUMNS = ["corpus", "algorithm", "setting", "estimator", "seed", "sweeps", "alpha", "eta", "perplexity", "validation"]


def documents(corpus):
    """Training, validation and test documents."""
    c = lda.read_corpus(DATA / corpus / f"docword.{corpus}.txt.gz")
    rest, test = lda.split(c, "documents", TEST[corpus] / c.D, sweep_rng(0, 0))
    train, valid = lda.split(rest, "documents", TEST[corpus] / rest.D, sweep_rng(0, 1))
    return train, *(validation.halves(x, sweep_rng(0, 2)) for x in (valid, test))


def run(corpus, name, setting, seed, alpha, eta, sweeps, both):
    """The lines of one run in the table: its perplexities, for VB with both estimates."""
    train, valid, test = documents(corpus)
    A = ml.tempered(alpha) if name == "ml" else lda.ALGORITHMS[name]
    learn = learners.evidence() if setting == "minka" else None
    p = lda.Prior(alpha, eta)
    s = A.init(train, K, p, rng=sweep_rng(seed, 0))
    schedule = "corpus" if "corpus" in A.schedules else None
    for t in range(1, sweeps + 1):
        s = A.sweep(s, train, p, schedule=schedule, rng=sweep_rng(seed, t))
        if learn and t > 15:
            p = learn(s, train, p)
    lines = []
    for estimator in (None, "digamma") if name == "vb" else (None,):
        phi_wk = (prediction.estimates(s, train, p, estimator) if estimator else A.estimate(s, train, p))[1]
        scores = [
            validation.completion(A, h, phi_wk, p, seed, 50, estimator) if wanted else ""
            for h, wanted in ((test, both != "validation"), (valid, both != "test"))
        ]
        lines.append([corpus, name, setting, estimator or "own", seed, sweeps, p.alpha, p.eta, *scores])
    return lines


def jobs(corpus, names, settings):
    for name in names:
        shift = lda.ALGORITHMS[name].prior_offset
        sweeps = CGS_SWEEPS[corpus] if name == "cgs" else 100
        for seed in range(2 if corpus == "kos" and name != "cgs" else 1):
            if "minka" in settings and name not in ("ml", "map"):
                yield corpus, name, "minka", seed, 0.5, 0.5, sweeps, "test"
            if "fixed" in settings:
                alpha = 1.0 if name == "ml" else 0.1 + shift
                yield corpus, name, "fixed", seed, alpha, 0.1 + shift, sweeps, "test"
        if "grid" in settings and corpus == "kos":
            for alpha in validation.POWERS if name == "ml" else validation.GRID:
                for eta in (0.1,) if name == "ml" else validation.GRID:
                    yield corpus, name, "grid", 0, alpha + shift, eta + shift, 50, "both"


def draw():
    with open(HERE / "smoothing.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    best = {}  # the point of the grid with the lowest validation perplexity
    for row in rows:
        if row["setting"] == "grid":
            key = row["corpus"], row["algorithm"], row["estimator"]
            if key not in best or float(row["validation"]) < float(best[key]["validation"]):
                best[key] = row
    lines = [row for row in rows if row["setting"] != "grid"] + list(best.values())
    names = sorted({row["corpus"] for row in rows})
    labels = ["ml", "map", "vb", "vb (16)", "cvb", "cvb0", "cgs"]
    marks = {"fixed": ("o", "#0072B2"), "minka": ("s", "#D55E00"), "grid": ("^", "#009E73")}
    figure, axes = plt.subplots(1, len(names), figsize=(5 * len(names), 3.8), layout="constrained")
    for axis, name in zip(axes if len(names) > 1 else [axes], names, strict=True):
        for setting, (marker, colour) in marks.items():
            mine = [row for row in lines if row["corpus"] == name and row["setting"] == setting]
            x = [labels.index(r["algorithm"] + (" (16)" if r["estimator"] == "digamma" else "")) for r in mine]
            if mine:
                axis.plot(x, [float(row["perplexity"]) for row in mine], marker, color=colour, label=setting)
        axis.set_xticks(range(len(labels)), labels)
        axis.set(ylabel="perplexity of second halves", title=f"{name}, K = {K}")
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    figure.savefig(HERE / "smoothing.png", dpi=130)


def main():
    if sys.argv[1:] == ["draw"]:
        return draw()
    known = list(TEST), NAMES, SETTINGS
    corpora, names, settings = ([x for x in sys.argv[1:] if x in of] or of for of in known)
    if not all((DATA / corpus).exists() for corpus in corpora):
        sys.exit(f"{corpora} are not all in {DATA}: set LDA_DATA to the folder of the corpora")
    with ProcessPoolExecutor(2) as pool:
        futures = [pool.submit(run, *job) for corpus in corpora for job in jobs(corpus, names, settings)]
        for future in as_completed(futures):
            table.write(HERE / "smoothing.csv", COLUMNS, future.result())
            print(*future.result()[0], flush=True)
    draw()


if __name__ == "__main__":
    main()
