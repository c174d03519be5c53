"""The package on platforms where `np.intp` has 32 bits, such as a browser.

There `np.repeat` and `np.bincount` refuse int64. So does the substitute for NumPy that these tests give the package.
"""

import pkgutil
import sys
from importlib import import_module

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import synthetic
from lda_reference.evaluation import prediction, repetition

K = 3
C = lda.Corpus([0, 0, 1, 1, 1, 3], [0, 2, 0, 1, 3, 2], [2, 1, 3, 1, 4, 2], D=4, W=4)  # document 2 is empty
TINY = C.with_rows(C.j[:3], C.w[:3], C.n[:3])

for _, name, _ in pkgutil.walk_packages(lda.__path__, "lda_reference."):
    if name != "lda_reference.sklearn":  # it needs scikit-learn
        import_module(name)


def refusing_int64(x):
    """x, the argument of np.repeat or np.bincount, or the error that NumPy raises if intp has 32 bits."""
    if isinstance(x, np.ndarray) and x.size and not np.can_cast(x.dtype, np.int32, "safe"):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to dtype('int32') according to the rule 'safe'")
    return x


class Narrow:
    """The parts of NumPy that the package uses, with an intp of 32 bits."""

    intp = np.int32

    def __getattr__(self, name):
        if name in ("flatnonzero", "argsort", "searchsorted"):
            return lambda *arguments, **options: np.asarray(getattr(np, name)(*arguments, **options)).astype(np.int32)[()]
        return getattr(np, name)

    def repeat(self, a, repeats, axis=None):
        return np.repeat(a, refusing_int64(repeats), axis)

    def bincount(self, x, weights=None, minlength=0):
        counts = np.bincount(refusing_int64(x), weights, minlength)
        return counts if weights is not None else counts.astype(np.int32)

    def arange(self, *arguments, **options):
        x = np.arange(*arguments, **options)
        return x.astype(np.int32) if x.dtype == np.int64 and "dtype" not in options else x


def plain(x):
    """Results of any kind as lists and numbers, which are compared exactly."""
    if isinstance(x, lda.Corpus):
        return plain((x.j, x.w, x.n)), x.D, x.W, x.vocab
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    return [plain(y) for y in x] if isinstance(x, (tuple, list)) else x


def sweep_of(A, schedule):
    p = lda.Prior(0.5 + A.prior_offset, 0.25 + A.prior_offset)
    c, rng = A.arranged(C), np.random.default_rng(0)
    s = A.sweep(A.init(c, K, p, rng=rng), c, p, schedule=schedule, rng=rng)
    bound = None if isinstance(A.bound_of, str) else A.bound(s, c, p)
    return s.gamma, s.z, A.estimate(s, c, p), lda.explain(A, s, c, p, row=1), bound


RUNS = {
    **{f"{n}, {x}": (lambda A=A, x=x: sweep_of(A, x)) for n, A in lda.ALGORITHMS.items() for x in A.schedules},
    **{f"learn by {n}": (lambda n=n: repr(lda.fit(C, K, n, sweeps=4, learn="alpha,eta", learn_after=1).prior)) for n in ("vb", "cvb0", "cgs")},
    "types": lambda: C.tokens().types(),
    "matrix": lambda: C.to_csr().toarray(),
    "split tokens": lambda: lda.split(C, "tokens", 0.4, np.random.default_rng(0)),
    "split halves": lambda: lda.split(C, "halves", rng=np.random.default_rng(0)),
    "split documents": lambda: lda.split(C, "documents", 0.5, np.random.default_rng(0)),
    "joint": lambda: lda.log_joint(np.arange(C.N) % K, np.full((C.D, K), 1 / K), np.full((C.W, K), 1 / 4), C, lda.Prior()),
    "bars": lambda: synthetic.bars(np.random.default_rng(0), D=5),
    "dominant": lambda: synthetic.dominant(np.random.default_rng(0), D=20, W=200),
    "bootstrap": lambda: repetition.bootstrap(C, np.full((C.D, K), 1 / K), np.full((C.W, K), 1 / 4), np.random.default_rng(0)),
    "fold in": lambda: prediction.fold_in(lda.ALGORITHMS["cgs"], C, np.full((C.W, K), 1 / 4), lda.Prior(), np.random.default_rng(0), 3),
    "exact posterior": lambda: lda.exact.posterior(TINY, K, lda.Prior()),
    "exact expectations": lambda: lda.exact.expected_log(np.full((TINY.M, K), 1 / K), TINY, K, lda.Prior()),
}


@pytest.mark.parametrize("run", RUNS)
def test_results_do_not_depend_on_the_width_of_intp(run, monkeypatch):
    expected = plain(RUNS[run]())
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "lda_reference" and vars(module).get("np") is np:
            monkeypatch.setattr(module, "np", Narrow())
    assert plain(RUNS[run]()) == expected
