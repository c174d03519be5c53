"""Numbers of awst09.py as text, differences between groups of runs, and the verdict that they give."""

from collections.abc import Iterable
from typing import Any

from awst09_lines import by_seed, grouped, numbers, offset, select

from lda_reference.evaluation import search

STOP = (
    "a run ends when its bound changes by less than 1e-5 nats per token and sweep, or (+) after 200 sweeps (`nested`:"
    " 100; at 0.1, 0.1 in the other schedules: 500)"
)
Groups = dict[str, list[dict[str, str]]]
SUBSTANTIAL = 0.05  # of the other's perplexity


def about(lines: Iterable[Any]) -> str:
    """The settings that lines share."""
    lines = list(lines)
    if not lines:
        return "Not run yet."
    studies, topics, starts = (", ".join(dict.fromkeys(x[y] for x in lines)) for y in ("study", "K", "start"))
    seeds = {len({y["seed"] for y in select(lines, study=x)}) for x in {y["study"] for y in lines}}
    count = f"{min(seeds)} to {max(seeds)} seeds" if len(seeds) > 1 else f"{max(seeds)} seed{'s'[: max(seeds) - 1]}"
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


def text(d: search.Difference | None) -> str:
    if d is None:
        return "-"
    return f"{d.mean:+.0f} ± {d.standard_error:.0f}" if d.pairs > 1 else f"{d.mean:+.0f} (one pair)"


def above(d: search.Difference | None) -> bool | None:
    """Whether a difference is positive; unknown with fewer than two pairs."""
    return None if d is None or d.pairs < 2 else bool(d.mean > 2 * d.standard_error)


def below(d: search.Difference | None) -> bool | None:
    return None if d is None or d.pairs < 2 else bool(d.mean < -2 * d.standard_error)


def worse(a: Any, b: Any) -> bool | None:
    """Whether a is above b; of a single pair only if the difference is substantial, otherwise unknown."""
    d = difference(a, b)
    if d is None or d.pairs > 1:
        return above(d)
    return d.mean > 0 if abs(d.mean) > SUBSTANTIAL * numbers(b).mean() else None


def far_above(a: Any, b: Any) -> bool | None:
    """Whether a is above b by more than two standard errors and by a substantial part of b."""
    d = difference(a, b)
    return above(d) and bool(d and d.mean > SUBSTANTIAL * numbers(b).mean())


def verdict(found: Iterable[bool | None]) -> str:
    known = [x for x in found if x is not None]
    if not known:
        return "not tested"
    return "reproduced" if all(known) else "depends on search" if any(known) else "not reproduced"


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


def listed(found: dict[str, search.Difference | None]) -> str:
    return "; ".join(f"{name} {text(d)}" for name, d in found.items() if d is not None)


def studies_of(lines: Any) -> list[str]:
    return list(dict.fromkeys(x["study"] for x in lines))


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def comparison(lines: Any) -> str:
    """A table of the runs of each label of each study, with the differences from CVB0, CVB and MAP."""
    rows = []
    for study in studies_of(lines):
        groups = grouped(select(lines, study=study))
        for name, x in groups.items():
            compared = [text(difference(x, groups[y])) if y in groups and y != name else "-"
                        for y in ("cvb0", "cvb", "map")]  # fmt: skip
            bound = of(x, "bound_2", 3) if x[0]["bound_2"] else "-"
            rows.append([study, name, of(x), *compared, bound, sweeps(x)])
    head = ["", "", "perplexity", "less cvb0's", "less cvb's", "less map's", "bound (2) per token", "sweeps"]
    return table(head, rows) if rows else "No runs yet."
