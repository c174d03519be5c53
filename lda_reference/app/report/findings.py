"""The numbers of a report: computed once, apart from the page that shows them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...corpus import Corpus, Ints
from ...evaluation import topic_map
from ...fitting import Fit
from ...model import Array
from ..tour import SETTLED

WEIGHTS = tuple(i / 10 for i in range(11))  # the values of lambda on the slider


class Word(NamedTuple):
    """A word of a topic: its probability there, its lift phi_wk / p_w, and the topic's share of its tokens."""

    word: str
    probability: float
    lift: float
    share: float


class Document(NamedTuple):
    """A document that is typical of a topic: its name, theta, its tokens, and its words of this topic."""

    name: str
    theta: float
    tokens: int
    words: tuple[str, ...]


class Topic(NamedTuple):
    """A topic: its number, its mean share of the documents, its words and documents, and the topic closest to it.

    The words are all that are among the first `count` for some value of lambda, the most probable first.
    """

    number: int
    share: float
    words: tuple[Word, ...]
    documents: tuple[Document, ...]
    nearest: tuple[int, float] | None


class Coloured(NamedTuple):
    """A document word by word: name, theta, and (word, count, topic, its probability) in the order of its rows."""

    name: str
    theta: Array
    tokens: int
    words: tuple[tuple[str, int, int, float], ...]


class Findings(NamedTuple):
    """What the page shows; the topics are in descending order of their shares."""

    topics: tuple[Topic, ...]
    points: Array
    drawn: float  # the share of the squared distances' eigenvalues that the map shows
    warnings: tuple[str, ...]
    coloured: Coloured | None


def findings(
    f: Fit,
    vocab: tuple[str, ...] | None,
    c: Corpus | None = None,
    names: list[str] | None = None,
    count: int = 12,
    document: int | None = None,
) -> Findings:
    """The numbers of a report.

    Parameters
    ----------
    f : Fit
        One run, without replicates.
    vocab : W strings, optional
    c : Corpus, optional
        The corpus of the run, with the rows of `f.state.gamma`.
    names : D strings, optional
        Names of the documents; by default their numbers.
    count : int
        How many words of a topic are shown at a time.
    document : int, optional
        The document to show word by word; by default one of median length.
    """
    shares = f.theta_jk.mean(0)
    distance = topic_map.jensen_shannon(f.phi_wk)
    points, drawn = topic_map.classical_scaling(distance)
    words = candidates(f.phi_wk, shares, count)
    names = names or [f"document {j}" for j in range(len(f.theta_jk))]
    typical: list[tuple[Document, ...]] = [()] * len(shares)
    if c is not None:
        typical = [_typical(f, c, vocab, names, k) for k in range(len(shares))]
    p_w = f.phi_wk @ shares
    topics = []
    for k in np.argsort(-shares, kind="stable").tolist():
        of_topic = []
        for w in words[k]:
            p = float(f.phi_wk[w, k])
            of_topic.append(Word(name_of(w, vocab), p, float(p / p_w[w]), float(shares[k] * p / p_w[w])))
        topics.append(Topic(k, float(shares[k]), tuple(of_topic), typical[k], _nearest(distance, k)))
    coloured = None if c is None else _coloured(f, c, vocab, names, document)
    return Findings(tuple(topics), points, drawn, tuple(warnings(f, distance)), coloured)


def candidates(phi_wk: Array, shares: Array, count: int) -> list[list[int]]:
    """For each topic the words that are among its first `count` by relevance for some lambda in WEIGHTS.

    p_w is the mixture of the topics in proportion to their shares. Words that it gives probability 0 are left out: only
    a topic without a share of any document has them.
    """
    p_w = phi_wk @ shares
    seen = np.flatnonzero(p_w > 0)
    within = phi_wk[seen] / phi_wk[seen].sum(0)
    found: list[set[int]] = [set() for _ in shares]
    for weight in WEIGHTS:
        value = topic_map.relevance(within, p_w[seen] / p_w[seen].sum(), weight)
        first = np.argsort(-value, axis=0, kind="stable")[:count]
        for k, rows in enumerate(first.T):
            found[k] |= {int(w) for w, x in zip(seen[rows], value[rows, k], strict=True) if x > -np.inf}
    ordered = [np.array(sorted(of_topic), int) for of_topic in found]
    return [w[np.argsort(-phi_wk[w, k], kind="stable")].tolist() for k, w in enumerate(ordered)]


