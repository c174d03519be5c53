"""Fixed points with a proof: there is exactly one in a box around the end of the sweeps (Krawczyk 1969).

Let F be one sweep and g(x) = x - F(x), with x = gamma. For a box X around m, and Y near the inverse of g'(m), the box

    K(X) = m - Y g(m) + (1 - Y g'(X)) (X - m)

contains every zero of g in X. If K(X) lies in the interior of X, there is exactly one. The derivatives are those of the
plain text in dual numbers over balls.
"""

import itertools

from flint import arb, arb_mat

from lda_reference.plain import algorithm
from lda_reference.plain.sweeps import Algorithm

from .duals import Duals
from .rounding import Midpoints, difference

SIDE = arb(2) ** -150  # half the side of the box: the sweeps end within 1e-30, and Newton's step squares that
SLOWEST = 0.8  # the factor by which a sweep must reduce its change, for ports that sweep until gamma changes little


class Timed(Algorithm):
    """Notes how fast the sweeps come to their end."""

    changes: list[float]  # the largest change of gamma in each sweep

    def settled(self, old, new):
        self.changes = [*getattr(self, "changes", []), difference(old, new)]
        return super().settled(old, new)


def proved_fixed_point(case):
    """gamma in balls at the fixed point of a case; a ValueError if it is reached slowly, or not proved to be one."""
    numbers = Midpoints()
    with numbers.precision():
        sweeps = algorithm(case, numbers, Timed)
        end = sweeps.answer()["gamma"]
        if sweeps.changes[-1] > SLOWEST * sweeps.changes[-2]:
            raise ValueError(f"{case['id']}: a sweep reduces its change by less than a factor of {SLOWEST}")
        m = arb_mat([[x] for x in itertools.chain(*end)])
        F, slope = swept(case, m)
        unit = arb_mat([[int(a == b) for b in range(m.nrows())] for a in range(m.nrows())])
        Y = middle((unit - slope).inv())
        m = middle(m - Y * (m - F))  # Newton's step
        box = arb_mat([[arb(x, SIDE)] for x in m.entries()])
        F, slope = swept(case, m)[0], swept(case, box)[1]
        inside = m - Y * (m - F) + (unit - Y * (unit - slope)) * (box - m)
        if not all(x.contains_interior(y) for x, y in zip(box.entries(), inside.entries(), strict=True)):
            raise ValueError(f"{case['id']}: it is not proved that there is a fixed point")
        return {"gamma": rows_of(inside.entries(), case["K"])}


def swept(case, gamma):
    """F(gamma) and F'(gamma)."""
    numbers = Duals(gamma.nrows())
    variables = [numbers.variable(i, x) for i, x in enumerate(gamma.entries())]
    new = list(itertools.chain(*algorithm(case, numbers).one_sweep(rows_of(variables, case["K"]))))
    return arb_mat([[x.x] for x in new]), arb_mat([x.d for x in new])


def middle(x):
    """The midpoints of a matrix."""
    return arb_mat(x.nrows(), x.ncols(), [v.mid() for v in x.entries()])


def rows_of(x, K):
    """A list cut into rows of K."""
    return [x[i : i + K] for i in range(0, len(x), K)]
