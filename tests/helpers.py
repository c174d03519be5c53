"""What several test modules share."""

import math


def autoregressive(rng, rho, shape):
    """A stationary chain along axis 0 with variance 1 and correlation rho^t at lag t."""
    x = rng.normal(size=shape)
    for t in range(1, shape[0]):
        x[t] = rho * x[t - 1] + math.sqrt(1 - rho**2) * x[t]
    return x
