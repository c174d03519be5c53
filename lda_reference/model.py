"""Latent Dirichlet allocation: its prior and its joint probability, TNW06 (1) and (7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlogy

from .arguments import check_entries, checked_counts, checked_z, finite, is_number, kind, real, shown
from .corpus import Corpus, Ints

Array = NDArray[np.float64]
PRIOR_MIN, PRIOR_MAX = 1 / np.finfo(float).max, 1e200  # its inverse is finite, and so are sums over a vocabulary
WHOLE = "the model gives a topic to each whole token"


@dataclass(frozen=True, eq=False)
class Prior:
    """The Dirichlet priors of the documents' mixtures (alpha) and of the topics (eta).

    Two priors are equal if their numbers or vectors are equal; a number is not equal to a vector. A ValueError names
    the first entry that is not positive and finite.

    alpha is a positive number, a symmetric prior, or a (K,) array. It is called alpha in all five papers. eta is a
    positive number, a symmetric prior, or a (W,) or (W, K) array. A matrix has a prior for each topic in its columns,
    for topics that are seeded with words. eta is called beta in TNW06 and SN12, and nu in SOL14.

    >>> Prior(0.1, [0.5, 0.25])
    Prior(alpha=0.1, eta=[0.5, 0.25])
    >>> Prior(0.1, [0.5, 0.25]).eta
    array([0.5 , 0.25])
    >>> Prior(alpha=[0.2] * 99 + [0.7])
    Prior(alpha=<100 numbers from 0.2 to 0.7>, eta=0.1)
    >>> Prior(0.1, 0.1) == Prior(), Prior(0.1, 0.1) == Prior(0.1, [0.1])
    (True, False)
    >>> Prior(0.1, [[2.1, 0.1], [0.1, 2.1], [0.1, 0.1]])  # word 0 is a seed of topic 0, and word 1 of topic 1
    Prior(alpha=0.1, eta=<3 x 2 numbers from 0.1 to 2.1>)
    """

    alpha: Any = 0.1
    eta: Any = 0.1

    def __post_init__(self) -> None:
        shape_texts = "a number or a vector", "a number, a vector or a matrix"
        for name, largest_ndim, expected_text in (("alpha", 1, shape_texts[0]), ("eta", 2, shape_texts[1])):
            try:
                x = real(getattr(self, name), name)
            except ValueError:
                raise ValueError(f"{name} is {shown(getattr(self, name))}, expected {expected_text}") from None
            if x.ndim > largest_ndim:
                raise ValueError(f"{name} has shape {x.shape}, expected {expected_text}")
            check_entries((x > 0) & np.isfinite(x), x, name, "a positive finite number")
            check_entries((x >= PRIOR_MIN) & (x <= PRIOR_MAX), x, name, f"a number from {PRIOR_MIN:g} to {PRIOR_MAX:g}")
            x.flags.writeable = False
            object.__setattr__(self, name, x if x.ndim else float(x))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Prior):
            return NotImplemented
        return np.array_equal(self.alpha, other.alpha) and np.array_equal(self.eta, other.eta)

    __hash__ = None  # type: ignore[assignment]  # its arrays have none

    def __repr__(self) -> str:
        return f"Prior(alpha={shown(self.alpha)}, eta={shown(self.eta)})"

    def check(self, K: int, W: int) -> None:
        """Raise a ValueError if alpha is a vector whose length is not K, or eta an array but not (W,) or (W, K)."""
        for field, alpha_or_eta, size, size_letter in (("alpha", self.alpha, K, "K"), ("eta", self.eta, W, "W")):
            if np.ndim(alpha_or_eta) == 1 and np.shape(alpha_or_eta) != (size,):
                raise ValueError(f"{field} has {np.size(alpha_or_eta)} entries, expected {size_letter} = {shown(size)}")
        if np.ndim(self.eta) == 2 and np.shape(self.eta) != (W, K):
            raise ValueError(f"eta has shape {np.shape(self.eta)}, expected (W, K) = ({shown(W)}, {shown(K)})")

    def arrays(self, K: int, W: int) -> tuple[Array, Array]:
        """alpha as a (K,) array, and eta as a (W,) array, or as (W, K) if each topic has a prior of its own."""
        self.check(K, W)
        eta = np.asarray(self.eta)
        return np.broadcast_to(np.asarray(self.alpha), (K,)), eta if eta.ndim == 2 else np.broadcast_to(eta, (W,))

    def vectors(self, K: int, W: int, user: str = "this function") -> tuple[Array, Array]:
        """alpha as a (K,) array and eta as a (W,) array, for a user that cannot have a prior for each topic."""
        alpha, eta = self.arrays(K, W)
        if eta.ndim == 2:
            raise ValueError(
                f"eta has shape {eta.shape}, a prior for each topic, which {user} cannot use: expected a number or a"
                f" vector of W = {W}"
            )
        return alpha, eta


def as_prior(prior: Any) -> Prior:
    """A prior, from a Prior, a number for both of its parts, or a pair (alpha, eta)."""
    if isinstance(prior, Prior):
        return prior
    if is_number(prior):
        return Prior(prior, prior)
    if isinstance(prior, (tuple, list)) and len(prior) == 2:
        return Prior(*prior)
    raise ValueError(f"prior is {shown(prior)}, expected a Prior, a number, or a pair (alpha, eta)")


def check_problem(c: Any, p: Any, fractions: bool = False) -> None:
    """Raise a ValueError unless c is a Corpus and p a Prior."""
    check_corpus(c, fractions)
    check_prior(p)


def check_corpus(c: Any, fractions: bool = False) -> None:
    """Raise a ValueError unless c is a Corpus, of whole counts unless `fractions`."""
    if not isinstance(c, Corpus):
        raise ValueError(f"c is {kind(c)}, expected a Corpus: make one by Corpus.from_csr or from_documents")
    if c.fractions and not fractions:
        raise ValueError(f"the corpus has fractions as counts, expected whole counts: {WHOLE}")


def check_gamma(gamma: Array, name: str) -> None:
    """Raise a ValueError unless each row of gamma is a distribution, to within 1e-6 or the rounding of K floats."""
    if gamma.dtype.kind != "f":
        raise ValueError(f"{name} has the type {gamma.dtype}, expected float64")
    if gamma.size and not (gamma.min() >= 0 and gamma.max() <= 1 + 1e-9):  # without an array, for each sweep
        check_entries((gamma >= 0) & (gamma <= 1 + 1e-9), gamma, name, "a probability")
    row_sums, rounding = gamma @ np.ones(gamma.shape[-1], gamma.dtype), gamma.shape[-1] * np.finfo(gamma.dtype).eps
    check_entries(np.abs(row_sums - 1) <= max(1e-6, float(rounding)), row_sums, f"the sum of {name}", "1")


def check_prior(p: Any, name: str = "p") -> None:
    """Raise a ValueError unless p is a Prior."""
    if not isinstance(p, Prior):
        raise ValueError(f"{name} is {kind(p)}, expected a Prior, such as Prior(0.1, 0.1)")


def counts_of(z: ArrayLike, c: Corpus, K: int) -> tuple[Array, Array]:
    """The counts N_jk (D, K) and N_wk (W, K) of an assignment of topics to tokens.

    z (N,) has the topic of each token, from 0 below K, in the order of the rows; a row of count n has n entries.
    """
    token_corpus = c.tokens()
    z = np.asarray(z, np.int64)
    N_jk = np.bincount((token_corpus.j * K + z).astype(np.intp), minlength=c.D * K).reshape(c.D, K)
    N_wk = np.bincount((token_corpus.w * K + z).astype(np.intp), minlength=c.W * K).reshape(c.W, K)
    return N_jk.astype(np.float64), N_wk.astype(np.float64)


def mean_of_counts(N_jk: Array, N_wk: Array, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at counts.

    AWST09 (15), TNW06 (19), with sum_k alpha_k for K alpha and sum_w eta_w for W eta:

        theta_jk = (N_jk + alpha) / (N_j + K alpha)       phi_wk = (N_wk + eta) / (N_k + W eta)
    """
    theta_jk, phi_wk = plus_prior(p.alpha, N_jk), plus_prior(column(p.eta, N_wk), N_wk)
    theta_jk /= theta_jk.sum(-1, keepdims=True)  # AWST09 (15)
    phi_wk /= phi_wk.sum(0)  # AWST09 (15)
    return theta_jk, phi_wk


