"""gensim's LdaModel: variational Bayes."""

import logging
from functools import partial

import numpy as np
from gensim.matutils import dirichlet_expectation
from gensim.models import LdaModel

from figures.peers.conformance_cases import counts_of

from . import Case, corpus, generator, rows

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


def e_step(case: Case, dtype: type) -> Case:
    model = model_of(case, dtype, iterations=case["iterations"], gamma_threshold=0.0)
    model.random_state = generator(case["alpha_jk"])
    return {"alpha_jk": model.inference(bags(counts_of(case)))[0].tolist()}


def converged(case: Case, **options) -> Case:
    return {"alpha_jk": model_of(case, **options).inference(bags(counts_of(case)))[0].tolist()}


def iteration(case: Case) -> Case:
    model = model_of(case, **CONVERGED)
    model.update(bags(counts_of(case)), passes=1)
    return {"eta_wk": model.state.get_lambda().T.tolist()}


def online_step(case: Case, dtype: type) -> Case:
    model, B = model_of(case, dtype, iterations=case["iterations"], gamma_threshold=0.0), case["corpus"]["D"]
    model.random_state = generator(case["alpha_jk"])
    model.num_updates, model.state.numdocs = case["t"] * B, case["total_D"] - B  # `update` adds the batch
    model.update(bags(counts_of(case)), offset=case["tau0"], decay=case["kappa"])
    return e_step(case, dtype) | {"eta_wk": model.state.get_lambda().T.tolist()}


def elbo(case: Case, dtype: type) -> Case:
    gamma = np.array(case["alpha_jk"], dtype)[:, None]
    return {"bound": float(model_of(case, dtype).bound(bags(counts_of(case)), gamma=gamma))}


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
    counted_tokens = {}
    for dtype in (np.float32, np.float64):
        for eta in (0.1, 0.01):
            model = LdaModel(None, 2, {0: "a", 1: "b", 2: "c"}, alpha=[0.1, 0.1], eta=eta, dtype=dtype, random_state=0)
            model.state.sstats[:] = topics
            model.sync_state()
            gamma, _ = model.inference([[(0, 1), (2, 2)]])  # 3 words
            counted_tokens[f"{dtype.__name__}_{eta}".replace(".", "_")] = gamma.sum() - 2 * 0.1
    return counted_tokens


def bound_with_a_gamma():
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, random_state=0)
    gamma, _ = model.inference(documents)  # (60, 5), as the documentation of `bound` says
    try:
        model.bound(documents, gamma=gamma)
        error_text = "none"
    except ValueError as found:
        error_text = str(found)
    return {"error": error_text, "other": model.bound(documents, gamma=gamma[:, None])}


def perplexity_in_the_log():
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, alpha=[0.1] * 5, eta=0.1, passes=20, random_state=0)
    bound_per_word = {n: model.log_perplexity(documents[:n]) for n in (60, 5, 1)}
    phi, gamma = model.get_topics(), model.inference(documents)[0]
    mean_log_p = np.sum(corpus() * np.log(gamma / gamma.sum(1, keepdims=True) @ phi)) / corpus().sum()
    return {"per_word": bound_per_word[60], "logged": 2.0 ** -bound_per_word[60], "other": np.exp(-mean_log_p),
            **{f"of_{n}": np.exp(-x) for n, x in bound_per_word.items()}}  # fmt: skip


def steps_of_three_passes():
    model = LdaModel(None, 5, {w: str(w) for w in range(200)}, chunksize=20, offset=1, decay=1, random_state=0)
    rhos, do_mstep = [], model.do_mstep
    model.do_mstep = lambda rho, *others: (rhos.append(rho), do_mstep(rho, *others))
    model.update(bags(corpus()), passes=3)
    return {"t": " ".join(f"{1 / rho - 1:.0f}" for rho in rhos), "D": model.state.numdocs}  # rho = 1 / (1 + t)


def stopping_early():
    options = {"alpha": [0.1] * 5, "eta": 0.1, "passes": 20, "dtype": np.float64, "random_state": 0}
    documents = bags(corpus())
    model = LdaModel(documents, 5, {w: str(w) for w in range(200)}, **options)
    two_thetas = [x / x.sum(1, keepdims=True) for x in (model.inference(documents)[0], model.inference(documents)[0])]
    return {"theta": np.abs(two_thetas[0] - two_thetas[1]).max()}


SINGLE, DOUBLE = {"dtype": np.float32}, {"dtype": np.float64}
e_step_single, e_step_double = partial(e_step, **SINGLE), partial(e_step, **DOUBLE)
online_single, online_double = partial(online_step, **SINGLE), partial(online_step, **DOUBLE)
elbo_single, elbo_double = partial(elbo, **SINGLE), partial(elbo, **DOUBLE)
converged_double, converged_as_it_is = partial(converged, **CONVERGED), partial(converged, **SINGLE)
ROWS = rows(globals())
