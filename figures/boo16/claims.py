"""BOO16's claims as comparisons, from boo16/runs.csv; claims.toml says what each asks of them.

The unit is a run, with its own split of the documents. The models are compared by the log of the ratio of their
perplexities. The paper does not name its order of VB, nor say whether its vocabulary has words that training has not
seen, so both orders and both scores count.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import Evidence, by, grouped, less, read, select, table
from figures.verdicts import Comparison

Line = dict[str, str]
LAST, BASES = 50, ("em2", "em2 later")
SYMMETRIC = ("fixed", "em2", "em2 later")
SCORES = {"perplexity": "all tokens", "of_seen": "words seen in training"}
SPARSE = 3000  # documents, below which the ratio is to be below 1
OVERLAP = 0.2 / 0.8  # test/train: each run splits the same documents again, so the runs are not independent


def ratios(lines: list[Line], kind: str, base: str, model: str = "conjugate") -> dict[int, list[float]]:
    """For each size of the training set the ratios of two models after the last sweep, paired by run."""
    found = {}
    for (size,), mine in grouped(select(lines, sweep=str(LAST)), "documents").items():
        x, y = (by(select(mine, model=name), kind, "run") for name in (model, base))
        if shared := [x[run] / y[run] for run in x if run in y]:
            found[int(size)] = shared
    return found


def settings(lines: list[Line], *columns: str) -> list[tuple[tuple[str, ...], list[Line]]]:
    """The lines by corpus, schedule and other columns, from Dirichlet rows."""
    return sorted(grouped(select(lines, start="dirichlet"), "corpus", "schedule", *columns).items())


def logs(lines: list[Line], kind: str, model: str, sweep: int) -> dict[tuple[str, ...], float]:
    """The log of a score of each run."""
    found = by(select(lines, model=model, sweep=str(sweep)), kind, "run")
    return {run: float(np.log(x)) for run, x in found.items()}


def compared(name: str, x: Any, corpus: str, schedule: str, **levels: str) -> Comparison:
    levels = {"search": schedule, "corpus": corpus, **levels}
    return Comparison(f"{name}; {corpus}, `{schedule}`", list(x), levels=levels, overlap=OVERLAP)


def of_six(lines: list[Line]) -> list[Line]:
    return select(lines, K="6", documents="1000")


def lower(lines: list[Line]) -> Evidence:
    """The baseline less the conjugate model, after 10 and after 50 sweeps."""
    found = []
    for (corpus, schedule), mine in settings(of_six(lines)):
        for base, (kind, what), t in product(BASES, SCORES.items(), (10, LAST)):
            x = less(logs(mine, kind, base, t), logs(mine, kind, "conjugate", t))
            levels = {"scoring": what, "baseline": base, "budget": f"{t} sweeps"}
            found.append(compared(what, x, corpus, schedule, **levels))
    return Evidence(found, other_sums(lines))


def other_sums(lines: list[Line]) -> str:
    """The ratio with other sums of the asymmetric alpha, of which the paper gives no values."""
    rows = []
    for (corpus, schedule, size), mine in settings(select(lines, K="6"), "documents"):
        for model in sorted({x["model"] for x in mine if x["model"].startswith("conjugate, sum")}):
            x = [ratios(mine, "of_seen", base, model).get(int(size), []) for base in BASES]
            if all(x):
                means = [f"{np.mean(each):.3f}" for each in x]
                rows.append([corpus, f"`{schedule}`", size, model.split()[-1], *means])
    head = ["corpus", "schedule", "documents", "sum of alpha", "ratio to `em2`", "to `em2 later`"]
    text = "All this is with a sum of 1. Ratios over seen words after 50 sweeps with other sums:\n\n"
    return text + table(head, rows) if rows else ""


def decreases(lines: list[Line], scores: Sequence[str]) -> Iterator[Comparison]:
    """The log of the perplexity at a sweep less that at a later one."""
    for (corpus, schedule), mine in settings(of_six(lines)):
        for kind, (a, b) in product(scores, pairwise((5, 10, 20, LAST))):
            x = less(logs(mine, kind, "conjugate", a), logs(mine, kind, "conjugate", b))
            name = f"{SCORES[kind]}, sweep {a} to {b}"
            yield compared(name, x, corpus, schedule, scoring=SCORES[kind], budget=f"{a} to {b}")


def falls_more(lines: list[Line]) -> Iterator[Comparison]:
    """The fall of the conjugate model less that of a baseline, from the first scored sweep of both to the last."""
    for (corpus, schedule), mine in settings(of_six(lines)):
        for (base, first), (kind, what) in product((("em2", 5), ("em2 later", 20)), SCORES.items()):
            a, b, c, d = (logs(mine, kind, model, t) for model in ("conjugate", base) for t in (first, LAST))
            x = [a[run] - b[run] - c[run] + d[run] for run in a if run in b and run in c and run in d]
            yield compared(what, x, corpus, schedule, scoring=what, baseline=base)


def by_size(lines: list[Line], scores: Sequence[str], ends: bool = False) -> Iterator[Comparison]:
    """The log ratio above 3000 documents, and with its sign changed below; with `ends` the outer sizes alone."""
    for (corpus, schedule), mine in settings(lines):
        sizes = sorted({int(x["documents"]) for x in mine if x["model"] in BASES})
        for base, kind in product(BASES, scores):
            of = ratios(mine, kind, base)
            outer = [z for z in of if z == sizes[0] < SPARSE or z == sizes[-1] > SPARSE]
            for size in outer if ends else [z for z in of if z != SPARSE]:
                x = np.log(of[size]) * (-1 if size < SPARSE else 1)
                levels = {"corpus size": str(size), "scoring": SCORES[kind], "baseline": base}
                yield compared(f"{SCORES[kind]}, {size}", x, corpus, schedule, **levels)


def distances(lines: list[Line], base: str) -> dict[str, float]:
    """For each run the mean over the sizes of |log ratio| over seen words; only runs with all sizes."""
    at = {(x["documents"], x["run"], x["model"]): float(x["of_seen"]) for x in select(lines, sweep=str(LAST))}
    sizes, runs = ({key[i] for key in at} for i in (0, 1))
    found = {}
    for run in runs:
        pairs = [(at.get((z, run, "conjugate")), at.get((z, run, base))) for z in sizes]
        if all(x and y for x, y in pairs):
            found[run] = float(np.mean([abs(np.log(x / y)) for x, y in pairs if x and y]))
    return found


def many_topics(lines: list[Line]) -> Iterator[Comparison]:
    """The distance of the ratio from 1 with 6 topics less that with as many as classes; and the tendency with these."""
    yield from by_size([x for x in lines if x["K"] != "6"], ["of_seen"], ends=True)
    for (corpus, schedule), mine in settings(select(lines, model=("conjugate", *BASES))):
        few, *rest = sorted({x["K"] for x in mine}, key=int)
        for base, many in product(BASES, rest):
            x = less(*(distances(select(mine, K=k), base) for k in (few, many)))
            yield compared(f"K = {few} less K = {many}, `{base}`", x, corpus, schedule, baseline=base)


def priors(lines: list[Line]) -> Iterator[Comparison]:
    """Each prior alone against the three symmetric ones, and both together against each alone."""
    alone = ("asymmetric", "boojum")
    pairs = [(x, y, "alone against symmetric") for x in alone for y in SYMMETRIC]
    pairs += [("conjugate", y, "both against one") for y in alone]
    for (corpus, schedule), mine in settings(of_six(lines)):
        for (kind, what), (model, base, part) in product(SCORES.items(), pairs if select(mine, model=alone) else ()):
            x = less(logs(mine, kind, base, LAST), logs(mine, kind, model, LAST))
            levels = {"scoring": what, "baseline": base, "model": model}
            yield compared(f"{part}, {what}", x, corpus, schedule, **levels)


def proper(lines: list[Line]) -> Iterator[Comparison]:
    """3 less the powers of ten by which the smallest E[beta] falls from sweep 20 to sweep 50."""
    for (corpus, schedule), mine in settings(of_six(lines)):
        x = less(*(logs(mine, "smallest_eta", "conjugate", t) for t in (LAST, 20)))
        yield compared("smallest E[beta]", 3 + np.array(x) / np.log(10), corpus, schedule)


def seconds(lines: list[Line]) -> Iterator[Comparison]:
    for (corpus, schedule, K), mine in settings([x for x in lines if x["seconds"]], "K"):
        for base in BASES:
            for size, x in ratios(mine, "seconds", base).items():
                name, levels = f"K = {K}, {size} documents, `{base}`", {"corpus size": str(size), "baseline": base}
                yield compared(name, np.log(x), corpus, schedule, **levels)


def data(folder: Path) -> dict[str, Any]:
    lines = read(folder / "boo16/runs.csv")
    return {
        "lower": lower(lines),
        "decreases": decreases(lines, list(SCORES)),
        "decreases instead": decreases(lines, ["of_seen"]),
        "falls-more": falls_more(lines),
        "size": by_size(select(lines, K="6"), list(SCORES)),
        "size instead": by_size(select(lines, K="6"), ["of_seen"], ends=True),
        "topics": many_topics(lines),
        "priors": priors(lines),
        "proper": proper(lines),
        "seconds": seconds(lines),
    }
