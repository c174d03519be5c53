"""The engine: one update, three schedules, three assignments.

AWST09 §2.6 observes that the algorithms for LDA are one update with different smoothing; TNW06 Table 1, that they are
a grid. An algorithm is therefore three small things:

1. a **statistic** of one row of gamma, additive over rows: its sums over a document (jk), a word (wk) and the corpus
   (k) are all that the update ever sees;
2. an **exclusion**, what a row takes out of those sums before its own update: nothing, one token, or all tokens of
   its type;
3. three **factors** of those sums:  gamma_jwk  ∝  document(jk) word(wk) / topic(k).

Two choices complete it. The **schedule** says when the sums are refreshed: after each row (`token`), after each
document (`document`), or after all rows (`corpus`). The **assignment** says what becomes of the new row: `soft` keeps
the distribution, `sample` draws a topic, `hard` takes the most probable.

Arrays may carry a replicate axis before the topic axis, (M, R, K): R independent runs at once. A statistic of several
components, such as a mean and a variance, puts the component axis first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array

from ..corpus import Corpus, Ints
from ..model import Array, Prior

BLOCK = 2**16  # numbers in a block of rows: half a megabyte, so that a few blocks stay in the L2 cache


Three = tuple[Array, Array, Array]


class State(NamedTuple):
    """What the next sweep needs, and no more.

    Attributes
    ----------
    gamma : (M, [R,] K)
        The distribution over topics of a token of each row, rows sum to 1; for samplers the mean one-hot of its z.
    z : (N, [R]) integers, or None
        For samplers: the topic of each token, in row order.
    """

    gamma: Array
    z: Ints | None = None


Learner = Callable[[State, Corpus, Prior], Prior]  # of a prior, called after a sweep


class Smoothing(NamedTuple):
    """The prior as the factors see it: beside the sums of the rows at hand.

    Attributes
    ----------
    alpha : () or (K,)
    eta : () or one for each row
    W_eta : ()
        The sum of eta over the vocabulary, W eta if symmetric.
    W : ()
    """

    alpha: Any
    eta: Any
    W_eta: Any
    W: Any


class Sums(NamedTuple):
    """The statistic summed over the tokens of a document, a word, the corpus; its component axis, if any, second."""

    jk: Array
    wk: Array
    k: Array


def expected_counts(gamma: Array) -> Array:
    """The statistic of most algorithms: gamma itself, so that its sums are the (expected) counts N_jk, N_wk, N_k."""
    return gamma


def nonnegative_rest(S: Array, s: Array) -> Array:
    """S without s, for statistics that are never negative.

    In exact arithmetic S >= s, and the maximum does nothing. In floating point S - s can be about -1e-16 S, which with
    a prior smaller than that would make a probability negative.
    """
    return np.maximum(S - s, ZERO)


ZERO = np.zeros(())  # an array: NumPy is slower with a float


@dataclass(frozen=True, eq=False)
class Algorithm:
    """An inference algorithm for LDA.

    Attributes
    ----------
    name : str
    schedules : tuple of str
        Those allowed, the default first.
    document, word, topic : function (Smoothing, sums) -> array
        The three factors, or with `logs` their logarithms. `sums` are those of the statistic, what is excluded already
        taken out.
    excludes : {"nothing", "token", "type"}
    estimate : function (state, corpus, prior) -> theta_jk (D, [R,] K), phi_wk (W, [R,] K)
        Of the current state; rows of theta_jk and columns of phi_wk sum to 1.
    bound : function (state, corpus, prior) -> float or (R,)
        A lower bound on log p(x | alpha, eta), in nats; where there is none, a ValueError that says why.
    objective : function (state, corpus, prior) -> float or (R,)
        What the algorithm climbs; where it climbs nothing, a ValueError that says why.
    assignment : {"soft", "sample", "hard"}
        The default one.
    logs : bool
        Whether the factors are given as logarithms.
    offset : float
        What the update takes off the prior, which must be larger.
    statistic : function gamma -> array
    rest : function (sum, part) -> sum
        The sum without a part of it.
    topic_statistic, topic_rest : the same, or None
        Of the sums over the corpus, where the topic factor sees more than the other two; with `samples`
        `topic_statistic` is a function (gamma, uniforms) -> array.
    total : function (function row -> statistic, corpus) -> Sums, or None
        Where the sums are not sums of arrays.
    without : function (function row -> statistic, corpus, row) -> three sums, or None
        For the `token` schedule, where sums that are kept up would lose their digits: those of a row, without one
        token of it, built anew.
    samples : int
        How many uniforms for each token `topic_statistic` wants.
    prepare : function (algorithm, state, corpus, prior, rng) -> algorithm, or None
        Called before a sweep, where a part of the algorithm depends on the prior or is drawn anew.
    leave_one_out : function (smoothing, sums, gamma, corpus, uniforms) -> function rows -> three factors, or None
        For the `corpus` schedule, where there is a faster way than statistic, rest and factors.
    inner : function (prior, N_jk) -> (D, [R]), or None
        What the documents add to the objective, by which the `nested` schedule knows that one has converged.
    topics : (W, K), or None
        Word factors held fixed, see `hold_topics`.
    """

    name: str
    schedules: tuple[str, ...]
    document: Callable[[Smoothing, Any], Any]
    word: Callable[[Smoothing, Any], Any]
    topic: Callable[[Smoothing, Any], Any]
    excludes: str
    estimate: Callable[[State, Corpus, Prior], tuple[Array, Array]]
    bound: Callable[[State, Corpus, Prior], Any]
    objective: Callable[[State, Corpus, Prior], Any]
    assignment: str = "soft"
    logs: bool = False
    offset: float = 0.0
    statistic: Callable[..., Array] = expected_counts
    rest: Callable[[Any, Any], Any] = nonnegative_rest
    topic_statistic: Callable[..., Array] | None = None
    topic_rest: Callable[[Any, Any], Any] | None = None
    total: Callable[[Callable[[Any], Array], Corpus], Sums] | None = None
    without: Callable[[Callable[[Any], Array], Corpus, int], Three] | None = None
    samples: int = 0
    prepare: Callable[[Algorithm, State, Corpus, Prior, np.random.Generator | None], Algorithm] | None = None
    leave_one_out: Callable[[Smoothing, Sums, Array, Corpus, Any], Callable[[slice], Three]] | None = None
    inner: Callable[[Prior, Array], Array] | None = None
    topics: Array | None = None

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r})"

    def init(
        self,
        c: Corpus,
        K: int,
        p: Prior,
        rng: np.random.Generator | None = None,
        gamma: ArrayLike | None = None,
        z: ArrayLike | None = None,
        replicates: int | None = None,
    ) -> State:
        """The first state: from `gamma`, from `z`, or drawn with `rng`.

        Drawn rows of gamma are Dirichlet(1); drawn topics z are uniform. `replicates=R` draws R states, one after the
        other as R calls would.

        Parameters
        ----------
        c : Corpus, of at least one token
        K : int, 1 or more
        p : Prior
        rng : numpy.random.Generator, optional
        gamma : (M, K) or (M, R, K), optional
            Rows sum to 1.
        z : (N,) or (N, R) integers below K, optional
            Topics of the tokens in row order. A state made from z can be swept by `sample`.
        replicates : int, optional

        Raises
        ------
        ValueError
            For a corpus without tokens, K < 1, a prior that does not fit, gamma or z of the wrong shape or range.

        Examples
        --------
        >>> import lda_reference as lda
        >>> c = lda.Corpus.from_documents([[0, 1, 1], [2, 0]])
        >>> lda.ALGORITHMS["cgs"].init(c, 2, lda.Prior(), z=[0, 1, 1, 0, 0]).gamma[:2]
        array([[1., 0.],
               [0., 1.]])
        """
        if isinstance(K, bool) or not isinstance(K, (int, np.integer)) or K < 1:
            raise ValueError(f"K is {K!r}, expected a whole number of topics from 1")
        if c.N == 0:
            raise ValueError("the corpus is empty: it has no token")
        if replicates is not None and replicates < 1:
            raise ValueError(f"replicates is {replicates}, expected 1 or more")
        self._check(c, p, K)
        if gamma is not None and z is not None:
            raise ValueError("gamma and z are both given: a state starts from one of them")
        if gamma is not None:
            if self.assignment == "sample":
                raise ValueError(f"{self.name} is a sampler and starts from z, the topic of each token, not from gamma")
            return State(checked_gamma(gamma, c.M, K, replicates))
        if z is not None:
            z = _checked_z(z, c.N, K, replicates)
            return State(mean_one_hot(z, c, K), z)
        if rng is None:
            raise ValueError("a state starts from gamma, from z or from rng, and none is given")
        copies = 1 if replicates is None else replicates
        if self.assignment == "sample":
            z = np.ascontiguousarray(rng.integers(K, size=(copies, c.N)).T)
            z = z[:, 0] if replicates is None else z
            return State(mean_one_hot(z, c, K), z)
        drawn = rng.standard_exponential((copies, c.M, K))
        drawn /= drawn.sum(-1, keepdims=True)
        return State(drawn[0] if replicates is None else np.ascontiguousarray(np.swapaxes(drawn, 0, 1)))

    def sweep(
        self,
        s: State,
        c: Corpus,
        p: Prior,
        schedule: str | None = None,
        assignment: str | None = None,
        uniforms: ArrayLike | None = None,
        rng: np.random.Generator | None = None,
        executor: Executor | None = None,
        parts: int = 8,
    ) -> State:
        """One pass over all rows: a new state; the old one is untouched.

        Parameters
        ----------
        s : State
        c : Corpus
        p : Prior
        schedule : {"token", "document", "corpus"}, optional
            Default: the algorithm's first.
        assignment : {"soft", "sample", "hard"}, optional
            Default: the algorithm's own. `hard` takes the first of equally probable topics.
        uniforms : (N,) or (N, R) numbers in [0, 1), optional
            For `sample`: one a token, in row order. The topic drawn is the number of the first K-1 partial sums of the
            weights, added in topic order, that are <= u times the last partial sum.
        rng : numpy.random.Generator, optional
            For `sample`: draws the uniforms that are not given.
        executor : concurrent.futures.Executor, optional
            For the `corpus` schedule, whose rows are independent: threads, processes, or a dask cluster by its
            `Client.get_executor()`. The result is the same to rounding.
        parts : int
            Into how many the rows are split for an executor other than threads.

        Raises
        ------
        ValueError
            For a schedule or assignment that has no meaning here, or a state, prior or uniforms that do not fit.

        Examples
        --------
        >>> import lda_reference as lda
        >>> c, p = lda.Corpus.from_documents([[0, 0], [1]]), lda.Prior(0.5, 0.5)
        >>> A = lda.ALGORITHMS["cvb0"]
        >>> A.sweep(A.init(c, 2, p, gamma=[[1, 0], [1, 0], [0, 1]]), c, p).gamma.round(4)
        array([[0.9   , 0.1   ],
               [0.8575, 0.1425],
               [0.3106, 0.6894]])
        """
        schedule = schedule or self.schedules[0]
        assignment = assignment or self.assignment
        if schedule not in self.schedules:
            raise ValueError(f"{self.name} has no schedule {schedule!r}, expected one of {', '.join(self.schedules)}")
        if assignment not in ("soft", "sample", "hard"):
            raise ValueError(f'assignment is {assignment!r}, expected "soft", "sample" or "hard"')
        if executor is not None and schedule != "corpus":
            raise ValueError(f"an executor goes with the corpus schedule: in {schedule} order each waits for the last")
        gamma = np.asarray(s.gamma)
        if gamma.ndim not in (2, 3) or len(gamma) != c.M:
            raise ValueError(f"the state's gamma has shape {gamma.shape}, expected one row for each of M = {c.M} rows")
        self._check(c, p, gamma.shape[-1])

        A = self if self.prepare is None else self.prepare(self, s, c, p, rng)
        if assignment != "sample":
            if self.samples:
                shape = (c.N, *gamma.shape[1:-1], self.samples)
                u = _checked_uniforms(uniforms, shape, rng)
            elif uniforms is not None:
                raise ValueError(f"{self.name} with {assignment} assignment draws nothing: uniforms have no use")
            else:
                u = None
            assign = hard if assignment == "hard" else soft
            if schedule == "corpus":
                if executor is None or isinstance(executor, ThreadPoolExecutor):
                    return State(_sweep_corpus(A, gamma, c, p, assign, u, executor))
                from . import parallel

                S = _total(A, _statistics_of(A, gamma, u), gamma, c)
                return State(parallel.sweep(self, gamma, S, c, p, u, assign is hard, executor, parts))
            gamma = np.array(gamma)
            _SWEEPS[schedule](A, gamma, c, p, assign, u)
            return State(gamma)

        if s.z is None:
            raise ValueError("the state has no z to sample: start from init(..., z=...)")
        if schedule != ("corpus" if self.excludes == "nothing" else "token"):
            raise ValueError(
                f"{self.name} cannot sample in {schedule} order: a sampler that excludes a token needs the counts after"
                " every draw (token), one that excludes nothing draws all tokens at once (corpus)"
            )
        u = _checked_uniforms(uniforms, s.z.shape, rng)
        if schedule == "corpus":
            weights = corpus_weights(A, mean_one_hot(s.z, c, gamma.shape[-1]), c, p)
            z = np.empty_like(s.z)
            for rows, x in weights:
                tokens, row = _tokens_of(rows, c)
                z[tokens] = draw(x[row], u[tokens])
        else:
            z = s.z.copy()
            _sweep_draws(A, z, c.tokens(), p, u, gamma.shape[-1])
        return State(mean_one_hot(z, c, gamma.shape[-1]), z)

    def rows(self, c: Corpus) -> Corpus:
        """The corpus in rows that the algorithm takes: types or tokens where it must have them, else as it is."""
        return c.types() if self.excludes == "type" else c.tokens() if self.samples else c

    def _check(self, c: Corpus, p: Prior, K: int) -> None:
        p.check(K, c.W)
        for name, x in (("alpha", p.alpha), ("eta", p.eta)):
            if self.offset and not np.all(np.asarray(x) > self.offset):
                raise ValueError(
                    f"{name} is {x}: {self.name} takes {self.offset:g} off {name} and needs it larger; the others'"
                    f" {name} plus {self.offset:g} is its counterpart"
                )
        if self.excludes == "type" and not c.is_types:
            raise ValueError(f"{self.name} takes out all tokens of a type at once: give it corpus.types()")
        if self.samples and c.M < c.N:
            raise ValueError(f"{self.name} draws samples of every token: give it corpus.tokens()")


# Sums ---------------------------------------------------------------------------------------------------------------


def sum_rows(x: Array, weights: Array, index: Ints, size: int) -> Array:
    """(size, ...) sums of the rows of x (M, ...), times their weights, over the rows of equal index."""
    scatter = csc_array((weights, index, np.arange(len(index) + 1)), shape=(size, len(index)))
    return (scatter @ x.reshape(len(index), -1)).reshape(size, *x.shape[1:])


def sums(gamma: Array, c: Corpus) -> Sums:
    """The counts N_jk (D, K), N_wk (W, K) and N_k (K,), expected or drawn, rebuilt from gamma."""
    n = c.n.astype(np.float64)
    N_wk = sum_rows(gamma, n, c.w, c.W)
    return Sums(sum_rows(gamma, n, c.j, c.D), N_wk, N_wk.sum(0))


Statistic = Callable[[Any], Array]
Run = Callable[..., Iterable[Any]]  # map, or a pool's


def _statistics_of(A: Algorithm, gamma: Array, u: Array | None) -> tuple[Statistic, Statistic]:
    """The statistic of rows by number, for document and word and for the topic, of what gamma holds when called."""
    statistic, topic_statistic = A.statistic, A.topic_statistic
    # without a statistic to compute it is the row itself: the same, a call less
    stat = gamma.__getitem__ if statistic is expected_counts else lambda rows: statistic(gamma[rows])
    if topic_statistic is None:
        return stat, stat
    if u is None:
        return stat, lambda rows: topic_statistic(gamma[rows])
    return stat, lambda rows: topic_statistic(gamma[rows], u[rows])


def _total(A: Algorithm, stats: tuple[Statistic, Statistic], gamma: Array, c: Corpus, run: Run = map) -> Sums:
    """The sums of the algorithm's statistics, rebuilt from gamma, by `run` if it is a pool's map."""
    stat, stat_k = stats
    if A.total is not None:
        return A.total(stat, c)
    if A.statistic is expected_counts:
        S = sums(gamma, c)
    else:
        S_jk, S_wk = _sum_blocks(stat, gamma, c, run, (c.j, c.D), (c.w, c.W))
        S = Sums(S_jk, S_wk, S_wk.sum(0))
    return S if stat_k is stat else S._replace(k=_sum_blocks(stat_k, gamma, c, run, (np.zeros_like(c.j), 1))[0][0])


def _sum_blocks(stat: Statistic, gamma: Array, c: Corpus, run: Run, *indices: tuple[Ints, int]) -> list[Array]:
    """The statistic summed over the tokens of equal index, for each index and its size, a block of rows at a time."""
    shape = _rows_first(stat(slice(0, 1)), gamma).shape[1:]
    totals = [np.zeros((size, *shape)) for _, size in indices]

    def of_block(rows: slice) -> list[tuple[Ints, Array]]:
        s, n, parts = _rows_first(stat(rows), gamma), c.n[rows].astype(np.float64), []
        for index, _ in indices:
            numbers, place = np.unique(index[rows], return_inverse=True)
            parts.append((numbers, sum_rows(s, n, place, len(numbers))))
        return parts

    blocks = _blocks(c.M, stat)
    while some := list(islice(blocks, 64)):  # a pool may run ahead, but not until memory is full
        for parts in run(of_block, some):
            for total, (numbers, part) in zip(totals, parts, strict=True):
                total[numbers] += part
    return totals


def posterior_mean(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at the (expected) counts.

    AWST09 (15), TNW06 (19), with sum_k alpha_k for K alpha and sum_w eta_w for W eta:

        theta_jk = (N_jk + alpha) / (N_j + K alpha)       phi_wk = (N_wk + eta) / (N_k + W eta)
    """
    N = sums(s.gamma, c)
    q = smoothing(p, c.W)
    return normalised(N.jk + q.alpha, -1), normalised(N.wk + _column(q.eta, N.wk), 0)  # AWST09 (15)


