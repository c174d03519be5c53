"""The model of another program as a Fit, which can be saved, printed and shown."""

from pathlib import Path
from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import State
from ..fitting import Fit, corpus_digest
from ..formats.files import UTF_8
from ..model import Array, Ints, Prior, mean_of_counts, normalised
from ..storage_schema import FOREIGN, check_range
from .definitions import Known, settled
from .judge import check_counts, check_q_of_phi, distributions
from .read_model import read_model
from .which_number import has_documents, in_words_of, known_of, words_of


def from_model(model: Any, c: Any = None, encoding: str = UTF_8) -> Fit:
    """The model of another program as a Fit, for `save` and the commands that show a model.

    The model, c and the encoding are those of `judge`, but c has the documents of the training, and models that have
    their own take none. A ValueError says if the model is not LDA, lacks documents, priors or topics, or does not fit
    c. Without eta, as of variational EM, phi is a point, and the Fit has eta = 1, of which it is the mode.

    theta and phi are as given, or else the posterior means at the topics of the tokens or their counts, or the means of
    q. `state.gamma` has the shares of the topics among the tokens of each word of a document, and without these topics
    theta_jk phi_wk, normalised. Its rows are those of `c.types()`. A Fit has no place for q(phi), so VB's bound is
    known of the model alone. Schedule, start, seed and history are not known; the Fit has "", 0 and () for them, cannot
    be resumed, and its algorithm says so.

    >>> X, phi_wk = np.array([[2, 1], [0, 3]]), np.array([[0.9, 0.2], [0.1, 0.8]])
    >>> arrays = {"theta_jk": np.array([[0.75, 0.25], [0.1, 0.9]]), "phi_wk": phi_wk, "alpha": 0.1, "eta": 0.1}
    >>> from_model(arrays, X).state.gamma.round(3).tolist()
    [[0.931, 0.069], [0.273, 0.727], [0.014, 0.986]]
    """
    model = getattr(model, "model_", model)  # of the estimator `sklearn.LDA`
    model = read_model(model, encoding) if isinstance(model, (str, Path)) else model
    if c is not None and has_documents(model):
        raise ValueError("c is given, expected none: the model has its documents")
    k = known_of(model, in_words_of(model, c)[0])
    model_words = words_of(model) if k.c is None or k.c.vocab is None else k.c.vocab
    if k.c is None or not k.c.N:
        raise ValueError("c is None or has no token, expected the documents that the model was trained on")
    p = k.p if k.p is not None or k.alpha is None or k.phi_wk is None else Prior(k.alpha, 1.0)
    if p is None:
        raise ValueError("model has no alpha and eta, expected the priors, which a Fit has")
    check_range(p, FOREIGN)
    types = k.c.types()
    theta_jk, phi_wk = _estimates(k, types, p)
    gamma = _of_topics(k.z, k.c, types, phi_wk.shape[1]) if k.z is not None else theta_jk[types.j] * phi_wk[types.w]
    for row in np.flatnonzero(~gamma.any(1)):
        raise ValueError(f"document {types.j[row]} has word {types.w[row]}, which theta_jk and phi_wk make impossible")
    run_settings = ("", "", 0, 0, 0, 1, 0, corpus_digest(types), "", 0, model_words)
    return Fit(theta_jk, phi_wk, State(normalised(gamma, -1)), p, (), FOREIGN, *run_settings)


def _estimates(k: Known, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """theta and phi as given, or the means that follow from the counts of topics or from q."""
    if k.theta_jk is not None and k.phi_wk is not None:
        return distributions(k.theta_jk, "theta_jk", -1), distributions(k.phi_wk, "phi_wk", 0)
    if k.N_jk is not None and k.N_wk is not None:
        check_counts(k.N_jk.astype(np.float64), k.N_wk.astype(np.float64), c)
        return mean_of_counts(k.N_jk, k.N_wk, p)
    if k.eta_wk is not None:
        check_q_of_phi(k.eta_wk, c, p)
        first_loop = next(iter(k.loops.values()))
        alpha_jk = settled(k.eta_wk, c, p, first_loop) if k.alpha_jk is None else k.alpha_jk
        return normalised(alpha_jk.astype(np.float64), -1), normalised(k.eta_wk.astype(np.float64), 0)
    raise ValueError("model has too little, expected theta_jk and phi_wk, N_jk and N_wk, eta_wk, or z")


def _of_topics(z: Ints, c: Corpus, types: Corpus, K: int) -> Array:
    """(M, K): how many tokens of each row of the types have each topic, by the topics of the tokens of c."""
    token_corpus = c.tokens()
    row_of_token = np.searchsorted(types.j * types.W + types.w, token_corpus.j * types.W + token_corpus.w)
    return np.bincount(row_of_token * K + z, minlength=types.M * K).reshape(types.M, K).astype(np.float64)
