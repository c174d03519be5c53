"""The numbers of a report: computed once, apart from the page that shows them."""

from collections.abc import Callable, Sequence
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arguments import is_finite
from ...corpus import Corpus
from ...evaluation.matching import jensen_shannon
from ...fitting import SETTLED, Fit, settled
from ...model import Array
from ...own_words import HALF, empty_topics, tokens_of_words
from ...storage_schema import FOREIGN
from ..models import name_of
from . import documents
from .documents import Coloured, Document

DUPLICATE = 0.25  # the Jensen-Shannon distance below which two topics are near-duplicates; the largest distance is 0.83
LISTED = 8  # pairs of near-duplicates that are named
WEIGHTS = tuple(i / 10 for i in range(11))  # the values of lambda on the slider


class Word(NamedTuple):
    """A word of a topic: its probability there, its lift phi_wk / p_w, and the topic's share of its tokens."""

    word: str
    probability: float
    lift: float
    share: float


class Topic(NamedTuple):
    """A topic: its number, its mean share of the documents, its words and documents, and the topic closest to it.

    The words are those of its own that are among the first `count` for some value of lambda, the most probable first.
    """

    number: int
    share: float
    words: tuple[Word, ...]
    documents: tuple[Document, ...]
    nearest: tuple[int, float] | None


class Chart(NamedTuple):
    """A number in the course of the run: what it is, how to read it, what it is in the terms of the package."""

    title: str
    note: str
    exact: str
    sweeps: Sequence[int]
    values: Sequence[float]


class Findings(NamedTuple):
    """What the page shows; the topics are in the order of their numbers."""

    topics: tuple[Topic, ...]
    duplicates: tuple[tuple[int, int, float], ...]  # two topics and their distance
    warnings: tuple[str, ...]
    coloured: Coloured | None


def findings(
    f: Fit,
    c: Corpus | None = None,
    names: list[str] | None = None,
    count: int = 12,
    document: int | None = None,
    texts: Callable[[list[int]], documents.Texts] | None = None,
) -> Findings:
    """The numbers of a report of one run, without replicates.

    c is the corpus of the run, with the rows of `f.state.gamma`, and `names` are those of its documents, by default
    their numbers. `count` words of a topic are shown at a time, and `document` is shown word by word, by default one of
    median length. `texts` gives the texts of documents by their numbers, or says why there are none.
    """
    shares = f.theta_jk.mean(0)
    distance = jensen_shannon(f.phi_wk)
    words = candidates(f.phi_wk, shares, count, tokens_of_words(f, c) >= HALF)
    names = names or [f"document {j} (from 0)" for j in range(len(f.theta_jk))]
    typical: list[tuple[Document, ...]] = [()] * len(shares)
    coloured = None
    if c is not None:
        document = documents.median(c) if document is None else document
        first = [documents.most_typical(f, c, k) for k in range(len(shares))]
        shown = sorted({document, *(j for of_topic in first for j in of_topic)})
        read = "no text was given" if texts is None else texts(shown)
        typical = [documents.typical(f, c, names, k, read, first[k]) for k in range(len(shares))]
        coloured = documents.coloured(f, c, names[document], document, read)
    p_w, topics = f.phi_wk @ shares, []
    for k, share in enumerate(shares.tolist()):
        p = f.phi_wk[words[k], k].tolist()
        lifts = (f.phi_wk[words[k], k] / p_w[words[k]]).tolist()
        rows = zip(words[k], p, lifts, strict=True)
        listed = tuple(Word(name_of(w, f.vocab), x, lift, share * lift) for w, x, lift in rows)
        nearest = min(((m, float(x)) for m, x in enumerate(distance[k]) if m != k), key=itemgetter(1), default=None)
        topics.append(Topic(k, share, listed, typical[k], nearest))
    pairs = duplicates(f, distance)
    return Findings(tuple(topics), pairs, tuple(warnings(f, pairs)), coloured)


