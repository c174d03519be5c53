"""The pictures of awst09/runs.py: AWST09 Figures 2 to 8, redrawn."""

from typing import Any

import numpy as np

from figures.awst09.lines import at_prior, averages_of, best, by_label, ends, lines_of, offset, points
from figures.common import grouped, numbers, select
from figures.style import COLOURS, MARKERS, panels, save

PAPER = ("mean", "own")  # the estimates (15) and (6)


def draw(out: Any) -> None:
    runs = out / "awst09/runs.csv"
    lines, way = ends(runs), select(lines_of(runs), setting="minka")
    if not lines:
        return
    main, K = lines[0]["study"], lines[0]["K"]  # the first job is one of the main study
    minka, fixed = select(lines, setting="minka", estimator=PAPER), select(lines, study=main, K=K, setting="fixed")
    row = [x for x in fixed if x["algorithm"] != "ml" and at_prior(x)[0] == 0.5]
    pictures = {
        2: (convergence, [x for x in way if x["at"].isdigit()]),
        3: (corpora, select(minka, start=("dirichlet", "one-hot", "growing"), K=K)),
        4: (by_topics, select(lines, study=main, start=("dirichlet", "one-hot"), estimator=PAPER)),
        5: (grids, select(fixed, start="dirichlet")),
        6: (by_eta, select(row, start=("dirichlet", "one-hot"))),
        7: (averages, averages_of(out)),
        8: (settings, select(lines, K=K, start=("dirichlet", "cvb0", "one-hot"))),
    }
    for number, (picture, drawn_lines) in pictures.items():
        if drawn_lines:
            save(picture(drawn_lines), out / f"awst09/fig{number}.svg")


def style(x: Any) -> dict[str, Any]:
    """Colour by algorithm, marker by schedule; VB from the ends of CVB0 has a cross, estimate (16) is hollow."""
    marker = "X" if x["start"] == "cvb0" else MARKERS[x["schedule"]]
    hollow = {"markerfacecolor": "none"} if x["estimator"] == "digamma" else {}
    return {"color": COLOURS[x["algorithm"]], "marker": marker, "markersize": 5, **hollow}


def curve(axis: Any, lines: list[Any], x: Any, name: str) -> None:
    """The mean over seeds at each x, with all values as thin marks."""
    values = {i: numbers([y for y in lines if x(y) == i]) for i in sorted(set(map(x, lines)))}
    look = style(lines[0])
    dashes = "--" if lines[0]["estimator"] == "digamma" else "-"
    axis.plot(list(values), [y.mean() for y in values.values()], dashes, **look, label=name)
    for i, y in values.items():
        axis.plot([i] * len(y), y, "_", color=look["color"], alpha=0.7)


def dots(axis: Any, groups: dict[str, list[Any]], column: str = "perplexity") -> None:
    """A column for each group and a dot for each run."""
    for i, lines in enumerate(groups.values()):
        axis.plot([i] * len(lines), numbers(lines, column), linestyle="", **style(lines[0]))
    axis.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)


def convergence(lines: list[Any]) -> Any:
    figure, (axis,) = panels(1, 6.5)
    for name, group in by_label(lines).items():
        curve(axis, prolonged(group), lambda x: int(x["at"]), name)
    axis.set(xlabel="sweeps", ylabel="perplexity of second halves", xscale="log")
    axis.set_title(f"{lines[0]['study']}, K = {lines[0]['K']}, Minka's update after 15 sweeps")
    axis.legend(fontsize=8)
    return figure


def prolonged(lines: list[Any]) -> list[Any]:
    """The lines of runs of which those that end sooner keep their last perplexity."""
    sweeps = sorted({int(x["at"]) for x in lines})
    runs = [{int(x["at"]): x for x in run} for run in grouped(lines, "seed").values()]
    return [{**run[max(i for i in run if i <= t)], "at": str(t)} for run in runs for t in sweeps]


def corpora(lines: list[Any]) -> Any:
    """A line for each corpus, and a dot for each run, relative to the mean of VB."""
    studies = grouped(lines, "study")
    figure, (axis,) = panels(1, 7.5, 3.4)
    for i, of_study in enumerate(studies.values()):
        groups = by_label(of_study)
        base = numbers(groups["vb corpus"]).mean()
        for j, (name, group) in enumerate(groups.items()):
            heights = [i + 0.08 * (j - len(groups) / 2)] * len(group)
            axis.plot(numbers(group) / base, heights, linestyle="", label=f"_{name}" if i else name, **style(group[0]))
    axis.set_yticks(range(len(studies)), [f"{x}, K = {of_study[0]['K']}" for (x,), of_study in studies.items()])
    axis.set(xscale="log", xlabel="perplexity of second halves / mean of VB in corpus order")
    axis.set_xticks([0.9, 1, 1.2, 1.5, 2, 2.5], ["0.9", "1", "1.2", "1.5", "2", "2.5"])
    axis.minorticks_off()
    axis.invert_yaxis()
    axis.set_title("Minka's update: a dot for each run")
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def by_topics(lines: list[Any]) -> Any:
    minka, fixed = (select(lines, setting=x) for x in ("minka", "minka alpha"))
    figure, (axis,) = panels(1, 6)
    for name, group in by_label([x for x in minka if x["algorithm"] != "cgs"]).items():
        curve(axis, group, lambda x: int(x["K"]), name)
    if fixed:
        axis.plot(numbers(fixed, "K"), numbers(fixed), "*", color=COLOURS["cvb0"], markersize=9,
                  label=f"cvb0, eta = {fixed[0]['eta']}")  # fmt: skip
    axis.set(xlabel="K", ylabel="perplexity of second halves", xscale="log", yscale="log")
    axis.set_yticks([2000, 3000, 4000, 6000], ["2000", "3000", "4000", "6000"])
    where = sorted({int(x["K"]) for x in [*minka, *fixed]})
    axis.set_xticks(where, where)
    axis.minorticks_off()
    axis.set_title(f"{lines[0]['study']}, Minka's update")
    axis.legend(fontsize=8)
    return figure


