"""tmtoolkit's measures of topic models."""

import numpy as np
from scipy.sparse import csr_matrix
from tmtoolkit.topicmod.evaluate import metric_coherence_mimno_2011

from figures.peers.conformance_cases import counts_of

from . import Case, rows

NAME, PACKAGE = "tmtoolkit", "tmtoolkit"


def coherence(case: Case) -> Case:
    phi_kw, X = np.transpose(case["phi_wk"]), csr_matrix(counts_of(case))
    return {"coherence": metric_coherence_mimno_2011(phi_kw, X, top_n=case["words"]).tolist()}


def all_words_of_the_vocabulary():
    phi, X = np.array([[0.5, 0.3, 0.2]]), np.array([[1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 0]])
    coherence_2, coherence_3 = (metric_coherence_mimno_2011(phi, X, top_n=n)[0] for n in (2, 3))
    return {"two": coherence_2, "three": coherence_3, "right": coherence_2 + np.log((1 + 1) / 3) + np.log((0 + 1) / 2)}


ROWS = rows(globals())
