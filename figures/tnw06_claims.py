"""What TNW06 claims, and what the lines of tnw06_*.csv say about it.

A comparison of two algorithms is made for every pair of schedules and starts that was run. A difference counts if it is
more than two standard errors from 0. If all pairs agree with the paper, the claim is reproduced; if none does, it is
not reproduced; otherwise it depends on the search.
"""

from itertools import product

import numpy as np
from common import Claim, read
from tnw06_compare import (
    MARGINS,
    by_group,
    compared,
    difference,
    end_table,
    ends_of,
    from_a_better_start,
    name,
    numbers,
    over_groups,
    pairs,
    shown,
    sign,
    spread,
    sweeps_to_end_of,
    table,
    verdict,
)
from tnw06_draw import K, runs_of, series

from lda_reference.evaluation import chains, search

PRINT = "Print states no number, and the values of its figure cannot be read from the text at hand.\n\n"
FIG2 = ("kos, K = 8, alpha = beta = 0.1, 10% held out; the first J documents in a random order, with the vocabulary of"
        " the whole; 5 starts for each order, until the bound changes by less than 1e-5 nats per token and sweep; where"
        " there are several orders the errors are between orders, otherwise between starts")  # fmt: skip


def settings(corpus, rows):
    unsettled = sum(row["settled"] == "False" for row in rows)
    return (f"{corpus}, K = {K[corpus]}, alpha = beta = 0.1, 10% of the words of each document held out; each run until"
            f" its bound changes by less than 1e-5 nats per token and sweep ({unsettled} runs ended after 500 sweeps"
            " instead); the paper has 50 starts")  # fmt: skip


def figure_1(folder, corpus):
    rows = [row for row in read(folder / "tnw06_fig1.csv") if row["corpus"] == corpus]
    if not rows:
        return
    ends, where, source = ends_of(rows), f"§4, Fig. 1, {corpus}", f"tnw06_fig1.csv, corpus {corpus}"
    complete = ("cvb", "token", "dirichlet") in ends
    about = settings(corpus, rows)
    if not complete:
        about += "; CVB in `token` order, the paper's, has not been run on the whole corpus yet"

    def claim(text, evidence, signs=(), status=None):
        return Claim(where, text, status or verdict(signs, complete), about, PRINT + evidence, source)

    head, lines, signs = compared(ends, ["bound"])
    _, also, _ = compared(ends, ["bound_12"])
    more = [[*line, same[-1]] for line, same in zip(lines, also, strict=True)]
    evidence = table([*head, "own bounds, a - b", "both by (12): the search alone"], more)
    attack, sign_of_attack = from_a_better_start(folder) if corpus == "kos" else ("", [])
    evidence, signs = evidence + attack, [*signs, *sign_of_attack]
    yield claim("CVB converges to significantly better solutions than VB: the bound on the training words.",
                f"{end_table(ends)}\n\n{evidence}", signs)  # fmt: skip
    head, lines, signs = compared(ends, ["test"])
    yield claim("CVB converges to significantly better solutions than VB: the log probability of test words.",
                table([*head, "a - b"], lines) + "\n\n" + averages(rows), signs)  # fmt: skip
    yield from speed(claim, ends)
    head, lines, signs = compared(ends, [("averaged", "test"), "test"], "cgs", "cvb")
    status = verdict(signs[::2])
    if status == "reproduced" and verdict(against_averages(rows, ends)) != "reproduced":
        status = "changed"  # true of single ends of CVB, but not of the mean probability over them
    note = f"R-hat of log p(x, z) over the second half of the sweeps is {r_hat(rows)}.\n\n"
    evidence = table([*head, "mean over samples (20), a - b", "one sample, a - b"], lines)
    text = "Gibbs sampling attains a better solution than CVB in the end."
    yield claim(text, f"{note}{evidence}\n\n{averages(rows)}", status=status)


