"""The counts N_jk, N_wk and N_k, gamma of drawn topics, posterior means, Dirichlet draws and the entropy."""

import math
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from ..corpus import Corpus, Ints
from ..model import Array, Prior, column, mean_of_counts
from .state import State
from .update import Sums


def sum_rows(x: Array, n: Array, group_of_row: Ints, group_count: int) -> Array:
    """(group_count, ...) sums of the rows of x (M, ...), each times its n, over the rows of each group."""
    M = len(group_of_row)
    if np.all(group_of_row[1:] >= group_of_row[:-1]):  # as for documents: this takes less time
        group_starts = np.searchsorted(group_of_row, np.arange(group_count + 1))
        sum_matrix = csr_array((n, np.arange(M), group_starts), shape=(group_count, M))
    else:
        sum_matrix = csc_array((n, group_of_row, np.arange(M + 1)), shape=(group_count, M))
    return summed(sum_matrix, x)


def summed(matrix: Any, x: Array) -> Array:
    """The product of a sparse array (size, M) with the rows x (M, ...)."""
    return (matrix @ flat_rows(x)).reshape(matrix.shape[0], *x.shape[1:])


def sum_all(x: Array) -> Array:
    """The sum of the rows of x (M, ...), in double precision. A product, because NumPy is slow to add short rows."""
    blocks = [x] if x.dtype == np.float64 else np.array_split(x, x.size // 2**16 + 1)  # a product copies other numbers
    return np.sum([np.ones(len(block)) @ flat_rows(block) for block in blocks], 0).reshape(x.shape[1:])


def flat_rows(x: Array) -> Array:
    """Each row of x as a vector, even if there are no rows."""
    return x.reshape(len(x), math.prod(x.shape[1:]))


def sums(gamma: Array, c: Corpus) -> Sums:
    """The counts N_jk (D, K), N_wk (W, K) and N_k (K,), expected or drawn, rebuilt from gamma."""
    n = c.n.astype(gamma.dtype)
    N_jk, N_wk = (sum_rows(gamma, n, index, size).astype(np.float64) for index, size in ((c.j, c.D), (c.w, c.W)))
    return Sums(N_jk, N_wk, sum_all(N_wk))


def sums_of(s: State, c: Corpus) -> Sums:
    """The counts of a state. Its gamma is not made if they are known without it."""
    recipe = s.recipe
    is_known = recipe and (recipe.c is c or all(np.array_equal(getattr(recipe.c, f), getattr(c, f)) for f in "jwnDW"))
    return recipe.sums if recipe and is_known else sums(s.gamma, c)


def mean_one_hot(z: Ints, c: Corpus, K: int) -> Array:
    """gamma of a sampler: for each row, the fraction of its tokens in each topic."""
    if c.M == c.N:
        return np.eye(K).take(z, 0)
    replicate_index: Any = np.arange(z[0].size).reshape(z.shape[1:])
    row_of_token: Any = np.repeat(np.arange(c.M), c.n.astype(np.intp)).reshape(-1, *(1,) * replicate_index.ndim)
    cell_index = ((row_of_token * replicate_index.size + replicate_index) * K + z).ravel().astype(np.intp)
    gamma: Any = np.bincount(cell_index, np.ones(z.size), c.M * replicate_index.size * K).reshape(c.M, *z.shape[1:], K)
    gamma /= column(c.n, gamma)
    return np.asarray(gamma)


def posterior_mean(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at the (expected) counts of a state."""
    return mean_of_counts(*sums_of(s, c)[:2], p)


def entropy(gamma: Array | State, c: Corpus) -> Any:
    """H(q(z)) = - sum over tokens of sum_k gamma log gamma, of gamma or of a state, in nats; (R,) with replicates."""
    H: Any = 0.0
    for block, gamma_rows in (gamma if isinstance(gamma, State) else State(gamma)).blocks():
        log_gamma = np.log(gamma_rows, out=np.zeros_like(gamma_rows), where=gamma_rows > 0)
        H = H - np.einsum("m,m...k,m...k->...", c.n[block].astype(np.float64), gamma_rows, log_gamma)
    return H
