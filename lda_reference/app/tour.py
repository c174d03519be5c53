"""The tour: every algorithm on one corpus, side by side."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import ALGORITHMS
from ..corpus import Corpus, split
from ..evaluation.matching import match_topics, top_words
from ..evaluation.prediction import perplexity_of, token_probability
from ..fitting import Fit, fit, settled, sweep_rng
from ..formats.files import write_bytes
from ..model import Array, Prior
from ..recommended import schedule_and_start, value_to_stop_by
from ..synthetic import Synthetic, bars
from .models import csv_text

HELD_OUT = 0.1  # the share of each document's tokens, as in TNW06
STARTS = 3  # of each soft algorithm; the training tokens choose the run that is shown


class Entry(NamedTuple):
    """The results of one algorithm, a line of the table; `legend` says what the numbers are.

    `fit` is of several runs the one with the highest training value. `learned` has the prior and the perplexity of the
    run that learns it. What an algorithm does not have, or what cannot be known or learned, is None.
    """

    fit: Fit
    bound: float | None
    spread: float | None
    perplexity: float
    topic_error: float | None
    learned: tuple[Prior, float] | None


def embedded() -> Synthetic:
    """The embedded corpus: 100 images of 50 pixels each, drawn from ten bars on a square of 5 x 5 pixels."""
    return bars(np.random.default_rng(0), side=5, D=100, length=50, alpha=0.3)


def tour(
    c: Corpus,
    K: int,
    prior: Prior,
    sweeps: int = 100,
    seed: int = 0,
    true_wk: Array | None = None,
    algorithms: Sequence[str] | None = None,
    learn: bool = True,
    progress: Callable[[str], AbstractContextManager[Callable[[], Any]]] | None = None,
) -> Iterator[Entry]:
    """Fit algorithms to the training tokens of a corpus, and score them on the held-out tokens.

    Each algorithm has the schedule and the start that `recommended` names. Its runs have the seeds `seed`, `seed` + 1
    and so on; `legend` says the rest. MAP adds alpha - 1 and eta - 1 to its counts, so it runs at priors one higher
    than the others (AWST09 §4.1). `true_wk` has the topics from which the corpus was drawn. Without `algorithms`, all
    run that can. `progress` takes the name of a run; its context gives a function to call after each sweep.
    """
    progress = progress or (lambda run_name: nullcontext(lambda: None))
    training_corpus, test = split(c.types(), "tokens", HELD_OUT, sweep_rng(seed, 0))
    for algorithm_name in able(c, K, prior)[0] if algorithms is None else algorithms:
        A = ALGORITHMS[algorithm_name]
        p, train_A = shifted(prior, A.prior_offset), A.arranged(training_corpus)
        is_soft = A.assignment != "sample"
        schedule, start = schedule_and_start(A, training_corpus)
        settings: dict[str, Any] = {"algorithm": algorithm_name, "sweeps": sweeps, "schedule": schedule, "start": start}
        settings["stop"] = settled if is_soft else None
        runs = []
        for r in range(STARTS if is_soft else 1):
            with progress(f"{algorithm_name}, start {r + 1}") as step:
                runs.append(_scored_fit(train_A, test, K, step, prior=p, seed=seed + r, **settings))
        bounds = [float(value_to_stop_by(A)(f.state, train_A, f.prior)) / train_A.N for f in runs] if is_soft else [0.0]
        f = runs[int(np.argmax(bounds))]
        bound = None if isinstance(A.bound_of, str) else max(bounds)
        spread = max(bounds) - min(bounds) if len(runs) > 1 else None
        topic_error = None if true_wk is None else float(match_topics(f.phi_wk, true_wk)[1].mean())
        learned, sides = None, [side for side in ("alpha", "eta") if not isinstance(A.learns, str) and side in A.learns]
        if learn and sides:
            with progress(f"{algorithm_name}, learned") as step:
                try:
                    settings["stop"] = None  # the prior still creeps when gamma has settled
                    learned_fit = _scored_fit(train_A, test, K, step, learn=",".join(sides), seed=f.seed, **settings)
                    learned = learned_fit.prior, learned_fit.history[-1]["perplexity"]
                except ValueError:  # the best prior is 0 or infinite
                    pass
        yield Entry(f, bound, spread, f.history[-1]["perplexity"], topic_error, learned)


def able(c: Corpus, K: int, prior: Prior) -> tuple[list[str], list[str]]:
    """The names of the algorithms that can run on a corpus, and the reasons why the others cannot."""
    able_names, reasons_against = [], []
    for algorithm_name, algorithm in ALGORITHMS.items():
        try:
            algorithm.check(algorithm.arranged(c), shifted(prior, algorithm.prior_offset), K)
            if algorithm.assignment != "sample":
                value_to_stop_by(algorithm)  # it chooses among the starts
            able_names.append(algorithm_name)
        except ValueError as error:
            reasons_against.append(str(error).partition("; expected")[0])
    return able_names, reasons_against


def shifted(p: Prior, offset: float) -> Prior:
    """The prior with an algorithm's `prior_offset` added."""
    return Prior(np.add(p.alpha, offset), np.add(p.eta, offset)) if offset else p


def _scored_fit(train: Corpus, test: Corpus, K: int, advance_bar: Callable[[], Any], **settings: Any) -> Fit:
    """A fit whose history has the perplexity of the held-out tokens; of a sampler, by their mean probability so far."""
    probability_sum, n_averaged = np.zeros(test.M), 0

    def monitor(f: Fit) -> dict[str, float]:
        nonlocal probability_sum, n_averaged
        advance_bar()
        probability = token_probability(test, *f.algorithm.estimate(f.state, train, f.prior))
        if f.samples == n_averaged:
            return {"perplexity": perplexity_of(test, probability)}  # TNW06 (19)
        probability_sum, n_averaged = probability_sum + probability, f.samples
        return {"perplexity": perplexity_of(test, probability_sum / n_averaged)}  # TNW06 (20)

    return fit(train, K, monitor=monitor, **settings)


