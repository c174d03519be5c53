"""The claims of AWST09 about grid search (§1, §3.2, Figs 5, 6 and 8).

All algorithms are compared on the same nine points, alpha and eta of `GRID`, with three seeds each. An algorithm
without all of them is left out, and so decides nothing. Its point is chosen by validation documents. Other points that
were run show what lies beyond the grid.
"""

from typing import Any

import numpy as np
from awst09_lines import GRID, cells, grouped, least_of, minima, numbers, of_grid, offset, select
from awst09_text import (
    SUBSTANTIAL,
    about,
    difference,
    fixed,
    of,
    plural,
    scope,
    sign,
    table,
    text,
    usual,
    verdict,
    within,
)
from common import Claim

from lda_reference.evaluation import search

LEARNED = " Priors learned from 0.5 after 15 sweeps, by Minka's update."
SEARCHED = ("map", "vb corpus", "vb nested", "cvb", "cvb0")  # the algorithms that are to have the grid
NEEDED = SEARCHED[1:]  # without which a claim about all of them is not decided
Point = tuple[float, float]
Chosen = dict[str, tuple[Point, list[Any]]]


def of_random_rows(mine: Any) -> dict[str, list[Any]]:
    return grouped([x for x in select(mine, setting="fixed", start="dirichlet") if x["algorithm"] != "ml"])


def grids(mine: Any) -> Chosen:
    """The best point of each algorithm that has all nine points of the grid, by validation."""
    found = {name: of_grid(x) for name, x in of_random_rows(mine).items()}
    return {name: least_of(x) for name, x in found.items() if len(x) == len(GRID) ** 2}


def beyond(mine: Any) -> Chosen:
    """The best of all points that were run, with three seeds, for each algorithm that has the grid."""
    groups = of_random_rows(mine)
    return {name: least_of(cells(groups[name])) for name in grids(mine)}


def of_the_grid(mine: Any) -> str:
    """A sentence on the grid and on what it lacks."""
    groups, chosen = of_random_rows(mine), grids(mine)
    lacking = [f"{name} ({len(of_grid(groups.get(name, [])))} of 9 points)" for name in SEARCHED if name not in chosen]
    without = f" The grid is not complete for {', '.join(lacking)}." if lacking else ""
    return f"The grid has alpha and eta of 0.1, 0.25 and 0.5 (the paper's: 0.01 to 1, 36 points).{without}"


def by_search(mine: Any) -> str:
    number = len(grids(mine))
    return (
        f"Points need three seeds, and validation chooses them; {number} algorithms or estimates have the whole grid."
    )


def chosen_text(mine: Any) -> str:
    """A table of the best points, on the grid and of all that were run."""
    chosen, wide = grids(mine), beyond(mine)
    rows = []
    for name, (at, x) in chosen.items():
        where, y = wide[name]
        less = text(difference(x, chosen["cvb0"][1])) if name != "cvb0" and "cvb0" in chosen else "-"
        number = len(cells(of_random_rows(mine)[name]))
        rows.append([name, f"{at[0]:g}, {at[1]:g}", of(x), less, str(number), f"{where[0]:g}, {where[1]:g}", of(y)])
    head = ["algorithm", "best of the grid: alpha, eta (map: less 1)", "perplexity", "less cvb0's",
            "number of all points run", "best of them", "perplexity"]  # fmt: skip
    return table(head, rows) if rows else "No algorithm has all nine points."


def at_half(mine: Any) -> str:
    """CGS and CVB0 on the points that CGS has."""
    groups = grouped(select(mine, setting="fixed"))
    if "cgs" not in groups or not (of_cgs := of_grid(groups["cgs"])):
        return "CGS has no point of the grid, so nothing is said of it."
    at, x = least_of(of_cgs)
    shared = {p: y for p, y in of_grid(groups.get("cvb0", [])).items() if p in of_cgs}
    other = f"; CVB0 on the same points: {of(least_of(shared)[1])}" if len(shared) == len(of_cgs) else ""
    return (f"CGS has {plural(len(of_cgs), 'point')} of the grid and is left out; its best is {at[0]:g}, {at[1]:g} with"
            f" {of(x)}{other}.")  # fmt: skip


def share(d: search.Difference | None, whole: search.Difference | None, part: float) -> int | None:
    """Whether a difference is at most a part of another."""
    return None if whole is None or whole.mean <= 0 else within(d, part * whole.mean)


