"""What TNW06 claims about Fig. 1, and what the runs say about it; the other claims are in tnw06_other_claims.py.

Two algorithms are compared in every pair of schedules from equal starts, on every corpus of which there are runs. A
difference counts if a two-sided t-test at 5% finds it. If all pairs agree with the paper, the claim is reproduced; if
none does, it is not reproduced; otherwise it depends on the search.
"""

import numpy as np
from common import Claim, read
from search import STUDIES
from tnw06_across import agreement, comparisons, exceptions, from_better_starts, settings, tally
from tnw06_compare import (
    MARGINS,
    Compared,
    compared,
    difference,
    end_table,
    ends_of,
    flipped,
    judged,
    name,
    pairs,
    shown,
    sweeps_to_end_of,
    table,
    verdict,
)
from tnw06_draw import K, fig1_rows, runs_of, series
from tnw06_other_claims import by_documents, other_claims

from lda_reference.evaluation import chains

PRINT = "Print states no number, and the values of its figure cannot be read from the text at hand. "
MIXED = 1.1  # R-hat above which chains have not reached their end
COUNTS = (
    "Each cell counts the comparisons in which CVB is higher, those that are undecided, and those in which it is lower,"
    " by t-tests at 5% (one in twenty finds a difference where there is none); then it has the range of the mean"
    " differences, CVB - VB, in nats per token.\n\n"
)
SOURCE = "tnw06_fig1.csv, tnw06_fig2.csv, search_runs.csv, search_cross.csv"


def about(rows):
    """The settings of Fig. 1: what was run, and what of the paper was not."""
    kinds = {(row["corpus"], row["algorithm"], row["schedule"]) for row in rows}
    missing = [] if any(kind[0] == "nips" for kind in kinds) else ["NIPS with K = 40"]
    if ("kos", "cvb", "token") not in kinds:
        missing.append("CVB in `token` order, the paper's, on the whole of KOS")
    text = ("alpha = beta = 0.1, 10% of the words of each document held out; CVB and VB from equal starts, each run"
            " until its bound changes by less than 1e-5 nats per token and sweep, or for 500 sweeps; the paper has KOS"
            " with K = 8 and NIPS with K = 40, and 50 starts")  # fmt: skip
    return text + (f"; not run: {' and '.join(missing)}" if missing else "")


def figure_1(folder):
    rows = fig1_rows(folder)
    found = settings(folder, by_documents(folder))
    if not rows and not found:
        return
    complete = any(kind[:2] == ("cvb", "token") for kinds in found.values() for kind in kinds)
    corpus = "kos" if any(row["corpus"] == "kos" for row in rows) else rows[0]["corpus"] if rows else ""
    ends = ends_of([row for row in rows if row["corpus"] == corpus])
    where = about(rows)

    def claim(text, evidence, status, source=SOURCE):
        return Claim("§4, Fig. 1", text, status, where, evidence, source)

    yield from solutions(claim, folder, found, ends, corpus, complete)
    yield from speed(claim, found, ends, corpus, complete)
    yield faster_than_gibbs(claim, rows, ends, corpus)
    yield gibbs_in_the_end(claim, folder, rows, found)


def solutions(claim, folder, found, ends, corpus, complete):
    own, same, test = (comparisons(found, column) for column in ("bound", "bound_12", "test"))
    status, note = judged([c.difference for c in own + same], lambda signs: verdict(signs, complete))
    lower = exceptions(same, "CVB is lower by (12)")
    evidence = [
        PRINT + "By (13) a CVB that stood at VB's own q(z) would have the higher bound too, so the own bounds, which"
        " the paper compares, favour CVB. With both valued by (12), CVB's own objective, only the search differs. Both"
        " count. " + COUNTS + tally({"own bounds": own, "both by (12)": same}),
        " ".join(filter(None, (agreement(own + same), exceptions(own, "CVB's own bound is lower"), lower, note))),
        from_better_starts(folder),
        f"The runs of {corpus} of Fig. 1:\n\n" + end_table(ends) if ends else "",
    ]
    yield claim("CVB converges to significantly better solutions than VB: the bound on the training words.",
                "\n\n".join(filter(None, evidence)), status)  # fmt: skip
    status, note = judged([c.difference for c in test], lambda signs: verdict(signs, complete))
    text = " ".join(filter(None, (agreement(test), exceptions(test, "CVB is lower"), note)))
    yield claim("CVB converges to significantly better solutions than VB: the log probability of test words.",
                PRINT + COUNTS + tally({"log probability of a test word": test}) + "\n\n" + text, status)  # fmt: skip


