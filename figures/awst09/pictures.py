"""The pictures of awst09/runs.py: AWST09 Figures 2 to 8, redrawn."""

from typing import Any

import numpy as np

from figures.awst09.lines import at_prior, averages_of, best, by_label, ends, lines_of, offset, points
from figures.common import grouped, numbers, select
from figures.style import COLOURS, MARKERS, panels, save

PAPER = ("mean", "own")  # the estimates (15) and (6)


def draw(out_folder: Any) -> None:
    runs_path = out_folder / "awst09/runs.csv"
    lines, minka_lines = ends(runs_path), select(lines_of(runs_path), setting="minka")
    if not lines:
        return
    main, K = lines[0]["study"], lines[0]["K"]  # the first job is one of the main study
    minka, main_lines = select(lines, setting="minka", estimator=PAPER), select(lines, study=main, K=K, setting="fixed")
    eta_lines = [line for line in main_lines if line["algorithm"] != "ml" and at_prior(line)[0] == 0.5]
    pictures_and_lines = {
        2: (convergence, [line for line in minka_lines if line["at"].isdigit()]),
        3: (corpora, select(minka, start=("dirichlet", "one-hot", "growing"), K=K)),
        4: (by_topics, select(lines, study=main, start=("dirichlet", "one-hot"), estimator=PAPER)),
        5: (grids, select(main_lines, start="dirichlet")),
        6: (by_eta, select(eta_lines, start=("dirichlet", "one-hot"))),
        7: (averages, averages_of(out_folder)),
        8: (settings, select(lines, K=K, start=("dirichlet", "cvb0", "one-hot"))),
    }
    for figure_number, (draw_picture, drawn_lines) in pictures_and_lines.items():
        if drawn_lines:
            save(draw_picture(drawn_lines), out_folder / f"awst09/fig{figure_number}.svg")


def style(csv_line: Any) -> dict[str, Any]:
    """Colour by algorithm, marker by schedule; VB from the ends of CVB0 has a cross, estimate (16) is hollow."""
    marker = "X" if csv_line["start"] == "cvb0" else MARKERS[csv_line["schedule"]]
    hollow_style = {"markerfacecolor": "none"} if csv_line["estimator"] == "digamma" else {}
    return {"color": COLOURS[csv_line["algorithm"]], "marker": marker, "markersize": 5, **hollow_style}


def curve(axis: Any, csv_lines: list[Any], x_of: Any, label: str) -> None:
    """The mean over seeds at each x, with all values as thin marks."""
    values_at = {x: numbers([line for line in csv_lines if x_of(line) == x]) for x in sorted(set(map(x_of, csv_lines)))}
    line_style = style(csv_lines[0])
    dash = "--" if csv_lines[0]["estimator"] == "digamma" else "-"
    axis.plot(list(values_at), [y.mean() for y in values_at.values()], dash, **line_style, label=label)
    for x, y in values_at.items():
        axis.plot([x] * len(y), y, "_", color=line_style["color"], alpha=0.7)


def dots(axis: Any, lines_of_label: dict[str, list[Any]], column: str = "perplexity") -> None:
    """A column for each group and a dot for each run."""
    for x_place, csv_lines in enumerate(lines_of_label.values()):
        axis.plot([x_place] * len(csv_lines), numbers(csv_lines, column), linestyle="", **style(csv_lines[0]))
    axis.set_xticks(range(len(lines_of_label)), lines_of_label, rotation=40, ha="right", fontsize=8)


def convergence(csv_lines: list[Any]) -> Any:
    figure, (axis,) = panels(1, 6.5)
    for label, label_lines in by_label(csv_lines).items():
        curve(axis, prolonged(label_lines), lambda line: int(line["at"]), label)
    axis.set(xlabel="sweeps", ylabel="perplexity of second halves", xscale="log")
    axis.set_title(f"{csv_lines[0]['study']}, K = {csv_lines[0]['K']}, Minka's update after 15 sweeps")
    axis.legend(fontsize=8)
    return figure


