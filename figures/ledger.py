"""Write LEDGER.md: the claims of the five papers with their status, from the CSV files of this folder.

python -m figures.ledger [--quick]
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from figures.awst09 import claims as awst09_claims
from figures.boo16 import claims as boo16_claims
from figures.common import HERE, Evidence, options, table
from figures.search import choices
from figures.search import results as search_results
from figures.search import tables as search_tables
from figures.search.runs import STUDIES
from figures.sn12 import claims as sn12_claims
from figures.sol14 import claims as sol14_claims
from figures.tnw06 import claims as tnw06_claims
from figures.verdict_text import HEAD as COLUMNS
from figures.verdict_text import rows, sentence
from figures.verdicts import STATUSES, Comparison, Question, Verdict, evaluate

PAPERS = {
    "TNW06": tnw06_claims, "AWST09": awst09_claims, "SOL14": sol14_claims, "SN12": sn12_claims, "BOO16": boo16_claims,
}  # fmt: skip
HEAD = """# The papers' claims, tested

`figures/ledger.py` writes this file from the CSV files in the folders beside it.

`claims.toml` has what each paper claims, and what would refute it. `verdicts.py` gives all verdicts by one rule:

- A claim is tested by comparisons. Each is decided by Student's t over its units (seeds, chains, corpora), two-sided at
  5%, and has at least 8 units; with fewer it is undecided, whatever its size. Where the units are seeds or chains, the
  interval is over starts on one split of one corpus, and says nothing of other documents. Where each run splits the
  same documents again, the variance is corrected for their overlap (Nadeau and Bengio 2003).
- The p-values are adjusted by Holm's method within a claim, and by that of Benjamini and Hochberg across all claims, so
  a comparison can be undecided although its 95% interval excludes 0.
- If comparisons in the paper's own schedule are decided, these count, otherwise all that are decided do. The claim is
  **reproduced** if all of them agree with it, and **not reproduced** if all contradict it. If they disagree, it
  **depends on** the factor whose levels separate them, such as search, scoring, corpus size or prior.
- A claim is **changed** if it fails or depends as printed, and a second form of it, which is named, is reproduced.
- If nothing is decided, the claim is **not decided by these runs**: the table has the 95% intervals, and the number of
  units that would decide at the observed mean and deviation. An undecided comparison is never a failure.
- What these runs cannot test at all is **not tested**; a comparison of NumPy with Python loops, for example, is no test
  of speed.

The protocol is that of `lda_reference/evaluation/search.py`. All runs are reported, as the median and the range. Runs
end when their bound (without one, their objective) changes by less than 1e-5 nats per token and sweep, if nothing else
is said. Where one run is chosen, its training value chooses it. CVB0 climbs no known function; its runs end by the
exact bound TNW06 (12).
"""
IS_IT_SEARCH = """## Is VB's gap to CVB0 a matter of search?

`search/protocol.md` has the question, the runs and the rule. It was committed (f41ce5f) before the first of these runs.

![perplexities of VB and CVB0](search/experiment.png)
"""
CHOICES = """## Which start to recommend

`recommended.py` names a schedule and a start for each algorithm. Here the choice is made among those that were tried,
on all corpora but one, and tried on the one left out. The value of a choice is the expected highest training value of
three runs, in nats per token.
"""
SEARCH = """## Starts, schedules and cross-starts

alpha = eta = 0.1 (map 1.1), and 10% of each document's tokens are held out. Every run is in `search/runs.csv` and
`search/cross.csv`. Each corpus has up to five tables.

1. Where the runs end: a line for each algorithm and schedule, a column for each start. A cell has the median perplexity
   of held-out tokens with its range, and the median of the algorithm's own training value, in nats per token: the bound
   (2) for `vb`, the bound (12) for the collapsed algorithms, the objective for `ml` and `map`. Values of different
   objectives cannot be compared.
2. The best of R runs at equal cost. R is the number of runs, to the nearest whole number, that fit the time of one run
   of VB in `nested` order; it is limited by the number that was made. A cell has the expected perplexity and
   training value of the run with the highest training value among R, "of R". The last column is the perplexity of the
   mean probability over the ends of all runs; it costs that many runs, and is to be compared with averages over samples
   (table 5).
3. Cross-starts: each algorithm (column) from the ends of another (line, with the number of ends). The first number is
   the mean gain in the algorithm's own training value over its end from the random start from which the other came.
   Where it is many times the standard deviation between its own ends (last line), its own search had stopped short. The
   other two numbers are the median perplexity before and after.
4. How much of its gap in perplexity to CVB0 an algorithm loses when it starts at CVB0's end. What it loses is due to
   its search, if its own training value is higher there (table 3), and what is left to its objective. This is one way
   to share out the gap: CVB0 leaves VB's ends, so a path from VB's end to CVB0's would give all of it to the objective.
5. Chains of collapsed Gibbs.

