"""The model of any library, judged by this package's definitions: its bound or log joint, and its perplexities."""

from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS, vb
from ..arguments import check_entries
from ..corpus import Corpus, as_corpus
from ..engine import normalised
from ..fitting import Fit, corpus_digest
from ..formats.files import UTF_8
from ..formats.mallet import read_state
from ..formats.selection import within
from ..model import Array, Prior, column, log_joint_collapsed
from ..storage import load
from ..storage_schema import check_range
from .prediction import perplexity
from .validation import completion, halves
from .which_number import in_words_of, known_of


def judge(model: Any, c: Any = None, seed: int = 0, encoding: str = UTF_8) -> dict[str, float]:
    """What this package's definitions say of a model that another program has fitted.

    A ValueError says if the model is not LDA, has neither counts of topics nor q(phi) that fit c, or no documents or
    priors.

    The model is a Fit or its folder, a fitted model of scikit-learn, gensim, tomotopy or lda, the path of a state of
    MALLET, or arrays by name. The arrays are those of `which_number`, of which theta_jk, phi_wk and alpha_jk are not
    read. Counts of topics must add up to the documents and words of c. This cannot show that `z`, the words of
    `eta_wk`, or expected counts of documents of similar lengths are in another order than those of c.

    c, a Corpus or a (D, W) matrix of counts, has the documents to judge the model by. Only for models of tomotopy and
    MALLET, which keep their own, may it be left out. Words are found in the model by their names. A model without
    names, as of scikit-learn or a Fit of a matrix, takes a matrix of counts in the order of its columns. The seed is
    that of the halves of the documents; other halves of few documents change a perplexity by some percent. The encoding
    is that of a state of MALLET that is not in UTF-8.

    The result has each number by its name. Compare a number only with others of its name:

    - "log p(x, z) per token", TNW06 (7), in nats, if the model has whole counts of topics;
    - "bound per token", in nats: TNW06 (2) with q(theta) fitted to these documents, if the model has q(phi), whose
      divergence counts in full, so of other documents than those of the training it is low; of a Fit its own;
    - "perplexity", of all tokens by the posterior means of theta and phi, AWST09 (15); theta has seen the tokens;
    - "perplexity of halves", of the second halves of the documents, with theta of the first by CVB0. Of a Fit,
      tomotopy or MALLET and other documents than theirs, it is the only one;
    - "tokens scored", by the last: those whose words the model has. Compare models that score the same tokens.

    >>> counts = {"N_jk": np.array([[2.0, 1], [0, 3]]), "N_wk": np.array([[2.0, 0], [0, 4]])}
    >>> found = judge(counts | {"alpha": 0.5, "eta": 0.5}, np.array([[2, 1], [0, 3]]))
    >>> round(found["log p(x, z) per token"], 4), round(found["perplexity"], 3)
    (-1.0355, 1.548)
    """
    model = getattr(model, "model_", model)  # of the estimator `sklearn.LDA`
    model = load(model) if isinstance(model, (str, Path)) and Path(model).is_dir() else model
    tokens_of_model, documents = None, None if c is None else as_corpus(c)
    if isinstance(model, (str, Path)):
        tokens_of_model, z, prior = read_state(model, encoding)
        model = {"z": z, "alpha": prior.alpha, "eta": prior.eta}
    renamed, words = in_words_of(model, c, None if tokens_of_model is None else tokens_of_model.vocab)
    if isinstance(model, Fit):
        if documents is None or renamed is None:
            raise ValueError("c is None, expected the documents that the model was trained on, or others")
        if model.phi_wk.ndim == 2 and corpus_digest(model.algorithm.arranged(renamed)) != model.corpus:
            return _of_halves(documents, model.phi_wk, model.prior, seed, words)
    k = known_of(model, renamed if tokens_of_model is None else tokens_of_model)
    if k.c is None:
        raise ValueError("c is None, expected the documents, which this model does not contain")
    if not k.c.N:
        raise ValueError("the documents have no token, expected one at least")
    if k.p is None:
        raise ValueError("model has no alpha and eta")
    check_range(k.p, ALGORITHMS["cvb0"])  # which fits theta to the halves
    numbers: dict[str, float] = {"bound per token": float(k.own[0][1]) / k.c.N} if k.own else {}
    if k.N_jk is not None and k.N_wk is not None:
        N_jk, N_wk = k.N_jk.astype(np.float64), k.N_wk.astype(np.float64)
        if check_counts(N_jk, N_wk, k.c.types()):
            numbers["log p(x, z) per token"] = float(log_joint_collapsed(N_jk, N_wk, k.p)) / k.c.N
        alpha, eta = k.p.arrays(N_jk.shape[1], k.c.W)
        alpha_jk, eta_wk = N_jk + alpha, N_wk + column(eta, N_wk)
    elif k.eta_wk is not None:
        eta_wk = k.eta_wk
        check_q_of_phi(eta_wk, k.c, k.p)
        alpha_jk = vb.e_step(np.ones((k.c.D, eta_wk.shape[1])), eta_wk, k.c, k.p, 200)
        numbers["bound per token"] = vb.bound_of_parameters(alpha_jk, eta_wk, k.c, k.p) / k.c.N
    else:
        raise ValueError("model has neither N_jk and N_wk nor eta_wk, expected the counts of topics or q(phi)")
    alpha_jk, eta_wk = alpha_jk.astype(np.float64), eta_wk.astype(np.float64)
    theta_jk, phi_wk = normalised(alpha_jk, -1), normalised(eta_wk, 0)  # the posterior means
    is_own = documents is None or k.c is renamed or isinstance(model, Fit)
    if is_own:
        numbers["perplexity"] = float(perplexity(k.c, theta_jk, phi_wk))
    return (numbers if is_own else {}) | _of_halves(k.c if documents is None else documents, phi_wk, k.p, seed, words)


