"""Checks of the engine's arguments. An error names the argument, where it is wrong, and what was expected."""

from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_entries, check_generator, check_memory, expect, kind, numbers, real, shown, whole_number
from ..corpus import Corpus, Ints
from ..model import WHOLE, Array, Prior, check_gamma, check_problem
from .groups import Run
from .state import Keeps, State
from .update import Assign, hard, pseudocounts, soft

PLAIN_LIMIT = 2_000  # tokens, of an algorithm that is plain code
LARGEST_TYPE = 1e6  # tokens of a row, all of which are taken out of the sums: gamma then loses less than 1e-8


def checked_topics(c: Corpus, p: Prior, K: int) -> int:
    """K as an int, after a check that the corpus has tokens and that the prior fits it and K topics."""
    check_problem(c, p, fractions=True)
    K = whole_number(K, "K", 1, "a whole number of topics")
    if c.N == 0:
        raise ValueError("the corpus is empty: it has no token")
    p.check(K, c.W)
    return K


def checked_state(s: State, c: Corpus, keeps: Keeps | None = None) -> tuple[int, ...]:
    """The shape of gamma, if it holds probabilities, and the state fits the corpus and what the algorithm keeps."""
    if not isinstance(s, State):
        raise ValueError(f"s is {kind(s)}, expected a State, as from init or sweep")
    shape = s.shape
    if len(shape) not in (2, 3) or shape[0] != c.M:
        shape_text = f"(M, K) or (M, R, K) with a row for each of the corpus' M = {c.M} rows"
        raise ValueError(f"the state's gamma has shape {shape}, expected {shape_text}")
    if s.recipe is None:
        check_gamma(np.asarray(s.gamma), "the state's gamma")
    if s.z is not None:
        z, z_shape, K = numbers(s.z, "the state's z"), (c.N, *shape[1:-1]), shape[-1]
        if z.shape != z_shape:
            raise ValueError(f"the state's z has shape {z.shape}, expected {z_shape}")
        if z.dtype.kind not in "iu":
            raise ValueError(f"the state's z has the type {z.dtype}, expected integers")
        if z.size and not (z.min() >= 0 and z.max() < K):
            raise ValueError(f"the state's z is {shown(z)}, expected topics from 0 below K = {K}")
    if s.own is not None and keeps is not None:
        if not isinstance(s.own, keeps.kind):
            raise ValueError(f"the state's own is {kind(s.own)}, expected {keeps.kind.__name__}")
        size_of_axis = {"D": c.D, "M": c.M, "W": c.W, **dict(zip("KR", shape[:0:-1], strict=False))}
        for (field_name, array), axis_letters in zip(s.own._asdict().items(), keeps.axes, strict=True):
            expected_shape = tuple(size_of_axis[letter] for letter in axis_letters if letter in size_of_axis)
            if array is not None and np.shape(array) != expected_shape:
                raise ValueError(f"the state's own.{field_name} has shape {np.shape(array)}, expected {expected_shape}")
    return shape


def topics_to_sample(A: Any, s: State, schedule: str) -> Ints:
    """The state's z, after a check that the algorithm can draw it in this order."""
    if s.z is None:
        raise ValueError("the state has no z to sample: start from init(..., z=...)")
    if A.draws:
        raise ValueError(f"{A.name} cannot sample z: the uniforms of its sweep are those of its sums")
    if schedule not in (("corpus",) if A.update.excludes == "nothing" else ("token", "interleaved")):
        raise ValueError(
            f"{A.name} cannot sample in {schedule} order: a sampler that excludes a token needs the counts after every"
            " draw (token, interleaved), one that excludes nothing draws all tokens at once (corpus)"
        )
    return s.z


