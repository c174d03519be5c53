"""SN12 §10: CVB0 and its subspecies against CVB and VB, by the perplexity of held-out words.

    python -m figures.sn12.runs [--quick] [--draw] [small] [reason] [large] [paper]

As in the paper, beta is 0.01, the asymmetric alpha is learned by Minka's fixed point, 20% of the words of each document
are held out, and each algorithm has five random starts. The paper does not say where alpha begins and when it is
learned: here it begins at 0.1 and is learned after each sweep from the 16th on (AWST09 §4.1). A component of alpha that
falls below 1e-6 is held there, because a topic without tokens would take it to 0. Every run is scored after the paper's
100 iterations and where its bound stands still: where TNW06 (12), for vb (2), changes by less than 1e-5 nats per token
and sweep over 20 sweeps, or after SWEEP_LIMIT. The column `settled` says whether it did; gamma may still move there.

Rows are types, and the copies of a word in a document share one q(z). cvb1s draws samples for every token and runs on
token rows, from the same start; cvb0-tokens is CVB0 on these rows. In cvb-document, cvb-word and cvb-topic only one of
the three terms has CVB's variance correction. cvb-fixed and cvb0-fixed keep alpha at 0.1.

The studies are reuters395 (395 Reuters articles), KOS, NIPS and 20 Newsgroups; in a name such as nips-150, 150 random
documents and the words that at least two of them have. Of 20 Newsgroups the words that more than a tenth of the
documents have are left out, as a list of stop words would do. sn12/runs.csv has two lines for each run, and
sn12/fig1.svg is the figure of the paper. The parts `small` (100 articles, T = 20, every schedule) and `reason` take
half an hour, `large` hours, and `paper` (T = 40, 80 and 120 on whole corpora) days.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

import lda_reference as lda
from figures import common
from figures.common import BOUND_STANDS_STILL, Part, grouped, numbers, read, run_study, select
from figures.style import COLOURS, MARKERS, panels, plt, save
from lda_reference.algorithms import cvb
from lda_reference.engine import Algorithm, State
from lda_reference.engine.update import Term
from lda_reference.evaluation import prediction
from lda_reference.evaluation.search import LEAST
from lda_reference.fitting import sweep_rng
from lda_reference.priors import learners

BETA, ALPHA, LEARN_AFTER, PAPER_SWEEPS, SCORE_EVERY = 0.01, 0.1, 15, 100, 20
SWEEP_LIMIT = {"token": 100}  # sweeps; 300 in the other schedules, which cost less and need more
COLUMNS = ["study", "T", "algorithm", "schedule", "start", "seed", "stopped", "sweeps", "settled", "seconds", "value",
           "change", "perplexity", "of_seen", "unseen", "correction", "largest_correction", "alpha_sum",
           "alpha_largest"]  # fmt: skip
CVB_FAMILY = ["cvb", "cvb0", "cvb1d", "tcvb0"]


def log_of_mean(a: Any, NV: Any) -> Any:
    """The log of CVB0's term, from the statistic of CVB."""
    return np.log(a + NV[0])


def with_one_correction(term_name: str) -> Algorithm:
    """CVB with its variance correction in one of the three terms alone."""
    plain_term = Term(log_of_mean, cvb.MEAN_AND_VARIANCE)
    term_of_name = dict.fromkeys(("document", "word", "topic"), plain_term) | {term_name: cvb.TERM}
    return replace(cvb.ALGORITHM, name=f"cvb-{term_name}", update=cvb.ALGORITHM.update._replace(**term_of_name))


ALGORITHMS = lda.ALGORITHMS | {f"cvb-{term}": with_one_correction(term) for term in ("document", "word", "topic")}
ALGORITHMS["cvb0-tokens"] = lda.ALGORITHMS["cvb0"]