def normalised(x: Array, axis: int) -> Array:
    return x / x.sum(axis, keepdims=True)


def entropy(gamma: Array, c: Corpus) -> Any:
    """H(q(z)) = - sum over tokens of sum_k gamma log gamma, in nats; (R,) with replicates."""
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return -np.einsum("m,m...k,m...k->...", c.n.astype(np.float64), gamma, logs)


def smoothing(p: Prior, W: int) -> Smoothing:
    """The prior for the factors, every number an array: NumPy is slower with floats."""
    alpha, eta = np.asarray(p.alpha), np.asarray(p.eta)
    W_eta = W * eta if eta.ndim == 0 else eta.sum()
    return Smoothing(alpha, eta, np.asarray(W_eta), np.asarray(float(W)))


def _smoothing_of(A: Algorithm, p: Prior, W: int) -> Smoothing:
    q = smoothing(p, W)
    return q if A.topics is None else q._replace(eta=A.topics)


def hold_topics(A: Algorithm, phi_wk: Array, c: Corpus) -> Algorithm:
    """The algorithm with phi_wk in the place of its word and topic factors: what is left to learn is gamma and theta.

    Raises a ValueError for a word of `c` that has probability 0 under every topic.
    """
    impossible = np.flatnonzero(~(phi_wk[c.w] > 0).any(-1))
    if impossible.size:
        raise ValueError(f"word {c.w[impossible[0]]} has probability 0 under every topic, so its tokens have no topic")
    with np.errstate(divide="ignore"):
        topics = np.log(phi_wk) if A.logs else np.asarray(phi_wk)
    return replace(A, topics=topics, word=_held_word, topic=_held_topic(A.logs), leave_one_out=None)


