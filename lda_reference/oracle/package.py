"""The package as a port: its answers to the cases of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .. import engine
from ..algorithms import ALGORITHMS
from ..arguments import checked_z, whole_number
from ..corpus import Corpus
from ..engine import Algorithm, State, starts
from ..engine.arguments import checked_gamma, checked_uniforms
from ..evaluation import prediction
from ..model import Prior
from ..priors import minka
from ..priors.evidence import GammaPrior, plug_in_counts
from .asking.loading import Case
from .package_operations import MORE, problem, weights_of_token

BURN_IN = 500  # sweeps before the draws of a sampler
MOST = 10_000  # the largest number of sweeps to a fixed point


def answer(case: Case) -> dict[str, Any]:
    """What this package answers to a case: the fields expected, or `error` if it refuses the input.

    They are plain lists and numbers. The expected answer of the case is not used.

    Examples
    --------
    >>> case = {
    ...     "id": "cvb0/update/000", "algorithm": "cvb0", "operation": "update", "row": 0, "K": 2,
    ...     "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 1}, "prior": {"alpha": 0.5, "eta": 0.5},
    ...     "state": {"gamma": [[1.0, 0.0], [0.0, 1.0]]},
    ... }
    >>> answer(case)
    {'id': 'cvb0/update/000', 'gamma_k': [0.75, 0.25]}
    >>> answer(case | {"K": 0})
    {'id': 'cvb0/update/000', 'error': 'K is 0, expected a whole number of topics from 1'}
    """
    try:
        fields = {name: _plain(x) for name, x in ANSWERS[case["operation"]](case).items()}
    except ValueError as error:
        return {"id": case["id"], "error": str(error)}
    return {"id": case["id"], **fields}


def _plain(x: Any) -> Any:
    """Lists and numbers; infinity as "inf" or "-inf"."""
    if isinstance(x, (np.ndarray, np.generic)):
        return _plain(x.tolist())
    if isinstance(x, list):
        return [_plain(v) for v in x]
    if isinstance(x, float) and np.isinf(x):
        return "inf" if x > 0 else "-inf"
    return x


def read(case: Case) -> tuple[Algorithm, State, Corpus, Prior]:
    """The algorithm, the state, the corpus and the prior of a case that has a `state`.

    The algorithm `gibbs` has the parameters of the case. If a part of the case is not legal, this is a ValueError.
    """
    A, (c, p) = ALGORITHMS[case["algorithm"]], problem(case)
    s = A.init(c, case["K"], p, **case["state"])
    if "theta_jk" in case:  # gibbs with parameters that are given, not drawn
        given = np.array(case["theta_jk"], np.float64), np.array(case["phi_wk"], np.float64)
        A = replace(A, parameters=lambda s, c, p, rng: given)
    return A, s, c, p


def _given(case: Case, *names: str) -> dict[str, Any]:
    """The fields of these names that a case has."""
    return {name: case[name] for name in names if name in case}


def _swept(case: Case, sweeps: int) -> Iterator[tuple[Algorithm, State]]:
    """The algorithm and the state after each sweep."""
    A, s, c, p = read(case)
    for _ in range(sweeps):
        s = A.sweep(s, c, p, schedule=case["schedule"], **_given(case, "uniforms", "blocks", "inner"))
        yield A, s


def sweep(case: Case, sweeps: int = 1) -> dict[str, Any]:
    """gamma after some sweeps; of a sampler, the topics."""
    *_, (A, s) = _swept(case, sweeps)
    return {"gamma": s.gamma} if A.assignment != "sample" else {"z": s.z}


def ten_sweeps(case: Case) -> dict[str, Any]:
    return sweep(case, 10)


def converged(case: Case) -> dict[str, Any]:
    last = np.array(case["state"]["gamma"])
    for _, s in _swept(case, MOST):
        if np.abs(s.gamma - last).max() < 1e-15:
            break
        last = s.gamma
    return {"gamma": s.gamma}


def summary(case: Case) -> dict[str, Any]:
    """The sums of all gamma_k times the cosine and the sine of their places; of a sampler, the topics."""
    found = sweep(case, case["sweeps"])
    if "z" in found:
        return found
    flat = found["gamma"].ravel()
    place = np.arange(flat.size)
    return {"cosine": flat @ np.cos(place), "sine": flat @ np.sin(place)}


def update(case: Case) -> dict[str, Any]:
    A, s, c, p = read(case)
    if s.z is not None:
        return {"gamma_k": engine.soft(weights(case))}
    return {"gamma_k": A.sweep(s, c, p, schedule="corpus", **_given(case, "uniforms")).gamma[case["row"]]}


def draw(case: Case) -> dict[str, Any]:
    return {"topic": engine.draw(weights(case), case["uniform"])}


def weights(case: Case) -> Any:
    """The weights from which the topic of a sampler's token is drawn, (K,)."""
    return weights_of_token(*read(case), case)


def estimate(case: Case) -> dict[str, Any]:
    A, s, c, p = read(case)
    theta_jk, phi_wk = A.estimate(s, c, p)
    return {"theta_jk": theta_jk, "phi_wk": phi_wk}


