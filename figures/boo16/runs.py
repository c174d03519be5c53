"""BOO16 §6: conjugate LDA against EM type 2, by iterations and by the size of the collection.

    python -m figures.boo16.runs [--quick] [--draw] [seconds] [nested] [variants] [corpus]

Conjugate LDA holds an asymmetric alpha fixed and has a Boojum prior on beta (BOO16 Figure 3). Its baseline is EM type 2
with symmetric priors on both sides. The prior is learned after each sweep of VB; in `em2 later` it is learned only
after the 15th sweep, because in the first sweeps all documents look alike, and EM type 2 can stay there. The paper
does not give the order of its updates. `nested` takes each document to its convergence in a sweep, as the usual
programs for VB do; in `corpus` order each sweep updates every gamma once. Both start from Dirichlet(1) rows; `topics`
is the start of scikit-learn. A run has 50 sweeps, as many as in Figure 6, because the conjugate model's bound does not
converge.

Training uses random subsets of 80% of the documents, one of each size; the other documents are scored by completion,
with 20 sweeps in `corpus` order for their known halves. The paper gives no values for its asymmetric alpha: here
alpha_k ∝ 1 / (k + sqrt K) for k from 0, and the sum is 1 (5 and 30 in `conjugate, sum 5` and `conjugate, sum 30`).
Words that training has not seen decide the comparison, so every perplexity is given over all tokens and over those of
words seen in training. runs.csv has a line for each sweep that is scored; fig4.svg and fig5.svg are the figures of the
paper. The parts `variants` and `corpus` take two hours, `nested` several, and `seconds`, the part of it that
Fig. 6 needs, a quarter of an hour.
"""

import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import Part, by, corpus, grouped, numbers, read, run_study, select, with_words
from figures.style import plt, save
from lda_reference.evaluation import prediction, validation
from lda_reference.fitting import sweep_rng
from lda_reference.priors import learners

TOPICS = {"20news": (6, 20), "reuters": (6, 50)}
SIZES = (250, 1000, 2000, 3000, 4000, 9000)
MODELS = ("conjugate", "em2", "em2 later")
SWEEPS, LEARN_AFTER = 50, 15
SCORED_AT = {"corpus": (5, 10, 20, 50), "nested": (2, 5, 10, 20, 50)}  # sweeps after which a model is scored
COLUMNS = ["corpus", "K", "documents", "run", "model", "schedule", "start", "sweep", "perplexity", "of_seen", "unseen",
           "smallest_eta", "seconds"]  # fmt: skip


@cache
def documents(c_name: str) -> lda.Corpus:
    """The collection without the words that occur in only one document."""
    c = corpus(c_name)
    return with_words(c, np.bincount(c.w, minlength=c.W) >= 2)


def model_of(model_name: str, K: int, W: int) -> tuple[lda.Prior, Any]:
    """The first prior of a model and its learner: of alpha and of beta."""
    alpha_k = 1 / (np.arange(K) + np.sqrt(K))
    alpha_k /= alpha_k.sum()
    if model_name.startswith("conjugate, sum"):
        return lda.Prior(alpha_k * float(model_name.split()[-1]), np.full(W, 0.1)), learners.conjugate()
    both_learners = learners.in_turn(learners.em2(alpha="symmetric"), learners.conjugate())
    return {
        "fixed": (lda.Prior(0.1, 0.1), None),
        "asymmetric": (lda.Prior(alpha_k, 0.1), learners.em2(eta="symmetric")),
        "boojum": (lda.Prior(0.1, np.full(W, 0.1)), both_learners),
        "conjugate": (lda.Prior(alpha_k, np.full(W, 0.1)), learners.conjugate()),
    }.get(model_name, (lda.Prior(0.1, 0.1), learners.em2("symmetric", "symmetric")))


def run(c_name: str, K: int, n_documents: int, seed: int, model: str, schedule: str, start: str) -> list[list[Any]]:
    c = documents(c_name)
    train, test = lda.split(c, "documents", 0.2, sweep_rng(seed, 0))
    if n_documents < train.D:
        train = lda.split(train, "documents", n_documents / train.D, sweep_rng(seed, 1))[1]
    test_halves = validation.halves(test, sweep_rng(seed, 2))
    A, lines, seconds = lda.ALGORITHMS["vb"], [], 0.0
    p, learn_prior = model_of(model, K, c.W)
    s = A.init(train, K, p, rng=sweep_rng(seed, 3), start=start)
    for t in range(1, SWEEPS + 1):
        start_time = time.process_time()
        s = A.sweep(s, train, p, schedule=schedule)
        if learn_prior and t > (LEARN_AFTER if model == "em2 later" else 0):
            p = learn_prior(s, train, p)
        seconds += time.process_time() - start_time
        if t in SCORED_AT[schedule] and (model != "em2 later" or t >= LEARN_AFTER):
            scores = score(A, test_halves, train, A.estimate(s, train, p)[1], p, seed)
            lines.append([c_name, K, train.D, seed, model, schedule, start, t, *scores, float(np.min(p.eta)), seconds])
    return lines