def _held_word(q: Smoothing, S: Any) -> Any:
    return q.eta


def _held_topic(logs: bool) -> Callable[[Smoothing, Any], Any]:
    return partial(_given, np.zeros(()) if logs else np.ones(()))


def _given(x: Array, q: Smoothing, S: Any) -> Array:
    return x


# The update ----------------------------------------------------------------------------------------------------------


def weights(A: Algorithm, document: Array, word: Array, topic: Array) -> Array:
    """The right-hand side of every update, up to a constant for each row."""
    if not A.logs:
        return document * word / topic
    x = document + word - topic
    return np.exp(x - x.max(-1, keepdims=True))


def soft(x: Array) -> Array:
    """The distribution proportional to the weights x."""
    total = x.dot(_ones(x.shape[-1]))  # a product: NumPy is slow to add short rows
    return x / (total if x.ndim == 1 else total[..., None])


@cache
def _ones(K: int) -> Array:
    return np.ones(K)


def hard(x: Array) -> Array:
    """All mass on the largest weight, the first of equals."""
    return np.eye(x.shape[-1])[x.argmax(-1)]


def draw(x: Array, u: Any) -> Any:
    """Topics drawn from the weights x (..., K) by the uniforms u (...).

    The topic is the number of the first K-1 partial sums, added in topic order, that are <= u times the last.
    """
    partial = np.add.accumulate(x, -1)
    if x.ndim == 1:
        return int(partial[:-1].searchsorted(u * partial[-1], "right"))
    return (partial[..., :-1] <= (u * partial[..., -1])[..., None]).sum(-1)


