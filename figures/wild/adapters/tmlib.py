"""hncuong/topicmodel-lib (tmlib): SCVB0 in Python 2, by its class `OnlineCVB0`.

Its steps fall from token to token; here they are those of the case. In Python 3 its division of whole numbers is exact.
"""

from types import SimpleNamespace

import numpy as np

from . import Case, Checkouts, Numpy, Question

FILE = "hncuong+topicmodel-lib/tmlib/lda/Online_CVB0.py"


class Base:
    """What its base class keeps."""

    def __init__(self, data, num_topics, lda_model) -> None:
        self.data, self.lda_model = data, lda_model


def answer(checkouts: Checkouts, q: Question) -> Case:
    case, current_rho = q.case, {"rho": q.case["rho_theta"]}
    fake_numpy = Numpy({"rand": lambda *_: np.array(case["N_jk"])})
    namespace = {"np": fake_numpy, "LdaLearning": Base, "pow": lambda *_: current_rho["rho"]}
    their_class = checkouts.names(FILE, ["OnlineCVB0"], namespace).OnlineCVB0
    model = their_class(None, q.K, q.alpha, q.eta, burn_in=case["burn_in"], s_theta=1.0)
    model.num_tokens, model.num_terms = case["total_N"], q.W
    model.lda_model, model.N_Z = SimpleNamespace(model=np.array(case["N_wk"]).T.copy()), np.array(case["N_k"])
    N_phi, N_Z, N_theta = model.e_step(q.words(), [len(tokens) for tokens in q.tokens])
    current_rho["rho"] = case["rho_phi"]
    model.m_step(N_phi, N_Z)
    return {"N_jk": N_theta, "N_wk": model.lda_model.model.T, "N_k": model.N_Z}
