"""Running sums: an algorithm adds its sums up before each sweep and then changes them, as most implementations do."""

from __future__ import annotations

from .numbers import Floats, Number
from .problem import Case, Row, Rows
from .sweeps import Algorithm

PARTS = ("document", "word", "topic")


class Running(Algorithm):
    """N_jk, N_wk, N_k and V_jk, V_wk, V_k, changed by the rows that have changed since the last weight.

    A corpus of many rows takes too long with sums that are counted again for each weight.
    """

    def __init__(self, case: Case, numbers: Floats) -> None:
        self.added_up: Rows = []  # the gamma whose sums are kept
        # For each document, each word and the corpus: the sums of gamma and of gamma (1 - gamma), topic by topic
        self.sums: dict[tuple[str, int], tuple[Row, Row]] = {}
        super().__init__(case, numbers)

    def place(self, part: str, i: int) -> tuple[str, int]:
        """Where the sums of row i are: in its document, its word or the corpus."""
        return part, self.j[i] if part == "document" else self.w[i] if part == "word" else 0

    def one_sweep(self, gamma: Rows) -> Rows:
        self.added_up, self.sums = [], {}
        return super().one_sweep(gamma)

    def refresh(self, gamma: Rows) -> None:
        """Change the sums by each row that is not the same list as before."""
        if gamma is self.added_up:
            return
        if not self.added_up:
            self.added_up = self.zeros(len(gamma))
        for i, (old_row, new_row) in enumerate(zip(self.added_up, gamma, strict=True)):
            if new_row is not old_row:
                for part in PARTS:
                    N, V = self.sums.setdefault(self.place(part, i), (self.zeros(1)[0], self.zeros(1)[0]))
                    for k in range(self.K):
                        N[k] += self.n[i] * (new_row[k] - old_row[k])
                        V[k] += self.n[i] * (new_row[k] * (1 - new_row[k]) - old_row[k] * (1 - old_row[k]))
        self.added_up = gamma

    def N(self, part: str, gamma: Rows, i: int, k: int) -> Number:
        self.refresh(gamma)
        return self.sums[self.place(part, i)][0][k] - self.excluded(part, i, i) * gamma[i][k]  # TNW06 (16)

    def V(self, part: str, gamma: Rows, i: int, k: int) -> Number:
        self.refresh(gamma)
        own_variance = self.excluded(part, i, i) * gamma[i][k] * (1 - gamma[i][k])
        return self.sums[self.place(part, i)][1][k] - own_variance  # TNW06 (16)
