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
    corpus_reading, A = corpora.reading(a), ALGORITHMS[a.algorithm]
    c = corpus_reading.corpus
    for message in corpus_reading.warnings(corpus_reading.names):
        print(message, file=sys.stderr)
    out_folder = output_folder(a, FILES)
    if (out_folder / FILES[0]).exists() and not a.force:
        raise ValueError(f"{a.out}: has an earlier {FILES[0]}, expected another folder or --force")
    train_corpus, validation_corpus = split(c, "documents", a.validation, sweep_rng(a.seed, 0))
    halves = validation.halves(validation_corpus, sweep_rng(a.seed, 0))
    if halves.heldout.N == 0 or train_corpus.N == 0:
        raise ValueError(f"{a.corpus}: too few tokens to hold out {a.validation:g} of {c.D} documents")
    train_corpus, p = A.arranged(train_corpus), Prior(a.alpha + A.prior_offset, a.eta + A.prior_offset)
    y_name, say = name_of_value(A), print if a.json is None else lambda *_, **__: None
    runs_by_K: dict[int, Stability] = {}
    npmi_by_K = dict[int, tuple[Array, Array]]()
    for K in map(int, K_texts):
        with progress.sweeps_bar(a.sweeps, name=f"K = {K}", leave=False, style=a.progress) as advance_bar:
            show_sweep = partial(_advance, advance_bar)
            stability_K = runs_by_K[K] = stability(train_corpus, K, A, p, a.runs, a.sweeps, a.seed, halves, show_sweep)
        if len(runs_by_K) == 1:  # bad input leaves only its one line
            say(f"{'K':>4}  {y_name:>23}  {'perplexity':>16}  topics that come back  coherence (NPMI)")
        npmi_by_K[K] = coherences(stability_K, train_corpus)
        say(lines_of(K, stability_K, *npmi_by_K[K]), flush=True)
    topic_rows = topics_of(runs_by_K, npmi_by_K, c.vocab or tuple(map(str, range(c.W))))
    for K, k, back_share, back_share_by_chance, npmi_k, chance_npmi, words_text in topic_rows:
        if k == 0:
            say(f"\nK = {K}, the run with the highest {y_name}: topic, comes back, coherence (NPMI), words of its own")
            say("(in brackets: by chance)")
        back_text = f"{k:>3} {back_share:>5.0%} ({back_share_by_chance:.0%})"
        say(f"{back_text:<17}{number(npmi_k, 6)} ({number(chance_npmi, 6)})  {words_text}")
    K_advice = recommendations(runs_by_K, {K: npmi_of_k for K, (npmi_of_k, _) in npmi_by_K.items()}, A.is_sampler, say)
    say("These runs are not kept. `fit` makes a model of all documents, whose less stable topics may be others.")
    tables = {"runs": (["K", "run", "best", y_name, *RUN_COLUMNS], runs_of(runs_by_K))}
    tables["topics"] = ["K", "topic", *TOPIC_COLUMNS], topic_rows
    out_folder.mkdir(parents=True, exist_ok=True)
    for file_name, header_and_rows in zip(FILES, tables.values(), strict=False):
        write_bytes(out_folder / file_name, csv_text(*header_and_rows).encode())
    figure_title = f"{A.name}, {a.runs} runs for each K, {in_unicode(Path(a.corpus).name)}"
    plots.stability_figure(runs_by_K, y_name, out_folder / FILES[2], figure_title)
    if a.json:
        records = {part: [dict(zip(names, row, strict=True)) for row in rows] for part, (names, rows) in tables.items()}
        write(json_text(K_advice | records), a.json)
    print(f"\nWritten: {', '.join(in_unicode(str(out_folder / file_name)) for file_name in FILES)}", file=sys.stderr)