def check_use(A: Any, c: Corpus, p: Prior, K: int) -> None:
    """Raise a ValueError if an algorithm cannot run on this corpus with this prior."""
    p.check(K, c.W)
    least_prior, largest_prior = A.prior_range
    offset_text = f"{A.prior_offset:g}"
    for side, a in (("alpha", p.alpha), ("eta", p.eta)):
        is_in_range = np.min(a) >= least_prior and np.max(a) <= largest_prior
        expect(is_in_range, a, side, f"numbers from {least_prior:g} to {largest_prior:g} for {A.name}")
        advice = f"{A.name} subtracts {offset_text} from it, so add {offset_text} to the {side} of another algorithm"
        expect(not A.prior_offset or np.min(a) > A.prior_offset, a, side, f"more than {offset_text}: {advice}")
    check_sums(c, p, min(term.count.largest for term in A.update.terms), A.name)
    if c.fractions and not A.takes_fractions:
        raise ValueError(f"{A.name} needs whole counts, and the corpus has fractions: {WHOLE}")
    if A.update.excludes == "type":  # what is left of a sum is computed by a subtraction
        if not c.is_types:
            raise ValueError(f"{A.name} takes out all tokens of a type at once: give it corpus.types()")
        check_entries(c.n <= LARGEST_TYPE, c.n, "n", f"at most {LARGEST_TYPE:g} for {A.name}")
    if A.draws and c.M < c.N:
        raise ValueError(f"{A.name} draws samples of every token: give it corpus.tokens()")
    if A.update.plain is not None and c.N > PLAIN_LIMIT:
        limit_text = f"plain code for up to {PLAIN_LIMIT:,} tokens, and the corpus has {c.N:,}"
        raise ValueError(f"{A.name} is {limit_text}: cvb_exact gives the same numbers")


def check_sums(c: Corpus, p: Prior, largest_sum: float, user_name: str) -> None:
    """Raise a ValueError if the largest sum of a count and its prior, alpha + N or W eta + N, may exceed a number."""
    for sum_name, a in (("alpha", np.max(p.alpha)), ("the sum of eta over words", np.max(pseudocounts(p, c.W).W_eta))):
        if a + c.N > largest_sum:
            limit_text = f"at most {largest_sum:g} for {user_name}, whose integrals lose digits beyond it"
            raise ValueError(f"{sum_name} plus the number of tokens is {a + c.N:.12g}, expected {limit_text}")


def check_sizes(c: Corpus, K: int, replicates: int | None, makes_one_hot: bool, has_z: bool) -> None:
    """Raise a ValueError if gamma, z, the sums, or a table of K one-hot rows cannot fit into memory."""
    R = replicates or 1
    runs_text = "" if replicates is None else f" and replicates = {shown(replicates)}"
    table_size = max(R * K * (c.M + c.D + c.W), K * K if makes_one_hot else 0)
    check_memory(table_size, f"the tables of K = {shown(K)} topics{runs_text}")
    check_memory(2 * R * c.N if has_z else 0, f"the topics of N = {c.N} tokens{runs_text}")


def checked_gamma(gamma: ArrayLike, M: int, K: int, replicates: int | None) -> Array:
    """gamma as an array of shape (M, [R,] K) whose rows are probabilities."""
    gamma = real(gamma, "gamma")
    replicate_shape = (replicates,) if replicates is not None else gamma.shape[1:2] if gamma.ndim == 3 else ()
    expected_shape = (M, *replicate_shape, K)
    if gamma.shape != expected_shape:
        raise ValueError(f"gamma has shape {gamma.shape}, expected {expected_shape}: rows of the corpus by topics")
    is_distribution_of_row = (gamma >= 0).all(-1) & (np.abs(gamma.sum(-1) - 1) <= 1e-9)
    check_entries(is_distribution_of_row, gamma, "gamma", "probabilities that sum to 1")
    return gamma


def checked_uniforms(uniforms: ArrayLike | None, shape: tuple[int, ...], rng: np.random.Generator | None) -> Array:
    """Uniforms of the given shape: those given, or drawn with rng."""
    if uniforms is None:
        if rng is None:
            raise ValueError("uniforms and rng are both missing: the draws of this sweep need one of them")
        return rng.random(shape)
    u = real(uniforms, "uniforms")
    if u.shape != shape:
        raise ValueError(f"uniforms has shape {u.shape}, expected {shape}: one for each draw, tokens in row order")
    check_entries((u >= 0) & (u < 1), u, "uniforms", "a number in [0, 1)")
    return u


