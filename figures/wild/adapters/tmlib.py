"""hncuong/topicmodel-lib (tmlib): SCVB0 in Python 2, by its class `OnlineCVB0`.

Its steps fall from token to token; here they are those of the case. In Python 3 its division of whole numbers is exact.
"""

from types import SimpleNamespace

import numpy as np

from .. import scvb0
from . import Answer, Case, Checkouts, Numpy, Row, Skip, rows_of, scalars, small

FILE = "hncuong+topicmodel-lib/tmlib/lda/Online_CVB0.py"


def make(checkouts: Checkouts) -> Answer:
    checkouts.path(FILE)

    def answer(case: Case) -> Case:
        small(case)
        alpha, eta = scalars(case)
        c, documents = case["corpus"], rows_of(case)
        if max(c["n"], default=1) > 1:
            raise Skip("it takes the tokens one after the other")
        numpy = Numpy({"rand": lambda *_: np.array(case["N_jk"])})
        step = {"rho": case["rho_theta"]}
        names = {"np": numpy, "LdaLearning": Base, "pow": lambda *_: step["rho"]}
        of_file = checkouts.names(FILE, ["OnlineCVB0"], names).OnlineCVB0
        model = of_file(None, case["K"], alpha, eta, burn_in=case["burn_in"], s_theta=1.0)
        model.num_tokens, model.num_terms = case["total_N"], c["W"]
        model.lda_model, model.N_Z = SimpleNamespace(model=np.array(case["N_wk"]).T.copy()), np.array(case["N_k"])
        words = [[c["w"][i] for i in rows] for rows in documents]
        N_phi, N_Z, N_theta = model.e_step(words, [len(x) for x in words])
        step["rho"] = case["rho_phi"]
        model.m_step(N_phi, N_Z)
        return {"N_jk": N_theta, "N_wk": model.lda_model.model.T, "N_k": model.N_Z}

    return answer


class Base:
    """What its base class keeps."""

    def __init__(self, data, num_topics, lda_model) -> None:
        self.data, self.lda_model = data, lda_model


ROWS = [Row("tmlib", "scvb0/online_step", make, cases=scvb0.cases)]
