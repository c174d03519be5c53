"""Checks of the arguments that several functions of evaluation take."""

from ..arguments import check_distributions, numbers
from ..corpus import Corpus
from ..model import Array


def checked_estimates(c: Corpus, theta_jk: Array, phi_wk: Array) -> tuple[Array, Array]:
    """theta_jk and phi_wk as they are, after a check that they are distributions and fit the corpus.

    They are (D, K) and (W, K), or (D, S, K) and (W, S, K). Otherwise a ValueError says what is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> checked_estimates(Corpus.from_documents([[0, 1]]), np.array([[0.5, 0.4]]), np.eye(2))
    Traceback (most recent call last):
    ...
    ValueError: theta_jk[0] adds up to 0.9, expected 1
    """
    theta_jk, phi_wk = numbers(theta_jk, "theta_jk"), numbers(phi_wk, "phi_wk")
    fits = theta_jk.ndim in (2, 3) and theta_jk.shape[:1] + phi_wk.shape[:1] == (c.D, c.W)
    if not fits or theta_jk.shape[1:] != phi_wk.shape[1:]:
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape} and phi_wk {phi_wk.shape}, expected {c.D} documents, {c.W} words and"
            " the same topics"
        )
    check_distributions(theta_jk, "theta_jk", -1)
    check_distributions(phi_wk, "phi_wk", 0)
    return theta_jk, phi_wk
