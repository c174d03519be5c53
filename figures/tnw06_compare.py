"""Comparisons of runs: differences with standard errors, what they say of a claim, and tables of them."""

from itertools import product

import numpy as np
from common import read
from tnw06_draw import runs_of, series

from lda_reference.evaluation import search

RANDOM = ("dirichlet", "one-hot")
MARGINS = (0.02, 0.01)  # nats per word


def numbers(path):
    """The lines of a CSV file with its numbers as floats."""
    words = {"True": 1.0, "False": 0.0}
    return [{key: x if key == "corpus" else words.get(x) if x in words else float(x) for key, x in row.items() if x}
            for row in read(path)]  # fmt: skip


def difference(x, y, paired=True):
    """The mean of x - y over runs with its standard error; x and y hold a value for each seed.

    Runs from equal starts are paired by seed. Otherwise the two samples are independent.
    """
    common = sorted(x.keys() & y.keys())
    if paired and len(common) > 1:
        return search.paired([x[i] for i in common], [y[i] for i in common])
    a, b = (np.array(list(v.values())) for v in (x, y))
    error = np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)) if min(len(a), len(b)) > 1 else np.nan
    return search.Difference(float(a.mean() - b.mean()), float(error), 0)


def by_group(x, y):
    """The paired difference of values of (group, seed), over the runs that both have."""
    common = x.keys() & y.keys()
    return difference(*(over_groups({key: v[key] for key in common}) for v in (x, y)))


def over_groups(x):
    """Values of (group, seed), averaged over the seeds of each group if there is more than one group.

    The errors then are those between groups of documents, and not only between starts.
    """
    groups = {group for group, _ in x}
    if len(groups) < 2:
        return x
    return {group: float(np.mean([v for (g, _), v in x.items() if g == group])) for group in sorted(groups)}


def sign(d):
    """1 or -1 for a difference of more than two standard errors, 0 for any other."""
    return int(np.sign(d.mean)) if abs(d.mean) > 2 * d.standard_error else 0


def verdict(signs, complete=True):
    """The status of a claim from the signs of all comparisons, where 1 agrees with the paper.

    Before the paper's schedule has been run (`complete`), a claim cannot fail.
    """
    agree = [x == 1 for x in signs]
    if not signs or not (complete or any(agree)):
        return "not tested"
    return "reproduced" if all(agree) else "depends on search" if any(agree) else "not reproduced"


def arrival(sweeps, values, margin, end=None):
    """The first sweep from which all values are within the margin of the end (by default the last value).

    Between the sweeps that are given the values are interpolated.
    """
    t = np.arange(sweeps[0], sweeps[-1] + 1)
    v = np.interp(t, sweeps, values)
    far = np.flatnonzero(np.abs(v - (values[-1] if end is None else end)) > margin)
    return float(t[min(far[-1] + 1, len(t) - 1)] if len(far) else t[0])


def passing(sweeps, values, level):
    """The first sweep at which the interpolated values reach a level; inf if they do not."""
    t = np.arange(sweeps[0], sweeps[-1] + 1)
    found = np.flatnonzero(np.interp(t, sweeps, values) >= level)
    return float(t[found[0]]) if len(found) else np.inf


def sweeps_to_end_of(ends, b, kind):
    """For each seed of a kind, the sweeps until its log probability is within 0.01 of the median end of b."""
    level = np.median(list(ends[b]["test"].values())) - MARGINS[-1]
    return {seed: passing(*way, level) for seed, way in ends[kind]["way"].items()}


def shown(d, digits=4):
    return f"{d.mean:+.{digits}f} ± {d.standard_error:.{digits}f}"


def name(kind):
    algorithm, schedule, start = kind
    return f"{algorithm} {schedule}" + ("" if start in RANDOM else f" from {start}")


def spread(x, digits=3):
    v = np.array(list(x.values()))
    return f"{np.median(v):.{digits}f} ({v.min():.{digits}f} to {v.max():.{digits}f})"


def table(head, lines):
    return "\n".join(["| " + " | ".join(x) + " |" for x in (head, ["---"] * len(head), *lines)])