def prolonged(csv_lines: list[Any]) -> list[Any]:
    """The lines of runs of which those that end sooner keep their last perplexity."""
    sweeps = sorted({int(line["at"]) for line in csv_lines})
    runs_by_sweep = [{int(line["at"]): line for line in run} for run in grouped(csv_lines, "seed").values()]
    return [{**run[max(i for i in run if i <= t)], "at": str(t)} for run in runs_by_sweep for t in sweeps]


def corpora(csv_lines: list[Any]) -> Any:
    """A line for each corpus, and a dot for each run, relative to the mean of VB."""
    studies = grouped(csv_lines, "study")
    figure, (axis,) = panels(1, 7.5, 3.4)
    for i, runs in enumerate(studies.values()):
        lines_of_label = by_label(runs)
        base = numbers(lines_of_label["vb corpus"]).mean()
        for label_index, (name, lines) in enumerate(lines_of_label.items()):
            heights = [i + 0.08 * (label_index - len(lines_of_label) / 2)] * len(lines)
            axis.plot(numbers(lines) / base, heights, linestyle="", label=f"_{name}" if i else name, **style(lines[0]))
    axis.set_yticks(range(len(studies)), [f"{study}, K = {runs[0]['K']}" for (study,), runs in studies.items()])
    axis.set(xscale="log", xlabel="perplexity of second halves / mean of VB in corpus order")
    axis.set_xticks([0.9, 1, 1.2, 1.5, 2, 2.5], ["0.9", "1", "1.2", "1.5", "2", "2.5"])
    axis.minorticks_off()
    axis.invert_yaxis()
    axis.set_title("Minka's update: a dot for each run")
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def by_topics(csv_lines: list[Any]) -> Any:
    minka_lines, fixed_eta_lines = (select(csv_lines, setting=setting) for setting in ("minka", "minka alpha"))
    figure, (axis,) = panels(1, 6)
    for label, label_lines in by_label([line for line in minka_lines if line["algorithm"] != "cgs"]).items():
        curve(axis, label_lines, lambda x: int(x["K"]), label)
    if fixed_eta_lines:
        axis.plot(numbers(fixed_eta_lines, "K"), numbers(fixed_eta_lines), "*", color=COLOURS["cvb0"], markersize=9,
                  label=f"cvb0, eta = {fixed_eta_lines[0]['eta']}")  # fmt: skip
    axis.set(xlabel="K", ylabel="perplexity of second halves", xscale="log", yscale="log")
    axis.set_yticks([2000, 3000, 4000, 6000], ["2000", "3000", "4000", "6000"])
    K_ticks = sorted({int(line["K"]) for line in [*minka_lines, *fixed_eta_lines]})
    axis.set_xticks(K_ticks, K_ticks)
    axis.minorticks_off()
    axis.set_title(f"{csv_lines[0]['study']}, Minka's update")
    axis.legend(fontsize=8)
    return figure


def grids(csv_lines: list[Any]) -> Any:
    best_of_label = {label: best(lines) for label, lines in by_label(csv_lines).items() if len(points(lines)) > 2}
    figure, (axis,) = panels(1, 7, 4.2)
    dots(axis, {f"{label}\n{prior[0]:g}, {prior[1]:g}" if label != "ml" else f"ml, seen words\n{prior[0]:g}": lines
                for label, (prior, lines) in best_of_label.items()})  # fmt: skip
    axis.set_ylabel("perplexity of second halves")
    axis.set_title(f"{csv_lines[0]['study']}, best point by validation: alpha, eta (ml: power; map: less 1)")
    return figure


def by_eta(eta_lines: list[Any]) -> Any:
    figure, axes = panels(2, 4.2, 4.8, sharey=True)
    for axis, takes_offset, x_label in ((axes[0], 0, "eta"), (axes[1], 1, "eta, for map eta - 1")):
        for label, lines in by_label([line for line in eta_lines if line["estimator"] != "lowered"]).items():
            curve(axis, lines, lambda x, takes_offset=takes_offset: float(x["eta"]) - takes_offset * offset(x), label)
        axis.set(xlabel=x_label, ylim=window(eta_lines))
    axes[1].set_xscale("log")
    axes[0].set_ylabel("perplexity of second halves")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(f"{eta_lines[0]['study']}, K = {eta_lines[0]['K']}, alpha = 0.5 (map: 1.5)", fontsize=10)
    return figure