def bound(case: Case) -> dict[str, Any]:
    A, s, c, p = read(case)
    return {"bound": A.bound(s, c, p)}


def predict(case: Case) -> dict[str, Any]:
    A, s, c, p = read(case)
    estimates = A.estimate(s, c, p)
    test = c.with_rows(*(np.array(case["test"][name]) for name in ("j", "w", "n")))
    return {
        "token_probability": prediction.token_probability(test, *estimates),
        "perplexity": prediction.perplexity(test, *estimates),
    }


def hyperparameters(case: Case) -> dict[str, Any]:
    _, s, c, p = read(case)
    gamma_prior = GammaPrior(**case["gamma_prior"])
    return {side: minka.step(plug_in_counts(s, c, side), getattr(p, side), gamma_prior) for side in ("alpha", "eta")}


def start(case: Case) -> dict[str, Any]:
    """gamma of a start, from the random numbers of the case."""
    (c, p), K = problem(case), case["K"]
    _check_start(case, c, K)
    match case["start"]:
        case "one-hot":
            gamma = engine.mean_one_hot(np.array(case["state"]["z"]), c, K)
        case "topics":
            gamma = starts.rows_like(np.array(case["weights_wk"]), c.w)
        case "documents":
            gamma = starts.rows_like(starts.counts_of_documents(np.array(case["documents"]), c) + 1, c.w)
        case "incremental":
            gamma = starts.one_block_after_the_other(np.array(case["uniforms"]), c, K, p)
        case "collapsed":
            gamma = starts.after_cvb0(np.array(case["state"]["gamma"]), c, p, 10)
        case "growing":
            first = np.reshape(case["first"], (-1, K))  # a first part without rows too
            gamma = starts.after_growth(np.array(case["order"]), first, c, p)
        case "anneal":
            A = ALGORITHMS[case["of"]]
            s = A.init(c, K, p, gamma=case["state"]["gamma"])
            priors = starts.anneal(p, A.prior_offset, case["top"], case["sweeps"])
            gamma = A.annealed(s, c, priors, case["schedule"]).gamma
        case name:
            expected = "one-hot, topics, documents, incremental, collapsed, growing or anneal"
            raise ValueError(f"start is {name!r}, expected {expected}")
    return {"gamma": gamma}


def _check_start(case: Case, c: Corpus, K: int) -> None:
    """Raise a ValueError if the random numbers of a start are not legal."""
    if "z" in case.get("state", ()):
        checked_z(case["state"]["z"], c.N, K, None)
    if "gamma" in case.get("state", ()):
        checked_gamma(case["state"]["gamma"], c.M, K, None)
    if "uniforms" in case:
        checked_uniforms(case["uniforms"], (c.M,), None)
    if "order" in case:
        if sorted(case["order"]) != list(range(c.D)):
            raise ValueError(f"order is {case['order']}, expected each document from 0 below D = {c.D} once")
        rows = int(np.isin(c.j, case["order"][: starts.parts_of(c.D)[0]]).sum())
        checked_gamma(np.reshape(case["first"], (-1, K)), rows, K, None)
    if "sweeps" in case:
        whole_number(case["sweeps"], "sweeps", 1)
    if "top" in case and not 0 < case["top"] < np.inf:
        raise ValueError(f"top is {case['top']}, expected a finite number above 0")
    if "documents" in case:
        if len(case["documents"]) != K:
            raise ValueError(f"documents has {len(case['documents'])} entries, expected one for each of K = {K} topics")
        for k, j in enumerate(case["documents"]):
            if not 0 <= j < c.D:
                raise ValueError(f"documents[{k}] is {j}, expected a document from 0 below D = {c.D}")
    if "weights_wk" in case:
        weights_wk = np.array(case["weights_wk"], np.float64)
        if weights_wk.shape != (c.W, K):
            raise ValueError(f"weights_wk has shape {weights_wk.shape}, expected (W, K) = {(c.W, K)}")
        for w, k in np.argwhere(~(weights_wk >= 0)):
            raise ValueError(f"weights_wk[{w}, {k}] is {weights_wk[w, k]}, expected a number from 0")


def reject(case: Case) -> dict[str, Any]:
    return start(case) if "start" in case else sweep(case)


def sample(case: Case) -> dict[str, Any]:
    A, (c, p), rng = ALGORITHMS[case["algorithm"]], problem(case), np.random.default_rng(case["seed"])
    s, draws = A.init(c, case["K"], p, rng=rng), []
    for t in range(BURN_IN + case["draws"]):
        s = A.sweep(s, c, p, rng=rng)
        if t >= BURN_IN:
            draws.append(s.z)
    return {"z": np.array(draws)}


STEPS = (
    update, sweep, ten_sweeps, converged, summary, estimate, bound, predict, hyperparameters, draw, start, reject,
    sample,
)  # fmt: skip
ANSWERS = {do.__name__: do for do in (*STEPS, *MORE)}
