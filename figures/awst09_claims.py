"""The claims of AWST09 with their verdicts, from the CSV files of awst09.py; here those about one prior and starts.

A statement about algorithms is checked for every schedule and start of VB. It is reproduced if it holds for all, and
depends on search if it holds for some. Differences are paired by seed and held against chance (awst09_text.py); a
single pair counts if its difference is more than 5%. The figures of the paper were not at hand, so its values are
quoted only where its text states them.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
from awst09_grid_claims import cvb0_best, gains, level, offsets, sixteen, spreads
from awst09_lines import averages_of, ends, grouped, lines_of, numbers, offset, select
from awst09_minka_claims import by_topics, learned, not_the_best, slower, with_minka
from awst09_other_claims import averaged, enough_samples, raised, ranked, schedules, small, timing
from awst09_text import (
    SUBSTANTIAL,
    about,
    comparison,
    difference,
    far_above,
    fixed,
    of,
    of_vb,
    plural,
    references,
    scope,
    studies_of,
    table,
    unpaired,
    usual,
    verdict,
)  # fmt: skip
from common import Claim, read

STARTS = {"dirichlet": "from random rows", "cvb0": "from CVB0's ends", "growing": "growing"}


def claims(folder: Path) -> list[Claim]:
    """The section of this paper in the ledger."""
    path = folder / "awst09_runs.csv"
    lines, elsewhere = ends(path), ends(path, begin="0.1", setting="minka")
    main, K = (lines[0]["study"], lines[0]["K"]) if lines else ("", "")  # the first job is of the main study
    every = [x for x in lines if x["K"] == K]
    mine = select(every, study=main)
    averages = averages_of(folder)
    found = [
        gains(mine),
        point(mine, every, averages),
        with_minka(every, elsewhere, lines_of(path)),
        learned(select(lines, setting="minka"), elsewhere),
        not_the_best(mine),
        slower(select(lines_of(path), study=main, K=K, setting="minka")),
        *by_topics(select(lines, study=main, start="dirichlet")),
        level(mine),
        sixteen(mine),
        cvb0_best(mine),
        *offsets(mine),
        raised(mine),
        averaged(averages),
        enough_samples(averages),
        *spreads(mine),
        starts(mine, read(folder / "search_runs.csv")),
        schedules(mine, read(folder / "search_runs.csv")),
        ranked(lines),
        small(),
        timing(),
    ]
    return with_pictures(found, folder)


def with_pictures(found: list[Claim], folder: Path) -> list[Claim]:
    """The claims, of which the first that names a figure shows its picture."""
    shown: set[str] = set()
    claims = []
    for claim in found:
        numbers_ = [n for n in re.findall(r"\d", claim.where.partition("Fig")[2]) if n not in shown]
        shown |= set(numbers_)
        names = [f"awst09_fig{n}.png" for n in numbers_]
        pictures = "".join(f"\n\n![AWST09 Figure {n[10]}, redrawn]({n})" for n in names if (folder / n).exists())
        claims.append(claim._replace(evidence=claim.evidence + pictures))
    return claims


def point(mine: Any, every: Any, averages: Any) -> Claim:
    groups = grouped(usual(fixed(mine)))
    cgs = [x for x in averages if mine and x["study"] == mine[0]["study"] and x["algorithm"] == "cgs"
           and x["samples"] == "1" and x["of"] != "all"]  # fmt: skip

    def status(part: float) -> str:
        found = [
            far_above(difference(x, y), y, part) for x in of_vb(groups).values() for y in references(groups).values()
        ]
        if cgs:
            found += [far_above(unpaired(numbers(x), numbers(cgs)), cgs, part) for x in of_vb(groups).values()]
        return verdict(found)

    sampled = f"CGS (one sample of each of {plural(len(cgs), 'chain')}) has {of(cgs)}. " if cgs else "CGS was not run. "
    started = {x["start"] for y in of_vb(groups).values() for x in y}
    return Claim(
        "§3, §4.1, Fig. 8 POINT", "With alpha = eta = 0.1 VB performs substantially worse than the other methods.",
        status(SUBSTANTIAL), about(usual(fixed(every))) + " alpha = eta = 0.1, for map 1.1.",
        f"{scope(usual(fixed(mine)))} Substantially: by 5%. By 2.5% the status would be: {status(SUBSTANTIAL / 2)}; by"
        f" 10%: {status(2 * SUBSTANTIAL)}. The paper's VB is in corpus order; its starts are not stated. VB was started"
        f" {' and '.join(STARTS[x] for x in sorted(started, reverse=True))}. {part_of_search(every)} {sampled}\n\n"
        f"{comparison(usual(fixed(every)))}",
        "awst09_runs.csv, setting fixed, alpha = eta = 0.1 (map: 1.1); awst09_averages.csv",
    )  # fmt: skip


def part_of_search(every: Any) -> str:
    """How much of the gap between VB and CVB0 is gone when VB starts at CVB0's end."""
    parts = []
    for study in studies_of(every):
        groups = grouped(usual(fixed(select(every, study=study))))
        names = "vb corpus", "vb corpus from cvb0", "cvb0"
        if not all(name in groups for name in names):
            continue
        far, near, least = (numbers(groups[name]).mean() for name in names)
        better = numbers(groups[names[1]], "bound_2").mean() - numbers(groups[names[0]], "bound_2").mean()
        parts.append(f"On {study} ({plural(len(groups[names[1]]), 'seed')}) VB in corpus order is {far - least:.0f}"
                     f" above CVB0 if it begins with random rows, and {near - least:.0f} above it if it begins at"
                     f" CVB0's end, where its own bound is {better:+.3f} nats per token higher. So"
                     f" {100 * (far - near) / (far - least):.0f}% of the gap is search.")  # fmt: skip
    return " ".join(parts)