def level(mine: Any) -> Claim:
    chosen, groups = grids(mine), grouped(usual(fixed(mine)))
    parts, found = [], []
    for name in ("vb corpus", "vb nested"):
        if f"{name} (16)" in chosen and "cvb" in chosen and name in groups and "cvb" in groups:
            now, then = difference(chosen[f"{name} (16)"][1], chosen["cvb"][1]), difference(groups[name], groups["cvb"])
            found.append([share(now, then, part) for part in (1 / 4, 1 / 8, 1 / 2)])
            left = f", {100 * now.mean / then.mean:.0f}% of it" if now and then else ""
            parts.append(f"{name} less cvb: {text(then)} at 0.1, 0.1 by (15); {text(now)} at the best points by (16)"
                         f"{left}")  # fmt: skip
    rules = [verdict(x) for x in zip(*found, strict=True)] or ["not tested"] * 3
    other = f" With an eighth the status would be: {rules[1]}; with a half: {rules[2]}." if found else ""
    return Claim(
        "§4.1, Fig. 5", "With grid search the differences between VB, with (16), and CVB have largely vanished.",
        rules[0], about(select(mine, setting="fixed")) + " " + by_search(mine),
        f"{scope(select(mine, setting='fixed'))} {of_the_grid(mine)} {'. '.join([*parts, ''])}Largely: at most"
        f" a quarter is left, in either direction.{other}\n\n{chosen_text(mine)}", "awst09_runs.csv, setting fixed",
    )  # fmt: skip


def sixteen(mine: Any) -> Claim:
    rows, found, harm = [], [], []
    lines = select(mine, algorithm="vb", setting="fixed")
    chosen, groups = grids(mine), grouped(fixed(lines))
    for name in [x for x in groups if not x.endswith("(16)")]:
        if f"{name} (16)" in groups:
            d = difference(groups[f"{name} (16)"], groups[name])
            harm.append(sign(d) == 1)
            rows.append([name, "0.1, 0.1", of(groups[name]), of(groups[f"{name} (16)"]), text(d)])
        if name in chosen and f"{name} (16)" in chosen:
            (a, x), (b, y) = chosen[name], chosen[f"{name} (16)"]
            d = difference(x, y)
            found.append(sign(d))
            where = f"best of the grid: {a[0]:g}, {a[1]:g} and {b[0]:g}, {b[1]:g}"
            rows.append([name, where, of(x), of(y), text(difference(y, x))])
    status, head = verdict(found), ["VB", "alpha, eta", "by (15)", "by (16)", "difference"]
    return Claim(
        "§3.2, §4.1, Fig. 5", "The estimates (16) reduce the perplexity gap of VB.",
        "changed" if status == "reproduced" and any(harm) else status, about(lines) + " " + by_search(mine),
        f"{scope(lines)} The best points decide, as in the paper's Fig. 5. At small priors (16) does harm for all"
        " topics: exp Ψ(0.1) is 3e-5, so a word that a topic has not seen gets almost no probability. A better start"
        f" reduces the harm and does not remove it.\n\n{table(head, rows)}",
        "awst09_runs.csv, setting fixed, estimators mean and digamma",
    )  # fmt: skip


def better_of(chosen: Chosen, name: str) -> list[Any]:
    """VB with the better of (15) and (16), by validation."""
    both = [chosen[x][1] for x in (name, f"{name} (16)") if x in chosen]
    return min(both, key=lambda x: numbers(x, "validation").mean())


def cvb0_best(mine: Any) -> Claim:
    """Decided by the algorithms that have the grid, by the best of all their points, and by starts at CVB0's ends."""
    chosen, groups = grids(mine), grouped(usual(fixed(mine)))
    others = [x for x in SEARCHED if x in chosen and x != "cvb0"]
    found, margins = [], []
    for best in (chosen, beyond(mine)) if "cvb0" in chosen else ():
        cvb0 = best["cvb0"][1]
        for d in [difference(better_of(best, x), cvb0) for x in others]:
            found.append(sign(d))
            margins.append(d.mean / numbers(cvb0).mean() if d else np.nan)
    near = {x: difference(y, groups["cvb0"]) for x, y in groups.items() if x.endswith("from cvb0") and "cvb0" in groups}
    enough = all(x in chosen for x in NEEDED)
    status = verdict([*found, *map(sign, near.values())]) if enough and found else "not tested"
    size = f"CVB0 is better by {100 * min(margins):.0f}% to {100 * max(margins):.0f}%, VB by the better of (15) and" \
           f" (16) (slightly: up to {100 * SUBSTANTIAL:g}%). " if found else ""  # fmt: skip
    rows_of = {x: groups.get(x.removesuffix(" from cvb0"), []) for x in near}
    started = "; ".join(f"{x} {of(groups[x])}, {text(d)} above CVB0 (from random rows"
                        f" {text(difference(rows_of[x], groups['cvb0']))})" for x, d in near.items())  # fmt: skip
    return Claim(
        "§4.1, §5, Fig. 5", "CVB0 performs slightly better than the other algorithms with grid search.",
        "changed" if status == "reproduced" and max(margins) > SUBSTANTIAL else status,
        about(select(mine, setting="fixed")) + " " + by_search(mine),
        f"{scope(select(mine, setting='fixed'))} Compared with CVB0:"
        f" {', '.join(others) or 'none yet'}. {of_the_grid(mine)}"
        f" {at_half(mine)} {size}" + (f"From CVB0's ends, at 0.1, 0.1: {started}. " if near else "")
        + f"\n\n{chosen_text(mine)}",
        "awst09_runs.csv, setting fixed",
    )  # fmt: skip


