"""The model of any library, judged by this package's definitions: its bound or log joint, and its perplexities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS, vb
from ..corpus import as_corpus
from ..model import Array, log_joint_collapsed
from .prediction import perplexity
from .validation import completion, halves
from .which_number import known_of


def judge(model: Any, c: Any = None, seed: int = 0) -> dict[str, float]:
    """What this package's definitions say of a model that another program has fitted.

    Parameters
    ----------
    model : fitted model of scikit-learn, gensim, tomotopy or lda, or arrays by name
        As in `which_number`. tomotopy's models have their own documents; `formats.mallet.read_state` gives MALLET's.
    c : Corpus, or (D, W) matrix of counts, optional
        The documents to judge the model by, in the model's words.
    seed : int
        Of the halves of the documents.

    Returns
    -------
    dict
        Each number by its name:

        - "log p(x, z) per token", TNW06 (7), in nats, if the model has counts of topics;
        - "bound per token", TNW06 (2), in nats, with q(theta) fitted to these documents, if it has q(phi);
        - "perplexity", of all tokens by the posterior means of theta and phi, AWST09 (15); theta has seen the tokens;
        - "perplexity of halves", of the second halves of the documents, with theta of the first by CVB0.

    Raises
    ------
    ValueError
        If the model has neither counts of topics nor q(phi), or its documents or priors are missing.

    Examples
    --------
    >>> counts = {"N_jk": np.array([[2.0, 1], [0, 3]]), "N_wk": np.array([[2.0, 0], [0, 4]])}
    >>> found = judge(counts | {"alpha": 0.5, "eta": 0.5}, np.array([[2, 1], [0, 3]]))
    >>> round(found["log p(x, z) per token"], 4), round(found["perplexity"], 3)
    (-1.0355, 1.548)
    """
    k = known_of(model, None if c is None else as_corpus(c))
    if k.c is None:
        raise ValueError("c is None, expected the documents, which this model does not contain")
    if k.p is None:
        raise ValueError("model has no alpha and eta")
    found: dict[str, float] = {}
    if k.N_jk is not None and k.N_wk is not None:
        found["log p(x, z) per token"] = float(log_joint_collapsed(k.N_jk, k.N_wk, k.p)) / k.c.N
        alpha, eta = k.p.vectors(k.N_jk.shape[1], k.c.W)
        alpha_jk, eta_wk = k.N_jk + alpha, k.N_wk + eta[:, None]
    elif k.eta_wk is not None:
        eta_wk = k.eta_wk
        alpha_jk = vb.e_step(np.ones((k.c.D, eta_wk.shape[1])), eta_wk, k.c, k.p, 200)
        found["bound per token"] = vb.bound_of_parameters(alpha_jk, eta_wk, k.c, k.p) / k.c.N
    else:
        raise ValueError("model has neither N_jk and N_wk nor eta_wk, expected the counts of topics or q(phi)")
    theta_jk, phi_wk = _rows(alpha_jk), _rows(eta_wk.T).T  # the posterior means
    found["perplexity"] = float(perplexity(k.c, theta_jk, phi_wk))
    split = halves(k.c.types(), np.random.default_rng(seed))
    found["perplexity of halves"] = float(completion(ALGORITHMS["cvb0"], split, phi_wk, k.p, seed))
    return found


def _rows(x: Array) -> Array:
    return x / x.sum(-1, keepdims=True)
