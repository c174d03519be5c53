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

alpha = eta = 0.1 (map 1.1), and 10% of each document's tokens are held out. Every run is in `search_runs.csv` and
`search_cross.csv`. Each corpus has up to five tables.

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

![perplexity against the training bound](search.png)
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


def page(folder):
    """The ledger from the CSV files of a folder."""
    found = {paper: module.claims(folder) for paper, module in PAPERS.items()}
    lines = [HEAD, *summary(found), "", SEARCH]
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
        lines += section(paper, claims)
    return "\n".join(lines).rstrip() + "\n"


def main():
    out = options(__doc__, []).out
    (out / "LEDGER.md").write_text(page(out), encoding="utf-8")


if __name__ == "__main__":
    main()
