"""BOO16 Fig. 5: the perplexity ratio by the size of the collection. For `boo16_claims`."""

from __future__ import annotations

import numpy as np
from boo16_ratios import BASES, LAST, Line, claim_of, groups, log_of, ratios, shown
from common import Claim
from signs import PAIRS, judged, sign, table, verdict

from lda_reference.evaluation.search import paired


def by_size(lines: list[Line]) -> Claim:
    some = [x for x in lines if x["K"] == "6" and x["model"] in ("conjugate", *BASES)]
    rows, held, crosses, below = rows_by_size(some)
    status = verdict(held)
    if status == "not reproduced" and 1 in crosses:
        status = "changed" if min(crosses) == 1 else "depends on search"
    evidence = (
        "Over words seen in training the ratio is below 1 for all sizes under 3000 and above 1 for all larger ones in"
        f" {held.count(1)} of the {len(held)} rows with sizes on both sides. In {crosses.count(1)} of them it is below"
        f" 1 at the smallest size and above 1 at the largest. Over all tokens it is below 1 in {below} cells."
        f"{other_sums(lines)} Ratio after 50 sweeps over seen words (in brackets: all tokens), by the number of"
        " training documents:"
    )
    text = (
        "The ratio of the perplexities is below 1 for collections of less than about 3000 documents and above 1 for"
        " larger ones (K = 6)."
    )
    return claim_of("§6, Fig. 5", text, status, evidence + rows, some, "K = 6, start dirichlet, sweep 50")


def other_sums(lines: list[Line]) -> str:
    """The ratio to `em2 later` by size, with other sums of the asymmetric alpha."""
    texts = []
    for (name, K, schedule), mine in groups([x for x in lines if x["K"] == "6"]).items():
        for model in sorted({x["model"] for x in mine if x["model"].startswith("conjugate, sum")}):
            of = sorted(ratios(mine, "of_seen", "em2 later", LAST, model).items())
            cells = [f"{shown(d)} at {size}" for size, each in of if (d := log_of(each))]
            if len(cells) > 1:
                texts.append(f"{', '.join(cells)} with sum {model.split()[-1]} ({name}, K = {K}, `{schedule}`)")
    if not texts:
        return ""
    return (
        " All this is with an asymmetric alpha whose sum is 1. The paper gives no values, and the place of the change"
        f" depends on them: the ratio to `em2 later` is {'; '.join(texts)}."
    )


def rows_by_size(some: list[Line]) -> tuple[str, list[int], list[int], int]:
    """A table, for each row with sizes on both sides of 3000 two signs, and how many ratios over all tokens are < 1."""
    sizes = sorted({int(x["documents"]) for x in some})
    rows, held, crosses, below = [], [], [], 0
    for (name, K, schedule), mine in groups(some).items():
        for base in BASES:
            seen, every = ({size: log_of(of) for size, of in ratios(mine, kind, base, LAST).items()}
                           for kind in ("of_seen", "perplexity"))  # fmt: skip
            if not any(seen.values()):
                continue
            cells = [f"{shown(d)} ({np.exp(e.mean):.2g})" if (d := seen.get(size)) and (e := every[size]) else "-"
                     for size in sizes]  # fmt: skip
            rows.append([f"{name}, K = {K}", f"`{schedule}`", f"`{base}`", *cells])
            signs = {size: sign(d) for size, d in seen.items() if d}
            small, large = [s for z, s in signs.items() if z < 3000], [s for z, s in signs.items() if z > 3000]
            if small and large:
                held.append(1 if max(small) < 0 < min(large) else -1 if 1 in small or -1 in large else 0)
                crosses.append(1 if signs[min(signs)] < 0 < signs[max(signs)] else -1)
            below += sum(sign(d) < 0 for d in every.values() if d)
    return table(["corpus", "schedule", "baseline", *map(str, sizes)], rows), held, crosses, below


def many_topics(lines: list[Line]) -> Claim:
    """Whether |log ratio|, averaged over sizes, is smaller with many topics; paired by run."""
    some = [x for x in lines if x["model"] in ("conjugate", *BASES)]
    found, texts = [], []
    for name in sorted({x["corpus"] for x in some}):
        for schedule in sorted({x["schedule"] for x in some}):
            mine = [x for x in some if (x["corpus"], x["schedule"], x["start"]) == (name, schedule, "dirichlet")]
            Ks = sorted({x["K"] for x in mine}, key=int)
            for base in BASES if len(Ks) == 2 else ():
                few, many = (distances([x for x in mine if x["K"] == K], base) for K in Ks)
                runs = sorted(few.keys() & many.keys())
                if len(runs) >= PAIRS:
                    a, b = ([of[run] for run in runs] for of in (few, many))
                    found.append(paired(a, b))
                    texts.append(
                        f"{100 * np.mean(a):.1f}% and {100 * np.mean(b):.1f}% ({name}, `{schedule}`, `{base}`, K ="
                        f" {Ks[0]} and {Ks[1]})"
                    )
    rows, _, crosses, _ = rows_by_size([x for x in some if x["K"] != "6"])
    less, text = judged(found)
    status = less if verdict(crosses) in (less, "not tested") else "depends on search"
    evidence = (
        f"Less marked: {text} The distance of the ratio from 1 over seen words after 50 sweeps, averaged over sizes, is"
        f" {'; '.join(texts)}. The same tendency: the ratio is below 1 at the smallest size and above 1 at the largest"
        f" in {crosses.count(1)} of {len(crosses)} rows. Ratio after 50 sweeps over seen words (in brackets: all"
        " tokens), by the number of training documents:"
    )
    text = "With as many topics as classes (K = 20 and 50) the tendency is the same, and the difference is less marked."
    return claim_of("§6, Fig. 5", text, status, evidence + rows, [x for x in some if x["K"] != "6"],
                    "K > 6, start dirichlet, sweep 50")  # fmt: skip


def distances(lines: list[Line], base: str) -> dict[str, float]:
    """For each run the mean over the sizes of |log ratio|; only runs with all sizes."""
    at = {(x["documents"], x["run"], x["model"]): float(x["of_seen"]) for x in lines if int(x["sweep"]) == LAST}
    sizes, runs = ({key[i] for key in at} for i in (0, 1))
    found = {}
    for run in runs:
        pairs = [(at.get((z, run, "conjugate")), at.get((z, run, base))) for z in sizes]
        if all(x and y for x, y in pairs):
            found[run] = float(np.mean([abs(np.log(x / y)) for x, y in pairs if x and y]))
    return found
