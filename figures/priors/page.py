"""Write PRIORS.md from priors/runs.csv: a verdict for each row of rows.toml and each prior, and the perplexities."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from figures import verdicts
from figures.common import HERE, keyed, table
from figures.ledger import folded
from figures.queries import comparisons, database, noted, query_of
from figures.search.tables import spread
from figures.verdict_text import HEAD, rows, separated, span
from figures.verdicts import FAILS, REPRODUCED, UNDECIDED, UNTESTED, Question, Tested, Verdict, evaluate

PRIORS = {"fixed": "fixed, 0.1", "learned": "learned"}
WORDS = {REPRODUCED: "holds", FAILS: "does not hold", UNDECIDED: "not decided", UNTESTED: "-"}


class Row(NamedTuple):
    """A conclusion with its tested comparisons, by prior."""

    conclusion: dict[str, Any]
    tested: dict[str, list[Tested]]


def texts() -> dict[str, Any]:
    return tomllib.loads((HERE / "priors/rows.toml").read_text("utf-8"))


def judged(db: Any) -> list[Row]:
    """All conclusions; the p-values of both priors in a row are adjusted together."""
    conclusions = {name: x for name, x in texts().items() if name != "page"}
    questions = {}
    for name, x in conclusions.items():
        compared = comparisons(db, [query_of(conclusions, words) for words in x["compare"]])
        questions[name] = Question(x["kind"], compared, "unit", x.get("threshold", 0.0), x.get("limit", 0.0))
    verdicts = evaluate(questions)
    by_prior = {name: keyed(x.tested, lambda t: t.comparison.levels["prior"]) for name, x in verdicts.items()}
    return [Row(x, by_prior[name]) for name, x in conclusions.items()]


def median_interval(x: Sequence[float]) -> tuple[float, float, float]:
    """The median, and the order statistics that enclose it with 95% (David and Nagaraja 2003, §7.1)."""
    ordered = np.sort(x)
    below = int(stats.binom.ppf(verdicts.LEVEL / 2, len(x), 0.5))
    return float(np.median(x)), float(ordered[max(below - 1, 0)]), float(ordered[min(len(x) - below, len(x) - 1)])


def cell(tested: Sequence[Tested]) -> str:
    """The verdict, how many comparisons agree and contradict, and the median of each pair over all units, by start."""
    verdict = Verdict(verdicts.status_of(tested), list(tested), np.nan)
    signs = [t.sign for t in tested]
    counts = f"{signs.count(1)} for, {signs.count(-1)} against, {signs.count(0)} undecided"
    would = [t.needed for t in tested if t.needed and not t.sign]
    counts += f" ({span(would, ',d')} units would decide)" if would else ""
    status = WORDS.get(verdict.status, verdict.status)
    parts = [f"**{status}**: {counts}", *separated(verdict, verdicts.counting(tested))]
    for name, group in keyed(tested, lambda t: t.comparison.name).items():
        by_start = keyed(group, lambda t: t.comparison.levels["start"]).values()
        intervals = [median_interval([x for t in alike for x in t.comparison.values]) for alike in by_start]
        parts.append(f"{name}: " + "; ".join(f"{x[0]:+.3f} ({x[1]:+.3f} to {x[2]:+.3f})" for x in intervals))
    return "<br>".join(parts) if tested else WORDS[UNTESTED]


def conclusions_table(judged_rows: Sequence[Row]) -> str:
    lines = []
    for x in judged_rows:
        first = f"{x.conclusion['says']} ({x.conclusion['where']})<br>{x.conclusion['measure']}"
        lines.append([first, *(cell(x.tested.get(prior, [])) for prior in PRIORS)])
    return table(["conclusion", *PRIORS.values()], lines)


def perplexity_table(db: Any) -> str:
    """The median and the range over units, for each algorithm, start, corpus and prior."""
    groups = keyed(db.execute("select label, corpus, prior, perplexity from perplexities"), lambda x: x[:3])
    labels, corpora = (dict.fromkeys(x[i] for x in groups) for i in range(2))

    def spreads(label: str, corpus: str) -> str:
        cells = [groups.get((label, corpus, prior), []) for prior in PRIORS]
        return " → ".join(spread([x[3] for x in cell]) for cell in cells if cell)

    return table(["algorithm", *corpora], [[x, *(spreads(x, corpus) for corpus in corpora)] for x in labels])


def with_place(t: Tested) -> Tested:
    """A comparison whose name has its corpus and its start."""
    c = t.comparison
    return t._replace(comparison=c._replace(name=f"{c.levels['corpus']}, {c.levels['start']}: {c.name}"))


def details(judged_rows: Sequence[Row]) -> list[str]:
    """Every comparison with its mean over units and Student's interval, a table for each row and prior."""
    lines = []
    for x in judged_rows:
        for prior, tested in x.tested.items():
            placed = rows(list(map(with_place, tested)))
            lines += [f"{x.conclusion['says']} Prior: {prior}.", "", table(HEAD, placed), ""]
    return folded("All comparisons", lines)


def page(folder: Path) -> str:
    db, text = database(folder, "priors"), texts()["page"]
    judged_rows = judged(db)
    lines = [text["head"], conclusions_table(judged_rows), "", *(noted(db, **x) for x in text.get("changes", ()))]
    lines += [text["perplexities"], perplexity_table(db), "", text["rule"], *details(judged_rows)]
    return "\n".join(lines).rstrip() + "\n"


def write_page(out: Path) -> None:
    (out / "PRIORS.md").write_text(page(out), encoding="utf-8")
