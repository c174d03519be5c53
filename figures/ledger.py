"""Write LEDGER.md: the claims of the five papers with their status, from the CSV files of this folder.

    python -m figures.ledger [--quick]

Without --quick the verdicts are written into equations.toml, too, behind the claims that it names.
"""

import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from figures.common import HERE, options, table
from figures.queries import Evidence, database, evidence_of
from figures.search import choices
from figures.search import results as search_results
from figures.search.runs import STUDIES
from figures.search.tables import cross_table, runs_table
from figures.verdict_text import HEAD as COLUMNS
from figures.verdict_text import graded, rows, sentence
from figures.verdicts import GRADES, REPRODUCED, STATUSES, Question, Verdict, evaluate

PAPERS = ("TNW06", "AWST09", "SOL14", "SN12", "BOO16")


class Judged(NamedTuple):
    """A claim of claims.toml with what its comparisons were asked, their verdict, and a note with other numbers.

    `second` is the verdict of the claim's second form, if it has one.
    """

    claim: dict[str, Any]
    question: Question
    verdict: Verdict
    note: str
    second: Verdict | None = None


def question(claim: dict[str, Any], evidence: Evidence) -> Question:
    limits = {key: claim[key] for key in ("unit", "threshold", "limit", "reason") if key in claim}
    return Question(claim["kind"], evidence.comparisons, **limits, has_schedule="paper" in claim)


@cache
def toml() -> dict[str, Any]:
    return tomllib.loads((HERE / "claims.toml").read_text("utf-8"))


@cache
def claims_of(paper: str) -> dict[str, dict[str, Any]]:
    """The claims of a paper in claims.toml, with what holds for all of them."""
    paper_table = toml()[paper]
    shared_keys = {key: entry for key, entry in paper_table.items() if not isinstance(entry, dict)}
    return {name: shared_keys | claim for name, claim in paper_table.items() if isinstance(claim, dict)}


def forms_of(paper: str) -> dict[str, dict[str, Any]]:
    """The claims of a paper, and under the name "X instead" the second form of the claim X."""
    claims = claims_of(paper)
    return claims | {f"{name} instead": x | x["instead"] for name, x in claims.items() if "instead" in x}


def judged(folder: Path, papers: Sequence[str] = PAPERS) -> dict[str, dict[str, Judged]]:
    """The claims of some papers, by default all, with their verdicts, which are given together."""
    evidence: dict[str, Evidence] = {}
    questions: dict[str, Question] = {}
    for paper in papers:
        db = database(folder, paper)
        for name, claim in forms_of(paper).items():
            key = f"{paper} {name}"
            try:
                evidence[key] = evidence_of(db, claims_of(paper), claim)
            except (sqlite3.Error, ValueError, TypeError) as error:
                raise ValueError(f"claims.toml, {key}: {error}") from error
            questions[key] = question(claim, evidence[key])
    verdicts = evaluate(questions)
    return {
        paper: {
            name: Judged(claim, questions[key], verdicts[key], evidence[key].note, verdicts.get(f"{key} instead"))
            for name, claim in claims_of(paper).items()
            for key in [f"{paper} {name}"]
        }
        for paper in papers
    }


def summary(papers: dict[str, dict[str, Judged]]) -> str:
    """How many claims of each paper have each status."""
    lines = []
    for paper, claims in papers.items():
        counts = [sum(claim.verdict.status.startswith(status) for claim in claims.values()) for status in STATUSES]
        lines.append([paper, *map(str, counts)])
    return table(["paper", *STATUSES], lines)


def outcome(papers: dict[str, dict[str, Judged]]) -> str:
    """How many claims are reproduced, and how strong the evidence is."""
    verdicts = [verdict.verdict for claims in papers.values() for verdict in claims.values()]
    grades = [verdict.grade for verdict in verdicts if verdict.status == REPRODUCED]
    own_setting, elsewhere, single, mixed = (sum(word.startswith(grade) for word in grades) for grade in GRADES)
    more_against = sum(word.endswith(": more against") for word in grades)
    return (
        f"Of {len(verdicts)} claims, {len(grades)} are reproduced. Of these, {own_setting} are reproduced in the"
        f" paper's own setting, {elsewhere} elsewhere only, and {single} by one comparison. The other {mixed} are"
        f" mixed: comparisons are decided against them, too, and for {more_against} of them more than agree."
    )


