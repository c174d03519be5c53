"""Which definition gives a number that was reported of a model of this package, of another library, or of arrays."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from ..arguments import check_distributions, check_entries, checked_z, expect, finite, kind, real, shown, whole_number
from ..corpus import Corpus, as_corpus
from ..engine import sums_of
from ..fitting import Fit, corpus_digest
from ..formats.selection import within
from ..model import Prior, column, counts_of, normalised
from ..storage_schema import FOREIGN
from .definitions import EXACT_RTOL, GENSIM_RTOL, LOOSE_RTOL, Definition, Known, Loop, definitions

SINGLE_ATOL = 1e-4  # what sums of probabilities in single precision may be off by
WHOLE_ATOL = 0.01  # how near to whole numbers counts must be that follow from theta and phi
LEAST_DIGITS = 4  # a number of fewer digits fits too many definitions
FITTED_ATTRIBUTES = (
    ("components_", "doc_topic_prior_"), ("num_terms", "state"), ("docs", "used_vocabs"), ("ndz_", "nzw_"),
    ("doc_topic", "topic_word", "save_state"), ("doc_topic_distributions_", "_model"), ("phi_", "get_theta"),
)  # fmt: skip
LIBRARY_MODULES = "gensim", "tomotopy", "topica"  # which have models that are not LDA
EXPECTED_MODELS = (
    "a Fit, arrays by name, or a fitted LatentDirichletAllocation of scikit-learn, LdaModel of gensim, LDAModel of"
    " tomotopy, LDA of lda, topica, pyrmallet or BigARTM"
)
SHAPES = {"theta_jk": "DK", "phi_wk": "WK", "alpha_jk": "DK", "eta_wk": "WK", "N_jk": "DK", "N_wk": "WK"}
EXTRA_NAMES = "z", "alpha", "eta", "vocab", "c"


def with_priors(theta_jk: Any, phi_kw: Any, model: Any) -> dict[str, Any]:
    """Estimates, in topica and pyrmallet averages over samples by default, and the priors of a model if it has them."""
    priors = {"alpha": model.alpha, "eta": model.beta} if hasattr(model, "beta") else {}
    return {"theta_jk": theta_jk, "phi_wk": np.transpose(phi_kw), **priors}


ARRAYS_OF_LIBRARY: dict[str, Callable[[Any], dict[str, Any]]] = {  # the arrays of a model that has an attribute
    "doc_topic_prior_": lambda m: {"eta_wk": m.components_.T, "alpha": m.doc_topic_prior_, "eta": m.topic_word_prior_},
    "num_terms": lambda m: {"eta_wk": m.state.get_lambda().T, "alpha": m.alpha, "eta": np.transpose(m.eta)},
    "ndz_": lambda m: {"N_jk": m.ndz_, "N_wk": m.nzw_.T, "alpha": m.alpha, "eta": m.eta},
    "topic_word": lambda m: with_priors(m.doc_topic, m.topic_word, m),
    "doc_topic_distributions_": lambda m: with_priors(m.doc_topic_distributions_, m.components_, m._model),
    "phi_": lambda m: with_priors(np.array(m.get_theta()).T, np.array(m.phi_).T, m),  # BigARTM, in single precision
}


def which_number(
    number: str | float, model: Any, c: Corpus | Any = None, documents: int | None = None
) -> list[Definition]:
    """The definitions that give a reported number of a model, with their words (`says`) and numbers (`value`).

    A ValueError says if the number has too few digits, an array does not fit, or nothing can be computed from what is
    known.

    The number is given as it was printed, with four significant digits or more; with four, a wrong definition fits now
    and then. A definition must agree to the last digit, but its bound or log probability need not be closer than a
    relative 1e-6, 2e-5 for tomotopy, arrays in single precision and a Fit of
    `from_model`, or 2e-4 for gensim, whose loops start at random.

    The model is a Fit, a mapping, such as `read_model` returns, or a fitted model of scikit-learn, gensim, tomotopy,
    lda, topica, pyrmallet or BigARTM. A mapping has some of these arrays by name: `theta_jk` (D, K), `phi_wk` (W, K),
    the parameters `alpha_jk` and `eta_wk` of q(theta) and q(phi), the counts of topics `N_jk` and `N_wk`, or the topics
    `z` (N,) and `alpha` (K,); `alpha` and `eta` as in `Prior`, of which variational EM has no eta. `vocab` has the W
    words, and `c` the documents of z. If theta and phi are the means at whole counts of topics, these counts follow.

    c, a Corpus or a (D, W) matrix of counts, has the documents that the number is of. For a Fit they must be those of
    the training; of other documents give a mapping with `theta_jk`, or the estimator `LDA`. tomotopy's models have
    their own, and c is None. Words are found as in `judge`. `documents` is how many it was trained on, if others.

    >>> import lda_reference as lda
    >>> X, phi_wk = np.array([[2, 1], [0, 3]]), np.array([[0.9, 0.2], [0.1, 0.8]])
    >>> model = {"theta_jk": np.array([[0.75, 0.25], [0.1, 0.9]]), "phi_wk": phi_wk}
    >>> for x in lda.which_number("1.616", model, X):
    ...     print(x.says)
    exp of minus log p(x | theta, phi), with theta and phi as given, per word
    """
    try:
        printed_number = Decimal(str(number).strip())
    except Exception:  # of an object's own __str__, or an integer with more digits than Python writes
        printed_number = Decimal(0)
    _, digits, exponent = printed_number.as_tuple()
    if not printed_number or not math.isfinite(target := float(printed_number)) or len(digits) < LEAST_DIGITS:
        expected_text = f"{LEAST_DIGITS} significant digits or more, and no comma, as in 1062.30"
        raise ValueError(f"number is {shown(number)}, expected {expected_text}")
    fitted_model = getattr(model, "model_", model)  # of the estimator `sklearn.LDA`
    if c is not None and has_documents(model):
        raise ValueError("c is given, expected none: the model has its documents, and its numbers are of these")
    renamed_c = in_words_of(fitted_model, c)[0]
    known_models = []
    if fitted_model is not model and renamed_c is not None:  # its perplexity has theta of `transform`
        arrays = {"theta_jk": model.transform(renamed_c), "phi_wk": fitted_model.phi_wk}
        known_models = [_of_arrays(arrays, renamed_c)._replace(estimates="as given, theta by `transform`")]
    if not known_models or corpus_digest(fitted_model.algorithm.arranged(renamed_c)) == fitted_model.corpus:
        known_models.append(known_of(fitted_model, renamed_c))
    if documents is not None:
        whole_number(documents, "documents", 1)
        known_models += [k._replace(D_trained=documents) for k in known_models if k.D_trained != documents]
    if not (candidates := [(k, y) for k in known_models for y in definitions(k)]):
        needed_text = "N_jk, N_wk, alpha and eta, or, with a corpus c, theta_jk and phi_wk, or eta_wk, alpha and eta"
        raise ValueError(f"model has too little for any definition, expected {needed_text}")
    half_unit = 0.501 * 10.0 ** int(exponent)
    fits = [y for k, y in candidates if abs(y.value - target) <= max(half_unit, k.rtol * y.condition * abs(target))]
    return list(dict.fromkeys(fits))


def documents_of(model: Any) -> Corpus | None:
    """The documents of a state, if the model is one."""
    return model.get("c") if isinstance(model, Mapping) else None


def has_documents(model: Any) -> bool:
    """Whether a model has its documents, as one of tomotopy or a state."""
    return hasattr(model, "docs") or documents_of(model) is not None


def in_words_of(model: Any, c: Any) -> tuple[Corpus | None, Any]:
    """c in the words of a model, found by name if both have names, and these words."""
    corpus, model_words = None if c is None else as_corpus(c), words_of(model)
    if corpus is None or (isinstance(model, Mapping) and model_words is None):
        return corpus, None
    if corpus.vocab is None:
        if model_words is not None and not isinstance(model, Fit) and not hasattr(model, "doc_topic_prior_"):
            raise ValueError("c has no vocab, expected words: the model has an order of its own")
        return corpus, None
    if model_words is None:
        raise ValueError("c has words and the model has none, expected a matrix of counts in the model's columns")
    if not model_words:
        raise ValueError("model has no word, expected a trained model")
    renamed_c = corpus if model_words == corpus.vocab else within(corpus, model_words)[0]
    if not renamed_c.N:
        raise ValueError("c has no word of the model, expected one at least")
    return renamed_c, model_words


def words_of(model: Any) -> tuple[str, ...] | None:
    """The words of a Fit or of a model of a library, in its order, if it has them."""
    if isinstance(model, (Fit, Mapping)):
        vocab = model.get("vocab") if isinstance(model, Mapping) else model.vocab
        return None if vocab is None else tuple(map(str, vocab))
    _check_library(model)
    for name in ("used_vocabs", "feature_names_in_", "vocabulary"):  # tomotopy, scikit-learn with a data frame, topica
        if hasattr(model, name):
            return tuple(map(str, getattr(model, name)))
    if hasattr(model, "phi_"):  # BigARTM
        return tuple(word for _, word in model.phi_.index)
    word_ids = range(model.num_terms) if hasattr(model, "id2word") else ()
    for w in word_ids:
        expect(w in model.id2word, w, "the number of a word of the model", "one that id2word has")
    words_by_number = [model.id2word[w] for w in word_ids]
    return None if words_by_number == [str(w) for w in range(len(words_by_number))] else tuple(words_by_number)


def _check_library(model: Any) -> None:
    """Raise a ValueError unless a model is one of LDA that one of the libraries has fitted."""
    classes = [base.__name__ for base in type(model).__mro__ if base.__module__.lstrip("_").startswith(LIBRARY_MODULES)]
    is_lda = classes[:1] in ([], ["LdaModel"], ["LdaMulticore"], ["LDAModel"], ["LDA"])  # others are derived from these
    is_fitted = any(all(hasattr(model, attribute) for attribute in attributes) for attributes in FITTED_ATTRIBUTES)
    if isinstance(model, type) or not is_lda or not is_fitted:
        raise ValueError(f"model is {kind(model)}{'' if is_lda else ', which is not LDA'}, expected {EXPECTED_MODELS}")


def known_of(model: Any, c: Corpus | None) -> Known:
    """What is known of a model: a Fit, arrays by name, or one of seven libraries, told by its attributes."""
    if isinstance(model, Fit):
        return _of_fit(model, c)
    if isinstance(model, Mapping):
        is_single_precision = any(getattr(array, "dtype", None) == np.float32 for array in model.values())
        return _of_arrays(model, model.get("c", c))._replace(rtol=LOOSE_RTOL if is_single_precision else EXACT_RTOL)
    _check_library(model)
    arrays_function = next((function for name, function in ARRAYS_OF_LIBRARY.items() if hasattr(model, name)), None)
    if arrays_function is None:
        return _of_tomotopy(model)
    if hasattr(model, "ndz_") and c is not None and len(model.ndz_) != c.D:
        raise ValueError(f"c has {c.D} documents, expected the {len(model.ndz_)} of the training of this model of lda")
    facts = _of_arrays(arrays_function(model), c)
    if hasattr(model, "mean_change_tol"):  # scikit-learn, whose `sub_sampling=True` takes a share of total_samples
        document_loop = Loop(model.mean_change_tol, model.max_doc_update_iter, np.finfo(float).eps)
        return facts._replace(loops={"": document_loop}, D_trained=int(model.total_samples))
    if hasattr(model, "num_terms"):  # gensim
        document_loop = Loop(model.gamma_threshold, model.iterations, float(np.finfo(model.dtype).eps))
        return facts._replace(loops={"": document_loop}, D_trained=model.state.numdocs or None, rtol=GENSIM_RTOL)
    return facts._replace(rtol=LOOSE_RTOL) if hasattr(model, "phi_") else facts


def _of_tomotopy(model: Any) -> Known:  # in single precision
    W = len(model.used_vocabs)  # the words that `min_cf` and `rm_top` leave out have larger numbers
    pairs_of_j = [[(int(w), k) for w, k in zip(doc.words, doc.topics, strict=W > 0) if w < W] for doc in model.docs]
    if not any(pairs_of_j):
        raise ValueError("model has no token with a topic, expected a trained model with its documents")
    eta = np.array([model.get_word_prior(w) for w in model.used_vocabs])  # of no size without `set_word_prior`
    arrays = {"z": [k for x in pairs_of_j for _, k in x], "alpha": model.alpha, "eta": eta if eta.size else model.eta}
    c = Corpus.from_documents([[w for w, _ in x] for x in pairs_of_j], W, list(model.used_vocabs))
    if model.tw:  # each token has a weight, and the counts are sums of weights
        del arrays["z"]
        alpha, eta_array = Prior(arrays["alpha"], arrays["eta"]).arrays(model.k, W)
        alpha_jk = np.array([doc.get_topic_dist(normalize=False) for doc in model.docs])
        eta_wk = np.array([model.get_topic_word_dist(k, normalize=False) for k in range(model.k)]).T
        for N_name, smoothed_N, a in (("N_jk", alpha_jk, alpha), ("N_wk", eta_wk, column(eta_array, eta_wk))):
            arrays[N_name] = np.where(np.isclose(smoothed_N, a, rtol=1e-5), 0, smoothed_N - a)  # in single precision
        arrays |= {"theta_jk": normalised(alpha_jk, -1), "phi_wk": normalised(eta_wk, 0)}
    return _of_arrays(arrays, c)._replace(rtol=LOOSE_RTOL, is_tabulated=True, is_weighted=bool(model.tw))


def _of_fit(f: Fit, c: Corpus | None) -> Known:
    if f.phi_wk.ndim == 3 or c is None or corpus_digest(f.algorithm.arranged(c)) != f.corpus:
        raise ValueError("model is a Fit, expected one of a single run, with the corpus c of its training and no other")
    A, c, (W, K) = f.algorithm, f.algorithm.arranged(c), f.phi_wk.shape
    if A is FOREIGN:  # its gamma may be made from theta and phi; it may be tomotopy's, or in single precision
        k = with_counts(Known(f.prior, c, f.theta_jk, f.phi_wk, rtol=LOOSE_RTOL))
        return k._replace(is_tabulated=k.N_jk is not None)
    N_jk, N_wk = sums_of(f.state, c)[:2] if f.state.z is None else counts_of(f.state.z, c, K)
    bound = () if isinstance(A.bound_of, str) else ((f"the bound of {A.name} at gamma", A.bound(f.state, c, f.prior)),)
    alpha, eta = f.prior.arrays(K, W)
    alpha_jk, eta_wk = (N_jk + alpha, N_wk + column(eta, N_wk)) if A.name == "vb" else (None, None)
    return Known(f.prior, c, f.theta_jk, f.phi_wk, alpha_jk, eta_wk, N_jk, N_wk, own_bound=bound)


def _of_arrays(arrays: Mapping[str, Any], c: Corpus | None) -> Known:
    array_of: dict[str, Any] = dict.fromkeys(SHAPES)
    sizes: dict[str, int] = {} if c is None else {"D": c.D, "W": c.W}
    vocab = arrays.get("vocab") if c is None or c.vocab is None else c.vocab
    if vocab is not None:
        sizes.setdefault("W", len(vocab))
    of_c = "" if c is None else f", for the {c.D} documents and {c.W} words of c"
    for name, array in arrays.items():
        if name in SHAPES:
            row_names = [*map(str, array.index)] if hasattr(array, "columns") else []  # of a data frame
            if vocab is not None and row_names != [*vocab] and sorted(row_names) == sorted(vocab):
                raise ValueError(f"{name} has the words in another order, expected {shown(vocab[0])} in the first row")
            array_of[name] = finite(array, name, (2,), f"({', '.join(SHAPES[name])})")
            if name not in ("theta_jk", "phi_wk"):  # sums of many float32 numbers lose digits
                array_of[name] = array_of[name].astype(np.float64)
            check_entries(array_of[name] >= 0, array_of[name], name, "a number of 0 or more")
            shape, expected = array_of[name].shape, ", ".join(str(sizes.get(letter, letter)) for letter in SHAPES[name])
            matches = [sizes.setdefault(letter, size) == size for letter, size in zip(SHAPES[name], shape, strict=True)]
            if not all(matches) or not shape[1]:
                raise ValueError(f"{name} has shape {shape}, expected ({expected}): ({', '.join(SHAPES[name])}){of_c}")
        elif name not in EXTRA_NAMES:
            raise ValueError(f"model has {shown(name)}, expected names among {', '.join((*SHAPES, *EXTRA_NAMES))}")
    p = Prior(arrays["alpha"], arrays["eta"]) if "alpha" in arrays and "eta" in arrays else None
    alpha = Prior(arrays["alpha"]).arrays(sizes.get("K", np.size(arrays["alpha"])), 1)[0] if "alpha" in arrays else None
    for name, axis in (("theta_jk", -1), ("phi_wk", 0)):
        if array_of[name] is not None and not np.allclose(array_of[name].sum(axis), 1, atol=SINGLE_ATOL):
            check_distributions(array_of[name], name, axis)
    if "z" in arrays and c is not None and p is not None:
        z, K = real(arrays["z"], "z"), sizes.setdefault("K", np.size(p.alpha))
        if z.shape != (c.N,):
            raise ValueError(f"z has shape {z.shape}, expected {(c.N,)}: a topic for each token")
        if np.ndim(p.alpha) == 0 and K == 1 and z.any():
            raise ValueError(f"alpha is {p.alpha}, expected a number for each topic beside z")
        array_of["z"] = checked_z(z, c.N, K)
        array_of["N_jk"], array_of["N_wk"] = counts_of(array_of["z"], c, K)
    return with_counts(Known(p, c, alpha=alpha, **array_of))


def with_counts(k: Known) -> Known:
    """The same, with the counts of topics at which theta and phi are the posterior means, if they are whole numbers.

    >>> arrays = {"theta_jk": np.array([[0.625, 0.375]]), "phi_wk": np.array([[5 / 6, 0.25], [1 / 6, 0.75]])}
    >>> with_counts(Known(Prior(0.5, 0.5), Corpus.from_documents([[0, 0, 1]]), **arrays)).N_wk.round().tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    if k.c is None or k.p is None or k.theta_jk is None or k.phi_wk is None or k.N_jk is not None:
        return k
    theta_jk, phi_wk = k.theta_jk.astype(np.float64), k.phi_wk.astype(np.float64)
    alpha, eta = k.p.arrays(theta_jk.shape[1], k.c.W)
    N_jk = theta_jk * (k.c.by_document(k.c.n) + alpha.sum())[:, None] - alpha
    N_wk = phi_wk * (N_jk.sum(0) + eta.sum(0)) - column(eta, phi_wk)
    round_jk, round_wk = np.rint(N_jk), np.rint(N_wk)
    are_whole = all(np.all((np.abs(N - n) <= WHOLE_ATOL) & (n >= 0)) for N, n in ((N_jk, round_jk), (N_wk, round_wk)))
    if not are_whole or not np.array_equal(round_jk.sum(0), round_wk.sum(0)):
        return k
    return k._replace(N_jk=round_jk, N_wk=round_wk)
