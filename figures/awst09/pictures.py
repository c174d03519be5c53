"""The pictures of awst09/runs.py: AWST09 Figures 2 to 9, redrawn."""

from collections import defaultdict
from typing import Any

import numpy as np

from figures.awst09.lines import averages_of, best, ends, grouped, lines_of, numbers, offset, points
from figures.common import COLOURS, MARKERS, select
from figures.style import plt

PAPER = ("mean", "own")  # the estimates (15) and (6)


def draw(out: Any) -> None:
    runs = out / "awst09/runs.csv"
    lines = ends(runs)
    if not lines:
        return
    main, K = lines[0]["study"], int(lines[0]["K"])  # the first job is one of the main study
    pictures = {
        2: convergence(lines_of(runs)),
        3: corpora(select(lines, setting="minka", start=("dirichlet", "one-hot", "growing"), estimator=PAPER, K=K)),
        4: by_topics(select(lines, study=main, start=("dirichlet", "one-hot"), estimator=PAPER), K),
        5: grids(select(lines, study=main, K=K, setting="fixed", start="dirichlet")),
        6: by_eta(select(lines, study=main, K=K, setting="fixed", start=("dirichlet", "one-hot"))),
        7: averages(averages_of(out)),
        8: settings(select(lines, K=K, start=("dirichlet", "cvb0", "one-hot"))),
        9: ranked(select(lines, setting="minka", start="dirichlet")),
    }
    for number, figure in pictures.items():
        if figure is not None:
            figure.savefig(out / f"awst09/fig{number}.png", dpi=120)
            plt.close(figure)


def panels(number: int, width: float = 5.0, height: float = 3.8, across: int = 4, **more: Any) -> Any:
    """Some panels, at most `across` of them beside each other; the picture is at most 8.4 inches wide, to be read."""
    across = min(number, across)
    down = -(-number // across)
    size = min(width * across, 8.4), height * down
    figure, axes = plt.subplots(down, across, figsize=size, squeeze=False, **more)
    for axis in axes.flat[number:]:
        axis.set_visible(False)
    return figure, axes.flat[:number]


def style(x: Any) -> dict[str, Any]:
    """Colour by algorithm, marker by schedule; VB from the ends of CVB0 has a cross, estimate (16) is hollow."""
    marker = "X" if x["start"] == "cvb0" else MARKERS[x["schedule"]]
    hollow = {"markerfacecolor": "none"} if x["estimator"] == "digamma" else {}
    return {"color": COLOURS[x["algorithm"]], "marker": marker, "markersize": 5, **hollow}


def curve(axis: Any, lines: list[Any], x: Any, name: str) -> None:
    """The mean over seeds at each x, with all values as thin marks."""
    at = defaultdict(list)
    for line in lines:
        at[x(line)].append(float(line["perplexity"]))
    where, look = sorted(at), style(lines[0])
    dashes = "--" if lines[0]["estimator"] == "digamma" else "-"
    axis.plot(where, [np.mean(at[i]) for i in where], dashes, **look, label=name)
    for i in where:
        axis.plot([i] * len(at[i]), at[i], "_", color=look["color"], alpha=0.7)


def dots(axis: Any, groups: dict[str, list[Any]]) -> None:
    """A column for each group and a dot for each run."""
    for i, lines in enumerate(groups.values()):
        axis.plot([i] * len(lines), numbers(lines), linestyle="", **style(lines[0]))
    axis.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)


def convergence(lines: list[Any]) -> Any:
    mine = select([x for x in lines if x["at"].isdigit()], setting="minka")
    if not mine:
        return None
    figure, (axis,) = panels(1, 6.5)
    for name, group in grouped(mine).items():
        curve(axis, prolonged(group), lambda x: int(x["at"]), name)
    axis.set(xlabel="sweeps", ylabel="perplexity of second halves", xscale="log")
    axis.set_title(f"{mine[0]['study']}, K = {mine[0]['K']}, Minka's update after 15 sweeps", fontsize=10)
    axis.legend(fontsize=8)
    return figure