@cache
def split_of(study: str) -> tuple[lda.Corpus, lda.Corpus]:
    """Training words and the 20% of each document's words that are held out."""
    corpus, _, size_text = study.partition("-")
    c = common.corpus(corpus)
    if corpus == "20news":
        c = common.with_words(c, np.bincount(c.w, minlength=c.W) <= 0.1 * c.D)
    if size_text:
        c = lda.split(c, "documents", int(size_text) / c.D, sweep_rng(0, 1))[1]
        c = common.with_words(c, np.bincount(c.w, minlength=c.W) >= 2)
    return lda.split(c, "tokens", 0.2, sweep_rng(0, 0))


def correction(gamma: Any, c: lda.Corpus) -> Any:
    """Var[n_t] / (E[n_t] + V beta)² of each topic, the second term of (50)."""
    n = c.n[:, None]
    return (n * gamma * (1 - gamma)).sum(0) / ((n * gamma).sum(0) + c.W * BETA) ** 2  # SN12 (50), restored


def run(study: str, T: int, A_name: str, schedule: str, start: str, seed: int) -> list[list[Any]]:
    """Two lines: after the paper's 100 iterations, and where the bound stands still."""
    train, test = split_of(study)
    A, c, p = ALGORITHMS[A_name.removesuffix("-fixed")], train, lda.Prior(np.full(T, ALPHA), BETA)
    gamma = lda.ALGORITHMS["cvb0"].init(train, T, p, sweep_rng(seed, 0), start=start).gamma  # the same for all
    if A.draws or A_name == "cvb0-tokens":
        c, gamma = train.tokens(), np.repeat(gamma, train.n, axis=0)
    learn_prior, s, sweep_limit = learners.evidence("asymmetric", None), State(gamma), SWEEP_LIMIT.get(schedule, 300)
    lines_of_stop: dict[str, list[Any]] = {}
    t, seconds, last_value = 0, 0.0, A.bound(s, c, p) / c.N
    while len(lines_of_stop) < 2:
        start_time = time.process_time()
        for _ in range(SCORE_EVERY):
            s, t = A.sweep(s, c, p, schedule=schedule, rng=sweep_rng(seed, t + 1) if A.draws else None), t + 1
            if t > LEARN_AFTER and not A_name.endswith("-fixed"):
                p = lda.Prior(np.maximum(learn_prior(s, c, p).alpha, 1e-6), BETA)
        seconds += time.process_time() - start_time
        new_value = A.bound(s, c, p) / c.N
        has_settled = abs(new_value - last_value) < BOUND_STANDS_STILL * SCORE_EVERY and t >= LEAST
        cells = [t, has_settled, seconds, new_value, (new_value - last_value) / SCORE_EVERY, *scores(A, s, c, p, test)]
        lines_of_stop |= {"100": cells} if t == PAPER_SWEEPS else {}
        lines_of_stop |= {"end": cells} if (has_settled or t >= sweep_limit) and "end" not in lines_of_stop else {}
        last_value = new_value
    return [[study, T, A_name, schedule, start, seed, stop_name, *cells] for stop_name, cells in lines_of_stop.items()]


def scores(A: Algorithm, s: State, c: lda.Corpus, p: lda.Prior, test: lda.Corpus) -> list[float]:
    """Perplexity, that of the words seen in training, the share of the others, the correction, alpha."""
    token_p = lda.token_probability(test, *A.estimate(s, c, p))
    is_seen_row = np.bincount(c.w, minlength=c.W)[test.w] > 0
    n_seen, by_topic = test.n[is_seen_row], correction(s.gamma, c)
    seen_words_perplexity = float(np.exp(-(n_seen @ np.log(token_p[is_seen_row])) / n_seen.sum()))
    return [float(prediction.perplexity_of(test, token_p)), seen_words_perplexity, 1 - n_seen.sum() / test.N,
            float(by_topic.mean()), float(by_topic.max()), float(np.sum(p.alpha)), float(np.max(p.alpha))]  # fmt: skip


