"""aertslab/pycisTopic: the log likelihood with which it compares numbers of topics, by its function."""

import math
import typing

import numpy as np

from figures.peers.conformance_cases import counts_of_topics

from . import Answer, Case, Checkouts, Row, scalars, small

FILE = "aertslab+pycisTopic/src/pycisTopic/utils.py"


def loglikelihood(checkouts: Checkouts):
    return checkouts.names(FILE, ["loglikelihood"], {"math": math, "np": np, **vars(typing)}).loglikelihood


def make(checkouts: Checkouts) -> Answer:
    f = loglikelihood(checkouts)

    def answer(case: Case) -> Case:
        small(case)
        (alpha, eta), (N_jk, N_wk) = scalars(case), counts_of_topics(case, case["state"]["z"])
        return {"log_joint": f(N_wk.T, N_jk, alpha, eta)}

    return answer


ROWS = [Row("pycistopic", "lda/log_joint", make)]
