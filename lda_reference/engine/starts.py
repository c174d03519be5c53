"""The starts: where gamma begins.

| name | gamma | source |
|---|---|---|
| `dirichlet` | rows drawn from Dirichlet(1); `dirichlet:10` from Dirichlet(10) | the default of soft algorithms |
| `one-hot` | each token in a uniform topic | the default of samplers |
| `topics` | proportional to phi_wk, whose columns are drawn from Gamma(100, 1/100) | near scikit-learn's |
| `documents` | proportional to phi_wk, the counts of one random document a topic plus 1 | lda-c's `seeded` |
| `incremental` | drawn block after block, each row from the sums of the blocks before it | |
| `collapsed` | where CVB0 has gone from `dirichlet`, in blocks, when a sweep moves gamma by less than 1e-3 | |
| `growing` | CVB0 on a 64th of the documents (or more), on a 32nd, and so on until a half | `recommended` |
| `growing:5` | and then five sweeps of CVB0 in blocks over all documents | |
| `anneal` | 300 sweeps of the algorithm itself, its prior lowered from 2; `anneal:3:100` from 3 in 100 | chapter 16 |

Each but the last is a function (corpus, K, prior, rng, options) -> gamma (M, K), or a recipe that makes it when it is
read. Its random numbers go into a function that draws nothing. A sampler draws its z from the rows of gamma. `anneal`
gives the priors of its sweeps, which are the algorithm's own.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import Generator

from ..arguments import shown
from ..corpus import Corpus, Ints
from ..model import Array, Prior, check_corpus, column, dirichlet, normalised, plus_prior
from .counts import mean_one_hot, sum_all, sum_rows
from .groups import Run, add_totals, blocks_of, documents_by_words, groups, total
from .in_place import are_kept, sweep_groups
from .products import gathered
from .state import Blocks, Recipe, State, moved, slices_of
from .update import Sums, Term, Update, draw, pseudocounts, soft

# The posterior means of theta and phi as terms. Without the row's own token they are the update of CVB0.
TERM = Term(plus_prior, additive=True)
POSTERIOR_MEANS = Update(TERM, TERM, TERM, excludes="token")
BLOCK_COUNT = 32
MOST_SWEEPS = 300  # of CVB0, at most
SMALL_MOVE = 1e-3  # total variation of a token's gamma, on average; to wait until 1e-5 would take thousands of sweeps
FEW_TOPICS = 20


def from_dirichlet(
    c: Corpus, K: int, p: Prior, rng: Generator, concentration: float = 1, dtype: Any = float, **_: Any
) -> Array:
    """gamma with rows drawn from a symmetric Dirichlet distribution."""
    if concentration != 1:
        return dirichlet(np.full((c.M, K), concentration), -1, rng).astype(dtype, copy=False)
    gamma = np.empty((c.M, K), dtype)
    for rows in blocks_of(c.M, K):  # so that the random numbers take little memory
        gamma[rows] = normalised(rng.standard_exponential(gamma[rows].shape), -1)
    return gamma


def uniform_topics(c: Corpus, K: int, rng: Generator) -> Ints:
    """z, a uniform topic for each token."""
    check_corpus(c)
    return rng.integers(K, size=c.N)


def like_topics(weights_wk: Array, c: Corpus) -> Recipe:
    """The gamma of `gamma_of_words`, which is not made before it is read, because the same words have the same rows."""
    gamma_wk = gamma_of_words(weights_wk)
    N_wk = c.by_word(c.n)[:, None] * gamma_wk
    counts_jw = documents_by_words(c.n.astype(np.float64), c)
    return Recipe(partial(rows_of_words, gamma_wk), c, Sums(counts_jw @ gamma_wk, N_wk, sum_all(N_wk)))


def rows_of_words(gamma_wk: Array, c: Corpus) -> Blocks:
    """gamma in blocks, from a row for each word."""
    return ((rows, gamma_wk.take(c.w[rows], 0)) for rows in slices_of(c.M))


def gamma_of_words(weights_wk: Array) -> Array:
    """gamma (W, K) of a row of each word, proportional to phi_wk, the weights normalised over words."""
    return normalised(normalised(weights_wk, 0), -1)


def counts_of_documents(documents: Ints, c: Corpus) -> Array:
    """(W, K): how often each word occurs in the document of each topic."""
    is_in_document = (c.j[:, None] == documents).astype(np.float64)
    return sum_rows(is_in_document, c.n.astype(np.float64), c.w, c.W)


def one_block_after_the_other(uniforms: Array, c: Corpus, K: int, p: Prior) -> Array:
    """A topic for each row, drawn with a uniform from the posterior means at the sums of the blocks before it."""
    gamma = np.zeros((c.M, K))
    S = Sums(np.zeros((c.D, K)), np.zeros((c.W, K)), np.zeros(K))
    for group in groups(c, BLOCK_COUNT):
        group_S = Sums(S.jk[group.documents], S.wk[group.words], S.k)
        weights_of = gathered(POSTERIOR_MEANS, pseudocounts(p, c.W), group_S, gamma, group.words)  # no row is in S yet
        gamma[group.rows] = np.eye(K)[draw(weights_of(group.j, group.w), uniforms[group.rows])]
        add_totals((S,), POSTERIOR_MEANS, gamma, group)
    return gamma


def collapsed(c: Corpus, K: int, p: Prior, rng: Generator, run: Run = map, dtype: Any = float) -> Array:
    """gamma after CVB0 from a Dirichlet start, when it hardly moves over one sweep and over two."""
    gamma, old_gammas = from_dirichlet(c, K, p, rng, dtype=dtype), list[Array]()
    for _ in overwritten_by_cvb0(gamma, c, p, MOST_SWEEPS, BLOCK_COUNT, run):
        if len(old_gammas) == 2 and max(moved(State(x), State(gamma), c.n)[0] for x in old_gammas) < SMALL_MOVE:
            break
        old_gammas = [*old_gammas[-1:], gamma.copy()]
    return gamma


def overwritten_by_cvb0(gamma: Array, c: Corpus, p: Prior, sweeps: int, blocks: int, run: Run = map) -> Iterator[Sums]:
    """Overwrite gamma by sweeps of CVB0 in blocks, and yield the sums after each."""
    update, pseudo = POSTERIOR_MEANS, pseudocounts(p, c.W)
    row_groups, keeps_sums = list(groups(c, blocks, gamma.dtype)), are_kept(update, pseudo)
    S = total(update, gamma, c, pool_map=run, row_groups=row_groups)
    del c  # it may be a part whose rows nobody else holds
    for _ in range(sweeps):
        S, _ = sweep_groups(update, pseudo, S, gamma, soft, row_groups, False, keeps_sums, run, False)
        yield S


def growing(c: Corpus, K: int, p: Prior, rng: Generator, sweeps: int = 0, run: Run = map, dtype: Any = float) -> Array:
    """gamma after sweeps of CVB0 over a growing part of the documents, and then over all of them."""
    document_order = rng.permutation(np.flatnonzero(np.bincount(c.j.astype(np.intp))))  # documents that have rows
    gamma = after_growth(document_order, partial(from_dirichlet, K=K, p=p, rng=rng, dtype=dtype), c, p, K, run)
    if sweeps:
        deque(overwritten_by_cvb0(gamma, c, p, sweeps, BLOCK_COUNT, run), 0)
    return gamma


def sizes_of_parts(D: int, K: int = 1) -> list[int]:
    """A 64th of D documents, a 32nd, and so on until all. With many topics, only those from 2 K on, and the last two.

    On small drawn corpora `number_of_topics` found 3 or 6 topics in 20 of 20 corpora from a 64th, in 17 from two
    documents a topic. On KOS, from two each, 50 topics (three seeds) and 200 (two) had a lower perplexity at sweep ten.
    """
    sizes = [-(-D // divisor) for divisor in (64, 32, 16, 8, 4, 2, 1)]
    return sizes if K <= FEW_TOPICS else [size for size in sizes[:-2] if size >= 2 * K] + sizes[-2:]


def corpus_of_rows(rows: Ints, c: Corpus) -> Corpus:
    return c.with_rows(c.j.take(rows), c.w.take(rows), c.n.take(rows))


def after_growth(
    order: Ints, gamma_of_start: Callable[[Corpus], Array], c: Corpus, p: Prior, K: int = 1, run: Run = map
) -> Array:
    """gamma after CVB0 on the first 64th of the documents in `order`, the first 32nd, and so on until a half.

    For many topics (`K`) the first part is larger; `gamma_of_start` makes its gamma. Each part takes four sweeps in 8
    blocks. Then the rows of the next documents are set as in the start `topics`, from the counts of the part. Symmetry
    breaks on few documents, which costs little: all sweeps together cost as much as four sweeps of the whole corpus.
    """
    rank_of_document, sizes = np.full(c.D, len(order), np.min_scalar_type(len(order))), sizes_of_parts(len(order), K)
    rank_of_document[order] = np.arange(len(order))  # the place of each document in the order
    rank_of_row = rank_of_document.take(c.j)
    rows = np.flatnonzero(rank_of_row < sizes[0])
    gamma_of_first = gamma_of_start(corpus_of_rows(rows, c))
    gamma = np.empty((c.M, gamma_of_first.shape[-1]), gamma_of_first.dtype)  # its first rows are those of the part
    gamma[: len(rows)] = gamma_of_first
    del gamma_of_first
    for old_size, new_size in pairwise(sizes):
        S = deque(overwritten_by_cvb0(gamma[: len(rows)], corpus_of_rows(rows, c), p, 4, 8, run), 1).pop()
        gamma_wk = gamma_of_words(plus_prior(column(p.eta, S.wk), S.wk)).astype(gamma.dtype, copy=False)
        old_end, rows = len(rows), np.flatnonzero(rank_of_row < new_size).astype(np.min_scalar_type(c.M))
        for block in reversed(list(blocks_of(len(rows), gamma.shape[1]))):  # the last first, because old rows move down
            is_old = rank_of_row.take(rows[block]) < old_size
            old_begin = old_end - int(is_old.sum())
            old_gamma, old_end = gamma[old_begin:old_end].copy(), old_begin
            gamma_wk.take(c.w.take(rows[block]), 0, gamma[block], mode="clip")  # or NumPy makes a copy first
            gamma[block][is_old] = old_gamma
        del S, gamma_wk
    return gamma


def anneal(p: Prior, offset: float = 0.0, top: float = 2.0, sweeps: int = 300) -> Iterator[Prior]:
    """The priors of annealing: from `top` down in equal ratios, so that the sweep after the last would have prior p.

    With a large prior all topics are alike. While it falls they part one after the other, the largest differences
    first, instead of all at once around random rows. A number of p that is not below `top` (above 0) stays as it is. If
    the algorithm subtracts an offset from its prior, all this holds for the prior without the offset.

    Examples
    --------
    >>> [float(now.alpha) for now in anneal(Prior(0.25, 4.0), top=4.0, sweeps=4)]
    [4.0, 2.0, 1.0, 0.5]
    """
    last_alpha_and_eta = [np.asarray(a) - offset for a in (p.alpha, p.eta)]
    for sweeps_left in range(sweeps, 0, -1):  # each is raised by a part of its distance, in logarithms, from `top`
        yield Prior(*(a * np.maximum(top / a, 1.0) ** (sweeps_left / sweeps) + offset for a in last_alpha_and_eta))


STARTS: dict[str, Callable[..., Any]] = {
    "dirichlet": from_dirichlet,
    "one-hot": lambda c, K, p, rng, **_: mean_one_hot(uniform_topics(c, K, rng), c, K),
    "topics": lambda c, K, p, rng, **_: like_topics(rng.gamma(100.0, 0.01, (c.W, K)), c),
    "documents": lambda c, K, p, rng, **_: like_topics(counts_of_documents(rng.integers(c.D, size=K), c) + 1, c),
    "incremental": lambda c, K, p, rng, **_: one_block_after_the_other(rng.random(c.M), c, K, p),
    "collapsed": collapsed,
    "growing": growing,
    "anneal": anneal,
}
ONE_HOT_STARTS = ("one-hot", "incremental")  # these make the K one-hot rows of topics
OPTION_TYPES: dict[str, dict[str, Any]] = {
    "dirichlet": {"concentration": float}, "growing": {"sweeps": int}, "anneal": {"top": float, "sweeps": int},
}  # fmt: skip


def start_named(name: str) -> Callable[..., Any]:
    """The start of a name such as `topics`, or with numbers: `dirichlet:10`, `growing:5`, `anneal:3:100`."""
    start_kind, *number_texts = name.split(":") if isinstance(name, str) else [""]
    option_types = OPTION_TYPES.get(start_kind, {})
    if start_kind in STARTS and len(number_texts) <= len(option_types):
        with suppress(ValueError):
            options = {x: option_types[x](text) for x, text in zip(option_types, number_texts, strict=False)}
            if all(0 < number < np.inf for number in options.values()):
                return partial(STARTS[start_kind], **options)
    examples_text = "dirichlet:10 (a concentration), growing:5 (sweeps), anneal:3:100 (the first prior and the sweeps)"
    raise ValueError(f"start is {shown(name)}, expected one of {', '.join(STARTS)}; or with numbers, {examples_text}")


def drawn_state(
    A: Any, c: Corpus, K: int, p: Prior, rng: Generator, start_name: str | None, threads: Any, dtype: Any
) -> State:
    """The first state of an algorithm, without replicates, by the start of a name or by the algorithm's default."""
    start_name = start_name or ("one-hot" if A.assignment == "sample" else "dirichlet")
    if start_name.startswith("anneal"):
        s, schedule = A.init(c, K, p, rng), "corpus" if "corpus" in A.schedules else None
        for raised_prior in start_named(start_name)(p, A.prior_offset):
            s = A.sweep(s, c, raised_prior, schedule, rng=rng, executor=threads)
        return s._replace(own=None)
    if A.samples_z and start_name == "one-hot":
        z = uniform_topics(c, K, rng)
    else:
        s = State(start_named(start_name)(c, K, p, rng, run=map if threads is None else threads.map, dtype=dtype))
        s = s if s.dtype == dtype else State(s.gamma.astype(dtype))
        if not A.samples_z:
            return s
        z = draw(np.repeat(s.gamma, c.n.astype(np.intp), axis=0), rng.random(c.N))
    return State(mean_one_hot(z, c, K), z)
