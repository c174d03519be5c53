"""gensim's LdaModel: variational Bayes."""

import logging

import numpy as np
from gensim.matutils import dirichlet_expectation
from gensim.models import LdaModel

from figures.peers.conformance_cases import counts_of

from . import Case, Given, Row, corpus

NAME, PACKAGE = "gensim", "gensim"
CONVERGED = {"iterations": 5_000, "gamma_threshold": 0.0}
logging.getLogger("gensim").addHandler(logging.NullHandler())
logging.getLogger("gensim").setLevel(logging.ERROR)


def bags(X: np.ndarray) -> list[list[tuple[int, int]]]:
    """Documents as gensim reads them."""
    return [[(w, int(n)) for w, n in enumerate(x) if n] for x in X]


def model_of(case: Case, dtype: type = np.float64, **options) -> LdaModel:
    """A model whose topics are those of the case."""
    K, W, p = case["K"], case["corpus"]["W"], case["prior"]
    alpha, eta = (np.broadcast_to(p[name], (size,)).tolist() for name, size in (("alpha", K), ("eta", W)))
    model = LdaModel(
        None, K, {w: str(w) for w in range(W)}, alpha=alpha, eta=eta, dtype=dtype, random_state=0, chunksize=1000,
        decay=0, offset=1, eval_every=None, **options,
    )  # fmt: skip
    model.state.sstats[:] = np.array(case["eta_wk"]).T - np.array(eta)
    model.sync_state()
    return model


def expected_log(case: Case) -> Case:
    return {"mean_log": dirichlet_expectation(np.array(case["parameters"])).tolist()}


def e_step(dtype: type):
    def answer(case: Case) -> Case:
        model = model_of(case, dtype, iterations=case["iterations"], gamma_threshold=0.0)
        model.random_state = Given(case["alpha_jk"])
        return {"alpha_jk": model.inference(bags(counts_of(case)))[0].tolist()}

    return answer


def converged(**options):
    def answer(case: Case) -> Case:
        return {"alpha_jk": model_of(case, **options).inference(bags(counts_of(case)))[0].tolist()}

    return answer


def iteration(case: Case) -> Case:
    model = model_of(case, **CONVERGED)
    model.update(bags(counts_of(case)), passes=1)
    return {"eta_wk": model.state.get_lambda().T.tolist()}


def elbo(dtype: type):
    def answer(case: Case) -> Case:
        gamma = np.array(case["alpha_jk"], dtype)[:, None]
        return {"bound": float(model_of(case, dtype).bound(bags(counts_of(case)), gamma=gamma))}

    return answer


def bound_as_documented(case: Case) -> Case:
    try:
        return {"bound": float(model_of(case).bound(bags(counts_of(case)), gamma=np.array(case["alpha_jk"])))}
    except ValueError:  # see `bound_with_a_gamma`
        return {"bound": np.nan}


def perplexity(case: Case) -> Case:
    """The perplexity that `log_perplexity` writes to the log."""
    return {"perplexity": float(np.exp2(-model_of(case, **CONVERGED).log_perplexity(bags(counts_of(case)))))}


# Reproductions -------------------------------------------------------------------------------------------------------


def a_rare_word_in_single_precision():
    topics = np.array([[40.0, 30.0, 0.0], [30.0, 40.0, 0.0]])  # expected counts; nobody uses the third word
    counted = {}
    for dtype in (np.float32, np.float64):
        for eta in (0.1, 0.01):
            model = LdaModel(None, 2, {0: "a", 1: "b", 2: "c"}, alpha=[0.1, 0.1], eta=eta, dtype=dtype, random_state=0)
            model.state.sstats[:] = topics
            model.sync_state()
            gamma, _ = model.inference([[(0, 1), (2, 2)]])  # 3 words
            counted[f"{dtype.__name__}_{eta}".replace(".", "_")] = gamma.sum() - 2 * 0.1
    return counted


