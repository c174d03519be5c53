"""AWST09's claims as comparisons, from its CSV files and those of `search`; claims.toml says what each asks.

The unit is a seed. The main study is 400 documents of KOS with K = 40. The paper's VB is in `corpus` order, its starts
are not stated; its point of the grid is chosen by validation documents. The claims about priors that are learned, about
convergence and averages are in awst09/more_claims.py.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from figures.awst09 import more_claims
from figures.awst09.lines import (
    GRID,
    at_prior,
    averages_of,
    by_label,
    by_seed,
    cells,
    ends,
    fixed,
    least_of,
    lines_of,
    minima,
    of_grid,
    of_vb,
    usual,
)
from figures.common import Evidence, grouped, keyed, less, numbers, ratio, read, select, table
from figures.verdicts import Comparison

Groups = dict[str, list[dict[str, str]]]
Chosen = dict[str, tuple[tuple[float, float], list[dict[str, str]]]]
SEARCHED = ("map", "vb corpus", "vb nested", "cvb", "cvb0")  # the algorithms that are to have the grid
SLIGHT = 0.05  # of the perplexity


def compared(name: str, x: Any, vb: str = "", **levels: str) -> Comparison:
    """A comparison; VB in corpus order from random rows is the paper's own."""
    paper = vb in ("vb corpus", "vb corpus (16)", "vb corpus lowered")
    return Comparison(name, list(x), None, paper, {"search": vb, **levels} if vb else levels)


def random_rows(mine: Any) -> Groups:
    return by_label([x for x in select(mine, setting="fixed", start="dirichlet") if x["algorithm"] != "ml"])


def grids(mine: Any) -> Chosen:
    """The best point of each algorithm that has all nine points of the grid, by validation."""
    found = {name: of_grid(x) for name, x in random_rows(mine).items()}
    return {name: least_of(x) for name, x in found.items() if len(x) == len(GRID) ** 2}


def chosen_text(mine: Any) -> str:
    """A table of the best points, on the grid and of all that were run."""
    rows = []
    for name, best in grids(mine).items():
        points = (best, least_of(cells(random_rows(mine)[name])))
        rows.append([name, *(y for (a, b), x in points for y in (f"{a:g}, {b:g}", f"{numbers(x).mean():,.0f}"))])
    head = ["algorithm", "best of the grid: alpha, eta (map: less 1)", "perplexity", "best of all points", "perplexity"]
    return table(head, rows)


def point(mine: Any, searched: Any, averages: Any) -> Evidence:
    """By what part VB is above the others at alpha = eta = 0.1, also in the runs of the study of search."""
    groups, found = by_label(usual(fixed(mine))), []
    single = select(averages, study=mine[0]["study"], algorithm="cgs", samples="1") if mine else []
    cgs = numbers([x for x in single if x["of"] != "all"])
    for name, x in of_vb(groups).items():
        title = f"400 documents of KOS, {name}"
        for other in ("cvb0", "cvb", "map"):
            values = ratio(by_seed(x), by_seed(groups.get(other, [])))
            found.append(compared(title, values, name, corpus="kos-400", other=other))
        levels = {"search": name, "corpus": "kos-400", "baseline": "cgs"}
        a, b = (list(y / cgs.mean()) for y in (numbers(x), cgs)) if len(cgs) else ([], [])
        found.append(Comparison(title, a, b, name == "vb corpus", levels))
    for study in dict.fromkeys(x["study"] for x in searched):
        some = [x for x in select(searched, study=study, start="dirichlet") if x["seed"] != "mean"]
        for schedule, other in product(("corpus", "nested"), ("cvb0", "cvb", "map")):
            vb, name = by_seed(select(some, algorithm="vb", schedule=schedule)), f"vb {schedule}"
            values = ratio(vb, by_seed(select(some, algorithm=other, schedule="corpus")))
            found.append(compared(f"{study}, {name}", values, name, corpus=study, baseline=other))
    return Evidence(found, part_of_search(mine))


def part_of_search(mine: Any) -> str:
    """How much of the gap between VB and CVB0 is gone when VB starts at CVB0's end."""
    groups = by_label(usual(fixed(mine)))
    names = "vb corpus", "vb corpus from cvb0", "cvb0"
    if not all(name in groups for name in names):
        return ""
    far, near, least = (numbers(groups[name]).mean() for name in names)
    better = numbers(groups[names[1]], "bound_2").mean() - numbers(groups[names[0]], "bound_2").mean()
    return (
        f"VB in corpus order is {far - least:.0f} above CVB0 if it begins with random rows, and {near - least:.0f}"
        f" above it if it begins at CVB0's end, where its own bound is {better:+.3f} nats per token higher."
    )


