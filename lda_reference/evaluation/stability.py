"""How stable topics are: which topics of a run come back in runs from other starts."""

from typing import NamedTuple

import numpy as np

from ..arguments import whole_number
from ..corpus import Corpus
from ..engine import Algorithm, State, sums_of
from ..fitting import Monitor, fit, sweep_rng, value_to_stop_by
from ..model import Array, Ints, Prior, counts_of, log_joint_collapsed
from ..own_words import empty_topics
from .matching import match_topics
from .validation import Halves, completion_of_documents

SAME = 0.5  # two topics are the same if their total variation distance is below this: they share half of their mass
NEAR_PLACES = 20  # how many places apart, in the order of frequency, words can be that are exchanged


class Stability(NamedTuple):
    """Runs of one algorithm from several starts, compared with the best of them, the one with the highest value.

    The training value of a run is its bound in nats per token, without one its objective, for a sampler log p(x, z) of
    its last state. `heldout` has the log probability of the held-out half of each validation document in each run, and
    its number of tokens. `distance` is the total variation distance of a topic of the best run to its match in each
    other run. The empty topics of the best run are the most probable one of no word of any document.

    What is "by chance" is reached by topics that say nothing about the texts. In each other run the words change places
    with words about as frequent, see `exchanged`, which keeps the sizes and the shapes of its topics; they are matched
    with those of the best run. The perplexity by chance is that of the best run with its mean topic, by size, for all.
    """

    phi_wk: Array  # (W, K), of the best run
    best: int
    value: Array  # (R,)
    heldout: tuple[Array, Array] | None  # (R, D) and (D,)
    distance: Array  # (R - 1, K)
    empty: Ints = np.empty(0, np.int64)
    change: Array = np.empty(0)  # (R,): by how much a further sweep would change gamma, on average
    N_wk: Array = np.empty((0, 0))  # (W, K), of the best run
    exchanged: Ints = np.empty((0, 0), np.int64)  # (R - 1, W): the word that replaces each
    distance_by_chance: Array = np.empty((0, 0))  # (R - 1, K)
    heldout_by_chance: Array | None = None  # (D,)

    @property
    def perplexity(self) -> Array | None:
        """(R,): of the held-out halves."""
        if self.heldout is None:
            return None
        log_p, N_j = self.heldout
        return np.asarray(np.exp(-log_p.sum(1) / N_j.sum()))

    @property
    def perplexity_by_chance(self) -> float | None:
        """That of the held-out halves without topics."""
        if self.heldout is None or self.heldout_by_chance is None:
            return None
        return float(np.exp(-self.heldout_by_chance.sum() / self.heldout[1].sum()))

    @property
    def comes_back(self) -> Array:
        """(K,): the share of the other runs that have each topic, within a distance of 0.5; 0 of an empty topic."""
        return self._share(self.distance)

    @property
    def comes_back_by_chance(self) -> Array:
        """(K,): the same of runs whose words have changed places."""
        return self._share(self.distance_by_chance)

    def _share(self, distance: Array) -> Array:
        share_of_runs = np.mean(distance < SAME, axis=0)
        share_of_runs[self.empty] = 0
        return np.asarray(share_of_runs)


def stability(
    c: Corpus,
    K: int,
    A: Algorithm,
    p: Prior,
    runs: int = 10,
    sweeps: int = 100,
    seed: int = 0,
    h: Halves | None = None,
    monitor: Monitor | None = None,
) -> Stability:
    """Run an algorithm from several starts in one pass and match the topics of each run with those of the best.

    Runs that have not converged differ more. `heldout` is computed of the validation documents h. The seed is also that
    of the words that change places for the level of chance.

    >>> c = Corpus.from_documents([[0, 0, 1, 1, 0, 1]] * 5 + [[2, 3, 3, 2, 3, 2]] * 5)
    >>> from ..algorithms import named
    >>> stability(c, 2, named("cvb0"), Prior(0.1, 0.1), runs=4, sweeps=50).comes_back
    array([1., 1.])
    """
    runs = whole_number(runs, "runs", 2)
    f = fit(c, K, A, p, sweeps, replicates=runs, seed=seed, monitor=monitor)
    if f.state.z is None:
        objectives = np.asarray(value_to_stop_by(A)(f.state, c, f.prior)) / c.N
    else:
        objectives = np.array([log_joint_collapsed(*counts_of(z, c, K), f.prior) for z in f.state.z.T]) / c.N
    best_run = int(np.argmax(objectives))
    other_runs = [r for r in range(runs) if r != best_run]
    match_distances = [match_topics(f.phi_wk[:, r], f.phi_wk[:, best_run])[1] for r in other_runs]
    heldout_of_runs = () if h is None else [completion_of_documents(A, h, f.phi_wk[:, r], p, seed) for r in range(runs)]
    heldout = (np.array([log_p for log_p, _ in heldout_of_runs]), heldout_of_runs[0][1]) if heldout_of_runs else None
    empty_k = empty_topics(State(f.state.gamma[:, best_run]))
    next_gamma = A.sweep(f.state, c, p, f.schedule, rng=sweep_rng(seed, sweeps + 1)).gamma
    change = np.abs(next_gamma - f.state.gamma).mean((0, 2))
    N_wk, phi_wk = sums_of(f.state, c).wk[:, best_run], f.phi_wk[:, best_run]
    rng = sweep_rng(seed, sweeps + 2)
    new_w = np.array([exchanged(c.by_word(c.n), rng) for _ in other_runs])
    chance_distance = [match_topics(f.phi_wk[w_r, r], phi_wk)[1] for w_r, r in zip(new_w, other_runs, strict=True)]
    mean_phi_wk = np.repeat(phi_wk @ N_wk.sum(0)[:, None] / N_wk.sum(), K, axis=1)
    heldout_by_mean = None if h is None else completion_of_documents(A, h, mean_phi_wk, p, seed)[0]
    distances = np.array(match_distances), np.array(chance_distance)
    return Stability(
        phi_wk, best_run, objectives, heldout, distances[0], empty_k, change, N_wk, new_w, distances[1], heldout_by_mean
    )  # fmt: skip


def exchanged(N_w: Array, rng: np.random.Generator) -> Ints:
    """The word (W,) that replaces each word: one about as frequent, drawn at random; words without tokens stay.

    In the order of their tokens N_w (W,), words move by fewer than 20 places.
    """
    occurring_words = np.flatnonzero(N_w)
    ranking = occurring_words[np.argsort(N_w[occurring_words], kind="stable")]
    replacing_word = np.arange(len(N_w))
    replacing_word[ranking] = ranking[np.argsort(np.arange(len(ranking)) + rng.uniform(0, NEAR_PLACES, len(ranking)))]
    return replacing_word


def name_of_value(A: Algorithm) -> str:
    """What `Stability.value` is: "bound per token", "objective per token" or "log p(x, z) per token"."""
    if A.samples_z:
        return "log p(x, z) per token"
    return f"{'objective' if isinstance(A.bound_of, str) else 'bound'} per token"