def ends_of(rows):
    """The last values of the runs: for (algorithm, schedule, start) and column, a value for each seed."""
    ends = {}
    for (_, algorithm, schedule, start, seed), lines in runs_of(rows).items():
        last, ways = lines[-1], {x: series(lines, x) for x in ("bound", "test")}
        kind = ends.setdefault((algorithm, schedule, start), {})
        values = {x: last[x] for x in ("bound", "test", "averaged", "bound_2", "bound_12", "sweep")}
        if not start.startswith("end of"):
            kind.setdefault("way", {})[int(seed)] = ways["test"]
            end = np.mean(ways["test"][1][-30:]) if algorithm == "cgs" else None  # one sample is not the end
            for margin, (x, way) in product(MARGINS, ways.items()):
                values[f"{x} within {margin}"] = arrival(*way, margin, end if x == "test" else None)
        for x, value in values.items():
            if value != "":
                kind.setdefault(x, {})[int(seed)] = float(value)
    return ends


def pairs(ends, first, second):
    """Pairs of kinds to compare: from random starts, from equal other starts, and the second from the first's end."""
    for a, b in product(*([kind for kind in sorted(ends) if kind[0] == x] for x in (first, second))):
        if a[2] == b[2] or {a[2], b[2]} == set(RANDOM) or b[2] == f"end of {a[0]} {a[1]}":
            yield a, b


def compared(ends, columns, first="cvb", second="vb", flip=1, digits=4):
    """A table with the differences of some columns, and their signs times `flip`.

    A column is a name, or a pair of names for the two algorithms.
    """
    lines, signs, several = [], [], [(x, x) if isinstance(x, str) else x for x in columns]
    for a, b in pairs(ends, first, second):
        mine = [(ends[a][x], ends[b][y]) for x, y in several if x in ends[a] and y in ends[b]]
        if mine:
            both = [difference(x, y, "cgs" not in (first, second)) for x, y in mine]
            signs += [flip * sign(d) for d in both]
            lines.append([name(a), name(b), "{}, {}".format(*map(len, mine[0])), *(shown(d, digits) for d in both)])
    return ["a", "b", "runs"], lines, signs


def end_table(ends):
    """All ends: medians and ranges, and the test value of the run with the highest bound."""
    columns = [("bound", 4), ("bound_12", 4), ("test", 4), ("sweep", 0)]
    head = ["runs", "number", "own bound", "bound (12)", "log probability per test word", "sweeps", "of the best bound"]
    lines = []
    for kind in sorted(ends):
        x, sampler = ends[kind], kind[0] == "cgs"
        values = [spread(x[c], d) if c in x and not (c == "bound" and sampler) else "" for c, d in columns]
        best = "" if sampler else f"{x['test'][max(x['bound'], key=x['bound'].get)]:.4f}"
        lines.append([name(kind), str(len(x["test"])), *values, best])
    return table(head, lines)


def from_a_better_start(folder):
    """VB from the ends of CVB0 against CVB from random rows, by their own bounds: an attack on CVB's lead.

    The text of the evidence, and a list with the sign of the difference.
    """
    wanted = {"study": "kos", "from": "cvb0", "to": "vb", "to_schedule": "corpus"}
    vb = chosen(folder / "search_cross.csv", wanted, "value_after")
    cvb = chosen(folder / "search_runs.csv", {"study": "kos", "algorithm": "cvb", "start": "dirichlet"}, "value")
    if not vb or not cvb:
        return "", []
    text = (
        "\n\nFrom different starts the order can be the reverse. With K = 10, VB in `corpus` order from CVB0's ends"
        f" has a bound of {spread(vb, 4)} ({len(vb)} runs), and CVB from random rows one of {spread(cvb, 4)}"
        f" ({len(cvb)} runs; search_cross.csv, search_runs.csv)."
    )
    lowest, highest = (min(vb.values()) - max(cvb.values()), max(vb.values()) - min(cvb.values()))
    return text, [-1 if lowest > 0 else 1 if highest < 0 else 0]


def chosen(path, wanted, column):
    """The numbers of a column in the lines that have the values wanted."""
    rows = [row for row in read(path) if all(row[name] == x for name, x in wanted.items()) and row[column]]
    return {i: float(row[column]) for i, row in enumerate(rows)}