def score(A: Any, halves: validation.Halves, train: lda.Corpus, phi_wk: Any, p: lda.Prior, seed: int) -> list[float]:
    """Perplexity of the second halves: over all tokens, over words seen in training, and the share of the others."""
    theta_jk = lda.fold_in(A, halves.known, phi_wk, p, sweep_rng(seed, 4), 20)
    log_p = halves.heldout.n * np.log(prediction.token_probability(halves.heldout, theta_jk, phi_wk))
    is_seen = np.bincount(train.w, minlength=train.W)[halves.heldout.w] > 0
    N_seen = halves.heldout.n[is_seen].sum()
    perplexity, seen_perplexity = np.exp(-log_p.sum() / halves.heldout.N), np.exp(-log_p[is_seen].sum() / N_seen)
    return [float(perplexity), float(seen_perplexity), float(1 - N_seen / halves.heldout.N)]


def jobs(part: str, is_quick: bool) -> Iterator[tuple[Any, ...]]:
    """(corpus, K, documents, run, model, schedule, start), the most important first."""
    if is_quick:
        for model in MODELS:
            yield from (("20news", 6, 100, seed, model, part, "dirichlet") for seed in range(2) if part in SCORED_AT)
        return
    if part == "seconds":
        pairs = [(size, seed) for size in (250, 1000) for seed in range(8)]
        yield from ((x, 6, *run, model, "nested", "dirichlet") for run in pairs for x in TOPICS for model in MODELS)
    if part == "nested":
        for seeds, size in (
            (range(3), 1000),
            (range(3), 250),
            (range(3), 3000),
            (range(3, 10), 1000),
            (range(3, 10), 250),
        ):
            for seed in seeds:
                yield from ((c_name, 6, size, seed, model, part, "dirichlet") for c_name in TOPICS for model in MODELS)
        for c_name in TOPICS:
            for seed in range(3):
                sizes = [size for size in SIZES if size <= 4000 or c_name == "20news"]
                pairs = [(K, size) for size in sizes for K in TOPICS[c_name]]
                yield from ((c_name, K, size, seed, model, part, "dirichlet") for K, size in pairs for model in MODELS)
    if part == "variants":
        for schedule, start in (("nested", "dirichlet"), ("corpus", "dirichlet"), ("nested", "topics")):
            model_names = ("fixed", "asymmetric", "boojum") if start == "dirichlet" else MODELS
            yield from (("20news", 6, 1000, seed, model, schedule, start) for seed in range(8) for model in model_names)
        sums = [f"conjugate, sum {total_alpha}" for total_alpha in (5, 30)]
        pairs = [(c_name, size) for size in (1000, 2000, 4000) for c_name in TOPICS]
        yield from (
            (x, 6, size, seed, model, "corpus", "dirichlet") for x, size in pairs for model in sums for seed in range(3)
        )
    if part == "corpus":
        for c_name in TOPICS:
            for seed in range(10):
                sizes = [size for size in SIZES if size <= 4000 or c_name == "20news"]
                pairs = [(K, size) for size in sizes for K in TOPICS[c_name]]
                yield from ((c_name, K, size, seed, model, part, "dirichlet") for K, size in pairs for model in MODELS)


COLOURS = {"conjugate": "#0072B2", "em2": "#E69F00", "em2 later": "#000000"}  # all are VB: not colours of algorithms
DASHES = {"nested": "-", "corpus": "--"}


def draw_by_iterations(lines: list[dict[str, str]], out_folder: Path) -> None:
    """Figure 4: perplexity by iterations, with K = 6 and 1000 documents; over all tokens and over seen words."""
    shown_lines = [row for row in lines if row["K"] == "6" and row["start"] == "dirichlet" and row["model"] in COLOURS]
    size_text = "1000" if any(line["documents"] == "1000" for line in shown_lines) else shown_lines[0]["documents"]
    shown_lines = [line for line in shown_lines if line["documents"] == size_text]
    corpus_names = list(dict.fromkeys(line["corpus"] for line in shown_lines))
    figure, axes = plt.subplots(2, len(corpus_names), figsize=(4.8 * len(corpus_names), 6.4), squeeze=False)
    for corpus_index, c_name in enumerate(corpus_names):
        for axis, measure in zip(axes[:, corpus_index], ("perplexity", "of_seen"), strict=True):
            for schedule, dash in DASHES.items():
                for model, colour in COLOURS.items():
                    by_sweep = grouped(select(shown_lines, corpus=c_name, schedule=schedule, model=model), "sweep")
                    if by_sweep:
                        medians = sorted((int(t), np.median(numbers(rows, measure))) for (t,), rows in by_sweep.items())
                        x, y = zip(*medians, strict=True)
                        axis.plot(x, y, dash, color=colour, marker="o", markersize=4, label=f"{model}, {schedule}")
            axis.set(yscale="log" if measure == "perplexity" else "linear", xlabel="sweeps")
        axes[0, corpus_index].set_title(f"{c_name}, K = 6, {size_text} documents")
    axes[0, 0].set_ylabel("perplexity over all tokens")
    axes[1, 0].set_ylabel("perplexity over words seen in training")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    save(figure, out_folder / "boo16/fig4.svg")


