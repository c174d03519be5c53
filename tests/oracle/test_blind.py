"""Errors that few vectors saw before version 1.8.0, or none: planted in the plain text or its case, each fails three."""

import numpy as np
import pytest

from lda_reference.oracle.cases.closeness import differs
from lda_reference.oracle.cases.noise import Logarithms
from lda_reference.oracle.changes.change import layer
from lda_reference.plain import answer, is_large

from .helpers import cases

STEPS = "cvb/update,cvb0/update,cvb0/sweep,cvb1/update,cvb1d/update,cgs/update,cgs/tempered_update"
TEN = "cvb_exact/update,cvb/update,cvb0/update,cvb0/sweep,cvb1/update,cvb1d/update,cvb1s/sweep"
DRAWS = "cgs/draw,cgs/sweep,gibbs/draw,gibbs/sweep,cgs/tempered_sweep,starts/incremental"
HYPERPARAMETERS = "vb/hyperparameters,cvb0/hyperparameters,cgs/hyperparameters,gibbs/hyperparameters"
BY_DOCUMENT = "vb/e_step,vb/elbo,vb/fold_in,cvb0/fold_in,lda/document_evidence,hmc/gradient"


def failed(only, layers=(), changed=lambda case: case):
    """The ids of the cases that the plain text fails with an error, of those that take little time."""

    def wrong(case):
        try:
            return differs(case, answer(changed(case), float, *layers))
        except (ArithmeticError, IndexError, ValueError):
            return True

    return [case["id"] for case in cases(only) if not is_large(case) and "error" not in case["expected"] and wrong(case)]


def least(x):
    return lambda self, right, *given: max(right(*given), x)


def drawn(u_type, sum_type):
    def of(self, right, x, u):
        partial = np.cumsum(np.array(x, dtype=sum_type), dtype=sum_type)
        return int((partial[:-1] <= sum_type(u_type(u)) * partial[-1]).sum())

    return of


def copies(most):
    def excluded(self, right, part, i, r):
        alike = [s for s in range(self.M) if (self.j[s], self.w[s]) == (self.j[i], self.w[i])]
        return self.n[r] if r in alike and sum(self.n[s] for s in alike) >= most else right(part, i, r)

    return {"excluded": excluded}


def corpus(**changes):
    return lambda case: case | {"corpus": case["corpus"] | {name: f(case["corpus"]) for name, f in changes.items()}}


PLANTED = {
    "sums clamped at 0.01": (STEPS, {"document": least(0.01), "word": least(0.01)}),
    "counts clamped at 1e-10": (STEPS, {"N": least(1e-10)}),
    "weights of cgs clamped at 1e-10": ("cgs/update,cgs/draw,cgs/sweep", {"weight": least(1e-10)}),
    "probabilities clamped at 1e-10": ("vb/predict,cvb0/predict,cgs/predict", {"log": lambda self, right, x: right(max(x, 1e-10))}),
    "Minka's step clamped at 0.01": (HYPERPARAMETERS, {"new_number": least(0.01)}),
    "the argument of digamma clamped at 0.01": (HYPERPARAMETERS, {"digamma": lambda self, right, x: right(max(x, 0.01))}),
    "the words that occur": (HYPERPARAMETERS, {"new_number": lambda self, right, s, r, a, *rest: right(s, r, a[: len({*self.w})] if len(a) == self.W else a, *rest)}),
    "uniforms in float32": (DRAWS, {"drawn": drawn(np.float32, np.float64)}),
    "partial sums in float32": (DRAWS, {"drawn": drawn(np.float64, np.float32)}),
    "word ids in int16": ("vb/sweep,cvb0/sweep,cgs/sweep,map/sweep", corpus(w=lambda c: [(w + 2**15) % 2**16 - 2**15 for w in c["w"]])),
    "word ids in uint16": ("vb/sweep,cvb0/sweep,cgs/sweep,map/sweep", corpus(w=lambda c: [w % 2**16 for w in c["w"]])),
    "all of ten copies left out": (TEN, copies(10)),
    "all of ten copies left out by cgs": ("cgs", copies(10)),
    "documents of one token in log p(x, z)": ("lda/log_joint", {"of_counts": lambda self, right, N, *rest: right(N, *rest) if sum(N) > 1 or len(N) != self.K else []}),
    "empty documents in log p(x, z)": ("lda/log_joint", {"of_counts": lambda self, right, N, *rest: right(N, *rest) if sum(N) > 0 or len(N) != self.K else []}),
    "empty documents at the end": (BY_DOCUMENT, corpus(D=lambda c: max(c["j"]) + 1)),
    "empty documents in the bound": ("vb/elbo", {"constant_of_theta": lambda self, right: right() / self.D * len({*self.j})}),
    "the evidence of an empty document": ("lda/document_evidence", {"log_evidence": lambda self, right, j: right(j) if j in self.j else 1.0}),
    "the mean change": ("vb/converged,cvb0/converged", {"settled": lambda self, right, old, new: np.mean(np.abs(np.array(new) - old)) <= 1e-14}),
    "a rate of 1 at most": (HYPERPARAMETERS, {"new_vector": lambda self, right, shape, rate, *rest: right(shape, min(rate, 1.0), *rest)}),
    "counts of topics in uint16": ("map/estimate,vb/estimate,cvb0/estimate", {"total": lambda self, right, rows: [x % 2**16 for x in right(rows)]}),
}  # fmt: skip


class Shifted(Logarithms):
    """The exponentials of logarithms after the largest of some rows was subtracted."""

    def weights(self, gamma, i):
        shift = max((self.weight(gamma, r, k) for r in self.shifted_by(i) for k in range(self.K)), default=0.0)
        return [self.exp(self.weight(gamma, i, k) - shift) for k in range(self.K)]


ROWS = {
    "its own": lambda self, i: [i],
    "its document": lambda self, i: self.of_document(self.j[i]),
    "all": lambda self, i: range(self.M),
    "none": lambda self, i: [],
}


@pytest.mark.parametrize("name", PLANTED)
def test_an_error_fails_three_vectors(name):
    only, change = PLANTED[name]
    ids = failed(only, changed=change) if callable(change) else failed(only, (layer(change),))
    assert len(ids) >= 3, ids


@pytest.mark.parametrize("rows", ROWS)
def test_logarithms_that_are_not_shifted_by_their_own_largest_fail_three_vectors(rows):
    ids = failed("vb/summary,vem/summary,cvb/sweep", (type(rows, (Shifted,), {"shifted_by": ROWS[rows]}),))
    assert ids == [] if rows == "its own" else len(ids) >= 3, ids


def test_what_the_errors_are_planted_in_is_right():
    assert failed(",".join(only for only, _ in PLANTED.values())) == []
