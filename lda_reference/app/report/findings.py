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
PAIRS_NAMED = 8  # pairs of near-duplicates that are named
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
    texts_of: Callable[[list[int]], documents.Texts] | None = None,
    share_k: Array | None = None,
) -> Findings:
    """The numbers of a report of one run, without replicates.

    c is the corpus of the run, with the rows of `f.state.gamma`, and `names` are those of its documents, by default
    their numbers. `count` words of a topic are shown at a time, and `document` is shown word by word, by default one of
    median length. `texts_of` gives the texts of documents by their numbers, or says why there are none.
    `share_k` are the mean shares of the topics, by default over all documents.
    """
    share_k = f.theta_jk.mean(0) if share_k is None else share_k
    distance = jensen_shannon(f.phi_wk)
    word_ids_of_k = candidates(f.phi_wk, share_k, count, tokens_of_words(f, c) >= HALF)
    names = names or [f"document {j} (from 0)" for j in range(len(f.theta_jk))]
    typical_documents: list[tuple[Document, ...]] = [()] * len(share_k)
    coloured_document = None
    if c is not None:
        document = documents.median(c) if document is None else document
        typical_js = [documents.most_typical(f, c, k) for k in range(len(share_k))]
        shown_js = sorted({document, *(j for js in typical_js for j in js)})
        shown_texts = "no text was given" if texts_of is None else texts_of(shown_js)
        typical_documents = [documents.typical(f, c, names, k, shown_texts, typical_js[k]) for k in range(len(share_k))]
        coloured_document = documents.coloured(f, c, names[document], document, shown_texts)
    p_w, topics = f.phi_wk @ share_k, []
    for k, share in enumerate(share_k.tolist()):
        phi_of_words = f.phi_wk[word_ids_of_k[k], k].tolist()
        lifts = (f.phi_wk[word_ids_of_k[k], k] / p_w[word_ids_of_k[k]]).tolist()
        word_rows = zip(word_ids_of_k[k], phi_of_words, lifts, strict=True)
        topic_words = tuple(Word(name_of(w, f.vocab), p_word, lift, share * lift) for w, p_word, lift in word_rows)
        nearest = min(((m, float(d)) for m, d in enumerate(distance[k]) if m != k), key=itemgetter(1), default=None)
        topics.append(Topic(k, share, topic_words, typical_documents[k], nearest))
    duplicate_pairs = duplicates(f, distance)
    return Findings(tuple(topics), duplicate_pairs, tuple(warnings(f, duplicate_pairs)), coloured_document)


def candidates(phi_wk: Array, shares: Array, count: int, is_own: NDArray[np.bool_]) -> list[list[int]]:
    """For each topic the words of its own that are among its first `count` by relevance for some lambda in WEIGHTS.

    relevance = lambda log phi_wk + (1 - lambda) log(phi_wk / p_w)    (Sievert and Shirley, LDAvis, 2014, §3.1)

    p_w is the mixture of the topics in proportion to their shares. Words that it gives probability 0 are left out: only
    a topic without a share of any document has them.
    """
    p_w = phi_wk @ shares
    usable_w = np.flatnonzero(p_w > 0)
    is_candidate = is_own[usable_w] & (phi_wk[usable_w] > 0)
    log_phi_wk = np.log(phi_wk[usable_w], out=np.full(is_candidate.shape, -np.inf), where=is_candidate)
    word_ids_of_k: list[set[int]] = [set() for _ in shares]
    for slider_lambda in WEIGHTS:
        relevance = log_phi_wk - (1 - slider_lambda) * np.log(p_w[usable_w])[:, None]
        top_rows = np.argsort(-relevance, axis=0, kind="stable")[:count]
        for k, rows in enumerate(top_rows.T):
            word_ids_of_k[k] |= {int(w) for w, x in zip(usable_w[rows], relevance[rows, k], strict=True) if x > -np.inf}
    sorted_word_ids = [np.array(sorted(word_ids_k), int) for word_ids_k in word_ids_of_k]
    return [w[np.argsort(-phi_wk[w, k], kind="stable")].tolist() for k, w in enumerate(sorted_word_ids)]


