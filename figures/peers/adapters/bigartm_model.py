"""BigARTM's ARTM with Dirichlet priors, which is EM for MAP, in single precision. alpha - 1 and eta - 1 are its tau."""

import tempfile
import warnings
from functools import partial

import numpy as np

with warnings.catch_warnings(action="ignore"):  # it uses an old name of SciPy
    import artm

from figures.peers.conformance_cases import counts_of

from . import Case, corpus, only_numbers, rows

NAME, PACKAGE = "BigARTM", "bigartm10"
LOGS = artm.messages.ConfigureLoggingArgs(log_dir=tempfile.gettempdir(), minloglevel=3)
artm.wrapper.LibArtm(logging_config=LOGS)  # it writes them to the folder where it runs


def model_of(case: Case, passes: int) -> tuple[artm.ARTM, artm.BatchVectorizer, list[int]]:
    """A model with the topics of the case, its documents, and the word of each row of its topics."""
    only_numbers(case, "alpha", "eta")
    X, p = counts_of(case), case["prior"]
    name_of_w = {w: str(w) for w in range(X.shape[1])}
    documents = artm.BatchVectorizer(data_format="bow_n_wd", n_wd=X.T, vocabulary=name_of_w)
    model = artm.ARTM(case["K"], num_document_passes=passes, dictionary=documents.dictionary, cache_theta=True)
    model.regularizers.add(artm.SmoothSparseThetaRegularizer(tau=p["alpha"] - 1))
    model.regularizers.add(artm.SmoothSparsePhiRegularizer(tau=p["eta"] - 1))
    word_order = [int(word) for _, word in model.get_phi().index]
    _, model.attached = model.master.attach_model(model.model_pwt)  # memory that the model uses: it must be kept
    np.copyto(model.attached, np.array(case["phi_wk"])[word_order])
    return model, documents, word_order


def e_step(case: Case) -> Case:
    model, documents, _ = model_of(case, case["iterations"])
    return {"theta_jk": model.transform(documents).sort_index(axis=1).to_numpy().T}


def iteration(case: Case, passes: int) -> Case:
    model, documents, word_order = model_of(case, passes)
    model.fit_offline(documents, 1)
    theta_jk = model.get_theta().sort_index(axis=1).to_numpy().T
    return {"theta_jk": theta_jk, "phi_wk": model.get_phi().to_numpy()[np.argsort(word_order)]}


def where_phi_comes_from():
    X, name_of_w = corpus(), {w: str(w) for w in range(200)}
    documents = artm.BatchVectorizer(data_format="bow_n_wd", n_wd=X.T, vocabulary=name_of_w)
    model = artm.ARTM(5, num_document_passes=1, dictionary=documents.dictionary, cache_theta=True, seed=1)
    old_phi, word_order = model.get_phi().to_numpy(), [int(word) for _, word in model.get_phi().index]
    model.fit_offline(documents, 1)

    def error(theta):  # of the phi that EM has from theta and the old phi
        n = old_phi * ((X[:, word_order] / (theta @ old_phi.T)).T @ theta)
        return np.abs(model.get_phi().to_numpy() - n / n.sum(0)).max()

    new_theta, equal_theta = model.get_theta().sort_index(axis=1).to_numpy().T, np.full((60, 5), 1 / 5)
    return {"new": error(new_theta), "equal": error(equal_theta)}


one_pass, ten_passes = partial(iteration, passes=1), partial(iteration, passes=10)
ROWS = rows(globals())