Assign = Callable[[Array], Array]


def sweep_tokens(
    A: Algorithm, gamma: Array, c: Corpus, p: Prior, assign: Assign, u: Array | None = None
) -> None:
    """Each row in order, the sums refreshed after each."""
    stats = _statistics_of(A, gamma, u)

    def put(i: int, x: Array) -> None:
        gamma[i] = assign(x)

    _token_loop(A, stats, put, _total(A, stats, gamma, c), c, p)


def _sweep_draws(A: Algorithm, z: Ints, tokens: Corpus, p: Prior, u: Array, K: int) -> None:
    """Each token in order, its topic drawn, the sums refreshed after each."""
    statistic, one_hot = A.statistic, np.eye(K)
    S = _total(A, _statistics_of(A, one_hot[z], None), one_hot[z], tokens)
    topics, uniforms = (z.tolist(), u.tolist()) if z.ndim == 1 else (z, u)  # NumPy is slower with single numbers

    def put(i: int, x: Array) -> None:
        topics[i] = draw(x, uniforms[i])

    def stat(i: int) -> Array:
        return statistic(one_hot[topics[i]])

    _token_loop(A, (stat, stat), put, S, tokens, p)
    z[:] = topics


def _token_loop(
    A: Algorithm,
    stats: tuple[Statistic, Statistic],
    put: Callable[[int, Array], None],
    S: Sums,
    c: Corpus,
    p: Prior,
) -> None:
    rest, plus, document, word, topic = A.rest, np.add, A.document, A.word, A.topic
    (stat, stat_k), more, topic_rest = stats, stats[0] is not stats[1], A.topic_rest or rest
    nothing, token = A.excludes == "nothing", A.excludes == "token"
    q = _smoothing_of(A, p, c.W)
    of_word = [q] * c.W if q.eta.ndim == 0 else [q._replace(eta=eta) for eta in np.atleast_2d(q.eta.T).T]
    number = {m: np.asarray(float(m)) for n in np.unique(c.n).tolist() for m in (n - 1, n)}  # faster than an int
    S_jk, S_wk, S_k = S
    for i, (j, w, n) in enumerate(zip(c.j.tolist(), c.w.tolist(), c.n.tolist(), strict=True)):
        S_j, S_w, q = S_jk[j], S_wk[w], of_word[w]
        if A.without is not None:
            seen_j, seen_w, seen_k = A.without(stat, c, i)
            put(i, weights(A, document(q, seen_j), word(q, seen_w), topic(q, seen_k)))
            continue
        out = old = stat(i)
        out_k = old_k = stat_k(i) if more else old
        if n > 1 and not token:
            out, out_k = number[n] * old, number[n] * old_k
        seen_j, seen_w, seen_k = rest_j, rest_w, rest_k = rest(S_j, out), rest(S_w, out), topic_rest(S_k, out_k)
        if nothing:
            seen_j, seen_w, seen_k = S_j, S_w, S_k
        elif n > 1 and token:
            out, out_k = number[n - 1] * old, number[n - 1] * old_k
            rest_j, rest_w, rest_k = rest(seen_j, out), rest(seen_w, out), topic_rest(seen_k, out_k)
        put(i, weights(A, document(q, seen_j), word(q, seen_w), topic(q, seen_k)))
        new = stat(i)
        new_k = stat_k(i) if more else new
        if n > 1:
            new, new_k = number[n] * new, number[n] * new_k
        plus(rest_j, new, S_j)
        plus(rest_w, new, S_w)
        plus(rest_k, new_k, S_k)