def duplicates(f: Fit, distance: Array) -> tuple[tuple[int, int, float], ...]:
    """Pairs of near-duplicates with their distance, the closest first, without pairs of empty topics."""
    empty_ks = set(empty_topics(f.state).tolist())
    topic_pairs = [pair for pair in combinations(range(len(distance)), 2) if not empty_ks.issuperset(pair)]
    close_pairs = [(k, m, float(distance[k, m])) for k, m in topic_pairs if distance[k, m] < DUPLICATE]
    return tuple(sorted(close_pairs, key=itemgetter(2)))


def warnings(f: Fit, duplicate_pairs: Sequence[tuple[int, int, float]]) -> list[str]:
    """What a reader should know before trusting the topics, a sentence each; the pairs are those of `duplicates`."""
    sentences = []
    if f.algorithm is FOREIGN:
        sentences.append("The model is of another program. Whether its run has converged is not known.")
    elif not f.history:
        sentences.append("The run has no sweep: the topics are those of its random start.")
    elif f.algorithm.is_sampler and f.samples == 0:
        sentences.append(
            "The topics are those of the sampler's last state alone: no sweep after burn-in was averaged. An average"
            " over several sweeps is steadier: fit with more --sweeps or a smaller --burn-in."
        )
    elif not f.algorithm.is_sampler and not settled(f):
        change = f.history[-1]["change"]
        size = "" if change is None else f" by {change:.2g}"  # the change of an interrupted sweep may not be known
        sentences.append(
            f"The run has not converged: its last sweep changed the probability of a topic for a word{size} on average,"
            f" and below {SETTLED:g} it counts as converged. More sweeps may change the topics: give `fit` the same"
            f" corpus and --out with --resume --sweeps {3 * f.sweeps}."
        )
    empty_ks = empty_topics(f.state).tolist()
    if empty_ks:
        subject = f"Topic {empty_ks[0]} is" if len(empty_ks) == 1 else f"Topics {', '.join(map(str, empty_ks))} are"
        sentences.append(f"{subject} empty, the most probable topic of no word of any document. Fewer topics may do.")
    if duplicate_pairs:
        pairs_text = "; ".join(f"{k} and {m} (distance {d:.2f})" for k, m, d in duplicate_pairs[:PAIRS_NAMED])
        more_note = f"; and {len(duplicate_pairs) - PAIRS_NAMED} further pairs" * (len(duplicate_pairs) > PAIRS_NAMED)
        duplicates_text = f"Topics at a distance below {DUPLICATE:g} are near-duplicates"
        sentences.append(f"{duplicates_text}: {pairs_text}{more_note}. Fewer topics may do.")
    return sentences


def charts(f: Fit, N: int | None) -> list[Chart]:
    """The sweeps and the finite values of every number in the history; bounds are per token if N is known."""
    words_text, nats_unit = ("a word", "nats per token") if N else ("all words", "nats")
    title, exact = f"Logarithm of the probability of {words_text}, at least", "lower bound on log p(x | alpha, eta)"
    if isinstance(f.algorithm.bound_of, str):
        title, exact = f"Objective of the algorithm, for {words_text}", "objective"
    change_note = "A sampler goes on changing." if f.algorithm.is_sampler else "Near 0 the topics hardly move, for now."
    chart_texts = {
        "change": ("Change of the topics' probabilities for a word", change_note, "mean absolute change of gamma"),
        "bound": (title, "Higher is better.", f"{exact}, in {nats_unit}"),
    }
    chart_list = []
    for measure in dict.fromkeys([*chart_texts, *(measure for h in f.history for measure in h)]):
        factor = 1.0 / (N or 1) if measure == "bound" else 1.0
        points = [(h["sweep"], float(h[measure] * factor)) for h in f.history if is_finite(h.get(measure))]
        if points and measure not in ("sweep", "seconds"):
            sweeps, values = zip(*points, strict=True)
            chart_list.append(Chart(*chart_texts.get(measure, (measure, "", measure)), sweeps, values))
    return chart_list