def _advance(advance_bar: Callable[..., None], f: Fit) -> dict[str, Any]:
    advance_bar(progress.brief_history(f.history[-1]))
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
    runs_by_K: dict[int, Stability], npmi_by_K: dict[int, tuple[Array, Array]], vocab: tuple[str, ...]
) -> list[list[Any]]:
    """A row for each topic of each best run: K, its number, and what `TOPIC_COLUMNS` names."""
    rows = []
    for K, runs in runs_by_K.items():
        for k, word_ids in enumerate(first_words(runs.phi_wk, runs.N_wk, WORDS_SHOWN)):
            npmi_pair = [None if np.isnan(npmi_k[k]) else float(npmi_k[k]) for npmi_k in npmi_by_K[K]]
            words_text = "(empty)" if k in runs.empty else " ".join(vocab[w] for w in word_ids)
            rows.append([K, k, float(runs.comes_back[k]), float(runs.comes_back_by_chance[k]), *npmi_pair, words_text])
    return rows


def recommendations(
    runs_by_K: dict[int, Stability], npmi_by_K: dict[int, Array], is_sampler: bool, say: Callable[..., None]
) -> dict[str, Any]:
    """The K for prediction and the K to read topics, which it says, and whether the runs had converged."""
    change = np.concatenate([runs.change for runs in runs_by_K.values()])
    if not is_sampler and (n_moving := int((change >= SETTLED).sum())):
        say(f"\nNot converged: {n_moving} of {len(change)} runs (change up to {change.max():.3g}, limit {SETTLED:g}).")
        say("More --sweeps may change these numbers and what follows.")
    advice, reading_K = recommend(runs_by_K), most_coherent(runs_by_K, npmi_by_K) if len(runs_by_K) > 1 else None
    say(f"\nFor prediction, {f'K = {advice.K} is recommended' if advice.K else 'K is undecided'}: {advice.reason}")
    if reading_K is not None:
        say(f"To read topics, take K = {reading_K}, the smallest within a standard error of the most coherent")
        say(f"where at least {MOST:.0%} come back, more than by chance.")
    elif len(runs_by_K) > 1:
        say(f"To read topics, none of these K stands out: nowhere do {MOST:.0%} come back, more than by chance.")
    return {"prediction": advice._asdict(), "reading": {"K": reading_K}}


def coherences(s: Stability, c: Corpus) -> tuple[Array, Array]:
    """NPMI (K,) of each topic of the best run, nan of an empty one, and by chance: the mean over exchanges of words."""
    if c.W == 1:
        nan_npmi = np.full(s.phi_wk.shape[1], np.nan)
        return nan_npmi, nan_npmi
    document_ids, j = np.unique(c.j, return_inverse=True)  # among empty ones all words would seem to meet
    c, word_orders = Corpus(j, c.w, c.n, len(document_ids), c.W), (np.arange(c.W), *s.exchanged)
    npmi = np.array([coherence(s.phi_wk[order], c, min(10, c.W), MEASURES[1], s.N_wk[order]) for order in word_orders])
    npmi[:, s.empty] = np.nan
    return npmi[0], npmi[1:].mean(0)


def mean(x: Array) -> float:
    """The mean of the numbers that are not nan; nan without any."""
    defined_x = x[~np.isnan(x)]
    return float(defined_x.mean()) if len(defined_x) else np.nan


def number(npmi_k: float | None, width: int) -> str:
    """A coherence, or "-" for the coherence of fewer than two words."""
    return f"{'-' if npmi_k is None or np.isnan(npmi_k) else f'{npmi_k:.3f}':>{width}}"


def shares(comes_back_k: Array) -> str:
    """How many of the topics come back, and the share."""
    return f"{comes_back_k.sum():>8.1f} of {len(comes_back_k):<3} {comes_back_k.mean():>5.0%}"


def runs_of(runs_by_K: dict[int, Stability]) -> list[list[Any]]:
    """A row for each run: K, the run, whether it is the best, its value, and what `RUN_COLUMNS` names."""
    rows = []
    for K, runs in runs_by_K.items():
        n_topics_back = np.insert((runs.distance < SAME).sum(1), runs.best, K).tolist()
        n_back_by_chance: list[int | None] = (runs.distance_by_chance < SAME).sum(1).tolist()
        n_back_by_chance.insert(runs.best, None)  # it is not compared with itself
        assert runs.perplexity is not None
        columns = (runs.value.tolist(), runs.perplexity.tolist(), n_topics_back, runs.change.tolist(), n_back_by_chance)
        run_rows = enumerate(zip(*columns, strict=True))
        rows += [[K, r, int(r == runs.best), *run_columns, runs.perplexity_by_chance] for r, run_columns in run_rows]
    return rows
