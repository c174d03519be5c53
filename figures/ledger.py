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
    given_fields = {field: claim[field] for field in ("unit", "threshold", "limit", "reason") if field in claim}
    return Question(claim["kind"], evidence.comparisons, **given_fields, has_schedule="paper" in claim)


@cache
def toml() -> dict[str, Any]:
    return tomllib.loads((HERE / "claims.toml").read_text("utf-8"))


@cache
def claims_of(paper: str) -> dict[str, dict[str, Any]]:
    """The claims of a paper in claims.toml, with what holds for all of them."""
    paper_table = toml()[paper]
    shared_fields = {field: entry for field, entry in paper_table.items() if not isinstance(entry, dict)}
    return {claim_name: shared_fields | claim for claim_name, claim in paper_table.items() if isinstance(claim, dict)}


def forms_of(paper: str) -> dict[str, dict[str, Any]]:
    """The claims of a paper, and under the name "X instead" the second form of the claim X."""
    claims = claims_of(paper)
    return claims | {f"{name} instead": form | form["instead"] for name, form in claims.items() if "instead" in form}


def judged(folder: Path, papers: Sequence[str] = PAPERS) -> dict[str, dict[str, Judged]]:
    """The claims of some papers, by default all, with their verdicts, which are given together."""
    evidence: dict[str, Evidence] = {}
    questions: dict[str, Question] = {}
    for paper in papers:
        db = database(folder, paper)
        for claim_name, claim in forms_of(paper).items():
            key = f"{paper} {claim_name}"
            try:
                evidence[key] = evidence_of(db, claims_of(paper), claim)
            except (sqlite3.Error, ValueError, TypeError) as error:
                raise ValueError(f"claims.toml, {key}: {error}") from error
            questions[key] = question(claim, evidence[key])
    verdicts = evaluate(questions)
    return {
        paper: {
            claim_name: Judged(claim, questions[key], verdicts[key], evidence[key].note, verdicts.get(f"{key} instead"))
            for claim_name, claim in claims_of(paper).items()
            for key in [f"{paper} {claim_name}"]
        }
        for paper in papers
    }


def summary(judged_papers: dict[str, dict[str, Judged]]) -> str:
    """How many claims of each paper have each status."""
    table_lines = []
    for paper, claims in judged_papers.items():
        n_of_status = [sum(claim.verdict.status.startswith(status) for claim in claims.values()) for status in STATUSES]
        table_lines.append([paper, *map(str, n_of_status)])
    return table(["paper", *STATUSES], table_lines)


def outcome(judged_papers: dict[str, dict[str, Judged]]) -> str:
    """How many claims are reproduced, and how strong the evidence is."""
    verdicts = [judged_claim.verdict for claims in judged_papers.values() for judged_claim in claims.values()]
    grades = [verdict.grade for verdict in verdicts if verdict.status == REPRODUCED]
    n_own_setting, n_elsewhere, n_single, n_mixed = (sum(word.startswith(grade) for word in grades) for grade in GRADES)
    n_more_against = sum(claim_grade.endswith(": more against") for claim_grade in grades)
    return (
        f"Of {len(verdicts)} claims, {len(grades)} are reproduced. Of these, {n_own_setting} are reproduced in the"
        f" paper's own setting, {n_elsewhere} elsewhere only, and {n_single} by one comparison. The other {n_mixed} are"
        f" mixed: comparisons are decided against them, too, and for {n_more_against} of them more than agree."
    )


def section(paper: str, claims: dict[str, Judged], folder: Path) -> list[str]:
    lines, shown_figures = [f"## {paper}", ""], set()
    for judged_claim in claims.values():
        claim, tested_comparisons = judged_claim.claim, judged_claim.verdict.tested
        status = graded(judged_claim.verdict)
        lines += [f"### {claim['where']}: {claim['says']}", "", f"> {claim['quote']}", ""]
        lines += [f"**{status[0].upper()}{status[1:]}.** {sentence(judged_claim.verdict, judged_claim.question)}", ""]
        if judged_claim.second:
            lines += [f"Second form, {graded(judged_claim.second)}: {claim['instead']['says']}", ""]
        detail_lines = []
        if tested_comparisons:
            detail_lines += [f"In the table: {claim['measure']}{mean_rule(judged_claim.question)}.", ""]
            detail_lines += [table(COLUMNS, rows(tested_comparisons, claim.get("form", "+.3g"))), ""]
        detail_lines += [judged_claim.note.strip(), ""] if judged_claim.note else []
        detail_lines += [settings(claim), "", f"Refuted if: {claim['refuted']}", "", f"Source: {claim['source']}", ""]
        for number in numbers_of(claim["where"]):
            svg_path = f"{paper.lower()}/fig{number}.svg"
            if number not in shown_figures and (folder / svg_path).exists():
                lines += [f"![{paper} Figure {number}, redrawn]({svg_path})", "", caption(paper, number, claims), ""]
            shown_figures.add(number)
        lines += folded("The comparisons and their settings" if tested_comparisons else "The settings", detail_lines)
    return lines


