"""The pictures of tnw06/runs.py: TNW06 Figs. 1 and 2 from the lines of tnw06/fig1.csv and tnw06/fig2.csv."""

from collections import defaultdict

import numpy as np

from figures.common import COLOURS, MARKERS, read
from figures.style import plt

LINES = {"corpus": "-", "nested": "--", "block": "-.", "token": ":"}
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
    runs = defaultdict(list)
    for row in rows:
        if row["seed"] not in ("mean", "all"):
            runs[tuple(row[x] for x in ("corpus", "algorithm", "schedule", "start", "seed"))].append(row)
    return runs


def series(lines, column):
    pairs = [(int(row["sweep"]), float(row[column])) for row in lines if row[column]]
    return np.array(pairs).T if pairs else np.empty((2, 0))


def style(algorithm, schedule):
    return {"color": COLOURS[algorithm], "linestyle": LINES[schedule] if algorithm != "cgs" else "-"}


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
    if ends:
        margin = 0.05 * (max(ends) - min(ends))
        axis.set(xscale="log", xlabel="sweeps", ylim=(min(ends) - margin, max(ends) + margin))
        axis.legend(fontsize="x-small")


def final(runs, column):
    """The last value of each run, by algorithm, schedule and start."""
    values = defaultdict(list)
    for (_, algorithm, schedule, start, _), lines in runs.items():
        if not (column == "bound" and algorithm == "cgs"):
            x = series(lines, "averaged" if algorithm == "cgs" else column)[1]
            values[algorithm, schedule, start].append(x[-1])
    return values


def histogram(axis, values):
    """Stacked, with one set of bins, so that single runs can be seen; pale for other starts than random ones."""
    if not values:
        return
    merged = defaultdict(list)
    for (algorithm, schedule, start), x in values.items():
        start = "" if start in ("dirichlet", "one-hot") else " from cvb" if "end of" in start else f" from {start}"
        merged[algorithm, schedule, start] += x
    every = np.concatenate(list(merged.values()))
    bins = np.linspace(every.min() - 1e-4, every.max() + 1e-4, 60)
    kinds = sorted(merged, key=lambda kind: (list(COLOURS).index(kind[0]), list(LINES).index(kind[1]), kind[2]))
    hatches, below = {"corpus": "", "nested": "////", "block": "....", "token": "\\\\\\\\"}, np.zeros(len(bins) - 1)
    for algorithm, schedule, start in kinds:
        height = np.histogram(merged[algorithm, schedule, start], bins)[0]
        axis.bar(bins[:-1], height, np.diff(bins), below, align="edge", color=COLOURS[algorithm], linewidth=0,
                 hatch=hatches[schedule] if algorithm != "cgs" else "", edgecolor="white",
                 alpha=1 if not start else 0.35 if "cvb" in start else 0.65,
                 label=f"{algorithm} {schedule}{start}")  # fmt: skip
        below += height
    axis.set(ylabel="runs", ylim=(0, 1.7 * below.max()))
    axis.yaxis.get_major_locator().set_params(integer=True)
    axis.legend(fontsize="x-small", ncols=3, loc="upper left")


def figure_1(out):
    rows = fig1_rows(out)
    corpora = [x for x in ("kos", "nips", "bars") if any(row["corpus"] == x for row in rows)]
    if not corpora:
        return
    figure, axes = plt.subplots(4, len(corpora), figsize=(7 * len(corpora), 14), squeeze=False)
    for column, corpus in zip(axes.T, corpora, strict=True):
        runs = runs_of(row for row in rows if row["corpus"] == corpus)
        for axis, name in ((column[0], "bound"), (column[2], "test")):
            by_sweeps(axis, runs, name)
        for axis, name in ((column[1], "bound"), (column[3], "test")):
            histogram(axis, final(runs, name))
        bound, test = "bound per training word, (2) or (12), nats", "log probability per test word, nats"
        column[0].set(ylabel=bound, title=f"{corpus}, K = {K[corpus]}")
        column[1].set(xlabel=f"final {bound}")
        column[2].set(ylabel=test)
        column[3].set(xlabel=f"final {test} (cgs: mean over samples)")
    figure.savefig(out / "tnw06/fig1.png", dpi=110)


def figure_2(out):
    """Mean and range over runs, by the number of documents; all documents of KOS are those of Fig. 1."""
    values = defaultdict(list)
    for row in read(out / "tnw06/fig2.csv"):
        bound = float(row["bound_2" if row["algorithm"] == "vb" else "bound_12"])
        values[row["algorithm"], row["schedule"], row["start"], int(row["documents"])].append(
            (float(row["test"]), bound)
        )
    if not values:
        return
    kinds = sorted({kind[:3] for kind in values})
    for row in fig1_rows(out):
        kind = row["algorithm"], row["schedule"], row["start"]
        if row["settled"] and row["corpus"] == "kos" and kind in kinds:
            values[*kind, 3430].append((float(row["test"]), float(row["bound"])))
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.8))
    for shift, (algorithm, schedule, start) in enumerate(kinds):
        sizes = sorted(n for *kind, n in values if tuple(kind) == (algorithm, schedule, start))
        label = f"{algorithm} {schedule}" + ("" if start == "dirichlet" else f" from {start}")
        for axis, i in zip(axes, (0, 1), strict=True):
            x = [np.array(values[algorithm, schedule, start, n])[:, i] for n in sizes]
            mean = np.array([v.mean() for v in x])
            spread = [mean - [v.min() for v in x], [v.max() for v in x] - mean]
            at = np.array(sizes) * 1.03 ** (shift - 2)
            axis.errorbar(at, mean, spread, marker=MARKERS[schedule], capsize=2, markersize=5,
                          label=label, alpha=1 if start == "dirichlet" else 0.45,
                          **style(algorithm, schedule))  # fmt: skip
    for axis, name in zip(axes, ("log probability per test word", "bound per training word, (2) or (12)"), strict=True):
        axis.set(xscale="log", xlabel="documents J", ylabel=f"{name}, nats")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(out / "tnw06/fig2.png", dpi=130)


def pictures(out):
    figure_1(out)
    figure_2(out)
    plt.close("all")
