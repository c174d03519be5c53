"""Numbers of awst09.py as text, differences between groups of runs, and the verdict that they give.

A comparison has a sign: 1 if the claim holds in it, -1 if the opposite holds, 0 if the runs cannot tell, and None if
there are too few runs. A difference is told from 0 by Student's t at the 5% level (two-sided), because with three seeds
a difference of twice its standard error is nothing unusual.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from awst09_lines import by_seed, grouped, numbers, offset, select
from scipy import stats

from lda_reference.evaluation import search

STOP = (
    "a run ends when its bound changes by less than 1e-5 nats per token and sweep, or (+) after 200 sweeps (`nested`:"
    " 100; at 0.1, 0.1 in the other schedules: 500; cgs: 100)"
)
NAMES = {"kos-400": "400 documents of KOS", "kos": "KOS", "cranfield": "Cranfield", "20news-1500": "1500 documents of"
         " 20 Newsgroups", "nips-200": "200 documents of NIPS", "nips": "NIPS", "drawn": "a drawn corpus"}  # fmt: skip
Groups = dict[str, list[dict[str, str]]]
SUBSTANTIAL = 0.05  # of the other's perplexity


def scope(lines: Iterable[Any]) -> str:
    """A sentence: on which corpora, with which K and how many seeds."""
    lines = list(lines)
    if not lines:
        return "Nothing was run."
    parts = []
    for study in studies_of(lines):
        mine = select(lines, study=study)
        seeds = {k: len({x["seed"] for x in select(mine, K=k)}) for k in sorted({int(x["K"]) for x in mine})}
        with_seeds = [f"K = {', '.join(str(k) for k in seeds if seeds[k] == n)} with {plural(n, 'seed')}"
                      for n in sorted(set(seeds.values()), reverse=True)]  # fmt: skip
        parts.append(f"{NAMES.get(study, study)}, {', '.join(with_seeds)}")
    return f"{'One corpus' if len(parts) == 1 else plural(len(parts), 'corpus', 'corpora')}: {'; '.join(parts)}."


def plural(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def about(lines: Iterable[Any]) -> str:
    """The settings that lines share."""
    lines = list(lines)
    if not lines:
        return "Not run yet."
    studies, starts = (", ".join(dict.fromkeys(x[y] for x in lines)) for y in ("study", "start"))
    topics = ", ".join(str(k) for k in sorted({int(x["K"]) for x in lines}))
    seeds = {len({y["seed"] for y in select(lines, study=a, K=k)}) for a, k in {(x["study"], x["K"]) for x in lines}}
    count = f"{min(seeds)} to {max(seeds)} seeds" if len(seeds) > 1 else plural(max(seeds), "seed")
    return f"{studies}; K = {topics}; starts: {starts}; {count}; {STOP}."


def of(lines: Any, column: str = "perplexity", digits: int | None = None) -> str:
    """The mean and, of several runs, the range."""
    if not lines:
        return "-"
    x = numbers(lines, column)
    digits = int(x.max() < 100) if digits is None else digits
    mean = f"{x.mean():.{digits}f}"
    return mean if len(x) == 1 else f"{mean} ({x.min():.{digits}f} to {x.max():.{digits}f})"


def sweeps(lines: Any) -> str:
    """The range of the numbers of sweeps; a plus where a run was stopped before it settled."""
    x = [int(line["at"].split()[1]) for line in lines]
    more = "+" if any(line["settled"] == "False" for line in lines) else ""
    return f"{min(x)}{more}" if min(x) == max(x) else f"{min(x)} to {max(x)}{more}"


def difference(a: Any, b: Any) -> search.Difference | None:
    """The mean of the perplexities of a less those of b, over the seeds that both have."""
    x, y = by_seed(a), by_seed(b)
    shared = sorted(x.keys() & y.keys())
    return search.paired([x[i] for i in shared], [y[i] for i in shared]) if shared else None


def unpaired(x: Any, y: Any) -> search.Difference | None:
    """The difference of the means of two groups whose runs do not belong together."""
    if min(len(x), len(y)) < 2:
        return None
    error = np.sqrt(np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y))
    return search.Difference(float(np.mean(x) - np.mean(y)), float(error), min(len(x), len(y)))


def text(d: search.Difference | None) -> str:
    if d is None:
        return "-"
    return f"{d.mean:+.0f} ± {d.standard_error:.0f}" if d.pairs > 1 else f"{d.mean:+.0f} (one pair)"


def reach(d: search.Difference) -> float:
    """Half of the length of the 95% interval of a mean difference."""
    return float(stats.t.ppf(0.975, d.pairs - 1)) * d.standard_error


def sign(d: search.Difference | None) -> int | None:
    """1 or -1 for a difference that can be told from 0, 0 for another, None with fewer than two pairs."""
    if d is None or d.pairs < 2:
        return None
    return int(np.sign(d.mean)) if abs(d.mean) > reach(d) else 0


def worse(a: Any, b: Any) -> int | None:
    """Whether a is above b; a single pair counts only if the difference is substantial."""
    d = difference(a, b)
    if d is None or d.pairs > 1:
        return sign(d)
    return int(np.sign(d.mean)) if abs(d.mean) > SUBSTANTIAL * numbers(b).mean() else None


def far_above(d: search.Difference | None, b: Any, part: float = SUBSTANTIAL) -> int | None:
    """1 if a difference from b is more than a part of b and not chance, -1 if it certainly is not."""
    if d is None or d.pairs < 2:
        return None
    limit = part * numbers(b).mean()
    return 1 if sign(d) == 1 and d.mean > limit else -1 if d.mean + reach(d) < limit else 0


def within(d: search.Difference | None, limit: float) -> int | None:
    """1 if the 95% interval of a difference is within the limits, -1 if it is beyond them, None if neither."""
    if d is None or d.pairs < 2:
        return None
    return 1 if abs(d.mean) + reach(d) <= limit else -1 if abs(d.mean) - reach(d) > limit else None


def verdict(found: Iterable[int | None]) -> str:
    known = [x for x in found if x is not None]
    if not any(known):  # nothing was told from 0
        return "not tested"
    if all(x == 1 for x in known):
        return "reproduced"
    return "depends on search" if 1 in known else "not reproduced"


def fixed(lines: Any, alpha: float = 0.1, eta: float = 0.1) -> list[Any]:
    """The lines at a prior, to which the algorithm's offset is added."""
    return [x for x in select(lines, setting="fixed") if x["algorithm"] != "ml" and
            abs(float(x["alpha"]) - offset(x) - alpha) + abs(float(x["eta"]) - offset(x) - eta) < 1e-9]  # fmt: skip


