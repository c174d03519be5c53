"""The collapsed bound, TNW06 (12), for every algorithm that assumes independent z and integrates over theta and phi.

F(q(z))  =  E_q(z)[-log p(x, z | alpha, beta)] - H(q(z))                                        (12)

The plain text is `plain.estimates.Estimates.bound`.
"""

from typing import Any

from scipy.special import gammaln

from .. import bernoulli
from ..corpus import Corpus
from ..engine.arguments import check_sums
from ..engine.counts import entropy
from ..engine.groups import sum_statistic
from ..engine.state import State
from ..model import Prior, collapsed, column


def bound(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the collapsed free energy (12) at gamma, in nats: exact to about 1e-13 relative.

    It holds for any gamma, so for every algorithm with independent z: VB's bound (2) <= this <= log p(x | alpha, eta),
    TNW06 (13).
    """
    gamma = s.gamma
    check_sums(c, p, bernoulli.LARGEST, "the bound TNW06 (12)")
    alpha, eta = p.arrays(gamma.shape[-1], c.W)
    S = sum_statistic(bernoulli.GENERATING_FUNCTION, gamma, c)
    log_gamma_j = gammaln(alpha.sum() + c.by_document(c.n))  # N_j is observed
    expected_log_joint = collapsed(
        bernoulli.mean_log_gamma(alpha, S.jk),
        log_gamma_j.reshape(-1, *(1,) * (gamma.ndim - 2)),
        bernoulli.mean_log_gamma(column(eta, gamma), S.wk),
        bernoulli.mean_log_gamma(eta.sum(0), S.k[None])[0],
        p,
    )
    return expected_log_joint + entropy(s, c)  # TNW06 (12), SN12 (4), restored
