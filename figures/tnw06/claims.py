"""TNW06's claims as comparisons, from its CSV files and those of `search`; claims.toml says what each asks of them.

CVB and VB are compared in every pair of schedules from equal starts, on every corpus of which there are runs, and both
from the ends of a third algorithm. The unit is a seed; of Fig. 2, where documents are drawn, an order of the documents.
The paper's own schedule is CVB in `token` order from random rows; it does not name that of VB.
"""

from collections import defaultdict
from itertools import chain, pairwise, product

import numpy as np

from figures.common import Evidence, by, grouped, less, numbers, read, select
from figures.search.runs import STUDIES
from figures.tnw06.pictures import K, fig1_rows, from_ends_of, runs_of, series
from figures.verdicts import Comparison
from lda_reference.evaluation import chains

RANDOM = ("dirichlet", "one-hot")
NEUTRAL = ("cvb0", "map", "ml", "cgs")  # VB and CVB both go on from the ends of these
WHOLE = 3430  # documents of KOS
NEAR = 0.01  # nats per word
OWN, TEST = {"bound": "own bounds", "bound_12": "both by (12)"}, {"test": ""}


def label(study):
    return f"{study.split('-')[0]}, K = {STUDIES[study]}"


def log_of(perplexity):
    return -float(np.log(float(perplexity)))


def table_of():
    """corpus: (algorithm, schedule, start): column: unit: number."""
    return defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))


def figure_1(rows):
    """The ends of the runs of Fig. 1, and under `way` their log probabilities by sweep."""
    found = table_of()
    for (corpus, algorithm, schedule, start, seed), lines in runs_of(rows).items():
        columns = found[f"{corpus}, K = {K[corpus]}"][algorithm, schedule, start]
        for name in ("bound", "bound_2", "bound_12", "test", "averaged", "sweep"):
            if lines[-1][name] and (name != "sweep" or lines[-1]["first"] == "0"):  # later starts have another rule
                columns[name][seed] = float(lines[-1][name])
        columns["way"][seed] = series(lines, "test")
    return found


def figure_2(folder, whole):
    """(algorithm, schedule, start): documents: column: unit. A unit is an order of the documents, of all a seed."""
    found = defaultdict(dict)
    lines = select(read(folder / "tnw06/fig2.csv"), corpus="kos")
    for (algorithm, schedule, start, J), mine in grouped(lines, "algorithm", "schedule", "start", "documents").items():
        names = {"bound": "bound_2" if algorithm == "vb" else "bound_12", "bound_12": "bound_12", "test": "test"}
        orders = {order: some for (order,), some in grouped(mine, "order").items()}
        found[algorithm, schedule, start][int(J)] = {
            name: {order: float(numbers(some, column).mean()) for order, some in orders.items()}
            for name, column in names.items()
        }
    for kind, of in found.items():
        if kind in whole:
            of[WHOLE] = whole[kind]
    return dict(found)


def everywhere(folder, first, second):
    """All ends: of Fig. 1, of the subsets of Fig. 2, and of the runs and cross-starts of the study of search."""
    found = table_of()
    found.update(first)
    for kind, of in second.items():
        for J in of:
            if J < WHOLE:
                found[f"kos, {J} documents, K = 8"][kind].update(of[J])

    def add(row, algorithm, schedule, start, after):
        values = (row[f"value{after}"], row[f"bound_12{after}"], log_of(row[f"perplexity{after}"]), row["sweeps"])
        for name, value in zip(("bound", "bound_12", "test", "sweep"), values, strict=True):
            found[label(row["study"])][algorithm, schedule, start][name][row["seed"]] = float(value)

    for row in read(folder / "search/runs.csv"):
        if row["seed"] != "mean" and row["perplexity"] != "inf":
            add(row, row["algorithm"], row["schedule"], row["start"], "")
    for row in select(read(folder / "search/cross.csv"), **{"from": NEUTRAL}):
        add(row, row["to"], row["to_schedule"], f"end of {row['from']} {row['from_schedule']}", "_after")
    return found


def pairs(kinds):
    """CVB and VB from equal starts, random ones counting as equal, and VB from the end of CVB."""
    for a, b in product(*([kind for kind in sorted(kinds) if kind[0] == x] for x in ("cvb", "vb"))):
        if a[2] == b[2] or {a[2], b[2]} == set(RANDOM) or b[2] == from_ends_of(*a[1:]):
            yield a, b


def continued(kind):
    return " from CVB's ends" if kind[2].startswith("end of cvb ") else ""


