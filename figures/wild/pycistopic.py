"""The number of topics that pycisTopic's log likelihood chooses, and the one that log p(x, z) chooses.

    python -m figures.wild.pycistopic --checkouts DIR     # fits the models; needs the packages lda and tmtoolkit
    python -m figures.wild.pycistopic                      # draws the figure from pycistopic.csv

There are three corpora in the form of accessible regions in cells, drawn from 5, 10 and 20 topics, and 200 documents
of Kos, which is read from LDA_DATA. All are tables of 0 and 1. As in `run_cgs_model`, the package lda makes 150 sweeps
of collapsed Gibbs sampling with alpha 50 / K and eta 0.1; `loglikelihood` is given alpha 50 and eta 0.1, as there. The
right number is TNW06 (7), with the prior of the model. The other three measures of `evaluate_models` are those of
tmtoolkit.
"""

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import corpus, there
from lda_reference import Prior, model

from .adapters import Absent, Checkouts
from .adapters.pycistopic import loglikelihood

HERE = Path(__file__).parent
GRID, SEEDS, ALPHA, ETA, SWEEPS, TOP = (2, 5, 8, 10, 15, 20, 25, 30, 40), (1, 2, 3), 50.0, 0.1, 150, 5
FIELDS = ("corpus", "true_K", "K", "seed", "theirs", "right", "arun", "cao", "mimno")
Line = dict[str, Any]


def drawn(K: int) -> np.ndarray:
    """120 cells and 1,000 regions; 400 accesses of each cell are drawn, and each region counts once."""
    rng = np.random.default_rng(K)
    phi, theta = rng.dirichlet(np.full(1000, 0.05), K), rng.dirichlet(np.full(K, 0.2), 120)
    return np.minimum(np.stack([rng.multinomial(400, x @ phi) for x in theta]), 1)


def kos() -> np.ndarray:
    """200 documents of Kos, drawn at random, as 0 and 1, with the words that occur in them."""
    c = corpus("kos")
    X = np.zeros((c.D, c.W), int)
    X[c.j, c.w] = 1
    X = X[np.random.default_rng(0).choice(c.D, 200, replace=False)]
    return X[:, X.sum(0) > 0]


def corpora() -> dict[str, tuple[int, np.ndarray]]:
    """The corpora with their numbers of topics, 0 where nobody knows it."""
    found = {f"drawn from {K} topics": (K, drawn(K)) for K in (5, 10, 20)}
    if there("kos"):
        found["200 documents of Kos"] = (0, kos())
    return found


def measured(X: np.ndarray, K: int, seed: int, theirs: Any) -> Line:
    import logging

    import lda
    from tmtoolkit.topicmod import evaluate

    logging.getLogger("lda").setLevel(logging.ERROR)
    fit = lda.LDA(n_topics=K, n_iter=SWEEPS, random_state=seed, alpha=ALPHA / K, eta=ETA, refresh=SWEEPS).fit(X)
    mimno = np.sort(evaluate.metric_coherence_mimno_2011(
        fit.topic_word_, dtm=X, top_n=20, eps=1e-12, normalize=True, return_mean=False
    ))[-TOP:]  # fmt: skip
    right = model.log_joint_collapsed(fit.ndz_.astype(float), fit.nzw_.T.astype(float), Prior(ALPHA / K, ETA))
    return {
        "K": K, "seed": seed, "theirs": theirs(fit.nzw_, fit.ndz_, ALPHA, ETA), "right": float(right),
        "arun": evaluate.metric_arun_2010(fit.topic_word_, fit.doc_topic_, X.sum(1).astype(float)),
        "cao": evaluate.metric_cao_juan_2009(fit.topic_word_), "mimno": float(np.mean(mimno)),
    }  # fmt: skip


def run(checkouts: Checkouts) -> list[Line]:
    f, lines = loglikelihood(checkouts), []
    for name, (true, X) in corpora().items():
        for K in GRID:
            lines += [{"corpus": name, "true_K": true} | measured(X, K, seed, f) for seed in SEEDS]
        print(f"{name}: done", flush=True)
    return lines