def map_of(executor: Any) -> Run:
    """The map of an executor of threads, which share memory; without one, Python's."""
    expect(isinstance(executor, Executor | None), executor, "executor", "a concurrent.futures.Executor")
    return executor.map if isinstance(executor, ThreadPoolExecutor) else map


def check_options(A: Any, assignment: Any, schedule: str, uniforms: Any, blocks: Any, inner: Any, rng: Any) -> None:
    """Raise a ValueError if the arguments of a sweep do not go together."""
    assignment_ok = callable(assignment) or (isinstance(assignment, str) and assignment in ("soft", "sample", "hard"))
    expect(assignment_ok, assignment, "assignment", '"soft", "sample", "hard" or a function')
    if schedule == "interleaved":
        expect(assignment == "sample", assignment, "assignment", "'sample' with schedule interleaved")
    if A.sweep_of is not None:
        expect(assignment == A.assignment, assignment, "assignment", f"{A.assignment!r} for {A.name}")
    if uniforms is not None and (A.sweep_of is not None or not (A.draws or assignment == "sample")):
        raise ValueError(f"uniforms are given, but {A.name} takes none with this assignment")
    whole_number(blocks, "blocks", 1)
    if rng is not None:
        check_generator(rng)
    if inner is not None:
        whole_number(inner, "inner", 1)
        expect(schedule == "nested", inner, "inner", f"None with schedule {schedule}: only nested has inner steps")


def checked_map(A: Any, schedule: Any, executor: Any) -> Run:
    """The map of a sweep, after a check that the algorithm has this schedule and that the executor can serve it."""
    if not (isinstance(schedule, str) and schedule in A.schedules):
        raise ValueError(f"{A.name} has no schedule {shown(schedule)}, expected one of {', '.join(A.schedules)}")
    pool_map = map_of(executor)
    if executor is not None and schedule not in ("corpus", "block", "nested"):
        raise ValueError(f"an executor needs corpus, block or nested order: in {schedule} order rows wait in turn")
    if executor is not None and schedule != "corpus" and pool_map is map:
        raise ValueError(f"in {schedule} order an executor must be a ThreadPoolExecutor: the rows share their sums")
    return pool_map


def assign_of(assignment: Any) -> Assign:
    """The function of a name, "soft" or "hard", or a function of the caller, whose results are checked."""
    return partial(assigned, assignment) if callable(assignment) else {"soft": soft, "hard": hard}[assignment]


def assigned(assignment: Assign, weights: Array) -> Array:
    """The rows that a function from weights to rows of gamma returns, after a check that they are distributions."""
    new_gamma = np.asarray(assignment(weights))
    if new_gamma.shape != weights.shape or new_gamma.dtype.kind not in "biuf":
        raise ValueError(f"assignment returned {shown(new_gamma)}, expected distributions of the shape {weights.shape}")
    check_gamma(new_gamma + 0.0, "what assignment returned")  # it may be whole numbers
    return new_gamma


def checked_phi(held_topics: ArrayLike, gamma_shape: tuple[int, ...], c: Corpus) -> Array:
    """Held topics as phi_wk, with a replicate axis where gamma has one, if they can have made every token."""
    K, phi_wk = gamma_shape[-1], np.asarray(numbers(held_topics, "held_topics"), np.float64)
    if phi_wk.shape not in ((c.W, K), (c.W, *gamma_shape[1:])):
        raise ValueError(f"held_topics has shape {phi_wk.shape}, expected (W, K) = {(c.W, K)}")
    phi_wk = phi_wk[:, None] if phi_wk.ndim < len(gamma_shape) else phi_wk
    check_entries((phi_wk >= 0) & (phi_wk < np.inf), phi_wk, "held_topics", "a probability")
    zero_p_rows = np.flatnonzero(~(phi_wk[c.w] > 0).any(-1).reshape(c.M, -1).all(-1))
    if zero_p_rows.size:
        raise ValueError(f"word {c.w[zero_p_rows[0]]} has probability 0 under every topic, so its tokens have no topic")
    return phi_wk
