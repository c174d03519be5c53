"""The pictures of tnw06/runs.py: TNW06 Figs. 1 and 2 from the lines of tnw06/fig1.csv and tnw06/fig2.csv."""

from collections import defaultdict

import numpy as np

from figures.common import grouped, numbers, read, select
from figures.style import COLOURS, MARKERS, plt, save

DASHES = {"corpus": "-", "nested": "--", "block": "-.", "token": ":"}
K = {"kos": 8, "nips": 40, "bars": 10}


def from_ends_of(cvb_schedule, cvb_start):
    """The start of a run of VB from the end of one of CVB; the start of that one is named unless it is `dirichlet`."""
    return f"end of cvb {cvb_schedule}" + ("" if cvb_start == "dirichlet" else f" from {cvb_start}")


def fig1_rows(out_folder):
    """The lines of Fig. 1. VB's lines from CVB's ends follow those of CVB's runs, whose start they are to name."""
    csv_rows, cvb_start = read(out_folder / "tnw06/fig1.csv"), ""
    for csv_row in csv_rows:
        cvb_start = csv_row["start"] if csv_row["algorithm"] == "cvb" else cvb_start
        if csv_row["start"].startswith("end of cvb "):
            csv_row["start"] = from_ends_of(csv_row["start"].split()[3], cvb_start)
    return csv_rows


def runs_of(csv_rows):
    """The lines of each run, by corpus, algorithm, schedule, start and seed; without means over runs."""
    run_rows = [row for row in csv_rows if row["seed"] not in ("mean", "all")]
    return grouped(run_rows, "corpus", "algorithm", "schedule", "start", "seed")


def series(run_rows, column):
    """The sweeps that have a number in a column, and the numbers."""
    return numbers([row for row in run_rows if row[column]], "sweep").astype(int), numbers(run_rows, column)


def style(A_name, schedule):
    return {"color": COLOURS[A_name], "linestyle": DASHES[schedule] if A_name != "cgs" else "-"}


def by_sweeps(axis, rows_of_run, column):
    """A thin line for each run from a random start."""
    seen, limit_values = set(), []
    for (_, A_name, schedule, start, _), run_rows in rows_of_run.items():
        if start not in ("dirichlet", "one-hot") or (column == "bound" and A_name == "cgs"):
            continue
        x, y = series(run_rows, column)
        label = f"{A_name} {schedule}"
        axis.plot(x, y, linewidth=0.9, alpha=0.75, label=None if label in seen else label, **style(A_name, schedule))
        seen.add(label)
        limit_values += [y[-1], np.interp(5, x, y)]
    y_margin = 0.05 * (max(limit_values) - min(limit_values))
    axis.set(xscale="log", xlabel="sweeps", ylim=(min(limit_values) - y_margin, max(limit_values) + y_margin))
    axis.legend(fontsize="x-small")


def final(rows_of_run, column):
    """The last value of each run, by algorithm, schedule and kind of start."""
    end_values = defaultdict(list)
    for (_, A_name, schedule, start_name, _), run_rows in rows_of_run.items():
        if not (column == "bound" and A_name == "cgs"):
            is_random = start_name in ("dirichlet", "one-hot")
            start_kind = "" if is_random else " from cvb" if "end of" in start_name else f" from {start_name}"
            column_numbers = numbers(run_rows, "averaged" if A_name == "cgs" else column)
            end_values[A_name, schedule, start_kind].append(column_numbers[-1])
    return end_values