![perplexity against the training bound](search/runs.png)
"""


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
    asked = {name: claim[name] for name in ("unit", "threshold", "limit", "reason") if name in claim}
    return Question(claim["kind"], evidence.comparisons, **asked)


def evidence_of(x: Evidence | Iterable[Comparison]) -> Evidence:
    return x if isinstance(x, Evidence) else Evidence(list(x))


@cache
def written() -> dict[str, Any]:
    with open(HERE / "claims.toml", "rb") as file:
        return tomllib.load(file)


def claims_of(paper: str) -> dict[str, dict[str, Any]]:
    """The claims of a paper in claims.toml, with what holds for all of them."""
    table_of = written()[paper]
    shared = {key: value for key, value in table_of.items() if not isinstance(value, dict)}
    return {name: shared | claim for name, claim in table_of.items() if isinstance(claim, dict)}


def judged(folder: Path, some: Sequence[str] = tuple(PAPERS)) -> dict[str, dict[str, Judged]]:
    """The claims of some papers, by default all, with their verdicts, which are given together."""
    papers = {paper: claims_of(paper) for paper in some}
    evidence: dict[str, Evidence] = {}
    questions: dict[str, Question] = {}
    for paper, claims in papers.items():
        of = PAPERS[paper].data(folder)
        forms = claims | {f"{name} instead": x | x["instead"] for name, x in claims.items() if "instead" in x}
        if unknown := of.keys() - forms.keys():
            raise ValueError(f"claims.toml has no {sorted(unknown)}")
        evidence |= {f"{paper} {name}": evidence_of(of.get(name, ())) for name in forms}
        questions |= {f"{paper} {name}": question(x, evidence[f"{paper} {name}"]) for name, x in forms.items()}
    verdicts = evaluate(questions)
    found: dict[str, dict[str, Judged]] = {paper: {} for paper in some}
    for paper in some:
        for name, claim in papers[paper].items():
            key = f"{paper} {name}"
            found[paper][name] = Judged(
                claim, questions[key], verdicts[key], evidence[key].note, verdicts.get(f"{key} instead")
            )  # fmt: skip
    return found


def summary(found: dict[str, dict[str, Judged]]) -> list[str]:
    """How many claims of each paper have each status."""
    lines = []
    for paper, claims in found.items():
        counts = [sum(x.verdict.status.startswith(status) for x in claims.values()) for status in STATUSES]
        lines.append([paper, *map(str, counts)])
    return table(["paper", *STATUSES], lines).splitlines()


def section(paper: str, claims: dict[str, Judged], folder: Path) -> list[str]:
    lines, shown = [f"## {paper}", ""], set()
    for x in claims.values():
        claim, tested = x.claim, x.verdict.tested
        status = x.verdict.status[0].upper() + x.verdict.status[1:]
        lines += [f"### {claim['where']}: {claim['says']}", "", f"> {claim['quote']}", ""]
        lines += [f"**{status}.** {sentence(x.verdict, x.question)}", ""]
        if x.second:
            lines += [f"Second form, {x.second.status}: {claim['instead']['says']}", ""]
        if tested:
            lines += [f"In the table: {claim['measure']}{asked(x.question)}.", ""]
            lines += [table(COLUMNS, rows(tested, claim.get("form", "+.3g"))), ""]
        lines += [x.note.strip(), ""] if x.note else []
        for number in numbers_of(claim["where"]):
            picture = f"{paper.lower()}/fig{number}.png"
            if number not in shown and (folder / picture).exists():
                lines += [f"![{paper} Figure {number}, redrawn]({picture})", "", caption(paper, number, claims), ""]
            shown.add(number)
        lines += [settings(claim), "", f"Refuted if: {claim['refuted']}", "", f"Source: {claim['source']}", ""]
    return lines


def asked(q: Question) -> str:
    """What the mean has to be, where that is not above 0."""
    if q.kind == "likeness":
        return f"; within ± {q.limit:g}"
    return f"; above {q.threshold:g}" if q.threshold else ""


def settings(claim: dict[str, Any]) -> str:
    names = {"corpora": "", "algorithms": "", "paper": "the paper's own: "}
    first = "; ".join(names[name] + claim[name] for name in names if name in claim)
    return f"Settings: {first or 'none'}." + (f" {claim['settings']}" if "settings" in claim else "")


def numbers_of(where: str) -> list[str]:
    """The numbers of the figures that a place names."""
    return re.findall(r"\d", where.partition("Fig")[2])


def caption(paper: str, number: str, claims: dict[str, Judged]) -> str:
    """What a figure shows in print, what stands for it here, and the statuses of its claims."""
    of, drawn = [x for x in claims.values() if number in numbers_of(x.claim["where"])], written()["figures"][paper]
    counts = Counter(x.verdict.status for x in of)
    statuses = ", ".join(f"{count} {status}" for status, count in counts.items())
    return (
        f"*{paper} Figure {number}.* In print: {drawn[number]['print']} Here: {drawn[number]['here']} Its"
        f" {'claim' if len(of) == 1 else 'claims'}: {statuses}."
    )


def page(folder: Path) -> str:
    """The ledger from the CSV files of a folder."""
    found = judged(folder)
    lines = [
        HEAD,
        *summary(found),
        "",
        IS_IT_SEARCH,
        *search_results.page(folder / "search/experiment.csv"),
        "",
        CHOICES,
        *choices.page(folder / "search"),
        "",
        SEARCH,
    ]
    for study, K in STUDIES.items():
        parts = [
            search_tables.runs_table(folder, study), search_tables.matched_table(folder, study, HERE),
            search_tables.cross_table(folder, study), search_tables.parts_table(folder, study),
            search_tables.chains_table(folder, study),
        ]  # fmt: skip
        if any(parts):
            lines += [f"### {study.split('-')[0]}, K = {K}", ""]
        for part in parts:
            lines += [*part, ""] if part else []
    for paper, claims in found.items():
        lines += section(paper, claims, folder)
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    out = options(__doc__ or "", []).out
    (out / "LEDGER.md").write_text(page(out), encoding="utf-8")


if __name__ == "__main__":
    main()