def status_of(ratios: list[float], part: float) -> str:
    """Of all algorithms; changed if the claim is true of some."""
    holds = [r > part for r in ratios]
    if not ratios:
        return "not tested"
    return "reproduced" if all(holds) else "changed" if any(holds) else "not reproduced"


def gains(mine: Any) -> Claim:
    """For each algorithm the range over the grid, beside the range over algorithms at one prior."""
    groups = of_random_rows(usual(mine))
    here = {x: numbers(fixed(groups[x])).mean() for x in SEARCHED if x in groups and fixed(groups[x])}
    between = max(here.values()) - min(here.values()) if here else np.nan
    rows, ratios = [], []
    for name in [x for x in SEARCHED if x in grids(mine)]:
        means = {at: numbers(x).mean() for at, x in of_grid(groups[name]).items()}
        valid = {at: numbers(x, "validation").mean() for at, x in of_grid(groups[name]).items()}
        low, high = min(valid, key=lambda at: valid[at]), max(valid, key=lambda at: valid[at])
        ratios.append((means[high] - means[low]) / between)
        ends = [f"{means[at]:.0f} at {at[0]:g}, {at[1]:g}" for at in (low, high)]
        rows.append([name, *ends, f"{means[high] - means[low]:.0f}"])
    known = ratios if all(x in grids(mine) for x in NEEDED) else []
    rules = [status_of(known, part) for part in (1 / 2, 1 / 4, 1)]
    started = grouped(usual(fixed(mine))).get("vb corpus from cvb0")
    moved = ""
    if started and "vb corpus" in here:
        best = [of(better_of(grids(mine), x)) for x in ("vb corpus", "vb nested") if x in grids(mine)]
        moved = (f" At 0.1, 0.1 VB in corpus order has {here['vb corpus']:.0f} from random rows and {of(started)} from"
                 " CVB0's ends. Its best on the grid, from random rows, by (15) or (16):"
                 f" {' and in nested order '.join(best) or 'unknown'}.")  # fmt: skip
    return Claim(
        "§1", "The gains in perplexity by a careful choice of the priors are on the order of the differences between"
              " algorithms, if not greater.",
        rules[0], about(select(mine, setting="fixed")) + " " + by_search(mine),
        f"{scope(select(mine, setting='fixed'))} At 0.1, 0.1 the algorithms differ by {between:.0f} (largest less"
        f" smallest mean).{moved} On the order: more than half of it, for each algorithm; changed: for some. With a"
        f" quarter the status would be: {rules[1]}; with the whole: {rules[2]}. {of_the_grid(mine)}\n\n"
        + (table(["algorithm", "best by validation", "worst", "difference"], rows) if rows else "No grid yet."),
        "awst09_runs.csv, setting fixed",
    )  # fmt: skip


def of_seeds(x: dict[str, float], y: dict[str, float]) -> search.Difference | None:
    seeds = [i for i in x if i in y and not np.isnan(x[i] + y[i])]
    return search.paired([x[i] for i in seeds], [y[i] for i in seeds]) if seeds else None