def _sweep_documents(A: Algorithm, gamma: Array, c: Corpus, p: Prior, assign: Assign, u: Array | None) -> None:
    """All rows of a document from the sums before it, which are refreshed after each document."""
    stats = _statistics_of(A, gamma, u)
    S = _total(A, stats, gamma, c)
    q = _smoothing_of(A, p, c.W)
    starts = np.searchsorted(c.j, np.arange(c.D + 1)).tolist()
    for j in range(c.D):
        rows = slice(starts[j], starts[j + 1])
        if starts[j] == starts[j + 1]:
            continue
        n = c.n[rows].astype(np.float64)
        words, place = np.unique(c.w[rows], return_inverse=True)
        x = assign(weights(A, *_terms(A, q, stats, S, gamma, c, rows)[1]))
        out, out_k = (sum_rows(_rows_first(f(rows), gamma), n, place, len(words)) for f in stats)
        gamma[rows] = x
        new, new_k = (sum_rows(_rows_first(f(rows), gamma), n, place, len(words)) for f in stats)
        here, gone = (_components_first(x, gamma) for x in (S.wk[words], out))
        S.wk[words] = _rows_first(A.rest(here, gone), gamma) + new
        S.k[:] = (A.topic_rest or A.rest)(S.k, out_k.sum(0)) + new_k.sum(0)


