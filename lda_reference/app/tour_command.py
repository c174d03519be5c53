"""The command `tour`: the table of every algorithm's runs, line by line, then topics, a figure and its numbers.

It begins with real text: the topics of chapters of the Bible, and a page that shows one in their colours.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import bible
from ..algorithms import ALGORITHMS
from ..arguments import check_choice, whole_number
from ..corpus import Corpus
from ..fitting import fit, settled
from ..model import Array, Prior
from . import corpora, plots, progress
from . import tour as tours
from .models import in_unicode
from .outputs import output_folder, write
from .report.findings import charts, findings
from .report.page import page

BIBLE_TOPICS, BIBLE_CHAPTER = 12, "Genesis 41"
OWN_SWEEPS, BARS_SWEEPS = 100, 70  # of an own corpus, of the embedded ones


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False)
    progress.add_arguments(p)
    p.add_argument("--topics", metavar="K", type=int, help="number of topics, needed with --corpus")
    p.add_argument("--alpha", type=float, default=0.1, help="default 0.1")
    p.add_argument("--eta", type=float, default=0.1, help="default 0.1")
    p.add_argument("--algorithms", metavar="A,B", help="default all: " + ",".join(ALGORITHMS))
    p.add_argument("--sweeps", type=int, help=f"default {OWN_SWEEPS}, of the embedded corpora {BARS_SWEEPS}")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    p.add_argument("--learn", action="store_true", help="also run each algorithm with alpha and eta learned")
    p.add_argument("--out", metavar="DIR", default="tour", help="folder for the files; default tour")


def run(a: argparse.Namespace) -> None:
    """Print a line for each algorithm when it is done, then the topics of the best one; write tour.png and tour.csv.

    The whole tour, of the embedded corpora and of all algorithms, begins with real text.
    """
    c, K, true_wk, corpus_name = _corpus(a)
    n_sweeps = (OWN_SWEEPS if a.corpus else BARS_SWEEPS) if a.sweeps is None else whole_number(a.sweeps, "sweeps", 1)
    algorithm_names = a.algorithms.split(",") if a.algorithms else None
    for algorithm_name in algorithm_names or ():
        check_choice(algorithm_name, "algorithms", ALGORITHMS)
    prior = Prior(a.alpha, a.eta)
    shows_real_text = a.corpus is None and algorithm_names is None
    out_folder = output_folder(a, ("tour.csv", "tour.png", *["bible.html"] * shows_real_text))

    def open_bar(algorithm_name: str) -> Any:
        return progress.sweeps_bar(n_sweeps, name=f"{algorithm_name:<18}", leave=False, style=a.progress)

    if shows_real_text:
        show_real_text(prior, n_sweeps, a.seed, out_folder / "bible.html", open_bar)
    title = f"{corpus_name}: {c.D} documents, {c.W} words, {c.N} tokens, K = {K}, alpha = {a.alpha:g}, eta = {a.eta:g}"
    print(title, flush=True)
    for reason in tours.able(c, K, prior)[1] if algorithm_names is None else ():
        print(f"left out: {reason}")
    learns_prior = a.learn or a.corpus is None
    column_names, tour_entries = tours.heading(true_wk is not None, learns_prior), []
    print("\n" + tours.aligned(column_names, column_names), flush=True)
    for entry in tours.tour(c, K, prior, n_sweeps, a.seed, true_wk, algorithm_names, learns_prior, open_bar):
        tour_entries.append(entry)
        print(tours.aligned(tours.cells(entry, true_wk is not None, learns_prior), column_names), flush=True)
    print("\n" + tours.legend(true_wk is not None, learns_prior) + "\n")
    best_entry = tours.best(tour_entries)
    print(tours.shown_topics(best_entry))
    print(tours.topics_text(best_entry.fit.phi_wk, best_entry.fit.theta_jk, c.vocab, 10 if true_wk is None else 5))
    out_folder.mkdir(parents=True, exist_ok=True)
    tours.write_numbers(tour_entries, out_folder / "tour.csv")
    plots.tour_figure([entry.fit for entry in tour_entries], out_folder / "tour.png", title)
    print(f"\nWritten: {out_folder / 'tour.png'}, {out_folder / 'tour.csv'}")


def _corpus(a: argparse.Namespace) -> tuple[Corpus, int, Array | None, str]:
    """The corpus, the number of topics, the true topics if they are known, and what the corpus is."""
    if a.corpus is not None:
        if a.topics is None:
            raise ValueError("--corpus needs --topics K")
        return corpora.reading(a).corpus, a.topics, None, in_unicode(Path(a.corpus).name)
    for option_name in ("vocab", "format", "topics", "column", "transpose", "skip_unreadable", *corpora.CHOICES):
        if getattr(a, option_name):
            raise ValueError(f"--{option_name.replace('_', '-')} needs --corpus")
    synthetic = tours.embedded()
    return synthetic.corpus, synthetic.phi_wk.shape[1], synthetic.phi_wk, "bars, the embedded synthetic corpus"


def show_real_text(prior: Prior, sweeps: int, seed: int, page_path: Path, open_bar: Callable[[str], Any]) -> None:
    """Print the words of CVB0's topics in chapters of the Bible, and write a page that has them in a chapter."""
    c, texts = bible.corpus(), bible.chapters()
    with open_bar("cvb0, real text") as advance_bar:
        f = fit(c, BIBLE_TOPICS, "cvb0", prior, sweeps, seed=seed, monitor=lambda f: advance_bar() or {}, stop=settled)
    title = f"chapters of the World English Bible: {c.D} documents, {c.W} words, {c.N} tokens, K = {BIBLE_TOPICS}"
    print(f"{title}, by cvb0\n{tours.topics_text(f.phi_wk, f.theta_jk, c.vocab)}\n", flush=True)
    page_path.parent.mkdir(parents=True, exist_ok=True)
    titles = list(texts)
    report = findings(f, c, titles, 12, titles.index(BIBLE_CHAPTER), lambda js: {j: texts[titles[j]] for j in js})
    write(page(f, report, charts(f, c.N), c.N, "chapters of the World English Bible", 12), str(page_path))
    print(f"The page shows {BIBLE_CHAPTER} in the colours of its topics.\n", flush=True)
