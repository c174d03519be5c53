"""Are the estimates of log p(x) what they say? Their weights and intervals against the exact evidence, in many runs.

An estimate is unbiased if w / p(x) has mean 1, and its interval holds if log p(x) lies within it as often as stated.
Both are counted here on corpora that `truth.tables` can sum.
"""

from typing import NamedTuple

import numpy as np

from lda_reference import synthetic
from lda_reference.corpus import Corpus
from lda_reference.model import log_joint_collapsed
from lda_reference.truth.annealed import COLLAPSED, backwards, forwards
from lda_reference.truth.document import exact
from lda_reference.truth.enumeration import assignments, enumerable_tokens
from lda_reference.truth.tables import log_evidence
from lda_reference.truth.weights import Ratio, Runs, interval, ratio


class Calibration(NamedTuple):
    """Annealed importance sampling against the exact evidence.

    `forwards` is of the mean weight of a run to p(x), and `backwards` of the mean of 1/w to 1/p(x). `covered` is the
    number of runs whose interval holds log p(x), and `width` the mean width of the intervals, in nats.
    """

    forwards: Ratio
    backwards: Ratio
    covered: int
    runs: int
    width: float


def on_a_corpus(c, K, p, b, rng, runs=200, replicates=8, path=COLLAPSED):
    """Runs on one tiny corpus, whose posterior is enumerated. Each has R chains forwards, and R backwards."""
    log_p = log_evidence(c, K, p)
    down = forwards(c, K, p, b, rng, runs * replicates, path)
    z = drawn_from_the_posterior(c, K, p, rng, runs * replicates)
    up = backwards(c, K, p, b, rng, z, path=path)
    return counted(log_p, [(part(down, i, replicates), part(up, i, replicates)) for i in range(runs)])


def on_drawn_corpora(lengths, K, W, p, b, rng, runs=200, replicates=8, path=COLLAPSED):
    """Runs on as many corpora drawn from the model; the chains backwards begin at the z that was drawn."""
    log_p, found = [], []
    for _ in range(runs):
        c, _, _, z = synthetic.draw(rng, lengths, K, W, p)
        log_p.append(log_evidence(c, K, p))
        down = forwards(c, K, p, b, rng, replicates, path)
        found.append((down, backwards(c, K, p, b, rng, z, replicates, path)))
    return counted(np.array(log_p), found)


def on_a_document(estimate, c, phi_wk, p, rng, runs=200):
    """The ratio of estimates of the evidence of one document given the topics to the exact value.

    `estimate` is a function (corpus, phi_wk, prior, rng) -> (D,), the logs of unbiased estimates. The document is
    repeated for the runs.
    """
    copies = Corpus(np.repeat(np.arange(runs), c.M), np.tile(c.w, runs), np.tile(c.n, runs), runs, c.W)
    return ratio(estimate(copies, phi_wk, p, rng), float(exact(c, phi_wk, p)[0]))


def drawn_from_the_posterior(c, K, p, rng, size):
    """Independent draws (N, size) from p(z | x), by enumeration."""
    blocks = [(z, log_joint_collapsed(N_jk, N_wk, p)) for z, N_jk, N_wk in assignments(enumerable_tokens(c, K, p), K)]
    log_p = np.concatenate([log for _, log in blocks])
    weight = np.exp(log_p - log_p.max())
    return np.concatenate([z for z, _ in blocks])[rng.choice(len(log_p), size, p=weight / weight.sum())].T


def part(runs, i, R):
    """The chains of run i."""
    here = slice(i * R, (i + 1) * R)
    return Runs(runs.log_w[here], runs.z[:, here], runs.independent)


def counted(log_exact, found):
    """The calibration of pairs of runs, forwards and backwards."""
    log_p = np.broadcast_to(log_exact, len(found))
    means = [np.log(np.mean(np.exp([d.log_w - e, e - u.log_w]), -1)) for (d, u), e in zip(found, log_p, strict=True)]
    intervals = [interval(d, u) for d, u in found]
    covered = sum(i.lower <= e <= i.upper for i, e in zip(intervals, log_p.tolist(), strict=True))
    width = float(np.mean([i.upper - i.lower for i in intervals]))
    down, up = np.array(means).T
    return Calibration(ratio(down, 0.0), ratio(up, 0.0), covered, len(found), width)