def candidates(phi_wk: Array, shares: Array, count: int, is_own: NDArray[np.bool_]) -> list[list[int]]:
    """For each topic the words of its own that are among its first `count` by relevance for some lambda in WEIGHTS.

    relevance = lambda log phi_wk + (1 - lambda) log(phi_wk / p_w)    (Sievert and Shirley, LDAvis, 2014, §3.1)

    p_w is the mixture of the topics in proportion to their shares. Words that it gives probability 0 are left out: only
    a topic without a share of any document has them.
    """
    p_w = phi_wk @ shares
    seen = np.flatnonzero(p_w > 0)
    has_word = is_own[seen] & (phi_wk[seen] > 0)
    log_phi_wk = np.log(phi_wk[seen], out=np.full(has_word.shape, -np.inf), where=has_word)
    words: list[set[int]] = [set() for _ in shares]
    for weight in WEIGHTS:
        value = log_phi_wk - (1 - weight) * np.log(p_w[seen])[:, None]
        first = np.argsort(-value, axis=0, kind="stable")[:count]
        for k, rows in enumerate(first.T):
            words[k] |= {int(w) for w, x in zip(seen[rows], value[rows, k], strict=True) if x > -np.inf}
    ordered = [np.array(sorted(of_topic), int) for of_topic in words]
    return [w[np.argsort(-phi_wk[w, k], kind="stable")].tolist() for k, w in enumerate(ordered)]


def duplicates(f: Fit, distance: Array) -> tuple[tuple[int, int, float], ...]:
    """Pairs of near-duplicates with their distance, the closest first, without pairs of empty topics."""
    empty = set(empty_topics(f.state).tolist())
    pairs = [pair for pair in combinations(range(len(distance)), 2) if not empty.issuperset(pair)]
    close = [(k, m, float(distance[k, m])) for k, m in pairs if distance[k, m] < DUPLICATE]
    return tuple(sorted(close, key=itemgetter(2)))


def warnings(f: Fit, pairs: Sequence[tuple[int, int, float]]) -> list[str]:
    """What a reader should know before trusting the topics, a sentence each; the pairs are those of `duplicates`."""
    out = []
    if f.algorithm is FOREIGN:
        out.append("The model is of another program. Whether its run has converged is not known.")
    elif not f.history:
        out.append("The run has no sweep: the topics are those of its random start.")
    elif f.algorithm.is_sampler and f.samples == 0:
        out.append(
            "The topics are those of the sampler's last state alone: no sweep after burn-in was averaged. An average"
            " over several sweeps is steadier: fit with more --sweeps or a smaller --burn-in."
        )
    elif not f.algorithm.is_sampler and not settled(f):
        change = f.history[-1]["change"]
        by = "" if change is None else f" by {change:.2g}"  # the change of an interrupted sweep may not be known
        out.append(
            f"The run has not converged: its last sweep changed the probability of a topic for a word{by} on average,"
            f" and below {SETTLED:g} it counts as converged. More sweeps may change the topics: give `fit` the same"
            f" corpus and --out with --resume --sweeps {3 * f.sweeps}."
        )
    empty = empty_topics(f.state).tolist()
    if empty:
        names = f"Topic {empty[0]} is" if len(empty) == 1 else f"Topics {', '.join(map(str, empty))} are"
        out.append(f"{names} empty, the most probable topic of no word of any document. Fewer topics may do.")
    if pairs:
        parts = "; ".join(f"{k} and {m} (distance {x:.2f})" for k, m, x in pairs[:LISTED])
        further = f"; and {len(pairs) - LISTED} further pairs" * (len(pairs) > LISTED)
        near = f"Topics at a distance below {DUPLICATE:g} are near-duplicates"
        out.append(f"{near}: {parts}{further}. Fewer topics may do.")
    return out


def charts(f: Fit, N: int | None) -> list[Chart]:
    """The sweeps and the finite values of every number in the history; bounds are per token if N is known."""
    of_words, nats = ("a word", "nats per token") if N else ("all words", "nats")
    title, exact = f"Logarithm of the probability of {of_words}, at least", "lower bound on log p(x | alpha, eta)"
    if isinstance(f.algorithm.bound_of, str):
        title, exact = f"Objective of the algorithm, for {of_words}", "objective"
    moves = "A sampler goes on changing." if f.algorithm.is_sampler else "Near 0 the topics hardly move, for now."
    named = {
        "change": ("Change of the topics' probabilities for a word", moves, "mean absolute change of gamma"),
        "bound": (title, "Higher is better.", f"{exact}, in {nats}"),
    }
    out = []
    for name in dict.fromkeys([*named, *(name for h in f.history for name in h)]):
        scale = 1.0 / (N or 1) if name == "bound" else 1.0
        pairs = [(h["sweep"], float(h[name] * scale)) for h in f.history if is_finite(h.get(name))]
        if pairs and name not in ("sweep", "seconds"):
            sweeps, values = zip(*pairs, strict=True)
            out.append(Chart(*named.get(name, (name, "", name)), sweeps, values))
    return out
