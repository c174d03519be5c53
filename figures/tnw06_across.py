"""CVB against VB from equal starts, on every corpus of which there are runs: settings, tallies and exceptions."""

from typing import NamedTuple

import numpy as np
from common import read
from search import STUDIES
from tnw06_compare import Compared, by_group, difference, ends_of, pairs, sign, table
from tnw06_draw import K, fig1_rows

LEAST = 3  # pairs of runs; fewer decide nothing
NEUTRAL = ("cvb0", "map", "ml", "cgs")  # VB and CVB both go on from the ends of these


class Comparison(NamedTuple):
    """CVB less VB of two settings that differ in nothing else, and the number of pairs."""

    corpus: str
    cvb: tuple[str, str, str]
    vb: tuple[str, str, str]
    pairs: int
    difference: Compared


def settings(folder, documents):
    """For each corpus: for (algorithm, schedule, start) and column, a value for each seed.

    `documents` has those of Fig. 2, from `by_documents`.
    """
    found = {}
    rows = fig1_rows(folder)
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        found[f"{corpus}, K = {K[corpus]}"] = {
            kind: {column: x.get(column, {}) for column in ("bound", "bound_12", "test", "sweep")}
            for kind, x in ends_of([row for row in rows if row["corpus"] == corpus]).items()
        }
    for kind, at in documents.items():
        for J, columns in at.items():
            if J < 3430:
                kinds = found.setdefault(f"kos, {J} documents, K = 8", {})
                kinds[kind] = dict(zip(("bound", "test", "bound_12"), columns, strict=True))
    for row in read(folder / "search_runs.csv"):
        if row["seed"] != "mean" and row["perplexity"] != "inf":
            kind = row["algorithm"], row["schedule"], row["start"]
            add(found, row, kind, ("value", "bound_12", "perplexity", "sweeps"))
    for row in read(folder / "search_cross.csv"):
        if row["from"] in NEUTRAL:
            kind = row["to"], row["to_schedule"], f"end of {row['from']} {row['from_schedule']}"
            add(found, row, kind, ("value_after", "bound_12_after", "perplexity_after", "sweeps"))
    return found


def add(found, row, kind, columns):
    study = row["study"]
    x = found.setdefault(f"{study.split('-')[0]}, K = {STUDIES[study]}", {}).setdefault(kind, {})
    for column, source in zip(("bound", "bound_12", "test", "sweep"), columns, strict=True):
        value = float(row[source])
        x.setdefault(column, {})[int(row["seed"])] = -float(np.log(value)) if column == "test" else value


def comparisons(found, column, first="cvb", second="vb", accept=pairs):
    """All pairs of settings with at least `LEAST` equal starts; over several groups of documents as one for each."""
    result = []
    for corpus, kinds in found.items():
        for a, b in accept(kinds, first, second):
            x, y = kinds[a].get(column, {}), kinds[b].get(column, {})
            common = x.keys() & y.keys()
            if len(common) >= LEAST:
                grouped = isinstance(next(iter(common)), tuple)
                d = by_group(x, y) if grouped else difference(x, y)
                result.append(Comparison(corpus, a, b, len(common), d))
    return result


def order_of(kind):
    """An algorithm's order, and the start only if it is the end of a run of the other algorithm of the pair."""
    return kind[1] + (", from CVB's ends" if kind[2].startswith("end of cvb ") else "")


def tally(columns, digits=4):
    """A line for each corpus and order of VB: how many comparisons have each sign, and the range of the differences.

    `columns` has a list of comparisons of the same settings for each heading.
    """
    groups = {}
    for heading, mine in columns.items():
        for c in mine:
            groups.setdefault((c.corpus, order_of(c.vb)), {}).setdefault(heading, []).append(c)
    lines = []
    for (corpus, order), cells in groups.items():
        first = next(iter(cells.values()))
        counts = sorted({c.pairs for c in first})
        orders, starts = (len({c.cvb[i] for c in first}) for i in (1, 2))
        line = [
            corpus,
            order,
            f"{len(first)} ({orders} of CVB, {starts})",
            " to ".join(map(str, {counts[0]: 0, counts[-1]: 0})),
        ]
        for heading in columns:
            mine = [c.difference for c in cells.get(heading, [])]
            signs = [sign(d) for d in mine]
            low, high = min(d.mean for d in mine), max(d.mean for d in mine)
            span = " to ".join(dict.fromkeys(f"{x:+.{digits}f}" for x in (low, high)))
            line.append(f"{signs.count(1)}, {signs.count(0)}, {signs.count(-1)}: {span}")
        lines.append(line)
    return table(["corpus", "order of VB", "comparisons (orders, starts)", "pairs of each", *columns], lines)


def agreement(mine):
    """On which corpora all comparisons favour CVB, in words."""
    corpora = list(dict.fromkeys(c.corpus for c in mine))
    all_agree = [x for x in corpora if all(sign(c.difference) > 0 for c in mine if c.corpus == x)]
    others = [x for x in corpora if x not in all_agree]
    text = [f"All comparisons favour CVB on: {'; '.join(all_agree)}."] if all_agree else []
    return " ".join(text + ([f"Not all do on: {'; '.join(others)}."] if others else []))


def exceptions(mine, what, digits=4):
    """The comparisons in which the sign is against CVB, in words."""
    against = [c for c in mine if sign(c.difference) < 0]
    if not against:
        return ""
    worst = sorted(against, key=lambda c: c.difference.mean)[:3]
    text = "; ".join(
        f"{c.corpus}, start {c.cvb[2]}, {c.cvb[1]} against VB's {order_of(c.vb)}:"
        f" {c.difference.mean:+.{digits}f} ± {c.difference.standard_error:.{digits}f}" for c in worst
    )  # fmt: skip
    number = f"the largest {len(worst)} of {len(against)}" if len(against) > len(worst) else "all"
    return f"Comparisons in which {what} ({number}): {text}."


def from_better_starts(folder):
    """VB from the ends of CVB0 against CVB from random rows: an unequal comparison, in words."""
    vb = [row for row in read(folder / "search_cross.csv") if row["study"] == "kos" and row["from"] == "cvb0"
          and (row["to"], row["to_schedule"]) == ("vb", "corpus")]  # fmt: skip
    cvb = [float(row["value"]) for row in read(folder / "search_runs.csv") if row["study"] == "kos"
           and row["seed"] != "mean" and (row["algorithm"], row["start"]) == ("cvb", "dirichlet")]  # fmt: skip
    if not vb or not cvb:
        return ""
    values = [float(row["value_after"]) for row in vb]
    ends = len({(row["from_schedule"], row["seed"]) for row in vb})
    relation = "above all" if min(values) > max(cvb) else "not above all"
    return ("An unequal comparison, which does not count here, shows what a start can do: on KOS with K = 10,"
            f" VB in `corpus` order from {ends} ends of CVB0"
            f" has own bounds of {min(values):.4f} to {max(values):.4f}, {relation} of the {len(cvb)} of CVB from"
            f" random rows ({min(cvb):.4f} to {max(cvb):.4f}).")  # fmt: skip
