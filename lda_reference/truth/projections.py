"""CVB, CVB0 and CVB1 as minimisers of alpha-divergences, SN12 §§6-8, by enumeration on tiny corpora.

The orders of the divergences, SN12's alpha, are `a` here: see `divergence`, which also says how the equations were
restored. At a minimum over one factor of a fully factorised q,

    q(x_i)  ∝  E_q(x\\i)[(p(x) / q(x\\i))^a]^(1/a)                                                       (18)

and, with p(x\\i) in p(x) = p(x_i | x\\i) p(x\\i) replaced by q(x\\i),

    q(x_i)  ∝  E_q(x\\i)[p(x_i | x\\i)^a]^(1/a),                                                         (20)

which minimises D_a[p(x_i | x\\i) q(x\\i) || q(x_i) q(x\\i)], a divergence for each i                   (21)

Every update here is a power mean over the K^(N-1) assignments of the other tokens, whose q is the gamma that is given.
By Theorem 1, (20) at a → 0 is exact CVB, SN12 (5) and (47): the normaliser of the conditional only adds the mean of its
logarithm, which is the same for every topic. By (46), the document and word terms of CVB0 (a = 1) are never below those
of exact CVB, and its topic term (a = -1) is never above.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from ..arguments import check_choice
from ..corpus import Corpus
from ..model import Array, Prior, log_joint_collapsed
from .divergence import checked_order, log_power_mean
from .enumeration import assignments, checked_factors, enumerable_tokens, log_terms, other_assignments

ORDERS: dict[str, tuple[float, float, float]] = {
    "vb": (0, 0, 0),
    "cvb": (0, 0, 0),
    "cvb0": (1, 1, -1),
    "ep": (1, 1, 1),
    "cvb1": (1, 1, 1),
}
"""The orders of the document, word and topic terms of each inference: SN12 Table 1, restored.