def plus_prior(a: Any, N: Array) -> Array:
    """The numerators of (15)."""
    return N + a  # AWST09 (15)


def normalised(x: Array, axis: int) -> Array:
    """x divided by its sum along an axis."""
    return x / x.sum(axis, keepdims=True)


def dirichlet(a: Array, axis: int, rng: np.random.Generator) -> Array:
    """Dirichlet draws along an axis: normalised Gamma variables, in logs because those of tiny shape underflow to 0.

    Gamma(a) is Gamma(a + 1) times the power 1/a of a uniform.
    """
    log_gamma_draws = np.log(rng.standard_gamma(a + 1)) - rng.standard_exponential(a.shape) / a
    gamma_draws = np.exp(log_gamma_draws - log_gamma_draws.max(axis, keepdims=True))
    return normalised(gamma_draws, axis)


def log_joint(z: Ints, theta_jk: Array, phi_wk: Array, c: Corpus, p: Prior) -> float:
    """log p(x, z, theta, phi | alpha, eta), in nats.

    z is as in `counts_of`. The rows of theta_jk (D, K) and the columns of phi_wk (W, K) sum to 1. It is TNW06 (1), with
    vectors for alpha and eta allowed, or an eta for each topic:

        prod_j [Gamma(K alpha) / Gamma(alpha)^K] prod_k theta_jk^(alpha - 1 + N_jk)
        prod_k [Gamma(W eta) / Gamma(eta)^W]     prod_w phi_wk^(eta - 1 + N_wk)

    >>> c = Corpus.from_documents([[0, 1]])
    >>> round(log_joint([0, 0], np.ones((1, 1)), np.full((2, 1), 0.5), c, Prior(1, 1)), 4)  # log 0.5 twice
    -1.3863
    """
    check_problem(c, p)
    theta_jk, phi_wk = finite(theta_jk, "theta_jk", (2,), "(D, K)"), finite(phi_wk, "phi_wk", (2,), "(W, K)")
    K = theta_jk.shape[1]
    if theta_jk.shape != (c.D, K) or phi_wk.shape != (c.W, K):
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape} and phi_wk {phi_wk.shape}, expected {(c.D, K)} and {(c.W, K)}"
        )
    if not (np.all(theta_jk >= 0) and np.all(phi_wk >= 0)):
        raise ValueError("theta_jk or phi_wk has a negative entry, expected probabilities")
    N_jk, N_wk = counts_of(checked_z(z, c.N, K), c, K)
    with np.errstate(invalid="ignore"):
        log_p = float(log_joint_of_counts(N_jk, N_wk, theta_jk, phi_wk, p))
    if np.isnan(log_p):  # at an entry of 0 the density is infinite where the prior is below 1, and 0 where a token is
        raise ValueError("theta_jk and phi_wk have entries of 0, where the density is 0 and infinite, expected others")
    return log_p