def section(paper: str, claims: dict[str, Judged], folder: Path) -> list[str]:
    lines, shown_figures = [f"## {paper}", ""], set()
    for judged_claim in claims.values():
        claim, tested = judged_claim.claim, judged_claim.verdict.tested
        status = graded(judged_claim.verdict)
        lines += [f"### {claim['where']}: {claim['says']}", "", f"> {claim['quote']}", ""]
        lines += [f"**{status[0].upper()}{status[1:]}.** {sentence(judged_claim.verdict, judged_claim.question)}", ""]
        if judged_claim.second:
            lines += [f"Second form, {graded(judged_claim.second)}: {claim['instead']['says']}", ""]
        details = []
        if tested:
            details += [f"In the table: {claim['measure']}{mean_rule(judged_claim.question)}.", ""]
            details += [table(COLUMNS, rows(tested, claim.get("form", "+.3g"))), ""]
        details += [judged_claim.note.strip(), ""] if judged_claim.note else []
        details += [settings(claim), "", f"Refuted if: {claim['refuted']}", "", f"Source: {claim['source']}", ""]
        for figure in numbers_of(claim["where"]):
            picture = f"{paper.lower()}/fig{figure}.svg"
            if figure not in shown_figures and (folder / picture).exists():
                lines += [f"![{paper} Figure {figure}, redrawn]({picture})", "", caption(paper, figure, claims), ""]
            shown_figures.add(figure)
        lines += folded("The comparisons and their settings" if tested else "The settings", details)
    return lines


def folded(title: str, lines: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *lines, "</details>", ""]


def with_folded_tables(text: str) -> str:
    """Markdown whose tables are folded."""
    return re.sub(r"((?:^\|.*\n)+)", lambda x: "\n".join(folded("Table", [x[1]])), text + "\n", flags=re.MULTILINE)


def mean_rule(q: Question) -> str:
    """What the mean has to be, where that is not above 0."""
    if q.kind == "likeness":
        return f"; within ± {q.limit:g}"
    return f"; above {q.threshold:g}" if q.threshold else ""


def settings(claim: dict[str, Any]) -> str:
    prefixes = {"corpora": "", "algorithms": "", "paper": "the paper's own: "}
    settings_text = "; ".join(prefixes[key] + claim[key] for key in prefixes if key in claim)
    return f"Settings: {settings_text or 'none'}." + (f" {claim['settings']}" if "settings" in claim else "")


def numbers_of(where: str) -> list[str]:
    """The numbers of the figures that a place names."""
    return re.findall(r"\d", where.partition("Fig")[2])


def caption(paper: str, number: str, claims: dict[str, Judged]) -> str:
    """What a figure shows in print, what stands for it here, and the statuses of its claims."""
    matching, texts = [x for x in claims.values() if number in numbers_of(x.claim["where"])], toml()["figures"][paper]
    counts = Counter(claim.verdict.status for claim in matching)
    statuses = ", ".join(f"{count} {status}" for status, count in counts.items())
    return (
        f"*{paper} Figure {number}.* In print: {texts[number]['print']} Here: {texts[number]['here']} Its"
        f" {'claim' if len(matching) == 1 else 'claims'}: {statuses}."
    )


def with_verdicts(text: str, papers: dict[str, dict[str, Judged]]) -> str:
    """The text of equations.toml with its verdict behind each claim of the ledger."""
    judged_claims = [claim for claims in papers.values() for claim in claims.values()]
    verdicts = {f"{claim.claim['where']}: {claim.claim['says']}": graded(claim.verdict) for claim in judged_claims}
    claim_line = re.compile(rf'^    "({"|".join(map(re.escape, verdicts))})(?: \[.*\])?",$', re.MULTILINE)
    return claim_line.sub(lambda line: f'    "{line[1]} [{verdicts[line[1]]}]",', text)


def page(folder: Path, papers: dict[str, dict[str, Judged]]) -> str:
    """The ledger from the CSV files of a folder and the claims with their verdicts."""
    texts = toml()["ledger"]
    lines = [texts["head"], outcome(papers), "", summary(papers), "", texts["rule"]]
    for paper, claims in papers.items():
        lines += section(paper, claims, folder)
    search_lines = [texts["experiment"], *search_results.page(folder / "search/experiment.csv"), "", texts["choices"]]
    search_lines += [*choices.page(folder / "search"), "", texts["search"]]
    for study, K in STUDIES.items():
        parts = filter(None, (tables_of(folder, study) for tables_of in (runs_table, cross_table)))
        tables = [line for part in parts for line in (*part, "")]
        search_lines += [f"### {study}, K = {K}", "", *tables] if tables else []
    lines.append(with_folded_tables("\n".join(search_lines)))
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    out_folder = options(__doc__ or "", []).out
    papers, equations = judged(out_folder), HERE.parent / "equations.toml"
    (out_folder / "LEDGER.md").write_text(page(out_folder, papers), encoding="utf-8")
    if out_folder == HERE:
        equations.write_text(with_verdicts(equations.read_text("utf-8"), papers), encoding="utf-8")


if __name__ == "__main__":
    main()
