"""The `corpus` schedule over other processes or machines: Parallel-CVB0, AWST09 §5, and the like.

In `corpus` order every row is updated from the old sums, so the rows can be split into parts, and the parts can be
updated anywhere, by any `concurrent.futures.Executor`. The caller computes the sums. A worker receives the rows of a
part, their gamma and the sums, returns their new gamma, and keeps nothing.

Parts begin where blocks of rows begin, so the result is that of a sweep without an executor to the last bit. In
`cvb_exact`, `cvb1` and at priors so small that weights vanish it is the same to rounding, because there a table of the
documents of a part can be rounded differently from one of all documents.

gamma travels to the workers and back in each sweep, which takes most of the time where an update costs little. Threads
share memory and need none of this, so use threads on one machine.
"""

from concurrent.futures import Executor

import numpy as np

from ..corpus import Corpus
from ..model import Array
from .counts import NOTHING_KNOWN, Fixed, Sums, blocks_of, statistic_of, total
from .schedules import put_into, sweep_blocks
from .update import Assign

PARTS = 16  # the largest number of parts of a corpus


def split(fixed: Fixed, gamma: Array, c: Corpus) -> list[slice]:
    """The rows of a corpus in at most `PARTS` parts of whole blocks."""
    statistics = (statistic_of(x, gamma, given) for x, given in fixed.given.items())
    return parts_of(list(blocks_of(slice(0, c.M), *statistics)))


def parts_of(blocks: list[slice]) -> list[slice]:
    """Neighbouring blocks of rows together, in at most `PARTS` parts."""
    size = -(-len(blocks) // PARTS)
    return [slice(some[0].start, some[-1].stop) for some in (blocks[i : i + size] for i in range(0, len(blocks), size))]


def updated(fixed: Fixed, S: Sums, gamma: Array, c: Corpus, assign: Assign) -> Array:
    """The new gamma of the rows of a part, which a worker computes."""
    new = np.empty_like(gamma)
    sweep_blocks(fixed, S, gamma, new, put_into(new, assign), c, 1)
    return new


def sweep(fixed: Fixed, gamma: Array, c: Corpus, assign: Assign, executor: Executor) -> Array:
    """gamma after a sweep in `corpus` order by the workers of an executor."""
    S, futures = total(fixed, gamma, c), []
    for rows in split(fixed, gamma, c):
        documents = slice(int(c.j[rows.start]), int(c.j[rows.stop - 1]) + 1)
        D = documents.stop - documents.start
        part = Corpus(c.j[rows] - documents.start, c.w[rows], c.n[rows], D, c.W, None, c.fractions)
        given = {count: x[rows] if count.draws else x for count, x in fixed.given.items()}
        here = fixed._replace(given=given, known=NOTHING_KNOWN)  # what is known is in the sums
        sums = S._replace(jk=S.jk[documents])
        futures.append(executor.submit(updated, here, sums, gamma[rows], part, assign))
    return np.concatenate([future.result() for future in futures])
