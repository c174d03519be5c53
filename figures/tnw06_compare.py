"""Comparisons of runs: differences with standard errors, what they say of a claim, and tables of them."""

from itertools import product
from typing import NamedTuple

import numpy as np
from common import read
from scipy import stats
from tnw06_draw import from_ends_of, runs_of, series

from lda_reference.evaluation import search

RANDOM = ("dirichlet", "one-hot")
MARGINS = (0.02, 0.01)  # nats per word


def numbers(path):
    """The lines of a CSV file with its numbers as floats."""
    words = {"True": 1.0, "False": 0.0}
    return [{key: x if key == "corpus" else words.get(x) if x in words else float(x) for key, x in row.items() if x}
            for row in read(path)]  # fmt: skip


class Compared(NamedTuple):
    """A mean difference, its standard error (nan if unknown) and the degrees of freedom of that error."""

    mean: float
    standard_error: float
    freedom: float


def difference(x, y, paired=True):
    """The mean of x - y over runs with its standard error; x and y hold a value for each seed.

    Runs from equal starts are paired by seed. Otherwise the two samples are independent (Welch).
    """
    common = sorted(x.keys() & y.keys())
    if paired and len(common) > 1:
        d = search.paired([x[i] for i in common], [y[i] for i in common])
        return Compared(d.mean, d.standard_error, len(common) - 1)
    a, b = (np.array(list(v.values())) for v in (x, y))
    mean = float(a.mean() - b.mean())
    if min(len(a), len(b)) < 2:
        return Compared(mean, np.nan, 0)
    variances = [v.var(ddof=1) / len(v) for v in (a, b)]
    return independent(mean, variances, [len(a) - 1, len(b) - 1])


def independent(mean, variances, freedoms):
    """A difference of two independent means: their variances add up, and Welch's formula gives the freedom."""
    total = sum(variances)
    parts = sum(v**2 / f for v, f in zip(variances, freedoms, strict=True) if v)
    return Compared(mean, float(np.sqrt(total)), float(total**2 / parts) if parts else float(sum(freedoms)))


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


def sign(d, factor=1.0):
    """1 or -1 for a difference that is not 0 by a two-sided t-test at 5%, else 0.

    `factor` multiplies the critical value, to see whether a verdict hangs on it.
    """
    critical = factor * stats.t.ppf(0.975, d.freedom) if d.freedom > 0 else np.inf
    return int(np.sign(d.mean)) if abs(d.mean) > critical * d.standard_error else 0


def flipped(d):
    return d._replace(mean=-d.mean)


def verdict(signs, complete=True):
    """The status of a claim from the signs of all comparisons, where 1 agrees with the paper.

    Before the paper's schedule has been run (`complete`), a claim cannot fail.
    """
    agree = [x == 1 for x in signs]
    if not signs or not (complete or any(agree)):
        return "not tested"
    return "reproduced" if all(agree) else "depends on search" if any(agree) else "not reproduced"


def judged(differences, decide=verdict):
    """The status from differences, where positive ones agree, and a sentence on other critical values of t."""
    half, status, twice = (decide([sign(d, factor) for d in differences]) for factor in (0.5, 1.0, 2.0))
    others = [(name, x) for name, x in (("half", half), ("twice", twice)) if x != status]
    if not others:
        return status, "At half and at twice the critical value of t the status is the same."
    return status, " ".join(f"At {name} the critical value of t the status would be: {x}." for name, x in others)


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
        continued = a[0] == "cvb" and b[2] == from_ends_of(*a[1:])
        if a[2] == b[2] or {a[2], b[2]} == set(RANDOM) or continued:
            yield a, b


def compared(ends, columns, first="cvb", second="vb", flip=1, digits=4):
    """A table with the differences of some columns, and the differences themselves, with the sign `flip`.

    A column is a name, or a pair of names for the two algorithms.
    """
    lines, found, several = [], [], [(x, x) if isinstance(x, str) else x for x in columns]
    for a, b in pairs(ends, first, second):
        mine = [(ends[a][x], ends[b][y]) for x, y in several if x in ends[a] and y in ends[b]]
        if mine:
            both = [difference(x, y, "cgs" not in (first, second)) for x, y in mine]
            found += both if flip > 0 else map(flipped, both)
            lines.append([name(a), name(b), "{}, {}".format(*map(len, mine[0])), *(shown(d, digits) for d in both)])
    return ["a", "b", "runs"], lines, found


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
