"""Running an algorithm: many sweeps, the average of a sampler, learning the prior, stopping, resuming."""

import hashlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from .algorithms import named
from .arguments import expect, is_number, or_default, shown, whole_number
from .corpus import Corpus, as_corpus
from .engine import Algorithm, Learner, State, mean_change
from .engine.parallel import Shards
from .engine.sweepers import Pure, sweeper_of
from .fitted import Fit as Fit
from .model import Prior, as_prior
from .priors import learners, minka
from .recommended import schedule_and_start, value_to_stop_by

Monitor = Callable[[Fit], dict[str, Any]]
SETTLED = 1e-4  # a run has settled when the mean absolute change of gamma in a sweep is less


def settled(f: Fit) -> bool:
    """Whether the last sweep is known to have hardly changed gamma; `evaluation.search` has a stricter rule."""
    change = f.history[-1]["change"]
    return change is not None and bool(change < SETTLED)


def sweep_rng(seed: int, sweep: int) -> np.random.Generator:
    """The generator of one sweep; sweep 0 is the initial state.

    It depends on the seed and the sweep's number alone, so a resumed run draws what an unbroken one would.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(sweep,)))


def fit(
    c: Corpus | Any,
    K: int,
    algorithm: str | Algorithm = "cvb0",
    prior: Prior | float | tuple[Any, Any] | None = None,
    sweeps: int = 100,
    schedule: str | None = None,
    start: str | None = None,
    replicates: int | None = None,
    seed: int = 0,
    learn: Learner | str | None = None,
    burn_in: int | None = None,
    thin: int = 1,
    learn_after: int | None = None,
    monitor: Monitor | None = None,
    stop: float | Callable[[Fit], bool] | None = None,
    resume: Fit | None = None,
    executor: Executor | None = None,
    dtype: Any = None,
) -> Fit:
    """Run an algorithm for a number of sweeps from a random state.

    Parameters
    ----------
    c : Corpus, or (D, W) matrix of counts, dense or sparse
    K : int
    algorithm : str or Algorithm
        A name in `ALGORITHMS`, or an algorithm such as `ml.tempered(0.7)`.
    prior : Prior, number or pair of them, optional
        A number is both alpha and eta. Default: 0.1 for alpha and eta, or 0.5 if any of them is learned, as in AWST09
        §4.1, plus the algorithm's `prior_offset`. A resumed run keeps its own prior.
    sweeps : int, 0 or more
    schedule, start : str, optional
        See `Algorithm.sweep` and `engine.starts`. Default: those that `recommended` names for the algorithm. A paper's
        own order is the first of `Algorithm.schedules`.
    replicates : int, optional
        The number of runs that are made at once, from different starts; the estimates then have a replicate axis.
    seed : int, 0 or more
    learn : str, or function (state, corpus, prior) -> prior, optional
        What is learned of the prior, such as "alpha,eta:asymmetric", see `priors.learners.parse`; or a function that is
        called after sweeps. A resumed run must be given the function again.
    burn_in, thin : int, optional
        For samplers: the averages leave out the first `burn_in` sweeps, by default half of them (or those of the run to
        resume, so give `burn_in` if its averages must be those of an unbroken run), and then take every `thin`-th.
    learn_after : int, optional
        Sweeps before the prior is learned; default 15 (AWST09 §4.1), 0 for a function, or that of the run to resume.
    monitor : function (Fit) -> dict, optional
        Called after every sweep; the dict that it returns is added to that sweep's history. It may keep the Fit. If it
        does not, and its attribute `only_looks` says so, sweeps can overwrite gamma: they are faster, and take a third
        of the memory. The Fit of an error in the monitor then has this sweep, too.
    stop : float, or function (Fit) -> bool, optional
        The run ends early, but after `learn_after`, when a sweep changes the bound (without one, the objective) by less
        than so many nats a token in every replicate, though gamma may still move; or when the function says so.
    resume : Fit, optional
        A run to continue until it has `sweeps` sweeps in all. The result is that of an unbroken run with the same
        settings.
    executor : concurrent.futures.Executor, optional
        See `Algorithm.sweep`.
    dtype : numpy.float64 or numpy.float32, optional
        The numbers of gamma, by default float64 or those of the run to resume. Single precision halves memory and time
        where sweeps overwrite gamma: soft algorithms in `block` or `corpus` order. Its digits are those of a float32.

    Raises
    ------
    ValueError
        For arguments out of range, or a `resume` of another corpus or other settings. An error or Ctrl-C in a later
        sweep has the Fit of the sweeps before it as its attribute `fit`.

    Examples
    --------
    >>> c = Corpus.from_documents([[0, 1, 0, 1], [2, 3, 3], [0, 1, 1]])
    >>> f = fit(c, 2, "cgs", Prior(0.5, 0.1), sweeps=20, seed=1)
    >>> f.theta_jk.shape, f.phi_wk.shape, f.samples, len(f.history)
    ((3, 2), (4, 2), 10, 20)
    >>> fit(c, 2, "vb", sweeps=500, stop=1e-6).sweeps < 500
    True
    """
    c = as_corpus(c)
    A = named(algorithm) if isinstance(algorithm, str) else algorithm
    expect(isinstance(A, Algorithm), A, "algorithm", "a name such as 'cvb0', or an Algorithm")
    is_learn_valid = learn is None or isinstance(learn, str) or callable(learn)
    expect(is_learn_valid, learn, "learn", "a text such as 'alpha,eta', or a function")
    expect(resume is None or isinstance(resume, Fit), resume, "resume", "a Fit")
    expect(monitor is None or callable(monitor), monitor, "monitor", "a function from a Fit to a dict")
    default_order_and_start = schedule_and_start(A, c) if resume is None else (resume.schedule, resume.start)
    schedule, start = or_default(schedule, default_order_and_start[0]), or_default(start, default_order_and_start[1])
    sweeps, seed, thin = whole_number(sweeps, "sweeps", 0), whole_number(seed, "seed", 0), whole_number(thin, "thin", 1)
    expect(dtype in (None, np.float32, np.float64), dtype, "dtype", "numpy.float64 or numpy.float32")
    learn = resume.learn if resume is not None and learn is None else learn
    targets = learn if isinstance(learn, str) else ""
    default_waits = (sweeps // 2, 15 if targets else 0) if resume is None else (resume.burn_in, resume.learn_after)
    burn_in = whole_number(default_waits[0] if burn_in is None else burn_in, "burn_in", 0)
    learn_after = whole_number(default_waits[1] if learn_after is None else learn_after, "learn_after", 0)
    if learn:
        learners.check_learned(A, targets)
    if targets and (replicates is not None or (resume is not None and len(resume.state.shape) == 3)):
        raise ValueError(f"learn is {targets!r} and there are replicates, expected one run: a prior belongs to one run")
    learner = learners.parse(targets) if targets else learn
    is_stop_valid = stop is None or callable(stop) or (is_number(stop) and stop > 0)
    expect(is_stop_valid, stop, "stop", "a positive number of nats per token, or a function")
    stop_function, least_change = (None, 0.0) if stop is None or callable(stop) else (value_to_stop_by(A), stop)

    def has_change(t: int) -> bool:
        """Whether the history has the change of gamma in a sweep; where gamma is not made, it costs more than that."""
        return t % 10 == 0 or t == sweeps or callable(stop) or (state is not None and state.recipe is None)

    if resume is None:
        p = as_prior((0.5 if learn else 0.1) + A.prior_offset if prior is None else prior)
        state: Any = A.init(c, K, p, sweep_rng(seed, 0), None, None, replicates, start, executor, dtype)
        n_samples, history = 0, []
        averages: Any = None  # of the estimates, for a sampler
    else:
        p = resume.prior if prior is None else as_prior(prior)
        settings = {"algorithm": A.name, "schedule": schedule, "start": start, "seed": seed, "prior": p, "K": K}
        settings |= {"burn_in": burn_in, "thin": thin, "learn": targets, "learn_after": learn_after}
        check_resumed(resume, c, settings | ({} if replicates is None else {"replicates": replicates}), sweeps)
        is_same_dtype = dtype is None or resume.state.dtype == dtype
        expect(is_same_dtype, dtype, "dtype", f"{resume.state.dtype} as in the run to resume")
        state, n_samples, history = resume.state, resume.samples, list(resume.history)
        averages = (resume.theta_jk, resume.phi_wk) if n_samples else None
        if history and not has_change(len(history)):
            history[-1] = history[-1] | {"change": None}  # as in an unbroken run
    if targets:
        learners.check_learnable(targets, p)

    def snapshot(t: int) -> Fit:
        latest_state = sweeper.state if state is None else state
        theta_jk, phi_wk = A.estimate(latest_state, c, p) if averages is None else averages
        return Fit(
            theta_jk, phi_wk, latest_state, p, tuple(history), A, schedule, start, seed, t, burn_in, thin, n_samples,
            digest_of_c, targets, learn_after, c.vocab,
        )  # fmt: skip

    digest_of_c, last_bound = corpus_digest(c), history[-1].get("bound", np.inf) if history else np.inf
    must_copy_gamma = callable(learn) or callable(stop) or not getattr(monitor, "only_looks", monitor is None)
    sweeper = sweeper_of(A, state, c, schedule, executor, must_copy_gamma, resume is None)
    needs_gamma = callable(learner) or stop_function is not None or monitor is not None or callable(stop)
    gamma_stays = isinstance(sweeper, Shards) and not needs_gamma  # gamma stays on the workers until the end
    if np.dtype(dtype or state.dtype) != np.float64 and isinstance(sweeper, Pure):
        raise ValueError(f"dtype is float32, expected float64 for {A.name} in {schedule} order")
    start_time = time.perf_counter() - (history[-1]["seconds"] if history else 0.0)
    finished_run = state, p, n_samples, averages, len(history)
    try:
        for t in range(len(history) + 1, sweeps + 1):
            with uninterrupted() if sweeper.overwrites else nullcontext():
                state_before = state  # so that the state before it is given up before the sweep
                gamma_change = sweeper.sweep(p, sweep_rng(seed, t), has_change(t))
                state = None if gamma_stays else sweeper.state
                if callable(learner) and t > learn_after:
                    p = learner(state, c, p)
                    if not isinstance(p, Prior):
                        raise ValueError(f"learn returned {shown(p)}, expected a Prior")
                if A.is_sampler and t > burn_in and (t - burn_in) % thin == 0:
                    drawn_estimates, n_samples = A.estimate(state, c, p), n_samples + 1
                    # a running mean, because a resumed run then needs only this mean and the number of samples
                    pairs = () if averages is None else zip(averages, drawn_estimates, strict=True)
                    averages = drawn_estimates if averages is None else tuple(x + (y - x) / n_samples for x, y in pairs)
                run_seconds = time.perf_counter() - start_time
                history.append({"sweep": t, "seconds": run_seconds, "change": gamma_change})
                history[-1] |= {} if state is None else numbers_of(state)
                if callable(learner) and t > learn_after:
                    history[-1] |= {name: len(x) for name, x in minka.at_limits(targets or "alpha,eta", p).items()}
                is_still = False
                if stop_function is not None:
                    earlier_bound, last_bound = last_bound, np.asarray(stop_function(state, c, p)).tolist()
                    is_still = bool(np.max(np.abs(np.subtract(last_bound, earlier_bound))) < least_change * c.N)
                    history[-1]["bound"] = last_bound
                if sweeper.overwrites:  # the state before this sweep is lost
                    finished_run, sweeper.is_broken = (state, p, n_samples, averages, t), False
                if monitor is not None:
                    pause_start = time.perf_counter()
                    monitor_fields = monitor(snapshot(t))
                    if not isinstance(monitor_fields, dict):
                        raise ValueError(f"monitor returned {shown(monitor_fields)}, expected a dict")
                    history[-1].update(monitor_fields)
                    start_time += time.perf_counter() - pause_start
                if (t > learn_after or not callable(learner)) and (is_still or (callable(stop) and stop(snapshot(t)))):
                    history[-1]["change"] = mean_change(state_before, state) if gamma_change is None else gamma_change
                    break
                finished_run = state, p, n_samples, averages, t
    except (Exception, KeyboardInterrupt) as error:
        state, p, n_samples, averages, t = finished_run
        del history[t:]
        if t and not sweeper.is_broken:
            error.fit = snapshot(t)  # type: ignore[union-attr]  # any can carry it
            error.add_note(f"The attribute `fit` of this error has the run after {t} sweeps, which fit can resume.")
        raise
    if not gamma_stays:
        del sweeper  # which holds as much memory as the estimates take
    return snapshot(len(history))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the end, because arrays are overwritten meanwhile.

    A handler that is not Python's own stays as it is: it may ignore Ctrl-C, or belong to the program around.
    """
    is_main_thread = threading.current_thread() is threading.main_thread()  # which alone is interrupted
    if not is_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal_numbers: list[int] = []
    signal.signal(signal.SIGINT, lambda signal_number, frame: signal_numbers.append(signal_number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal_numbers:
        raise KeyboardInterrupt


def numbers_of(s: State) -> dict[str, Any]:
    """The fields of `own` that are one number for each run."""
    fields, runs_shape = {} if s.own is None else s.own._asdict(), s.shape[1:-1]
    return {name: np.asarray(x).tolist() for name, x in fields.items() if x is not None and np.shape(x) == runs_shape}


def corpus_digest(c: Corpus) -> str:
    """A digest of the rows and sizes of a corpus."""
    hasher = hashlib.sha256(f"{c.D} {c.W} ".encode())
    for row_array in (c.j, c.w, c.n):
        hasher.update(np.ascontiguousarray(row_array, "<i8").tobytes())
    return hasher.hexdigest()[:16]


def check_resumed(resume: Fit, c: Corpus, settings: dict[str, Any], sweeps: int) -> None:
    """Raise a ValueError if a run with some settings differs from the Fit that it resumes."""
    if not resume.schedule:
        raise ValueError("resume is the model of another program, whose schedule is not known: it cannot go on")
    sizes_of_unit = {"documents": (c.D, len(resume.theta_jk)), "words": (c.W, len(resume.phi_wk))}
    earlier_z = resume.state.z  # of a sampler; otherwise the Fit knows the rows alone
    sizes_of_unit |= {"rows": (c.M, resume.state.shape[0])} if earlier_z is None else {"tokens": (c.N, len(earlier_z))}
    difference_texts = [f"it has {x:,} {unit}, expected {y:,}" for unit, (x, y) in sizes_of_unit.items() if x != y]
    if difference_texts or corpus_digest(c) != resume.corpus:
        equal_sizes_text = f"its sizes are the same ({c.D:,} documents, {c.W:,} words), not its counts or their order"
        reason = ", ".join(difference_texts) or equal_sizes_text
        raise ValueError(f"c is another corpus than that of the run to resume: {reason}")
    if None not in (c.vocab, resume.vocab) and c.vocab != resume.vocab:
        raise ValueError("c has other words than the run to resume, or has them in another order")
    earlier_settings = resume._asdict() | {"algorithm": resume.algorithm.name, "K": resume.phi_wk.shape[-1]}
    earlier_settings["replicates"] = resume.phi_wk.shape[1] if resume.phi_wk.ndim == 3 else None
    for name, x in settings.items():
        if (isinstance(earlier_settings[name], str) and not isinstance(x, str)) or x != earlier_settings[name]:
            raise ValueError(f"{name} is {shown(x)}, expected {shown(earlier_settings[name])} as in the run to resume")
    if resume.sweeps > sweeps:
        raise ValueError(f"sweeps is {sweeps}, expected {resume.sweeps} or more: the run to resume has as many already")
