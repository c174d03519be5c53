"""Running an algorithm: many sweeps, averages of a sampler, and models on disk."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .algorithms import ALGORITHMS
from .corpus import Corpus
from .engine import Learner, State
from .model import Array, Prior
from .priors import learners

UNLEARNED = {
    "ml": "it has no prior",
    "map": "Minka's update is of the evidence of counts, and theta and phi are not integrated out here (AWST09 §4.1)",
}
FORMAT = "lda_reference model 1"
SETTINGS = ("algorithm", "schedule", "seed", "sweeps", "burn_in", "thin", "samples", "corpus", "learn", "learn_after")
ARRAYS = re.compile(r"arrays-\d{6,}-[0-9a-f]{8}\.(npz|json\.tmp)")  # what save writes beside model.json


class Fit(NamedTuple):
    """A fitted model, and all that is needed to go on from it.

    Attributes
    ----------
    theta_jk : (D, K), rows sum to 1
    phi_wk : (W, K), columns sum to 1
        Estimates of the last state; of a sampler, averages over the sweeps after burn-in.
    state : State
    prior : Prior
    history : tuple of dict
        One for each sweep: `sweep`, `seconds` since the start, `change` (the mean absolute change of gamma), and what
        the monitor added.
    algorithm, schedule : str
    seed, sweeps, burn_in, thin : int
    samples : int
        How many sweeps the averages are over; 0 where nothing is averaged.
    corpus : str
        A digest of the corpus, by which a resumed run knows its own.
    learn : str
        What is learned of the prior, see `priors.learners.parse`; "" if nothing, or by a function of the caller's.
    learn_after : int
    """

    theta_jk: Array
    phi_wk: Array
    state: State
    prior: Prior
    history: tuple[dict[str, Any], ...]
    algorithm: str
    schedule: str
    seed: int
    sweeps: int
    burn_in: int
    thin: int
    samples: int
    corpus: str
    learn: str
    learn_after: int


Monitor = Callable[[Fit], dict[str, Any]]


def sweep_rng(seed: int, sweep: int) -> np.random.Generator:
    """The generator of one sweep; sweep 0 is the initial state.

    It depends on the seed and the sweep's number alone, so a resumed run draws what an unbroken one would.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(sweep,)))


