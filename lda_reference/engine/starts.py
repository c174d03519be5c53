"""The starts: where gamma begins.

| name | gamma | source |
|---|---|---|
| `dirichlet` | rows drawn from Dirichlet(1); `dirichlet:10` from Dirichlet(10) | the default of soft algorithms |
| `one-hot` | each token in a uniform topic | the default of samplers |
| `topics` | proportional to phi_wk, whose columns are drawn from Gamma(100, 1/100) | scikit-learn, gensim |
| `documents` | proportional to phi_wk, the counts of one random document a topic plus 1 | lda-c's `seeded` |
| `incremental` | drawn block after block, each row from the sums of the blocks before it | |
| `collapsed` | ten sweeps of CVB0 from `dirichlet`, in blocks | |

Each is a function (corpus, K, prior, rng) -> gamma (M, K). A sampler that starts so draws z from its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .counts import Sums, mean_one_hot, normalised, pseudocounts, smoothed, sum_rows, total
from .schedules import sweep_blocks
from .update import Term, Update, dirichlet, draw, soft

Start = Callable[[Corpus, int, Prior, np.random.Generator], Array]

# The posterior means of theta and phi as terms: without the row's own token they are the update of CVB0
POSTERIOR_MEANS = Update(Term(smoothed), Term(smoothed), Term(smoothed), excludes="token")
BLOCKS = 32
SWEEPS = 10


def from_dirichlet(c: Corpus, K: int, p: Prior, rng: np.random.Generator, concentration: float = 1.0) -> Array:
    """Rows drawn from a symmetric Dirichlet distribution."""
    if concentration == 1:
        return normalised(rng.standard_exponential((c.M, K)), -1)
    return dirichlet(np.full((c.M, K), concentration), -1, rng)


def uniform_topics(c: Corpus, K: int, rng: np.random.Generator) -> Ints:
    """z, a uniform topic for each token."""
    return rng.integers(K, size=c.N)


def from_one_hot(c: Corpus, K: int, p: Prior, rng: np.random.Generator) -> Array:
    return mean_one_hot(uniform_topics(c, K, rng), c, K)


def from_topics(c: Corpus, K: int, p: Prior, rng: np.random.Generator) -> Array:
    """From topics that are nearly uniform: Gamma variables of shape 100 and scale 1/100, normalised over words."""
    phi_wk = normalised(rng.gamma(100.0, 0.01, (c.W, K)), 0)
    return normalised(phi_wk[c.w], -1)


def from_documents(c: Corpus, K: int, p: Prior, rng: np.random.Generator) -> Array:
    """From topics that are the counts of one document each, plus 1; the documents are drawn with replacement."""
    N_wj = sum_rows(_chosen(c, rng.integers(c.D, size=K)), c.n.astype(float), c.w, c.W)
    return normalised(normalised(N_wj + 1, 0)[c.w], -1)


def _chosen(c: Corpus, documents: Ints) -> Array:
    """(M, K): whether a row belongs to the document of a topic."""
    return (c.j[:, None] == documents).astype(np.float64)


def incremental(c: Corpus, K: int, p: Prior, rng: np.random.Generator) -> Array:
    """Block after block of documents, the topic of each row drawn at the sums of the blocks before it."""
    gamma, a = np.zeros((c.M, K)), pseudocounts(p, c.W)
    S = Sums(np.zeros((c.D, K)), np.zeros((c.W, K)), np.zeros(K))
    update = POSTERIOR_MEANS._replace(excludes="nothing")  # a row is not yet in the sums

    def put(rows: slice, x: Array) -> None:
        gamma[rows] = np.eye(K)[draw(x, rng.random(len(x)))]

    sweep_blocks(update, a, S, np.zeros_like(gamma), gamma, put, c, BLOCKS, None)
    return gamma


def collapsed(c: Corpus, K: int, p: Prior, rng: np.random.Generator) -> Array:
    """Some sweeps of CVB0 from Dirichlet(1) rows."""
    gamma, a = from_dirichlet(c, K, p, rng), pseudocounts(p, c.W)
    for _ in range(SWEEPS):
        new = np.empty_like(gamma)

        def put(rows: slice, x: Array, new: Array = new) -> None:
            new[rows] = soft(x)

        S = total(POSTERIOR_MEANS, a, gamma, c, None, None)
        sweep_blocks(POSTERIOR_MEANS, a, S, gamma, new, put, c, BLOCKS, None)
        gamma = new
    return gamma


STARTS: dict[str, Start] = {
    "dirichlet": from_dirichlet,
    "one-hot": from_one_hot,
    "topics": from_topics,
    "documents": from_documents,
    "incremental": incremental,
    "collapsed": collapsed,
}


def start_named(name: str) -> Start:
    """The start of a name such as `topics`, or `dirichlet:10` for rows from Dirichlet(10)."""
    kind, colon, number = name.partition(":")
    if kind in STARTS and not colon:
        return STARTS[kind]
    if kind == "dirichlet":
        try:
            concentration = float(number)
        except ValueError:
            concentration = np.nan
        if 0 < concentration < np.inf:
            return partial(from_dirichlet, concentration=concentration)
    raise ValueError(f"start is {name!r}, expected one of {', '.join(STARTS)}, or dirichlet: and a positive number")
