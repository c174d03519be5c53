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
    return np.stack([rng.multinomial(50, x @ phi) for x in theta])


def mean_log(X, theta, phi):
    return np.sum(X * np.log(theta @ phi)) / X.sum()


def models_and_numbers():
    """The live models by name, and the numbers: (what it is, the number, the name of its model, its documents)."""
    import lda
    import tomotopy
    from gensim.models import LdaModel
    from sklearn.decomposition import LatentDirichletAllocation

    X, models, numbers = corpus(), {}, []
    sk_lda = models["scikit-learn"] = LatentDirichletAllocation(
        5, doc_topic_prior=0.1, topic_word_prior=0.1, random_state=0, max_iter=50
    ).fit(X)
    phi = sk_lda.components_ / sk_lda.components_.sum(1, keepdims=True)
    for n in (60, 5, 1):
        numbers.append((f"perplexity of {n}", sk_lda.perplexity(X[:n]), "scikit-learn", n))
        numbers.append((f"theta phi of {n}", np.exp(-mean_log(X[:n], sk_lda.transform(X[:n]), phi)), "scikit-learn", n))

    bags, word_of_id = [[(w, int(n)) for w, n in enumerate(x) if n] for x in X], {w: str(w) for w in range(200)}
    gs_lda = models["gensim"] = LdaModel(bags, 5, word_of_id, alpha=[0.1] * 5, eta=0.1, passes=20, random_state=0)
    bounds = {n: gs_lda.log_perplexity(bags[:n]) for n in (60, 5, 1)}
    gamma = gs_lda.inference(bags)[0]
    numbers += [
        ("log_perplexity", bounds[60], "gensim", 60), ("perplexity in the log", 2.0 ** -bounds[60], "gensim", 60),
        ("theta phi", np.exp(-mean_log(X, gamma / gamma.sum(1, keepdims=True), gs_lda.get_topics())), "gensim", 60),
        *((f"exp(-log_perplexity) of {n}", np.exp(-x), "gensim", n) for n, x in bounds.items()),
    ]  # fmt: skip
    gs_lda = models["gensim, one pass"] = LdaModel(bags, 5, word_of_id, random_state=0)
    numbers.append(("bound", gs_lda.bound(bags, gamma=gs_lda.inference(bags)[0][:, None]), "gensim, one pass", 60))

    tm5 = models["tomotopy"] = tomotopy.LDAModel(k=5, alpha=0.1, eta=0.1, seed=1)
    tm1 = models["tomotopy, two words"] = tomotopy.LDAModel(k=1, alpha=0.1, eta=0.01, seed=1)
    for model, texts, sweeps in ((tm5, [np.repeat(np.arange(200), x).astype(str) for x in X], 1000), (tm1, ["ab"], 1)):
        model.optim_interval = 0
        for x in texts:
            model.add_doc(list(x))
        model.train(sweeps, workers=1)
    theta, phi = [x.get_topic_dist() for x in tm5.docs], np.array([tm5.get_topic_word_dist(k) for k in range(5)])
    log_p = np.mean([np.log(t @ phi[:, x.words]).mean() for t, x in zip(theta, tm5.docs, strict=True)])
    numbers += [
        ("perplexity", tm5.perplexity, "tomotopy", 60), ("exp(-ll_per_word)", np.exp(-tm5.ll_per_word), "tomotopy", 60),
        ("theta phi", np.exp(-log_p), "tomotopy", 60), ("log p(x, z)", 2 * tm1.ll_per_word, "tomotopy, two words", 1),
    ]  # fmt: skip

    lda_model = models["lda"] = lda.LDA(5, n_iter=100, alpha=0.1, eta=0.1, random_state=0).fit(X)
    numbers.append(("loglikelihood", lda_model.loglikelihood(), "lda", 60))
    return models, [(number_name, float(x), name, n) for number_name, x, name, n in numbers]


def arrays_of_model(library, model):
    """The arrays of a model under the names that `which_number` takes, with 9 digits; gensim's are single."""
    if library == "scikit-learn":
        arrays = {"eta_wk": model.components_.T, "alpha": model.doc_topic_prior_, "eta": model.topic_word_prior_}
    elif library.startswith("gensim"):
        arrays = {"eta_wk": model.state.get_lambda().T, "alpha": model.alpha, "eta": model.eta}
    elif library.startswith("tomotopy"):  # its own words, in its order
        counts = np.zeros((len(model.used_vocabs), model.k)), np.zeros((len(model.docs), model.k))
        for d, x in enumerate(model.docs):
            for w, k in zip(x.words, x.topics, strict=True):
                counts[0][w, k] += 1
                counts[1][d, k] += 1
        X = np.zeros((len(model.docs), len(model.used_vocabs)), int)
        for d, x in enumerate(model.docs):
            np.add.at(X[d], list(x.words), 1)
        arrays = {"N_wk": counts[0], "N_jk": counts[1], "alpha": model.alpha, "eta": model.eta, "X": X}
    else:
        arrays = {"N_jk": model.ndz_, "N_wk": model.nzw_.T, "alpha": model.alpha, "eta": model.eta}
    return {key: rounded(np.asarray(x).tolist()) for key, x in arrays.items()}


def rounded(x):
    """Numbers in lists with 9 digits, which single precision does not exceed."""
    return [rounded(y) for y in x] if isinstance(x, list) else int(x) if x == int(x) else float(f"{x:.9g}")


def main():
    models, numbers = models_and_numbers()
    document = {
        "versions": {x: version(x) for x in ("scikit-learn", "gensim", "tomotopy", "lda")},
        "X": corpus().tolist(),
        "models": {name: arrays_of_model(name, model) for name, model in models.items()},
        "numbers": numbers,
    }
    PATH.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