def usual(lines: Any) -> list[Any]:
    """The lines with the paper's estimates (15), without VB from raised priors."""
    return select([x for x in lines if x["setting"] != "raised"], estimator=("mean", "own"))


def of_vb(groups: Groups) -> Groups:
    return {name: lines for name, lines in groups.items() if lines[0]["algorithm"] == "vb"}


def references(groups: Groups) -> Groups:
    """CVB0, CVB and MAP in corpus order from random rows, with which VB is compared."""
    return {name: groups[name] for name in ("cvb0", "cvb", "map") if name in groups}


def studies_of(lines: Any) -> list[str]:
    return list(dict.fromkeys(x["study"] for x in lines))


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def comparison(lines: Any, against: tuple[str, ...] = ("cvb0", "cvb", "map")) -> str:
    """A table of the runs of each label of each study, with the differences from some of the algorithms."""
    rows = []
    for study in studies_of(lines):
        groups = grouped(select(lines, study=study))
        for name, x in groups.items():
            compared = [text(difference(x, groups[y])) if y in groups and y != name else "-" for y in against]
            bound = of(x, "bound_2", 3) if x[0]["bound_2"] else "-"
            rows.append([study, name, of(x), *compared, bound, sweeps(x)])
    head = ["corpus", "algorithm", "perplexity", *(f"less {x}'s" for x in against), "bound (2) per token", "sweeps"]
    return table(head, rows) if rows else "No runs yet."
