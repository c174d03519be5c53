"""The command `stability`: several runs for each number of topics, compared."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS
from ..corpus import split
from ..evaluation import validation
from ..evaluation.coherence import MEASURES, coherence
from ..evaluation.matching import top_words
from ..evaluation.number_of_topics import MOST, recommend
from ..evaluation.stability import SAME, Stability, name_of_value, stability
from ..fitting import Fit, sweep_rng
from ..formats.files import write_bytes
from ..model import Prior
from . import corpora, plots, progress
from .models import csv_text, in_unicode
from .outputs import output_folder
from .report.findings import SETTLED

WORDS = 8  # of each topic


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `stability`."""
    corpora.add_arguments(p)
    progress.add_arguments(p)
    p.add_argument("--out", metavar="DIR", required=True, help="folder for stability.png, stability.csv, topics.csv")
    p.add_argument("--topics", metavar="K,K", required=True, nargs="+", help="numbers of topics, such as 5,10,20")
    p.add_argument("--algorithm", choices=list(ALGORITHMS), default="cvb0", help="default cvb0")
    p.add_argument("--runs", type=int, default=10, help="runs for each K, from different starts; default 10")
    p.add_argument("--alpha", type=float, default=0.1, help="default 0.1; map adds 1")
    p.add_argument("--eta", type=float, default=0.1, help="default 0.1; map adds 1")
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--validation", metavar="SHARE", type=float, default=0.1, help="share of the documents; default 0.1")
    p.add_argument("--seed", type=int, default=0, help="default 0")


def run(a: argparse.Namespace) -> None:
    """Print a line for each K, one for each topic of its best run, and which K to take; write picture and numbers."""
    try:
        numbers = [int(x) for x in ",".join(a.topics).split(",")]
    except ValueError:
        raise ValueError(f"--topics is {' '.join(a.topics)!r}, expected whole numbers such as 5,10,20") from None
    if not 0 < a.validation < 1:
        raise ValueError(f"--validation is {a.validation}, expected a share above 0 and below 1")
    c, A = corpora.reading(a).corpus, ALGORITHMS[a.algorithm]
    train, later = split(c, "documents", a.validation, sweep_rng(a.seed, 0))
    if later.N < 2 or train.N == 0:
        raise ValueError(f"{a.corpus}: too few tokens to hold out {a.validation:g} of {c.D} documents")
    train, h = A.arranged(train), validation.halves(later, sweep_rng(a.seed, 0))
    p = Prior(a.alpha + A.prior_offset, a.eta + A.prior_offset)
    out = output_folder(a, ("stability.csv", "topics.csv", "stability.png"))
    found: dict[int, Stability] = {}
    npmi, topics = dict[int, Any](), list[list[Any]]()
    name = name_of_value(A)
    print(f"{'K':>4}  {name:>23}  {'perplexity':>16}  topics that come back  coherence (NPMI)")
    for K in numbers:
        with progress.sweeps_bar(a.sweeps, name=f"K = {K}", leave=False, style=a.progress) as step:

            def monitor(f: Fit, step: Callable[..., None] = step) -> dict[str, Any]:
                step(progress.brief_history(f.history[-1]))
                return {}

            s = found[K] = stability(train, K, A, p, a.runs, a.sweeps, a.seed, h, monitor)
        assert s.perplexity is not None
        npmi[K] = coherence(s.phi_wk, train, min(10, c.W), MEASURES[1])
        used = np.delete(np.arange(K), s.empty)
        print(
            f"{K:>4}  {s.value.mean():>14.4f} ± {s.value.std(ddof=1):.4f}  {s.perplexity.mean():>8.1f} ±"
            f" {s.perplexity.std(ddof=1):5.1f}  {s.comes_back.sum():>8.1f} of {K:<3} {s.comes_back.mean():>5.0%}"
            f"  {npmi[K][used].mean():>16.3f}" + f"  ({len(s.empty)} of {K} topics are empty)" * (len(s.empty) > 0),
            flush=True,
        )
    vocab = c.vocab or tuple(map(str, range(c.W)))
    for K, s in found.items():
        print(f"\nK = {K}, the run with the highest {name}: comes back, coherence (NPMI), words")
        best = top_words(s.phi_wk, WORDS)
        for k in np.argsort(-s.comes_back, kind="stable"):
            words = "(empty)" if k in s.empty else " ".join(vocab[w] for w in best[:, k])
            topics.append([K, int(k), float(s.comes_back[k]), float(npmi[K][k]), words])
            print(f"{s.comes_back[k]:>6.0%}  {npmi[K][k]:>6.3f}  {words}")
    change = np.concatenate([s.change for s in found.values()])
    if not A.is_sampler and (moving := int((change >= SETTLED).sum())):
        print(f"\nNot converged: {moving} of {len(change)} runs (change up to {change.max():.3g}, limit {SETTLED:g}).")
        print(f"More sweeps, such as --sweeps {3 * a.sweeps}, may change these numbers and what follows.")
    chosen = recommend(found)
    print(f"\nFor prediction, {f'K = {chosen.K} is recommended' if chosen.K else 'K is undecided'}: {chosen.reason}")
    if len(found) > 1 and (stable := [K for K, s in found.items() if s.comes_back.mean() >= MOST]):
        best_read = max(stable, key=lambda K: np.delete(npmi[K], found[K].empty).mean())
        print(f"To read topics, take K = {best_read}, the most coherent where at least {MOST:.0%} come back.")
    print("These runs are not kept. `fit` makes a model of all documents, whose less stable topics may be others.")
    out.mkdir(parents=True, exist_ok=True)
    write_numbers(found, name, out / "stability.csv")
    header = ["K", "topic", "comes back", "coherence (NPMI)", "words"]
    write_bytes(out / "topics.csv", csv_text(header, topics).encode())
    title = f"{A.name}, {a.runs} runs for each K, {in_unicode(Path(a.corpus).name)}"
    plots.stability_figure(found, name, out / "stability.png", title)
    written = ", ".join(str(out / x) for x in ("stability.png", "stability.csv", "topics.csv"))
    print(f"\nWritten: {written}", file=sys.stderr)


def write_numbers(found: dict[int, Stability], name: str, path: Path) -> None:
    """Write a line for each run: K, the run, its value, perplexity, topics of the best run, last change of gamma."""
    rows = []
    for K, s in found.items():
        has = np.insert((s.distance < SAME).sum(1), s.best, K)
        assert s.perplexity is not None
        runs = zip(s.value.tolist(), s.perplexity.tolist(), has, s.change.tolist(), strict=True)
        rows += [[K, r, int(r == s.best), *of_run] for r, of_run in enumerate(runs)]
    header = ["K", "run", "best", name, "perplexity", "topics of the best run", "change"]
    write_bytes(path, csv_text(header, rows).encode())
