"""How many topics: a recommendation from held-out perplexity and from the topics that come back, or "undecided".

Held-out perplexity falls with K until the topics of the corpus are found, and then changes little. The rule takes the
smallest K that predicts as well as the best one, to one standard error (Breiman, Friedman, Olshen and Stone 1984), if
most of its topics come back in runs from other starts. The standard error has two parts. One comes from the validation
documents, the other from the starts.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..model import Array
from .stability import Stability

MOST = 0.75  # the share of topics that come back


class Recommendation(NamedTuple):
    """A number of topics, or None if the runs do not decide it, and the reason as sentences."""

    K: int | None
    reason: str


def log_ratio(s: Stability, best: Stability) -> tuple[float, float]:
    """The log of the ratio of two perplexities, each the geometric mean over runs, and its standard error."""
    if s.heldout is None or best.heldout is None:
        raise ValueError("runs has no held-out documents: give stability some by h")
    (log_p, N_j), (log_p_best, _) = s.heldout, best.heldout
    log_gain, R = log_p_best.mean(0) - log_p.mean(0), len(log_p)
    documents_error = np.sqrt(len(N_j) * (log_gain - N_j * log_gain.sum() / N_j.sum()).var(ddof=1)) / N_j.sum()
    runs_error = np.sqrt((log_p.sum(1).var(ddof=1) + log_p_best.sum(1).var(ddof=1)) / R) / N_j.sum()
    return float(log_gain.sum() / N_j.sum()), float(np.hypot(documents_error, runs_error))


def recommend(runs: Mapping[int, Stability]) -> Recommendation:
    """Choose a number of topics from runs for several; they need held-out documents, two at least."""
    first_stability = next(iter(runs.values()))
    if len(runs) == 1:
        return Recommendation(None, "one K alone cannot be compared: give several.")
    if first_stability.heldout is not None and len(first_stability.heldout[1]) < 2:
        return Recommendation(None, "one held-out document gives no standard error: hold out more.")
    best = min(runs, key=lambda K: log_ratio(runs[K], first_stability)[0])
    log_ratios = ((K, *log_ratio(runs[K], runs[best])) for K in sorted(runs))
    K = next(K for K, log_perplexity_ratio, standard_error in log_ratios if log_perplexity_ratio <= standard_error)
    share_back_of_K = {any_K: run_stability.comes_back.mean() for any_K, run_stability in runs.items()}
    share_K, highest_share = share_back_of_K[K], max(share_back_of_K.values())
    stable_K_text = " and ".join(f"{any_K}" for any_K in sorted(runs) if highest_share - share_back_of_K[any_K] < 0.005)
    by_chance = ", as by chance" if not any(map(beats_chance, runs.values())) else ""
    remark = f"Topics come back most at K = {stable_K_text}: {highest_share:.0%} of them do{by_chance}."
    if max(runs) == K:
        return Recommendation(None, f"perplexity is lowest at the largest K, {K}: try larger ones. {remark}")
    if 1 < K == min(runs):
        return Recommendation(None, f"no K predicts better than the smallest, {K}: try smaller ones.")
    if share_K < MOST:
        return Recommendation(None, f"K = {K} predicts best, but only {share_K:.0%} of its topics come back. {remark}")
    phrase = "the lowest perplexity"
    reason = f"it has {phrase}" if best == K else f"it is the smallest within a standard error of {phrase} (K = {best})"
    return Recommendation(K, f"{reason}, and {share_K:.0%} of its topics come back.")


def beats_chance(s: Stability) -> bool:
    """Whether more topics come back than by chance."""
    return bool(s.comes_back.sum() > s.comes_back_by_chance.sum())


def most_coherent(runs: Mapping[int, Stability], coherence: Mapping[int, Array]) -> int | None:
    """The smallest K within a standard error of the highest mean coherence (K,), among those whose topics come back.

    The standard error is that of the mean over topics. A K is left out if no more of its topics come back than by
    chance, or if one of them has no coherence, unless the topic is empty.

    >>> run = Stability(np.eye(2), 0, np.zeros(2), None, np.zeros((1, 2)), distance_by_chance=np.ones((1, 2)))
    >>> values = {2: [0.5, 0.3], 3: [0.8, 0.6, 0.7], 4: [0.8, 0.8, 0.7, 0.6], 5: [0.9, 0.9, 0.9, 0.9, np.nan]}
    >>> most_coherent(dict.fromkeys(values, run), {K: np.array(x) for K, x in values.items()})
    3
    """
    stable_runs = {K: s for K, s in runs.items() if s.comes_back.mean() >= MOST and beats_chance(s)}
    owned_coherence = {K: np.delete(coherence[K], s.empty) for K, s in stable_runs.items()}
    coherence_of_K = {K: scores for K, scores in owned_coherence.items() if not np.isnan(scores).any()}
    if not coherence_of_K:
        return None
    best_coherence = max(coherence_of_K.values(), key=np.mean)
    standard_error = best_coherence.std(ddof=1) / len(best_coherence) ** 0.5 if len(best_coherence) > 1 else 0.0
    return min(K for K, scores in coherence_of_K.items() if scores.mean() >= best_coherence.mean() - standard_error)
