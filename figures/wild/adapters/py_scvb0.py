"""y-mitsui/py_scvb0: SCVB0 in C, by the function that takes a minibatch.

Built by hand: y-mitsui+py_scvb0/lda_scvb0.so, from lda_scvb0.c with the word `static` left out, so that the function
has a name. It takes the n tokens of a row one after the other, which is another legal order.
"""

import ctypes as C

import numpy as np

from .. import scvb0
from . import Answer, Case, Checkouts, Row, Skip, rows_of, scalars, small, tokens_of

LIBRARY = "y-mitsui+py_scvb0/lda_scvb0.so"
NUMBERS = C.POINTER(C.c_double)


class Model(C.Structure):
    """The fields of lda_scvb0.h."""

    _fields_ = (
        *((x, C.c_int) for x in ("n_topic", "n_iter", "n_document", "batch_size", "n_thread", "n_word_type")),
        ("n_all_word", C.c_ulonglong), *((x, C.c_double) for x in ("alpha", "beta", "rhoPhi", "rhoTheta")),
        *((x, NUMBERS) for x in ("nTheta", "nPhi", "nz", "Phi", "Theta", "gamma", "nzHat", "nPhiHat")),
    )  # fmt: skip


def rows_as_c(rows: list[list[int]], kind: type) -> C.Array:
    """An array of pointers to arrays of whole numbers."""
    return (C.POINTER(kind) * len(rows))(*((kind * max(1, len(x)))(*x) for x in rows))


def make(checkouts: Checkouts) -> Answer:
    library = C.CDLL(str(checkouts.path(LIBRARY)))

    def answer(case: Case) -> Case:
        small(case)
        alpha, eta = scalars(case)
        c, K, documents = case["corpus"], case["K"], rows_of(case)
        if case["burn_in"] != 1:
            raise Skip("it has one pass of burn-in")
        if max(c["n"], default=1) > 1:
            raise Skip("it takes the n tokens of a row one after the other")
        kept = [np.array(case[name], float) for name in ("N_jk", "N_wk", "N_k")]
        words, counts = ([[c[name][i] for i in rows] for rows in documents] for name in ("w", "n"))
        model = Model(
            n_topic=K, n_document=c["D"], batch_size=c["D"], n_word_type=c["W"], n_all_word=case["total_N"],
            alpha=alpha, beta=eta, rhoPhi=case["rho_phi"], rhoTheta=case["rho_theta"],
        )  # fmt: skip
        model.nTheta, model.nPhi, model.nz = (x.ctypes.data_as(NUMBERS) for x in kept)
        lengths, types = ((C.c_int * c["D"])(*x) for x in ([sum(x) for x in counts], [len(x) for x in words]))
        order = (C.c_int * c["D"])(*range(c["D"]))
        library.scvb0Infer(
            C.byref(model), rows_as_c(words, C.c_int), rows_as_c(counts, C.c_ushort), lengths, types, 0, c["D"], order
        )
        return dict(zip(("N_jk", "N_wk", "N_k"), kept, strict=True))

    return answer


def make_fold_in(checkouts: Checkouts) -> Answer:
    library = C.CDLL(str(checkouts.path(LIBRARY)))
    library.scvb0TransformSingle.restype = NUMBERS

    def answer(case: Case) -> Case:
        (alpha, eta), (j, w), K = scalars(case), tokens_of(case), case["K"]
        phi, theta = np.array(case["phi_wk"]), []
        model = Model(n_topic=K, n_word_type=case["corpus"]["W"], alpha=alpha, beta=eta)
        model.Phi = phi.ctypes.data_as(NUMBERS)
        for d in range(case["corpus"]["D"]):
            words = [x for x, of in zip(w, j, strict=True) if of == d]
            if not words:
                raise Skip("it divides by the tokens of a document, which are none here")
            found = library.scvb0TransformSingle(C.byref(model), (C.c_int * len(words))(*words), len(words), 2000)
            theta.append([found[k] / len(words) for k in range(K)])
        return {"theta_jk": theta}

    return answer


ROWS = [
    Row("py_scvb0-fold-in", "fold_in_cvb0", make_fold_in),
    Row("py_scvb0", "scvb0/online_step", make, cases=scvb0.cases),
]
