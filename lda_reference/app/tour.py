"""The main job: every algorithm on one corpus, side by side."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import ALGORITHMS
from ..corpus import Corpus, split
from ..evaluation.matching import match_topics, top_words
from ..evaluation.prediction import perplexity_of, token_probability
from ..fitting import UNLEARNED, Fit, fit, sweep_rng
from ..model import Array, Prior
from ..synthetic import Synthetic, bars

LARGE = 50_000  # tokens: above, every algorithm runs in `corpus` schedule where it has one
HELD_OUT = 0.1  # of the tokens of each document, as in TNW06


class Entry(NamedTuple):
    """One algorithm's line of the table.

    Attributes
    ----------
    bound : float or None
        On log p(x | alpha, eta) of the training tokens, in nats for each of them.
    perplexity : float
        Of the held-out tokens: TNW06 (19); of a sampler (20), averaged over the sweeps after burn-in.
    topic_error : float or None
        The mean total variation distance of the topics from the true ones, after matching.
    learned : (Prior, float) or None
        A second run's prior and perplexity, its prior learned; None where there is nothing to learn or no finite best.
    """

    fit: Fit
    bound: float | None
    perplexity: float
    topic_error: float | None
    learned: tuple[Prior, float] | None


def embedded() -> Synthetic:
    """The embedded corpus: 100 images of 50 pixels each, drawn from ten bars on a 5 x 5 grid."""
    return bars(np.random.default_rng(0), side=5, D=100, length=50, alpha=0.3)


class _Score:
    """The perplexity of the held-out tokens; of a sampler, with their probability averaged over its samples so far."""

    def __init__(self, train: Corpus, test: Corpus) -> None:
        self.train, self.test, self.total, self.samples = train, test, np.zeros(test.M), 0

    def __call__(self, f: Fit) -> float:
        now = token_probability(self.test, *ALGORITHMS[f.algorithm].estimate(f.state, self.train, f.prior))
        if f.samples == self.samples:
            return perplexity_of(self.test, now)  # TNW06 (19)
        self.total, self.samples = self.total + now, f.samples
        return perplexity_of(self.test, self.total / self.samples)  # TNW06 (20)


@contextmanager
def _silent(name: str) -> Iterator[Callable[[], Any]]:
    yield lambda: None


def tour(
    c: Corpus,
    K: int,
    prior: Prior,
    sweeps: int = 100,
    seed: int = 0,
    true_wk: Array | None = None,
    algorithms: Sequence[str] = tuple(ALGORITHMS),
    learn: bool = True,
    progress: Callable[[str], AbstractContextManager[Callable[[], Any]]] = _silent,
) -> list[Entry]:
    """Fit algorithms, all of the registry by default, to the training tokens of `c`, and score them on the others.

    MAP adds no more than alpha - 1 and eta - 1 to its counts, and runs at priors one higher than the others
    (AWST09 §4.1). With `learn` each runs a second time from 0.5 and learns alpha and eta by Minka's fixed point after
    15 sweeps, as in AWST09 §4.1; of vem alpha alone, as its topics have no prior.
    """
    train, test = split(c.types(), "tokens", HELD_OUT, sweep_rng(seed, 0))
    entries = []
    for name in algorithms:
        A = ALGORITHMS[name]
        schedule = "corpus" if c.N > LARGE and "corpus" in A.schedules else A.schedules[0]
        p = Prior(np.add(prior.alpha, A.prior_offset), np.add(prior.eta, A.prior_offset)) if A.prior_offset else prior
        rows, learned = A.arranged(train), None
        settings: dict[str, Any] = {"algorithm": name, "sweeps": sweeps, "schedule": schedule, "seed": seed}
        with progress(name) as step:
            f = _scored(rows, test, K, step, prior=p, **settings)
        if learn and name not in UNLEARNED:
            with progress(f"{name}, learned") as step:
                try:
                    second = _scored(rows, test, K, step, learn="alpha" if name == "vem" else "alpha,eta", **settings)
                    learned = second.prior, second.history[-1]["perplexity"]
                except ValueError:  # no finite best prior above 0
                    pass
        try:
            bound = float(A.bound(f.state, rows, f.prior)) / train.N
        except ValueError:  # the algorithm has none, and says so
            bound = None
        error = None if true_wk is None else float(match_topics(f.phi_wk, true_wk)[1].mean())
        entries.append(Entry(f, bound, f.history[-1]["perplexity"], error, learned))
    return entries


def _scored(rows: Corpus, test: Corpus, K: int, step: Callable[[], Any], **settings: Any) -> Fit:
    """A fit with the perplexity of the held-out tokens in its history; rows in `corpus` order by threads."""
    score = _Score(rows, test)

    def monitor(f: Fit) -> dict[str, float]:
        step()
        return {"perplexity": score(f)}

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        executor = threads if settings["schedule"] == "corpus" else None
        return fit(rows, K, monitor=monitor, executor=executor, **settings)


def best(entries: list[Entry]) -> Entry:
    return min(entries, key=lambda e: e.perplexity)


def table(entries: list[Entry]) -> str:
    """The table as text."""
    head = ["algorithm", "schedule", "sweeps", "seconds", "bound/token", "perplexity"]
    synthetic, learned = entries[0].topic_error is not None, any(e.learned for e in entries)
    lines = [head + ["topic error"] * synthetic + ["learned alpha", "eta", "perplexity"] * learned]
    for e in entries:
        f = e.fit
        line = [f.algorithm, f.schedule, str(f.sweeps), f"{f.history[-1]['seconds']:.2f}"]
        line += ["-" if e.bound is None else f"{e.bound:.4f}", f"{e.perplexity:.2f}"]
        line += [f"{e.topic_error:.4f}"] if synthetic else []
        if learned and e.learned:
            prior, perplexity = e.learned
            line += [brief(prior.alpha), "-" if f.algorithm == "vem" else brief(prior.eta), f"{perplexity:.2f}"]
        lines.append(line + ["-"] * (len(lines[0]) - len(line)))
    form = [f"{{:{'<' if i < 2 else '>'}{max(map(len, column))}}}" for i, column in enumerate(zip(*lines, strict=True))]
    return "\n".join("  ".join(form).format(*line).rstrip() for line in lines)


def brief(x: Array | float) -> str:
    """A prior in few characters: the number, or the range of the vector."""
    return f"{x:.4g}" if np.ndim(x) == 0 else f"{np.min(x):.4g} to {np.max(x):.4g}"


def topics_text(phi_wk: Array, theta_jk: Array, vocab: tuple[str, ...] | None, count: int = 10) -> str:
    """The most probable words of each topic, the topics by their share of the documents."""
    words = top_words(phi_wk, count)
    share = theta_jk.mean(0)
    lines = []
    for k in np.argsort(-share, kind="stable"):
        names = (str(w) if vocab is None else vocab[w] for w in words[:, k])
        lines.append(f"{k:>3} {share[k]:6.1%}  {' '.join(names)}")
    return "\n".join(lines)


def write_numbers(entries: list[Entry], path: Path) -> None:
    """Perplexity after every sweep, as CSV."""
    with open(path, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["algorithm", "schedule", "sweep", "seconds", "perplexity"])
        for e in entries:
            for h in e.fit.history:
                rows.writerow(
                    [e.fit.algorithm, e.fit.schedule, h["sweep"], f"{h['seconds']:.6f}", repr(h["perplexity"])]
                )


def write_figure(entries: list[Entry], path: Path, title: str) -> None:
    """Perplexity against sweeps and against seconds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # Okabe and Ito's colours, told apart by colour-blind readers; line styles for print without colour
    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    styles = ["-", "--", "-.", ":"]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for i, e in enumerate(entries):
        finite = [h for h in e.fit.history if np.isfinite(h["perplexity"])]
        label = e.fit.algorithm if finite else f"{e.fit.algorithm} (infinite)"
        for axis, x in zip(axes, ("sweep", "seconds"), strict=True):
            axis.plot(
                [h[x] for h in finite],
                [h["perplexity"] for h in finite],
                color=colours[i % len(colours)],
                linestyle=styles[i % len(styles)],
                label=label,
            )
    axes[0].set(xlabel="sweeps", ylabel="perplexity of held-out tokens")
    axes[1].set(xlabel="seconds", xscale="log")
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False)
    figure.suptitle(title, fontsize="medium")
    figure.savefig(path, dpi=130)
    plt.close(figure)
