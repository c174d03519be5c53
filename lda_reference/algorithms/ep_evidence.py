"""The evidence of expectation propagation: Minka and Lafferty 2002, the integral of the priors times all sites.

With Z the integral of cavity times t in the notation of `ep`, and B the normaliser of a Dirichlet, a site's scale is

    s  =  Z B(g) / B(q_j) prod_k B(h_k) / B(q_k)

and the integral, which approximates p(x | alpha, eta), is

    prod s^n  prod_j B(q_j) / B(alpha)  prod_k B(q_k) / B(eta)

Here q_j and q_k are the parameters of q(theta_j) and q(phi_k), and the first product is over the rows. It is not a
bound. If q has settled on one of the K! orders of the topics, its logarithm is too low by about log K!. With held
topics the factors of phi are absent.

The plain text of the sites is `plain.ep.EPStep`; the evidence has none.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..corpus import Corpus
from ..engine.arguments import checked_phi, checked_state
from ..engine.state import State
from ..model import Prior, log_B
from .ep import ALGORITHM, check_held, first_sites, parameters, tilted


def log_evidence(s: State, c: Corpus, p: Prior, held_topics: ArrayLike | None = None) -> Any:
    """EP's approximation of log p(x | alpha, eta), or with held topics of log p(x | phi, alpha), in nats.

    It is a float, or (R,) with replicates; the held topics (W, K) are those of the sweeps. A ValueError says if a
    cavity has a parameter that is not positive, so that the approximation is not defined, or if the sweeps had held
    topics and this call has none, or the reverse.

    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0, 0, 1], [2, 2, 3, 2], [0, 1, 0, 0]]), lda.Prior(0.1, 0.1)
    >>> f = lda.fit(c, 2, "ep", p)
    >>> round(float(log_evidence(f.state, c, p) + np.log(2)), 3)  # with log 2!, for the two orders of the topics
    -15.182
    >>> round(lda.exact.log_evidence(c, 2, p), 3)
    -15.177
    """
    gamma_shape, has_held_topics = checked_state(s, c, ALGORITHM.keeps), held_topics is not None
    sites = first_sites(s.gamma, c, has_held_topics) if s.own is None else s.own
    check_held(sites, has_held_topics)
    q_jk, q_wk = parameters(sites, c, p)
    alpha, eta = p.vectors(q_jk.shape[-1], c.W, "ep")
    g, h = q_jk[c.j] - sites.jk, None if sites.wk is None else q_wk - sites.wk
    is_positive = (g.min(-1) > 0) & (h is None or h.min((1, -1)) > 0)
    if not is_positive.all():
        n_bad = int(np.sum(~is_positive))
        raise ValueError(f"{n_bad} sites have a cavity with a parameter that is not positive: there is no evidence")
    log_scale = log_B(g, -1) - log_B(q_jk, -1)[c.j]
    log_p = (log_B(q_jk, -1) - log_B(alpha, -1)).sum(0)
    if h is None:
        tilted_terms = tilted(g, checked_phi(np.asarray(held_topics), gamma_shape, c)[c.w], 1.0)
    else:
        tilted_terms = tilted(g, h[np.arange(c.M), c.w], h.sum(1))
        log_scale = log_scale + (log_B(h, 1) - log_B(q_wk, 0)).sum(-1)
        log_p = log_p + (log_B(q_wk, 0) - log_B(eta, 0)).sum(-1)
    Z = tilted_terms.sum(-1) / g.sum(-1)
    log_p = log_p + np.tensordot(c.n.astype(np.float64), log_scale + np.log(Z), 1)  # ML02 [evidence]
    return float(log_p) if np.ndim(log_p) == 0 else log_p
