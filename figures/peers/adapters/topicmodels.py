"""R's package topicmodels: variational EM in the code of lda-c, and collapsed Gibbs sampling."""

import numpy as np
from scipy.special import gammaln

from figures.peers.conformance_cases import counts_of, counts_of_topics, tokens_of

from . import Case, Skip, built, corpus, only_numbers, r, rows

NAME, VERSION = "R topicmodels", "0.2-16"
built("R/topicmodels")
TIGHT = "var = list(iter.max = -1L, tol = 0)"
MODEL = "m <- new('LDA_VEM', k = K, Dim = dim(x), alpha = alpha, beta = log(phi_kw)); "
FIXED = MODEL + "m <- LDA(x, model = m, control = list(estimate.beta = FALSE, {control})); "
E_STEP = FIXED + "cat(t(posterior(m)$topics))"
BOUND = FIXED + "cat(logLik(m))"
PERPLEXITY = FIXED + "cat(perplexity(m, x))"
STEP = MODEL + "m <- LDA(x, model = m, control = list(em = list(iter.max = 1L), {control})); cat(exp(m@beta), m@alpha)"
CHAIN = """
m <- LDA(x, K, method = 'Gibbs', control = list(alpha = alpha, delta = eta, iter = 20L, seed = 1L));
cat(m@z - 1, logLik(m), t(posterior(m)$topics), posterior(m)$terms)"""
SAMPLE = """
m <- LDA(x, K, method = 'Gibbs', control = list(alpha = alpha, delta = eta, iter = 100L, seed = 1L));
control <- m@control; control@iter <- 1L; s <- slam::as.simple_triplet_matrix(x);
for (t in 1:{draws}) {{
  m <- .Call(topicmodels:::C_rGibbslda, s$i, s$j, as.integer(s$v), s$nrow, s$ncol, control, 2L, FALSE, NULL, K, '',
    m@beta, m@z)
  cat(m@z - 1, '')
}}"""  # as in its LDA_Gibbs.fit, which also makes an object of each state
GIBBS = (CHAIN, SAMPLE)


def matrix(table) -> str:
    """A table in R, whose columns are our rows."""
    return f"matrix(c({', '.join(map(repr, np.ravel(table).tolist()))}), {np.shape(table)[1]})"


def ask(case: Case, code: str, control: str = TIGHT) -> np.ndarray:
    X, p = counts_of(case), case["prior"]
    only_numbers(case, *(("alpha", "eta") if code in GIBBS else ("alpha",)))
    if case["K"] < 2 or not X.sum(1).all():
        raise Skip("the library takes no single topic and no empty document")
    start_code = f"K <- {case['K']}L; alpha <- {p['alpha']}; x <- t({matrix(X)}); "
    start_code += f"eta <- {p['eta']}; " if code in GIBBS else f"phi_kw <- {matrix(case['phi_wk'])}; "
    return r("topicmodels", start_code + code.format(control=control, draws=case.get("draws")))


def in_order(case: Case, z: np.ndarray) -> np.ndarray:
    """Topics of its tokens, which it sorts by document and word, in the order of the case."""
    return z[..., np.argsort(np.lexsort(tokens_of(case)[::-1]))].astype(int)


def e_step(case: Case, control: str = TIGHT) -> Case:
    return {"theta_jk": ask(case, E_STEP, control).reshape(-1, case["K"])}


def e_step_as_it_is(case: Case) -> Case:
    return e_step(case, "verbose = 0L")


def bound(case: Case) -> Case:
    return {"bound": ask(case, BOUND)[0]}


def perplexity(case: Case) -> Case:
    return {"perplexity": ask(case, PERPLEXITY, "verbose = 0L")[0]}


def em_step(case: Case) -> Case:
    *flat_phi, alpha = ask(case, STEP)
    return {"phi_wk": np.reshape(flat_phi, (-1, case["K"])), "alpha": alpha}


def sample(case: Case) -> Case:
    return {"z": in_order(case, ask(case, SAMPLE).reshape(case["draws"], -1)).tolist()}


def chain(case: Case) -> Case:
    """What a chain of 20 sweeps ends with."""
    (D, W), K, N = counts_of(case).shape, case["K"], int(counts_of(case).sum())
    flat_z, logs, flat_theta, flat_phi = np.split(ask(case, CHAIN), np.cumsum([N, 1, D * K]))
    N_jk, N_wk = counts_of_topics(case, in_order(case, flat_z).tolist())
    estimates = {"theta_jk": flat_theta.reshape(D, K), "phi_wk": flat_phi.reshape(W, K)}
    return {"log_joint": logs[0], "log_words": logs[0], **estimates, "N_jk": N_jk.tolist(), "N_wk": N_wk.tolist()}


# Reproductions -------------------------------------------------------------------------------------------------------


def fits_of_our_corpus():
    """Perplexity, its theta phi form and alpha, from the default alpha and from 0.1; and theta after another E step."""
    code = f"""
    x <- t({matrix(corpus())}); x <- x[, colSums(x) > 0]
    for (control in list(list(seed = 1L), list(seed = 1L, alpha = 0.1))) {{
      m <- LDA(x, 5, control = control); p <- posterior(m)$topics %*% posterior(m)$terms
      cat(perplexity(m), exp(-sum(x * log(p)) / sum(x)), m@alpha, '')
    }}
    tight <- posterior(m, x, control = list(var = list(iter.max = -1L, tol = 0)))
    cat(max(abs(tight$topics - posterior(m)$topics)))"""
    number_names = "flat", "flat_theta_phi", "flat_alpha", "perplexity", "theta_phi", "alpha", "change"
    return dict(zip(number_names, r("topicmodels", code), strict=True))


def one_text_and_two_topics():
    control = "list(alpha = 1, delta = 0.5, seed = 1L, iter = 9L)"
    code = f"m <- LDA(matrix(c(2, 1), 1), 2, method = 'Gibbs', control = {control})\n"
    log_p_words, *z = r("topicmodels", code + "cat(logLik(m), m@z)")
    n_k = [z.count(1), z.count(2)]
    log_p_topics = sum(gammaln(1 + n) for n in n_k) + gammaln(2) - gammaln(2 + 3)
    return {"theirs": log_p_words, "right": log_p_words + log_p_topics}


ROWS = rows(globals())
