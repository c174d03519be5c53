"""The command `stability`: several runs for each number of topics, compared."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS
from ..arguments import expect
from ..corpus import Corpus, split
from ..evaluation import validation
from ..evaluation.coherence import MEASURES, coherence
from ..evaluation.number_of_topics import MOST, most_coherent, recommend
from ..evaluation.stability import SAME, Stability, name_of_value, stability
from ..fitting import SETTLED, Fit, sweep_rng
from ..formats.files import write_bytes
from ..model import Array, Prior
from ..own_words import first_words
from . import corpora, plots, progress
from .models import csv_text, force_argument, in_unicode, json_text, table_argument
from .outputs import check_output, output_folder, write

WORDS_SHOWN = 8  # of each topic
FILES = ("stability.csv", "topics.csv", "stability.png")
BY_CHANCE = " by chance"
RUN_COLUMNS = ["perplexity", "topics of the best run", "change", f"topics{BY_CHANCE}", f"perplexity{BY_CHANCE}"]
TOPIC_COLUMNS = ["comes back", f"comes back{BY_CHANCE}", "coherence (NPMI)", f"coherence (NPMI){BY_CHANCE}", "words"]


def add_arguments(p: argparse.ArgumentParser) -> None:
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
    table_argument(p, "json")
    force_argument(p)


def run(a: argparse.Namespace) -> None:
    """Print a line for each K, one for each topic of its best run, and which K to take; write picture and numbers."""
    K_texts = ",".join(a.topics).split(",")
    expect(all(map(str.isdigit, K_texts)), " ".join(a.topics), "topics", "whole numbers such as 5,10,20")
    expect(0 < a.validation < 1, a.validation, "validation", "a share above 0 and below 1")
    check_output(a, "json")
    c, A = corpora.reading(a).corpus, ALGORITHMS[a.algorithm]
    out_folder = output_folder(a, FILES)
    train, validation_corpus = split(c, "documents", a.validation, sweep_rng(a.seed, 0))
    halves = validation.halves(validation_corpus, sweep_rng(a.seed, 0))
    if halves.heldout.N == 0 or train.N == 0:
        raise ValueError(f"{a.corpus}: too few tokens to hold out {a.validation:g} of {c.D} documents")
    train, p = A.arranged(train), Prior(a.alpha + A.prior_offset, a.eta + A.prior_offset)
    y_name, say = name_of_value(A), print if a.json is None else lambda *_, **__: None
    by_K: dict[int, Stability] = {}
    npmi = dict[int, tuple[Array, Array]]()
    for K in map(int, K_texts):
        with progress.sweeps_bar(a.sweeps, name=f"K = {K}", leave=False, style=a.progress) as step:
            monitor = partial(_advance, step)
            stability_K = by_K[K] = stability(train, K, A, p, a.runs, a.sweeps, a.seed, halves, monitor)
        if len(by_K) == 1:  # bad input leaves only its one line
            say(f"{'K':>4}  {y_name:>23}  {'perplexity':>16}  topics that come back  coherence (NPMI)")
        npmi[K] = coherences(stability_K, train)
        say(lines_of(K, stability_K, *npmi[K]), flush=True)
    topic_rows = topics_of(by_K, npmi, c.vocab or tuple(map(str, range(c.W))))
    for K, k, comes_back, chance_back, npmi_k, chance_npmi, words in topic_rows:
        if k == 0:
            say(f"\nK = {K}, the run with the highest {y_name}: topic, comes back, coherence (NPMI), words of its own")
            say("(in brackets: by chance)")
        back_text = f"{k:>3} {comes_back:>5.0%} ({chance_back:.0%})"
        say(f"{back_text:<17}{number(npmi_k, 6)} ({number(chance_npmi, 6)})  {words}")
    advice = recommendations(by_K, {K: best_npmi for K, (best_npmi, _) in npmi.items()}, A.is_sampler, say)
    say("These runs are not kept. `fit` makes a model of all documents, whose less stable topics may be others.")
    tables = {"runs": (["K", "run", "best", y_name, *RUN_COLUMNS], runs_of(by_K))}
    tables["topics"] = ["K", "topic", *TOPIC_COLUMNS], topic_rows
    out_folder.mkdir(parents=True, exist_ok=True)
    for file_name, table in zip(FILES, tables.values(), strict=False):
        write_bytes(out_folder / file_name, csv_text(*table).encode())
    title = f"{A.name}, {a.runs} runs for each K, {in_unicode(Path(a.corpus).name)}"
    plots.stability_figure(by_K, y_name, out_folder / FILES[2], title)
    if a.json:
        records = {part: [dict(zip(names, row, strict=True)) for row in rows] for part, (names, rows) in tables.items()}
        write(json_text(advice | records), a.json)
    print(f"\nWritten: {', '.join(in_unicode(str(out_folder / file_name)) for file_name in FILES)}", file=sys.stderr)


def _advance(step: Callable[..., None], f: Fit) -> dict[str, Any]:
    step(progress.brief_history(f.history[-1]))
    return {}


def lines_of(K: int, s: Stability, npmi: Array, npmi_by_chance: Array) -> str:
    """The line of one K, and that of chance below it."""
    assert s.perplexity is not None
    return (
        f"{K:>4}  {s.value.mean():>14.4f} ± {s.value.std(ddof=1):.4f}  {s.perplexity.mean():>8.1f} ±"
        f" {s.perplexity.std(ddof=1):5.1f}  {shares(s.comes_back)}  {number(mean(npmi), 16)}"
        f"\n{BY_CHANCE:>29}  {s.perplexity_by_chance:>8.1f}{'':8}  {shares(s.comes_back_by_chance)}"
        f"  {number(mean(npmi_by_chance), 16)}"
    )


def topics_of(
    by_K: dict[int, Stability], npmi: dict[int, tuple[Array, Array]], vocab: tuple[str, ...]
) -> list[list[Any]]:
    """A row for each topic of each best run: K, its number, and what `TOPIC_COLUMNS` names."""
    rows = []
    for K, s in by_K.items():
        for k, words in enumerate(first_words(s.phi_wk, s.N_wk, WORDS_SHOWN)):
            npmi_pair = [None if np.isnan(npmi_k[k]) else float(npmi_k[k]) for npmi_k in npmi[K]]
            words_text = "(empty)" if k in s.empty else " ".join(vocab[w] for w in words)
            rows.append([K, k, float(s.comes_back[k]), float(s.comes_back_by_chance[k]), *npmi_pair, words_text])
    return rows


def recommendations(
    by_K: dict[int, Stability], npmi: dict[int, Array], is_sampler: bool, say: Callable[..., None]
) -> dict[str, Any]:
    """The K for prediction and the K to read topics, which it says, and whether the runs had converged."""
    change = np.concatenate([of_K.change for of_K in by_K.values()])
    if not is_sampler and (n_moving := int((change >= SETTLED).sum())):
        say(f"\nNot converged: {n_moving} of {len(change)} runs (change up to {change.max():.3g}, limit {SETTLED:g}).")
        say("More --sweeps may change these numbers and what follows.")
    choice, reading_K = recommend(by_K), most_coherent(by_K, npmi) if len(by_K) > 1 else None
    say(f"\nFor prediction, {f'K = {choice.K} is recommended' if choice.K else 'K is undecided'}: {choice.reason}")
    if reading_K is not None:
        say(f"To read topics, take K = {reading_K}, the smallest within a standard error of the most coherent")
        say(f"where at least {MOST:.0%} come back.")
    return {"prediction": choice._asdict(), "reading": {"K": reading_K}}


def coherences(s: Stability, c: Corpus) -> tuple[Array, Array]:
    """NPMI (K,) of each topic of the best run, nan of an empty one, and by chance: the mean over exchanges of words."""
    if c.W == 1:
        no_npmi = np.full(s.phi_wk.shape[1], np.nan)
        return no_npmi, no_npmi
    word_orders = (np.arange(c.W), *s.exchanged)
    npmi = np.array([coherence(s.phi_wk[order], c, min(10, c.W), MEASURES[1], s.N_wk[order]) for order in word_orders])
    npmi[:, s.empty] = np.nan
    return npmi[0], npmi[1:].mean(0)


def mean(x: Array) -> float:
    """The mean of the numbers that are not nan; nan without any."""
    defined_x = x[~np.isnan(x)]
    return float(defined_x.mean()) if len(defined_x) else np.nan


def number(x: float | None, width: int) -> str:
    """A coherence, or "-" for the coherence of fewer than two words."""
    return f"{'-' if x is None or np.isnan(x) else f'{x:.3f}':>{width}}"


def shares(x: Array) -> str:
    """How many of the topics come back, and the share."""
    return f"{x.sum():>8.1f} of {len(x):<3} {x.mean():>5.0%}"


def runs_of(by_K: dict[int, Stability]) -> list[list[Any]]:
    """A row for each run: K, the run, whether it is the best, its value, and what `RUN_COLUMNS` names."""
    rows = []
    for K, s in by_K.items():
        back_counts = np.insert((s.distance < SAME).sum(1), s.best, K).tolist()
        back_by_chance: list[int | None] = (s.distance_by_chance < SAME).sum(1).tolist()
        back_by_chance.insert(s.best, None)  # it is not compared with itself
        assert s.perplexity is not None
        columns = (s.value.tolist(), s.perplexity.tolist(), back_counts, s.change.tolist(), back_by_chance)
        run_rows = enumerate(zip(*columns, strict=True))
        rows += [[K, r, int(r == s.best), *run_columns, s.perplexity_by_chance] for r, run_columns in run_rows]
    return rows
