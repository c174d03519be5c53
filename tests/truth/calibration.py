"""Are the estimates of log p(x) what they say? Their weights and intervals against the exact evidence, in many runs.

An estimate is unbiased if w / p(x) has mean 1, and its interval holds if log p(x) lies within it as often as stated.
Both are counted here on corpora that `truth.tables` can sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lda_reference import synthetic
from lda_reference.arguments import check_generator
from lda_reference.corpus import Corpus, Ints
from lda_reference.model import Array, Prior, log_joint_collapsed
from lda_reference.truth.annealed import COLLAPSED, Path, backwards, forwards
from lda_reference.truth.document import exact
from lda_reference.truth.enumeration import assignments, enumerable_tokens
from lda_reference.truth.tables import log_evidence
from lda_reference.truth.weights import Ratio, Runs, interval, ratio


class Calibration(NamedTuple):
    """Annealed importance sampling against the exact evidence.

    Attributes
    ----------
    forwards : Ratio
        Of the mean weight of a run to p(x).
    backwards : Ratio
        Of the mean of 1/w to 1/p(x).
    covered : int
        The number of runs whose interval holds log p(x).
    runs : int
    width : float
        The mean width of the intervals, in nats.
    """

    forwards: Ratio
    backwards: Ratio
    covered: int
    runs: int
    width: float


def on_a_corpus(
    c: Corpus,
    K: int,
    p: Prior,
    b: ArrayLike,
    rng: np.random.Generator,
    runs: int = 200,
    replicates: int = 8,
    path: Path = COLLAPSED,
) -> Calibration:
    """Runs on one tiny corpus, whose posterior is enumerated. Each has R chains forwards, and R backwards.

    Parameters
    ----------
    c, K, p, b, rng
        As `annealed.forwards`. K^N is 2^22 at most.
    runs, replicates : int
        All chains are swept together.
    path : Path

    Examples
    --------
    >>> from lda_reference.truth.annealed import temperatures
    >>> c = Corpus.from_documents([[0, 0, 1], [0, 1, 1]])
    >>> found = on_a_corpus(c, 2, Prior(1, 0.5), temperatures(10), np.random.default_rng(0), runs=50)
    >>> found.covered, found.runs
    (50, 50)
    """
    check_generator(rng)
    log_p = log_evidence(c, K, p)
    down = forwards(c, K, p, b, rng, runs * replicates, path)
    z = drawn_from_the_posterior(c, K, p, rng, runs * replicates)
    up = backwards(c, K, p, b, rng, z, path=path)
    return _counted(log_p, [(_part(down, i, replicates), _part(up, i, replicates)) for i in range(runs)])


def on_drawn_corpora(
    lengths: Sequence[int],
    K: int,
    W: int,
    p: Prior,
    b: ArrayLike,
    rng: np.random.Generator,
    runs: int = 200,
    replicates: int = 8,
    path: Path = COLLAPSED,
) -> Calibration:
    """Runs on as many corpora drawn from the model; the chains backwards begin at the z that was drawn.

    Parameters
    ----------
    lengths : the number of tokens of each document
    K, W : int
    p : Prior
    b, rng
        As `annealed.forwards`.
    runs, replicates : int
        A run has R chains forwards, and R backwards from one z.
    path : Path

    Examples
    --------
    >>> from lda_reference.truth.annealed import temperatures
    >>> found = on_drawn_corpora([4, 4], 2, 3, Prior(1, 1), temperatures(5), np.random.default_rng(0), 10)
    >>> found.covered, found.runs
    (10, 10)
    """
    check_generator(rng)
    log_p, found = [], []
    for _ in range(runs):
        c, _, _, z = synthetic.draw(rng, lengths, K, W, p)
        log_p.append(log_evidence(c, K, p))
        down = forwards(c, K, p, b, rng, replicates, path)
        found.append((down, backwards(c, K, p, b, rng, z, replicates, path)))
    return _counted(np.array(log_p), found)


def on_a_document(
    estimate: Callable[[Corpus, Array, Prior, np.random.Generator], Array],
    c: Corpus,
    phi_wk: Array,
    p: Prior,
    rng: np.random.Generator,
    runs: int = 200,
) -> Ratio:
    """Estimates of the evidence of one document given the topics, over the exact value.

    Parameters
    ----------
    estimate : function (corpus, phi_wk, prior, rng) -> (D,)
        The logs of unbiased estimates, for example `document.from_the_prior`.
    c : Corpus
        Of one document, which is repeated for the runs.
    phi_wk : (W, K), columns sum to 1
    p : Prior
    rng : numpy.random.Generator
    runs : int

    Examples
    --------
    >>> from lda_reference.truth import document
    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> found = on_a_document(document.from_the_prior, c, phi_wk, Prior(alpha=1), np.random.default_rng(0))
    >>> abs(found.mean - 1) < 4 * found.standard_error, found.standard_error < 1e-3
    (True, True)
    """
    check_generator(rng)
    if c.D != 1:
        raise ValueError(f"c has {c.D} documents, expected one")
    copies = Corpus(np.repeat(np.arange(runs), c.M), np.tile(c.w, runs), np.tile(c.n, runs), runs, c.W)
    return ratio(estimate(copies, phi_wk, p, rng), float(exact(c, phi_wk, p)[0]))


def drawn_from_the_posterior(c: Corpus, K: int, p: Prior, rng: np.random.Generator, size: int) -> Ints:
    """Independent draws (N, size) from p(z | x), by enumeration.

    >>> drawn_from_the_posterior(Corpus.from_documents([[0]]), 1, Prior(), np.random.default_rng(0), 2)
    array([[0, 0]])
    """
    check_generator(rng)
    blocks = [(z, log_joint_collapsed(N_jk, N_wk, p)) for z, N_jk, N_wk in assignments(enumerable_tokens(c, K, p), K)]
    log_p = np.concatenate([log for _, log in blocks])
    weight = np.exp(log_p - log_p.max())
    return np.concatenate([z for z, _ in blocks])[rng.choice(len(log_p), size, p=weight / weight.sum())].T


def _part(runs: Runs, i: int, R: int) -> Runs:
    here = slice(i * R, (i + 1) * R)
    return Runs(runs.log_w[here], runs.z[:, here], runs.independent)


def _counted(log_exact: Array | float, found: Sequence[tuple[Runs, Runs]]) -> Calibration:
    log_p = np.broadcast_to(log_exact, len(found))
    means = [np.log(np.mean(np.exp([d.log_w - e, e - u.log_w]), -1)) for (d, u), e in zip(found, log_p, strict=True)]
    intervals = [interval(d, u) for d, u in found]
    covered = sum(i.lower <= e <= i.upper for i, e in zip(intervals, log_p.tolist(), strict=True))
    width = float(np.mean([i.upper - i.lower for i in intervals]))
    down, up = np.array(means).T
    return Calibration(ratio(down, 0.0), ratio(up, 0.0), covered, len(found), width)