def warnings(f: Fit, distance: Array) -> list[str]:
    """What a reader should know before trusting the topics, a sentence each."""
    out = []
    if not f.history:
        out.append("The run has no sweep: the topics are those of its random start.")
    elif f.algorithm.is_sampler and f.samples == 0:
        out.append("The estimates are those of the sampler's last state: no sweep after burn-in was averaged.")
    elif not f.algorithm.is_sampler and f.history[-1]["change"] >= SETTLED:
        out.append(
            f"The run has not converged: its last sweep changed gamma by {f.history[-1]['change']:.2g} on average, and"
            f" below {SETTLED:g} it counts as settled. More sweeps may change the topics: fit with --resume."
        )
    for k in topic_map.empty_topics(f.state.gamma):
        out.append(f"Topic {k} is empty: it is the most probable topic of no word of any document.")
    for k, m, x in topic_map.duplicates(distance):
        angle = topic_map.cosine(f.phi_wk[:, [k, m]])[0, 1]
        out.append(
            f"Topics {k} and {m} are near-duplicates: their Jensen-Shannon distance is {x:.2f}, below"
            f" {topic_map.DUPLICATE:g}, and the cosine between them {angle:.2f}. Fewer topics may do."
        )
    return out


def charts(f: Fit, N: int | None) -> list[tuple[str, list[int], list[float]]]:
    """A title, the sweeps and the finite values of every number in the history; bounds are per token if N is known."""
    titles = {
        "change": "Mean absolute change of gamma",
        "bound": "Objective" if isinstance(f.algorithm.bound_of, str) else "Bound on log p(x)",
        "validation": "Perplexity of the validation documents",
        "perplexity": "Perplexity",
    }
    names = dict.fromkeys(name for h in f.history for name in h if name not in ("sweep", "seconds"))
    out = []
    for name in sorted(names, key=lambda x: [*titles, x].index(x)):
        title, scale = titles.get(name, name), 1.0
        if name == "bound":
            title += ", in nats per token" if N else ", in nats"
            scale = 1.0 / (N or 1)
        pairs = [(h["sweep"], h[name] * scale) for h in f.history if _is_finite(h.get(name))]
        if pairs:
            out.append((title, [t for t, _ in pairs], [float(x) for _, x in pairs]))
    return out


def name_of(w: int, vocab: tuple[str, ...] | None) -> str:
    """A word, or its number without a vocabulary."""
    return str(w) if vocab is None else vocab[w]


def _is_finite(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool) and bool(np.isfinite(x))


def _nearest(distance: Array, k: int) -> tuple[int, float] | None:
    if len(distance) == 1:
        return None
    others = distance[k].copy()
    others[k] = np.inf
    m = int(np.argmin(others))
    return m, float(others[m])


def lengths(c: Corpus) -> Ints:
    """The number of tokens of each document."""
    return np.bincount(c.j.astype(np.intp), c.n, c.D).astype(np.int64)


def _rows(c: Corpus, j: int) -> slice:
    return slice(*np.searchsorted(c.j, [j, j + 1]).tolist())


def _typical(
    f: Fit, c: Corpus, vocab: tuple[str, ...] | None, names: list[str], k: int, count: int = 3, words: int = 6
) -> tuple[Document, ...]:
    """The documents with the largest theta of a topic, longer ones first among equals, without empty ones."""
    N_j = lengths(c)
    order = [int(j) for j in np.lexsort((-N_j, -f.theta_jk[:, k])) if N_j[j] > 0][:count]
    out = []
    for j in order:
        rows = _rows(c, j)
        tokens = np.bincount(c.w[rows].astype(np.intp), c.n[rows] * f.state.gamma[rows, k])
        first = [int(w) for w in np.argsort(-tokens, kind="stable")[:words] if tokens[w] > 0]
        out.append(Document(names[j], float(f.theta_jk[j, k]), int(N_j[j]), tuple(name_of(w, vocab) for w in first)))
    return tuple(out)


def _coloured(
    f: Fit, c: Corpus, vocab: tuple[str, ...] | None, names: list[str], document: int | None
) -> Coloured:
    N_j = lengths(c)
    if document is None:
        used = np.flatnonzero(N_j)
        document = int(used[np.argsort(N_j[used], kind="stable")[len(used) // 2]])
    rows = _rows(c, document)
    gamma = f.state.gamma[rows]
    best = gamma.argmax(1)
    found = zip(c.w[rows], c.n[rows], best, gamma.max(1), strict=True)
    words = tuple((name_of(int(w), vocab), int(n), int(k), float(x)) for w, n, k, x in found)
    return Coloured(names[document], f.theta_jk[document], int(N_j[document]), words)