def log_joint_of_counts(N_jk: Array, N_wk: Array, theta_jk: Array, phi_wk: Array, p: Prior) -> Any:
    """TNW06 (1) as a function of the counts of z, which need not be whole numbers; in nats."""
    D, W, K = len(theta_jk), len(phi_wk), theta_jk.shape[-1]
    alpha, eta = p.arrays(K, W)
    documents_part = -D * log_B(alpha, 0) + xlogy(alpha - 1 + N_jk, theta_jk).sum((0, -1))
    log_normaliser = K * log_B(eta, 0) if eta.ndim == 1 else log_B(eta, 0).sum()
    topics_part = -log_normaliser + xlogy(column(eta, N_wk) - 1 + N_wk, phi_wk).sum((0, -1))
    return documents_part + topics_part  # TNW06 (1), SOL14 (10)(25)


def log_joint_collapsed(N_jk: Array, N_wk: Array, p: Prior) -> Any:
    """log p(x, z | alpha, eta) with theta and phi integrated out, in nats: a float, or (R,) with replicates.

    TNW06 (7), its first product over documents j, with vectors for alpha and eta allowed, or an eta for each topic:

        prod_j [Gamma(K alpha) / Gamma(K alpha + N_j)] prod_k [Gamma(alpha + N_jk) / Gamma(alpha)]
        prod_k [Gamma(W eta) / Gamma(W eta + N_k)]     prod_w [Gamma(eta + N_wk) / Gamma(eta)]

    It depends on z only through the counts N_jk (D, [R,] K) and N_wk (W, [R,] K). These need not be whole numbers: at
    the expected counts this function is a part of the bound of variational Bayes.

    >>> one = np.ones((1, 1))
    >>> log_joint_collapsed(one, one, Prior(0.1, 0.1))  # one token, one topic, one word: probability 1
    0.0
    """
    check_prior(p)
    N_jk, N_wk = checked_counts(N_jk, "N_jk", "D"), checked_counts(N_wk, "N_wk", "W")
    if N_jk.shape[1:] != N_wk.shape[1:]:
        raise ValueError(f"N_jk has shape {N_jk.shape} and N_wk {N_wk.shape}, expected (D, [R,] K) and (W, [R,] K)")
    K, W = N_jk.shape[-1], N_wk.shape[0]
    alpha, eta = p.arrays(K, W)
    return collapsed(
        gammaln(N_jk + alpha),
        gammaln(N_jk.sum(-1) + alpha.sum()),
        gammaln(N_wk + column(eta, N_wk)),
        gammaln(N_wk.sum(0) + eta.sum(0)),
        p,
    )