def speed(claim, found, ends, corpus, complete):
    """Two readings of "faster": fewer sweeps until a run settles, and fewer until it is where the other ends."""
    settle = [c for c in comparisons(found, "sweep") if not c.vb[2].startswith("end of")]
    lines, reach = [], []
    for a, b in [(a, b) for a, b in pairs(ends, "cvb", "vb") if "way" in ends[b]]:
        x, y = (sweeps_to_end_of(ends, b, kind) for kind in (a, b))
        reached = [v for v in (*x.values(), *y.values()) if np.isfinite(v)]
        if len(reached) == len(x) + len(y):
            d = difference(x, y)
            reach.append(flipped(d))
            lines.append([name(a), name(b), f"{len(x)}, {len(y)}", shown(d, 1)])
        else:
            reach.append(Compared(0.0, np.nan, 0))  # undecided
            lines.append([name(a), name(b), f"{len(x)}, {len(y)}", f"{len(reached)} of {len(x) + len(y)} reach it"])
    status, note = judged([flipped(c.difference) for c in settle] + reach, lambda signs: verdict(signs, complete))
    evidence = (
        PRINT + "Two readings count. First, sweeps until a run settles, CVB - VB. Each cell counts the comparisons in"
        " which CVB needs more sweeps, those that are undecided, and those in which it needs fewer, and has the range"
        " of the mean differences.\n\n" + tally({"sweeps until settled": settle}, 0)
    )
    if lines:
        evidence += (f"\n\nSecond, on {corpus}, sweeps (a - b) until the log probability of test words is 0.01 below"
                     " the median end of b:\n\n" + table(["a", "b", "runs", "sweeps"], lines))  # fmt: skip
    evidence += f"\n\n{note} A sweep of `nested` has many steps for each document."
    yield claim("CVB converges faster than VB, in sweeps.", evidence, status)


def faster_than_gibbs(claim, rows, ends, corpus):
    columns = [f"test within {margin}" for margin in MARGINS]
    head, lines, found = compared(ends, columns, "cvb", "cgs", -1, 1)
    found_r_hat = r_hat([row for row in rows if row["corpus"] == corpus])
    token = any(kind[:2] == ("cvb", "token") for kind in ends)
    status, note = judged(found, lambda signs: verdict(signs, token))
    text = f"On {corpus}, sweeps (a - b) until the log probability of test words stays within a margin of its end:\n\n"
    evidence = PRINT + text + table([*head, *columns], lines)
    if found_r_hat is None or not found_r_hat[0] < MIXED:
        value = "is not known" if found_r_hat is None else "is {:.2f} ({} chains of {} sweeps)".format(*found_r_hat)
        status, note = (
            "not tested",
            f"R-hat of log p(x, z) over the second half {value}: the end of Gibbs is not known.",
        )
    return claim("CVB converges faster than collapsed Gibbs, in sweeps.", f"{evidence}\n\n{note}", status,
                 f"tnw06_fig1.csv, corpus {corpus}")  # fmt: skip


