"""The number of topics that pycisTopic's log likelihood chooses, and the one that log p(x, z) chooses.

    python -m figures.wild.pycistopic --checkouts DIR     # fits the models; needs the packages lda and tmtoolkit
    python -m figures.wild.pycistopic                      # draws the figure from pycistopic.csv

There are three corpora in the form of accessible regions in cells, drawn from 5, 10 and 20 topics, and 200 documents
of Kos, which is read from LDA_DATA. All are tables of 0 and 1. As in `run_cgs_model`, the package lda makes 150 sweeps
of collapsed Gibbs sampling with alpha 50 / K and eta 0.1; `loglikelihood` is given alpha 50 and eta 0.1, as there. Then
alpha is 0.1 for both (`alpha_by_topic=False`). The right number is TNW06 (7), with the prior of the model. The other
three measures of `evaluate_models` are those of tmtoolkit.
"""

import argparse
import itertools
from pathlib import Path
from typing import Any

import numpy as np

from figures import common
from lda_reference import Prior, model

from .adapters import Absent, Checkouts
from .adapters.pycistopic import loglikelihood

HERE = Path(__file__).parent
GRID, SEEDS, ETA, SWEEPS, TOP = (2, 5, 8, 10, 15, 20, 25, 30), (1, 2, 3), 0.1, 150, 5
FIELDS = ("corpus", "prior", "true_K", "K", "seed", "theirs", "right", "arun", "cao", "mimno")
PRIORS = ("50 / K", "0.1")
Line = dict[str, Any]


def drawn(K: int) -> np.ndarray:
    """100 cells and 1,000 regions; 300 accesses of each cell are drawn, and each region counts once."""
    rng = np.random.default_rng(K)
    phi, theta = rng.dirichlet(np.full(1000, 0.05), K), rng.dirichlet(np.full(K, 0.1), 100)
    X = np.minimum(np.stack([rng.multinomial(300, x @ phi) for x in theta]), 1)
    return X[:, X.sum(0) > 0]


def kos() -> np.ndarray:
    """200 documents of Kos, drawn at random, as 0 and 1, with the words that occur in them."""
    c = common.corpus("kos")
    X = np.minimum(c.to_csr().toarray(), 1)[np.random.default_rng(0).choice(c.D, 200, replace=False)].astype(int)
    return X[:, X.sum(0) > 0]


def corpora() -> dict[str, tuple[int, np.ndarray]]:
    """The corpora with their numbers of topics, 0 where nobody knows it."""
    by_name = {f"drawn from {K} topics": (K, drawn(K)) for K in (5, 10, 20)}
    if common.there("kos"):
        by_name["200 documents of Kos"] = (0, kos())
    return by_name


def measured(X: np.ndarray, K: int, seed: int, prior_name: str, score_of: Any) -> Line:
    import logging

    import lda
    from tmtoolkit.topicmod import evaluate

    logging.getLogger("lda").setLevel(logging.ERROR)
    alpha, told_alpha = (50.0 / K, 50.0) if prior_name == "50 / K" else (0.1, 0.1)
    fit = lda.LDA(n_topics=K, n_iter=SWEEPS, random_state=seed, alpha=alpha, eta=ETA, refresh=SWEEPS).fit(X)
    mimno_of_topics = np.sort(evaluate.metric_coherence_mimno_2011(
        fit.topic_word_, dtm=X, top_n=20, eps=1e-12, normalize=True, return_mean=False
    ))[-TOP:]  # fmt: skip
    right_log_p = model.log_joint_collapsed(fit.ndz_.astype(float), fit.nzw_.T.astype(float), Prior(alpha, ETA))
    return {
        "K": K, "seed": seed, "theirs": score_of(fit.nzw_, fit.ndz_, told_alpha, ETA), "right": float(right_log_p),
        "arun": evaluate.metric_arun_2010(fit.topic_word_, fit.doc_topic_, X.sum(1).astype(float)),
        "cao": evaluate.metric_cao_juan_2009(fit.topic_word_), "mimno": float(np.mean(mimno_of_topics)),
    }  # fmt: skip


def run(checkouts: Checkouts) -> list[Line]:
    score_of, lines = loglikelihood(checkouts), []
    for name, (true_K, X) in corpora().items():
        for K in GRID:
            for prior, seed in itertools.product(PRIORS, SEEDS):
                lines.append({"corpus": name, "prior": prior, "true_K": true_K} | measured(X, K, seed, prior, score_of))
    return lines


