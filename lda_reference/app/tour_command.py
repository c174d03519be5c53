"""The command `tour`: the table of every algorithm's runs, line by line, then topics, a figure and its numbers.

The second half is of real text: the topics of chapters of the Bible, and a page that shows one in their colours.
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


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False)
    progress.add_arguments(p)
    p.add_argument("--topics", metavar="K", type=int, help="number of topics, needed with --corpus")
    p.add_argument("--alpha", type=float, default=0.1, help="default 0.1")
    p.add_argument("--eta", type=float, default=0.1, help="default 0.1")
    p.add_argument("--algorithms", metavar="A,B", help="default all: " + ",".join(ALGORITHMS))
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    p.add_argument("--learn", action="store_true", help="also run each algorithm with alpha and eta learned")
    p.add_argument("--out", metavar="DIR", default="tour", help="folder for the files; default tour")


def run(a: argparse.Namespace) -> None:
    """Print a line for each algorithm when it is done, then the topics of the best one; write tour.png and tour.csv.

    The whole tour, of the embedded corpora and of all algorithms, ends with real text.
    """
    c, K, truth, what = _corpus(a)
    whole_number(a.sweeps, "sweeps", 1)
    names = a.algorithms.split(",") if a.algorithms else None
    for name in names or ():
        check_choice(name, "algorithms", ALGORITHMS)
    prior = Prior(a.alpha, a.eta)
    ends_with_text = a.corpus is None and names is None
    out = output_folder(a, ("tour.csv", "tour.png", *["bible.html"] * ends_with_text))
    about = f"{what}: {c.D} documents, {c.W} words, {c.N} tokens, K = {K}, alpha = {a.alpha:g}, eta = {a.eta:g}"
    print(about, flush=True)
    for reason in tours.able(c, K, prior)[1] if names is None else ():
        print(f"left out: {reason}")
    learn = a.learn or a.corpus is None

    def bar(name: str) -> Any:
        return progress.sweeps_bar(a.sweeps, name=f"{name:<18}", leave=False, style=a.progress)

    columns, entries = tours.heading(truth is not None, learn), []
    print("\n" + tours.aligned(columns, columns), flush=True)
    for entry in tours.tour(c, K, prior, a.sweeps, a.seed, truth, names, learn, bar):
        entries.append(entry)
        print(tours.aligned(tours.cells(entry, truth is not None, learn), columns), flush=True)
    print("\n" + tours.legend(truth is not None, learn) + "\n")
    shown = tours.best(entries)
    print(tours.shown_topics(shown))
    print(tours.topics_text(shown.fit.phi_wk, shown.fit.theta_jk, c.vocab, 10 if truth is None else 5))
    out.mkdir(parents=True, exist_ok=True)
    tours.write_numbers(entries, out / "tour.csv")
    plots.tour_figure([entry.fit for entry in entries], out / "tour.png", about)
    print(f"\nWritten: {out / 'tour.png'}, {out / 'tour.csv'}")
    if ends_with_text:
        print("\n" + of_real_text(prior, a.sweeps, a.seed, out / "bible.html", bar))


def _corpus(a: argparse.Namespace) -> tuple[Corpus, int, Array | None, str]:
    """The corpus, the number of topics, the true topics if they are known, and what the corpus is."""
    if a.corpus is not None:
        if a.topics is None:
            raise ValueError("--corpus needs --topics K")
        return corpora.reading(a).corpus, a.topics, None, in_unicode(Path(a.corpus).name)
    for name in ("vocab", "format", "topics", "column", "transpose", "skip_unreadable", *corpora.CHOICES):
        if getattr(a, name):
            raise ValueError(f"--{name.replace('_', '-')} needs --corpus")
    drawn = tours.embedded()
    return drawn.corpus, drawn.phi_wk.shape[1], drawn.phi_wk, "bars, the embedded synthetic corpus"


def of_real_text(prior: Prior, sweeps: int, seed: int, path: Path, bar: Callable[[str], Any]) -> str:
    """Write the page of CVB0's topics in chapters of the Bible, and return their words."""
    c, texts = bible.corpus(), bible.chapters()
    with bar("cvb0, real text") as step:
        f = fit(c, BIBLE_TOPICS, "cvb0", prior, 3 * sweeps, seed=seed, monitor=lambda f: step() or {}, stop=settled)
    names = list(texts)
    shown = findings(f, c, names, 12, names.index(BIBLE_CHAPTER), lambda js: {j: texts[names[j]] for j in js})
    write(page(f, shown, charts(f, c.N), c.N, "chapters of the World English Bible", 12), str(path))
    about = f"chapters of the World English Bible: {c.D} documents, {c.W} words, {c.N} tokens, K = {BIBLE_TOPICS}"
    words = tours.topics_text(f.phi_wk, f.theta_jk, c.vocab)
    return f"{about}, by cvb0\n{words}\n\nThe page shows {BIBLE_CHAPTER} in the colours of its topics."