def ratios(csv_lines: list[dict[str, str]], base: str) -> dict[int, list[float]]:
    """For each size of the training set the ratios over seen words of the conjugate model to another, by run."""
    ratios_of = {}
    for (size,), size_lines in grouped(select(csv_lines, sweep=str(SWEEPS)), "documents").items():
        conjugate, baseline = (by(select(size_lines, model=model), "of_seen", "run") for model in ("conjugate", base))
        if run_ratios := [conjugate[run] / baseline[run] for run in conjugate if run in baseline]:
            ratios_of[int(size)] = run_ratios
    return ratios_of


def draw_by_size(csv_lines: list[dict[str, str]], out_folder: Path) -> None:
    """Figure 5: the ratio of the perplexities after 50 sweeps by the size of the collection, over seen words."""
    lines_of_panel = grouped(select(csv_lines, start="dirichlet"), "corpus", "K")
    n_rows = -(-len(lines_of_panel) // 2)
    figure, axes = plt.subplots(n_rows, 2, figsize=(9, 3.4 * n_rows + 0.6), sharey="row", squeeze=False)
    for axis, ((c_name, K), panel_lines) in zip(axes.flat, lines_of_panel.items(), strict=False):
        for schedule, dash in DASHES.items():
            for base in ("em2", "em2 later"):
                ratios_by_size = ratios(select(panel_lines, schedule=schedule), base)
                ratios_by_size = {size: runs for size, runs in ratios_by_size.items() if len(runs) > 1}
                if ratios_by_size:
                    sizes, runs = zip(*sorted(ratios_by_size.items()), strict=True)
                    means = [np.mean(run_ratios) for run_ratios in runs]
                    errors = [np.std(run_ratios, ddof=1) / np.sqrt(len(run_ratios)) for run_ratios in runs]
                    axis.errorbar(sizes, means, errors, linestyle=dash, color=COLOURS[base], marker="o", markersize=4,
                                  capsize=2, label=f"against {base}, {schedule}")  # fmt: skip
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set(xscale="log", xlabel="training documents", title=f"{c_name}, K = {K}")
        size_ticks = sorted({int(line["documents"]) for line in panel_lines})
        axis.set_xticks(size_ticks, [str(tick) for tick in size_ticks], rotation=60)
        axis.minorticks_off()
    figure.supylabel("perplexity of seen words after 50 sweeps, conjugate / EM type 2", fontsize=10)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    save(figure, out_folder / "boo16/fig5.svg")


def draw_seconds(csv_lines: list[dict[str, str]], out_folder: Path) -> None:
    """Figure 6: the CPU seconds of 50 sweeps in `nested` order by the size of the collection; a dot for each run."""
    shown_lines = select(csv_lines, sweep=str(SWEEPS), K="6", schedule="nested", start="dirichlet")
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.2), sharey=True)
    for axis, ((c_name,), corpus_lines) in zip(axes, grouped(shown_lines, "corpus").items(), strict=True):
        sizes = sorted({int(line["documents"]) for line in corpus_lines})
        for model_index, (model, colour) in enumerate(COLOURS.items()):
            for i, size in enumerate(sizes):
                cpu = numbers(select(corpus_lines, model=model, documents=str(size)), "seconds")
                axis.plot([i + 0.15 * (model_index - 1)] * len(cpu), cpu, "o", color=colour, label="_" if i else model)
        axis.set_xticks(range(len(sizes)), sizes)
        axis.set(xlim=(-0.5, len(sizes) - 0.5), xlabel="training documents", title=f"{c_name}, K = 6")
    axes[0].set(ylabel="CPU seconds of 50 sweeps", ylim=(0, None))
    axes[0].legend(loc="upper left")
    save(figure, out_folder / "boo16/fig6.svg")


def pictures(out_folder: Path) -> None:
    if csv_lines := read(out_folder / "boo16/runs.csv"):
        draw_by_iterations(csv_lines, out_folder)
        draw_by_size(csv_lines, out_folder)
        draw_seconds(csv_lines, out_folder)


PART_NAMES = "seconds", "nested", "variants", "corpus"
PARTS = {name: Part("boo16/runs.csv", COLUMNS, partial(jobs, name), run, 7) for name in PART_NAMES}

if __name__ == "__main__":
    run_study(__doc__, PARTS, pictures)