def _sweep_corpus(
    A: Algorithm, gamma: Array, c: Corpus, p: Prior, assign: Assign, u: Array | None, executor: Executor | None
) -> Array:
    """All rows from the old sums."""
    new = np.empty_like(gamma)
    for rows, x in corpus_weights(A, gamma, c, p, u, executor, assign):
        new[rows] = x
    return new


def part_weights(
    c: Corpus, A: Algorithm, p: Prior, gamma: Array, S: Sums, u: Array | None, take_hard: bool
) -> Array:
    """The new gamma of a part of the rows, `c`, from the sums of all."""
    A = A if A.prepare is None else A.prepare(A, State(gamma), c, p, None)
    of = _weights_from(A, S, gamma, c, p, u)
    assign = hard if take_hard else soft
    return np.concatenate([assign(of(rows)) for rows in _blocks(c.M, *_statistics_of(A, gamma, u))])


def corpus_weights(
    A: Algorithm,
    gamma: Array,
    c: Corpus,
    p: Prior,
    u: Array | None = None,
    executor: Executor | None = None,
    then: Assign = lambda x: x,
) -> Iterator[tuple[slice, Array]]:
    """The weights of all rows from the old sums, a block of rows at a time."""
    stats = _statistics_of(A, gamma, u)
    run: Run = map if executor is None else executor.map
    of = _weights_from(A, _total(A, stats, gamma, c, run), gamma, c, p, u)
    blocks = list(_blocks(c.M, *stats))
    return zip(blocks, run(lambda rows: then(of(rows)), blocks), strict=True)


def _weights_from(
    A: Algorithm, S: Sums, gamma: Array, c: Corpus, p: Prior, u: Array | None
) -> Callable[[slice], Array]:
    """The weights of rows from given sums."""
    q = _smoothing_of(A, p, c.W)
    if A.excludes == "nothing":
        return _gathered(A, q, S, gamma, c)
    if A.leave_one_out is not None:
        of = A.leave_one_out(q, S, gamma, c, u)
        return lambda rows: weights(A, *of(rows))
    stats = _statistics_of(A, gamma, u)
    return lambda rows: weights(A, *_terms(A, q, stats, S, gamma, c, rows)[1])


def _gathered(A: Algorithm, q: Smoothing, S: Sums, gamma: Array, c: Corpus) -> Callable[[slice], Array]:
    """The weights of rows where nothing is excluded: the factors once for a document and a word, then gathered."""
    document, word, topic = _tables(A, q, S, gamma)
    logs = A.logs
    if logs:
        word = word - topic
        tops = (x.max(-1, keepdims=True) for x in (document, word))  # -inf for a word without mass, which has no row
        E_jk, E_wk = (
            np.exp(x - np.where(top > -np.inf, top, 0.0)) for x, top in zip((document, word), tops, strict=True)
        )
        logs = not E_jk.min() * E_wk.min() > 1e-200  # with tiny priors all products of a row could vanish
    else:
        E_jk, E_wk = document, word / topic

    def of(rows: slice) -> Array:
        j, w = c.j[rows], c.w[rows]
        if logs:
            return weights(A, document.take(j, 0), word.take(w, 0), ZERO)
        return E_jk.take(j, 0) * E_wk.take(w, 0)

    return of


def _tables(A: Algorithm, q: Smoothing, S: Sums, gamma: Array) -> Three:
    """The factors of every document, of every word, and of the topics, nothing excluded."""
    document = A.document(q, _components_first(S.jk, gamma))
    return document, A.word(q._replace(eta=_column(q.eta, gamma)), _components_first(S.wk, gamma)), A.topic(q, S.k)