def speed(claim, ends):
    note = "Sweeps (a - b) until a run stays within a margin of its end, in nats per word. A sweep of `nested` has many"
    note += " steps for each document.\n\n"
    for second, text in (("vb", "VB"), ("cgs", "collapsed Gibbs")):
        values = ("bound", "test") if second == "vb" else ("test",)
        columns = [f"{x} within {margin}" for x, margin in product(values, MARGINS)]
        head, lines, signs = compared(ends, columns, "cvb", second, -1, 1)
        if second == "vb":
            columns.append("to 0.01 below the median end of b")
            random = [(a, b) for a, b in pairs(ends, "cvb", "vb") if "way" in ends[b]]
            for line, (a, b) in zip(lines, random, strict=True):
                x, y = (sweeps_to_end_of(ends, b, kind) for kind in (a, b))
                reach = sum(map(np.isfinite, [*x.values(), *y.values()]))
                d = difference(x, y) if reach == len(x) + len(y) else None
                line.append(shown(d, 1) if d else f"{reach} of {len(x) + len(y)} reach it")
                signs.append(-sign(d) if d else 0)
        yield claim(f"CVB converges faster than {text}, in sweeps.", note + table([*head, *columns], lines), signs)


def group_means(rows):
    """For each kind and group, the log probability with the probability averaged over the group's ends."""
    means = {}
    for row in rows:
        if row["seed"] in ("mean", "all"):
            kind = row["algorithm"], row["schedule"], row["start"]
            means.setdefault(kind, {})[int(row["first"])] = float(row["averaged"])
    return means


def against_averages(rows, ends):
    """Signs of the mean over a chain's samples less the mean over CVB's ends; the error is that over chains."""
    cgs = next((x["averaged"] for kind, x in ends.items() if kind[0] == "cgs"), {})
    if len(cgs) < 2:
        return []
    zero = dict.fromkeys(cgs, 0.0)
    return [sign(difference({i: v - np.mean(list(x.values())) for i, v in cgs.items()}, zero))
            for kind, x in group_means(rows).items() if kind[0] == "cvb" and kind[2] == "dirichlet"]  # fmt: skip


def averages(rows):
    number = {}
    for key, lines in runs_of(rows).items():
        number[key[1:4], lines[0]["first"]] = number.get((key[1:4], lines[0]["first"]), 0) + 1
    lines = [[name(kind), str(number[kind, str(first)]), f"{x:.4f}"]
             for kind, groups in group_means(rows).items() for first, x in groups.items()]  # fmt: skip
    return "With the probability averaged over the ends of several runs (cgs: over chains and samples):\n\n" + table(
        ["runs", "number", "log probability per test word"], lines
    )


def r_hat(rows):
    joint = [series(lines, "bound")[1] for key, lines in runs_of(rows).items() if key[1] == "cgs"]
    if not joint:
        return "not known, as no chains were run"
    trace = np.array(joint).T
    return f"{float(chains.r_hat(trace[len(trace) // 2 :])):.2f} ({len(joint)} chains of {len(trace)} sweeps)"


def by_documents(folder):
    """For (algorithm, schedule, start) and number of documents: bound and test value for each (order, seed)."""
    values = {}
    for row in read(folder / "tnw06_fig2.csv"):
        bound = row["bound_2" if row["algorithm"] == "vb" else "bound_12"]
        kind = row["algorithm"], row["schedule"], row["start"]
        at = values.setdefault(kind, {}).setdefault(int(row["documents"]), ({}, {}, {}))
        for x, value in zip(at, (bound, row["test"], row["bound_12"]), strict=True):
            x[int(row["order"]), int(row["seed"])] = float(value)
    whole = [row for row in read(folder / "tnw06_fig1.csv") if row["corpus"] == "kos"]
    for kind, x in ends_of(whole).items():
        if kind in values:
            values[kind][3430] = tuple({(0, i): v for i, v in x[c].items()} for c in ("bound", "test", "bound_12"))
    return values


