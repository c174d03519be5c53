"""R's package lda: collapsed Gibbs sampling, and CVB0."""

import numpy as np

from figures.peers.conformance_cases import counts_of

from . import Case, built, corpus, only_numbers, r, rows

NAME, VERSION = "R lda", "1.5.2"
built("R/lda")
SAMPLE = """
state <- NULL
for (t in 1:({draws} + 100)) {{
  m <- lda.collapsed.gibbs.sampler(documents, K, vocab, 2, alpha, eta, initial = state)
  state <- list(assignments = m$assignments)
  if (t > 100) cat(unlist(m$assignments), "")
}}"""
FITTED = """
m <- lda.collapsed.gibbs.sampler(documents, K, vocab, 20, alpha, eta, compute.log.likelihood = TRUE)
cat(m$document_sums, m$topics, m$log.likelihoods[, 20])
cat("", predictive.distribution(m$document_sums, m$topics, alpha, eta))"""
CVB0 = """
for (t in 5:6) {{ set.seed(1); m <- lda.cvb0(documents, K, vocab, t, alpha, eta); cat(unlist(m$assignments), "") }}"""


def vector(values) -> str:
    return f"c({', '.join(map(str, values))})"


def ask(case: Case, code: str, by_token: bool = False) -> np.ndarray:
    only_numbers(case, "alpha", "eta")
    c, p = case["corpus"], case["prior"]
    documents = [[] for _ in range(c["D"])]
    for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
        documents[j] += [w, 1] * n if by_token else [w, n]
    lists_code = ", ".join(f"matrix(as.integer({vector(x)}), 2)" for x in documents)
    return r(
        "lda",
        f"set.seed({case.get('seed', 0)}); documents <- list({lists_code}); K <- {case['K']}; vocab <- 1:{c['W']}; "
        f"alpha <- {p['alpha']}; eta <- {p['eta']}; {code.format(**case)}",
    )


def sample(case: Case) -> Case:
    return {"z": ask(case, SAMPLE, True).reshape(case["draws"], -1).astype(int).tolist()}


def fitted(case: Case) -> Case:
    """What a chain of 20 sweeps ends with."""
    (D, W), K = counts_of(case).shape, case["K"]
    N_jk, N_wk, log_p_pair, p_jw = np.split(ask(case, FITTED, True), np.cumsum([D * K, W * K, 2]))
    counts = {"N_jk": N_jk.reshape(D, K).tolist(), "N_wk": N_wk.reshape(W, K).tolist()}
    return {"log_joint": log_p_pair[0], "log_words": log_p_pair[1], "p_jw": p_jw.reshape(D, W), **counts}


def sweep(case: Case, by_token: bool = False) -> Case:
    """gamma after five and after six sweeps from one start."""
    gamma_before, gamma = ask(case, CVB0, by_token).reshape(2, -1, case["K"])
    return {"before": gamma_before.tolist(), "gamma": gamma}


# Reproductions -------------------------------------------------------------------------------------------------------


def burn_in_and_iterations():
    documents_code = "list(matrix(c(0L, 2L, 1L, 1L), 2))"  # `a a b`: three words for each sweep that is counted
    code = f"m <- lda.collapsed.gibbs.sampler({documents_code}, 2, c('a', 'b'), 100, 1, 1, burnin = 50L)\n"
    return {"sweeps": r("lda", code + "cat(sum(m$document_expects) / 3)")[0]}


def all_copies_left_out():
    """gamma of `a` and of `b` in the document `a a b` after two sweeps and after three; and twenty calls."""
    code = "x <- list(matrix(c(0L, 2L, 1L, 1L), 2)); for (t in 2:3) { set.seed(1); "
    code += "m <- lda.cvb0(x, 2, c('a', 'b'), t, 1, 1); cat(m$assignments[[1]][1, ], '') }"
    a, b, updated_gamma, _ = r("lda", code)

    def weight(a, b):  # of a topic in the update of `a`, where one copy remains in the counts; alpha = eta = 1
        return (1 + a + b) * (1 + a) / (2 + a + b)

    right_gamma = weight(a, b) / (weight(a, b) + weight(1 - a, 1 - b))
    documents_code = ", ".join(f"rbind({vector(np.flatnonzero(x))}, {vector(x[x > 0])})" for x in corpus())
    code = f"x <- lapply(list({documents_code}), function(m) matrix(as.integer(m), 2)); N <- {corpus().sum()}\n"
    code += "for (i in 1:20) cat(isTRUE(all.equal(sum(lda.cvb0(x, 5, 1:200, 10, 0.1, 0.1)$topics), N)) * 1, '')"
    return {"theirs": updated_gamma, "right": right_gamma, "garbage": 20 - r("lda", code).sum()}


ROWS = rows(globals())