def folded(title: str, md_lines: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *md_lines, "</details>", ""]


def with_folded_tables(text: str) -> str:
    """Markdown whose tables are folded."""
    return re.sub(r"((?:^\|.*\n)+)", lambda x: "\n".join(folded("Table", [x[1]])), text + "\n", flags=re.MULTILINE)


def mean_rule(asked_question: Question) -> str:
    """What the mean has to be, where that is not above 0."""
    if asked_question.kind == "likeness":
        return f"; within ± {asked_question.limit:g}"
    return f"; above {asked_question.threshold:g}" if asked_question.threshold else ""


def settings(claim: dict[str, Any]) -> str:
    prefixes = {"corpora": "", "algorithms": "", "paper": "the paper's own: "}
    settings_text = "; ".join(prefixes[claim_key] + claim[claim_key] for claim_key in prefixes if claim_key in claim)
    return f"Settings: {settings_text or 'none'}." + (f" {claim['settings']}" if "settings" in claim else "")


def numbers_of(place_in_paper: str) -> list[str]:
    """The numbers of the figures that a place names."""
    return re.findall(r"\d", place_in_paper.partition("Fig")[2])


def caption(paper: str, number: str, claims: dict[str, Judged]) -> str:
    """What a figure shows in print, what stands for it here, and the statuses of its claims."""
    fig_claims, texts = [x for x in claims.values() if number in numbers_of(x.claim["where"])], toml()["figures"][paper]
    n_of_status = Counter(claim.verdict.status for claim in fig_claims)
    statuses_text = ", ".join(f"{count} {status}" for status, count in n_of_status.items())
    return (
        f"*{paper} Figure {number}.* In print: {texts[number]['print']} Here: {texts[number]['here']} Its"
        f" {'claim' if len(fig_claims) == 1 else 'claims'}: {statuses_text}."
    )


def with_verdicts(equations_text: str, judged_papers: dict[str, dict[str, Judged]]) -> str:
    """The text of equations.toml with its verdict behind each claim of the ledger."""
    judged_claims = [claim for claims in judged_papers.values() for claim in claims.values()]
    grade_of = {f"{claim.claim['where']}: {claim.claim['says']}": graded(claim.verdict) for claim in judged_claims}
    claim_line = re.compile(rf'^    "({"|".join(map(re.escape, grade_of))})(?: \[.*\])?",$', re.MULTILINE)
    return claim_line.sub(lambda line_match: f'    "{line_match[1]} [{grade_of[line_match[1]]}]",', equations_text)


def page(folder: Path, judged_papers: dict[str, dict[str, Judged]]) -> str:
    """The ledger from the CSV files of a folder and the claims with their verdicts."""
    texts = toml()["ledger"]
    md_lines = [texts["head"], outcome(judged_papers), "", summary(judged_papers), "", texts["rule"]]
    for paper, claims in judged_papers.items():
        md_lines += section(paper, claims, folder)
    search_lines = [texts["experiment"], *search_results.page(folder / "search/experiment.csv"), "", texts["choices"]]
    search_lines += [*choices.page(folder / "search"), "", texts["search"]]
    for study, K in STUDIES.items():
        study_tables = filter(None, (tables_of(folder, study) for tables_of in (runs_table, cross_table)))
        study_lines = [table_line for table_lines in study_tables for table_line in (*table_lines, "")]
        search_lines += [f"### {study}, K = {K}", "", *study_lines] if study_lines else []
    md_lines.append(with_folded_tables("\n".join(search_lines)))
    return "\n".join(md_lines).rstrip() + "\n"


def main() -> None:
    out_folder = options(__doc__ or "", []).out
    judged_papers, equations_path = judged(out_folder), HERE.parent / "equations.toml"
    (out_folder / "LEDGER.md").write_text(page(out_folder, judged_papers), encoding="utf-8")
    if out_folder == HERE:
        equations_path.write_text(with_verdicts(equations_path.read_text("utf-8"), judged_papers), encoding="utf-8")


if __name__ == "__main__":
    main()
