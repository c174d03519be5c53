"""What several tests share."""

import math
import re

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.priors.evidence import Counts, FixedCounts


def refused(message):
    """A ValueError with a message that begins like this."""
    return pytest.raises(ValueError, match=f"^{re.escape(message)}")


def random_state(seed, c, K):
    """A state whose gamma is drawn from flat Dirichlets."""
    return lda.State(np.random.default_rng(seed).dirichlet(np.ones(K), size=c.M))


def fixed_counts(n):
    """Counts of groups by components that are known."""
    n = np.asarray(n, float)
    return Counts(FixedCounts(n), FixedCounts(n.sum(1)[:, None]))


def polya_counts(seed, S=4, groups=40):
    """Known counts of groups that are drawn from a Dirichlet distribution of their own each."""
    rng = np.random.default_rng(seed)
    a = np.exp(rng.normal(size=S))
    return fixed_counts([rng.multinomial(rng.integers(1, 30), rng.dirichlet(a)) for _ in range(groups)])


def plain_log_B(x):
    """log B(x) of one vector, by the standard library."""
    return math.fsum(map(math.lgamma, x)) - math.lgamma(math.fsum(x))


def log_grid(N, low, high, step):
    """Points of a box in log coordinates, and the logarithm of their weights."""
    u = np.arange(low, high + step / 2, step)
    points = np.stack(np.meshgrid(*[u] * N, indexing="ij"), -1)
    return np.exp(points), points.sum(-1) + N * np.log(step)