def gains(mine: Any) -> Iterator[Comparison]:
    """The range over the grid over the range over algorithms at one prior."""
    groups = random_rows(usual(mine))
    here = {x: numbers(fixed(groups[x])).mean() for x in SEARCHED if x in groups and fixed(groups[x])}
    for name in [x for x in SEARCHED if x in grids(mine) and len(here) > 1]:
        of = of_grid(groups[name])
        means = {at: numbers(x, "validation").mean() for at, x in of.items()}
        low, high = (f(means, key=lambda at: means[at]) for f in (min, max))
        x = np.array(less(by_seed(of[high]), by_seed(of[low]))) / (max(here.values()) - min(here.values()))
        yield compared(f"{name}: {high[0]:g}, {high[1]:g} less {low[0]:g}, {low[1]:g}", x, algorithm=name)


def not_the_best(mine: Any) -> Iterator[Comparison]:
    """A case is enough; that of the paper is CVB0."""
    if "cvb0" in grids(mine):
        some = select(by_label(select(usual(mine), start="dirichlet"))["cvb0"], setting="minka")
        x = less(by_seed(some), by_seed(grids(mine)["cvb0"][1]))
        yield compared("cvb0: Minka's update less the best of the grid", x)


def level(mine: Any) -> Evidence:
    """VB by (16) less CVB at the best points, over the difference by (15) at 0.1, 0.1."""
    chosen, groups, found = grids(mine), by_label(usual(fixed(mine))), []
    for name in ("vb corpus", "vb nested"):
        if f"{name} (16)" in chosen and "cvb" in chosen and name in groups and "cvb" in groups:
            then = np.mean(less(by_seed(groups[name]), by_seed(groups["cvb"])))
            now = less(by_seed(chosen[f"{name} (16)"][1]), by_seed(chosen["cvb"][1]))
            found.append(compared(name, np.array(now) / then, name))
    return Evidence(found, chosen_text(mine))


def sixteen(mine: Any) -> Iterator[Comparison]:
    """(15) less (16), at the best points, as in the paper, and at 0.1, 0.1."""
    chosen, groups = grids(mine), by_label(fixed(select(mine, algorithm="vb")))
    for name in [x for x in groups if not x.endswith("(16)")]:
        at_best, levels = (chosen.get(y, ("", []))[1] for y in (name, f"{name} (16)")), {"search": name}
        x = less(*map(by_seed, at_best))
        yield Comparison(f"{name}, best of the grid", x, None, True, levels | {"prior": "best of the grid"})
        x = less(by_seed(groups[name]), by_seed(groups.get(f"{name} (16)", [])))
        yield Comparison(f"{name}, at 0.1, 0.1", x, levels=levels | {"prior": "0.1, 0.1"})


def better_of(chosen: Chosen, name: str) -> list[Any]:
    """VB with the better of (15) and (16), by validation."""
    both = [chosen[x][1] for x in (name, f"{name} (16)") if x in chosen]
    return min(both, key=lambda x: numbers(x, "validation").mean())


def cvb0_best(mine: Any, slightly: bool) -> Iterator[Comparison]:
    """By what part the others are above CVB0 at their best points, and VB from CVB0's ends at 0.1, 0.1."""
    chosen, groups = grids(mine), by_label(usual(fixed(mine)))
    near = {x: y for x, y in groups.items() if x.endswith("from cvb0")}
    pairs = [(x, by_seed(better_of(chosen, x)), by_seed(chosen["cvb0"][1])) for x in SEARCHED
             if x in chosen and x != "cvb0" and "cvb0" in chosen]  # fmt: skip
    pairs += [(name, by_seed(x), by_seed(groups.get("cvb0", []))) for name, x in near.items()]
    for name, x, y in pairs:
        above, grid = np.array(ratio(x, y)), name not in near
        levels = {"algorithm": name, "search": "random rows" if grid else "CVB0's ends"}
        levels |= {"reading": "slightly"} if slightly and grid else {}
        yield Comparison(f"{name}, above CVB0", list(above), None, grid, levels)
        if slightly and grid:
            yield Comparison(f"{name}, {SLIGHT:g} less that", list(SLIGHT - above), None, grid, levels)


def offsets(mine: Any, others: tuple[str, ...], shift: float = 0.0) -> Evidence:
    """The best eta of VB less that of others, less a shift: minima of parabolas in log eta at alpha = 0.5."""
    row = [x for x in select(mine, setting="fixed", start=("dirichlet", "one-hot"))
           if x["algorithm"] != "ml" and at_prior(x)[0] == 0.5]  # fmt: skip
    at = {name: minima(x) for name, x in by_label(row).items() if len({y["eta"] for y in x}) > 3 and name != "cgs"}
    found = []
    for name, other in product([x for x in at if x.startswith("vb")], others):
        d = np.array(less(at[name], at.get(other, {})))
        values, vb = d[~np.isnan(d)] - shift, name.removesuffix(" (16)")
        found.append(compared(f"{name} less {other}", values, vb, estimate=name))
    rows = [[name, ", ".join(f"{y:.2f}" for y in x.values())] for name, x in at.items()]
    head = ["algorithm (map: less 1)", "best eta of each seed; nan at an end of the row"]
    return Evidence(found, table(head, rows) if shift else "")


