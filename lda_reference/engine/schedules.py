"""The schedules: when the sums are refreshed.

- `token`: after each row. It is one loop, `sweep_tokens`.
- `interleaved`, of samplers that exclude a token: after each draw. First the first token of every document is drawn,
  then the second of every document, and so on. `speculation` makes the draws of both orders faster.
- `document`, `block`, `corpus`: after each document, after each of some groups of documents, after all rows. They are
  one loop over groups of documents, `in_place.sweep_groups`: all rows of a group are computed from the sums before it.
- `nested`: each document by itself to convergence, with the topics fixed. It has a module of its own.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Fixed, Statistic, Sums, column, statistic_of
from .update import DRAWN, Assign, Count, Term, itself, weights


def is_added(term: Term, number: Any, excludes: str) -> bool:
    """Whether the prior number is added to the sums of a term once, and not again for every row.

    A row's own tokens are then subtracted from a + S instead of S. With a prior number below 1e-3 the rounding of a + S
    would cost digits. Sums of draws stay whole numbers.
    """
    is_sum = term.additive and term.count != DRAWN
    return is_sum and excludes != "nothing" and float(np.min(number)) >= 1e-3


def sweep_rows(fixed: Fixed, S: Sums, gamma: Array, assign: Assign, c: Corpus) -> Array:
    """gamma after an update of each row in order, which refreshes the sums."""
    new = np.array(gamma)

    def put(i: int, x: Array) -> None:
        new[i] = assign(x)

    sweep_tokens(fixed, S, lambda count: statistic_of(count, new, fixed.given[count]), put, (c.j, c.w, c.n))
    return new


def sweep_tokens(
    fixed: Fixed, S: Sums, statistic: Callable[[Count], Statistic], put: Callable[[int, Array], None],
    rows: tuple[Ints, Ints, Ints],
) -> None:  # fmt: skip
    """Update rows (j, w, n) in order, and refresh the sums after each.

    `put(i, weights)` makes the new row i. `statistic(count)(i)` is the statistic of one of its tokens, old before `put`
    and new after it.
    """
    update, numbers, plus = fixed.update, fixed.numbers, np.add
    nothing, token = update.excludes == "nothing", update.excludes == "token"
    columns = (numbers.alpha, column(numbers.eta, S.wk), numbers.W_eta)
    added = [is_added(term, x, update.excludes) for term, x in zip(update.terms, columns, strict=True)]
    sides = list(zip(added, update.terms, columns, S, strict=True))
    S_jk, S_wk, S_k = (term.value(x, sum_) if is_in else sum_ for is_in, term, x, sum_ in sides)
    value_j, value_w, value_k = (itself if is_in else term.value for is_in, term, *_ in sides)
    remove_j, remove_w, remove_k = (np.subtract if is_in else term.count.remove for is_in, term, *_ in sides)
    counts = list(dict.fromkeys(fixed.counts))  # the statistic of each is computed once
    statistics = [statistic(count) for count in counts]
    of_j, of_w, of_k = (counts.index(count) for count in fixed.counts)
    alpha, W_eta = numbers.alpha, numbers.W_eta
    # lists are faster to index than arrays, and arrays are faster to multiply with than numbers
    eta = [numbers.eta] * len(S.wk) if numbers.eta.ndim == 0 else list(numbers.eta.reshape(len(S.wk), -1))
    factor = {n: np.asarray(float(n)) for n in np.unique(rows[2]).tolist()}
    rows_jk, rows_wk = list(S_jk), list(S_wk)
    for i, (j, w, n) in enumerate(zip(*(x.tolist() for x in rows), strict=True)):
        S_j, S_w = rows_jk[j], rows_wk[w]
        one = [statistic_of_row(i) for statistic_of_row in statistics]
        all_n = one if n == 1 else [factor[n] * x for x in one]
        rest_j, rest_w, rest_k = remove_j(S_j, all_n[of_j]), remove_w(S_w, all_n[of_w]), remove_k(S_k, all_n[of_k])
        if nothing:
            seen_j, seen_w, seen_k = S_j, S_w, S_k
        elif token and n > 1:
            seen_j, seen_w, seen_k = remove_j(S_j, one[of_j]), remove_w(S_w, one[of_w]), remove_k(S_k, one[of_k])
        else:
            seen_j, seen_w, seen_k = rest_j, rest_w, rest_k
        put(i, weights(update, value_j(alpha, seen_j), value_w(eta[w], seen_w), value_k(W_eta, seen_k)))
        new = [statistic_of_row(i) for statistic_of_row in statistics]
        all_n = new if n == 1 else [factor[n] * x for x in new]
        plus(rest_j, all_n[of_j], S_j)  # S_j, S_w and S_k are views: this refreshes the sums
        plus(rest_w, all_n[of_w], S_w)
        plus(rest_k, all_n[of_k], S_k)