def histogram(axis, end_values):
    """Stacked, with one set of bins, so that single runs can be seen; pale for other starts than random ones."""
    all_values = np.concatenate(list(end_values.values()))
    bins = np.linspace(all_values.min() - 1e-4, all_values.max() + 1e-4, 40)
    kinds = sorted(end_values, key=lambda kind: (list(COLOURS).index(kind[0]), list(DASHES).index(kind[1]), kind[2]))
    hatch_of, bar_tops = {"corpus": "", "nested": "////", "block": "....", "token": "\\\\\\\\"}, np.zeros(len(bins) - 1)
    for algorithm, schedule, start in kinds:
        bar_heights = np.histogram(end_values[algorithm, schedule, start], bins)[0]
        axis.bar(bins[:-1], bar_heights, np.diff(bins), bar_tops, align="edge", color=COLOURS[algorithm], linewidth=0,
                 hatch=hatch_of[schedule] if algorithm != "cgs" else "", edgecolor="white",
                 alpha=1 if not start else 0.35 if "cvb" in start else 0.65,
                 label=f"{algorithm} {schedule}{start}")  # fmt: skip
        bar_tops += bar_heights
    axis.set(ylabel="runs", ylim=(0, 2.1 * bar_tops.max()))
    axis.locator_params("x", nbins=5)
    axis.yaxis.get_major_locator().set_params(integer=True)
    axis.legend(fontsize="x-small", ncols=2, loc="upper left")


def figure_1(out_folder):
    rows_of_corpus = grouped(fig1_rows(out_folder), "corpus")
    if not rows_of_corpus:
        return
    figure, axes = plt.subplots(4, len(rows_of_corpus), figsize=(4.2 * len(rows_of_corpus), 13.6), squeeze=False)
    for column, ((corpus,), rows) in zip(axes.T, rows_of_corpus.items(), strict=True):
        rows_of_run = runs_of(rows)
        bound, test = "bound per training word, (2) or (12), nats", "log probability per test word, nats"
        for (way_ax, end_ax), score, label in zip(column.reshape(2, 2), ("bound", "test"), (bound, test), strict=True):
            by_sweeps(way_ax, rows_of_run, score)
            histogram(end_ax, final(rows_of_run, score))
            way_ax.set(ylabel=label)
            end_ax.set(xlabel=f"final {label}" + ("\n(cgs: mean over samples)" if score == "test" else ""))
        column[0].set(title=f"{corpus}, K = {K[corpus]}")
    save(figure, out_folder / "tnw06/fig1.svg")


def figure_2(out_folder):
    """Mean and range over runs, by the number of documents; all documents of KOS are those of Fig. 1."""
    scores_of_kind = defaultdict(dict)
    rows_of_part = grouped(read(out_folder / "tnw06/fig2.csv"), "algorithm", "schedule", "start", "documents")
    for (*A_schedule_start, n_documents), csv_rows in rows_of_part.items():
        bounds = numbers(csv_rows, "bound_2" if A_schedule_start[0] == "vb" else "bound_12")
        scores_of_kind[tuple(A_schedule_start)][int(n_documents)] = numbers(csv_rows, "test"), bounds
    if not scores_of_kind:
        return
    run_end_rows = [row for row in select(fig1_rows(out_folder), corpus="kos") if row["settled"]]
    for A_schedule_start, csv_rows in grouped(run_end_rows, "algorithm", "schedule", "start").items():
        if A_schedule_start in scores_of_kind:
            scores_of_kind[A_schedule_start][3430] = numbers(csv_rows, "test"), numbers(csv_rows, "bound")
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.8))
    for kind_index, (algorithm, schedule, start) in enumerate(sorted(scores_of_kind)):
        scores_of_size = scores_of_kind[algorithm, schedule, start]
        label = f"{algorithm} {schedule}" + ("" if start == "dirichlet" else f" from {start}")
        for score_index, axis in enumerate(axes):
            samples = [scores_of_size[n_documents][score_index] for n_documents in sorted(scores_of_size)]
            means = np.array([sample.mean() for sample in samples])
            error_range = [means - [sample.min() for sample in samples], [sample.max() for sample in samples] - means]
            x_places = np.array(sorted(scores_of_size)) * 1.03 ** (kind_index - 2)
            axis.errorbar(x_places, means, error_range, marker=MARKERS[schedule], capsize=2, markersize=5,
                          label=label, alpha=1 if start == "dirichlet" else 0.45,
                          **style(algorithm, schedule))  # fmt: skip
    for axis, name in zip(axes, ("log probability per test word", "bound per training word, (2) or (12)"), strict=True):
        axis.set(xscale="log", xlabel="documents J", ylabel=f"{name}, nats")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    save(figure, out_folder / "tnw06/fig2.svg")