def read() -> list[Line]:
    csv_lines = common.read(HERE / "pycistopic.csv")
    return [{k: x if k in ("corpus", "prior") else float(x) for k, x in line.items()} for line in csv_lines]


def rescaled(x: np.ndarray) -> np.ndarray:
    return (x - x.min()) / (x.max() - x.min())


def chosen(lines: list[Line], seed: float, score_name: str, is_combined: bool) -> int:
    """The K of the largest number; `combined` with the other measures as in `evaluate_models`, from K = 5 on."""
    seed_lines = sorted((x for x in lines if x["seed"] == seed), key=lambda x: x["K"])
    K, score = np.array([x["K"] for x in seed_lines]), rescaled(np.array([x[score_name] for x in seed_lines]))
    if is_combined:
        for sign, measure in ((-1, "arun"), (-1, "cao")):
            score = score + rescaled(sign * np.array([x[measure] for x in seed_lines]))
        K, score = K[K >= TOP], score[K >= TOP] + rescaled(np.array([x["mimno"] for x in seed_lines if x["K"] >= TOP]))
    return int(K[np.argmax(score)])


def choices(lines: list[Line]) -> list[Line]:
    """The numbers of topics chosen in each corpus, for each seed."""
    measure_of_way = {"theirs": ("theirs", False), "right": ("right", False), "all four with theirs": ("theirs", True),
            "all four with right": ("right", True)}  # fmt: skip
    choice_rows = []
    for (name, prior), group_lines in common.keyed(lines, lambda x: (x["corpus"], x["prior"])).items():
        seeds = sorted({x["seed"] for x in group_lines})
        Ks_of_way = {way: [chosen(group_lines, seed, *how) for seed in seeds] for way, how in measure_of_way.items()}
        choice_rows.append({"corpus": name, "alpha": prior} | Ks_of_way)
    return choice_rows


def draw(lines: list[Line], path: Path) -> None:
    """The numbers of topics that are chosen in each corpus, a mark for each seed, and the true number."""
    from figures.style import plt, save

    choice_rows = choices(lines)
    corpus_names = list(dict.fromkeys(row["corpus"] for row in choice_rows))
    true_K_of_corpus = {row["corpus"]: row["true_K"] for row in lines}
    way_looks = (("theirs", "#D55E00", "s", "none", "by pycisTopic's log likelihood alone"),
             ("all four with theirs", "#D55E00", "s", "full", "by its sum of four measures, the tool's suggestion"),
             ("right", "#0072B2", "o", "none", "by the corrected log likelihood alone"),
             ("all four with right", "#0072B2", "o", "full", "by the sum with the corrected one"))  # fmt: skip
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), sharey=True, layout="constrained")
    for axis, prior, title in zip(axes, PRIORS, ("the tool's default, alpha = 50 / K", "alpha = 0.1"), strict=True):
        for row in (row for row in choice_rows if row["alpha"] == prior):
            y = corpus_names.index(row["corpus"])
            if true_K_of_corpus[row["corpus"]]:
                axis.plot([true_K_of_corpus[row["corpus"]]] * 2, [y - 0.38, y + 0.38], color="black", linewidth=1.2,
                          label="_" if y else "the true number")  # fmt: skip
            for i, (way, colour, marker, fill, label) in enumerate(way_looks):
                K, seeds = np.array(row[way]), np.arange(len(row[way]))
                heights = y + 0.2 * (i - 1.5) + 0.04 * (seeds - seeds.mean())  # seeds that agree stand close together
                axis.plot(K, heights, marker, color=colour, fillstyle=fill, markersize=6, label="_" if y else label)
        axis.set(title=title, xlabel="number of topics that is chosen", xlim=(0, 32))
        axis.grid(axis="x", alpha=0.3)
    axes[0].set_yticks(range(len(corpus_names)), corpus_names)
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkouts", type=Path)
    args = parser.parse_args()
    if args.checkouts:
        try:
            lines = run(Checkouts(args.checkouts))
        except (Absent, ImportError) as error:
            raise SystemExit(f"Nothing is written: {error}") from error
        (HERE / "pycistopic.csv").unlink(missing_ok=True)
        common.write(HERE / "pycistopic.csv", FIELDS, [list(line.values()) for line in lines])
    draw(read(), HERE / "pycistopic.svg")


if __name__ == "__main__":
    main()