def raised(mine: Any) -> Iterator[Comparison]:
    for name, x in by_label(select(mine, setting="raised", estimator="lowered")).items():
        usually = name.removesuffix(" lowered")
        yield compared(usually, less(by_seed(by_label(usual(fixed(mine))).get(usually, [])), by_seed(x)), name)


def ranges(column: Groups, names: tuple[str, ...]) -> dict[str, float]:
    """For each seed, the largest less the smallest perplexity of some algorithms."""
    found = [by_seed(column.get(name, [])) for name in names]
    seeds = set.intersection(*(set(x) for x in found))
    return {i: max(x[i] for x in found) - min(x[i] for x in found) for i in sorted(seeds)}


def spreads(mine: Any, *columns: tuple[str, str]) -> Iterator[Comparison]:
    """The range of VB, CVB0 and CVB (or MAP) in one column of Fig. 8 less that in another."""
    chosen = grids(mine)
    of = {"point": by_label(usual(fixed(mine))), "minka": by_label(usual(select(mine, setting="minka"))),
          "grid": {x: better_of(chosen, x) for x in SEARCHED if x in chosen}}  # fmt: skip
    vbs = [x for x in of["point"] if x.startswith("vb")]
    for vb, other, (a, b) in product(vbs, ("cvb", "map"), columns):
        names = vb, "cvb0", other
        x = less(ranges(of[a], names), ranges(of[b], names))
        yield compared(f"{', '.join(names)}: {a} less {b}", x, vb, baseline=other)


def settings_of(mine: Any, searched: Any) -> Iterator[tuple[str, Any]]:
    """The perplexities of three seeds in every setting: an algorithm with its schedule, start and prior."""
    few = select(searched, study="kos", start="dirichlet", group="0", seed=("0", "1", "2"))
    for (name, schedule), x in grouped(few, "algorithm", "schedule").items():
        if name != "ml":
            yield f"{name} {schedule} (KOS)", numbers(x)
    for name, x in by_label([y for y in usual(mine) if y["algorithm"] != "ml"]).items():
        for setting in ("fixed", "minka"):
            yield from ((name, numbers(each)) for each in cells(select(x, setting=setting)).values())


def starts(mine: Any, searched: Any) -> Evidence:
    halves = [(name, float(np.ptp(x) / 2)) for name, x in settings_of(mine, searched) if len(x) > 2]
    found = Comparison("half of the range over seeds is 10 or less", [float(h <= 10) for _, h in halves])
    rows = []
    for name, mine in keyed(halves, lambda x: x[0]).items():
        own = [h for _, h in mine]
        within = sum(h <= 10 for h in own)
        rows.append([name, str(len(own)), str(within), f"± {np.median(own):.0f}", f"± {max(own):.0f}"])
    head = ["algorithm, schedule, start", "settings", "within ± 10", "median", "largest"]
    return Evidence([found], table(head, rows))


def data(folder: Path) -> dict[str, Any]:
    path = folder / "awst09/runs.csv"
    lines, elsewhere, way = ends(path), ends(path, begin="0.1", setting="minka"), lines_of(path)
    main, K = (lines[0]["study"], lines[0]["K"]) if lines else ("", "")  # the first job is of the main study
    every = select(lines, K=K)
    mine, averages, searched = select(every, study=main), averages_of(folder), read(folder / "search/runs.csv")
    random = select(lines, study=main, start="dirichlet")
    return {
        "gains": gains(mine),
        "point": point(mine, searched, averages),
        "minka": more_claims.with_minka(every, elsewhere),
        "smoothing": more_claims.learned(usual(select(lines, setting="minka")), usual(elsewhere)),
        "not-best": not_the_best(mine),
        "slower": more_claims.slower(select(way, study=main, K=K, setting="minka")),
        "topics": more_claims.by_topics(random),
        "eta-160": more_claims.large_eta(random),
        "vanished": level(mine),
        "sixteen": sixteen(mine),
        "cvb0": cvb0_best(mine, slightly=True),
        "cvb0 instead": cvb0_best(mine, slightly=False),
        "shift": offsets(mine, ("cvb0",), 0.5),
        "shift instead": offsets(mine, ("cvb0",)),
        "higher-eta": offsets(mine, ("cvb0", "cvb")),
        "raised": raised(mine),
        "averaging": more_claims.averaged(averages),
        "samples": more_claims.enough_samples(averages),
        "fig8-minka": spreads(mine, ("point", "minka")),
        "fig8-grid": spreads(mine, ("point", "grid"), ("minka", "grid")),
        "starts": starts(mine, searched),
        "parallel": more_claims.schedules(mine, searched),
        "roc": more_claims.similar(lines),
    }