def offsets(mine: Any) -> list[Claim]:
    row = [x for x in select(mine, setting="fixed", start=("dirichlet", "one-hot"))
           if x["algorithm"] != "ml" and abs(float(x["alpha"]) - offset(x) - 0.5) < 1e-9]  # fmt: skip
    at = {name: minima(x) for name, x in grouped(row).items() if len({y["eta"] for y in x}) > 3 and name != "cgs"}
    shifts = {name: d for name, x in at.items() if name != "cvb0" and (d := of_seeds(x, at.get("cvb0", {})))}
    over = {name: of_seeds(x, at.get("cvb", {})) for name, x in at.items() if name.startswith("vb")}
    of_vb = {name: d for name, d in shifts.items() if name.startswith("vb")}
    rules = [verdict([1 if abs(d.mean - 0.5) <= limit else -1 for d in of_vb.values() if d.pairs > 2])
             for limit in (0.1, 0.05, 0.2)]  # fmt: skip
    higher = verdict([sign(d) for d in (*of_vb.values(), *over.values())])
    rows = [[name, ", ".join(f"{y:.2f}" for y in x.values()), f"{shifts[name].mean:+.2f} ± "
             f"{shifts[name].standard_error:.2f}" if name in shifts else "-"] for name, x in at.items()]  # fmt: skip
    settings = about(row) + (" alpha = 0.5, for map 1.5; eta is 0.01, 0.02, 0.05, 0.1, 0.25, 0.5 and 1, for map one"
                             " more. CGS was not run on the whole row.")  # fmt: skip
    shift = Claim(
        "§4.1, Fig. 6", "The best eta of VB is about 0.5 above that of the other methods, and that of MAP about 1.",
        "changed" if rules[0] == "not reproduced" and all(sign(d) == 1 for d in of_vb.values()) else rules[0], settings,
        f"{scope(row)} The table has the eta with the smallest test perplexity for each seed, by a parabola in log eta"
        " through the smallest value and its neighbours (nan: it lies at an end of the row), and its distance from"
        " cvb0's. About 0.5: within 0.1, with three seeds. Within 0.05 the status by the distances of VB would be:"
        f" {rules[1]}; within 0.2: {rules[2]}. MAP does not decide: its grid begins at 1, so its distance is near 1 for"
        f" any data, and the table has its eta less 1.\n\n{table(['', 'best eta', 'distance'], rows)}",
        "awst09_runs.csv, setting fixed, alpha = 0.5 (map: 1.5)",
    )  # fmt: skip
    parts = "; ".join(f"{name} less {other} {d.mean:+.2f} ± {d.standard_error:.2f} ({plural(d.pairs, 'seed')})"
                      for other, x in (("cvb0", of_vb), ("cvb", over)) for name, d in x.items() if d)  # fmt: skip
    above = Claim(
        "§4.1, Fig. 6", "The least perplexity of VB is at a higher eta than that of the other algorithms.", higher,
        settings, f"{scope(row)} The best eta of VB, with (15) or (16), less that of others: {parts or 'not run'}.",
        "awst09_runs.csv, setting fixed, alpha = 0.5",
    )  # fmt: skip
    return [shift, above]


def ranges(column: dict[str, Any], names: tuple[str, ...]) -> dict[str, float]:
    """For each seed, the largest less the smallest perplexity of some algorithms."""
    if not all(name in column for name in names):
        return {}
    seeds = set.intersection(*({x["seed"] for x in column[name]} for name in names))
    found = {i: [float(select(column[name], seed=i)[0]["perplexity"]) for name in names] for i in sorted(seeds)}
    return {i: max(x) - min(x) for i, x in found.items()}


def spreads(mine: Any) -> list[Claim]:
    """The range of VB, CVB0 and CVB (or MAP) in the three columns of Fig. 8, once for each kind of VB."""
    chosen = grids(mine)
    point, minka = (grouped(usual(x)) for x in (fixed(mine), select(mine, setting="minka")))
    grid = {x: better_of(chosen, x) for x in SEARCHED if x in chosen}
    rows, first, second = [], [], []
    for vb in [x for x in point if x.startswith("vb")]:
        for names in ((vb, "cvb0", "cvb"), (vb, "cvb0", "map")):
            a, b, c = (ranges(column, names) for column in (point, minka, grid))
            first.append(sign(of_seeds(a, b)))
            second += [sign(of_seeds(a, c)), sign(of_seeds(b, c))]
            if b or c:
                rows.append([", ".join(names), *(f"{np.mean(list(x.values())):.0f}" if x else "-" for x in (a, b, c))])
    shown = table(["algorithms", "at 0.1, 0.1", "Minka's update", "best of the grid"], rows)
    about_all = about(usual(mine)) + " " + by_search(mine)
    means = "The range is the largest less the smallest perplexity of three algorithms, averaged over seeds."
    return [
        Claim("§4.1, Fig. 8 MINKA", "With Minka's update the differences among the algorithms are less prominent than"
              " with the same prior for all.", verdict(first), about_all, f"{scope(usual(mine))} {means} CGS was not"
              f" compared.\n\n{shown}", "awst09_runs.csv, settings fixed and minka"),
        Claim("§4.1, §6, Fig. 8 GRID", "With grid search the differences among the algorithms diminish even more.",
              verdict(second), about_all, f"{scope(usual(mine))} {of_the_grid(mine)} {means} The table is that of the"
              " claim before. On the grid VB has the better of (15) and (16) by validation. Each range of the grid is"
              " compared with the same range at 0.1, 0.1 and, for CVB, with Minka's update.",
              "awst09_runs.csv, settings fixed and minka"),
    ]  # fmt: skip