def cvb_and_vb(found, columns, sign=1):
    """CVB less VB in some columns {column: its name}; with the sign -1 VB less CVB."""
    for corpus, kinds in found.items():
        for (a, b), (column, what) in product(pairs(kinds), columns.items()):
            values = [sign * x for x in less(kinds[a].get(column, {}), kinds[b].get(column, {}))]
            if len(values) > 1 and not (column == "sweep" and continued(b)):
                name = f"{corpus}, VB `{b[1]}`{continued(b)}{what and ', ' + what}"
                levels = {"corpus": corpus, "search": f"{a[1]}, {b[1]}, {b[2]}", "scoring": what or column}
                paper = a[1] == "token" and {a[2], b[2]} <= set(RANDOM)
                yield Comparison(name, values, None, paper, levels)


def passing(sweeps, values, level):
    """The first sweep at which the interpolated values reach a level; inf if they do not."""
    t = np.arange(sweeps[0], sweeps[-1] + 1)
    found = np.flatnonzero(np.interp(t, sweeps, values) >= level)
    return float(t[found[0]]) if len(found) else np.inf


def reaching(first):
    """How many sweeps VB needs less CVB until the log probability of test words is near the median end of VB."""
    for corpus, kinds in first.items():
        for a, b in pairs(kinds):
            level = np.median(list(kinds[b]["test"].values())) - NEAR
            x, y = ({seed: passing(*way, level) for seed, way in kinds[kind]["way"].items()} for kind in (a, b))
            values = less(y, x)
            if len(values) > 1 and np.isfinite(values).all() and not b[2].startswith("end of"):
                levels = {"corpus": corpus, "search": f"{a[1]}, {b[1]}, {b[2]}", "scoring": "reaching"}
                yield Comparison(f"{corpus}, VB `{b[1]}`, until near VB's end", values, None, a[1] == "token", levels)


