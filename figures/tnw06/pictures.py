"""The pictures of tnw06/runs.py: TNW06 Figs. 1 and 2 from the lines of tnw06/fig1.csv and tnw06/fig2.csv."""

from collections import defaultdict

import numpy as np

from figures.common import grouped, numbers, read, select
from figures.style import COLOURS, MARKERS, plt, save

DASHES = {"corpus": "-", "nested": "--", "block": "-.", "token": ":"}
K = {"kos": 8, "nips": 40, "bars": 10}


def from_ends_of(schedule, start):
    """The start of a run of VB from the end of one of CVB; the start of that one is named unless it is `dirichlet`."""
    return f"end of cvb {schedule}" + ("" if start == "dirichlet" else f" from {start}")


def fig1_rows(folder):
    """The lines of Fig. 1. VB's lines from CVB's ends follow those of CVB's runs, whose start they are to name."""
    rows, start = read(folder / "tnw06/fig1.csv"), ""
    for row in rows:
        start = row["start"] if row["algorithm"] == "cvb" else start
        if row["start"].startswith("end of cvb "):
            row["start"] = from_ends_of(row["start"].split()[3], start)
    return rows


def runs_of(rows):
    """The lines of each run, by corpus, algorithm, schedule, start and seed; without means over runs."""
    single_runs = [row for row in rows if row["seed"] not in ("mean", "all")]
    return grouped(single_runs, "corpus", "algorithm", "schedule", "start", "seed")


def series(lines, column):
    """The sweeps that have a number in a column, and the numbers."""
    return numbers([row for row in lines if row[column]], "sweep").astype(int), numbers(lines, column)


def style(algorithm, schedule):
    return {"color": COLOURS[algorithm], "linestyle": DASHES[schedule] if algorithm != "cgs" else "-"}


def by_sweeps(axis, runs, column):
    """A thin line for each run from a random start."""
    seen, ends = set(), []
    for (_, algorithm, schedule, start, _), lines in runs.items():
        if start not in ("dirichlet", "one-hot") or (column == "bound" and algorithm == "cgs"):
            continue
        x, y = series(lines, column)
        label = f"{algorithm} {schedule}"
        axis.plot(x, y, linewidth=0.9, alpha=0.75, label=None if label in seen else label, **style(algorithm, schedule))
        seen.add(label)
        ends += [y[-1], np.interp(5, x, y)]
    margin = 0.05 * (max(ends) - min(ends))
    axis.set(xscale="log", xlabel="sweeps", ylim=(min(ends) - margin, max(ends) + margin))
    axis.legend(fontsize="x-small")


def final(runs, column):
    """The last value of each run, by algorithm, schedule and kind of start."""
    end_values = defaultdict(list)
    for (_, algorithm, schedule, start, _), lines in runs.items():
        if not (column == "bound" and algorithm == "cgs"):
            is_random = start in ("dirichlet", "one-hot")
            kind = "" if is_random else " from cvb" if "end of" in start else f" from {start}"
            run_numbers = numbers(lines, "averaged" if algorithm == "cgs" else column)
            end_values[algorithm, schedule, kind].append(run_numbers[-1])
    return end_values


def histogram(axis, end_values):
    """Stacked, with one set of bins, so that single runs can be seen; pale for other starts than random ones."""
    all_values = np.concatenate(list(end_values.values()))
    bins = np.linspace(all_values.min() - 1e-4, all_values.max() + 1e-4, 40)
    kinds = sorted(end_values, key=lambda kind: (list(COLOURS).index(kind[0]), list(DASHES).index(kind[1]), kind[2]))
    hatches, stack = {"corpus": "", "nested": "////", "block": "....", "token": "\\\\\\\\"}, np.zeros(len(bins) - 1)
    for algorithm, schedule, start in kinds:
        height = np.histogram(end_values[algorithm, schedule, start], bins)[0]
        axis.bar(bins[:-1], height, np.diff(bins), stack, align="edge", color=COLOURS[algorithm], linewidth=0,
                 hatch=hatches[schedule] if algorithm != "cgs" else "", edgecolor="white",
                 alpha=1 if not start else 0.35 if "cvb" in start else 0.65,
                 label=f"{algorithm} {schedule}{start}")  # fmt: skip
        stack += height
    axis.set(ylabel="runs", ylim=(0, 2.1 * stack.max()))
    axis.locator_params("x", nbins=5)
    axis.yaxis.get_major_locator().set_params(integer=True)
    axis.legend(fontsize="x-small", ncols=2, loc="upper left")


def figure_1(out_folder):
    corpora = grouped(fig1_rows(out_folder), "corpus")
    if not corpora:
        return
    figure, axes = plt.subplots(4, len(corpora), figsize=(4.2 * len(corpora), 13.6), squeeze=False)
    for column, ((corpus,), rows) in zip(axes.T, corpora.items(), strict=True):
        runs = runs_of(rows)
        bound, test = "bound per training word, (2) or (12), nats", "log probability per test word, nats"
        for (way_ax, end_ax), score, label in zip(column.reshape(2, 2), ("bound", "test"), (bound, test), strict=True):
            by_sweeps(way_ax, runs, score)
            histogram(end_ax, final(runs, score))
            way_ax.set(ylabel=label)
            end_ax.set(xlabel=f"final {label}" + ("\n(cgs: mean over samples)" if score == "test" else ""))
        column[0].set(title=f"{corpus}, K = {K[corpus]}")
    save(figure, out_folder / "tnw06/fig1.svg")


def figure_2(out_folder):
    """Mean and range over runs, by the number of documents; all documents of KOS are those of Fig. 1."""
    values_of = defaultdict(dict)
    part_lines = grouped(read(out_folder / "tnw06/fig2.csv"), "algorithm", "schedule", "start", "documents")
    for (*kind, n), rows in part_lines.items():
        bound = numbers(rows, "bound_2" if kind[0] == "vb" else "bound_12")
        values_of[tuple(kind)][int(n)] = numbers(rows, "test"), bound
    if not values_of:
        return
    all_documents = [row for row in select(fig1_rows(out_folder), corpus="kos") if row["settled"]]
    for kind, rows in grouped(all_documents, "algorithm", "schedule", "start").items():
        if kind in values_of:
            values_of[kind][3430] = numbers(rows, "test"), numbers(rows, "bound")
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.8))
    for shift, (algorithm, schedule, start) in enumerate(sorted(values_of)):
        by_size = values_of[algorithm, schedule, start]
        label = f"{algorithm} {schedule}" + ("" if start == "dirichlet" else f" from {start}")
        for i, axis in enumerate(axes):
            samples = [by_size[n][i] for n in sorted(by_size)]
            mean = np.array([sample.mean() for sample in samples])
            spread = [mean - [sample.min() for sample in samples], [sample.max() for sample in samples] - mean]
            x_places = np.array(sorted(by_size)) * 1.03 ** (shift - 2)
            axis.errorbar(x_places, mean, spread, marker=MARKERS[schedule], capsize=2, markersize=5,
                          label=label, alpha=1 if start == "dirichlet" else 0.45,
                          **style(algorithm, schedule))  # fmt: skip
    for axis, name in zip(axes, ("log probability per test word", "bound per training word, (2) or (12)"), strict=True):
        axis.set(xscale="log", xlabel="documents J", ylabel=f"{name}, nats")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    save(figure, out_folder / "tnw06/fig2.svg")
