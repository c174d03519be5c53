"""The definitions of the numbers that are reported of a model, and what some known mistakes make of them."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

from ..algorithms.vb import e_step, expected_log, less_log_q
from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_collapsed, log_joint_of_documents, mean_of_counts, normalised

EXACT_RTOL, LOOSE_RTOL, GENSIM_RTOL = 1e-6, 2e-5, 2e-4  # relative tolerances: double, single precision, random starts
Quantity = tuple[str, Any]  # what it is, and its value in nats, or those (D,) of the documents


class Definition(NamedTuple):
    """What a number is, and its value."""

    says: str
    value: float
    condition: float = 1.0  # a relative error of the quantity, times this, is one of the value


class Loop(NamedTuple):
    """When the loop over q(theta) of a document stops: at a mean change of alpha_jk, or after some iterations."""

    change: float = 1e-9
    iterations: int = 2000
    epsilon: float = 0.0  # added to the weight of a token, summed over topics, before it is divided by it


LOOPS = {
    ", with q(theta) at its fixed point": Loop(),
    ", with q(theta) where scikit-learn stops by default": Loop(1e-3, 100, 2.2e-16),
    ", with q(theta) where gensim stops by default": Loop(1e-3, 50, 1.2e-7),
}


class Known(NamedTuple):
    """What is known of a model; None is what is not."""

    p: Prior | None = None
    c: Corpus | None = None  # the documents that the number is of
    theta_jk: Array | None = None
    phi_wk: Array | None = None
    alpha_jk: Array | None = None  # the parameters of q(theta)
    eta_wk: Array | None = None  # the parameters of q(phi)
    N_jk: Array | None = None
    N_wk: Array | None = None
    z: Ints | None = None  # the topics of the tokens
    D_trained: int | None = None  # how many the model was trained on, or scikit-learn's total_samples
    loops: Mapping[str, Loop] = LOOPS  # by what is said of each
    own_bound: tuple[tuple[str, float], ...] = ()  # of a Fit: what it is, and its value
    rtol: float = EXACT_RTOL
    alpha: Array | None = None  # (K,), which variational EM has without an eta
    is_weighted: bool = False  # the counts of topics are sums of weights of tokens
    is_tabulated: bool = False  # log Gamma is interpolated in tomotopy's table
    estimates: str = "as given"  # how theta_jk and phi_wk were found


def definitions(k: Known) -> list[Definition]:
    """Every definition whose number can be computed from what is known, and is finite."""
    k = k if k.c is None else k._replace(c=k.c.types())
    with np.errstate(all="ignore"):
        named_quantities = [*k.own_bound, *_joints(k), *([] if k.c is None else _of_words(k, k.c))]
        candidates = [number for quantity_name, nats in named_quantities for number in _forms(quantity_name, nats, k)]
    return [number for number in candidates if math.isfinite(number.value)]


def _forms(says: str, nats: Any, k: Known) -> Iterator[Definition]:
    """What is made of a quantity: a mean per word or the like, with the other sign, in bits, or as a perplexity."""
    total_nats, c, size_of_unit = float(np.sum(nats)), k.c, {"in total": 1.0}
    if c is not None:
        size_of_unit |= {"per document": c.D, "per word": c.N, "per distinct word of a document": c.M}
    elif k.N_jk is not None:
        size_of_unit |= {"per document": len(k.N_jk), "per word": round(k.N_jk.sum())}
    if k.is_weighted and k.N_jk is not None:
        size_of_unit["per unit of weight"] = float(k.N_jk.sum())
    unit_of_divisor = {size: unit for unit, size in reversed(size_of_unit.items()) if size}  # equal sizes have one name
    named_means = [(f"{says}, {unit}", total_nats / size) for size, unit in unit_of_divisor.items()]
    if np.ndim(nats) and c is not None:
        document_lengths = c.by_document(c.n)
        means = (nats / document_lengths)[document_lengths > 0]
        if len(set(document_lengths[document_lengths > 0])) > 1:
            named_means.append((f"{says}, per word of each document, averaged over the documents", float(means.mean())))
            yield Definition(f"mean over the documents of exp of minus {says}, per word", float(np.exp(-means).mean()))
    for name, x in named_means:
        for signed_name, signed_number in ((name, x), (f"minus {name}", -x)):
            yield Definition(signed_name, signed_number)
            yield Definition(f"{signed_name}, in bits", signed_number / math.log(2))
        if not name.endswith(("in total", "per document")):
            yield Definition(f"exp of minus {name}", float(np.exp(-x)), max(1.0, abs(x)))
            yield Definition(f"2 to the power of minus {name}, which is in nats", float(np.exp2(-x)), max(1.0, abs(x)))


def last_alone(N: Array, a: Array) -> float:
    """log B(N + a) - log B(a), summed over rows, if log Gamma(n + a), n > 0, replaces what was added up before it."""
    log_B_sum = 0.0
    for counts_row in N:
        for i in np.flatnonzero(counts_row)[-1:]:
            log_B_sum = gammaln(counts_row[i] + a[i])
        log_B_sum -= gammaln(counts_row.sum() + a.sum())
    return log_B_sum - len(N) * (gammaln(a).sum() - gammaln(a.sum()))


def tabulated(x: Any) -> Array:
    """log Gamma as tomotopy has it below 1,101: straight lines between points at steps of 1/1024, 1/64 and 1/8."""
    step = np.select([np.less(x, 1), np.less(x, 101)], [2.0**-10, 2.0**-6], 2.0**-3)
    point_below = np.floor(x / step) * step
    fraction = (x - point_below) / step
    interpolated = (1 - fraction) * gammaln(np.maximum(point_below, 1e-4)) + fraction * gammaln(point_below + step)
    return np.where(np.less(x, 1101), interpolated, gammaln(x))


def log_joint_tabulated(N: Array, a: Array) -> float:
    """log B(N + a) - log B(a), summed over rows, by `tabulated`."""
    row_sum_terms = tabulated(N.sum(1) + a.sum(-1)) - tabulated(a.sum(-1))
    return float((tabulated(N + a) - np.broadcast_to(tabulated(a), N.shape)).sum() - row_sum_terms.sum())


JOINTS: dict[str, Callable[[Array, Array], Any]] = {
    "": lambda N, a: log_joint_of_documents(N, Prior(a)).sum(),
    ", without the zero counts, whose log Gamma(prior) is subtracted all the same": lambda N, a: (
        log_joint_of_documents(N, Prior(a)) - np.where(N > 0, 0, gammaln(a)).sum(1)
    ).sum(),
    ", without the constants of the priors": lambda N, a: gammaln(N + a).sum() - gammaln(N.sum(1) + a.sum()).sum(),
    ", where each log Gamma of a count replaces the sum so far (= stands for +=)": last_alone,
}


def _joints(k: Known) -> Iterator[Quantity]:
    if k.p is None or k.N_jk is None or k.N_wk is None:
        return
    alpha, eta = k.p.arrays(k.N_jk.shape[1], len(k.N_wk))
    used = k.N_wk.any(1)
    if k.is_tabulated:
        log_p = log_joint_tabulated(k.N_jk, alpha) + log_joint_tabulated(k.N_wk.T, eta.T)
        yield "log p(x, z), with log Gamma interpolated in tomotopy's table", log_p
    if eta.ndim == 2:  # a prior for each topic
        yield "log p(z)", log_joint_of_documents(k.N_jk, Prior(alpha))
        yield "log p(x, z)", log_joint_collapsed(k.N_jk, k.N_wk, k.p)
        return
    N_j, alpha_sum = k.N_jk.sum(1), alpha.sum()
    mallet_excess = np.log(alpha_sum + 1) * (N_j == 1).sum() + np.log(alpha_sum * (alpha_sum + 1)) * (N_j == 0).sum()
    if mallet_excess and not k.is_tabulated:
        log_p = JOINTS[""](k.N_jk, alpha) + JOINTS[""](k.N_wk.T, eta) - mallet_excess
        yield "log p(x, z), with MALLET 2.1.1's error for documents of one word or none", log_p
    yield "log p(z)", log_joint_of_documents(k.N_jk, Prior(alpha))
    for scope, is_counted in (("", used | True), (", in a vocabulary of the words that occur", used))[: 2 - used.all()]:
        yield f"log p(x | z){scope}", JOINTS[""](k.N_wk[is_counted].T, eta[is_counted])
        for variant, joint in JOINTS.items():
            yield f"log p(x, z){scope}{variant}", joint(k.N_jk, alpha) + joint(k.N_wk[is_counted].T, eta[is_counted])


def _of_words(k: Known, c: Corpus) -> Iterator[Quantity]:
    """The bounds of VB by each loop and of variational EM, and the probability of the words by each theta and phi."""
    if k.phi_wk is not None and k.alpha is not None and k.p is None:
        for q_theta_text, alpha_jk in _of_theta(k, c, k.phi_wk, k.alpha):
            bound_name = f"the bound of variational EM on log p(x | phi), with q(theta) {q_theta_text}"
            yield bound_name, bound_at(alpha_jk, k.phi_wk, k.alpha, c)
    named_estimates = [] if k.theta_jk is None or k.phi_wk is None else [(k.estimates, k.theta_jk, k.phi_wk)]
    if k.eta_wk is not None and k.p is not None:
        for loop_text, loop in k.loops.items() if k.alpha_jk is None else [("", Loop())]:
            alpha_jk = settled(k.eta_wk, c, k.p, loop) if k.alpha_jk is None else k.alpha_jk
            yield from _bounds(f"VB's bound on log p(x){loop_text}, ", alpha_jk, k.eta_wk, c, k.p, k.D_trained or c.D)
            named_estimates.append((f"at the means of q{loop_text}", normalised(alpha_jk, -1), normalised(k.eta_wk, 0)))
    if k.N_jk is not None and k.N_wk is not None:
        named_estimates.append(("from the counts alone", normalised(k.N_jk, -1), normalised(k.N_wk, 0)))
        if k.p is not None:
            named_estimates.append(("from the counts and priors", *mean_of_counts(k.N_jk, k.N_wk, k.p)))
    for how, theta_jk, phi_wk in named_estimates:
        log_p, name = np.log((theta_jk[c.j] * phi_wk[c.w]).sum(-1)), f"log p(x | theta, phi), with theta and phi {how}"
        yield name, c.by_document(c.n * log_p)
        if c.M < c.N:
            yield f"{name}, where a word counts once in a document", c.by_document(log_p)


def _bounds(bound: str, alpha_jk: Array, eta_wk: Array, c: Corpus, p: Prior, D_trained: int) -> Iterator[Quantity]:
    alpha, eta = p.arrays(alpha_jk.shape[1], c.W)
    expected_log_theta, expected_log_phi = expected_log(alpha_jk, -1), expected_log(eta_wk, 0)
    words_part = c.by_document(c.n * logsumexp(expected_log_theta[c.j] + expected_log_phi[c.w], -1))
    documents_part = words_part + less_log_q(alpha, alpha_jk, expected_log_theta)
    topics_part = less_log_q(eta.T, eta_wk.T, expected_log_phi.T).sum()
    yield f"{bound}with the divergence of the topics", documents_part.sum() + topics_part
    yield f"{bound}without the divergence of the topics", documents_part
    yield f"{bound}without the divergences of the topics and of the documents", words_part
    if D_trained != c.D:
        D_share, ratio = c.D / D_trained, f"{c.D}/{D_trained}"
        yield f"{bound}with {ratio} of the divergence of the topics", documents_part.sum() + topics_part * D_share
        yield f"{bound}with the part of the documents divided by {ratio}", documents_part.sum() / D_share + topics_part


def _of_theta(k: Known, c: Corpus, phi_wk: Array, alpha: Array) -> Iterator[tuple[str, Array]]:
    """The parameters of q(theta) of variational EM: as given, those whose mean is theta, and at their fixed point."""
    if k.alpha_jk is not None:
        yield "as given", k.alpha_jk
    elif k.theta_jk is not None:
        yield "of the mean theta", k.theta_jk * (c.by_document(c.n) + alpha.sum())[:, None]
    yield "at its fixed point", settled_at(phi_wk, c, alpha, Loop())


def bound_at(alpha_jk: Array, phi_wk: Array, alpha: Array, c: Corpus) -> Array:
    """Variational EM's bound on log p(x | phi, alpha) of each document, in nats: phi is a point.

    >>> c = Corpus.from_documents([[0, 1]]).types()
    >>> bound_at(np.array([[3.0]]), np.array([[0.5], [0.5]]), np.ones(1), c).round(4)  # one topic: log(1 / 4)
    array([-1.3863])
    """
    expected_log_theta = expected_log(alpha_jk, -1)
    words_part = c.by_document(c.n * logsumexp(expected_log_theta[c.j] + np.log(phi_wk)[c.w], -1))
    return words_part + less_log_q(alpha, alpha_jk, expected_log_theta)


def settled(eta_wk: Array, c: Corpus, p: Prior, loop: Loop) -> Array:
    """alpha_jk from ones, with eta_wk held, each document until its loop stops: TNW06 (6) and (4).

    >>> c = Corpus.from_documents([[0, 0, 1]]).types()
    >>> settled(np.array([[9.0, 1.0], [1.0, 9.0]]), c, Prior(0.1, 0.1), Loop()).round(2)
    array([[2.25, 0.95]])
    """
    with np.errstate(invalid="ignore"):
        alpha_jk = settled_at(np.exp(expected_log(eta_wk, 0)), c, p.arrays(eta_wk.shape[1], c.W)[0], loop)
    if np.all(np.isfinite(alpha_jk)):
        return alpha_jk
    return e_step(np.ones(alpha_jk.shape), eta_wk, c, p, 200)  # by logarithms: all weights of a word may underflow


def settled_at(phi_wk: Array, c: Corpus, alpha: Array, loop: Loop) -> Array:
    """The same with the weights phi_wk of the words in the topics, which are exp E[log phi] there."""
    alpha_jk = np.array(np.broadcast_to(alpha, (c.D, len(alpha))))
    alpha_jk[c.j] = 1
    j, n, phi_rows = c.j, c.n[:, None], phi_wk[c.w]
    for _ in range(loop.iterations if c.M else 0):
        moving_documents, document_starts, moving_index_of_row = np.unique(j, return_index=True, return_inverse=True)
        old_alpha_jk = alpha_jk[moving_documents]
        unnormalised_gamma = np.exp(expected_log(old_alpha_jk, -1))[moving_index_of_row] * phi_rows
        gamma = unnormalised_gamma / (unnormalised_gamma.sum(-1, keepdims=True) + loop.epsilon)
        alpha_jk[moving_documents] = np.add.reduceat(n * gamma, document_starts) + alpha
        is_moving_row = (np.abs(alpha_jk[moving_documents] - old_alpha_jk).mean(1) >= loop.change)[moving_index_of_row]
        if not is_moving_row.any():
            break
        j, n, phi_rows = j[is_moving_row], n[is_moving_row], phi_rows[is_moving_row]
    return alpha_jk