def _of_halves(c: Corpus, phi_wk: Array, p: Prior, seed: int, words: Any) -> dict[str, float]:
    """The perplexity of second halves; the words of the rows of phi_wk are those of `words`, or of c."""
    if c.vocab is not None:  # sorted, so that the halves do not depend on an order of the words
        number = {w: i for i, w in enumerate(c.vocab if words is None else words)}
        c = within(c, sorted({*c.vocab, *number}))[0]
        rows = np.array([number.get(w, -1) for w in c.vocab or ()])
        phi_wk, p = np.where((rows >= 0)[:, None], phi_wk[rows], 0.0), Prior(p.alpha, 1.0)  # phi is held, without eta
    if len(phi_wk) != c.W:
        raise ValueError(f"c has {c.W} words, expected the {len(phi_wk)} of the model")
    split = halves(c.types(), np.random.default_rng(seed))
    scored = float(split.heldout.n[phi_wk.max(1)[split.heldout.w] > 0].sum())
    if not scored:
        raise ValueError("c has no document of two tokens whose second half has a word of the model, expected one")
    value = float(completion(ALGORITHMS["cvb0"], split, phi_wk, p, seed))
    return {"perplexity of halves": value, "tokens scored": scored}


def check_counts(N_jk: Array, N_wk: Array, c: Corpus) -> bool:
    """Whether these counts of topics are whole; a ValueError if they cannot be those of c, a corpus of types."""
    are_whole = [bool(np.all(np.rint(counts) == counts)) for counts in (N_jk, N_wk)]
    exact = any(are_whole)
    for place, N_i, n_i, limit, what in (
        ("N_jk[{}]", N_jk.sum(1), c.by_document(c.n), c.N / 2, "tokens of this document"),
        ("N_wk[{}]", N_wk.sum(1), c.by_word(c.n), c.N / 2, "tokens of this word"),
        ("N_jk[:, {}]", N_jk.sum(0), N_wk.sum(0), np.inf, "tokens of this topic in N_wk"),
    ):
        off = np.abs(N_i - n_i)
        order = np.abs(np.sort(N_i) - np.sort(n_i)).sum() < off.sum() / 100
        # expected counts may be off: gensim loses some, steps on batches estimate N_wk, topics grow between two steps
        if not np.allclose(N_i, n_i) and (exact or order or off.sum() > limit):
            i, hint = np.argmax(off), ": another order fits" if order else ""
            raise ValueError(f"{place.format(i)} adds up to {N_i[i]:g}, expected {n_i[i]:g}, the {what}{hint}")
    if exact:  # documents of equal lengths may still be in another order
        most_jk = np.stack([c.by_document(np.minimum(N_w[c.w], c.n)) for N_w in N_wk.T], 1)
        check_entries(N_jk < most_jk + 0.5, N_jk, "N_jk", "no more than N_wk allows for the words of this document")
    return all(are_whole)


def check_q_of_phi(eta_wk: Array, c: Corpus, p: Prior) -> None:
    """Raise a ValueError if these are no parameters of q(phi), which are eta plus expected counts."""
    expected, eta = "eta plus an expected count", column(p.arrays(eta_wk.shape[1], c.W)[1], eta_wk)
    for axis, place in enumerate(("eta_wk[:, 0]", "eta_wk[0]")):
        if np.all((total := eta_wk.sum(axis)) < 1.0001):
            raise ValueError(f"{place} adds up to {total[0]:.5g}, as probabilities do, expected {expected} each")
    lowest = np.minimum(eta, 1) / 10  # eta may have been learned since, and a run may have begun at 1
    check_entries((eta_wk >= lowest) & (eta_wk < 2.0**53), eta_wk, "eta_wk", expected)
    if np.all(np.abs(eta_wk.sum(1) - c.by_word(c.n)) < lowest.sum(1)):
        raise ValueError(f"eta_wk[0] adds up to the tokens of word 0, as N_wk would, expected {expected} each")