def best(entries: list[Entry]) -> Entry:
    """The entry with the highest bound on the training tokens; the first if none has a bound."""
    return max(entries, key=lambda entry: -np.inf if entry.bound is None else entry.bound)


RUN_TEXT = f"""schedule, start: of those tried, the ones whose runs end at the highest training values, or within 0.0062
nats per token of them (figures/search/runs.csv); a soft algorithm has {STARTS} runs from such starts, and its bound
on the training tokens chooses the one shown (for ml, map and vem, which have no bound, the objective); spread: the
highest minus the lowest of these {STARTS} values, in nats per token; these runs end when gamma changes by less than
1e-4 in a sweep on average, or after the last sweep"""
SCORES_TEXT = """bound: on log p(x) of the training tokens, in nats per token; perplexity: of the 10% of each document's
tokens that were held out, by TNW06 (19), for a sampler's single chain by (20); map runs at alpha + 1 and eta + 1"""
ERROR_TEXT = "topic error: mean total variation distance from the true topics, after matching"
LEARNING_TEXT = """alpha, eta, perplexity: of another run from the same start, of all sweeps, whose prior is 0.5 for 15
sweeps and is then learned by Minka's fixed point (AWST09 §3.1)"""
TEXT_COLUMNS = ("algorithm", "schedule", "start")
NUMBER_COLUMNS = ("sweeps", "seconds", "bound", "spread", "perplexity")
TRUTH_COLUMNS, LEARNED_COLUMNS = ("topic error",), ("alpha", "eta", "perplexity")
WIDTHS = {"start": 9, "bound": 7, "alpha": 7, "eta": 7}  # of columns that are wider than their name


def heading(has_truth: bool, has_learned: bool) -> list[str]:
    """The names of the columns: those of synthetic data have the topic error, those of learning runs the prior."""
    return [*TEXT_COLUMNS, *NUMBER_COLUMNS, *TRUTH_COLUMNS * has_truth, *LEARNED_COLUMNS * has_learned]


def cells(e: Entry, has_truth: bool, has_learned: bool) -> list[str]:
    """An entry's line of the table."""
    f = e.fit
    row = [f.algorithm.name, f.schedule, f.start, str(f.sweeps), f"{f.history[-1]['seconds']:.2f}"]
    row += ["-" if number is None else f"{number:.4f}" for number in (e.bound, e.spread)] + [f"{e.perplexity:.2f}"]
    row += [f"{e.topic_error:.4f}"] if has_truth else []
    if has_learned and e.learned:
        prior, perplexity = e.learned
        row += [brief(prior.alpha), brief(prior.eta) if "eta" in f.algorithm.learns else "-", f"{perplexity:.2f}"]
    return row + ["-"] * (len(heading(has_truth, has_learned)) - len(row))


def aligned(cell_texts: list[str], column_names: list[str]) -> str:
    """A line of the table as text. The widths depend on the columns' names alone, so lines can be shown one by one."""
    column_widths = [WIDTHS.get(name, len(name)) for name in column_names]
    fields = zip(cell_texts, column_names, column_widths, strict=True)
    return "  ".join(f"{cell:<{width}}" if name in TEXT_COLUMNS else f"{cell:>{width}}" for cell, name, width in fields)


def legend(has_truth: bool, has_learned: bool) -> str:
    """What the columns of the table are, and what was run."""
    legend_texts = [RUN_TEXT, SCORES_TEXT, *[ERROR_TEXT] * has_truth, *[LEARNING_TEXT] * has_learned]
    return ";\n".join(fill(legend_text, 115, break_on_hyphens=False) for legend_text in legend_texts) + "."


def shown_topics(e: Entry) -> str:
    """Which entry's topics are shown, and why these."""
    choice_reason = "the first" if e.bound is None else "whose bound is the highest"
    return f"Topics of {e.fit.algorithm.name}, {choice_reason}, with their shares of the documents:"


def brief(x: Array | float) -> str:
    """A prior in few characters: the number, or the range of a vector."""
    return f"{x:.4g}" if np.ndim(x) == 0 else f"{np.min(x):.4g} to {np.max(x):.4g}"


def topics_text(phi_wk: Array, theta_jk: Array, vocab: tuple[str, ...] | None, n_words: int = 10) -> str:
    """A line for each topic: its number, its mean share of the documents, and its most probable words.

    The topics are in the order of their numbers. Without `vocab` the words are their ids.
    """
    top_word_ids = top_words(phi_wk, n_words)
    share_k = theta_jk.mean(0)
    topic_lines = []
    for k in range(len(share_k)):
        topic_words = (str(w) if vocab is None else vocab[w] for w in top_word_ids[:, k])
        topic_lines.append(f"{k:>3} {share_k[k]:6.1%}  {' '.join(topic_words)}")
    return "\n".join(topic_lines)


def write_numbers(entries: list[Entry], path: Path) -> None:
    """Write the perplexity after each sweep as CSV."""
    csv_rows: list[list[Any]] = []
    for entry in entries:
        entry_fit = entry.fit
        run_columns = [entry_fit.algorithm.name, entry_fit.schedule, entry_fit.start, entry_fit.seed]
        csv_rows += [[*run_columns, h["sweep"], f"{h['seconds']:.6f}", h["perplexity"]] for h in entry_fit.history]
    column_names = ["algorithm", "schedule", "start", "seed", "sweep", "seconds", "perplexity"]
    write_bytes(path, csv_text(column_names, csv_rows).encode())