def figure_2(folder):
    values = by_documents(folder)
    source = "tnw06_fig2.csv; all documents: tnw06_fig1.csv"
    for i, text in enumerate(("the bound", "the log probability of test words")) if values else ():
        lines, signs = [], []
        for kind, at in sorted(values.items()):
            few, *_, most = [*sorted(at), *sorted(at)]
            lines += [[name(kind), str(J), str(len(at[J][i])), spread(at[J][i])] for J in sorted(at)]
            if kind[0] in ("vb", "cvb") and few < most:
                signs.append(sign(difference(over_groups(at[most][i]), over_groups(at[few][i]), False)))
        evidence = table(["runs", "J", "number", f"{text}, per word"], lines)
        yield Claim("§4, Fig. 2", f"The variational methods improve as the number of documents J increases: {text}.",
                    verdict(signs), FIG2, PRINT + evidence, source)  # fmt: skip
        head, lines, signs = leads(values, i)
        search_alone = "" if i else "\n\nBoth valued by (12), so that only the search differs:\n\n" + table(
            *leads(values, 2)[:2])  # fmt: skip
        yield Claim("§4, Fig. 2", f"CVB does not suffer as much as VB for small J: {text}.", verdict(signs), FIG2, PRINT
                    + "The claim is taken to say that the lead of CVB over VB is larger for the smallest J than for the"
                    " largest.\n\n" + table(head, lines) + search_alone, source)  # fmt: skip


def leads(values, i):
    """The lead of CVB over VB at every J, and the signs of its change from the largest J to the smallest."""
    lines, signs = [], []
    for a, b in pairs(values, "cvb", "vb"):
        common = sorted(
            J for J in values[a].keys() & values[b].keys() if values[a][J][i].keys() & values[b][J][i].keys()
        )
        lead = {J: by_group(values[a][J][i], values[b][J][i]) for J in common}
        change = search.Difference(lead[common[0]].mean - lead[common[-1]].mean,
                                   float(np.hypot(*(lead[common[k]].standard_error for k in (0, -1)))), 0)  # fmt: skip
        signs += [sign(change)] if len(common) > 1 else []
        last = shown(change, 3) if len(common) > 1 else ""
        lines.append([name(a), name(b), "; ".join(f"{J}: {shown(d, 3)}" for J, d in lead.items()), last])
    return ["a", "b", "J: a - b", "smallest J less largest"], lines, signs


def exact(folder):
    ends = numbers(folder / "tnw06_exact_ends.csv")
    turn = [row for row in numbers(folder / "tnw06_exact.csv") if row["sweep"] == 20]
    lines, signs = [], []
    for order, rows in (("token, after 20 sweeps", turn), ("corpus, settled", ends)):
        for x, digits in (("perplexity", 1), ("bound", 4)) if len(rows) > 1 else ():
            a, b = ({int(row["seed"]): row[f"{x}_{y}"] for row in rows} for y in ("exact", "cvb"))
            d, between = difference(a, b), np.std(list(b.values()), ddof=1)
            lines.append([order, str(len(rows)), x, shown(d, digits), f"{between:.{digits}f}"])
            signs.append(sign(d))
        if rows:
            mean, largest = (np.mean([row[y] for row in rows]) for y in ("mean", "largest"))
            lines.append([order, str(len(rows)), "gamma", f"mean {mean:.4f}, largest {largest:.3f}", ""])
    if not lines:
        return
    evidence = table(["order", "starts", "value", "exact - Gaussian", "standard deviation between starts"], lines)
    if ends:
        one, two = (np.mean([row[x] for row in ends]) for x in ("step_first", "step_end"))
        evidence += (f"\n\nOne sweep of both in `corpus` order moves gamma differently by {one:.5f} in the mean from a"
                     f" random start, and by {two:.5f} from an end of CVB.")  # fmt: skip
    same = not any(signs)
    quality = "The quality is the same within the errors. " if same else "The quality differs. "
    yield Claim(
        "§4 (not shown), §5",
        "Exact CVB gives results identical to those of the Gaussian approximation; exact summation is never needed.",
        "changed" if same else "not reproduced",
        "kos, K = 8, alpha = beta = 0.1, 10% held out, the same starts for both; the 20 sweeps in `token` order are"
        " fewer than a run needs to settle",
        f"Print shows no result.\n\n{evidence}\n\n{quality}The gamma are not identical: the two part from an equal"
        " start.",
        "tnw06_exact.csv, tnw06_exact_ends.csv",
    )


