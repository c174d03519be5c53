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

PRIOR_TITLES = {"fixed": "fixed, 0.1", "learned": "learned"}
STATUS_WORDS = {REPRODUCED: "holds", FAILS: "does not hold", UNDECIDED: "not decided", UNTESTED: "-"}


class Row(NamedTuple):
    """A conclusion with its tested comparisons, by prior."""

    conclusion: dict[str, Any]
    tested: dict[str, list[Tested]]


def texts() -> dict[str, Any]:
    return tomllib.loads((HERE / "priors/rows.toml").read_text("utf-8"))


def judged(db: Any) -> list[Row]:
    """All conclusions; the p-values of both priors in a row are adjusted together."""
    conclusions = {key: row for key, row in texts().items() if key != "page"}
    questions = {}
    for key, row in conclusions.items():
        tested_pairs = comparisons(db, [query_of(conclusions, query_words) for query_words in row["compare"]])
        questions[key] = Question(row["kind"], tested_pairs, "unit", row.get("threshold", 0.0), row.get("limit", 0.0))
    verdicts = evaluate(questions)
    by_prior = {key: keyed(verdict.tested, lambda t: t.comparison.levels["prior"]) for key, verdict in verdicts.items()}
    return [Row(row, by_prior[key]) for key, row in conclusions.items()]


def median_interval(x: Sequence[float]) -> tuple[float, float, float]:
    """The median, and the order statistics that enclose it with 95% (David and Nagaraja 2003, §7.1)."""
    sorted_x = np.sort(x)
    n_below = int(stats.binom.ppf(verdicts.LEVEL / 2, len(x), 0.5))
    return float(np.median(x)), float(sorted_x[max(n_below - 1, 0)]), float(sorted_x[min(len(x) - n_below, len(x) - 1)])


def cell(tests: Sequence[Tested]) -> str:
    """The verdict, how many comparisons agree and contradict, and the median of each pair over all units, by start."""
    verdict = Verdict(verdicts.status_of(tests), list(tests), np.nan)
    signs = [test.sign for test in tests]
    counts_text = f"{signs.count(1)} for, {signs.count(-1)} against, {signs.count(0)} undecided"
    needed_units = [test.needed for test in tests if test.needed and not test.sign]
    counts_text += f" ({span(needed_units, ',d')} units would decide)" if needed_units else ""
    status_word = STATUS_WORDS.get(verdict.status, verdict.status)
    cell_lines = [f"**{status_word}**: {counts_text}", *separated(verdict, verdicts.counting(tests))]
    for pair_name, pair_tests in keyed(tests, lambda test: test.comparison.name).items():
        by_start = keyed(pair_tests, lambda test: test.comparison.levels["start"]).values()
        intervals = [median_interval([x for t in start_tests for x in t.comparison.values]) for start_tests in by_start]
        cell_lines.append(f"{pair_name}: " + "; ".join(f"{x[0]:+.3f} ({x[1]:+.3f} to {x[2]:+.3f})" for x in intervals))
    return "<br>".join(cell_lines) if tests else STATUS_WORDS[UNTESTED]


def conclusions_table(judged_rows: Sequence[Row]) -> str:
    table_lines = []
    for row in judged_rows:
        conclusion_text = f"{row.conclusion['says']} ({row.conclusion['where']})<br>{row.conclusion['measure']}"
        table_lines.append([conclusion_text, *(cell(row.tested.get(prior, [])) for prior in PRIOR_TITLES)])
    return table(["conclusion", *PRIOR_TITLES.values()], table_lines)


def perplexity_table(db: Any) -> str:
    """The median and the range over units, for each algorithm, start, corpus and prior."""
    line_groups = keyed(db.execute("select label, corpus, prior, perplexity from perplexities"), lambda line: line[:3])
    labels, corpora = (dict.fromkeys(group[i] for group in line_groups) for i in range(2))

    def spreads(label: str, corpus: str) -> str:
        lines_of_prior = [line_groups.get((label, corpus, prior), []) for prior in PRIOR_TITLES]
        return " → ".join(spread([line[3] for line in prior_lines]) for prior_lines in lines_of_prior if prior_lines)

    return table(["algorithm", *corpora], [[x, *(spreads(x, corpus) for corpus in corpora)] for x in labels])


def with_place(test: Tested) -> Tested:
    """A comparison whose name has its corpus and its start."""
    c = test.comparison
    return test._replace(comparison=c._replace(name=f"{c.levels['corpus']}, {c.levels['start']}: {c.name}"))


def details(judged_rows: Sequence[Row]) -> list[str]:
    """Every comparison with its mean over units and Student's interval, a table for each row and prior."""
    detail_lines = []
    for judged_row in judged_rows:
        for prior, tests in judged_row.tested.items():
            table_rows = rows(list(map(with_place, tests)))
            detail_lines += [f"{judged_row.conclusion['says']} Prior: {prior}.", "", table(HEAD, table_rows), ""]
    return folded("All comparisons", detail_lines)


def page(folder: Path) -> str:
    db, text = database(folder, "priors"), texts()["page"]
    judged_rows = judged(db)
    lines = [text["head"], conclusions_table(judged_rows), "", *(noted(db, **note) for note in text.get("changes", ()))]
    lines += [text["perplexities"], perplexity_table(db), "", text["rule"], *details(judged_rows)]
    return "\n".join(lines).rstrip() + "\n"


def write_page(out_folder: Path) -> None:
    (out_folder / "PRIORS.md").write_text(page(out_folder), encoding="utf-8")