def gibbs_in_the_end(claim, folder, rows, found):
    """The mean over a chain's samples against single ends of CVB, as in the paper, and averages against averages."""
    lines, single, leads = [], [], []
    for corpus, one, every, first, r in chain_values(folder, rows):
        averages = averages_of_cvb(folder, rows, corpus)
        ends = {kind: x["test"] for kind, x in found.get(corpus, {}).items()
                if kind[0] == "cvb" and not kind[2].startswith("end of")}  # fmt: skip
        mine = [difference(one, x, paired=False) for x in ends.values() if len(x) > 1]
        if not mine:
            continue
        single += mine
        lead = [every - x for x in averages]
        leads += lead
        runs = sorted({len(x) for x in ends.values()})
        matched = [first - x for x in averages] if first is not None else []
        spans = [span(x) for x in ([d.mean for d in mine], lead, matched)]
        number = " to ".join(map(str, sorted({runs[0], runs[-1]})))
        lines.append([corpus, f"{len(one)}, {r:.2f}", f"{len(mine)}, {number}", *spans])
    status, note = judged(single)
    if status == "reproduced" and (not leads or min(leads) <= 0):
        status = "changed"  # true of single ends of CVB, but not of the mean probability over them
    evidence = (
        PRINT + "The paper sets (20), the mean probability over samples, against single ends of CVB by (19). The fourth"
        " column does the same, with 50 or 100 samples of one chain. The other two average on both sides, over the ends"
        " of all runs of CVB, and over all samples or one sample of all chains; they have no standard errors.\n\n"
        + table(["corpus", "chains, R-hat of log p(x, z)", "settings of CVB, runs of each",
                 "log probability of a test word: one chain - one end of CVB", "all chains - all ends",
                 "one sample of all chains - all ends"], lines)
        + f"\n\n{note}" + (" Chains with an R-hat above 1.1 have not reached their end." if lines else "")
    )  # fmt: skip
    return claim("Gibbs sampling attains a better solution than CVB in the end.", evidence,
                 status if lines else "not tested", "tnw06_fig1.csv, search_chains.csv, search_runs.csv")  # fmt: skip


def span(x):
    return " to ".join(f"{v:+.4f}" for v in sorted({min(x), max(x)})) if x else ""


def chain_values(folder, rows):
    """For each corpus with chains: log probability by (20) of each chain, of all, and of one sample of all; R-hat."""
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        mine = [row for row in rows if row["corpus"] == corpus]
        one = next((x["averaged"] for kind, x in ends_of(mine).items() if kind[0] == "cgs"), {})
        every = [float(row["averaged"]) for row in mine if row["algorithm"] == "cgs" and row["seed"] == "all"]
        found = r_hat(mine)
        if one and every and found:
            yield label(corpus), one, every[0], None, found[0]
    rows = read(folder / "search_chains.csv")
    for study in dict.fromkeys(row["study"] for row in rows):
        mine = [row for row in rows if row["study"] == study]
        samples = {int(row["samples"]) for row in mine}
        values = {(int(row["samples"]), row["chain"]): -float(np.log(float(row["perplexity"]))) for row in mine}
        one = {i: v for i, ((S, chain), v) in enumerate(values.items()) if max(samples) == S and chain != "all"}
        every, first = values[max(samples), "all"], values.get((1, "all"))
        yield label(study, True), one, every, first, float(mine[0]["r_hat"])


def label(corpus, study=False):
    """The name of a corpus in the tables, with K: of Fig. 1, or of the study of starts and schedules."""
    return f"{corpus.split('-')[0]}, K = {STUDIES[corpus] if study else K[corpus]}"


def averages_of_cvb(folder, rows, corpus):
    """The log probability with the probability averaged over the ends of each group of runs of CVB."""
    found = [float(row["averaged"]) for row in rows if row["seed"] == "mean" and row["algorithm"] == "cvb"
             and label(row["corpus"]) == corpus]  # fmt: skip
    rows = [row for row in read(folder / "search_runs.csv") if row["seed"] == "mean" and row["algorithm"] == "cvb"]
    return found + [-float(np.log(float(x["perplexity"]))) for x in rows if label(x["study"], True) == corpus]


def r_hat(rows):
    """R-hat of log p(x, z) over the second half of the sweeps, the number of chains, and of sweeps; or None."""
    joint = [series(lines, "bound")[1] for key, lines in runs_of(rows).items() if key[1] == "cgs"]
    if len(joint) < 2:
        return None
    trace = np.array(joint).T
    return float(chains.r_hat(trace[len(trace) // 2 :])), len(joint), len(trace)


def claims(folder):
    """The section of this paper in the ledger."""
    return [*figure_1(folder), *other_claims(folder)]
