"""An algorithm: an update, its schedules, and what it estimates, bounds and climbs."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_generator, checked_z, expect, or_default, real
from ..corpus import Corpus
from ..model import Array, Prior, check_problem
from . import arguments
from .counts import mean_one_hot, sums_of
from .groups import NOTHING_HELD, groups, total
from .in_place import sweep_groups
from .parallel import Shards
from .products import after_update, before_last_step, needs_no_gamma
from .sampling import sample_in_turn, sample_together
from .starts import ONE_HOT_STARTS, drawn_state, start_named
from .state import Keeps, State
from .update import HELD_TERM, MEAN, Assign, Sums, Update, check_update, pseudocounts, sweep_rows

SCHEDULES = ("token", "document", "block", "corpus", "nested", "interleaved")

Learner = Callable[[State, Corpus, Prior], Prior]  # a new prior, after a sweep


@dataclass(frozen=True, eq=False)
class Algorithm:
    """An inference algorithm for LDA.

    - `update`: three terms and an exclusion.
    - `schedules`: those allowed, the default first.
    - `estimate_of`: a function (state, corpus, prior) -> theta_jk, phi_wk.
    - `bound_of`: a function (state, corpus, prior) -> float or (R,), a lower bound on log p(x | alpha, eta); a string
      says why there is none.
    - `objective_of`: the same for what the algorithm climbs.
    - `assignment`: the default one, "soft", "sample" or "hard".
    - `prior_offset`: the number that the update subtracts from alpha and from each entry of eta, which must be larger.
    - `prior_range`: the smallest and the largest number of a prior for which every result is finite. Digits are
      promised from 1e-3.
    - `learns`: the parts of the prior that can be learned, "alpha", "eta", "hyperprior"; a string says why none can.
    - `parameters`: a function (state, corpus, prior, rng) -> theta_jk, phi_wk that draws them before each sweep, for an
      algorithm whose terms are theta and phi; their logarithms, if the terms are logarithms.
    - `sweep_of`: a function (state, corpus, prior, rng, phi_wk or None) -> state, a whole sweep, for an algorithm whose
      sweep is not the engine's. It has one assignment, and takes no uniforms and no executor. If the algorithm also has
      `parameters`, these are what the state keeps, and the engine computes gamma from them.
    - `keeps`: what the algorithm keeps in `State.own`.
    """

    name: str
    update: Update
    schedules: tuple[str, ...]
    estimate_of: Callable[[State, Corpus, Prior], tuple[Array, Array]]
    bound_of: Callable[[State, Corpus, Prior], Any] | str
    objective_of: Callable[[State, Corpus, Prior], Any] | str
    assignment: str = "soft"
    prior_offset: float = 0.0
    prior_range: tuple[float, float] = (1e-100, 1e10)
    learns: tuple[str, ...] | str = ("alpha", "eta")
    parameters: Callable[[State, Corpus, Prior, Any], tuple[Array, Array]] | None = None
    sweep_of: Callable[[State, Corpus, Prior, Any, Array | None], State] | None = None
    keeps: Keeps | None = None

    def __post_init__(self) -> None:
        check_update(self.update)
        are_known_schedules = self.schedules and set(self.schedules) <= set(SCHEDULES)
        expect(are_known_schedules, self.schedules, "schedules", f"some of {', '.join(SCHEDULES)}")

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r})"

    @property
    def draws(self) -> int:
        """The number of uniforms that the statistics need for each token in a sweep: 50 for `cvb1s`, otherwise 0."""
        return self.update.topic.count.draws

    @property
    def is_sampler(self) -> bool:
        """Whether a sweep draws topics or parameters, so that the estimates of its sweeps are averaged."""
        return self.assignment == "sample" or self.parameters is not None

    @property
    def samples_z(self) -> bool:
        """Whether the state has z, the topic of each token."""
        return self.assignment == "sample" and (self.keeps is None or self.keeps.start is None)

    @property
    def takes_fractions(self) -> bool:
        """Whether a row may have a fraction as its count: the update needs only means and variances of counts."""
        needs_whole_counts = self.is_sampler or self.update.plain is not None or self.sweep_of is not None
        return not needs_whole_counts and not any(term.count.draws or term.of_rows for term in self.update.terms)

    def init(
        self,
        c: Corpus,
        K: int,
        p: Prior,
        rng: np.random.Generator | None = None,
        gamma: ArrayLike | None = None,
        z: ArrayLike | None = None,
        replicates: int | None = None,
        start: str | None = None,
        executor: Executor | None = None,
        dtype: Any = None,
    ) -> State:
        """The first state of K topics on a corpus of at least one token: from `gamma`, from `z`, or drawn with `rng`.

        - `gamma`: (M, K) or (M, R, K); rows sum to 1.
        - `z`: (N,) or (N, R) integers from 0 below K, the topics of the tokens in row order. A state made from z can be
          swept by `sample`.
        - `replicates`: the number of states to draw, one after the other as single calls would.
        - `start`: how to draw with `rng`, a name of `engine.starts`. Default: `dirichlet`, for samplers `one-hot`.
        - `executor`: threads, which compute rows side by side in the starts that make sweeps. No other kind is used.
        - `dtype`: the numbers of gamma, numpy.float64 or numpy.float32.

        Raises a ValueError for a corpus without tokens, K < 1, a prior that does not fit, or gamma or z of the wrong
        shape or range.

        Examples
        --------
        >>> import lda_reference as lda
        >>> c = lda.Corpus.from_documents([[0, 1, 1], [2, 0]])
        >>> lda.ALGORITHMS["cgs"].init(c, 2, lda.Prior(), z=[0, 1, 1, 0, 0]).gamma[:2]
        array([[1., 0.],
               [0., 1.]])
        >>> lda.ALGORITHMS["vb"].init(c, 2, lda.Prior(), np.random.default_rng(0), start="topics")
        State(gamma (5, 2))
        """
        K = arguments.checked_topics(c, p, K)
        replicates = None if replicates is None else arguments.whole_number(replicates, "replicates", 1)
        self.check(c, p, K)
        if (start := or_default(start, None)) is not None:
            start_named(start)
        makes_one_hot = self.assignment == "sample" or z is not None or start in ONE_HOT_STARTS
        arguments.check_sizes(c, K, replicates, makes_one_hot, self.samples_z)
        pool = None if arguments.map_of(executor) is map else executor
        source_names = [name for name, source in (("gamma", gamma), ("z", z), ("start", start)) if source is not None]
        if len(source_names) > 1:
            raise ValueError(f"{' and '.join(source_names)} are given together, expected only one of them")
        if gamma is not None and self.samples_z:
            raise ValueError(f"{self.name} is a sampler and starts from z, the topic of each token, not from gamma")
        if gamma is not None:
            s = State(arguments.checked_gamma(gamma, c.M, K, replicates).astype(dtype or np.float64, copy=False))
        elif z is not None:
            z = checked_z(z, c.N, K, replicates)
            s = State(mean_one_hot(z, c, K), z)
        elif rng is None:
            raise ValueError("gamma, z and rng are all missing, expected one of them to start from")
        else:
            check_generator(rng)
            states = [drawn_state(self, c, K, p, rng, start, pool, dtype or np.float64) for _ in range(replicates or 1)]
            z = np.stack([s.z for s in states if s.z is not None], 1) if self.samples_z else None
            s = states[0] if replicates is None else State(np.stack([s.gamma for s in states], 1), z)
        return s if self.keeps is None or self.keeps.start is None else self.keeps.start(s, c, p)

    def sweep(
        self,
        s: State,
        c: Corpus,
        p: Prior,
        schedule: str | None = None,
        assignment: str | Assign | None = None,
        uniforms: ArrayLike | None = None,
        rng: np.random.Generator | None = None,
        executor: Executor | None = None,
        blocks: int = 32,
        inner: int | None = None,
        held_topics: ArrayLike | None = None,
    ) -> State:
        """One pass over all rows: a new state; the old one is untouched.

        - `schedule`: when the sums are refreshed; default: the algorithm's first. `token`: after each row; `document`,
          `block`, `corpus`: after each document, each of some groups of documents, or all rows; `nested`: each document
          by itself goes to convergence with the topics fixed; `interleaved`, of samplers that exclude a token: after
          each draw, first of the first token of every document, then of the second of every document, and so on.
        - `assignment`: "soft", "sample", "hard", or a function weights -> row of gamma. Default: the algorithm's own.
          `hard` takes the first of equally probable topics.
        - `uniforms`: (N,) or (N, R) numbers in [0, 1). For `sample`: one for each token, always in row order. If
          s_1, ..., s_K are the partial sums of the weights, the topic is the number of k < K with s_k <= u s_K. For
          `cvb1s`: (N, [R,] S), S for each token; default S = 50.
        - `rng`: draws what is not given: uniforms, the parameters of `gibbs`.
        - `executor`: computes the rows of a group side by side: threads; for `corpus` also a dask cluster by its
          `Client.get_executor()`, see `engine.parallel`. A sampler uses threads alone.
        - `blocks`: the number of groups of documents of the `block` schedule.
        - `inner`: the number of steps for each document of the `nested` schedule; default: until it has converged.
        - `held_topics`: (W, K) or (W, R, K), phi_wk to use instead of the word and topic terms: only gamma and theta
          are then inferred.

        Raises a ValueError for a schedule or assignment that has no meaning here, a state, prior or uniforms that do
        not fit, or a word of the corpus that has probability 0 under every held topic.

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
        schedule, assignment = or_default(schedule, self.schedules[0]), or_default(assignment, self.assignment)
        pool_map = arguments.checked_map(self, schedule, executor)
        arguments.check_options(self, assignment, schedule, uniforms, blocks, inner, rng)
        check_problem(c, p, fractions=True)
        self.check(c, p, arguments.checked_state(s, c, self.keeps)[-1])
        phi_wk = None if held_topics is None else arguments.checked_phi(held_topics, s.shape, c)
        if self.sweep_of is not None:
            s = self.sweep_of(s, c, p, rng, phi_wk)
            return s if self.parameters is None else self.conditional(s, c, p, phi_wk)
        pseudo = pseudocounts(p, c.W, self.prior_offset)
        if assignment == "sample":
            z, K = arguments.topics_to_sample(self, s, schedule), s.shape[-1]
            update, held_sums = self.held(s, c, p, rng, None, phi_wk)
            draw_args = update, pseudo, held_sums, z, arguments.checked_uniforms(uniforms, z.shape, rng), c, K
            z = sample_together(*draw_args, pool_map) if schedule == "corpus" else sample_in_turn(*draw_args, schedule)
            return State(mean_one_hot(z, c, K), z)
        assign = arguments.assign_of(assignment)
        if executor is not None and pool_map is map:
            expect(phi_wk is None, phi_wk, "held_topics", "none for processes: use threads")
            shards = Shards(self, (c, s.gamma), executor, assign)
            shards.sweep(p, has_change=False)
            return shards.state
        update, held_sums = self.held(s, c, p, rng, uniforms, phi_wk)
        all_at_once = schedule in ("corpus", "nested")
        if self.update.plain is not None and phi_wk is None:
            new_gamma = np.array(s.gamma)
            for i in range(c.M):  # each row sees the new gamma of the rows before it
                new_gamma[i] = assign(self.update.plain(new_gamma, c, p, i))
            return State(new_gamma)
        if makes_no_gamma := all_at_once and needs_no_gamma(update, assign):
            S = Sums(*(x if x.size else N for x, N in zip(held_sums, sums_of(s, c), strict=True)))
        else:
            S = total(update, np.asarray(s.gamma), c, held_sums, pool_map)
        if schedule == "nested":
            S = before_last_step(update, pseudo, S, c, assign, inner, pool_map)
        if makes_no_gamma:
            return after_update(update, pseudo, S, c, pool_map)
        gamma = np.array(s.gamma)
        if schedule == "token":
            sweep_rows(update, pseudo, S, gamma, assign, c)
        else:
            parts = groups(c, {"document": c.D, "block": blocks}.get(schedule, 1), gamma.dtype)
            keeps_sums = set(update.counts) == {MEAN} and not all_at_once
            sweep_args = gamma, assign, parts, all_at_once, keeps_sums, pool_map
            sweep_groups(update, pseudo, S, *sweep_args, has_change=False, old_gamma=np.asarray(s.gamma))
        return State(gamma)

    def held(
        self, s: State, c: Corpus, p: Prior, rng: Any, uniforms: Any = None, held_topics: Array | None = None
    ) -> tuple[Update, Sums]:
        """What a sweep holds fixed: the update with its uniforms, and the parameters drawn or given instead of sums."""
        update, held_sums = self.update, NOTHING_HELD
        topic_term = (np.zeros if update.logs else np.ones)(s.shape[-1])
        if self.draws:
            u = None if uniforms is None else real(uniforms, "uniforms")
            draw_count = self.draws if u is None else u.shape[-1] if u.ndim else 1
            update = update.with_uniforms(arguments.checked_uniforms(u, (c.N, *s.shape[1:-1], draw_count), rng))
        if self.parameters is not None:
            held_sums = Sums(*self.parameters(s, c, p, rng), topic_term)
        if held_topics is not None:
            update = update._replace(word=HELD_TERM, topic=HELD_TERM)
            with np.errstate(divide="ignore"):
                held_sums = Sums(held_sums.jk, np.log(held_topics) if update.logs else held_topics, topic_term)
        return update, held_sums

    def conditional(self, s: State, c: Corpus, p: Prior, held_topics: Array | None = None) -> State:
        """The state with gamma as the distribution of z given the parameters that the state keeps."""
        update, held_sums = self.held(s, c, p, None, None, held_topics)
        return State(after_update(update, pseudocounts(p, c.W), held_sums, c).gamma, own=s.own)

    def estimate(self, s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
        """theta_jk (D, [R,] K), whose rows sum to 1, and phi_wk (W, [R,] K), whose columns do, of the current state."""
        return self._value(self.estimate_of, "", s, c, p, fractions=True)

    def bound(self, s: State, c: Corpus, p: Prior) -> Any:
        """A lower bound on log p(x | alpha, eta), in nats: a float or (R,); a ValueError says why there is none."""
        return self._value(self.bound_of, "has no bound on log p(x | alpha, eta)", s, c, p)

    def objective(self, s: State, c: Corpus, p: Prior) -> Any:
        """What the algorithm climbs, in nats: a float or (R,); a ValueError says why it climbs nothing."""
        return self._value(self.objective_of, "climbs no known function", s, c, p)

    def _value(self, value_of: Any, refusal_text: str, s: State, c: Corpus, p: Prior, fractions: bool = False) -> Any:
        if isinstance(value_of, str):
            raise ValueError(f"{self.name} {refusal_text}: {value_of}")
        check_problem(c, p, fractions)
        p.check(arguments.checked_state(s, c, self.keeps)[-1], c.W)
        return value_of(s, c, p)

    def arranged(self, c: Corpus) -> Corpus:
        """The corpus in the rows that the algorithm takes: types or tokens if it needs them, otherwise as it is."""
        return c.types() if self.update.excludes == "type" else c.tokens() if self.draws else c

    check = arguments.check_use  # (corpus, prior, K): a ValueError if the algorithm cannot run on this problem
