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


def rows_as_c(number_rows: list[list[int]], c_type: type) -> C.Array:
    """An array of pointers to arrays of whole numbers."""
    return (C.POINTER(c_type) * len(number_rows))(*((c_type * max(1, len(x)))(*x) for x in number_rows))


def answer(checkouts: Checkouts, q: Question) -> Case:
    library, case = C.CDLL(str(checkouts.path(LIBRARY))), q.case
    if case["burn_in"] != 1:
        raise Skip("it has one pass of burn-in")
    kept_counts = {name: np.array(case[name], float) for name in ("N_jk", "N_wk", "N_k")}
    words_of_j, counts_of_j, Integers = q.of_rows(q.w), q.of_rows(q.n), C.c_int * q.D
    model = Model(
        n_topic=q.K, n_document=q.D, batch_size=q.D, n_word_type=q.W, n_all_word=case["total_N"], alpha=q.alpha,
        beta=q.eta, rhoPhi=case["rho_phi"], rhoTheta=case["rho_theta"],
    )  # fmt: skip
    model.nTheta, model.nPhi, model.nz = (array.ctypes.data_as(NUMBERS) for array in kept_counts.values())
    lengths_j, types = Integers(*(sum(array) for array in counts_of_j)), Integers(*(len(array) for array in words_of_j))
    documents = rows_as_c(words_of_j, C.c_int), rows_as_c(counts_of_j, C.c_ushort)
    library.scvb0Infer(C.byref(model), *documents, lengths_j, types, 0, q.D, Integers(*range(q.D)))
    return kept_counts


def fold_in(checkouts: Checkouts, q: Question) -> Case:
    library = C.CDLL(str(checkouts.path(LIBRARY)))
    library.scvb0TransformSingle.restype = NUMBERS
    phi, theta = np.array(q.case["phi_wk"]), []
    model = Model(n_topic=q.K, n_word_type=q.W, alpha=q.alpha, beta=q.eta)
    model.Phi = phi.ctypes.data_as(NUMBERS)
    for words in q.words():
        if not words:
            raise Skip("it divides by the tokens of a document, which are none here")
        topic_counts = library.scvb0TransformSingle(C.byref(model), (C.c_int * len(words))(*words), len(words), 2000)
        theta.append([topic_counts[k] / len(words) for k in range(q.K)])
    return {"theta_jk": theta}
