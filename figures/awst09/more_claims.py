"""AWST09's claims about priors that are learned, convergence, averages and ranking, as comparisons."""

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from figures.awst09.lines import best, by_label, by_seed, fixed, of_vb, points, usual
from figures.common import Evidence, by, grouped, less, numbers, ratio, select, table
from figures.verdicts import Comparison


def with_minka(every: Any, elsewhere: Any) -> Evidence:
    """By what part VB is above CVB0 and CVB with Minka's update; the paper's priors begin at 0.5."""
    found = []
    for begin, some in (("0.5", select(usual(every), setting="minka")), ("0.1", usual(elsewhere))):
        for (study,), mine in grouped(some, "study").items():
            groups = by_label(mine)
            for (name, x), other in product(of_vb(groups).items(), ("cvb0", "cvb")):
                values = ratio(by_seed(x), by_seed(groups.get(other, [])))
                levels = {"corpus": study, "search": name, "prior": begin, "baseline": other}
                paper = begin == "0.5" and name == "vb corpus"
                found.append(Comparison(f"{study}, {name}, from {begin}", values, None, paper, levels))
    large = [x for x in select(usual(every), setting="minka") if float(x["last_alpha"]) > 5]
    runs = ", ".join(f"{x['study']} {float(x['last_alpha']):.0f}" for x in large)
    note = f"In some runs alpha grew large ({runs}), which makes documents alike and then keeps the topics alike."
    return Evidence(found, note if large else "")


def learned(lines: Any, elsewhere: Any) -> Evidence:
    """The log of the alpha or eta that one algorithm learns less that of another."""
    found, rows = [], []
    order = [("cvb0", "cvb"), ("cvb0", "vb"), ("cvb0", "cgs"), ("cvb", "vb")]
    for begin, some in (("0.5", lines), ("0.1", elsewhere)):
        for (study, K), mine in grouped(some, "study", "K").items():
            groups = by_label(mine)
            for name, x in groups.items():
                means = (f"{numbers(x, f'last_{y}').mean():.3f}" for y in ("alpha", "eta"))
                rows.append([study, K, begin, name, str(len(x)), *means])
            algorithm = {name: x[0]["algorithm"] for name, x in groups.items()}
            for pair in order:
                both = [x for x in product(groups, groups) if tuple(map(algorithm.get, x)) == pair]
                for names, what in product(both, ("alpha", "eta")):
                    a, b = ({i: np.log(z) for i, z in by_seed(groups[n], f"last_{what}").items()} for n in names)
                    levels = {"corpus": f"{study}, {K}", "search": ", ".join(names), "prior": begin, "parameter": what}
                    name = f"{study}, K = {K}, from {begin}: {' less '.join(pair)}"
                    found.append(Comparison(name, less(a, b), None, begin == "0.5", levels))
    head = ["corpus", "K", "begins at", "algorithm", "runs", "mean alpha", "mean eta"]
    return Evidence(found, table(head, rows))


def needed(run: dict[tuple[str, ...], float], part: float) -> int:
    """The watched sweep from which a run is and remains within a part of its last perplexity."""
    of = {int(t): x for (t,), x in run.items()}
    late = max((t for t, x in of.items() if abs(x / of[max(of)] - 1) > part), default=0)
    return min(t for t in of if t > late)


def slower(lines: Any) -> Iterator[Comparison]:
    """Sweeps until a run is and remains within 1% and 5% of its last perplexity, CGS less the others."""
    groups = by_label([x for x in lines if x["at"].isdigit()])
    for part in (0.01, 0.05):
        counts = {}
        for name, group in groups.items():
            runs = sorted(grouped(group, "seed").items())
            counts[name] = [float(needed(by(mine, "perplexity", "at"), part)) for _, mine in runs]
        for name in [x for x in counts if x != "cgs" and "cgs" in counts]:
            levels = {"search": name, "scoring": f"within {part:.0%}"}
            yield Comparison(f"cgs less {name}", counts["cgs"], counts[name], "nested" not in name, levels)


def by_topics(lines: Any) -> Iterator[Comparison]:
    """At each K: by what part VB is above CVB0 and CVB, and CVB above CVB0, which is to be like it."""
    minka = select(usual(lines), setting="minka")
    for k in sorted({int(x["K"]) for x in minka}):
        groups = by_label(select(minka, K=k))
        pairs = [(x, y, "difference") for x in of_vb(groups) for y in ("cvb0", "cvb")] + [("cvb", "cvb0", "likeness")]
        for x, y, kind in pairs:
            values = ratio(by_seed(groups.get(x, [])), by_seed(groups.get(y, [])))
            levels = {"number of topics": str(k), "search": x, "baseline": y}
            yield Comparison(f"K = {k}, {x} above {y}", values, None, "nested" not in x, levels, kind)


def large_eta(lines: Any) -> Iterator[Comparison]:
    """CVB0 with a learned eta: less with fewer topics, and less with eta held at 0.13."""
    minka, held = select(usual(lines), setting="minka"), select(lines, setting="minka alpha")
    topics = sorted({int(x["K"]) for x in minka})
    of = {k: by_seed(select(minka, algorithm="cvb0", schedule="corpus", K=k)) for k in topics}
    for before, last in pairwise(topics):
        some = by_seed(select(held, K=last))
        for name, values in ((f"K = {last} less K = {before}", less(of[last], of[before]) if some else []),
                             (f"K = {last}: learned less held", less(of[last], some))):  # fmt: skip
            yield Comparison(name, values, None, last == 160, {"number of topics": str(last)})


