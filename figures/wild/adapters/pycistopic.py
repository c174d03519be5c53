"""aertslab/pycisTopic: the log likelihood with which it compares numbers of topics, by its function."""

import math
import typing

import numpy as np

from figures.peers.conformance_cases import counts_of_topics

from . import Case, Checkouts, Question

FILE = "aertslab+pycisTopic/src/pycisTopic/utils.py"


def loglikelihood(checkouts: Checkouts):
    return checkouts.names(FILE, ["loglikelihood"], {"math": math, "np": np, **vars(typing)}).loglikelihood


def answer(checkouts: Checkouts, q: Question) -> Case:
    their_function, (N_jk, N_wk) = loglikelihood(checkouts), counts_of_topics(q.case, q.z)
    return {"log_joint": their_function(N_wk.T, N_jk, q.alpha, q.eta)}