def starts(mine: Any, searched: Any) -> Claim:
    """Counted over all settings with three seeds, and three seeds of KOS; "usually" is more than half of them."""
    halves: dict[str, list[float]] = {}
    for x in searched:
        if (x["study"], x["start"], x["seed"], x["group"]) == ("kos", "dirichlet", "0", "0") and x["algorithm"] != "ml":
            same = select(searched, study="kos", start="dirichlet", algorithm=x["algorithm"], schedule=x["schedule"])
            some = select(same, group="0", seed=("0", "1", "2"))
            if len(some) > 2:
                halves[f"{x['algorithm']} {x['schedule']} (all of KOS, K = 10)"] = [float(np.ptp(numbers(some)) / 2)]
    for name, x in grouped([y for y in usual(mine) if y["algorithm"] != "ml"]).items():
        at = {(y["setting"], round(float(y["alpha"]) - offset(y), 8), round(float(y["eta"]) - offset(y), 8)) for y in x}
        for setting, alpha, eta in at:
            some = [y for y in select(x, setting=setting) if abs(float(y["alpha"]) - offset(y) - alpha) < 1e-8
                    and abs(float(y["eta"]) - offset(y) - eta) < 1e-8]  # fmt: skip
            if len(some) > 2:
                halves.setdefault(name, []).append(float(np.ptp(numbers(some)) / 2))
    every = [h for x in halves.values() for h in x]

    def status(limit: float) -> str:
        inside = sum(h <= limit for h in every)
        return "not tested" if not every else "reproduced" if 2 * inside > len(every) else "not reproduced"

    rows = [[name, str(len(x)), str(sum(h <= 10 for h in x)), str(sum(h <= 20 for h in x)), f"± {np.median(x):.0f}",
             f"± {max(x):.0f}"] for name, x in halves.items()]  # fmt: skip
    head = ["algorithm, schedule, start", "priors", "within ± 10", "within ± 20", "median", "largest"]
    return Claim(
        "§4", "Perplexities are usually similar across initialisations, within ± 10 or less.", status(10),
        about(usual(mine)), f"{scope(usual(mine))} A setting is an algorithm with its schedule, start and prior (fixed,"
        f" or Minka's update), with three seeds. Half of the range over seeds is 10 or less in"
        f" {sum(h <= 10 for h in every)} of {len(every)} settings. Usually: in more than half. Within ± 5 the status"
        f" would be: {status(5)}; within ± 20: {status(20)}. The corpus is small; the rows on all of KOS have the"
        " held-out tokens and the stopping rule of search.py."
        f"\n\n{table(head, rows)}", "awst09_runs.csv; search_runs.csv, start dirichlet",
    )  # fmt: skip