def prolonged(lines: list[Any]) -> list[Any]:
    """The lines of runs of which those that end sooner keep their last perplexity."""
    sweeps = sorted({int(x["at"]) for x in lines})
    found = []
    for seed in {x["seed"] for x in lines}:
        mine = {int(x["at"]): x for x in select(lines, seed=seed)}
        for t in sweeps:
            found.append({**mine[max(i for i in mine if i <= t)], "at": str(t)})
    return found


def corpora(lines: list[Any]) -> Any:
    studies = list(dict.fromkeys(x["study"] for x in lines))
    if not studies:
        return None
    figure, axes = panels(len(studies), 4.2, 3.2, across=2)
    for axis, study in zip(axes, studies, strict=True):
        dots(axis, grouped(select(lines, study=study)))
        axis.margins(x=0.2)
        axis.set_title(study, fontsize=10)
    figure.supylabel("perplexity of second halves", fontsize=9)
    figure.suptitle("Minka's update, K = 40" if len(studies) > 1 else "Minka's update", fontsize=10)
    return figure


def by_topics(lines: list[Any], K: int) -> Any:
    mine = select(lines, setting="minka")
    if len({x["K"] for x in mine}) < 2:
        return None
    figure, (axis,) = panels(1, 6)
    for name, group in grouped([x for x in mine if x["algorithm"] != "cgs"]).items():
        curve(axis, group, lambda x: int(x["K"]), name)
    fixed = select(lines, setting="minka alpha")
    if fixed:
        axis.plot([int(x["K"]) for x in fixed], numbers(fixed), "*", color=COLOURS["cvb0"], markersize=9,
                  label=f"cvb0, eta = {fixed[0]['eta']}")  # fmt: skip
    axis.set(xlabel="K", ylabel="perplexity of second halves", xscale="log")
    where = sorted({int(x["K"]) for x in [*mine, *fixed]})
    axis.set_xticks(where, where)
    axis.minorticks_off()
    axis.set_title(f"{mine[0]['study']}, Minka's update", fontsize=10)
    axis.legend(fontsize=8)
    return figure


def grids(lines: list[Any]) -> Any:
    chosen = {name: best(group) for name, group in grouped(lines).items() if len(points(group)) > 2}
    if not chosen:
        return None
    figure, (axis,) = panels(1, 7, 4.2)
    dots(axis, {f"{name}\n{at[0]:g}, {at[1]:g}" if name != "ml" else f"ml, seen words\n{at[0]:g}": group
                for name, (at, group) in chosen.items()})  # fmt: skip
    axis.set_ylabel("perplexity of second halves")
    axis.set_title(f"{lines[0]['study']}, best point by validation: alpha, eta (ml: power; map: less 1)", fontsize=10)
    return figure


def by_eta(lines: list[Any]) -> Any:
    row = [x for x in lines if x["algorithm"] != "ml" and abs(float(x["alpha"]) - offset(x) - 0.5) < 1e-9]
    if not row:
        return None
    figure, axes = panels(2, 4.2, 4.8, sharey=True)
    for axis, less, title in ((axes[0], 0, "eta"), (axes[1], 1, "eta, for map eta - 1")):
        for name, group in grouped([x for x in row if x["estimator"] != "lowered"]).items():
            curve(axis, group, lambda x, less=less: float(x["eta"]) - less * offset(x), name)
        axis.set(xlabel=title, ylim=window(row))
        if less:
            axis.set_xscale("log")
    axes[0].set_ylabel("perplexity of second halves")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(f"{row[0]['study']}, K = {row[0]['K']}, alpha = 0.5 (map: 1.5)", fontsize=10)
    return figure


def window(lines: list[Any]) -> tuple[float, float]:
    """From the smallest value to well above the median, so that (16) at small eta does not flatten all else."""
    x = numbers(lines)
    return float(x.min() * 0.97), float(np.median(x) * 1.35)