def fit(
    c: Corpus,
    K: int,
    algorithm: str = "cvb0",
    prior: Prior | None = None,
    sweeps: int = 100,
    schedule: str | None = None,
    seed: int = 0,
    learn: Learner | str | None = None,
    burn_in: int | None = None,
    thin: int = 1,
    learn_after: int | None = None,
    monitor: Monitor | None = None,
    stop: Callable[[Fit], bool] | None = None,
    resume: Fit | None = None,
    executor: Executor | None = None,
) -> Fit:
    """Run an algorithm for a number of sweeps from a random state.

    Parameters
    ----------
    c : Corpus
    K : int
    algorithm : str
        A name in `ALGORITHMS`.
    prior : Prior, optional
        Default: 0.1 for alpha and eta; for `map`, which adds no more than alpha - 1, 1.1; where it is learned 0.5, as
        in AWST09 §4.1; of a resumed run its own.
    sweeps : int, 0 or more
    schedule : str, optional
        Default: the algorithm's first.
    seed : int, 0 or more
    learn : str, or function (state, corpus, prior) -> prior, optional
        What is learned of the prior, such as "alpha,eta:asymmetric", see `priors.learners.parse`; or a
        function called after sweeps, which a resumed run must be given again.
    burn_in : int, optional
        For samplers: sweeps that the averages leave out; default half of them, of a resumed run its own.
    thin : int
        For samplers: every so many sweeps after burn-in are averaged.
    learn_after : int, optional
        Sweeps before the prior is learned; default 15 (AWST09 §4.1), with a function 0, of a resumed run its own.
    monitor : function (Fit) -> dict, optional
        Called after every sweep; what it returns joins that sweep's history.
    stop : function (Fit) -> bool, optional
        Called after the monitor: whether to end the run before `sweeps`.
    resume : Fit, optional
        Goes on from there to `sweeps` in all, with the same result as an unbroken run.
    executor : concurrent.futures.Executor, optional
        For the `corpus` schedule, see `Algorithm.sweep`.

    Returns
    -------
    Fit

    Raises
    ------
    ValueError
        For arguments out of range, or a `resume` of another corpus or other settings.

    Examples
    --------
    >>> c = Corpus.from_documents([[0, 1, 0, 1], [2, 3, 3], [0, 1, 1]])
    >>> f = fit(c, 2, "cgs", Prior(0.5, 0.1), sweeps=20, seed=1)
    >>> f.theta_jk.shape, f.phi_wk.shape, f.samples, len(f.history)
    ((3, 2), (4, 2), 10, 20)
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm is {algorithm!r}, expected one of {', '.join(ALGORITHMS)}")
    A = ALGORITHMS[algorithm]
    schedule = schedule or A.schedules[0]
    least_of = {"sweeps": (sweeps, 0), "seed": (seed, 0), "burn_in": (burn_in, 0), "thin": (thin, 1)}
    for name, (x, least) in (least_of | {"learn_after": (learn_after, 0)}).items():
        if name in ("burn_in", "learn_after") and x is None:
            continue
        if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or x < least:
            raise ValueError(f"{name} is {x!r}, expected a whole number from {least}")
    sweeps, seed, thin = int(sweeps), int(seed), int(thin)  # JSON takes no numbers of NumPy's
    sampler = A.assignment == "sample"
    digest = corpus_digest(c)
    named = learn if isinstance(learn, str) else ""
    if resume is not None and learn is None:
        learn = named = resume.learn
    if learn:
        if algorithm in UNLEARNED:
            raise ValueError(f"{algorithm} has nothing to learn of its prior: {UNLEARNED[algorithm]}")
        if algorithm != "vb" and any(f":{kind}" in named for kind in learners.HYPERPRIORS):
            raise ValueError(f"learn is {named!r}: hyperpriors go with vb, not with {algorithm}")
    learn = learners.parse(learn) if isinstance(learn, str) and learn else learn
    if resume is None:
        learn_after = int((15 if named else 0) if learn_after is None else learn_after)
        burn_in = sweeps // 2 if burn_in is None else int(burn_in)
        if prior is None:
            prior = Prior(1.1, 1.1) if algorithm == "map" else Prior(0.5, 0.5) if learn else Prior()
        state = A.init(c, K, prior, rng=sweep_rng(seed, 0))
        samples, history = 0, []
        theta_jk, phi_wk = A.estimate(state, c, prior)
    else:
        burn_in = resume.burn_in if burn_in is None else int(burn_in)
        learn_after = resume.learn_after if learn_after is None else int(learn_after)
        prior = resume.prior if prior is None else prior
        same = {"corpus": digest, "algorithm": algorithm, "schedule": schedule, "seed": seed, "burn_in": burn_in}
        same |= {"thin": thin, "learn": named, "learn_after": learn_after, "K": K}
        for name, mine in same.items():
            other = resume.phi_wk.shape[-1] if name == "K" else getattr(resume, name)
            if mine != other:
                raise ValueError(f"the run to resume has {name} {other}, this one {mine}: they must be equal")
        for name in ("alpha", "eta"):
            if not np.array_equal(getattr(prior, name), getattr(resume.prior, name)):
                raise ValueError(f"the run to resume has {resume.prior}, this one {prior}: they must be equal")
        if resume.sweeps > sweeps:
            raise ValueError(f"the run to resume has {resume.sweeps} sweeps already, more than the {sweeps} asked for")
        state, samples, history = resume.state, resume.samples, list(resume.history)
        theta_jk, phi_wk = resume.theta_jk, resume.phi_wk

    def snapshot(t: int) -> Fit:
        assert prior is not None
        return Fit(
            theta_jk, phi_wk, state, prior, tuple(history), algorithm, schedule, seed, t, burn_in, thin, samples,
            digest, named, learn_after,
        )  # fmt: skip

    done = len(history)
    start = time.perf_counter() - (history[-1]["seconds"] if history else 0.0)
    for t in range(done + 1, sweeps + 1):
        before = state.gamma
        state = A.sweep(state, c, prior, schedule=schedule, rng=sweep_rng(seed, t), executor=executor)
        if callable(learn) and t > learn_after:
            prior = learn(state, c, prior)
        if sampler and t > burn_in and (t - burn_in) % thin == 0:
            now, samples = A.estimate(state, c, prior), samples + 1
            # the mean so far, updated: a resumed run needs no more than it and the number of samples
            theta_jk, phi_wk = now if samples == 1 else (
                old + (new - old) / samples for old, new in zip((theta_jk, phi_wk), now, strict=True)
            )  # fmt: skip
        elif samples == 0:
            theta_jk, phi_wk = A.estimate(state, c, prior)
        change = float(np.mean(np.abs(state.gamma - before)))
        history.append({"sweep": t, "seconds": time.perf_counter() - start, "change": change})
        if monitor is not None:
            pause = time.perf_counter()
            history[-1].update(monitor(snapshot(t)))
            start += time.perf_counter() - pause
        if stop is not None and stop(snapshot(t)):
            break
    return snapshot(len(history))


def corpus_digest(c: Corpus) -> str:
    """A digest of the rows and sizes of a corpus."""
    h = hashlib.sha256(f"{c.D} {c.W} ".encode())
    for x in (c.j, c.w, c.n):
        h.update(np.ascontiguousarray(x, "<i8").tobytes())
    return h.hexdigest()[:16]


def save(f: Fit, folder: str | os.PathLike[str], vocab: tuple[str, ...] | None = None) -> None:
    """Write a model folder: `model.json` and the arrays it names, in an npz beside it.

    The arrays go into a new file first; `model.json` then takes the place of the old one in one step, and the old
    arrays are removed last. A run killed anywhere leaves the last saved model whole.

    Parameters
    ----------
    f : Fit
    folder : path
        Made if missing. A folder that holds anything but a model is refused.
    vocab : W strings, optional
    """
    folder = Path(folder)
    last = folder / "model.json"
    ours = last.exists() and FORMAT in last.read_text(encoding="utf-8", errors="replace")
    if folder.exists() and not ours and not all(ARRAYS.fullmatch(x.name) for x in folder.iterdir()):
        raise ValueError(f"{folder}: holds files but no model, expected a model folder or an empty one")
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk, "gamma": f.state.gamma}
    arrays |= {"alpha": np.asarray(f.prior.alpha), "eta": np.asarray(f.prior.eta)}
    if f.state.z is not None:
        arrays["z"] = f.state.z
    name = f"arrays-{f.sweeps:06d}-{os.urandom(4).hex()}.npz"
    with open(folder / name, "wb") as out:
        np.savez_compressed(out, **arrays)
        out.flush()
        os.fsync(out.fileno())
    about = {
        "format": FORMAT,
        "arrays": name,
        **{setting: getattr(f, setting) for setting in SETTINGS},
        "vocab": None if vocab is None else list(vocab),
        "history": list(f.history),
    }
    temporary = folder / (name[:-4] + ".json.tmp")
    with open(temporary, "w", encoding="utf-8") as text:
        json.dump(about, text, ensure_ascii=False, indent=1)
        text.flush()
        os.fsync(text.fileno())
    os.replace(temporary, folder / "model.json")
    for old in folder.iterdir():
        if ARRAYS.fullmatch(old.name) and old.name != name:
            old.unlink()


def load(folder: str | os.PathLike[str]) -> Fit:
    """The model that `save` wrote.

    Raises
    ------
    ValueError
        If the folder holds no model, or a damaged one, naming the file.
    """
    return load_with_vocab(folder)[0]


def load_with_vocab(folder: str | os.PathLike[str]) -> tuple[Fit, tuple[str, ...] | None]:
    """The model and its vocabulary, where it was saved with one."""
    file = Path(folder) / "model.json"
    if not file.exists():
        raise ValueError(f"{file}: not found, expected a model folder written by save or `lda-reference fit`")
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']!r}, expected {FORMAT!r}")
        history, settings = tuple(about["history"]), [about[setting] for setting in SETTINGS]
        vocab = None if about["vocab"] is None else tuple(about["vocab"])
        file = file.parent / about["arrays"]
        with open(file, "rb") as data, np.load(data, allow_pickle=False) as arrays:
            a = dict(arrays)
        z = a["z"] if ALGORITHMS[about["algorithm"]].assignment == "sample" else None
        prior = Prior(a["alpha"], a["eta"])
        f = Fit(a["theta_jk"], a["phi_wk"], State(a["gamma"], z), prior, history, *settings)
    except Exception as error:  # whatever a damaged file makes json, zip or NumPy say
        raise ValueError(f"{file}: not the file of a whole model ({type(error).__name__}: {error})") from error
    return f, vocab
