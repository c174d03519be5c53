"""The model of any library, judged by this package's definitions: its bound or log joint, and its perplexities."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS, vb
from ..arguments import check_distributions, check_entries
from ..corpus import Corpus, as_corpus
from ..fitting import Fit, corpus_digest
from ..formats.files import UTF_8
from ..formats.selection import within
from ..model import Array, Prior, column, log_joint_collapsed, mean_of_counts, normalised
from ..storage_schema import check_range
from .definitions import Known, Loop, bound_at, settled, settled_at
from .prediction import perplexity, perplexity_of
from .read_model import read_model
from .validation import completion, halves
from .which_number import SINGLE_ATOL, documents_of, in_words_of, known_of

ALIKE_SHARE = 0.98  # of the perplexity of a single topic, above which topics tell nothing
TOPIC_ETA = 0.1  # of one that learns from the documents
CERTAIN_ODDS = np.log(1000)  # of words that are equally probable, against the topics


def judge(model: Any, c: Any = None, seed: int = 0, encoding: str = UTF_8) -> dict[str, float]:
    """What this package's definitions say of a model that another program has fitted.

    A ValueError says if the model is not LDA, does not fit c, or lacks phi, documents or priors. A UserWarning says if
    the topics tell nothing of c, tokens have weights, or there is no alpha.

    The model is a Fit, a fitted model of scikit-learn, gensim, tomotopy, lda, topica, pyrmallet or BigARTM, a path that
    `read_model` takes, what it returns, or arrays by name as in `which_number`. Counts of topics must add up to the
    documents and words of c. This cannot show that `z`, the words of `eta_wk`, or expected counts of documents of
    similar lengths are in another order than those of c.

    c, a Corpus or a (D, W) matrix of counts, has the documents to judge the model by; models of tomotopy and states
    have their own. Words are found by name if both have names. Without names of its own a library's model takes a
    matrix, and arrays take any c, in their order; a Fit takes a matrix in its order. The seed is that of the halves of
    the documents; other halves of few documents change a perplexity by some percent. The encoding is that of files that
    are not in UTF-8.

    The result has each number by its name. Compare a number only with others of its name:

    - "log p(x, z) per token", TNW06 (7), in nats, if the model has whole counts of topics;
    - "bound per token", in nats: TNW06 (2) with q(theta) fitted to these documents, if the model has q(phi), whose
      divergence counts in full, so of other documents than those of the training it is low; of a Fit its own;
    - "bound per token, given phi", in nats: variational EM's, with q(theta) fitted, if the model has alpha and no eta;
    - "perplexity", of all tokens by the posterior means of theta and phi, AWST09 (15), or by theta and phi as the model
      has them, if it is a Fit, or has neither counts nor q(phi); theta has seen the tokens;
    - "perplexity of halves", of the second halves, with theta of the first by twenty sweeps of CVB0. Of a Fit,
      tomotopy or a state and other documents than theirs, it is the only one;
    - "tokens scored", by the last: those whose words the model has. Compare models that score the same tokens.

    >>> counts = {"N_jk": np.array([[2.0, 1], [0, 3]]), "N_wk": np.array([[2.0, 0], [0, 4]])}
    >>> found = judge(counts | {"alpha": 0.5, "eta": 0.5}, np.array([[2, 1], [0, 3]]))
    >>> round(found["log p(x, z) per token"], 4), round(found["perplexity"], 3)
    (-1.0355, 1.548)
    """
    model = getattr(model, "model_", model)  # of the estimator `sklearn.LDA`
    model = read_model(model, encoding) if isinstance(model, (str, Path)) else model
    model_corpus, judged_corpus = documents_of(model), None if c is None else as_corpus(c)
    renamed_c, model_words = in_words_of(model, c)
    if isinstance(model, Fit):
        if judged_corpus is None or renamed_c is None:
            raise ValueError("c is None, expected the documents that the model was trained on, or others")
        counts_prior = Prior(np.subtract(model.prior.alpha, model.algorithm.prior_offset), 1.0)  # as CVB0 adds it
        if model.phi_wk.ndim == 2 and corpus_digest(model.algorithm.arranged(renamed_c)) != model.corpus:
            return _of_halves(judged_corpus, model.phi_wk, counts_prior, seed, model_words)
    facts = known_of(model, renamed_c if model_corpus is None else model_corpus)
    if facts.c is None:
        raise ValueError("c is None, expected the documents, which this model does not contain")
    if not facts.c.N:
        raise ValueError("the documents have no token, expected one at least")
    p = facts.p if facts.p is not None or facts.alpha is None else Prior(facts.alpha, 1.0)  # phi is held, without eta
    p = counts_prior if isinstance(model, Fit) else p
    if p is not None:
        check_range(p, ALGORITHMS["cvb0"])  # which fits theta to the halves
    numbers, theta_jk, phi_wk = _of_training(facts, facts.c)
    theta_jk, phi_wk = (model.theta_jk, model.phi_wk) if isinstance(model, Fit) else (theta_jk, phi_wk)
    is_training_corpus = judged_corpus is None or facts.c is renamed_c or isinstance(model, Fit)
    if is_training_corpus and theta_jk is not None:
        numbers["perplexity"] = float(perplexity(facts.c, theta_jk, phi_wk))
        mean_of_topics = perplexity_of(facts.c, phi_wk.mean(1)[facts.c.w])
        single = min(mean_of_topics, _of_one_topic(facts.c))
        if phi_wk.shape[1] > 1 and numbers["perplexity"] > ALIKE_SHARE * single:
            _warn(f"perplexity {numbers['perplexity']:.6g}, and {single:.6g} of a single topic")
    if facts.is_weighted:
        reason = "the model's own likelihood and perplexity are per unit of weight, and those here per token"
        warnings.warn(f"tokens have weights in the model, tw={model.tw}: {reason}", stacklevel=2)
    numbers = numbers if is_training_corpus else {}
    if p is None:
        warnings.warn("model has no alpha, which the perplexity of halves needs", stacklevel=2)
        return numbers
    return numbers | _of_halves(facts.c if judged_corpus is None else judged_corpus, phi_wk, p, seed, model_words)


def _of_training(k: Known, c: Corpus) -> tuple[dict[str, float], Array | None, Array]:
    """log p(x, z) or a bound per token, and theta, if it is known, and phi: the posterior means if these follow."""
    number_of: dict[str, float] = {"bound per token": float(k.own_bound[0][1]) / c.N} if k.own_bound else {}
    if k.N_jk is not None and k.N_wk is not None and not k.is_weighted:
        p, N_jk, N_wk = _prior_of(k), k.N_jk.astype(np.float64), k.N_wk.astype(np.float64)
        if check_counts(N_jk, N_wk, c.types()):
            number_of["log p(x, z) per token"] = float(log_joint_collapsed(N_jk, N_wk, p)) / c.N
        return number_of, *mean_of_counts(N_jk, N_wk, p)
    if k.eta_wk is not None:
        p, eta_wk = _prior_of(k), k.eta_wk
        check_q_of_phi(eta_wk, c, p)
        alpha_jk = settled(eta_wk, c.types(), p, Loop())
        number_of["bound per token"] = vb.bound_of_parameters(alpha_jk, eta_wk, c, p) / c.N
        return number_of, normalised(alpha_jk.astype(np.float64), -1), normalised(eta_wk.astype(np.float64), 0)
    if k.phi_wk is None or (k.theta_jk is None and k.alpha is None):
        raise ValueError("model has too little, expected N_jk and N_wk, eta_wk, or phi_wk with theta_jk or alpha")
    if k.p is None and k.alpha is not None:
        types_corpus = c.types()
        with np.errstate(divide="ignore", invalid="ignore"):  # of words that no topic has
            bounds = bound_at(settled_at(k.phi_wk, types_corpus, k.alpha, Loop()), k.phi_wk, k.alpha, types_corpus)
        number_of |= {"bound per token, given phi": float(bounds.sum()) / c.N} if np.all(np.isfinite(bounds)) else {}
    theta_jk = None if k.theta_jk is None else distributions(k.theta_jk, "theta_jk", -1)
    return number_of, theta_jk, distributions(k.phi_wk, "phi_wk", 0)


def _of_halves(c: Corpus, phi_wk: Array, p: Prior, seed: int, model_words: Any) -> dict[str, float]:
    """The perplexity of second halves; the words of the rows of phi_wk are those of `model_words`, or of c."""
    if c.vocab is not None:  # sorted, so that the halves do not depend on an order of the words
        row_of_word = {word: row for row, word in enumerate(c.vocab if model_words is None else model_words)}
        c = within(c, sorted({*c.vocab, *row_of_word}))[0]
        row_w = np.array([row_of_word.get(word, -1) for word in c.vocab or ()])
        phi_wk, p = np.where((row_w >= 0)[:, None], phi_wk[row_w], 0.0), Prior(p.alpha, 1.0)  # phi is held, without eta
    if len(phi_wk) != c.W:
        raise ValueError(f"c has {c.W} words, expected the {len(phi_wk)} of the model")
    split_halves = halves(c.types(), np.random.default_rng(seed))
    n_scored_tokens = float(split_halves.heldout.n[phi_wk.max(1)[split_halves.heldout.w] > 0].sum())
    if not n_scored_tokens:
        raise ValueError("c has no document of two tokens whose second half has a word of the model, expected one")
    halves_perplexity = float(completion(ALGORITHMS["cvb0"], split_halves, phi_wk, p, seed))
    W = np.count_nonzero(phi_wk.any(1))
    if n_scored_tokens * np.log(halves_perplexity / W) > CERTAIN_ODDS:  # as words in a random order have on average
        _warn(f"perplexity of halves {halves_perplexity:.6g}, and {W} if all words were equally probable", 4)
    return {"perplexity of halves": halves_perplexity, "tokens scored": n_scored_tokens}


def _of_one_topic(c: Corpus) -> float:
    """The perplexity of one topic for all documents, which learns from each token, but only after it."""
    N_j, N_w = c.by_document(c.n)[:, None], c.by_word(c.n)[:, None]
    return float(np.exp(-log_joint_collapsed(N_j, N_w, Prior(1.0, TOPIC_ETA)) / c.N))


def _warn(reason: str, stacklevel: int = 3) -> None:
    causes = "all topics are alike, words are in another order, or these documents are unlike the training's"
    warnings.warn(f"the topics tell nothing of these documents: {reason}; {causes}", stacklevel=stacklevel)


def _prior_of(k: Known) -> Prior:
    if k.p is None:
        raise ValueError("model has no alpha and eta")
    return k.p


def distributions(array: Array, name: str, axis: int) -> Array:
    """Probabilities along an axis in double precision; those in single precision are normalised."""
    double_array = array.astype(np.float64)
    if array.dtype == np.float32 and np.all(np.abs(double_array.sum(axis) - 1) < SINGLE_ATOL):
        return normalised(double_array, axis)
    check_distributions(double_array, name, axis)
    return double_array


def check_counts(N_jk: Array, N_wk: Array, c: Corpus) -> bool:
    """Whether these counts of topics are whole; a ValueError if they cannot be those of c, a corpus of types."""
    are_counts_whole = [bool(np.all(np.rint(counts) == counts)) for counts in (N_jk, N_wk)]
    has_whole_counts = any(are_counts_whole)
    for entry_template, N_i, n_i, largest_difference, unit in (
        ("N_jk[{}]", N_jk.sum(1), c.by_document(c.n), c.N / 2, "tokens of this document"),
        ("N_wk[{}]", N_wk.sum(1), c.by_word(c.n), c.N / 2, "tokens of this word"),
        ("N_jk[:, {}]", N_jk.sum(0), N_wk.sum(0), np.inf, "tokens of this topic in N_wk"),
    ):
        differences = np.abs(N_i - n_i)
        is_reordered = np.abs(np.sort(N_i) - np.sort(n_i)).sum() < differences.sum() / 100
        # expected counts may be off: gensim loses some, steps on batches estimate N_wk, topics grow between two steps
        if not np.allclose(N_i, n_i) and (has_whole_counts or is_reordered or differences.sum() > largest_difference):
            i, hint = np.argmax(differences), ": another order fits" if is_reordered else ""
            raise ValueError(f"{entry_template.format(i)} adds up to {N_i[i]:g}, expected {n_i[i]:g}, the {unit}{hint}")
    if has_whole_counts:  # documents of equal lengths may still be in another order
        max_N_jk = np.stack([c.by_document(np.minimum(N_w[c.w], c.n)) for N_w in N_wk.T], 1)
        check_entries(N_jk < max_N_jk + 0.5, N_jk, "N_jk", "no more than N_wk allows for the words of this document")
    return all(are_counts_whole)


def check_q_of_phi(eta_wk: Array, c: Corpus, p: Prior) -> None:
    """Raise a ValueError if these are no parameters of q(phi), which are eta plus expected counts."""
    entry_text, eta = "eta plus an expected count", column(p.arrays(eta_wk.shape[1], c.W)[1], eta_wk)
    for axis, sum_name in enumerate(("eta_wk[:, 0]", "eta_wk[0]")):
        if np.all((eta_sum := eta_wk.sum(axis)) < 1.0001):
            raise ValueError(f"{sum_name} adds up to {eta_sum[0]:.5g}, as probabilities do, expected {entry_text} each")
    lowest_eta = np.minimum(eta, 1) / 10  # eta may have been learned since, and a run may have begun at 1
    check_entries((eta_wk >= lowest_eta) & (eta_wk < 2.0**53), eta_wk, "eta_wk", entry_text)
    if np.all(np.abs(eta_wk.sum(1) - c.by_word(c.n)) < lowest_eta.sum(1)):
        raise ValueError(f"eta_wk[0] adds up to the tokens of word 0, as N_wk would, expected {entry_text} each")