def collapsed_bound(folder):
    gaps = {}
    for row in read(folder / "tnw06_fig1.csv"):
        if row["settled"]:
            kind = row["corpus"], name((row["algorithm"], row["schedule"], row["start"]))
            gaps.setdefault(kind, []).append(float(row["bound_12"]) - float(row["bound_2"]))
    lines = [
        [*kind, str(len(x)), f"{np.mean(x):.4f}", f"{min(x):.4f} to {max(x):.4f}"] for kind, x in sorted(gaps.items())
    ]
    if gaps:
        yield Claim(
            "§3, (13)",
            "The collapsed bound is at least VB's bound at the same q(z), and thus CVB is a better approximation.",
            "reproduced" if min(map(min, gaps.values())) >= 0 else "not reproduced",
            "all ends of Fig. 1",
            "The bound (12) less the bound (2) at the same gamma, in nats per word:\n\n"
            + table(["corpus", "ends of", "number", "mean", "range"], lines),
            "tnw06_fig1.csv, lines of ends",
        )


def taylor(folder):
    rows = [row for row in numbers(folder / "tnw06_taylor.csv") if row["a"] == 0.1]
    lines, worst = [], []
    for low, high in ((0, 1), (1, 10), (10, 100), (100, np.inf)) if rows else ():
        mine = [row for row in rows if low <= row["N"] * row["g"] < high]
        columns = ([abs(row[f"error_{x}_order"]) for row in mine if row["g"] >= g]
                   for x, g in (("second", 0), ("second", 0.9), ("zeroth", 0)))  # fmt: skip
        largest = [max(x, default=np.nan) for x in columns]
        lines.append([f"{low:g} to {high:g}", *(f"{x:.2g}" for x in largest)])
        worst.append(largest[0])
    if rows:
        yield Claim(
            "§3.1, (17)",
            "The approximation of E log(alpha + n) is very accurate, also if n is small: gamma is mostly near 0 or 1.",
            "reproduced" if max(worst) < 0.01 else "changed",
            "n a sum of N Bernoulli variables of probability g in {0.01, 0.1, 0.3, 0.9}, N up to 10,000, a = 0.1",
            "Print states no number. Largest errors in nats:\n\n"
            + table(["E[n]", "(17)", "(17) with g = 0.9", "log(a + E[n])"], lines)
            + f"\n\nFor E[n] of 10 and more the error of (17) is at most {max(worst[2:]):.2g}; below 1 it is up to"
            f" {worst[0]:.2g}.",
            "tnw06_taylor.csv, a = 0.1",
        )


UNTESTED = (
    (
        "§3.1",
        "A sweep of CVB costs O(MK) time and memory, as one of VB; one of collapsed Gibbs costs O(NK) time and O(N)"
        " memory, with a significantly smaller constant factor.",
        "The soft algorithms here are NumPy and the sampler is a Python loop, so their seconds say nothing about it.",
    ),
    (
        "§3.1, App. A",
        "Exact CVB is computationally too expensive to be practical.",
        "The convolution of the appendix is here for tiny corpora only. `cvb_exact` computes the same numbers by"
        " quadrature, which the paper does not consider.",
    ),
    (
        "§1, §2.2",
        "Collapsed Gibbs sampling mixes much better than Gibbs sampling of z, theta and phi.",
        "The experiments of the paper have no uncollapsed sampler.",
    ),
)


def claims(folder):
    """The section of this paper in the ledger."""
    found = [claim for corpus in ("kos", "nips", "bars") for claim in figure_1(folder, corpus)]
    for part in (figure_2, exact, taylor, collapsed_bound):
        found += part(folder)
    return found + [Claim(where, claim, "not tested", "", why, "") for where, claim, why in UNTESTED]
