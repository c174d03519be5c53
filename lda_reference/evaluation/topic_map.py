"""Topics side by side: words that set a topic apart, distances between topics, a map of them, near-duplicates."""

import numpy as np
from scipy.special import xlog1py

from ..arguments import check_distributions, check_entries, real
from ..corpus import Ints
from ..model import Array

DUPLICATE = 0.25  # the Jensen-Shannon distance below which two topics are near-duplicates; the largest distance is 0.83


def relevance(phi_wk: Array, p_w: Array, weight: float) -> Array:
    """The relevance of words to topics: Sievert and Shirley, LDAvis (2014), §3.1.

    relevance = lambda log phi_wk + (1 - lambda) log(phi_wk / p_w)

    With lambda = 1 the order is that of the probabilities. With lambda = 0 it is that of the lift phi_wk / p_w, which
    is high for words that hardly occur in other topics.

    Parameters
    ----------
    phi_wk : (W, K), columns sum to 1
    p_w : (W,), sums to 1
        The probability of each word in the whole corpus; positive if a topic has the word.
    weight : float in [0, 1]
        lambda.

    Returns
    -------
    (W, K)
        In nats; -inf where phi_wk is 0.

    Examples
    --------
    >>> phi_wk = np.array([[0.5, 0.5], [0.5, 0.0], [0.0, 0.5]])
    >>> relevance(phi_wk, np.array([0.5, 0.25, 0.25]), 0.0).round(4)
    array([[0.    , 0.    ],
           [0.6931,   -inf],
           [  -inf, 0.6931]])
    """
    phi_wk, p_w = real(phi_wk, "phi_wk"), real(p_w, "p_w")
    if not 0 <= weight <= 1:
        raise ValueError(f"weight is {weight}, expected a number in [0, 1]")
    if phi_wk.ndim != 2 or p_w.shape != phi_wk.shape[:1]:
        raise ValueError(f"phi_wk has shape {phi_wk.shape} and p_w {p_w.shape}, expected (W, K) and (W,)")
    check_distributions(phi_wk, "phi_wk", 0)
    check_distributions(p_w, "p_w", 0)
    for w, k in np.argwhere((phi_wk > 0) & (p_w == 0)[:, None]):
        raise ValueError(f"p_w[{w}] is 0, expected more: the word has probability {phi_wk[w, k]} in topic {k}")
    out = np.full(phi_wk.shape, -np.inf)
    w, k = np.nonzero(phi_wk)
    out[w, k] = np.log(phi_wk[w, k]) - (1 - weight) * np.log(p_w[w])
    return out


def jensen_shannon(phi_wk: Array) -> Array:
    """The Jensen-Shannon distances between topics: the square roots of the divergences (Lin 1991), in nats.

    With m = (p + q) / 2 the divergence is (KL(p, m) + KL(q, m)) / 2. Its square root is a metric (Endres and Schindelin
    2003), the distance of two points in a Euclidean space (Fuglede and Topsøe 2004).

    Parameters
    ----------
    phi_wk : (W, K), columns sum to 1

    Returns
    -------
    (K, K), symmetric, in [0, sqrt(log 2)]
        sqrt(log 2) = 0.83 is the distance of topics without a common word.

    Examples
    --------
    >>> jensen_shannon(np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]])).round(4)
    array([[0.    , 0.4645, 0.8326],
           [0.4645, 0.    , 0.4645],
           [0.8326, 0.4645, 0.    ]])
    """
    phi_wk = real(phi_wk, "phi_wk")
    if phi_wk.ndim != 2:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected (W, K)")
    check_distributions(phi_wk, "phi_wk", 0)
    K = phi_wk.shape[1]
    out = np.zeros((K, K))
    for k in range(K - 1):
        p, q = phi_wk[:, k, None], phi_wk[:, k + 1 :]
        total = p + q
        d = np.divide(p - q, total, out=np.zeros(q.shape), where=total > 0)
        # With p = m(1 + d) and q = m(1 - d), a word adds m/2 times (1 + d) log(1 + d) + (1 - d) log(1 - d) to the
        # divergence. Where d is small, the two terms cancel, so the sum is written as 2 d atanh(d) + log(1 - d²).
        small = np.where(np.abs(d) < 0.5, d, 0.0)
        both = np.where(
            np.abs(d) < 0.5,
            2 * small * np.arctanh(small) + np.log1p(-(small**2)),
            xlog1py(1 + d, d) + xlog1py(1 - d, -d),
        )
        out[k, k + 1 :] = out[k + 1 :, k] = np.sqrt((total / 4 * both).sum(0))
    return out


