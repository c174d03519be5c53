"""The numbers that other libraries report about one model, for the chapter "Your library's number".

    python -m figures.peers.library_numbers

The script draws a corpus and fits VB with this package. It puts the parameters of q(phi) into scikit-learn and gensim
and asks for their numbers. tomotopy and lda cannot be given a model, so they sample one, and their counts are kept.
scikit-learn and gensim also fit four other corpora, with and without annealing. The script writes
library_numbers.json: the model, each library's answers, the default priors, and the versions. The chapter computes the
same numbers from the same model. If a library is not installed (`make peers` installs all four), the script says so
and writes nothing. It takes a few minutes.
"""

import inspect
import json
import logging
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import lda_reference as lda
from figures.peers.conformance_cases import Case, counts_of_topics

try:
    from figures.peers.adapters import gensim_model, lda_package, scikit_learn, tomotopy_model
except ImportError as error:
    sys.exit(f"{error}. `make peers` installs the libraries; library_numbers.json stays as it is")

PATH = Path(__file__).with_name("library_numbers.json")
K, W, PRIOR = 4, 40, lda.Prior(0.1, 0.1)
SMALL_D = 2  # documents of the small part


def corpora() -> tuple[lda.Corpus, lda.Corpus, lda.Corpus]:
    """Training documents, and two halves of new documents from the same topics."""
    rng = np.random.default_rng(16)
    X = dense(lda.synthetic.draw(rng, np.full(30, 40), K, W, PRIOR).corpus)
    X_seen = rng.binomial(X[20:], 0.5)
    train, seen_half, new_half = (lda.Corpus.from_csr(x) for x in map(csr_matrix, (X[:20], X_seen, X[20:] - X_seen)))
    return train, seen_half, new_half


def dense(c: lda.Corpus) -> np.ndarray:
    return c.to_csr().toarray()


def our_model(train: lda.Corpus) -> np.ndarray:
    """The parameters eta_wk of q(phi) of VB: nested order, the best bound of ten starts."""
    A, best_bound_and_state = lda.ALGORITHMS["vb"], None
    for seed in range(10):
        s = A.init(train, K, PRIOR, rng=np.random.default_rng(seed))
        for _ in range(100):
            s = A.sweep(s, train, PRIOR, schedule="nested")
        bound = A.bound(s, train, PRIOR)
        if best_bound_and_state is None or bound > best_bound_and_state[0]:
            best_bound_and_state = bound, s
    N_wk = np.zeros((W, K))
    np.add.at(N_wk, train.w, train.n[:, None] * best_bound_and_state[1].gamma)
    return PRIOR.eta + N_wk


def case_of(c: lda.Corpus, eta_wk: np.ndarray) -> Case:
    """What the adapters make a model from."""
    corpus = {"j": c.j.tolist(), "w": c.w.tolist(), "n": c.n.tolist(), "D": c.D, "W": c.W}
    return {"K": K, "corpus": corpus, "prior": {"alpha": PRIOR.alpha, "eta": PRIOR.eta}, "eta_wk": eta_wk.tolist()}


def of_scikit_learn(case: Case, X: np.ndarray, X_seen: np.ndarray) -> dict[str, Any]:
    model, X_few = scikit_learn.model_of(case, case["eta_wk"], **scikit_learn.CONVERGED), X[:SMALL_D]
    model.set_params(total_samples=len(X))
    return {
        "score, all": model.score(X),
        "perplexity, all": model.perplexity(X),
        "score, few": model.score(X_few),
        "perplexity, few": model.perplexity(X_few),
        "perplexity with sub_sampling, few": model.perplexity(X_few, sub_sampling=True),
        "theta of the known halves": model.transform(X_seen).tolist(),
        "phi": (model.components_ / model.components_.sum(1, keepdims=True)).tolist(),
    }


def of_gensim(case: Case, X: np.ndarray, X_seen: np.ndarray) -> dict[str, Any]:
    model, log_messages = gensim_model.model_of(case, **gensim_model.CONVERGED), []
    log_handler = logging.Handler()
    log_handler.emit = lambda log_record: log_messages.append(log_record.getMessage())
    gensim_logger = logging.getLogger("gensim.models.ldamodel")
    gensim_logger.addHandler(log_handler)
    gensim_logger.setLevel(logging.INFO)
    bound_per_word = model.log_perplexity(gensim_model.bags(X))
    gensim_logger.removeHandler(log_handler)
    gensim_logger.setLevel(logging.ERROR)
    alpha_jk = model.inference(gensim_model.bags(X_seen))[0]
    return {
        "log_perplexity, all": bound_per_word,
        "perplexity in the log, all": next(float(x.split()[3]) for x in log_messages if "perplexity estimate" in x),
        "log_perplexity, few": model.log_perplexity(gensim_model.bags(X[:SMALL_D])),
        "log_perplexity with total_docs, few": model.log_perplexity(gensim_model.bags(X[:SMALL_D]), total_docs=len(X)),
        "bound, all": model.bound(gensim_model.bags(X)),
        "theta of the known halves": (alpha_jk / alpha_jk.sum(1, keepdims=True)).tolist(),
        "phi": model.get_topics().tolist(),
    }