def collapsed(log_gamma_jk: Array, log_gamma_j: Array, log_gamma_wk: Array, log_gamma_k: Array, p: Prior) -> Any:
    """TNW06 (7) from log Gamma of each count plus its prior, or the energy in (12) from the expectations of these.

    In nats; a float, or an (R,) array. log Gamma is that of N_jk + alpha_k (D, [R,] K), N_j + sum_k alpha_k (D, [R]),
    N_wk + eta_w (W, [R,] K), and N_k + sum_w eta_w ([R,] K).
    """
    K, W = log_gamma_jk.shape[-1], log_gamma_wk.shape[0]
    alpha, eta = p.arrays(K, W)
    # Gamma(alpha + n) / Gamma(alpha) is formed first, so that a word or document without tokens adds exactly 0
    documents_part = (log_gamma_jk - gammaln(alpha)).sum(-1) - (log_gamma_j - gammaln(alpha.sum()))
    words_part = (log_gamma_wk - gammaln(column(eta, log_gamma_wk))).sum((0, -1))
    log_p = documents_part.sum(0) + words_part - (log_gamma_k - gammaln(eta.sum(0))).sum(-1)  # TNW06 (7), SOL14 (26)
    return float(log_p) if np.ndim(log_p) == 0 else log_p


def log_joint_of_documents(N_jk: Array, p: Prior) -> Array:
    """Each document's part of TNW06 (7), log B(alpha + N_j) - log B(alpha), in nats: (D, [R])."""
    alpha = np.broadcast_to(np.asarray(p.alpha), N_jk.shape[-1:])
    length_terms = gammaln(N_jk.sum(-1) + alpha.sum()) - gammaln(alpha.sum())
    return (gammaln(N_jk + alpha) - gammaln(alpha)).sum(-1) - length_terms  # TNW06 (7)


def log_B(a: Array, axis: int) -> Any:
    """log of prod Gamma(a) / Gamma(sum a)."""
    return gammaln(a).sum(axis) - gammaln(a.sum(axis))


def column(numbers: Any, template: Array) -> Any:
    """One number for each row of `template`, to be broadcast over topics and replicates.

    A single number stays as it is. A matrix, with a number for each row and topic, is broadcast over replicates.
    """
    numbers = np.asarray(numbers)
    if numbers.ndim == 2:
        return numbers.reshape(len(numbers), *(1,) * (template.ndim - 2), numbers.shape[1])
    return numbers.reshape(-1, *(1,) * (template.ndim - 1)) if numbers.ndim == 1 else numbers