def _sweep_nested(A: Algorithm, gamma: Array, c: Corpus, p: Prior, assign: Assign, u: Array | None) -> None:
    """Each document anew from the uniform distribution to convergence, its topics those of the old sums.

    SOL14 Algorithm 1: converged where the relative change of the document's part of the objective is below 1e-4.
    """
    assert A.inner is not None
    q = _smoothing_of(A, p, c.W)
    _, word, topic = _tables(A, q, _total(A, _statistics_of(A, gamma, u), gamma, c), gamma)
    with np.errstate(divide="ignore"):
        log_topics = word - topic if A.logs else np.log(word / topic)
    held = replace(A, topics=log_topics if A.logs else np.exp(log_topics), word=_held_word, topic=_held_topic(A.logs))
    q = _smoothing_of(held, p, c.W)
    n = c.n.astype(np.float64)
    finite = np.where(np.isfinite(log_topics), log_topics, 0.0)  # gamma is 0 where the topic cannot be

    def objective(now: Array, N_jk: Array) -> Array:
        assert A.inner is not None
        entropies = np.log(now, out=np.zeros_like(now), where=now > 0)
        rows = np.einsum("m...k,m...k->m...", now, finite[c.w] - entropies)
        return A.inner(p, N_jk) + sum_rows(rows, n, c.j, c.D).reshape(N_jk.shape[:-1])

    gamma[:] = 1 / gamma.shape[-1]
    N_jk = sum_rows(gamma, n, c.j, c.D)
    last = objective(gamma, N_jk)
    active = np.ones(last.shape, bool)  # (D, [R])
    while active.any():
        x = assign(weights(A, held.document(q, N_jk).take(c.j, 0), q.eta.take(c.w, 0), _held_topic(A.logs)(q, None)))
        gamma[:] = np.where(active[c.j][..., None], x, gamma)
        N_jk = sum_rows(gamma, n, c.j, c.D)
        now = objective(gamma, N_jk)
        active &= np.abs(now - last) > 1e-4 * np.abs(last)
        last = now


_SWEEPS = {"token": sweep_tokens, "document": _sweep_documents, "nested": _sweep_nested}


def _terms(
    A: Algorithm,
    q: Smoothing,
    stats: tuple[Statistic, Statistic],
    S: Sums,
    gamma: Array,
    c: Corpus,
    rows: slice,
) -> tuple[Three, Three]:
    """What the update of each row sees of its document, its word and the corpus, and the three factors of that."""
    j, w = c.j[rows], c.w[rows]
    here = S.jk.take(j, 0), S.wk.take(w, 0), S.k[None].take(np.zeros_like(j), 0)
    S_j, S_w, S_k = (_components_first(x, gamma) for x in here)
    if A.excludes != "nothing":
        stat, stat_k = stats
        out = stat(rows)
        out_k = out if stat_k is stat else stat_k(rows)
        if A.excludes == "type":
            number = _column(c.n[rows], gamma)
            out, out_k = number * out, number * out_k
        S_j, S_w, S_k = A.rest(S_j, out), A.rest(S_w, out), (A.topic_rest or A.rest)(S_k, out_k)
    q_w = q if q.eta.ndim == 0 else q._replace(eta=_column(q.eta[w], gamma))
    return (S_j, S_w, S_k), (A.document(q, S_j), A.word(q_w, S_w), A.topic(q, S_k))


def explain(
    A: Algorithm, s: State, c: Corpus, p: Prior, row: int, rng: np.random.Generator | None = None
) -> str:
    """The update of one row from the current state, as text: the sums, the exclusion, the three factors, the result.

    For a sampler the row's first token is shown, and the result is the distribution that its topic is drawn from.

    Parameters
    ----------
    A : Algorithm
    s : State, without replicates
    c : Corpus
    p : Prior
    row : int, from 0, below M
    rng : numpy.random.Generator, optional
        For algorithms that draw parameters or samples before a sweep; default a generator of seed 0.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0], [1]]), lda.Prior(0.5, 0.5)
    >>> A = lda.ALGORITHMS["cvb0"]
    >>> print(lda.explain(A, A.init(c, 2, p, gamma=[[1, 0], [1, 0], [0, 1]]), c, p, row=0))
    cvb0, row 0: document 0, word 0, count 1; excludes one token
                                  topic 0        topic 1
    gamma                               1              0
    sum over document                   2              0
    sum over word                       2              0
    sum over corpus                     2              1
    seen in document                    1              0
    seen in word                        1              0
    seen in corpus                      1              1
    document factor                   1.5            0.5
    word factor                       1.5            0.5
    topic factor                        2              2
    new gamma                         0.9            0.1
    """
    if s.gamma.ndim != 2:
        raise ValueError(f"gamma has shape {s.gamma.shape}: explain shows one run, so take one replicate out")
    if not 0 <= row < c.M:
        raise ValueError(f"row is {row}, expected a row below M = {c.M}")
    gamma, tokens, i = s.gamma, c, row
    if s.z is not None:
        gamma, tokens, i = np.eye(s.gamma.shape[-1])[s.z], c.tokens(), int(c.n[:row].sum())
    rng = np.random.default_rng(0) if rng is None else rng
    A = A if A.prepare is None else A.prepare(A, s, c, p, rng)
    rows = slice(i, i + 1)
    stats = _statistics_of(A, gamma, rng.random((c.N, A.samples)) if A.samples else None)
    S = _total(A, stats, gamma, tokens)
    q = _smoothing_of(A, p, c.W)
    if A.excludes == "nothing":
        document, word, topic = _tables(A, q, S, gamma)
        parts = S.jk[tokens.j[rows]], S.wk[tokens.w[rows]], S.k[None]
        three = document[tokens.j[rows]], word[tokens.w[rows]], np.broadcast_to(topic, (1, gamma.shape[-1]))
    else:
        parts, three = _terms(A, q, stats, S, gamma, tokens, rows)
    log = "log " if A.logs else ""
    lines: list[tuple[str, Array]] = [("gamma", gamma[i])]
    places = ("document", "word", "corpus")
    for place, x in zip(places, (S.jk[c.j[row]], S.wk[c.w[row]], S.k), strict=True):
        lines.append((f"sum over {place}", x))
    for place, x in zip(places, parts, strict=True):
        lines.append((f"seen in {place}", _rows_first(x, gamma)[0]))
    for place, x in zip(("document", "word", "topic"), three, strict=True):
        lines.append((f"{log}{place} factor", x[0]))
    lines.append(("probability drawn from" if s.z is not None else "new gamma", soft(weights(A, *three))[0]))
    what = {"nothing": "nothing", "token": "one token", "type": "all tokens of its type"}[A.excludes]
    text = [f"{A.name}, row {row}: document {c.j[row]}, word {c.w[row]}, count {c.n[row]}; excludes {what}"]
    text.append(" " * 22 + "".join(f"{f'topic {k}':>15}" for k in range(gamma.shape[-1])))
    for name, x in lines:
        for part in np.atleast_2d(x)[:2]:  # of a statistic of many components the first two
            text.append(f"{name:<22}" + "".join(f"{v:>15.8g}" for v in part))
            name = ""
    return "\n".join(text)