def classical_scaling(distance: Array, dimensions: int = 2) -> tuple[Array, float]:
    """Points whose distances approximate given ones: classical multidimensional scaling (Torgerson 1952).

    The points are the leading eigenvectors of B = -J distance² J / 2, with J = I - 1/K, times the square roots of their
    eigenvalues. The largest coordinate of each axis in absolute value is positive.

    Parameters
    ----------
    distance : (K, K), symmetric, 0 on the diagonal
    dimensions : int, 1 or more

    Returns
    -------
    points : (K, dimensions)
        An axis whose eigenvalue is not positive is 0.
    share : float in [0, 1]
        The sum of the eigenvalues of these axes, divided by that of all positive eigenvalues; 1 if there is none.

    Raises
    ------
    ValueError
        If the distances are not a symmetric matrix of finite numbers from 0 with a diagonal of 0, or dimensions is
        below 1.

    Examples
    --------
    >>> points, share = classical_scaling(np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0.0]]))
    >>> np.linalg.norm(points[1] - points[2]).round(6), round(share, 6)
    (np.float64(5.0), 1.0)
    """
    distance = real(distance, "distance")
    if dimensions < 1:
        raise ValueError(f"dimensions is {dimensions}, expected 1 or more")
    if distance.ndim != 2 or distance.shape[0] != distance.shape[1]:
        raise ValueError(f"distance has shape {distance.shape}, expected (K, K)")
    good = (distance >= 0) & (distance == distance.T) & np.isfinite(distance)
    check_entries(good, distance, "distance", "a finite number from 0, and symmetry")
    for k in np.flatnonzero(np.diag(distance)):
        raise ValueError(f"distance[{k}, {k}] is {distance[k, k]}, expected 0")
    K = len(distance)
    J = np.eye(K) - 1 / K
    values, vectors = np.linalg.eigh(-J @ distance**2 @ J / 2)
    order = np.argsort(-values, kind="stable")[:dimensions]
    positive = values > 0
    points = np.zeros((K, dimensions))
    for axis, i in enumerate(order):
        if positive[i]:
            vector = vectors[:, i]
            points[:, axis] = np.sqrt(values[i]) * vector * np.sign(vector[np.argmax(np.abs(vector))])
    total = float(values[positive].sum())
    return points, float(values[order][positive[order]].sum() / total) if total else 1.0


def duplicates(distance: Array, below: float = DUPLICATE) -> list[tuple[int, int, float]]:
    """The pairs of topics that are closer than a threshold, and their distances, the closest first.

    The distances (K, K) are symmetric, for example from `jensen_shannon`.

    Examples
    --------
    >>> duplicates(np.array([[0.0, 0.6, 0.1], [0.6, 0.0, 0.7], [0.1, 0.7, 0.0]]))
    [(0, 2, 0.1)]
    """
    pairs = [(k, m, float(distance[k, m])) for k, m in zip(*np.triu_indices(len(distance), 1), strict=True)]
    return sorted(((int(k), int(m), x) for k, m, x in pairs if x < below), key=lambda pair: pair[2])


def empty_topics(gamma: Array) -> Ints:
    """The topics that are the most probable one of no row of a corpus, by its gamma (M, K).

    Examples
    --------
    >>> empty_topics(np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]]))
    array([1])
    """
    return np.flatnonzero(np.bincount(gamma.argmax(1), minlength=gamma.shape[1]) == 0)
