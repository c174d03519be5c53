"""The counts that an update sees: their means, their variances and their distributions, without what is excluded.

    N_jk, N_wk, N_k     the expected number of tokens of topic k in document j, of word w, in the corpus
    V_jk, V_wk, V_k     the variances of these numbers
    n_jk, n_wk, n_k     these numbers themselves, which are random: each token has topic k with probability
                        gamma_k, independently of the others

Every sum is counted again whenever it is asked for. `part` says which of the three it is: "document" is jk, "word" is
wk and "topic" is k.
"""

from __future__ import annotations

from collections.abc import Callable

from .numbers import Number
from .problem import Problem, Row


class Counts(Problem):
    """The sums in the update of row i."""

    excludes = "token"  # what a row does not see in the sums: one of its tokens, all of them ("type") or "nothing"

    def rows(self, part: str, i: int) -> list[int]:
        """The rows of the document of row i, of its word, or of the corpus."""
        if part == "document":
            return self.of_document(self.j[i])
        return self.of_word(self.w[i]) if part == "word" else list(range(self.M))

    def excluded(self, part: str, i: int, r: int) -> int:
        """The number of tokens of row r that the sums leave out."""
        if r != i or self.excludes == "nothing":
            return 0
        return 1 if self.excludes == "token" else int(self.n[r])

    def left(self, part: str, i: int) -> list[tuple[int, int]]:
        """Each row and how many of its tokens remain."""
        return [(r, self.n[r] - self.excluded(part, i, r)) for r in self.rows(part, i)]

    def N(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """N_jk, N_wk or N_k."""
        return self.sum(n * gamma[r][k] for r, n in self.left(part, i))  # TNW06 (16)

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """V_jk, V_wk or V_k."""
        return self.sum(n * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i))  # TNW06 (16)

    def distribution(self, trials: list[tuple[Number, int]]) -> Row:
        """The distribution of a count: each pair is a probability and the number of tokens that have it."""
        p = [self.number(1)]
        for g, tokens in trials:
            for _ in range(tokens):
                p = [p[0] * (1 - g), *(p[m] * (1 - g) + p[m - 1] * g for m in range(1, len(p))), p[-1] * g]
        return p  # TNW06 App. A

    def expectation(self, f: Callable[[int], Number], p: Row) -> Number:
        """E[f(n)] of a count n with the distribution p."""
        return self.sum(q * f(n) for n, q in enumerate(p))

    def count(self, part: str, gamma: list[Row], i: int, k: int) -> Row:
        """The distribution of n_jk, n_wk or n_k."""
        return self.distribution([(gamma[r][k], n) for r, n in self.left(part, i)])

    def E_log(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        """E[log(a + n)]."""
        return self.expectation(lambda n: self.log(a + n), self.count(part, gamma, i, k))

    def E_inverse(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        """E[1 / (a + n)]."""
        return self.expectation(lambda n: 1 / (a + n), self.count(part, gamma, i, k))

    def W_eta(self, i: int, k: int) -> Number:
        """The sum of eta over words, in the update of row i."""
        return self.sum_eta[k]

    def eta_of(self, i: int, k: int) -> Number:
        """eta of the word of row i."""
        return self.eta[self.w[i]][k]
