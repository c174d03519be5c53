"""The numbers that figures/CONFORMANCE.md shows of four libraries, with the models that they are of.

    python -m tests.evaluation.reported_numbers

The script runs the functions of that file again, where scikit-learn, gensim, tomotopy and lda are installed (the extra
`peers`), and writes reported_numbers.json: the corpus, what `which_number` reads of each model, and the numbers.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np

PATH = Path(__file__).with_name("reported_numbers.json")


def corpus():
    """60 documents of 50 words, drawn from 5 topics of 200 words: a table of counts."""
    rng = np.random.default_rng(0)
    phi, theta = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    return np.stack([rng.multinomial(50, theta_j @ phi) for theta_j in theta])


def mean_log(X, theta, phi):
    return np.sum(X * np.log(theta @ phi)) / X.sum()


def models_and_numbers():
    """The live models by name, and the numbers: (what it is, the number, the name of its model, its documents)."""
    import lda
    import tomotopy
    from gensim.models import LdaModel
    from sklearn.decomposition import LatentDirichletAllocation

    X, models, numbers = corpus(), {}, []
    sklearn_model = models["scikit-learn"] = LatentDirichletAllocation(
        5, doc_topic_prior=0.1, topic_word_prior=0.1, random_state=0, max_iter=50
    ).fit(X)
    phi = sklearn_model.components_ / sklearn_model.components_.sum(1, keepdims=True)
    for n_documents in (60, 5, 1):
        numbers.append((f"perplexity of {n_documents}", sklearn_model.perplexity(X[:n_documents]), "scikit-learn", n_documents))
        numbers.append((f"theta phi of {n_documents}", np.exp(-mean_log(X[:n_documents], sklearn_model.transform(X[:n_documents]), phi)), "scikit-learn", n_documents))

    bags, word_of_id = [[(w, int(count)) for w, count in enumerate(count_row) if count] for count_row in X], {w: str(w) for w in range(200)}
    gensim_model = models["gensim"] = LdaModel(bags, 5, word_of_id, alpha=[0.1] * 5, eta=0.1, passes=20, random_state=0)
    bound_of_first = {n_documents: gensim_model.log_perplexity(bags[:n_documents]) for n_documents in (60, 5, 1)}
    gamma = gensim_model.inference(bags)[0]
    numbers += [
        ("log_perplexity", bound_of_first[60], "gensim", 60), ("perplexity in the log", 2.0 ** -bound_of_first[60], "gensim", 60),
        ("theta phi", np.exp(-mean_log(X, gamma / gamma.sum(1, keepdims=True), gensim_model.get_topics())), "gensim", 60),
        *((f"exp(-log_perplexity) of {n_documents}", np.exp(-bound), "gensim", n_documents) for n_documents, bound in bound_of_first.items()),
    ]  # fmt: skip
    gensim_model = models["gensim, one pass"] = LdaModel(bags, 5, word_of_id, random_state=0)
    numbers.append(("bound", gensim_model.bound(bags, gamma=gensim_model.inference(bags)[0][:, None]), "gensim, one pass", 60))

    five_topic_model = models["tomotopy"] = tomotopy.LDAModel(k=5, alpha=0.1, eta=0.1, seed=1)
    one_topic_model = models["tomotopy, two words"] = tomotopy.LDAModel(k=1, alpha=0.1, eta=0.01, seed=1)
    for model, texts, sweeps in ((five_topic_model, [np.repeat(np.arange(200), count_row).astype(str) for count_row in X], 1000), (one_topic_model, ["ab"], 1)):
        model.optim_interval = 0
        for words_of_document in texts:
            model.add_doc(list(words_of_document))
        model.train(sweeps, workers=1)
    theta, phi = [document.get_topic_dist() for document in five_topic_model.docs], np.array([five_topic_model.get_topic_word_dist(k) for k in range(5)])
    log_p = np.mean([np.log(theta_j @ phi[:, document.words]).mean() for theta_j, document in zip(theta, five_topic_model.docs, strict=True)])
    numbers += [
        ("perplexity", five_topic_model.perplexity, "tomotopy", 60), ("exp(-ll_per_word)", np.exp(-five_topic_model.ll_per_word), "tomotopy", 60),
        ("theta phi", np.exp(-log_p), "tomotopy", 60), ("log p(x, z)", 2 * one_topic_model.ll_per_word, "tomotopy, two words", 1),
    ]  # fmt: skip

    lda_model = models["lda"] = lda.LDA(5, n_iter=100, alpha=0.1, eta=0.1, random_state=0).fit(X)
    numbers.append(("loglikelihood", lda_model.loglikelihood(), "lda", 60))
    return models, [(number_name, float(number), model_name, n_documents) for number_name, number, model_name, n_documents in numbers]


def arrays_of_model(library, model):
    """The arrays of a model under the names that `which_number` takes, with 9 digits; gensim's are single."""
    if library == "scikit-learn":
        arrays = {"eta_wk": model.components_.T, "alpha": model.doc_topic_prior_, "eta": model.topic_word_prior_}
    elif library.startswith("gensim"):
        arrays = {"eta_wk": model.state.get_lambda().T, "alpha": model.alpha, "eta": model.eta}
    elif library.startswith("tomotopy"):  # its own words, in its order
        N_wk_and_N_jk = np.zeros((len(model.used_vocabs), model.k)), np.zeros((len(model.docs), model.k))
        for j, document in enumerate(model.docs):
            for w, k in zip(document.words, document.topics, strict=True):
                N_wk_and_N_jk[0][w, k] += 1
                N_wk_and_N_jk[1][j, k] += 1
        X = np.zeros((len(model.docs), len(model.used_vocabs)), int)
        for j, document in enumerate(model.docs):
            np.add.at(X[j], list(document.words), 1)
        arrays = {"N_wk": N_wk_and_N_jk[0], "N_jk": N_wk_and_N_jk[1], "alpha": model.alpha, "eta": model.eta, "X": X}
    else:
        arrays = {"N_jk": model.ndz_, "N_wk": model.nzw_.T, "alpha": model.alpha, "eta": model.eta}
    return {array_name: rounded(np.asarray(array).tolist()) for array_name, array in arrays.items()}


def rounded(number_or_list):
    """Numbers in lists with 9 digits, which single precision does not exceed."""
    return [rounded(member) for member in number_or_list] if isinstance(number_or_list, list) else int(number_or_list) if number_or_list == int(number_or_list) else float(f"{number_or_list:.9g}")


def main():
    models, numbers = models_and_numbers()
    record = {
        "versions": {library: version(library) for library in ("scikit-learn", "gensim", "tomotopy", "lda")},
        "X": corpus().tolist(),
        "models": {model_name: arrays_of_model(model_name, model) for model_name, model in models.items()},
        "numbers": numbers,
    }
    PATH.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