def averages(lines: list[Any]) -> Any:
    studies = list(dict.fromkeys(x["study"] for x in lines))[:3]
    if not studies:
        return None
    figure, axes = panels(len(studies), 8, 3.2, across=1)
    for axis, study in zip(axes, studies, strict=True):
        mine = [x for x in select(lines, study=study, estimator=PAPER) if x["algorithm"] != "ml"]
        jobs = list(dict.fromkeys((x["algorithm"], x["schedule"]) for x in mine))
        for i, (algorithm, schedule) in enumerate(jobs):
            some = select(mine, algorithm=algorithm, schedule=schedule)
            look = style({**some[0], "start": ""})
            several = len({x["samples"] for x in some}) > 1
            for shift, samples in ((-0.2 * several, "1"), (0.0, "10"), (0.2, "100")):
                one = [x for x in some if x["samples"] == samples and x["of"] != "all"]
                every = [x for x in some if x["samples"] == samples and x["of"] == "all"]
                axis.plot([i + shift] * len(one), numbers(one), linestyle="", alpha=0.6, **look)
                axis.plot([i + shift] * len(every), numbers(every), "k_", markersize=16, markeredgewidth=2)
        axis.set_xticks(range(len(jobs)), [f"{a}\n{b}" for a, b in jobs])
        axis.set_xlim(-0.6, len(jobs) - 0.4)
        axis.set_title(f"{study}, K = {mine[0]['K']}", fontsize=10)
        axis.set_ylabel("perplexity")
    figure.suptitle("Single runs at 0.1, 0.1 and (black) the mean of the probabilities of all; cgs: 1, 10, 100 samples"
                    " each",
                    fontsize=9)  # fmt: skip
    return figure


def settings(lines: list[Any]) -> Any:
    """Columns: the same prior, Minka's update, the best of the grid; a panel for each corpus."""
    studies = [x for x in dict.fromkeys(x["study"] for x in lines) if select(lines, study=x, setting="fixed")]
    figure, axes = panels(len(studies), 4.2, 4.6, across=2)
    for axis, study in zip(axes, studies, strict=True):
        mine = [x for x in select(lines, study=study) if x["algorithm"] != "ml"]
        for name, group in grouped([x for x in mine if x["setting"] in ("fixed", "minka")]).items():
            sixteen = group[0]["estimator"] == "digamma"
            columns = [points(select(group, setting="fixed")).get((0.1, 0.1), []), select(group, setting="minka")]
            enough = len(points(select(group, setting="fixed"))) > 2
            columns.append(best(select(group, setting="fixed"))[1] if enough else [])
            where = [i for i, x in enumerate(columns) if x and not (sixteen and i < 2)]
            if where:
                look = style(group[0])
                axis.plot(where, [numbers(columns[i]).mean() for i in where], **look, label=name)
                for i in where:
                    axis.plot([i] * len(columns[i]), numbers(columns[i]), "_", color=look["color"], alpha=0.7)
        axis.set_xticks(range(3), ["0.1, 0.1", "Minka", "grid"])
        axis.set_xlim(-0.3, 2.3)
        axis.set_title(f"{study}, K = {mine[0]['K']}", fontsize=10)
    handles = {name: x for axis in axes for x, name in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    axes[0].set_ylabel("perplexity of second halves")
    return figure


def ranked(lines: list[Any]) -> Any:
    mine = [x for x in lines if x["auc"]]
    if not mine:
        return None
    figure, axes = panels(2, 3.6)
    groups = grouped(mine)
    for axis, column, title in zip(axes, ("auc", "precision"), ("area under the ROC curve", "average precision"),
                                   strict=True):  # fmt: skip
        for i, group in enumerate(groups.values()):
            axis.plot([i] * len(group), numbers(group, column), linestyle="", **style(group[0]))
        axis.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)
        axis.set_ylabel(f"mean {title}")
    figure.suptitle(f"{mine[0]['study']}, K = {mine[0]['K']}, Minka's update", fontsize=10)
    return figure
