"""What ports with faults share."""

import numpy as np

from lda_reference.plain import Algorithm


def float32(x):
    return float(np.float32(x))


class Port(Algorithm):
    """Weights that are all 0 give uniform rows, and sweeps to a fixed point always end."""

    def normalised(self, x):
        return super().normalised(x) if sum(x) > 0 else [1 / self.K] * self.K

    def converged(self):
        """gamma when a sweep changes it by less than 1e-15, after 300 sweeps at most."""
        gamma = self.gamma
        for _ in range(300):
            old, gamma = gamma, self.one_sweep(gamma)
            if max(abs(a - b) for x, y in zip(old, gamma, strict=True) for a, b in zip(x, y, strict=True)) < 1e-15:
                break
        return {"gamma": gamma}