def jobs(part_name: str, is_quick: bool) -> Iterator[tuple[Any, ...]]:
    """(study, T, algorithm, schedule, start, seed), the most important first."""
    study, T, starts = (
        ("reuters395-20", 3, ["dirichlet"]) if is_quick else ("reuters395-100", 20, ["dirichlet", "growing"])
    )
    A_schedule_pairs = [(A_name, schedule) for schedule in ("block", "corpus") for A_name in CVB_FAMILY]
    A_schedule_pairs += [("vb", "corpus"), ("vb", "nested")]
    token_pairs = [(A_name, "token") for A_name in CVB_FAMILY]
    token_row_pairs = [(A_name, "corpus") for A_name in ("cvb0-tokens", "cvb1s")]
    seeds = range(2 if is_quick else 8)
    if part_name == "small":
        for seed in seeds:
            yield from ((study, T, *pair, start, seed) for start in starts for pair in A_schedule_pairs)
            yield from ((study, T, *pair, "dirichlet", seed) for pair in (*token_row_pairs, *token_pairs))
    if part_name == "reason":
        A_names = ["cvb-fixed", "cvb0-fixed", "cvb-topic", "cvb-word", "cvb-document"]
        for order, order_starts in (("corpus", starts), ("block", starts[:1])):
            yield from ((study, T, x, order, start, seed) for start in order_starts for seed in seeds for x in A_names)
    if part_name == "large" and not is_quick:
        for study, T in (("reuters395", 40), ("nips-150", 40), ("20news-1000", 40), ("kos", 40)):
            for seed in seeds:
                yield from ((study, T, *pair, start, seed) for start in starts for pair in A_schedule_pairs)
        yield from (("reuters395", 120, A_name, "block", "growing", seed) for seed in seeds for A_name in CVB_FAMILY)
    if part_name == "paper" and not is_quick:
        for study in ("nips", "20news-5000"):
            for T in (40, 80, 120):
                all_pairs = A_schedule_pairs + token_pairs
                yield from ((study, T, *pair, start, seed) for seed in seeds for pair in all_pairs for start in starts)


def picture(out_folder: Any) -> None:
    """Figure 1: the perplexity of each algorithm where its runs end, a point for each run."""
    A_names = ["vb", "cvb", "cvb0", "cvb1s", "cvb1d", "tcvb0"]
    csv_lines = select(read(out_folder / "sn12/runs.csv"), stopped="end")
    if not csv_lines:
        return
    lines_of_study = grouped(csv_lines, "study", "T")
    orders = [order for order in MARKERS if select(csv_lines, schedule=order)]
    figure, axes = panels(len(lines_of_study), 6.2, 4.2, across=2)
    for axis, ((study, T), study_lines) in zip(axes, lines_of_study.items(), strict=True):
        for (name, start, schedule), group in grouped(study_lines, "algorithm", "start", "schedule").items():
            if name in A_names:
                run_orders = [order for order in orders if select(study_lines, algorithm=name, schedule=order)]
                x_place = A_names.index(name) + 0.2 * (run_orders.index(schedule) - (len(run_orders) - 1) / 2)
                face_colour = COLOURS[name] if start == "dirichlet" else "none"
                axis.plot([x_place] * len(group), numbers(group), MARKERS[schedule], color=COLOURS[name], markersize=5,
                          markerfacecolor=face_colour, alpha=0.8)  # fmt: skip
        axis.set_xticks(range(len(A_names)), A_names)
        axis.set(title=f"{study}, T = {T}", ylabel="perplexity of held-out words")
    handles = [plt.Line2D([], [], marker=MARKERS[order], linestyle="", color="grey", label=order) for order in orders]
    handles += [plt.Line2D([], [], marker="o", linestyle="", color="grey", markerfacecolor=face_colour, label=start)
                for face_colour, start in (("grey", "Dirichlet rows"), ("none", "growing"))]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    save(figure, out_folder / "sn12/fig1.svg")


PART_NAMES = "small", "reason", "large", "paper"
PARTS = {name: Part("sn12/runs.csv", COLUMNS, partial(jobs, name), run, 6) for name in PART_NAMES}

if __name__ == "__main__":
    run_study(__doc__, PARTS, picture)
