"""SOL14 Fig. 1 from the CSV files of `sol14/runs.py`: a dot for each run, a cross for the printed number."""

import numpy as np

from figures.sol14.study import PRINTED, SAMPLERS, Study
from figures.style import COLOURS, MARKERS, plt, save

WAYS = ("ml", "vb corpus", "vb nested", "vb nested, no counts", "vb published", "vb published, with counts", "cvb0",
         "gibbs", "cgs")  # fmt: skip
SCHEDULES = {"vb corpus": "corpus", "cvb0": "corpus", "ml": "corpus", "gibbs": "corpus", "cgs": "token"}  # else nested
PRINTED_AT = {"ml": "ml", "vb": "vb published", "gibbs": "gibbs", "cgs": "cgs"}  # the printed VB is without counts
COLUMNS = (("ll", "log-likelihood\nof a test token", 1), ("accuracy", "accuracy, %", 100),
           ("mse", "MSE of theta, thousandths", 1e3), ("completion", "perplexity of second\nhalves of documents", 1),
           ("sweeps", "sweeps", 1))  # fmt: skip


TOKENS = {"r8": 100963, "synthetic": 100000}  # of the printed test documents; in the synthetic ones on average


def of_r8(study, way, column):
    run_numbers = study.chain(way, column) if way in SAMPLERS else study.ends(way, column)
    return run_numbers / TOKENS["r8"] if column == "ll" else run_numbers


def of_synthetic(study, way, column):
    test_N_of_corpus = {corpus["data"]: int(corpus["test_tokens"]) for corpus in study.corpora}
    end_of_corpus = study.by_corpus(way, column)
    return np.array([x / test_N_of_corpus[corpus] if column == "ll" else x for corpus, x in end_of_corpus.items()])


def printed(corpus_kind, printed_way, column):
    """The printed number and its standard deviation over repetitions, in the unit of the CSV files."""
    x = PRINTED[corpus_kind][printed_way]
    if corpus_kind == "r8":
        return {"ll": (x[0] / TOKENS[corpus_kind], 0), "accuracy": (x[1] / 100, 0)}.get(column)
    return {"ll": (x[0] / TOKENS[corpus_kind], 0), "accuracy": (x[2] / 100, x[3] / 100), "mse": x[4:6]}.get(column)


def panel(axis, ends_of, corpus_kind, column, unit_factor):
    for way_index, way in enumerate(WAYS):
        x = ends_of.get(way, np.array([]))
        heights = way_index + np.linspace(-0.18, 0.18, len(x)) if len(x) > 1 else np.full(len(x), way_index)
        marker, colour = MARKERS[SCHEDULES.get(way, "nested")], COLOURS[way.split()[0]]
        axis.plot(x * unit_factor, heights, marker, markersize=4.5, alpha=0.75, color=colour, markeredgewidth=0)
    for printed_way, way in PRINTED_AT.items():
        mean_error = printed(corpus_kind, printed_way, column)
        if mean_error:
            x, y, error = mean_error[0] * unit_factor, WAYS.index(way) + 0.34, mean_error[1] * unit_factor
            axis.errorbar(x, y, xerr=error, fmt="x", color="black", markersize=5, linewidth=0.8)
    axis.set_yticks(range(len(WAYS)), WAYS)
    axis.set_ylim(len(WAYS) - 0.4, -0.6)


def picture(folder):
    study = Study(folder)
    rows = (("synthetic", of_synthetic, ("ll", "accuracy", "mse", "completion")),
            ("r8", of_r8, ("ll", "accuracy", "sweeps", "completion")))  # fmt: skip
    rows = [(row, ends, columns) for row, ends, columns in rows if any(len(ends(study, way, "ll")) for way in WAYS)]
    if not rows:
        return
    figure, axes = plt.subplots(len(rows), 4, figsize=(10.5, 3.4 * len(rows) + 0.4), squeeze=False, sharey=True)
    title_of_kind = {"synthetic": "synthetic, a dot for each corpus", "r8": "R8, a dot for each run"}
    for row_axes, (corpus_kind, ends_of, columns) in zip(axes, rows, strict=True):
        for axis, column in zip(row_axes, columns, strict=True):
            x_label, unit_factor = {column_name: (title, factor) for column_name, title, factor in COLUMNS}[column]
            panel(axis, {way: ends_of(study, way, column) for way in WAYS}, corpus_kind, column, unit_factor)
            axis.set_xlabel(x_label)
            axis.xaxis.set_major_locator(plt.MaxNLocator(4))
        row_axes[0].set_title(title_of_kind[corpus_kind])
    marker_of = {"corpus order": "o", "nested": "D", "token order": "^", "print, ± its deviation over repetitions": "x"}
    for label, marker in marker_of.items():
        axes[0, 0].plot([], [], marker, color="black", label=label)
    figure.legend(loc="outside upper center", ncols=4)
    save(figure, folder / "sol14/fig1.svg")
