"""bitermplus's measures of topics and texts. Its model is one of pairs of words, and not LDA."""

import bitermplus
import numpy as np
from scipy.sparse import csr_matrix

from figures.peers.conformance_cases import counts_of

from . import Case, rows

NAME, PACKAGE = "bitermplus", "bitermplus"


def topics(case: Case) -> np.ndarray:
    return np.ascontiguousarray(np.transpose(case["phi_wk"]))


def coherence(case: Case) -> Case:
    return {"coherence": list(bitermplus.coherence(topics(case), csr_matrix(counts_of(case)), M=case["words"]))}


def log_likelihood(case: Case) -> Case:
    X = counts_of(case)
    perplexity = bitermplus.perplexity(topics(case), np.array(case["theta_jk"]), csr_matrix(X), case["K"])
    return {"log_likelihood": -X.sum() * np.log(perplexity)}


def words_of_equal_probability():
    documents = csr_matrix(np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]))
    return {"theirs": bitermplus.coherence(np.full((1, 3), 1 / 3), documents, M=2)[0], "right": np.log((2 + 1) / 2)}


ROWS = rows(globals())