def of_tomotopy(case: Case, X: np.ndarray, X_seen: np.ndarray) -> dict[str, Any]:
    held, learned = (tomotopy_model.tomotopy.LDAModel(k=K, alpha=PRIOR.alpha, eta=PRIOR.eta, seed=1) for _ in range(2))
    held.optim_interval = 0
    for model in (held, learned):
        for n_w in X:
            model.add_doc(np.repeat(np.arange(W), n_w).astype(str))
        model.train(1000, workers=1)
    N_jk, N_wk = counts_of_topics(case, tomotopy_model.topics(held))
    phi, word_ids = np.zeros((K, W)), [int(word) for word in held.used_vocabs]
    for k in range(K):
        phi[k, word_ids] = held.get_topic_word_dist(k)
    seen_documents = [np.repeat(np.arange(W), n_w).astype(str) for n_w in X_seen]
    return {
        "ll_per_word": held.ll_per_word,
        "perplexity": held.perplexity,
        "N_jk": N_jk.astype(int).tolist(),
        "N_wk": N_wk.astype(int).tolist(),
        "alpha learned by default": learned.alpha.tolist(),
        "theta of the known halves": [list(map(float, held.infer(held.make_doc(n_w))[0])) for n_w in seen_documents],
        "phi": phi.tolist(),
    }


def of_lda(case: Case, X: np.ndarray, X_seen: np.ndarray) -> dict[str, Any]:
    model, N_j = lda_package.model_of(case, 1000).fit(X), X_seen.sum(1, keepdims=True)
    theta_without_alpha = model.transform(X_seen, max_iter=2000)  # it leaves out alpha
    return {
        "loglikelihood": model.loglikelihood(),
        "N_jk": model.ndz_.tolist(),
        "N_wk": model.nzw_.T.tolist(),
        "theta of the known halves": ((N_j * theta_without_alpha + PRIOR.alpha) / (N_j + K * PRIOR.alpha)).tolist(),
        "phi": model.topic_word_.tolist(),
    }


# Annealing -----------------------------------------------------------------------------------------------------------

SIZE, TOPICS, TOP, FALLING, N_PASSES = 100, 10, 3.0, 30, 40  # documents and words; the prior's top, and its way down
SEEDS = (0, 1)


def passes(is_annealed: bool) -> list[float]:
    """The prior of each pass: from TOP to the own prior in FALLING passes in equal ratios, or the own prior."""
    exponents = [max(0.0, 1 - t / FALLING) if is_annealed else 0.0 for t in range(N_PASSES)]
    return [PRIOR.alpha * (TOP / PRIOR.alpha) ** exponent for exponent in exponents]


def fitted_by_scikit_learn(X: np.ndarray, is_annealed: bool, seed: int) -> tuple[float, np.ndarray, np.ndarray]:
    """VB's bound, eta_wk and alpha_jk. Without decay and with the true number of documents, a pass is a batch step."""
    pass_priors = passes(is_annealed)
    model = scikit_learn.LatentDirichletAllocation(
        TOPICS, doc_topic_prior=pass_priors[0], topic_word_prior=pass_priors[0], learning_decay=0.0, batch_size=len(X),
        total_samples=len(X), random_state=seed,
    )  # fmt: skip
    for prior_number in pass_priors:
        model.doc_topic_prior_ = model.topic_word_prior_ = prior_number
        model.partial_fit(X)  # in its first call it takes the priors above
    model.set_params(**scikit_learn.CONVERGED)
    return model.score(X), model.components_.T, model.transform(X)


