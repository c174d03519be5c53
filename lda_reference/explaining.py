"""The update of one row as text."""

import numpy as np

from .arguments import check_generator, expect, is_whole
from .corpus import Corpus
from .engine.algorithm import Algorithm
from .engine.arguments import checked_state
from .engine.groups import components_moved, total
from .engine.in_place import left_out
from .engine.products import eta_of_words
from .engine.state import State
from .engine.update import KNOWN, pseudocounts, soft, weights
from .model import Array, Prior, check_problem


def explain(A: Algorithm, s: State, c: Corpus, p: Prior, row: int, rng: np.random.Generator | None = None) -> str:
    """The update of one row from the current state, as text: the sums, the exclusion, the three terms, the result.

    What is seen is a sum after the exclusion. For a sampler the row's first token is shown, and the result is the
    distribution that its topic is drawn from.

    The state has no replicates; `row` is an int from 0 below M. `rng`, by default a generator of seed 0, is for
    algorithms that draw parameters or samples before a sweep.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0], [1]]), lda.Prior(0.5, 0.5)
    >>> A = lda.ALGORITHMS["cvb0"]
    >>> print(lda.explain(A, A.init(c, 2, p, gamma=[[1, 0], [1, 0], [0, 1]]), c, p, row=0))
    cvb0, row 0: document 0, word 0, count 1; excludes one token
    new gamma is proportional to document term x word term / topic term
    document term, word term, topic term: N_jk + alpha, N_wk + eta, N_k + W eta.
                                  topic 0        topic 1
    gamma                               1              0
    sum over document                   2              0
    sum over word                       2              0
    sum over corpus                     2              1
    seen in document                    1              0
    seen in word                        1              0
    seen in corpus                      1              1
    document term                     1.5            0.5
    word term                         1.5            0.5
    topic term                          2              2
    new gamma                         0.9            0.1
    """
    is_known = isinstance(A, Algorithm) and A.name != "another program"  # whose update is not known
    expect(is_known, A, "A", "an Algorithm of this package, such as ALGORITHMS['cvb0']")
    check_problem(c, p)
    if len(checked_state(s, c, A.keeps)) != 2:
        raise ValueError(f"gamma has shape {s.shape}, expected (M, K): explain shows one run, not replicates")
    expect(is_whole(row) and 0 <= row < c.M, row, "row", f"a row from 0 below M = {c.M}")
    rng = np.random.default_rng(0) if rng is None else rng
    check_generator(rng)
    A.check(c, p, s.shape[-1])
    gamma, corpus, i = s.gamma, c, row
    if s.z is not None:
        gamma, corpus, i = np.eye(s.gamma.shape[-1])[s.z], c.tokens(), int(c.n[:row].sum())
    (update, params), a, rows = A.held(s, c, p, rng), pseudocounts(p, c.W, A.prior_offset), slice(i, i + 1)
    S, term_priors = total(update, gamma, corpus, params), (a.alpha, eta_of_words(a, gamma, corpus.w[rows]), a.W_eta)
    sums_of_row, own_sums = (S.jk[corpus.j[i]], S.wk[corpus.w[i]], S.k), None
    if A.keeps is not None and A.keeps.sums_of is not None and s.own is not None:
        sums_of_row, own_sums = A.keeps.sums_of(s.own, corpus, i)
    log_prefix = "log " * update.logs
    term_labels = [f"{log_prefix}{name} term" for name in ("document", "word", "topic")]
    places, held = ("document", "word", "corpus"), (f"{log_prefix}theta of document", f"{log_prefix}phi of word", "")
    lines, seen, term_values = [("gamma", gamma[i])], list[tuple[str, Array]](), []
    for index, (term, sum_of_row, prior_number) in enumerate(zip(update.terms, sums_of_row, term_priors, strict=True)):
        seen_k = components_moved(sum_of_row[None], gamma)
        if update.excludes != "nothing":
            removal = left_out(update, term.count, gamma, rows, corpus.n[rows]) if own_sums is None else own_sums[index]
            seen_k = term.count.remove(seen_k, removal)
        term_values.append(term.value(prior_number, seen_k))
        labels = (held[index], "") if term.count == KNOWN else (f"sum over {places[index]}", f"seen in {places[index]}")
        for table, name, x in zip((lines, seen), labels, (sum_of_row, components_moved(seen_k, gamma)[0]), strict=True):
            component_names = (name, f"  {term.count.second}")[: 2 if term.count.second else 1]
            table += zip(component_names, np.atleast_2d(x.mean(0) if term.count.draws else x), strict=False)
    lines += [*seen, *((label, term_k[0]) for label, term_k in zip(term_labels, term_values, strict=True))]
    new_weights = weights(update, *term_values)[0] if A.update.plain is None else A.update.plain(gamma, c, p, row)
    lines.append(("probability drawn from" if s.z is not None else "new gamma", soft(new_weights)))
    exclusion = {"nothing": "nothing", "token": "one token", "type": "all tokens of its type"}[update.excludes]
    text_lines = [f"{A.name}, row {row}: document {c.j[row]}, word {c.w[row]}, count {c.n[row]}; excludes {exclusion}"]
    formula_text = "exp({} + {} - {})" if update.logs else "{} x {} / {}"
    text_lines.append(f"new gamma is proportional to {formula_text.format(*term_labels)}")
    term_docs = ["" if term.count == KNOWN else (term.value.__doc__ or "").split("\n")[0] for term in update.terms]
    for term_doc in filter(None, dict.fromkeys(term_docs)):
        text_lines.append(f"{', '.join(term_labels[i] for i in range(3) if term_docs[i] == term_doc)}: {term_doc}")
    text_lines.append(" " * 22 + "".join(f"{f'topic {k}':>15}" for k in range(gamma.shape[-1])))
    number_lines = [f"{name:<22}" + "".join(f"{number:>15.8g}" for number in x) for name, x in lines if name]
    return "\n".join(text_lines + number_lines)
