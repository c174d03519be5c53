"""y-mitsui/py_scvb0: SCVB0 in C, by the function that takes a minibatch.

Built by hand: y-mitsui+py_scvb0/lda_scvb0.so, from lda_scvb0.c with the word `static` left out, so that the function
has a name. It takes the n tokens of a row one after the other, which is another legal order.
"""

import ctypes as C

import numpy as np

from . import Case, Checkouts, Question, Skip

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


def answer(checkouts: Checkouts, x: Question) -> Case:
    library, case = C.CDLL(str(checkouts.path(LIBRARY))), x.case
    if case["burn_in"] != 1:
        raise Skip("it has one pass of burn-in")
    kept = {name: np.array(case[name], float) for name in ("N_jk", "N_wk", "N_k")}
    words, counts, Integers = x.of_rows(x.w), x.of_rows(x.n), C.c_int * x.D
    model = Model(
        n_topic=x.K, n_document=x.D, batch_size=x.D, n_word_type=x.W, n_all_word=case["total_N"], alpha=x.alpha,
        beta=x.eta, rhoPhi=case["rho_phi"], rhoTheta=case["rho_theta"],
    )  # fmt: skip
    model.nTheta, model.nPhi, model.nz = (array.ctypes.data_as(NUMBERS) for array in kept.values())
    lengths, types = Integers(*(sum(array) for array in counts)), Integers(*(len(array) for array in words))
    documents = rows_as_c(words, C.c_int), rows_as_c(counts, C.c_ushort)
    library.scvb0Infer(C.byref(model), *documents, lengths, types, 0, x.D, Integers(*range(x.D)))
    return kept


def fold_in(checkouts: Checkouts, x: Question) -> Case:
    library = C.CDLL(str(checkouts.path(LIBRARY)))
    library.scvb0TransformSingle.restype = NUMBERS
    phi, theta = np.array(x.case["phi_wk"]), []
    model = Model(n_topic=x.K, n_word_type=x.W, alpha=x.alpha, beta=x.eta)
    model.Phi = phi.ctypes.data_as(NUMBERS)
    for words in x.words():
        if not words:
            raise Skip("it divides by the tokens of a document, which are none here")
        topics = library.scvb0TransformSingle(C.byref(model), (C.c_int * len(words))(*words), len(words), 2000)
        theta.append([topics[k] / len(words) for k in range(x.K)])
    return {"theta_jk": theta}