# Axes ----------------------------------------------------------------------------------------------------------------


def mean_one_hot(z: Ints, c: Corpus, K: int) -> Array:
    """gamma of a sampler: of each row, the fraction of its tokens in each topic."""
    one_hot = np.eye(K)
    if c.M == c.N:
        return one_hot[z]
    row = np.repeat(np.arange(c.M), c.n)
    return sum_rows(one_hot[z], np.ones(c.N), row, c.M) / _column(c.n, one_hot[z])


def _tokens_of(rows: slice, c: Corpus) -> tuple[slice, Ints]:
    """The tokens of some rows, and for each the place of its row among them."""
    n = c.n[rows]
    start = int(c.n[: rows.start].sum())
    return slice(start, start + int(n.sum())), np.repeat(np.arange(len(n)), n)


def _blocks(M: int, *stats: Statistic) -> Iterator[slice]:
    numbers = max(1, *(stat(slice(0, 1)).size for stat in stats))
    size = max(1, BLOCK // numbers, min(512, 8 * BLOCK // numbers))  # of few rows Python's share would be too large
    return (slice(i, min(i + size, M)) for i in range(0, M, size))


def _rows_first(x: Array, gamma: Array) -> Array:
    """The component axis, if any, from the first place to the second."""
    return np.moveaxis(x, 0, 1) if x.ndim > gamma.ndim else x


def _components_first(x: Array, gamma: Array) -> Array:
    """The component axis, if any, from the second place to the first."""
    return np.moveaxis(x, 1, 0) if x.ndim > gamma.ndim else x


def _column(x: Any, like: Array) -> Any:
    """One number for each row, to be broadcast over topics and replicates; anything else as it is."""
    x = np.asarray(x)
    return x.reshape(-1, *(1,) * (like.ndim - 1)) if x.ndim == 1 else x


# Arguments -----------------------------------------------------------------------------------------------------------


def checked_gamma(gamma: ArrayLike, M: int, K: int, replicates: int | None) -> Array:
    g = np.array(gamma, np.float64)
    shape = (M, K) if replicates is None else (M, replicates, K)
    if replicates is None and g.ndim == 3:
        shape = (M, g.shape[1], K)
    if g.shape != shape:
        raise ValueError(f"gamma has shape {g.shape}, expected {shape}: rows of the corpus by topics")
    total = g.sum(-1)
    for at in np.argwhere(~((g >= 0).all(-1) & (np.abs(total - 1) <= 1e-9))):
        place = ", ".join(map(str, at))
        raise ValueError(f"gamma[{place}] is {g[tuple(at)]}, expected probabilities that sum to 1")
    return g


def _checked_z(z: ArrayLike, N: int, K: int, replicates: int | None) -> Ints:
    a = np.array(z)
    shape: tuple[int, ...] = (N,) if replicates is None else (N, replicates)
    if replicates is None and a.ndim == 2:
        shape = (N, a.shape[1])
    if a.shape != shape:
        raise ValueError(f"z has shape {a.shape}, expected {shape}: a topic for each token")
    for at in np.argwhere(~((a >= 0) & (a < K) & (a == np.floor(a)))):
        place = ", ".join(map(str, at))
        raise ValueError(f"z[{place}] is {a[tuple(at)]}, expected a topic from 0 below K = {K}")
    return a.astype(np.int64)


def _checked_uniforms(uniforms: ArrayLike | None, shape: tuple[int, ...], rng: np.random.Generator | None) -> Array:
    if uniforms is None:
        if rng is None:
            raise ValueError("a sampler needs uniforms, one a token, or rng to draw them")
        return rng.random(shape)
    u = np.asarray(uniforms, np.float64)
    if u.shape != shape:
        raise ValueError(f"uniforms has shape {u.shape}, expected {shape}: one a token, in row order")
    for at in np.argwhere(~((u >= 0) & (u < 1))):
        raise ValueError(f"uniforms[{', '.join(map(str, at))}] is {u[tuple(at)]}, expected a number in [0, 1)")
    return u