VB and EP project z, theta and phi together with one order, the others z alone. The orders of CVB1 are from (48), and
those of CVB0, which the table has lost, from (43).
"""

READINGS = ("conditional", "joint")  # what `local_projection` can project


def global_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: float) -> Array:
    """The minimum of D_a[p(x, z) || q(z)] over one token's factor of q, SN12 (18), for every token.

        q(z_i = k)  ∝  E_q(z^-i)[(p(x, z) / q(z^-i))^a]^(1/a)

    At a = 0 it is exact CVB. At a = 1 it is the exact posterior p(z_i = k | x) for every gamma: the intractable update
    that (20) approximates. Arguments, result and errors are as in `local_projection`; if a >= 1, a gamma of 0 is an
    error too: D_a is then infinite, because p(x, z) is never 0.

    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0]], W=2), lda.Prior([2, 1], 1)
    >>> global_projection([[0.5, 0.5], [0.1, 0.9]], c, 2, p, 1).round(4), lda.exact.posterior(c, 2, p).gamma.round(4)
    (array([[0.6818, 0.3182],
           [0.6818, 0.3182]]), array([[0.6818, 0.3182],
           [0.6818, 0.3182]]))
    """
    tokens = enumerable_tokens(c, K, p)
    gamma = checked_factors(gamma, tokens, K)
    a = checked_order(a, "a")
    if a >= 1 and np.any(gamma == 0):
        i, k = np.argwhere(gamma == 0)[0]
        raise ValueError(f"gamma[{i}, {k}] is 0, expected a positive number: D_a of order {a} >= 1 is infinite there")
    log_p = np.concatenate([log_joint_collapsed(N_jk, N_wk, p) for _, N_jk, N_wk in assignments(tokens, K)])
    log_q = np.empty((tokens.N, K))
    for i in range(tokens.N):
        other_weights = other_assignments(gamma, tokens, K, i)[0]
        log_p_i = np.moveaxis(log_p.reshape((K,) * tokens.N), i, -1).reshape(-1, K)  # the others' assignments by topics
        is_possible_other = other_weights > 0
        log_x = log_p_i[is_possible_other] - np.log(other_weights[is_possible_other])[:, None]
        log_q[i] = log_power_mean(log_x, other_weights[is_possible_other], a)  # SN12 (18), restored
    return np.exp(_log_normalised(log_q))


def local_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: float, reading: str = "conditional") -> Array:
    """The minimum of D_a[p(z_i | z^-i, x) q(z^-i) || q(z_i) q(z^-i)], SN12 (20) and (21), for every token.

        q(z_i = k)  ∝  E_q(z^-i)[p(z_i = k | z^-i, x)^a]^(1/a)

    with the conditional of collapsed Gibbs sampling, TNW06 (8). At a = 0 it is exact CVB. At a = 1 it is factorised
    neighbours (Rosen-Zvi, Jordan and Yuille 2005), SN12 (22) and (23), in two readings:

        conditional    q(z_i = k)  ∝  E[p(z_i = k | z^-i, x)]
        joint          q(z_i = k)  ∝  E[(n_jk^-i + alpha_k) (n_wk^-i + eta) / (n_k^-i + W eta)]

    SN12 calls it EP, but EP has sites and cavities. (21) is about the conditional, and SN12's derivation of (23) from
    the bound of CVB gives the joint. The exact posterior satisfies the first, TNW06 (9), but not the second.

    gamma (N, K) is q of the tokens; a row of count n stands for n of them, in row order. The result is (N, K). A
    ValueError says if gamma does not fit, a is not finite, K^N is above 2^22, or the corpus is empty.

    >>> import lda_reference as lda
    >>> c, gamma = lda.Corpus.from_documents([[0, 0, 0]], W=2), [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]]
    >>> for a in (-1, 0, 1):
    ...     print(local_projection(gamma, c, 2, lda.Prior(0.5, 0.5), a)[0].round(4).tolist())
    [0.3674, 0.6326]
    [0.3955, 0.6045]
    [0.4214, 0.5786]
    """
    check_choice(reading, "reading", READINGS)
    log_q = []
    for p_of_others, log_document_term, log_word_term, log_topic_term in log_terms(gamma, c, K, p):
        log_x = log_document_term + log_word_term - log_topic_term  # TNW06 (8)
        if reading == "conditional":
            log_x = _log_normalised(log_x)  # TNW06 (8)
        log_q.append(log_power_mean(log_x, p_of_others, a))  # SN12 (20)(22)(23), restored
    return np.exp(_log_normalised(np.array(log_q)))


def three_parameters(
    gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: tuple[float, float, float]
) -> tuple[Array, Array, Array]:
    """The logs of a_t, b_t and c_t of q(z_i = k) ∝ a_t b_t c_t, SN12 (24)-(42), each with its own order.

        a_t = E[(n_jk^-i + alpha_k)^a]^(1/a)       b_t = E[(n_wk^-i + eta)^a]^(1/a)
        c_t = E[(n_k^-i + W eta)^-a]^(1/a)

    a_t minimises, summed over k and z^-i and without normalisation over the topics,

        D_a[(n_jk^-i + alpha_k) b_t c_t q(z^-i)  ||  a_t b_t c_t q(z^-i)],

    where b_t and c_t, equal on both sides, do not matter; b_t and c_t minimise the corresponding divergences. `a` has
    the orders of the document, the word and the topic term. Each result is (N, K).

    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0]], W=2), lda.Prior(1, 1)
    >>> for x in three_parameters([[0.5, 0.5], [0.1, 0.9]], c, 2, p, (1, 1, -1)):
    ...     print(np.exp(x[0]).round(4))  # the other token adds 0.1 and 0.9: 1 + E[n_jk], 1 + E[n_wk], 1 / (2 + E[n_k])
    [1.1 1.9]
    [1.1 1.9]
    [0.4762 0.3448]
    """
    if len(a) != 3:
        raise ValueError(f"a has {len(a)} entries, expected 3: of the document, the word and the topic")
    orders = [checked_order(x, f"a[{i}]") for i, x in enumerate(a)]
    log_means = []
    for p_others, *log_jk_and_wk, log_topic_term in log_terms(gamma, c, K, p):
        term_orders = zip((*log_jk_and_wk, -log_topic_term), orders, strict=True)
        log_means.append([log_power_mean(x, p_others, order) for x, order in term_orders])  # SN12 (24)-(42), restored
    log_a_t, log_b_t, log_c_t = np.array(log_means).swapaxes(0, 1)
    return log_a_t, log_b_t, log_c_t


def three_parameter_projection(gamma: ArrayLike, c: Corpus, K: int, p: Prior, a: tuple[float, float, float]) -> Array:
    """q(z_i = k) ∝ a_t b_t c_t of `three_parameters`, SN12 (24)-(42), for every token.

    The orders (1, 1, -1) give CVB0, SN12 (9) and (43), with the mean of every count; (0, 0, 0) give exact CVB,
    SN12 (5); and (1, 1, 1) give CVB1, SN12 (48). See `ORDERS`. SN12 chooses (1, 1, -1) because they give CVB0.

    >>> import lda_reference as lda
    >>> c, gamma = lda.Corpus.from_documents([[0, 0, 0]], W=2), [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]]
    >>> for name in ("cvb", "cvb0", "cvb1"):  # cvb0, expected counts 0.8 and 1.2: 1.3 · 1.3 / 1.8 to 1.7 · 1.7 / 2.2
    ...     print(name, three_parameter_projection(gamma, c, 2, lda.Prior(0.5, 0.5), ORDERS[name])[0].round(4))
    cvb [0.3955 0.6045]
    cvb0 [0.4168 0.5832]
    cvb1 [0.4266 0.5734]
    """
    log_a_t, log_b_t, log_c_t = three_parameters(gamma, c, K, p, a)
    return np.exp(_log_normalised(log_a_t + log_b_t + log_c_t))  # SN12 (24)-(42), restored


# Parts ---------------------------------------------------------------------------------------------------------------


def _log_normalised(log_x: Array) -> Array:
    """log of x / sum x, the sum over the last axis."""
    return log_x - logsumexp(log_x, axis=-1, keepdims=True)