def fitted_by_gensim(X: np.ndarray, is_annealed: bool, seed: int) -> tuple[float, np.ndarray, np.ndarray]:
    model = gensim_model.LdaModel(
        None, TOPICS, {w: str(w) for w in range(X.shape[1])}, alpha=[PRIOR.alpha] * TOPICS, eta=PRIOR.eta, decay=0.0,
        chunksize=len(X), update_every=0, eval_every=0, iterations=100, dtype=np.float64, random_state=seed,
    )  # fmt: skip
    for prior_number in passes(is_annealed):
        model.alpha[:], model.eta[:] = prior_number, prior_number
        model.state.numdocs = 0  # else the counts are scaled up to the documents of all passes
        model.update(gensim_model.bags(X))
    model.iterations, model.gamma_threshold = 1000, 1e-6
    alpha_jk = model.inference(gensim_model.bags(X))[0]
    return model.bound(gensim_model.bags(X)), model.state.get_lambda().T, alpha_jk


def annealing() -> dict[str, Any]:
    """Bounds a token and held-out perplexities, by corpus and seed, of fits with and without annealing."""
    X = dense(corpora()[0])
    batch_model = scikit_learn.LatentDirichletAllocation(
        TOPICS, doc_topic_prior=PRIOR.alpha, topic_word_prior=PRIOR.eta, max_iter=N_PASSES, random_state=0
    ).fit(X)  # its own batch VB, for comparison
    fit_numbers: dict[str, Any] = {
        "partial_fit - fit": np.abs(fitted_by_scikit_learn(X, False, 0)[1] - batch_model.components_.T).max(),
        **{f"{library}, {mode}": [] for library in ("scikit-learn", "gensim") for mode in ("plain", "annealed")},
    }
    for corpus_number in range(4):
        rng = np.random.default_rng([18, corpus_number])
        c = lda.synthetic.draw(rng, [50] * SIZE, TOPICS, SIZE, PRIOR).corpus.types()
        train, test = lda.split(c, "tokens", 0.1, rng)
        for library, fit_function in (("scikit-learn", fitted_by_scikit_learn), ("gensim", fitted_by_gensim)):
            for mode in ("plain", "annealed"):
                seed_scores = []
                for seed in SEEDS:
                    bound, eta_wk, alpha_jk = fit_function(dense(train), mode == "annealed", seed)
                    theta_jk = alpha_jk / alpha_jk.sum(1, keepdims=True)
                    seed_scores.append([bound / train.N, lda.perplexity(test, theta_jk, eta_wk / eta_wk.sum(0))])
                    print(corpus_number, library, mode, seed, seed_scores[-1], flush=True)
                fit_numbers[f"{library}, {mode}"].append(seed_scores)
    return fit_numbers


def defaults() -> dict[str, dict[str, Any]]:
    """The defaults of the parameters that the libraries' functions have for the priors."""

    def defaults_of(function: Any, *parameter_names: str) -> dict[str, Any]:
        signature_parameters = inspect.signature(function).parameters
        return {parameter_name: signature_parameters[parameter_name].default for parameter_name in parameter_names}

    model, sklearn_class = tomotopy_model.tomotopy.LDAModel(k=K), scikit_learn.LatentDirichletAllocation
    return {
        "scikit-learn": defaults_of(sklearn_class, "n_components", "doc_topic_prior", "topic_word_prior"),
        "gensim": defaults_of(gensim_model.LdaModel, "num_topics", "alpha", "eta"),
        "tomotopy": {"k": tomotopy_model.tomotopy.LDAModel().k, "alpha": float(model.alpha[0]), "eta": model.eta,
                     "optim_interval": model.optim_interval, "burn_in": model.burn_in},
        "lda": defaults_of(lda_package.lda.LDA, "alpha", "eta"),
    }  # fmt: skip


def main() -> None:
    warnings.simplefilter("ignore")
    train, seen_half, new_half = corpora()
    eta_wk, X = our_model(train), dense(train)
    case = case_of(train, eta_wk)
    by_library = {
        "versions": {library: version(library) for library in ("scikit-learn", "gensim", "tomotopy", "lda")},
        "defaults": defaults(),
        "scikit-learn": of_scikit_learn(case, X, dense(seen_half)),
        "gensim": of_gensim(case, X, dense(seen_half)),
        "tomotopy": of_tomotopy(case, X, dense(seen_half)),
        "lda": of_lda(case, X, dense(seen_half)),
        "annealing": annealing(),
    }
    model = {
        "K": K, "alpha": PRIOR.alpha, "eta": PRIOR.eta, "few": SMALL_D, "eta_wk": eta_wk.tolist(),
        "train": X.tolist(), "known": dense(seen_half).tolist(), "heldout": dense(new_half).tolist(),
    }  # fmt: skip
    PATH.write_text(json.dumps({"model": model, **by_library}, default=float).replace("], ", "],\n ") + "\n", "utf-8")
    print(f"Written: {PATH.name}")


if __name__ == "__main__":
    main()
