"""The settings in which `sn12.py` ran, the paired differences in them, and what a claim rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from signs import PAIRS

from lda_reference.evaluation.search import Difference, paired

Line = dict[str, str]
ORDERS = ("token", "block", "corpus", "nested")


class Setting(NamedTuple):
    study: str
    T: str
    schedule: str
    start: str
    stopped: str

    def __str__(self) -> str:
        return f"{self.study}, T = {self.T}, `{self.schedule}`, {self.start}"


Runs = dict[Setting, dict[str, dict[str, Line]]]  # of a setting, an algorithm, a seed


def by_setting(lines: Iterable[Line]) -> Runs:
    """The lines in order; `token` runs stop after 100 sweeps, so one of their two lines is enough."""
    found: Runs = defaultdict(lambda: defaultdict(dict))
    for x in lines:
        if not (x["schedule"] == "token" and x["stopped"] == "end"):
            key = Setting(*(x[name] for name in Setting._fields))
            found[key][x["algorithm"]][x["seed"]] = x
    return dict(sorted(found.items(), key=lambda item: (*item[0][:2], ORDERS.index(item[0].schedule), *item[0][3:])))


def difference(x: dict[str, Line], y: dict[str, Line], kind: str = "perplexity") -> Difference | None:
    """The mean of x - y over the seeds that both have, if there are enough of them."""
    seeds = sorted(set(x) & set(y))
    if len(seeds) < PAIRS:
        return None
    return paired([float(x[seed][kind]) for seed in seeds], [float(y[seed][kind]) for seed in seeds])


def shown(d: Difference | None, digits: int = 0) -> str:
    return "-" if d is None else f"{d.mean:+,.{digits}f} ± {d.standard_error:,.{digits}f}"


def rests_on(tested: Iterable[tuple[Setting, Difference | None]]) -> str:
    """A sentence with the corpora, T, schedules, starts and numbers of runs of the differences that were counted."""
    found: dict[tuple[str, str], list[tuple[Setting, int]]] = defaultdict(list)
    for setting, d in tested:
        if d is not None:
            found[setting.study, setting.T].append((setting, d.pairs))
    texts = []
    for (study, T), of in found.items():
        orders = ", ".join(f"`{x}`" for x in ORDERS if any(x == setting.schedule for setting, _ in of))
        starts = " and ".join(sorted({setting.start for setting, _ in of}))
        numbers = sorted({n for _, n in of})
        runs = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        texts.append(f"{study} with T = {T} ({orders} order, from {starts}, {runs} runs each)")
    one = "one corpus and one T, " if len(texts) == 1 else ""
    return f" This rests on {one}{'; '.join(texts)}." if texts else ""


def extremes(lines: list[Line], worse: str, names: Iterable[str]) -> str:
    """For each study the smallest perplexity of one algorithm and the largest of others, where the runs end."""
    texts = []
    for study, T in sorted({(x["study"], x["T"]) for x in lines}):
        ends = [x for x in lines if (x["study"], x["T"], x["stopped"]) == (study, T, "end")]
        low, high = ([float(x["perplexity"]) for x in ends if x["algorithm"] in some] for some in ([worse], names))
        if low and high:
            texts.append(f"{min(low):,.0f} and {max(high):,.0f} ({study})")
    return f"are {'; '.join(texts)}"
