"""A problem, which is the corpus, the prior, gamma and the numbers, and the counts that an update sees.

    N_jk, N_wk, N_k     the expected number of tokens of topic k in document j, of word w, in the corpus
    V_jk, V_wk, V_k     the variances of these numbers
    n_jk, n_wk, n_k     these numbers themselves, which are random: each token has topic k with probability
                        gamma_k, independently of the others

`part` says which of the three it is: "document" is jk, "word" is wk and "topic" is k. Each quantity of the papers is a
short method, so that a subclass can replace it by its name. A case is a dict, as the guide of the test vectors says.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from fractions import Fraction
from operator import attrgetter
from typing import Any

from .numbers import Floats, Number

Row = list[Number]
Rows = list[Row]
Case = dict[str, Any]
Answer = dict[str, Any]


def _of_numbers(function_name: str) -> Any:
    """A function of the numbers of a problem as a method of the problem, which a subclass can replace."""
    return property(attrgetter(f"numbers.{function_name}"))


class Problem:
    """The corpus, the prior and gamma of a case, as numbers of one kind.

    D, W, K and M are the numbers of documents, words, topics and rows. Of each row, j, w and n have the document, the
    word and the count. alpha is a list (K), and eta (W, K); a single number or a vector is the same for all topics.
    `sum_alpha` and `sum_eta` (K) are the sums of alpha over topics and of eta over words. gamma is (M, K).
    """

    def __init__(self, case: Case, numbers: Floats) -> None:
        corpus = case["corpus"]
        self.case, self.numbers, self.K, self.D, self.W = case, numbers, case["K"], corpus["D"], corpus["W"]
        self.j, self.w, self.n = list(corpus["j"]), list(corpus["w"]), list(corpus["n"])
        self.M = len(self.n)
        self.take(*self.prior())
        self.gamma = self.start()

    def take(self, alpha: Row, eta: Rows) -> None:
        """Set the prior and its sums."""
        self.alpha, self.eta = alpha, eta
        self.sum_alpha = self.sum(alpha)
        self.sum_eta = [self.sum(self.column(eta, k)) for k in range(self.K)]

    def prior(self) -> tuple[Row, Rows]:
        """alpha_k and eta_wk; a single number stands for all entries."""
        alpha, eta = self.case["prior"]["alpha"], self.case["prior"]["eta"]
        eta_rows = eta if isinstance(eta, list) else [eta] * self.W
        return self.vector(alpha, self.K), [self.vector(e, self.K) for e in eta_rows]

    def vector(self, x: Any, size: int) -> Row:
        """A vector as it is; a number as often as it is needed."""
        return self.read(x) if isinstance(x, list) else [self.number(x)] * size

    def start(self) -> Rows:
        """gamma of each row, or the fraction of its tokens in each topic; [] if the case has neither."""
        state = self.case.get("state", {})
        if "z" in state:
            return [[self.number(z.count(k)) / len(z) for k in range(self.K)] for z in self.topics_of_rows()]
        return self.read(state["gamma"]) if "gamma" in state else []

    def topics_of_rows(self) -> list[list[int]]:
        """The topics of the tokens of each row."""
        z = iter(self.case["state"]["z"])
        return [[next(z) for _ in range(n)] for n in self.case["corpus"]["n"]]

    def counts_of_topics(self, documents: Container[int]) -> tuple[Rows, Rows]:
        """N_jk and N_wk of the topics of the tokens in some documents."""
        N_jk, N_wk = self.zeros(self.D), self.zeros(self.W)
        for i, topics in enumerate(self.topics_of_rows()):
            for k in topics if self.j[i] in documents else ():
                N_jk[self.j[i]][k] += 1
                N_wk[self.w[i]][k] += 1
        return N_jk, N_wk

    # Numbers

    def number(self, x: Any) -> Number:
        """A number; a text such as "1/10" is one, too."""
        return self.numbers.number(Fraction(x) if isinstance(x, str) else x)

    def read(self, x: Any) -> Any:
        """Numbers from nested lists of them."""
        return [self.read(v) for v in x] if isinstance(x, list) else self.number(x)

    def given(self, name: str) -> Any:
        """A number, a vector or a table of the case."""
        return self.read(self.case[name])

    def zeros(self, rows: int) -> Rows:
        return [[self.number(0)] * self.K for _ in range(rows)]

    sum, log, exp = map(_of_numbers, ("sum", "log", "exp"))
    digamma, log_gamma, positive = map(_of_numbers, ("digamma", "log_gamma", "positive"))

    def exp_digamma(self, x: Number) -> Number:
        return self.exp(self.digamma(x))

    def normalised(self, x: Row) -> Row:
        x_sum = self.sum(x)
        return [v / x_sum for v in x]

    def column(self, table: Rows, k: int) -> Row:
        return [row[k] for row in table]

    def by_columns(self, f: Callable[[Row], Row], table: Rows) -> Rows:
        """A table (W, K), each column of which is a function of the same column of a table."""
        new_columns = [f(self.column(table, k)) for k in range(self.K)]
        return [list(row) for row in zip(*new_columns, strict=True)]

    # Rows

    def of_document(self, j: int) -> list[int]:
        return [i for i in range(self.M) if self.j[i] == j]

    def of_word(self, w: int) -> list[int]:
        return [i for i in range(self.M) if self.w[i] == w]


class Counts(Problem):
    """The sums in the update of row i."""

    prior_offset = 0  # what the update subtracts from alpha and from each number of eta, which must be larger
    excludes = "token"  # what a row does not see in the sums: one of its tokens, all of them ("type") or "nothing"

    def rows(self, part: str, i: int) -> list[int]:
        """The rows of the document of row i, of its word, or of the corpus."""
        if part == "document":
            return self.of_document(self.j[i])
        return self.of_word(self.w[i]) if part == "word" else list(range(self.M))

    def excluded(self, part: str, i: int, r: int) -> Number:
        """The number of tokens of row r that the sums leave out; a fraction of a token is left out whole."""
        if r != i or self.excludes == "nothing":
            return 0
        return min(1, self.n[r]) if self.excludes == "token" else self.n[r]

    def left(self, part: str, i: int) -> list[tuple[int, Any]]:
        """Each row and how many of its tokens remain."""
        return [(r, self.n[r] - self.excluded(part, i, r)) for r in self.rows(part, i)]

    def N(self, part: str, gamma: Rows, i: int, k: int) -> Number:
        """N_jk, N_wk or N_k."""
        return self.sum(n * gamma[r][k] for r, n in self.left(part, i))  # TNW06 (16)

    def V(self, part: str, gamma: Rows, i: int, k: int) -> Number:
        """V_jk, V_wk or V_k."""
        return self.sum(n * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i))  # TNW06 (16)

    def distribution(self, trials: list[tuple[Number, int]]) -> Row:
        """The distribution of a count: each pair is a probability and the number of tokens that have it."""
        p = [self.number(1)]
        for g, n in trials:
            for _ in range(n):
                p = [p[0] * (1 - g), *(p[m] * (1 - g) + p[m - 1] * g for m in range(1, len(p))), p[-1] * g]
        return p  # TNW06 App. A

    def expectation(self, f: Callable[[int], Number], p: Row) -> Number:
        """E[f(n)] of a count n with the distribution p."""
        return self.sum(q * f(n) for n, q in enumerate(p))

    def count(self, part: str, gamma: Rows, i: int, k: int) -> Row:
        """The distribution of n_jk, n_wk or n_k."""
        return self.distribution([(gamma[r][k], n) for r, n in self.left(part, i)])

    def E_log(self, part: str, a: Number, gamma: Rows, i: int, k: int) -> Number:
        """E[log(a + n)]."""
        return self.expectation(lambda n: self.log(a + n), self.count(part, gamma, i, k))

    def E_inverse(self, part: str, a: Number, gamma: Rows, i: int, k: int) -> Number:
        """E[1 / (a + n)]."""
        return self.expectation(lambda n: 1 / (a + n), self.count(part, gamma, i, k))

    def W_eta(self, i: int, k: int) -> Number:
        """The sum of eta over words, in the update of row i."""
        return self.sum_eta[k]

    def eta_of(self, i: int, k: int) -> Number:
        """eta of the word of row i."""
        return self.eta[self.w[i]][k]
