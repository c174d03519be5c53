"""What the operations have in common that are not steps of a sweep: their given numbers, and their sums."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .arithmetic import Number, Row, added, digamma, log, log_gamma, mpf
from .evaluator import Evaluator


class Operation(Evaluator):
    """The evaluation of one case. A subclass has `answer`."""

    def start(self) -> list[Row]:
        """gamma of each row; none where the case gives no gamma."""
        return self.given("gamma", self.case["state"]) if "gamma" in self.case.get("state", ()) else []

    def given(self, name: str, of: Any = None) -> Any:
        """A number, a vector or a table of the case, in full precision."""
        return self.read((of or self.case)[name])

    def read(self, x: Any) -> Any:
        """Numbers, or nested lists of them, in full precision."""
        return [self.read(v) for v in x] if isinstance(x, list) else mpf(x)

    def sum(self, terms: Iterable[Number]) -> Number:
        """The sum of some terms."""
        return added(terms)

    def digamma(self, x: Number) -> Number:
        """Ψ(x)."""
        return digamma(x)

    def log_gamma(self, x: Number) -> Number:
        """log Gamma(x)."""
        return log_gamma(x)

    def log(self, x: Number) -> Number:
        """The natural logarithm."""
        return log(x)

    def column(self, table: list[Row], k: int) -> Row:
        """A column of a table."""
        return [row[k] for row in table]

    def of_document(self, j: int) -> list[int]:
        """The rows of document j."""
        return [i for i in range(self.M) if self.j[i] == j]

    def of_word(self, w: int) -> list[int]:
        """The rows of word w."""
        return [i for i in range(self.M) if self.w[i] == w]

    def topics_of_rows(self) -> list[list[int]]:
        """The topics of the tokens of each row, from the z of the state."""
        z, out = self.case["state"]["z"], []
        for n in self.case["corpus"]["n"]:
            out.append(list(z[:n]))
            z = z[n:]
        return out

    def counts_of_topics(self) -> tuple[list[Row], list[Row]]:
        """N_jk and N_wk of the z of the state."""
        N_jk = [[mpf(0)] * self.K for _ in range(self.D)]
        N_wk = [[mpf(0)] * self.K for _ in range(self.W)]
        for i, topics in enumerate(self.topics_of_rows()):
            for k in topics:
                N_jk[self.j[i]][k] += 1
                N_wk[self.w[i]][k] += 1
        return N_jk, N_wk
