"""The lines of boo16.csv by setting, and ratios of the perplexities of two models, paired by run."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from common import Claim
from signs import PAIRS

from lda_reference.evaluation.search import Difference, paired

Line = dict[str, str]
LAST, BASES = 50, ("em2", "em2 later")
SYMMETRIC = ("fixed", "em2", "em2 later")
SCORES = {"perplexity": "all tokens", "of_seen": "words seen in training"}
SETTINGS = (
    "20 Newsgroups (training part) and Reuter_50_50, 80% of the documents for training and completion of the others;"
    " VB from Dirichlet(1) rows, in `nested` and in `corpus` order (the paper does not name its order); {runs}; 50"
    " sweeps, because the conjugate model's bound does not converge; alpha_k ∝ 1 / (k + sqrt K) with sum 1 in the"
    " conjugate model; `em2` learns symmetric alpha and beta from the first sweep, `em2 later` after the 15th"
)
UNSEEN = (
    "The paper does not say whether its vocabulary has words that training has not seen. The formula of §6 counts all"
    " tokens. "
)


def values(lines: list[Line], kind: str, model: str) -> dict[int, dict[str, float]]:
    """For each sweep the score of each run of a model."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for x in lines:
        if x["model"] == model:
            found[int(x["sweep"])][x["run"]] = float(x[kind])
    return dict(found)


def ratios(lines: list[Line], kind: str, base: str, sweep: int, model: str = "conjugate") -> dict[int, list[float]]:
    """For each size of the training set the ratios of two models, paired by run."""
    runs: dict[tuple[int, str], dict[str, float]] = defaultdict(dict)
    for x in lines:
        if int(x["sweep"]) == sweep:
            runs[int(x["documents"]), x["run"]][x["model"]] = float(x[kind])
    found = defaultdict(list)
    for (size, _), of in runs.items():
        if model in of and base in of:
            found[size].append(of[model] / of[base])
    return dict(found)


def groups(lines: list[Line]) -> dict[tuple[str, str, str], list[Line]]:
    """The lines of each corpus, K and schedule, from Dirichlet rows."""
    found = defaultdict(list)
    for x in lines:
        if x["start"] == "dirichlet":
            found[x["corpus"], x["K"], x["schedule"]].append(x)
    return dict(sorted(found.items()))


def log_of(ratios_of: list[float]) -> Difference | None:
    """The mean log ratio with its standard error; None for fewer than three runs."""
    return paired(np.log(ratios_of), np.zeros(len(ratios_of))) if len(ratios_of) >= PAIRS else None


def shown(d: Difference | None) -> str:
    """The geometric mean of ratios, with its standard error while it is small."""
    if d is None:
        return "-"
    mean = np.exp(d.mean)
    return f"{mean:.3f} ± {mean * d.standard_error:.3f}" if mean < 3 else f"{mean:,.3g}"


def count_of_runs(lines: list[Line]) -> str:
    """How many runs there are in each schedule."""
    counts = defaultdict(set)
    for x in lines:
        counts[x["schedule"], x["corpus"], x["K"], x["documents"], x["model"]].add(x["run"])
    each = {s: sorted({len(of) for key, of in counts.items() if key[0] == s}) for s in {key[0] for key in counts}}
    texts = [f"{of[0]}" if of[0] == of[-1] else f"{of[0]} to {of[-1]}" for _, of in sorted(each.items())]
    return " and ".join(f"{n} runs in `{s}` order" for n, s in zip(texts, sorted(each), strict=True))


def claim_of(where: str, text: str, status: str, evidence: str, some: list[Line], source: str) -> Claim:
    return Claim(where, text, status, SETTINGS.format(runs=count_of_runs(some)), evidence, f"boo16.csv, {source}")