def grids(lines: list[Any]) -> Any:
    chosen = {name: best(group) for name, group in by_label(lines).items() if len(points(group)) > 2}
    figure, (axis,) = panels(1, 7, 4.2)
    dots(axis, {f"{name}\n{prior[0]:g}, {prior[1]:g}" if name != "ml" else f"ml, seen words\n{prior[0]:g}": group
                for name, (prior, group) in chosen.items()})  # fmt: skip
    axis.set_ylabel("perplexity of second halves")
    axis.set_title(f"{lines[0]['study']}, best point by validation: alpha, eta (ml: power; map: less 1)")
    return figure


def by_eta(row: list[Any]) -> Any:
    figure, axes = panels(2, 4.2, 4.8, sharey=True)
    for axis, shift, title in ((axes[0], 0, "eta"), (axes[1], 1, "eta, for map eta - 1")):
        for name, group in by_label([x for x in row if x["estimator"] != "lowered"]).items():
            curve(axis, group, lambda x, shift=shift: float(x["eta"]) - shift * offset(x), name)
        axis.set(xlabel=title, ylim=window(row))
    axes[1].set_xscale("log")
    axes[0].set_ylabel("perplexity of second halves")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(f"{row[0]['study']}, K = {row[0]['K']}, alpha = 0.5 (map: 1.5)", fontsize=10)
    return figure


def window(lines: list[Any]) -> tuple[float, float]:
    """From the smallest value to well above the median, so that (16) at small eta does not flatten all else."""
    x = numbers(lines)
    return float(x.min() * 0.97), float(np.median(x) * 1.35)


def averages(lines: list[Any]) -> Any:
    studies = list(grouped(lines, "study"))[:3]
    figure, axes = panels(len(studies), 8, 3.2, across=1)
    for axis, (study,) in zip(axes, studies, strict=True):
        of_study = [x for x in select(lines, study=study, estimator=PAPER) if x["algorithm"] != "ml"]
        jobs = grouped(of_study, "algorithm", "schedule")
        for i, job_lines in enumerate(jobs.values()):
            look = style({**job_lines[0], "start": ""})
            several = len({x["samples"] for x in job_lines}) > 1
            for shift, samples in ((-0.2 * several, "1"), (0.0, "10"), (0.2, "100")):
                sampled = select(job_lines, samples=samples)
                averaged, single = select(sampled, of="all"), [x for x in sampled if x["of"] != "all"]
                axis.plot([i + shift] * len(single), numbers(single), linestyle="", alpha=0.6, **look)
                axis.plot([i + shift] * len(averaged), numbers(averaged), "k_", markersize=16, markeredgewidth=2)
        axis.set_xticks(range(len(jobs)), map("\n".join, jobs))
        axis.set_xlim(-0.6, len(jobs) - 0.4)
        axis.set_title(f"{study}, K = {of_study[0]['K']}")
        axis.set_ylabel("perplexity")
    figure.suptitle("Single runs at 0.1, 0.1 and (black) the mean of the probabilities of all; cgs: 1, 10, 100 samples"
                    " each", fontsize=9)  # fmt: skip
    return figure


def settings(lines: list[Any]) -> Any:
    """Columns: the same prior, Minka's update, the best of the grid; a panel for each corpus."""
    compared = [x for x in lines if x["algorithm"] != "ml" and x["setting"] in ("fixed", "minka")]
    studies = {x: rows for (x,), rows in grouped(compared, "study").items() if select(rows, setting="fixed")}
    figure, axes = panels(len(studies), 4.2, 4.6, across=2)
    for axis, (study, of_study) in zip(axes, studies.items(), strict=True):
        for name, group in by_label(of_study).items():
            fixed = points(select(group, setting="fixed"))
            columns = [fixed.get((0.1, 0.1), []), select(group, setting="minka"), []]
            if group[0]["estimator"] == "digamma":
                columns = [[], [], []]
            if len(fixed) > 2:
                columns[2] = best(select(group, setting="fixed"))[1]
            values, look = {i: numbers(x) for i, x in enumerate(columns) if x}, style(group[0])
            if values:
                axis.plot(list(values), [x.mean() for x in values.values()], **look, label=name)
            for i, x in values.items():
                axis.plot([i] * len(x), x, "_", color=look["color"], alpha=0.7)
        axis.set_xticks(range(3), ["0.1, 0.1", "Minka", "grid"])
        axis.set_xlim(-0.3, 2.3)
        axis.set_title(f"{study}, K = {of_study[0]['K']}")
    handles = {name: x for axis in axes for x, name in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    axes[0].set_ylabel("perplexity of second halves")
    return figure