def read() -> list[Line]:
    with open(HERE / "pycistopic.csv", newline="", encoding="utf-8") as file:
        return [{k: x if k == "corpus" else float(x) for k, x in row.items()} for row in csv.DictReader(file)]


def rescaled(x: np.ndarray) -> np.ndarray:
    return (x - x.min()) / (x.max() - x.min())


def chosen(lines: list[Line], name: str, seed: float, number: str, combined: bool) -> int:
    """The K of the largest number; `combined` with the other measures as in `evaluate_models`, from K = 5 on."""
    of = sorted((x for x in lines if (x["corpus"], x["seed"]) == (name, seed)), key=lambda x: x["K"])
    K, score = np.array([x["K"] for x in of]), rescaled(np.array([x[number] for x in of]))
    if combined:
        for sign, measure in ((-1, "arun"), (-1, "cao")):
            score = score + rescaled(sign * np.array([x[measure] for x in of]))
        K, score = K[K >= TOP], score[K >= TOP] + rescaled(np.array([x["mimno"] for x in of if x["K"] >= TOP]))
    return int(K[np.argmax(score)])


def choices(lines: list[Line]) -> list[Line]:
    """The numbers of topics chosen in each corpus, for each seed."""
    ways = {"theirs": ("theirs", False), "right": ("right", False), "all four with theirs": ("theirs", True),
            "all four with right": ("right", True)}  # fmt: skip
    names = dict.fromkeys(x["corpus"] for x in lines)
    return [
        {"corpus": name} | {way: [chosen(lines, name, s, *how) for s in SEEDS] for way, how in ways.items()}
        for name in names
    ]


def draw(lines: list[Line], path: Path) -> None:
    """For each corpus, both numbers against the number of topics, each from its lowest (0) to its highest (1)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(x["corpus"] for x in lines))
    figure, axes = plt.subplots(1, len(names), figsize=(3.4 * len(names), 3.6), sharey=True, layout="constrained")
    looks = (("theirs", "tab:red", "s--", "what `loglikelihood` returns"), ("right", "tab:blue", "o-", "log p(x, z)"))
    for axis, name in zip(axes, names, strict=True):
        of = [x for x in lines if x["corpus"] == name]
        for number, colour, style, label in looks:
            K = sorted({x["K"] for x in of})
            y = np.array([[x[number] for x in of if x["K"] == k] for k in K])
            y = (y - y.mean(1).min()) / (y.mean(1).max() - y.mean(1).min())
            axis.plot(K, y.mean(1), style, color=colour, label=label, markersize=4)
            axis.plot(K, y, ".", color=colour, alpha=0.4, markersize=4)
            axis.plot(K[np.argmax(y.mean(1))], y.mean(1).max(), "*", color=colour, markersize=15)
        if of[0]["true_K"]:
            axis.axvline(of[0]["true_K"], color="black", linewidth=1)
            axis.text(of[0]["true_K"] + 0.7, 0.02, "true number", fontsize=8)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("number of topics in the model")
    axes[0].set_ylabel("lowest = 0, highest = 1")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("Which number of topics is best? The star is each number's choice", fontsize=11)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkouts", type=Path)
    args = parser.parse_args()
    if args.checkouts:
        try:
            lines = run(Checkouts(args.checkouts))
        except (Absent, ImportError) as error:
            raise SystemExit(f"Nothing is written: {error}") from error
        with open(HERE / "pycistopic.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, FIELDS, lineterminator="\n")
            out.writeheader()
            out.writerows({k: f"{x:.8g}" if isinstance(x, float) else x for k, x in line.items()} for line in lines)
    lines = read()
    draw(lines, HERE / "pycistopic.png")
    for x in choices(lines):
        print(x)


if __name__ == "__main__":
    main()
