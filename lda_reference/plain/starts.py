"""The starts: where gamma begins, from the random numbers of a case.

- `one-hot`: gamma_k of a row is the fraction of its tokens with topic k. The case gives z.
- `topics`: gamma_k of a row is proportional to phi_wk of its word. phi_wk is proportional to `weights_wk`, over words.
- `documents`: the same, and phi_wk is proportional to 1 plus the number of tokens of word w in `documents[k]`.
- `incremental`: no row has a topic at first. Each row in order gets a topic, drawn with its uniform from the weights of
  CVB0 with nothing excluded. They see the rows of the documents before its own.
- `collapsed`: ten sweeps of CVB0 from the gamma of the case, or as many as it says, the sums refreshed after each
  document.
- `growing`: CVB0 on parts of the corpus, the first D / 2^i documents (rounded up) of `order`, for i = 6, 5, ..., 1.
  `first` is gamma of the rows of the first part. A part takes four sweeps as if it were the whole corpus. Then the
  rows of the next documents, up to D / 2^(i-1), get a gamma proportional to phi_wk, the posterior mean of the part.
- `anneal`: S sweeps of the algorithm `of` from the gamma of the case. In sweep s = 0, ..., S - 1 a number a of the
  prior is a (top / a)^(1 - s / S), or a itself if it is not below `top`. Of `map`, a is the number less 1.

The package refreshes the sums after each of 32 blocks of whole documents, in `growing` of 8; so does this text with the
schedule `block`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .numbers import Floats, Number
from .problem import Answer, Case, Row, Rows
from .sweeps import Algorithm
from .updates import CVB0, Smoothed


class Start(Algorithm):
    """The gamma of a start."""

    begun: Callable[[], Rows]  # gamma of each row

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__({"schedule": "document"} | case, numbers)

    def start(self) -> Rows:
        """Before a start there is no gamma: no row has a topic."""
        return self.zeros(self.M)

    def answer(self) -> Answer:
        return {"gamma": self.begun()}


class OneHot(Start):
    """The fraction of a row's tokens in each topic."""

    def begun(self) -> Rows:
        topics_of_rows = [self.topics(z) for z in self.topics_of_rows()]
        return [self.normalised([self.number(z.count(k)) for k in range(self.K)]) for z in topics_of_rows]

    def topics(self, z: list[int]) -> list[int]:
        """The topics of a row's tokens."""
        return z


class Topics(Start):
    """gamma proportional to phi_wk, the given weights divided by their sum over words."""

    def weights_wk(self) -> Rows:
        """Numbers that phi_wk is proportional to."""
        return self.given("weights_wk")

    def pseudo_eta(self) -> tuple[Rows, Row]:
        return self.zeros(self.W), self.zeros(1)[0]

    def begun(self) -> Rows:
        weights_wk = self.weights_wk()
        phi = self.phi(weights_wk, [self.sum(self.column(weights_wk, k)) for k in range(self.K)])
        return [self.normalised(phi[w]) for w in self.w]


class Documents(Topics):
    """gamma proportional to phi_wk, the counts of the document of topic k plus 1."""

    def weights_wk(self) -> Rows:
        N_wk = self.zeros(self.W)
        for k, document in enumerate(self.case["documents"]):
            for i in self.of_document(document):
                N_wk[self.w[i]][k] += self.n[i]
        return N_wk

    def pseudo_eta(self) -> tuple[Rows, Row]:
        """What is added to each count, and its sum over words."""
        return [[self.number(1)] * self.K] * self.W, [self.number(self.W)] * self.K


class Incremental(Start, Smoothed):
    """A topic drawn for each row, from the sums of the documents before its own."""

    excludes = "nothing"

    def begun(self) -> Rows:
        return self.one_sweep(self.gamma)

    def assigned(self, weights: Row, i: int) -> Row:
        return self.certain(self.drawn(weights, self.number(self.case["uniforms"][i])))


class Collapsed(Start, CVB0):
    """Sweeps of CVB0."""

    def start(self) -> Rows:
        return CVB0.start(self)

    def begun(self) -> Rows:
        return self.swept_often(self.case.get("sweeps", 10))


class Growing(Start, CVB0):
    """CVB0 on growing parts. Until its document is in a part, gamma of a row is 0: all sums are those of the part."""

    sweeps_of_part = 4

    def start(self) -> Rows:
        self.doublings = self.case.get("doublings", 6)  # the part is a share of 2^-doublings of the documents
        gamma = super().start()
        for i, first_gamma in zip(self.rows_of(self.part(self.doublings)), self.given("first"), strict=True):
            gamma[i] = first_gamma
        return gamma

    def size(self, doublings: int) -> int:
        """The number of documents in a share of 2^-doublings."""
        return -(-self.D // 2**doublings)

    def part(self, doublings: int) -> list[int]:
        """The documents of a share of 2^-doublings."""
        return self.case["order"][: self.size(doublings)]

    def rows_of(self, documents: list[int]) -> list[int]:
        return [i for i in range(self.M) if self.j[i] in documents]

    def swept(self) -> Sequence[int]:
        return self.rows_of(self.part(self.doublings))

    def begun(self) -> Rows:
        for doublings in range(self.doublings, 0, -1):
            self.doublings = doublings
            self.gamma = self.swept_often(self.sweeps_of_part)
            self.grow()
        return self.gamma

    def grow(self) -> None:
        """Set the rows of the next documents."""
        phi = self.phi(*self.counts()[1:])
        for i in self.next_rows():
            self.gamma[i] = self.normalised(phi[self.w[i]])

    def next_rows(self) -> list[int]:
        """The rows of the next part that are not in this part."""
        part_documents = self.part(self.doublings)
        return self.rows_of([j for j in self.part(self.doublings - 1) if j not in part_documents])


class Anneal(Start):
    """Sweeps of an algorithm, which `class_of` adds, while the prior falls."""

    def start(self) -> Rows:
        return Algorithm.start(self)

    def begun(self) -> Rows:
        alpha, eta = self.alpha, self.eta
        for sweeps_left in range(self.case["sweeps"], 0, -1):
            self.take([self.higher(a, sweeps_left) for a in alpha], self.annealed_eta(eta, sweeps_left))
            self.gamma = self.one_sweep(self.gamma)
        return self.gamma

    def annealed_eta(self, eta: Rows, sweeps_left: int) -> Rows:
        """eta of the sweep that is the first of the last `sweeps_left`."""
        return [[self.higher(e, sweeps_left) for e in row] for row in eta]

    def higher(self, a: Number, sweeps_left: int) -> Number:
        """A number of the prior in this sweep."""
        offset = self.offset()
        if self.stays(a - offset):
            return a
        return self.between(a - offset, self.part(sweeps_left)) + offset

    def offset(self) -> Number:
        """What the updates subtract from the prior."""
        return self.number(self.prior_offset)

    def stays(self, a: Number) -> bool:
        """Whether a number does not change."""
        return self.numbers.at_most(self.given("top"), a)

    def part(self, sweeps_left: int) -> Number:
        """How much of the way to `top` remains."""
        return self.number(sweeps_left) / self.case["sweeps"]

    def between(self, a: Number, fraction: Number) -> Number:
        """The number at a fraction of the way from a to `top`."""
        return a * self.numbers.power(self.given("top") / a, fraction)


STARTS: dict[str, type[Start]] = {
    "one-hot": OneHot, "topics": Topics, "documents": Documents, "incremental": Incremental, "collapsed": Collapsed,
    "growing": Growing, "anneal": Anneal,
}  # fmt: skip
