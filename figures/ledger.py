"""Write LEDGER.md: the claims of the five papers with their status, from the CSV files of this folder.

python figures/ledger.py [--quick]
"""

import awst09
import boo16
import search_tables
import sn12
import sol14
import tnw06
from common import HERE, STATUSES, options
from search import STUDIES

PAPERS = {"TNW06": tnw06, "AWST09": awst09, "SOL14": sol14, "SN12": sn12, "BOO16": boo16}
HEAD = """# The papers' claims, tested

`figures/ledger.py` writes this file from the CSV files beside it.

Where an algorithm ends depends on its start and its schedule as well as on its equation. A claim that one algorithm is
better than another is **reproduced** only if it holds in the schedule of the paper or in all schedules and starts that
were tried. If its truth depends on them, it **depends on search**. It is **not reproduced** if it fails throughout,
**changed** if it is true in another form, and **not tested** if these runs cannot decide it; a comparison of NumPy with
Python loops, for example, is no test of speed.

The protocol is that of `lda_reference/evaluation/search.py`. All runs are reported, as the median and the range. Runs
end when their bound (without one, their objective) changes by less than 1e-5 nats per token and sweep, if nothing else
is said. Where one run is chosen, its training value chooses it. CVB0 climbs no known function; its runs end by the
exact bound TNW06 (12).
"""
SEARCH = """## Starts, schedules and cross-starts

The first table of each corpus has a line for each algorithm, schedule and start, in the order of the median perplexity
of held-out tokens. alpha = eta = 0.1 (map 1.1), 10% of each document's tokens are held out, and the source is
`search_runs.csv`. The average is the perplexity of the mean probability over the ends of the first
group of runs (20 on the synthetic corpora, 5 on the others).

The second table starts each algorithm (column) at the end of another (line), `search_cross.csv`. The first number is
the gain in the algorithm's own training value, in nats per token, over the end that it reaches from the random start
from which the other algorithm came. If it is positive, its own end was a failure of its search. The other two numbers
are the perplexity before and after.

![perplexity against the training bound](search.png)
"""
MATCHED = """How much does the best of several cheap runs give in the time of one dear run? The budget is one run of
VB in `nested` order. The seconds of a sweep are those of `benchmark.csv`. R is limited by the number of runs made.
"""


def summary(found):
    lines = ["| paper | " + " | ".join(STATUSES) + " |", "|---" * (len(STATUSES) + 1) + "|"]
    for paper, claims in found.items():
        counts = [sum(claim.status == status for claim in claims) for status in STATUSES]
        lines.append(f"| {paper} | " + " | ".join(map(str, counts)) + " |")
    return lines


def section(paper, claims):
    lines = [f"## {paper}", ""]
    for claim in claims:
        if claim.status not in STATUSES:
            raise ValueError(f"{paper} {claim.where}: the status is {claim.status!r}, expected one of {STATUSES}")
        gap = "\n\n" if claim.evidence.startswith(("- ", "|")) else " "
        lines += [f"### {claim.where}: {claim.claim}", "", f"**{claim.status.capitalize()}.**{gap}{claim.evidence}", ""]
        lines += [f"Settings: {claim.settings}", "", f"Source: {claim.source}", ""]
    return lines


def main():
    chosen = options(__doc__, [])
    found = {paper: module.claims(chosen.out) for paper, module in PAPERS.items()}
    lines = [HEAD, *summary(found), "", SEARCH]
    for study, K in STUDIES.items():
        parts = [
            f(chosen.out, study)
            for f in (search_tables.runs_table, search_tables.cross_table, search_tables.chains_table)
        ]
        if any(parts):
            lines += [f"### {study.split('-')[0]}, K = {K}", ""]
        for part in parts:
            lines += [*part, ""] if part else []
        if study == "kos" and (matched := search_tables.matched_table(chosen.out, HERE)):
            lines += [MATCHED, *matched, ""]
    for paper, claims in found.items():
        lines += section(paper, claims)
    (chosen.out / "LEDGER.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
