"""tomotopy's LDAModel: collapsed Gibbs sampling in single precision."""

import warnings
from functools import partial

import numpy as np
import tomotopy

from figures.peers.conformance_cases import counts_of_topics, tokens_of

from . import Case, Skip, corpus, rows

NAME, PACKAGE = "tomotopy", "tomotopy"
BURN_IN = 100


def model_of(case: Case, optim_interval: int | None = 0) -> tomotopy.LDAModel:
    """A model with the documents of the case and topics at random."""
    c, p, K = case["corpus"], case["prior"], case["K"]
    j, w = tokens_of(case)
    if len(set(j)) < c["D"]:
        raise Skip("the library takes no empty document")
    if len(set(w)) < c["W"]:
        raise Skip("a word is in no document, and so not in the library's vocabulary")
    is_vector = isinstance(p["eta"], list)
    model = tomotopy.LDAModel(k=K, alpha=p["alpha"], eta=0.01 if is_vector else p["eta"], seed=case.get("seed", 0) + 1)
    for v, eta in enumerate(p["eta"] if is_vector else ()):
        model.set_word_prior(str(v), [eta] * K)
    if optim_interval is not None:
        model.optim_interval = optim_interval
    for d in range(c["D"]):
        model.add_doc([str(v) for d_, v in zip(j, w, strict=True) if d_ == d])
    train(model, 0)
    return model


def train(model: tomotopy.LDAModel, iterations: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # train(0) warns of several workers
        model.train(iterations, workers=1)


def topics(model: tomotopy.LDAModel) -> list[int]:
    return [int(k) for document in model.docs for k in document.topics]


def sample(case: Case, optim_interval: int | None) -> Case:
    model, z_draws = model_of(case, optim_interval), []
    train(model, BURN_IN)
    for _ in range(case["draws"]):
        train(model, 1)
        z_draws.append(topics(model))
    return {"z": z_draws}


def settled(case: Case):
    """A model after ten sweeps, and its counts."""
    model = model_of(case)
    train(model, 10)
    N_jk, N_wk = counts_of_topics(case, topics(model))
    return model, {"N_jk": N_jk.tolist(), "N_wk": N_wk.tolist()}


def log_joint(case: Case) -> Case:
    model, counts = settled(case)
    return {"log_joint": model.ll_per_word * model.num_words, **counts}


def estimate(case: Case) -> Case:
    model, counts = settled(case)
    phi_kw, word_ids = np.zeros((case["K"], case["corpus"]["W"])), [int(w) for w in model.used_vocabs]
    for k in range(case["K"]):
        phi_kw[k, word_ids] = model.get_topic_word_dist(k)
    return {"theta_jk": [x.get_topic_dist().tolist() for x in model.docs], "phi_wk": phi_kw.T.tolist(), **counts}


def perplexity(case: Case) -> Case:
    model, counts = settled(case)
    return {"perplexity": float(model.perplexity), **counts}


# Reproductions -------------------------------------------------------------------------------------------------------


def alpha_after_training():
    model = tomotopy.LDAModel(k=5, alpha=0.1, eta=0.1, seed=1)
    for x in corpus():
        model.add_doc(np.repeat(np.arange(200), x).astype(str))
    model.train(1000, workers=1)
    return {"interval": model.optim_interval, "smallest": model.alpha.min(), "largest": model.alpha.max()}


def two_words_of_one_topic():
    model, eta = tomotopy.LDAModel(k=1, alpha=0.1, eta=0.01, seed=1), 0.01  # 0.01 is its own default
    model.optim_interval = 0
    model.add_doc(["a", "b"])
    model.train(1, workers=1)
    return {"theirs": 2 * model.ll_per_word, "right": np.log(eta / (2 * eta) * eta / (2 * eta + 1))}


def a_word_with_a_prior_of_its_own():
    model = tomotopy.LDAModel(k=1, alpha=0.5, eta=0.5, seed=1)
    model.optim_interval = 0
    model.set_word_prior("a", [3.0])
    model.add_doc(["a", "b"])
    model.train(1, workers=1)
    return {"theirs": model.get_topic_word_dist(0)[0], "right": (1 + 3.0) / (2 + 3.0 + 0.5)}


def perplexity_of_words_and_topics():
    model = tomotopy.LDAModel(k=5, alpha=0.1, eta=0.1, seed=1)
    model.optim_interval = 0
    for x in corpus():
        model.add_doc(np.repeat(np.arange(200), x).astype(str))
    model.train(1000, workers=1)
    theta, phi = (
        np.array([x.get_topic_dist() for x in model.docs]),
        np.array([model.get_topic_word_dist(k) for k in range(5)]),
    )
    mean = np.mean([np.log(theta[d] @ phi[:, x.words]).mean() for d, x in enumerate(model.docs)])
    return {"theirs": model.perplexity, "exp_of_ll": np.exp(-model.ll_per_word), "other": np.exp(-mean)}


sample_without_learning, sample_as_it_is = (partial(sample, optim_interval=x) for x in (0, None))
ROWS = rows(globals())