def averages_by_name(lines: Any) -> dict[str, dict[tuple[str, int], tuple[Any, float]]]:
    """For each study: the single runs and the perplexity of the mean of all probabilities, by name and samples."""
    found: dict[str, dict[tuple[str, int], tuple[Any, float]]] = {}
    for x in lines:
        if x["of"] == "all" and x["algorithm"] != "ml" and x["estimator"] != "digamma":
            own = select(lines, **{y: x[y] for y in ("study", "algorithm", "schedule", "estimator", "samples")})
            one = [y for y in own if y["of"] != "all"]
            if one:
                key = f"{x['algorithm']} {x['schedule']}", int(x["samples"])
                found.setdefault(x["study"], {})[key] = numbers(one), float(x["perplexity"])
    return found


def averaged(lines: Any) -> Evidence:
    """The part gained by averaging: CGS, with one sample of each chain, less CVB0 and the other algorithms."""
    found, rows = [], []
    for study, groups in averages_by_name(lines).items():
        gain = {key: one / all_ - 1 for key, (one, all_) in groups.items()}
        for key, (one, all_) in groups.items():
            name = f"{key[0]}, samples of each: {key[1]}"
            rows.append([study, name, str(len(one)), f"{one.mean():,.4g}", f"{all_:,.4g}"])
            if ("cgs token", 1) in gain and not key[0].startswith("cgs"):
                levels = {"corpus": study, "search": key[0], "algorithm": key[0].split()[0]}
                name = f"{study}, {levels['algorithm']}"
                cgs = list(gain["cgs token", 1])
                found.append(Comparison(name, cgs, list(gain[key]), levels["algorithm"] == "cvb0", levels))
    head = ["corpus", "algorithm", "runs", "mean of single runs", "mean of all probabilities"]
    r_hat = {x["study"]: float(x["r_hat"]) for x in lines if x["r_hat"]}
    mixed = "; ".join(f"{study} {value:.2f}" for study, value in r_hat.items())
    note = f"R-hat of log p(x, z) of the chains: {mixed}; above 1.1 they have not mixed.\n\n{table(head, rows)}"
    return Evidence(found, note if rows else "")


def enough_samples(lines: Any) -> Evidence:
    """By what part single runs of the others are above the average of the chains with most samples."""
    found, parts = [], []
    for study, groups in averages_by_name(lines).items():
        most = max((s for name, s in groups if name == "cgs token"), default=0)
        others = {name: x for (name, _), x in groups.items() if name != "cgs token"}
        if most and len(others) > 1:
            best_of = groups["cgs token", most][1]
            for name, (one, _) in others.items():
                levels = {"corpus": study, "search": name}
                found.append(Comparison(f"{study}, {name.split()[0]}", list(one / best_of - 1), levels=levels))
            least = min(others, key=lambda x: others[x][1])
            parts.append(f"{best_of:.5g} and, {least}, {others[least][1]:.5g} ({study})")
    note = f"Averages of CGS, and the best averages over the ends of another algorithm: {'; '.join(parts)}."
    return Evidence(found, note if parts else "")


def schedules(mine: Any, searched: Any) -> Iterator[Comparison]:
    """CVB0 in corpus order over block and token order, less 1; starts of a seed are the same in all schedules."""
    lines = select(mine, algorithm="cvb0", start="dirichlet", estimator="own")
    sets = [("kos-400", "0.1, 0.1", fixed(lines)), ("kos-400", "Minka's update", select(lines, setting="minka"))]
    of_cvb0 = [x for x in searched if x["algorithm"] == "cvb0" and x["seed"] != "mean"]
    for (study, start), some in grouped(of_cvb0, "study", "start").items():
        sets.append((study, f"0.1, 0.1 from {start}", some))
    for study, setting, some in sets:
        for schedule in ("block", "token"):
            x, y = (by_seed(select(some, schedule=z)) for z in ("corpus", schedule))
            levels = {"corpus": study, "search": setting, "sequential": schedule}
            yield Comparison(f"{study}, corpus over {schedule}", ratio(x, y), None, schedule == "token", levels)


def similar(lines: Any) -> Evidence:
    """The areas of the algorithms less that of CVB0, each at its best point by validation."""
    grid = by_label(select([x for x in lines if x["auc"]], start="dirichlet", setting="fixed", K=10))
    at = {name: best(x)[1] for name, x in grid.items()}
    found, rows = [], []
    for name, x in at.items():
        means = (f"{numbers(x, column).mean():.3f}" for column in ("auc", "precision"))
        rows.append([name, *means, str(len(points(grid[name])))])
        if name != "cvb0" and "cvb0" in at:
            values = less(by_seed(x, "auc"), by_seed(at["cvb0"], "auc"))
            found.append(Comparison(f"{name} less cvb0", values, levels={"algorithm": name}))
    head = ["algorithm", "mean area", "mean average precision", "points of the grid"]
    return Evidence(found, table(head, rows))