def window(csv_lines: list[Any]) -> tuple[float, float]:
    """From the smallest value to well above the median, so that (16) at small eta does not flatten all else."""
    perplexities = numbers(csv_lines)
    return float(perplexities.min() * 0.97), float(np.median(perplexities) * 1.35)


def averages(csv_lines: list[Any]) -> Any:
    study_keys = list(grouped(csv_lines, "study"))[:3]
    figure, axes = panels(len(study_keys), 8, 3.2, across=1)
    for axis, (study,) in zip(axes, study_keys, strict=True):
        study_lines = [line for line in select(csv_lines, study=study, estimator=PAPER) if line["algorithm"] != "ml"]
        lines_of_A = grouped(study_lines, "algorithm", "schedule")
        for i, A_lines in enumerate(lines_of_A.values()):
            A_style = style({**A_lines[0], "start": ""})
            has_several_sizes = len({line["samples"] for line in A_lines}) > 1
            for shift, n_samples in ((-0.2 * has_several_sizes, "1"), (0.0, "10"), (0.2, "100")):
                lines_of_size = select(A_lines, samples=n_samples)
                mean_lines, run_lines = select(lines_of_size, of="all"), [x for x in lines_of_size if x["of"] != "all"]
                axis.plot([i + shift] * len(run_lines), numbers(run_lines), linestyle="", alpha=0.6, **A_style)
                axis.plot([i + shift] * len(mean_lines), numbers(mean_lines), "k_", markersize=16, markeredgewidth=2)
        axis.set_xticks(range(len(lines_of_A)), map("\n".join, lines_of_A))
        axis.set_xlim(-0.6, len(lines_of_A) - 0.4)
        axis.set_title(f"{study}, K = {study_lines[0]['K']}")
        axis.set_ylabel("perplexity")
    figure.suptitle("Single runs at 0.1, 0.1 and (black) the mean of the probabilities of all; cgs: 1, 10, 100 samples"
                    " each", fontsize=9)  # fmt: skip
    return figure


def settings(csv_lines: list[Any]) -> Any:
    """Columns: the same prior, Minka's update, the best of the grid; a panel for each corpus."""
    used_lines = [line for line in csv_lines if line["algorithm"] != "ml" and line["setting"] in ("fixed", "minka")]
    studies = {study: runs for (study,), runs in grouped(used_lines, "study").items() if select(runs, setting="fixed")}
    figure, axes = panels(len(studies), 4.2, 4.6, across=2)
    for axis, (study, runs) in zip(axes, studies.items(), strict=True):
        for label, label_lines in by_label(runs).items():
            fixed_points = points(select(label_lines, setting="fixed"))
            column_lines = [fixed_points.get((0.1, 0.1), []), select(label_lines, setting="minka"), []]
            if label_lines[0]["estimator"] == "digamma":
                column_lines = [[], [], []]
            if len(fixed_points) > 2:
                column_lines[2] = best(select(label_lines, setting="fixed"))[1]
            values_at, line_style = {i: numbers(x) for i, x in enumerate(column_lines) if x}, style(label_lines[0])
            if values_at:
                axis.plot(list(values_at), [y.mean() for y in values_at.values()], **line_style, label=label)
            for i, x in values_at.items():
                axis.plot([i] * len(x), x, "_", color=line_style["color"], alpha=0.7)
        axis.set_xticks(range(3), ["0.1, 0.1", "Minka", "grid"])
        axis.set_xlim(-0.3, 2.3)
        axis.set_title(f"{study}, K = {runs[0]['K']}")
    handle_of_label = {label: x for axis in axes for x, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(handle_of_label.values(), handle_of_label.keys(), loc="outside lower center", ncols=4)
    axes[0].set_ylabel("perplexity of second halves")
    return figure