def bound_with_a_gamma():
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, random_state=0)
    gamma, _ = model.inference(documents)  # (60, 5), as the documentation of `bound` says
    try:
        model.bound(documents, gamma=gamma)
        error = "none"
    except ValueError as found:
        error = str(found)
    return {"error": error, "other": model.bound(documents, gamma=gamma[:, None])}


def perplexity_in_the_log():
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, alpha=[0.1] * 5, eta=0.1, passes=20, random_state=0)
    per_word = {n: model.log_perplexity(documents[:n]) for n in (60, 5, 1)}
    phi, gamma = model.get_topics(), model.inference(documents)[0]
    mean = np.sum(corpus() * np.log(gamma / gamma.sum(1, keepdims=True) @ phi)) / corpus().sum()
    return {"per_word": per_word[60], "logged": 2.0 ** -per_word[60], "other": np.exp(-mean),
            **{f"of_{n}": np.exp(-x) for n, x in per_word.items()}}  # fmt: skip


def stopping_early():
    options = {"alpha": [0.1] * 5, "eta": 0.1, "passes": 20, "dtype": np.float64, "random_state": 0}
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, **options)
    theta = [x / x.sum(1, keepdims=True) for x in (model.inference(documents)[0], model.inference(documents)[0])]
    return {"theta": np.abs(theta[0] - theta[1]).max()}


LOST = (
    "It adds the machine epsilon to the weight of a token, summed over topics, before it divides by it, so rare words "
    "lose their tokens. Of 3 tokens, two of them of a word that no topic has seen, {float32_0_1:.2f} are counted in "
    "single and {float64_0_1:.2f} in double precision with eta 0.1, and {float32_0_01:.2f} and {float64_0_01:.2f} with "
    "eta 0.01. `dtype=numpy.float64` helps."
)
ROWS = (
    Row("expected_log", "E log of a Dirichlet variable", "`matutils.dirichlet_expectation`, float64", expected_log),
    Row(
        "e_step", "E step, a number of iterations", "`inference`, float32 (its default)", e_step(np.float32), LOST,
        a_rare_word_in_single_precision,
    ),
    Row(
        "e_step", "E step, a number of iterations", "`inference`, float64", e_step(np.float64), "As above.",
        a_rare_word_in_single_precision,
    ),
    Row(
        "converged_e_step", "E step to its fixed point", "`inference`, float64, 5000 iterations",
        converged(**CONVERGED), "As above.", a_rare_word_in_single_precision,
    ),
    Row(
        "converged_e_step", "E step to its fixed point", "`inference`, as it is", converged(dtype=np.float32),
        "It stops when the parameters change by less than 0.001 on average, or after 50 iterations, and starts at "
        "random: theta of the same documents differs by up to {theta:.0e} between two calls. `gamma_threshold=0, "
        "iterations=5000` gives the fixed point.", stopping_early,
    ),
    Row(
        "iteration", "iteration of batch VB", "`update`, `decay=0`, float64, 5000 inner iterations", iteration,
        "As above.", a_rare_word_in_single_precision,
    ),
    Row("elbo", "bound of (gamma, lambda)", "`bound(gamma=gamma[:, None])`, float64", elbo(np.float64)),
    Row("elbo", "bound of (gamma, lambda)", "`bound(gamma=gamma[:, None])`, float32 (its default)", elbo(np.float32)),
    Row(
        "elbo", "bound of (gamma, lambda)", "`bound(gamma=gamma)`, as documented", bound_as_documented,
        "It raises an error, “{error}”; `gamma[:, None]`, with the dtype of the model, gives the bound.",
        bound_with_a_gamma,
    ),
    Row(
        "perplexity", "perplexity", "the one that `log_perplexity` logs, 5000 inner iterations", perplexity,
        "2 to the power of minus the bound per word, which is in nats: {logged:.0f}, where exp(-bound per word) is "
        "{of_60:.0f}. As in scikit-learn, the bound contains the divergence of the topics: {of_5:.0f} for the first 5 "
        "of the 60 documents and {of_1:.1e} for one. exp(-mean log(theta phi)) is {other:.0f}.", perplexity_in_the_log,
    ),
)  # fmt: skip