def r_hat(rows, corpus):
    """A sentence with R-hat of log p(x, z) over the second half of the chains of Fig. 1."""
    runs = runs_of([row for row in rows if row["corpus"] == corpus])
    joint = [series(lines, "bound")[1] for key, lines in runs.items() if key[1] == "cgs"]
    if len(joint) < 2:
        return ""
    trace = np.array(joint).T
    value = float(chains.r_hat(trace[len(trace) // 2 :]))
    return f"R-hat of log p(x, z) on {corpus} is {value:.2f} ({len(joint)} chains of {len(trace)} sweeps)."


def gibbs(folder, first, found, rows):
    """The mean over the samples of a chain against single ends of CVB, as in the paper; and averages of both."""
    of_chains, notes, result = {}, [r_hat(rows, "kos")], []
    for corpus, kinds in first.items():
        of_chains[corpus] = next((list(x["averaged"].values()) for kind, x in kinds.items() if kind[0] == "cgs"), [])
    means = select(read(folder / "search/runs.csv"), seed="mean", algorithm="cvb")
    for (study,), mine in grouped(read(folder / "search/chains.csv"), "study").items():
        some = select(mine, samples=max((x["samples"] for x in mine), key=int))
        of_chains[label(study)] = [log_of(x["perplexity"]) for x in some if x["chain"] != "all"]
        note = f"On {label(study)} R-hat is {float(mine[0]['r_hat']):.2f}"
        (every,) = (log_of(x["perplexity"]) for x in select(some, chain="all"))
        if lead := [every - log_of(x["perplexity"]) for x in select(means, study=study)]:
            note += f", and averages over all chains lead averages over all ends of CVB by {min(lead):+.4f} or more"
        notes.append(note + ".")
    for corpus, one in of_chains.items():
        for (name, schedule, start), x in found[corpus].items():
            if name == "cvb" and not start.startswith("end of") and one:
                levels = {"corpus": corpus, "search": f"{schedule}, {start}"}
                paper = schedule == "token" and start in RANDOM
                result.append(Comparison(corpus, one, list(x["test"].values()), paper, levels))
    return Evidence(result, " ".join(filter(None, notes)))


def between(name, x, y, many, paper, levels):
    """The comparison of two numbers of documents, of which the larger is `many`.

    Subsets are paired by the order of the documents; the units of all documents are seeds.
    """
    if many < WHOLE:
        return Comparison(name, less(x, y), None, paper, levels)
    return Comparison(name, list(x.values()), list(y.values()), paper, levels)


def by_size(second, column):
    """Each algorithm with more documents less with fewer, in steps."""
    for (algorithm, schedule, start), of in sorted(second.items()):
        for few, many in pairwise(sorted(of)) if algorithm in ("vb", "cvb") else ():
            levels = {"search": f"{schedule}, {start}", "algorithm": algorithm}
            name = f"{algorithm} {schedule}{continued((algorithm, schedule, start))}, {many} less {few}"
            paper = algorithm == "vb" or schedule == "token"
            yield between(name, of[many][column], of[few][column], many, paper, levels)


def leads(second, columns):
    """The lead of CVB over VB at the smallest number of documents less that of the largest subset and of all."""
    for a, b in pairs(second):
        sizes = sorted(second[a].keys() & second[b].keys())
        subsets = [J for J in sizes if J < WHOLE]
        for large in sorted({*subsets[-1:], *sizes[-1:]} - {*subsets[:1]}) if subsets else ():
            for column, what in columns.items():
                x, y = ({i: of[i] - other[i] for i in of if i in other} for of, other in
                        ((second[a][J][column], second[b][J][column]) for J in (subsets[0], large)))  # fmt: skip
                name = f"CVB `{a[1]}`, VB `{b[1]}`{continued(b)}{what and ', ' + what}"
                levels = {"search": f"{a[1]}, {b[1]}, {b[2]}", "scoring": what and ", " + what}
                paper = a[1] == "token" and b[2] in RANDOM
                yield between(f"{name}, {subsets[0]} and {large} documents", x, y, large, paper, levels)


def exact(folder, found):
    """Exact CVB less the Gaussian: after 20 sweeps in the paper's order on KOS, and settled in the runs of search."""
    lines = select(read(folder / "tnw06/exact.csv"), sweep="20")
    bounds = [by(lines, f"bound_{name}") for name in ("exact", "cvb")]
    tests = [{x["seed"]: log_of(x[f"perplexity_{name}"]) for x in lines} for name in ("exact", "cvb")]
    pairs_of = [("kos, K = 8", "token", "dirichlet", "20 sweeps", "bound (12)", bounds),
                ("kos, K = 8", "token", "dirichlet", "20 sweeps", "test", tests)]  # fmt: skip
    for corpus, kinds in found.items():
        for (name, schedule, start), x in kinds.items():
            if name == "cvb_exact" and not start.startswith("end"):
                y = kinds["cvb", schedule, start]
                pairs_of.append((corpus, schedule, start, "settled", "bound (12)", (x["bound_12"], y["bound_12"])))
                pairs_of.append((corpus, schedule, start, "settled", "test", (x["test"], y["test"])))
    for corpus, schedule, start, budget, what, (x, y) in pairs_of:
        levels = {"corpus": corpus, "search": f"{schedule}, {start}", "scoring": what, "budget": budget}
        paper = schedule == "token" and corpus.startswith("kos")
        yield Comparison(f"{corpus}, `{schedule}`, {budget}, {what}", less(x, y), None, paper, levels)


def taylor(folder, from_=0):
    """0.01 nats less the largest error of (17), by E[n]."""
    rows, result = select(read(folder / "tnw06/taylor.csv"), a=0.1), []
    mean = numbers(rows, "N") * numbers(rows, "g")
    for low, high in ((0, 1), (1, 10), (10, 100), (100, np.inf)):
        errors = np.abs(numbers(rows, "error_second_order"))[(low <= mean) & (mean < high)]
        if len(errors) and low >= from_:
            levels = {"E[n]": f"{low} to {high}"}
            result.append(Comparison(f"E[n] from {low:g} to {high:g}", [NEAR - errors.max()], levels=levels))
    note = (
        "The error of leaving the variance out, as CVB0 does, is"
        f" {np.abs(numbers(rows, 'error_zeroth_order')).max(initial=0):.2g} at most. How near gamma is to 0 or 1 was"
        " not measured."
    )
    return Evidence(result, note if rows else "")


def inequality(folder, rows):
    """(12) less (2) at the ends of each algorithm: the smallest of all runs."""
    ends = [row for row in rows if row["settled"]]
    ends += [row | {"corpus": row["study"].split("-")[0]} for row in read(folder / "search/runs.csv") if row["value"]]
    for (corpus, name), mine in grouped(ends, "corpus", "algorithm").items():
        gap = numbers(mine, "bound_12") - numbers(mine, "bound_2")
        yield Comparison(corpus, [gap.min()], levels={"algorithm": name})


def data(folder):
    rows = fig1_rows(folder)
    first = figure_1(rows)
    second = figure_2(folder, first["kos, K = 8"])
    found = everywhere(folder, first, second)
    return {
        "bound": cvb_and_vb(found, OWN),
        "test": cvb_and_vb(found, TEST),
        "sweeps": chain(cvb_and_vb(found, {"sweep": "until settled"}, -1), reaching(first)),
        "gibbs-sweeps": Evidence([], r_hat(rows, "kos")),
        "gibbs": gibbs(folder, first, found, rows),
        "more-bound": by_size(second, "bound"),
        "small-bound": leads(second, OWN),
        "more-test": by_size(second, "test"),
        "small-test": leads(second, TEST),
        "exact": exact(folder, found),
        "taylor": taylor(folder),
        "taylor instead": taylor(folder, 10),
        "inequality": inequality(folder, rows),
    }
